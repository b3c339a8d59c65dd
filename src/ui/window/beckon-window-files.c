/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "attach/beckon-attacher.h"
#include "base/beckon-text-printf.h"
#include "store/transfer/beckon-export.h"
#include "store/transfer/beckon-import.h"
#include "ui/widgets/beckon-alert.h"

#include <glib/gi18n-lib.h>
#include <string.h>

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
show_failure (Taking *taking, const GError *error)
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
      show_failure (taking, error);
      return;
    }
  /* Several files that are opened together come to one message. */
  if (conversation == NULL || !beckon_conversation_get_loaded (conversation) ||
      beckon_conversation_get_n_messages (conversation) > 0 || *beckon_conversation_get_draft (conversation) != '\0')
    conversation = beckon_library_create (beckon_runtime_get_library (self->runtime));
  g_list_store_append (beckon_conversation_get_files (conversation), part);
  beckon_window_open_conversation (self, conversation, TRUE);
}

static void
attach (Taking *taking)
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
on_response (GtkWidget *alert, const char *response, Taking *taking)
{
  if (g_strcmp0 (response, "import") == 0)
    beckon_window_import_file (taking->window, taking->file);
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
  g_signal_connect_data (alert, "response", G_CALLBACK (on_response), taking, forget_taking, 0);
  beckon_alert_present (alert, GTK_WIDGET (taking->window));
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Taking) taking = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  gsize length;

  if (!g_file_load_contents_finish (G_FILE (source), result, &contents, &length, NULL, &error))
    {
      show_failure (taking, error);
      return;
    }
  if (length > 0 && *contents == '{'
      && g_strstr_len (contents, (gssize)MIN (length, MOST_BEGIN), "\"" BECKON_EXPORT_FORMAT "\"") != NULL)
    offer_import (g_steal_pointer (&taking));
  else
    attach (g_steal_pointer (&taking));
}

static void
on_size (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Taking) taking = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (source), result, &error);

  if (info == NULL)
    show_failure (taking, error);
  else if (g_file_info_get_file_type (info) == G_FILE_TYPE_REGULAR &&
           g_file_info_get_size (info) <= BECKON_IMPORT_MAX_BYTES)
    g_file_load_contents_async (G_FILE (source), NULL, on_read, g_steal_pointer (&taking));
  else
    attach (g_steal_pointer (&taking));
}

static void
take (BeckonWindow *self, GFile *file)
{
  Taking *taking = g_new0 (Taking, 1);
  g_autofree char *base = g_file_get_basename (file);

  taking->window = g_object_ref (self);
  taking->file = g_object_ref (file);
  /* Archives can only be imported, and the import says what is in them. */
  if (base != NULL && g_str_has_suffix (base, ".zip"))
    offer_import (taking);
  else if (base != NULL && g_str_has_suffix (base, ".json"))
    g_file_query_info_async (file, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE,
                             G_PRIORITY_DEFAULT, NULL, on_size, taking);
  else
    attach (taking);
}

void
beckon_window_take_wanted_files (BeckonWindow *self)
{
  g_autoptr (GPtrArray) files = g_steal_pointer (&self->files_wanted);

  for (guint i = 0; files != NULL && i < files->len; i++)
    take (self, g_ptr_array_index (files, i));
}

void
beckon_window_take_file (BeckonWindow *self, GFile *file)
{
  if (self->files_wanted == NULL)
    self->files_wanted = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->files_wanted, g_object_ref (file));
  if (self->runtime != NULL && beckon_library_is_loaded (beckon_runtime_get_library (self->runtime)))
    beckon_window_take_wanted_files (self);
}
