/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plain-number.h"

#include <string.h>

/* More choices than this are never shown, so a longer number is not one of them. */
#define MAX_DIGITS 4

static const char *const prefixes[] = { "选择", "選擇", "选", "選", "第", "#", "(", "（", NULL };
static const char *const suffixes[] = { "个", "個", "项", "項", ".", ")", "、", "。", "．", "）", NULL };

static gboolean
is_separator (gunichar c)
{
  return c == ',' || c == 0xff0c /* ， */ || c == 0x3001 /* 、 */ || c == ';' || c == 0xff1b /* ； */;
}

static const char *
skip_any (const char *p, const char *const *words)
{
  for (gsize i = 0; words[i] != NULL; i++)
    if (g_str_has_prefix (p, words[i]))
      return p + strlen (words[i]);
  return p;
}

static const char *
skip_spaces (const char *p)
{
  while (*p != '\0' && g_unichar_isspace (g_utf8_get_char (p)))
    p = g_utf8_next_char (p);
  return p;
}

/* Any script's decimal digits, so full-width ones too. */
static const char *
parse_one (const char *p, guint *number)
{
  guint digits = 0;

  *number = 0;
  p = skip_spaces (skip_any (skip_spaces (p), prefixes));
  for (; *p != '\0' && g_unichar_isdigit (g_utf8_get_char (p)); p = g_utf8_next_char (p), digits++)
    *number = *number * 10 + (guint) g_unichar_digit_value (g_utf8_get_char (p));
  if (digits == 0 || digits > MAX_DIGITS || *number == 0)
    return NULL;
  return p;
}

/* Skips a gap between two numbers of a list, or after the last one: a separator, a mark such as the dot of "1. 3.", a space.
 * NULL for anything else. */
static const char *
parse_gap (const char *p)
{
  const char *start = skip_spaces (p);
  const char *marked;
  const char *end;

  if (is_separator (g_utf8_get_char (start)))
    return skip_spaces (g_utf8_next_char (start));

  marked = skip_any (start, suffixes);
  end = skip_spaces (marked);
  if (is_separator (g_utf8_get_char (end)))
    return skip_spaces (g_utf8_next_char (end));

  /* "1.3" is one number with a fraction, not two. */
  return start != p || end != marked || *end == '\0' ? end : NULL;
}

GArray *
beckon_plain_number_parse (const char *line, gboolean several)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  const char *p = line;

  g_return_val_if_fail (line != NULL, NULL);

  do
    {
      guint number;

      if (numbers->len > 0 && !several)
        return NULL;

      p = parse_one (p, &number);
      if (p == NULL)
        return NULL;
      g_array_append_val (numbers, number);
      p = parse_gap (p);
    }
  while (p != NULL && *p != '\0');

  return p != NULL ? g_steal_pointer (&numbers) : NULL;
}

const char *
beckon_plain_number_split (const char *line, gboolean several, GArray **numbers)
{
  static const char *const dots[] = { ".", "。", "．", NULL };
  static const char *const buts[] = { "but ", "但", NULL };
  static const char *const ands[] = { "and ", "plus ", "以及", "还有", "和", NULL };
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));
  const char *end;
  const char *words;
  const char *p;

  g_return_val_if_fail (line != NULL && numbers != NULL, NULL);

  /* A list with lines is an answer of its own, mostly pasted. */
  p = strchr (line, '\n') == NULL ? line : "";
  do
    {
      guint number;

      end = parse_one (p, &number);
      if (end == NULL)
        return NULL;
      g_array_append_val (found, number);
      words = skip_spaces (end);
      p = is_separator (g_utf8_get_char (words)) ? skip_spaces (g_utf8_next_char (words)) : words;
      p = several ? skip_spaces (skip_any (p, ands)) : p;
    }
  while (several && p != end && g_unichar_isdigit (g_utf8_get_char (p)));

  if (p == words)
    p = skip_spaces (skip_any (words, dots));
  if ((p == words && *words != '\0' && skip_any (words, buts) == words) || g_unichar_isdigit (g_utf8_get_char (p))
      || (*p == '\0' && found->len == 1))
    return NULL;
  *numbers = g_steal_pointer (&found);
  return p;
}
