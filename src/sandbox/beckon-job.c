/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-job.h"

#include "base/beckon-finish.h"
#include "base/beckon-priority.h"
#include "base/beckon-worker.h"
#include "beckon-process-tree.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHUNK (64 * 1024)
#define WATCH_MS 100

/* A disk is not filled as fast as memory. */
#define WATCH_HELD_MS 1000

/* However many processes there are, more cannot come unseen for long. */
#define WATCH_MAX_MS 500

/* Room left for others on a disk that had more before. */
#define LEAST_FREE (G_GUINT64_CONSTANT (256) * 1024 * 1024)
#define FREE_BEFORE (2 * LEAST_FREE)

/* Looking takes at most one part in so many of a core, however many processes there are. */
#define WATCH_SHARE 100

/* A job holds itself while its process lives or its pipe is open: what reads and watches never meets a freed job. It is
 * over when both have ended, and only then the wait returns. */
struct _BeckonJob
{
  GObject parent_instance;

  BeckonJobKill kill; /* (nullable): for a process of another program's */
  gpointer kill_data;
  GInputStream *pipe;
  int pid; /* below which its processes are; 0 if that is not known */
  int first; /* (unowned): a pidfd of what has left the process's group; -1 without */
  BeckonJobLimits limits;
  char *folder;        /* (nullable) */
  guint64 free_before; /* on its disk, in bytes */
  BeckonOutput *output;
  BeckonMaskStream *mask; /* (owned) (nullable) */
  BeckonJobOpen open_copy; /* (nullable) */
  gpointer open_data;
  guint64 copy_max;

  /* In progress. */
  GOutputStream *copy; /* (nullable): where the output is copied to */
  guint64 n_copied;
  gboolean is_cut; /* something is missing behind that */

  guint n_open;
  GCancellable *reading;
  guint watch;
  gboolean is_held;
  gint64 measuring_began;
  GTask *wait;
  gulong cancelled;

  /* Results. */
  int status;
  GError *failure; /* (nullable): why it never ran, or how it ended is not known */
  BeckonJobLimit limit;
  char *remark; /* (nullable) */
  GArray *cleanups;
};

typedef struct
{
  GDestroyNotify function;
  gpointer data;
} Cleanup;

G_DEFINE_FINAL_TYPE (BeckonJob, beckon_job, G_TYPE_OBJECT)

static void read_more (BeckonJob *self);

static void
beckon_job_finalize (GObject *object)
{
  BeckonJob *self = BECKON_JOB (object);

  g_assert (self->n_open == 0);
  g_assert (self->wait == NULL);

  g_clear_object (&self->pipe);
  g_clear_object (&self->reading);
  g_clear_error (&self->failure);
  g_clear_object (&self->output);
  g_clear_object (&self->copy);
  beckon_mask_stream_free (self->mask);
  g_array_unref (self->cleanups);
  g_free (self->remark);
  g_free (self->folder);

  G_OBJECT_CLASS (beckon_job_parent_class)->finalize (object);
}

static void
beckon_job_class_init (BeckonJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_job_finalize;
}

static void
beckon_job_init (BeckonJob *self)
{
  self->output = beckon_output_new ();
  self->reading = g_cancellable_new ();
  self->status = -1;
  self->first = -1;
  self->cleanups = g_array_new (FALSE, FALSE, sizeof (Cleanup));
}

/* The one return of the wait. */
static void
return_wait (BeckonJob *self)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->wait);

  if (task == NULL)
    return;

  g_cancellable_disconnect (g_task_get_cancellable (task), self->cancelled);
  self->cancelled = 0;
  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->failure != NULL)
    g_task_return_error (task, g_error_copy (self->failure));
  else
    g_task_return_boolean (task, TRUE);
}

/* The process or its pipe has ended, or no hold is left. */
static void
close_one (BeckonJob *self)
{
  if (--self->n_open > 0)
    {
      g_object_unref (self);
      return;
    }

  g_clear_handle_id (&self->watch, g_source_remove);
  for (guint i = 0; i < self->cleanups->len; i++)
    {
      Cleanup *cleanup = &g_array_index (self->cleanups, Cleanup, i);

      cleanup->function (cleanup->data);
    }
  g_array_set_size (self->cleanups, 0);
  return_wait (self);
  g_object_unref (self);
}

static void
job_on_ended (GPid pid, int status, gpointer user_data)
{
  BeckonJob *self = user_data;

  self->status = WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
  close_one (self);
}

/* A failed write is not tried again: the output continues without its copy, which has no holes. */
static void
on_copied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonJob *self = user_data;
  gsize written = 0;

  if (!g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, &written, NULL))
    self->is_cut = TRUE;
  self->n_copied += written;
  read_more (self);
}

/* All that came before goes first. */
static GBytes *
begin_copy (BeckonJob *self, GBytes *bytes)
{
  g_autoptr (GBytes) before = beckon_output_dup_all (self->output);
  g_autoptr (GByteArray) all = g_byte_array_new ();
  BeckonJobOpen open_copy = self->open_copy;

  self->open_copy = NULL;
  self->copy = open_copy (self->open_data);
  g_byte_array_append (all, g_bytes_get_data (before, NULL), (guint) g_bytes_get_size (before));
  g_byte_array_append (all, g_bytes_get_data (bytes, NULL), (guint) g_bytes_get_size (bytes));
  return g_byte_array_free_to_bytes (g_steal_pointer (&all));
}

/* Holds back a value's parts until all of it is there. @bytes: (nullable): %NULL or none at the end of the output, where the
 * rest comes. */
static GBytes *
dup_masked (BeckonJob *self, GBytes *bytes)
{
  g_autoptr (GString) shown = NULL;

  if (self->mask == NULL)
    return bytes != NULL ? g_bytes_ref (bytes) : g_bytes_new (NULL, 0);
  shown = g_string_new (NULL);
  if (bytes != NULL && g_bytes_get_size (bytes) > 0)
    beckon_mask_stream_feed (self->mask, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), shown);
  else
    beckon_mask_stream_finish (self->mask, shown);
  return g_string_free_to_bytes (g_steal_pointer (&shown));
}

static void
job_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonJob *self = user_data;
  g_autoptr (GBytes) bytes = g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, NULL);
  g_autoptr (GBytes) shown = dup_masked (self, bytes);
  gboolean is_end = bytes == NULL || g_bytes_get_size (bytes) == 0;
  gboolean is_copying = FALSE;

  if (g_bytes_get_size (shown) > 0)
    {
      gsize length = g_bytes_get_size (shown);

      if (self->open_copy != NULL && beckon_output_get_length (self->output) + length <= BECKON_JOB_BRIEF)
        is_copying = FALSE;
      else
        {
          g_autoptr (GBytes) all = self->open_copy != NULL ? begin_copy (self, shown) : g_bytes_ref (shown);
          guint64 room = self->copy != NULL && !self->is_cut ? self->copy_max - self->n_copied : 0;

          if (g_bytes_get_size (all) > room)
            self->is_cut = TRUE;
          if (room == 0)
            is_copying = FALSE;
          else
            {
              g_object_set_data_full (G_OBJECT (self->copy), "beckon-bytes", g_bytes_ref (all), (GDestroyNotify) g_bytes_unref);
              g_output_stream_write_all_async (self->copy, g_bytes_get_data (all, NULL), MIN (g_bytes_get_size (all), room),
                                               BECKON_PRIORITY_SHARED, NULL, on_copied, self);
              is_copying = TRUE;
            }
        }
      beckon_output_append (self->output, g_bytes_get_data (shown, NULL), g_bytes_get_size (shown));
    }
  if (is_end && g_bytes_get_size (shown) == 0)
    close_one (self);
  else if (!is_copying)
    read_more (self);
}

static void
read_more (BeckonJob *self)
{
  g_input_stream_read_bytes_async (self->pipe, CHUNK, BECKON_PRIORITY_SHARED, self->reading, job_on_read, self);
}

typedef struct
{
  BeckonProcessTree tree;
  guint64 free_bytes;
} Measured;

static void
job_measure (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  BeckonJob *self = source;
  Measured *measured = g_new (Measured, 1);
  const char *folder;
  struct statvfs info;

  beckon_process_tree_measure (self->pid, self->limits.n_processes, self->is_held ? G_MAXUINT64 : self->limits.memory_bytes,
                               &measured->tree);
  /* Most that there can be where it cannot be known. */
  folder = self->folder;
  measured->free_bytes
      = folder != NULL && statvfs (folder, &info) == 0 ? (guint64) info.f_bavail * (guint64) info.f_frsize : G_MAXUINT64;
  if (self->free_before == 0)
    self->free_before = measured->free_bytes;
  g_task_return_pointer (task, measured, g_free);
}

void
beckon_job_exceed (BeckonJob *job, BeckonJobLimit limit)
{
  if (job->limit != BECKON_JOB_LIMIT_NONE)
    return;

  job->limit = limit;
  beckon_job_kill (job);
}

static gboolean on_watch (gpointer user_data);

static void
watch_again (BeckonJob *self, guint after_ms)
{
  self->watch = g_timeout_add (MAX (after_ms, self->is_held ? WATCH_HELD_MS : WATCH_MS), on_watch, self);
}

static void
on_measured (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonJob *self = BECKON_JOB (source);
  g_autofree Measured *measured = g_task_propagate_pointer (G_TASK (result), NULL);
  gint64 took = g_get_monotonic_time () - self->measuring_began;

  /* A job that never ran has no status. */
  if (self->status >= 0 || self->n_open == 0)
    return;
  if (measured != NULL)
    {
      const BeckonProcessTree *tree = &measured->tree;

      if (tree->n_threads > self->limits.n_processes && !self->is_held)
        beckon_job_exceed (self, BECKON_JOB_LIMIT_PROCESSES);
      else if (tree->memory_bytes > self->limits.memory_bytes && !self->is_held)
        beckon_job_exceed (self, BECKON_JOB_LIMIT_MEMORY);
      else if (tree->written_bytes > self->limits.written_bytes)
        beckon_job_exceed (self, BECKON_JOB_LIMIT_WRITTEN);
      else if (measured->free_bytes < LEAST_FREE && self->free_before > FREE_BEFORE)
        beckon_job_exceed (self, BECKON_JOB_LIMIT_DISK);
    }
  watch_again (self, (guint) MIN (took * WATCH_SHARE / 1000, WATCH_MAX_MS));
}

/* The kernel's own limits are each process's, or not there for the administrator: the sum is watched. */
static gboolean
on_watch (gpointer user_data)
{
  BeckonJob *self = user_data;
  g_autoptr (GTask) task = NULL;

  if (self->status >= 0)
    {
      self->watch = 0;
      return G_SOURCE_REMOVE;
    }
  if (self->pid == 0)
    return G_SOURCE_CONTINUE;

  self->watch = 0;
  self->measuring_began = g_get_monotonic_time ();
  task = g_task_new (self, NULL, on_measured, NULL);
  g_task_set_source_tag (task, on_watch);
  beckon_worker_run_for_person (task, job_measure);
  return G_SOURCE_REMOVE;
}

static BeckonJob *
job_begin (GInputStream *pipe, const BeckonJobLimits *limits)
{
  BeckonJob *self = g_object_new (BECKON_TYPE_JOB, NULL);

  self->pipe = g_object_ref (pipe);
  self->limits = *limits;
  self->n_open = 2;
  g_object_ref (self);
  g_object_ref (self);
  read_more (self);
  watch_again (self, 0);
  return self;
}

BeckonJob *
beckon_job_new (int pid, GInputStream *output, const BeckonJobLimits *limits)
{
  BeckonJob *self;

  g_return_val_if_fail (pid > 0, NULL);
  g_return_val_if_fail (G_IS_INPUT_STREAM (output), NULL);
  g_return_val_if_fail (limits != NULL, NULL);

  self = job_begin (output, limits);
  self->pid = pid;
  g_child_watch_add (pid, job_on_ended, self);
  return self;
}

BeckonJob *
beckon_job_new_foreign (GInputStream *output, BeckonJobKill kill, gpointer data, const BeckonJobLimits *limits)
{
  BeckonJob *self;

  g_return_val_if_fail (G_IS_INPUT_STREAM (output), NULL);
  g_return_val_if_fail (limits != NULL, NULL);
  g_return_val_if_fail (kill != NULL, NULL);

  self = job_begin (output, limits);
  self->kill = kill;
  self->kill_data = data;
  return self;
}

void
beckon_job_set_pid (BeckonJob *job, int pid)
{
  job->pid = pid;
}

void
beckon_job_end (BeckonJob *job, int status, GError *failure)
{
  g_return_if_fail (BECKON_IS_JOB (job));
  g_return_if_fail (job->kill != NULL && job->status < 0);

  job->status = status;
  job->failure = failure;

  /* A process that lives on may hold the pipe for ever. */
  if (failure != NULL)
    g_cancellable_cancel (job->reading);
  close_one (job);
}

guint64
beckon_job_get_copied (BeckonJob *job, gboolean *is_whole)
{
  g_return_val_if_fail (BECKON_IS_JOB (job), 0);

  if (is_whole != NULL)
    *is_whole = !job->is_cut;
  return job->n_copied;
}

int
beckon_job_get_pid (BeckonJob *job)
{
  g_return_val_if_fail (BECKON_IS_JOB (job), 0);

  return job->status < 0 ? job->pid : 0;
}

int
beckon_job_open_network (BeckonJob *job)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/ns/net", job->pid);

  g_return_val_if_fail (BECKON_IS_JOB (job), -1);

  return job->pid > 0 && job->status < 0 ? open (path, O_RDONLY | O_CLOEXEC) : -1;
}

void
beckon_job_set_folder (BeckonJob *job, const char *folder)
{
  job->folder = g_strdup (folder);
}

void
beckon_job_set_is_held (BeckonJob *job)
{
  job->is_held = TRUE;
}

BeckonOutput *
beckon_job_get_output (BeckonJob *job)
{
  g_return_val_if_fail (BECKON_IS_JOB (job), NULL);

  return job->output;
}

void
beckon_job_kill (BeckonJob *job)
{
  g_return_if_fail (BECKON_IS_JOB (job));

  if (job->status < 0 && job->kill != NULL)
    job->kill (job->kill_data);
  else if (job->status < 0)
    kill (-job->pid, SIGKILL);
  if (job->first >= 0)
    syscall (SYS_pidfd_send_signal, job->first, SIGKILL, NULL, 0U);
}

void
beckon_job_set_first (BeckonJob *job, int pidfd)
{
  g_return_if_fail (BECKON_IS_JOB (job));

  job->first = pidfd;
}

void
beckon_job_hold (BeckonJob *job)
{
  g_return_if_fail (BECKON_IS_JOB (job));
  g_return_if_fail (job->n_open > 0);

  job->n_open++;
  g_object_ref (job);
}

void
beckon_job_release (BeckonJob *job)
{
  g_return_if_fail (BECKON_IS_JOB (job));
  g_return_if_fail (job->n_open > 0);

  close_one (job);
}

void
beckon_job_add_cleanup (BeckonJob *job, GDestroyNotify cleanup, gpointer data)
{
  Cleanup entry = { cleanup, data };

  g_return_if_fail (BECKON_IS_JOB (job));
  g_return_if_fail (job->n_open > 0);

  g_array_append_val (job->cleanups, entry);
}

void
beckon_job_set_mask (BeckonJob *job, BeckonMask *mask)
{
  g_return_if_fail (BECKON_IS_JOB (job));
  g_return_if_fail (mask != NULL && job->mask == NULL);

  job->mask = beckon_mask_stream_new (mask);
}

void
beckon_job_set_copy (BeckonJob *job, BeckonJobOpen open, gpointer data, guint64 max_bytes)
{
  g_return_if_fail (BECKON_IS_JOB (job));
  g_return_if_fail (open != NULL && job->copy == NULL);

  job->open_copy = open;
  job->open_data = data;
  job->copy_max = max_bytes;
}

gboolean
beckon_job_begin_copy (BeckonJob *job)
{
  BeckonJobOpen open_copy = job->open_copy;

  g_return_val_if_fail (BECKON_IS_JOB (job) && open_copy != NULL, FALSE);

  job->open_copy = NULL;
  job->copy = open_copy (job->open_data);
  return job->copy != NULL;
}

/* Not from within the cancelling: the canceller may hold what killing needs. */
static gboolean
kill_later (gpointer user_data)
{
  beckon_job_kill (BECKON_JOB (user_data));
  return G_SOURCE_REMOVE;
}

static void
job_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_idle_add_full (G_PRIORITY_HIGH, kill_later, g_object_ref (user_data), g_object_unref);
}

static gboolean
return_ended (gpointer user_data)
{
  return_wait (BECKON_JOB (user_data));
  return G_SOURCE_REMOVE;
}

void
beckon_job_wait_async (BeckonJob *job, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_JOB (job));
  g_return_if_fail (job->wait == NULL);

  job->wait = g_task_new (job, cancellable, callback, user_data);
  g_task_set_source_tag (job->wait, beckon_job_wait_async);
  if (job->n_open == 0)
    g_idle_add_full (G_PRIORITY_DEFAULT, return_ended, g_object_ref (job), g_object_unref);
  else if (cancellable != NULL)
    job->cancelled = g_cancellable_connect (cancellable, G_CALLBACK (job_on_cancelled), job, NULL);
}

BECKON_FINISH_BOOLEAN (beckon_job_wait, BeckonJob)

int
beckon_job_get_status (BeckonJob *job)
{
  g_return_val_if_fail (BECKON_IS_JOB (job), -1);

  return job->status;
}

BeckonJobLimit
beckon_job_get_limit (BeckonJob *job)
{
  g_return_val_if_fail (BECKON_IS_JOB (job), BECKON_JOB_LIMIT_NONE);

  return job->limit;
}

const BeckonJobLimits *
beckon_job_get_limits (BeckonJob *job)
{
  g_return_val_if_fail (BECKON_IS_JOB (job), NULL);

  return &job->limits;
}

void
beckon_job_set_remark (BeckonJob *job, char *remark)
{
  g_free (job->remark);
  job->remark = remark;
}

const char *
beckon_job_get_remark (BeckonJob *job)
{
  g_return_val_if_fail (BECKON_IS_JOB (job), NULL);

  return job->remark;
}
