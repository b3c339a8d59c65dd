/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-inhibitor.h"

#include <glib/gi18n-lib.h>

/* Most tools are over sooner, and a call that is only being decided looks the same. */
#define BEGIN_AFTER_MS 300

struct _BeckonInhibitor
{
  GObject parent_instance;

  GtkApplication *application; /* (unowned): owns us */
  GHashTable *driven;          /* (element-type BeckonConversation): whose runs this process drives */
  guint begin_id;              /* it has just begun */
  guint cookie;                /* 0: nothing is held up */
};

G_DEFINE_FINAL_TYPE (BeckonInhibitor, beckon_inhibitor, G_TYPE_OBJECT)

static gboolean
inhibitor_begin (gpointer user_data)
{
  BeckonInhibitor *self = user_data;

  self->begin_id = 0;
  self->cookie = gtk_application_inhibit (self->application, gtk_application_get_active_window (self->application),
                                          GTK_APPLICATION_INHIBIT_LOGOUT | GTK_APPLICATION_INHIBIT_SUSPEND,
                                          /* Translators: why the computer should not be switched off now */
                                          _("A tool of an agent is running"));
  return G_SOURCE_REMOVE;
}

static void
inhibitor_end (BeckonInhibitor *self)
{
  g_clear_handle_id (&self->begin_id, g_source_remove);
  if (self->cookie != 0)
    gtk_application_uninhibit (self->application, self->cookie);
  self->cookie = 0;
}

static void
inhibitor_update (BeckonInhibitor *self)
{
  GHashTableIter iter;
  gpointer conversation;
  gboolean wanted = FALSE;

  g_hash_table_iter_init (&iter, self->driven);
  while (!wanted && g_hash_table_iter_next (&iter, &conversation, NULL))
    wanted = beckon_conversation_get_has_run (conversation)
             && beckon_conversation_get_phase (conversation) == BECKON_RUN_CALLING;
  if (!wanted)
    inhibitor_end (self);
  else if (self->cookie == 0 && self->begin_id == 0)
    self->begin_id = g_timeout_add (BEGIN_AFTER_MS, inhibitor_begin, self);
}

static void
on_driven (BeckonInhibitor *self, BeckonConversation *conversation)
{
  if (g_hash_table_add (self->driven, g_object_ref (conversation)))
    g_signal_connect_object (conversation, "notify::phase", G_CALLBACK (inhibitor_update), self, G_CONNECT_SWAPPED);
  inhibitor_update (self);
}

static void
on_detached (BeckonInhibitor *self, BeckonConversation *conversation)
{
  g_signal_handlers_disconnect_by_func (conversation, inhibitor_update, self);
  g_hash_table_remove (self->driven, conversation);
  inhibitor_update (self);
}

static void
beckon_inhibitor_dispose (GObject *object)
{
  BeckonInhibitor *self = BECKON_INHIBITOR (object);

  inhibitor_end (self);
  g_hash_table_remove_all (self->driven);
  G_OBJECT_CLASS (beckon_inhibitor_parent_class)->dispose (object);
}

static void
beckon_inhibitor_finalize (GObject *object)
{
  g_hash_table_unref (BECKON_INHIBITOR (object)->driven);
  G_OBJECT_CLASS (beckon_inhibitor_parent_class)->finalize (object);
}

static void
beckon_inhibitor_class_init (BeckonInhibitorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_inhibitor_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_inhibitor_finalize;
}

static void
beckon_inhibitor_init (BeckonInhibitor *self)
{
  self->driven = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
}

BeckonInhibitor *
beckon_inhibitor_new (GtkApplication *application, BeckonRuntime *runtime)
{
  BeckonInhibitor *self = g_object_new (BECKON_TYPE_INHIBITOR, NULL);
  BeckonAgent *agent = beckon_runtime_get_agent (runtime);

  self->application = application;
  g_signal_connect_object (agent, "driven", G_CALLBACK (on_driven), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (agent, "detached", G_CALLBACK (on_detached), self, G_CONNECT_SWAPPED);
  return self;
}
