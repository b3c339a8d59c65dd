/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-cases.h"

GString *
chat_case_expand (const char *text)
{
  GString *expanded = g_string_new (NULL);

  for (; *text != '\0'; text++)
    {
      if (*text == '^')
        g_string_append_c (expanded, '\\');
      g_string_append_c (expanded, *text == '^' || *text == '\'' ? '"' : *text);
    }
  return expanded;
}

static void
assert_bytes (const char *protocol, const char *text, gsize length, const char *expected)
{
  g_autofree char *lines = g_strconcat ("\n", expected, NULL);

  chat_case_try (protocol, text, length, lines);
}

void
assert_decoded_bytes (const char *text, gsize length, const char *expected)
{
  assert_bytes ("chat", text, length, expected);
}

void
assert_decoded (const char *text, const char *expected)
{
  assert_decoded_by ("chat", text, expected);
}

void
assert_decoded_by (const char *protocol, const char *text, const char *expected)
{
  g_autoptr (GString) expanded = chat_case_expand (text);
  g_autoptr (GString) lines = g_string_new (expected);

  g_string_replace (lines, "'", "\"", 0);
  assert_bytes (protocol, expanded->str, expanded->len, lines->str);
}
