/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-sandbox-etc.h"

#include "beckon-sandbox.h"
#include "beckon-etc-links.h"
#include "beckon-etc-lists.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static GMutex lock;

/* The programs' links in /etc, those that are not public, and a description of where they were looked for: as they were
 * last. */
static GPtrArray *links;
static GPtrArray *hidden;
static char *looked_at;

static void
sandbox_etc_add_text (GString *arguments, GArray *fds, const char *path, const char *text)
{
  const gssize length = (gssize) strlen (text);
  int fd = memfd_create ("beckon-text", MFD_CLOEXEC);

  if (fd < 0)
    return;
  if (pwrite (fd, text, (gsize) length, 0) == length)
    beckon_bwrap_add_file (arguments, fds, fd, path);
  else
    close (fd);
}

static void
sandbox_etc_add_file (GString *arguments, GArray *fds, const char *path)
{
  g_autofree char *target = g_file_read_link (path, NULL);
  g_autofree char *to_system = target != NULL ? beckon_etc_resolve_link (path, target) : NULL;
  int fd;

  if (to_system != NULL)
    beckon_bwrap_add (arguments, "--symlink", to_system, path, NULL);
  else if ((fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) >= 0)
    beckon_bwrap_add_file (arguments, fds, fd, path);
}

void
beckon_sandbox_etc_add (GString *arguments, GArray *fds, gboolean network)
{
  g_autofree char *people = beckon_etc_read_people ("");
  g_autofree char *libraries = beckon_etc_read_libraries ("");
  const char *const *list;
  char *folders;
  GPtrArray *found;
  GPtrArray *new_hidden;

  for (list = beckon_etc_list_folders (); *list != NULL; list++)
    if (beckon_etc_shows_folder (*list))
      beckon_bwrap_add (arguments, "--ro-bind-try", *list, *list, NULL);
  for (list = beckon_etc_list_files (); *list != NULL; list++)
    sandbox_etc_add_file (arguments, fds, *list);
  sandbox_etc_add_text (arguments, fds, BECKON_ETC_LIBRARIES, libraries);
  sandbox_etc_add_text (arguments, fds, BECKON_ETC_PEOPLE, people);
  if (!network)
    sandbox_etc_add_text (arguments, fds, BECKON_ETC_HOSTS, BECKON_ETC_OWN_HOSTS);
  for (list = beckon_etc_list_for_network (); network && *list != NULL; list++)
    beckon_bwrap_add (arguments, "--ro-bind-try", *list, *list, NULL);

  /* Finds what other programs keep in /etc (beckon-etc-links.h), if there may be other links than before. The lock is free
   * while the file system is looked at. */
  folders = beckon_etc_describe_link_folders ("");
  g_mutex_lock (&lock);
  found = g_strcmp0 (folders, looked_at) == 0 ? g_ptr_array_ref (links) : NULL;
  g_mutex_unlock (&lock);

  if (found == NULL)
    found = beckon_etc_find_links ("");
  new_hidden = beckon_etc_list_hidden ("", found);
  g_mutex_lock (&lock);
  g_clear_pointer (&links, g_ptr_array_unref);
  g_clear_pointer (&hidden, g_ptr_array_unref);
  g_free (looked_at);
  links = found;
  hidden = new_hidden;
  looked_at = folders;
  /* Private files are left uncovered. */
  for (guint i = 0; i < links->len; i++)
    {
      const char *path = g_ptr_array_index (links, i);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        beckon_bwrap_add (arguments, "--ro-bind-try", path, path, NULL);
      else
        sandbox_etc_add_file (arguments, fds, path);
    }
  for (guint i = 0; i < hidden->len; i++)
    {
      const char *path = g_ptr_array_index (hidden, i);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        beckon_bwrap_add (arguments, "--perms", "0500", "--size", "4096", "--tmpfs", path, NULL);
      else if (g_file_test (path, G_FILE_TEST_EXISTS))
        beckon_bwrap_add (arguments, "--ro-bind", "/dev/null", path, NULL);
    }
  g_mutex_unlock (&lock);
}
