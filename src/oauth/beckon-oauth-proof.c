/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-proof.h"

#include "base/beckon-base64url.h"
#include "base/beckon-origin.h"
#include "beckon-oauth-key.h"

#include <string.h>

/* The server, its authorization server, and those before them. */
#define NONCES_MAX 16

/* RFC 9449, 4.2: without query and fragment. */
static char *
dup_target (const char *url)
{
  return g_strndup (url, strcspn (url, "?#"));
}

static char *
make_header (BeckonOauthKey *key, const char *type, gboolean with_key, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "typ", type);
  beckon_json_writer_member_string (&writer, "alg", beckon_oauth_key_get_algorithm (key));
  if (with_key)
    {
      beckon_json_writer_name (&writer, "jwk");
      if (!beckon_oauth_key_write_public (key, &writer, error))
        return NULL;
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_oauth_proof_make (const char *key_text, const char *method, const char *url, const char *nonce, const char *token,
                         gint64 now, GError **error)
{
  g_autoptr (BeckonOauthKey) key = NULL;
  g_autofree char *id = beckon_base64url_random ();
  g_autofree char *target = NULL;
  g_autofree char *header = NULL;
  g_autoptr (GString) claims = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (key_text != NULL && method != NULL && url != NULL, NULL);

  key = beckon_oauth_key_read (key_text, error);
  header = key != NULL ? make_header (key, "dpop+jwt", TRUE, error) : NULL;
  if (header == NULL)
    return NULL;

  target = dup_target (url);
  beckon_json_writer_init (&writer, claims);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "jti", id);
  beckon_json_writer_member_string (&writer, "htm", method);
  beckon_json_writer_member_string (&writer, "htu", target);
  beckon_json_writer_member_int (&writer, "iat", now / G_USEC_PER_SEC);
  if (token != NULL)
    {
      g_autofree char *digest = beckon_base64url_digest (token);

      beckon_json_writer_member_string (&writer, "ath", digest);
    }
  if (nonce != NULL)
    beckon_json_writer_member_string (&writer, "nonce", nonce);
  beckon_json_writer_end_object (&writer);
  return beckon_oauth_key_sign (key, header, claims->str, error);
}

char *
beckon_oauth_assertion_make (const char *key_text, const char *client_id, const char *issuer, gint64 now, GError **error)
{
  g_autoptr (BeckonOauthKey) key = NULL;
  g_autofree char *id = beckon_base64url_random ();
  g_autofree char *header = NULL;
  g_autoptr (GString) claims = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (key_text != NULL && client_id != NULL && issuer != NULL, NULL);

  key = beckon_oauth_key_read (key_text, error);
  header = key != NULL ? make_header (key, "JWT", FALSE, error) : NULL;
  if (header == NULL)
    return NULL;

  beckon_json_writer_init (&writer, claims);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "iss", client_id);
  beckon_json_writer_member_string (&writer, "sub", client_id);
  beckon_json_writer_member_string (&writer, "aud", issuer);
  beckon_json_writer_member_int (&writer, "iat", now / G_USEC_PER_SEC);
  beckon_json_writer_member_int (&writer, "exp", now / G_USEC_PER_SEC + BECKON_OAUTH_ASSERTION_SECONDS);
  beckon_json_writer_member_string (&writer, "jti", id);
  beckon_json_writer_end_object (&writer);
  return beckon_oauth_key_sign (key, header, claims->str, error);
}

/* --- Nonces ------------------------------------------------------------------------------------------------------- */

/* RFC 9449, 8.1: NQCHAR */
static gboolean
is_nonce (const char *nonce)
{
  for (const char *c = nonce; *c != '\0'; c++)
    if (*c < 0x21 || *c > 0x7e || *c == '"' || *c == '\\')
      return FALSE;
  return *nonce != '\0' && strlen (nonce) <= BECKON_OAUTH_NONCE_MAX;
}

BeckonOauthNonces *
beckon_oauth_nonces_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

const char *
beckon_oauth_nonces_get (BeckonOauthNonces *nonces, const char *url)
{
  g_autofree char *origin = beckon_uri_dup_origin (url);

  return origin != NULL ? g_hash_table_lookup (nonces, origin) : NULL;
}

gboolean
beckon_oauth_nonces_take (BeckonOauthNonces *nonces, const char *url, const char *nonce)
{
  g_autofree char *origin = beckon_uri_dup_origin (url);

  if (origin == NULL || nonce == NULL || !is_nonce (nonce)
      || g_strcmp0 (g_hash_table_lookup (nonces, origin), nonce) == 0)
    return FALSE;
  if (g_hash_table_size (nonces) >= NONCES_MAX)
    g_hash_table_remove_all (nonces);
  g_hash_table_replace (nonces, g_steal_pointer (&origin), g_strdup (nonce));
  return TRUE;
}
