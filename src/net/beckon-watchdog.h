/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"

G_BEGIN_DECLS

/**
 * BeckonWatchdog:
 *
 * Tells when nothing happened for a while. That something happened costs only a note of the time: no source is made
 * or moved for it. A part of the object that it watches. Members are its own.
 */
typedef struct
{
  BeckonClock *clock;
  void (*function) (gpointer user_data);
  gpointer user_data;
  guint seconds;
  gint64 since;
  guint timeout;
} BeckonWatchdog;

/** @function is called when time is over; it may arm, disarm, or free what the watchdog is part of. */
void beckon_watchdog_init (BeckonWatchdog *watchdog, BeckonClock *clock, void (*function) (gpointer user_data),
                           gpointer user_data);

/** Begins to watch, with another limit than before; 0 seconds do not watch at all. */
void beckon_watchdog_arm (BeckonWatchdog *watchdog, guint seconds);

/** Something happened: time begins anew. */
void beckon_watchdog_touch (BeckonWatchdog *watchdog);

void beckon_watchdog_disarm (BeckonWatchdog *watchdog);

G_END_DECLS
