/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Files that come with a message of XMPP: they lie on a web server, and the message has their address (XEP-0066). */

/** Whether a file is fetched from there: what is encrypted for another client, or lies elsewhere than behind TLS, is not. */
gboolean beckon_xmpp_file_is_address (const char *url);

/** Whether a text only repeats the address of a file, for clients that know nothing of files. @files: (nullable). */
gboolean beckon_xmpp_file_repeats (char **files, const char *text);

/** (nullable): a file's name, the last part of its address as the sender's client made it. Caller frees. */
char *beckon_xmpp_file_dup_name (const char *url) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_xmpp_file_fetch_async:
 * @url: its address, as it came
 * @domain: (nullable): of the account; %NULL while that is off
 * @host: (nullable): the server that a person entered for the account
 * @cancellable: (nullable): honoured at every step
 * @callback: called later
 * @user_data: for @callback
 *
 * Fetches it by https, without cookies or credentials, and at most %BECKON_WEB_GET_MAX_BYTES: from the account's own server
 * wherever that is, and from all others at public addresses alone. Main thread.
 */
void beckon_xmpp_file_fetch_async (const char *url,
                                   const char *domain,
                                   const char *host,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

/** The bytes; %NULL with #BeckonChannelError or %G_IO_ERROR_CANCELLED. */
GBytes *beckon_xmpp_file_fetch_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
