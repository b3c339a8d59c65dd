/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-last-message.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *
beckon_last_message_dup (BeckonConversation *conversation)
{
  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i - 1);
      g_autofree char *text = NULL;

      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        break;
      if (beckon_message_get_role (message) != BECKON_ROLE_ASSISTANT)
        continue;
      text = beckon_message_dup_text (message);
      if (text != NULL && *text != '\0')
        return g_steal_pointer (&text);
    }
  return g_strdup ("");
}

static gboolean
last_message_fail (const char *path, GError **error)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _("Couldn't write “%s”: %s"), path, g_strerror (code));
  return FALSE;
}

gboolean
beckon_last_message_check_file (const char *path, GError **error)
{
  struct stat info;
  int fd;

  /* A reader of a named pipe would take the end of this look for the end of the message. */
  if (stat (path, &info) == 0 && S_ISFIFO (info.st_mode))
    return access (path, W_OK) == 0 || last_message_fail (path, error);
  fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
  if (fd < 0)
    return last_message_fail (path, error);
  close (fd);
  return TRUE;
}

/* In place: the file may be a pipe or a device, such as /dev/fd/3. */
gboolean
beckon_last_message_write (BeckonConversation *conversation, const char *path, GError **error)
{
  g_autofree char *text = conversation != NULL ? beckon_last_message_dup (conversation) : g_strdup ("");
  g_autofree char *line = *text != '\0' && !g_str_has_suffix (text, "\n") ? g_strconcat (text, "\n", NULL) : g_strdup (text);
  gsize length = strlen (line), written = 0;
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);

  if (fd < 0)
    return last_message_fail (path, error);
  while (written < length)
    {
      gssize some = write (fd, line + written, length - written);

      if (some < 0 && errno == EINTR)
        continue;
      if (some < 0)
        {
          last_message_fail (path, error);
          close (fd);
          return FALSE;
        }
      written += (gsize) some;
    }
  return close (fd) == 0 || last_message_fail (path, error);
}
