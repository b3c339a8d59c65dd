/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-queued-message.h"

struct _BeckonQueuedMessage
{
  GObject parent_instance;

  GPtrArray *conversations; /* (owned) (element-type BeckonConversation) */
  GHashTable *stopping;     /* (owned) (element-type BeckonConversation): those of them whose run the person stops; borrowed */
};

G_DEFINE_FINAL_TYPE (BeckonQueuedMessage, beckon_queued_message, G_TYPE_OBJECT)

typedef enum
{
  SIGNAL_DUE,
  SIGNAL_DROPPED,
} BeckonQueuedMessageSignal;

static guint signals[SIGNAL_DROPPED + 1];

gboolean
beckon_queued_message_contains (BeckonQueuedMessage *self, BeckonConversation *conversation)
{
  g_return_val_if_fail (BECKON_IS_QUEUED_MESSAGE (self), FALSE);

  return g_ptr_array_find (self->conversations, conversation, NULL);
}

void
beckon_queued_message_remove (BeckonQueuedMessage *self, BeckonConversation *conversation)
{
  g_return_if_fail (BECKON_IS_QUEUED_MESSAGE (self));

  if (!beckon_queued_message_contains (self, conversation))
    return;

  g_signal_handlers_disconnect_by_data (conversation, self);
  g_hash_table_remove (self->stopping, conversation);
  g_ptr_array_remove (self->conversations, conversation);
}

static void
on_phase_changed (BeckonQueuedMessage *self, GParamSpec *pspec, BeckonConversation *conversation)
{
  BeckonRunPhase phase = beckon_conversation_get_phase (conversation);
  gboolean expected = phase == BECKON_RUN_COMPLETE || phase == BECKON_RUN_DISMISSED
                      || g_hash_table_contains (self->stopping, conversation);
  g_autoptr (BeckonConversation) kept = g_object_ref (conversation);

  if (!beckon_run_phase_is_end (phase))
    return;

  beckon_queued_message_remove (self, conversation);
  g_signal_emit (self, signals[expected ? SIGNAL_DUE : SIGNAL_DROPPED], 0, kept);
}

void
beckon_queued_message_add (BeckonQueuedMessage *self, BeckonConversation *conversation)
{
  g_return_if_fail (BECKON_IS_QUEUED_MESSAGE (self));

  if (beckon_queued_message_contains (self, conversation))
    return;

  g_ptr_array_add (self->conversations, g_object_ref (conversation));
  g_signal_connect_swapped (conversation, "notify::phase", G_CALLBACK (on_phase_changed), self);
}

void
beckon_queued_message_expect_stop (BeckonQueuedMessage *self, BeckonConversation *conversation)
{
  g_return_if_fail (BECKON_IS_QUEUED_MESSAGE (self));
  g_return_if_fail (beckon_queued_message_contains (self, conversation));

  g_hash_table_add (self->stopping, conversation);
}

static void
beckon_queued_message_dispose (GObject *object)
{
  BeckonQueuedMessage *self = BECKON_QUEUED_MESSAGE (object);

  while (self->conversations->len > 0)
    beckon_queued_message_remove (self, g_ptr_array_index (self->conversations, 0));
  G_OBJECT_CLASS (beckon_queued_message_parent_class)->dispose (object);
}

static void
beckon_queued_message_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_QUEUED_MESSAGE (object)->conversations);
  g_hash_table_unref (BECKON_QUEUED_MESSAGE (object)->stopping);
  G_OBJECT_CLASS (beckon_queued_message_parent_class)->finalize (object);
}

static guint
new_signal (const char *name)
{
  return g_signal_new (name, BECKON_TYPE_QUEUED_MESSAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                       BECKON_TYPE_CONVERSATION);
}

static void
beckon_queued_message_class_init (BeckonQueuedMessageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_queued_message_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_queued_message_finalize;
  signals[SIGNAL_DUE] = new_signal ("due");
  signals[SIGNAL_DROPPED] = new_signal ("dropped");
}

static void
beckon_queued_message_init (BeckonQueuedMessage *self)
{
  self->conversations = g_ptr_array_new_with_free_func (g_object_unref);
  self->stopping = g_hash_table_new (NULL, NULL);
}

BeckonQueuedMessage *
beckon_queued_message_new (void)
{
  return g_object_new (BECKON_TYPE_QUEUED_MESSAGE, NULL);
}
