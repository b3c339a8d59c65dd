/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-import.h"

#include "beckon-import-reader.h"
#include "beckon-import-writer.h"
#include "beckon-store-private.h"

/* In the task's data: what is left to write, and what was written. */
typedef struct
{
  GBytes *text;             /* (owned) */
  GPtrArray *conversations; /* (owned) (nullable) (element-type JsonObject) */
  guint n_written;
  GPtrArray *ids; /* (owned) (nullable) (element-type utf8) */
} Import;

static void
import_free (Import *import)
{
  g_bytes_unref (import->text);
  g_clear_pointer (&import->conversations, g_ptr_array_unref);
  g_clear_pointer (&import->ids, g_ptr_array_unref);
  g_free (import);
}

static void
run_reading (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  GPtrArray *conversations = beckon_import_read (data, &error);

  if (conversations != NULL)
    g_task_return_pointer (task, conversations, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static gpointer
write_one (BeckonSession *session, gpointer data, GError **error)
{
  char *id = beckon_import_write (session->database, data, error);

  if (id != NULL)
    {
      session->has_unindexed = TRUE;
      session->has_news = TRUE;
    }

  return id;
}

static void write_next (GTask *task);

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Import *import = g_task_get_task_data (task);
  GError *error = NULL;
  char *id = g_task_propagate_pointer (G_TASK (result), &error);

  if (id == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  g_ptr_array_add (import->ids, id);
  write_next (g_steal_pointer (&task));
}

/* The lists of this process learn of it as they do of what others write. */
static void
finish (GTask *task)
{
  Import *import = g_task_get_task_data (task);

  g_signal_emit_by_name (g_task_get_source_object (task), "changed-elsewhere");
  g_task_return_pointer (task, g_steal_pointer (&import->ids), (GDestroyNotify) g_ptr_array_unref);
}

static void
write_next (GTask *task)
{
  g_autoptr (GTask) held = task;
  BeckonStore *self = g_task_get_source_object (task);
  Import *import = g_task_get_task_data (task);
  BeckonStoreOp op = {
    .use = BECKON_STORE_WRITES,
    .func = write_one,
    .free_data = (GDestroyNotify) json_object_unref,
    .free_result = g_free,
  };

  if (import->n_written == import->conversations->len)
    {
      finish (task);
      return;
    }

  op.data = json_object_ref (g_ptr_array_index (import->conversations, import->n_written++));
  beckon_store_submit (
    self,
    beckon_store_task_new (self, g_task_get_cancellable (task), on_written, g_steal_pointer (&held), write_next), &op);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Import *import = g_task_get_task_data (task);
  GError *error = NULL;

  import->conversations = g_task_propagate_pointer (G_TASK (result), &error);
  if (import->conversations != NULL)
    write_next (g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

void
beckon_store_import_async (BeckonStore *self, GBytes *text, GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) reading = NULL;
  Import *import;
  GTask *task;

  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (text != NULL);

  task = beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_import_async);
  import = g_new0 (Import, 1);
  import->text = g_bytes_ref (text);
  import->ids = g_ptr_array_new_with_free_func (g_free);
  g_task_set_task_data (task, import, (GDestroyNotify) import_free);

  reading = g_task_new (self, cancellable, on_read, task);
  g_task_set_source_tag (reading, beckon_import_read);
  g_task_set_task_data (reading, g_bytes_ref (text), (GDestroyNotify) g_bytes_unref);
  g_task_run_in_thread (reading, run_reading);
}

GPtrArray *
beckon_store_import_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_import_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
