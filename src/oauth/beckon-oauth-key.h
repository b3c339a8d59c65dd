/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-writer.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/** The most bytes of a file with a private key. */
#define BECKON_OAUTH_KEY_FILE_MAX (32 * 1024)

/**
 * BeckonOauthKey:
 *
 * A private key that signs JSON Web Tokens: on the curve P-256 (ES256), or of RSA with 2048 bits or more (RS256). Wiped when
 * it is freed. Any thread, one at a time.
 */
typedef struct _BeckonOauthKey BeckonOauthKey;

/** (transfer full): a new one on P-256; %NULL with %BECKON_ERROR_UNAVAILABLE where GnuTLS makes none. */
BeckonOauthKey *beckon_oauth_key_generate (GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_oauth_key_read:
 * @text: a private key as PEM has it (PKCS #8, PKCS #1 or SEC 1), or what beckon_oauth_key_print() gave
 * @error: return location
 *
 * Returns: (transfer full): %NULL with %BECKON_ERROR_INVALID, in words without a byte of the key
 */
BeckonOauthKey *beckon_oauth_key_read (const char *text, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** For the keyring: PKCS #8 in base64, one line of printable ASCII; %NULL with %BECKON_ERROR_UNAVAILABLE. Caller wipes. */
char *beckon_oauth_key_print (BeckonOauthKey *key, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void  beckon_oauth_key_free (BeckonOauthKey *key);

/** "ES256" or "RS256". Static. */
const char *beckon_oauth_key_get_algorithm (BeckonOauthKey *key);

/**
 * Writes the public half as an object (RFC 7517), its members in the order that RFC 7638 hashes; nothing, and %FALSE with
 * %BECKON_ERROR_UNAVAILABLE, where GnuTLS doesn't tell it.
 */
gboolean beckon_oauth_key_write_public (BeckonOauthKey *key, BeckonJsonWriter *writer, GError **error);

/**
 * beckon_oauth_key_sign:
 * @key: a key
 * @header: the header, as JSON
 * @claims: the claims, as JSON
 * @error: return location
 *
 * Returns: (transfer full): both with the signature, in the compact form of RFC 7515; %NULL with %BECKON_ERROR_UNAVAILABLE
 */
char *beckon_oauth_key_sign (BeckonOauthKey *key, const char *header, const char *claims,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonOauthKey, beckon_oauth_key_free)

G_END_DECLS
