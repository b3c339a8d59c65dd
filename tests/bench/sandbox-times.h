/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox/beckon-sandbox.h"

/** Microseconds that a command takes that does nothing, from its start to the end of the wait for it. */
gint64 time_sandbox (const BeckonSandboxOptions *options);

/** The same by bubblewrap that isolates nothing. */
gint64 time_bare (void);

/** Milliseconds. Sorts @times, microseconds. */
double median_ms (gint64 *times, gsize n_times);
