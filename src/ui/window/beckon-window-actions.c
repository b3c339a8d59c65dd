/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "settings/beckon-preset.h"
#include "ui/preferences/beckon-parameter-editor.h"
#include "ui/preferences/beckon-profile-editor.h"

#include <glib/gi18n-lib.h>

/* Actions of a person in the window, carried to the agent and the store. */

/* How long another process may take to stop its run before the person is told that it does not respond. */
#define STOP_PATIENCE_MS (3 * 1000)

typedef struct
{
  BeckonWindow *window;             /* (owned) */
  BeckonConversation *conversation; /* (owned) */
} Sending;

static void
sending_free (Sending *sending)
{
  g_object_unref (sending->window);
  g_object_unref (sending->conversation);
  g_free (sending);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Sending, sending_free)

static Sending *
sending_new (BeckonWindow *self, BeckonConversation *conversation)
{
  Sending *sending = g_new0 (Sending, 1);

  sending->window = g_object_ref (self);
  sending->conversation = g_object_ref (conversation);
  return sending;
}

/* The person may look at another conversation by now. */
void
beckon_window_note_sent (BeckonWindow *self, BeckonConversation *conversation, const GError *error)
{
  g_autofree char *ahead = NULL;
  g_autofree char *draft = NULL;

  if (self->view == NULL || self->runtime == NULL)
    return;
  ahead = beckon_conversation_view_sent (self->view, conversation, error);
  if (ahead != NULL)
    {
      draft = g_strconcat (beckon_conversation_get_draft (conversation), ahead, NULL);
      beckon_library_save_draft (beckon_runtime_get_library (self->runtime), conversation, draft);
    }
  if (error != NULL && beckon_conversation_view_get_conversation (self->view) != conversation)
    beckon_window_toast (self, error->message);
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Sending) sending = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *self = sending->window;

  if (beckon_agent_send_finish (BECKON_AGENT (source), result, &error) && self->runtime != NULL)
    beckon_library_save_draft (beckon_runtime_get_library (self->runtime), sending->conversation, "");
  beckon_window_note_sent (self, sending->conversation, error);
}

/* The draft was put aside meanwhile, and comes back. */
static void
on_edited (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Sending) sending = user_data;
  g_autoptr (GError) error = NULL;

  beckon_agent_send_finish (BECKON_AGENT (source), result, &error);
  beckon_window_note_sent (sending->window, sending->conversation, error);
}

/* With what is attached to its draft. */
static void
on_send (BeckonWindow *self, BeckonConversation *conversation, const char *text)
{
  GListModel *list = G_LIST_MODEL (beckon_conversation_get_files (conversation));
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    g_ptr_array_add (files, g_list_model_get_item (list, i));
  beckon_agent_send_files_async (beckon_runtime_get_agent (self->runtime), conversation, text, files, NULL, on_sent,
                                 sending_new (self, conversation));
}

static void
on_edit (BeckonWindow *self, BeckonConversation *conversation, const char *message_id, const char *text)
{
  g_autoptr (GPtrArray) files = beckon_conversation_view_list_files (self->view);

  beckon_agent_edit_async (beckon_runtime_get_agent (self->runtime), conversation, message_id, text, files, NULL, on_edited,
                           sending_new (self, conversation));
}

static void
on_continued (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Sending) sending = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_agent_continue_finish (BECKON_AGENT (source), result, &error))
    beckon_window_toast (sending->window, error->message);
}

static void
on_continue (BeckonWindow *self)
{
  beckon_agent_continue_async (beckon_runtime_get_agent (self->runtime), self->conversation, NULL, on_continued,
                               sending_new (self, self->conversation));
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
  BeckonAgent *agent = beckon_runtime_get_agent (self->runtime);
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
  beckon_library_save_draft (beckon_runtime_get_library (self->runtime), self->conversation, draft);
}

static void
on_earlier_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Sending) sending = user_data;
  g_autoptr (GError) error = NULL;
  BeckonWindow *self = sending->window;

  if (beckon_library_open_finish (BECKON_LIBRARY (source), result, &error) || self->view == NULL
      || beckon_conversation_view_get_conversation (self->view) != sending->conversation)
    return;

  beckon_conversation_view_earlier_failed (self->view);
  beckon_window_toast (self, error->message);
}

static void
on_earlier_wanted (BeckonWindow *self, BeckonConversation *conversation)
{
  beckon_library_open_earlier_async (beckon_runtime_get_library (self->runtime), conversation, NULL, on_earlier_read,
                                     sending_new (self, conversation));
}

void
beckon_window_connect_view (BeckonWindow *self)
{
  g_signal_connect_object (self->view, "send", G_CALLBACK (on_send), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "edit", G_CALLBACK (on_edit), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "draft", G_CALLBACK (on_draft), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "continue", G_CALLBACK (on_continue), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "stop", G_CALLBACK (on_stop), self, G_CONNECT_SWAPPED);
  beckon_window_connect_queue (self);
  g_signal_connect_object (self->view, "earlier-wanted", G_CALLBACK (on_earlier_wanted), self, G_CONNECT_SWAPPED);
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

  library = beckon_runtime_get_library (self->runtime);
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
}
