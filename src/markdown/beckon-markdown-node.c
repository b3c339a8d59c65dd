/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-markdown-private.h"

#include <string.h>

static void
clear_span (gpointer data)
{
  BeckonMarkdownSpan *span = data;

  g_free (span->target);
  g_free (span->title);
}

gboolean
beckon_markdown_kind_has_spans (BeckonMarkdownKind kind)
{
  return kind == BECKON_MARKDOWN_PARAGRAPH || kind == BECKON_MARKDOWN_HEADING || kind == BECKON_MARKDOWN_CELL;
}

static gboolean
has_children (BeckonMarkdownKind kind)
{
  return kind >= BECKON_MARKDOWN_QUOTE && kind != BECKON_MARKDOWN_CELL;
}

BeckonMarkdownNode *
beckon_markdown_node_new (BeckonMarkdownKind kind)
{
  BeckonMarkdownNode *node = g_new0 (BeckonMarkdownNode, 1);

  node->kind = kind;
  node->ref_count = 1;
  if (has_children (kind))
    node->children = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_markdown_node_unref);
  else if (kind != BECKON_MARKDOWN_RULE)
    node->text = g_string_new (NULL);
  return node;
}

BeckonMarkdownNode *
beckon_markdown_node_ref (BeckonMarkdownNode *node)
{
  g_return_val_if_fail (node != NULL, NULL);

  node->ref_count++;
  return node;
}

void
beckon_markdown_node_unref (BeckonMarkdownNode *node)
{
  g_return_if_fail (node != NULL && node->ref_count > 0);

  if (--node->ref_count > 0)
    return;
  g_free (node->info);
  if (node->text != NULL)
    g_string_free (node->text, TRUE);
  g_clear_pointer (&node->spans, g_array_unref);
  g_clear_pointer (&node->children, g_ptr_array_unref);
  g_free (node);
}

guint
beckon_markdown_node_get_n_children (const BeckonMarkdownNode *node)
{
  return node->children != NULL ? node->children->len : 0;
}

BeckonMarkdownNode *
beckon_markdown_node_get_child (const BeckonMarkdownNode *node, guint index)
{
  g_return_val_if_fail (index < beckon_markdown_node_get_n_children (node), NULL);

  return g_ptr_array_index (node->children, index);
}

guint
beckon_markdown_node_get_n_spans (const BeckonMarkdownNode *node)
{
  return node->spans != NULL ? node->spans->len : 0;
}

const BeckonMarkdownSpan *
beckon_markdown_node_get_span (const BeckonMarkdownNode *node, guint index)
{
  g_return_val_if_fail (index < beckon_markdown_node_get_n_spans (node), NULL);

  return &g_array_index (node->spans, BeckonMarkdownSpan, index);
}

BeckonMarkdownSpan *
beckon_markdown_node_add_span (BeckonMarkdownNode *node, BeckonMarkdownSpanKind kind)
{
  BeckonMarkdownSpan span = { kind, (guint) node->text->len, (guint) node->text->len, NULL, NULL };

  if (node->spans == NULL)
    {
      node->spans = g_array_new (FALSE, FALSE, sizeof span);
      g_array_set_clear_func (node->spans, clear_span);
    }
  g_array_append_val (node->spans, span);
  return &g_array_index (node->spans, BeckonMarkdownSpan, node->spans->len - 1);
}

gboolean
beckon_markdown_node_is_like (const BeckonMarkdownNode *a, const BeckonMarkdownNode *b)
{
  return a->kind == b->kind && a->level == b->level && a->is_tight == b->is_tight && a->is_ordered == b->is_ordered &&
         a->first_number == b->first_number && a->task == b->task && a->align == b->align &&
         g_strcmp0 (a->info, b->info) == 0;
}

static gboolean
has_same_spans (const BeckonMarkdownNode *a, const BeckonMarkdownNode *b)
{
  guint n = beckon_markdown_node_get_n_spans (a);

  if (n != beckon_markdown_node_get_n_spans (b))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const BeckonMarkdownSpan *one = beckon_markdown_node_get_span (a, i);
      const BeckonMarkdownSpan *other = beckon_markdown_node_get_span (b, i);

      if (one->kind != other->kind || one->start != other->start || one->end != other->end ||
          g_strcmp0 (one->target, other->target) != 0 || g_strcmp0 (one->title, other->title) != 0)
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_same_children (const BeckonMarkdownNode *a, const BeckonMarkdownNode *b)
{
  guint n = beckon_markdown_node_get_n_children (a);

  if (n != beckon_markdown_node_get_n_children (b))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if (!beckon_markdown_node_equal (beckon_markdown_node_get_child (a, i), beckon_markdown_node_get_child (b, i)))
        return FALSE;
    }
  return TRUE;
}

gboolean
beckon_markdown_node_equal (const BeckonMarkdownNode *a, const BeckonMarkdownNode *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  if (a == b)
    return TRUE;
  if (!beckon_markdown_node_is_like (a, b) || (a->text == NULL) != (b->text == NULL))
    return FALSE;
  if (a->text != NULL && !g_string_equal (a->text, b->text))
    return FALSE;
  return has_same_spans (a, b) && has_same_children (a, b);
}

char *
beckon_markdown_node_dup_language (const BeckonMarkdownNode *node)
{
  gsize length;

  g_return_val_if_fail (node != NULL, NULL);

  length = node->info != NULL ? strcspn (node->info, " \t") : 0;
  return length > 0 ? g_strndup (node->info, length) : NULL;
}
