/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-channel-post.h"

#include "base/beckon-id.h"
#include "base/beckon-words.h"

static const char *const states[] = { "queued", "sending", "sent", "failed" };

BeckonChannelPost *
beckon_channel_post_new (const char *channel_id, const char *address, const char *title, const char *text, gint64 made_at)
{
  BeckonChannelPost *post = g_new0 (BeckonChannelPost, 1);

  post->id = beckon_id_new ();
  post->channel_id = g_strdup (channel_id);
  post->address = g_strdup (address);
  post->title = g_strdup (title);
  post->text = g_strdup (text);
  post->made_at = made_at;
  return post;
}

BeckonChannelPost *
beckon_channel_post_copy (const BeckonChannelPost *post)
{
  BeckonChannelPost *copy = g_new (BeckonChannelPost, 1);

  *copy = *post;
  copy->id = g_strdup (post->id);
  copy->channel_id = g_strdup (post->channel_id);
  copy->address = g_strdup (post->address);
  copy->conversation_id = g_strdup (post->conversation_id);
  copy->request_id = g_strdup (post->request_id);
  copy->code = g_strdup (post->code);
  copy->title = g_strdup (post->title);
  copy->text = g_strdup (post->text);
  copy->choices = g_strdup (post->choices);
  copy->edits = g_strdup (post->edits);
  copy->remote_id = g_strdup (post->remote_id);
  return copy;
}

void
beckon_channel_post_free (BeckonChannelPost *post)
{
  g_free (post->id);
  g_free (post->channel_id);
  g_free (post->address);
  g_free (post->conversation_id);
  g_free (post->request_id);
  g_free (post->code);
  g_free (post->title);
  g_free (post->text);
  g_free (post->choices);
  g_free (post->edits);
  g_free (post->remote_id);
  g_free (post);
}

char *
beckon_channel_post_make_code (void)
{
  g_autofree char *code = beckon_id_new_code (BECKON_CHANNEL_POST_CODE_LENGTH);

  return g_ascii_strdown (code, -1);
}

BECKON_WORDS_TO (BeckonChannelPostState, beckon_channel_post_state_to_string, states)
BECKON_WORDS_FROM (BeckonChannelPostState, beckon_channel_post_state_from_string, states)
