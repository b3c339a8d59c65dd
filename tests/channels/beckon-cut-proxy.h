/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonCutProxy:
 *
 * The network between a client and a server of a test, on a thread of its own: it breaks when the test says so.
 */
typedef struct _BeckonCutProxy BeckonCutProxy;

/** Forwards to a port of 127.0.0.1. */
BeckonCutProxy *beckon_cut_proxy_new (guint16 target);
void beckon_cut_proxy_free (BeckonCutProxy *proxy);
guint16 beckon_cut_proxy_get_port (BeckonCutProxy *proxy);

/** All connections end now; new ones work. */
void beckon_cut_proxy_cut (BeckonCutProxy *proxy);

/** Connections stay, but carry nothing more, in either direction, once @most bytes of the server's have passed. -1
 * passes all. */
void beckon_cut_proxy_hold_after (BeckonCutProxy *proxy, gint64 most);

/** New connections are closed at once. */
void beckon_cut_proxy_refuse (BeckonCutProxy *proxy, gboolean refuses);

/** How many connections it has seen. */
guint beckon_cut_proxy_count (BeckonCutProxy *proxy);

G_END_DECLS
