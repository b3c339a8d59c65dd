/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-attachment.h"

#include "base/beckon-text.h"

#include <string.h>

#define PREFIX "file:"
#define BEGIN "<attached-file name=\""
#define BEGIN_END "\">\n"
#define END "\n</attached-file>\n\n"
#define MOST_NAME_CHARS 120

/* It stands within quotes in a line of its own. */
static char *
make_name (const char *name)
{
  g_autofree char *safe = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);
  g_autofree char *shortened = beckon_text_shorten (*safe != '\0' ? safe : "file", MOST_NAME_CHARS);

  return g_strdelimit (g_steal_pointer (&shortened), "\"<>\r\n", '_');
}

/* What a file says cannot end it. */
static void
append_content (GString *text, const char *content, gsize length)
{
  static const char closing[] = "</attached-file";
  gsize begin = text->len;
  char *at;

  g_string_append_len (text, content, (gssize) length);
  while ((at = strstr (text->str + begin, closing)) != NULL)
    {
      begin = (gsize) (at - text->str) + 1;
      text->str[begin] = '|';
    }
}

BeckonPart *
beckon_attachment_new_text (const char *name, const char *text, gsize length)
{
  g_autofree char *safe = make_name (name);
  g_autofree char *origin = g_strconcat (PREFIX, safe, NULL);
  g_autoptr (GString) framed = g_string_sized_new (length + 128);
  BeckonPart *part = beckon_part_new (BECKON_PART_TEXT, NULL);

  g_string_append_printf (framed, BEGIN "%s" BEGIN_END, safe);
  append_content (framed, text, length);
  g_string_append (framed, END);
  beckon_part_append (part, framed->str, framed->len);
  beckon_part_set_origin (part, origin);
  return part;
}

BeckonPart *
beckon_attachment_new_image (const char *name, const char *media_type, GBytes *bytes)
{
  g_autofree char *safe = make_name (name);
  g_autofree char *origin = g_strconcat (PREFIX, safe, NULL);
  BeckonPart *part = beckon_part_new (BECKON_PART_IMAGE, NULL);
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  beckon_part_append (part, data, length);
  beckon_part_set_media_type (part, media_type);
  beckon_part_set_origin (part, origin);
  return part;
}

const char *
beckon_attachment_get_name (BeckonPart *part)
{
  const char *origin;

  g_return_val_if_fail (BECKON_IS_PART (part), NULL);

  origin = beckon_part_get_origin (part);
  return origin != NULL && g_str_has_prefix (origin, PREFIX) ? origin + strlen (PREFIX) : NULL;
}

const char *
beckon_attachment_get_content (BeckonPart *part, gsize *length)
{
  const char *text, *begin;

  g_return_val_if_fail (BECKON_IS_PART (part), NULL);
  g_return_val_if_fail (length != NULL, NULL);

  text = beckon_part_get_text (part);
  *length = beckon_part_get_length (part);
  if (beckon_part_get_kind (part) == BECKON_PART_IMAGE || !g_str_has_prefix (text, BEGIN))
    return text;

  begin = strstr (text, BEGIN_END);
  if (begin == NULL || *length < (gsize) (begin - text) + strlen (BEGIN_END) + strlen (END))
    return text;
  begin += strlen (BEGIN_END);
  *length -= (gsize) (begin - text) + strlen (END);
  return begin;
}
