/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-markdown-parse.h"

G_BEGIN_DECLS

/**
 * BeckonMarkdownStream:
 *
 * Markdown that grows. A block that is over is settled: it is parsed once and stays the node that it is. What follows
 * the last of them is open, and parsed again at each update; code between fences only grows, and is not parsed again at
 * all. A link that is defined further down than it is used becomes one when the text is finished.
 *
 * However a text is cut on its way, the nodes at the end are the same.
 */
typedef struct _BeckonMarkdownStream BeckonMarkdownStream;

BeckonMarkdownStream *beckon_markdown_stream_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_markdown_stream_free (BeckonMarkdownStream *stream);

/**
 * beckon_markdown_stream_feed:
 * @stream: the stream
 * @text: UTF-8 without control characters but line breaks and tabs, cut anywhere; see beckon_text_for_display()
 * @length: its bytes
 *
 * More text. Linear in what is fed.
 */
void beckon_markdown_stream_feed (BeckonMarkdownStream *stream, const char *text, gsize length);

/** The text is over: settles everything, and the links that are defined late. Nothing is to be fed any more. */
void beckon_markdown_stream_finish (BeckonMarkdownStream *stream);

/**
 * beckon_markdown_stream_update:
 * @stream: the stream
 *
 * Parses what is open.
 *
 * Returns: the first block that is new or may have changed since the last update; blocks before it are the same nodes
 */
guint beckon_markdown_stream_update (BeckonMarkdownStream *stream);

/** As of the last update: how many blocks there are, and the @index-th, lent until the next update. */
guint               beckon_markdown_stream_get_n_blocks (BeckonMarkdownStream *stream);
BeckonMarkdownNode *beckon_markdown_stream_get_block (BeckonMarkdownStream *stream, guint index);

/** All of them (element-type BeckonMarkdownNode), lent until the next update. */
GPtrArray *beckon_markdown_stream_get_blocks (BeckonMarkdownStream *stream);

/** How many of them are settled. */
guint beckon_markdown_stream_get_n_settled (BeckonMarkdownStream *stream);

/**
 * beckon_markdown_stream_get_source:
 * @stream: the stream
 * @index: a block
 * @length: (out): bytes of the result
 *
 * Returns: (transfer none): the Markdown that the block comes from, with its neighbours where they cannot be parted;
 * not ended by   NUL, lent until more is fed
 */
const char *beckon_markdown_stream_get_source (BeckonMarkdownStream *stream, guint index, gsize *length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMarkdownStream, beckon_markdown_stream_free)

G_END_DECLS
