/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-prompt.h"

#include "beckon-history.h"

#include <string.h>

#define TITLE_CHARS 60

void
beckon_prompt_add_history (BeckonLlmRequest *request, GPtrArray *messages, const char *origin)
{
  g_autoptr (GPtrArray) repaired = beckon_history_repair (messages, origin);

  for (guint i = 0; i < repaired->len; i++)
    beckon_llm_request_add_message (request, g_ptr_array_index (repaired, i));
}

char *
beckon_prompt_title (const char *text)
{
  g_autofree char *line = g_strstrip (g_strdup (text));
  char *end = strpbrk (line, "\r\n");

  if (end != NULL)
    *end = '\0';
  if (g_utf8_strlen (line, -1) <= TITLE_CHARS)
    return g_steal_pointer (&line);
  *g_utf8_offset_to_pointer (line, TITLE_CHARS - 1) = '\0';
  return g_strconcat (g_strchomp (line), "…", NULL);
}
