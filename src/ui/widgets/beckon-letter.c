/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-letter.h"

/* Syllables and ideographs come apart too, but not into a letter and an accent. */
#define LAST_ACCENTED ((gunichar) 0x1fff)

gunichar
beckon_letter_fold (gunichar letter)
{
  gunichar base, mark;

  if (g_unichar_isspace (letter))
    return ' ';
  while (letter > 0x7f && letter <= LAST_ACCENTED && g_unichar_decompose (letter, &base, &mark))
    letter = base;
  return g_unichar_tolower (letter);
}

gunichar
beckon_letter_fold_apart (gunichar letter, gunichar *second)
{
  gunichar folded = beckon_letter_fold (letter);

  switch (folded)
    {
    case 0xdf: /* ß */
      *second = 's';
      return 's';

    case 0xe6: /* æ */
      *second = 'e';
      return 'a';

    case 0x153: /* œ */
      *second = 'e';
      return 'o';

    default:
      *second = 0;
      return folded;
    }
}

gboolean
beckon_letter_is_in_word (gunichar letter)
{
  return g_unichar_isalnum (letter) && !g_unichar_iswide (letter);
}
