/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The store is an object of the main thread and a thread that works for it.
 *
 * The main thread submits operations; the thread carries them out one after the other, in the order they were submitted, and
 * hands each back with its result. A result reaches the main thread as a source of default priority, so results arrive in
 * the same order, too: whoever was told of a commit knows that everything submitted before it was carried out.
 *
 * Only the main thread touches the object. An operation somebody waits for has a task, which keeps the store alive until it
 * was returned, on the main thread. One nobody waits for has none, so that dropping the last reference can end the thread:
 * it carries out what was submitted before, and the main thread waits for it there and nowhere else.
 *
 * Requests are objects that several lists share. The store knows the pending ones it has handed out and gives the same
 * object again; it never changes one, because whoever settles it (the inbox) tells others by changing it.
 */

#include "beckon-config.h"

#include "beckon-store-private.h"

#include "base/beckon-error.h"
#include "beckon-known-requests.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>

/* How long nothing may be asked for before the thread looks after the files. */
#define IDLE_US (2 * G_TIME_SPAN_SECOND)

/* How an operation that does not keep the store alive finds it again; touched by the main thread only. A #GWeakRef for each
 * would make a long queue quadratic. */
typedef struct
{
  BeckonStore *store; /* %NULL once it is gone */
} Link;

struct _BeckonStore
{
  GObject parent_instance;

  char *directory;       /* (owned) */
  char *path;            /* (owned) (nullable): what is read, once it is open */
  BeckonHealth *health;  /* (owned) */
  BeckonClock *clock;    /* (owned) */
  GMainContext *context; /* (owned): of the thread that made it */
  Link *link;            /* (owned): shared with the operations */
  guint serial;          /* see beckon_store_get_serial() */
  BeckonKnownRequests *requests; /* (owned): the pending ones that were handed out */
  GHashTable *temporary;         /* (owned) (element-type utf8): ids of what is kept in memory only */

  /* the thread */
  GThread *thread;    /* (owned) (nullable) */
  GAsyncQueue *queue; /* (owned) (element-type Operation) */

  /* what other processes write */
  GSource *notice_source; /* (owned) (nullable) */
  BeckonNotice *notice;   /* while there is a source; the thread's */
  gboolean is_checking;
  gboolean check_again;
};

enum
{
  CHECK_UNCHANGED = 1,
  CHECK_CHANGED,
};

typedef enum
{
  OPERATION_OPEN,
  OPERATION_WORK,
  OPERATION_CLOSE,
  OPERATION_QUIT,
} OperationKind;

typedef struct
{
  OperationKind kind;
  BeckonStoreOp op;
  GTask *task;           /* (owned) (nullable): only the main thread lets go of it */
  Link *link;            /* (owned): what its result is done to */
  GMainContext *context; /* (owned) */

  /* results */
  gpointer result;
  GError *error;
} Operation;

/* What the thread found out about the files. */
typedef struct
{
  Link *link; /* (owned) */
  BeckonFault fault;
  gboolean is_lasting;
  guint n_unsaved;
} Condition;

enum
{
  SIGNAL_REQUESTS_MOVED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonStore, beckon_store, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_JOURNAL, beckon_store_journal_init))

/* The thread */

static void
operation_free (Operation *operation)
{
  if (operation->op.free_data != NULL)
    g_clear_pointer (&operation->op.data, operation->op.free_data);
  if (operation->op.free_result != NULL)
    g_clear_pointer (&operation->result, operation->op.free_result);
  g_clear_error (&operation->error);
  g_clear_object (&operation->task);
  g_atomic_rc_box_release (operation->link);
  g_main_context_unref (operation->context);
  g_free (operation);
}

/* On the main thread again. */
static gboolean
deliver (gpointer user_data)
{
  Operation *operation = user_data;
  g_autoptr (BeckonStore) store = NULL;
  GTask *task = operation->task;
  gpointer result = operation->result;

  g_set_object (&store, operation->link->store);
  if (operation->error == NULL && operation->op.done != NULL && store != NULL)
    operation->op.done (store, result);

  if (task == NULL)
    return G_SOURCE_REMOVE;

  operation->result = NULL;
  if (operation->error != NULL)
    g_task_return_error (task, g_steal_pointer (&operation->error));
  else if (operation->op.free_result != NULL)
    g_task_return_pointer (task, result, operation->op.free_result);
  else
    g_task_return_boolean (task, TRUE);

  return G_SOURCE_REMOVE;
}

static void
send_to_main (GMainContext *to, GSourceFunc func, gpointer data, GDestroyNotify free_data)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  g_autoptr (GMainContext) context = g_main_context_ref (to);

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, func, data, free_data);
  g_source_attach (source, context);
}

static gboolean
take_condition (gpointer user_data)
{
  const Condition *condition = user_data;

  if (condition->link->store != NULL)
    beckon_health_set (condition->link->store->health, condition->fault, condition->is_lasting, condition->n_unsaved);

  return G_SOURCE_REMOVE;
}

static void
condition_free (Condition *condition)
{
  g_atomic_rc_box_release (condition->link);
  g_free (condition);
}

/* Before the result of what changed it, so that whoever shows an error finds the reason shown. */
static void
send_condition (BeckonSession *session, Link *link, GMainContext *context)
{
  Condition *condition;

  if (!beckon_session_take_condition (session))
    return;

  condition = g_new0 (Condition, 1);
  condition->link = g_atomic_rc_box_acquire (link);
  condition->fault = session->fault;
  condition->is_lasting = session->is_read_only || session->fault == BECKON_FAULT_DAMAGED;
  condition->n_unsaved = 0;
  send_to_main (context, take_condition, condition, (GDestroyNotify) condition_free);
}

static gpointer
work (Operation *operation, BeckonSession *session, GError **error)
{
  GCancellable *cancellable = operation->task != NULL ? g_task_get_cancellable (operation->task) : NULL;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;

  if (session != NULL && operation->op.in_memory)
    return beckon_session_work_in_memory (session, operation->op.func, operation->op.data, error);
  if (session != NULL)
    return operation->op.func (session, operation->op.data, error);

  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("The history is not open."));

  return NULL;
}

static gpointer
carry_out (Operation *operation, BeckonSession **session, GError **error)
{
  switch (operation->kind)
    {
    case OPERATION_OPEN:
      if (*session == NULL)
        *session = beckon_session_open (operation->op.data, error);
      return *session;

    case OPERATION_WORK:
      return work (operation, *session, error);

    case OPERATION_CLOSE:
    case OPERATION_QUIT:
    default:
      g_clear_pointer (session, beckon_session_close);
      return GINT_TO_POINTER (TRUE);
    }
}

/* Waits for the next operation. When nothing is asked for, it looks after the files first. */
static Operation *
pop (GAsyncQueue *queue, BeckonSession *session)
{
  Operation *operation = g_async_queue_try_pop (queue);

  if (operation == NULL && session != NULL)
    beckon_database_rest (session->database);
  if (operation != NULL || session == NULL || !beckon_session_needs_upkeep (session))
    return operation != NULL ? operation : g_async_queue_pop (queue);

  operation = g_async_queue_timeout_pop (queue, IDLE_US);
  while (operation == NULL && beckon_session_needs_upkeep (session))
    {
      beckon_session_upkeep (session);
      operation = g_async_queue_try_pop (queue);
    }

  return operation != NULL ? operation : g_async_queue_pop (queue);
}

static gpointer
run_thread (gpointer data)
{
  g_autoptr (GAsyncQueue) queue = data;
  BeckonSession *session = NULL;
  OperationKind kind;

  do
    {
      Operation *operation = pop (queue, session);
      void (*after) (BeckonSession *) = operation->op.after;

      kind = operation->kind;
      operation->result = carry_out (operation, &session, &operation->error);
      g_assert ((operation->result != NULL) != (operation->error != NULL));

      if (operation->error != NULL && operation->task == NULL)
        g_message ("%s", operation->error->message);
      if (session != NULL)
        send_condition (session, operation->link, operation->context);

      if (operation->task != NULL || operation->op.done != NULL)
        send_to_main (operation->context, deliver, operation, (GDestroyNotify) operation_free);
      else
        operation_free (operation);

      /* Whoever waits for the result has it first. */
      if (session != NULL)
        beckon_session_tell (session);
      if (after != NULL && session != NULL)
        after (session);
    }
  while (kind != OPERATION_QUIT);

  return NULL;
}

static void
push (BeckonStore *self, OperationKind kind, GTask *task, const BeckonStoreOp *op)
{
  Operation *operation = g_new0 (Operation, 1);

  operation->kind = kind;
  operation->op = *op;
  operation->task = task;
  operation->context = g_main_context_ref (self->context);
  operation->link = g_atomic_rc_box_acquire (self->link);

  if (self->thread == NULL)
    self->thread = g_thread_new ("beckon-store", run_thread, g_async_queue_ref (self->queue));
  g_async_queue_push (self->queue, operation);
}

void
beckon_store_submit (BeckonStore *self, GTask *task, const BeckonStoreOp *op)
{
  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (op != NULL && op->func != NULL);

  push (self, OPERATION_WORK, task, op);
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

/* What other processes write */

static gpointer
check (BeckonSession *session, gpointer data, GError **error)
{
  return GINT_TO_POINTER (beckon_session_was_changed (session) ? CHECK_CHANGED : CHECK_UNCHANGED);
}

static void start_check (BeckonStore *self);

static void
on_checked (BeckonStore *self, gpointer result)
{
  gboolean again = self->check_again;

  self->is_checking = FALSE;
  self->check_again = FALSE;
  /* Nothing may be asked for behind the closing. */
  if (again && self->notice_source != NULL)
    start_check (self);

  if (GPOINTER_TO_INT (result) == CHECK_CHANGED)
    g_signal_emit_by_name (self, "changed-elsewhere");
}

/* A notice that comes while a check is under way may have come after its look, so there is another one. */
static void
start_check (BeckonStore *self)
{
  const BeckonStoreOp op = { .func = check, .done = on_checked };

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

  beckon_notice_drain (self->notice);
  start_check (self);

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
start_watching (BeckonStore *self, BeckonNotice *notice)
{
  if (self->notice_source != NULL || beckon_notice_get_fd (notice) < 0)
    return;

  self->is_checking = FALSE;
  self->check_again = FALSE;
  self->notice = notice;
  self->notice_source = g_unix_fd_source_new (beckon_notice_get_fd (notice), G_IO_IN);
  /* Most of what is heard is our own; it comes after what somebody here waits for. */
  g_source_set_priority (self->notice_source, G_PRIORITY_HIGH_IDLE);
  g_source_set_callback (self->notice_source, G_SOURCE_FUNC (on_notice), self, NULL);
  g_source_attach (self->notice_source, self->context);
}

/* The object */

BeckonRequest *
beckon_store_unify_request (BeckonStore *self, BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_STORE (self), NULL);
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return beckon_known_requests_unify (self->requests, request);
}

static void
beckon_store_finalize (GObject *object)
{
  BeckonStore *self = BECKON_STORE (object);
  const BeckonStoreOp nothing = { 0 };

  self->link->store = NULL;
  stop_watching (self);
  if (self->thread != NULL)
    {
      push (self, OPERATION_QUIT, NULL, &nothing);
      g_thread_join (self->thread);
    }

  beckon_known_requests_free (self->requests);
  g_hash_table_unref (self->temporary);
  g_atomic_rc_box_release (self->link);
  g_async_queue_unref (self->queue);
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
  self->requests = beckon_known_requests_new ();
  self->temporary = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->link = g_atomic_rc_box_new0 (Link);
  self->link->store = self;
  self->queue = g_async_queue_new ();
  self->health = beckon_health_new ();
  self->context = g_main_context_ref_thread_default ();
}

BeckonStore *
beckon_store_new (const char *directory, BeckonClock *clock)
{
  BeckonStore *self;

  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  self = g_object_new (BECKON_TYPE_STORE, NULL);
  self->directory = directory != NULL ? g_strdup (directory) : g_build_filename (g_get_user_data_dir (), "beckon", NULL);
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
  g_return_val_if_fail (BECKON_IS_STORE (self), NULL);

  return self->path != NULL ? g_strdup (self->path) : g_build_filename (self->directory, "beckon.db", NULL);
}

BeckonHealth *
beckon_store_get_health (BeckonStore *self)
{
  g_return_val_if_fail (BECKON_IS_STORE (self), NULL);

  return self->health;
}

void
beckon_store_dismiss_notice (BeckonStore *self)
{
  g_return_if_fail (BECKON_IS_STORE (self));

  beckon_health_set_notice (self->health, NULL);
}

/* The thread leaves what is read here alone while the session is open. */
static void
on_opened (BeckonStore *self, gpointer result)
{
  BeckonSession *session = result;

  g_free (self->path);
  self->path = g_strdup (session->path);
  if (session->notice != NULL)
    start_watching (self, session->notice);
}

void
beckon_store_open_async (BeckonStore *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonStoreOp op = { .free_data = g_free, .done = on_opened };

  g_return_if_fail (BECKON_IS_STORE (self));

  op.data = g_strdup (self->directory);
  push (self, OPERATION_OPEN,
        beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_open_async), &op);
}

gboolean
beckon_store_open_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_open_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
beckon_store_close_async (BeckonStore *self, GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp nothing = { 0 };

  g_return_if_fail (BECKON_IS_STORE (self));

  stop_watching (self);
  push (self, OPERATION_CLOSE, beckon_store_task_new (self, NULL, callback, user_data, beckon_store_close_async),
        &nothing);
}

gboolean
beckon_store_close_finish (BeckonStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_store_close_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

guint
beckon_store_get_serial (BeckonStore *self)
{
  g_return_val_if_fail (BECKON_IS_STORE (self), 0);

  return self->serial;
}

void
beckon_store_bump_serial (BeckonStore *self)
{
  g_return_if_fail (BECKON_IS_STORE (self));

  self->serial++;
}

GHashTable *
beckon_store_get_temporary (BeckonStore *self)
{
  return self->temporary;
}

void
beckon_store_note_requests_moved (BeckonStore *self)
{
  g_return_if_fail (BECKON_IS_STORE (self));

  g_signal_emit (self, signals[SIGNAL_REQUESTS_MOVED], 0);
}
