/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonMarkdownScanner:
 *
 * Knows of a text that comes line by line where it can be cut: what stands before the cut and what stands behind it
 * mean the same apart as together. It need not find every such place, but every one that it finds is one. All zero at
 * the start.
 */
typedef struct
{
  gboolean has_lines;     /* since the last cut */
  gboolean was_blank;     /* the last line */
  gboolean was_text;      /* the last line may be a paragraph's */
  gboolean has_list;      /* there may be a list that goes on */
  gboolean is_clean;      /* every line since the beginning of its last item is that item's */
  gboolean is_lost;       /* what the last lines are cannot be told from here: no more cuts but with force */
  gsize item_indent;      /* where the text of its last item begins; 0 without */
  char inner_fence;       /* of code that is open within an item or a quote; 0 without */
  gsize inner_length;
  gboolean is_in_quote;   /* that code; it ends with the quote, in the next line that has no mark of it */
  gboolean is_sure;       /* that it is code */
  gboolean has_html;      /* there may be raw HTML that ends with an empty line */
  const char *html_end;   /* (nullable): the raw HTML that is open ends with a line that has this */

  char fence;             /* of the code that is open: '`' or '~'; 0 without */
  gsize fence_length;
  gsize fence_indent;
  gboolean is_code_only;  /* there is nothing but the code since the last cut */
} BeckonMarkdownScanner;

/**
 * BeckonMarkdownCut:
 * @BECKON_MARKDOWN_CUT_BEFORE: the text can be cut before the line
 * @BECKON_MARKDOWN_CUT_AFTER: and after it
 */
typedef enum
{
  BECKON_MARKDOWN_CUT_NOWHERE = 0,
  BECKON_MARKDOWN_CUT_BEFORE = 1 << 0,
  BECKON_MARKDOWN_CUT_AFTER = 1 << 1,
} BeckonMarkdownCut;

/** @line: a whole line of @length bytes without its line break, not ended by NUL. */
BeckonMarkdownCut beckon_markdown_scanner_take_line (BeckonMarkdownScanner *scanner, const char *line, gsize length);

/** The text is cut before the next line, whatever it is. */
void beckon_markdown_scanner_cut (BeckonMarkdownScanner *scanner);

G_END_DECLS
