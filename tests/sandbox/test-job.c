/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A job's output, its copy and its end, without a process: what it puts out is a stream of the test's. */

#include "sandbox/beckon-job.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LENGTH (10 * BECKON_OUTPUT_KEPT)

/* --- A file that fails once ---------------------------------------------------------------------------------------- */

typedef struct
{
  GOutputStream parent_instance;
  GByteArray *bytes;
  gsize room; /* before it fails, once */
  gboolean has_failed;
} Disk;

typedef GOutputStreamClass DiskClass;

static GType disk_get_type (void);

G_DEFINE_TYPE (Disk, disk, G_TYPE_OUTPUT_STREAM)

static gssize
disk_write (GOutputStream *stream, const void *bytes, gsize length, GCancellable *cancellable, GError **error)
{
  Disk *disk = (Disk *) stream;
  gsize n = disk->has_failed ? length : MIN (length, disk->room);

  if (n == 0)
    {
      disk->has_failed = TRUE;
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "The disk is full.");
      return -1;
    }
  disk->room -= disk->has_failed ? 0 : n;
  g_byte_array_append (disk->bytes, bytes, (guint) n);
  return (gssize) n;
}

static void
disk_finalize (GObject *object)
{
  g_byte_array_unref (((Disk *) object)->bytes);
  G_OBJECT_CLASS (disk_parent_class)->finalize (object);
}

static void
disk_class_init (DiskClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = disk_finalize;
  klass->write_fn = disk_write;
}

static void
disk_init (Disk *disk)
{
  disk->bytes = g_byte_array_new ();
}

/* --- Jobs ---------------------------------------------------------------------------------------------------------- */

static GOutputStream *
open_copy (gpointer disk)
{
  return disk != NULL ? g_object_ref (disk) : NULL;
}

static void
do_nothing (gpointer data)
{
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static char *
make_output (gsize length)
{
  char *text = g_malloc (length + 1);

  for (gsize i = 0; i < length; i++)
    text[i] = i % 64 == 63 ? '\n' : (char) ('a' + i / 64 % 26);
  text[length] = '\0';
  return text;
}

/* Runs a job that puts out @text to its end. @disk: (nullable). */
static BeckonJob *
run (const char *text, Disk *disk, guint64 max)
{
  static const BeckonJobLimits limits = { 100, G_MAXINT64, G_MAXINT64 };
  g_autoptr (GInputStream) output = g_memory_input_stream_new_from_data (text, (gssize) strlen (text), NULL);
  BeckonJob *job = beckon_job_new_foreign (output, do_nothing, NULL, &limits);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_job_set_copy (job, open_copy, disk, max);
  beckon_job_end (job, 0, NULL);
  beckon_job_wait_async (job, NULL, on_done, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (beckon_job_wait_finish (job, result, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (beckon_output_get_length (beckon_job_get_output (job)), ==, strlen (text));
  return job;
}

static Disk *
make_disk (gsize room)
{
  Disk *disk = g_object_new (disk_get_type (), NULL);

  disk->room = room;
  return disk;
}

static void
assert_copied (BeckonJob *job, Disk *disk, const char *text, gsize length, gboolean is_whole)
{
  gboolean found = !is_whole;

  g_assert_cmpuint (beckon_job_get_copied (job, &found), ==, length);
  g_assert_cmpint (found, ==, is_whole);
  g_assert_cmpmem (disk->bytes->data, disk->bytes->len, text, length);
}

static void
test_whole (void)
{
  g_autofree char *text = make_output (LENGTH);
  Disk *disk = make_disk (G_MAXSIZE);
  g_autoptr (BeckonJob) job = run (text, disk, G_MAXUINT64);

  assert_copied (job, disk, text, LENGTH, TRUE);
  g_object_unref (disk);
}

/* A write that fails, at once or within a piece, ends the copy, although the next one would not fail: it is a beginning of the
 * output, without a hole. */
static void
test_no_hole (void)
{
  static const gsize rooms[] = { 0, 1, BECKON_OUTPUT_KEPT, 2 * BECKON_OUTPUT_KEPT, 2 * BECKON_OUTPUT_KEPT + 1,
                                 5 * BECKON_OUTPUT_KEPT + 77, LENGTH - 1 };
  g_autofree char *text = make_output (LENGTH);

  for (gsize i = 0; i < G_N_ELEMENTS (rooms); i++)
    {
      Disk *disk = make_disk (rooms[i]);
      g_autoptr (BeckonJob) job = run (text, disk, G_MAXUINT64);

      g_assert_true (disk->has_failed);
      assert_copied (job, disk, text, rooms[i], FALSE);
      g_object_unref (disk);
    }
}

/* The most that is copied is copied to the byte. */
static void
test_most (void)
{
  static const gsize most[] = { 0, 1, 2 * BECKON_OUTPUT_KEPT + 1, 5 * BECKON_OUTPUT_KEPT + 77, LENGTH - 1, LENGTH, LENGTH + 1 };
  g_autofree char *text = make_output (LENGTH);

  for (gsize i = 0; i < G_N_ELEMENTS (most); i++)
    {
      Disk *disk = make_disk (G_MAXSIZE);
      g_autoptr (BeckonJob) job = run (text, disk, most[i]);

      assert_copied (job, disk, text, MIN (most[i], LENGTH), most[i] >= LENGTH);
      g_object_unref (disk);
    }
}

/* A brief output needs no copy; where there is no place for one the output goes on without it. */
static void
test_none (void)
{
  g_autofree char *brief = make_output (BECKON_JOB_BRIEF);
  g_autofree char *text = make_output (LENGTH);
  Disk *disk = make_disk (G_MAXSIZE);
  g_autoptr (BeckonJob) small = run (brief, disk, G_MAXUINT64);
  g_autoptr (BeckonJob) homeless = run (text, NULL, G_MAXUINT64);
  gboolean is_whole = TRUE;

  g_assert_cmpuint (disk->bytes->len, ==, 0);
  g_assert_cmpuint (beckon_job_get_copied (small, NULL), ==, 0);
  g_assert_cmpuint (beckon_job_get_copied (homeless, &is_whole), ==, 0);
  g_assert_false (is_whole);
  g_object_unref (disk);
}

static void
count (gpointer n)
{
  ++*(guint *) n;
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

/* The wait, and what is done behind the job, come after the last release; then nothing keeps the job. */
static void
test_held (void)
{
  static const BeckonJobLimits limits = { 100, G_MAXINT64, G_MAXINT64 };
  g_autoptr (GInputStream) output = g_memory_input_stream_new_from_data ("said\n", 5, NULL);
  BeckonJob *job = beckon_job_new_foreign (output, do_nothing, NULL, &limits);
  BeckonJob *weak = job;
  GAsyncResult *result = NULL;
  guint n_cleanups = 0;

  g_object_add_weak_pointer (G_OBJECT (job), (gpointer *) &weak);
  beckon_job_add_cleanup (job, count, &n_cleanups);
  beckon_job_hold (job);
  beckon_job_hold (job);
  beckon_job_wait_async (job, NULL, on_done, &result);
  beckon_job_end (job, 7, NULL);
  while (beckon_output_get_length (beckon_job_get_output (job)) < 5)
    g_main_context_iteration (NULL, TRUE);
  settle ();
  g_assert_null (result);

  beckon_job_release (job);
  settle ();
  g_assert_null (result);
  g_assert_cmpuint (n_cleanups, ==, 0);

  beckon_job_release (job);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (beckon_job_wait_finish (job, result, NULL));
  g_assert_cmpint (beckon_job_get_status (job), ==, 7);
  g_assert_cmpuint (n_cleanups, ==, 1);

  g_object_unref (result);
  g_object_unref (job);
  settle ();
  g_assert_null (weak);
}

/* A process that has left the group is killed by itself, even when the process that began it has ended. */
static void
test_first (void)
{
  static const BeckonJobLimits limits = { 100, G_MAXINT64, G_MAXINT64 };
  const char *argv[] = { "sleep", "1000", NULL };

  for (guint ends_before = 0; ends_before < 2; ends_before++)
    {
      g_autoptr (GInputStream) output = g_memory_input_stream_new_from_data ("said\n", 5, NULL);
      g_autoptr (BeckonJob) job = beckon_job_new_foreign (output, do_nothing, NULL, &limits);
      g_autoptr (GError) error = NULL;
      GPid pid = 0;
      int status = 0, first;

      g_spawn_async (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error);
      g_assert_no_error (error);
      first = (int) syscall (SYS_pidfd_open, pid, 0U);
      g_assert_cmpint (first, >=, 0);
      beckon_job_hold (job);
      beckon_job_set_first (job, first);
      if (ends_before)
        beckon_job_end (job, 0, NULL);
      beckon_job_kill (job);
      g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
      g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
      beckon_job_set_first (job, -1);
      close (first);
      if (!ends_before)
        beckon_job_end (job, 0, NULL);
      beckon_job_release (job);
      settle ();
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/job/first", test_first);
  g_test_add_func ("/job/copy/whole", test_whole);
  g_test_add_func ("/job/copy/no-hole", test_no_hole);
  g_test_add_func ("/job/copy/most", test_most);
  g_test_add_func ("/job/copy/none", test_none);
  g_test_add_func ("/job/held", test_held);
  return g_test_run ();
}
