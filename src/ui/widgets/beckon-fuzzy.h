/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-matcher.h"

G_BEGIN_DECLS

/**
 * BeckonFuzzy:
 *
 * Words that somebody typed hastily, looked for in short texts such as titles: each must be there, in any order, its letters in
 * theirs. Letters may be left out, most cheaply those that do not begin a word. Case and accents do not count. Immutable.
 */
typedef struct _BeckonFuzzy BeckonFuzzy;

/** %NULL if @words are blank. Free it with g_free(). */
BeckonFuzzy *beckon_fuzzy_new (const char *words) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_fuzzy_match:
 * @fuzzy: what is looked for
 * @text: where; of a long one only the beginning is looked at
 * @matches: (out) (optional): (element-type BeckonMatch) (transfer full): the bytes that fit, in order; set if they do
 *
 * Returns: how well it fits, more is better; 0 if it does not
 */
guint beckon_fuzzy_match (const BeckonFuzzy *fuzzy, const char *text, GArray **matches);

/** Stricter, for longer texts: whether each word stands in @text, from the beginning of a word on. */
gboolean beckon_fuzzy_is_in (const BeckonFuzzy *fuzzy, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonFuzzy, g_free)

G_END_DECLS
