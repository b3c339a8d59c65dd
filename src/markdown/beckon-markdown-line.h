/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The longest line, in bytes that count. */
#define BECKON_MARKDOWN_LONGEST_LINE (16 * 1024)

/** The most bytes of pictures that do not count, of a picture and of all that are cut together. */
#define BECKON_MARKDOWN_LARGEST_PICTURE (8 * 1024 * 1024)

/**
 * BeckonMarkdownLine:
 * @seen: bytes of the line that were looked at
 * @counted: those of them that count
 * @held: those that do not: they are pictures (`![NAME](data:image/TYPE;base64,…)`), which are looked at but not read
 * @run: of them those of the picture that is not over; it is one only if it ends as one does
 * @picture: where that picture begins, if @is_open
 * @tail: how far it is behind that picture's address; 0 within the address
 * @quote: what ends the title that it is in, or 0
 * @has_title: whether there is one
 * @is_open: whether the last one is not over
 * @is_text: a picture in it turned out to be none, and nothing more in it is one
 *
 * The line that is not over, as it comes. Where it ends does not depend on how it is cut on its way. All zero at its beginning.
 */
typedef struct
{
  gsize seen;
  gsize counted;
  gsize held;
  gsize run;
  gsize picture;
  guint tail;
  char quote;
  gboolean has_title;
  gboolean is_open;
  gboolean is_text;
} BeckonMarkdownLine;

/**
 * BeckonMarkdownLineEnd:
 * @BECKON_MARKDOWN_LINE_OPEN: more has to come
 * @BECKON_MARKDOWN_LINE_OVER: at a line break
 * @BECKON_MARKDOWN_LINE_TOO_LONG: in its middle, at a character's beginning
 */
typedef enum
{
  BECKON_MARKDOWN_LINE_OPEN,
  BECKON_MARKDOWN_LINE_OVER,
  BECKON_MARKDOWN_LINE_TOO_LONG,
} BeckonMarkdownLineEnd;

/**
 * beckon_markdown_line_look:
 * @line: what is known of it
 * @begin: the line's first byte, behind which there are @left
 * @room: how many bytes of pictures there may be in it; the same each time
 *
 * Looks at what came since the last time. The line, or its part, ends behind @line's `seen` bytes; the line break is not among
 * them.
 */
BeckonMarkdownLineEnd beckon_markdown_line_look (BeckonMarkdownLine *line, const char *begin, gsize left, gsize room);

G_END_DECLS
