/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-command-template.h"

#include <string.h>

#define ALL "$ARGUMENTS"

static gboolean
is_of_name (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_';
}

char *
beckon_command_template_split (const char *text, const char **arguments)
{
  gsize length = 0;

  if (*text != '/')
    return NULL;
  while (is_of_name (text[1 + length]))
    length++;
  if (length == 0 || (text[1 + length] != '\0' && !g_ascii_isspace (text[1 + length])))
    return NULL;
  *arguments = text + 1 + length;
  while (g_ascii_isspace (**arguments))
    (*arguments)++;
  return g_strndup (text + 1, length);
}

/* Words as a shell has them, or as they stand between spaces where a quotation mark is not closed. */
static char **
split_words (const char *arguments)
{
  char **words = NULL;

  if (*arguments != '\0' && g_shell_parse_argv (arguments, NULL, &words, NULL))
    return words;
  return g_strsplit_set (arguments, " \t\n", -1);
}

char *
beckon_command_template_expand (const char *template, const char *arguments)
{
  g_auto (GStrv) words = split_words (arguments);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_words = g_strv_length (words);
  gboolean is_used = FALSE;

  for (const char *at = template; *at != '\0'; at++)
    if (g_str_has_prefix (at, ALL) && !is_of_name (at[strlen (ALL)]))
      {
        g_string_append (text, arguments);
        at += strlen (ALL) - 1;
        is_used = TRUE;
      }
    else if (*at == '$' && at[1] >= '1' && at[1] <= '9' && !g_ascii_isdigit (at[2]))
      {
        at++;
        g_string_append (text, (guint) (*at - '1') < n_words ? words[*at - '1'] : "");
        is_used = TRUE;
      }
    else
      {
        g_string_append_c (text, *at);
      }
  while (text->len > 0 && text->str[text->len - 1] == '\n')
    g_string_truncate (text, text->len - 1);
  if (!is_used && *arguments != '\0')
    g_string_append_printf (text, "\n\n%s", arguments);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
