/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

G_BEGIN_DECLS

#define BECKON_TYPE_LONG_RUNS (beckon_long_runs_get_type ())
G_DECLARE_FINAL_TYPE (BeckonLongRuns, beckon_long_runs, BECKON, LONG_RUNS, GObject)

/**
 * BeckonLongRuns:
 *
 * Knows for how long the runs of this process have worked since the person last did something in them. Signal `ended`
 * (#BeckonConversation): a run is over that took at least as long as the setting `notify-after` says, and nobody ended it.
 * Main thread.
 */

/** @clock: what measures. */
BeckonLongRuns *beckon_long_runs_new (BeckonRuntime *runtime, BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
