/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-wechat-emulator.h"

#include "channels/beckon-wechat-adapter.h"

G_BEGIN_DECLS

/** Things that all tests of the adapter have: one adapter of one account, on a clock that only the test moves. */
typedef struct
{
  BeckonWechatEmulator *emulator;
  BeckonClock *clock;
  BeckonChannelAdapter *adapter;
  GPtrArray *messages; /* BeckonChannelIncoming: all that came */
  char *cursor;        /* of what came last */
  gboolean stores;     /* what comes is stored at once */
  char *secret;        /* of a sign-in that ended well */
  char *config;
} Wechat;

/** With @secret the adapter is started with it; without it is off. */
void wechat_set_up (Wechat *wechat, const char *secret);

/** Fails if the emulator has a complaint. */
void wechat_tear_down (Wechat *wechat);

/** Another adapter, as after a restart; it begins at @cursor (nullable). */
void wechat_restart (Wechat *wechat, const char *cursor);

/** Iterates until @condition, or fails after 20 seconds. */
#define wechat_wait(condition)                                                  \
  G_STMT_START                                                                  \
  {                                                                             \
    gint64 until = g_get_monotonic_time () + 20 * G_TIME_SPAN_SECOND;           \
    guint tick = g_timeout_add (100, wechat_tick, NULL);                        \
    while (!(condition))                                                        \
      {                                                                         \
        g_assert_cmpint (g_get_monotonic_time (), <, until);                    \
        g_main_context_iteration (NULL, TRUE);                                  \
      }                                                                         \
    g_source_remove (tick);                                                     \
  }                                                                             \
  G_STMT_END

gboolean wechat_tick (gpointer unused);

/** Moves the clock in steps of a second, with all that comes of it, until @condition. */
#define wechat_advance_until(wechat, condition)                                 \
  G_STMT_START                                                                  \
  {                                                                             \
    gint64 until = g_get_monotonic_time () + 20 * G_TIME_SPAN_SECOND;           \
    while (!(condition))                                                        \
      {                                                                         \
        g_assert_cmpint (g_get_monotonic_time (), <, until);                    \
        if (!g_main_context_iteration (NULL, FALSE))                            \
          {                                                                     \
            g_usleep (1000);                                                    \
            beckon_clock_advance ((wechat)->clock, 100);                        \
          }                                                                     \
      }                                                                         \
  }                                                                             \
  G_STMT_END

/** Everything that is ready is done. */
void wechat_settle (void);

/** Sends, and waits for the end: the remote id, or NULL with @error. Caller frees. */
char *wechat_send (Wechat *wechat, const char *text, const char *context, GError **error);

const BeckonChannelIncoming *wechat_get (Wechat *wechat, guint nth);

/** How often an operation was asked. */
guint wechat_count (Wechat *wechat, const char *operation);

G_END_DECLS
