/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox/beckon-output.h"

#include <string.h>

static char *
text_of (const char *bytes, gsize length)
{
  g_autoptr (BeckonOutput) output = beckon_output_new ();

  beckon_output_append (output, bytes, length);
  return beckon_output_get_text (output);
}

/* Faults H117: what steers a terminal is taken away, and what cannot be seen becomes visible. */
static void
test_escapes (void)
{
  static const struct
  {
    const char *bytes;
    const char *expected;
  } cases[] = {
    { "", "" },
    { "plain\ttext\n", "plain\ttext\n" },
    { "\x1b[31mred\x1b[0m", "red" },
    { "\x1b]8;;http://x\x07link\x1b]8;;\x1b\\", "link" },
    { "\x1b]52;c;aGk=\x07" "after", "after" },
    { "\x1bPq\x1b\\x", "x" },
    { "\x1b" "7x", "x" },
    { "cut\x1b", "cut" },
    { "cut\x1b[", "cut" },
    { "cut\x1b]0;title", "cut" },
    { "10%\r50%\r100%\n", "100%\n" },
    { "dos\r\nlines\r\n", "dos\nlines\n" },
    { "bell\x07", "bell\xe2\x90\x87" },
    { "bad \xff byte", "bad \xef\xbf\xbd byte" },
    { "部署", "部署" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = text_of (cases[i].bytes, strlen (cases[i].bytes));

      g_assert_cmpstr (text, ==, cases[i].expected);
    }
}

/* The beginning and the end are kept, and the count is right, whatever the pieces are. */
static void
test_bounds (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  const gsize total = 1000 * 1000;
  g_autofree char *bytes = g_malloc (total);
  g_autoptr (BeckonOutput) output = beckon_output_new ();
  g_autofree char *text = NULL;
  g_autofree char *tail = NULL;

  for (gsize i = 0; i < total; i++)
    bytes[i] = (char) ('a' + (i / 7) % 26);
  for (gsize at = 0; at < total;)
    {
      gsize n = MIN (total - at, (gsize) g_rand_int_range (rand, 1, 100000));

      beckon_output_append (output, bytes + at, n);
      at += n;
    }

  g_assert_cmpuint (beckon_output_get_length (output), ==, total);
  g_assert_cmpuint (beckon_output_get_left_out (output), ==, total - 2 * BECKON_OUTPUT_KEPT);
  text = beckon_output_get_text (output);
  g_assert_cmpint (memcmp (text, bytes, BECKON_OUTPUT_KEPT), ==, 0);
  g_assert_cmpint (memcmp (text + strlen (text) - BECKON_OUTPUT_KEPT, bytes + total - BECKON_OUTPUT_KEPT, BECKON_OUTPUT_KEPT),
                   ==, 0);
  g_assert_nonnull (strstr (text, "\n[967232 bytes are left out here]\n"));
  tail = beckon_output_get_tail (output, 3);
  g_assert_cmpuint (strlen (tail), ==, 4096);
}

/* A cut leaves no half of a character. */
static void
test_cut_characters (void)
{
  g_autoptr (GString) many = g_string_new ("x");
  g_autofree char *text = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append (many, "部");
  text = text_of (many->str, many->len);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_null (strstr (text, "\xef\xbf\xbd"));
}

static void
test_tail (void)
{
  g_autoptr (BeckonOutput) output = beckon_output_new ();
  g_autofree char *nothing = beckon_output_get_tail (output, 2);
  g_autofree char *two = NULL;
  g_autofree char *all = NULL;

  beckon_output_append (output, "one\ntwo\nthree\n", 14);
  two = beckon_output_get_tail (output, 2);
  all = beckon_output_get_tail (output, 20);
  g_assert_cmpstr (nothing, ==, "");
  g_assert_cmpstr (two, ==, "two\nthree\n");
  g_assert_cmpstr (all, ==, "one\ntwo\nthree\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/output/escapes", test_escapes);
  g_test_add_func ("/output/bounds", test_bounds);
  g_test_add_func ("/output/cut-characters", test_cut_characters);
  g_test_add_func ("/output/tail", test_tail);
  return g_test_run ();
}
