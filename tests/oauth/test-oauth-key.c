/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keys of sign-ins, and what they sign, which another implementation reads: tests/oauth/verify.mjs. */

#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "oauth/beckon-oauth-key.h"
#include "oauth/beckon-oauth-proof.h"

#include <gio/gio.h>
#include <gnutls/x509.h>
#include <string.h>

/* SHA-256 of the token, by another program. */
#define ATH "HDsokHK7hlZMVWvrj5Yl8l0SgPSHR4UpUbkdEZuZag0"

#define NOW_S G_GINT64_CONSTANT (1795000000)

typedef enum
{
  FORM_PKCS8,
  FORM_OWN, /* PKCS #1 or SEC 1 */
  FORM_LOCKED,
} Form;

/* As PEM, (transfer full). */
static char *
make_pem (gnutls_pk_algorithm_t algorithm, unsigned bits, Form form)
{
  gnutls_x509_privkey_t key;
  gnutls_datum_t text = { 0 };
  char *copy;

  g_assert_cmpint (gnutls_x509_privkey_init (&key), ==, 0);
  g_assert_cmpint (gnutls_x509_privkey_generate (key, algorithm, bits, 0), ==, 0);
  if (form == FORM_OWN)
    g_assert_cmpint (gnutls_x509_privkey_export2 (key, GNUTLS_X509_FMT_PEM, &text), ==, 0);
  else
    g_assert_cmpint (gnutls_x509_privkey_export2_pkcs8 (key, GNUTLS_X509_FMT_PEM, form == FORM_LOCKED ? "pass" : NULL,
                                                        form == FORM_LOCKED ? GNUTLS_PKCS_PBES2_AES_256 : GNUTLS_PKCS_PLAIN,
                                                        &text),
                     ==, 0);
  copy = g_strndup ((const char *) text.data, text.size);
  gnutls_free (text.data);
  gnutls_x509_privkey_deinit (key);
  return copy;
}

/* The answer of the other implementation, (transfer full) (nullable); @key: (nullable): PEM or JSON. */
static JsonObject *
verify (const char *token, const char *key)
{
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "oauth", "verify.mjs", NULL);
  g_autoptr (GSubprocess) node = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL,
                                                   g_getenv ("BECKON_TEST_NODE"), script, NULL);
  GString *line = g_string_new (NULL);
  g_autofree char *input = NULL;
  g_autofree char *output = NULL;
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, line);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "token", token);
  if (key != NULL && *key == '{')
    {
      beckon_json_writer_name (&writer, "key");
      beckon_json_writer_raw (&writer, key, -1);
    }
  else if (key != NULL)
    beckon_json_writer_member_string (&writer, "key", key);
  beckon_json_writer_end_object (&writer);
  g_string_append_c (line, '\n');
  input = g_string_free (line, FALSE);
  g_assert_true (g_subprocess_communicate_utf8 (node, input, NULL, &output, NULL, NULL));
  g_assert_true (g_subprocess_get_successful (node));
  return strcmp (g_strstrip (output), "null") == 0 ? NULL : beckon_json_parse_object (output, -1, NULL);
}

static gboolean
has_node (void)
{
  const char *node = g_getenv ("BECKON_TEST_NODE");

  if (node != NULL && *node != '\0')
    return TRUE;
  g_test_skip ("Node is not installed");
  return FALSE;
}

static char *
print_public (BeckonOauthKey *key)
{
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  g_assert_true (beckon_oauth_key_write_public (key, &writer, NULL));
  return g_string_free (text, FALSE);
}

/* Many, because numbers with zeros in front are rare: one in 128 signatures has one, and one in 128 keys. */
static void
test_many (void)
{
  for (guint i = 0; i < 300; i++)
    {
      g_autoptr (BeckonOauthKey) key = beckon_oauth_key_generate (NULL);
      g_autofree char *token = beckon_oauth_key_sign (key, "{}", "{}", NULL);
      g_autofree char *public = print_public (key);
      const char *signature = strrchr (token, '.') + 1;
      g_autoptr (JsonObject) object = beckon_json_parse_object (public, -1, NULL);

      g_assert_cmpuint (strlen (signature), ==, 86);
      g_assert_cmpuint (strlen (beckon_json_get_string (object, "x")), ==, 43);
      g_assert_cmpuint (strlen (beckon_json_get_string (object, "y")), ==, 43);
    }
}

/* Kept and read again it is the same. */
static void
test_kept (void)
{
  g_autoptr (BeckonOauthKey) key = beckon_oauth_key_generate (NULL);
  g_autofree char *text = beckon_oauth_key_print (key, NULL);
  g_autoptr (BeckonOauthKey) again = beckon_oauth_key_read (text, NULL);
  g_autofree char *one = print_public (key);
  g_autofree char *other = NULL;
  g_autofree char *token = NULL;
  g_autoptr (JsonObject) read = NULL;

  g_assert_nonnull (again);
  g_assert_null (strpbrk (text, " \r\n-"));
  other = print_public (again);
  g_assert_cmpstr (one, ==, other);
  if (!has_node ())
    return;
  token = beckon_oauth_key_sign (again, "{\"alg\":\"ES256\"}", "{\"a\":1}", NULL);
  read = verify (token, one);
  g_assert_nonnull (read);
  g_assert_cmpint (beckon_json_get_int (beckon_json_get_object (read, "claims"), "a", 0), ==, 1);
}

typedef struct
{
  const char *name;
  gnutls_pk_algorithm_t algorithm;
  unsigned bits;
  Form form;
  const char *signs; /* %NULL: refused */
} Pem;

#define CURVE(name) GNUTLS_CURVE_TO_BITS (GNUTLS_ECC_CURVE_##name)

static const Pem pems[] = {
  { "ec-pkcs8", GNUTLS_PK_ECDSA, CURVE (SECP256R1), FORM_PKCS8, "ES256" },
  { "ec-sec1", GNUTLS_PK_ECDSA, CURVE (SECP256R1), FORM_OWN, "ES256" },
  { "rsa-pkcs8", GNUTLS_PK_RSA, 2048, FORM_PKCS8, "RS256" },
  { "rsa-pkcs1", GNUTLS_PK_RSA, 2048, FORM_OWN, "RS256" },
  { "locked", GNUTLS_PK_ECDSA, CURVE (SECP256R1), FORM_LOCKED, NULL },
  { "other-curve", GNUTLS_PK_ECDSA, CURVE (SECP384R1), FORM_PKCS8, NULL },
  { "ed25519", GNUTLS_PK_EDDSA_ED25519, CURVE (ED25519), FORM_PKCS8, NULL },
  { "short-rsa", GNUTLS_PK_RSA, 1024, FORM_PKCS8, NULL },
};

/* A private key in PEM is a public one too, for who checks. */
static void
test_pem (gconstpointer data)
{
  const Pem *pem = &pems[GPOINTER_TO_UINT (data)];
  g_autofree char *text = make_pem (pem->algorithm, pem->bits, pem->form);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonOauthKey) key = beckon_oauth_key_read (text, &error);
  g_autofree char *token = NULL;
  g_autoptr (JsonObject) read = NULL;
  JsonObject *claims;

  if (pem->signs == NULL)
    {
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
      g_assert_null (strstr (error->message, "BEGIN PRIVATE"));
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpstr (beckon_oauth_key_get_algorithm (key), ==, pem->signs);
  if (!has_node ())
    return;
  token = beckon_oauth_assertion_make (text, "me", "https://as.example", NOW_S * G_USEC_PER_SEC, NULL);
  read = verify (token, text);
  g_assert_nonnull (read);
  claims = beckon_json_get_object (read, "claims");
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (read, "header"), "alg"), ==, pem->signs);
  g_assert_cmpstr (beckon_json_get_string (claims, "iss"), ==, "me");
  g_assert_cmpstr (beckon_json_get_string (claims, "aud"), ==, "https://as.example");
  g_assert_cmpint (beckon_json_get_int (claims, "exp", 0), ==, NOW_S + BECKON_OAUTH_ASSERTION_SECONDS);
}

static void
test_no_key (void)
{
  static const char *const texts[] = { "", "AAAA", "MIGHAgEAMBMGByqGSM49AgEG", "-----BEGIN PRIVATE KEY-----\nAAAA\n",
                                       "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" };
  g_autofree char *huge = g_strnfill (BECKON_OAUTH_KEY_FILE_MAX + 1, 'A');

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (beckon_oauth_key_read (texts[i], &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
  g_assert_null (beckon_oauth_key_read (huge, NULL));
}

/* A kept key with any byte changed is refused, or signs, or says that it can't: no input ends the program. */
static void
test_changed_key (void)
{
  g_autoptr (BeckonOauthKey) key = beckon_oauth_key_generate (NULL);
  g_autofree char *text = beckon_oauth_key_print (key, NULL);

  for (gsize i = 0; i < strlen (text); i++)
    {
      g_autofree char *changed = g_strdup (text);
      g_autoptr (BeckonOauthKey) read = NULL;
      g_autofree char *token = NULL;
      g_autoptr (GError) error = NULL;

      changed[i] = changed[i] == 'A' ? 'B' : 'A';
      read = beckon_oauth_key_read (changed, NULL);
      token = read != NULL ? beckon_oauth_key_sign (read, "{}", "{}", &error) : NULL;
      g_assert_true (read == NULL || token != NULL || error != NULL);
    }
}

static void
test_proof (void)
{
  g_autoptr (BeckonOauthKey) key = beckon_oauth_key_generate (NULL);
  g_autofree char *text = beckon_oauth_key_print (key, NULL);
  g_autofree char *proof = beckon_oauth_proof_make (text, "POST", "https://a.example/mcp?x=1#y", "the-nonce", "Kz~8mXK1EalYznwH",
                                                    NOW_S * G_USEC_PER_SEC, NULL);
  g_autoptr (JsonObject) read = NULL;
  g_autoptr (GError) error = NULL;
  JsonObject *header, *claims;

  g_assert_null (beckon_oauth_proof_make ("none", "POST", "https://a.example/", NULL, NULL, 0, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  if (!has_node ())
    return;
  read = verify (proof, NULL);
  g_assert_nonnull (read);
  header = beckon_json_get_object (read, "header");
  claims = beckon_json_get_object (read, "claims");
  g_assert_cmpstr (beckon_json_get_string (header, "typ"), ==, "dpop+jwt");
  g_assert_false (json_object_has_member (beckon_json_get_object (header, "jwk"), "d"));
  g_assert_cmpstr (beckon_json_get_string (claims, "htm"), ==, "POST");
  g_assert_cmpstr (beckon_json_get_string (claims, "htu"), ==, "https://a.example/mcp");
  g_assert_cmpstr (beckon_json_get_string (claims, "nonce"), ==, "the-nonce");
  g_assert_cmpint (beckon_json_get_int (claims, "iat", 0), ==, NOW_S);
  g_assert_cmpstr (beckon_json_get_string (claims, "ath"), ==, ATH);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/oauth/key/many", test_many);
  g_test_add_func ("/oauth/key/kept", test_kept);
  for (guint i = 0; i < G_N_ELEMENTS (pems); i++)
    {
      g_autofree char *path = g_strconcat ("/oauth/key/pem/", pems[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_pem);
    }
  g_test_add_func ("/oauth/key/none", test_no_key);
  g_test_add_func ("/oauth/key/changed", test_changed_key);
  g_test_add_func ("/oauth/key/proof", test_proof);
  return g_test_run ();
}
