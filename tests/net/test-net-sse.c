/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json-reader.h"
#include "net/beckon-sse-parser.h"

#include <string.h>

/* Events are written down as one string, so that runs with different cuts can be compared at once. */
static void
write_event (const BeckonSseEvent *event, gpointer user_data)
{
  GString *log = user_data;

  g_string_append_printf (log, "[%s|%s|%" G_GSIZE_FORMAT "|", event->type, event->id, event->length);
  g_string_append_len (log, event->data, (gssize) event->length);
  g_string_append_c (log, ']');
}

static void
write_field (const char *name, gsize name_length, const char *value, gsize value_length, gpointer user_data)
{
  GString *log = user_data;

  g_string_append_printf (log, "(%.*s=%.*s)", (int) name_length, name, (int) value_length, value);
}

/* Each piece is a copy of its own on the heap, so that a sanitizer sees any look behind it. */
static GString *
parse_in_pieces (const char *text, gsize length, gsize piece, BeckonSseFieldFunc field_function)
{
  GString *log = g_string_new (NULL);
  g_autoptr (BeckonSseParser) parser = beckon_sse_parser_new (write_event, field_function, log);

  for (gsize at = 0; at < length; at += piece)
    {
      gsize count = MIN (piece, length - at);
      g_autofree char *copy = g_memdup2 (text + at, count);

      g_assert_true (beckon_sse_parser_push (parser, copy, count, NULL));
      memset (copy, '#', count);
    }
  return log;
}

static void
assert_events (const char *text, gsize length, const GString *expected)
{
  for (gsize piece = 1; piece <= length; piece = piece < 40 ? piece + 1 : piece * 2)
    {
      g_autoptr (GString) log = parse_in_pieces (text, length, piece, NULL);

      g_assert_cmpmem (log->str, log->len, expected->str, expected->len);
    }
  {
    g_autoptr (GString) log = parse_in_pieces (text, length, MAX (length, 1), NULL);

    g_assert_cmpmem (log->str, log->len, expected->str, expected->len);
  }
}

static void
assert_parsed (const char *text, const char *expected)
{
  g_autoptr (GString) wanted = g_string_new (expected);

  assert_events (text, strlen (text), wanted);
}

/* Reads {"type":…,"data":…,"id":…} and writes it as write_event() does. */
static void
read_expected_event (BeckonJsonReader *reader, GString *expected)
{
  g_autoptr (GString) data = g_string_new (NULL);
  g_autoptr (GString) type = g_string_new (NULL);
  g_autoptr (GString) id = g_string_new (NULL);

  while (beckon_json_reader_next (reader) == BECKON_JSON_NAME)
    {
      gboolean is_data = beckon_json_slice_equals (&reader->slice, "data");
      gboolean is_type = beckon_json_slice_equals (&reader->slice, "type");

      g_assert_cmpint (beckon_json_reader_next (reader), ==, BECKON_JSON_STRING);
      beckon_json_slice_append_to (&reader->slice, is_data ? data : is_type ? type : id);
    }
  g_string_append_printf (expected, "[%s|%s|%" G_GSIZE_FORMAT "|", type->str, id->str, data->len);
  g_string_append_len (expected, data->str, (gssize) data->len);
  g_string_append_c (expected, ']');
}

static gboolean
run_wpt_case (BeckonJsonReader *reader)
{
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autofree guchar *body = NULL;
  gsize length = 0;

  while (beckon_json_reader_next (reader) == BECKON_JSON_NAME)
    {
      gboolean is_body = beckon_json_slice_equals (&reader->slice, "body_b64");
      gboolean is_expect = beckon_json_slice_equals (&reader->slice, "expect");
      BeckonJsonToken token = beckon_json_reader_next (reader);

      if (is_body)
        {
          g_autofree char *base64 = g_strndup (reader->slice.text, reader->slice.length);

          body = g_base64_decode (base64, &length);
        }
      else if (is_expect)
        while (beckon_json_reader_next (reader) == BECKON_JSON_OBJECT_BEGIN)
          read_expected_event (reader, expected);
      else
        g_assert_true (beckon_json_reader_finish_value (reader, token, NULL));
    }
  /* Cases without a body are about the response's status and type, not about its text. */
  if (body == NULL)
    return FALSE;
  assert_events ((const char *) body, length, expected);
  return TRUE;
}

static void
test_wpt (void)
{
  const char *fixtures = g_getenv ("BECKON_FIXTURES");
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  BeckonJsonReader reader;
  gsize length;
  guint count = 0;

  if (fixtures == NULL)
    {
      g_test_skip ("BECKON_FIXTURES is not set");
      return;
    }
  path = g_build_filename (fixtures, "sse", "wpt-eventsource.json", NULL);
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  beckon_json_reader_init (&reader, text, length, BECKON_JSON_STRICT);
  g_assert_cmpint (beckon_json_reader_next (&reader), ==, BECKON_JSON_OBJECT_BEGIN);
  while (beckon_json_reader_next (&reader) == BECKON_JSON_NAME)
    {
      gboolean is_cases = beckon_json_slice_equals (&reader.slice, "cases");
      BeckonJsonToken token = beckon_json_reader_next (&reader);

      if (is_cases)
        while (beckon_json_reader_next (&reader) == BECKON_JSON_OBJECT_BEGIN)
          count += run_wpt_case (&reader);
      else
        g_assert_true (beckon_json_reader_finish_value (&reader, token, NULL));
    }
  g_assert_cmpuint (count, >=, 21);
}

static void
test_cut_characters (void)
{
  assert_parsed ("data: é日🌍\n\ndata:a\xcc\x81\n\n", "[message||9|é日🌍][message||3|a\xcc\x81]");
}

static void
test_line_ends (void)
{
  assert_parsed ("data:1\r\n\r\ndata:2\r\rdata:3\n\ndata:4\r\n\ndata:5\n\r\n",
                 "[message||1|1][message||1|2][message||1|3][message||1|4][message||1|5]");
  assert_parsed ("data:1\r\ndata:2\rdata:3\n\n", "[message||5|1\n2\n3]");
}

static void
test_bom (void)
{
  assert_parsed ("\xef\xbb\xbf" "data:1\n\n", "[message||1|1]");
  assert_parsed ("\xef\xbb\xbf\xef\xbb\xbf" "data:1\n\ndata:2\n\n", "[message||1|2]");
  assert_parsed ("\xef\xbb" "data:1\n\ndata:2\n\n", "[message||1|2]");
  assert_parsed ("\xef\xbb\xbf", "");
}

static void
test_comments (void)
{
  assert_parsed (":\n\n: OPENROUTER PROCESSING\n\n:data:x\n\ndata:1\n:in between\ndata:2\n\n", "[message||3|1\n2]");
}

static void
test_data_without_space (void)
{
  assert_parsed ("data:x\n\ndata: x\n\ndata:  x\n\ndata:\tx\n\n",
                 "[message||1|x][message||1|x][message||2| x][message||2|\tx]");
  assert_parsed ("data\n\ndata:\n\ndata: \n\nevent:none\n\ndata:last\n\n",
                 "[message||0|][message||0|][message||0|][message||4|last]");
}

static void
test_unknown_fields (void)
{
  static const char text[] = "data:1\nerror: {\"x\":1}\nword\nDATA:2\n\n";
  g_autoptr (GString) bytewise = parse_in_pieces (text, strlen (text), 1, write_field);
  g_autoptr (GString) whole = parse_in_pieces (text, strlen (text), strlen (text), write_field);

  g_assert_cmpstr (whole->str, ==, "(error={\"x\":1})(word=)(DATA=2)[message||1|1]");
  g_assert_cmpstr (bytewise->str, ==, whole->str);
}

static void
test_no_last_blank_line (void)
{
  assert_parsed ("data:1\n\ndata:2", "[message||1|1]");
  assert_parsed ("data:1\n\ndata:2\n", "[message||1|1]");
  assert_parsed ("data:1\n\ndata:2\r", "[message||1|1]");
}

static void
push_retry (BeckonSseParser *parser, const char *text, gint64 expected)
{
  g_assert_true (beckon_sse_parser_push (parser, text, strlen (text), NULL));
  g_assert_cmpint (beckon_sse_parser_get_retry (parser), ==, expected);
}

static void
test_retry (void)
{
  g_autoptr (GString) log = g_string_new (NULL);
  g_autoptr (BeckonSseParser) parser = beckon_sse_parser_new (write_event, NULL, log);

  push_retry (parser, "", -1);
  push_retry (parser, "retry: 1000\n", 1000);
  push_retry (parser, "retry: 1e3\nretry:\nretry: -5\nretry:10x\n", 1000);
  push_retry (parser, "retry:0\n", 0);
  push_retry (parser, "retry:99999999999999999999999999\n", G_MAXINT32);
}

static void
assert_too_large (const char *begin, const char *filler, gsize piece)
{
  g_autoptr (GString) log = g_string_new (NULL);
  g_autoptr (BeckonSseParser) parser = beckon_sse_parser_new (write_event, NULL, log);
  g_autoptr (GString) bytes = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  gsize pushed = strlen (begin);

  while (bytes->len < piece)
    g_string_append (bytes, filler);
  g_assert_true (beckon_sse_parser_push (parser, begin, strlen (begin), NULL));
  while (beckon_sse_parser_push (parser, bytes->str, bytes->len, &error))
    {
      pushed += bytes->len;
      g_assert_cmpuint (pushed, <, 3 * BECKON_SSE_MAX_EVENT + piece);
    }
  g_assert_error (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_TOO_LARGE);
  g_assert_cmpuint (log->len, ==, 0);
}

static void
test_endless_line (void)
{
  assert_too_large ("data: ", "xxxxxxxxxxxxxxxx", 65536);
  assert_too_large ("data: ", "xxxxxxxxxxxxxxxx", 100 * 1024 * 1024);
  assert_too_large (":", "comment", 65536);
  assert_too_large ("", "data: line\n", 65536);
  assert_too_large ("event: x\n", "data: line\r", 3 * 1024 * 1024);
}

static void
test_largest_event (void)
{
  g_autoptr (GString) log = g_string_new (NULL);
  g_autoptr (BeckonSseParser) parser = beckon_sse_parser_new (write_event, NULL, log);
  g_autofree char *text = g_malloc (BECKON_SSE_MAX_EVENT + 2);

  memset (text, 'x', BECKON_SSE_MAX_EVENT);
  memcpy (text, "data:", 5);
  memcpy (text + BECKON_SSE_MAX_EVENT, "\n\n", 2);
  for (guint i = 0; i < 3; i++)
    g_assert_true (beckon_sse_parser_push (parser, text, BECKON_SSE_MAX_EVENT + 2, NULL));
  g_assert_cmpuint (log->len, >, 3 * (BECKON_SSE_MAX_EVENT - 5));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/llm/sse/wpt", test_wpt);
  g_test_add_func ("/faults/A/2-cut-inside-characters", test_cut_characters);
  g_test_add_func ("/faults/A/3-line-ends", test_line_ends);
  g_test_add_func ("/faults/A/4-byte-order-mark", test_bom);
  g_test_add_func ("/faults/A/5-comments", test_comments);
  g_test_add_func ("/faults/A/6-data-without-space", test_data_without_space);
  g_test_add_func ("/llm/sse/unknown-fields", test_unknown_fields);
  g_test_add_func ("/llm/sse/no-last-blank-line", test_no_last_blank_line);
  g_test_add_func ("/llm/sse/retry", test_retry);
  g_test_add_func ("/faults/A/16-endless-line", test_endless_line);
  g_test_add_func ("/llm/sse/largest-event", test_largest_event);
  return g_test_run ();
}
