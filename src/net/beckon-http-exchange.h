/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"

#include <gio/gio.h>
#include <libsoup/soup.h>

G_BEGIN_DECLS

#define BECKON_TYPE_HTTP_EXCHANGE (beckon_http_exchange_get_type ())
G_DECLARE_FINAL_TYPE (BeckonHttpExchange, beckon_http_exchange, BECKON, HTTP_EXCHANGE, GObject)

/**
 * BeckonHttpExchange:
 *
 * One request and its answer, for everything that leaves this computer: with limits on each phase, TLS 1.2 at least, a
 * cancellable that works in every phase, and an end that is told once. Redirects are not followed: they are the
 * caller's. Used once. Main thread.
 */

/**
 * BeckonHttpPhase:
 * @BECKON_HTTP_PHASE_CONNECTING: nothing of the request is sent yet
 * @BECKON_HTTP_PHASE_WAITING: the request is on its way, and no byte of a body has come
 * @BECKON_HTTP_PHASE_READING: the body comes
 */
typedef enum
{
  BECKON_HTTP_PHASE_CONNECTING,
  BECKON_HTTP_PHASE_WAITING,
  BECKON_HTTP_PHASE_READING,
} BeckonHttpPhase;

/**
 * BeckonHttpLimits:
 * @connect_s: seconds until there is a connection; 0 is no limit, as in the others
 * @first_byte_s: seconds from there to the first byte of the body
 * @idle_s: seconds without a byte of the body
 * @total_s: seconds for all of it
 * @pace_ms: how long a flowing body may gather before it is read; 0 takes each piece as it comes
 */
typedef struct
{
  guint connect_s;
  guint first_byte_s;
  guint idle_s;
  guint total_s;
  guint pace_ms;
} BeckonHttpLimits;

/**
 * BeckonHttpEnd:
 * @BECKON_HTTP_END_WHOLE: the body is over; only its protocol knows whether it was whole
 * @BECKON_HTTP_END_BROKEN: the body broke off, with an error
 * @BECKON_HTTP_END_UNSENT: no answer came, with an error
 * @BECKON_HTTP_END_LATE: a limit is over
 * @BECKON_HTTP_END_OLD_TLS: the server speaks nothing newer than TLS 1.1, and was sent nothing
 * @BECKON_HTTP_END_CANCELLED: the cancellable was cancelled
 */
typedef enum
{
  BECKON_HTTP_END_WHOLE,
  BECKON_HTTP_END_BROKEN,
  BECKON_HTTP_END_UNSENT,
  BECKON_HTTP_END_LATE,
  BECKON_HTTP_END_OLD_TLS,
  BECKON_HTTP_END_CANCELLED,
} BeckonHttpEnd;

/**
 * BeckonHttpOutcome:
 * @end: how it ended
 * @phase: where it was then
 * @seconds: the limit that is over, of %BECKON_HTTP_END_LATE
 * @certificate: what is wrong with the server's certificate
 * @error: (nullable): what the HTTP library says; borrowed
 */
typedef struct
{
  BeckonHttpEnd end;
  BeckonHttpPhase phase;
  guint seconds;
  GTlsCertificateFlags certificate;
  const GError *error;
} BeckonHttpOutcome;

/**
 * BeckonHttpHandler:
 * @make_message: makes the request (transfer full); called again to send it a second time, because the kept connection
 *   that it was first sent on turned out to be dead and not one byte came back: %NULL then gives up
 * @on_head: status and headers are there; %FALSE when the handler has stopped the exchange
 * @on_body: a piece of the body; %FALSE when the handler has stopped or drained the exchange
 * @on_end: the end; called once and last, never after beckon_http_exchange_stop()
 *
 * The caller's side of an exchange. Each function gets the data that was given with the handler.
 */
typedef struct
{
  SoupMessage *(*make_message) (gpointer user_data);
  gboolean (*on_head) (SoupMessage *message, gpointer user_data);
  gboolean (*on_body) (const char *data, gsize length, gpointer user_data);
  void (*on_end) (const BeckonHttpOutcome *outcome, gpointer user_data);
} BeckonHttpHandler;

/**
 * beckon_http_exchange_make_session:
 * @per_host: how many connections one host may have; 0 for the library's 2
 *
 * Returns: (transfer full): a session without timeouts and credentials of the library's own, by the system's proxies
 */
SoupSession *beckon_http_exchange_make_session (guint per_host) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_http_exchange_new:
 * @session: the session whose connections are used
 * @clock: for the limits
 * @limits: copied
 * @handler: static
 * @user_data: for @handler; must live until the end is told or the exchange is stopped
 *
 * Returns: (transfer full): an exchange that has not begun
 */
BeckonHttpExchange *beckon_http_exchange_new (SoupSession *session, BeckonClock *clock, const BeckonHttpLimits *limits,
                                              const BeckonHttpHandler *handler,
                                              gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_http_exchange_begin:
 * @exchange: an exchange
 * @cancellable: (nullable): ends it at once, whatever it waits for; the end is told from the main loop
 */
void beckon_http_exchange_begin (BeckonHttpExchange *exchange, GCancellable *cancellable);

/** Ends it without a word: the handler is not called again. May be called at any time, and twice. */
void beckon_http_exchange_stop (BeckonHttpExchange *exchange);

/** From now on the body may be silent for @seconds only. */
void beckon_http_exchange_set_patience (BeckonHttpExchange *exchange, guint seconds);

/**
 * beckon_http_exchange_drain:
 * @exchange: an exchange whose caller has all of the answer, and only framing is left
 * @seconds: how long the end may take
 *
 * Reads to the end, so that the connection serves the next request. The handler is not called again; the exchange keeps itself
 * alive meanwhile.
 */
void beckon_http_exchange_drain (BeckonHttpExchange *exchange, guint seconds);

/** The message that was sent last; (nullable), borrowed. */
SoupMessage *beckon_http_exchange_get_message (BeckonHttpExchange *exchange);

/** Host and port of an address as they are shown to people; the port only if it is given. Caller frees. */
char *beckon_http_dup_host (GUri *uri) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_tls_is_old:
 * @version: what a connection was agreed to speak; %G_TLS_PROTOCOL_VERSION_UNKNOWN where there is no TLS
 *
 * Debian 12's libraries still speak what RFC 8996 says not to. Code that sends anything over TLS asks before the first byte of
 * it. Any thread.
 *
 * Returns: %TRUE if it is TLS before 1.2
 */
gboolean beckon_tls_is_old (GTlsProtocolVersion version);

G_END_DECLS
