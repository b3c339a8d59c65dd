/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-fixture-server.h"
#include "beckon-test-endpoint.h"

#include "llm/beckon-provider.h"

G_BEGIN_DECLS

/** The key that requests of tests carry. */
#define BECKON_EXCHANGE_KEY "sk-test-0123456789"

/**
 * BeckonExchange:
 * @log: the events that came: one a line, successive texts joined, such as "text Hello\nusage 7 3\nend complete\n"
 * @n_events: how many events came, before they were joined
 * @done: the callback came
 * @on_event: (nullable): called for each event, before it is logged
 *
 * A real provider on a manual clock, talking to a fixture server. Used for one request after another.
 */
typedef struct _BeckonExchange BeckonExchange;
struct _BeckonExchange
{
  BeckonFixtureServer *server;
  struct _BeckonTlsFront *front; /* (nullable): before the server, with BECKON_TEST_TLS in the environment */
  BeckonClock *clock;
  BeckonTestEndpoint *endpoint;
  BeckonProvider *provider;
  BeckonLlmRequest *request;

  GCancellable *cancellable;
  GString *log;
  BeckonLlmEventType last_type;
  guint n_events;
  gboolean done;
  gboolean ok;
  GError *error;
  gint64 retry_after_ms;
  void (*on_event) (BeckonExchange *exchange, const BeckonLlmEvent *event);
};

BeckonExchange *beckon_exchange_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** The same with another server: nothing is listening at the fixture's own. */
BeckonExchange *beckon_exchange_new_for_url (const char *base_url, const char *key) G_GNUC_WARN_UNUSED_RESULT;

/** Asserts that nothing is left of what was made, and that no connection of ours is open. */
void beckon_exchange_free (BeckonExchange *exchange);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonExchange, beckon_exchange_free)

/** Lets no data gather, so that what the server waits for to be read is read at once. */
void beckon_exchange_take_each_piece (BeckonExchange *exchange);

/** Iterates until the client has all that the server, which waits at @gate, has sent. */
void beckon_exchange_wait_at (BeckonExchange *exchange, const char *gate);

/** Begins a request; forgets what the one before gave. */
void beckon_exchange_start (BeckonExchange *exchange);

/** Iterates the main context until the callback came. */
void beckon_exchange_wait (BeckonExchange *exchange);

/** Iterates until the end of the last reply's body was read too, so that its connection can serve the next request. */
void beckon_exchange_wait_drained (BeckonExchange *exchange);

/** Queues @reply, starts and waits. */
void beckon_exchange_run (BeckonExchange *exchange, BeckonFixtureReply *reply);

/** Asserts that the request ended well with exactly these events. */
void beckon_exchange_assert_log (BeckonExchange *exchange, const char *log);

/** Asserts that the request failed with @code of %BECKON_LLM_ERROR after exactly the events @log, and said @words. */
void beckon_exchange_assert_failed (BeckonExchange *exchange, const char *log, BeckonLlmError code, const char *words);

/** Iterates the main context, blocking, until @condition holds; fails the test after @seconds. */
#define beckon_exchange_wait_until(condition)                                                                          \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    guint deadline_id_ = beckon_exchange_arm_deadline (G_STRLOC, #condition);                                          \
                                                                                                                       \
    while (!(condition))                                                                                               \
      g_main_context_iteration (NULL, TRUE);                                                                           \
    g_source_remove (deadline_id_);                                                                                    \
  }                                                                                                                    \
  G_STMT_END

/** For the macro: after 20 seconds the test fails, saying what it waited for. */
guint beckon_exchange_arm_deadline (const char *where, const char *condition);

/** Iterates the main context until nothing is ready. */
void beckon_exchange_settle (void);

G_END_DECLS
