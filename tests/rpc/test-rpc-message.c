/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rpc/beckon-rpc-message.h"

#include "base/beckon-json.h"

#include <string.h>

/* Each is what it is read as, and is written as the same bytes. */
static void
test_round_trip (void)
{
  static const struct
  {
    const char *text;
    BeckonRpcMessage message;
  } cases[] = {
    { "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"a/b\",\"params\":{\"n\":1.0,\"big\":123456789012345678901}}",
      { BECKON_RPC_MESSAGE_REQUEST, (char *) "0", (char *) "a/b", (char *) "{\"n\":1.0,\"big\":123456789012345678901}", 0,
        NULL } },
    { "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"a\",\"params\":[]}",
      { BECKON_RPC_MESSAGE_REQUEST, (char *) "\"1\"", (char *) "a", (char *) "[]", 0, NULL } },
    { "{\"jsonrpc\":\"2.0\",\"id\":-99999999999999999999,\"method\":\"a\"}",
      { BECKON_RPC_MESSAGE_REQUEST, (char *) "-99999999999999999999", (char *) "a", NULL, 0, NULL } },
    { "{\"jsonrpc\":\"2.0\",\"method\":\"部\\\"\"}",
      { BECKON_RPC_MESSAGE_NOTIFICATION, NULL, (char *) "部\"", NULL, 0, NULL } },
    { "{\"jsonrpc\":\"2.0\",\"id\":\"\\u0041\\u0000\",\"result\":null}",
      { BECKON_RPC_MESSAGE_RESULT, (char *) "\"\\u0041\\u0000\"", NULL, (char *) "null", 0, NULL } },
    { "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32042,\"message\":\"no\\n\",\"data\":{\"a\":[\"\\u0000\"]}}}",
      { BECKON_RPC_MESSAGE_ERROR, (char *) "7", NULL, (char *) "{\"a\":[\"\\u0000\"]}", -32042, (char *) "no\n" } },
    { "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1,\"message\":\"\"}}",
      { BECKON_RPC_MESSAGE_ERROR, NULL, NULL, NULL, 1, (char *) "" } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonRpcMessage) message
          = beckon_rpc_message_parse (cases[i].text, strlen (cases[i].text), NULL, &error);
      g_autofree char *printed = NULL;

      g_assert_no_error (error);
      g_assert_cmpint (message->kind, ==, cases[i].message.kind);
      g_assert_cmpstr (message->id, ==, cases[i].message.id);
      g_assert_cmpstr (message->method, ==, cases[i].message.method);
      g_assert_cmpstr (message->json, ==, cases[i].message.json);
      g_assert_cmpint (message->code, ==, cases[i].message.code);
      g_assert_cmpstr (message->text, ==, cases[i].message.text);
      printed = beckon_rpc_message_print (message);
      g_assert_cmpstr (printed, ==, cases[i].text);
    }
}

/* Lines of real peers. */
static void
test_tolerated (void)
{
  static const struct
  {
    const char *text;
    const char *printed;
  } cases[] = {
    { " {\"params\" : null, \"extra\":[{}], \"method\":\"a\", \"jsonrpc\":\"2.0\"}\r",
      "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}" },
    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":null,\"result\":{ \"a\" :1}}",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{ \"a\" :1}}" },
    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null,\"error\":{\"code\":2,\"message\":\"b\",\"data\":null}}",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":2,\"message\":\"b\"}}" },
    { "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":2,\"message\":\"b\"}}",
      "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":2,\"message\":\"b\"}}" },
    { "{\"\\u006asonrpc\":\"2.0\",\"method\":\"a\",\"params\":{\n\"b\":\r\n2}}",
      "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":{ \"b\":  2}}" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonRpcMessage) message
          = beckon_rpc_message_parse (cases[i].text, strlen (cases[i].text), NULL, &error);
      g_autofree char *printed = NULL;

      g_assert_no_error (error);
      printed = beckon_rpc_message_print (message);
      g_assert_cmpstr (printed, ==, cases[i].printed);
    }
}

/* @response_id: of a faulty response, whose call has to end. */
static void
test_refused (void)
{
  static const struct
  {
    const char *text;
    int code;
    const char *response_id;
  } cases[] = {
    { "", BECKON_RPC_ERROR_PARSE, NULL },
    { "[INFO] listening", BECKON_RPC_ERROR_PARSE, NULL },
    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"", BECKON_RPC_ERROR_PARSE, NULL },
    { "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}{}", BECKON_RPC_ERROR_PARSE, NULL },
    { "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"method\":\"b\"}", BECKON_RPC_ERROR_PARSE, NULL },
    { "{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}", BECKON_RPC_ERROR_PARSE, NULL },
    { "{\"jsonrpc\":\"2.0\",\"method\":\"\\ud800\"}", BECKON_RPC_ERROR_PARSE, NULL },
    { "{\"jsonrpc\":\"2.0\",\"id\":12,\"result\":\"\xff\"}", BECKON_RPC_ERROR_PARSE, "12" },
    { "{ \"id\" : 7 , \"result\":[[", BECKON_RPC_ERROR_PARSE, "7" },
    { "{\"id\":7", BECKON_RPC_ERROR_PARSE, NULL },
    { "{\"id\":07,\"result\":", BECKON_RPC_ERROR_PARSE, NULL },
    { "{\"id\":7.5,\"result\":", BECKON_RPC_ERROR_PARSE, NULL },
    { "{\"id\":\"7\",\"result\":", BECKON_RPC_ERROR_PARSE, NULL },
    { "null", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { " [{\"jsonrpc\":\"2.0\",\"method\":\"a\"}]", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { "{}", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { "{\"id\":1,\"method\":\"a\"}", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"a\"}", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"a\"}", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"a\"}", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { "{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"a\"}", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null}", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\\u0000\"}", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":\"b\"}", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"result\":1}", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { "{\"jsonrpc\":\"2.0\",\"result\":1}", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { "{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":1}", BECKON_RPC_ERROR_INVALID_REQUEST, NULL },
    { "{\"jsonrpc\":\"2.0\",\"id\":1}", BECKON_RPC_ERROR_INVALID_REQUEST, "1" },
    { "{\"id\":\"1\",\"result\":1}", BECKON_RPC_ERROR_INVALID_REQUEST, "\"1\"" },
    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":{\"code\":1,\"message\":\"\"}}", BECKON_RPC_ERROR_INVALID_REQUEST,
      "1" },
    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"no\"}", BECKON_RPC_ERROR_INVALID_REQUEST, "1" },
    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}}", BECKON_RPC_ERROR_INVALID_REQUEST, "1" },
    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1.5,\"message\":\"\"}}", BECKON_RPC_ERROR_INVALID_REQUEST, "1" },
    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":2147483648,\"message\":\"\"}}", BECKON_RPC_ERROR_INVALID_REQUEST,
      "1" },
    { "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":\"1\",\"message\":\"\"}}", BECKON_RPC_ERROR_INVALID_REQUEST, "1" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *response_id = NULL;

      g_test_message ("case %" G_GSIZE_FORMAT, i);
      g_assert_null (beckon_rpc_message_parse (cases[i].text, strlen (cases[i].text), &response_id, &error));
      g_assert_error (error, BECKON_RPC_ERROR, cases[i].code);
      g_assert_cmpstr (response_id, ==, cases[i].response_id);
    }
}

static void
check_bound (const char *before, gsize n, const char *after, int code)
{
  g_autofree char *filler = g_strnfill (n, before[strlen (before) - 1]);
  g_autofree char *text = g_strconcat (before, filler, after, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRpcMessage) message = beckon_rpc_message_parse (text, strlen (text), NULL, &error);

  if (code == 0)
    g_assert_no_error (error);
  else
    g_assert_error (error, BECKON_RPC_ERROR, code);
  g_assert_true ((message != NULL) == (code == 0));
}

static void
test_bounds (void)
{
  check_bound ("{\"jsonrpc\":\"2.0\",\"id\":\"a", BECKON_RPC_NAME_MAX - 3, "\",\"method\":\"a\"}", 0);
  check_bound ("{\"jsonrpc\":\"2.0\",\"id\":\"a", BECKON_RPC_NAME_MAX - 2, "\",\"method\":\"a\"}",
               BECKON_RPC_ERROR_INVALID_REQUEST);
  check_bound ("{\"jsonrpc\":\"2.0\",\"id\":1", BECKON_RPC_NAME_MAX, ",\"method\":\"a\"}", BECKON_RPC_ERROR_INVALID_REQUEST);
  check_bound ("{\"jsonrpc\":\"2.0\",\"method\":\"a", BECKON_RPC_NAME_MAX - 1, "\"}", 0);
  check_bound ("{\"jsonrpc\":\"2.0\",\"method\":\"a", BECKON_RPC_NAME_MAX, "\"}", BECKON_RPC_ERROR_INVALID_REQUEST);
  check_bound ("{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":[", 100000, "", BECKON_RPC_ERROR_PARSE);
  check_bound ("{\"jsonrpc\":\"2.0\",\"method\":\"a\"} ", BECKON_RPC_MESSAGE_MAX - 33, "", 0);
  check_bound ("{\"jsonrpc\":\"2.0\",\"method\":\"a\"} ", BECKON_RPC_MESSAGE_MAX, "", BECKON_RPC_ERROR_TOO_LARGE);
}

/* Small values are bounded by their number, and the call that they answer ends; commas of a text are none. */
static void
test_many_values (void)
{
  g_autoptr (GString) text = g_string_new ("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":[0");
  g_autofree char *response_id = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < BECKON_RPC_MESSAGE_MOST_VALUES; i++)
    g_string_append (text, ",0");
  g_string_append (text, "]}");
  g_assert_null (beckon_rpc_message_parse (text->str, text->len, &response_id, &error));
  g_assert_error (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_PARSE);
  g_assert_cmpstr (response_id, ==, "7");
  check_bound ("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"\\\",", BECKON_RPC_MESSAGE_MOST_VALUES, "\"}", 0);
}

static void
test_batch_is_named (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (beckon_rpc_message_parse ("[]", 2, NULL, &error));
  g_assert_nonnull (strstr (error->message, "batches are not supported"));
}

static void
test_errors (void)
{
  static const int cases[][2] = {
    { -32700, BECKON_RPC_ERROR_PARSE },
    { -32600, BECKON_RPC_ERROR_INVALID_REQUEST },
    { -32601, BECKON_RPC_ERROR_METHOD_NOT_FOUND },
    { -32602, BECKON_RPC_ERROR_INVALID_PARAMS },
    { -32603, BECKON_RPC_ERROR_INTERNAL },
    { -32604, BECKON_RPC_ERROR_REMOTE },
    { -32042, BECKON_RPC_ERROR_REMOTE },
    { 2, BECKON_RPC_ERROR_REMOTE },
  };
  g_autoptr (BeckonRpcMessage) result = beckon_rpc_message_new_result ("1", "{}");

  g_assert_true (beckon_rpc_message_check (result, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonRpcMessage) message = beckon_rpc_message_new_error ("1", cases[i][0], "no", NULL);
      g_autoptr (GError) error = NULL;

      g_assert_false (beckon_rpc_message_check (message, &error));
      g_assert_error (error, BECKON_RPC_ERROR, cases[i][1]);
      g_assert_cmpstr (error->message, ==, "no");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rpc/message/round-trip", test_round_trip);
  g_test_add_func ("/rpc/message/tolerated", test_tolerated);
  g_test_add_func ("/rpc/message/refused", test_refused);
  g_test_add_func ("/rpc/message/bounds", test_bounds);
  g_test_add_func ("/rpc/message/many-values", test_many_values);
  g_test_add_func ("/rpc/message/batch-is-named", test_batch_is_named);
  g_test_add_func ("/rpc/message/errors", test_errors);
  return g_test_run ();
}
