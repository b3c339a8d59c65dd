/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether a change that was shown for a text does the same to what another change has made of that text. */
#include "tools/beckon-change-tool.h"

#include <string.h>

static const struct
{
  const char *name;
  const char *before;
  const char *after;
  const char *later;
  const char *later_after;
  gboolean is_same;
} cases[] = {
  { "ahead", "a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nX\nY\n", "A\nb\nc\nX\nY\n", TRUE },
  { "behind", "a\nb\nc\nd\n", "a\nb\nc\nD\n", "X\nY\nb\nc\nd\n", "X\nY\nb\nc\nD\n", TRUE },
  { "behind fewer lines", "a\nb\nc\nd\n", "a\nb\nc\nD\n", "c\nd\n", "c\nD\n", TRUE },
  { "next line", "a\nb\n", "a\nB\n", "A\nb\n", "A\nB\n", TRUE },
  { "the same line", "a b\n", "a B\n", "A b\n", "A B\n", FALSE },
  { "the last line without an end", "a\nb", "a\nB", "A\nb", "A\nB", TRUE },
  { "an end for the last line", "a\nb", "a\nb\nc", "a\nb\n", "a\nb\nc", FALSE },
  { "lines added in one place", "a\nb\n", "a\n1\nb\n", "a\n2\nb\n", "a\n2\n1\nb\n", FALSE },
  { "lines added before changed ones", "a\nb\n", "a\n1\nb\n", "a\nB\n", "a\n1\nB\n", TRUE },
  { "lines added behind changed ones", "a\nb\n", "a\n1\nb\n", "A\nb\n", "A\n1\nb\n", TRUE },
  { "the whole replaced", "a\nb\n", "x\n", "A\nb\n", "x\n", FALSE },
  { "another place", "x\nm\ny\n", "X\nm\ny\n", "m\nx\n", "m\nX\n", FALSE },
  { "another place behind", "a\nx\nb\n", "a\nX\nb\n", "x\na\ny\nb\n", "X\na\ny\nb\n", FALSE },
  { "around it", "a\nb\nc\n", "A\nb\nC\n", "a\nB\nc\n", "A\nB\nC\n", FALSE },
  { "more than was shown", "a\nb\nb\n", "A\nb\nb\n", "a\nb\nc\n", "A\nb\nC\n", FALSE },
  { "nothing left", "a\nb\n", "a\n", "b\n", "", TRUE },
  { "an empty text", "", "a\n", "b\n", "a\nb\n", FALSE },
};

static void
test_cases (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].name);
      g_assert_cmpint (beckon_same_change (cases[i].before, cases[i].after, cases[i].later, cases[i].later_after), ==,
                       cases[i].is_same);
    }
}

#define N_LINES 8

/* Lines, of which some are replaced by one or two others, or none. */
static char *
make_text (const guint *lines, guint first, guint n, guint with, guint second, guint n_second, guint with_second)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i <= N_LINES; i++)
    {
      for (guint j = 0; i == first && j < with; j++)
        g_string_append_printf (text, "first %u\n", j);
      for (guint j = 0; i == second && j < with_second; j++)
        g_string_append_printf (text, "second %u\n", j);
      if (i < N_LINES && (i < first || i >= first + n) && (i < second || i >= second + n_second))
        g_string_append_printf (text, "%u\n", lines[i]);
    }
  return g_string_free (text, FALSE);
}

/* Changes of other lines, whichever stands first in the text, and of lines that are much alike. */
static void
test_apart (void)
{
  for (guint round = 0; round < 20000; round++)
    {
      guint lines[N_LINES];
      guint first = g_test_rand_int_range (0, N_LINES / 2), n = g_test_rand_int_range (1, 3);
      guint second = g_test_rand_int_range (N_LINES / 2 + 1, N_LINES - 1), n_second = g_test_rand_int_range (1, 3);
      guint with = g_test_rand_int_range (1, 3), with_second = g_test_rand_int_range (1, 3);
      g_autofree char *before = NULL, *one = NULL, *other = NULL, *both = NULL;

      for (guint i = 0; i < N_LINES; i++)
        lines[i] = g_test_rand_int_range (0, 3);
      before = make_text (lines, N_LINES + 1, 0, 0, N_LINES + 1, 0, 0);
      one = make_text (lines, first, n, with, N_LINES + 1, 0, 0);
      other = make_text (lines, N_LINES + 1, 0, 0, second, n_second, with_second);
      both = make_text (lines, first, n, with, second, n_second, with_second);
      g_assert_true (beckon_same_change (before, other, one, both));
      g_assert_true (beckon_same_change (before, one, other, both));
      /* A second change does not take back the first, and makes nothing else of it. */
      g_assert_false (beckon_same_change (before, other, one, other));
      g_assert_false (beckon_same_change (before, other, one, one));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/same-change/cases", test_cases);
  g_test_add_func ("/same-change/apart", test_apart);
  return g_test_run ();
}
