/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-http-exchange.h"

#include "base/beckon-clock.h"
#include "beckon-body-reader.h"
#include "beckon-proxy-chooser.h"

#include <gio/gio.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

/*
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

static void watchdog_touch (BeckonWatchdog *watchdog);
static void watchdog_disarm (BeckonWatchdog *watchdog);

gboolean
beckon_tls_is_old (GTlsProtocolVersion version)
{
  return version > G_TLS_PROTOCOL_VERSION_UNKNOWN && version < G_TLS_PROTOCOL_VERSION_TLS_1_2;
}

/* @function is called when time is over; it may arm, disarm, or free what the watchdog is part of. */
static void
watchdog_init (BeckonWatchdog *watchdog, BeckonClock *clock, void (*function) (gpointer user_data),
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

/* Begins to watch, with another limit than before; 0 seconds do not watch at all. */
static void
watchdog_arm (BeckonWatchdog *watchdog, guint seconds)
{
  watchdog_disarm (watchdog);
  watchdog_touch (watchdog);
  watchdog->seconds = seconds;
  if (seconds > 0)
    watchdog->timeout = beckon_clock_add_timeout (watchdog->clock, seconds * 1000, on_timeout, watchdog);
}

/* Something happened: time begins anew. */
static void
watchdog_touch (BeckonWatchdog *watchdog)
{
  watchdog->since = beckon_clock_get_monotonic_time (watchdog->clock);
}

static void
watchdog_disarm (BeckonWatchdog *watchdog)
{
  if (watchdog->timeout != 0)
    beckon_clock_remove (watchdog->clock, watchdog->timeout);
  watchdog->timeout = 0;
}

/* The exchange ends in one function, exchange_end(), or is stopped. Operations of libsoup that are under way then are
 * cancelled, and their callbacks only tidy up; so neither a slow resolver nor a stuck handshake can delay Stop. The cancellable
 * of the caller is watched by a source and never handed on: `io` is ours.
 *
 * The end of a connection proves nothing: libsoup reports a body without its last chunk, a bad chunk size and a cut gzip
 * stream as a clean end. Only the caller, who knows the protocol, can say whether the answer was whole.
 */

/* A connection over which nothing comes is asked for a sign of life after so long, and so often. */
#define SILENT_S 15
#define ASK_EVERY_S 5
#define ASK_TIMES 5

/* Bytes that no peer takes for so long are taken by none. */
#define TAKEN_MS (40 * 1000)

struct _BeckonHttpExchange
{
  GObject parent_instance;

  SoupSession *session;
  BeckonClock *clock;
  BeckonHttpLimits limits;
  const BeckonHttpHandler *handler;
  gpointer user_data;

  BeckonHttpPhase phase;
  gboolean over;     /* told or stopped: nothing may call the handler */
  gboolean draining;
  GCancellable *io;
  GSource *cancelled;       /* (owned) (nullable) */
  BeckonWatchdog watchdog;
  guint deadline;
  SoupMessage *message;     /* (owned) (nullable) */
  BeckonBodyReader *reader; /* (owned) (nullable) */
  gboolean new_connection;
  gboolean old_tls;
  gboolean resent;
};

G_DEFINE_FINAL_TYPE (BeckonHttpExchange, beckon_http_exchange, G_TYPE_OBJECT)

static gboolean send_message (BeckonHttpExchange *self);
static void on_silence (gpointer user_data);

static void
beckon_http_exchange_dispose (GObject *object)
{
  BeckonHttpExchange *self = BECKON_HTTP_EXCHANGE (object);

  beckon_http_exchange_stop (self);
  g_clear_object (&self->message);
  g_clear_object (&self->session);
  g_clear_object (&self->clock);

  G_OBJECT_CLASS (beckon_http_exchange_parent_class)->dispose (object);
}

static void
beckon_http_exchange_finalize (GObject *object)
{
  g_object_unref (BECKON_HTTP_EXCHANGE (object)->io);

  G_OBJECT_CLASS (beckon_http_exchange_parent_class)->finalize (object);
}

static void
beckon_http_exchange_class_init (BeckonHttpExchangeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_http_exchange_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_http_exchange_finalize;
}

static void
beckon_http_exchange_init (BeckonHttpExchange *self)
{
  self->io = g_cancellable_new ();
}

SoupSession *
beckon_http_exchange_make_session (guint per_host)
{
  g_autoptr (BeckonProxyChooser) proxies = beckon_proxy_chooser_new (NULL);
  guint most = per_host > 0 ? per_host : 2;
  SoupSession *session;

  /* Our limits rule: libsoup's own would end every request after 60 s of silence. */
  session = soup_session_new_with_options ("max-conns-per-host", most, "max-conns", MAX (4 * most, 10), "user-agent",
                                           "beckon/" BECKON_VERSION, "timeout", 0, "proxy-resolver", proxies, NULL);
  /* The manager would answer a 401 with another request. */
  soup_session_remove_feature_by_type (session, SOUP_TYPE_AUTH_MANAGER);
  return session;
}

BeckonHttpExchange *
beckon_http_exchange_new (SoupSession *session, BeckonClock *clock, const BeckonHttpLimits *limits,
                          const BeckonHttpHandler *handler, gpointer user_data)
{
  BeckonHttpExchange *self;

  g_return_val_if_fail (SOUP_IS_SESSION (session), NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);
  g_return_val_if_fail (limits != NULL, NULL);
  g_return_val_if_fail (handler != NULL, NULL);

  self = g_object_new (BECKON_TYPE_HTTP_EXCHANGE, NULL);
  self->session = g_object_ref (session);
  self->clock = g_object_ref (clock);
  self->limits = *limits;
  self->handler = handler;
  self->user_data = user_data;
  watchdog_init (&self->watchdog, clock, on_silence, self);
  return self;
}

/* --- The end ------------------------------------------------------------------------------------------------------ */

void
beckon_http_exchange_stop (BeckonHttpExchange *exchange)
{
  g_return_if_fail (BECKON_IS_HTTP_EXCHANGE (exchange));

  exchange->over = TRUE;
  watchdog_disarm (&exchange->watchdog);
  if (exchange->deadline != 0)
    beckon_clock_remove (exchange->clock, exchange->deadline);
  exchange->deadline = 0;
  if (exchange->cancelled != NULL)
    g_source_destroy (exchange->cancelled);
  g_clear_pointer (&exchange->cancelled, g_source_unref);
  g_cancellable_cancel (exchange->io);
  g_clear_pointer (&exchange->reader, beckon_body_reader_free);
  if (exchange->draining)
    {
      exchange->draining = FALSE;
      g_object_unref (exchange);
    }
}

static void
exchange_end (BeckonHttpExchange *self, BeckonHttpEnd how, guint seconds, const GError *error)
{
  g_autoptr (BeckonHttpExchange) kept = g_object_ref (self);
  BeckonHttpOutcome outcome = { .end = how, .phase = self->phase, .seconds = seconds, .error = error };
  gboolean is_told = !self->over;

  if (self->message != NULL)
    outcome.certificate = soup_message_get_tls_peer_certificate_errors (self->message);
  beckon_http_exchange_stop (self);
  if (is_told)
    self->handler->on_end (&outcome, self->user_data);
}

static gboolean
exchange_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  exchange_end (BECKON_HTTP_EXCHANGE (user_data), BECKON_HTTP_END_CANCELLED, 0, NULL);
  return G_SOURCE_REMOVE;
}

/* --- Time --------------------------------------------------------------------------------------------------------- */

static void
on_silence (gpointer user_data)
{
  BeckonHttpExchange *self = BECKON_HTTP_EXCHANGE (user_data);

  exchange_end (self, BECKON_HTTP_END_LATE, self->watchdog.seconds, NULL);
}

static gboolean
on_deadline (gpointer user_data)
{
  BeckonHttpExchange *self = BECKON_HTTP_EXCHANGE (user_data);

  self->deadline = 0;
  exchange_end (self, BECKON_HTTP_END_LATE, self->limits.total_s, NULL);
  return G_SOURCE_REMOVE;
}

static void
enter_phase (BeckonHttpExchange *self, BeckonHttpPhase phase)
{
  const guint limits[] = { self->limits.connect_s, self->limits.first_byte_s, self->limits.idle_s };

  self->phase = phase;
  watchdog_arm (&self->watchdog, limits[phase]);
}

void
beckon_http_exchange_set_patience (BeckonHttpExchange *exchange, guint seconds)
{
  g_return_if_fail (BECKON_IS_HTTP_EXCHANGE (exchange));

  exchange->limits.first_byte_s = exchange->limits.idle_s = seconds;
  if (!exchange->over)
    enter_phase (exchange, exchange->phase);
}

/* --- The body ----------------------------------------------------------------------------------------------------- */

static gboolean
exchange_on_body (const char *data, gssize length, const GError *error, gpointer user_data)
{
  g_autoptr (BeckonHttpExchange) self = g_object_ref (BECKON_HTTP_EXCHANGE (user_data));

  if (length <= 0)
    {
      exchange_end (self, length == 0 ? BECKON_HTTP_END_WHOLE : BECKON_HTTP_END_BROKEN, 0, error);
      return FALSE;
    }
  if (self->draining)
    return TRUE;
  if (self->phase == BECKON_HTTP_PHASE_WAITING)
    enter_phase (self, BECKON_HTTP_PHASE_READING);
  watchdog_touch (&self->watchdog);
  return self->handler->on_body (data, (gsize) length, self->user_data) || self->draining;
}

void
beckon_http_exchange_drain (BeckonHttpExchange *exchange, guint seconds)
{
  g_return_if_fail (BECKON_IS_HTTP_EXCHANGE (exchange));
  g_return_if_fail (!exchange->over);

  exchange->over = TRUE;
  exchange->draining = TRUE;
  if (exchange->cancelled != NULL)
    g_source_destroy (exchange->cancelled);
  g_clear_pointer (&exchange->cancelled, g_source_unref);
  watchdog_arm (&exchange->watchdog, seconds);
  g_object_ref (exchange);
}

/* --- Sending ------------------------------------------------------------------------------------------------------ */

/* A connection that was kept may be dead without our knowing. The server has not seen what was sent on it then, as far as the
 * absence of a single byte of an answer tells. */
static gboolean
may_resend (BeckonHttpExchange *self, const GError *error)
{
  SoupMessageMetrics *metrics = soup_message_get_metrics (self->message);

  return !self->resent && !self->new_connection && self->phase == BECKON_HTTP_PHASE_WAITING && error->domain == G_IO_ERROR
         && metrics != NULL && soup_message_metrics_get_response_start (metrics) == 0;
}

static void
exchange_on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonHttpExchange) self = BECKON_HTTP_EXCHANGE (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) input = soup_session_send_finish (SOUP_SESSION (source), result, &error);

  if (self->over)
    {
      if (input != NULL)
        g_input_stream_close_async (input, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
    }
  else if (self->old_tls)
    {
      exchange_end (self, BECKON_HTTP_END_OLD_TLS, 0, NULL);
    }
  else if (input != NULL)
    {
      g_autoptr (BeckonHttpExchange) kept = g_object_ref (self);

      self->reader = beckon_body_reader_new (input, self->limits.pace_ms, exchange_on_body, self);
      if (self->handler->on_head (self->message, self->user_data) && !self->over)
        beckon_body_reader_start (self->reader);
    }
  else if (may_resend (self, error) && send_message (self))
    {
      g_debug ("The kept connection was dead; sending once more");
      self->resent = TRUE;
    }
  else
    {
      exchange_end (self, BECKON_HTTP_END_UNSENT, 0, error);
    }
}

static void
on_network_event (SoupMessage *message, GSocketClientEvent event, GIOStream *connection, gpointer user_data)
{
  BECKON_HTTP_EXCHANGE (user_data)->new_connection = TRUE;
}

/* The connection is there, and nothing of the request is on it yet. */
static void
on_starting (SoupMessage *message, gpointer user_data)
{
  BeckonHttpExchange *self = BECKON_HTTP_EXCHANGE (user_data);

  if (beckon_tls_is_old (soup_message_get_tls_protocol_version (message)))
    {
      self->old_tls = TRUE;
      g_cancellable_cancel (self->io);
      return;
    }
  if (!self->over && self->phase == BECKON_HTTP_PHASE_CONNECTING)
    enter_phase (self, BECKON_HTTP_PHASE_WAITING);
}

static void
set_option (GSocket *socket, int level, int option, int value)
{
  g_autoptr (GError) error = NULL;

  if (!g_socket_set_option (socket, level, option, value, &error))
    g_debug ("a connection is not watched as it could be: %s", error->message);
}

/* A connection ends within a minute when its other end is gone: the network is, or was while the computer slept. A server that
 * is there may be silent for longer. */
static void
on_connected (SoupMessage *message, GSocketClientEvent event, GIOStream *connection)
{
  GSocket *socket;

  if (event != G_SOCKET_CLIENT_CONNECTED || !G_IS_SOCKET_CONNECTION (connection))
    return;

  socket = g_socket_connection_get_socket (G_SOCKET_CONNECTION (connection));
  g_socket_set_keepalive (socket, TRUE);
  set_option (socket, IPPROTO_TCP, TCP_KEEPIDLE, SILENT_S);
  set_option (socket, IPPROTO_TCP, TCP_KEEPINTVL, ASK_EVERY_S);
  set_option (socket, IPPROTO_TCP, TCP_KEEPCNT, ASK_TIMES);
  set_option (socket, IPPROTO_TCP, TCP_USER_TIMEOUT, TAKEN_MS);
}

static gboolean
send_message (BeckonHttpExchange *self)
{
  g_autoptr (SoupMessage) message = self->handler->make_message (self->user_data);

  if (message == NULL)
    return FALSE;
  if (self->message != NULL)
    g_signal_handlers_disconnect_by_data (self->message, self);
  g_set_object (&self->message, message);
  self->new_connection = FALSE;
  soup_message_add_flags (self->message, SOUP_MESSAGE_COLLECT_METRICS | SOUP_MESSAGE_NO_REDIRECT);
  g_signal_connect (self->message, "network-event", G_CALLBACK (on_connected), NULL);
  g_signal_connect_object (self->message, "network-event", G_CALLBACK (on_network_event), self, 0);
  g_signal_connect_object (self->message, "starting", G_CALLBACK (on_starting), self, 0);
  enter_phase (self, BECKON_HTTP_PHASE_CONNECTING);
  soup_session_send_async (self->session, self->message, G_PRIORITY_DEFAULT, self->io, exchange_on_sent, g_object_ref (self));
  return TRUE;
}

void
beckon_http_exchange_begin (BeckonHttpExchange *exchange, GCancellable *cancellable)
{
  g_return_if_fail (BECKON_IS_HTTP_EXCHANGE (exchange));
  g_return_if_fail (exchange->message == NULL && !exchange->over);

  if (cancellable != NULL)
    {
      exchange->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_static_name (exchange->cancelled, "[beckon] stop of a request");
      g_source_set_callback (exchange->cancelled, G_SOURCE_FUNC (exchange_on_cancelled), exchange, NULL);
      g_source_attach (exchange->cancelled, g_main_context_get_thread_default ());
    }
  if (exchange->limits.total_s > 0)
    exchange->deadline = beckon_clock_add_timeout (exchange->clock, exchange->limits.total_s * 1000, on_deadline, exchange);
  send_message (exchange);
}

/* --- What it can be asked ----------------------------------------------------------------------------------------- */

SoupMessage *
beckon_http_exchange_get_message (BeckonHttpExchange *exchange)
{
  g_return_val_if_fail (BECKON_IS_HTTP_EXCHANGE (exchange), NULL);

  return exchange->message;
}

char *
beckon_http_dup_host (GUri *uri)
{
  int port;

  g_return_val_if_fail (uri != NULL, NULL);

  port = g_uri_get_port (uri);
  return port < 0 ? g_strdup (g_uri_get_host (uri)) : g_strdup_printf ("%s:%d", g_uri_get_host (uri), port);
}
