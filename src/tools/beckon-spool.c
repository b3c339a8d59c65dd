/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-spool.h"

#include "base/beckon-error.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PREFIX "output:"

typedef struct
{
  char *name;
  char *conversation_id;
  int fd;
} Kept;

struct _BeckonSpool
{
  GObject parent_instance;

  GMutex lock;
  GPtrArray *kept; /* (element-type Kept): the oldest first */
  guint next;
};

G_DEFINE_FINAL_TYPE (BeckonSpool, beckon_spool, G_TYPE_OBJECT)

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  close (kept->fd);
  g_free (kept->name);
  g_free (kept->conversation_id);
  g_free (kept);
}

static void
beckon_spool_finalize (GObject *object)
{
  BeckonSpool *self = BECKON_SPOOL (object);

  g_ptr_array_unref (self->kept);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (beckon_spool_parent_class)->finalize (object);
}

static void
beckon_spool_class_init (BeckonSpoolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_spool_finalize;
}

static void
beckon_spool_init (BeckonSpool *self)
{
  g_mutex_init (&self->lock);
  self->kept = g_ptr_array_new_with_free_func (kept_free);
}

BeckonSpool *
beckon_spool_new (void)
{
  return g_object_new (BECKON_TYPE_SPOOL, NULL);
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
beckon_spool_add (BeckonSpool *spool, const char *conversation_id, char **name)
{
  g_autoptr (GMutexLocker) locker = NULL;
  Kept *kept;
  int fd;
  int copy;

  g_return_val_if_fail (BECKON_IS_SPOOL (spool), -1);
  g_return_val_if_fail (conversation_id != NULL && name != NULL, -1);

  fd = open_nameless ();
  copy = fd >= 0 ? fcntl (fd, F_DUPFD_CLOEXEC, 0) : -1;
  if (copy < 0)
    {
      if (fd >= 0)
        close (fd);
      return -1;
    }

  locker = g_mutex_locker_new (&spool->lock);
  if (spool->kept->len >= BECKON_SPOOL_MAX_FILES)
    g_ptr_array_remove_index (spool->kept, 0);
  kept = g_new (Kept, 1);
  kept->name = g_strdup_printf (PREFIX "%u", ++spool->next);
  kept->conversation_id = g_strdup (conversation_id);
  kept->fd = fd;
  g_ptr_array_add (spool->kept, kept);
  *name = g_strdup (kept->name);
  return copy;
}

gboolean
beckon_spool_is_name (const char *path)
{
  g_return_val_if_fail (path != NULL, FALSE);

  return g_str_has_prefix (path, PREFIX);
}

int
beckon_spool_open (BeckonSpool *spool, const char *conversation_id, const char *name, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;
  int fd = -1;

  g_return_val_if_fail (BECKON_IS_SPOOL (spool), -1);
  g_return_val_if_fail (conversation_id != NULL && name != NULL, -1);

  locker = g_mutex_locker_new (&spool->lock);
  for (guint i = 0; i < spool->kept->len && fd < 0; i++)
    {
      Kept *kept = g_ptr_array_index (spool->kept, i);

      if (g_str_equal (kept->name, name) && g_str_equal (kept->conversation_id, conversation_id))
        fd = fcntl (kept->fd, F_DUPFD_CLOEXEC, 0);
    }
  if (fd < 0)
    g_set_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                 "“%.100s” is not kept any more. Run what made it again, and read it at once.", name);

  return fd;
}

void
beckon_spool_remove (BeckonSpool *spool, const char *conversation_id)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_if_fail (BECKON_IS_SPOOL (spool));
  g_return_if_fail (conversation_id != NULL);

  locker = g_mutex_locker_new (&spool->lock);
  for (guint i = spool->kept->len; i > 0; i--)
    {
      Kept *kept = g_ptr_array_index (spool->kept, i - 1);

      if (g_str_equal (kept->conversation_id, conversation_id))
        g_ptr_array_remove_index (spool->kept, i - 1);
    }
}
