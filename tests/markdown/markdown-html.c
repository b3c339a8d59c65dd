/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "markdown-html.h"

#include <string.h>

static void write_block (GString *out, const BeckonMarkdownNode *node, gboolean in_tight);

static void
begin_line (GString *out)
{
  if (out->len > 0 && out->str[out->len - 1] != '\n')
    g_string_append_c (out, '\n');
}

static void
write_text (GString *out, const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    {
      switch (text[i])
        {
        case '&':
          g_string_append (out, "&amp;");
          break;
        case '<':
          g_string_append (out, "&lt;");
          break;
        case '>':
          g_string_append (out, "&gt;");
          break;
        case '"':
          g_string_append (out, "&quot;");
          break;
        default:
          g_string_append_c (out, text[i]);
        }
    }
}

static void
write_address (GString *out, const char *address)
{
  for (const char *c = address != NULL ? address : ""; *c != '\0'; c++)
    {
      if (*c == '&')
        g_string_append (out, "&amp;");
      else if (g_ascii_isalnum (*c) || strchr ("-_.+!*'(),%#@?=;:/$~", *c) != NULL)
        g_string_append_c (out, *c);
      else
        g_string_append_printf (out, "%%%02X", (guint) (guchar) *c);
    }
}

static void
write_title (GString *out, const char *title)
{
  if (title == NULL)
    return;
  g_string_append (out, " title=\"");
  write_text (out, title, strlen (title));
  g_string_append_c (out, '"');
}

static gsize write_spans (GString *out, const BeckonMarkdownNode *node, guint *index, gsize at, gsize end);

static void
write_image (GString *out, const BeckonMarkdownNode *node, const BeckonMarkdownSpan *span, guint *index)
{
  g_string_append (out, "<img src=\"");
  write_address (out, span->target);
  g_string_append (out, "\" alt=\"");
  write_text (out, node->text->str + span->start, span->end - span->start);
  g_string_append_c (out, '"');
  write_title (out, span->title);
  g_string_append (out, " />");
  while (*index < beckon_markdown_node_get_n_spans (node)
         && beckon_markdown_node_get_span (node, *index)->start < span->end)
    (*index)++;
}

static void
write_span (GString *out, const BeckonMarkdownNode *node, const BeckonMarkdownSpan *span, guint *index)
{
  static const char *const tags[] = {
    [BECKON_MARKDOWN_SPAN_EMPHASIS] = "em",  [BECKON_MARKDOWN_SPAN_STRONG] = "strong", [BECKON_MARKDOWN_SPAN_STRUCK] = "del",
    [BECKON_MARKDOWN_SPAN_CODE] = "code",    [BECKON_MARKDOWN_SPAN_LINK] = "a",        [BECKON_MARKDOWN_SPAN_MATH] = "math",
  };

  if (span->kind == BECKON_MARKDOWN_SPAN_HTML)
    g_string_append_len (out, node->text->str + span->start, span->end - span->start);
  else if (span->kind == BECKON_MARKDOWN_SPAN_BREAK)
    g_string_append_printf (out, "%s%s", span->target != NULL ? span->target : "<br />", span->target != NULL ? "" : "\n");
  else if (span->kind == BECKON_MARKDOWN_SPAN_IMAGE)
    write_image (out, node, span, index);
  else
    {
      g_string_append_printf (out, "<%s", tags[span->kind]);
      if (span->kind == BECKON_MARKDOWN_SPAN_LINK)
        {
          g_string_append (out, " href=\"");
          write_address (out, span->target);
          g_string_append_c (out, '"');
          write_title (out, span->title);
        }
      g_string_append_c (out, '>');
      write_spans (out, node, index, span->start, span->end);
      g_string_append_printf (out, "</%s>", tags[span->kind]);
    }
}

/* The text from @at to @end with the spans from *@index on that begin in it. */
static gsize
write_spans (GString *out, const BeckonMarkdownNode *node, guint *index, gsize at, gsize end)
{
  while (*index < beckon_markdown_node_get_n_spans (node))
    {
      const BeckonMarkdownSpan *span = beckon_markdown_node_get_span (node, *index);

      if (span->start > end || (span->start == end && span->end > end))
        break;
      g_assert_cmpuint (span->start, >=, at);
      g_assert_cmpuint (span->end, <=, node->text->len);
      write_text (out, node->text->str + at, span->start - at);
      (*index)++;
      write_span (out, node, span, index);
      at = span->end;
    }
  write_text (out, node->text->str + at, end - at);
  return end;
}

static void
write_inline (GString *out, const BeckonMarkdownNode *node)
{
  guint index = 0;

  write_spans (out, node, &index, 0, node->text->len);
}

static void
write_children (GString *out, const BeckonMarkdownNode *node, gboolean in_tight)
{
  for (guint i = 0; i < beckon_markdown_node_get_n_children (node); i++)
    {
      if (i > 0)
        begin_line (out);
      write_block (out, beckon_markdown_node_get_child (node, i), in_tight);
    }
}

static void
write_paragraph (GString *out, const BeckonMarkdownNode *node, gboolean in_tight)
{
  if (!in_tight)
    {
      begin_line (out);
      g_string_append (out, "<p>");
    }
  write_inline (out, node);
  g_string_append (out, in_tight ? "" : "</p>\n");
}

static void
write_code (GString *out, const BeckonMarkdownNode *node)
{
  g_autofree char *language = beckon_markdown_node_dup_language (node);

  begin_line (out);
  g_string_append (out, "<pre><code");
  if (language != NULL)
    {
      g_string_append (out, " class=\"language-");
      write_text (out, language, strlen (language));
      g_string_append_c (out, '"');
    }
  g_string_append_c (out, '>');
  write_text (out, node->text->str, node->text->len);
  g_string_append (out, "</code></pre>\n");
}

static void
write_list (GString *out, const BeckonMarkdownNode *node)
{
  begin_line (out);
  if (node->is_ordered && node->first_number != 1)
    g_string_append_printf (out, "<ol start=\"%u\">\n", node->first_number);
  else
    g_string_append (out, node->is_ordered ? "<ol>\n" : "<ul>\n");
  for (guint i = 0; i < beckon_markdown_node_get_n_children (node); i++)
    {
      const BeckonMarkdownNode *item = beckon_markdown_node_get_child (node, i);

      g_string_append (out, "<li>");
      if (item->task != BECKON_MARKDOWN_NO_TASK)
        g_string_append (out, item->task == BECKON_MARKDOWN_TASK_DONE ? "[x] " : "[ ] ");
      write_children (out, item, node->is_tight);
      g_string_append (out, "</li>\n");
    }
  g_string_append (out, node->is_ordered ? "</ol>\n" : "</ul>\n");
}

static void
write_table (GString *out, const BeckonMarkdownNode *table)
{
  static const char *const aligns[] = { "", " left", " center", " right" };

  begin_line (out);
  g_string_append (out, "<table>\n");
  for (guint i = 0; i < beckon_markdown_node_get_n_children (table); i++)
    {
      const BeckonMarkdownNode *row = beckon_markdown_node_get_child (table, i);

      g_string_append (out, "<tr>");
      for (guint j = 0; j < beckon_markdown_node_get_n_children (row); j++)
        {
          const BeckonMarkdownNode *cell = beckon_markdown_node_get_child (row, j);

          g_string_append_printf (out, "<%s%s>", i == 0 ? "th" : "td", aligns[cell->align]);
          write_inline (out, cell);
          g_string_append (out, i == 0 ? "</th>" : "</td>");
        }
      g_string_append (out, "</tr>\n");
    }
  g_string_append (out, "</table>\n");
}

static void
write_block (GString *out, const BeckonMarkdownNode *node, gboolean in_tight)
{
  switch (node->kind)
    {
    case BECKON_MARKDOWN_HEADING:
      begin_line (out);
      g_string_append_printf (out, "<h%u>", node->level);
      write_inline (out, node);
      g_string_append_printf (out, "</h%u>\n", node->level);
      break;
    case BECKON_MARKDOWN_CODE:
      write_code (out, node);
      break;
    case BECKON_MARKDOWN_HTML:
      begin_line (out);
      g_string_append (out, node->text->str);
      begin_line (out);
      break;
    case BECKON_MARKDOWN_MATH:
      begin_line (out);
      g_string_append_printf (out, "<math>%s</math>\n", node->text->str);
      break;
    case BECKON_MARKDOWN_RULE:
      begin_line (out);
      g_string_append (out, "<hr />\n");
      break;
    case BECKON_MARKDOWN_QUOTE:
      begin_line (out);
      g_string_append (out, "<blockquote>\n");
      write_children (out, node, FALSE);
      g_string_append (out, "</blockquote>\n");
      break;
    case BECKON_MARKDOWN_LIST:
      write_list (out, node);
      break;
    case BECKON_MARKDOWN_TABLE:
      write_table (out, node);
      break;
    case BECKON_MARKDOWN_PARAGRAPH:
    case BECKON_MARKDOWN_ITEM:
    case BECKON_MARKDOWN_ROW:
    case BECKON_MARKDOWN_CELL:
    default:
      write_paragraph (out, node, in_tight);
      break;
    }
}

char *
markdown_to_html (GPtrArray *blocks)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < blocks->len; i++)
    write_block (out, g_ptr_array_index (blocks, i), FALSE);
  return g_string_free (out, FALSE);
}
