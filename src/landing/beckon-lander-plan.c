/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "base/beckon-english.h"
#include "base/beckon-error.h"
#include "beckon-lander.h"
#include "beckon-landing-content.h"
#include "beckon-landing-root.h"
#include "beckon-landing-tree-copy.h"
#include "beckon-landing-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Files of which only some hunks are kept are made here, by the number of their change. */
#define MERGED "merged"

typedef struct
{
  BeckonLanding *landing;
  BeckonLandingRoot root;
  int layer;
  int merged;
} Plan;

/* -1 if it is not the file that the survey saw. @is_ours: as the command left it. */
static int
plan_open (Plan *plan, const BeckonFileChange *change, gboolean is_ours)
{
  const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY;
  g_auto (BeckonFd) fd = is_ours ? beckon_landing_tree_open (plan->layer, change->path, flags)
                                 : beckon_landing_root_open_at (&plan->root, change->path, flags);
  struct stat info;
  int seen = fd;

  if (fd < 0 || fstat (fd, &info) != 0 || info.st_ino != (is_ours ? change->after_inode : change->before_inode)
      || (!is_ours && beckon_landing_tree_get_ctime (&info) != change->before_changed_at))
    return -1;
  fd = -1;
  return seen;
}

/* Properties that the text does not tell come from the command's version, @from, as well. A file can't be given to a group that
 * its owner is not in. */
static gboolean
write_merged (Plan *plan, BeckonFileChange *change, guint number, int from, const char *text)
{
  g_autofree char *name = g_strdup_printf ("%u", number);
  g_auto (BeckonFd) fd = openat (plan->merged, name, O_CREAT | O_TRUNC | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
  struct stat info;

  if (fd < 0 || !beckon_landing_tree_write (fd, text, strlen (text)) || fsync (fd) != 0 || fstat (from, &info) != 0)
    return FALSE;
  if (fchown (fd, (uid_t) -1, info.st_gid) != 0)
    errno = 0;
  if (fchmod (fd, change->mode_after) != 0 || fstat (fd, &info) != 0)
    return FALSE;
  beckon_landing_attributes_copy (from, fd, FALSE);
  change->after_inode = info.st_ino;
  change->size = (guint64) info.st_size;
  g_free (change->after_hash);
  change->after_hash = beckon_landing_content_hash (fd, NULL);
  return TRUE;
}

static gboolean
lander_plan_merge (Plan *plan, BeckonFileChange *change, guint number, GError **error)
{
  g_auto (BeckonFd) theirs = plan_open (plan, change, FALSE);
  g_auto (BeckonFd) ours = plan_open (plan, change, TRUE);
  g_autofree char *before = theirs >= 0 ? beckon_landing_content_read_text (theirs) : NULL;
  g_autofree char *after = ours >= 0 ? beckon_landing_content_read_text (ours) : NULL;
  g_autofree char *text = NULL;

  if (before == NULL || after == NULL)
    {
      change->fate = BECKON_FILE_CONFLICT;
      return TRUE;
    }

  text = beckon_landing_content_merge (before, after, change->kept_hunks);
  return write_merged (plan, change, number, ours, text) || beckon_landing_tree_refuse (plan->landing->place, error);
}

static gboolean
needs_merging (const BeckonFileChange *change)
{
  return change->fate == BECKON_FILE_KEPT && change->kept_hunks != NULL && change->kind == BECKON_FILE_CHANGED
         && change->type == BECKON_FILE_REGULAR;
}

static gboolean
merge_all (Plan *plan, GError **error)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (plan->landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (plan->landing->changes, i);

      if (needs_merging (change) && !lander_plan_merge (plan, change, i, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
beckon_lander_plan (BeckonLanding *landing, GError **error)
{
  g_auto (BeckonFd) place = -1;
  g_auto (BeckonLandingRoot) root = BECKON_LANDING_ROOT_INIT;
  g_auto (BeckonFd) merged = -1;
  g_auto (BeckonFd) layer = -1;
  gboolean is_any = FALSE, is_planned = FALSE;
  locale_t before;

  g_return_val_if_fail (landing != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    is_any = is_any || needs_merging (beckon_change_set_get (landing->changes, i));
  if (!is_any)
    return TRUE;

  before = beckon_english_begin ();
  place = open (landing->place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (place < 0 || (mkdirat (place, MERGED, 0700) != 0 && errno != EEXIST))
    beckon_landing_tree_refuse (landing->place, error);
  else if (!beckon_landing_root_open (&root, landing->folder, place, error))
    is_planned = FALSE;
  else if ((merged = beckon_landing_tree_open (place, MERGED, O_RDONLY | O_DIRECTORY)) < 0
           || (layer = beckon_landing_tree_open (place, "upper", O_RDONLY | O_DIRECTORY)) < 0)
    beckon_landing_tree_refuse (landing->folder, error);
  else
    is_planned = merge_all (&(Plan){ landing, root, layer, merged }, error);
  beckon_english_end (before);
  return is_planned;
}
