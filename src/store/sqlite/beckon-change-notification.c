/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-change-notification.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

struct _BeckonChangeNotification
{
  int file_fd;
  int watch_fd;
};

BeckonChangeNotification *
beckon_change_notification_new (const char *directory, GError **error)
{
  g_autoptr (BeckonChangeNotification) self = g_new0 (BeckonChangeNotification, 1);
  g_autofree char *path = g_build_filename (directory, "notice", NULL);

  self->watch_fd = -1;
  self->file_fd = g_open (path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (self->file_fd < 0)
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_STORE, _("The folder of the history cannot be written (%s)."),
                             g_strerror (errno));
      return NULL;
    }

  /* The number of watches is limited for each user. Without one the store looks by itself every half a second. */
  self->watch_fd = inotify_init1 (IN_CLOEXEC | IN_NONBLOCK);
  if (self->watch_fd < 0 || inotify_add_watch (self->watch_fd, path, IN_ATTRIB) < 0)
    {
      g_message ("other processes are not watched: %s", g_strerror (errno));
      if (self->watch_fd >= 0)
        close (self->watch_fd);
      self->watch_fd = -1;
    }

  return g_steal_pointer (&self);
}

void
beckon_change_notification_free (BeckonChangeNotification *self)
{
  if (self->file_fd >= 0)
    close (self->file_fd);
  if (self->watch_fd >= 0)
    close (self->watch_fd);
  g_free (self);
}

/* A notice that cannot be given costs another process its freshness, and no data. */
void
beckon_change_notification_touch (BeckonChangeNotification *self)
{
  if (futimens (self->file_fd, NULL) != 0)
    g_debug ("no notice: %s", g_strerror (errno));
}

int
beckon_change_notification_get_fd (BeckonChangeNotification *self)
{
  return self->watch_fd;
}

void
beckon_change_notification_drain (BeckonChangeNotification *self)
{
  char events[4096];

  while (read (self->watch_fd, events, sizeof events) > 0)
    continue;
}
