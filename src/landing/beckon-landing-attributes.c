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

/* All that @one has, @other has as well. */
static gboolean
has_all (int one, int other, const char *names, gssize length)
{
  g_autofree char *values = g_malloc (2 * XATTR_SIZE_MAX);

  for (gssize at = 0; at < length; at += (gssize) strlen (names + at) + 1)
    {
      gssize size, other_size;

      if (!counts (names + at))
        continue;
      size = fgetxattr (one, names + at, values, XATTR_SIZE_MAX);
      other_size = fgetxattr (other, names + at, values + XATTR_SIZE_MAX, XATTR_SIZE_MAX);
      if (size >= 0 && (other_size != size || memcmp (values, values + XATTR_SIZE_MAX, (gsize) size) != 0))
        return FALSE;
    }
  return TRUE;
}

/* Either of the two file systems may know none. */
gboolean
beckon_landing_attributes_are_same (int one, int other)
{
  g_autofree char *names = g_malloc (2 * XATTR_LIST_MAX);
  gssize n_one = flistxattr (one, names, XATTR_LIST_MAX);
  gssize n_other = flistxattr (other, names + XATTR_LIST_MAX, XATTR_LIST_MAX);

  if (n_one < 0 || n_other < 0)
    return TRUE;

  return has_all (one, other, names, n_one) && has_all (other, one, names + XATTR_LIST_MAX, n_other);
}
