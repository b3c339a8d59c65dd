/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-question-text.h"

#include "base/beckon-text.h"

#include <string.h>

/* Characters that show nothing and change how the rest reads: a label must not look like another one, and text must not
 * reach past its own place. Joiners stay, because scripts and emoji need them. */
static gboolean
is_deceptive (gunichar c)
{
  if (c >= 0x202A && c <= 0x202E)
    return TRUE;
  if (c >= 0x2066 && c <= 0x2069)
    return TRUE;
  if (c >= 0xE0000 && c <= 0xE007F)
    return TRUE;
  if (c >= 0x2060 && c <= 0x2064)
    return TRUE;

  if (c >= 0xFFF9 && c <= 0xFFFB)
    return TRUE;

  return c == 0x00AD || c == 0x034F || c == 0x061C || c == 0x115F || c == 0x1160 || c == 0x180E || c == 0x200B
         || c == 0x200E || c == 0x200F || c == 0x2800 || c == 0x3164 || c == 0xFEFF || c == 0xFFA0;
}

gboolean
beckon_question_text_is_blank (const char *text)
{
  if (text == NULL)
    return TRUE;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (!g_unichar_isspace (c) && !g_unichar_iscntrl (c) && !is_deceptive (c))
        return FALSE;
    }

  return TRUE;
}

static void
append_char (GString *clean, gunichar c, gboolean one_line)
{
  if (c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029 || c == '\v' || c == '\f')
    c = one_line ? ' ' : '\n';
  else if (c == '\t')
    c = one_line ? ' ' : '\t';
  else if (g_unichar_iscntrl (c) || is_deceptive (c))
    return;

  if (one_line && g_unichar_isspace (c))
    {
      if (clean->len > 0 && clean->str[clean->len - 1] != ' ')
        g_string_append_c (clean, ' ');
      return;
    }

  g_string_append_unichar (clean, c);
}

static GString *
clean_all (const char *text, gboolean one_line)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *clean = g_string_sized_new (strlen (valid));

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      /* CR LF is one break. */
      if (*p == '\r' && p[1] == '\n')
        continue;
      append_char (clean, g_utf8_get_char (p), one_line);
    }
  return clean;
}

char *
beckon_question_text_clean (const char *text, guint max_chars, gboolean one_line)
{
  g_autoptr (GString) clean = NULL;

  if (text == NULL)
    return NULL;

  clean = clean_all (text, one_line);
  g_strstrip (clean->str);
  return beckon_question_text_is_blank (clean->str) ? NULL : beckon_text_shorten (clean->str, max_chars);
}

char *
beckon_question_text_clean_block (const char *text, guint max_chars)
{
  g_autoptr (GString) clean = NULL;
  const char *begin;

  if (text == NULL)
    return NULL;

  clean = clean_all (text, FALSE);
  g_strchomp (clean->str);
  begin = clean->str;
  for (const char *at = begin; g_ascii_isspace (*at); at++)
    if (*at == '\n')
      begin = at + 1;
  return beckon_question_text_is_blank (begin) ? NULL : beckon_text_shorten (begin, max_chars);
}

static gboolean
is_word_for_recommended (const char *text, gsize length)
{
  static const char *words[] = { "recommended", "recommend", "recommendation", "推荐", "推薦", "建议", "建議" };
  g_autofree char *word = g_strndup (text, length);
  g_autofree char *folded = NULL;

  folded = g_utf8_casefold (g_strstrip (word), -1);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (folded, words[i]))
      return TRUE;

  return FALSE;
}

gboolean
beckon_question_text_strip_recommended (char *label)
{
  static const char *pairs[][2] = { { "(", ")" }, { "（", "）" }, { "[", "]" }, { "【", "】" } };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      char *open = g_str_has_suffix (label, pairs[i][1]) ? g_strrstr (label, pairs[i][0]) : NULL;
      const char *inside;

      /* A label that is nothing else stays, there must be something to pick. */
      if (open == NULL || open == label)
        continue;

      inside = open + strlen (pairs[i][0]);
      if (!is_word_for_recommended (inside, strlen (inside) - strlen (pairs[i][1])))
        continue;

      *open = '\0';
      g_strchomp (label);
      return TRUE;
    }

  return FALSE;
}

gboolean
beckon_question_text_is_other (const char *label)
{
  static GRegex *regex;

  if (g_once_init_enter (&regex))
    g_once_init_leave (&regex, g_regex_new ("^(?:others?|other (?:option|choice|answer)|something else|其他|其它|其他选项)"
                                            "\\s*(?:[.…:：]+|"
                                            "[-–—,，.…:：]*\\s*[(（\\[]?\\s*"
                                            "(?:please|specify|type|describe|enter|write|tell|free ?text|custom|"
                                            "your own|请|說明|说明|填写|输入|自定义).*)?$",
                                            G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, NULL));

  return g_regex_match (regex, label, 0, NULL);
}

const char *
beckon_question_text_skip_bullet (const char *line)
{
  const char *start;
  const char *p;

  while (g_ascii_isspace (*line))
    line++;
  start = line;

  if (g_str_has_prefix (line, "•"))
    p = line + strlen ("•");
  else if (*line == '-' || *line == '*')
    p = line + 1;
  else
    {
      p = line;
      while (g_ascii_isdigit (*p))
        p++;
      if (p == line && g_ascii_isalpha (*p))
        p++;
      if (p == line || (*p != '.' && *p != ')'))
        return start;
      p++;
    }

  /* "3.5" and "-5" are labels, "3. five" and "- 5" are list entries. */
  if (!g_ascii_isspace (*p))
    return start;
  while (g_ascii_isspace (*p))
    p++;

  return *p != '\0' ? p : start;
}
