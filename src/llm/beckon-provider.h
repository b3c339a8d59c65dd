/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "domain/beckon-endpoint-source.h"
#include "llm/beckon-codec.h"
#include "net/beckon-llm-error.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonProviderLimits:
 *
 * Seconds and bytes; every one is a setting or a cap of ours, and no other limit of time holds. The local ones are for
 * servers on this computer and the local network, which load a model and read a long prompt first, on a single processor.
 * beckon_provider_limits_default() fills in 10 s to connect, 120 s to the first byte (600 s where it is local), 120 s idle
 * (300 s), 64 MB a stream. @pace_ms is how long pieces may gather while they flow, which saves most of the work of reading
 * them one by one: 10, or 0 to take each as it comes.
 */
typedef struct
{
  guint connect_s;
  guint first_byte_s;
  guint idle_s;
  guint local_first_byte_s;
  guint local_idle_s;
  gsize stream_bytes;
  guint pace_ms;
} BeckonProviderLimits;

void beckon_provider_limits_default (BeckonProviderLimits *limits);

/**
 * beckon_provider_limits_for_host:
 * @limits: those of the provider
 * @host: (nullable): of a server
 *
 * Pure; any thread.
 *
 * Returns: @limits, with the local ones in the place of the others where @host is local
 */
BeckonProviderLimits beckon_provider_limits_for_host (const BeckonProviderLimits *limits, const char *host);

#define BECKON_TYPE_PROVIDER (beckon_provider_get_type ())
G_DECLARE_FINAL_TYPE (BeckonProvider, beckon_provider, BECKON, PROVIDER, GObject)

/**
 * BeckonProvider:
 *
 * Sends requests and streams replies over one HTTP session that all runs of the process share. Main thread.
 */
BeckonProvider *beckon_provider_new (BeckonEndpointSource *endpoints, BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

void beckon_provider_set_limits (BeckonProvider *provider, const BeckonProviderLimits *limits);

/**
 * beckon_provider_stream_async:
 * @provider: the provider
 * @request: what to ask; encoded before this returns, not kept
 * @function: called for each event, on the main thread, never after @callback and never after @cancellable was
 *   cancelled
 * @function_data: for @function
 * @cancellable: (nullable): honoured while the key is looked up, while connecting, before the first byte and while
 *   reading
 * @callback: called once, later
 * @user_data: for @callback
 *
 * Sends one request and streams its reply. One try: whether to try again is the run's decision.
 */
void beckon_provider_stream_async (BeckonProvider *provider, const BeckonLlmRequest *request,
                                   BeckonLlmEventFunc function, gpointer function_data, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_provider_stream_finish:
 * @provider: the provider
 * @result: the result
 * @retry_after_ms: (out) (optional): with an error, how long the server asks to wait; -1 when it does not say, or when
 *   trying again makes no sense
 * @error: return location
 *
 * Returns: %TRUE once the end event was given, whatever its state; %FALSE when no reply could be had or the transport
 *   failed before the end: then no end event was given, and what came before stands
 */
gboolean beckon_provider_stream_finish (BeckonProvider *provider, GAsyncResult *result, gint64 *retry_after_ms,
                                        GError **error);

G_END_DECLS
