/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "agent/beckon-landing-upkeep.h"
#include "attach/beckon-attacher.h"
#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "store/queries/beckon-delete-all.h"
#include "store/queries/beckon-store-secrets.h"
#include "store/transfer/beckon-export.h"
#include "store/transfer/beckon-import.h"
#include "text/beckon-conversation-text.h"
#include "ui/cards/beckon-request-words.h"
#include "ui/conversation/beckon-conversation-details.h"
#include "ui/conversation/beckon-conversation-export.h"
#include "ui/palette/beckon-palette-commands.h"
#include "ui/palette/beckon-palette-settings.h"
#include "ui/palette/beckon-palette.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-clipboard.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Actions on whole conversations: rename, pin, archive, copy, export, delete. */

/* A toast about a conversation, with a way back. @text: escaped. */
static void
toast_with_undo (BeckonWindow *self, BeckonConversation *conversation, const char *text, GCallback on_undo)
{
  AdwToast *toast = adw_toast_new (text);

  g_object_set_data_full (G_OBJECT (toast), "conversation", g_object_ref (conversation), g_object_unref);
  beckon_window_offer_undo (self, toast, on_undo);
}

static char *
dup_escaped_title (BeckonConversation *conversation)
{
  g_autofree char *title = beckon_window_dup_title (conversation, BECKON_WINDOW_TITLE_CHARS);

  return g_markup_escape_text (title, -1);
}

/* The shown one is about to leave the list. */
static void
window_library_make_room (BeckonWindow *self, BeckonConversation *conversation)
{
  BeckonConversation *neighbour = beckon_sidebar_get_neighbour (self->sidebar, conversation);

  if (self->conversation != conversation)
    return;
  if (neighbour != NULL && neighbour != conversation)
    beckon_window_open_conversation (self, neighbour, FALSE);
  else
    beckon_window_new_conversation (self);
}

/* Rename */

static void
on_rename_response (GtkWidget *alert, const char *response, BeckonWindow *self)
{
  GtkWidget *entry = beckon_alert_get_extra_child (alert);
  g_autofree char *title = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));
  BeckonConversation *conversation = g_object_get_data (G_OBJECT (alert), "conversation");

  if (g_strcmp0 (response, "rename") == 0 && *title != '\0' && self->runtime != NULL)
    beckon_library_rename (window_get_library (self), conversation, title);
}

static void
on_title_changed (GtkEditable *entry, GtkWidget *alert)
{
  g_autofree char *title = g_strstrip (g_strdup (gtk_editable_get_text (entry)));

  beckon_alert_set_enabled (alert, "rename", *title != '\0');
}

static void
rename_conversation (BeckonWindow *self, BeckonConversation *conversation)
{
  GtkWidget *alert = beckon_alert_new (_("Rename Conversation"), NULL);
  GtkWidget *entry = gtk_entry_new ();

  g_object_set_data_full (G_OBJECT (alert), "conversation", g_object_ref (conversation), g_object_unref);
  gtk_editable_set_text (GTK_EDITABLE (entry), beckon_conversation_get_title (conversation));
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Title"), -1);
  beckon_alert_set_extra_child (alert, entry);
  beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "rename", _("_Rename"), NULL);
  beckon_alert_set_appearance (alert, "rename", ADW_RESPONSE_SUGGESTED);
  beckon_alert_set_defaults (alert, "rename", "cancel");
  g_signal_connect_object (entry, "changed", G_CALLBACK (on_title_changed), alert, 0);
  on_title_changed (GTK_EDITABLE (entry), alert);
  g_signal_connect_object (alert, "response", G_CALLBACK (on_rename_response), self, 0);
  beckon_alert_present (alert, GTK_WIDGET (self));
  gtk_widget_grab_focus (entry);
}

/* Archive */

static void
on_undo_archive (AdwToast *toast, BeckonWindow *self)
{
  BeckonConversation *conversation = g_object_get_data (G_OBJECT (toast), "conversation");

  if (self->runtime == NULL)
    return;
  beckon_library_set_archived (window_get_library (self), conversation, FALSE);
  beckon_window_open_conversation (self, conversation, FALSE);
}

static void
archive (BeckonWindow *self, BeckonConversation *conversation)
{
  g_autofree char *title = dup_escaped_title (conversation);
  /* Translators: %s is the title of a conversation */
  g_autofree char *text = beckon_text_printf (_("“%s” archived"), title);

  window_library_make_room (self, conversation);
  beckon_library_set_archived (window_get_library (self), conversation, TRUE);
  toast_with_undo (self, conversation, text, G_CALLBACK (on_undo_archive));
}

/* Delete */

static void
on_undo_delete (AdwToast *toast, BeckonWindow *self)
{
  BeckonConversation *conversation = g_object_get_data (G_OBJECT (toast), "conversation");

  if (self->runtime == NULL)
    return;
  if (beckon_library_restore (window_get_library (self), conversation))
    beckon_window_open_conversation (self, conversation, FALSE);
  else
    beckon_window_toast (self, _("Too late: the conversation is already deleted"));
}

static void
delete_conversation (BeckonWindow *self, BeckonConversation *conversation)
{
  G_GNUC_UNUSED g_autoptr (BeckonConversation) held = g_object_ref (conversation);
  g_autofree char *title = dup_escaped_title (conversation);
  /* Translators: %s is the title of a conversation */
  g_autofree char *text = beckon_text_printf (_("“%s” deleted"), title);

  window_library_make_room (self, conversation);
  beckon_agent_stop (window_get_agent (self), conversation);
  beckon_library_delete (window_get_library (self), conversation);
  if (beckon_library_can_restore (window_get_library (self), conversation))
    toast_with_undo (self, conversation, text, G_CALLBACK (on_undo_delete));
}

/* Copies */

static void
show_copy (BeckonWindow *self, BeckonConversation *copy, const GError *error)
{
  if (self->runtime == NULL)
    return;
  if (copy != NULL)
    beckon_window_open_conversation (self, copy, TRUE);
  else
    beckon_window_toast (self, error->message);
}

static void
on_duplicated (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonConversation) copy = beckon_library_duplicate_finish (BECKON_LIBRARY (source), result, &error);

  show_copy (self, copy, error);
}

static void
on_branched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonConversation) copy = beckon_library_branch_finish (BECKON_LIBRARY (source), result, &error);

  show_copy (self, copy, error);
}

static void
branch_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (self->runtime != NULL && self->conversation != NULL)
    beckon_library_branch_async (window_get_library (self), self->conversation, g_variant_get_string (parameter, NULL), NULL,
                                 on_branched, g_object_ref (self));
}

/* Export */

static void
window_library_on_exported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = beckon_conversation_export_finish (result, &error);
  g_autofree char *text = NULL;

  if (name != NULL)
    /* Translators: %s is the name of a file */
    text = beckon_text_printf (_("Saved as “%s”"), name);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    text = beckon_text_printf (_("Not exported: %s"), error->message);
  if (text != NULL && self->runtime != NULL)
    beckon_window_toast (self, text);
}

/* The action after all was read. */
typedef struct
{
  BeckonWindow *window;             /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  void (*act) (BeckonWindow *self, BeckonConversation *conversation);
} Reading;

static void
on_conversation_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Reading *reading = user_data;
  g_autoptr (BeckonWindow) self = reading->window;
  g_autoptr (BeckonConversation) conversation = reading->conversation;
  g_autoptr (GError) error = NULL;

  if (!beckon_library_open_finish (BECKON_LIBRARY (source), result, &error) && self->runtime != NULL)
    beckon_window_toast (self, error->message);
  else if (self->runtime != NULL)
    reading->act (self, conversation);
}

static void
act_on_read (BeckonWindow *self, BeckonConversation *conversation,
             void (*act) (BeckonWindow *self, BeckonConversation *conversation))
{
  Reading *reading = g_new0 (Reading, 1);

  reading->window = g_object_ref (self);
  reading->conversation = g_object_ref (conversation);
  reading->act = act;
  beckon_library_open_async (window_get_library (self), conversation, NULL, on_conversation_read, reading);
}

static void
copy_all (BeckonWindow *self, BeckonConversation *conversation)
{
  g_autofree char *markdown = beckon_conversation_text_to_markdown (conversation);

  beckon_clipboard_set_source (GTK_WIDGET (self), markdown);
  beckon_window_toast (self, _("Conversation copied"));
}

static void
show_details (BeckonWindow *self, BeckonConversation *conversation)
{
  GtkWidget *details = beckon_conversation_details_new (conversation);

  beckon_conversation_details_show_files (details, beckon_runtime_get_store (self->runtime),
                                          beckon_runtime_get_settings (self->runtime));
  beckon_sheet_present (BECKON_SHEET (details), GTK_WIDGET (self));
}

/* The actions */

static void
act_on_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  BeckonConversation *conversation = NULL;
  const char *id, *word;

  g_variant_get (parameter, "(&s&s)", &id, &word);
  if (self->runtime != NULL)
    conversation = beckon_library_lookup (window_get_library (self), id);
  if (conversation == NULL)
    return;
  if (g_str_equal (word, "open-in-window"))
    gtk_widget_activate_action (widget, "app.open-in-window", "s", id);
  else if (g_str_equal (word, "rename"))
    rename_conversation (self, conversation);
  else if (g_str_equal (word, "pin") || g_str_equal (word, "unpin"))
    beckon_library_set_pinned (window_get_library (self), conversation, g_str_equal (word, "pin"));
  else if (g_str_equal (word, "archive"))
    archive (self, conversation);
  else if (g_str_equal (word, "unarchive"))
    beckon_library_set_archived (window_get_library (self), conversation, FALSE);
  else if (g_str_equal (word, "duplicate"))
    beckon_library_duplicate_async (window_get_library (self), conversation, NULL, on_duplicated, g_object_ref (self));
  else if (g_str_equal (word, "delete"))
    delete_conversation (self, conversation);
  else if (g_str_equal (word, "export-markdown") || g_str_equal (word, "export-json"))
    beckon_conversation_export_async (self->runtime, conversation,
                                      g_str_equal (word, "export-json") ? BECKON_EXPORT_JSON : BECKON_EXPORT_MARKDOWN,
                                      GTK_WINDOW (self), window_library_on_exported, g_object_ref (self));
  else if (g_str_equal (word, "copy-markdown"))
    act_on_read (self, conversation, copy_all);
  else if (g_str_equal (word, "details"))
    act_on_read (self, conversation, show_details);
}

static void
rename_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (self->runtime != NULL && self->conversation != NULL)
    rename_conversation (self, self->conversation);
}

static void
new_temporary_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (self->runtime != NULL)
    beckon_window_open_conversation (self, beckon_library_create_temporary (window_get_library (self)), TRUE);
}

/* --- Search ------------------------------------------------------------------------------------------------------- */

/* Searching in all conversations, and finding in the one that is shown. */

void
beckon_window_show_hit (BeckonWindow *self, const char *conversation_id, const char *message_id, const char *words)
{
  BeckonConversation *conversation = NULL;

  if (self->runtime != NULL)
    conversation = beckon_library_lookup (window_get_library (self), conversation_id);
  if (conversation == NULL)
    {
      beckon_window_toast (self, _("This conversation no longer exists"));
      return;
    }
  g_free (self->message_wanted);
  g_free (self->words_wanted);
  self->message_wanted = g_strdup (message_id);
  self->words_wanted = g_strdup (words);
  beckon_window_open_conversation (self, conversation, TRUE);
}

static void
search_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  adw_flap_set_reveal_flap (self->flap, TRUE);
  beckon_sidebar_search (self->sidebar);
}

typedef struct
{
  BeckonWindow *window; /* (owned) */
  int step;
} Finding;

static void
on_all_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Finding *finding = user_data;
  g_autoptr (BeckonWindow) self = finding->window;
  g_autoptr (GError) error = NULL;

  if (!beckon_library_open_finish (BECKON_LIBRARY (source), result, &error))
    beckon_window_toast (self, error->message);
  else if (self->view != NULL && self->conversation != NULL)
    beckon_conversation_view_find (self->view, finding->step);
}

/* The match may be anywhere in a long conversation of which only the end was read. */
static void
find_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const int step = g_str_equal (name, "win.find-next") ? 1 : g_str_equal (name, "win.find-previous") ? -1 : 0;
  Finding *finding;

  if (self->view == NULL || self->conversation == NULL)
    return;

  if (!beckon_conversation_get_loaded (self->conversation) || !beckon_conversation_get_has_earlier (self->conversation))
    {
      beckon_conversation_view_find (self->view, step);
      return;
    }
  finding = g_new0 (Finding, 1);
  finding->window = g_object_ref (self);
  finding->step = step;
  beckon_library_open_async (window_get_library (self), self->conversation, NULL, on_all_read, finding);
}

/* --- The palette -------------------------------------------------------------------------------------------------- */

/* The palette: where everything that has a name is reached by typing it. */

#define KEY_RECENT "palette-recent"

/* The titles beyond these are found by the store's search, as the text of messages is. */
#define MOST_CONVERSATIONS 2000
#define MOST_RECENT 12
#define MOST_PALETTE_CHARS 120

static void
on_palette_chosen (BeckonWindow *self, BeckonPaletteItem *item, gboolean elsewhere)
{
  const char *conversation_id = beckon_palette_item_get_conversation_id (item);
  GSettings *settings = beckon_settings_get_gsettings (self->settings);
  g_autofree char *key = beckon_palette_item_dup_key (item);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) old = NULL;
  g_auto (GStrv) recent = NULL;
  BeckonPaletteKind kind = beckon_palette_item_get_kind (item);

  /* Actions on one conversation are no habit, and its id stays private here. */
  if (settings != NULL && (kind == BECKON_PALETTE_COMMAND || kind == BECKON_PALETTE_SETTING)
      && !g_str_equal (beckon_palette_item_get_action (item), "win.act-on"))
    {
      old = g_settings_get_strv (settings, KEY_RECENT);
      g_strv_builder_add (builder, key);
      for (guint i = 0, n = 1; old[i] != NULL && n < MOST_RECENT; i++)
        if (!g_str_equal (old[i], key))
          {
            g_strv_builder_add (builder, old[i]);
            n++;
          }
      recent = g_strv_builder_end (builder);
      g_settings_set_strv (settings, KEY_RECENT, (const char *const *) recent);
    }
  if (elsewhere && conversation_id != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "app.open-in-window", "s", conversation_id);
  else
    gtk_widget_activate_action_variant (GTK_WIDGET (self), beckon_palette_item_get_action (item),
                                        beckon_palette_item_get_target (item));
}

static void
palette_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  GSettings *settings = beckon_settings_get_gsettings (self->settings);
  GPtrArray *items;
  g_auto (GStrv) recent = NULL;
  g_autoptr (BeckonPaletteFinder) finder = NULL;
  gboolean shown = self->conversation != NULL && !beckon_window_is_waiting_shown (self);
  GtkWidget *palette;
  GListModel *inbox;
  guint n;
  GListModel *conversations;
  guint n_conversations;

  if (self->runtime == NULL)
    return;

  items = g_ptr_array_new_with_free_func (g_object_unref);
  inbox = G_LIST_MODEL (beckon_runtime_get_inbox (self->runtime));
  n = g_list_model_get_n_items (inbox);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);
      const char *id = beckon_request_get_conversation_id (request);
      BeckonConversation *conversation = beckon_library_lookup (window_get_library (self), id);
      g_autofree char *title = beckon_request_words_dup_title (request);
      g_autofree char *subtitle = conversation != NULL ? beckon_window_dup_title (conversation, MOST_PALETTE_CHARS) : NULL;

      g_ptr_array_add (items,
                       beckon_palette_item_new (BECKON_PALETTE_REQUEST, title, subtitle, "beckon-question-symbolic",
                                                "win.show-card", g_variant_new ("(ss)", id, beckon_request_get_id (request))));
    }
  conversations = G_LIST_MODEL (window_get_library (self));
  n_conversations = MIN (g_list_model_get_n_items (conversations), MOST_CONVERSATIONS);
  for (guint i = 0; i < n_conversations; i++)
    {
      g_autoptr (BeckonConversation) conversation = g_list_model_get_item (conversations, i);
      const char *id = beckon_conversation_get_id (conversation);
      g_autofree char *title = NULL;
      BeckonPaletteItem *item;

      if (conversation == self->conversation && !beckon_window_is_waiting_shown (self))
        continue;
      title = beckon_window_dup_title (conversation, MOST_PALETTE_CHARS);
      item = beckon_palette_item_new (BECKON_PALETTE_CONVERSATION, title,
                                      beckon_conversation_get_archived (conversation) ? _("Archived") : NULL,
                                      "beckon-conversation-symbolic", "win.show-hit", g_variant_new ("(sss)", id, "", ""));
      beckon_palette_item_set_conversation_id (item, id);
      g_ptr_array_add (items, item);
    }
  beckon_palette_commands_append (items, shown ? self->conversation : NULL);
  beckon_palette_settings_append (items);
  recent = settings != NULL ? g_settings_get_strv (settings, KEY_RECENT) : NULL;
  finder = beckon_palette_finder_new (items, (const char *const *) recent, beckon_runtime_get_store (self->runtime));
  palette = beckon_palette_new (GTK_WINDOW (self), finder);
  g_signal_connect_object (palette, "chosen", G_CALLBACK (on_palette_chosen), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (palette));
}

static void
show_hit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const char *conversation, *message, *words;

  g_variant_get (parameter, "(&s&s&s)", &conversation, &message, &words);
  beckon_window_show_hit (BECKON_WINDOW (widget), conversation, *message != '\0' ? message : NULL,
                          *words != '\0' ? words : NULL);
}

/* --- Links -------------------------------------------------------------------------------------------------------- */

/* Places that other programs lead to: links, and what was found in the desktop's search. Nothing is sent on the way. */

/* Drafts of other conversations stay where they are. */
static void
begin_conversation_with (BeckonWindow *self, const char *text)
{
  BeckonLibrary *library = window_get_library (self);
  BeckonConversation *conversation;

  if (text == NULL || *text == '\0')
    {
      beckon_window_new_conversation (self);
      return;
    }

  conversation = beckon_library_create (library);
  beckon_library_save_draft (library, conversation, text);
  beckon_window_open_conversation (self, conversation, TRUE);
}

typedef struct
{
  BeckonWindow *window; /* (owned) */
  BeckonLink *link;     /* (owned) */
} Following;

static void
on_list_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Following *following = user_data;
  g_autoptr (BeckonWindow) self = following->window;
  g_autoptr (BeckonLink) link = following->link;
  g_autoptr (GError) error = NULL;

  if (self->runtime == NULL)
    return;
  if (!beckon_library_load_finish (BECKON_LIBRARY (source), result, &error))
    beckon_window_toast (self, error->message);
  else
    beckon_window_show_hit (self, link->conversation_id, link->message_id, link->text);
}

/* Another program that has begun the conversation just now may have been faster than the news of it. */
static void
show_linked_conversation (BeckonWindow *self, const BeckonLink *link)
{
  BeckonLibrary *library = window_get_library (self);
  Following *following;

  if (beckon_library_lookup (library, link->conversation_id) != NULL)
    {
      beckon_window_show_hit (self, link->conversation_id, link->message_id, link->text);
      return;
    }
  following = g_new0 (Following, 1);
  following->window = g_object_ref (self);
  following->link = beckon_link_copy (link);
  beckon_library_load_async (library, NULL, on_list_read, following);
}

void
beckon_window_follow_wanted_link (BeckonWindow *self)
{
  g_autoptr (BeckonLink) link = g_steal_pointer (&self->link_wanted);

  if (link != NULL)
    {
      switch (link->kind)
        {
        case BECKON_LINK_CONVERSATION:
          show_linked_conversation (self, link);
          break;
        case BECKON_LINK_NEW:
          begin_conversation_with (self, link->text);
          break;
        case BECKON_LINK_SEARCH:
          adw_flap_set_reveal_flap (self->flap, TRUE);
          beckon_sidebar_search_for (self->sidebar, link->text);
          break;
        default:
          g_assert_not_reached ();
        }
    }
}

void
beckon_window_follow_link (BeckonWindow *self, const BeckonLink *link)
{
  g_clear_pointer (&self->link_wanted, beckon_link_free);
  self->link_wanted = beckon_link_copy (link);
  if (self->runtime != NULL && beckon_library_is_loaded (window_get_library (self)))
    beckon_window_follow_wanted_link (self);
}

/* --- Import ------------------------------------------------------------------------------------------------------- */

/* A history from another program, or from another Beckon: chosen, brought over while a dialog says how far it is and lets it be
 * stopped, and told of in the end. */

/* Short imports need no dialog. */
#define SHOWN_AFTER_MS 300

typedef struct
{
  BeckonWindow *window;       /* (owned) */
  GCancellable *cancellable;  /* (owned) */
  GtkWidget *alert;           /* (nullable): while it is shown; a weak pointer */
  GtkProgressBar *bar;        /* of that */
  guint show_later;
  guint n_read;
  guint n_all;
} Import;

static void
show_import_progress (Import *import)
{
  g_autofree char *text = NULL;

  if (import->alert == NULL)
    return;
  if (import->n_all == 0)
    {
      gtk_progress_bar_pulse (import->bar);
      return;
    }
  /* Translators: how many conversations were looked at, of how many */
  text = g_strdup_printf (_("%u of %u"), import->n_read, import->n_all);
  gtk_progress_bar_set_text (import->bar, text);
  gtk_progress_bar_set_fraction (import->bar, (double) import->n_read / import->n_all);
}

static void
on_import_progress (guint n_read, guint n_all, gpointer data)
{
  Import *import = data;

  import->n_read = n_read;
  import->n_all = n_all;
  show_import_progress (import);
}

static void
on_stop_import (Import *import)
{
  g_cancellable_cancel (import->cancellable);
}

static gboolean
on_show_import (gpointer data)
{
  Import *import = data;
  GtkWidget *bar;

  import->show_later = 0;
  /* A window that was closed meanwhile shows nothing; the import goes on. */
  if (import->window->runtime == NULL)
    return G_SOURCE_REMOVE;
  bar = gtk_progress_bar_new ();
  g_set_weak_pointer (&import->alert, beckon_alert_new (_("Importing Conversations"), NULL));
  import->bar = GTK_PROGRESS_BAR (bar);
  gtk_progress_bar_set_show_text (import->bar, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Progress of the import"), -1);
  beckon_alert_set_extra_child (import->alert, bar);
  beckon_alert_add_responses (import->alert, "stop", _("_Stop"), NULL);
  beckon_alert_set_defaults (import->alert, NULL, "stop");
  g_signal_connect_swapped (import->alert, "response", G_CALLBACK (on_stop_import), import);
  show_import_progress (import);
  beckon_alert_present (import->alert, GTK_WIDGET (import->window));
  return G_SOURCE_REMOVE;
}

/* Until it is in the library, which has been told of it. */
typedef struct
{
  BeckonWindow *window; /* (owned) */
  char *id;
} Wanted;

static void
wanted_free (gpointer data, GClosure *closure)
{
  Wanted *wanted = data;

  g_object_unref (wanted->window);
  g_free (wanted->id);
  g_free (wanted);
}

static void
window_library_on_listed (BeckonLibrary *library, guint position, guint removed, guint added, Wanted *wanted)
{
  BeckonConversation *conversation = beckon_library_lookup (library, wanted->id);

  if (conversation == NULL || wanted->window->runtime == NULL)
    return;
  beckon_window_open_conversation (wanted->window, conversation, TRUE);
  g_signal_handlers_disconnect_by_data (library, wanted);
}

static void
window_library_on_imported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Import *import = user_data;
  BeckonWindow *self = g_object_ref (import->window);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonImportReport) report = beckon_store_import_finish (BECKON_STORE (source), result, &error);
  g_autofree char *words = report != NULL ? beckon_import_report_describe (report) : NULL;
  g_autoptr (GtkWidget) alert = import->alert != NULL ? g_object_ref (import->alert) : NULL;

  g_clear_handle_id (&import->show_later, g_source_remove);
  if (import->alert != NULL)
    g_signal_handlers_disconnect_by_data (import->alert, import);
  g_clear_weak_pointer (&import->alert);
  g_object_unref (import->cancellable);
  g_object_unref (import->window);
  g_free (import);
  if (alert != NULL)
    beckon_alert_dismiss (alert);
  if (self->runtime != NULL && report != NULL)
    {
      BeckonLibrary *library = window_get_library (self);
      Wanted *wanted;

      beckon_library_reload (library);
      if (report->ids->len == 1)
        {
          wanted = g_new0 (Wanted, 1);
          wanted->window = g_object_ref (self);
          wanted->id = g_strdup (g_ptr_array_index (report->ids, 0));
          g_signal_connect_data (library, "items-changed", G_CALLBACK (window_library_on_listed), wanted, wanted_free,
                                 G_CONNECT_AFTER);
        }
    }
  if (self->runtime != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      GtkWidget *told
          = beckon_alert_new (report != NULL && report->ids->len > 0 ? _("Conversations Imported") : _("Nothing Imported"),
                              words != NULL ? words : error->message);

      beckon_alert_add_responses (told, "close", _("_Close"), NULL);
      beckon_alert_present (told, GTK_WIDGET (self));
    }
  g_object_unref (self);
}

static void
window_import_file (BeckonWindow *self, GFile *file)
{
  Import *import;

  if (self->runtime == NULL)
    return;
  import = g_new0 (Import, 1);
  import->window = g_object_ref (self);
  import->cancellable = g_cancellable_new ();
  import->show_later = g_timeout_add (SHOWN_AFTER_MS, on_show_import, import);
  beckon_store_import_file_async (beckon_runtime_get_store (self->runtime), file, on_import_progress, import,
                                  import->cancellable, window_library_on_imported, import);
}

static void
on_import_chosen (GtkNativeDialog *chooser, int response, BeckonWindow *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser)) : NULL;

  if (file != NULL)
    window_import_file (self, file);
  gtk_native_dialog_destroy (chooser);
  g_object_unref (chooser);
}

static void
import_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  GtkFileChooserNative *chooser;
  g_autoptr (GtkFileFilter) filter = NULL;

  if (self->runtime == NULL)
    return;
  chooser = gtk_file_chooser_native_new (_("Import From ChatGPT, Claude or Beckon"), GTK_WINDOW (self),
                                         GTK_FILE_CHOOSER_ACTION_OPEN, _("_Import"), _("_Cancel"));

  filter = gtk_file_filter_new ();
  gtk_file_filter_set_name (filter, _("Exports (.zip, .json)"));
  gtk_file_filter_add_suffix (filter, "zip");
  gtk_file_filter_add_suffix (filter, "json");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), filter);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_import_chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- Files -------------------------------------------------------------------------------------------------------- */

/* Files that the program was opened with. A history is imported if the person says so; anything else is attached to a new
 * conversation, where they see it before it is sent. */

/* The format's name is at the beginning. */
#define MOST_BEGIN 256

typedef struct
{
  BeckonWindow *window; /* (owned) */
  GFile *file;          /* (owned) */
} Taking;

static void
taking_free (Taking *taking)
{
  g_object_unref (taking->window);
  g_object_unref (taking->file);
  g_free (taking);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Taking, taking_free)

static void
show_attach_failure (Taking *taking, const GError *error)
{
  g_autofree char *base = g_file_get_basename (taking->file);
  g_autofree char *name = g_filename_display_name (base);
  /* Translators: the name of a file, and why it was not opened */
  g_autofree char *text = beckon_text_printf (_("“%s” was not opened: %s"), name, error->message);

  beckon_window_toast (taking->window, text);
}

/* Something to attach */

static void
on_attachable (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Taking) taking = user_data;
  BeckonWindow *self = taking->window;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPart) part = beckon_attacher_read_finish (result, &error);
  BeckonConversation *conversation = self->conversation;

  if (self->runtime == NULL)
    return;
  if (part == NULL)
    {
      show_attach_failure (taking, error);
      return;
    }
  /* Several files that are opened together come to one message. */
  if (conversation == NULL || !beckon_conversation_get_loaded (conversation) ||
      beckon_conversation_get_n_messages (conversation) > 0 || *beckon_conversation_get_draft (conversation) != '\0')
    conversation = beckon_library_create (window_get_library (self));
  g_list_store_append (beckon_conversation_get_files (conversation), part);
  beckon_window_open_conversation (self, conversation, TRUE);
}

static void
attach_file (Taking *taking)
{
  beckon_attacher_read_file_async (taking->file, NULL, on_attachable, taking);
}

/* A history */

static void
forget_taking (gpointer data, GClosure *closure)
{
  taking_free (data);
}

static void
on_import_response (GtkWidget *alert, const char *response, Taking *taking)
{
  if (g_strcmp0 (response, "import") == 0)
    window_import_file (taking->window, taking->file);
}

static void
offer_import (Taking *taking)
{
  g_autofree char *base = g_file_get_basename (taking->file);
  g_autofree char *name = g_filename_display_name (base);
  /* Translators: %s is the name of a file */
  g_autofree char *body = beckon_text_printf (_("“%s” has conversations that were exported. They are added to yours; "
                                                "nothing in them is run or allowed by it."),
                                              name);
  GtkWidget *alert = beckon_alert_new (_("Import Conversations?"), body);

  beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "import", _("_Import"), NULL);
  beckon_alert_set_appearance (alert, "import", ADW_RESPONSE_SUGGESTED);
  beckon_alert_set_defaults (alert, "import", "cancel");
  g_signal_connect_data (alert, "response", G_CALLBACK (on_import_response), taking, forget_taking, 0);
  beckon_alert_present (alert, GTK_WIDGET (taking->window));
}

static void
on_file_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Taking) taking = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  gsize length;

  if (!g_file_load_contents_finish (G_FILE (source), result, &contents, &length, NULL, &error))
    {
      show_attach_failure (taking, error);
      return;
    }
  if (length > 0 && *contents == '{'
      && g_strstr_len (contents, (gssize)MIN (length, MOST_BEGIN), "\"" BECKON_EXPORT_FORMAT "\"") != NULL)
    offer_import (g_steal_pointer (&taking));
  else
    attach_file (g_steal_pointer (&taking));
}

static void
on_file_size (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Taking) taking = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (source), result, &error);

  if (info == NULL)
    show_attach_failure (taking, error);
  else if (g_file_info_get_file_type (info) == G_FILE_TYPE_REGULAR &&
           g_file_info_get_size (info) <= BECKON_IMPORT_MAX_BYTES)
    g_file_load_contents_async (G_FILE (source), NULL, on_file_read, g_steal_pointer (&taking));
  else
    attach_file (g_steal_pointer (&taking));
}

void
beckon_window_take_wanted_files (BeckonWindow *self)
{
  g_autoptr (GPtrArray) files = g_steal_pointer (&self->files_wanted);

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      GFile *file = g_ptr_array_index (files, i);
      Taking *taking = g_new0 (Taking, 1);
      g_autofree char *base = g_file_get_basename (file);

      taking->window = g_object_ref (self);
      taking->file = g_object_ref (file);
      /* Archives can only be imported, and the import says what is in them. */
      if (base != NULL && g_str_has_suffix (base, ".zip"))
        offer_import (taking);
      else if (base != NULL && g_str_has_suffix (base, ".json"))
        g_file_query_info_async (file, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                                 G_FILE_QUERY_INFO_NONE, G_PRIORITY_DEFAULT, NULL, on_file_size, taking);
      else
        attach_file (taking);
    }
}

void
beckon_window_take_file (BeckonWindow *self, GFile *file)
{
  if (self->files_wanted == NULL)
    self->files_wanted = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->files_wanted, g_object_ref (file));
  if (self->runtime != NULL && beckon_library_is_loaded (window_get_library (self)))
    beckon_window_take_wanted_files (self);
}

/* --- Deleting everything ------------------------------------------------------------------------------------------ */

/* Deleting everything there is of a person: the keys of the profiles first, since only the profiles know of them, then every
 * file of the store. The window goes with its history, and one that begins anew takes its place. */

typedef struct
{
  BeckonWindow *window; /* (owned) */
  guint position;       /* of the profile whose key is next */
  GError *key_error;    /* (owned) (nullable): why a key was not deleted */
} Deletion;

static void
deletion_free (Deletion *deletion)
{
  g_object_unref (deletion->window);
  g_clear_error (&deletion->key_error);
  g_free (deletion);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Deletion, deletion_free)

static void
begin_anew (gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application != NULL)
    g_object_ref (application);
  beckon_window_close_now (self);
  if (application == NULL)
    return;
  g_application_activate (G_APPLICATION (application));
  g_object_unref (application);
}

static void
on_failure_read (GtkWidget *alert, const char *response, BeckonWindow *self)
{
  g_idle_add_once (begin_anew, g_object_ref (self));
}

/* The store is closed either way: what was not deleted is there again afterwards. */
static void
show_deletion_failure (BeckonWindow *self, const GError *error)
{
  GtkWidget *alert = beckon_alert_new (_("Not Everything Was Deleted"), error->message);

  beckon_alert_add_responses (alert, "close", _("_Close"), NULL);
  g_signal_connect_object (alert, "response", G_CALLBACK (on_failure_read), self, 0);
  beckon_alert_present (alert, GTK_WIDGET (self));
}

static void
on_places_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Deletion) deletion = user_data;

  if (deletion->key_error == NULL)
    begin_anew (g_object_ref (deletion->window));
  else
    show_deletion_failure (deletion->window, deletion->key_error);
}

static void
on_all_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Deletion) deletion = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_store_delete_all_finish (BECKON_STORE (source), result, &error))
    beckon_landing_upkeep_remove_all_async (on_places_removed, g_steal_pointer (&deletion));
  else
    show_deletion_failure (deletion->window, error);
}

static void delete_next (Deletion *deletion);

static void
on_key_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Deletion) deletion = user_data;
  g_autoptr (GError) error = NULL;

  /* Without a keyring there is no key in it. */
  if (!beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error) && deletion->key_error == NULL &&
      !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE))
    deletion->key_error = g_steal_pointer (&error);
  delete_next (g_steal_pointer (&deletion));
}

static void
delete_next (Deletion *deletion)
{
  BeckonRuntime *runtime = deletion->window->runtime;
  GListModel *profiles = G_LIST_MODEL (beckon_runtime_get_profiles (runtime));
  g_autoptr (BeckonProfile) profile = g_list_model_get_item (profiles, deletion->position++);

  while (profile != NULL && beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR)
    {
      g_object_unref (profile);
      profile = g_list_model_get_item (profiles, deletion->position++);
    }
  if (profile != NULL)
    {
      beckon_secrets_store_async (beckon_runtime_get_secrets (runtime), beckon_profile_get_id (profile), NULL, NULL, NULL,
                                  NULL, on_key_deleted, deletion);
      return;
    }
  beckon_store_forget_secrets (beckon_runtime_get_store (runtime),
                               beckon_inbox_get_vault (beckon_runtime_get_inbox (runtime)), NULL);
  beckon_library_flush (beckon_runtime_get_library (runtime));
  beckon_agent_detach (beckon_runtime_get_agent (runtime));
  beckon_store_delete_all_async (beckon_runtime_get_store (runtime), on_all_deleted, deletion);
}

static void
on_delete_all_response (GtkWidget *alert, const char *response, BeckonWindow *self)
{
  Deletion *deletion;

  if (g_strcmp0 (response, "delete") != 0 || self->runtime == NULL)
    return;

  gtk_widget_set_sensitive (GTK_WIDGET (self->flap), FALSE);
  deletion = g_new0 (Deletion, 1);
  deletion->window = g_object_ref (self);
  delete_next (deletion);
}

static void
delete_all_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  GtkWidget *alert;
  g_autofree char *body = NULL;

  if (self->runtime == NULL)
    return;

  body = g_strjoin ("\n", _("This permanently deletes:"),
                    _("• every conversation with its messages, questions, answers and drafts, and the search index"),
                    _("• the audit log and all rules"),
                    _("• all profiles, and their keys in the keyring"),
                    _("• copies of your history, and damaged or replaced files of it"),
                    _("Settings stay, and so do files you exported."), NULL);
  alert = beckon_alert_new (_("Delete All Data?"), body);
  beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "delete", _("_Delete Everything"), NULL);
  beckon_alert_set_appearance (alert, "delete", ADW_RESPONSE_DESTRUCTIVE);
  beckon_alert_set_defaults (alert, "cancel", "cancel");
  g_signal_connect_object (alert, "response", G_CALLBACK (on_delete_all_response), self, 0);
  beckon_alert_present (alert, GTK_WIDGET (self));
}

void
beckon_window_install_library (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.act-on", "(ss)", act_on_action);
  gtk_widget_class_install_action (widget_class, "win.rename", NULL, rename_action);
  gtk_widget_class_install_action (widget_class, "win.branch", "s", branch_action);
  gtk_widget_class_install_action (widget_class, "win.new-temporary", NULL, new_temporary_action);
  gtk_widget_class_install_action (widget_class, "win.search", NULL, search_action);
  gtk_widget_class_install_action (widget_class, "win.find", NULL, find_action);
  gtk_widget_class_install_action (widget_class, "win.find-next", NULL, find_action);
  gtk_widget_class_install_action (widget_class, "win.find-previous", NULL, find_action);
  gtk_widget_class_install_action (widget_class, "win.palette", NULL, palette_action);
  gtk_widget_class_install_action (widget_class, "win.show-hit", "(sss)", show_hit_action);
  gtk_widget_class_install_action (widget_class, "win.import", NULL, import_action);
  gtk_widget_class_install_action (widget_class, "win.delete-all", NULL, delete_all_action);
}
