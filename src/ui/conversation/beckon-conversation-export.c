/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-conversation-export.h"

#include "base/beckon-finish.h"
#include "store/transfer/beckon-export.h"
#include "text/beckon-conversation-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  BeckonRuntime *runtime;           /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  BeckonExportKind kind;
  GtkFileChooserNative *chooser; /* (owned) */
  GFile *file;                   /* (owned) (nullable): what was chosen */
} Export;

static void
conversation_export_free (Export *export)
{
  g_object_unref (export->runtime);
  g_object_unref (export->conversation);
  gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (export->chooser));
  g_object_unref (export->chooser);
  g_clear_object (&export->file);
  g_free (export);
}

char *
beckon_conversation_export_make_name (BeckonConversation *conversation, const char *suffix)
{
  const char *title = beckon_conversation_get_title (conversation);
  g_autofree char *copy = g_strdup (*title != '\0' ? title : _("Conversation"));
  GString *name = g_string_new (NULL);

  for (const char *at = g_strstrip (copy); *at != '\0' && name->len < 100; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      g_string_append_unichar (name, g_unichar_iscntrl (c) || strchr ("/\\:*?\"<>|", (int) MIN (c, 127)) != NULL ? '-' : c);
    }
  if (*name->str == '.')
    *name->str = '-';
  return g_string_free (g_string_append (name, suffix), FALSE);
}

static void
conversation_export_on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
    g_task_return_pointer (task, g_file_get_basename (G_FILE (source)), g_free);
  else
    g_task_return_error (task, error);
}

static void
write_document (GTask *task, char *document)
{
  Export *export = g_task_get_task_data (task);
  g_autoptr (GBytes) bytes = g_bytes_new_take (document, strlen (document));

  g_file_replace_contents_bytes_async (export->file, bytes, NULL, FALSE, G_FILE_CREATE_PRIVATE, NULL,
                                       conversation_export_on_written, task);
}

static void
on_document (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  char *document = beckon_store_export_finish (BECKON_STORE (source), result, &error);

  if (document != NULL)
    write_document (g_steal_pointer (&task), document);
  else
    g_task_return_error (task, error);
}

static void
conversation_export_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Export *export = g_task_get_task_data (task);
  GError *error = NULL;

  if (beckon_library_open_finish (BECKON_LIBRARY (source), result, &error))
    write_document (g_steal_pointer (&task), beckon_conversation_text_to_markdown (export->conversation));
  else
    g_task_return_error (task, error);
}

static void
conversation_export_on_chosen (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Export *export = g_task_get_task_data (task);

  g_signal_handlers_disconnect_by_data (dialog, task);
  if (response != GTK_RESPONSE_ACCEPT)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "No file was chosen");
      return;
    }
  export->file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  if (export->kind == BECKON_EXPORT_JSON)
    beckon_store_export_async (beckon_runtime_get_store (export->runtime),
                               beckon_conversation_get_id (export->conversation), NULL, on_document,
                               g_steal_pointer (&task));
  else
    beckon_library_open_async (beckon_runtime_get_library (export->runtime), export->conversation, NULL,
                               conversation_export_on_loaded,
                               g_steal_pointer (&task));
}

void
beckon_conversation_export_async (BeckonRuntime *runtime, BeckonConversation *conversation, BeckonExportKind kind,
                                  GtkWindow *parent, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  Export *export = g_new0 (Export, 1);
  g_autofree char *name = beckon_conversation_export_make_name (conversation, kind == BECKON_EXPORT_JSON ? ".json" : ".md");

  g_task_set_source_tag (task, beckon_conversation_export_async);
  export->runtime = g_object_ref (runtime);
  export->conversation = g_object_ref (conversation);
  export->kind = kind;
  export->chooser = gtk_file_chooser_native_new (_("Export Conversation"), parent, GTK_FILE_CHOOSER_ACTION_SAVE,
                                                 _("_Export"), _("_Cancel"));
  g_task_set_task_data (task, export, (GDestroyNotify) conversation_export_free);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (export->chooser), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (export->chooser), TRUE);
  g_signal_connect (export->chooser, "response", G_CALLBACK (conversation_export_on_chosen), task);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (export->chooser));
}

BECKON_FINISH_LONE_POINTER (char *, beckon_conversation_export)
