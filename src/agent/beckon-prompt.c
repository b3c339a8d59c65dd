/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-prompt.h"

#include "beckon-history.h"
#include "domain/beckon-attachment.h"

#include <string.h>

#define TITLE_CHARS 60

/* A model that does not see pictures is told that there is one; many servers refuse the whole request otherwise. */
static BeckonPart *
describe_picture (BeckonPart *part)
{
  const char *name = beckon_attachment_get_name (part);
  g_autofree char *words = name != NULL ? g_strdup_printf ("[The user attached the picture %s, which you cannot see.]", name)
                                        : g_strdup ("[The user attached a picture, which you cannot see.]");

  return beckon_part_new (BECKON_PART_TEXT, words);
}

BeckonMessage *
beckon_prompt_copy_without_pictures (BeckonMessage *message)
{
  BeckonMessage *copy = beckon_message_new (beckon_message_get_id (message), beckon_message_get_role (message),
                                            beckon_message_get_created_at (message));

  beckon_message_set_seq (copy, beckon_message_get_seq (message));
  beckon_message_set_status (copy, beckon_message_get_status (message));
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      g_autoptr (BeckonPart) told
          = beckon_part_get_kind (part) == BECKON_PART_IMAGE ? describe_picture (part) : g_object_ref (part);

      beckon_message_add_part (copy, told);
    }
  return copy;
}

gboolean
beckon_prompt_has_pictures (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (beckon_part_get_kind (beckon_message_get_part (message, i)) == BECKON_PART_IMAGE)
      return TRUE;
  return FALSE;
}

void
beckon_prompt_add_history (BeckonLlmRequest *request, GPtrArray *messages, const char *origin)
{
  g_autoptr (GPtrArray) repaired = beckon_history_repair (messages, origin);
  BeckonModelFacts facts;

  beckon_profile_get_facts (request->profile, &facts);
  for (guint i = 0; i < repaired->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (repaired, i);
      g_autoptr (BeckonMessage) told
          = facts.images == 0 && beckon_prompt_has_pictures (message) ? beckon_prompt_copy_without_pictures (message)
                                                                     : g_object_ref (message);

      beckon_llm_request_add_message (request, told);
    }
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
