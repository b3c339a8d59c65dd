/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-words.h"

gboolean
beckon_words_find (const char *const *words, guint n_words, const char *word, guint *index)
{
  for (*index = 0; word != NULL && *index < n_words; ++*index)
    if (g_strcmp0 (words[*index], word) == 0)
      return TRUE;
  return FALSE;
}
