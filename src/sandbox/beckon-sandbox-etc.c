/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-sandbox-etc.h"

#include "base/beckon-error.h"
#include "beckon-bwrap-arguments.h"
#include "beckon-etc-copy.h"
#include "beckon-etc-links.h"
#include "beckon-etc-lists.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLACE "beckon-sandbox"
#define LIBRARIES_CACHE "/etc/ld.so.cache"

/* Another process is done sooner than this. */
#define AGAIN_US (G_USEC_PER_SEC / 2)

/* What cannot be had now may be possible later: a disk that is full. */
#define AGAIN_FAILED_US (60 * G_USEC_PER_SEC)

/* An /etc that changes more often than this while the program runs is not worth copying. */
#define MAX_FORMER 64

typedef struct
{
  BeckonEtcCopy *copy; /* (owned) (nullable) */
  gboolean is_making;
  gint64 not_before;
} View;

/* Without and with what the network needs. */
static View views[2];

/* What programs keep in /etc, as it was found last. */
static GPtrArray *links;

/* (element-type GTask): those who wait for a copy. */
static GPtrArray *waiting;

/* What a worker found. */
typedef struct
{
  BeckonEtcCopy *copy; /* (nullable) */
  GPtrArray *links;
  GError *error; /* (nullable) */
} Found;

/* Commands that began when they were current may still run. */
static GPtrArray *former;

static void
found_free (gpointer data)
{
  Found *found = data;

  g_clear_pointer (&found->copy, beckon_etc_copy_free);
  g_clear_pointer (&found->links, g_ptr_array_unref);
  g_clear_error (&found->error);
  g_free (found);
}

static void
make (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autofree char *runtime = g_canonicalize_filename (g_get_user_runtime_dir (), "/");
  g_autofree char *place = g_build_filename (runtime, PLACE, NULL);
  Found *found = g_new0 (Found, 1);

  found->links = beckon_etc_find_links ("");
  found->copy = beckon_etc_copy_make ("", place, task_data == &views[1], found->links, &found->error);
  g_task_return_pointer (task, found, found_free);
}

static void
wake_all (void)
{
  g_autoptr (GPtrArray) tasks = g_steal_pointer (&waiting);

  for (guint i = 0; tasks != NULL && i < tasks->len; i++)
    g_task_return_boolean (g_ptr_array_index (tasks, i), TRUE);
}

static void
on_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  View *view = user_data;
  Found *found = g_task_propagate_pointer (G_TASK (result), NULL);

  view->is_making = FALSE;
  view->copy = g_steal_pointer (&found->copy);
  g_clear_pointer (&links, g_ptr_array_unref);
  links = g_ptr_array_ref (found->links);
  if (view->copy == NULL)
    {
      g_debug ("Commands are shown /etc piece by piece: %s", found->error->message);
      view->not_before
          = g_get_monotonic_time ()
            + (g_error_matches (found->error, BECKON_ERROR, BECKON_ERROR_CONFLICT) ? AGAIN_US : AGAIN_FAILED_US);
    }
  found_free (found);
  wake_all ();
}

static void
begin_making (View *view)
{
  g_autoptr (GTask) task = NULL;

  if (view->is_making || g_get_monotonic_time () < view->not_before || (former != NULL && former->len >= MAX_FORMER))
    return;

  view->is_making = TRUE;
  task = g_task_new (NULL, NULL, on_made, view);
  g_task_set_source_tag (task, begin_making);
  g_task_set_task_data (task, view, NULL);
  g_task_run_in_thread (task, make);
}

static void
retire (View *view)
{
  if (former == NULL)
    former = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_etc_copy_free);
  g_ptr_array_add (former, g_steal_pointer (&view->copy));
}

/* (nullable): the folder to be mounted. */
static const char *
get_copy (gboolean network)
{
  View *view = &views[network ? 1 : 0];

  if (view->copy != NULL && !beckon_etc_copy_is_current (view->copy))
    retire (view);
  if (view->copy == NULL)
    begin_making (view);
  return view->copy != NULL ? beckon_etc_copy_get_path (view->copy) : NULL;
}

gboolean
beckon_sandbox_etc_is_ready (gboolean network)
{
  return get_copy (network) != NULL;
}

/* What is written there counts once it is in the cache, so it is read again when that is another one. */
static const char *
get_libraries (void)
{
  static char *libraries;
  static ino_t inode;
  static struct timespec time;
  struct stat cache = { 0 };

  stat (LIBRARIES_CACHE, &cache);
  if (libraries != NULL && cache.st_ino == inode && memcmp (&cache.st_mtim, &time, sizeof time) == 0)
    return libraries;

  g_free (libraries);
  libraries = beckon_etc_read_libraries ("");
  inode = cache.st_ino;
  time = cache.st_mtim;
  return libraries;
}

static void
add_text (GString *arguments, GArray *fds, const char *path, const char *text)
{
  const gssize length = (gssize) strlen (text);
  int fd = memfd_create ("beckon-text", MFD_CLOEXEC);

  if (fd < 0)
    return;
  if (write (fd, text, (gsize) length) == length && lseek (fd, 0, SEEK_SET) == 0)
    beckon_bwrap_add_file (arguments, fds, fd, path);
  else
    close (fd);
}

static void
add_file (GString *arguments, GArray *fds, const char *path)
{
  g_autofree char *target = g_file_read_link (path, NULL);
  g_autofree char *to_system = target != NULL ? beckon_etc_resolve_link (path, target) : NULL;
  int fd;

  if (to_system != NULL)
    beckon_bwrap_add (arguments, "--symlink", to_system, path, NULL);
  else if ((fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) >= 0)
    beckon_bwrap_add_file (arguments, fds, fd, path);
}

static void
add_pieces (GString *arguments, GArray *fds, gboolean network)
{
  g_autofree char *people = beckon_etc_read_people ("");
  const char *const *list;

  for (list = beckon_etc_list_folders (); *list != NULL; list++)
    if (beckon_etc_shows_folder (*list))
      beckon_bwrap_add (arguments, "--ro-bind-try", *list, *list, NULL);
  for (list = beckon_etc_list_files (); *list != NULL; list++)
    add_file (arguments, fds, *list);
  add_text (arguments, fds, BECKON_ETC_LIBRARIES, get_libraries ());
  add_text (arguments, fds, BECKON_ETC_PEOPLE, people);
  if (!network)
    add_text (arguments, fds, BECKON_ETC_HOSTS, BECKON_ETC_OWN_HOSTS);
  for (guint i = 0; links != NULL && i < links->len; i++)
    if (g_file_test (g_ptr_array_index (links, i), G_FILE_TEST_IS_DIR))
      beckon_bwrap_add (arguments, "--ro-bind-try", g_ptr_array_index (links, i), g_ptr_array_index (links, i), NULL);
    else
      add_file (arguments, fds, g_ptr_array_index (links, i));
}

void
beckon_sandbox_etc_prepare_async (gboolean network, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, beckon_sandbox_etc_prepare_async);
  if (get_copy (network) != NULL || !views[network ? 1 : 0].is_making)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  if (waiting == NULL)
    waiting = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (waiting, g_steal_pointer (&task));
}

gboolean
beckon_sandbox_etc_prepare_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_sandbox_etc_prepare_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
beckon_sandbox_etc_add (GString *arguments, GArray *fds, gboolean network)
{
  const char *copy = get_copy (network);

  if (copy != NULL)
    beckon_bwrap_add (arguments, "--ro-bind", copy, "/etc", NULL);
  else
    add_pieces (arguments, fds, network);
  for (const char *const *list = beckon_etc_list_for_network (); network && *list != NULL; list++)
    beckon_bwrap_add (arguments, "--ro-bind-try", *list, *list, NULL);
}
