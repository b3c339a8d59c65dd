/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-attached-text.h"

#include "base/beckon-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Chinese text has nearly all its bytes beyond ASCII; text in a European language has few. */
#define CHINESE_PERCENT 40

static gboolean
begins_with (GBytes *bytes, const char *mark, gsize length)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  return size >= length && memcmp (data, mark, length) == 0;
}

static gboolean
looks_chinese (const guchar *data, gsize length)
{
  gsize high = 0, letters = 0;

  for (gsize i = 0; i < length; i++)
    {
      high += data[i] >= 0x80;
      letters += !g_ascii_isspace (data[i]);
    }
  return high * 100 > letters * CHINESE_PERCENT;
}

static const char *
guess_encoding (GBytes *bytes)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  if (begins_with (bytes, "\377\376", 2))
    return "UTF-16LE";
  if (begins_with (bytes, "\376\377", 2))
    return "UTF-16BE";
  if (memchr (data, '\0', length) != NULL)
    return NULL;
  if (g_utf8_validate_len (data, length, NULL))
    return "UTF-8";
  return looks_chinese ((const guchar *) data, length) ? "GB18030" : "WINDOWS-1252";
}

static gboolean
refuse (GError **error)
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
    return refuse (error);
  text[n] = '\0';
  *length = n;
  return TRUE;
}

char *
beckon_attached_text_read (GBytes *bytes, gsize *length, GError **error)
{
  const char *encoding;
  g_autofree char *text = NULL;
  gsize begin = 0, size;
  const char *data;

  g_return_val_if_fail (bytes != NULL && length != NULL, NULL);

  data = g_bytes_get_data (bytes, &size);
  if (size > 2 * BECKON_ATTACHED_TEXT_MOST + 2)
    return refuse_size (error);
  if (size == 0)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The file is empty."));
      return NULL;
    }
  encoding = guess_encoding (bytes);
  if (encoding != NULL)
    text = g_convert (data, (gssize) size, "UTF-8", encoding, NULL, length, NULL);
  if (text == NULL || !g_utf8_validate_len (text, *length, NULL))
    {
      refuse (error);
      return NULL;
    }
  if (g_str_has_prefix (text, "\357\273\277"))
    begin = 3;
  *length -= begin;
  memmove (text, text + begin, *length + 1);
  if (!drop_controls (text, length, error))
    return NULL;
  return *length <= BECKON_ATTACHED_TEXT_MOST ? g_steal_pointer (&text) : refuse_size (error);
}
