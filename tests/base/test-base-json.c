/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"

#include <string.h>

static void
assert_refused (const char *text, gssize length, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (beckon_json_check (text, length, &error));
  g_assert_error (error, BECKON_ERROR, code);
  g_clear_error (&error);
  g_assert_null (beckon_json_parse (text, length, &error));
  g_assert_error (error, BECKON_ERROR, code);
}

static void
assert_round_trip (const char *text, const char *printed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *again = NULL;

  g_assert_true (beckon_json_check (text, -1, &error));
  g_assert_no_error (error);
  node = beckon_json_parse (text, -1, &error);
  g_assert_no_error (error);
  again = beckon_json_print (node);
  g_assert_cmpstr (again, ==, printed);
}

static void
check_suite_file (const char *name, const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  gboolean accepted = beckon_json_check (text, (gssize) length, &error);
  g_autoptr (JsonNode) node = beckon_json_parse (text, (gssize) length, NULL);

  if (name[0] == 'n' || strstr (name, "duplicated_key") != NULL)
    {
      if (accepted || node != NULL)
        g_error ("%s was accepted", name);
    }
  else if (name[0] == 'y' && !accepted)
    g_error ("%s was refused: %s", name, error->message);
  /* A text that a tree could not hold truly may be refused in addition, never the other way round. */
  g_assert_true (accepted || node == NULL);
}

static void
test_suite (void)
{
  const char *fixtures = g_getenv ("BECKON_FIXTURES");
  g_autofree char *folder = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;
  guint count = 0;

  if (fixtures == NULL)
    {
      g_test_skip ("BECKON_FIXTURES is not set");
      return;
    }
  folder = g_build_filename (fixtures, "json-parsing", "test_parsing", NULL);
  dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *text = NULL;
      gsize length;

      g_assert_true (g_file_get_contents (path, &text, &length, NULL));
      check_suite_file (name, text, length);
      count++;
    }
  g_assert_cmpuint (count, >, 300);
}

static char *
nest (guint depth)
{
  char *text = g_malloc (2 * depth + 1);

  memset (text, '[', depth);
  memset (text + depth, ']', depth);
  text[2 * depth] = '\0';
  return text;
}

static void
test_depth (void)
{
  g_autofree char *deepest = nest (BECKON_JSON_MAX_DEPTH);
  g_autofree char *too_deep = nest (BECKON_JSON_MAX_DEPTH + 1);
  g_autofree char *bomb = nest (1000000);

  assert_round_trip (deepest, deepest);
  assert_refused (too_deep, -1, BECKON_ERROR_TOO_DEEP);
  assert_refused (bomb, -1, BECKON_ERROR_TOO_DEEP);
  assert_refused (bomb, 100000, BECKON_ERROR_TOO_DEEP);
}

static void
test_duplicates (void)
{
  assert_refused ("{\"cmd\":\"ls\",\"cmd\":\"rm\"}", -1, BECKON_ERROR_INVALID);
  assert_refused ("{\"cmd\":\"ls\",\"\\u0063md\":\"rm\"}", -1, BECKON_ERROR_INVALID);
  assert_refused ("[1,{\"a\":{\"b\":1,\"c\":2,\"b\":3}}]", -1, BECKON_ERROR_INVALID);
  assert_refused ("{\"\":1,\"\":2}", -1, BECKON_ERROR_INVALID);
  assert_round_trip ("{\"a\":{\"a\":{\"a\":1}},\"b\":[{\"a\":1},{\"a\":2}]}",
                     "{\"a\":{\"a\":{\"a\":1}},\"b\":[{\"a\":1},{\"a\":2}]}");
}

static void
test_duplicates_among_many (void)
{
  g_autoptr (GString) text = g_string_new ("{");

  for (guint i = 0; i < 200000; i++)
    g_string_append_printf (text, "\"name%u\":%u,", i, i);
  g_string_append (text, "\"name%\":0}");
  g_assert_true (beckon_json_check (text->str, -1, NULL));
  g_string_truncate (text, text->len - 1);
  g_string_append (text, ",\"name7\":0}");
  assert_refused (text->str, -1, BECKON_ERROR_INVALID);
}

static void
test_refused (void)
{
  static const char *const texts[] = {
    "",       " ",         "\xef\xbb\xbf{}", "{}{}",    "{} x",      "[1,]",           "{\"a\":1,}", "{'a':1}",
    "// c\n1", "[1 2]",     "{\"a\" 1}",      "{1:2}",   "[\"a",      "\"\t\"",         "\"\\x\"",    "\"\\u12\"",
    "01",     "-",         "1.",             ".5",      "1.e5",      "1e",             "1e+",        "+1",
    "NaN",    "Infinity",  "nul",            "True",    "\"\\ud800\"",
    "\"\\udc00\\ud800\"", "\"\\udfff\"", "\"\\ud800\\u0041\"", "\"\\udbff\"", "\"\xff\"",   "\"\xed\xa0\x80\"",
    "\"\xc0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xe2\x82\"", "{\"a\":}", "[,1]", "]", "}", "\f1", ("\xc2\xa0" "1"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_refused (texts[i], -1, BECKON_ERROR_INVALID);
  assert_refused (NULL, 0, BECKON_ERROR_INVALID);
  assert_refused ("1\0", 2, BECKON_ERROR_INVALID);
}

static void
test_falsified (void)
{
  static const char *const texts[] = {
    "\"a\\u0000b\"", "{\"a\\u0000b\":1}", "9223372036854775808", "-9223372036854775809", "18446744073709551616",
    "1E400", "-1e999",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (beckon_json_check (texts[i], -1, NULL));
      g_assert_null (beckon_json_parse (texts[i], -1, &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
}

static void
test_round_trip (void)
{
  assert_round_trip (" { \"b\" : [ 1 , 2.5 , true , false , null ] , \"a\" : { } } ",
                     "{\"b\":[1,2.5,true,false,null],\"a\":{}}");
  assert_round_trip ("\"\\u00e9\\ud83c\\udf0d\\/\\b\\f\\n\\r\\t\\\"\\\\ é🌍\"",
                     "\"é🌍/\\b\\f\\n\\r\\t\\\"\\\\ é🌍\"");
  assert_round_trip ("[9223372036854775807,-9223372036854775808,0,-0.0,1e5,1E-7,0.1,0.30000000000000004,5e-324]",
                     "[9223372036854775807,-9223372036854775808,0,-0.0,100000.0,1e-07,0.1,"
                     "0.30000000000000004,4.94065645841247e-324]");
  assert_round_trip ("{\"\":\"\"}", "{\"\":\"\"}");
}

static void
test_message_says_where (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (beckon_json_check ("{\"a\":1,}", -1, &error));
  g_assert_cmpstr (error->message, ==, "Invalid JSON at byte 7: unexpected character");
  g_clear_error (&error);
  g_assert_false (beckon_json_check ("{\"a\":", -1, &error));
  g_assert_cmpstr (error->message, ==, "Invalid JSON at byte 5: the text ends too early");
}

static void
test_accessors (void)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (
    "{\"s\":\"x\",\"i\":3,\"d\":1.5,\"w\":2.0,\"h\":1e300,\"b\":true,\"a\":[1],\"o\":{\"k\":1},\"n\":null}", -1, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (object);
  g_assert_cmpstr (beckon_json_get_string (object, "s"), ==, "x");
  g_assert_null (beckon_json_get_string (object, "i"));
  g_assert_null (beckon_json_get_string (object, "n"));
  g_assert_null (beckon_json_get_string (object, "absent"));
  g_assert_null (beckon_json_get_string (NULL, "s"));
  g_assert_cmpint (beckon_json_get_int (object, "i", -1), ==, 3);
  g_assert_cmpint (beckon_json_get_int (object, "d", -1), ==, -1);
  g_assert_cmpint (beckon_json_get_int (object, "w", -1), ==, 2);
  g_assert_cmpint (beckon_json_get_int (object, "h", -1), ==, -1);
  g_assert_cmpfloat (beckon_json_get_double (object, "d", 0), ==, 1.5);
  g_assert_cmpfloat (beckon_json_get_double (object, "i", 0), ==, 3);
  g_assert_cmpfloat (beckon_json_get_double (object, "s", 7), ==, 7);
  g_assert_cmpfloat (beckon_json_get_double (object, "absent", 7), ==, 7);
  g_assert_true (beckon_json_get_boolean (object, "b", FALSE));
  g_assert_true (beckon_json_get_boolean (object, "s", TRUE));
  g_assert_cmpuint (json_array_get_length (beckon_json_get_array (object, "a")), ==, 1);
  g_assert_null (beckon_json_get_array (object, "o"));
  g_assert_cmpint (beckon_json_get_int (beckon_json_get_object (object, "o"), "k", 0), ==, 1);
  g_assert_null (beckon_json_get_object (object, "a"));
  g_assert_null (beckon_json_parse_object ("[]", -1, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
}

static void
test_reader_slices (void)
{
  static const char text[] = "{\"t\":\"a\\u0000b\\ud800c\xff\",\"skip\":[{\"x\":[1,\"]\"]}],\"n\":-12.5e1}";
  g_autoptr (GString) scratch = g_string_new (NULL);
  BeckonJsonReader reader;
  BeckonJsonSlice raw;
  const char *said;
  gsize length;

  beckon_json_reader_init (&reader, text, sizeof text - 1, BECKON_JSON_REPLACE);
  g_assert_cmpint (beckon_json_reader_next (&reader), ==, BECKON_JSON_OBJECT_BEGIN);
  g_assert_cmpint (beckon_json_reader_next (&reader), ==, BECKON_JSON_NAME);
  g_assert_true (beckon_json_slice_equals (&reader.slice, "t"));
  g_assert_cmpint (beckon_json_reader_next (&reader), ==, BECKON_JSON_STRING);
  said = beckon_json_slice_decode (&reader.slice, scratch, &length);
  g_assert_cmpmem (said, length, "a\0b\xef\xbf\xbd" "c\xef\xbf\xbd", 10);
  g_assert_cmpint (beckon_json_reader_next (&reader), ==, BECKON_JSON_NAME);
  g_assert_true (beckon_json_reader_skip (&reader, &raw));
  g_assert_cmpmem (raw.text, raw.length, "[{\"x\":[1,\"]\"]}]", 15);
  g_assert_cmpint (beckon_json_reader_next (&reader), ==, BECKON_JSON_NAME);
  g_assert_true (beckon_json_reader_skip (&reader, &raw));
  g_assert_cmpmem (raw.text, raw.length, "-12.5e1", 7);
  g_assert_cmpint (beckon_json_reader_next (&reader), ==, BECKON_JSON_OBJECT_END);
  g_assert_cmpint (beckon_json_reader_next (&reader), ==, BECKON_JSON_END);
}

static void
assert_int (const char *text, gboolean whole, gint64 expected)
{
  BeckonJsonSlice slice = { text, strlen (text), FALSE };
  gint64 value = 0;

  g_assert_cmpint (beckon_json_slice_to_int (&slice, &value), ==, whole);
  if (whole)
    g_assert_cmpint (value, ==, expected);
}

static void
test_integers (void)
{
  assert_int ("0", TRUE, 0);
  assert_int ("-0", TRUE, 0);
  assert_int ("9223372036854775807", TRUE, G_MAXINT64);
  assert_int ("-9223372036854775808", TRUE, G_MININT64);
  assert_int ("9223372036854775808", FALSE, 0);
  assert_int ("-9223372036854775809", FALSE, 0);
  assert_int ("99999999999999999999999", FALSE, 0);
  assert_int ("1.0", FALSE, 0);
  assert_int ("1e3", FALSE, 0);
}

static void
test_writer (void)
{
  g_autoptr (GString) text = g_string_new ("before:");
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "s", "a\"\\\n\x01\x7f é");
  beckon_json_writer_name (&writer, "bytes");
  beckon_json_writer_string (&writer, "\0\xff,", 3);
  beckon_json_writer_member_string (&writer, "null", NULL);
  beckon_json_writer_member_int (&writer, "i", G_MININT64);
  beckon_json_writer_member_boolean (&writer, "b", TRUE);
  beckon_json_writer_name (&writer, "a");
  beckon_json_writer_begin_array (&writer);
  beckon_json_writer_double (&writer, 0.1);
  beckon_json_writer_double (&writer, G_MAXDOUBLE * 2);
  beckon_json_writer_raw (&writer, "{ }", -1);
  beckon_json_writer_begin_array (&writer);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  g_assert_cmpstr (text->str, ==,
                   "before:{\"s\":\"a\\\"\\\\\\n\\u0001\x7f é\",\"bytes\":\"\\u0000\xef\xbf\xbd,\",\"null\":null,"
                   "\"i\":-9223372036854775808,\"b\":true,\"a\":[0.1,null,{ },[]]}");
  g_assert_true (beckon_json_check (text->str + 7, -1, NULL));
}

/* Every cut of a valid text is refused, and none reads behind its end. */
static void
test_every_cut (void)
{
  static const char whole[] = "{\"a\":[1,-2.5e+3,true,false,null,\"x\\u00e9\\ud83c\\udf0d🌍\"],\"b\":{\"c\":{}}}";

  for (gsize length = 0; length < sizeof whole - 1; length++)
    {
      g_autofree char *cut = g_memdup2 (whole, length);

      g_assert_false (beckon_json_check (cut, (gssize) length, NULL));
      g_assert_null (beckon_json_parse (cut, (gssize) length, NULL));
    }
  g_assert_true (beckon_json_check (whole, -1, NULL));
}

/* A piece of a string as JSON has it, and what it says. */
static void
add_random_piece (GString *json, GString *said)
{
  static const struct
  {
    const char *json;
    const char *said;
  } pieces[] = {
    { "\\n", "\n" },         { "\\\"", "\"" },   { "\\\\", "\\" }, { "\\/", "/" },
    { "\\t\\t\\b", "\t\t\b" }, { "\\u00e9", "é" }, { "é", "é" },     { "部署完成", "部署完成" },
    { "🌍", "🌍" },         { "\\ud83c\\udf0d", "🌍" }, { "\\ud800", "\xef\xbf\xbd" },
    { "\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd" },
  };
  gint32 kind = g_test_rand_int_range (0, G_N_ELEMENTS (pieces) + 8);
  gint32 n_plain = g_test_rand_int_range (0, 150);

  if (kind < (gint32) G_N_ELEMENTS (pieces))
    {
      g_string_append (json, pieces[kind].json);
      g_string_append (said, pieces[kind].said);
      return;
    }
  for (gint32 i = 0; i < n_plain; i++)
    {
      char c = (char) ('a' + i % 26);

      g_string_append_c (json, c);
      g_string_append_c (said, c);
    }
}

/* A string is the same, decoded while it is read or afterwards, whatever stands wherever in it; no byte behind is touched. */
static void
test_decoding (void)
{
  g_autoptr (GString) scratch = g_string_new (NULL);

  for (guint i = 0; i < 3000; i++)
    {
      g_autoptr (GString) json = g_string_new ("\"");
      g_autoptr (GString) said = g_string_new (NULL);
      g_autoptr (GString) decoded = g_string_new (NULL);
      g_autofree char *exact = NULL;
      BeckonJsonReader reader;
      const char *text;
      gsize length;

      for (gint32 left = g_test_rand_int_range (0, 12); left > 0; left--)
        add_random_piece (json, said);
      g_string_append_c (json, '"');
      exact = g_memdup2 (json->str, json->len);

      beckon_json_reader_init (&reader, exact, json->len, BECKON_JSON_REPLACE);
      g_assert_cmpint (beckon_json_reader_next (&reader), ==, BECKON_JSON_STRING);
      text = beckon_json_slice_decode (&reader.slice, scratch, &length);
      g_assert_cmpmem (text, length, said->str, said->len);
      g_assert_cmpint (beckon_json_reader_next (&reader), ==, BECKON_JSON_END);

      beckon_json_reader_init (&reader, exact, json->len, BECKON_JSON_REPLACE);
      g_assert_cmpint (beckon_json_reader_next_text (&reader, decoded), ==, BECKON_JSON_STRING);
      text = beckon_json_slice_decode (&reader.slice, scratch, &length);
      g_assert_cmpmem (text, length, said->str, said->len);
      g_assert_cmpint (beckon_json_reader_next (&reader), ==, BECKON_JSON_END);
    }
}

/* A string that breaks the rules far from its beginning is refused, however it is read. */
static void
test_faults_behind (void)
{
  static const struct
  {
    const char *end;
    BeckonJsonFault fault;
  } cases[] = {
    { "\\x\"", BECKON_JSON_FAULT_ESCAPE }, { "\\u12g4\"", BECKON_JSON_FAULT_ESCAPE }, { "\x01\"", BECKON_JSON_FAULT_CONTROL },
    { "\\", BECKON_JSON_FAULT_CUT },      { "", BECKON_JSON_FAULT_CUT },            { "\xff\"", BECKON_JSON_FAULT_UTF8 },
    { "\\ud800\"", BECKON_JSON_FAULT_SURROGATE },
  };

  for (guint before = 0; before < 200; before++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        g_autofree char *letters = g_strnfill (before, 'a');
        g_autofree char *text = g_strconcat ("\"\\n", letters, cases[i].end, NULL);
        g_autofree char *exact = g_memdup2 (text, strlen (text));
        g_autoptr (GString) decoded = g_string_new (NULL);
        BeckonJsonReader reader;
        gsize offset;
        gsize offset_of_other;

        beckon_json_reader_init (&reader, exact, strlen (text), BECKON_JSON_STRICT);
        g_assert_cmpint (beckon_json_reader_next (&reader), ==, BECKON_JSON_FAULTY);
        g_assert_cmpint (beckon_json_reader_get_fault (&reader, &offset), ==, cases[i].fault);

        beckon_json_reader_init (&reader, exact, strlen (text), BECKON_JSON_STRICT);
        g_assert_cmpint (beckon_json_reader_next_text (&reader, decoded), ==, BECKON_JSON_FAULTY);
        g_assert_cmpint (beckon_json_reader_get_fault (&reader, &offset_of_other), ==, cases[i].fault);
        g_assert_cmpuint (offset_of_other, ==, offset);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/faults/B/31-nesting-bomb", test_depth);
  g_test_add_func ("/faults/B/32-json-test-suite", test_suite);
  g_test_add_func ("/faults/B/33-numbers-out-of-range", test_falsified);
  g_test_add_func ("/faults/B/34-duplicate-names", test_duplicates);
  g_test_add_func ("/base/json/duplicates-among-many", test_duplicates_among_many);
  g_test_add_func ("/faults/B/35-almost-json", test_refused);
  g_test_add_func ("/base/json/round-trip", test_round_trip);
  g_test_add_func ("/base/json/message-says-where", test_message_says_where);
  g_test_add_func ("/base/json/accessors", test_accessors);
  g_test_add_func ("/base/json/reader-slices", test_reader_slices);
  g_test_add_func ("/base/json/integers", test_integers);
  g_test_add_func ("/base/json/writer", test_writer);
  g_test_add_func ("/base/json/every-cut", test_every_cut);
  g_test_add_func ("/base/json/decoding", test_decoding);
  g_test_add_func ("/base/json/faults-behind", test_faults_behind);
  return g_test_run ();
}
