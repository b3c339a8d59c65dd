/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-bus-host.h"

#include "base/beckon-clock.h"
#include "dbus/beckon-questions.h"

#include <unistd.h>

/* How long the end of the program waits for the bus. */
#define PATIENCE_MS 1000

struct _BeckonBusHost
{
  GObject parent_instance;

  BeckonRuntime *runtime; /* (owned) */
  char *conversation_id;  /* (nullable) */
  gint64 since;           /* what was asked from then on has not been announced by this process */

  /* in progress */
  GCancellable *reaching;      /* (owned) */
  gboolean is_reaching;        /* for the bus, and then for what is pending */
  GDBusConnection *connection; /* (owned) (nullable) */
  BeckonQuestions *questions;  /* (owned) (nullable) */
  GTask *ending;               /* (owned) (nullable) */
  guint patience;
};

G_DEFINE_FINAL_TYPE (BeckonBusHost, beckon_bus_host, G_TYPE_OBJECT)

/* The end */

static void
on_flushed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonBusHost) self = user_data;
  g_autoptr (GTask) task = g_steal_pointer (&self->ending);
  g_autoptr (GError) error = NULL;

  if (!beckon_questions_flush_finish (BECKON_QUESTIONS (source), result, &error))
    g_info ("The session bus was not told everything: %s", error->message);
  beckon_questions_set_runtime (self->questions, NULL);
  beckon_questions_withdraw (self->questions);
  g_clear_handle_id (&self->patience, g_source_remove);
  g_task_return_boolean (task, TRUE);
}

static void
bus_host_end (BeckonBusHost *self)
{
  if (self->ending == NULL || self->is_reaching)
    return;

  if (self->questions != NULL)
    {
      beckon_questions_flush_async (self->questions, self->reaching, on_flushed, g_object_ref (self));
      return;
    }

  g_clear_handle_id (&self->patience, g_source_remove);
  g_task_return_boolean (self->ending, TRUE);
  g_clear_object (&self->ending);
}

static gboolean
bus_host_on_patience_over (gpointer user_data)
{
  BeckonBusHost *self = user_data;

  self->patience = 0;
  g_cancellable_cancel (self->reaching);
  return G_SOURCE_REMOVE;
}

void
beckon_bus_host_end_async (BeckonBusHost *self, GAsyncReadyCallback callback, gpointer user_data)
{
  self->ending = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->ending, beckon_bus_host_end_async);
  self->patience = g_timeout_add (PATIENCE_MS, bus_host_on_patience_over, self);
  bus_host_end (self);
}

void
beckon_bus_host_end_finish (BeckonBusHost *self, GAsyncResult *result)
{
  g_task_propagate_boolean (G_TASK (result), NULL);
}

/* Answered here, driven by no process: the application takes such runs up when it comes, so it is called. Without one on this
 * computer a program of its own resumes the run, because this one may end at any moment. */

typedef struct
{
  BeckonBusHost *host;
  char *conversation_id;
} Orphan;

static void
orphan_free (Orphan *orphan)
{
  g_object_unref (orphan->host);
  g_free (orphan->conversation_id);
  g_free (orphan);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Orphan, orphan_free)

/* The child must outlive this terminal. */
static void
leave_terminal (gpointer user_data)
{
  setsid ();
}

static void
start_resume (Orphan *orphan)
{
  g_autoptr (GSubprocessLauncher) launcher
    = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  if (program == NULL)
    return;
  g_subprocess_launcher_set_child_setup (launcher, leave_terminal, NULL, NULL);
  process = g_subprocess_launcher_spawn (launcher, &error, program, "resume", orphan->conversation_id, NULL);
  if (process == NULL)
    g_message ("%s", error->message);
}

static void
on_application_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Orphan) orphan = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) runs = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (runs == NULL)
    start_resume (orphan);
}

static void
call_application (Orphan *orphan)
{
  BeckonBusHost *self = orphan->host;

  if (self->connection == NULL)
    {
      start_resume (orphan);
      orphan_free (orphan);
      return;
    }
  g_dbus_connection_call (self->connection, BECKON_APPLICATION_ID, BECKON_QUESTIONS_PATH, BECKON_QUESTIONS_INTERFACE,
                          "Runs", NULL, NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, on_application_called, orphan);
}

static void
on_open_runs (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Orphan) orphan = user_data;
  BeckonAgent *agent = beckon_runtime_get_agent (orphan->host->runtime);
  g_autoptr (GPtrArray) records = beckon_store_list_open_runs_finish (BECKON_STORE (source), result, NULL);

  for (guint i = 0; records != NULL && i < records->len; i++)
    {
      BeckonRunRecord *record = g_ptr_array_index (records, i);

      if (!g_str_equal (record->conversation_id, orphan->conversation_id) || record->held
          || beckon_agent_is_driving (agent, record->conversation_id))
        continue;
      call_application (g_steal_pointer (&orphan));
      return;
    }
}

static void
on_replied (BeckonQuestions *questions, BeckonRequest *request, BeckonBusHost *self)
{
  const char *conversation_id = beckon_request_get_conversation_id (request);
  Orphan *orphan;

  if (self->ending != NULL || g_strcmp0 (conversation_id, self->conversation_id) == 0)
    return;

  orphan = g_new0 (Orphan, 1);
  orphan->host = g_object_ref (self);
  orphan->conversation_id = g_strdup (conversation_id);
  beckon_store_list_open_runs_async (beckon_runtime_get_store (self->runtime), NULL, on_open_runs, orphan);
}

/* The beginning */

static void
announce_new (BeckonBusHost *self)
{
  GListModel *inbox = G_LIST_MODEL (beckon_runtime_get_inbox (self->runtime));

  for (guint i = 0; i < g_list_model_get_n_items (inbox); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);

      if (beckon_request_get_asked_at (request) >= self->since)
        beckon_questions_announce (self->questions, request);
    }
}

static void
on_inbox_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonBusHost) self = user_data;
  g_autoptr (GError) error = NULL;

  self->is_reaching = FALSE;
  if (beckon_inbox_load_finish (BECKON_INBOX (source), result, &error))
    {
      beckon_questions_set_runtime (self->questions, self->runtime);
      announce_new (self);
    }
  else
    g_info ("What is pending is not told on the session bus: %s", error->message);
  bus_host_end (self);
}

static void
on_bus (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonBusHost) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection = g_bus_get_finish (result, &error);
  g_autoptr (BeckonQuestions) questions = NULL;

  if (connection != NULL)
    {
      /* The terminal's talk does not end with the session's bus. */
      g_dbus_connection_set_exit_on_close (connection, FALSE);
      questions = beckon_questions_new (NULL);
    }
  if (questions == NULL || !beckon_questions_export (questions, connection, &error))
    {
      g_info ("The session bus is not served: %s", error->message);
      self->is_reaching = FALSE;
      bus_host_end (self);
      return;
    }

  self->connection = g_steal_pointer (&connection);
  self->questions = g_steal_pointer (&questions);
  g_signal_connect_object (self->questions, "replied", G_CALLBACK (on_replied), self, 0);
  beckon_questions_own_name (self->questions);
  beckon_inbox_load_async (beckon_runtime_get_inbox (self->runtime), self->reaching, on_inbox_loaded, g_object_ref (self));
}

void
beckon_bus_host_set_conversation (BeckonBusHost *self, const char *conversation_id)
{
  g_free (self->conversation_id);
  self->conversation_id = g_strdup (conversation_id);
}

BeckonBusHost *
beckon_bus_host_new (BeckonRuntime *runtime)
{
  BeckonBusHost *self = g_object_new (BECKON_TYPE_BUS_HOST, NULL);
  const char *address;
  g_autofree char *socket = NULL;

  self->runtime = g_object_ref (runtime);
  self->since = beckon_clock_get_real_time (beckon_clock_get_system ());

  /* GIO would start a bus of its own for a display without one. */
  address = g_getenv ("DBUS_SESSION_BUS_ADDRESS");
  socket = g_build_filename (g_get_user_runtime_dir (), "bus", NULL);
  self->is_reaching = address != NULL ? *address != '\0' : g_file_test (socket, G_FILE_TEST_EXISTS);
  if (self->is_reaching)
    g_bus_get (G_BUS_TYPE_SESSION, self->reaching, on_bus, g_object_ref (self));
  return self;
}

static void
beckon_bus_host_dispose (GObject *object)
{
  BeckonBusHost *self = BECKON_BUS_HOST (object);

  g_assert (self->ending == NULL);
  g_clear_object (&self->questions);
  g_clear_object (&self->connection);
  g_clear_object (&self->reaching);
  g_clear_object (&self->runtime);
  g_clear_pointer (&self->conversation_id, g_free);
  G_OBJECT_CLASS (beckon_bus_host_parent_class)->dispose (object);
}

static void
beckon_bus_host_class_init (BeckonBusHostClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_bus_host_dispose;
}

static void
beckon_bus_host_init (BeckonBusHost *self)
{
  self->reaching = g_cancellable_new ();
}
