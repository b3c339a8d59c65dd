/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-line-diff.h"
#include "beckon-lander-private.h"
#include "beckon-landing-content.h"
#include "beckon-landing-tree.h"

#include <errno.h>
#include <string.h>

/* "" for what is not there; NULL for what is no text. */
static char *
read_text (int root, const char *path, gboolean is_ours)
{
  g_auto (BeckonFd) fd = beckon_landing_tree_open_file (root, path, is_ours);
  struct stat info;

  if (fd < 0)
    return errno == ENOENT || errno == ENOTDIR ? g_strdup ("") : NULL;

  return fstat (fd, &info) == 0 && S_ISREG (info.st_mode) ? beckon_landing_content_read_text (fd) : NULL;
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
  g_autoptr (BeckonLineDiff) lines = now != NULL && strcmp (now, before) != 0 ? beckon_line_diff_new (before, now) : NULL;
  g_autofree char *diff
      = lines != NULL ? beckon_line_diff_to_unified (lines, BECKON_LANDING_CONTENT_CONTEXT_LINES) : NULL;

  return diff != NULL && strlen (diff) <= left ? g_steal_pointer (&diff) : NULL;
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
