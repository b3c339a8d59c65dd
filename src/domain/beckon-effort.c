/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-effort.h"

#include "base/beckon-words.h"

#include <stdlib.h>

static const char *const levels_words[] = { "none", "minimal", "low", "medium", "high", "xhigh", "max" };

guint
beckon_effort_level_from_word (const char *word)
{
  for (guint i = 0; word != NULL && i < G_N_ELEMENTS (levels_words); i++)
    if (g_str_equal (word, levels_words[i]))
      return 1u << i;
  return 0;
}

char *
beckon_effort_levels_dup_words (guint levels)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (levels_words); i++)
    if (levels & (1u << i))
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", levels_words[i]);
  return g_string_free (text, FALSE);
}

const char *
beckon_effort_levels_choose (guint levels, BeckonEffort effort)
{
  static const int places[] = {
    [BECKON_EFFORT_OFF] = 0,  [BECKON_EFFORT_LOW] = 2, [BECKON_EFFORT_MEDIUM] = 3,
    [BECKON_EFFORT_HIGH] = 4, [BECKON_EFFORT_MAX] = 6,
  };
  int best = -1;

  g_return_val_if_fail ((levels & BECKON_EFFORT_LEVELS_ALL) != 0, levels_words[0]);
  g_return_val_if_fail (effort > BECKON_EFFORT_DEFAULT && (guint) effort < BECKON_EFFORT_N_EFFORTS, levels_words[0]);

  if (effort != BECKON_EFFORT_OFF && levels != BECKON_EFFORT_LEVEL_NONE)
    levels &= ~(guint) BECKON_EFFORT_LEVEL_NONE;
  for (int i = 0; i < (int) G_N_ELEMENTS (levels_words); i++)
    if ((levels & (1u << i)) != 0 && (best < 0 || abs (i - places[effort]) <= abs (best - places[effort])))
      best = i;
  return levels_words[best];
}

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
