/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "base/beckon-text.h"
#include "tools/beckon-command.h"
#include "tools/beckon-undo.h"
#include "ui/conversation/beckon-rewind-window.h"
#include "ui/widgets/beckon-alert.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The runs of all conversations together: stopping them, and what becomes of them when the program ends. */

#define MOST_LINES 5
/* The window that an alert is about. */
#define WINDOW "beckon-window"

/* A run's fate at the program's end. */
typedef enum
{
  FATE_NONE,    /* there is none, or another process drives it */
  FATE_RESUMES, /* it waits, and waits again after the next start */
  FATE_TOOLS,   /* tools run: they end, and the run goes on after the next start */
  FATE_CUT_OFF, /* the reply is lost from here on */
  FATE_LOST,    /* so is the conversation */
} Fate;

static Fate
get_fate (BeckonWindow *self, BeckonConversation *conversation)
{
  BeckonRunPhase phase = beckon_conversation_get_phase (conversation);
  BeckonRunPhase next;

  if (!beckon_conversation_is_busy (conversation) ||
      !beckon_agent_is_driving (window_get_agent (self), beckon_conversation_get_id (conversation)))
    return FATE_NONE;
  if (beckon_conversation_get_temporary (conversation))
    return FATE_LOST;
  if (phase == BECKON_RUN_CALLING)
    return FATE_TOOLS;
  if (!beckon_run_phase_next (phase, BECKON_RUN_EVENT_HOLDER_DIED, &next) || beckon_run_phase_is_end (next))
    return FATE_CUT_OFF;
  return FATE_RESUMES;
}

/* (transfer full) (element-type BeckonConversation): those with a fate. */
static GPtrArray *
list_runs (BeckonWindow *self)
{
  GListModel *library = self->runtime != NULL ? G_LIST_MODEL (window_get_library (self)) : NULL;
  guint n = library != NULL ? g_list_model_get_n_items (library) : 0;
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonConversation) conversation = g_list_model_get_item (library, i);

      if (get_fate (self, conversation) != FATE_NONE)
        g_ptr_array_add (runs, g_steal_pointer (&conversation));
    }
  return runs;
}

guint
beckon_window_count_runs (BeckonWindow *self)
{
  g_autoptr (GPtrArray) runs = list_runs (self);

  return runs->len;
}

static void
stop_all_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  g_autofree char *text = NULL;
  GListModel *library = self->runtime != NULL ? G_LIST_MODEL (window_get_library (self)) : NULL;
  g_autoptr (GPtrArray) busy = g_ptr_array_new_with_free_func (g_object_unref);
  guint n;

  /* Those that other processes drive, too. */
  for (guint i = 0; library != NULL && i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (BeckonConversation) conversation = g_list_model_get_item (library, i);

      if (beckon_conversation_is_busy (conversation))
        g_ptr_array_add (busy, g_steal_pointer (&conversation));
    }
  for (guint i = 0; i < busy->len; i++)
    beckon_agent_stop (window_get_agent (self), g_ptr_array_index (busy, i));

  n = busy->len;
  if (n > 0)
    text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u conversation stopped", "%u conversations stopped", n), n);
  beckon_window_toast (self, n > 0 ? text : _("Nothing is running"));
}

/* Quitting */

typedef struct
{
  GString *lines;
  guint n_lines;
  gboolean loses;
} Parting;

static const char *
window_runs_describe_fate (Fate fate)
{
  switch (fate)
    {
    case FATE_RESUMES:
      /* Translators: %s is the title of a conversation */
      return _("• “%s” is waiting for you, and will be at the next start.");

    case FATE_TOOLS:
      /* Translators: %s is the title of a conversation */
      return _("• The tool running in “%s” will be ended. The agent resumes at the next start, and asks if it can’t tell "
               "what was done.");

    case FATE_LOST:
      /* Translators: %s is the title of a conversation */
      return _("• “%s” is temporary and will be lost.");

    case FATE_NONE:
    case FATE_CUT_OFF:
    default:
      /* Translators: %s is the title of a conversation */
      return _("• The reply in “%s” will be interrupted. The part received so far is kept, and you can retry.");
    }
}

static void
close_for_good (gpointer user_data)
{
  g_autoptr (GApplication) application = user_data;

  g_action_group_activate_action (G_ACTION_GROUP (application), "close-all", NULL);
}

/* Once the dialog is through with its answer: the window takes it along when it goes. */
static void
on_quit_response (GtkWidget *alert, const char *response, BeckonWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application == NULL)
    return;
  if (g_strcmp0 (response, "background") == 0)
    g_action_group_activate_action (G_ACTION_GROUP (application), "stay", NULL);
  else if (g_strcmp0 (response, "quit") != 0)
    return;

  g_idle_add_once (close_for_good, g_object_ref (application));
}

static Parting
describe_parting (BeckonWindow *self)
{
  Parting parting = { .lines = g_string_new (NULL) };
  g_autoptr (GPtrArray) runs = list_runs (self);

  for (guint i = 0; i < runs->len; i++)
    {
      Fate fate = get_fate (self, g_ptr_array_index (runs, i));
      g_autofree char *title = beckon_window_dup_title (g_ptr_array_index (runs, i), BECKON_WINDOW_TITLE_CHARS);
      const char *format = window_runs_describe_fate (fate);
      const char *place = strstr (format, "%s");

      parting.loses = parting.loses || fate != FATE_RESUMES;
      if (++parting.n_lines > MOST_LINES || place == NULL)
        continue;
      g_string_append (parting.lines, parting.lines->len > 0 ? "\n" : "");
      g_string_append_len (parting.lines, format, place - format);
      g_string_append (parting.lines, title);
      g_string_append (parting.lines, place + 2);
    }
  if (parting.n_lines > MOST_LINES)
    g_string_append_printf (parting.lines,
                            g_dngettext (GETTEXT_PACKAGE, "\n• And %u more", "\n• And %u more", parting.n_lines - MOST_LINES),
                            parting.n_lines - MOST_LINES);
  return parting;
}

static void
show_parting (GtkWidget *alert, const Parting *parting)
{
  gboolean at_work = parting->n_lines > 0;

  g_object_set (alert, "heading", at_work ? _("Quit While the Agent Is Working?") : _("The Agent Has Finished"), "body",
                at_work ? parting->lines->str : _("Nothing is running now."), NULL);
  beckon_alert_set_enabled (alert, "background", at_work);
  beckon_alert_set_appearance (alert, "quit", parting->loses ? ADW_RESPONSE_DESTRUCTIVE : ADW_RESPONSE_DEFAULT);
}

/* A run may end, or come to wait, while its person reads what quitting would do to it. */
static void
on_run_changed (BeckonConversation *conversation, GParamSpec *pspec, GtkWidget *alert)
{
  BeckonWindow *self = g_object_get_data (G_OBJECT (alert), WINDOW);
  Parting parting = describe_parting (self);

  show_parting (alert, &parting);
  g_string_free (parting.lines, TRUE);
}

gboolean
beckon_window_ask_before_quitting (BeckonWindow *self)
{
  Parting parting = describe_parting (self);

  if (parting.loses)
    {
      GtkWidget *alert = beckon_alert_new (NULL, NULL);
      g_autoptr (GPtrArray) runs = list_runs (self);

      g_object_set_data_full (G_OBJECT (alert), WINDOW, g_object_ref (self), g_object_unref);
      beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "background", _("_Keep Running"), "quit",
                                  _("_Quit"), NULL);
      beckon_alert_set_defaults (alert, "cancel", "cancel");
      show_parting (alert, &parting);
      for (guint i = 0; i < runs->len; i++)
        g_signal_connect_object (g_ptr_array_index (runs, i), "notify::phase", G_CALLBACK (on_run_changed), alert, 0);
      g_signal_connect_object (alert, "response", G_CALLBACK (on_quit_response), self, 0);
      beckon_alert_present (alert, GTK_WIDGET (self));
    }
  g_string_free (parting.lines, TRUE);
  return parting.loses;
}

void
beckon_window_close_now (BeckonWindow *self)
{
  self->quitting = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

/* --- Changes of one call ------------------------------------------------------------------------------------------ */

/* Changes of a tool or a command are undone, or made again, and those of one that runs land. The card shows by itself what
 * became of them. */

typedef struct
{
  BeckonWindow *window; /* (owned) */
  BeckonToolCall *call; /* (owned) */
} Change;

static void
window_runs_change_free (Change *change)
{
  g_object_unref (change->window);
  g_object_unref (change->call);
  g_free (change);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Change, window_runs_change_free)

/* (nullable): the call is not there any more. */
static Change *
change_new (BeckonWindow *self, const char *call_id)
{
  BeckonToolCall *call = self->conversation != NULL ? beckon_conversation_find_call (self->conversation, call_id) : NULL;
  Change *change;

  if (self->runtime == NULL || call == NULL)
    return NULL;
  change = g_new0 (Change, 1);
  change->window = g_object_ref (self);
  change->call = g_object_ref (call);
  return change;
}

/* Which files were left as they are, and why, is on the card. */
static guint
count_refused (Change *change)
{
  g_autoptr (GPtrArray) refused = beckon_undo_list_refused (change->call);

  return refused->len;
}

static void
on_change_undone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Change) change = user_data;
  g_autoptr (GError) error = NULL;
  guint n;
  g_autofree char *words = NULL;

  if (!beckon_undo_finish (BECKON_FILE_COPIES (source), result, &error))
    {
      beckon_window_toast (change->window, error->message);
      return;
    }
  n = count_refused (change);
  words = n == 0 ? g_strdup (_("The change was undone"))
                 : g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Undone, except for %u file that stays as it is",
                                                 "Undone, except for %u files that stay as they are", n), n);
  beckon_window_toast (change->window, words);
}

static void
on_change_redone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Change) change = user_data;
  g_autoptr (GError) error = NULL;
  guint n;
  g_autofree char *words = NULL;

  if (!beckon_redo_finish (BECKON_FILE_COPIES (source), result, &error))
    {
      beckon_window_toast (change->window, error->message);
      return;
    }
  n = count_refused (change);
  words = n == 0 ? g_strdup (_("The change was redone"))
                 : g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Redone, except for %u file that stays as it is",
                                                 "Redone, except for %u files that stay as they are", n), n);
  beckon_window_toast (change->window, words);
}

static void
undo_change_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  Change *change = change_new (self, g_variant_get_string (parameter, NULL));

  if (change != NULL)
    beckon_undo_async (BECKON_FILE_COPIES (beckon_runtime_get_store (self->runtime)),
                       beckon_conversation_get_id (self->conversation), change->call, "window", NULL, on_change_undone, change);
}

static void
redo_change_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  Change *change = change_new (self, g_variant_get_string (parameter, NULL));

  if (change != NULL)
    beckon_redo_async (BECKON_FILE_COPIES (beckon_runtime_get_store (self->runtime)),
                       beckon_conversation_get_id (self->conversation), change->call, "window", NULL, on_change_redone, change);
}

/* A landing is said on its card, so a toast is for the other ends. */
static void
on_landed_now (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Change) change = user_data;
  g_autoptr (GError) error = NULL;

  switch (beckon_agent_land_now_finish (BECKON_AGENT (source), result, &error))
    {
    case BECKON_LAND_NOW_NOTHING:
      beckon_window_toast (change->window, _("The command has changed nothing yet"));
      return;
    case BECKON_LAND_NOW_WAITS:
      beckon_window_toast (change->window, _("You will be asked about these changes when the command ends"));
      return;
    case BECKON_LAND_NOW_ASKED:
      return;
    case BECKON_LAND_NOW_LANDED:
      beckon_window_toast (change->window, _("The changes so far are in the folder"));
      return;
    case BECKON_LAND_NOW_FAILED:
    default:
      beckon_window_toast (change->window, error->message);
    }
}

static void
land_now_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  Change *change = change_new (self, g_variant_get_string (parameter, NULL));

  if (change != NULL)
    beckon_agent_land_now_async (window_get_agent (self), self->conversation, change->call, on_landed_now,
                                 change);
}

/* Its changes are saved as at any end. */
static void
end_command_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  g_autoptr (Change) change = change_new (self, g_variant_get_string (parameter, NULL));

  if (change != NULL)
    beckon_command_end (change->call, "the user stopped it");
}

/* --- Rewinding ---------------------------------------------------------------------------------------------------- */

/* The folder becomes what it was when a message was sent, once the person has seen what that does. There is a way back. */

typedef struct
{
  BeckonWindow *window;             /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  char *message_id;                 /* (owned) */
  GPtrArray *calls;                 /* (owned) (element-type BeckonToolCall) */
  gboolean with_conversation;
} Job;

static Job *
job_new (BeckonWindow *self, BeckonConversation *conversation, const char *message_id, GPtrArray *calls)
{
  Job *job = g_new0 (Job, 1);

  job->window = g_object_ref (self);
  job->conversation = g_object_ref (conversation);
  job->message_id = g_strdup (message_id);
  job->calls = g_ptr_array_ref (calls);
  return job;
}

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

static void
on_rewind_undone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRewind) redone = beckon_rewind_redo_finish (BECKON_FILE_COPIES (source), result, &error);

  if (redone == NULL)
    beckon_window_toast (self, error->message);
  else if (beckon_rewind_has_refused (redone))
    beckon_window_toast (self, _("The rewind was undone, except for files changed since"));
  else
    beckon_window_toast (self, _("The rewind was undone"));
}

static void
on_undo_rewind (AdwToast *toast, BeckonWindow *self)
{
  BeckonConversation *conversation = g_object_get_data (G_OBJECT (toast), "conversation");

  if (self->runtime != NULL)
    beckon_rewind_redo_async (get_copies (self), beckon_conversation_get_id (conversation),
                              g_object_get_data (G_OBJECT (toast), "calls"), "window", NULL, on_rewind_undone,
                              g_object_ref (self));
}

/* A new question is about the folder as it is now, and its card is to be seen. */
static void
on_inbox_changed_behind_toast (AdwToast *toast, guint position, guint n_removed, guint n_added)
{
  if (n_added > 0)
    adw_toast_dismiss (toast);
}

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
    {
      BeckonWindow *self = job->window;
      g_autofree char *words = beckon_rewind_dup_summary (rewind);
      AdwToast *toast = beckon_toast_new (words);

      g_object_set_data_full (G_OBJECT (toast), "conversation", g_object_ref (job->conversation), g_object_unref);
      g_object_set_data_full (G_OBJECT (toast), "calls", g_ptr_array_ref (rewind->calls), (GDestroyNotify) g_ptr_array_unref);
      g_signal_connect_object (beckon_runtime_get_inbox (self->runtime), "items-changed",
                               G_CALLBACK (on_inbox_changed_behind_toast), toast, G_CONNECT_SWAPPED);
      beckon_window_offer_undo (self, toast, G_CALLBACK (on_undo_rewind));
      beckon_window_say (self, words);
    }
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
rewind_start (Job *job)
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
  job = job_new (wanted->window, wanted->conversation, wanted->message_id, wanted->calls);
  job->with_conversation = with_conversation;
  rewind_start (job);
}

static void
on_rewind_dialog_gone (gpointer data, GClosure *closure)
{
  job_free (data);
}

/* An agent at work changes the folder meanwhile. */
static gboolean
may_rewind (BeckonWindow *self)
{
  if (!beckon_agent_is_driving (window_get_agent (self), beckon_conversation_get_id (self->conversation)))
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
    {
      g_autofree char *words = beckon_message_dup_text (message);
      GtkWidget *dialog = beckon_rewind_window_new (get_copies (self), calls, words);
      Job *job = job_new (self, self->conversation, beckon_message_get_id (message), calls);

      g_signal_connect_data (dialog, "rewind", G_CALLBACK (on_rewind), job, on_rewind_dialog_gone, 0);
      beckon_sheet_present (BECKON_SHEET (dialog), GTK_WIDGET (self));
    }
  else
    beckon_window_toast (self, _("Nothing has changed since this message"));
}

/* The calls are those of the time in which the person was away, or some of them. */
static void
undo_calls_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func (g_object_unref);

  if (self->runtime == NULL || self->conversation == NULL || !may_rewind (self))
    return;
  for (gsize i = 0; i < g_variant_n_children (parameter); i++)
    {
      const char *id;
      BeckonToolCall *call;

      g_variant_get_child (parameter, i, "&s", &id);
      call = beckon_conversation_find_call (self->conversation, id);
      if (call != NULL)
        g_ptr_array_add (calls, g_object_ref (call));
    }
  rewind_start (job_new (self, self->conversation, NULL, calls));
}

void
beckon_window_install_runs (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.stop-all", NULL, stop_all_action);
  gtk_widget_class_install_action (widget_class, "win.undo-change", "s", undo_change_action);
  gtk_widget_class_install_action (widget_class, "win.redo-change", "s", redo_change_action);
  gtk_widget_class_install_action (widget_class, "win.land-now", "s", land_now_action);
  gtk_widget_class_install_action (widget_class, "win.end-command", "s", end_command_action);
  gtk_widget_class_install_action (widget_class, "win.undo-calls", "as", undo_calls_action);
  gtk_widget_class_install_action (widget_class, "win.rewind", "s", rewind_action);
}
