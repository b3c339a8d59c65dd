/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-effort.h"

G_BEGIN_DECLS

/**
 * BeckonEffortLevels:
 * @BECKON_EFFORT_LEVEL_NONE: "none"
 * @BECKON_EFFORT_LEVEL_MINIMAL: "minimal"
 * @BECKON_EFFORT_LEVEL_LOW: "low"
 * @BECKON_EFFORT_LEVEL_MEDIUM: "medium"
 * @BECKON_EFFORT_LEVEL_HIGH: "high"
 * @BECKON_EFFORT_LEVEL_XHIGH: "xhigh"
 * @BECKON_EFFORT_LEVEL_MAX: "max"
 *
 * The levels of reasoning that a model has, by the words that makers of models have for them; 0 where nobody knows.
 */
typedef enum
{
  BECKON_EFFORT_LEVEL_NONE = 1 << 0,
  BECKON_EFFORT_LEVEL_MINIMAL = 1 << 1,
  BECKON_EFFORT_LEVEL_LOW = 1 << 2,
  BECKON_EFFORT_LEVEL_MEDIUM = 1 << 3,
  BECKON_EFFORT_LEVEL_HIGH = 1 << 4,
  BECKON_EFFORT_LEVEL_XHIGH = 1 << 5,
  BECKON_EFFORT_LEVEL_MAX = 1 << 6,
} BeckonEffortLevels;

#define BECKON_EFFORT_LEVELS_ALL ((1 << 7) - 1)

/** The level that a word stands for; 0 if it is none of them. */
guint beckon_effort_level_from_word (const char *word);

/** The words, the least first, with a space between. Caller frees. */
char *beckon_effort_levels_dup_words (guint levels) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_effort_levels_choose:
 * @levels: not 0
 * @effort: not the default
 *
 * Returns: the word of the level that is nearest to @effort, and of two the higher: the least of them for no reasoning, the
 *   most for as much as possible; reasoning is never switched off by anything else. Static
 */
const char *beckon_effort_levels_choose (guint levels, BeckonEffort effort);

G_END_DECLS
