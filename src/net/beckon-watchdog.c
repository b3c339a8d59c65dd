/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-watchdog.h"

void
beckon_watchdog_init (BeckonWatchdog *watchdog, BeckonClock *clock, void (*function) (gpointer user_data),
                      gpointer user_data)
{
  *watchdog = (BeckonWatchdog) { .clock = clock, .function = function, .user_data = user_data };
}

static gboolean
on_timeout (gpointer user_data)
{
  BeckonWatchdog *self = user_data;
  gint64 end = self->since + self->seconds * G_TIME_SPAN_SECOND;
  gint64 left = end - beckon_clock_get_monotonic_time (self->clock);

  self->timeout = 0;
  if (left > 0)
    self->timeout = beckon_clock_add_timeout (self->clock, (guint) (left / 1000 + 1), on_timeout, self);
  else
    self->function (self->user_data);
  return G_SOURCE_REMOVE;
}

void
beckon_watchdog_arm (BeckonWatchdog *watchdog, guint seconds)
{
  beckon_watchdog_disarm (watchdog);
  beckon_watchdog_touch (watchdog);
  watchdog->seconds = seconds;
  if (seconds > 0)
    watchdog->timeout = beckon_clock_add_timeout (watchdog->clock, seconds * 1000, on_timeout, watchdog);
}

void
beckon_watchdog_touch (BeckonWatchdog *watchdog)
{
  watchdog->since = beckon_clock_get_monotonic_time (watchdog->clock);
}

void
beckon_watchdog_disarm (BeckonWatchdog *watchdog)
{
  if (watchdog->timeout != 0)
    beckon_clock_remove (watchdog->clock, watchdog->timeout);
  watchdog->timeout = 0;
}
