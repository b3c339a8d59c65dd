/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/**
 * HistoryWords:
 *
 * Writes text as people and models do as far as an index can tell: a few words make up most of it, most words are rare, and a
 * part of it is Chinese. The same seed writes the same text.
 */
typedef struct _HistoryWords HistoryWords;

HistoryWords *history_words_new (guint64 seed);
void          history_words_free (HistoryWords *words);

/** From now on nothing is Chinese: its fonts are large, and a process that shows them alone has them to itself. */
void history_words_use_english (HistoryWords *words);

/** A number below @end. */
guint history_words_number (HistoryWords *words, guint end);

/** Text of @length bytes, or up to three less. Caller frees. */
char *history_words_write (HistoryWords *words, gsize length);

/** The word of a rank, 0 being the most common; for queries. Caller frees. */
char *history_words_english (guint rank);
char *history_words_chinese (guint rank);

#define HISTORY_WORDS_ENGLISH 30000
#define HISTORY_WORDS_CHINESE 2000

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HistoryWords, history_words_free)
