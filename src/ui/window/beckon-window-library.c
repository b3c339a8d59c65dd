/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "text/beckon-conversation-text.h"
#include "ui/conversation/beckon-conversation-details.h"
#include "ui/conversation/beckon-conversation-export.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-clipboard.h"

#include <glib/gi18n-lib.h>

/* Actions on whole conversations: rename, pin, archive, copy, export, delete. */

#define MOST_TITLE_CHARS 40

/* Long enough for everybody to read the title and reach the button, whatever they reach it with. */
static BeckonLibrary *
get_library (BeckonWindow *self)
{
  return beckon_runtime_get_library (self->runtime);
}

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
  const char *title = beckon_conversation_get_title (conversation);
  g_autofree char *shortened = beckon_text_shorten (title, MOST_TITLE_CHARS);
  g_autofree char *safe = beckon_text_for_display (shortened, -1, BECKON_TEXT_PROSE);

  return g_markup_escape_text (*safe != '\0' ? safe : _("New conversation"), -1);
}

/* The shown one is about to leave the list. */
static void
make_room (BeckonWindow *self, BeckonConversation *conversation)
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
    beckon_library_rename (get_library (self), conversation, title);
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

/* Pin and archive */

static void
pin (BeckonWindow *self, BeckonConversation *conversation)
{
  beckon_library_set_pinned (get_library (self), conversation, TRUE);
}

static void
unpin (BeckonWindow *self, BeckonConversation *conversation)
{
  beckon_library_set_pinned (get_library (self), conversation, FALSE);
}

static void
on_undo_archive (AdwToast *toast, BeckonWindow *self)
{
  BeckonConversation *conversation = g_object_get_data (G_OBJECT (toast), "conversation");

  if (self->runtime == NULL)
    return;
  beckon_library_set_archived (get_library (self), conversation, FALSE);
  beckon_window_open_conversation (self, conversation, FALSE);
}

static void
archive (BeckonWindow *self, BeckonConversation *conversation)
{
  g_autofree char *title = dup_escaped_title (conversation);
  /* Translators: %s is the title of a conversation */
  g_autofree char *text = beckon_text_printf (_("“%s” archived"), title);

  make_room (self, conversation);
  beckon_library_set_archived (get_library (self), conversation, TRUE);
  toast_with_undo (self, conversation, text, G_CALLBACK (on_undo_archive));
}

static void
unarchive (BeckonWindow *self, BeckonConversation *conversation)
{
  beckon_library_set_archived (get_library (self), conversation, FALSE);
}

/* Delete */

static void
on_undo_delete (AdwToast *toast, BeckonWindow *self)
{
  BeckonConversation *conversation = g_object_get_data (G_OBJECT (toast), "conversation");

  if (self->runtime == NULL)
    return;
  if (beckon_library_restore (get_library (self), conversation))
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

  make_room (self, conversation);
  beckon_agent_stop (beckon_runtime_get_agent (self->runtime), conversation);
  beckon_library_delete (get_library (self), conversation);
  if (beckon_library_can_restore (get_library (self), conversation))
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
duplicate (BeckonWindow *self, BeckonConversation *conversation)
{
  beckon_library_duplicate_async (get_library (self), conversation, NULL, on_duplicated, g_object_ref (self));
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
    beckon_library_branch_async (get_library (self), self->conversation, g_variant_get_string (parameter, NULL), NULL,
                                 on_branched, g_object_ref (self));
}

/* Export */

static void
on_exported (GObject *source, GAsyncResult *result, gpointer user_data)
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

static void
export_markdown (BeckonWindow *self, BeckonConversation *conversation)
{
  beckon_conversation_export_async (self->runtime, conversation, BECKON_EXPORT_MARKDOWN, GTK_WINDOW (self), on_exported,
                                    g_object_ref (self));
}

static void
export_json (BeckonWindow *self, BeckonConversation *conversation)
{
  beckon_conversation_export_async (self->runtime, conversation, BECKON_EXPORT_JSON, GTK_WINDOW (self), on_exported,
                                    g_object_ref (self));
}

/* The action after all was read. */
typedef struct
{
  BeckonWindow *window;             /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  void (*act) (BeckonWindow *self, BeckonConversation *conversation);
} Reading;

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
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
  beckon_library_open_async (get_library (self), conversation, NULL, on_read, reading);
}

static void
copy_all (BeckonWindow *self, BeckonConversation *conversation)
{
  g_autofree char *markdown = beckon_conversation_text_to_markdown (conversation);

  beckon_clipboard_set_source (GTK_WIDGET (self), markdown);
  beckon_window_toast (self, _("Conversation copied"));
}

static void
copy_markdown (BeckonWindow *self, BeckonConversation *conversation)
{
  act_on_read (self, conversation, copy_all);
}

static void
show_details (BeckonWindow *self, BeckonConversation *conversation)
{
  GtkWidget *details = beckon_conversation_details_new (conversation);

  beckon_conversation_details_show_files (details, beckon_runtime_get_store (self->runtime),
                                          beckon_runtime_get_settings (self->runtime));
  beckon_sheet_present (BECKON_SHEET (details), GTK_WIDGET (self));
}

static void
details (BeckonWindow *self, BeckonConversation *conversation)
{
  act_on_read (self, conversation, show_details);
}

static void
open_in_window (BeckonWindow *self, BeckonConversation *conversation)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "app.open-in-window", "s", beckon_conversation_get_id (conversation));
}

/* The actions */

static const struct
{
  const char *word;
  void (*act) (BeckonWindow *self, BeckonConversation *conversation);
} acts[] = {
  { "open-in-window", open_in_window }, { "rename", rename_conversation }, { "pin", pin },
  { "unpin", unpin },                { "archive", archive },
  { "unarchive", unarchive },        { "duplicate", duplicate },
  { "delete", delete_conversation }, { "export-markdown", export_markdown },
  { "export-json", export_json },    { "copy-markdown", copy_markdown },
  { "details", details },
};

static void
act_on_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  BeckonConversation *conversation = NULL;
  const char *id, *word;

  g_variant_get (parameter, "(&s&s)", &id, &word);
  if (self->runtime != NULL)
    conversation = beckon_library_lookup (get_library (self), id);
  for (guint i = 0; i < G_N_ELEMENTS (acts) && conversation != NULL; i++)
    if (g_strcmp0 (acts[i].word, word) == 0)
      {
        acts[i].act (self, conversation);
        return;
      }
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
    beckon_window_open_conversation (self, beckon_library_create_temporary (get_library (self)), TRUE);
}

void
beckon_window_install_library (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.act-on", "(ss)", act_on_action);
  gtk_widget_class_install_action (widget_class, "win.rename", NULL, rename_action);
  gtk_widget_class_install_action (widget_class, "win.branch", "s", branch_action);
  gtk_widget_class_install_action (widget_class, "win.new-temporary", NULL, new_temporary_action);
}
