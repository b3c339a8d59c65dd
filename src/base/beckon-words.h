/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Finds @word, which may be %NULL, among the words of an enumeration's values; a value without a word has %NULL. */
gboolean beckon_words_find (const char *const *words, guint n_words, const char *word, guint *index);

/**
 * BECKON_WORDS_TO: (skip)
 * @Enum: an enumeration whose values count from 0
 * @function: the name of the function
 * @words: a constant array with a word for each value
 *
 * Defines `function (value)`, which returns the value's word: static, never %NULL for a value of @Enum.
 */
#define BECKON_WORDS_TO(Enum, function, words)                                                                                \
  const char *function (Enum value)                                                                                          \
  {                                                                                                                           \
    g_return_val_if_fail ((guint) value < G_N_ELEMENTS (words), NULL);                                                        \
                                                                                                                              \
    return (words)[value];                                                                                                    \
  }

/** BECKON_WORDS_FROM: (skip): the same for `function (word, &value)`, which returns %FALSE and leaves the value as it is where
 *  @word is none of them, or %NULL. */
#define BECKON_WORDS_FROM(Enum, function, words)                                                                              \
  gboolean function (const char *word, Enum *value)                                                                           \
  {                                                                                                                           \
    guint index;                                                                                                              \
                                                                                                                              \
    g_return_val_if_fail (value != NULL, FALSE);                                                                              \
                                                                                                                              \
    if (!beckon_words_find (words, G_N_ELEMENTS (words), word, &index))                                                       \
      return FALSE;                                                                                                           \
    *value = (Enum) index;                                                                                                    \
    return TRUE;                                                                                                              \
  }

G_END_DECLS
