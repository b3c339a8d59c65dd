/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** The port at which commands find it, on the loopback interface of their own network. */
#define BECKON_SANDBOX_PROXY_PORT 61080

/** The most connections at a time. More wait. */
#define BECKON_SANDBOX_PROXY_MAX_CONNECTIONS 64

/**
 * BeckonSandboxProxyReach:
 * @BECKON_SANDBOX_PROXY_PUBLIC: addresses of the public internet alone: not this computer, not its network
 * @BECKON_SANDBOX_PROXY_PRIVATE: this computer and its network alone, by address and name: no other name is looked up
 * @BECKON_SANDBOX_PROXY_ALL: both
 *
 * Where a proxy leads.
 */
typedef enum
{
  BECKON_SANDBOX_PROXY_PUBLIC,
  BECKON_SANDBOX_PROXY_PRIVATE,
  BECKON_SANDBOX_PROXY_ALL,
} BeckonSandboxProxyReach;

/**
 * BeckonSandboxProxy:
 *
 * The only way from a sandbox into the network: an HTTP proxy (CONNECT, and plain http) that looks up names itself, and
 * ports of this computer's services. Hosts can be limited by a list. It works in the main loop, never blocks it, keeps a
 * bounded number of bytes, and ends with the command. Main thread.
 */
typedef struct _BeckonSandboxProxy BeckonSandboxProxy;

/**
 * beckon_sandbox_proxy_new:
 * @socket: it listens in the sandbox's network
 * @hosts: (nullable) (array zero-terminated=1): the only hosts that may be connected to; "*.example.org" stands for all below
 *   example.org, and ":80" behind a host limits it to that port; %NULL for any
 * @reach: which addresses may be connected to
 *
 * Returns: (transfer full): a proxy that serves the socket from now on
 */
BeckonSandboxProxy *beckon_sandbox_proxy_new (GSocket *socket, const char *const *hosts, BeckonSandboxProxyReach reach)
  G_GNUC_WARN_UNUSED_RESULT;

/** Serves @socket, too, which listens in the sandbox's network: each connection is one to @port of this computer. */
void beckon_sandbox_proxy_add_service (BeckonSandboxProxy *proxy, GSocket *socket, guint16 port);

/** Whether @port of @host is among @hosts (nullable), as beckon_sandbox_proxy_new() reads them. */
gboolean beckon_sandbox_proxy_allows (const char *const *hosts, const char *host, guint16 port);

/** (transfer full): one of the hosts without its port. @port: (out): 0 where it has none. */
char *beckon_sandbox_proxy_split_host (const char *pattern, guint *port);

/** Whether @pattern can be one of the hosts: a name, an address, or "*." and a name, with or without a port. */
gboolean beckon_sandbox_proxy_check_host (const char *pattern);

/** (transfer full) (nullable): what was refused and why, a line each, in English; %NULL if nothing was. */
char *beckon_sandbox_proxy_dup_refusals (BeckonSandboxProxy *proxy) G_GNUC_WARN_UNUSED_RESULT;

/** How many connections there were. */
guint beckon_sandbox_proxy_get_n_connections (BeckonSandboxProxy *proxy);

/** Ends it with all its connections. */
void beckon_sandbox_proxy_free (BeckonSandboxProxy *proxy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonSandboxProxy, beckon_sandbox_proxy_free)

G_END_DECLS
