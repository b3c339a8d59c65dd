/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonTlsFront:
 *
 * Speaks TLS before a server that does not. What the server does to its connection, a FIN or an RST, it does too. The
 * authority of the tests, whose key is kept by nobody, becomes the only one that this process trusts.
 */
typedef struct _BeckonTlsFront BeckonTlsFront;

/** @certificate: a file in tests/llm/tls; @behind: the server's port on 127.0.0.1. */
BeckonTlsFront *beckon_tls_front_new (const char *certificate, guint16 behind) G_GNUC_WARN_UNUSED_RESULT;
void            beckon_tls_front_free (BeckonTlsFront *front);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonTlsFront, beckon_tls_front_free)

guint16 beckon_tls_front_get_port (BeckonTlsFront *front);

/** %TRUE if all that the server sent so far has been read by its client. */
gboolean beckon_tls_front_has_passed_on (BeckonTlsFront *front);

G_END_DECLS
