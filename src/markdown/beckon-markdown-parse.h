/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-markdown-node.h"

G_BEGIN_DECLS

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
