/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-event-log.h"

#include "base/beckon-json.h"

#include <string.h>

/* Recorded replies and what each of them has to come to: whole, byte by byte, and cut at random. */

#define N_RANDOM_SPLITS 20

typedef struct
{
  char *file;
  char *protocol;
  char *text;
  JsonArray *calls;
  gint64 errors;
  char *end;
  gboolean ambiguous;
} Expected;

static void
expected_free (Expected *expected)
{
  g_free (expected->file);
  g_free (expected->protocol);
  g_free (expected->text);
  json_array_unref (expected->calls);
  g_free (expected->end);
  g_free (expected);
}

static gsize
random_length (gpointer data)
{
  return (gsize) g_rand_int_range (data, 1, 200);
}

/* As JSON says it, because a recorder may have written the same arguments in other words. */
static char *
canonical (const char *json)
{
  g_autoptr (JsonNode) node = beckon_json_parse (json, -1, NULL);

  g_assert_nonnull (node);
  return beckon_json_print (node);
}

static void
assert_expected (const EventLog *log, const Expected *expected)
{
  if (strcmp (log->text->str, expected->text) != 0)
    g_error ("%s: text is %s", expected->file, log->text->str);
  if (expected->ambiguous)
    return;
  if (strcmp (beckon_llm_end_to_string (log->end), expected->end) != 0)
    g_error ("%s: ends as %s", expected->file, beckon_llm_end_to_string (log->end));
  g_assert_cmpuint (log->n_errors, ==, (guint) expected->errors);
  g_assert_cmpuint (log->names->len, ==, json_array_get_length (expected->calls));
  for (guint i = 0; i < log->names->len; i++)
    {
      JsonArray *call = json_array_get_array_element (expected->calls, i);
      g_autofree char *wanted = canonical (json_array_get_string_element (call, 1));
      g_autofree char *got = canonical (g_ptr_array_index (log->arguments, i));

      g_assert_cmpstr (g_ptr_array_index (log->names, i), ==, json_array_get_string_element (call, 0));
      g_assert_cmpstr (got, ==, wanted);
    }
}

static char *
read_stream (const Expected *expected, gsize *length)
{
  g_autofree char *path = g_build_filename (g_getenv ("BECKON_FIXTURES"), "streams", expected->file, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, length, NULL));
  return text;
}

static void
test_lines (const Expected *expected)
{
  gsize length;
  g_autofree char *text = read_stream (expected, &length);
  g_autoptr (EventLog) lines = event_log_decode_lines (expected->protocol, text, length);
  g_autoptr (EventLog) pushed = event_log_decode_bytewise (expected->protocol, text, length);

  assert_expected (lines, expected);
  g_assert_cmpstr (pushed->lines->str, ==, lines->lines->str);
}

static void
test_stream (gconstpointer data)
{
  const Expected *expected = data;
  gsize length;
  g_autofree char *text = read_stream (expected, &length);
  g_autoptr (EventLog) whole = NULL;
  g_autoptr (EventLog) bytewise = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (20240607);

  if (g_str_has_suffix (expected->file, ".chunks.txt"))
    {
      test_lines (expected);
      return;
    }
  whole = event_log_decode (expected->protocol, text, length, NULL, NULL);
  assert_expected (whole, expected);
  bytewise = event_log_decode_bytewise (expected->protocol, text, length);
  g_assert_cmpstr (bytewise->lines->str, ==, whole->lines->str);
  for (guint i = 0; i < N_RANDOM_SPLITS; i++)
    {
      g_autoptr (EventLog) split = event_log_decode (expected->protocol, text, length, random_length, random);

      g_assert_cmpstr (split->lines->str, ==, whole->lines->str);
    }
}

static void
add_case (const char *line)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (line, -1, NULL);
  g_autofree char *path = NULL;
  Expected *expected;

  g_assert_nonnull (object);
  if (beckon_codec_lookup (beckon_json_get_string (object, "protocol")) == NULL)
    return;
  expected = g_new0 (Expected, 1);
  expected->file = g_strdup (beckon_json_get_string (object, "file"));
  expected->protocol = g_strdup (beckon_json_get_string (object, "protocol"));
  expected->text = g_strdup (beckon_json_get_string (object, "text"));
  expected->calls = json_array_ref (beckon_json_get_array (object, "calls"));
  expected->errors = beckon_json_get_int (object, "errors", 0);
  expected->end = g_strdup (beckon_json_get_string (object, "end"));
  expected->ambiguous = beckon_json_get_boolean (object, "ambiguous", FALSE);
  path = g_strdup_printf ("/faults/A/1-recorded-streams/%s", expected->file);
  g_test_add_data_func_full (path, expected, test_stream, (GDestroyNotify) expected_free);
}

static void
skip (void)
{
  g_test_skip ("BECKON_FIXTURES is not set");
}

static void
add_cases (const char *fixtures)
{
  g_autofree char *path = g_build_filename (fixtures, "streams", "EXPECTED.jsonl", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (*lines[i] != '\0')
        add_case (lines[i]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (g_getenv ("BECKON_FIXTURES") != NULL)
    add_cases (g_getenv ("BECKON_FIXTURES"));
  else
    g_test_add_func ("/faults/A/1-recorded-streams", skip);
  return g_test_run ();
}
