/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "llm/beckon-codec.h"
#include "llm/beckon-provider.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

#define BECKON_TYPE_HTTP_STREAM (beckon_http_stream_get_type ())
G_DECLARE_FINAL_TYPE (BeckonHttpStream, beckon_http_stream, BECKON, HTTP_STREAM, GObject)

/**
 * BeckonHttpStream:
 *
 * One request and its streamed reply. Used once. Main thread.
 */

/**
 * beckon_http_stream_new:
 * @session: the session whose connections are used
 * @clock: for the timeouts
 * @limits: timeouts and caps
 * @codec: what the server speaks
 *
 * Returns: (transfer full): an exchange that has not begun
 */
BeckonHttpStream *beckon_http_stream_new (SoupSession *session, BeckonClock *clock, const BeckonProviderLimits *limits,
                                          const BeckonCodec *codec) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_http_stream_run_async:
 * @stream: an exchange
 * @uri: where the request goes
 * @key: (nullable): printable ASCII, sent where the codec says
 * @headers: (nullable): more headers, each "Name: value"
 * @body: the request's body, JSON
 * @function: called for each event; never after @callback, never once @cancellable is cancelled
 * @function_data: for @function
 * @cancellable: (nullable): ends the exchange with %G_IO_ERROR_CANCELLED at once, whatever it waits for
 * @callback: called once, later
 * @user_data: for @callback
 */
void beckon_http_stream_run_async (BeckonHttpStream *stream, GUri *uri, const char *key, const char *const *headers,
                                   GBytes *body, BeckonLlmEventFunc function, gpointer function_data,
                                   GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_http_stream_run_finish:
 * @stream: the exchange
 * @result: the result
 * @retry_after_ms: (out): how long the server asks to wait before the next try; -1 if it does not say
 * @error: return location for an error of %BECKON_LLM_ERROR, or %G_IO_ERROR_CANCELLED
 *
 * Returns: %TRUE once the end event was given
 */
gboolean beckon_http_stream_run_finish (BeckonHttpStream *stream, GAsyncResult *result, gint64 *retry_after_ms,
                                        GError **error);

/** A GET of something whole, without what @codec says of a stream but for where the key goes. */
SoupMessage *beckon_http_message_new_get (GUri *uri, const BeckonCodec *codec, const char *key,
                                          const char *const *headers) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
