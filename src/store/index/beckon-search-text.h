/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The range of a match within a snippet, in bytes. */
typedef struct
{
  guint start;
  guint length;
} BeckonSearchMatch;

/**
 * BeckonSearchHit:
 * @conversation_id: where it was found
 * @title: of the conversation
 * @message_id: (nullable): which of its messages; %NULL when it was found in the title
 * @at: when the message came, or the conversation was last written to; microseconds since the epoch
 * @snippet: the text around what was found, on one line, fit to be shown
 * @matches: (element-type BeckonSearchMatch): in @snippet
 *
 * One place where something was found. Any thread.
 */
typedef struct
{
  char *conversation_id;
  char *title;
  char *message_id;
  gint64 at;
  char *snippet;
  GArray *matches;
} BeckonSearchHit;

/** Empty. Caller owns. */
BeckonSearchHit *beckon_search_hit_new (void) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_search_hit_free (BeckonSearchHit *hit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonSearchHit, beckon_search_hit_free)

/**
 * beckon_search_text_prepare:
 * @text: bytes that claim to be text
 * @length: how many
 *
 * What is put into the index in place of a text. Pure; any thread. Caller frees.
 */
char *beckon_search_text_prepare (const char *text, gsize length) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_search_text_to_query:
 * @words: what a person typed, whatever it is
 *
 * Every word has to be found; what stands between quotation marks in this order; the last word may be the beginning of one.
 *
 * Returns: (transfer full) (nullable): an expression that the index understands; %NULL if there is nothing to look for
 */
char *beckon_search_text_to_query (const char *words) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_search_text_is_one_letter:
 * @words: what a person typed, without blanks around it
 *
 * Returns: whether it is a letter or a digit that is found only where it stands alone; one of Chinese, Japanese or Korean
 *   is found wherever it stands. Pure; any thread
 */
gboolean beckon_search_text_is_one_letter (const char *words);

/** Begin and end of a match in a text the index gives out for beckon_search_text_mark(). */
#define BECKON_SEARCH_TEXT_BEGIN 1
#define BECKON_SEARCH_TEXT_END 2

/** Takes the marks and what preparing added out of @marked, into the snippet and the matches of @hit, on one line. */
void beckon_search_text_mark (const char *marked, BeckonSearchHit *hit);

G_END_DECLS
