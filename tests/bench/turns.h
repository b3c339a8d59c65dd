/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The main loop's turns: waiting in them, and how long it did not turn. */

void turns_wait_until (gboolean *condition);

/** Lets it turn for so long. */
void turns_rest (guint ms);

typedef struct _Turns Turns;

/** Looks from now on how long the loop stands still between two turns. */
Turns *turns_watch (void);

/** The longest time so far, in milliseconds. */
double turns_get_longest (Turns *turns);

/** The most processor time of this thread between two turns, in milliseconds: what is left of a gap on a machine that does
 * nothing else. */
double turns_get_longest_cpu (Turns *turns);

/** The time that this part of all is not longer than, in milliseconds: 0.99 for the 99th percentile. */
double turns_get_percentile (Turns *turns, double part);

void turns_free (Turns *turns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Turns, turns_free)
