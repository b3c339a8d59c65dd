/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-markdown-plain.h"

#include "beckon-markdown-stream.h"

#include <string.h>

typedef struct
{
  GString *out;
  GString *indent; /* of each line */
} Writer;

static void write_blocks (Writer *self, GPtrArray *blocks, gboolean is_tight);

static void
write_lines (Writer *self, const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    {
      g_string_append_c (self->out, text[i]);
      if (text[i] == '\n' && i + 1 < length)
        g_string_append (self->out, self->indent->str);
    }
}

static void
write_leaf (Writer *self, const BeckonMarkdownNode *leaf)
{
  gsize at = 0, end = leaf->text->len;

  while (end > 0 && leaf->text->str[end - 1] == '\n')
    end--;
  for (guint i = 0; i < beckon_markdown_node_get_n_spans (leaf); i++)
    {
      const BeckonMarkdownSpan *span = beckon_markdown_node_get_span (leaf, i);
      gboolean has_address;
      gsize length;

      if (span->end < at || span->end > end)
        continue;
      if (span->kind != BECKON_MARKDOWN_SPAN_LINK && span->kind != BECKON_MARKDOWN_SPAN_IMAGE)
        continue;
      write_lines (self, leaf->text->str + at, span->end - at);
      /* An address that is not what is read stands behind it, but for one that holds a whole picture and is nobody's to read.
       */
      has_address = span->kind == BECKON_MARKDOWN_SPAN_LINK || span->kind == BECKON_MARKDOWN_SPAN_IMAGE;
      length = span->end - span->start;
      if (has_address && span->target != NULL && *span->target != '\0' && g_ascii_strncasecmp (span->target, "data:", 5) != 0
          && (strlen (span->target) != length || strncmp (span->target, leaf->text->str + span->start, length) != 0))
        g_string_append_printf (self->out, " (%s)", span->target);
      at = span->end;
    }
  write_lines (self, leaf->text->str + at, end - at);
}

static void
write_block (Writer *self, const BeckonMarkdownNode *node)
{
  gsize indent = self->indent->len;

  if (node->kind == BECKON_MARKDOWN_RULE)
    g_string_append (self->out, "———");
  else if (node->kind == BECKON_MARKDOWN_TABLE)
    for (guint i = 0; i < node->children->len; i++)
      {
        const BeckonMarkdownNode *row = beckon_markdown_node_get_child (node, i);

        if (i > 0)
          write_lines (self, "\n", 1);
        if (i > 0)
          g_string_append (self->out, self->indent->str);
        for (guint j = 0; j < row->children->len; j++)
          {
            if (j > 0)
              g_string_append_c (self->out, '\t');
            write_leaf (self, beckon_markdown_node_get_child (row, j));
          }
      }
  else if (node->kind == BECKON_MARKDOWN_LIST)
    {
      g_string_append (self->indent, node->is_ordered ? "   " : "  ");
      for (guint i = 0; i < node->children->len; i++)
        {
          static const char *const tasks[] = { "• ", "☐ ", "☑ " };

          if (i > 0)
            g_string_append_printf (self->out, "%s%.*s", node->is_tight ? "\n" : "\n\n", (int) indent, self->indent->str);

          if (node->is_ordered)
            g_string_append_printf (self->out, "%u. ", node->first_number + i);
          else
            g_string_append (self->out, tasks[beckon_markdown_node_get_child (node, i)->task]);
          write_blocks (self, beckon_markdown_node_get_child (node, i)->children, node->is_tight);
        }
      g_string_truncate (self->indent, indent);
    }
  else if (node->text != NULL)
    write_leaf (self, node);
  else
    {
      g_string_append (self->indent, "  ");
      g_string_append (self->out, "  ");
      write_blocks (self, node->children, FALSE);
      g_string_truncate (self->indent, indent);
    }
}

static void
write_blocks (Writer *self, GPtrArray *blocks, gboolean is_tight)
{
  for (guint i = 0; i < blocks->len; i++)
    {
      if (i > 0)
        g_string_append_printf (self->out, "%s%s", is_tight ? "\n" : "\n\n", self->indent->str);
      write_block (self, g_ptr_array_index (blocks, i));
    }
}

char *
beckon_markdown_to_plain (const char *text)
{
  g_autoptr (BeckonMarkdownStream) stream = beckon_markdown_stream_new ();
  g_autoptr (GString) indent = g_string_new (NULL);
  Writer writer = { g_string_new (NULL), indent };

  g_return_val_if_fail (text != NULL, NULL);

  beckon_markdown_stream_feed (stream, text, strlen (text));
  beckon_markdown_stream_finish (stream);
  beckon_markdown_stream_update (stream);
  write_blocks (&writer, beckon_markdown_stream_get_blocks (stream), FALSE);
  return g_string_free (writer.out, FALSE);
}

char *
beckon_markdown_to_line (const char *text)
{
  static const char *const halves[] = { "**", "__", "~~", "`" };
  g_autofree char *plain = NULL;
  g_auto (GStrv) words = NULL;
  GString *line;

  g_return_val_if_fail (text != NULL, NULL);

  plain = beckon_markdown_to_plain (text);
  line = g_string_new (NULL);
  words = g_strsplit_set (plain, " \n\t", -1);
  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", words[i]);
  for (guint i = 0; i < G_N_ELEMENTS (halves); i++)
    g_string_replace (line, halves[i], "", 0);
  return g_string_free (line, FALSE);
}
