/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mode.h"

#include "base/beckon-words.h"

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

BECKON_WORDS_FROM (BeckonMode, beckon_mode_from_string, words)
