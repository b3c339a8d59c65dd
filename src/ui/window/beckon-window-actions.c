/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "base/beckon-error.h"
#include "base/beckon-worker.h"
#include "library/beckon-recent-folders.h"
#include "sandbox/beckon-working-folder.h"
#include "settings/beckon-preset.h"
#include "store/queries/beckon-store-answers.h"
#include "ui/cards/beckon-answer-changer.h"
#include "ui/preferences/beckon-parameter-editor.h"
#include "ui/preferences/beckon-profile-editor.h"
#include "ui/waiting/beckon-waiting-page.h"

#include <glib/gi18n-lib.h>

/* Actions of a person in the window, carried to the agent and the store. */

/* How long another process may take to stop its run before the person is told that it does not respond. */
#define STOP_PATIENCE_MS (3 * 1000)

/* An action that takes its time: the person may look at another conversation by its end. */
typedef struct
{
  BeckonWindow *window;             /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  GStrv message_ids;                /* (owned) (nullable): that are deleted */
} Errand;

static Errand *
errand_new (BeckonWindow *self, BeckonConversation *conversation)
{
  Errand *errand = g_new0 (Errand, 1);

  errand->window = g_object_ref (self);
  errand->conversation = g_object_ref (conversation);
  return errand;
}

static void
errand_free (Errand *errand)
{
  g_object_unref (errand->window);
  g_object_unref (errand->conversation);
  g_strfreev (errand->message_ids);
  g_free (errand);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Errand, errand_free)

/* The person may look at another conversation by now. */
static void
window_note_sent (BeckonWindow *self, BeckonConversation *conversation, const GError *error)
{
  g_autofree char *ahead = NULL;
  g_autofree char *draft = NULL;

  if (self->view == NULL || self->runtime == NULL)
    return;
  ahead = beckon_conversation_view_sent (self->view, conversation, error);
  if (ahead != NULL)
    {
      draft = g_strconcat (beckon_conversation_get_draft (conversation), ahead, NULL);
      beckon_library_save_draft (window_get_library (self), conversation, draft);
    }
  if (error != NULL && beckon_conversation_view_get_conversation (self->view) != conversation)
    beckon_window_toast (self, error->message);
}

static void
window_actions_on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *self = errand->window;

  if (beckon_agent_send_finish (BECKON_AGENT (source), result, &error) && self->runtime != NULL)
    beckon_library_save_draft (window_get_library (self), errand->conversation, "");
  window_note_sent (self, errand->conversation, error);
}

/* The draft was put aside meanwhile, and comes back. */
static void
on_edited (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  g_autoptr (GError) error = NULL;

  beckon_agent_send_finish (BECKON_AGENT (source), result, &error);
  window_note_sent (errand->window, errand->conversation, error);
}

/* With what is attached to its draft. */
static void
on_send (BeckonWindow *self, BeckonConversation *conversation, const char *text)
{
  GListModel *list = G_LIST_MODEL (beckon_conversation_get_files (conversation));
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    g_ptr_array_add (files, g_list_model_get_item (list, i));
  beckon_agent_send_files_async (window_get_agent (self), conversation, text, files, NULL, window_actions_on_sent,
                                 errand_new (self, conversation));
}

static void
on_edit (BeckonWindow *self, BeckonConversation *conversation, const char *message_id, const char *text)
{
  g_autoptr (GPtrArray) files = beckon_conversation_view_list_files (self->view);

  beckon_agent_edit_async (window_get_agent (self), conversation, message_id, text, files, NULL, on_edited,
                           errand_new (self, conversation));
}

static void
on_continued (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_agent_continue_finish (BECKON_AGENT (source), result, &error))
    beckon_window_toast (errand->window, error->message);
}

static void
on_continue (BeckonWindow *self)
{
  beckon_agent_continue_async (window_get_agent (self), self->conversation, NULL, on_continued,
                               errand_new (self, self->conversation));
}

/* A run of another process that has been told to stop. */
typedef struct
{
  GWeakRef window;
  BeckonConversation *conversation; /* (owned) */
} Stopping;

static gboolean
on_stop_overdue (gpointer user_data)
{
  Stopping *stopping = user_data;
  g_autoptr (BeckonWindow) self = g_weak_ref_get (&stopping->window);

  if (self != NULL && self->runtime != NULL && beckon_conversation_is_busy (stopping->conversation))
    beckon_window_toast (self, _("The program that works on this isn't responding. It stops when it responds or has ended."));

  return G_SOURCE_REMOVE;
}

static void
stopping_free (gpointer data)
{
  Stopping *stopping = data;

  g_weak_ref_clear (&stopping->window);
  g_object_unref (stopping->conversation);
  g_free (stopping);
}

static void
on_stop (BeckonWindow *self)
{
  BeckonAgent *agent = window_get_agent (self);
  Stopping *stopping;

  if (!beckon_agent_is_driving (agent, beckon_conversation_get_id (self->conversation)))
    {
      stopping = g_new0 (Stopping, 1);
      g_weak_ref_init (&stopping->window, self);
      stopping->conversation = g_object_ref (self->conversation);
      g_timeout_add_full (G_PRIORITY_DEFAULT, STOP_PATIENCE_MS, on_stop_overdue, stopping, stopping_free);
    }
  beckon_agent_stop (agent, self->conversation);
}

static void
on_draft (BeckonWindow *self, const char *draft)
{
  beckon_library_save_draft (window_get_library (self), self->conversation, draft);
}

static void
on_earlier_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *self = errand->window;

  if (beckon_library_open_finish (BECKON_LIBRARY (source), result, &error) || self->view == NULL
      || beckon_conversation_view_get_conversation (self->view) != errand->conversation)
    return;

  beckon_conversation_view_earlier_failed (self->view);
  beckon_window_toast (self, error->message);
}

static void
on_earlier_wanted (BeckonWindow *self, BeckonConversation *conversation)
{
  beckon_library_open_earlier_async (window_get_library (self), conversation, NULL, on_earlier_read,
                                     errand_new (self, conversation));
}

static void
stop_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (self->runtime != NULL && self->conversation != NULL)
    on_stop (self);
}

static void
toggle_sidebar_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  adw_flap_set_reveal_flap (self->flap, !adw_flap_get_reveal_flap (self->flap));
}

static void
start_tour_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  BeckonLibrary *library;
  BeckonConversation *conversation;

  if (self->runtime == NULL)
    return;

  library = window_get_library (self);
  conversation = beckon_library_create (library);
  beckon_library_set_profile (library, conversation, BECKON_PROFILE_TOUR_ID);
  beckon_library_save_draft (library, conversation, _("Show me around."));
  beckon_window_open_conversation (self, conversation, TRUE);
  on_send (self, conversation, _("Show me around."));
}

static void
on_profile_saved (BeckonWindow *self, const char *profile_id)
{
  beckon_settings_set_default_profile (self->settings, profile_id);
  beckon_window_new_conversation (self);
}

/* A local model needs no data from the person. */
static void
use_local_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  g_autoptr (BeckonProfile) profile = beckon_profile_new (NULL, BECKON_PROFILE_CHAT);
  const char *preset_id, *model;
  BeckonPreset *preset;

  g_variant_get (parameter, "(&s&s)", &preset_id, &model);
  preset = beckon_preset_lookup (preset_id);
  if (self->runtime == NULL || preset == NULL || !beckon_preset_is_local (preset))
    return;
  beckon_preset_apply (preset, profile);
  beckon_profile_set_model (profile, model);
  if (!beckon_profile_check (profile, NULL))
    return;
  beckon_profiles_save_async (beckon_runtime_get_profiles (self->runtime), profile, NULL, NULL, NULL);
  on_profile_saved (self, beckon_profile_get_id (profile));
}

static void
add_profile_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  GtkWidget *editor;

  if (self->runtime == NULL)
    return;

  editor = beckon_profile_editor_new (self->runtime, NULL, g_variant_get_string (parameter, NULL));
  g_signal_connect_object (editor, "saved", G_CALLBACK (on_profile_saved), self, G_CONNECT_SWAPPED);
  beckon_sheet_present (BECKON_SHEET (editor), widget);
}

/* For a conversation whose model is gone: its profile gets another, and *Retry* goes on with it. */
static void
choose_model_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  g_autofree char *id = self->runtime != NULL ? beckon_window_dup_profile_id (self) : NULL;
  BeckonProfile *profile = id != NULL ? beckon_profiles_lookup (beckon_runtime_get_profiles (self->runtime), id) : NULL;
  GtkWidget *editor;

  if (profile == NULL || beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR)
    return;

  editor = beckon_profile_editor_new (self->runtime, profile, NULL);
  beckon_sheet_present (BECKON_SHEET (editor), widget);
  beckon_profile_editor_focus_model (BECKON_PROFILE_EDITOR (editor));
}

/* Shows the editor for an argument, from a card. */
static void
settle_argument_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *tool, *server, *name, *json;

  g_variant_get (parameter, "(&s&s&s&s)", &tool, &server, &name, &json);
  if (self->runtime != NULL)
    beckon_parameter_editor_show_for (widget, self->runtime, tool, server, name, json);
}

/* --- The queue ---------------------------------------------------------------------------------------------------- */

/* Messages that wait for the end of the turn, or for the agent's next step. */

static void
window_actions_on_queued (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  g_autoptr (GError) error = NULL;

  beckon_agent_queue_finish (BECKON_AGENT (source), result, &error);
  window_note_sent (errand->window, errand->conversation, error);
}

static void
on_queue (BeckonWindow *self, BeckonConversation *conversation, const char *text)
{
  g_autoptr (GPtrArray) files = beckon_conversation_view_list_files (self->view);

  beckon_agent_queue_async (window_get_agent (self), conversation, text, files, FALSE, NULL, window_actions_on_queued,
                            errand_new (self, conversation));
}

/* A message that was sent meanwhile is no error. */
static void
show_queue_error (Errand *errand, const GError *error)
{
  if (error != NULL && errand->window->runtime != NULL && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    beckon_window_toast (errand->window, error->message);
}

static void
on_queued_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  g_autoptr (GError) error = NULL;

  beckon_agent_send_queued_finish (BECKON_AGENT (source), result, &error);
  show_queue_error (errand, error);
}

static BeckonQueueItem *
window_find_queued (BeckonWindow *self, GVariant *parameter)
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
queued_send_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (window_find_queued (self, parameter) == NULL)
    return;
  beckon_agent_send_queued_async (window_get_agent (self), self->conversation, g_variant_get_string (parameter, NULL), NULL,
                                  on_queued_sent, errand_new (self, self->conversation));
  focus_composer (self);
}

static void
on_queued_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  g_autoptr (GError) error = NULL;

  beckon_agent_remove_queued_finish (BECKON_AGENT (source), result, &error);
  show_queue_error (errand, error);
}

static void
on_queued_edited (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *self;

  beckon_agent_remove_queued_finish (BECKON_AGENT (source), result, &error);
  show_queue_error (errand, error);
  self = errand->window;
  if (self->view == NULL || beckon_conversation_view_get_conversation (self->view) != errand->conversation)
    return;
  /* Letters that were typed meanwhile come behind it. */
  beckon_conversation_view_follow_draft (errand->window->view);
  beckon_conversation_view_set_locked (errand->window->view, FALSE);
  focus_composer (errand->window);
}

/* Its text and files become the draft again, where there is none. */
static void
queued_edit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  BeckonQueueItem *item = window_find_queued (self, parameter);

  if (item == NULL || self->view == NULL || !beckon_conversation_has_empty_draft (self->conversation))
    return;
  beckon_conversation_view_set_locked (self->view, TRUE);
  beckon_agent_remove_queued_async (window_get_agent (self), self->conversation, beckon_queue_item_get_id (item),
                                    beckon_queue_item_get_text (item), NULL, on_queued_edited,
                                    errand_new (self, self->conversation));
}

static void
queued_remove_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (window_find_queued (self, parameter) == NULL)
    return;
  beckon_agent_remove_queued_async (window_get_agent (self), self->conversation, g_variant_get_string (parameter, NULL), NULL,
                                    NULL, on_queued_removed, errand_new (self, self->conversation));
  focus_composer (self);
}

/* --- Messages ----------------------------------------------------------------------------------------------------- */

/* Actions on messages: another version is shown or written, messages are deleted and put back. A toast says what can't be done
 * now, because the agent works or a question waits. */

static gboolean
has_messages (BeckonWindow *self)
{
  return self->runtime != NULL && self->conversation != NULL && beckon_conversation_get_loaded (self->conversation);
}

static void
window_actions_on_shown (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_library_show_finish (BECKON_LIBRARY (source), result, &error) && self->runtime != NULL)
    beckon_window_toast (self, error->message);
}

static void
version_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *id;
  guint version;

  g_variant_get (parameter, "(&su)", &id, &version);
  if (has_messages (self))
    beckon_library_show_version_async (window_get_library (self), self->conversation, id, version, NULL,
                                       window_actions_on_shown,
                                       g_object_ref (self));
}

static void
left_version_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (has_messages (self))
    beckon_library_show_left_async (window_get_library (self), self->conversation, NULL, window_actions_on_shown,
                                    g_object_ref (self));
}

static void
window_actions_on_begun (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_agent_send_finish (BECKON_AGENT (source), result, &error) && self->runtime != NULL)
    beckon_window_toast (self, error->message);
}

static void
regenerate_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *id = g_variant_get_string (parameter, NULL);

  if (has_messages (self) && beckon_conversation_find_message (self->conversation, id) != NULL)
    beckon_agent_regenerate_async (window_get_agent (self), self->conversation, id, NULL, window_actions_on_begun,
                                   g_object_ref (self));
}

static void
on_compacted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_agent_compact_finish (BECKON_AGENT (source), result, &error) || self->runtime == NULL
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  beckon_window_toast (self, error->message);
}

static void
compact_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (has_messages (self))
    beckon_agent_compact_async (window_get_agent (self), self->conversation, on_compacted,
                                g_object_ref (self));
}

static void
on_messages_restored_wanted (AdwToast *toast, BeckonWindow *self)
{
  BeckonConversation *conversation = g_object_get_data (G_OBJECT (toast), "conversation");
  const char *const *ids = g_object_get_data (G_OBJECT (toast), "ids");

  if (self->runtime != NULL)
    beckon_library_restore_messages_async (window_get_library (self), conversation, ids, NULL, window_actions_on_shown,
                                           g_object_ref (self));
}

static void
on_messages_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  g_autoptr (GError) error = NULL;
  gboolean deleted = beckon_library_show_finish (BECKON_LIBRARY (source), result, &error);

  if (errand->window->runtime == NULL)
    return;
  if (deleted)
    {
      BeckonWindow *self = errand->window;
      guint n = g_strv_length (errand->message_ids);
      g_autofree char *text
        = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u message deleted", "%u messages deleted", n), n);
      AdwToast *toast = adw_toast_new (text);

      g_object_set_data_full (G_OBJECT (toast), "conversation", g_object_ref (errand->conversation), g_object_unref);
      g_object_set_data_full (G_OBJECT (toast), "ids", g_steal_pointer (&errand->message_ids), (GDestroyNotify) g_strfreev);
      beckon_window_offer_undo (self, toast, G_CALLBACK (on_messages_restored_wanted));
    }
  else
    beckon_window_toast (errand->window, error->message);
}

static void
delete_messages_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  g_autofree const char **ids = g_variant_get_strv (parameter, NULL);
  Errand *errand;

  if (!has_messages (self) || ids[0] == NULL)
    return;

  errand = errand_new (self, self->conversation);
  errand->message_ids = g_strdupv ((GStrv) ids);
  beckon_library_remove_messages_async (window_get_library (self), self->conversation, (const char *const *) ids, NULL,
                                        on_messages_deleted, errand);
}

/* --- What waits --------------------------------------------------------------------------------------------------- */

/* Requests that wait for the person, and the way from there to their cause. */

gboolean
beckon_window_is_waiting_shown (BeckonWindow *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->pages), "waiting") == 0;
}

static void
go_to_waiting_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  GtkWidget *page = gtk_stack_get_child_by_name (self->pages, "waiting");

  if (self->runtime == NULL)
    return;

  if (page == NULL)
    {
      page = beckon_waiting_page_new (self->runtime);
      gtk_stack_add_named (self->pages, page, "waiting");
    }
  beckon_window_end_looking (self);
  gtk_stack_set_visible_child (self->pages, page);
  beckon_sidebar_set_waiting_shown (self->sidebar, TRUE);
  beckon_window_update (self);
  if (adw_flap_get_folded (self->flap))
    adw_flap_set_reveal_flap (self->flap, FALSE);
  beckon_waiting_page_focus (BECKON_WAITING_PAGE (page));
}

static void
go_to_question_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (self->view != NULL)
    beckon_conversation_view_toggle_dock (self->view);
}

static void
show_card_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  BeckonConversation *conversation;
  const char *conversation_id, *request_id;

  if (self->runtime == NULL)
    return;

  g_variant_get (parameter, "(&s&s)", &conversation_id, &request_id);
  conversation = beckon_library_lookup (window_get_library (self), conversation_id);
  if (conversation == NULL)
    return;

  self->card_wanted = TRUE;
  g_free (self->request_wanted);
  self->request_wanted = *request_id != '\0' ? g_strdup (request_id) : NULL;
  beckon_window_open_conversation (self, conversation, TRUE);
}

static void
show_origin_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const char *conversation, *message, *call;

  g_variant_get (parameter, "(&s&s&s)", &conversation, &message, &call);
  beckon_window_show_hit (BECKON_WINDOW (widget), conversation, message, NULL);
}

static void
on_answer_changed (BeckonAnswerChanger *changer, BeckonConversation *branch, BeckonWindow *self)
{
  self->card_wanted = TRUE;
  beckon_window_open_conversation (self, branch, TRUE);
  beckon_window_toast (self, _("This is a branch. The original conversation is unchanged."));
}

static void
change_answer_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *conversation_id, *message_id, *call_id;
  BeckonConversation *conversation;
  BeckonToolCall *call;
  GObject *request;
  GtkWidget *changer;

  g_variant_get (parameter, "(&s&s&s)", &conversation_id, &message_id, &call_id);
  conversation = self->runtime != NULL
                     ? beckon_library_lookup (window_get_library (self), conversation_id)
                     : NULL;
  call = conversation != NULL ? beckon_conversation_find_call (conversation, call_id) : NULL;
  request = call != NULL ? beckon_tool_call_get_request (call) : NULL;
  if (request == NULL)
    return;
  changer = beckon_answer_changer_new (window_get_agent (self), beckon_runtime_get_inbox (self->runtime), conversation,
                                       BECKON_REQUEST (request));
  g_signal_connect_object (changer, "changed", G_CALLBACK (on_answer_changed), self, 0);
  beckon_sheet_present (BECKON_SHEET (changer), GTK_WIDGET (self));
}

static void
window_actions_on_forgotten (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_store_forget_answers_finish (BECKON_STORE (source), result, &error))
    beckon_window_toast (self, error->message);
}

static void
forget_answer_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (self->runtime != NULL)
    beckon_store_forget_answers_async (beckon_runtime_get_store (self->runtime), NULL, g_variant_get_string (parameter, NULL),
                                       NULL, window_actions_on_forgotten, g_object_ref (self));
}

/* --- The folder --------------------------------------------------------------------------------------------------- */

/* The conversation's folder: none until a person chose one; a new conversation has the one that was worked in last. */

/* A folder is checked on a worker. */
static void
resolve_folder (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  char *folder = beckon_working_folder_resolve (data, &error);

  if (folder != NULL)
    g_task_return_pointer (task, folder, g_free);
  else
    g_task_return_error (task, error);
}

static void
resolve_folder_async (const char *path, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, resolve_folder_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  beckon_worker_run_for_person (task, resolve_folder);
}

static void
on_folder_resolved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_task_propagate_pointer (G_TASK (result), &error);
  BeckonWindow *self = errand->window;

  if (self->runtime == NULL)
    return;
  if (folder == NULL)
    beckon_window_toast (self, error->message);
  else
    beckon_library_set_folder (window_get_library (self), errand->conversation, folder);
}

/* @errand: (transfer full) */
static void
set_folder (Errand *errand, GFile *file)
{
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (path != NULL)
    {
      resolve_folder_async (path, on_folder_resolved, errand);
      return;
    }
  beckon_window_toast (errand->window, _("Choose a folder on this computer."));
  errand_free (errand);
}

static void
on_folder_chosen (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  g_autoptr (GtkNativeDialog) owned = dialog;
  g_autoptr (GFile) file = NULL;

  g_signal_handlers_disconnect_by_data (owned, errand);
  if (response == GTK_RESPONSE_ACCEPT)
    {
      file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      set_folder (g_steal_pointer (&errand), file);
    }
  gtk_native_dialog_destroy (dialog);
}

static void
choose_folder_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *folder;
  GtkFileChooserNative *chooser;

  if (self->runtime == NULL || self->conversation == NULL)
    return;

  chooser = gtk_file_chooser_native_new (_("Choose a Working Folder"), GTK_WINDOW (self),
                                         GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Choose"), _("_Cancel"));
  folder = beckon_conversation_get_folder (self->conversation);
  if (folder != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (folder);

      gtk_file_chooser_set_file (GTK_FILE_CHOOSER (chooser), file, NULL);
    }
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_folder_chosen), errand_new (self, self->conversation));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* A typed path begins in the home folder, unless it says otherwise. */
static void
set_folder_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *path = g_variant_get_string (parameter, NULL);
  const char *home = g_get_home_dir ();
  g_autoptr (GFile) file = NULL;

  if (g_str_has_prefix (path, "file:"))
    file = g_file_new_for_uri (path);
  else if (g_str_equal (path, "~"))
    file = g_file_new_for_path (home);
  else if (g_path_is_absolute (path))
    file = g_file_new_for_path (path);
  else
    file = g_file_new_build_filename (home, path + (g_str_has_prefix (path, "~/") ? 2 : 0), NULL);
  if (self->runtime != NULL && self->conversation != NULL)
    set_folder (errand_new (self, self->conversation), file);
}

static void
forget_folder_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (self->runtime != NULL && self->conversation != NULL)
    beckon_library_set_folder (window_get_library (self), self->conversation, NULL);
}

static void
on_recent_folder_resolved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  g_autofree char *folder = g_task_propagate_pointer (G_TASK (result), NULL);

  if (folder == NULL && errand->window->runtime != NULL
      && beckon_conversation_get_n_messages (errand->conversation) == 0)
    beckon_library_set_folder (beckon_runtime_get_library (errand->window->runtime), errand->conversation, NULL);
}

/* At once, so that nothing is sent without it; when it turns out that it's gone, it is not offered. */
void
beckon_window_take_recent_folder (BeckonWindow *self, BeckonConversation *conversation)
{
  BeckonLibrary *library = window_get_library (self);
  g_autoptr (GPtrArray) recent = beckon_recent_folders_list (G_LIST_MODEL (library), 1);

  if (recent->len == 0)
    return;
  beckon_library_set_folder (library, conversation, g_ptr_array_index (recent, 0));
  resolve_folder_async (g_ptr_array_index (recent, 0), on_recent_folder_resolved, errand_new (self, conversation));
}

void
beckon_window_connect_view (BeckonWindow *self)
{
  g_signal_connect_object (self->view, "send", G_CALLBACK (on_send), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "edit", G_CALLBACK (on_edit), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "draft", G_CALLBACK (on_draft), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "continue", G_CALLBACK (on_continue), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "stop", G_CALLBACK (on_stop), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "queue", G_CALLBACK (on_queue), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "earlier-wanted", G_CALLBACK (on_earlier_wanted), self, G_CONNECT_SWAPPED);
}

void
beckon_window_install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.stop", NULL, stop_action);
  gtk_widget_class_install_action (widget_class, "win.toggle-sidebar", NULL, toggle_sidebar_action);
  gtk_widget_class_install_action (widget_class, "win.start-tour", NULL, start_tour_action);
  gtk_widget_class_install_action (widget_class, "win.add-profile", "s", add_profile_action);
  gtk_widget_class_install_action (widget_class, "win.choose-model", NULL, choose_model_action);
  gtk_widget_class_install_action (widget_class, "win.use-local", "(ss)", use_local_action);
  gtk_widget_class_install_action (widget_class, "win.settle-argument", "(ssss)", settle_argument_action);
  gtk_widget_class_install_property_action (widget_class, "win.profile", "profile");
  gtk_widget_class_install_action (widget_class, "win.queued-send", "s", queued_send_action);
  gtk_widget_class_install_action (widget_class, "win.queued-edit", "s", queued_edit_action);
  gtk_widget_class_install_action (widget_class, "win.queued-remove", "s", queued_remove_action);
  gtk_widget_class_install_action (widget_class, "win.message-version", "(su)", version_action);
  gtk_widget_class_install_action (widget_class, "win.message-left", NULL, left_version_action);
  gtk_widget_class_install_action (widget_class, "win.message-regenerate", "s", regenerate_action);
  gtk_widget_class_install_action (widget_class, "win.compact", NULL, compact_action);
  gtk_widget_class_install_action (widget_class, "win.message-delete", "as", delete_messages_action);
  gtk_widget_class_install_action (widget_class, "win.go-to-waiting", NULL, go_to_waiting_action);
  gtk_widget_class_install_action (widget_class, "win.go-to-question", NULL, go_to_question_action);
  gtk_widget_class_install_action (widget_class, "win.show-card", "(ss)", show_card_action);
  gtk_widget_class_install_action (widget_class, "win.change-answer", "(sss)", change_answer_action);
  gtk_widget_class_install_action (widget_class, "win.show-origin", "(sss)", show_origin_action);
  gtk_widget_class_install_action (widget_class, "win.forget-answer", "s", forget_answer_action);
  gtk_widget_class_install_action (widget_class, "win.choose-folder", NULL, choose_folder_action);
  gtk_widget_class_install_action (widget_class, "win.set-folder", "s", set_folder_action);
  gtk_widget_class_install_action (widget_class, "win.forget-folder", NULL, forget_folder_action);
  gtk_widget_class_install_property_action (widget_class, "win.mode", "mode");
  gtk_widget_class_install_property_action (widget_class, "win.effort", "effort");
}
