/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-http-stream.h"
#include "net/beckon-body-kind.h"
#include "net/beckon-body-reader.h"
#include "net/beckon-watchdog.h"

G_BEGIN_DECLS

/* Between how an exchange begins and ends (beckon-http-stream.c) and what is read of it (beckon-http-stream-read.c). */

typedef enum
{
  BECKON_HTTP_PHASE_IDLE,
  BECKON_HTTP_PHASE_CONNECTING,
  BECKON_HTTP_PHASE_WAITING,
  BECKON_HTTP_PHASE_READING,
  BECKON_HTTP_PHASE_ERROR_BODY,
  BECKON_HTTP_PHASE_DRAINING,
  BECKON_HTTP_PHASE_ENDED,
} BeckonHttpPhase;

struct _BeckonHttpStream
{
  GObject parent_instance;

  /* Input. */
  SoupSession *session;
  BeckonClock *clock;
  BeckonProviderLimits limits;
  const BeckonCodec *codec;
  GUri *uri;
  char *host;
  char *key; /* (nullable) */
  char **headers; /* (nullable) */
  GBytes *body;
  BeckonLlmEventFunc function;
  gpointer function_data;

  /* In progress. */
  BeckonHttpPhase phase;
  GTask *task;            /* (owned) (nullable) until it is returned */
  GSource *cancel_source; /* (owned) (nullable) */
  GCancellable *io;
  BeckonWatchdog watchdog;
  SoupMessage *message; /* (owned) (nullable) */
  BeckonBodyReader *reader; /* (owned) (nullable) */
  BeckonDecoder *decoder;
  BeckonBodyKind kind;
  GByteArray *beginning; /* of a body that is not a stream */
  gsize received;
  gboolean new_connection;
  gboolean old_tls;
  gboolean spoke; /* an event was given */

  /* Results. */
  gboolean resent;
  gint64 retry_after_ms;
};

/* beckon-http-stream.c */
void beckon_http_stream_enter_phase (BeckonHttpStream *self, BeckonHttpPhase phase);
void beckon_http_stream_stop_watching (BeckonHttpStream *self);
void beckon_http_stream_end_io (BeckonHttpStream *self);
void beckon_http_stream_end_drain (BeckonHttpStream *self);
void beckon_http_stream_fail (BeckonHttpStream *self, GError *error);
void beckon_http_stream_fail_cancelled (BeckonHttpStream *self);
void beckon_http_stream_fail_with_response (BeckonHttpStream *self);

/* beckon-http-stream-read.c */
void     beckon_http_stream_on_event (const BeckonLlmEvent *event, gpointer user_data);
gboolean beckon_http_stream_on_body (const char *data, gssize length, const GError *error, gpointer user_data);

G_END_DECLS
