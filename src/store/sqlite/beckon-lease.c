/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A lease is alive while its file is locked. The file is locked under another name and gets its own only then, so that
 * it is never found unlocked while its owner lives; and a file whose lock can be taken is for ever dead, because names are
 * not used twice. That is why any process that finds a dead file may remove it.
 */

#include "beckon-config.h"

#include "beckon-lease.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "base/beckon-text-printf.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define SUFFIX ".lock"

struct _BeckonLease
{
  char *folder; /* (owned) */
  char *token;  /* (owned) */
  char *path;   /* (owned) */
  int fd;
};

static char *
build_path (const char *folder, const char *token)
{
  g_autofree char *name = g_strconcat (token, SUFFIX, NULL);

  return g_build_filename (folder, name, NULL);
}

static gboolean
make_file (BeckonLease *self)
{
  g_autofree char *unlocked = g_strconcat (self->path, ".new", NULL);

  self->fd = g_open (unlocked, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (self->fd < 0)
    return FALSE;

  if (flock (self->fd, LOCK_EX | LOCK_NB) == 0 && g_rename (unlocked, self->path) == 0)
    return TRUE;

  g_unlink (unlocked);

  return FALSE;
}

BeckonLease *
beckon_lease_new_without_file (const char *directory)
{
  BeckonLease *self = g_new0 (BeckonLease, 1);

  self->folder = g_build_filename (directory, "leases", NULL);
  self->token = beckon_id_new ();
  self->path = build_path (self->folder, self->token);
  self->fd = -1;

  return self;
}

BeckonLease *
beckon_lease_acquire (const char *directory, GError **error)
{
  BeckonLease *self = beckon_lease_new_without_file (directory);

  if ((g_mkdir (self->folder, 0700) == 0 || errno == EEXIST) && make_file (self))
    return self;

  beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_STORE, _("The folder of the history cannot be written (%s)."),
                         g_strerror (errno));
  beckon_lease_release (self);

  return NULL;
}

void
beckon_lease_release (BeckonLease *self)
{
  if (self->fd >= 0)
    {
      g_unlink (self->path);
      close (self->fd);
    }
  g_free (self->folder);
  g_free (self->token);
  g_free (self->path);
  g_free (self);
}

const char *
beckon_lease_get_token (BeckonLease *self)
{
  return self->token;
}

static gboolean
lease_look (const char *path, gboolean remove_dead)
{
  gboolean alive;
  int fd = g_open (path, O_RDWR | O_CLOEXEC, 0);

  if (fd < 0)
    return errno != ENOENT;

  /* Shared, so that two who look at the same moment do not take each other for the owner. */
  alive = flock (fd, LOCK_SH | LOCK_NB) != 0;
  if (!alive && remove_dead)
    g_unlink (path);
  close (fd);

  return alive;
}

gboolean
beckon_lease_is_held (BeckonLease *self, const char *token)
{
  g_autofree char *path = NULL;

  if (token == NULL || g_str_equal (token, self->token))
    return FALSE;

  /* The word comes from a file that others write; it must not lead out of the folder. */
  if (!beckon_id_is_valid (token))
    return FALSE;

  path = build_path (self->folder, token);

  return lease_look (path, TRUE);
}

static void
look_at_others (BeckonLease *self, gboolean remove_dead, guint *n_alive, guint *n_dead)
{
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  const char *name;

  *n_alive = 0;
  *n_dead = 0;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);

      if (!g_str_has_suffix (name, SUFFIX) || strcmp (path, self->path) == 0)
        continue;
      if (lease_look (path, remove_dead))
        (*n_alive)++;
      else
        (*n_dead)++;
    }
}

void
beckon_lease_count_others (BeckonLease *self, guint *n_alive, guint *n_dead)
{
  look_at_others (self, FALSE, n_alive, n_dead);
}

void
beckon_lease_sweep (BeckonLease *self)
{
  guint n_alive, n_dead;

  look_at_others (self, TRUE, &n_alive, &n_dead);
}
