/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-ui-fixture.h"

G_BEGIN_DECLS

/** The clock that a program linked with --wrap=beckon_clock_get_system has as the system's: it stands still until it is moved. */
BeckonClock *moved_clock_get (void);

/** ui_wait_until() for what comes with that clock, which is moved on until it does. */
#define moved_clock_wait_until(condition)                                                                   \
  G_STMT_START                                                                                              \
  {                                                                                                         \
    gint64 deadline_ = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;                                       \
    while (!(condition))                                                                                    \
      {                                                                                                     \
        if (g_get_monotonic_time () > deadline_)                                                            \
          g_error ("%s:%d: this did not come: %s", __FILE__, __LINE__, #condition);                         \
        beckon_clock_advance (moved_clock_get (), 50);                                                      \
        ui_settle ();                                                                                       \
      }                                                                                                     \
  }                                                                                                         \
  G_STMT_END

G_END_DECLS
