/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-store-thread.h"

#include "base/beckon-error.h"
#include "beckon-deferred-writes.h"

#include <glib/gi18n-lib.h>

/* How long nothing may be asked for before the thread looks after the files. */
#define IDLE_US (2 * G_TIME_SPAN_SECOND)

/* How long it waits before it tries again to write what could not be written. */
#define RETRY_US G_TIME_SPAN_SECOND

/* How an operation that does not keep the store alive finds it again; touched by the main thread only. A #GWeakRef for each
 * would make a long queue quadratic. */
typedef struct
{
  BeckonStore *store; /* %NULL once it is gone */
} Link;

struct _BeckonStoreThread
{
  GAsyncQueue *queue;    /* (owned) (element-type Operation) */
  Link *link;            /* (owned): shared with the operations */
  GMainContext *context; /* (owned): of the thread that made it */
  GThread *thread;       /* (owned) (nullable): from the first operation on */
};

typedef struct
{
  BeckonStoreThreadKind kind;
  BeckonStoreOp op;
  GTask *task;           /* (owned) (nullable): only the main thread lets go of it */
  Link *link;            /* (owned): what its result is done to */
  GMainContext *context; /* (owned) */

  /* results */
  gpointer result;
  GError *error;
} Operation;

/* The thread's state. */
typedef struct
{
  GAsyncQueue *queue;    /* (owned) */
  Link *link;            /* (owned) */
  GMainContext *context; /* (owned) */
} Worker;

/* The files' condition, found by the thread. */
typedef struct
{
  Link *link; /* (owned) */
  BeckonFault fault;
  gboolean is_lasting;
  guint n_unsaved;
} Condition;

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
    beckon_store_set_condition (condition->link->store, condition->fault, condition->is_lasting, condition->n_unsaved);

  return G_SOURCE_REMOVE;
}

static void
condition_free (Condition *condition)
{
  g_atomic_rc_box_release (condition->link);
  g_free (condition);
}

/* Before the result of what changed it, so that the reason is shown where the error is. */
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
  condition->n_unsaved = session->told_unsaved;
  send_to_main (context, take_condition, condition, (GDestroyNotify) condition_free);
}

static gpointer
store_thread_work (Operation *operation, BeckonSession *session, GError **error)
{
  GCancellable *cancellable = operation->task != NULL ? g_task_get_cancellable (operation->task) : NULL;
  gpointer result;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;

  if (session == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("The history is not open."));
      return NULL;
    }
  if (operation->op.in_memory)
    return beckon_deferred_writes_allows_in_memory (session, &operation->op, error)
             ? beckon_session_work_in_memory (session, operation->op.func, operation->op.data, error)
             : NULL;
  if (operation->op.use != BECKON_STORE_READS)
    return beckon_deferred_writes_perform (session, &operation->op, error);

  result = operation->op.func (session, operation->op.data, error);
  beckon_deferred_writes_note (session);

  return result;
}

static gboolean
close_session (BeckonSession **session, GError **error)
{
  gboolean is_whole = *session == NULL || beckon_deferred_writes_finish (*session, error);

  g_clear_pointer (session, beckon_session_close);

  return is_whole;
}

static gpointer
note_damage (BeckonSession *session, gpointer data, GError **error)
{
  beckon_session_set_damaged (session);

  return GINT_TO_POINTER (TRUE);
}

/* On the thread of the check, which ends before the session does. */
static void
on_damage_found (gpointer user_data)
{
  Worker *worker = user_data;
  Operation *operation = g_new0 (Operation, 1);

  operation->kind = BECKON_STORE_THREAD_WORK;
  operation->op.func = note_damage;
  operation->context = g_main_context_ref (worker->context);
  operation->link = g_atomic_rc_box_acquire (worker->link);
  g_async_queue_push (worker->queue, operation);
}

static gpointer
store_thread_carry_out (Worker *worker, Operation *operation, BeckonSession **session, GError **error)
{
  const BeckonValue *values = operation->op.data;

  switch (operation->kind)
    {
    case BECKON_STORE_THREAD_OPEN:
      if (*session != NULL)
        return *session;
      *session = beckon_session_open (values[0].text, error);
      if (*session != NULL)
        beckon_session_start_check (*session, values[1].object, on_damage_found, worker);
      return *session;

    case BECKON_STORE_THREAD_WORK:
      return store_thread_work (operation, *session, error);

    case BECKON_STORE_THREAD_CLOSE:
    case BECKON_STORE_THREAD_QUIT:
    default:
      return GINT_TO_POINTER (close_session (session, error));
    }
}

/* Until something is asked for, or writing is possible again. */
static Operation *
pop_and_retry (Worker *worker, BeckonSession *session)
{
  Operation *operation = NULL;

  while (operation == NULL && beckon_deferred_writes_is_due (session))
    {
      operation = g_async_queue_timeout_pop (worker->queue, RETRY_US);
      if (operation == NULL)
        {
          beckon_deferred_writes_retry (session);
          send_condition (session, worker->link, worker->context);
          beckon_session_tell (session);
        }
    }

  return operation;
}

/* Looks after the files for as long as nothing is asked for and there is something to do. */
static Operation *
pop_and_look_after (Worker *worker, BeckonSession *session)
{
  Operation *operation = g_async_queue_timeout_pop (worker->queue, IDLE_US);

  beckon_session_try_again (session);
  while (operation == NULL && beckon_session_needs_upkeep (session))
    {
      beckon_session_upkeep (session);
      beckon_deferred_writes_note (session);
      send_condition (session, worker->link, worker->context);
      operation = g_async_queue_try_pop (worker->queue);
    }

  return operation;
}

/* Waits for the next operation. When nothing is asked for, it looks after the files first. */
static Operation *
pop (Worker *worker, BeckonSession *session)
{
  Operation *operation = g_async_queue_try_pop (worker->queue);

  if (operation == NULL && session != NULL)
    beckon_database_rest (session->database);
  while (operation == NULL && session != NULL)
    {
      operation = pop_and_retry (worker, session);
      if (operation == NULL && !beckon_session_needs_upkeep (session) && !beckon_session_is_held_up (session))
        break;
      if (operation == NULL)
        operation = pop_and_look_after (worker, session);
    }

  return operation != NULL ? operation : g_async_queue_pop (worker->queue);
}

static gpointer
run_thread (gpointer data)
{
  Worker *worker = data;
  BeckonSession *session = NULL;
  BeckonStoreThreadKind kind;

  do
    {
      Operation *operation = pop (worker, session);
      void (*after) (BeckonSession *) = operation->op.after;

      kind = operation->kind;
      operation->result = store_thread_carry_out (worker, operation, &session, &operation->error);
      g_assert (operation->result == NULL || operation->error == NULL);

      if (operation->task == NULL && operation->error != NULL
          && !g_error_matches (operation->error, BECKON_ERROR, BECKON_ERROR_DEFERRED))
        g_message ("%s", operation->error->message);
      if (session != NULL)
        send_condition (session, operation->link, operation->context);

      if (operation->task != NULL || operation->op.done != NULL)
        send_to_main (operation->context, deliver, operation, (GDestroyNotify) operation_free);
      else
        operation_free (operation);

      /* The waiting caller gets the result first. */
      if (session != NULL)
        beckon_session_tell (session);
      if (after != NULL && session != NULL)
        after (session);
    }
  while (kind != BECKON_STORE_THREAD_QUIT);

  g_async_queue_unref (worker->queue);
  g_atomic_rc_box_release (worker->link);
  g_main_context_unref (worker->context);
  g_free (worker);

  return NULL;
}

BeckonStoreThread *
beckon_store_thread_new (BeckonStore *store, GMainContext *context)
{
  BeckonStoreThread *self = g_new0 (BeckonStoreThread, 1);

  self->queue = g_async_queue_new ();
  self->link = g_atomic_rc_box_new0 (Link);
  self->link->store = store;
  self->context = g_main_context_ref (context);

  return self;
}

void
beckon_store_thread_push (BeckonStoreThread *self, BeckonStoreThreadKind kind, GTask *task, const BeckonStoreOp *op)
{
  Operation *operation = g_new0 (Operation, 1);

  operation->kind = kind;
  operation->op = *op;
  operation->task = task;
  operation->context = g_main_context_ref (self->context);
  operation->link = g_atomic_rc_box_acquire (self->link);

  if (self->thread == NULL)
    {
      Worker *worker = g_new0 (Worker, 1);

      worker->queue = g_async_queue_ref (self->queue);
      worker->link = g_atomic_rc_box_acquire (self->link);
      worker->context = g_main_context_ref (self->context);
      self->thread = g_thread_new ("beckon-store", run_thread, worker);
    }
  g_async_queue_push (self->queue, operation);
}

void
beckon_store_thread_free (BeckonStoreThread *self)
{
  const BeckonStoreOp nothing = { 0 };

  self->link->store = NULL;
  if (self->thread != NULL)
    {
      beckon_store_thread_push (self, BECKON_STORE_THREAD_QUIT, NULL, &nothing);
      g_thread_join (self->thread);
    }

  g_atomic_rc_box_release (self->link);
  g_async_queue_unref (self->queue);
  g_main_context_unref (self->context);
  g_free (self);
}
