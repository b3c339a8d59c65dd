/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plain-number.h"

#include <string.h>

/* More choices than this are never shown, so a longer number is not one of them. */
#define MAX_DIGITS 4

static const char *const prefixes[] = { "选择", "选", "第", "#", NULL };
static const char *const suffixes[] = { "个", "项", ".", ")", "、", "。", "．", "）", NULL };

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

GArray *
beckon_plain_number_parse (const char *line, gboolean several)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  const char *p = line;

  g_return_val_if_fail (line != NULL, NULL);

  for (;;)
    {
      guint number;

      p = parse_one (p, &number);
      if (p == NULL)
        return NULL;
      g_array_append_val (numbers, number);
      p = skip_spaces (p);
      if (several && is_separator (g_utf8_get_char (p)) && *skip_spaces (g_utf8_next_char (p)) != '\0')
        {
          p = g_utf8_next_char (p);
          continue;
        }
      p = skip_spaces (skip_any (p, suffixes));
      if (*p == '\0')
        return g_steal_pointer (&numbers);
      if (!several)
        return NULL;
      /* "1. 3." and "1 3" are lists as well, where lists count. */
    }
}
