/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-prompt.h"

#include "beckon-history.h"
#include "domain/beckon-note.h"

#include <string.h>

#define TITLE_CHARS 60

static gboolean
is_remade (BeckonMessage *message)
{
  BeckonMessageStatus status = beckon_message_get_status (message);

  if (beckon_message_get_role (message) != BECKON_ROLE_ASSISTANT)
    return FALSE;
  if (status != BECKON_MESSAGE_CUT_OFF && status != BECKON_MESSAGE_FAILED)
    return FALSE;
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (beckon_part_get_kind (beckon_message_get_part (message, i)) == BECKON_PART_CALL)
      return FALSE;
  return TRUE;
}

/* What Beckon itself noted is in nobody's way. */
static gboolean
is_left_out (BeckonMessage *message)
{
  return beckon_note_get_kind (message) != BECKON_NOTE_NONE || is_remade (message);
}

void
beckon_prompt_add_history (BeckonLlmRequest *request, BeckonConversation *conversation, const char *origin)
{
  guint n = beckon_conversation_get_n_messages (conversation);
  g_autoptr (GPtrArray) messages = g_ptr_array_new ();
  g_autoptr (GPtrArray) repaired = NULL;

  while (n > 0 && is_left_out (beckon_conversation_get_message (conversation, n - 1)))
    n--;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (messages, beckon_conversation_get_message (conversation, i));
  repaired = beckon_history_repair (messages, origin);
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
