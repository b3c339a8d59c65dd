/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-text-buffer.h"

#include <string.h>

/* Lines of a tool, or a program, before the first of two that name the files. */
#define MOST_BEFORE 4

/* Pale enough to be read upon, light or dark. */
static const GdkRGBA colours[] = { { 0.18f, 0.76f, 0.49f, 0.22f }, { 0.88f, 0.11f, 0.14f, 0.18f } };
static const char *const names[] = { "diff-added", "diff-removed" };

gboolean
beckon_diff_tags_is_diff (const char *language)
{
  return g_strcmp0 (language, "diff") == 0 || g_strcmp0 (language, "patch") == 0;
}

gboolean
beckon_diff_tags_begins_diff (const char *text)
{
  for (guint i = 0; i < MOST_BEFORE && text != NULL; i++)
    {
      const char *next = strchr (text, '\n');

      if (next == NULL)
        return FALSE;
      if (g_str_has_prefix (text, "--- ") && g_str_has_prefix (next + 1, "+++ "))
        return TRUE;
      text = next + 1;
    }
  return FALSE;
}

/* A file's own two lines begin like a change, and are none. */
static const char *
choose_tag (const GtkTextIter *start, const GtkTextIter *end, gboolean has_names)
{
  g_autofree char *line = gtk_text_iter_get_text (start, end);

  if (line[0] == '+' && !(has_names && g_str_has_prefix (line, "+++ ")))
    return names[0];
  if (line[0] == '-' && !(has_names && g_str_has_prefix (line, "--- ")))
    return names[1];
  return NULL;
}

int
beckon_diff_tags_apply (GtkTextBuffer *buffer, gboolean has_names, int from)
{
  int n = gtk_text_buffer_get_line_count (buffer);
  GtkTextTagTable *table = gtk_text_buffer_get_tag_table (buffer);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (gtk_text_tag_table_lookup (table, names[i]) == NULL)
        gtk_text_buffer_create_tag (buffer, names[i], "paragraph-background-rgba", &colours[i], NULL);
    }

  for (int i = from; i < n; i++)
    {
      GtkTextIter start, end;
      const char *tag;

      gtk_text_buffer_get_iter_at_line (buffer, &start, i);
      end = start;
      if (!gtk_text_iter_ends_line (&end))
        gtk_text_iter_forward_to_line_end (&end);
      tag = choose_tag (&start, &end, has_names);
      gtk_text_iter_forward_char (&end);
      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        gtk_text_buffer_remove_tag_by_name (buffer, names[k], &start, &end);
      if (tag != NULL)
        gtk_text_buffer_apply_tag_by_name (buffer, tag, &start, &end);
    }
  return MAX (n - 1, 0);
}

gsize
beckon_growing_text_compare (const GString *a, const GString *b)
{
  gsize n = 0, most = MIN (a->len, b->len);

  while (n < most && a->str[n] == b->str[n])
    n++;
  while (n > 0 && ((guchar) b->str[n] & 0xc0) == 0x80)
    n--;
  return n;
}

gsize
beckon_growing_text_update (BeckonGrowingText *self, GtkTextBuffer *buffer, const char *text, gsize length, gsize same)
{
  GtkTextIter start, end;

  same = MIN (MIN (same, length), self->bytes);
  if (same < self->bytes)
    {
      gtk_text_buffer_get_iter_at_offset (buffer, &start, (int) g_utf8_strlen (text, (gssize) same));
      gtk_text_buffer_get_end_iter (buffer, &end);
      gtk_text_buffer_delete (buffer, &start, &end);
    }
  if (length > same)
    {
      gtk_text_buffer_get_end_iter (buffer, &end);
      gtk_text_buffer_insert (buffer, &end, text + same, (int) (length - same));
    }
  self->bytes = length;
  return same;
}
