/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-temporary-folders.h"

#include "base/beckon-worker.h"
#include "landing/beckon-landing-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define PREFIX "temporary-"

/* A folder of the program's holds those of its conversations, and is locked as long as the program runs. */
struct _BeckonTemporaryFolders
{
  GMutex lock;
  char *path;       /* (owned) (nullable): once it was made */
  int fd;           /* of it; -1 */
  GHashTable *names; /* (element-type utf8 utf8): by the ids of conversations */
  guint next;
};

BeckonTemporaryFolders *
beckon_temporary_folders_new (void)
{
  BeckonTemporaryFolders *self = g_new0 (BeckonTemporaryFolders, 1);

  g_mutex_init (&self->lock);
  self->fd = -1;
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
beckon_temporary_folders_free (BeckonTemporaryFolders *self)
{
  if (self->path != NULL)
    {
      g_autofree char *name = g_path_get_basename (self->path);
      g_autofree char *parent = g_path_get_dirname (self->path);
      g_auto (BeckonFd) folder = open (parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

      if (folder >= 0)
        beckon_landing_tree_remove (folder, name, NULL);
    }
  if (self->fd >= 0)
    close (self->fd);
  g_hash_table_unref (self->names);
  g_free (self->path);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Those of programs that were killed. */
static void
folders_sweep (const char *parent)
{
  g_auto (BeckonFd) folder = open (parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (BeckonEntries) entries = folder >= 0 ? beckon_landing_tree_list (folder, ".", FALSE) : NULL;
  const char *name;

  while ((name = beckon_landing_tree_next (entries)) != NULL)
    {
      g_auto (BeckonFd) fd
        = g_str_has_prefix (name, PREFIX) ? openat (folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;

      if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0)
        beckon_landing_tree_remove (folder, name, NULL);
    }
}

/* Between its making and its lock another program may take it for one that was left: then the next one is made. */
static gboolean
folders_make (BeckonTemporaryFolders *self)
{
  g_autofree char *parent = g_build_filename (g_get_user_cache_dir (), "beckon", NULL);

  if (g_mkdir_with_parents (parent, 0700) != 0)
    return FALSE;
  folders_sweep (parent);
  for (guint i = 0; i < 8; i++)
    {
      g_autofree char *path = g_build_filename (parent, PREFIX "XXXXXX", NULL);
      g_auto (BeckonFd) fd = g_mkdtemp (path) != NULL ? open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;

      if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0 && g_access (path, F_OK) == 0)
        {
          self->path = g_steal_pointer (&path);
          self->fd = fd;
          fd = -1;
          return TRUE;
        }
    }
  return FALSE;
}

char *
beckon_temporary_folders_get (BeckonTemporaryFolders *self, const char *conversation_id)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  const char *name = g_hash_table_lookup (self->names, conversation_id);
  g_autofree char *path = NULL;
  g_autofree char *home = NULL;

  if (name == NULL && (self->path != NULL || folders_make (self)))
    {
      char *made = g_strdup_printf ("%u", self->next++);

      g_hash_table_insert (self->names, g_strdup (conversation_id), made);
      name = made;
    }
  path = name != NULL ? g_build_filename (self->path, name, NULL) : NULL;
  home = path != NULL ? g_build_filename (path, "home", NULL) : NULL;
  return home != NULL && g_mkdir_with_parents (home, 0700) == 0 ? g_steal_pointer (&path) : NULL;
}

typedef struct
{
  int folder;
  char *name;
} Removal;

static void
removal_free (gpointer data)
{
  Removal *removal = data;

  close (removal->folder);
  g_free (removal->name);
  g_free (removal);
}

static void
remove_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Removal *removal = task_data;

  beckon_landing_tree_remove (removal->folder, removal->name, NULL);
  g_task_return_boolean (task, TRUE);
}

void
beckon_temporary_folders_remove (BeckonTemporaryFolders *self, const char *conversation_id)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  g_autofree char *id = NULL;
  g_autoptr (GTask) task = NULL;
  Removal *removal;
  char *name;

  if (!g_hash_table_steal_extended (self->names, conversation_id, (gpointer *) &id, (gpointer *) &name))
    return;
  removal = g_new (Removal, 1);
  *removal = (Removal){ fcntl (self->fd, F_DUPFD_CLOEXEC, 0), name };
  task = g_task_new (NULL, NULL, NULL, NULL);
  g_task_set_source_tag (task, beckon_temporary_folders_remove);
  g_task_set_task_data (task, removal, removal_free);
  beckon_worker_run (task, remove_on_thread);
}
