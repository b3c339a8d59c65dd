/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-outbox.h"

struct _BeckonOutbox
{
  GObject parent_instance;

  GPtrArray *conversations; /* (owned) (element-type BeckonConversation) */
  GHashTable *stopping;     /* (owned) (element-type BeckonConversation): those of them whose run the person stops; borrowed */
};

G_DEFINE_FINAL_TYPE (BeckonOutbox, beckon_outbox, G_TYPE_OBJECT)

typedef enum
{
  SIGNAL_DUE,
  SIGNAL_DROPPED,
} BeckonOutboxSignal;

static guint signals[SIGNAL_DROPPED + 1];

gboolean
beckon_outbox_contains (BeckonOutbox *self, BeckonConversation *conversation)
{
  g_return_val_if_fail (BECKON_IS_OUTBOX (self), FALSE);

  return g_ptr_array_find (self->conversations, conversation, NULL);
}

void
beckon_outbox_remove (BeckonOutbox *self, BeckonConversation *conversation)
{
  g_return_if_fail (BECKON_IS_OUTBOX (self));

  if (!beckon_outbox_contains (self, conversation))
    return;

  g_signal_handlers_disconnect_by_data (conversation, self);
  g_hash_table_remove (self->stopping, conversation);
  g_ptr_array_remove (self->conversations, conversation);
}

static void
on_phase_changed (BeckonOutbox *self, GParamSpec *pspec, BeckonConversation *conversation)
{
  BeckonRunPhase phase = beckon_conversation_get_phase (conversation);
  gboolean expected = phase == BECKON_RUN_COMPLETE || phase == BECKON_RUN_DISMISSED
                      || g_hash_table_contains (self->stopping, conversation);
  g_autoptr (BeckonConversation) kept = g_object_ref (conversation);

  if (!beckon_run_phase_is_end (phase))
    return;

  beckon_outbox_remove (self, conversation);
  g_signal_emit (self, signals[expected ? SIGNAL_DUE : SIGNAL_DROPPED], 0, kept);
}

void
beckon_outbox_add (BeckonOutbox *self, BeckonConversation *conversation)
{
  g_return_if_fail (BECKON_IS_OUTBOX (self));

  if (beckon_outbox_contains (self, conversation))
    return;

  g_ptr_array_add (self->conversations, g_object_ref (conversation));
  g_signal_connect_swapped (conversation, "notify::phase", G_CALLBACK (on_phase_changed), self);
}

void
beckon_outbox_expect_stop (BeckonOutbox *self, BeckonConversation *conversation)
{
  g_return_if_fail (BECKON_IS_OUTBOX (self));
  g_return_if_fail (beckon_outbox_contains (self, conversation));

  g_hash_table_add (self->stopping, conversation);
}

static void
beckon_outbox_dispose (GObject *object)
{
  BeckonOutbox *self = BECKON_OUTBOX (object);

  while (self->conversations->len > 0)
    beckon_outbox_remove (self, g_ptr_array_index (self->conversations, 0));
  G_OBJECT_CLASS (beckon_outbox_parent_class)->dispose (object);
}

static void
beckon_outbox_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_OUTBOX (object)->conversations);
  g_hash_table_unref (BECKON_OUTBOX (object)->stopping);
  G_OBJECT_CLASS (beckon_outbox_parent_class)->finalize (object);
}

static guint
new_signal (const char *name)
{
  return g_signal_new (name, BECKON_TYPE_OUTBOX, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                       BECKON_TYPE_CONVERSATION);
}

static void
beckon_outbox_class_init (BeckonOutboxClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_outbox_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_outbox_finalize;
  signals[SIGNAL_DUE] = new_signal ("due");
  signals[SIGNAL_DROPPED] = new_signal ("dropped");
}

static void
beckon_outbox_init (BeckonOutbox *self)
{
  self->conversations = g_ptr_array_new_with_free_func (g_object_unref);
  self->stopping = g_hash_table_new (NULL, NULL);
}

BeckonOutbox *
beckon_outbox_new (void)
{
  return g_object_new (BECKON_TYPE_OUTBOX, NULL);
}
