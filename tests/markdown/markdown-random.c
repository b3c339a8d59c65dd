/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "markdown-random.h"

#include <string.h>

static const char *const prefixes[] = {
  "", "", "", "", "", "", " ", "  ", "   ", "    ", "\t", "- ", "* ", "+ ", "1. ", "2) ", "10. ", "-", "-\t", "> ", ">", "  - ",
  "   > ", "-   ", "     ", "1.  ",
};

static const char *const pieces[] = {
  "",       "",       "",      "word",       "two words",   "**bold**",    "*it*",       "`code`",      "# Head",   "## ",
  "```",    "```",    "```c",  "~~~",        "````",        "---",         "***",        "===",         "| a | b |", "|---|:-:|",
  "|---|",  "<div>",  "</div>", "<!-- x",    "-->",         "<b>x</b>",    "<script>",   "</script>",   "<br>",     "[x] done",
  "[ ] open", "[foo]", "[foo]: /url", "[bar]: <u> \"t\"", "[foo][bar]", "[a](b)", "![p](q)", "&amp;", "\\*",       "~~no~~",
  "é ü 汉字", "https://example.com/a_b", "<pre>", "</pre>", "`` ` ``", "*un", "**un", "$x_1$", "$5 and $6", "\\(a*b*\\)", "line  ",
  "line\\",  "1986. A year", "- a\n- b", "```\nx\n\ny\n```", "    indented\n\n    more",
};

#define PICK(random, array) array[g_rand_int_range (random, 0, G_N_ELEMENTS (array))]

GString *
markdown_random (GRand *random)
{
  GString *text = g_string_new (NULL);
  int lines = g_rand_int_range (random, 1, 24);

  for (int i = 0; i < lines; i++)
    {
      int n = g_rand_int_range (random, 0, 3);

      for (int j = g_rand_int_range (random, 0, 3); j > 0; j--)
        g_string_append (text, PICK (random, prefixes));
      for (int j = 0; j < n; j++)
        g_string_append_printf (text, "%s%s", j > 0 ? " " : "", PICK (random, pieces));
      if (i + 1 < lines || g_rand_boolean (random))
        g_string_append_c (text, '\n');
    }
  return text;
}
