/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

/** A body that is longer is refused. */
#define BECKON_HTTP_FETCH_MAX (8 * 1024 * 1024)

/**
 * beckon_http_fetch_async:
 * @session: the session whose connections are used
 * @clock: for the time
 * @message: what is asked; redirects are not followed
 * @key: (nullable): the key that goes along, which must not show in an error
 * @seconds: for all of it
 * @cancellable: (nullable): ends it with %G_IO_ERROR_CANCELLED at once, whatever it waits for
 * @callback: called once, later
 * @user_data: for @callback
 *
 * Asks for something whole and small. Main thread.
 */
void beckon_http_fetch_async (SoupSession *session, BeckonClock *clock, SoupMessage *message, const char *key,
                              guint seconds, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data);

/** The body; %NULL with an error of %BECKON_LLM_ERROR for any status but a good one. Caller owns. */
GBytes *beckon_http_fetch_finish (SoupSession *session, GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
