/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-line-diff.h"

#include <string.h>

static void
assert_unified (const char *before, const char *after, guint n_context, const char *expected)
{
  g_autoptr (BeckonLineDiff) diff = beckon_line_diff_new (before, after);
  g_autofree char *text = beckon_line_diff_to_unified (diff, n_context);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_unified (void)
{
  assert_unified ("a\nb\n", "a\nb\n", 3, "");
  assert_unified ("", "", 3, "");
  assert_unified ("", "a\n", 3, "@@ -0,0 +1,1 @@\n+a\n");
  assert_unified ("a\n", "", 3, "@@ -1,1 +0,0 @@\n-a\n");
  assert_unified ("a\nb\nc\nd\ne\n", "a\nb\nx\nd\ne\n", 1, "@@ -2,3 +2,3 @@\n b\n-c\n+x\n d\n");
  assert_unified ("a\nb", "a\nb\n", 1, "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
  assert_unified ("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\nx\n3\n4\n5\n6\n7\ny\n9\n", 2,
                  "@@ -1,4 +1,4 @@\n 1\n-2\n+x\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n-8\n+y\n 9\n");
  assert_unified ("1\n2\n3\n4\n5\n6\n", "1\nx\n3\n4\ny\n6\n", 1, "@@ -1,6 +1,6 @@\n 1\n-2\n+x\n 3\n 4\n-5\n+y\n 6\n");
}

static char *
make_text (GRand *random, guint n_lines, guint n_kinds)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n_lines; i++)
    g_string_append_printf (text, "%d\n", g_rand_int_range (random, 0, (int) n_kinds));
  if (text->len > 0 && g_rand_boolean (random))
    g_string_truncate (text, text->len - 1);
  return g_string_free (text, FALSE);
}

/* Rebuilds one of the two texts from its lines. */
static char *
rebuild (BeckonLineDiff *diff, BeckonLineDiffKind without)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < beckon_line_diff_get_n_lines (diff); i++)
    {
      const BeckonLineDiffLine *line = beckon_line_diff_get_line (diff, i);

      if (line->kind == without)
        continue;
      g_string_append_len (text, line->text, (gssize) line->length);
      if (line->text[line->length] == '\n')
        g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

/* A difference holds both texts, whatever they are. */
static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint i = 0; i < 3000; i++)
    {
      guint n_kinds = (guint) g_rand_int_range (random, 1, 12);
      g_autofree char *before = make_text (random, (guint) g_rand_int_range (random, 0, 30), n_kinds);
      g_autofree char *after = make_text (random, (guint) g_rand_int_range (random, 0, 30), n_kinds);
      g_autoptr (BeckonLineDiff) diff = beckon_line_diff_new (before, after);
      g_autofree char *one = rebuild (diff, BECKON_LINE_DIFF_ADDED);
      g_autofree char *other = rebuild (diff, BECKON_LINE_DIFF_REMOVED);

      g_assert_cmpstr (one, ==, before);
      g_assert_cmpstr (other, ==, after);
    }
}

/* The fewest changes: one line of many is one removed and one added. */
static void
test_small_change (void)
{
  g_autoptr (GString) before = g_string_new (NULL);
  g_autofree char *after = NULL;
  g_autoptr (BeckonLineDiff) diff = NULL;

  for (guint i = 0; i < 50000; i++)
    g_string_append_printf (before, "line %u\n", i);
  after = g_strdup (before->str);
  memcpy (strstr (after, "line 25000\n"), "LINE", 4);
  memcpy (strstr (after, "line 30000\n"), "LINE", 4);
  diff = beckon_line_diff_new (before->str, after);
  g_assert_cmpuint (beckon_line_diff_get_n_removed (diff), ==, 2);
  g_assert_cmpuint (beckon_line_diff_get_n_added (diff), ==, 2);
}

/* Texts with nothing in common are not compared to their end; the program's time limit says if they are. */
static void
test_bounded (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autofree char *before = make_text (random, 100000, 1000000000);
  g_autofree char *after = make_text (random, 100000, 1000000000);
  g_autoptr (BeckonLineDiff) diff = beckon_line_diff_new (before, after);

  g_assert_cmpuint (beckon_line_diff_get_n_removed (diff), >, 90000);
  g_assert_cmpuint (beckon_line_diff_get_n_added (diff), >, 90000);
}

/* Lines that were written to have one hash, of the kind that strings often have: a hash * 33 of "Ab" is that of "BA". */
static void
test_alike (void)
{
  g_autoptr (GString) before = g_string_new (NULL);
  g_autofree char *after = NULL;

  for (guint i = 0; i < 60000; i++)
    {
      for (guint bit = 0; bit < 17; bit++)
        g_string_append (before, (i >> bit & 1) != 0 ? "Ab" : "BA");
      g_string_append_c (before, '\n');
    }
  after = g_strconcat (before->str, "end\n", NULL);
  assert_unified (before->str, after, 0, "@@ -60000,0 +60001,1 @@\n+end\n");
}

/* Many blank lines are one place, so that what stands behind them is seen. */
static void
test_blank (void)
{
  static const char *const kept[] = { "", "@@ -1,1 +1,1 @@\n-a\n+b\n", "+\n+\n+\n+\n+\n+x", "-\n+\n-\n+\n-\n+\n-\n+\n" };
  g_autofree char *folded = beckon_line_diff_fold_blank ("@@ -1 +1,8 @@\n #!/bin/sh\n+\n+ \n+\n+\t\n+\n+\n+echo run\n");

  g_assert_cmpstr (folded, ==, "@@ -1 +1,8 @@\n #!/bin/sh\n+ (6 blank lines)\n+echo run\n");
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      g_autofree char *same = beckon_line_diff_fold_blank (kept[i]);

      g_assert_cmpstr (same, ==, kept[i]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/line-diff/unified", test_unified);
  g_test_add_func ("/line-diff/random", test_random);
  g_test_add_func ("/line-diff/small-change", test_small_change);
  g_test_add_func ("/line-diff/bounded", test_bounded);
  g_test_add_func ("/line-diff/alike", test_alike);
  g_test_add_func ("/line-diff/blank", test_blank);
  return g_test_run ();
}
