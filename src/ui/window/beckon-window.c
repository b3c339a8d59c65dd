/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "ui/conversation/beckon-welcome.h"
#include "ui/sidebar/beckon-conversation-menu.h"
#include "ui/widgets/beckon-focus-keeper.h"
#include "ui/widgets/beckon-toast.h"
#include "ui/widgets/beckon-whole-layout.h"

#include <glib/gi18n-lib.h>

/* A quick question's window. */
#define SMALL_WIDTH 460
#define SMALL_HEIGHT 420

typedef enum
{
  PROP_PROFILE = 1,
  PROP_MODE,
  PROP_EFFORT,
} BeckonWindowProperty;

G_DEFINE_FINAL_TYPE (BeckonWindow, beckon_window, ADW_TYPE_APPLICATION_WINDOW)

void
beckon_window_toast (BeckonWindow *self, const char *message)
{
  adw_toast_overlay_add_toast (self->toasts, beckon_toast_new (message));
  beckon_window_say (self, message);
}

char *
beckon_window_dup_profile_id (BeckonWindow *self)
{
  const char *own = self->conversation != NULL ? beckon_conversation_get_profile_id (self->conversation) : NULL;

  if (own == NULL && self->settings == NULL)
    return g_strdup ("");
  return own != NULL ? g_strdup (own) : beckon_settings_dup_default_profile (self->settings);
}

static const char *
get_title (BeckonWindow *self)
{
  const char *title = self->conversation != NULL ? beckon_conversation_get_title (self->conversation) : NULL;

  return title != NULL && *title != '\0' ? title : _("New conversation");
}

void
beckon_window_update (BeckonWindow *self)
{
  gboolean waiting = beckon_window_is_waiting_shown (self);
  gboolean shown = self->conversation != NULL && !waiting;
  const char *title = waiting ? _("Waiting for You") : shown ? get_title (self) : NULL;
  gboolean busy = shown && beckon_conversation_is_busy (self->conversation);
  gboolean stored = shown && beckon_conversation_get_n_messages (self->conversation) > 0;
  g_autofree char *profile_id = beckon_window_dup_profile_id (self);

  gtk_label_set_text (self->title_label, title != NULL ? title : "");
  gtk_window_set_title (GTK_WINDOW (self), title != NULL ? title : _("Beckon"));
  gtk_widget_set_visible (self->stop_button, busy);
  gtk_widget_set_visible (GTK_WIDGET (self->conversation_menu_button), stored);
  gtk_widget_set_visible (self->temporary_note, shown && beckon_conversation_get_temporary (self->conversation));
  if (self->view != NULL)
    beckon_conversation_view_set_profile (self->view, beckon_profiles_lookup (beckon_runtime_get_profiles (self->runtime),
                                                                              profile_id));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.stop", busy);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.rename", stored);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.go-to-question", shown);
  beckon_window_fit_header (self);
  g_object_notify (G_OBJECT (self), "profile");
  g_object_notify (G_OBJECT (self), "mode");
  g_object_notify (G_OBJECT (self), "effort");
}

/* Made when it is opened: its words depend on the conversation. */
static void
make_conversation_menu (GtkMenuButton *button, gpointer user_data)
{
  BeckonWindow *self = user_data;
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) first = g_menu_new ();
  g_autoptr (GMenuModel) rest = self->conversation != NULL ? beckon_conversation_menu_new (self->conversation) : NULL;

  g_menu_append (first, _("_Find in Conversation"), "win.find");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (first));
  if (rest != NULL)
    g_menu_append_section (menu, NULL, rest);
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

/* Messages on screen are read, once the window is active. */
static void
mark_read (BeckonWindow *self)
{
  if (self->runtime != NULL && self->conversation != NULL && gtk_window_is_active (GTK_WINDOW (self)) &&
      beckon_conversation_get_unread (self->conversation))
    beckon_library_mark_read (beckon_runtime_get_library (self->runtime), self->conversation);
  beckon_window_note_seen (self);
}

static void
on_active_changed (BeckonWindow *self)
{
  beckon_window_follow_looking (self);
  mark_read (self);
  if (gtk_window_is_active (GTK_WINDOW (self)))
    beckon_sidebar_refresh (self->sidebar);
}

/* The draft changed in another window. */
static void
on_draft_changed (BeckonWindow *self)
{
  if (self->view != NULL && !gtk_window_is_active (GTK_WINDOW (self)))
    beckon_conversation_view_follow_draft (self->view);
}

static void
show_page (BeckonWindow *self, const char *name, GtkWidget *(*make) (void) )
{
  if (gtk_stack_get_child_by_name (self->pages, name) == NULL)
    gtk_stack_add_named (self->pages, make (), name);
  gtk_stack_set_visible_child_name (self->pages, name);
}

/* A schema that is older than this program has not every key. */
static gboolean
is_on (GSettings *settings, const char *key)
{
  g_autoptr (GSettingsSchema) schema = NULL;

  g_object_get (settings, "settings-schema", &schema, NULL);
  return g_settings_schema_has_key (schema, key) && g_settings_get_boolean (settings, key);
}

static void
follow_settings (BeckonWindow *self, GSettings *settings)
{
  beckon_conversation_view_set_needs_control (self->view, g_settings_get_enum (settings, "send-with") == 1);
  beckon_conversation_view_set_checks_spelling (self->view, is_on (settings, "check-spelling"));
  beckon_conversation_view_set_shows_usage (self->view, is_on (settings, "show-usage"));
}

static void
ensure_view (BeckonWindow *self)
{
  GSettings *settings = beckon_settings_get_gsettings (self->settings);

  if (self->view != NULL)
    return;

  self->view = BECKON_CONVERSATION_VIEW (beckon_conversation_view_new (beckon_runtime_get_inbox (self->runtime)));
  beckon_conversation_view_set_profiles (self->view, G_LIST_MODEL (beckon_runtime_get_profiles (self->runtime)));
  beckon_conversation_view_set_servers (self->view, beckon_runtime_get_agent (self->runtime),
                                        G_LIST_MODEL (beckon_runtime_get_servers (self->runtime)));
  beckon_conversation_view_set_conversations (self->view, G_LIST_MODEL (beckon_runtime_get_library (self->runtime)));
  gtk_stack_add_named (self->pages, GTK_WIDGET (self->view), "conversation");
  if (settings != NULL)
    follow_settings (self, settings);
  beckon_window_connect_view (self);
}

/* Conversations no longer in view need not stay in memory. */
static void
put_in_view (BeckonWindow *self)
{
  BeckonConversation *shown = beckon_conversation_view_get_conversation (self->view);
  g_autoptr (BeckonConversation) old = shown != NULL ? g_object_ref (shown) : NULL;

  beckon_conversation_view_set_conversation (self->view, self->conversation);
  if (old != NULL && old != self->conversation && !beckon_window_is_shown_elsewhere (self, old))
    beckon_library_leave (beckon_runtime_get_library (self->runtime), old);
}

static void
show_loaded (BeckonWindow *self)
{
  ensure_view (self);
  put_in_view (self);
  gtk_stack_set_visible_child_name (self->pages, "conversation");
  beckon_window_update (self);
  beckon_window_begin_looking (self);
  mark_read (self);
  if (self->focus_wanted && adw_flap_get_folded (self->flap))
    adw_flap_set_reveal_flap (self->flap, FALSE);
  if (self->message_wanted != NULL)
    beckon_conversation_view_show_message (self->view, self->message_wanted, self->words_wanted);
  else if (self->card_wanted)
    beckon_conversation_view_show_card (self->view, self->request_wanted);
  else if (self->focus_wanted)
    beckon_conversation_view_focus_composer (self->view);
  self->focus_wanted = self->card_wanted = FALSE;
  g_clear_pointer (&self->message_wanted, g_free);
  g_clear_pointer (&self->words_wanted, g_free);
  g_clear_pointer (&self->request_wanted, g_free);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean opened = beckon_library_open_finish (BECKON_LIBRARY (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (opened && self->conversation != NULL && beckon_conversation_get_loaded (self->conversation))
    show_loaded (self);
  else if (error != NULL)
    beckon_window_toast (self, error->message);
}

static void
show_soon (BeckonWindow *self)
{
  /* Whether what is to be shown was read: the end of the conversation, or from the message on that is wanted. */
  if (beckon_conversation_get_loaded (self->conversation)
      && (self->message_wanted == NULL || !beckon_conversation_get_has_earlier (self->conversation)
          || beckon_conversation_find_message (self->conversation, self->message_wanted) != NULL))
    {
      show_loaded (self);
      return;
    }
  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  self->opening = g_cancellable_new ();
  beckon_library_open_end_async (beckon_runtime_get_library (self->runtime), self->conversation, self->message_wanted,
                                 self->opening, on_opened, g_object_ref (self));
}

static void
forget_conversation (BeckonWindow *self)
{
  beckon_window_end_looking (self);
  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_clear_object (&self->conversation);
}

void
beckon_window_open_conversation (BeckonWindow *self, BeckonConversation *conversation, gboolean focus)
{
  g_autoptr (BeckonConversation) old = NULL;

  self->focus_wanted = focus;
  beckon_sidebar_set_waiting_shown (self->sidebar, FALSE);
  if (self->conversation == conversation)
    {
      show_soon (self);
      return;
    }
  old = self->conversation != NULL ? g_object_ref (self->conversation) : NULL;
  forget_conversation (self);
  self->conversation = g_object_ref (conversation);
  g_signal_connect_swapped (conversation, "notify", G_CALLBACK (beckon_window_update), self);
  g_signal_connect_swapped (conversation, "items-changed", G_CALLBACK (beckon_window_update), self);
  g_signal_connect_swapped (conversation, "notify::unread", G_CALLBACK (mark_read), self);
  g_signal_connect_swapped (conversation, "notify::draft", G_CALLBACK (on_draft_changed), self);
  beckon_window_listen_to_conversation (self);
  beckon_sidebar_set_current (self->sidebar, conversation);

  /* A conversation in which nothing was written is not kept when one turns to another. */
  if (old != NULL && !beckon_window_is_shown_elsewhere (self, old) &&
      beckon_conversation_get_loaded (old) && beckon_conversation_get_n_messages (old) == 0 &&
      beckon_conversation_has_empty_draft (old))
    beckon_library_delete (beckon_runtime_get_library (self->runtime), old);

  show_soon (self);
}

void
beckon_window_new_conversation (BeckonWindow *self)
{
  BeckonLibrary *library;
  BeckonConversation *conversation;

  if (self->runtime == NULL)
    return;

  library = beckon_runtime_get_library (self->runtime);
  if (self->conversation != NULL && beckon_conversation_get_loaded (self->conversation) &&
      !beckon_conversation_get_temporary (self->conversation) &&
      beckon_conversation_get_n_messages (self->conversation) == 0)
    {
      beckon_window_open_conversation (self, self->conversation, TRUE);
      return;
    }
  conversation = beckon_library_create (library);
  beckon_window_take_recent_folder (self, conversation);
  beckon_window_open_conversation (self, conversation, TRUE);
}

void
beckon_window_show_something (BeckonWindow *self)
{
  GListModel *profiles = G_LIST_MODEL (beckon_runtime_get_profiles (self->runtime));
  BeckonConversation *newest = beckon_sidebar_get_neighbour (self->sidebar, NULL);

  if (newest != NULL && !self->is_careful)
    beckon_window_open_conversation (self, newest, TRUE);
  else if (newest != NULL || g_list_model_get_n_items (profiles) > 1)
    beckon_window_new_conversation (self);
  else
    {
      forget_conversation (self);
      if (self->view != NULL)
        beckon_conversation_view_set_conversation (self->view, NULL);
      beckon_sidebar_set_current (self->sidebar, NULL);
      beckon_sidebar_set_waiting_shown (self->sidebar, FALSE);
      show_page (self, "welcome", beckon_welcome_new);
      beckon_welcome_focus (BECKON_WELCOME (gtk_stack_get_visible_child (self->pages)));
      beckon_window_update (self);
    }
}

/* The conversation that is shown may be deleted, here or by another process. */
static void
on_library_changed (BeckonWindow *self)
{
  BeckonLibrary *library = beckon_runtime_get_library (self->runtime);

  if (self->conversation != NULL &&
      beckon_library_lookup (library, beckon_conversation_get_id (self->conversation)) == NULL)
    beckon_window_show_something (self);
}

static void
on_setting_changed (BeckonWindow *self)
{
  GSettings *settings = beckon_settings_get_gsettings (self->settings);

  beckon_sidebar_set_by_folder (self->sidebar, is_on (settings, "sidebar-by-folder"));
  if (self->view != NULL)
    follow_settings (self, settings);
  beckon_window_update (self);
}

static void
go_where_wanted (BeckonWindow *self)
{
  beckon_window_follow_wanted_link (self);
  beckon_window_take_wanted_files (self);
}

static void
add_setting_action (BeckonWindow *self, GSettings *settings, const char *key)
{
  g_autoptr (GSettingsSchema) schema = NULL;
  g_autoptr (GAction) action = NULL;

  g_object_get (settings, "settings-schema", &schema, NULL);
  if (!g_settings_schema_has_key (schema, key))
    return;
  action = g_settings_create_action (settings, key);
  g_action_map_add_action (G_ACTION_MAP (self), action);
}

void
beckon_window_begin_carefully (BeckonWindow *self)
{
  self->is_careful = TRUE;
  beckon_health_bar_set_notice (self->health_bar,
                                _("Beckon ended three times while it was starting, so no profile is selected. Choose one below "
                                  "your message, or look at the one you used in Preferences."));
}

void
beckon_window_set_runtime (BeckonWindow *self, BeckonRuntime *runtime)
{
  BeckonLibrary *library = beckon_runtime_get_library (runtime);
  GSettings *settings = beckon_settings_get_gsettings (self->settings);

  g_return_if_fail (self->runtime == NULL);

  self->runtime = g_object_ref (runtime);
  beckon_health_bar_set_store (self->health_bar, beckon_runtime_get_store (runtime));
  beckon_sidebar_set_models (self->sidebar, G_LIST_MODEL (library), G_LIST_MODEL (beckon_runtime_get_inbox (runtime)),
                             beckon_clock_get_system ());
  beckon_sidebar_set_store (self->sidebar, beckon_runtime_get_store (runtime));
  beckon_window_listen_to_inbox (self);
  g_signal_connect_object (library, "items-changed", G_CALLBACK (on_library_changed), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  if (settings != NULL)
    {
      add_setting_action (self, settings, "sidebar-by-folder");
      beckon_sidebar_set_by_folder (self->sidebar, is_on (settings, "sidebar-by-folder"));
      g_signal_connect_object (settings, "changed", G_CALLBACK (on_setting_changed), self, G_CONNECT_SWAPPED);
    }
  beckon_window_show_something (self);
  self->is_careful = FALSE;
  if (beckon_library_is_loaded (library))
    go_where_wanted (self);
  else
    g_signal_connect_object (library, "loaded", G_CALLBACK (go_where_wanted), self, G_CONNECT_SWAPPED);
}

gboolean
beckon_window_has_runtime (BeckonWindow *self)
{
  return self->runtime != NULL;
}

void
beckon_window_show_failure (BeckonWindow *self, const GError *error)
{
  g_autofree char *reason = g_markup_escape_text (error->message, -1);
  GtkWidget *page;

  page = g_object_new (ADW_TYPE_STATUS_PAGE, "icon-name", "dialog-error-symbolic", "title",
                       _("Can’t Read Your Conversations"), "description", reason, NULL);
  gtk_stack_add_named (self->pages, page, "failure");
  gtk_stack_set_visible_child_name (self->pages, "failure");
}

static void
on_conversation_activated (BeckonWindow *self, BeckonConversation *conversation, gboolean focus)
{
  beckon_window_open_conversation (self, conversation, focus);
}

static void
on_waiting_activated (BeckonWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.go-to-waiting", NULL);
}

static void
on_menu_opened (BeckonWindow *self)
{
  beckon_sidebar_set_n_runs (self->sidebar, beckon_window_count_runs (self));
}

/* Its size, and not its place: that is the desktop's, and a program cannot ask for one under Wayland. */
static void
restore_state (BeckonWindow *self)
{
  GSettings *settings = beckon_settings_get_gsettings (self->settings);

  if (settings == NULL)
    return;

  gtk_window_set_default_size (GTK_WINDOW (self), g_settings_get_int (settings, "window-width"),
                               g_settings_get_int (settings, "window-height"));
  if (g_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  adw_flap_set_reveal_flap (self->flap, g_settings_get_boolean (settings, "sidebar-visible"));
}

void
beckon_window_make_small (BeckonWindow *self)
{
  self->small = TRUE;
  gtk_window_unmaximize (GTK_WINDOW (self));
  gtk_window_set_default_size (GTK_WINDOW (self), SMALL_WIDTH, SMALL_HEIGHT);
  adw_flap_set_reveal_flap (self->flap, FALSE);
}

static gboolean
beckon_window_close_request (GtkWindow *window)
{
  BeckonWindow *self = BECKON_WINDOW (window);
  GSettings *settings = beckon_settings_get_gsettings (self->settings);
  int width, height;

  if (!self->quitting && !beckon_window_has_others (self) && beckon_window_ask_before_quitting (self))
    return TRUE;
  beckon_window_end_looking (self);
  if (settings != NULL && !self->small)
    {
      gtk_window_get_default_size (window, &width, &height);
      g_settings_set_int (settings, "window-width", MAX (width, 360));
      g_settings_set_int (settings, "window-height", MAX (height, 294));
      g_settings_set_boolean (settings, "window-maximized", gtk_window_is_maximized (window));
      if (!adw_flap_get_folded (self->flap))
        g_settings_set_boolean (settings, "sidebar-visible", adw_flap_get_reveal_flap (self->flap));
    }
  return GTK_WINDOW_CLASS (beckon_window_parent_class)->close_request (window);
}

static void
beckon_window_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  BeckonWindow *self = BECKON_WINDOW (object);
  BeckonMode mode = self->conversation != NULL ? beckon_conversation_get_mode (self->conversation) : BECKON_MODE_DEFAULT;

  if (property_id == PROP_MODE)
    g_value_set_string (value, beckon_mode_to_string (mode));
  else if (property_id == PROP_EFFORT)
    g_value_set_string (value, beckon_effort_to_string (beckon_window_get_effort (self)));
  else
    g_value_take_string (value, beckon_window_dup_profile_id (self));
}

static void
beckon_window_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  BeckonWindow *self = BECKON_WINDOW (object);

  if (property_id == PROP_MODE)
    beckon_window_choose_mode (self, g_value_get_string (value));
  else if (property_id == PROP_EFFORT)
    beckon_window_choose_effort (self, g_value_get_string (value));
  else if (self->runtime != NULL && self->conversation != NULL)
    beckon_library_set_profile (beckon_runtime_get_library (self->runtime), self->conversation,
                                g_value_get_string (value));
  beckon_window_update (self);
}

static void
beckon_window_dispose (GObject *object)
{
  BeckonWindow *self = BECKON_WINDOW (object);

  self->looking = FALSE;
  forget_conversation (self);
  g_clear_handle_id (&self->width_source, g_source_remove);
  self->view = NULL;
  g_clear_weak_pointer (&self->undo_toast);
  g_clear_object (&self->toast_widgets);
  g_clear_pointer (&self->message_wanted, g_free);
  g_clear_pointer (&self->words_wanted, g_free);
  g_clear_pointer (&self->request_wanted, g_free);
  g_clear_pointer (&self->link_wanted, beckon_link_free);
  g_clear_pointer (&self->files_wanted, g_ptr_array_unref);
  g_clear_object (&self->runtime);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (beckon_window_parent_class)->dispose (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/window.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, BeckonWindow, flap);
  gtk_widget_class_bind_template_child (widget_class, BeckonWindow, sidebar);
  gtk_widget_class_bind_template_child (widget_class, BeckonWindow, sidebar_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonWindow, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonWindow, announcer);
  gtk_widget_class_bind_template_child (widget_class, BeckonWindow, temporary_note);
  gtk_widget_class_bind_template_child (widget_class, BeckonWindow, conversation_menu_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonWindow, stop_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonWindow, stop_word);
  gtk_widget_class_bind_template_child (widget_class, BeckonWindow, health_bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonWindow, pages);
  gtk_widget_class_bind_template_callback (widget_class, on_conversation_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_waiting_activated);
  gtk_widget_class_bind_template_callback (widget_class, beckon_window_show_hit);
  gtk_widget_class_bind_template_callback (widget_class, on_menu_opened);
}

static void
beckon_window_class_init (BeckonWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_ANNOUNCER);
  g_type_ensure (BECKON_TYPE_HEALTH_BAR);
  g_type_ensure (BECKON_TYPE_SIDEBAR);
  g_type_ensure (BECKON_TYPE_WHOLE_LAYOUT);
  object_class->dispose = beckon_window_dispose;
  object_class->get_property = beckon_window_get_property;
  object_class->set_property = beckon_window_set_property;
  GTK_WINDOW_CLASS (klass)->close_request = beckon_window_close_request;
  g_object_class_install_property (
      object_class, PROP_PROFILE,
      g_param_spec_string ("profile", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (
      object_class, PROP_MODE,
      g_param_spec_string ("mode", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (
      object_class, PROP_EFFORT,
      g_param_spec_string ("effort", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS));
  bind_template (widget_class);
  beckon_window_install_actions (widget_class);
  beckon_window_install_waiting (widget_class);
  g_signal_new ("looking-changed", BECKON_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  beckon_window_install_search (widget_class);
  beckon_window_install_library (widget_class);
  beckon_window_install_runs (widget_class);
  beckon_window_install_place (widget_class);
  beckon_window_install_import (widget_class);
  beckon_window_install_delete_all (widget_class);
  beckon_window_install_undo (widget_class);
  beckon_window_install_rewind (widget_class);
  beckon_window_install_messages (widget_class);
  beckon_window_install_queue (widget_class);
  beckon_window_install_palette (widget_class);
  beckon_window_install_regions (widget_class);
}

static void
beckon_window_init (BeckonWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (self->conversation_menu_button, make_conversation_menu, self, NULL);
  beckon_window_let_drag (self);
  beckon_window_follow_toasts (self);
  beckon_focus_keeper_add (GTK_WINDOW (self));
  g_signal_connect (self, "realize", G_CALLBACK (beckon_window_follow_width), NULL);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (on_active_changed), NULL);
}

GtkWidget *
beckon_window_new (GtkApplication *application, BeckonSettings *settings)
{
  BeckonWindow *self = g_object_new (BECKON_TYPE_WINDOW, "application", application, NULL);

  self->settings = g_object_ref (settings);
  restore_state (self);
  beckon_window_update (self);
  return GTK_WIDGET (self);
}
