/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GnuTLS overwrites what it knows of a key when it lets it go; what it hands out is overwritten here. */

#include "beckon-config.h"

#include "beckon-oauth-key.h"

#include "base/beckon-base64url.h"
#include "base/beckon-error.h"
#include "base/beckon-wipe.h"

#include <glib/gi18n-lib.h>
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/x509.h>
#include <string.h>

/* Bytes of a coordinate on P-256, and of each half of a signature. */
#define HALF 32
#define RSA_BITS_MIN 2048
#define RSA_BITS_MAX 8192

struct _BeckonOauthKey
{
  gnutls_x509_privkey_t stored;
  gnutls_privkey_t signer; /* the same */
  gboolean is_rsa;
};

static void
wipe_datum (gnutls_datum_t *datum)
{
  if (datum->data != NULL)
    gnutls_memset (datum->data, 0, datum->size);
  gnutls_free (datum->data);
  datum->data = NULL;
}

/* Too little entropy, or a key that GnuTLS reads and can't use. */
static void
set_unusable (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                       _("The key for the sign-in couldn’t be used. Try again, or choose another key."));
}

static BeckonOauthKey *
key_new (void)
{
  BeckonOauthKey *key = g_new0 (BeckonOauthKey, 1);

  if (gnutls_x509_privkey_init (&key->stored) < 0 || gnutls_privkey_init (&key->signer) < 0)
    g_error ("no memory for a key");
  return key;
}

void
beckon_oauth_key_free (BeckonOauthKey *key)
{
  if (key == NULL)
    return;

  gnutls_privkey_deinit (key->signer);
  gnutls_x509_privkey_deinit (key->stored);
  g_free (key);
}

static gboolean
is_usable (BeckonOauthKey *key)
{
  unsigned bits = 0;
  int algorithm = gnutls_x509_privkey_get_pk_algorithm2 (key->stored, &bits);

  key->is_rsa = algorithm == GNUTLS_PK_RSA;
  if (key->is_rsa)
    return bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX;
  return algorithm == GNUTLS_PK_ECDSA && bits == HALF * 8;
}

static gboolean
is_curve (BeckonOauthKey *key)
{
  gnutls_ecc_curve_t curve = GNUTLS_ECC_CURVE_INVALID;
  gnutls_datum_t x = { 0 }, y = { 0 }, k = { 0 };
  gboolean is_p256;

  if (key->is_rsa)
    return TRUE;
  is_p256 = gnutls_x509_privkey_export_ecc_raw (key->stored, &curve, &x, &y, &k) == 0
            && curve == GNUTLS_ECC_CURVE_SECP256R1;
  wipe_datum (&x);
  wipe_datum (&y);
  wipe_datum (&k);
  return is_p256;
}

BeckonOauthKey *
beckon_oauth_key_generate (GError **error)
{
  g_autoptr (BeckonOauthKey) key = key_new ();

  if (gnutls_x509_privkey_generate (key->stored, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS (GNUTLS_ECC_CURVE_SECP256R1), 0) < 0
      || gnutls_privkey_import_x509 (key->signer, key->stored, 0) < 0)
    {
      set_unusable (error);
      return NULL;
    }
  return g_steal_pointer (&key);
}

/* Armour is told apart by its dashes. */
static int
import (BeckonOauthKey *key, const char *text)
{
  gnutls_datum_t bytes = { .data = (guchar *) text, .size = (unsigned) strlen (text) };
  gsize length = 0;
  guchar *decoded;
  int result;

  if (strstr (text, "-----BEGIN") != NULL)
    return gnutls_x509_privkey_import2 (key->stored, &bytes, GNUTLS_X509_FMT_PEM, NULL, GNUTLS_PKCS_PLAIN);
  decoded = g_base64_decode (text, &length);
  bytes.data = decoded;
  bytes.size = (unsigned) length;
  result = length > 0 ? gnutls_x509_privkey_import_pkcs8 (key->stored, &bytes, GNUTLS_X509_FMT_DER, NULL, GNUTLS_PKCS_PLAIN)
                      : GNUTLS_E_ASN1_DER_ERROR;
  gnutls_memset (decoded, 0, length);
  g_free (decoded);
  return result;
}

BeckonOauthKey *
beckon_oauth_key_read (const char *text, GError **error)
{
  g_autoptr (BeckonOauthKey) key = key_new ();

  g_return_val_if_fail (text != NULL, NULL);

  if (strlen (text) > BECKON_OAUTH_KEY_FILE_MAX || import (key, text) < 0)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                         /* Translators: PEM is a format of files, its text begins with “-----BEGIN PRIVATE KEY-----” */
                         _("This isn’t a private key in PEM, or it has a passphrase. Choose a key without one."));
  else if (!is_usable (key) || !is_curve (key) || gnutls_x509_privkey_verify_params (key->stored) < 0
           || gnutls_privkey_import_x509 (key->signer, key->stored, 0) < 0)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                         /* Translators: P-256 and RSA are kinds of keys */
                         _("Beckon signs with keys on the curve P-256, and with RSA keys of 2048 bits or more. Choose such a "
                           "key."));
  else
    return g_steal_pointer (&key);
  return NULL;
}

char *
beckon_oauth_key_print (BeckonOauthKey *key, GError **error)
{
  gnutls_datum_t bytes = { 0 };
  char *text;

  g_return_val_if_fail (key != NULL, NULL);

  if (gnutls_x509_privkey_export2_pkcs8 (key->stored, GNUTLS_X509_FMT_DER, NULL, GNUTLS_PKCS_PLAIN, &bytes) < 0)
    {
      set_unusable (error);
      return NULL;
    }
  text = g_base64_encode (bytes.data, bytes.size);
  wipe_datum (&bytes);
  return text;
}

const char *
beckon_oauth_key_get_algorithm (BeckonOauthKey *key)
{
  g_return_val_if_fail (key != NULL, NULL);

  return key->is_rsa ? "RS256" : "ES256";
}

/* --- The public half ---------------------------------------------------------------------------------------------- */

/* Big-endian in HALF bytes: without the zeros that an integer may have in front, and with those that it lacks. */
static void
fill_half (guchar *half, const gnutls_datum_t *number)
{
  gsize skipped = number->size > HALF ? number->size - HALF : 0;
  gsize length = number->size - skipped;

  memset (half, 0, HALF);
  memcpy (half + HALF - length, number->data + skipped, length);
}

static void
write_number (BeckonJsonWriter *writer, const char *name, const gnutls_datum_t *number, gboolean is_half)
{
  guchar half[HALF];
  g_autofree char *text = NULL;

  if (is_half)
    fill_half (half, number);
  text = is_half ? beckon_base64url_encode (half, sizeof half) : beckon_base64url_encode (number->data, number->size);
  beckon_json_writer_member_string (writer, name, text);
}

/* @one, @other: modulus and exponent, or the point's coordinates. */
static gboolean
get_public (BeckonOauthKey *key, gnutls_datum_t *one, gnutls_datum_t *other)
{
  gnutls_pubkey_t public;
  gboolean is_known;

  if (gnutls_pubkey_init (&public) < 0)
    return FALSE;
  is_known = gnutls_pubkey_import_privkey (public, key->signer, 0, 0) >= 0
             && (key->is_rsa ? gnutls_pubkey_export_rsa_raw2 (public, one, other, GNUTLS_EXPORT_FLAG_NO_LZ)
                             : gnutls_pubkey_export_ecc_raw2 (public, NULL, one, other, GNUTLS_EXPORT_FLAG_NO_LZ))
                  >= 0;
  gnutls_pubkey_deinit (public);
  return is_known;
}

gboolean
beckon_oauth_key_write_public (BeckonOauthKey *key, BeckonJsonWriter *writer, GError **error)
{
  gnutls_datum_t one = { 0 }, other = { 0 };

  g_return_val_if_fail (key != NULL, FALSE);

  if (!get_public (key, &one, &other))
    {
      set_unusable (error);
      return FALSE;
    }
  beckon_json_writer_begin_object (writer);
  if (key->is_rsa)
    {
      write_number (writer, "e", &other, FALSE);
      beckon_json_writer_member_string (writer, "kty", "RSA");
      write_number (writer, "n", &one, FALSE);
    }
  else
    {
      beckon_json_writer_member_string (writer, "crv", "P-256");
      beckon_json_writer_member_string (writer, "kty", "EC");
      write_number (writer, "x", &one, TRUE);
      write_number (writer, "y", &other, TRUE);
    }
  beckon_json_writer_end_object (writer);
  gnutls_free (one.data);
  gnutls_free (other.data);
  return TRUE;
}

/* --- Signing ------------------------------------------------------------------------------------------------------ */

/* RFC 7518, 3.4: both numbers as they are, without the DER that signatures have elsewhere. (nullable) */
static char *
encode_halves (const gnutls_datum_t *signature)
{
  gnutls_datum_t r = { 0 }, s = { 0 };
  guchar halves[2 * HALF];

  if (gnutls_decode_rs_value (signature, &r, &s) < 0)
    return NULL;
  fill_half (halves, &r);
  fill_half (halves + HALF, &s);
  gnutls_free (r.data);
  gnutls_free (s.data);
  return beckon_base64url_encode (halves, sizeof halves);
}

char *
beckon_oauth_key_sign (BeckonOauthKey *key, const char *header, const char *claims, GError **error)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  g_autofree char *text = NULL;
  gnutls_datum_t data, signature = { 0 };

  g_return_val_if_fail (key != NULL && header != NULL && claims != NULL, NULL);

  first = beckon_base64url_encode (header, strlen (header));
  second = beckon_base64url_encode (claims, strlen (claims));
  text = g_strconcat (first, ".", second, NULL);
  data.data = (guchar *) text;
  data.size = (unsigned) strlen (text);
  if (gnutls_privkey_sign_data2 (key->signer, key->is_rsa ? GNUTLS_SIGN_RSA_SHA256 : GNUTLS_SIGN_ECDSA_SHA256, 0, &data,
                                 &signature) >= 0)
    third = key->is_rsa ? beckon_base64url_encode (signature.data, signature.size) : encode_halves (&signature);
  gnutls_free (signature.data);
  if (third == NULL)
    {
      set_unusable (error);
      return NULL;
    }
  return g_strconcat (text, ".", third, NULL);
}
