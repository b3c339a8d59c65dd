/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-glob.h"

#include "beckon-error.h"

#include <string.h>

#define MAX_LENGTH 1024

struct _BeckonGlob
{
  GRegex *regex;     /* (nullable): %NULL where there is a text */
  char *text;        /* (nullable): what it is, or ends in, without anything that stands for something else */
  gboolean is_end;   /* @text is only the end, as in *.o */
  gboolean is_name;  /* matched with the last name only */
};

/* A set such as [a-z]; returns what is behind it, or @p if it is none. */
static const char *
append_set (GString *regex, const char *p)
{
  const char *first = p[1] == '!' || p[1] == '^' ? p + 2 : p + 1;
  const char *end = *first != '\0' ? strchr (first + 1, ']') : NULL;

  if (end == NULL || memchr (first, '/', (gsize) (end - first)) != NULL)
    return p;

  g_string_append (regex, first == p + 2 ? "[^/" : "[");
  for (const char *c = first; c < end; c++)
    {
      if (strchr ("\\[]^", *c) != NULL)
        g_string_append_c (regex, '\\');
      g_string_append_c (regex, *c);
    }
  g_string_append_c (regex, ']');
  return end + 1;
}

static const char *
append_stars (GString *regex, const char *p)
{
  if (p[1] != '*')
    {
      g_string_append (regex, "[^/]*");
      return p + 1;
    }
  while (*p == '*')
    p++;
  if (*p != '/')
    {
      g_string_append (regex, ".*");
      return p;
    }
  g_string_append (regex, "(?:.*/)?");
  return p + 1;
}

static const char *
append_one (GString *regex, const char *p, guint *n_braces)
{
  const char *next;
  g_autofree char *escaped = NULL;

  switch (*p)
    {
    case '*':
      return append_stars (regex, p);
    case '?':
      g_string_append (regex, "[^/]");
      return p + 1;
    case '[':
      next = append_set (regex, p);
      if (next == p)
        g_string_append (regex, "\\[");
      return next == p ? p + 1 : next;
    case '{':
      g_string_append (regex, "(?:");
      (*n_braces)++;
      return p + 1;
    case '}':
      g_string_append (regex, *n_braces > 0 ? ")" : "\\}");
      *n_braces -= *n_braces > 0;
      return p + 1;
    case ',':
      g_string_append_c (regex, *n_braces > 0 ? '|' : ',');
      return p + 1;
    case '\\':
      p += p[1] != '\0';
      break;
    default:
      break;
    }

  next = g_utf8_next_char (p);
  escaped = g_regex_escape_string (p, (gssize) ((gsize) (next - p)));
  g_string_append (regex, escaped);
  return next;
}

static GRegex *
glob_compile (const char *pattern)
{
  g_autoptr (GString) regex = g_string_new ("(*LIMIT_MATCH=20000)\\A(?:");
  guint n_braces = 0;

  if (g_utf8_validate (pattern, -1, NULL))
    for (const char *p = pattern; *p != '\0';)
      p = append_one (regex, p, &n_braces);
  for (; n_braces > 0; n_braces--)
    g_string_append_c (regex, ')');
  g_string_append (regex, ")\\z");
  return g_regex_new (regex->str, G_REGEX_DOTALL, 0, NULL);
}

/* Most patterns are a name, or a star and an ending: a regular expression for each would take a hundred times as long. */
BeckonGlob *
beckon_glob_new (const char *pattern, GError **error)
{
  g_autoptr (BeckonGlob) glob = g_new0 (BeckonGlob, 1);
  const char *text = pattern;

  g_return_val_if_fail (pattern != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  glob->is_name = strchr (pattern, '/') == NULL;
  text += *text == '/';
  glob->is_end = glob->is_name && *text == '*';
  if (strpbrk (text + glob->is_end, "*?[{}\\") == NULL)
    glob->text = g_strdup (text + glob->is_end);
  else if (strlen (pattern) <= MAX_LENGTH)
    glob->regex = glob_compile (text);
  if (strlen (pattern) <= MAX_LENGTH && (glob->text != NULL || glob->regex != NULL))
    return g_steal_pointer (&glob);

  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
               "“%.100s” is no pattern of paths. Write one such as *.c or src/**/*.h.", pattern);
  return NULL;
}

gboolean
beckon_glob_matches (BeckonGlob *glob, const char *path)
{
  const char *last;

  g_return_val_if_fail (glob != NULL && path != NULL, FALSE);

  last = glob->is_name ? strrchr (path, '/') : NULL;
  if (last != NULL)
    path = last + 1;
  if (glob->text != NULL)
    return glob->is_end ? g_str_has_suffix (path, glob->text) : g_str_equal (path, glob->text);

  return g_utf8_validate (path, -1, NULL) && g_regex_match_full (glob->regex, path, -1, 0, 0, NULL, NULL);
}

void
beckon_glob_free (BeckonGlob *glob)
{
  if (glob == NULL)
    return;

  g_clear_pointer (&glob->regex, g_regex_unref);
  g_free (glob->text);
  g_free (glob);
}
