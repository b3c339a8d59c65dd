/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "base/beckon-error.h"

/* Messages that wait for the end of the turn, or for the agent's next step. */

typedef struct
{
  BeckonWindow *window;             /* (owned) */
  BeckonConversation *conversation; /* (owned): the person may look at another one by then */
} Queueing;

static Queueing *
queueing_new (BeckonWindow *self, BeckonConversation *conversation)
{
  Queueing *queueing = g_new0 (Queueing, 1);

  queueing->window = g_object_ref (self);
  queueing->conversation = g_object_ref (conversation);
  return queueing;
}

static void
queueing_free (Queueing *queueing)
{
  g_object_unref (queueing->window);
  g_object_unref (queueing->conversation);
  g_free (queueing);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Queueing, queueing_free)

static BeckonAgent *
get_agent (BeckonWindow *self)
{
  return beckon_runtime_get_agent (self->runtime);
}

static void
on_queued (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Queueing) queueing = user_data;
  g_autoptr (GError) error = NULL;

  beckon_agent_queue_finish (BECKON_AGENT (source), result, &error);
  beckon_window_note_sent (queueing->window, queueing->conversation, error);
}

static void
on_queue (BeckonWindow *self, BeckonConversation *conversation, const char *text)
{
  g_autoptr (GPtrArray) files = beckon_conversation_view_list_files (self->view);

  beckon_agent_queue_async (get_agent (self), conversation, text, files, FALSE, NULL, on_queued,
                            queueing_new (self, conversation));
}

/* A message that was sent meanwhile is no error. */
static void
show_error (Queueing *queueing, const GError *error)
{
  if (error != NULL && queueing->window->runtime != NULL && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    beckon_window_toast (queueing->window, error->message);
}

static void
on_sent_now (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Queueing) queueing = user_data;
  g_autoptr (GError) error = NULL;

  beckon_agent_send_queued_finish (BECKON_AGENT (source), result, &error);
  show_error (queueing, error);
}

static BeckonQueueItem *
find_item (BeckonWindow *self, GVariant *parameter)
{
  return self->runtime != NULL && self->conversation != NULL
             ? beckon_conversation_find_queued (self->conversation, g_variant_get_string (parameter, NULL))
             : NULL;
}

static void
focus_composer (BeckonWindow *self)
{
  if (self->view != NULL)
    beckon_conversation_view_focus_composer (self->view);
}

static void
send_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (find_item (self, parameter) == NULL)
    return;
  beckon_agent_send_queued_async (get_agent (self), self->conversation, g_variant_get_string (parameter, NULL), NULL,
                                  on_sent_now, queueing_new (self, self->conversation));
  focus_composer (self);
}

static void
on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Queueing) queueing = user_data;
  g_autoptr (GError) error = NULL;

  beckon_agent_remove_queued_finish (BECKON_AGENT (source), result, &error);
  show_error (queueing, error);
}

static void
on_edited (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Queueing) queueing = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *self;

  beckon_agent_remove_queued_finish (BECKON_AGENT (source), result, &error);
  show_error (queueing, error);
  self = queueing->window;
  if (self->view == NULL || beckon_conversation_view_get_conversation (self->view) != queueing->conversation)
    return;
  /* Letters that were typed meanwhile come behind it. */
  beckon_conversation_view_follow_draft (queueing->window->view);
  beckon_conversation_view_set_locked (queueing->window->view, FALSE);
  focus_composer (queueing->window);
}

/* Its text and files become the draft again, where there is none. */
static void
edit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  BeckonQueueItem *item = find_item (self, parameter);

  if (item == NULL || self->view == NULL || !beckon_conversation_has_empty_draft (self->conversation))
    return;
  beckon_conversation_view_set_locked (self->view, TRUE);
  beckon_agent_remove_queued_async (get_agent (self), self->conversation, beckon_queue_item_get_id (item),
                                    beckon_queue_item_get_text (item), NULL, on_edited,
                                    queueing_new (self, self->conversation));
}

static void
remove_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (find_item (self, parameter) == NULL)
    return;
  beckon_agent_remove_queued_async (get_agent (self), self->conversation, g_variant_get_string (parameter, NULL), NULL, NULL,
                                    on_removed, queueing_new (self, self->conversation));
  focus_composer (self);
}

void
beckon_window_connect_queue (BeckonWindow *self)
{
  g_signal_connect_object (self->view, "queue", G_CALLBACK (on_queue), self, G_CONNECT_SWAPPED);
}

void
beckon_window_install_queue (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.queued-send", "s", send_action);
  gtk_widget_class_install_action (widget_class, "win.queued-edit", "s", edit_action);
  gtk_widget_class_install_action (widget_class, "win.queued-remove", "s", remove_action);
}
