/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/sqlite/beckon-fault.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define BECKON_TYPE_HEALTH (beckon_health_get_type ())
G_DECLARE_FINAL_TYPE (BeckonHealth, beckon_health, BECKON, HEALTH, GObject)

/**
 * BeckonHealth:
 *
 * What a person must know about the files of the store: what is wrong now, in words that say what to do, and what was found
 * and repaired at the start. Every front end shows it; none decides it. Main thread.
 *
 * Properties, all read-only and notified: `problem` (a string, %NULL while nothing is wrong), `notice` (a string, %NULL once
 * it was dismissed), `n-unsaved` (how many changes are kept in memory because they could not be written).
 */

BeckonHealth *beckon_health_new (void) G_GNUC_WARN_UNUSED_RESULT;

BeckonFault beckon_health_get_fault (BeckonHealth *health);

/** (nullable): what is wrong now and what to do about it. Borrowed. */
const char *beckon_health_get_problem (BeckonHealth *health);

/** Changes that are kept in memory and are written as soon as they can be. */
guint beckon_health_get_n_unsaved (BeckonHealth *health);

/** (nullable): what happened to the files before, such as a repair. Borrowed. */
const char *beckon_health_get_notice (BeckonHealth *health);

/** %TRUE while the notice is about a repair, from which a copy may have more. */
gboolean beckon_health_get_is_repaired (BeckonHealth *health);

/** The store says what it found. @is_lasting: it will not pass while this program runs. */
void beckon_health_set (BeckonHealth *health, BeckonFault fault, gboolean is_lasting, guint n_unsaved);

/** @notice: (nullable): what to tell until it is dismissed. @is_repaired: it is about a repair. */
void beckon_health_set_notice (BeckonHealth *health, const char *notice, gboolean is_repaired);

G_END_DECLS
