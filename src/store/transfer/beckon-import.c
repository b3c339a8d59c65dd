/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-import.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-worker.h"
#include "beckon-config.h"
#include "beckon-import-reader.h"
#include "beckon-import-writer.h"
#include "store/db/beckon-store-private.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

BeckonImportReport *
beckon_import_report_new (void)
{
  BeckonImportReport *report = g_new0 (BeckonImportReport, 1);

  report->ids = g_ptr_array_new_with_free_func (g_free);
  return report;
}

void
beckon_import_report_free (BeckonImportReport *report)
{
  if (report == NULL)
    return;

  g_ptr_array_unref (report->ids);
  g_free (report->problem);
  g_free (report);
}

static void G_GNUC_PRINTF (2, 0)
append_count (GString *text, const char *format, guint n)
{
  if (n > 0)
    g_string_append_c (text, '\n');
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (n > 0)
    g_string_append_printf (text, format, n);
#pragma GCC diagnostic pop
}

char *
beckon_import_report_describe (const BeckonImportReport *report)
{
  GString *text;

  g_return_val_if_fail (report != NULL, NULL);

  text = g_string_new (NULL);
  g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "%u conversation imported", "%u conversations imported",
                                             report->ids->len), report->ids->len);
  append_count (text, ngettext ("%u was already here", "%u were already here", report->n_known), report->n_known);
  append_count (text, ngettext ("%u without messages was skipped", "%u without messages were skipped", report->n_empty),
                report->n_empty);
  append_count (text, ngettext ("%u couldn't be read and was skipped", "%u couldn't be read and were skipped",
                                report->n_unreadable), report->n_unreadable);
  append_count (text, ngettext ("%u picture imported", "%u pictures imported", report->n_images), report->n_images);
  append_count (text, ngettext ("%u picture isn't in the export", "%u pictures aren't in the export", report->n_missing),
                report->n_missing);
  append_count (text, ngettext ("%u piece of a message can't be shown here", "%u pieces of messages can't be shown here",
                                report->n_unknown), report->n_unknown);
  if (report->is_stopped)
    beckon_text_append (text, "\n%s", _("Stopped. What was imported before stays."));
  if (report->problem != NULL)
    g_string_append_printf (text, "\n%s", report->problem);
  return g_string_free (text, FALSE);
}

/* So many conversations are one transaction. */
#define BATCH 100

/* In the task's data. A worker reads, the store's thread writes, by turns; between them both wait. */
typedef struct
{
  GBytes *text; /* (owned) (nullable) */
  char *path;   /* (owned) (nullable) */
  BeckonImportProgress progress;
  gpointer progress_data;

  BeckonImportReader *reader; /* (owned) (nullable): until the file is open */
  GPtrArray *documents;       /* (owned) (nullable): what is to be written */
  BeckonImportReport *report; /* (owned) */
} Import;

static void
import_free (Import *import)
{
  g_clear_pointer (&import->text, g_bytes_unref);
  g_free (import->path);
  beckon_import_reader_free (import->reader);
  g_clear_pointer (&import->documents, g_ptr_array_unref);
  beckon_import_report_free (import->report);
  g_free (import);
}

static gboolean
open_reader (Import *import, GError **error)
{
  BeckonImportArchive *archive;
  int fd = -1;

  if (import->text == NULL)
    fd = open (import->path, O_RDONLY | O_CLOEXEC);
  if (import->text == NULL && fd < 0)
    {
      g_autofree char *shown = g_filename_display_name (import->path);

      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, _("“%s” can't be opened."), shown);
      return FALSE;
    }
  archive = beckon_import_archive_new (import->text, fd, error);
  import->reader = archive != NULL ? beckon_import_reader_new (archive) : NULL;
  return import->reader != NULL;
}

static void
run_reading (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Import *import = data;
  GError *error = NULL;

  if (import->reader != NULL || open_reader (import, &error))
    import->documents = beckon_import_reader_next (import->reader, BATCH, import->report, &error);
  if (import->documents != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* The lists of this process learn of what was written as they do of what others write, however it ended. Where nothing of the
 * file is here, why not is the error. */
static void
import_finish (GTask *task, GError *error)
{
  g_autoptr (GTask) held = task;
  Import *import = g_task_get_task_data (task);
  BeckonImportReport *report = import->report;

  if (report->ids->len > 0)
    g_signal_emit_by_name (g_task_get_source_object (task), "changed-elsewhere");
  report->is_stopped = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (report->ids->len == 0 && error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (report->ids->len + report->n_known == 0 && report->problem != NULL && report->n_unreadable > 0)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_INVALID, "%s", report->problem);
      return;
    }
  if (report->ids->len + report->n_known == 0)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_INVALID, "%s", _("There are no conversations in this file."));
      return;
    }
  if (error != NULL && !report->is_stopped)
    {
      g_free (report->problem);
      report->problem = g_strdup (error->message);
    }
  g_clear_error (&error);
  import->report = NULL;
  g_task_return_pointer (task, report, (GDestroyNotify) beckon_import_report_free);
}

static gpointer
write_batch (BeckonSession *session, gpointer data, GError **error)
{
  Import *import = data;
  guint before = import->report->ids->len;

  if (!beckon_import_write (session->database, import->documents, import->report, error))
    return NULL;
  session->has_unindexed |= import->report->ids->len > before;
  session->has_news |= import->report->ids->len > before;
  return GINT_TO_POINTER (TRUE);
}

static void read_next (GTask *task);

static void
import_on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Import *import = g_task_get_task_data (task);
  GError *error = NULL;
  guint n_read, n_all;

  g_clear_pointer (&import->documents, g_ptr_array_unref);
  if (g_task_propagate_pointer (G_TASK (result), &error) == NULL)
    {
      import_finish (task, error);
      return;
    }
  beckon_import_reader_get_progress (import->reader, &n_read, &n_all);
  if (import->progress != NULL)
    import->progress (n_read, n_all, import->progress_data);
  read_next (task);
}

static void
import_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  BeckonStore *self = g_task_get_source_object (task);
  Import *import = g_task_get_task_data (task);
  BeckonStoreOp op = { .use = BECKON_STORE_WRITES, .func = write_batch, .data = import };
  GError *error = NULL;

  /* Writing can't be cancelled: the store's thread has all of this until then. */
  if (!g_task_propagate_boolean (G_TASK (result), &error) || import->documents->len == 0)
    {
      import_finish (task, error);
      return;
    }
  beckon_store_submit (self, beckon_store_task_new (self, NULL, import_on_written, task, write_batch), &op);
}

/* Takes @task. The worker's task outlives a cancelling, so that nothing else has the reader meanwhile. */
static void
read_next (GTask *task)
{
  g_autoptr (GTask) reading = NULL;
  GError *error = NULL;

  if (g_cancellable_set_error_if_cancelled (g_task_get_cancellable (task), &error))
    {
      import_finish (task, error);
      return;
    }
  reading = g_task_new (NULL, NULL, import_on_read, task);
  g_task_set_source_tag (reading, read_next);
  g_task_set_task_data (reading, g_task_get_task_data (task), NULL);
  beckon_worker_run_for_person (reading, run_reading);
}

static Import *
import_begin (BeckonStore *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data, GTask **task)
{
  Import *import = g_new0 (Import, 1);

  import->report = beckon_import_report_new ();
  *task = beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_import_async);
  /* Cancellation still reports what was written. */
  g_task_set_check_cancellable (*task, FALSE);
  g_task_set_task_data (*task, import, (GDestroyNotify) import_free);
  return import;
}

void
beckon_store_import_async (BeckonStore *self, GBytes *text, GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  GTask *task;

  import_begin (self, cancellable, callback, user_data, &task)->text = g_bytes_ref (text);
  read_next (task);
}

void
beckon_store_import_file_async (BeckonStore *self, GFile *file, BeckonImportProgress progress, gpointer progress_data,
                                GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  Import *import;
  GTask *task;

  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (G_IS_FILE (file));

  import = import_begin (self, cancellable, callback, user_data, &task);
  import->path = g_file_get_path (file);
  import->progress = progress;
  import->progress_data = progress_data;
  if (import->path != NULL)
    read_next (task);
  else
    import_finish (task, g_error_new_literal (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                              _("Only a file on this computer can be imported. Save it here first.")));
}

BECKON_FINISH_POINTER (BeckonImportReport *, beckon_store_import, BeckonStore)
