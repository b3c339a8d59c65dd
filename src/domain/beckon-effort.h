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

G_END_DECLS
