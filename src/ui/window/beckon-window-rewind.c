/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "ui/conversation/beckon-rewind-window.h"
#include "ui/widgets/beckon-toast.h"

#include <glib/gi18n-lib.h>

/* The folder becomes what it was when a message was sent, once the person has seen what that does. There is a way back. */

typedef struct
{
  BeckonWindow *window;             /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  char *message_id;                 /* (owned) */
  GPtrArray *calls;                 /* (owned) (element-type BeckonToolCall) */
  gboolean with_conversation;
} Job;

static void
job_free (Job *job)
{
  g_object_unref (job->window);
  g_object_unref (job->conversation);
  g_free (job->message_id);
  g_ptr_array_unref (job->calls);
  g_free (job);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Job, job_free)

static BeckonFileCopies *
get_copies (BeckonWindow *self)
{
  return BECKON_FILE_COPIES (beckon_runtime_get_store (self->runtime));
}

/* --- The way back ------------------------------------------------------------------------------------------------- */

static void
on_redone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRewind) redone = beckon_rewind_redo_finish (BECKON_FILE_COPIES (source), result, &error);

  if (redone == NULL)
    beckon_window_toast (self, error->message);
  else if (beckon_rewind_count (redone, BECKON_REWIND_REFUSED) > 0)
    beckon_window_toast (self, _("The rewind was undone, except for files changed since"));
  else
    beckon_window_toast (self, _("The rewind was undone"));
}

static void
on_undo (AdwToast *toast, BeckonWindow *self)
{
  BeckonConversation *conversation = g_object_get_data (G_OBJECT (toast), "conversation");

  if (self->runtime != NULL)
    beckon_rewind_redo_async (get_copies (self), beckon_conversation_get_id (conversation),
                              g_object_get_data (G_OBJECT (toast), "calls"), "window", NULL, on_redone, g_object_ref (self));
}

/* A new question is about the folder as it is now, and its card is to be seen. */
static void
on_inbox_changed (AdwToast *toast, guint position, guint n_removed, guint n_added)
{
  if (n_added > 0)
    adw_toast_dismiss (toast);
}

static void
offer_undo (Job *job, const BeckonRewind *rewind)
{
  BeckonWindow *self = job->window;
  g_autofree char *words = beckon_rewind_dup_summary (rewind);
  AdwToast *toast = beckon_toast_new (words);

  g_object_set_data_full (G_OBJECT (toast), "conversation", g_object_ref (job->conversation), g_object_unref);
  g_object_set_data_full (G_OBJECT (toast), "calls", g_ptr_array_ref (rewind->calls), (GDestroyNotify) g_ptr_array_unref);
  g_signal_connect_object (beckon_runtime_get_inbox (self->runtime), "items-changed", G_CALLBACK (on_inbox_changed), toast,
                           G_CONNECT_SWAPPED);
  beckon_window_offer_undo (self, toast, G_CALLBACK (on_undo));
  beckon_window_say (self, words);
}

/* --- Rewinding ---------------------------------------------------------------------------------------------------- */

static const char *
find_refusal (const BeckonRewind *rewind)
{
  for (guint i = 0; i < rewind->files->len; i++)
    {
      const BeckonRewindFile *file = g_ptr_array_index (rewind->files, i);

      if (file->fate == BECKON_REWIND_REFUSED)
        return file->why;
    }
  return _("Nothing has changed since this message");
}

static void
on_rewound (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Job) job = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRewind) rewind = beckon_rewind_finish (BECKON_FILE_COPIES (source), result, &error);

  if (job->window->runtime == NULL)
    return;
  if (rewind == NULL)
    {
      beckon_window_toast (job->window, error->message);
      return;
    }
  if (rewind->calls->len > 0)
    offer_undo (job, rewind);
  else
    beckon_window_toast (job->window, find_refusal (rewind));
  if (job->with_conversation)
    {
      BeckonMessage *message = beckon_conversation_find_message (job->conversation, job->message_id);

      if (message != NULL && job->window->view != NULL && job->window->conversation == job->conversation)
        beckon_conversation_view_edit_message (job->window->view, message);
    }
}

static void
start (Job *job)
{
  beckon_rewind_async (get_copies (job->window), beckon_conversation_get_id (job->conversation), job->calls, "window", NULL,
                       on_rewound, job);
}

/* The signal's data is freed with the window it belongs to. */
static void
on_rewind (BeckonRewindWindow *dialog, gboolean with_conversation, Job *wanted)
{
  Job *job;

  if (wanted->window->runtime == NULL)
    return;
  job = g_new0 (Job, 1);
  job->window = g_object_ref (wanted->window);
  job->conversation = g_object_ref (wanted->conversation);
  job->message_id = g_strdup (wanted->message_id);
  job->calls = g_ptr_array_ref (wanted->calls);
  job->with_conversation = with_conversation;
  start (job);
}

static void
on_dialog_gone (gpointer data, GClosure *closure)
{
  job_free (data);
}

static void
show_dialog (BeckonWindow *self, BeckonMessage *message, GPtrArray *calls)
{
  g_autofree char *words = beckon_message_dup_text (message);
  GtkWidget *dialog = beckon_rewind_window_new (get_copies (self), calls, words);
  Job *job = g_new0 (Job, 1);

  job->window = g_object_ref (self);
  job->conversation = g_object_ref (self->conversation);
  job->message_id = g_strdup (beckon_message_get_id (message));
  job->calls = g_ptr_array_ref (calls);
  g_signal_connect_data (dialog, "rewind", G_CALLBACK (on_rewind), job, on_dialog_gone, 0);
  beckon_sheet_present (BECKON_SHEET (dialog), GTK_WIDGET (self));
}

/* An agent at work changes the folder meanwhile. */
static gboolean
may_rewind (BeckonWindow *self)
{
  if (!beckon_agent_is_driving (beckon_runtime_get_agent (self->runtime), beckon_conversation_get_id (self->conversation)))
    return TRUE;

  beckon_window_toast (self, _("The agent is working. Stop it, then rewind the folder."));
  return FALSE;
}

static void
rewind_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *id = g_variant_get_string (parameter, NULL);
  BeckonMessage *message = self->conversation != NULL ? beckon_conversation_find_message (self->conversation, id) : NULL;
  g_autoptr (GPtrArray) calls = NULL;

  if (self->runtime == NULL || message == NULL)
    return;
  if (!may_rewind (self))
    return;
  calls = beckon_rewind_list_calls (self->conversation, id);
  if (calls->len > 0)
    show_dialog (self, message, calls);
  else
    beckon_window_toast (self, _("Nothing has changed since this message"));
}

/* The calls are those of the time in which the person was away, or some of them. */
static void
undo_calls_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  Job *job;

  if (self->runtime == NULL || self->conversation == NULL || !may_rewind (self))
    return;
  job = g_new0 (Job, 1);
  job->window = g_object_ref (self);
  job->conversation = g_object_ref (self->conversation);
  job->calls = g_ptr_array_new_with_free_func (g_object_unref);
  for (gsize i = 0; i < g_variant_n_children (parameter); i++)
    {
      const char *id;
      BeckonToolCall *call;

      g_variant_get_child (parameter, i, "&s", &id);
      call = beckon_conversation_find_call (self->conversation, id);
      if (call != NULL)
        g_ptr_array_add (job->calls, g_object_ref (call));
    }
  start (job);
}

void
beckon_window_install_rewind (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.undo-calls", "as", undo_calls_action);
  gtk_widget_class_install_action (widget_class, "win.rewind", "s", rewind_action);
}
