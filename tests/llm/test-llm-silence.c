/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

/* Servers that think for longer than a minute before they say anything, and between two words. No limit but those of the settings
 * may end their replies, and only time shows whether one does: libsoup's own is a minute. The clock of this program is fast. */

#include "beckon-exchange.h"

#include <dlfcn.h>
#include <poll.h>
#include <time.h>

#define SILENCE_S 62
#define SPEED 20
#define NEXT(name) ((__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

/* --- A clock that is fast: for GLib and all that stands on it ------------------------------------------------------- */

int
clock_gettime (clockid_t id, struct timespec *now)
{
  int result = NEXT (clock_gettime) (id, now);

  if (result == 0 && id == CLOCK_MONOTONIC)
    {
      gint64 fast = (gint64) now->tv_nsec * SPEED;

      now->tv_sec = now->tv_sec * SPEED + fast / 1000000000;
      now->tv_nsec = fast % 1000000000;
    }
  return result;
}

/* Waits end as early as the clock is fast. */
int
poll (struct pollfd *fds, nfds_t n, int timeout_ms)
{
  return NEXT (poll) (fds, n, timeout_ms > 0 ? (timeout_ms + SPEED - 1) / SPEED : timeout_ms);
}

/* --- The silence ---------------------------------------------------------------------------------------------------- */

static BeckonExchange *
start (gboolean says_hello)
{
  BeckonExchange *exchange = beckon_exchange_new ();
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  if (!says_hello)
    beckon_fixture_reply_add_hold (reply, "silence");
  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chat_text (reply, "Hello");
  beckon_fixture_reply_add_drain (reply);
  if (says_hello)
    beckon_fixture_reply_add_hold (reply, "silence");
  beckon_fixture_reply_add_chat_finish (reply, "stop");
  beckon_fixture_reply_add_chat_done (reply);
  beckon_fixture_server_queue (exchange->server, reply);
  beckon_exchange_start (exchange);
  beckon_exchange_wait_until (beckon_fixture_server_count_held (exchange->server, "silence") == 1);
  return exchange;
}

static gboolean
on_enough (gpointer enough)
{
  *(gboolean *) enough = TRUE;
  return G_SOURCE_REMOVE;
}

static void
test_silence (void)
{
  BeckonExchange *exchanges[] = { start (FALSE), start (TRUE) };
  gboolean enough = FALSE;

  g_timeout_add_seconds (SILENCE_S, on_enough, &enough);
  while (!enough && !exchanges[0]->done && !exchanges[1]->done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (enough);
  for (guint i = 0; i < G_N_ELEMENTS (exchanges); i++)
    {
      beckon_fixture_server_release (exchanges[i]->server, "silence");
      beckon_exchange_wait (exchanges[i]);
      beckon_exchange_assert_log (exchanges[i], "text Hello\nend complete\n");
      beckon_exchange_free (exchanges[i]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/llm/silence", test_silence);
  return g_test_run ();
}
