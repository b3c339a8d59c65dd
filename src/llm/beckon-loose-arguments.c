/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-loose-arguments.h"

#include "base/beckon-json-value.h"

#include <string.h>

#define FENCE "```"

/* Takes the fence off, with the name of a language behind it. */
static char *
loose_dup_unfenced (const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  const char *line = g_str_has_prefix (stripped, FENCE) ? strchr (stripped, '\n') : NULL;

  if (line == NULL || !g_str_has_suffix (line, FENCE))
    return g_steal_pointer (&stripped);
  return g_strstrip (g_strndup (line, strlen (line) - strlen (FENCE)));
}

static char *
loose_dup_without_commas (const char *text)
{
  GString *kept = g_string_new (NULL);
  gboolean is_in_string = FALSE;

  for (const char *at = text; *at != '\0'; at++)
    {
      if (is_in_string && *at == '\\' && at[1] != '\0')
        {
          g_string_append_len (kept, at++, 2);
          continue;
        }
      if (*at == '"')
        is_in_string = !is_in_string;
      if (is_in_string || *at != ',' || strchr ("}]", at[1 + strspn (at + 1, " \t\r\n")]) == NULL
          || at[1 + strspn (at + 1, " \t\r\n")] == '\0')
        g_string_append_c (kept, *at);
    }
  return g_string_free (kept, FALSE);
}

/* Line breaks and tabs stand in a text as they are, not escaped. */
static char *
loose_dup_escaped (const char *text)
{
  GString *kept = g_string_new (NULL);
  gboolean is_in_string = FALSE;

  for (const char *at = text; *at != '\0'; at++)
    {
      const char *found = is_in_string ? strchr ("\n\r\t", *at) : NULL;

      if (found != NULL)
        g_string_append (kept, *at == '\n' ? "\\n" : *at == '\r' ? "\\r" : "\\t");
      else
        g_string_append_c (kept, *at);
      if (is_in_string && *at == '\\' && at[1] != '\0')
        g_string_append_c (kept, *++at);
      else if (*at == '"')
        is_in_string = !is_in_string;
    }
  return g_string_free (kept, FALSE);
}

/* An apostrophe within a text breaks the quotes, so that nothing is guessed. */
static char *
loose_dup_requoted (const char *text)
{
  return strpbrk (text, "\"\\") == NULL ? g_strdelimit (g_strdup (text), "'", '"') : g_strdup (text);
}

char *
beckon_loose_arguments_read (const char *text)
{
  static char *(*const readings[]) (const char *)
    = { loose_dup_unfenced, loose_dup_escaped, loose_dup_without_commas, loose_dup_requoted };
  g_autofree char *read = g_strdup (text);

  g_return_val_if_fail (text != NULL, NULL);

  for (gsize i = 0; i <= G_N_ELEMENTS (readings); i++)
    {
      g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (read, -1, NULL);
      g_autofree char *before = NULL;

      if (value != NULL && value->kind == BECKON_JSON_VALUE_OBJECT)
        return g_steal_pointer (&read);
      if (value != NULL && (value->kind != BECKON_JSON_VALUE_STRING || strlen (value->text->str) != value->text->len))
        return NULL;
      if (i == G_N_ELEMENTS (readings))
        return NULL;
      before = g_steal_pointer (&read);
      read = value != NULL ? g_strdup (value->text->str) : readings[i](before);
    }
  return NULL;
}
