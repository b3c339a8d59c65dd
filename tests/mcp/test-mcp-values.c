/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "domain/beckon-mcp-server.h"
#include "mcp/beckon-mcp-codec.h"
#include "mcp/beckon-mcp-environment.h"
#include "mcp/beckon-mcp-http.h"
#include "mcp/beckon-mcp-log.h"
#include "mcp/beckon-mcp-transport.h"
#include "mcp/beckon-mcp-prompt.h"
#include "mcp/beckon-mcp-result.h"
#include "mcp/beckon-mcp-tool-info.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"

#include <string.h>

/* Servers and what they say as values, without any process. */

static BeckonMcpToolInfo *
read_tool (const char *json)
{
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (json, -1, NULL);

  g_assert_nonnull (value);
  return beckon_mcp_tool_info_read (value, json, NULL);
}

static void
assert_prefix (const char *name, const char *prefix)
{
  g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new (name, BECKON_MCP_KIND_STDIO);
  g_autofree char *made = beckon_mcp_server_dup_prefix (server);

  g_assert_cmpstr (made, ==, prefix);
}

static void
test_prefixes (void)
{
  assert_prefix ("GitHub", "github");
  assert_prefix ("My  Server (2)", "my_server_2");
  assert_prefix ("…", NULL);
  assert_prefix ("天气", "s4d947325");
  assert_prefix ("a-name-that-is-much-longer-than-thirty-two", "a_name_that_is_much_lon_035dec0f");
}

static void
assert_name (const char *tool, const char *name)
{
  g_autofree char *json = g_strdup_printf ("{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}", tool);
  g_autoptr (BeckonMcpToolInfo) info = read_tool (json);
  g_autofree char *made = beckon_mcp_tool_info_make_name (info, "github");

  g_assert_cmpstr (made, ==, name);
  g_assert_cmpuint (strlen (made), <=, 64);
}

/* A name of the model's is of its alphabet, and no two tools share one. */
static void
test_names (void)
{
  g_autofree char *one = NULL;
  g_autofree char *other = NULL;
  g_autoptr (BeckonMcpToolInfo) dotted = read_tool ("{\"name\":\"a.b\",\"inputSchema\":{\"type\":\"object\"}}");
  g_autoptr (BeckonMcpToolInfo) slashed = read_tool ("{\"name\":\"a/b\",\"inputSchema\":{\"type\":\"object\"}}");

  assert_name ("create_issue", "github__create_issue");
  assert_name ("x123456789x123456789x123456789x123456789x123456789x123456789x123456789",
               "github__x123456789x123456789x123456789x123456789x12_591742629b7f");
  one = beckon_mcp_tool_info_make_name (dotted, "s");
  other = beckon_mcp_tool_info_make_name (slashed, "s");
  g_assert_true (g_str_has_prefix (one, "s__a_b_"));
  g_assert_cmpstr (one, !=, other);
}

/* A tool that is named as another one is changed to, or that as that one is, does not get its name, and no rule for it. */
static void
test_chosen_names (void)
{
  g_autoptr (BeckonMcpToolInfo) dotted = read_tool ("{\"name\":\"get.x\",\"inputSchema\":{\"type\":\"object\"}}");
  g_autofree char *name = beckon_mcp_tool_info_make_name (dotted, "s");
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_hash_table_add (seen, g_strdup (name));
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *json
        = g_strdup_printf ("{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}", name + strlen ("s__"));
      g_autoptr (BeckonMcpToolInfo) chosen = read_tool (json);
      char *next = beckon_mcp_tool_info_make_name (chosen, "s");

      g_assert_true (g_hash_table_add (seen, next));
      g_assert_cmpuint (strlen (next), <=, 64);
      g_free (name);
      name = g_strdup (next);
    }
  assert_name ("get_x_123456789abg", "github__get_x_123456789abg");
  assert_name ("123456789ab", "github__123456789ab");
}

static void
assert_bad_tool (const char *json)
{
  g_autoptr (BeckonMcpToolInfo) info = read_tool (json);

  g_assert_null (info);
}

static void
test_tools (void)
{
  g_autoptr (BeckonMcpToolInfo) info = read_tool (
      "{\"name\":\"a\",\"description\":\"b\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"title\":\"The A\","
      "\"readOnlyHint\":true}}");
  g_autoptr (BeckonMcpToolInfo) silent = read_tool ("{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}");
  g_autoptr (BeckonMcpToolInfo) destructive
    = read_tool ("{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"destructiveHint\":true}}");

  g_assert_cmpstr (info->title, ==, "The A");
  g_assert_true (info->is_read_only);
  g_assert_false (info->is_destructive);
  g_assert_true (info->is_open_world);
  /* Hints that a server does not give are not said to be its own. */
  g_assert_false (info->is_silent);
  g_assert_true (silent->is_silent && silent->is_destructive);
  g_assert_false (destructive->is_silent);
  assert_bad_tool ("{\"inputSchema\":{\"type\":\"object\"}}");
  assert_bad_tool ("{\"name\":\"a b\",\"inputSchema\":{\"type\":\"object\"}}");
  assert_bad_tool ("{\"name\":\"a\"}");
  assert_bad_tool ("{\"name\":\"a\",\"inputSchema\":null}");
  beckon_mcp_tool_info_unref (read_tool ("{\"name\":\"a\",\"inputSchema\":{\"properties\":{\"a\":{\"type\":\"string\"}}}}"));
  assert_bad_tool ("{\"name\":\"a\",\"inputSchema\":{\"type\":\"array\"}}");
  assert_bad_tool ("{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"},\"execution\":{\"taskSupport\":\"required\"}}");
}

/* The digest is of everything that a model or a person is told of a tool, and of nothing else. */
static void
test_digest (void)
{
  g_autoptr (BeckonMcpToolInfo) one = read_tool ("{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"},\"icons\":[]}");
  g_autoptr (BeckonMcpToolInfo) same = read_tool ("{\"inputSchema\": {\"type\": \"object\"}, \"name\": \"a\"}");
  g_autoptr (BeckonMcpToolInfo) other
      = read_tool ("{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true}}");
  g_autofree char *difference = beckon_mcp_tool_info_compare (one, other);

  g_assert_cmpstr (one->digest, ==, same->digest);
  g_assert_cmpstr (one->digest, !=, other->digest);
  g_assert_nonnull (strstr (difference, "+read-only: yes"));
}

#define SCHEMA(properties) "{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\",\"properties\":{" properties "}}}"

static void
assert_bad_headers (const char *json)
{
  g_autoptr (BeckonMcpToolInfo) info = read_tool (json);

  g_assert_true (info->has_bad_headers);
}

static void
test_headers (void)
{
  g_autoptr (BeckonMcpToolInfo) info = read_tool (SCHEMA (
      "\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},\"x-mcp-header\":{\"type\":\"string\"},"
      "\"deep\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"x-mcp-header\":\"N\"}}},"
      "\"on\":{\"type\":\"boolean\",\"x-mcp-header\":\"On\",\"default\":{\"x-mcp-header\":\"data\"}}"));
  g_auto (GStrv) headers = beckon_mcp_tool_info_make_headers (
      info, "{\"region\":\"Tromsø\",\"deep\":{\"n\":-7},\"on\":null,\"x-mcp-header\":\"no\"}");
  g_autofree char *joined = g_strjoinv ("|", headers);

  g_assert_false (info->has_bad_headers);
  g_assert_cmpstr (joined, ==, "Mcp-Param-Region|Tromsø|Mcp-Param-N|-7");
  assert_bad_headers (SCHEMA ("\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}"));
  assert_bad_headers (SCHEMA ("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A b\"}"));
  assert_bad_headers (SCHEMA ("\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},\"b\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}"));
  assert_bad_headers (SCHEMA ("\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}"));
  assert_bad_headers (SCHEMA ("\"a\":{\"anyOf\":[{\"type\":\"string\",\"x-mcp-header\":\"A\"}]}"));
}

static void
assert_encoded (const char *value, const char *encoded)
{
  g_autofree char *made = beckon_mcp_http_encode (value);

  g_assert_cmpstr (made, ==, encoded);
}

/* As the specification has it. */
static void
test_encoding (void)
{
  assert_encoded ("us-west1", "us-west1");
  assert_encoded ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?=");
  assert_encoded (" padded ", "=?base64?IHBhZGRlZCA=?=");
  assert_encoded ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?=");
  assert_encoded ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
  assert_encoded ("", "");
}

static void
test_params (void)
{
  const BeckonMcpParams old = { .members = "\"name\":\"a\"", .token = 7 };
  const BeckonMcpParams bare = { .is_modern = FALSE };
  const BeckonMcpParams modern = { .is_modern = TRUE, .members = "\"name\":\"a\"", .token = 7 };
  g_autofree char *old_text = beckon_mcp_codec_make_params (&old);
  g_autofree char *bare_text = beckon_mcp_codec_make_params (&bare);
  g_autofree char *modern_text = beckon_mcp_codec_make_params (&modern);
  const char *first = beckon_mcp_codec_get_initialize ();
  g_autofree char *roots = beckon_mcp_codec_make_roots ("/tmp/a b");

  g_assert_cmpstr (old_text, ==, "{\"name\":\"a\",\"_meta\":{\"progressToken\":7}}");
  g_assert_cmpstr (bare_text, ==, "{}");
  g_assert_true (beckon_json_check (modern_text, -1, NULL));
  g_assert_nonnull (strstr (modern_text, "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\""));
  g_assert_nonnull (strstr (modern_text, "\"progressToken\":7"));
  g_assert_true (beckon_json_check (first, -1, NULL));
  g_assert_null (strstr (first, "sampling"));
  g_assert_null (strstr (modern_text, "sampling"));
  g_assert_cmpstr (roots, ==, "{\"roots\":[{\"uri\":\"file:///tmp/a%20b\",\"name\":\"a b\"}]}");
}

static void
test_progress (void)
{
  g_autofree char *text = NULL;
  gint64 token;

  g_assert_true (beckon_mcp_codec_read_progress ("{\"progressToken\":3,\"progress\":1,\"total\":4,\"message\":\"a\\u202eb\"}",
                                                 &token, &text));
  g_assert_cmpint (token, ==, 3);
  g_assert_cmpstr (text, ==, "a<U+202E>b · 25 %");
  g_clear_pointer (&text, g_free);
  g_assert_true (beckon_mcp_codec_read_progress ("{\"progressToken\":3,\"progress\":9,\"total\":4}", &token, &text));
  g_assert_cmpstr (text, ==, "9");
  g_clear_pointer (&text, g_free);
  g_assert_false (beckon_mcp_codec_read_progress ("{\"progressToken\":\"a\",\"progress\":9}", &token, &text));
  g_assert_false (beckon_mcp_codec_read_progress ("[]", &token, &text));
}

/* The state is given back exactly as it is written. */
static void
test_input_required (void)
{
  g_autoptr (BeckonMcpResult) result = beckon_mcp_result_read (
      "{\"resultType\":\"input_required\",\"requestState\":\"a\\u0062 \\/\",\"inputRequests\":{}}", NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (result->needs_input);
  g_assert_cmpstr (result->state, ==, "\"a\\u0062 \\/\"");
  g_assert_cmpstr (result->inputs, ==, "{}");
  g_assert_null (beckon_mcp_result_read ("{\"resultType\":\"input_required\"}", NULL, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_null (beckon_mcp_result_read ("{\"resultType\":\"later\"}", NULL, NULL));
  g_assert_null (beckon_mcp_result_read ("[]", NULL, NULL));
}

/* A state of so many bytes, with its quotes and an empty object of requests. */
static BeckonMcpResult *
read_state (gsize length, GError **error)
{
  g_autofree char *state = g_strnfill (length - strlen ("\"\"{}"), 's');
  g_autofree char *json
      = g_strdup_printf ("{\"resultType\":\"input_required\",\"requestState\":\"%s\",\"inputRequests\":{}}", state);

  return beckon_mcp_result_read (json, NULL, error);
}

/* A server can't have much of its own kept with every form. */
static void
test_large_state (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMcpResult) most = read_state (BECKON_MCP_RESULT_INPUTS_MAX, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (strlen (most->state) + strlen (most->inputs), ==, BECKON_MCP_RESULT_INPUTS_MAX);
  g_assert_null (read_state (BECKON_MCP_RESULT_INPUTS_MAX + 1, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "256 KiB"));
}

static void
test_results (void)
{
  g_autoptr (BeckonMcpResult) both = beckon_mcp_result_read (
      "{\"content\":[{\"type\":\"text\",\"text\":\"{}\"}],\"structuredContent\":{\"a\":\"b\"}}",
      "{\"type\":\"object\",\"required\":[\"c\"]}", NULL);
  g_autoptr (BeckonMcpResult) empty = beckon_mcp_result_read ("{\"isError\":true}", NULL, NULL);

  g_assert_true (g_str_has_prefix (both->text, "{}\n[The structured content doesn't fit the tool's output schema: "));
  g_assert_cmpstr (empty->text, ==, "[The tool failed and didn't say why.]");
}

/* Everything that is stored of a server comes back, but for secrets. */
static void
test_config (void)
{
  g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new ("a", BECKON_MCP_KIND_STDIO);
  g_autoptr (BeckonMcpServer) back = beckon_mcp_server_new ("a", BECKON_MCP_KIND_HTTP);
  const char *arguments[] = { "-y", "a b", NULL };
  const char *off[] = { "delete", NULL };
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;
  g_autofree char *summary = NULL;
  g_auto (GStrv) words = NULL;
  g_autofree char *line = NULL;

  server->program = g_strdup ("npx");
  server->arguments = g_strdupv ((char **) arguments);
  server->tools_off = g_strdupv ((char **) off);
  server->folder = g_strdup ("/tmp");
  server->timeout_s = 7;
  server->is_sandboxed = TRUE;
  server->can_write = TRUE;
  g_ptr_array_add (server->variables, beckon_mcp_variable_new ("A", "plain", BECKON_MCP_VALUE_PLAIN));
  g_ptr_array_add (server->variables, beckon_mcp_variable_new ("TOKEN", "canary", BECKON_MCP_VALUE_SECRET));
  g_assert_true (beckon_mcp_server_check (server, NULL));
  text = beckon_mcp_server_print_config (server);
  g_assert_null (strstr (text, "canary"));
  g_assert_true (beckon_mcp_server_read_config (back, text));
  again = beckon_mcp_server_print_config (back);
  g_assert_cmpstr (again, ==, text);
  g_assert_true (back->can_write);
  summary = beckon_mcp_server_dup_summary (back);
  g_assert_cmpstr (summary, ==, "npx -y 'a b'");
  g_setenv ("BECKON_TEST_GIVEN", "/x", TRUE);
  g_ptr_array_add (server->variables, beckon_mcp_variable_new ("BECKON_TEST_GIVEN", NULL, BECKON_MCP_VALUE_INHERITED));
  words = beckon_mcp_server_list_words (server);
  line = g_strjoinv ("|", words);
  g_assert_cmpstr (line, ==, "npx|-y|a b|A=plain|BECKON_TEST_GIVEN=/x");
  g_assert_false (beckon_mcp_server_read_config (back, "{\"transport\":\"pigeon\"}"));
}

/* A name from outside gets to a terminal in an error. */
static void
test_variable_name (void)
{
  g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new ("a", BECKON_MCP_KIND_STDIO);
  g_autoptr (GError) error = NULL;

  server->program = g_strdup ("npx");
  g_ptr_array_add (server->variables, beckon_mcp_variable_new ("A\033[2J", "x", BECKON_MCP_VALUE_PLAIN));
  g_assert_false (beckon_mcp_server_check (server, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_null (strchr (error->message, '\033'));
}

static void
test_folders (void)
{
  static const struct
  {
    const char *of;
    const char *folder;
    gboolean is_for;
  } cases[] = {
    { NULL, NULL, TRUE },       { NULL, "/srv", TRUE },       { "/", "/", TRUE },           { "/", "/srv/a", TRUE },
    { "/", NULL, FALSE },       { "/srv", "/srv", TRUE },     { "/srv", "/srv/a", TRUE },   { "/srv/", "/srv", TRUE },
    { "/srv", "/srva", FALSE }, { "/srv/a", "/srv", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new ("a", BECKON_MCP_KIND_STDIO);

      server->folder = g_strdup (cases[i].of);
      g_test_message ("%s in %s", cases[i].folder, cases[i].of);
      g_assert_cmpint (beckon_mcp_server_is_for_folder (server, cases[i].folder), ==, cases[i].is_for);
    }
}

static void
assert_bad_address (const char *address)
{
  g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new ("a", BECKON_MCP_KIND_HTTP);

  server->address = g_strdup (address);
  g_assert_false (beckon_mcp_server_check (server, NULL));
}

static void
test_addresses (void)
{
  assert_bad_address (NULL);
  assert_bad_address ("example.com/mcp");
  assert_bad_address ("file:///etc/passwd");
  assert_bad_address ("https://");
  assert_bad_address ("https://user:word@example.com/mcp");
}

/* Lists of prompts are bounded, and what can't be filled in is left out. */
static void
test_prompts (void)
{
  static const char *const unusable[] = {
    "[]", "7", "{}", "{\"name\":7}", "{\"name\":\"\"}", "{\"name\":\"a b\"}", "{\"name\":\"a/b\"}", "{\"name\":\"a\\u202eb\"}",
    "{\"name\":\"a\",\"arguments\":[{}]}", "{\"name\":\"a\",\"arguments\":[{\"name\":\"b=c\"}]}",
    "{\"name\":\"a\",\"arguments\":[{\"name\":\"b\"},{\"name\":\"b\"}]}",
  };
  g_autoptr (GPtrArray) prompts = beckon_mcp_prompts_new ();
  g_autoptr (GPtrArray) again = beckon_mcp_prompts_new ();
  g_autoptr (GString) many = g_string_new ("{\"prompts\":[");
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  g_assert_false (beckon_mcp_prompts_read (prompts, NULL, NULL));
  g_assert_false (beckon_mcp_prompts_read (prompts, "{\"prompts\":{}}", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (unusable); i++)
    {
      g_autofree char *page = g_strdup_printf ("{\"prompts\":[%s]}", unusable[i]);

      g_assert_true (beckon_mcp_prompts_read (prompts, page, NULL));
      g_assert_cmpuint (prompts->len, ==, 0);
    }
  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (many, "%s{\"name\":\"p%u\",\"arguments\":[{\"name\":\"x\",\"required\":true}]}", i > 0 ? "," : "", i);
  g_string_append (many, "]}");
  g_assert_true (beckon_mcp_prompts_read (prompts, many->str, NULL));
  g_assert_cmpuint (prompts->len, ==, BECKON_MCP_PROMPTS_MAX);
  first = beckon_mcp_prompts_print (prompts);
  g_assert_true (beckon_mcp_prompts_read (again, first, NULL));
  second = beckon_mcp_prompts_print (again);
  g_assert_cmpstr (second, ==, first);
}

/* Words without a name are the value of a single argument; texts are bounded. */
static void
test_prompt_texts (void)
{
  static const char *const words[] = { "a", "b=c", NULL };
  static const char *const none[] = { NULL };
  g_autoptr (GPtrArray) prompts = beckon_mcp_prompts_new ();
  g_autoptr (GHashTable) values = NULL;
  g_autoptr (GHashTable) missing = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *members = NULL;
  g_autofree char *much = g_strnfill (1000000, 'x');
  g_autofree char *json = g_strdup_printf ("{\"messages\":[{\"content\":{\"type\":\"text\",\"text\":\"%s\"}}]}", much);
  g_autofree char *text = beckon_mcp_prompt_read_text (json);

  g_assert_true (beckon_mcp_prompts_read (
    prompts, "{\"prompts\":[{\"name\":\"p\",\"arguments\":[{\"name\":\"x\",\"required\":true}]}]}", NULL));
  values = beckon_mcp_prompt_read_values (g_ptr_array_index (prompts, 0), words, &error);
  g_assert_no_error (error);
  members = beckon_mcp_prompt_make_members ("p", values);
  g_assert_cmpstr (members, ==, "\"name\":\"p\",\"arguments\":{\"x\":\"a b=c\"}");
  missing = beckon_mcp_prompt_read_values (g_ptr_array_index (prompts, 0), none, &error);
  g_assert_null (missing);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_cmpint (g_utf8_strlen (text, -1), ==, BECKON_MCP_PROMPT_TEXT_MAX);
  g_assert_null (beckon_mcp_prompt_read_text (NULL));
  g_assert_null (beckon_mcp_prompt_read_text ("{\"messages\":[]}"));
  g_assert_null (beckon_mcp_prompt_read_text ("{\"resultType\":\"input_required\"}"));
}

/* Servers of earlier versions may ask the model, and are signed in to with nobody there. They are servers like any other now,
 * and a person signs in. */
static void
test_earlier (void)
{
  static const struct
  {
    const char *login;
    const char *client_id;
    gboolean has_old_secrets;
  } cases[] = {
    { "{\"flow\":\"client\",\"clientId\":\"robot\",\"hasClientKey\":true}", "robot", TRUE },
    { "{\"flow\":\"client\",\"clientId\":\"robot\",\"issuer\":\"https://a.example\",\"hasClientSecret\":true,\"isBound\":true}", "robot", FALSE },
    { "{\"flow\":\"enterprise\",\"clientId\":\"b\",\"providerUrl\":\"https://idp.example/t\",\"providerClientId\":\"b\","
      "\"tokenProgram\":[\"print-id\"],\"hasProviderSecret\":true}", "b", TRUE },
    { "{\"flow\":\"workload\",\"issuer\":\"https://a.example\",\"tokenFile\":\"/run/token\"}", NULL, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"transport\":\"http\",\"address\":\"https://a.example/mcp\",\"sampling\":true,"
                                               "\"login\":%s}", cases[i].login);
      g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new ("s", BECKON_MCP_KIND_HTTP);

      g_assert_true (beckon_mcp_server_read_config (server, text));
      g_assert_true (beckon_mcp_server_check (server, NULL));
      g_assert_cmpstr (server->login->client_id, ==, cases[i].client_id);
      g_assert_cmpint (server->login->has_old_secrets, ==, cases[i].has_old_secrets);
    }
}

static void
assert_log (BeckonMcpLog *log, const char *text)
{
  g_autofree char *made = beckon_mcp_log_dup_text (log);

  g_assert_cmpstr (made, ==, text);
}

/* Lines that come in pieces, and two that look like ours. */
static void
test_log (void)
{
  g_autoptr (BeckonMcpLog) log = beckon_mcp_log_new ();
  g_autofree char *text = NULL;
  g_autofree char *last = NULL;

  beckon_mcp_log_say (log, "Started");
  beckon_mcp_log_add (log, "on", 2);
  beckon_mcp_log_add (log, "e\n— Ended\n", strlen ("e\n— Ended\n"));
  beckon_mcp_log_say (log, "Not a message: %s", "{\n— Ended");
  assert_log (log, "— Started\n  one\n  — Ended\n— Not a message: { — Ended\n");
  text = beckon_mcp_log_dup_text (log);
  last = beckon_mcp_log_dup_cause (text);
  g_assert_cmpstr (last, ==, "— Ended");
}

/* The line that says why is not the last that npm writes. */
static void
test_log_cause (void)
{
  static const struct
  {
    const char *text;
    const char *cause;
  } cases[] = {
    { "— Started\n  npm error code SELF_SIGNED_CERT_IN_CHAIN\n"
      "  npm error request to https://packages.example/s failed, reason: self-signed certificate in certificate chain\n"
      "  npm error A complete log of this run can be found in: /home/me/.npm/_logs/x.log\n",
      "npm error request to https://packages.example/s failed, reason: self-signed certificate in certificate chain" },
    { "  npm error code E404\n  npm error 404 Not Found\n  npm error A complete log\n", "npm error code E404" },
    { "  npm ERR! code E404\n  npm ERR! A complete log\n", "npm ERR! code E404" },
    { "  one\n  two\n\n— npm error code E1\n", "two" },
    { "— Started\n", "" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *cause = beckon_mcp_log_dup_cause (cases[i].text);

      g_assert_cmpstr (cause, ==, cases[i].cause);
    }
}

static void
test_log_with (void)
{
  g_autofree char *begun = beckon_mcp_log_dup_with ("", "Ended\nby");
  g_autofree char *more = beckon_mcp_log_dup_with ("  one", "Ended by");
  g_autofree char *same = beckon_mcp_log_dup_with (more, "Ended by");

  g_assert_cmpstr (begun, ==, "— Ended by\n");
  g_assert_cmpstr (more, ==, "  one\n— Ended by\n");
  g_assert_cmpstr (same, ==, more);
}

/* A line that is too long begins anywhere, and not at the margin. */
static void
test_log_cut (void)
{
  g_autoptr (BeckonMcpLog) log = beckon_mcp_log_new ();
  g_autofree char *text = NULL;

  for (guint i = 0; i < BECKON_MCP_LOG_MAX / 4; i++)
    beckon_mcp_log_add (log, "— — ", strlen ("— — "));
  text = beckon_mcp_log_dup_text (log);
  g_assert_true (g_str_has_prefix (text, "  "));
}

/* A secret in pieces of the stream, and what only began like it. */
static void
test_log_masked (void)
{
  g_autoptr (BeckonMcpLog) log = beckon_mcp_log_new ();
  g_autoptr (BeckonMask) mask = beckon_mask_new ();

  beckon_mask_add (mask, "canary-9f31", "••••••");
  beckon_mcp_log_set_mask (log, mask);
  beckon_mcp_log_add (log, "key cana", strlen ("key cana"));
  beckon_mcp_log_add (log, "ry-9f31.\nthe cana", strlen ("ry-9f31.\nthe cana"));
  beckon_mcp_log_say (log, "Ended by %s", "canary-9f31");
  assert_log (log, "  key ••••••.\n  the cana\n— Ended by ••••••\n");
}

/* Values that a server inherits are secrets where their names say so. */
static void
test_mask_inherited (void)
{
  g_autoptr (GPtrArray) variables = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_variable_free);
  g_autoptr (BeckonMask) none = NULL;
  g_autoptr (BeckonMask) mask = NULL;
  g_autofree char *masked = NULL;

  g_setenv ("FORECAST_API_KEY", "canary-9f31", TRUE);
  g_setenv ("FORECAST_KEY_SWITCH", "yes", TRUE);
  g_setenv ("FORECAST_CITY", "Longyearbyen", TRUE);
  g_ptr_array_add (variables, beckon_mcp_variable_new ("FORECAST_CITY", NULL, BECKON_MCP_VALUE_INHERITED));
  g_ptr_array_add (variables, beckon_mcp_variable_new ("FORECAST_KEY_SWITCH", NULL, BECKON_MCP_VALUE_INHERITED));
  g_ptr_array_add (variables, beckon_mcp_variable_new ("FORECAST_TOKEN_NOT_SET", NULL, BECKON_MCP_VALUE_INHERITED));
  none = beckon_mcp_mask_new (variables, NULL, NULL);
  g_assert_null (none);
  g_ptr_array_add (variables, beckon_mcp_variable_new ("FORECAST_API_KEY", NULL, BECKON_MCP_VALUE_INHERITED));
  mask = beckon_mcp_mask_new (variables, NULL, NULL);
  masked = beckon_mask_apply (mask, "yes, Longyearbyen by canary-9f31");
  g_assert_cmpstr (masked, ==, "yes, Longyearbyen by ••••••");
}

/* Variables of this program that a server is passed: one without a sandbox, one in it, one there with the network. */
static void
test_environment (void)
{
  static const struct
  {
    const char *name;
    const char *value;
    gboolean passed[3];
  } cases[] = {
    { "HTTP_PROXY", "http://proxy.example:3128", { TRUE, FALSE, FALSE } },
    { "https_proxy", "http://proxy.example:3128", { TRUE, FALSE, FALSE } },
    { "no_proxy", "localhost", { TRUE, FALSE, FALSE } },
    { "ALL_PROXY", "socks5://proxy.example", { TRUE, FALSE, FALSE } },
    { "NODE_EXTRA_CA_CERTS", "/etc/company.pem", { TRUE, FALSE, TRUE } },
    { "SSL_CERT_FILE", "/etc/company.pem", { TRUE, FALSE, TRUE } },
    { "SSL_CERT_DIR", "/etc/company", { TRUE, FALSE, TRUE } },
    { "REQUESTS_CA_BUNDLE", "/etc/company.pem", { TRUE, FALSE, TRUE } },
    { "CURL_CA_BUNDLE", "/etc/company.pem", { TRUE, FALSE, TRUE } },
    { "npm_config_registry", "https://packages.example/", { TRUE, FALSE, TRUE } },
    { "NPM_CONFIG_REGISTRY", "https://packages.example/", { TRUE, FALSE, TRUE } },
    { "PIP_INDEX_URL", "https://packages.example/simple", { TRUE, FALSE, TRUE } },
    { "PIP_EXTRA_INDEX_URL", "https://ada:hunter2@packages.example/simple", { TRUE, FALSE, FALSE } },
    { "UV_DEFAULT_INDEX", "https://packages.example/simple", { TRUE, FALSE, TRUE } },
    { "UV_CACHE_DIR", "/var/cache/uv", { TRUE, FALSE, FALSE } },
    { "npm_config__auth", "c2VjcmV0", { FALSE, FALSE, FALSE } },
    { "npm_config_//packages.example/:_authToken", "s", { FALSE, FALSE, FALSE } },
    { "NPM_CONFIG_TOKEN", "s", { FALSE, FALSE, FALSE } },
    { "npm_config_key", "s", { FALSE, FALSE, FALSE } },
    { "UV_PUBLISH_PASSWORD", "s", { FALSE, FALSE, FALSE } },
    { "NVM_DIR", "/home/me/.nvm", { TRUE, FALSE, FALSE } },
    { "JAVA_HOME", "/opt/java", { TRUE, FALSE, FALSE } },
    { "DOCKER_HOST", "unix:///run/docker.sock", { TRUE, FALSE, FALSE } },
    { "KUBECONFIG", "/home/me/kube", { TRUE, FALSE, FALSE } },
    { "DISPLAY", ":7", { TRUE, FALSE, FALSE } },
    { "WAYLAND_DISPLAY", "wayland-7", { TRUE, FALSE, FALSE } },
    { "XAUTHORITY", "/home/me/.Xauthority", { TRUE, FALSE, FALSE } },
    { "XDG_RUNTIME_DIR", "/run/user/7", { TRUE, FALSE, FALSE } },
    { "BECKON_API_KEY", "s", { FALSE, FALSE, FALSE } },
    { "OPENAI_API_KEY", "s", { FALSE, FALSE, FALSE } },
    { "GITHUB_TOKEN", "s", { FALSE, FALSE, FALSE } },
    { "AWS_PROFILE", "s", { FALSE, FALSE, FALSE } },
    { "SSH_AUTH_SOCK", "/run/ssh", { FALSE, FALSE, FALSE } },
    { "DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/bus", { FALSE, FALSE, FALSE } },
    { "PIPELINE", "x", { FALSE, FALSE, FALSE } },
    { "HTTP_PROXY_PASSWORD", "s", { FALSE, FALSE, FALSE } },
  };
  g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new ("s", BECKON_MCP_KIND_STDIO);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *before = g_strdup (g_getenv (cases[i].name));

      g_setenv (cases[i].name, cases[i].value, TRUE);
      for (guint kind = 0; kind < G_N_ELEMENTS (cases[i].passed); kind++)
        {
          g_auto (GStrv) environment = NULL;

          server->is_sandboxed = kind > 0;
          server->has_network = kind > 1;
          environment = beckon_mcp_environment_make (server, NULL);
          g_assert_cmpstr (g_environ_getenv (environment, cases[i].name), ==, cases[i].passed[kind] ? cases[i].value : NULL);
          g_assert_cmpstr (g_environ_getenv (environment, "PATH"), ==, g_getenv ("PATH"));
        }
      if (before != NULL)
        g_setenv (cases[i].name, before, TRUE);
      else
        g_unsetenv (cases[i].name);
    }
}

/* The password of a proxy is passed on with its address, and isn't shown. */
static void
test_proxy_password (void)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (BeckonMask) mask = NULL;
  g_autofree char *shown = NULL;

  g_setenv ("HTTPS_PROXY", "http://ada:hunter2-k3x9q@proxy.example:3128", TRUE);
  mask = beckon_mcp_mask_new (none, NULL, NULL);
  g_unsetenv ("HTTPS_PROXY");
  g_assert_nonnull (mask);
  shown = beckon_mask_apply (mask, "connecting by http://ada:hunter2-k3x9q@proxy.example:3128");
  g_assert_null (strstr (shown, "hunter2"));
  g_assert_nonnull (strstr (shown, "proxy.example:3128"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mcp/values/prefixes", test_prefixes);
  g_test_add_func ("/mcp/values/earlier", test_earlier);
  g_test_add_func ("/mcp/values/names", test_names);
  g_test_add_func ("/mcp/values/chosen-names", test_chosen_names);
  g_test_add_func ("/mcp/values/tools", test_tools);
  g_test_add_func ("/mcp/values/digest", test_digest);
  g_test_add_func ("/mcp/values/headers", test_headers);
  g_test_add_func ("/mcp/values/encoding", test_encoding);
  g_test_add_func ("/mcp/values/params", test_params);
  g_test_add_func ("/mcp/values/progress", test_progress);
  g_test_add_func ("/mcp/values/input-required", test_input_required);
  g_test_add_func ("/mcp/values/large-state", test_large_state);
  g_test_add_func ("/mcp/values/variable-name", test_variable_name);
  g_test_add_func ("/mcp/values/folders", test_folders);
  g_test_add_func ("/mcp/values/results", test_results);
  g_test_add_func ("/mcp/values/config", test_config);
  g_test_add_func ("/mcp/values/addresses", test_addresses);
  g_test_add_func ("/mcp/values/prompts", test_prompts);
  g_test_add_func ("/mcp/values/prompt-texts", test_prompt_texts);
  g_test_add_func ("/mcp/values/mask-inherited", test_mask_inherited);
  g_test_add_func ("/mcp/values/environment", test_environment);
  g_test_add_func ("/mcp/values/environment/proxy-password", test_proxy_password);
  g_test_add_func ("/mcp/values/log", test_log);
  g_test_add_func ("/mcp/values/log/cause", test_log_cause);
  g_test_add_func ("/mcp/values/log/with", test_log_with);
  g_test_add_func ("/mcp/values/log/cut", test_log_cut);
  g_test_add_func ("/mcp/values/log/masked", test_log_masked);
  return g_test_run ();
}
