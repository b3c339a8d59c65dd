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

G_END_DECLS
