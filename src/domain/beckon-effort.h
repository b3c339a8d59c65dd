/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonEffort:
 * @BECKON_EFFORT_DEFAULT: the model's own; nothing is said about it
 * @BECKON_EFFORT_OFF: no reasoning, or the least that the model can do with
 * @BECKON_EFFORT_LOW: a little
 * @BECKON_EFFORT_MEDIUM: more
 * @BECKON_EFFORT_HIGH: much
 * @BECKON_EFFORT_MAX: as much as the model can
 *
 * How much a model reasons before it answers. A conversation has one; each protocol and model has words of its own for it.
 */
typedef enum
{
  BECKON_EFFORT_DEFAULT,
  BECKON_EFFORT_OFF,
  BECKON_EFFORT_LOW,
  BECKON_EFFORT_MEDIUM,
  BECKON_EFFORT_HIGH,
  BECKON_EFFORT_MAX,
} BeckonEffort;

#define BECKON_EFFORT_N_EFFORTS (BECKON_EFFORT_MAX + 1)

/** The word by which an effort is stored and written on a command line: "default", "off", "low", "medium", "high", "max";
 *  static. */
const char *beckon_effort_to_string (BeckonEffort effort);

/** %FALSE if @word is none of them; @effort is left alone then. */
gboolean beckon_effort_from_string (const char *word, BeckonEffort *effort);

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
