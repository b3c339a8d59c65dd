/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-attached-text.h"

#include "base/beckon-error.h"
#include "base/beckon-file-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static gboolean
attached_text_refuse (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       _("This is neither a picture nor text. Put it into the working folder, where the agent's "
                         "tools can use it."));
  return FALSE;
}

static char *
refuse_size (GError **error)
{
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE,
               _("At most %d KB of text can be attached. Put it into the working folder, where the agent reads it in pieces."),
               BECKON_ATTACHED_TEXT_MOST / 1024);
  return NULL;
}

static gboolean
is_control (guchar c)
{
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b) || c == 0x7f;
}

/* A text may have one or two, such as the colours of a log; what is full of them is something else. */
static gboolean
drop_controls (char *text, gsize *length, GError **error)
{
  gsize n = 0;

  for (gsize i = 0; i < *length; i++)
    if (!is_control ((guchar) text[i]))
      text[n++] = text[i];
  if ((*length - n) * 100 > *length)
    return attached_text_refuse (error);
  text[n] = '\0';
  *length = n;
  return TRUE;
}

char *
beckon_attached_text_read (GBytes *bytes, gsize *length, GError **error)
{
  g_autoptr (BeckonFileText) file = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (bytes != NULL && length != NULL, NULL);

  if (g_bytes_get_size (bytes) > 2 * BECKON_ATTACHED_TEXT_MOST + 2)
    return refuse_size (error);
  if (g_bytes_get_size (bytes) == 0)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The file is empty."));
      return NULL;
    }
  file = beckon_file_text_new (bytes);
  if (file == NULL)
    {
      attached_text_refuse (error);
      return NULL;
    }
  *length = file->length;
  text = g_steal_pointer (&file->text);
  if (!drop_controls (text, length, error))
    return NULL;
  return *length <= BECKON_ATTACHED_TEXT_MOST ? g_steal_pointer (&text) : refuse_size (error);
}
