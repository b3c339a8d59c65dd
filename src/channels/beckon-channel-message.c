/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-message.h"

#include "base/beckon-counted.h"
#include "base/beckon-id.h"
#include "base/beckon-text.h"

#include <string.h>

/* Up to @most bytes, whole characters alone. (nullable) */
static char *
dup_bounded (const char *text, gsize most)
{
  g_autofree char *valid = NULL;
  const char *end;

  if (text == NULL)
    return NULL;
  valid = beckon_text_make_valid (text, (gssize) strnlen (text, most + 1), NULL);
  if (strlen (valid) <= most)
    return g_steal_pointer (&valid);
  end = g_utf8_find_prev_char (valid, valid + most + 1);
  return g_strndup (valid, end != NULL ? (gsize) (end - valid) : 0);
}

static void
choice_free (gpointer data)
{
  BeckonChannelChoice *choice = data;

  g_free (choice->label);
  g_free (choice->code);
  g_free (choice);
}

BeckonChannelOutgoing *
beckon_channel_outgoing_new (const char *id, const char *address, const char *title, const char *text)
{
  BeckonChannelOutgoing *outgoing = g_atomic_rc_box_new0 (BeckonChannelOutgoing);

  outgoing->id = id != NULL ? g_strdup (id) : beckon_id_new ();
  outgoing->address = g_strdup (address);
  outgoing->title = g_strdup (title);
  outgoing->text = g_strdup (text);
  outgoing->choices = g_ptr_array_new_with_free_func (choice_free);
  return outgoing;
}

void
beckon_channel_outgoing_add_choice (BeckonChannelOutgoing *outgoing, const char *label, const char *code)
{
  BeckonChannelChoice *choice;

  g_return_if_fail (strlen (code) <= BECKON_CHANNEL_CODE_MAX);

  choice = g_new (BeckonChannelChoice, 1);
  choice->label = g_strdup (label);
  choice->code = g_strdup (code);
  g_ptr_array_add (outgoing->choices, choice);
}

static void
clear_outgoing (gpointer data)
{
  BeckonChannelOutgoing *outgoing = data;

  g_free (outgoing->id);
  g_free (outgoing->address);
  g_free (outgoing->title);
  g_free (outgoing->text);
  g_ptr_array_unref (outgoing->choices);
  g_free (outgoing->edits);
  g_free (outgoing->context);
  g_free (outgoing->conversation_id);
}

BECKON_COUNTED (BeckonChannelOutgoing, beckon_channel_outgoing, clear_outgoing)

static void
attachment_free (gpointer data)
{
  BeckonChannelAttachment *attachment = data;

  g_free (attachment->reference);
  g_free (attachment->name);
  g_free (attachment->media_type);
  g_free (attachment);
}

BeckonChannelIncoming *
beckon_channel_incoming_new (const char *id, const char *address, const char *text)
{
  BeckonChannelIncoming *incoming = g_atomic_rc_box_new0 (BeckonChannelIncoming);

  incoming->id = dup_bounded (id, BECKON_CHANNEL_ID_MAX);
  incoming->address = dup_bounded (address, BECKON_CHANNEL_ID_MAX);
  incoming->text = dup_bounded (text, BECKON_CHANNEL_TEXT_MAX);
  incoming->attachments = g_ptr_array_new_with_free_func (attachment_free);
  return incoming;
}

static void
bound (char **text, gsize most)
{
  char *bounded;

  if (*text == NULL || strlen (*text) <= most)
    return;
  bounded = dup_bounded (*text, most);
  g_free (*text);
  *text = bounded;
}

void
beckon_channel_incoming_bound (BeckonChannelIncoming *incoming)
{
  bound (&incoming->name, BECKON_CHANNEL_ID_MAX);
  bound (&incoming->quote, BECKON_CHANNEL_TEXT_MAX);
  bound (&incoming->code, BECKON_CHANNEL_ID_MAX);
  bound (&incoming->button_message, BECKON_CHANNEL_ID_MAX);
  /* Half of a context is none. */
  if (incoming->context != NULL && strlen (incoming->context) > BECKON_CHANNEL_REFERENCE_MAX)
    g_clear_pointer (&incoming->context, g_free);
}

void
beckon_channel_incoming_add_attachment (BeckonChannelIncoming *incoming, const char *reference, const char *name,
                                        const char *media_type, gint64 size)
{
  BeckonChannelAttachment *attachment;

  if (incoming->attachments->len == BECKON_CHANNEL_MAX_ATTACHMENTS || strlen (reference) > BECKON_CHANNEL_REFERENCE_MAX)
    return;
  attachment = g_new (BeckonChannelAttachment, 1);
  attachment->reference = g_strdup (reference);
  attachment->name = dup_bounded (name, BECKON_CHANNEL_ID_MAX);
  attachment->media_type = dup_bounded (media_type, BECKON_CHANNEL_ID_MAX);
  attachment->size = size;
  g_ptr_array_add (incoming->attachments, attachment);
}

static void
clear_incoming (gpointer data)
{
  BeckonChannelIncoming *incoming = data;

  g_free (incoming->id);
  g_free (incoming->address);
  g_free (incoming->name);
  g_free (incoming->text);
  g_free (incoming->code);
  g_free (incoming->button_message);
  g_free (incoming->quote);
  g_free (incoming->context);
  g_ptr_array_unref (incoming->attachments);
}

BECKON_COUNTED (BeckonChannelIncoming, beckon_channel_incoming, clear_incoming)
