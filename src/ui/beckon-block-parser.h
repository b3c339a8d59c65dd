/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonBlockKind:
 * @BECKON_BLOCK_PLAIN: text without marks of any kind; the parser makes none
 * @BECKON_BLOCK_TABLE: lines that begin with a bar; it is a table if the second one is a line of dashes
 */
typedef enum
{
  BECKON_BLOCK_PLAIN,
  BECKON_BLOCK_PARAGRAPH,
  BECKON_BLOCK_HEADING,
  BECKON_BLOCK_LIST_ITEM,
  BECKON_BLOCK_QUOTE,
  BECKON_BLOCK_CODE,
  BECKON_BLOCK_RULE,
  BECKON_BLOCK_TABLE,
} BeckonBlockKind;

/**
 * BeckonBlock:
 * @kind: what it is
 * @level: a heading's level, or how deep a list item lies, from 0
 * @marker: (nullable): a numbered list item's marker such as "3.", a code block's language
 * @text: what it holds, its own marks taken away, inline marks left in
 *
 * One block of light Markdown.
 */
typedef struct
{
  BeckonBlockKind kind;
  guint level;
  char *marker;
  GString *text;
} BeckonBlock;

typedef struct _BeckonBlockParser BeckonBlockParser;

/** Called with each block that is complete: it will not change any more. @block is lent. */
typedef void (*BeckonBlockFunc) (const BeckonBlock *block, gpointer user_data);

BeckonBlockParser *beckon_block_parser_new (BeckonBlockFunc function, gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_block_parser_free (BeckonBlockParser *parser);

/** Takes more text, cut anywhere. Linear in what is fed. */
void beckon_block_parser_feed (BeckonBlockParser *parser, const char *text, gsize length);

/** The text is over: completes the block that is open. More text begins a new one. */
void beckon_block_parser_finish (BeckonBlockParser *parser);

/**
 * beckon_block_parser_get_open:
 * @parser: the parser
 * @tail: (out): the line that is still coming, to be shown after the block's text
 *
 * What is not complete yet. Its text only grows until the block is complete.
 *
 * Returns: (transfer none) (nullable): the open block, lent until the next call; %NULL if nothing is open
 */
const BeckonBlock *beckon_block_parser_get_open (BeckonBlockParser *parser, const char **tail);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonBlockParser, beckon_block_parser_free)

G_END_DECLS
