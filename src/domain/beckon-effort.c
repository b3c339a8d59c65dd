/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-effort.h"

#include "base/beckon-words.h"

static const char *const words[] = {
  [BECKON_EFFORT_DEFAULT] = "default", [BECKON_EFFORT_OFF] = "off",   [BECKON_EFFORT_LOW] = "low",
  [BECKON_EFFORT_MEDIUM] = "medium",   [BECKON_EFFORT_HIGH] = "high", [BECKON_EFFORT_MAX] = "max",
};

const char *
beckon_effort_to_string (BeckonEffort effort)
{
  g_return_val_if_fail ((guint) effort < BECKON_EFFORT_N_EFFORTS, words[BECKON_EFFORT_DEFAULT]);

  return words[effort];
}

BECKON_WORDS_FROM (BeckonEffort, beckon_effort_from_string, words)
