/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-glob.h"

#include "beckon-error.h"

#include <string.h>

#define MAX_LENGTH 1024

struct _BeckonGlob
{
  GRegex *regex;
  gboolean is_name; /* matched with the last name only */
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

static void
append_literal (GString *regex, const char *p, gsize length)
{
  g_autofree char *escaped = g_regex_escape_string (p, (gssize) length);

  g_string_append (regex, escaped);
}

static const char *
append_one (GString *regex, const char *p, guint *n_braces)
{
  const char *next;

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
  append_literal (regex, p, (gsize) (next - p));
  return next;
}

BeckonGlob *
beckon_glob_new (const char *pattern, GError **error)
{
  g_autoptr (GString) regex = g_string_new ("(*LIMIT_MATCH=20000)\\A(?:");
  BeckonGlob *glob;
  GRegex *compiled;
  guint n_braces = 0;

  g_return_val_if_fail (pattern != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (strlen (pattern) <= MAX_LENGTH && g_utf8_validate (pattern, -1, NULL))
    for (const char *p = pattern[0] == '/' ? pattern + 1 : pattern; *p != '\0';)
      p = append_one (regex, p, &n_braces);
  for (; n_braces > 0; n_braces--)
    g_string_append_c (regex, ')');
  g_string_append (regex, ")\\z");

  compiled = strlen (pattern) <= MAX_LENGTH ? g_regex_new (regex->str, G_REGEX_DOTALL, 0, NULL) : NULL;
  if (compiled == NULL)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                   "“%.100s” is no pattern of paths. Write one such as *.c or src/**/*.h.", pattern);
      return NULL;
    }

  glob = g_new (BeckonGlob, 1);
  glob->regex = compiled;
  glob->is_name = strchr (pattern, '/') == NULL;
  return glob;
}

gboolean
beckon_glob_matches (BeckonGlob *glob, const char *path)
{
  const char *last;

  g_return_val_if_fail (glob != NULL && path != NULL, FALSE);

  last = glob->is_name ? strrchr (path, '/') : NULL;
  if (last != NULL)
    path = last + 1;

  return g_utf8_validate (path, -1, NULL) && g_regex_match_full (glob->regex, path, -1, 0, 0, NULL, NULL);
}

void
beckon_glob_free (BeckonGlob *glob)
{
  if (glob == NULL)
    return;

  g_regex_unref (glob->regex);
  g_free (glob);
}
