/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-landing-attributes.h"

#include "beckon-landing-tree.h"

#include <errno.h>
#include <limits.h>
#include <linux/limits.h>
#include <string.h>
#include <sys/xattr.h>

void
beckon_landing_attributes_copy (int from, int to, gboolean with_overlay)
{
  const int saved_errno = errno;
  g_autofree char *names = g_malloc (XATTR_LIST_MAX);
  g_autofree char *value = g_malloc (XATTR_SIZE_MAX);
  gssize length = flistxattr (from, names, XATTR_LIST_MAX);

  for (gssize at = 0; at < length; at += (gssize) strlen (names + at) + 1)
    {
      gssize size = !with_overlay && g_str_has_prefix (names + at, BECKON_LANDING_TREE_OVERLAY)
                        ? -1
                        : fgetxattr (from, names + at, value, XATTR_SIZE_MAX);

      if (size >= 0)
        fsetxattr (to, names + at, value, (gsize) size, 0);
    }
  errno = saved_errno;
}

static gboolean
counts (const char *name)
{
  return (g_str_has_prefix (name, "user.") && !g_str_has_prefix (name, BECKON_LANDING_TREE_OVERLAY))
         || g_str_has_prefix (name, "system.posix_acl_");
}

/* Adds the names of what @one has, and @other has not or has otherwise. @only_missing: not the latter. */
static void
list_changed (int one, int other, const char *names, gssize length, gboolean only_missing, GString *changed)
{
  g_autofree char *values = g_malloc (2 * XATTR_SIZE_MAX);

  for (gssize at = 0; at < length; at += (gssize) strlen (names + at) + 1)
    {
      gssize size, other_size;

      if (!counts (names + at))
        continue;
      size = fgetxattr (one, names + at, values, XATTR_SIZE_MAX);
      other_size = fgetxattr (other, names + at, values + XATTR_SIZE_MAX, XATTR_SIZE_MAX);
      if (size < 0 || (only_missing && other_size >= 0)
          || (other_size == size && memcmp (values, values + XATTR_SIZE_MAX, (gsize) size) == 0))
        continue;
      g_string_append_printf (changed, "%s%s", changed->len > 0 ? ", " : "", names + at);
    }
}

/* Either of the two file systems may know none. */
char *
beckon_landing_attributes_dup_changed (int before, int after)
{
  g_autofree char *names = g_malloc (2 * XATTR_LIST_MAX);
  gssize n_before = flistxattr (before, names, XATTR_LIST_MAX);
  gssize n_after = flistxattr (after, names + XATTR_LIST_MAX, XATTR_LIST_MAX);
  g_autoptr (GString) changed = g_string_new (NULL);

  if (n_before < 0 || n_after < 0)
    return NULL;

  list_changed (after, before, names + XATTR_LIST_MAX, n_after, FALSE, changed);
  list_changed (before, after, names, n_before, TRUE, changed);
  return changed->len > 0 ? g_string_free (g_steal_pointer (&changed), FALSE) : NULL;
}
