/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonMarkdownKind:
 * @BECKON_MARKDOWN_PARAGRAPH: a leaf with inline spans
 * @BECKON_MARKDOWN_HEADING: a leaf with inline spans and a level
 * @BECKON_MARKDOWN_CODE: a leaf without spans; its text keeps its line breaks, the last one too
 * @BECKON_MARKDOWN_HTML: a leaf without spans: raw HTML, which is nothing but text
 * @BECKON_MARKDOWN_MATH: a leaf without spans: what stood between the marks of a displayed formula
 * @BECKON_MARKDOWN_RULE: a leaf without text
 * @BECKON_MARKDOWN_QUOTE: holds blocks
 * @BECKON_MARKDOWN_LIST: holds items
 * @BECKON_MARKDOWN_ITEM: holds blocks
 * @BECKON_MARKDOWN_TABLE: holds rows, of which the first one is the heading
 * @BECKON_MARKDOWN_ROW: holds cells
 * @BECKON_MARKDOWN_CELL: a leaf with inline spans
 */
typedef enum
{
  BECKON_MARKDOWN_PARAGRAPH,
  BECKON_MARKDOWN_HEADING,
  BECKON_MARKDOWN_CODE,
  BECKON_MARKDOWN_HTML,
  BECKON_MARKDOWN_MATH,
  BECKON_MARKDOWN_RULE,
  BECKON_MARKDOWN_QUOTE,
  BECKON_MARKDOWN_LIST,
  BECKON_MARKDOWN_ITEM,
  BECKON_MARKDOWN_TABLE,
  BECKON_MARKDOWN_ROW,
  BECKON_MARKDOWN_CELL,
} BeckonMarkdownKind;

typedef enum
{
  BECKON_MARKDOWN_ALIGN_START,
  BECKON_MARKDOWN_ALIGN_LEFT,
  BECKON_MARKDOWN_ALIGN_CENTER,
  BECKON_MARKDOWN_ALIGN_RIGHT,
} BeckonMarkdownAlign;

typedef enum
{
  BECKON_MARKDOWN_NO_TASK,
  BECKON_MARKDOWN_TASK_OPEN,
  BECKON_MARKDOWN_TASK_DONE,
} BeckonMarkdownTask;

/**
 * BeckonMarkdownSpanKind:
 * @BECKON_MARKDOWN_SPAN_LINK: its target is the address, as it was written
 * @BECKON_MARKDOWN_SPAN_IMAGE: its target is the address, its text what stands for the picture
 * @BECKON_MARKDOWN_SPAN_MATH: LaTeX; the target is "display" where the formula has a line of its own
 * @BECKON_MARKDOWN_SPAN_HTML: raw HTML, which is nothing but text
 * @BECKON_MARKDOWN_SPAN_BREAK: one line break that was asked for; the others in a text are only where a line of the
 *   source ended. The target is what it was written as where that was a tag.
 */
typedef enum
{
  BECKON_MARKDOWN_SPAN_EMPHASIS,
  BECKON_MARKDOWN_SPAN_STRONG,
  BECKON_MARKDOWN_SPAN_STRUCK,
  BECKON_MARKDOWN_SPAN_CODE,
  BECKON_MARKDOWN_SPAN_LINK,
  BECKON_MARKDOWN_SPAN_IMAGE,
  BECKON_MARKDOWN_SPAN_MATH,
  BECKON_MARKDOWN_SPAN_HTML,
  BECKON_MARKDOWN_SPAN_BREAK,
} BeckonMarkdownSpanKind;

/**
 * BeckonMarkdownSpan:
 * @start: its first byte in the leaf's text
 * @end: the byte after its last one
 * @target: (nullable): see the kinds
 * @title: (nullable): of a link or an image
 *
 * A stretch of a leaf's text. Spans are in the order in which they begin, outer ones first, and are nested or apart.
 */
typedef struct
{
  BeckonMarkdownSpanKind kind;
  guint start;
  guint end;
  char *target;
  char *title;
} BeckonMarkdownSpan;

/**
 * BeckonMarkdownNode:
 * @kind: what it is
 * @level: a heading's level, 1 to 6
 * @is_tight: a list whose items are not set apart
 * @is_ordered: a list whose items are numbered
 * @first_number: the number of its first item
 * @task: whether an item is a task, and done
 * @align: of a cell
 * @info: (nullable): what stands behind a code block's fence; its first word is the language
 * @text: (nullable): of a leaf, without any marks
 * @spans: (nullable) (element-type BeckonMarkdownSpan): of a leaf that may have some
 * @children: (nullable) (element-type BeckonMarkdownNode): of what is no leaf
 *
 * A block, with all that is in it. It does not change once it is complete. Nothing in it is markup any more: the text
 * is to be shown as it stands, and targets go nowhere by themselves.
 */
typedef struct
{
  BeckonMarkdownKind kind;
  guint level;
  gboolean is_tight;
  gboolean is_ordered;
  guint first_number;
  BeckonMarkdownTask task;
  BeckonMarkdownAlign align;
  char *info;
  GString *text;
  GArray *spans;
  GPtrArray *children;

  guint ref_count;
} BeckonMarkdownNode;

BeckonMarkdownNode *beckon_markdown_node_ref (BeckonMarkdownNode *node);

void                beckon_markdown_node_unref (BeckonMarkdownNode *node);

/** TRUE if both say the same, with all that is in them. */
gboolean beckon_markdown_node_equal (const BeckonMarkdownNode *a, const BeckonMarkdownNode *b);

/** TRUE if it has text, and may have spans. */
gboolean beckon_markdown_kind_has_spans (BeckonMarkdownKind kind);

/** Its @index-th child, lent. */
BeckonMarkdownNode *beckon_markdown_node_get_child (const BeckonMarkdownNode *node, guint index);

guint               beckon_markdown_node_get_n_children (const BeckonMarkdownNode *node);

/** Its @index-th span, lent. */
const BeckonMarkdownSpan *beckon_markdown_node_get_span (const BeckonMarkdownNode *node, guint index);

guint                     beckon_markdown_node_get_n_spans (const BeckonMarkdownNode *node);

/** The language of a code block, the first word of its info. Returns: (nullable): caller frees. */
char *beckon_markdown_node_dup_language (const BeckonMarkdownNode *node) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMarkdownNode, beckon_markdown_node_unref)

/** Containers within containers, and spans within spans; what lies deeper is shown as part of the deepest. */
#define BECKON_MARKDOWN_DEEPEST 24

/**
 * BeckonMarkdownFlags:
 * @BECKON_MARKDOWN_COMMONMARK: what CommonMark has, and nothing else
 * @BECKON_MARKDOWN_RICH: tables, task lists, struck text, bare addresses as links, and formulas too
 */
typedef enum
{
  BECKON_MARKDOWN_COMMONMARK,
  BECKON_MARKDOWN_RICH,
} BeckonMarkdownFlags;

/**
 * beckon_markdown_parse:
 * @text: valid UTF-8 without control characters but line breaks and tabs
 * @length: its bytes
 * @flags: the dialect
 *
 * Parses a whole text at once. The time is bounded by its length; for a text that would grow when it is parsed (a
 * definition that is used thousands of times) the result is one block of text as it was written.
 *
 * Returns: (transfer full) (element-type BeckonMarkdownNode): its blocks
 */
GPtrArray *beckon_markdown_parse (const char *text, gsize length, BeckonMarkdownFlags flags) G_GNUC_WARN_UNUSED_RESULT;

/** The same, with link @definitions (nullable) that the text may use, as Markdown of their own. */
GPtrArray *beckon_markdown_parse_with (const char *definitions, const char *text, gsize length,
                                       BeckonMarkdownFlags flags) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
