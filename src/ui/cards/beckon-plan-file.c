/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plan-file.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  GtkFileChooserNative *chooser; /* (owned) */
  char *text;                    /* (owned) (nullable): what is written */
} Choice;

static void
choice_free (Choice *choice)
{
  gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (choice->chooser));
  g_object_unref (choice->chooser);
  g_free (choice->text);
  g_free (choice);
}

static void
plan_file_on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* A document that is too large is not read to its end. */
static void
plan_file_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autofree char *text = NULL;
  g_autofree char *words = NULL;
  g_auto (BeckonPlanFault) fault = { 0 };
  BeckonPlan *plan;
  GError *error = NULL;

  if (!g_file_load_partial_contents_finish (G_FILE (source), result, &text, NULL, NULL, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  plan = beckon_plan_parse (text, BECKON_PLAN_FROM_PERSON, &fault);
  if (plan != NULL)
    {
      g_task_return_pointer (task, plan, (GDestroyNotify) beckon_plan_free);
      return;
    }
  words = beckon_plan_fault_to_words (&fault, TRUE);
  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_INVALID, "%s", words);
}

static gboolean
read_more (const char *contents, goffset n_bytes, gpointer user_data)
{
  return n_bytes <= BECKON_PLAN_MAX_BYTES;
}

static void
plan_file_on_chosen (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Choice *choice = g_task_get_task_data (task);
  g_autoptr (GFile) file = NULL;

  g_signal_handlers_disconnect_by_data (dialog, task);
  if (response != GTK_RESPONSE_ACCEPT)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "No file was chosen");
      return;
    }
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  if (choice->text != NULL)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (choice->text, strlen (choice->text));

      g_file_replace_contents_bytes_async (file, bytes, NULL, FALSE, G_FILE_CREATE_PRIVATE, NULL, plan_file_on_written,
                                           g_steal_pointer (&task));
    }
  else
    g_file_load_partial_contents_async (file, NULL, read_more, plan_file_on_read, g_steal_pointer (&task));
}

static void
plan_file_choose (GTask *task, const char *title, GtkWindow *parent, const char *text)
{
  Choice *choice = g_new0 (Choice, 1);

  choice->text = g_strdup (text);
  choice->chooser = gtk_file_chooser_native_new (
    title, parent, text != NULL ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN,
    text != NULL ? _("_Export") : _("_Open"), _("_Cancel"));
  g_task_set_task_data (task, choice, (GDestroyNotify) choice_free);
  if (text != NULL)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (choice->chooser), "plan.json");
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (choice->chooser), TRUE);
  g_signal_connect (choice->chooser, "response", G_CALLBACK (plan_file_on_chosen), task);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (choice->chooser));
}

void
beckon_plan_file_export_async (const BeckonPlan *plan, GtkWindow *parent, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  g_autofree char *text = beckon_plan_to_text (plan);

  g_task_set_source_tag (task, beckon_plan_file_export_async);
  plan_file_choose (task, _("Export Plan"), parent, text);
}

BECKON_FINISH_LONE_BOOLEAN (beckon_plan_file_export)

void
beckon_plan_file_import_async (GtkWindow *parent, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, beckon_plan_file_import_async);
  plan_file_choose (task, _("Import Plan"), parent, NULL);
}

BECKON_FINISH_LONE_POINTER (BeckonPlan *, beckon_plan_file_import)
