/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-exchange.h"

#include <string.h>

/* A stream that is cut over TCP, so that each piece is a read of its own, gives the same events as the stream at once. */

#define MAX_CUTS 300

static const char own_stream[]
    = ": hello\n\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"reasoning_content\":\"Grüße… 思考\"}}]}\n\n"
      "event: message\r\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"naïve 你好 \xf0\x9f\x91\x8b\xf0\x9f\x8f\xbd ≠ \"}}]}\r\n\r\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ends\"}}]}\n\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":"
      "{\"name\":\"ask_user\",\"arguments\":\"{\\\"question\\\":\"}}]}}]}\n\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"\\\"哪个？\\\"}\"}}]}}]}\n\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n"
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":6}}\n\n"
      "data: [DONE]\n\n";

/* Within a character, within a line end, and around an empty line. */
static gboolean
is_worth_a_cut (const char *data, gsize place)
{
  return (data[place] & 0xc0) == 0x80 || data[place - 1] == '\n' || data[place - 1] == '\r';
}

static GArray *
choose_cuts (const char *data, gsize length)
{
  GArray *cuts = g_array_new (FALSE, FALSE, sizeof (gsize));

  for (gsize place = 1; place < length; place++)
    if (is_worth_a_cut (data, place))
      g_array_append_val (cuts, place);
  while (cuts->len > MAX_CUTS)
    g_array_remove_index (cuts, (guint) g_test_rand_int_range (0, (gint32) cuts->len));
  return cuts;
}

static BeckonFixtureReply *
make_cut_reply (const char *data, gsize length)
{
  g_autoptr (GArray) cuts = choose_cuts (data, length);
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  gsize start = 0;

  beckon_fixture_reply_add_head (reply, 200, "Content-Type: text/event-stream\r\nConnection: close\r\n");
  for (guint i = 0; i <= cuts->len; i++)
    {
      gsize end = i < cuts->len ? g_array_index (cuts, gsize, i) : length;

      beckon_fixture_reply_add (reply, data + start, (gssize) (end - start));
      beckon_fixture_reply_add_drain (reply);
      start = end;
    }
  beckon_fixture_reply_add_close (reply);
  return reply;
}

static void
assert_same (const char *data, gsize length)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_autofree char *at_once = NULL;
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_exchange_take_each_piece (exchange);
  beckon_fixture_reply_add_head (reply, 200, "Content-Type: text/event-stream\r\nConnection: close\r\n");
  beckon_fixture_reply_add (reply, data, (gssize) length);
  beckon_fixture_reply_add_close (reply);
  beckon_exchange_run (exchange, reply);
  g_assert_no_error (exchange->error);
  at_once = g_strdup (exchange->log->str);
  g_assert_nonnull (strstr (at_once, "end "));

  beckon_exchange_run (exchange, make_cut_reply (data, length));
  beckon_exchange_assert_log (exchange, at_once);
  g_assert_null (strstr (exchange->log->str, "\xef\xbf\xbd"));
}

static void
test_own_stream (void)
{
  assert_same (own_stream, strlen (own_stream));
}

/* The same in HTTP chunks: the pieces are cut where the chunks are not. */
static void
test_own_stream_in_chunks (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_autofree char *at_once = NULL;

  beckon_exchange_take_each_piece (exchange);
  for (gsize size = 1; size < 90; size += 11)
    {
      BeckonFixtureReply *reply = beckon_fixture_reply_new ();

      beckon_fixture_reply_add_stream_head (reply);
      for (gsize i = 0; i < strlen (own_stream); i += size)
        beckon_fixture_reply_add_chunk (reply, own_stream + i, (gssize) MIN (size, strlen (own_stream) - i));
      beckon_fixture_reply_add_last_chunk (reply);
      beckon_exchange_run (exchange, reply);
      if (at_once == NULL)
        at_once = g_strdup (exchange->log->str);
      beckon_exchange_assert_log (exchange, at_once);
    }
}

static void
test_recorded (gconstpointer path)
{
  g_autofree char *data = NULL;
  gsize length = 0;

  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  assert_same (data, length);
}

static void
test_no_fixtures (void)
{
  g_test_skip ("BECKON_FIXTURES is not set");
}

static void
add_recorded (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (strstr (name, "-chat-") != NULL && g_str_has_suffix (name, ".sse"))
      {
        g_autofree char *test = g_strconcat ("/faults/A/1-recorded/", name, NULL);

        g_test_add_data_func_full (test, g_build_filename (folder, name, NULL), test_recorded, g_free);
      }
}

int
main (int argc, char **argv)
{
  const char *fixtures = g_getenv ("BECKON_FIXTURES");
  g_autofree char *folder = fixtures != NULL ? g_build_filename (fixtures, "streams", NULL) : NULL;

  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/faults/A/1-own-stream", test_own_stream);
  g_test_add_func ("/faults/A/2-own-stream-in-chunks", test_own_stream_in_chunks);
  if (folder != NULL)
    add_recorded (folder);
  else
    g_test_add_func ("/faults/A/1-recorded", test_no_fixtures);
  return g_test_run ();
}
