/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-output-store.h"

#include "base/beckon-error.h"
#include "beckon-temporary-folders.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "output:"
#define MAX_NUMBER 1000000

typedef struct
{
  char *name;
  char *conversation_id;
  int fd;
  gboolean is_growing;
  char *end; /* (nullable) */
} Kept;

struct _BeckonOutputStore
{
  GObject parent_instance;

  GMutex lock;
  GPtrArray *kept; /* (element-type Kept): the oldest first */
  guint next;
  BeckonTemporaryFolders *temporary; /* (owned) */
};

G_DEFINE_FINAL_TYPE (BeckonOutputStore, beckon_output_store, G_TYPE_OBJECT)

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  close (kept->fd);
  g_free (kept->name);
  g_free (kept->conversation_id);
  g_free (kept->end);
  g_free (kept);
}

static void
beckon_output_store_finalize (GObject *object)
{
  BeckonOutputStore *self = BECKON_OUTPUT_STORE (object);

  g_ptr_array_unref (self->kept);
  beckon_temporary_folders_free (self->temporary);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (beckon_output_store_parent_class)->finalize (object);
}

static void
beckon_output_store_class_init (BeckonOutputStoreClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_output_store_finalize;
}

static void
beckon_output_store_init (BeckonOutputStore *self)
{
  g_mutex_init (&self->lock);
  self->kept = g_ptr_array_new_with_free_func (kept_free);
  self->temporary = beckon_temporary_folders_new ();
}

BeckonOutputStore *
beckon_output_store_new (void)
{
  return g_object_new (BECKON_TYPE_OUTPUT_STORE, NULL);
}

/* Not in /tmp, which is memory on many computers. Not every file system knows files without a name; there it loses the
 * name at once. */
static int
open_nameless (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "beckon", NULL);
  g_autofree char *pattern = g_build_filename (folder, "output-XXXXXX", NULL);
  int fd;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return -1;

  fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    return fd;
  fd = mkostemp (pattern, O_CLOEXEC);
  if (fd >= 0)
    g_unlink (pattern);

  return fd;
}

int
beckon_output_store_add (BeckonOutputStore *outputs, const char *conversation_id, guint after, char **name)
{
  g_autoptr (GMutexLocker) locker = NULL;
  Kept *kept;
  int fd;
  int copy;

  g_return_val_if_fail (BECKON_IS_OUTPUT_STORE (outputs), -1);
  g_return_val_if_fail (conversation_id != NULL && name != NULL, -1);

  fd = open_nameless ();
  copy = fd >= 0 ? fcntl (fd, F_DUPFD_CLOEXEC, 0) : -1;
  if (copy < 0)
    {
      if (fd >= 0)
        close (fd);
      return -1;
    }

  locker = g_mutex_locker_new (&outputs->lock);
  for (guint i = 0; outputs->kept->len >= BECKON_OUTPUT_STORE_MAX_FILES && i < outputs->kept->len; i++)
    if (!((Kept *) g_ptr_array_index (outputs->kept, i))->is_growing)
      g_ptr_array_remove_index (outputs->kept, i--);
  kept = g_new0 (Kept, 1);
  outputs->next = MAX (outputs->next, after) + 1;
  kept->name = g_strdup_printf (PREFIX "%u", outputs->next);
  kept->conversation_id = g_strdup (conversation_id);
  kept->fd = fd;
  g_ptr_array_add (outputs->kept, kept);
  *name = g_strdup (kept->name);
  return copy;
}

void
beckon_output_store_set_end (BeckonOutputStore *outputs, const char *name, const char *end)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_if_fail (BECKON_IS_OUTPUT_STORE (outputs));
  g_return_if_fail (name != NULL);

  locker = g_mutex_locker_new (&outputs->lock);
  for (guint i = 0; i < outputs->kept->len; i++)
    {
      Kept *kept = g_ptr_array_index (outputs->kept, i);

      if (!g_str_equal (kept->name, name))
        continue;
      kept->is_growing = end == NULL;
      g_free (kept->end);
      kept->end = g_strdup (end);
    }
}

char *
beckon_output_store_dup_end (BeckonOutputStore *outputs, const char *conversation_id, const char *name)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (BECKON_IS_OUTPUT_STORE (outputs), NULL);
  g_return_val_if_fail (conversation_id != NULL && name != NULL, NULL);

  locker = g_mutex_locker_new (&outputs->lock);
  for (guint i = 0; i < outputs->kept->len; i++)
    {
      const Kept *kept = g_ptr_array_index (outputs->kept, i);

      if (g_str_equal (kept->name, name) && g_str_equal (kept->conversation_id, conversation_id))
        return g_strdup (kept->is_growing ? "[It goes on: there may be more later.]" : kept->end);
    }
  return NULL;
}

guint
beckon_output_store_find_last (const char *text)
{
  guint last = 0;

  g_return_val_if_fail (text != NULL, 0);

  for (const char *at = strstr (text, PREFIX); at != NULL; at = strstr (at + strlen (PREFIX), PREFIX))
    {
      guint64 number = g_ascii_strtoull (at + strlen (PREFIX), NULL, 10);

      /* Files may hold anything. */
      if (number <= MAX_NUMBER)
        last = MAX (last, (guint) number);
    }
  return last;
}

gboolean
beckon_output_store_is_name (const char *path)
{
  return g_str_has_prefix (path, PREFIX) && path[strlen (PREFIX) + strspn (path + strlen (PREFIX), "0123456789")] == '\0';
}

int
beckon_output_store_open (BeckonOutputStore *outputs, const char *conversation_id, const char *name, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;
  int fd = -1;

  g_return_val_if_fail (BECKON_IS_OUTPUT_STORE (outputs), -1);
  g_return_val_if_fail (conversation_id != NULL && name != NULL, -1);

  locker = g_mutex_locker_new (&outputs->lock);
  for (guint i = 0; i < outputs->kept->len && fd < 0; i++)
    {
      Kept *kept = g_ptr_array_index (outputs->kept, i);

      if (g_str_equal (kept->name, name) && g_str_equal (kept->conversation_id, conversation_id))
        fd = fcntl (kept->fd, F_DUPFD_CLOEXEC, 0);
    }
  if (fd < 0)
    g_set_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                 "“%.100s” is not kept any more. Run what made it again, and read it at once.", name);

  return fd;
}

char *
beckon_output_store_get_temporary (BeckonOutputStore *outputs, const char *conversation_id)
{
  g_return_val_if_fail (BECKON_IS_OUTPUT_STORE (outputs), NULL);
  g_return_val_if_fail (conversation_id != NULL, NULL);

  return beckon_temporary_folders_get (outputs->temporary, conversation_id);
}

void
beckon_output_store_remove (BeckonOutputStore *outputs, const char *conversation_id)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_if_fail (BECKON_IS_OUTPUT_STORE (outputs));
  g_return_if_fail (conversation_id != NULL);

  beckon_temporary_folders_remove (outputs->temporary, conversation_id);
  locker = g_mutex_locker_new (&outputs->lock);
  for (guint i = outputs->kept->len; i > 0; i--)
    {
      Kept *kept = g_ptr_array_index (outputs->kept, i - 1);

      if (g_str_equal (kept->conversation_id, conversation_id))
        g_ptr_array_remove_index (outputs->kept, i - 1);
    }
}
