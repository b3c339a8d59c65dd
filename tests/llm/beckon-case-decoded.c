/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-cases.h"

static gsize
same_length (gpointer data)
{
  return GPOINTER_TO_SIZE (data);
}

void
chat_case_try (const char *protocol, const char *text, gsize length, const char *lines)
{
  static const gsize pieces[] = { 1, 2, 3, 7, 16, 61, 4096 };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (EventLog) log = event_log_decode (protocol, text, length, same_length, GSIZE_TO_POINTER (pieces[i]));

      g_assert_cmpstr (log->lines->str, ==, lines);
    }
}
