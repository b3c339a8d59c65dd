/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-export.h"

#include "base/beckon-worker.h"

/* So many calls are read at a time, and so many lines are written at a time. */
#define PAGE 500

typedef struct
{
  char *conversation_id; /* (owned) (nullable) */
  char *tool;            /* (owned) (nullable) */
  BeckonCallLogFilter filter;
  GFile *file;           /* (owned) */
  gboolean as_table;
  BeckonCallExportProgress progress;
  gpointer progress_data;
  GPtrArray *calls;      /* (owned) (element-type BeckonLoggedCall): the latest first */
} Export;

static void
call_export_free (gpointer data)
{
  Export *export = data;

  g_free (export->conversation_id);
  g_free (export->tool);
  g_object_unref (export->file);
  g_ptr_array_unref (export->calls);
  g_free (export);
}

static void
add_line (GString *text, const Export *export, const BeckonLoggedCall *call)
{
  g_autofree char *line = export->as_table ? beckon_logged_call_to_csv (call) : beckon_logged_call_to_json (call);

  g_string_append (text, line);
  g_string_append (text, export->as_table ? "\r\n" : "\n");
}

static gboolean
write_all (const Export *export, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (export->as_table)
    add_line (text, export, NULL);
  for (guint left = export->calls->len; left > 0; left--)
    {
      add_line (text, export, g_ptr_array_index (export->calls, left - 1));
      if (left % PAGE != 1)
        continue;
      if (!g_output_stream_write_all (stream, text->str, text->len, NULL, cancellable, error))
        return FALSE;
      g_string_truncate (text, 0);
    }
  return g_output_stream_write_all (stream, text->str, text->len, NULL, cancellable, error);
}

static void
write_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Export *export = task_data;
  GError *error = NULL;
  g_autoptr (GFileOutputStream) stream = g_file_replace (export->file, NULL, FALSE, G_FILE_CREATE_PRIVATE, cancellable, &error);

  if (stream != NULL && !write_all (export, G_OUTPUT_STREAM (stream), cancellable, &error))
    {
      /* A stream that is closed by a cancelled operation leaves the former file. */
      g_autoptr (GCancellable) cancelled = g_cancellable_new ();

      g_cancellable_cancel (cancelled);
      g_output_stream_close (G_OUTPUT_STREAM (stream), cancelled, NULL);
    }
  else if (stream != NULL)
    g_output_stream_close (G_OUTPUT_STREAM (stream), cancellable, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
call_export_on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
call_export_write_file (GTask *task)
{
  g_autoptr (GTask) phase
    = g_task_new (g_task_get_source_object (task), g_task_get_cancellable (task), call_export_on_written, g_object_ref (task));

  g_task_set_source_tag (phase, call_export_write_file);
  g_task_set_task_data (phase, g_task_get_task_data (task), NULL);
  beckon_worker_run_for_person (phase, write_on_thread);
}

static void call_export_read_page (GTask *task);

static void
on_page (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Export *export = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GPtrArray) calls = beckon_store_list_calls_finish (BECKON_STORE (source), result, &error);

  if (calls == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  for (guint i = 0; i < calls->len; i++)
    g_ptr_array_add (export->calls, beckon_logged_call_ref (g_ptr_array_index (calls, i)));
  if (export->progress != NULL)
    export->progress (export->calls->len, export->progress_data);
  if (calls->len == PAGE)
    call_export_read_page (task);
  else
    call_export_write_file (task);
}

static void
call_export_read_page (GTask *task)
{
  Export *export = g_task_get_task_data (task);
  guint n = export->calls->len;

  export->filter.before_id = n > 0 ? ((BeckonLoggedCall *) g_ptr_array_index (export->calls, n - 1))->id : NULL;
  beckon_store_list_calls_async (g_task_get_source_object (task), &export->filter, g_task_get_cancellable (task), on_page,
                                 g_object_ref (task));
}

void
beckon_call_export_async (BeckonStore *store, const BeckonCallLogFilter *filter, GFile *file, gboolean as_table,
                          BeckonCallExportProgress progress, gpointer progress_data, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Export *export;

  g_return_if_fail (BECKON_IS_STORE (store));
  g_return_if_fail (filter != NULL && G_IS_FILE (file));

  export = g_new0 (Export, 1);
  export->conversation_id = g_strdup (filter->conversation_id);
  export->tool = g_strdup (filter->tool);
  export->filter = *filter;
  export->filter.conversation_id = export->conversation_id;
  export->filter.tool = export->tool;
  export->filter.max = PAGE;
  export->file = g_object_ref (file);
  export->as_table = as_table;
  export->progress = progress;
  export->progress_data = progress_data;
  export->calls = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_logged_call_unref);
  task = g_task_new (store, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_call_export_async);
  g_task_set_task_data (task, export, call_export_free);
  call_export_read_page (task);
}

gboolean
beckon_call_export_finish (BeckonStore *store, GAsyncResult *result, guint *n_calls, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, store), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_call_export_async), FALSE);

  if (n_calls != NULL)
    *n_calls = ((Export *) g_task_get_task_data (G_TASK (result)))->calls->len;
  return g_task_propagate_boolean (G_TASK (result), error);
}
