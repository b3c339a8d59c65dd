/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mode.h"

static const char *const words[] = {
  [BECKON_MODE_ASK_EVERYTHING] = "everything",
  [BECKON_MODE_ASK_CHANGES] = "changes",
  [BECKON_MODE_ASK_OUTSIDE] = "outside",
};

const char *
beckon_mode_to_string (BeckonMode mode)
{
  g_return_val_if_fail ((guint) mode < BECKON_MODE_N_MODES, words[BECKON_MODE_ASK_EVERYTHING]);

  return words[mode];
}

gboolean
beckon_mode_from_string (const char *word, BeckonMode *mode)
{
  g_return_val_if_fail (mode != NULL, FALSE);

  for (guint i = 0; word != NULL && i < BECKON_MODE_N_MODES; i++)
    if (g_str_equal (word, words[i]))
      {
        *mode = (BeckonMode) i;
        return TRUE;
      }

  return FALSE;
}
