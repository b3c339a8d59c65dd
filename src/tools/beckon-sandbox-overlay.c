/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-sandbox-overlay.h"

#include "base/beckon-error.h"
#include "beckon-launch.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <linux/openat2.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRIAL_NAME ".beckon-trial"

/* The three folders of the mount. A descriptor belongs to the mount namespace in which it was opened, and the kernel takes none
 * of another: each is opened here, to have its number and to fail early, and again under that number in the new process. */
typedef struct
{
  char *path;
  int fd;
  guint64 resolve;
} Layer;

enum
{
  LOWER,
  UPPER,
  WORK,
  N_LAYERS
};

struct _BeckonSandboxOverlay
{
  Layer layers[N_LAYERS];
  int view; /* borrowed: a reserved number; -1 for none */
  unsigned long flags;
  char *options;
  char target[32];
  char user_map[64];
  char group_map[64];
  gsize user_map_length;
  gsize group_map_length;

  /* The outcome, written by the new process. */
  gboolean knows_all;
  int problem;
};

/* A command that has a folder around the working folder could put a link in its place, to anywhere. The landing place is out of
 * every command's reach, and the home may be behind a link. */
static int
open_folder (const char *path, guint64 resolve)
{
  struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, .resolve = resolve };

  return (int) syscall (SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

static unsigned long
get_flags (const char *folder)
{
  unsigned long flags = MS_NOSUID | MS_NODEV;
  struct statvfs info;

  if (statvfs (folder, &info) == 0 && (info.f_flag & ST_NOEXEC) != 0)
    flags |= MS_NOEXEC;
  return flags;
}

BeckonSandboxOverlay *
beckon_sandbox_overlay_new (const char *folder, const char *place, GError **error)
{
  g_autoptr (BeckonSandboxOverlay) self = g_new0 (BeckonSandboxOverlay, 1);

  g_return_val_if_fail (folder != NULL && place != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self->layers[LOWER] = (Layer) { g_strdup (folder), -1, RESOLVE_NO_SYMLINKS };
  self->layers[UPPER] = (Layer) { g_build_filename (place, "upper", NULL), -1, 0 };
  self->layers[WORK] = (Layer) { g_build_filename (place, "work", NULL), -1, 0 };
  self->view = -1;
  for (guint i = 0; i < N_LAYERS; i++)
    {
      self->layers[i].fd = open_folder (self->layers[i].path, self->layers[i].resolve);
      if (self->layers[i].fd >= 0)
        continue;
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("“%s” can't be opened: %s"), self->layers[i].path,
                   g_strerror (errno));
      return NULL;
    }

  self->flags = get_flags (folder);
  self->options
      = g_strdup_printf ("lowerdir=/proc/self/fd/%d,upperdir=/proc/self/fd/%d,workdir=/proc/self/fd/%d,index=off,userxattr",
                         self->layers[LOWER].fd, self->layers[UPPER].fd, self->layers[WORK].fd);
  g_snprintf (self->target, sizeof self->target, "/proc/self/fd/%d", self->layers[LOWER].fd);
  self->user_map_length = (gsize) g_snprintf (self->user_map, sizeof self->user_map, "%u %u 1", geteuid (), geteuid ());
  self->group_map_length = (gsize) g_snprintf (self->group_map, sizeof self->group_map, "%u %u 1", getegid (), getegid ());
  return g_steal_pointer (&self);
}

int
beckon_sandbox_overlay_reserve (BeckonSandboxOverlay *overlay)
{
  g_return_val_if_fail (overlay != NULL && overlay->view < 0, -1);

  overlay->view = fcntl (overlay->layers[LOWER].fd, F_DUPFD_CLOEXEC, 0);
  return overlay->view;
}

static gboolean
write_file (const char *path, const char *text, gsize length)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  gboolean is_written = fd >= 0 && write (fd, text, length) == (gssize) length;

  if (fd >= 0)
    close (fd);
  return is_written;
}

/* The administrator stays in the user namespace that knows all users, unless the system refuses that. Everybody else needs one
 * of their own to mount anything. */
static gboolean
enter (BeckonSandboxOverlay *self)
{
  self->knows_all = geteuid () == 0 && unshare (CLONE_NEWNS) == 0;
  if (self->knows_all)
    return TRUE;

  return unshare (CLONE_NEWUSER | CLONE_NEWNS) == 0 && write_file ("/proc/self/setgroups", "deny", strlen ("deny"))
         && write_file ("/proc/self/uid_map", self->user_map, self->user_map_length)
         && write_file ("/proc/self/gid_map", self->group_map, self->group_map_length);
}

static gboolean
open_as (const Layer *layer, int number, int flags)
{
  int fd = open_folder (layer->path, layer->resolve);
  gboolean is_open = fd >= 0 && dup3 (fd, number, flags) == number;

  if (fd >= 0)
    close (fd);
  return is_open;
}

/* The mount that is opened last lies above: under the folder's own path there is the view now. */
gboolean
beckon_sandbox_overlay_mount (BeckonSandboxOverlay *overlay)
{
  const Layer *lower = &overlay->layers[LOWER];
  gboolean is_ready = enter (overlay) && mount (NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0;

  for (guint i = 0; is_ready && i < N_LAYERS; i++)
    is_ready = open_as (&overlay->layers[i], overlay->layers[i].fd, O_CLOEXEC);
  is_ready = is_ready && mount ("overlay", overlay->target, "overlay", overlay->flags, overlay->options) == 0
             && (overlay->view < 0 || open_as (lower, overlay->view, 0));
  overlay->problem = is_ready ? 0 : errno;
  return is_ready;
}

int
beckon_sandbox_overlay_get_problem (const BeckonSandboxOverlay *overlay)
{
  g_return_val_if_fail (overlay != NULL, 0);

  return overlay->problem;
}

/* The mount is there and read-only if the upper layer lacks something. */
static gboolean
try_and_end (gpointer data)
{
  BeckonSandboxOverlay *overlay = data;
  int view;

  if (!beckon_sandbox_overlay_mount (overlay))
    return FALSE;
  view = open_folder (overlay->layers[LOWER].path, RESOLVE_NO_SYMLINKS);
  if (view < 0 || (mkdirat (view, TRIAL_NAME, 0700) != 0 && errno == EROFS))
    return FALSE;
  _exit (0);
}

gboolean
beckon_sandbox_overlay_try (const char *folder, const char *place, gboolean *knows_all)
{
  static const char *const argv[] = { "/proc/self/exe", NULL };
  g_autoptr (BeckonSandboxOverlay) overlay = beckon_sandbox_overlay_new (folder, place, NULL);
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (int));
  int nothing = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  BeckonLaunch launch = { argv, none, nothing, try_and_end, overlay };
  g_autoptr (GError) error = NULL;
  int pid = overlay != NULL && nothing >= 0 ? beckon_launch (&launch, &error) : 0;

  if (pid > 0)
    waitpid (pid, NULL, 0);
  *knows_all = pid > 0 && overlay->knows_all;
  if (nothing >= 0)
    close (nothing);
  if (error != NULL)
    g_debug ("there is no overlay of %s: %s", folder, error->message);
  return pid > 0;
}

void
beckon_sandbox_overlay_free (BeckonSandboxOverlay *overlay)
{
  if (overlay == NULL)
    return;

  for (guint i = 0; i < N_LAYERS; i++)
    {
      if (overlay->layers[i].path != NULL && overlay->layers[i].fd >= 0)
        close (overlay->layers[i].fd);
      g_free (overlay->layers[i].path);
    }
  g_free (overlay->options);
  g_free (overlay);
}
