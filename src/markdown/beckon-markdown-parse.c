/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-markdown-parse.h"

#include "base/beckon-text.h"
#include "beckon-markdown-entities.h"
#include "beckon-markdown-maths.h"
#include "beckon-markdown-table-mend.h"

#include <glib.h>
#include <md4c.h>
#include <stdlib.h>
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

static BeckonMarkdownNode *
markdown_node_new (BeckonMarkdownKind kind)
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

/* For the parser alone, while the node is made: an empty span at the end of its text, lent until the next one. */
static BeckonMarkdownSpan *
markdown_node_add_span (BeckonMarkdownNode *node, BeckonMarkdownSpanKind kind)
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

/* TRUE if both are alike in everything but their text, spans and children: one can become the other by changing these. */
static gboolean
markdown_node_is_like (const BeckonMarkdownNode *a, const BeckonMarkdownNode *b)
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
  if (!markdown_node_is_like (a, b) || (a->text == NULL) != (b->text == NULL))
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

#define MOST_DIGITS 8

static int
compare_place (gconstpointer key, gconstpointer place)
{
  return strcmp (key, entity_texts + *(const guint16 *) place);
}

static void
append_number (const char *digits, GString *out)
{
  char bytes[8];
  gboolean is_hex = g_ascii_tolower (digits[0]) == 'x';
  guint64 number = g_ascii_strtoull (digits + (is_hex ? 1 : 0), NULL, is_hex ? 16 : 10);
  int length
      = g_unichar_to_utf8 (number == 0 || number > 0x10ffff || !g_unichar_validate ((gunichar) number) ? BECKON_TEXT_REPLACEMENT
                                                                                                       : (gunichar) number,
                           bytes);
  g_autofree char *safe = beckon_text_for_display (bytes, length, BECKON_TEXT_PROSE);

  g_string_append (out, safe);
}

/* An entity that is not known stays as it is written. A character that must not be shown as it is comes in the form that
 * beckon_text_for_display() gives it. */
static void
markdown_entity_append (const char *entity, gsize length, GString *out)
{
  g_autofree char *name = NULL;
  const char *text;
  const guint16 *place;

  name = g_strndup (entity + 1, length - 2);
  if (name[0] == '#' && length <= MOST_DIGITS + 4)
    {
      append_number (name + 1, out);
      return;
    }
  place = bsearch (name, entity_places, G_N_ELEMENTS (entity_places), sizeof *entity_places, compare_place);
  text = place != NULL ? entity_texts + *place + strlen (name) + 1 : NULL;
  if (text != NULL)
    g_string_append (out, text);
  else
    g_string_append_len (out, entity, (gssize) length);
}

/* A definition can be used again and again: what comes out is bounded by what went in. */
#define MOST_GROWTH 8
#define FREE_GROWTH (64 * 1024)

/* More rows of spans than this in one leaf are text. */
#define MOST_SPANS 4000

typedef struct
{
  GPtrArray *blocks;
  BeckonMarkdownNode *containers[BECKON_MARKDOWN_DEEPEST]; /* borrowed, from the outside in */
  guint depth;
  guint ignored; /* containers that are deeper than that */

  BeckonMarkdownNode *leaf; /* (nullable): borrowed, what text goes into */
  guint spans[BECKON_MARKDOWN_DEEPEST]; /* of the leaf, from the outside in */
  gboolean is_key[BECKON_MARKDOWN_DEEPEST]; /* of @spans: whether it began with a tag, which may have no end */
  guint n_spans;
  guint ignored_spans;

  gsize budget;
  gboolean is_spent;
  gboolean is_rich;
} Builder;

static gboolean
spend (Builder *self, gsize bytes)
{
  self->is_spent = self->is_spent || bytes > self->budget;
  self->budget -= self->is_spent ? 0 : bytes;
  return !self->is_spent;
}

static void
markdown_parse_append_part (MD_TEXTTYPE type, const char *text, gsize size, GString *out)
{
  if (type == MD_TEXT_ENTITY)
    markdown_entity_append (text, size, out);
  else if (type == MD_TEXT_NULLCHAR)
    g_string_append (out, "\xef\xbf\xbd");
  else
    beckon_markdown_maths_restore (text, size, type == MD_TEXT_CODE, out);
}

/* (nullable): @attribute as text; caller frees. */
static char *
read_attribute (Builder *self, const MD_ATTRIBUTE *attribute)
{
  GString *out;

  if (attribute->text == NULL || !spend (self, attribute->size))
    return NULL;
  out = g_string_sized_new (attribute->size);
  for (guint i = 0; attribute->substr_offsets[i] < attribute->size; i++)
    markdown_parse_append_part (attribute->substr_types[i], attribute->text + attribute->substr_offsets[i],
                                attribute->substr_offsets[i + 1] - attribute->substr_offsets[i], out);
  return g_string_free (out, FALSE);
}

/* Blocks */

static void
end_leaf (Builder *self)
{
  self->leaf = NULL;
  self->n_spans = 0;
  self->ignored_spans = 0;
}

static void
add_node (Builder *self, BeckonMarkdownNode *node)
{
  GPtrArray *siblings = self->depth > 0 ? self->containers[self->depth - 1]->children : self->blocks;

  g_ptr_array_add (siblings, node);
}

static BeckonMarkdownNode *
begin_leaf (Builder *self, BeckonMarkdownKind kind)
{
  BeckonMarkdownNode *node = markdown_node_new (kind);

  end_leaf (self);
  add_node (self, node);
  self->leaf = node;
  return node;
}

/* A list or a table that is too deep would leave its parts without a place. */
static gboolean
has_room (Builder *self, BeckonMarkdownKind kind)
{
  if (self->ignored > 0)
    return FALSE;
  return self->depth + (kind == BECKON_MARKDOWN_LIST || kind == BECKON_MARKDOWN_TABLE ? 1 : 0) < BECKON_MARKDOWN_DEEPEST;
}

/* (nullable) */
static BeckonMarkdownNode *
begin_container (Builder *self, BeckonMarkdownKind kind)
{
  BeckonMarkdownNode *node;

  end_leaf (self);
  if (!has_room (self, kind))
    {
      self->ignored++;
      return NULL;
    }
  node = markdown_node_new (kind);
  add_node (self, node);
  self->containers[self->depth++] = node;
  return node;
}

static void
begin_item (Builder *self, const MD_BLOCK_LI_DETAIL *detail)
{
  BeckonMarkdownNode *node = begin_container (self, BECKON_MARKDOWN_ITEM);

  if (node != NULL && detail->is_task)
    node->task = detail->task_mark == ' ' ? BECKON_MARKDOWN_TASK_OPEN : BECKON_MARKDOWN_TASK_DONE;
}

static void
begin_cell (Builder *self, const MD_BLOCK_TD_DETAIL *detail)
{
  /* A table that is too deep has its cells one below the other. */
  BeckonMarkdownKind kind = self->ignored > 0 ? BECKON_MARKDOWN_PARAGRAPH : BECKON_MARKDOWN_CELL;

  begin_leaf (self, kind)->align = (BeckonMarkdownAlign) detail->align;
}

static int
on_enter_block (MD_BLOCKTYPE type, void *detail, void *user_data)
{
  Builder *self = user_data;

  switch (type)
    {
    case MD_BLOCK_QUOTE:
      begin_container (self, BECKON_MARKDOWN_QUOTE);
      break;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
      {
        BeckonMarkdownNode *node = begin_container (self, BECKON_MARKDOWN_LIST);

        if (node != NULL)
          {
            node->is_ordered = type == MD_BLOCK_OL;
            node->is_tight
                = node->is_ordered ? ((MD_BLOCK_OL_DETAIL *) detail)->is_tight : ((MD_BLOCK_UL_DETAIL *) detail)->is_tight;
            node->first_number = node->is_ordered ? ((MD_BLOCK_OL_DETAIL *) detail)->start : 0;
          }
      }
      break;
    case MD_BLOCK_LI:
      begin_item (self, detail);
      break;
    case MD_BLOCK_HR:
      begin_leaf (self, BECKON_MARKDOWN_RULE);
      end_leaf (self);
      break;
    case MD_BLOCK_H:
      begin_leaf (self, BECKON_MARKDOWN_HEADING)->level = ((MD_BLOCK_H_DETAIL *) detail)->level;
      break;
    case MD_BLOCK_CODE:
      begin_leaf (self, BECKON_MARKDOWN_CODE)->info = read_attribute (self, &((MD_BLOCK_CODE_DETAIL *) detail)->info);
      break;
    case MD_BLOCK_HTML:
      begin_leaf (self, BECKON_MARKDOWN_HTML);
      break;
    case MD_BLOCK_P:
      begin_leaf (self, BECKON_MARKDOWN_PARAGRAPH);
      break;
    case MD_BLOCK_TABLE:
      begin_container (self, BECKON_MARKDOWN_TABLE);
      break;
    case MD_BLOCK_TR:
      begin_container (self, BECKON_MARKDOWN_ROW);
      break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
      begin_cell (self, detail);
      break;
    case MD_BLOCK_DOC:
    case MD_BLOCK_THEAD:
    case MD_BLOCK_TBODY:
    default:
      break;
    }
  return spend (self, sizeof (BeckonMarkdownNode) / 8) ? 0 : -1;
}

static int
on_leave_block (MD_BLOCKTYPE type, void *detail, void *user_data)
{
  Builder *self = user_data;

  switch (type)
    {
    case MD_BLOCK_QUOTE:
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
    case MD_BLOCK_LI:
    case MD_BLOCK_TABLE:
    case MD_BLOCK_TR:
      end_leaf (self);
      if (self->ignored > 0)
        self->ignored--;
      else if (self->depth > 0)
        self->depth--;
      break;
    case MD_BLOCK_H:
      if (self->leaf != NULL)
        {
          BeckonMarkdownNode *leaf = self->leaf;
          guint n = beckon_markdown_node_get_n_spans (leaf);
          gsize least = n > 0 ? beckon_markdown_node_get_span (leaf, n - 1)->end : 0;
          gsize length = leaf->text->len;

          /* The parser leaves tabs, in some versions, at the edges of a heading. */
          while (length > least && (leaf->text->str[length - 1] == '\t' || leaf->text->str[length - 1] == ' '))
            length--;
          g_string_truncate (leaf->text, length);
        }
      end_leaf (self);
      break;
    case MD_BLOCK_HR:
    case MD_BLOCK_CODE:
    case MD_BLOCK_HTML:
    case MD_BLOCK_P:
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
      end_leaf (self);
      break;
    case MD_BLOCK_DOC:
    case MD_BLOCK_THEAD:
    case MD_BLOCK_TBODY:
    default:
      break;
    }
  return 0;
}

/* Text */

/* An item of a tight list has text without a paragraph. */
static BeckonMarkdownNode *
get_leaf (Builder *self)
{
  return self->leaf != NULL ? self->leaf : begin_leaf (self, BECKON_MARKDOWN_PARAGRAPH);
}

static BeckonMarkdownSpan *
begin_span (Builder *self, BeckonMarkdownSpanKind kind)
{
  BeckonMarkdownNode *leaf = get_leaf (self);
  BeckonMarkdownSpan *span;

  if (self->ignored_spans > 0 || self->n_spans == BECKON_MARKDOWN_DEEPEST ||
      beckon_markdown_node_get_n_spans (leaf) >= MOST_SPANS)
    {
      self->ignored_spans++;
      return NULL;
    }
  span = markdown_node_add_span (leaf, kind);
  self->is_key[self->n_spans] = FALSE;
  self->spans[self->n_spans++] = leaf->spans->len - 1;
  return span;
}

static void
end_span (Builder *self)
{
  BeckonMarkdownNode *leaf = get_leaf (self);

  g_array_index (leaf->spans, BeckonMarkdownSpan, self->spans[--self->n_spans]).end = (guint) leaf->text->len;
}

static void
begin_target_span (Builder *self, BeckonMarkdownSpanKind kind, const MD_ATTRIBUTE *target, const MD_ATTRIBUTE *title)
{
  BeckonMarkdownSpan *span = begin_span (self, kind);

  if (span == NULL)
    return;
  span->target = read_attribute (self, target);
  span->title = read_attribute (self, title);
}

static int
on_enter_span (MD_SPANTYPE type, void *detail, void *user_data)
{
  Builder *self = user_data;
  const MD_SPAN_A_DETAIL *link = detail;
  const MD_SPAN_IMG_DETAIL *image = detail;
  BeckonMarkdownSpan *span;

  switch (type)
    {
    case MD_SPAN_STRONG:
      begin_span (self, BECKON_MARKDOWN_SPAN_STRONG);
      break;
    case MD_SPAN_A:
      begin_target_span (self, BECKON_MARKDOWN_SPAN_LINK, &link->href, &link->title);
      break;
    case MD_SPAN_IMG:
      begin_target_span (self, BECKON_MARKDOWN_SPAN_IMAGE, &image->src, &image->title);
      break;
    case MD_SPAN_CODE:
      begin_span (self, BECKON_MARKDOWN_SPAN_CODE);
      break;
    case MD_SPAN_DEL:
      begin_span (self, BECKON_MARKDOWN_SPAN_STRUCK);
      break;
    case MD_SPAN_LATEXMATH:
    case MD_SPAN_LATEXMATH_DISPLAY:
      span = begin_span (self, BECKON_MARKDOWN_SPAN_MATH);
      if (span != NULL && type == MD_SPAN_LATEXMATH_DISPLAY)
        span->target = g_strdup ("display");
      break;
    case MD_SPAN_EM:
    case MD_SPAN_U:
    case MD_SPAN_WIKILINK:
    default:
      begin_span (self, BECKON_MARKDOWN_SPAN_EMPHASIS);
      break;
    }
  return spend (self, sizeof (BeckonMarkdownSpan) / 8) ? 0 : -1;
}

static int
on_leave_span (MD_SPANTYPE type, void *detail, void *user_data)
{
  Builder *self = user_data;

  if (self->ignored_spans > 0)
    {
      self->ignored_spans--;
      return 0;
    }
  while (self->n_spans > 0 && self->is_key[self->n_spans - 1])
    end_span (self);
  if (self->n_spans > 0)
    end_span (self);
  return 0;
}

static void
add_break (BeckonMarkdownNode *leaf, const char *tag, gsize size)
{
  BeckonMarkdownSpan *span = markdown_node_add_span (leaf, BECKON_MARKDOWN_SPAN_BREAK);

  span->target = tag != NULL ? g_strndup (tag, size) : NULL;
  span->end++;
  g_string_append_c (leaf->text, '\n');
}

/* The tags of a key, which looks like code. */
static gboolean
takes_key_tag (Builder *self, const char *text, gsize size)
{
  if (size == strlen ("<kbd>") && g_ascii_strncasecmp (text, "<kbd>", size) == 0)
    {
      if (begin_span (self, BECKON_MARKDOWN_SPAN_CODE) != NULL)
        self->is_key[self->n_spans - 1] = TRUE;
      else
        self->ignored_spans--;
      return TRUE;
    }
  if (size != strlen ("</kbd>") || g_ascii_strncasecmp (text, "</kbd>", size) != 0)
    return FALSE;
  if (self->ignored_spans == 0 && self->n_spans > 0 && self->is_key[self->n_spans - 1])
    end_span (self);
  return TRUE;
}

static int
markdown_parse_on_text (MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *user_data)
{
  Builder *self = user_data;
  BeckonMarkdownNode *leaf = get_leaf (self);

  if (!spend (self, size))
    return -1;
  if (type == MD_TEXT_NORMAL)
    while (leaf->kind == BECKON_MARKDOWN_HEADING && leaf->text->len == 0 && size > 0 && (*text == '\t' || *text == ' '))
      {
        text++;
        size--;
      }
  if (type == MD_TEXT_BR)
    add_break (leaf, NULL, 0);
  else if (type == MD_TEXT_SOFTBR)
    g_string_append_c (leaf->text, '\n');
  else if (type == MD_TEXT_HTML)
    {
      if (leaf->kind == BECKON_MARKDOWN_HTML)
        beckon_markdown_maths_restore (text, size, TRUE, leaf->text);
      else
        {
          /* Within a table's cell there is no other way to break a line. */
          if (size >= 4 && size <= 6 && g_ascii_strncasecmp (text, "<br", 3) == 0 && text[size - 1] == '>'
              && strspn (text + 3, " /") >= size - 4)
            add_break (leaf, text, size);
          else if (!self->is_rich || !takes_key_tag (self, text, size))
            {
              BeckonMarkdownSpan *span = markdown_node_add_span (leaf, BECKON_MARKDOWN_SPAN_HTML);

              beckon_markdown_maths_restore (text, size, TRUE, leaf->text);
              span->end = (guint) leaf->text->len;
            }
        }
    }
  else if (type == MD_TEXT_LATEXMATH)
    beckon_markdown_maths_restore_formula (text, size, leaf->text);
  else if (type == MD_TEXT_CODE && leaf->kind == BECKON_MARKDOWN_CELL)
    {
      /* A bar within a table has a backslash before it, within code too. */
      for (gsize i = 0; i < size; i++)
        {
          if (text[i] == '\\' && i + 1 < size && text[i + 1] == '|')
            continue;
          beckon_markdown_maths_restore (text + i, 1, TRUE, leaf->text);
        }
    }
  else
    markdown_parse_append_part (type, text, size, leaf->text);
  return 0;
}

/* The whole */

static const MD_PARSER parsers[] = {
  [BECKON_MARKDOWN_COMMONMARK] = {
    .flags = MD_DIALECT_COMMONMARK,
    .enter_block = on_enter_block,
    .leave_block = on_leave_block,
    .enter_span = on_enter_span,
    .leave_span = on_leave_span,
    .text = markdown_parse_on_text,
  },
  [BECKON_MARKDOWN_RICH] = {
    .flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_PERMISSIVEURLAUTOLINKS
             | MD_FLAG_LATEXMATHSPANS,
    .enter_block = on_enter_block,
    .leave_block = on_leave_block,
    .enter_span = on_enter_span,
    .leave_span = on_leave_span,
    .text = markdown_parse_on_text,
  },
};

static void
parse_rest (GPtrArray *blocks, const char *text, gsize length, BeckonMarkdownFlags flags)
{
  Builder builder = { .blocks = blocks, .budget = length * MOST_GROWTH + FREE_GROWTH,
                      .is_rich = flags == BECKON_MARKDOWN_RICH };
  g_autoptr (GString) mended = flags == BECKON_MARKDOWN_RICH ? beckon_markdown_table_mend (text, length) : NULL;
  const char *source = mended != NULL ? mended->str : text;
  gsize size = mended != NULL ? mended->len : length;
  g_autoptr (GString) prepared = flags == BECKON_MARKDOWN_RICH ? beckon_markdown_maths_prepare (source, size) : NULL;
  guint before = blocks->len;

  if (prepared != NULL)
    {
      source = prepared->str;
      size = prepared->len;
    }

  /* Not every error from within comes out again. */
  if (md_parse (source, (MD_SIZE) size, &parsers[flags], &builder) != 0 || builder.is_spent)
    {
      BeckonMarkdownNode *node;

      g_ptr_array_set_size (blocks, (int) before);
      node = markdown_node_new (BECKON_MARKDOWN_PARAGRAPH);
      g_string_append_len (node->text, text, (gssize) length);
      g_ptr_array_add (blocks, node);
    }
}

/* A line ends by a line feed, a carriage return, or both. @length: (inout) */
static char *
dup_with_line_feeds (const char *text, gsize *length)
{
  char *copy = g_malloc (*length + 1);
  gsize n = 0;

  for (gsize i = 0; i < *length; i++)
    if (text[i] != '\r')
      copy[n++] = text[i];
    else if (i + 1 == *length || text[i + 1] != '\n')
      copy[n++] = '\n';
  copy[n] = '\0';
  *length = n;
  return copy;
}

GPtrArray *
beckon_markdown_parse_with (const char *definitions, const char *text, gsize length, BeckonMarkdownFlags flags)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_markdown_node_unref);
  g_autofree char *copy = NULL;
  gsize start, end, whole;
  g_autoptr (GString) joined = NULL;

  if (memchr (text, '\r', length) != NULL)
    text = copy = dup_with_line_feeds (text, &length);

  while (flags == BECKON_MARKDOWN_RICH && (whole = beckon_markdown_maths_find_display (text, length, &start, &end)) > 0)
    {
      BeckonMarkdownNode *node = markdown_node_new (BECKON_MARKDOWN_MATH);

      g_string_append_len (node->text, text + start, (gssize) (end - start));
      g_ptr_array_add (blocks, node);
      text += whole;
      length -= whole;
    }

  if (length == 0)
    return blocks;
  if (definitions == NULL)
    {
      parse_rest (blocks, text, length, flags);
      return blocks;
    }
  joined = g_string_new (definitions);
  g_string_append_c (joined, '\n');
  g_string_append_len (joined, text, (gssize) length);
  parse_rest (blocks, joined->str, joined->len, flags);
  return blocks;
}

GPtrArray *
beckon_markdown_parse (const char *text, gsize length, BeckonMarkdownFlags flags)
{
  return beckon_markdown_parse_with (NULL, text, length, flags);
}
