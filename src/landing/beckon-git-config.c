/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-git-config.h"

#include <string.h>

typedef struct
{
  const char *at;
  const char *end;
  GString *section;
  BeckonGitConfigFunc func;
  gpointer data;
} Parser;

/* -1 at the end. Lines may end as on Windows. */
static int
peek (const Parser *parser)
{
  const char *at = parser->at;

  if (at < parser->end && *at == '\r' && at + 1 < parser->end && at[1] == '\n')
    at++;
  return at < parser->end ? (guchar) *at : -1;
}

static int
take (Parser *parser)
{
  int c = peek (parser);

  if (c == '\n' && *parser->at == '\r')
    parser->at++;
  if (c >= 0)
    parser->at++;
  return c;
}

static void
skip_line (Parser *parser)
{
  int c;

  while ((c = take (parser)) >= 0 && c != '\n')
    continue;
}

/* The name of a subsection may hold anything but the end of a line. */
static gboolean
parse_subsection (Parser *parser)
{
  int c;

  while ((c = take (parser)) >= 0 && c != '\n' && c != '"')
    if (c == '\\')
      take (parser);
  return c == '"' && take (parser) == ']';
}

static gboolean
parse_section (Parser *parser)
{
  gboolean is_subsection = FALSE;
  int c;

  g_string_truncate (parser->section, 0);
  while ((c = take (parser)) >= 0 && c != ']')
    {
      if (c == ' ' || c == '\t')
        {
          while (peek (parser) == ' ' || peek (parser) == '\t')
            take (parser);
          return take (parser) == '"' && parse_subsection (parser);
        }
      if (!g_ascii_isalnum (c) && c != '-' && c != '.')
        return FALSE;
      is_subsection = is_subsection || c == '.';
      if (!is_subsection)
        g_string_append_c (parser->section, g_ascii_tolower ((char) c));
    }

  return c == ']';
}

static gboolean
parse_escape (Parser *parser, GString *value)
{
  static const char names[] = "\\\"ntb";
  static const char meanings[] = "\\\"\n\t\b";
  int c = take (parser);
  const char *name = c > 0 ? strchr (names, c) : NULL;

  if (c == '\n')
    return TRUE;
  if (name == NULL)
    return FALSE;

  g_string_append_c (value, meanings[name - names]);
  return TRUE;
}

static gboolean
parse_value (Parser *parser, GString *value)
{
  gboolean is_quoted = FALSE;
  gsize length = 0; /* without space behind it */
  int c;

  while (peek (parser) == ' ' || peek (parser) == '\t')
    take (parser);
  while ((c = take (parser)) >= 0 && c != '\n')
    {
      if (c == '\0')
        return FALSE;
      if (!is_quoted && (c == '#' || c == ';'))
        {
          skip_line (parser);
          break;
        }
      if (c == '"')
        is_quoted = !is_quoted;
      else if (c != '\\')
        g_string_append_c (value, (char) c);
      else if (!parse_escape (parser, value))
        return FALSE;
      if (is_quoted || (c != ' ' && c != '\t'))
        length = value->len;
    }

  g_string_truncate (value, length);
  return !is_quoted;
}

static gboolean
parse_variable (Parser *parser)
{
  g_autoptr (GString) key = g_string_new (NULL);
  g_autoptr (GString) value = g_string_new (NULL);

  while (g_ascii_isalnum (peek (parser)) || peek (parser) == '-')
    g_string_append_c (key, g_ascii_tolower ((char) take (parser)));
  while (peek (parser) == ' ' || peek (parser) == '\t')
    take (parser);
  if (key->len == 0)
    return FALSE;
  if (peek (parser) != '=')
    {
      int c = peek (parser);

      skip_line (parser);
      return c < 0 || c == '\n' || c == '#' || c == ';';
    }

  take (parser);
  if (!parse_value (parser, value))
    return FALSE;

  parser->func (parser->section->str, key->str, value->str, parser->data);
  return TRUE;
}

static gboolean
parse_all (Parser *parser)
{
  gboolean is_fine = TRUE;
  int c;

  while (is_fine && (c = peek (parser)) >= 0)
    {
      if (g_ascii_isspace (c))
        take (parser);
      else if (c == '#' || c == ';')
        skip_line (parser);
      else if (c == '[')
        {
          take (parser);
          is_fine = parse_section (parser);
        }
      else
        is_fine = parse_variable (parser);
    }

  return is_fine;
}

gboolean
beckon_git_config_parse (const char *text, gsize length, BeckonGitConfigFunc func, gpointer data)
{
  static const char mark[] = "\xef\xbb\xbf";
  Parser parser;
  gboolean is_fine;

  g_return_val_if_fail (text != NULL && func != NULL, FALSE);

  if (length >= strlen (mark) && memcmp (text, mark, strlen (mark)) == 0)
    {
      text += strlen (mark);
      length -= strlen (mark);
    }
  parser = (Parser){ text, text + length, g_string_new (NULL), func, data };
  is_fine = parse_all (&parser);
  g_string_free (parser.section, TRUE);
  return is_fine;
}
