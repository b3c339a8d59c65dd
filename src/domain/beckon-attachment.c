/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-attachment.h"

#include "base/beckon-text.h"

#include <string.h>

#define PREFIX "file:"
#define MASKED_PDF "[Only the text of this PDF is here, so that secrets stay masked.]"
#define SCANNED_PDF "[The pages of this PDF are pictures. It has no text.]"
#define PAGES "beckon-pdf-pages"
#define PARTLY "beckon-pdf-partly-read"
#define PDF_TYPE "application/pdf; pages="
#define BEGIN "<attached-file name=\""
#define BEGIN_END "\">\n"
#define END "\n</attached-file>\n\n"
#define MOST_NAME_CHARS 120

/* The name is quoted on a line of its own. */
static char *
attachment_make_name (const char *name)
{
  g_autofree char *safe = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);
  g_autofree char *shortened = beckon_text_shorten (*safe != '\0' ? safe : "file", MOST_NAME_CHARS);

  return g_strdelimit (g_steal_pointer (&shortened), "\"<>\r\n", '_');
}

BeckonPart *
beckon_attachment_new_text (const char *name, const char *text, gsize length)
{
  static const char closing[] = "</attached-file";
  g_autofree char *safe = attachment_make_name (name);
  g_autofree char *origin = g_strconcat (PREFIX, safe, NULL);
  g_autoptr (GString) framed = g_string_sized_new (length + 128);
  BeckonPart *part = beckon_part_new (BECKON_PART_TEXT, NULL);
  gsize begin;
  char *at;

  g_string_append_printf (framed, BEGIN "%s" BEGIN_END, safe);
  begin = framed->len;
  /* Contents can't end a file. */
  g_string_append_len (framed, text, (gssize) length);
  while ((at = strstr (framed->str + begin, closing)) != NULL)
    {
      begin = (gsize) (at - framed->str) + 1;
      framed->str[begin] = '|';
    }
  g_string_append (framed, END);
  beckon_part_append (part, framed->str, framed->len);
  beckon_part_set_origin (part, origin);
  return part;
}

BeckonPart *
beckon_attachment_new_image (const char *name, const char *media_type, GBytes *bytes)
{
  g_autofree char *safe = attachment_make_name (name);
  g_autofree char *origin = g_strconcat (PREFIX, safe, NULL);
  BeckonPart *part = beckon_part_new (BECKON_PART_IMAGE, NULL);
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  beckon_part_append (part, data, length);
  beckon_part_set_media_type (part, media_type);
  beckon_part_set_origin (part, origin);
  return part;
}

/* The pages stand in the type, where every table has room for them. */
static guint
read_pages (const char *file_type)
{
  guint64 pages = 0;

  if (file_type == NULL || !g_str_has_prefix (file_type, PDF_TYPE)
      || !g_ascii_string_to_unsigned (file_type + strlen (PDF_TYPE), 10, 1, BECKON_ATTACHMENT_PDF_MOST_PAGES, &pages, NULL))
    return 0;
  return (guint) pages;
}

void
beckon_attachment_set_pdf (BeckonPart *part, GBytes *pdf, guint n_pages)
{
  g_autofree char *type = g_strdup_printf (PDF_TYPE "%u", n_pages);

  g_return_if_fail (BECKON_IS_PART (part));
  g_return_if_fail (pdf != NULL);

  if (n_pages > 0 && n_pages <= BECKON_ATTACHMENT_PDF_MOST_PAGES && g_bytes_get_size (pdf) > 0
      && g_bytes_get_size (pdf) <= BECKON_ATTACHMENT_PDF_MOST_BYTES)
    beckon_part_set_file (part, type, pdf);
  beckon_attachment_note_pdf (part, n_pages, TRUE);
}

void
beckon_attachment_note_pdf (BeckonPart *part, guint n_pages, gboolean is_whole)
{
  g_return_if_fail (BECKON_IS_PART (part));

  g_object_set_data (G_OBJECT (part), PAGES, GUINT_TO_POINTER (n_pages));
  g_object_set_data (G_OBJECT (part), PARTLY, GINT_TO_POINTER (!is_whole));
}

guint
beckon_attachment_get_pages (BeckonPart *part)
{
  guint n_pages;

  g_return_val_if_fail (BECKON_IS_PART (part), 0);

  if (beckon_attachment_get_pdf (part, &n_pages) != NULL)
    return n_pages;
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (part), PAGES));
}

gboolean
beckon_attachment_is_partly_read (BeckonPart *part)
{
  g_return_val_if_fail (BECKON_IS_PART (part), FALSE);

  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (part), PARTLY)) != 0;
}

BeckonPart *
beckon_attachment_new_scan (const char *name)
{
  return beckon_attachment_new_text (name, SCANNED_PDF, strlen (SCANNED_PDF));
}

gboolean
beckon_attachment_is_scan (BeckonPart *part)
{
  gsize length;
  const char *content = beckon_attachment_get_content (part, &length);

  return beckon_attachment_get_name (part) != NULL && beckon_part_get_kind (part) == BECKON_PART_TEXT
         && length == strlen (SCANNED_PDF) && memcmp (content, SCANNED_PDF, length) == 0;
}

GBytes *
beckon_attachment_get_pdf (BeckonPart *part, guint *n_pages)
{
  guint pages = read_pages (beckon_part_get_file_type (part));

  if (n_pages != NULL)
    *n_pages = pages;
  return pages > 0 && beckon_attachment_get_name (part) != NULL ? beckon_part_get_file (part) : NULL;
}

BeckonPart *
beckon_attachment_copy_text (BeckonPart *part)
{
  BeckonPart *copy = beckon_part_new (BECKON_PART_TEXT, NULL);

  beckon_part_append (copy, beckon_part_get_text (part), beckon_part_get_length (part));
  beckon_part_set_origin (copy, beckon_part_get_origin (part));
  return copy;
}

BeckonPart *
beckon_attachment_new_masked_pdf (BeckonPart *part, const char *text)
{
  g_autofree char *content
      = g_strconcat (MASKED_PDF, "\n\n", text != NULL ? text : "Its text is left out, too: the secret can't be masked in it.",
                     NULL);

  return beckon_attachment_new_text (beckon_attachment_get_name (part), content, strlen (content));
}

gboolean
beckon_attachment_is_masked_pdf (BeckonPart *part)
{
  gsize length;
  const char *content = beckon_attachment_get_content (part, &length);

  return beckon_attachment_get_name (part) != NULL && beckon_part_get_kind (part) == BECKON_PART_TEXT
         && length >= strlen (MASKED_PDF) && memcmp (content, MASKED_PDF, strlen (MASKED_PDF)) == 0;
}

gsize
beckon_attachment_get_size (BeckonPart *part)
{
  GBytes *file = beckon_part_get_file (part);

  return beckon_part_get_length (part) + (file != NULL ? g_bytes_get_size (file) : 0);
}

gboolean
beckon_attachment_is_file_type (const char *media_type)
{
  return media_type != NULL && g_str_has_prefix (media_type, "application/pdf");
}

gboolean
beckon_attachment_take_file (BeckonPart *part, const char *origin, const char *media_type, GBytes *file)
{
  gsize length;
  const char *data;

  if (part == NULL || beckon_part_get_kind (part) != BECKON_PART_TEXT || beckon_part_get_file (part) != NULL
      || beckon_attachment_get_name (part) == NULL || g_strcmp0 (beckon_part_get_origin (part), origin) != 0)
    return FALSE;

  /* Some programs write something in front of it. */
  data = g_bytes_get_data (file, &length);
  if (length <= 5 || g_strstr_len (data, (gssize) MIN (length, 1024), "%PDF-") == NULL)
    return FALSE;
  beckon_attachment_set_pdf (part, file, read_pages (media_type));
  return beckon_part_get_file (part) != NULL;
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
