/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-sandbox-view-private.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-path.h"
#include "base/beckon-worker.h"
#include "beckon-launch.h"
#include "beckon-sandbox-portal.h"
#include "beckon-sandbox.h"
#include "landing/beckon-landing-copy.h"
#include "landing/beckon-landing-place.h"
#include "landing/beckon-landing-root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

/* A file system that answers does so long before that. */
#define PATIENCE_SECONDS 3

#define MAX_MOUNTS (4 * 1024 * 1024)

/* The search for files that an overlay could not copy up. */
#define MAX_ENTRIES 20000
#define MAX_LOOK (50 * G_TIME_SPAN_MILLISECOND)

static GMutex lock;

/* (element-type filename BeckonViewKind): by folder, what was learned. */
static GHashTable *known;

static gboolean
sandbox_view_look_up (const char *folder, BeckonViewKind *kind)
{
  gpointer value = NULL;
  gboolean is_known;

  g_mutex_lock (&lock);
  is_known = known != NULL && g_hash_table_lookup_extended (known, folder, NULL, &value);
  g_mutex_unlock (&lock);
  *kind = is_known ? (BeckonViewKind) GPOINTER_TO_INT (value) : BECKON_VIEW_DIRECT;
  return is_known;
}

void
beckon_sandbox_view_set (const char *folder, BeckonViewKind kind)
{
  g_return_if_fail (folder != NULL);

  g_mutex_lock (&lock);
  if (known == NULL)
    known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_insert (known, g_strdup (folder), GINT_TO_POINTER ((int) kind));
  g_mutex_unlock (&lock);
}

BeckonViewKind
beckon_sandbox_view_get (const char *folder)
{
  BeckonViewKind kind;

  g_return_val_if_fail (folder != NULL, BECKON_VIEW_DIRECT);

  sandbox_view_look_up (folder, &kind);
  return kind;
}

/* An overlay shows what is below a mount, not what is mounted. Paths are escaped there as strcompress() reads them. */
static gboolean
has_mount (const char *folder)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  gsize length;

  if (!g_file_get_contents ("/proc/self/mountinfo", &text, &length, NULL) || length > MAX_MOUNTS)
    return TRUE;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], " ", 6);
      g_autofree char *path = g_strv_length (fields) == 6 ? g_strcompress (fields[4]) : NULL;

      if (path != NULL && strcmp (path, folder) != 0 && beckon_path_is_within (path, folder))
        return TRUE;
    }

  return FALSE;
}

/* How far a folder is looked through, and what was found. */
typedef struct
{
  int root;
  GQueue folders; /* (element-type filename): relative, still to be read */
  gint64 deadline;
  guint n_entries;
  gboolean is_over; /* there is more than was looked at */
  gboolean has_foreign;
} Look;

static void
sandbox_view_look_at (Look *look, int folder, const char *path, const char *name)
{
  struct stat info;

  if (fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return;
  look->has_foreign = look->has_foreign || info.st_uid != geteuid () || info.st_gid != getegid ();
  if (S_ISDIR (info.st_mode))
    g_queue_push_tail (&look->folders, g_build_filename (path, name, NULL));
}

static gboolean
is_done (Look *look)
{
  look->is_over = look->n_entries > MAX_ENTRIES || g_get_monotonic_time () > look->deadline;
  return look->is_over || look->has_foreign;
}

static void
look_into (Look *look, const char *path)
{
  int fd = openat (look->root, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = fd >= 0 ? fdopendir (fd) : NULL;
  struct dirent *entry;

  while (folder != NULL && !is_done (look) && (entry = readdir (folder)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      {
        look->n_entries++;
        sandbox_view_look_at (look, fd, path, entry->d_name);
      }
  if (folder != NULL)
    closedir (folder);
}

/* A file that is copied up keeps its owner and group. In a user namespace only this program's own are known, and the copy
 * fails with EOVERFLOW. What the bound leaves out is taken to be as the rest. */
static gboolean
has_foreign_files (const char *folder)
{
  Look look = { .root = open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC), .folders = G_QUEUE_INIT };

  if (look.root < 0)
    return TRUE;

  look.deadline = g_get_monotonic_time () + MAX_LOOK;
  sandbox_view_look_at (&look, look.root, "", ".");
  while (!is_done (&look) && !g_queue_is_empty (&look.folders))
    {
      g_autofree char *path = g_queue_pop_head (&look.folders);

      look_into (&look, path);
    }

  g_queue_clear_full (&look.folders, g_free);
  close (look.root);
  return look.has_foreign;
}

static gboolean
make_layers (const char *place)
{
  g_autofree char *upper = g_build_filename (place, "upper", NULL);
  g_autofree char *work = g_build_filename (place, "work", NULL);

  return g_mkdir (upper, 0700) == 0 && g_mkdir (work, 0700) == 0;
}

/* (transfer full) (nullable): on the file system on which landing places are. */
static char *
make_trial_place (void)
{
  g_autofree char *data = g_build_filename (g_get_user_data_dir (), BECKON_DATA_FOLDER, NULL);
  g_autofree char *place = g_build_filename (data, "trial-XXXXXX", NULL);

  return g_mkdir_with_parents (data, 0700) == 0 && g_mkdtemp (place) != NULL ? g_steal_pointer (&place) : NULL;
}

static gboolean
try_overlay (const char *folder, gboolean *knows_all)
{
  g_autofree char *place = make_trial_place ();
  gboolean is_possible = place != NULL && make_layers (place) && beckon_launch_try_overlay (folder, place, knows_all);

  if (place != NULL)
    beckon_landing_place_remove (place, NULL);
  return is_possible;
}

static gboolean
can_overlay (const char *folder)
{
  gboolean knows_all = FALSE;

  return !beckon_sandbox_portal_is_needed () && !has_mount (folder) && try_overlay (folder, &knows_all)
         && (knows_all || !has_foreign_files (folder));
}

/* The facts about a folder. */
typedef struct
{
  char *folder;
  BeckonViewKind kind;
  char *trial; /* (nullable): a landing place with a copy of nothing, to be tried in a Flatpak */
  guint patience; /* until it is over, or the lesson */
} Lesson;

static void
lesson_free (gpointer data)
{
  Lesson *lesson = data;

  if (lesson->trial != NULL)
    beckon_landing_place_remove (lesson->trial, NULL);
  g_free (lesson->trial);
  g_free (lesson->folder);
  g_free (lesson);
}

static void
learn (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Lesson *lesson = task_data;

  if (can_overlay (lesson->folder))
    lesson->kind = BECKON_VIEW_OVERLAY;
  else
    lesson->kind = beckon_landing_copy_fits (lesson->folder) ? BECKON_VIEW_COPY : BECKON_VIEW_DIRECT;
  if (lesson->kind == BECKON_VIEW_COPY && beckon_sandbox_portal_is_needed ())
    {
      g_autofree char *place = make_trial_place ();
      g_autofree char *real = place != NULL ? realpath (place, NULL) : NULL;
      g_autofree char *nothing = real != NULL ? g_build_filename (real, "nothing", NULL) : NULL;

      /* By the path by which all landing places are known, which may lead through links; what is copied
       * may not. */
      if (real == NULL)
        lesson->trial = NULL;
      else if (g_mkdir (nothing, 0700) == 0 && beckon_landing_copy_make (nothing, place, NULL, NULL, NULL))
        lesson->trial = g_steal_pointer (&place);
      else
        {
          beckon_landing_place_remove (place, NULL);
          lesson->trial = NULL;
        }
    }
  g_task_return_boolean (task, TRUE);
}

/* The facts stay, waited for or not; but those that were set meanwhile come first. */
static void
end_lesson (GTask *task, BeckonViewKind kind)
{
  Lesson *lesson = g_task_get_task_data (task);
  BeckonViewKind before;

  if (!sandbox_view_look_up (lesson->folder, &before))
    beckon_sandbox_view_set (lesson->folder, kind);
  if (lesson->patience == 0)
    return;
  g_clear_handle_id (&lesson->patience, g_source_remove);
  g_task_return_boolean (task, TRUE);
}

/* A folder that does not answer is worked on as it is, by commands that are asked about. */
static gboolean
sandbox_view_on_patience_over (gpointer user_data)
{
  GTask *task = user_data;
  Lesson *lesson = g_task_get_task_data (task);

  lesson->patience = 0;
  g_task_return_boolean (task, TRUE);
  return G_SOURCE_REMOVE;
}

static void
on_tried (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  end_lesson (task, beckon_sandbox_portal_try_view_finish (result) ? BECKON_VIEW_COPY : BECKON_VIEW_DIRECT);
}

/* Flatpak's portal tells what it does with a copy only afterwards. */
static void
on_learned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Lesson *lesson = g_task_get_task_data (task);

  if (lesson->trial != NULL)
    beckon_sandbox_portal_try_view_async (lesson->folder, lesson->trial, on_tried, g_steal_pointer (&task));
  else
    end_lesson (task, beckon_sandbox_portal_is_needed () ? BECKON_VIEW_DIRECT : lesson->kind);
}

void
beckon_sandbox_view_learn_async (const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GTask) learning = NULL;
  Lesson *lesson = g_new0 (Lesson, 1);
  BeckonViewKind kind;

  g_return_if_fail (folder != NULL);

  g_task_set_source_tag (task, beckon_sandbox_view_learn_async);
  lesson->folder = g_strdup (folder);
  g_task_set_task_data (task, lesson, lesson_free);
  if (sandbox_view_look_up (folder, &kind))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  lesson->patience = g_timeout_add_seconds_full (G_PRIORITY_DEFAULT, PATIENCE_SECONDS, sandbox_view_on_patience_over,
                                                 g_object_ref (task),
                                                 g_object_unref);
  learning = g_task_new (NULL, NULL, on_learned, g_steal_pointer (&task));
  g_task_set_source_tag (learning, learn);
  g_task_set_task_data (learning, lesson, NULL);
  beckon_worker_run (learning, learn);
}

BECKON_FINISH_LONE_BOOLEAN (beckon_sandbox_view_learn)

/* A folder in the upper layer is what the command sees in place of the one below: with its mode, its group, and what is
 * inherited from it. */
static gboolean
imitate (const char *upper, const char *folder)
{
  static const char *const attributes[] = { "system.posix_acl_access", "system.posix_acl_default" };
  struct stat info;

  if (stat (folder, &info) != 0)
    return FALSE;
  if ((info.st_uid != geteuid () || info.st_gid != getegid ()) && lchown (upper, info.st_uid, info.st_gid) != 0)
    return FALSE;
  if (chmod (upper, info.st_mode & 07777) != 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    {
      char value[4096];
      ssize_t length = getxattr (folder, attributes[i], value, sizeof value);

      if (length > 0 && setxattr (upper, attributes[i], value, (size_t) length, 0) != 0)
        return FALSE;
    }

  return TRUE;
}

gboolean
beckon_sandbox_view_refuse (const char *folder, const char *why, GError **error)
{
  beckon_sandbox_view_set (folder, BECKON_VIEW_DIRECT);
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
               "The command wasn't run: a view of “%s” for it alone can't be made (%s). Commands work in the folder itself "
               "from now on, if the user allows them.",
               folder, why);
  return FALSE;
}

static gboolean
copy_times (const char *upper, const char *folder)
{
  struct stat info;

  return stat (folder, &info) == 0
         && utimensat (AT_FDCWD, upper, (const struct timespec[]) { info.st_atim, info.st_mtim }, 0) == 0;
}

/* Whether @folder, in the upper layer, is there now. %FALSE with errno; with EEXIST or ENOTDIR, if something above is hidden
 * itself. @made: (element-type filename): takes the paths of those that are new, each behind those that it lies in. */
static gboolean
sandbox_view_make_folder (const char *upper, const char *path, GPtrArray *made)
{
  g_autofree char *above = g_path_get_dirname (path);
  g_autofree char *folder = g_build_filename (upper, path, NULL);
  struct stat info;

  if (strcmp (path, ".") == 0)
    return TRUE;
  if (!sandbox_view_make_folder (upper, above, made))
    return FALSE;
  if (mkdir (folder, 0700) == 0)
    {
      g_ptr_array_add (made, g_strdup (path));
      return TRUE;
    }

  return errno == EEXIST && lstat (folder, &info) == 0 && S_ISDIR (info.st_mode);
}

/* As the kernel marks what it copies up, so that it is not taken for a folder of the command's own. */
static gboolean
mark_copied (const char *upper)
{
  return setxattr (upper, "user.overlay.origin", "", 0, 0) == 0;
}

/* In place of what is in @folder; as old as that, so that Git trusts no file that it did not. */
static gboolean
put_into_layer (const char *upper, const char *folder, const char *path, GBytes *bytes, GPtrArray *made)
{
  g_autofree char *above = g_path_get_dirname (path);
  g_autofree char *after = g_build_filename (upper, path, NULL);
  g_autofree char *before = g_build_filename (folder, path, NULL);

  return sandbox_view_make_folder (upper, above, made)
         && g_file_set_contents_full (after, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes),
                                      G_FILE_SET_CONTENTS_NONE, 0600, NULL)
         && imitate (after, before) && copy_times (after, before);
}

/* A folder may be one that nothing can be put into, so its mode comes last, and its times with it. @file: (nullable): what
 * @bytes are in the place of. */
static gboolean
hide_all (const char *upper, const char *folder, GPtrArray *paths, const char *file, GBytes *bytes)
{
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (made, g_strdup ("."));
  if (file != NULL && !put_into_layer (upper, folder, file, bytes, made))
    return FALSE;
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);
      g_autofree char *above = g_path_get_dirname (path);
      g_autofree char *whiteout = g_build_filename (upper, path, NULL);

      /* As if it had been deleted. */
      if ((!sandbox_view_make_folder (upper, above, made) || mknod (whiteout, S_IFCHR, makedev (0, 0)) != 0) && errno != EEXIST
          && errno != ENOTDIR)
        return FALSE;
    }
  for (guint i = made->len; i > 0; i--)
    {
      g_autofree char *above = g_build_filename (upper, g_ptr_array_index (made, i - 1), NULL);
      g_autofree char *below = g_build_filename (folder, g_ptr_array_index (made, i - 1), NULL);

      if ((i > 1 && !mark_copied (above)) || !imitate (above, below) || !copy_times (above, below))
        return FALSE;
    }

  return TRUE;
}

static gboolean
make_overlay (const char *folder, const char *place, GPtrArray *hidden, GError **error)
{
  g_autofree char *upper = g_build_filename (place, "upper", NULL);

  if (has_mount (folder))
    return beckon_sandbox_view_refuse (folder, "something is mounted in it", error);
  return (make_layers (place) && hide_all (upper, folder, hidden, NULL, NULL))
         || beckon_sandbox_view_refuse (folder, beckon_errno_describe (errno), error);
}

static gboolean
make_copy (const char *folder, const char *place, GHashTable *hidden, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (beckon_landing_copy_make (folder, place, hidden, cancellable, &problem))
    return TRUE;
  if (!g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return beckon_sandbox_view_refuse (folder, problem->message, error);

  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

gboolean
beckon_sandbox_view_make (const char *folder, const char *place, const BeckonDeniedView *denied, GCancellable *cancellable,
                          GError **error)
{
  g_autoptr (GHashTable) paths = beckon_landing_table_new ();
  g_autoptr (GPtrArray) hidden = NULL;

  g_return_val_if_fail (folder != NULL && place != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  hidden = denied != NULL ? beckon_denied_view_list_hidden (denied, folder) : g_ptr_array_new ();
  for (guint i = 0; i < hidden->len; i++)
    g_hash_table_insert (paths, g_strdup (g_ptr_array_index (hidden, i)), NULL);

  if (g_cancellable_set_error_if_cancelled (cancellable, error)
      || !beckon_landing_table_save (paths, place, BECKON_LANDING_HIDDEN, 0, error))
    return FALSE;
  switch (beckon_sandbox_view_get (folder))
    {
    case BECKON_VIEW_OVERLAY:
      return make_overlay (folder, place, hidden, error);
    case BECKON_VIEW_COPY:
      return make_copy (folder, place, paths, cancellable, error);
    case BECKON_VIEW_DIRECT:
    default:
      return beckon_sandbox_view_refuse (folder, beckon_errno_describe (ENOTSUP), error);
    }
}

/* Files change places within one file system alone. */
static gboolean
can_commit (const BeckonGitElsewhere *git, const char *folder)
{
  struct stat one, other;
  BeckonViewKind kind;

  if (git->git == NULL || (git->index_file != NULL && git->index == NULL) || stat (git->git, &one) != 0
      || stat (folder, &other) != 0 || one.st_dev != other.st_dev)
    return FALSE;
  if (!sandbox_view_look_up (git->git, &kind))
    {
      kind = can_overlay (git->git) ? BECKON_VIEW_OVERLAY : BECKON_VIEW_DIRECT;
      beckon_sandbox_view_set (git->git, kind);
    }
  return kind == BECKON_VIEW_OVERLAY && !has_mount (git->git);
}

gboolean
beckon_sandbox_view_make_git (const BeckonGitElsewhere *git, const char *folder, const char *place, GError **error)
{
  g_autofree char *inner = NULL;
  g_autofree char *upper = NULL;
  g_autofree char *index = git->index != NULL ? g_build_filename (git->own, "index", NULL) : NULL;
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  g_return_val_if_fail (git != NULL && folder != NULL && place != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!can_commit (git, folder))
    return TRUE;
  inner = g_build_filename (place, BECKON_LANDING_ROOT_GIT, NULL);
  upper = g_build_filename (inner, "upper", NULL);
  return beckon_landing_root_bind_git (place, git->git, git->own, beckon_path_relate (folder, git->work_tree), error)
         && ((make_layers (inner) && hide_all (upper, git->git, none, index, git->index))
             || beckon_sandbox_view_refuse (git->git, beckon_errno_describe (errno), error));
}

gboolean
beckon_sandbox_view_has_git (const char *place)
{
  g_autofree char *inner = place != NULL ? g_build_filename (place, BECKON_LANDING_ROOT_GIT, NULL) : NULL;

  return inner != NULL && g_file_test (inner, G_FILE_TEST_IS_DIR);
}
