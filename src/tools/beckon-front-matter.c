/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-front-matter.h"

#include "base/beckon-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define FENCE "---"
#define MAX_LINES 256

/* Lines of the front matter, one after another. */
typedef struct
{
  char **lines;
  guint next;
} Reader;

void
beckon_front_matter_clear (BeckonFrontMatter *matter)
{
  g_clear_pointer (&matter->name, g_free);
  g_clear_pointer (&matter->description, g_free);
  g_clear_pointer (&matter->hint, g_free);
}

/* @problem: translated where a person reads it: see beckon_trust_request_dup_text() */
static gboolean
front_matter_refuse (GError **error, guint line, const char *problem)
{
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "Line %u of the front matter: %s", line + 1, problem);
  return FALSE;
}

static gboolean
is_indented (const char *line)
{
  return *line == ' ' || *line == '\t';
}

static gboolean
front_matter_is_blank (const char *line)
{
  return line[strspn (line, " \t")] == '\0';
}

/* The lines of a block scalar without their common indentation. Folded: a line break is a space, an empty line a break. */
static char *
front_matter_read_block (Reader *reader, gboolean is_folded)
{
  g_autoptr (GString) value = g_string_new (NULL);
  gsize margin = 0;

  for (; reader->lines[reader->next] != NULL; reader->next++)
    {
      const char *line = reader->lines[reader->next];

      if (front_matter_is_blank (line))
        {
          g_string_append_c (value, '\n');
          continue;
        }
      if (!is_indented (line))
        break;
      if (margin == 0)
        margin = strspn (line, " ");
      if (value->len > 0 && value->str[value->len - 1] != '\n')
        g_string_append_c (value, is_folded ? ' ' : '\n');
      g_string_append (value, line + MIN (strspn (line, " "), margin));
    }
  return g_strstrip (g_string_free (g_steal_pointer (&value), FALSE));
}

/* (nullable): without its quotation marks; %NULL if it is not closed, or something stands behind it. */
static char *
read_quoted (const char *text)
{
  g_autoptr (GString) value = g_string_new (NULL);
  char mark = *text;
  const char *at = text + 1;

  for (; *at != '\0'; at++)
    {
      if (*at == mark && mark == '\'' && at[1] == '\'')
        at++;
      else if (*at == mark)
        break;
      else if (*at == '\\' && mark == '"' && at[1] != '\0')
        {
          at++;
          g_string_append_c (value, *at == 'n' ? '\n' : *at == 't' ? '\t' : *at);
          continue;
        }
      g_string_append_c (value, *at);
    }
  if (*at != mark || !front_matter_is_blank (at + 1))
    return NULL;
  return g_string_free (g_steal_pointer (&value), FALSE);
}

static void
append_plain (GString *value, const char *text)
{
  const char *comment = strstr (text, " #");
  g_autofree char *words = comment != NULL ? g_strndup (text, (gsize) (comment - text)) : g_strdup (text);

  g_string_append_printf (value, " %s", g_strstrip (words));
}

/* A plain value may be carried on, indented, on the lines below. */
static char *
read_plain (Reader *reader, const char *text)
{
  g_autoptr (GString) value = g_string_new (NULL);

  append_plain (value, text);
  while (reader->lines[reader->next] != NULL && is_indented (reader->lines[reader->next])
         && !front_matter_is_blank (reader->lines[reader->next]))
    append_plain (value, reader->lines[reader->next++]);
  return g_strstrip (g_string_free (g_steal_pointer (&value), FALSE));
}

static gboolean
is_block_mark (const char *text)
{
  return (*text == '>' || *text == '|') && (text[1] == '\0' || ((text[1] == '-' || text[1] == '+') && text[2] == '\0'));
}

static gboolean
front_matter_read_value (Reader *reader, guint line, const char *text, char **value, GError **error)
{
  if (*value != NULL)
    return front_matter_refuse (error, line, N_("the key is there twice."));
  if (is_block_mark (text))
    *value = front_matter_read_block (reader, *text == '>');
  else if (*text == '"' || *text == '\'')
    *value = read_quoted (text);
  else if (*text == '\0' || strchr ("&*!|>[]{}%@`,?", *text) != NULL || g_str_has_prefix (text, "- "))
    return front_matter_refuse (error, line,
                                N_("the value has to be a text on the same line, in quotation marks where it needs them, or "
                                   "below > or |."));
  else
    *value = read_plain (reader, text);
  return *value != NULL || front_matter_refuse (error, line, N_("the quotation mark is not closed at the end of the line."));
}

static gboolean
is_key (const char *line, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (line[i]) && line[i] != '-' && line[i] != '_')
      return FALSE;
  return length > 0;
}

static gboolean
front_matter_read_line (Reader *reader, BeckonFrontMatter *matter, GError **error)
{
  guint number = reader->next;
  const char *line = reader->lines[reader->next++];
  const char *colon = strchr (line, ':');
  g_autofree char *key = colon != NULL ? g_strndup (line, (gsize) (colon - line)) : NULL;
  g_autofree char *text = colon != NULL ? g_strstrip (g_strdup (colon + 1)) : NULL;

  if (front_matter_is_blank (line) || *line == '#')
    return TRUE;
  if (is_indented (line))
    return front_matter_refuse (error, number, N_("it is indented, but belongs to no key."));
  if (key == NULL || !is_key (key, strlen (key)) || (colon[1] != '\0' && colon[1] != ' '))
    return front_matter_refuse (error, number, N_("a key, a colon and a space are expected."));
  if (g_str_equal (key, "name"))
    return front_matter_read_value (reader, number, text, &matter->name, error);
  if (g_str_equal (key, "description"))
    return front_matter_read_value (reader, number, text, &matter->description, error);
  if (g_str_equal (key, "argument-hint") && *text != '[')
    return front_matter_read_value (reader, number, text, &matter->hint, error);
  /* Other programs have keys of their own, such as license and metadata. */
  while (reader->lines[reader->next] != NULL
         && (is_indented (reader->lines[reader->next]) || front_matter_is_blank (reader->lines[reader->next])
             || g_str_has_prefix (reader->lines[reader->next], "- ")))
    reader->next++;
  return TRUE;
}

/* (nullable): the line that closes it; at the margin, alone. */
static const char *
find_fence (const char *text)
{
  for (const char *line = text; line != NULL; line = strchr (line, '\n'))
    {
      line += *line == '\n';
      if (g_str_has_prefix (line, FENCE) && line[strlen (FENCE) + strspn (line + strlen (FENCE), " \t")] == '\n')
        return line;
      if (g_str_has_prefix (line, FENCE) && front_matter_is_blank (line + strlen (FENCE)))
        return line;
    }
  return NULL;
}

gboolean
beckon_front_matter_read (const char *text, BeckonFrontMatter *matter, GError **error)
{
  const char *begin = text + strlen (FENCE) + 1;
  const char *end;
  g_autofree char *inner = NULL;
  g_auto (GStrv) lines = NULL;
  Reader reader = { 0 };

  *matter = (BeckonFrontMatter) { .body = text };
  if (!g_str_has_prefix (text, FENCE "\n"))
    return TRUE;
  end = find_fence (begin);
  if (end == NULL)
    return front_matter_refuse (error, 0, N_("no line of three dashes ends it."));
  inner = g_strndup (begin, (gsize) (end - begin));
  lines = g_strsplit (inner, "\n", -1);
  if (g_strv_length (lines) > MAX_LINES)
    return front_matter_refuse (error, MAX_LINES, N_("it is too long."));
  reader.lines = lines;
  while (lines[reader.next] != NULL)
    if (!front_matter_read_line (&reader, matter, error))
      return FALSE;
  matter->body = strchr (end, '\n') != NULL ? strchr (end, '\n') + 1 : end + strlen (end);
  while (*matter->body == '\n')
    matter->body++;
  return TRUE;
}
