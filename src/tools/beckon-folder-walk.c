/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-folder-walk.h"

#include "base/beckon-finish.h"
#include "base/beckon-ignore.h"
#include "base/beckon-text.h"
#include "base/beckon-worker.h"
#include "beckon-config.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Limits of a folder, and of depth. Beyond both there is little of use. */
#define MAX_NAMES 200000
#define MAX_DEPTH 64

/* An entry of a folder. */
typedef struct
{
  BeckonFolderEntryKind kind;
  char name[];
} Name;

typedef struct
{
  char *path;
  GPtrArray *names; /* (element-type Name): sorted */
  guint next;
  BeckonIgnore *ignore;
} Level;

struct _BeckonFolderWalk
{
  BeckonFolder *folder;
  gboolean is_deep;
  GPtrArray *levels;
  GPtrArray *above; /* (element-type BeckonIgnore): of the folders above where it begins */
  char *path;
  guint n_ignored;
  GPtrArray *ignored; /* (element-type filename): the first of them */
  guint n_unnamed;
  guint n_unread;
};

static void
level_free (gpointer data)
{
  Level *level = data;

  g_free (level->path);
  g_ptr_array_unref (level->names);
  beckon_ignore_free (level->ignore);
  g_free (level);
}

static int
folder_walk_compare_names (gconstpointer one, gconstpointer other)
{
  return strcmp ((*(const Name *const *) one)->name, (*(const Name *const *) other)->name);
}

/* File systems that do not say what an entry is are asked. */
static BeckonFolderEntryKind
find_kind (int folder, const struct dirent *entry)
{
  struct stat info;
  guint type = entry->d_type;

  if (type == DT_UNKNOWN && fstatat (folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0)
    type = IFTODT (info.st_mode);
  switch (type)
    {
    case DT_REG:
      return BECKON_FOLDER_ENTRY_FILE;
    case DT_DIR:
      return BECKON_FOLDER_ENTRY_FOLDER;
    case DT_LNK:
      return BECKON_FOLDER_ENTRY_LINK;
    default:
      return BECKON_FOLDER_ENTRY_OTHER;
    }
}

static GPtrArray *
read_names (BeckonFolderWalk *self, const char *path, GError **error)
{
  int fd = beckon_folder_open_directory (self->folder, path, error);
  DIR *directory = fd >= 0 ? fdopendir (fd) : NULL;
  GPtrArray *names;
  struct dirent *entry;

  if (directory == NULL)
    {
      if (fd >= 0)
        close (fd);
      return NULL;
    }

  names = g_ptr_array_new_with_free_func (g_free);
  while ((entry = readdir (directory)) != NULL)
    {
      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
        continue;
      if (!g_utf8_validate (entry->d_name, -1, NULL))
        self->n_unnamed++;
      else if (names->len == MAX_NAMES)
        self->n_ignored++;
      else
        {
          gsize size = strlen (entry->d_name) + 1;
          Name *name = g_malloc (sizeof (Name) + size);

          name->kind = find_kind (dirfd (directory), entry);
          memcpy (name->name, entry->d_name, size);
          g_ptr_array_add (names, name);
        }
    }
  closedir (directory);
  g_ptr_array_sort (names, folder_walk_compare_names);
  return names;
}

static BeckonIgnore *
read_ignore (BeckonFolderWalk *self, const char *path, const BeckonIgnore *above)
{
  g_autofree char *name = strcmp (path, ".") == 0 ? g_strdup (".gitignore") : g_build_filename (path, ".gitignore", NULL);
  g_autoptr (GBytes) bytes = beckon_folder_read (self->folder, name, NULL);

  return beckon_ignore_new (above, path, bytes);
}

static gboolean
enter (BeckonFolderWalk *self, const char *path, const BeckonIgnore *above, GError **error)
{
  GPtrArray *names = read_names (self, path, error);
  Level *level;

  if (names == NULL)
    return FALSE;

  level = g_new0 (Level, 1);
  level->path = g_strdup (path);
  level->names = names;
  level->ignore = read_ignore (self, path, above);
  g_ptr_array_add (self->levels, level);
  return TRUE;
}

/* Rules in the folders above count below, wherever the walk begins. */
static const BeckonIgnore *
read_above (BeckonFolderWalk *self, const char *path)
{
  g_autoptr (GString) so_far = g_string_new (NULL);
  g_auto (GStrv) names = g_strsplit (path, "/", -1);
  const BeckonIgnore *above = NULL;

  if (strcmp (path, ".") == 0)
    return NULL;
  for (guint i = 0; names[i] != NULL && i < MAX_DEPTH; i++)
    {
      above = read_ignore (self, so_far->len > 0 ? so_far->str : ".", above);
      g_ptr_array_add (self->above, (gpointer) above);
      g_string_append_printf (so_far, "%s%s", so_far->len > 0 ? "/" : "", names[i]);
    }

  return above;
}

BeckonFolderWalk *
beckon_folder_walk_new (BeckonFolder *folder, const char *path, gboolean is_deep, GError **error)
{
  g_autoptr (BeckonFolderWalk) self = NULL;

  self = g_new0 (BeckonFolderWalk, 1);
  self->folder = g_object_ref (folder);
  self->is_deep = is_deep;
  self->levels = g_ptr_array_new_with_free_func (level_free);
  self->above = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_ignore_free);
  self->ignored = g_ptr_array_new_with_free_func (g_free);
  if (!enter (self, path, read_above (self, path), error))
    return NULL;

  return g_steal_pointer (&self);
}

static gboolean
is_left_out (BeckonFolderWalk *self, Level *level, const char *name, const BeckonFolderEntry *entry)
{
  gboolean is_folder = entry->kind == BECKON_FOLDER_ENTRY_FOLDER;

  /* In a work tree of its own it is a file. */
  if (strcmp (name, ".git") == 0)
    return TRUE;
  if (!beckon_ignore_matches (level->ignore, entry->path, is_folder))
    return FALSE;

  self->n_ignored++;
  if (self->ignored->len < BECKON_FOLDER_WALK_MAX_NAMED)
    g_ptr_array_add (self->ignored, g_strconcat (entry->path, is_folder ? "/" : NULL, NULL));
  return TRUE;
}

gboolean
beckon_folder_walk_next (BeckonFolderWalk *walk, BeckonFolderEntry *entry)
{
  while (walk->levels->len > 0)
    {
      Level *level = g_ptr_array_index (walk->levels, walk->levels->len - 1);
      const Name *name;

      if (level->next >= level->names->len)
        {
          g_ptr_array_set_size (walk->levels, (int) walk->levels->len - 1);
          continue;
        }
      name = g_ptr_array_index (level->names, level->next++);
      g_free (walk->path);
      walk->path = strcmp (level->path, ".") == 0 ? g_strdup (name->name) : g_build_filename (level->path, name->name, NULL);
      *entry = (BeckonFolderEntry){ .path = walk->path, .kind = name->kind };
      if (is_left_out (walk, level, name->name, entry))
        continue;
      if (entry->kind == BECKON_FOLDER_ENTRY_FOLDER && walk->is_deep
          && (walk->levels->len == MAX_DEPTH || !enter (walk, entry->path, level->ignore, NULL)))
        walk->n_unread++;
      return TRUE;
    }

  return FALSE;
}

guint
beckon_folder_walk_get_n_ignored (BeckonFolderWalk *walk)
{
  return walk->n_ignored;
}

GPtrArray *
beckon_folder_walk_get_ignored (BeckonFolderWalk *walk)
{
  return walk->ignored;
}

guint
beckon_folder_walk_get_n_unnamed (BeckonFolderWalk *walk)
{
  return walk->n_unnamed;
}

guint
beckon_folder_walk_get_n_unread (BeckonFolderWalk *walk)
{
  return walk->n_unread;
}

void
beckon_folder_walk_free (BeckonFolderWalk *walk)
{
  if (walk == NULL)
    return;

  g_ptr_array_unref (walk->levels);
  g_ptr_array_unref (walk->above);
  g_ptr_array_unref (walk->ignored);
  g_object_unref (walk->folder);
  g_free (walk->path);
  g_free (walk);
}

#define MOST_VISITED 100000
#define MOST_TIME (2 * G_TIME_SPAN_SECOND)

static void
list_in_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (BeckonFolder) folder = beckon_folder_new (data, &error);
  g_autoptr (BeckonFolderWalk) walk = folder != NULL ? beckon_folder_walk_new (folder, ".", TRUE, &error) : NULL;

  if (walk == NULL)
    g_task_return_error (task, error);
  else
    {
      GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
      gint64 end = g_get_monotonic_time () + MOST_TIME;
      BeckonFolderEntry entry;

      for (guint i = 0; i < MOST_VISITED && names->len < BECKON_FOLDER_NAMES_MOST; i++)
        {
          if (g_cancellable_is_cancelled (cancellable) || g_get_monotonic_time () > end
              || !beckon_folder_walk_next (walk, &entry))
            break;
          /* Misleading names are not offered: they could not be read before they are chosen. */
          if (entry.kind == BECKON_FOLDER_ENTRY_FILE && !beckon_text_has_hidden (entry.path, -1))
            g_ptr_array_add (names, g_strdup (entry.path));
        }
      g_task_return_pointer (task, names, (GDestroyNotify) g_ptr_array_unref);
    }
}

void
beckon_folder_names_list_async (const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (folder != NULL);

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_folder_names_list_async);
  g_task_set_task_data (task, g_strdup (folder), g_free);
  beckon_worker_run_for_person (task, list_in_thread);
}

BECKON_FINISH_LONE_POINTER (GPtrArray *, beckon_folder_names_list)
