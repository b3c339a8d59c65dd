/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-mask.h"
#include "sandbox/beckon-output.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_JOB (beckon_job_get_type ())
G_DECLARE_FINAL_TYPE (BeckonJob, beckon_job, BECKON, JOB, GObject)

/**
 * BeckonJobLimit:
 *
 * Which bound ended a job before its own end.
 */
typedef enum
{
  BECKON_JOB_LIMIT_NONE,
  BECKON_JOB_LIMIT_PROCESSES,
  BECKON_JOB_LIMIT_MEMORY,
  BECKON_JOB_LIMIT_WRITTEN,
  BECKON_JOB_LIMIT_DISK,
} BeckonJobLimit;

/**
 * BeckonJobLimits:
 * @n_processes: the most processes and threads at a time
 * @memory_bytes: the most memory of all processes together, with what they have in temporary file systems
 * @written_bytes: the most that they write to disks in all
 *
 * What a job may use. More ends it.
 */
typedef struct
{
  guint n_processes;
  guint64 memory_bytes;
  guint64 written_bytes;
} BeckonJobLimits;

/**
 * BeckonJob:
 *
 * A process that was started, with all that it starts, and what it puts out. It ends when its process ends or is killed;
 * nothing of it outlives it. It keeps itself alive until then: an owner that releases it early kills it first. Main thread.
 */

/**
 * beckon_job_new:
 * @pid: this program's child, which leads a process group; all that it starts ends with that group
 * @output: what the process puts out; ends when all that write to it have ended
 * @limits: what all below it may use
 *
 * Returns: (transfer full): the job, which reads the output from now on
 */
BeckonJob *beckon_job_new (int pid, GInputStream *output, const BeckonJobLimits *limits) G_GNUC_WARN_UNUSED_RESULT;

/** Asks the runner of a foreign process to end it at once, with everything below it. May be called more than once. */
typedef void (*BeckonJobKill) (gpointer data);

/**
 * beckon_job_new_foreign:
 * @output: what the process puts out; ends when all that write to it have ended
 * @kill: ends it
 * @data: for @kill, which is called until beckon_job_end ()
 * @limits: what all below it may use
 *
 * For a process that is not this program's child. Its maker calls beckon_job_end () once, whatever happens.
 *
 * Returns: (transfer full): the job, which reads the output from now on
 */
BeckonJob *beckon_job_new_foreign (GInputStream *output, BeckonJobKill kill, gpointer data,
                                   const BeckonJobLimits *limits) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_job_set_first:
 * @job: a job
 * @pidfd: a process that has left the group of the job's own, or is about to, and that all others end with; stays the caller's,
 *   who sets -1 before it closes it
 *
 * beckon_job_kill() kills it as well. Bubblewrap's --die-with-parent alone doesn't do that: the sandbox's first process asks
 * for the signal only after it has begun the command, and bubblewrap may be dead by then.
 */
void beckon_job_set_first (BeckonJob *job, int pidfd);

/** For a foreign process: below which of the processes that can be seen here its own are, so that they can be measured. */
void beckon_job_set_pid (BeckonJob *job, int pid);

/**
 * beckon_job_end:
 * @job: one with a foreign process
 * @status: the exit status by the shell's rule
 * @failure: (transfer full) (nullable): why it never ran, or is not known to have ended; what waits then fails with it
 *
 * Its process has ended.
 */
void beckon_job_end (BeckonJob *job, int status, GError *failure);

/** The kernel itself holds it to its memory and its processes: from now on only what it writes is watched. */
void beckon_job_set_is_held (BeckonJob *job);

/** Ends it before the disk that @folder is on is full. */
void beckon_job_set_folder (BeckonJob *job, const char *folder);

/** Ends it because of @limit, unless another one came first; of one that has ended, says that this was why. */
void beckon_job_exceed (BeckonJob *job, BeckonJobLimit limit);

/** The output so far. Borrowed; grows. */
BeckonOutput *beckon_job_get_output (BeckonJob *job);

/**
 * BeckonJobOpen:
 *
 * Returns: (transfer full) (nullable): where all that a job puts out is to be copied to; %NULL if there is no place
 */
typedef GOutputStream *(*BeckonJobOpen) (gpointer data);

/** Output of so many bytes is copied nowhere. Of a longer one a model may be sent less than is kept. */
#define BECKON_JOB_BRIEF 4096

/**
 * beckon_job_set_copy:
 * @job: the job, which has put out nothing yet
 * @open: called once, when the output is about to be longer than %BECKON_JOB_BRIEF
 * @data: for @open, until the job has ended
 * @max_bytes: the most that is copied
 *
 * Copies a long output whole, from its beginning, on another thread; the job waits for it to be written.
 */
void beckon_job_set_copy (BeckonJob *job, BeckonJobOpen open, gpointer data, guint64 max_bytes);

/** Copies from the first byte on, however short the output will be. @job: has put out nothing yet. %FALSE if there is no
 *  place. */
gboolean beckon_job_begin_copy (BeckonJob *job);

/** How many bytes of the output were copied, all from its beginning; @is_whole: (out) (optional): and nothing is missing. */
guint64 beckon_job_get_copied (BeckonJob *job, gboolean *is_whole);

/** The process below which all others are; 0 if it has ended, or is not known. */
int beckon_job_get_pid (BeckonJob *job);

/** A descriptor of the network that its process was started in, which the caller closes; -1 if it has ended, or is foreign. */
int beckon_job_open_network (BeckonJob *job) G_GNUC_WARN_UNUSED_RESULT;

/** Masks the output before it is anywhere. @job: has no output yet. */
void beckon_job_set_mask (BeckonJob *job, BeckonMask *mask);

/** Kills it with everything below it. Its wait ends then. Does nothing when it has ended. */
void beckon_job_kill (BeckonJob *job);

/** Keeps the wait from returning until beckon_job_release() is called as often. The job has not ended. */
void beckon_job_hold (BeckonJob *job);

/** The job may be gone afterwards. */
void beckon_job_release (BeckonJob *job);

/** Adds what undoes something when the job has ended, called once, on the main thread, in the order of adding. */
void beckon_job_add_cleanup (BeckonJob *job, GDestroyNotify cleanup, gpointer data);

/**
 * beckon_job_wait_async:
 * @job: the job
 * @cancellable: (nullable): kills the job; the wait ends when all of it is gone
 * @callback: called when the process has ended and its output is read
 * @user_data: for @callback
 *
 * One wait at a time.
 */
void beckon_job_wait_async (BeckonJob *job, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_job_wait_finish:
 * @job: the job
 * @result: from the callback
 * @error: return location for an error
 *
 * Returns: %TRUE when it has ended, however it did; %FALSE with G_IO_ERROR_CANCELLED when @cancellable killed it,
 *   or with what beckon_job_end () was given
 */
gboolean beckon_job_wait_finish (BeckonJob *job, GAsyncResult *result, GError **error);

/** The exit status by the shell's rule: 128 and the signal's number if a signal ended it; -1 while it runs. */
int beckon_job_get_status (BeckonJob *job);

/** The bound that ended it, if one did. */
BeckonJobLimit beckon_job_get_limit (BeckonJob *job);

/** Sets a remark on the output, in English, for the model. @remark: (transfer full) (nullable). */
void beckon_job_set_remark (BeckonJob *job, char *remark);

/** (nullable): Borrowed. */
const char *beckon_job_get_remark (BeckonJob *job);

/** The limits. Borrowed. */
const BeckonJobLimits *beckon_job_get_limits (BeckonJob *job);

G_END_DECLS
