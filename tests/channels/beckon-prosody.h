/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** The domain of the server's accounts, and what peers' addresses end with. */
#define BECKON_PROSODY_DOMAIN "beckon.test"
#define BECKON_PROSODY_PEERS "peers.beckon.test"

/**
 * BeckonProsody:
 * @folder: all that it has
 * @port: for clients
 * @peer_port: for peers
 * @said: (nullable): what came to peers since beckon_prosody_clear(), as XML; never cleared by itself
 *
 * A real XMPP server on loopback. Its peers are a component of it: a connection over which any address of a domain can
 * say anything. Accounts are beckon@beckon.test and anna@beckon.test, both with
 * the password "correct-horse".
 */
typedef struct
{
  char *folder;
  guint16 port;
  guint16 peer_port;
  GString *said;
  char *config;
  char *output; /* a file with what it said before it had a log */
  GSubprocess *process;
  GSocketConnection *peers;
  char buffer[4096];
  GCancellable *reading;
} BeckonProsody;

/** Whether it is installed; if not, the test was skipped. */
gboolean beckon_prosody_can_run (void);

/** Makes a folder for certificates that are signed by an authority of its own, which OpenSSL trusts from now on.
 * Removed at exit. */
const char *beckon_prosody_certificates (void);

/** A port of this computer that nothing listens at. */
guint16 beckon_prosody_find_port (void);

/**
 * beckon_prosody_new:
 * @certificate: of those in beckon_prosody_certificates(), such as "good"
 * @options: (nullable): lines of configuration
 *
 * Starts it, and connects its peers.
 */
BeckonProsody *beckon_prosody_new (const char *certificate, const char *options);

/** Ends its process: in order, or as if the power were cut. */
void beckon_prosody_stop (BeckonProsody *prosody, gboolean in_order);

/** Starts it again, with all that it had stored. */
void beckon_prosody_start (BeckonProsody *prosody);
void beckon_prosody_free (BeckonProsody *prosody);

/** Peers say a stanza; @format gives XML. */
void beckon_prosody_say (BeckonProsody *prosody, const char *format, ...) G_GNUC_PRINTF (2, 3);

/** Waits until @part came to peers. */
void beckon_prosody_wait (BeckonProsody *prosody, const char *part);
void beckon_prosody_clear (BeckonProsody *prosody);

/** How often @part came to peers. */
guint beckon_prosody_count (BeckonProsody *prosody, const char *part);

/** Its log. Caller frees. */
char *beckon_prosody_dup_log (BeckonProsody *prosody);

G_END_DECLS
