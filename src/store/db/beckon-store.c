/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The store is an object of the main thread and a thread that works for it.
 *
 * The main thread submits operations; the thread carries them out one after the other, in the order they were submitted, and
 * hands each back with its result. A result reaches the main thread as a source of default priority, so results arrive in
 * the same order, too: a finished commit says that everything submitted before it was carried out.
 *
 * Only the main thread touches the object. An operation with a waiting caller has a task, which keeps the store alive until it
 * was returned, on the main thread. One without has none, so that dropping the last reference can end the thread:
 * it carries out what was submitted before, and the main thread waits for it there and nowhere else.
 *
 * Requests are objects that several lists share. The store knows the pending ones it has handed out and gives the same
 * object again; it never changes one, because the inbox, which settles it, tells others by changing it.
 */

#include "beckon-store.h"

#include "base/beckon-error.h"
#include "beckon-batch-private.h"
#include "beckon-config.h"
#include "beckon-settle.h"
#include "beckon-store-private.h"
#include "beckon-store-thread.h"
#include "store/repair/beckon-salvage.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>

struct _BeckonStore
{
  GObject parent_instance;

  char *directory;       /* (owned) */
  char *path;            /* (owned) (nullable): what is read, once it is open */
  BeckonHealth *health;  /* (owned) */
  BeckonClock *clock;    /* (owned) */
  GMainContext *context; /* (owned): of the thread that made it */
  guint serial;          /* see beckon_store_get_serial() */
  GHashTable *requests;          /* (owned) (element-type utf8 BeckonRequest): the pending ones handed out, not kept */
  GHashTable *temporary;         /* (owned) (element-type utf8): ids of what is kept in memory only */

  BeckonStoreThread *thread; /* (owned) */

  /* what other processes write */
  GSource *notice_source; /* (owned) (nullable) */
  BeckonChangeNotification *notice;   /* while there is a source; the thread's */
  gboolean is_checking;
  gboolean check_again;
};

/* How often it is looked whether another process wrote something, where the system can't tell. */
#define LOOK_MS 500

enum
{
  CHECK_UNCHANGED = 1,
  CHECK_CHANGED,
};

enum
{
  SIGNAL_REQUESTS_MOVED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonStore, beckon_store, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_REQUEST_STORE, beckon_store_requests_init)
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_FILE_COPIES, beckon_store_file_copies_init)
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_LANDINGS, beckon_store_landings_init)
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_MEMORY, beckon_store_memory_init))

void
beckon_store_submit (BeckonStore *self, GTask *task, const BeckonStoreOp *op)
{
  g_return_if_fail (op != NULL && op->func != NULL);

  beckon_store_thread_push (self->thread, BECKON_STORE_THREAD_WORK, task, op);
}

GTask *
beckon_store_task_new (BeckonStore *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data,
                       gpointer tag)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  g_task_set_check_cancellable (task, FALSE);

  return task;
}

static gboolean
store_is_temporary (BeckonStore *self, const BeckonValue *id)
{
  return id->kind == BECKON_VALUE_TEXT && g_hash_table_contains (self->temporary, id->text);
}

void
beckon_store_start (BeckonStore *self, const BeckonStoreOp *op, GTask *task, const BeckonValue *values)
{
  BeckonStoreOp whole = *op;

  whole.data = beckon_values_copy (values);
  whole.free_data = (GDestroyNotify) beckon_values_free;
  whole.in_memory = op->in_memory || store_is_temporary (self, &values[0]);
  if (op->use == BECKON_STORE_WRITES)
    beckon_store_bump_serial (self);
  beckon_store_submit (self, task, &whole);
}

GPtrArray *
beckon_query_list (BeckonSession *session, const BeckonQuery *query, const BeckonValue *values, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (query->free);
  sqlite3_stmt *row = beckon_database_query_values (session->database, error, query->sql, values);
  BeckonStep step = BECKON_STEP_ERROR;

  while (row != NULL && (step = beckon_database_step (session->database, row, error)) == BECKON_STEP_ROW)
    {
      gpointer item = query->read (session, row);

      if (item != NULL)
        g_ptr_array_add (all, item);
    }

  return step == BECKON_STEP_DONE ? g_steal_pointer (&all) : NULL;
}

gpointer
beckon_query_read_text (BeckonSession *session, sqlite3_stmt *row)
{
  return g_strdup (beckon_column_text (row, 0));
}

typedef struct
{
  const BeckonQuery *query;
  BeckonValue *values; /* (owned) */
} Selection;

static void
selection_free (gpointer data)
{
  beckon_values_free (((Selection *) data)->values);
  g_free (data);
}

static gpointer
store_run_query (BeckonSession *session, gpointer data, GError **error)
{
  Selection *selection = data;
  g_autoptr (GPtrArray) found = NULL;

  beckon_values_set_lease (selection->values, beckon_lease_get_token (session->lease));
  found = beckon_query_list (session, selection->query, selection->values, error);
  if (!selection->query->is_one || found == NULL)
    return g_steal_pointer (&found);
  return found->len > 0 ? g_ptr_array_steal_index (found, 0) : NULL;
}

void
beckon_store_start_query (BeckonStore *self, const BeckonQuery *query, GTask *task, const BeckonValue *values)
{
  Selection *selection = g_new0 (Selection, 1);

  selection->query = query;
  selection->values = beckon_values_copy (values);
  beckon_store_submit (self, task,
                       &(BeckonStoreOp) { .func = store_run_query,
                                          .data = selection,
                                          .free_data = selection_free,
                                          .free_result = query->is_one ? query->free : (GDestroyNotify) g_ptr_array_unref,
                                          .in_memory = store_is_temporary (self, &values[0]) });
}

gpointer
beckon_store_propagate (BeckonStore *self, GAsyncResult *result, gpointer tag, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, tag), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Changes by other processes */

static gpointer
store_check (BeckonSession *session, gpointer data, GError **error)
{
  return GINT_TO_POINTER (beckon_session_was_changed (session) ? CHECK_CHANGED : CHECK_UNCHANGED);
}

static void start_check (BeckonStore *self);

static void
store_on_checked (BeckonStore *self, gpointer result)
{
  gboolean again = self->check_again;

  self->is_checking = FALSE;
  self->check_again = FALSE;
  /* No check may be queued behind the close. */
  if (again && self->notice_source != NULL)
    start_check (self);

  if (GPOINTER_TO_INT (result) == CHECK_CHANGED)
    g_signal_emit_by_name (self, "changed-elsewhere");
}

/* A notice that comes while a check is under way may have come after its look, so there is another one. */
static void
start_check (BeckonStore *self)
{
  const BeckonStoreOp op = { .func = store_check, .done = store_on_checked };

  if (self->is_checking)
    {
      self->check_again = TRUE;
      return;
    }

  self->is_checking = TRUE;
  beckon_store_submit (self, NULL, &op);
}

static gboolean
on_notice (int fd, GIOCondition condition, gpointer user_data)
{
  BeckonStore *self = user_data;

  beckon_change_notification_drain (self->notice);
  start_check (self);

  return G_SOURCE_CONTINUE;
}

/* The number of watches is limited for each user. */
static gboolean
on_look_due (gpointer user_data)
{
  start_check (user_data);

  return G_SOURCE_CONTINUE;
}

static void
stop_watching (BeckonStore *self)
{
  if (self->notice_source != NULL)
    g_source_destroy (self->notice_source);
  g_clear_pointer (&self->notice_source, g_source_unref);
  self->notice = NULL;
}

static void
start_watching (BeckonStore *self, BeckonChangeNotification *notice)
{
  if (self->notice_source != NULL)
    return;

  self->is_checking = FALSE;
  self->check_again = FALSE;
  self->notice = notice;
  if (beckon_change_notification_get_fd (notice) < 0)
    {
      self->notice_source = g_timeout_source_new (LOOK_MS);
      g_source_set_callback (self->notice_source, on_look_due, self, NULL);
      g_source_attach (self->notice_source, self->context);
      return;
    }
  self->notice_source = g_unix_fd_source_new (beckon_change_notification_get_fd (notice), G_IO_IN);
  /* Most of what is heard is our own; it comes after what callers here wait for. */
  g_source_set_priority (self->notice_source, G_PRIORITY_HIGH_IDLE);
  g_source_set_callback (self->notice_source, G_SOURCE_FUNC (on_notice), self, NULL);
  g_source_attach (self->notice_source, self->context);
}

/* The object */

static void
store_on_request_gone (gpointer requests, GObject *request)
{
  GHashTableIter iter;
  gpointer known;

  g_hash_table_iter_init (&iter, requests);
  while (g_hash_table_iter_next (&iter, NULL, &known))
    if (known == request)
      {
        g_hash_table_iter_remove (&iter);
        return;
      }
}

BeckonRequest *
beckon_store_unify_request (BeckonStore *self, BeckonRequest *request)
{
  BeckonRequest *known = g_hash_table_lookup (self->requests, beckon_request_get_id (request));

  if (known != NULL)
    {
      /* The row may know of an end that the shared object has not heard of yet. */
      if (beckon_request_get_state (known) == BECKON_REQUEST_PENDING
          && beckon_request_get_state (request) != BECKON_REQUEST_PENDING)
        beckon_request_settle (known, beckon_request_get_state (request), beckon_request_get_answer (request),
                               beckon_request_get_front_end (request), beckon_request_get_actor (request),
                               beckon_request_get_settled_at (request));

      return g_object_ref (known);
    }

  if (beckon_request_get_state (request) == BECKON_REQUEST_PENDING)
    {
      g_hash_table_insert (self->requests, g_strdup (beckon_request_get_id (request)), request);
      g_object_weak_ref (G_OBJECT (request), store_on_request_gone, self->requests);
    }

  return g_object_ref (request);
}

static void
beckon_store_finalize (GObject *object)
{
  BeckonStore *self = BECKON_STORE (object);
  GHashTableIter iter;
  gpointer request;

  stop_watching (self);
  beckon_store_thread_free (self->thread);
  g_hash_table_iter_init (&iter, self->requests);
  while (g_hash_table_iter_next (&iter, NULL, &request))
    g_object_weak_unref (request, store_on_request_gone, self->requests);
  g_hash_table_unref (self->requests);
  g_hash_table_unref (self->temporary);
  g_main_context_unref (self->context);
  g_clear_object (&self->clock);
  g_clear_object (&self->health);
  g_free (self->path);
  g_free (self->directory);

  G_OBJECT_CLASS (beckon_store_parent_class)->finalize (object);
}

static void
beckon_store_class_init (BeckonStoreClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = beckon_store_finalize;

  /* Requests were added or settled by this process; private to this room. */
  signals[SIGNAL_REQUESTS_MOVED] = g_signal_new ("requests-moved", BECKON_TYPE_STORE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                                 NULL, G_TYPE_NONE, 0);
}

static void
beckon_store_init (BeckonStore *self)
{
  self->requests = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->temporary = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->health = beckon_health_new ();
  self->context = g_main_context_ref_thread_default ();
  self->thread = beckon_store_thread_new (self, self->context);
  g_signal_connect (self, "changed-elsewhere", G_CALLBACK (beckon_memory_changed), NULL);
}

BeckonStore *
beckon_store_new (const char *directory, BeckonClock *clock)
{
  BeckonStore *self;

  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  self = g_object_new (BECKON_TYPE_STORE, NULL);
  self->directory = directory != NULL ? g_strdup (directory)
                                      : g_build_filename (g_get_user_data_dir (), BECKON_DATA_FOLDER, NULL);
  self->clock = g_object_ref (clock);

  return self;
}

const char *
beckon_store_get_directory (BeckonStore *self)
{
  g_return_val_if_fail (BECKON_IS_STORE (self), NULL);

  return self->directory;
}

char *
beckon_store_dup_path (BeckonStore *self)
{
  return self->path != NULL ? g_strdup (self->path) : g_build_filename (self->directory, "beckon.db", NULL);
}

void
beckon_store_on_requests_moved (BeckonStore *self, gpointer result)
{
  g_signal_emit (self, signals[SIGNAL_REQUESTS_MOVED], 0);
}

/* Deferred requests that are written now were not counted before. */
void
beckon_store_set_condition (BeckonStore *self, BeckonFault fault, gboolean is_lasting, guint n_unsaved)
{
  guint n_before;

  n_before = beckon_health_get_n_unsaved (self->health);
  beckon_health_set (self->health, fault, is_lasting, n_unsaved);
  if (n_before > 0 && n_unsaved == 0)
    beckon_store_on_requests_moved (self, NULL);
}

BeckonHealth *
beckon_store_get_health (BeckonStore *self)
{
  g_return_val_if_fail (BECKON_IS_STORE (self), NULL);

  return self->health;
}

static gpointer
forget_report (BeckonSession *session, gpointer data, GError **error)
{
  beckon_salvage_forget_report (session->directory);
  if (session->check != NULL)
    beckon_file_check_renew_copy (session->check);

  return GINT_TO_POINTER (TRUE);
}

void
beckon_store_dismiss_notice (BeckonStore *self)
{
  const BeckonStoreOp op = { .func = forget_report };

  g_return_if_fail (BECKON_IS_STORE (self));

  beckon_health_set_notice (self->health, NULL, FALSE);
  beckon_store_submit (self, NULL, &op);
}

/* The thread leaves what is read here alone while the session is open. */
static void
store_on_opened (BeckonStore *self, gpointer result)
{
  BeckonSession *session = result;

  g_free (self->path);
  self->path = g_strdup (session->path);
  beckon_health_set_notice (self->health, session->report, session->was_repaired);
  if (session->notice != NULL)
    start_watching (self, session->notice);
}

void
beckon_store_open_async (BeckonStore *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonStoreOp op = { .free_data = (GDestroyNotify) beckon_values_free, .done = store_on_opened };

  g_return_if_fail (BECKON_IS_STORE (self));

  op.data = beckon_values_copy (BECKON_VALUES (self->directory, BECKON_OWNED (g_object_ref (self->clock), g_object_unref)));
  beckon_store_thread_push (
    self->thread, BECKON_STORE_THREAD_OPEN,
    beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_open_async), &op);
}

BECKON_FINISH_BOOLEAN (beckon_store_open, BeckonStore)

void
beckon_store_close_async (BeckonStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp nothing = { 0 };

  g_return_if_fail (BECKON_IS_STORE (self));

  stop_watching (self);
  beckon_store_thread_push (self->thread, BECKON_STORE_THREAD_CLOSE,
                            beckon_store_task_new (self, NULL, callback, user_data, beckon_store_close_async), &nothing);
}

BECKON_FINISH_BOOLEAN (beckon_store_close, BeckonStore)

guint
beckon_store_get_serial (BeckonStore *self)
{
  g_return_val_if_fail (BECKON_IS_STORE (self), 0);

  return self->serial;
}

void
beckon_store_bump_serial (BeckonStore *self)
{
  self->serial++;
}

GHashTable *
beckon_store_get_temporary (BeckonStore *self)
{
  return self->temporary;
}

void
beckon_store_set_place_remover (void (*remove) (const char *call_id))
{
  beckon_session_set_place_remover (remove);
}

static gpointer
commit (BeckonSession *session, gpointer data, GError **error)
{
  return GINT_TO_POINTER (beckon_batch_exec (data, session, error));
}

static void
expect_answer (BeckonSession *session)
{
  beckon_settle_warm (session->database);
  beckon_database_make_room (session->database);
}

/* A temporary conversation's data is temporary. */
static gboolean
is_temporary (BeckonStore *self, const BeckonBatch *batch)
{
  for (guint i = 0; i < batch->ids->len; i++)
    if (g_hash_table_contains (self->temporary, g_ptr_array_index (batch->ids, i)))
      return TRUE;

  return batch->is_temporary;
}

void
beckon_store_commit_async (BeckonStore *self, BeckonBatch *batch, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonStoreOp op = { .func = commit, .free_data = (GDestroyNotify) beckon_batch_free };
  GTask *task = NULL;

  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (batch != NULL);

  for (guint i = 0; i < batch->requests->len; i++)
    g_object_unref (beckon_store_unify_request (self, g_ptr_array_index (batch->requests, i)));
  g_clear_pointer (&batch->requests, g_ptr_array_unref);

  op.data = batch;
  op.use = batch->is_kept ? BECKON_STORE_KEEPS : BECKON_STORE_WRITES;
  op.in_memory = is_temporary (self, batch);
  if (op.in_memory)
    {
      for (guint i = 0; i < batch->ids->len; i++)
        g_hash_table_add (self->temporary, g_strdup (g_ptr_array_index (batch->ids, i)));
    }
  else if (batch->asks)
    op.after = expect_answer;
  else if (batch->durability == BECKON_DURABILITY_NORMAL)
    op.after = beckon_session_relieve;
  op.done = batch->moves_requests ? beckon_store_on_requests_moved : NULL;
  if (callback != NULL || cancellable != NULL)
    task = beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_commit_async);

  beckon_store_bump_serial (self);
  beckon_store_submit (self, task, &op);
}

BECKON_FINISH_BOOLEAN (beckon_store_commit, BeckonStore)
