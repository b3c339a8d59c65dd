/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-body-kind.h"

#include <string.h>

/* @data may be cut within the word. */
static gboolean
begins_with (const char *data, gsize length, const char *word)
{
  return strncmp (data, word, MIN (length, strlen (word))) == 0;
}

static gboolean
begins_like_a_stream (const char *data, gsize length)
{
  static const char *const beginnings[] = { "data:", "event:", "id:", "retry:", "error:", ":", "\xef\xbb\xbf" };

  for (guint i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (begins_with (data, length, beginnings[i]))
      return TRUE;
  return FALSE;
}

BeckonBodyKind
beckon_body_kind_guess (const char *type, const char *data, gsize length)
{
  while (length > 0 && g_ascii_isspace (*data))
    {
      data++;
      length--;
    }
  if (length == 0)
    return BECKON_BODY_UNKNOWN;

  if (*data == '<')
    return BECKON_BODY_OTHER;
  if (*data == '{' || *data == '[')
    return BECKON_BODY_JSON;
  if (g_strcmp0 (type, "text/event-stream") == 0 || begins_like_a_stream (data, length))
    return BECKON_BODY_STREAM;
  return BECKON_BODY_OTHER;
}
