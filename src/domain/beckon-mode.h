/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonMode:
 * @BECKON_MODE_ASK_EVERYTHING: nothing runs unasked, and nothing that a command changed lands in the folder unasked
 * @BECKON_MODE_ASK_CHANGES: what only reads within the folder runs unasked, and commands, whose changes are asked about
 *   before they land; what every conversation begins with
 * @BECKON_MODE_ASK_OUTSIDE: what stays within the folder runs unasked, and lands, but for what other programs run by themselves
 *
 * How much the person wants to be asked where no rule says anything.
 */
typedef enum
{
  BECKON_MODE_ASK_EVERYTHING,
  BECKON_MODE_ASK_CHANGES,
  BECKON_MODE_ASK_OUTSIDE,
} BeckonMode;

#define BECKON_MODE_DEFAULT BECKON_MODE_ASK_CHANGES
#define BECKON_MODE_N_MODES (BECKON_MODE_ASK_OUTSIDE + 1)

/** The word by which a mode is stored and written on a command line: "everything", "changes" or "outside"; static. */
const char *beckon_mode_to_string (BeckonMode mode);

/** %FALSE if @word is none of them; @mode is left alone then. */
gboolean beckon_mode_from_string (const char *word, BeckonMode *mode);

G_END_DECLS
