/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_LOOPBACK_LISTENER (beckon_loopback_listener_get_type ())
G_DECLARE_FINAL_TYPE (BeckonLoopbackListener, beckon_loopback_listener, BECKON, LOOPBACK_LISTENER, GObject)

/**
 * BeckonLoopbackHandler:
 * @expects: whether a GET of @path with @query is the one that is waited for; asked more than once
 * @take: takes it; once. Its words, translated, are the page that the browser shows
 * @shown: the page was sent, or the browser is gone; nothing of it is under way, so that the owner may go
 *
 * An owner's view of a #BeckonLoopbackListener; static. Nothing is called after beckon_loopback_listener_stop().
 */
typedef struct
{
  gboolean (*expects) (const char *path, GHashTable *query, gpointer data);
  const char *(*take) (GHashTable *query, gpointer data);
  void (*shown) (gpointer data);
} BeckonLoopbackHandler;

/**
 * BeckonLoopbackListener:
 *
 * A port of this computer's loopback address that a browser brings something to, such as the end of a sign-in (RFC 8252, 7.3).
 * One request is answered, that which its owner expects; any other, from whichever program or page of this computer, is told
 * that nothing is there, and no body is read. Main thread.
 */

/**
 * beckon_loopback_listener_new:
 * @port: the port to take if it is free; 0 for any
 * @both: on ::1, too, as far as there is IPv6: a browser that is sent to "localhost" may try either address first
 * @handler: the owner's view
 * @data: for @handler
 * @error: return location
 *
 * Returns: (transfer full): one that listens; %NULL with an error of GIO
 */
BeckonLoopbackListener *beckon_loopback_listener_new (guint16 port, gboolean both, const BeckonLoopbackHandler *handler,
                                                      gpointer data, GError **error) G_GNUC_WARN_UNUSED_RESULT;

guint beckon_loopback_listener_get_port (BeckonLoopbackListener *self);

/** Closes the port. A page that is under way still gets to the browser. */
void beckon_loopback_listener_stop (BeckonLoopbackListener *self);

/** Compares with a secret: how long it takes says nothing about where the two differ. @text: (nullable). */
gboolean beckon_loopback_is_same (const char *text, const char *secret);

G_END_DECLS
