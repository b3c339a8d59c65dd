/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CLOCK (beckon_clock_get_type ())
G_DECLARE_FINAL_TYPE (BeckonClock, beckon_clock, BECKON, CLOCK, GObject)

/**
 * BeckonClock:
 *
 * Time, injected, so that a test need not wait for it. The system's clock reads the machine's and uses GLib's
 * timeouts; a manual one moves only by beckon_clock_advance(). Main thread, but for the two readings, which any thread
 * may take.
 */

/** The system's clock; one object for the process. Borrowed. */
BeckonClock *beckon_clock_get_system (void);

/** A clock for tests that starts at @real_time (microseconds since the epoch) and stands still. Caller owns. */
BeckonClock *beckon_clock_new_manual (gint64 real_time) G_GNUC_WARN_UNUSED_RESULT;

/** Microseconds since the epoch; may jump. For display and for order of last resort, never for durations. */
gint64 beckon_clock_get_real_time (BeckonClock *clock);

/** Microseconds that only grow. */
gint64 beckon_clock_get_monotonic_time (BeckonClock *clock);

/**
 * beckon_clock_add_timeout:
 * @clock: the clock
 * @interval_ms: milliseconds until the call, and between calls
 * @function: called on the default main context; return %G_SOURCE_REMOVE to end
 * @user_data: for @function
 *
 * Returns: an id for beckon_clock_remove(), greater than 0
 */
guint beckon_clock_add_timeout (BeckonClock *clock, guint interval_ms, GSourceFunc function, gpointer user_data);

/** Takes a timeout back; 0 is ignored. */
void beckon_clock_remove (BeckonClock *clock, guint id);

/** Moves a manual clock; what falls due is called, in order, before it returns. */
void beckon_clock_advance (BeckonClock *clock, gint64 milliseconds);

G_END_DECLS
