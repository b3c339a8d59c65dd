/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-lander-private.h"
#include "beckon-landing-content.h"
#include "beckon-landing-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* "" for what is not there; NULL for what is no text. */
static char *
read_text (int root, const char *path, gboolean is_ours)
{
  const char *name;
  int parent = beckon_landing_tree_open_parent (root, path, &name);
  char *text = NULL;
  struct stat info;
  int fd;

  if (parent < 0)
    return errno == ENOENT || errno == ENOTDIR ? g_strdup ("") : NULL;

  if (!beckon_landing_tree_look (parent, name, &info))
    text = g_strdup ("");
  else if (S_ISREG (info.st_mode))
    {
      fd = is_ours ? beckon_landing_tree_open_ours (parent, name, O_RDONLY)
                   : openat (parent, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
      text = fd >= 0 ? beckon_landing_content_read_text (fd) : NULL;
      if (fd >= 0)
        close (fd);
    }
  close (parent);
  return text;
}

/* The survey's difference and the command's version tell how the file was when the command had ended. */
static char *
find_theirs (BeckonLander *self, const BeckonFileChange *change, gsize left)
{
  const char *was_at = change->from != NULL && !beckon_file_change_was_there (change) ? change->from : change->path;
  g_autofree char *ours
      = change->kind == BECKON_FILE_DELETED ? g_strdup ("") : read_text (self->layer, change->path, TRUE);
  g_autofree char *before
      = ours != NULL ? beckon_landing_content_unapply (change->diff, ours, change->before_hash) : NULL;
  g_autofree char *now = before != NULL ? read_text (self->folder, was_at, FALSE) : NULL;

  return now != NULL && strcmp (now, before) != 0 ? beckon_landing_content_compare (before, now, left) : NULL;
}

void
beckon_lander_show_conflicts (BeckonLander *self)
{
  BeckonChangeSet *changes = self->landing->changes;
  gsize left = BECKON_CHANGE_SET_MAX_DIFFS;

  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (changes, i);

      if (change->diff != NULL)
        left -= MIN (left, strlen (change->diff));
    }
  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (changes, i);

      if (change->fate != BECKON_FILE_CONFLICT || change->diff == NULL || change->theirs != NULL)
        continue;
      change->theirs = find_theirs (self, change, MIN (left, BECKON_CHANGE_SET_MAX_DIFF));
      if (change->theirs != NULL)
        left -= strlen (change->theirs);
    }
}
