/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A person's changes to a conversation: marks, who named it, where it came from. */

#include "beckon-conversation-private.h"

#include "base/beckon-words.h"

static const char *const source_words[] = {
  [BECKON_TITLE_MESSAGE] = "message",
  [BECKON_TITLE_MODEL] = "model",
  [BECKON_TITLE_PERSON] = "person",
};

static void
set_flag (BeckonConversation *self, gboolean *field, gboolean value, BeckonConversationProperty property)
{
  if (*field == !!value)
    return;

  *field = !!value;
  beckon_conversation_notify (self, property);
}

gboolean
beckon_conversation_get_pinned (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->pinned;
}

void
beckon_conversation_set_pinned (BeckonConversation *self, gboolean pinned)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  set_flag (self, &self->pinned, pinned, PROP_PINNED);
}

gboolean
beckon_conversation_get_archived (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->archived;
}

void
beckon_conversation_set_archived (BeckonConversation *self, gboolean archived)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  set_flag (self, &self->archived, archived, PROP_ARCHIVED);
}

gboolean
beckon_conversation_get_unread (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->unread;
}

void
beckon_conversation_set_unread (BeckonConversation *self, gboolean unread)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  set_flag (self, &self->unread, unread, PROP_UNREAD);
}

gboolean
beckon_conversation_get_temporary (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), FALSE);

  return self->temporary;
}

void
beckon_conversation_set_temporary (BeckonConversation *self, gboolean temporary)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  set_flag (self, &self->temporary, temporary, PROP_TEMPORARY);
}

const char *
beckon_conversation_get_folder (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->folder;
}

void
beckon_conversation_set_folder (BeckonConversation *self, const char *folder)
{
  g_autofree char *old = NULL;

  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail (folder == NULL || g_path_is_absolute (folder));

  if (g_strcmp0 (self->folder, folder) == 0)
    return;

  old = g_steal_pointer (&self->folder);
  self->folder = g_strdup (folder);
  beckon_conversation_notify (self, PROP_FOLDER);
}

BeckonMode
beckon_conversation_get_mode (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), BECKON_MODE_ASK_EVERYTHING);

  return self->mode;
}

void
beckon_conversation_set_mode (BeckonConversation *self, BeckonMode mode)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail ((guint) mode < BECKON_MODE_N_MODES);

  if (self->mode == mode)
    return;

  self->mode = mode;
  beckon_conversation_notify (self, PROP_MODE);
}

BeckonEffort
beckon_conversation_get_effort (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), BECKON_EFFORT_DEFAULT);

  return self->effort;
}

void
beckon_conversation_set_effort (BeckonConversation *self, BeckonEffort effort)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail ((guint) effort < BECKON_EFFORT_N_EFFORTS);

  if (self->effort == effort)
    return;

  self->effort = effort;
  beckon_conversation_notify (self, PROP_EFFORT);
}

gint64
beckon_conversation_get_seen_at (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), 0);

  return self->seen_at;
}

void
beckon_conversation_set_seen_at (BeckonConversation *self, gint64 seen_at)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  self->seen_at = MAX (self->seen_at, seen_at);
}

BeckonTitleSource
beckon_conversation_get_title_source (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), BECKON_TITLE_PERSON);

  return self->title_source;
}

void
beckon_conversation_set_title_source (BeckonConversation *self, BeckonTitleSource source)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));
  g_return_if_fail ((guint) source < BECKON_TITLE_N_SOURCES);

  self->title_source = source;
}

const char *
beckon_conversation_get_origin_id (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->origin_id;
}

const char *
beckon_conversation_get_origin_message_id (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), NULL);

  return self->origin_message_id;
}

void
beckon_conversation_set_origin (BeckonConversation *self, const char *conversation_id, const char *message_id)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  g_free (self->origin_id);
  self->origin_id = g_strdup (conversation_id);
  g_free (self->origin_message_id);
  self->origin_message_id = g_strdup (message_id);
}

gint64
beckon_conversation_get_sequence (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), 0);

  return self->sequence;
}

void
beckon_conversation_set_sequence (BeckonConversation *self, gint64 sequence)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  self->sequence = sequence;
}

gint64
beckon_conversation_get_path (BeckonConversation *self)
{
  g_return_val_if_fail (BECKON_IS_CONVERSATION (self), 0);

  return self->path;
}

void
beckon_conversation_set_path (BeckonConversation *self, gint64 path)
{
  g_return_if_fail (BECKON_IS_CONVERSATION (self));

  self->path = path;
}

BECKON_WORDS_TO (BeckonTitleSource, beckon_title_source_to_string, source_words)
BECKON_WORDS_FROM (BeckonTitleSource, beckon_title_source_from_string, source_words)
