/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-clock.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-window-private.h"
#include "markdown/beckon-markdown-plain.h"
#include "ui/cards/beckon-request-words.h"
#include "ui/conversation/beckon-conversation-content.h"
#include "ui/conversation/beckon-welcome.h"
#include "ui/preferences/beckon-copies-group.h"
#include "ui/sidebar/beckon-sidebar-row.h"
#include "ui/sidebar/beckon-sidebar.h"
#include "ui/transcript/beckon-state-line.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-flow-layout.h"
#include "ui/widgets/beckon-focus-keeper.h"
#include "ui/widgets/beckon-sheet.h"

#include <glib/gi18n-lib.h>

/* --- Other windows ------------------------------------------------------------------------------------------------ */

/* Whether another window shows @conversation (nullable: whatever it shows). */
static gboolean
window_has_other (BeckonWindow *self, BeckonConversation *conversation)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  GList *windows = application != NULL ? gtk_application_get_windows (application) : NULL;

  for (GList *at = windows; at != NULL; at = at->next)
    if (at->data != self && BECKON_IS_WINDOW (at->data)
        && (conversation == NULL || BECKON_WINDOW (at->data)->conversation == conversation))
      return TRUE;
  return FALSE;
}

/* --- Announcements ------------------------------------------------------------------------------------------------ */

/* Visible changes are announced to people who can't see the window: a new question, the end of a reply, an error. Only the
 * window that has the focus speaks; while there is none, notifications do. */

#define MOST_SPOKEN_CHARS 400

void
beckon_window_say (BeckonWindow *self, const char *words)
{
  g_autofree char *shortened = beckon_text_shorten (words, MOST_SPOKEN_CHARS);
  g_autofree char *safe = beckon_text_for_display (shortened, -1, BECKON_TEXT_PROSE);

  if (gtk_window_is_active (GTK_WINDOW (self)))
    beckon_announcer_say (self->announcer, safe);
}

/* The end of a reply */

static void
window_on_phase_changed (BeckonWindow *self)
{
  BeckonRunPhase phase = beckon_conversation_get_phase (self->conversation);
  g_autofree char *end = NULL;

  if (!beckon_conversation_get_has_run (self->conversation) || !beckon_run_phase_is_end (phase) ||
      phase == BECKON_RUN_ASKED)
    return;
  end = beckon_state_line_describe_end (phase, beckon_conversation_get_detail (self->conversation));
  if (end != NULL)
    beckon_window_say (self, end);
  else
    {
      guint n = beckon_conversation_get_n_messages (self->conversation);
      BeckonMessage *last = n > 0 ? beckon_conversation_get_message (self->conversation, n - 1) : NULL;
      g_autofree char *markdown = last != NULL ? beckon_message_dup_text (last) : NULL;
      g_autofree char *text = markdown != NULL ? beckon_markdown_to_line (markdown) : NULL;
      g_autofree char *words = NULL;

      /* Translators: what a screen reader says when a reply is complete; %s is its text */
      words = text != NULL && *text != '\0' ? beckon_text_printf (_("The agent has replied: %s"), text)
                                            : g_strdup (_("The agent has finished."));
      beckon_window_say (self, words);
    }
}

/* A new question */

static void
window_on_inbox_changed (BeckonWindow *self, guint position, guint removed, guint added, GListModel *inbox)
{
  /* A request whose object was replaced is not a new one. */
  g_autoptr (BeckonRequest) request = added > removed ? g_list_model_get_item (inbox, position + added - 1) : NULL;

  if (request != NULL)
    {
      const char *id = beckon_request_get_conversation_id (request);
      BeckonConversation *conversation = beckon_library_lookup (window_get_library (self), id);
      g_autofree char *title = beckon_request_words_dup_title (request);

      g_autofree char *words
          = conversation == NULL || conversation == self->conversation
                /* Translators: what a screen reader says when the agent asks; %s is the question */
                ? beckon_text_printf (_("The agent asks: %s"), title)
                /* Translators: the same in another conversation; its title, then the question */
                : beckon_text_printf (_("The agent asks in “%s”: %s"), beckon_conversation_get_title (conversation), title);

      beckon_window_say (self, words);
    }
}

/* --- Toasts ------------------------------------------------------------------------------------------------------- */

#define UNDO_SECONDS 20

static void
on_toasts_changed (BeckonWindow *self, guint position, guint n_removed, guint n_added, GListModel *children)
{
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (GtkWidget) child = g_list_model_get_item (children, i);

      if (child != adw_toast_overlay_get_child (self->toasts))
        {
          /* Messages are written on while a toast is shown. */
          gboolean is_shown = self->view != NULL && gtk_widget_get_mapped (GTK_WIDGET (self->view));

          gtk_widget_set_margin_bottom (child, is_shown ? beckon_conversation_view_measure_composer (self->view) : 0);
        }
    }
}

/* In what is being typed, and in all of a sheet, Ctrl+Z takes back the typing. */
static gboolean
is_typing (GtkWidget *focus)
{
  GtkTextBuffer *buffer = GTK_IS_TEXT_VIEW (focus) ? gtk_text_view_get_buffer (GTK_TEXT_VIEW (focus)) : NULL;

  if (buffer != NULL)
    return gtk_text_buffer_get_char_count (buffer) > 0;
  return GTK_IS_EDITABLE (focus) && *gtk_editable_get_text (GTK_EDITABLE (focus)) != '\0';
}

static gboolean
on_undo_key (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  g_autoptr (AdwToast) toast = NULL;

  if (self->undo_toast != NULL && !is_typing (focus) && !beckon_sheet_covers (GTK_WINDOW (self)))
    toast = g_object_ref (self->undo_toast);
  if (toast == NULL)
    return GDK_EVENT_PROPAGATE;

  /* A key that is held undoes it once. */
  g_clear_weak_pointer (&self->undo_toast);
  g_signal_emit_by_name (toast, "button-clicked");
  adw_toast_dismiss (toast);
  return GDK_EVENT_STOP;
}

/* Assistive technology presses the button without giving it the focus, which may be nowhere by then. */
static void
window_on_undo_clicked (AdwToast *toast, BeckonWindow *self)
{
  if (self->view != NULL && gtk_widget_get_mapped (GTK_WIDGET (self->view)))
    beckon_conversation_view_focus_composer (self->view);
}

void
beckon_window_offer_undo (BeckonWindow *self, AdwToast *toast, GCallback on_undo)
{
  /* The one before would have to go first, and its time is longer than a person waits. */
  if (self->undo_toast != NULL)
    adw_toast_dismiss (self->undo_toast);
  g_set_weak_pointer (&self->undo_toast, toast);
  /* Without a key of its own: that would be read out as part of its name. */
  adw_toast_set_button_label (toast, _("Undo"));
  adw_toast_set_timeout (toast, UNDO_SECONDS);
  g_signal_connect_object (toast, "button-clicked", on_undo, self, 0);
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (window_on_undo_clicked), self, 0);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

/* --- Dragging ----------------------------------------------------------------------------------------------------- */

/* A conversation is dragged out of the list: to a file manager as a file, to anything else as text. */

/* (nullable): the row that is there. */
static GtkWidget *
window_find_dragged_row (BeckonWindow *self, double x, double y)
{
  GtkWidget *at = gtk_widget_pick (GTK_WIDGET (self->sidebar), x, y, GTK_PICK_DEFAULT);
  GtkWidget *row = at != NULL ? gtk_widget_get_ancestor (at, BECKON_TYPE_SIDEBAR_ROW) : NULL;

  return row != NULL && beckon_sidebar_row_get_conversation (BECKON_SIDEBAR_ROW (row)) != NULL ? row : NULL;
}

static GdkContentProvider *
window_on_prepare_drag (GtkDragSource *source, double x, double y, BeckonWindow *self)
{
  GtkWidget *row = self->runtime != NULL ? window_find_dragged_row (self, x, y) : NULL;
  g_autoptr (GdkPaintable) icon = NULL;

  if (row == NULL)
    return NULL;
  icon = gtk_widget_paintable_new (row);
  gtk_drag_source_set_icon (source, icon, 12, 12);
  return beckon_conversation_content_new (window_get_library (self),
                                          beckon_sidebar_row_get_conversation (BECKON_SIDEBAR_ROW (row)));
}

/* --- Regions ------------------------------------------------------------------------------------------------------ */

/* F6 and Shift+F6 go around the regions of the window: sidebar, messages, dock, composer. */

static gboolean
enter_sidebar (BeckonWindow *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->sidebar)))
    return FALSE;
  beckon_sidebar_focus (self->sidebar);
  return beckon_focus_is_within (GTK_WIDGET (self->sidebar));
}

/* Pages other than a conversation are one region. */
static gboolean
step_page (BeckonWindow *self, int step)
{
  GtkWidget *page = gtk_stack_get_visible_child (self->pages);

  if (page == NULL)
    return FALSE;
  if (page == (GtkWidget *) self->view)
    return beckon_conversation_view_step_region (self->view, step);
  return !beckon_focus_is_within (page) && gtk_widget_child_focus (page, step > 0 ? GTK_DIR_TAB_FORWARD : GTK_DIR_TAB_BACKWARD);
}

static void
step_region_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const int step = g_str_equal (name, "win.next-region") ? 1 : -1;
  gboolean was_in_sidebar = beckon_focus_is_within (GTK_WIDGET (self->sidebar));

  if (step_page (self, step) || was_in_sidebar || enter_sidebar (self))
    return;
  /* Without a sidebar the last region is followed by the first. */
  gtk_root_set_focus (GTK_ROOT (self), NULL);
  step_page (self, step);
}

static void
focus_composer_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonConversationView *view = BECKON_WINDOW (widget)->view;

  if (view != NULL && gtk_widget_get_mapped (GTK_WIDGET (view)) && !beckon_sheet_covers (GTK_WINDOW (widget)))
    beckon_conversation_view_focus_composer (view);
}

/* --- Looking ------------------------------------------------------------------------------------------------------ */

/*
 * The person sees a conversation while it is shown in a window that is active, or in front of which a window of its own stands.
 * The end of that is stored, so that what is done after it can be told when they come back.
 */

static gboolean
has_active_dialog (BeckonWindow *self)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (gtk_window_is_active (window) && gtk_window_get_transient_for (window) == GTK_WINDOW (self))
        return TRUE;
    }
  return FALSE;
}

static gboolean
window_is_shown (BeckonWindow *self)
{
  return self->runtime != NULL && self->conversation != NULL && self->view != NULL
         && beckon_conversation_view_get_conversation (self->view) == self->conversation
         && gtk_stack_get_visible_child (self->pages) == GTK_WIDGET (self->view);
}

const char *
beckon_window_get_looked_at (BeckonWindow *self)
{
  GtkWindow *window = GTK_WINDOW (self);

  return self->looking && gtk_window_is_active (window) && !beckon_sheet_covers (window) && window_is_shown (self)
             ? beckon_conversation_get_id (self->conversation)
             : NULL;
}

static void
window_mark_seen (BeckonWindow *self)
{
  beckon_library_mark_seen (window_get_library (self), self->conversation,
                            beckon_clock_get_real_time (beckon_clock_get_system ()));
}

static void window_tell_absence (BeckonWindow *self, gint64 since);

typedef struct
{
  BeckonWindow *window;             /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  gint64 since;
} Absence;

static void
window_on_absence_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Absence *absence = user_data;
  g_autoptr (BeckonWindow) self = absence->window;
  g_autoptr (BeckonConversation) conversation = absence->conversation;
  g_autoptr (GError) error = NULL;

  if (!beckon_library_open_finish (BECKON_LIBRARY (source), result, &error))
    g_message ("what was done in the meantime could not be read: %s", error->message);
  else if (self->conversation == conversation && window_is_shown (self))
    window_tell_absence (self, absence->since);
}

static void
window_tell_absence (BeckonWindow *self, gint64 since)
{
  BeckonAwayDigest *digest;
  Absence *absence;

  /* The messages that are loaded may all be newer. */
  if (!beckon_conversation_get_has_earlier (self->conversation)
      || beckon_conversation_get_n_messages (self->conversation) == 0
      || beckon_message_get_created_at (beckon_conversation_get_message (self->conversation, 0)) <= since)
    {
      digest = beckon_away_digest_new (self->conversation, since);
      if (digest != NULL)
        beckon_conversation_view_show_absence (self->view, digest);
      return;
    }
  absence = g_new0 (Absence, 1);
  absence->window = g_object_ref (self);
  absence->conversation = g_object_ref (self->conversation);
  absence->since = since;
  beckon_library_open_earlier_async (window_get_library (self), self->conversation, NULL, window_on_absence_read,
                                     absence);
}

static void
window_begin_looking (BeckonWindow *self)
{
  gint64 since;

  if (self->looking || !gtk_window_is_active (GTK_WINDOW (self)) || !window_is_shown (self))
    return;

  self->looking = TRUE;
  g_signal_emit_by_name (self, "looking-changed");
  since = beckon_conversation_get_seen_at (self->conversation);
  window_mark_seen (self);
  if (since > 0)
    window_tell_absence (self, since);
}

static void
window_note_seen (BeckonWindow *self)
{
  if (self->looking && self->runtime != NULL && self->conversation != NULL)
    window_mark_seen (self);
}

void
beckon_window_end_looking (BeckonWindow *self)
{
  window_note_seen (self);
  g_clear_handle_id (&self->leaving_source, g_source_remove);
  if (!self->looking)
    return;
  self->looking = FALSE;
  g_signal_emit_by_name (self, "looking-changed");
}

static gboolean
window_on_left (gpointer user_data)
{
  BeckonWindow *self = user_data;

  self->leaving_source = 0;
  if (!gtk_window_is_active (GTK_WINDOW (self)) && !has_active_dialog (self))
    beckon_window_end_looking (self);
  return G_SOURCE_REMOVE;
}

/* --- The room ----------------------------------------------------------------------------------------------------- */

/* The least of both, with text as usual; and the most that the sidebar takes of a narrow window which it lies on. */
#define SIDEBAR_LEAST 250
#define CONTENT_LEAST 360
#define SIDEBAR_MOST_ABOVE 320

#define HEADER_PADDING 12

/* A header bar gives each side no more than its half. */
static void
window_fit_header (BeckonWindow *self)
{
  GtkWidget *box = gtk_widget_get_ancestor (self->stop_button, GTK_TYPE_CENTER_BOX);
  gboolean is_beside = !adw_flap_get_folded (self->flap) && adw_flap_get_reveal_flap (self->flap);
  double shadow, top;
  int header, end;

  if (self->surface_width <= 0)
    return;
  /* The window without its shadow, and without the sidebar where that is beside the header. */
  gtk_native_get_surface_transform (GTK_NATIVE (self), &shadow, &top);
  header = self->surface_width - 2 * (int) shadow - (is_beside ? beckon_measure_natural_width (GTK_WIDGET (self->sidebar)) : 0);
  /* The end of the header with the word on *Stop*. */
  end = box != NULL ? beckon_measure_natural_width (gtk_center_box_get_end_widget (GTK_CENTER_BOX (box))) : 0;
  if (!gtk_widget_get_visible (self->stop_word))
    end += beckon_measure_natural_width (gtk_widget_get_first_child (self->stop_word));
  gtk_widget_set_visible (self->stop_word, end <= header / 2 - HEADER_PADDING);
}

static gboolean
on_width_known (gpointer user_data)
{
  BeckonWindow *self = user_data;
  int dpi = 0;
  double scale;
  int sidebar;
  gboolean is_tight;

  self->width_source = 0;
  /* Beside each other, the sidebar and the conversation need room as their text does, which is larger for some. */
  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-xft-dpi", &dpi, NULL);
  scale = MAX (1, dpi / (96.0 * 1024));
  sidebar = (int) (SIDEBAR_LEAST * scale);
  is_tight = scale > 1 && self->surface_width < sidebar + (int) (CONTENT_LEAST * scale);
  adw_flap_set_fold_policy (self->flap, is_tight ? ADW_FLAP_FOLD_POLICY_ALWAYS : ADW_FLAP_FOLD_POLICY_AUTO);
  gtk_widget_set_size_request (GTK_WIDGET (self->sidebar), is_tight ? MIN (sidebar, SIDEBAR_MOST_ABOVE) : sidebar, -1);
  window_fit_header (self);
  return G_SOURCE_REMOVE;
}

/* Not at once: nothing may change its size while sizes are given out. */
static void
on_room_changed (BeckonWindow *self)
{
  if (self->width_source == 0)
    self->width_source = g_idle_add (on_width_known, self);
}

static void
on_layout (BeckonWindow *self, int width, int height)
{
  self->surface_width = width;
  on_room_changed (self);
}

static void
window_follow_width (BeckonWindow *self)
{
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (self)), "layout", G_CALLBACK (on_layout), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->flap, "notify::reveal-flap", G_CALLBACK (on_room_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_widget_get_settings (GTK_WIDGET (self)), "notify::gtk-xft-dpi", G_CALLBACK (on_room_changed),
                           self, G_CONNECT_SWAPPED);
}

/* --- The conversation that is shown ------------------------------------------------------------------------------- */

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

char *
beckon_window_dup_title (BeckonConversation *conversation, gsize most_chars)
{
  g_autofree char *shortened = beckon_text_shorten (beckon_conversation_get_title (conversation), most_chars);
  g_autofree char *safe = beckon_text_for_display (shortened, -1, BECKON_TEXT_PROSE);

  return *safe != '\0' ? g_steal_pointer (&safe) : g_strdup (_("New conversation"));
}

void
beckon_window_update (BeckonWindow *self)
{
  gboolean waiting = beckon_window_is_waiting_shown (self);
  gboolean shown = self->conversation != NULL && !waiting;
  const char *own = self->conversation != NULL ? beckon_conversation_get_title (self->conversation) : NULL;
  const char *title = waiting                       ? _("Waiting for You")
                      : !shown                      ? NULL
                      : own != NULL && *own != '\0' ? own
                                                    : _("New conversation");
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
  window_fit_header (self);
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
    beckon_library_mark_read (window_get_library (self), self->conversation);
  window_note_seen (self);
}

static void
on_active_changed (BeckonWindow *self)
{
  /* The dialog that takes the focus is active a moment later. */
  if (gtk_window_is_active (GTK_WINDOW (self)))
    window_begin_looking (self);
  else if (self->looking && self->leaving_source == 0)
    self->leaving_source = g_idle_add (window_on_left, self);
  mark_read (self);
  if (gtk_window_is_active (GTK_WINDOW (self)))
    beckon_sidebar_refresh (self->sidebar);
}

/* The draft changed in another window. */
static void
window_on_draft_changed (BeckonWindow *self)
{
  if (self->view != NULL && !gtk_window_is_active (GTK_WINDOW (self)))
    beckon_conversation_view_follow_draft (self->view);
}

/* A schema that is older than this program has not every key. */
static gboolean
window_is_on (GSettings *settings, const char *key)
{
  g_autoptr (GSettingsSchema) schema = NULL;

  g_object_get (settings, "settings-schema", &schema, NULL);
  return g_settings_schema_has_key (schema, key) && g_settings_get_boolean (settings, key);
}

static void
follow_settings (BeckonWindow *self, GSettings *settings)
{
  beckon_conversation_view_set_options (self->view, g_settings_get_enum (settings, "send-with") == 1,
                                        window_is_on (settings, "check-spelling"), window_is_on (settings, "show-usage"));
}

static void
show_loaded (BeckonWindow *self)
{
  GSettings *settings = beckon_settings_get_gsettings (self->settings);
  BeckonConversation *shown;
  g_autoptr (BeckonConversation) old = NULL;

  if (self->view == NULL)
    {
      self->view = BECKON_CONVERSATION_VIEW (beckon_conversation_view_new (beckon_runtime_get_inbox (self->runtime)));
      beckon_conversation_view_set_sources (self->view, window_get_agent (self),
                                            G_LIST_MODEL (beckon_runtime_get_profiles (self->runtime)),
                                            G_LIST_MODEL (beckon_runtime_get_servers (self->runtime)),
                                            G_LIST_MODEL (window_get_library (self)));
      gtk_stack_add_named (self->pages, GTK_WIDGET (self->view), "conversation");
      if (settings != NULL)
        follow_settings (self, settings);
      beckon_window_connect_view (self);
    }
  /* Conversations no longer in view need not stay in memory. */
  shown = beckon_conversation_view_get_conversation (self->view);
  old = shown != NULL ? g_object_ref (shown) : NULL;
  beckon_conversation_view_set_conversation (self->view, self->conversation);
  if (old != NULL && old != self->conversation && !window_has_other (self, old))
    beckon_library_leave (window_get_library (self), old);
  gtk_stack_set_visible_child_name (self->pages, "conversation");
  beckon_window_update (self);
  window_begin_looking (self);
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
window_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
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
  beckon_library_open_end_async (window_get_library (self), self->conversation, self->message_wanted,
                                 self->opening, window_on_opened, g_object_ref (self));
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
  g_signal_connect_swapped (conversation, "notify::draft", G_CALLBACK (window_on_draft_changed), self);
  g_signal_connect_swapped (self->conversation, "notify::phase", G_CALLBACK (window_on_phase_changed), self);
  beckon_sidebar_set_current (self->sidebar, conversation);

  /* A conversation in which nothing was written is not kept when one turns to another. */
  if (old != NULL && !window_has_other (self, old) && beckon_conversation_get_loaded (old)
      && beckon_conversation_get_n_messages (old) == 0 && beckon_conversation_has_empty_draft (old))
    beckon_library_delete (window_get_library (self), old);

  show_soon (self);
}

void
beckon_window_new_conversation (BeckonWindow *self)
{
  BeckonLibrary *library;
  BeckonConversation *conversation;

  if (self->runtime == NULL)
    return;

  library = window_get_library (self);
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

static void
window_show_something (BeckonWindow *self)
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
      if (gtk_stack_get_child_by_name (self->pages, "welcome") == NULL)
        gtk_stack_add_named (self->pages, beckon_welcome_new (), "welcome");
      gtk_stack_set_visible_child_name (self->pages, "welcome");
      beckon_welcome_focus (BECKON_WELCOME (gtk_stack_get_visible_child (self->pages)));
      beckon_window_update (self);
    }
}

/* The conversation that is shown may be deleted, here or by another process. */
static void
on_library_changed (BeckonWindow *self)
{
  BeckonLibrary *library = window_get_library (self);

  if (self->conversation != NULL &&
      beckon_library_lookup (library, beckon_conversation_get_id (self->conversation)) == NULL)
    window_show_something (self);
}

static void
on_setting_changed (BeckonWindow *self)
{
  GSettings *settings = beckon_settings_get_gsettings (self->settings);

  beckon_sidebar_set_by_folder (self->sidebar, window_is_on (settings, "sidebar-by-folder"));
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
  g_signal_connect_object (beckon_runtime_get_inbox (self->runtime), "items-changed", G_CALLBACK (window_on_inbox_changed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (library, "items-changed", G_CALLBACK (on_library_changed), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  if (settings != NULL)
    {
      g_autoptr (GSettingsSchema) schema = NULL;
      g_autoptr (GAction) action = NULL;

      g_object_get (settings, "settings-schema", &schema, NULL);
      if (g_settings_schema_has_key (schema, "sidebar-by-folder"))
        {
          action = g_settings_create_action (settings, "sidebar-by-folder");
          g_action_map_add_action (G_ACTION_MAP (self), action);
        }
      beckon_sidebar_set_by_folder (self->sidebar, window_is_on (settings, "sidebar-by-folder"));
      g_signal_connect_object (settings, "changed", G_CALLBACK (on_setting_changed), self, G_CONNECT_SWAPPED);
    }
  window_show_something (self);
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
beckon_window_show_failure (BeckonWindow *self, BeckonStore *store, const GError *error)
{
  g_autofree char *reason = g_markup_escape_text (error->message, -1);
  GtkWidget *button = gtk_button_new ();
  GtkWidget *page;

  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "pill");
  beckon_copy_button_offer (GTK_BUTTON (button), store);

  page = g_object_new (ADW_TYPE_STATUS_PAGE, "icon-name", "dialog-error-symbolic", "title",
                       _("Can’t Read Your Conversations"), "description", reason, "child", button, NULL);
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

  if (!self->quitting && !window_has_other (self, NULL) && beckon_window_ask_before_quitting (self))
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

static BeckonEffort
window_get_effort (BeckonWindow *self)
{
  return self->conversation != NULL ? beckon_conversation_get_effort (self->conversation) : BECKON_EFFORT_DEFAULT;
}

static void
beckon_window_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  BeckonWindow *self = BECKON_WINDOW (object);
  BeckonMode mode = self->conversation != NULL ? beckon_conversation_get_mode (self->conversation) : BECKON_MODE_DEFAULT;

  if (property_id == PROP_MODE)
    g_value_set_string (value, beckon_mode_to_string (mode));
  else if (property_id == PROP_EFFORT)
    g_value_set_string (value, beckon_effort_to_string (window_get_effort (self)));
  else
    g_value_take_string (value, beckon_window_dup_profile_id (self));
}

static void
beckon_window_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  BeckonWindow *self = BECKON_WINDOW (object);

  if (property_id == PROP_MODE)
    {
      const char *word = g_value_get_string (value);
      BeckonMode mode;

      if (self->runtime != NULL && self->conversation != NULL && beckon_mode_from_string (word, &mode)
          && beckon_conversation_get_mode (self->conversation) != mode)
        beckon_library_set_mode (window_get_library (self), self->conversation, mode);
    }
  else if (property_id == PROP_EFFORT)
    {
      const char *word = g_value_get_string (value);
      BeckonEffort effort;

      if (self->runtime != NULL && self->conversation != NULL && beckon_effort_from_string (word, &effort)
          && window_get_effort (self) != effort)
        beckon_library_set_effort (window_get_library (self), self->conversation, effort);
    }
  else if (self->runtime != NULL && self->conversation != NULL)
    beckon_library_set_profile (window_get_library (self), self->conversation,
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
  g_signal_new ("looking-changed", BECKON_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_install_action (widget_class, "conversation.focus-composer", NULL, focus_composer_action);
  gtk_widget_class_install_action (widget_class, "win.next-region", NULL, step_region_action);
  gtk_widget_class_install_action (widget_class, "win.previous-region", NULL, step_region_action);
  beckon_window_install_actions (widget_class);
  beckon_window_install_library (widget_class);
  beckon_window_install_runs (widget_class);
}

static void
beckon_window_init (BeckonWindow *self)
{
  GtkDragSource *source = gtk_drag_source_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (self->conversation_menu_button, make_conversation_menu, self, NULL);
  gtk_drag_source_set_actions (source, GDK_ACTION_COPY);
  /* Before the list, which takes a press for a choice at once. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (source), GTK_PHASE_CAPTURE);
  g_signal_connect (source, "prepare", G_CALLBACK (window_on_prepare_drag), self);
  gtk_widget_add_controller (GTK_WIDGET (self->sidebar), GTK_EVENT_CONTROLLER (source));

  /* An empty text has an undo of its own, which comes after this. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_z, GDK_CONTROL_MASK),
                                                          gtk_callback_action_new (on_undo_key, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);

  self->toast_widgets = gtk_widget_observe_children (GTK_WIDGET (self->toasts));
  g_signal_connect_object (self->toast_widgets, "items-changed", G_CALLBACK (on_toasts_changed), self, G_CONNECT_SWAPPED);
  beckon_focus_keeper_add (GTK_WINDOW (self));
  g_signal_connect (self, "realize", G_CALLBACK (window_follow_width), NULL);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (on_active_changed), NULL);
}

GtkWidget *
beckon_window_new (GtkApplication *application, BeckonSettings *settings)
{
  BeckonWindow *self = g_object_new (BECKON_TYPE_WINDOW, "application", application, NULL);
  GSettings *gsettings = beckon_settings_get_gsettings (settings);

  self->settings = g_object_ref (settings);
  /* Its size, and not its place: that is the desktop's, and a program cannot ask for one under Wayland. */
  if (gsettings != NULL)
    {
      gtk_window_set_default_size (GTK_WINDOW (self), g_settings_get_int (gsettings, "window-width"),
                                   g_settings_get_int (gsettings, "window-height"));
      if (g_settings_get_boolean (gsettings, "window-maximized"))
        gtk_window_maximize (GTK_WINDOW (self));
      adw_flap_set_reveal_flap (self->flap, g_settings_get_boolean (gsettings, "sidebar-visible"));
    }
  beckon_window_update (self);
  return GTK_WIDGET (self);
}
