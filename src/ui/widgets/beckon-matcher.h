/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The range of a match in a text, in bytes: [start, end). */
typedef struct
{
  guint start;
  guint end;
} BeckonMatch;

/**
 * BeckonMatcher:
 *
 * Looks for what a person typed in a text that is shown, without regard to case, accents or the kind of white space.
 * Immutable; any thread.
 */
typedef struct _BeckonMatcher BeckonMatcher;

/** Looks for @text as it is. %NULL if it is blank. Caller owns. */
BeckonMatcher *beckon_matcher_new (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/**
 * Looks for each of @words, and for each phrase in quotation marks, as beckon_store_search_async() does: from the beginning of
 * a word on, and but for the last one to its end. %NULL if there is none. Caller owns.
 */
BeckonMatcher *beckon_matcher_new_words (const char *words) G_GNUC_WARN_UNUSED_RESULT;

BeckonMatcher *beckon_matcher_ref (BeckonMatcher *matcher);
void           beckon_matcher_unref (BeckonMatcher *matcher);

/** All matches in @text, in order, none over another: (element-type BeckonMatch) (transfer full). */
GArray *beckon_matcher_find (const BeckonMatcher *matcher, const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMatcher, beckon_matcher_unref)

/** A letter without its case and accents, which people leave out when they look for something; white space is a space. */
gunichar beckon_letter_fold (gunichar letter) G_GNUC_CONST;

/** Whether it is part of a word of letters; a character that is written without spaces between words is a word by itself. */
gboolean beckon_letter_is_in_word (gunichar letter) G_GNUC_CONST;

G_END_DECLS
