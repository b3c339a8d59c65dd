/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Run three times, as BECKON_TEST_KEYRING says: with a real keyring, on a bus without one, and without a bus. */

#include "beckon-config.h"

#include "base/beckon-error.h"
#include "oauth/beckon-oauth.h"
#include "settings/beckon-secrets-private.h"

#include <libsecret/secret.h>
#include <string.h>

#define URL "https://one.example/v1"
#define OTHER_URL "https://one.example:8443/v1"
#define KEY "sk-test_0123456789.ABC/def+ghi=="

typedef struct
{
  BeckonClock *clock;
  BeckonSecrets *secrets;
  gboolean with_environment;
  const char *url;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_unsetenv ("BECKON_API_KEY");
  fixture->with_environment = TRUE;
  fixture->url = URL;
  fixture->clock = beckon_clock_new_manual (0);
  fixture->secrets = beckon_secrets_new ();
  beckon_secrets_set_clock (fixture->secrets, fixture->clock);
}

/* A call of the keyring holds a reference until it ends. */
static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gpointer weak = fixture->secrets;
  gint64 deadline = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  g_object_add_weak_pointer (G_OBJECT (fixture->secrets), &weak);
  g_object_unref (fixture->secrets);
  while (weak != NULL && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, FALSE);
  g_assert_null (weak);
  g_object_unref (fixture->clock);
}

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  g_assert_null (*slot);
  *slot = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (*result == NULL && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, FALSE);
  g_assert_nonnull (*result);
}

static char *
lookup (Fixture *fixture, const char *profile_id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_secrets_lookup_async (fixture->secrets, profile_id, fixture->url, fixture->with_environment, NULL, on_result, &result);
  g_assert_null (result);
  wait_for (&result);
  return beckon_secrets_lookup_finish (fixture->secrets, result, error);
}

static gboolean
store (Fixture *fixture, const char *profile_id, const char *key, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_secrets_store_async (fixture->secrets, profile_id, fixture->url, "A model", key, NULL, on_result, &result);
  g_assert_null (result);
  wait_for (&result);
  return beckon_secrets_store_finish (fixture->secrets, result, error);
}

static void
assert_key (Fixture *fixture, const char *profile_id, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *key = lookup (fixture, profile_id, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (key, ==, expected);
}

/* Faults D68: a line break in a key would be a header of its own. */
static void
test_check (void)
{
  g_autofree char *longest = g_strnfill (8192, 'k');
  g_autofree char *too_long = g_strnfill (8193, 'k');
  const char *good[] = { "x", KEY, "!~", longest };
  const char *bad[] = { "", " ", "a b", "a\n", "\na", "a\r\nX-Evil: 1", "a\tb", "sch\xc3\xbc", "a\x7f", "a\x01", too_long };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (beckon_secrets_check (good[i], &error));
      g_assert_no_error (error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (beckon_secrets_check (bad[i], &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);

      /* The message may be logged or shown; the key is not in it. */
      g_assert_true (strlen (bad[i]) < 4 || strstr (error->message, bad[i]) == NULL);
    }
}

/* A secret that becomes no header may be any line of text. */
static void
test_check_line (void)
{
  g_autofree char *too_long = g_strnfill (8193, 'k');
  const char *good[] = { "x", " correct horse ", "sch\xc3\xbcssel", KEY };
  const char *bad[] = { "", "a\n", "a\r\nX-Evil: 1", "a\tb", "a\x7f", "a\x01", "a\xff", "a\xc2\x85", "a\xe2\x80\xa8", too_long };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (beckon_secrets_check_line (good[i], NULL));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (beckon_secrets_check_line (bad[i], &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
}

static void
test_session (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_secrets_set_for_session (fixture->secrets, "a", URL, KEY, &error));
  g_assert_true (beckon_secrets_set_for_session (fixture->secrets, "b", URL, "other", &error));
  assert_key (fixture, "a", KEY);
  assert_key (fixture, "b", "other");

  g_assert_false (beckon_secrets_set_for_session (fixture->secrets, "a", URL, "bad key", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  assert_key (fixture, "a", KEY);
}

/* The error says for which server the key is, and not the key. */
static void
assert_elsewhere (Fixture *fixture, const char *profile_id, const char *url)
{
  g_autoptr (GError) error = NULL;

  fixture->url = url;
  g_assert_null (lookup (fixture, profile_id, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "https://one.example:443"));
  g_assert_null (strstr (error->message, "sk-"));
}

/* A changed address has no key. */
static void
test_session_elsewhere (Fixture *fixture, gconstpointer data)
{
  const char *const others[] = { OTHER_URL, "http://one.example:443/v1", "https://one.example.other/v1" };

  g_assert_true (beckon_secrets_set_for_session (fixture->secrets, "a", URL, KEY, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    assert_elsewhere (fixture, "a", others[i]);
  fixture->url = "https://ONE.example:443/another";
  assert_key (fixture, "a", KEY);
}

/* Without an address a key would be for whoever comes. */
static void
test_no_address (Fixture *fixture, gconstpointer data)
{
  const char *const urls[] = { NULL, "", "one.example", "ftp://one.example/" };

  for (guint i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_autoptr (GError) error = NULL;

      fixture->url = urls[i];
      g_assert_false (store (fixture, "a", KEY, &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
      g_assert_false (beckon_secrets_set_for_session (fixture->secrets, "a", urls[i], KEY, NULL));
      assert_key (fixture, "a", NULL);
    }
}

/* The environment answers without asking D-Bus, and after what was entered for this session. */
static void
test_environment (Fixture *fixture, gconstpointer data)
{
  g_setenv ("BECKON_API_KEY", "from-the-environment", TRUE);
  assert_key (fixture, "a", "from-the-environment");
  g_assert_true (beckon_secrets_set_for_session (fixture->secrets, "a", URL, KEY, NULL));
  assert_key (fixture, "a", KEY);
  assert_key (fixture, "b", "from-the-environment");
  g_assert_true (beckon_secrets_set_for_session (fixture->secrets, "a", URL, NULL, NULL));
  assert_key (fixture, "a", "from-the-environment");
  g_assert_true (beckon_secrets_has_environment ());
}

/* A key for another server is not even looked at. */
static void
test_environment_of_another (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *key = NULL;

  g_setenv ("BECKON_API_KEY", "two words", TRUE);
  fixture->with_environment = FALSE;
  g_assert_true (beckon_secrets_set_for_session (fixture->secrets, "a", URL, KEY, NULL));
  assert_key (fixture, "a", KEY);
  key = lookup (fixture, "b", &error);
  g_assert_null (key);
  g_assert_false (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_INVALID));
}

static void
test_environment_is_bad (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_setenv ("BECKON_API_KEY", "two words", TRUE);
  g_assert_null (lookup (fixture, "a", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_true (g_str_has_prefix (error->message, "BECKON_API_KEY: "));
  g_assert_null (strstr (error->message, "two words"));
}

static void
test_cancelled_before (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  beckon_secrets_lookup_async (fixture->secrets, "a", URL, TRUE, cancellable, on_result, &result);
  wait_for (&result);
  g_assert_null (beckon_secrets_lookup_finish (fixture->secrets, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* A bad key is refused before any keyring is asked. */
static void
test_store_bad (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (store (fixture, "a", "a\nb", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
}

/* With a keyring. */

static void
test_store (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  Fixture later;

  assert_key (fixture, "a", NULL);
  g_assert_true (store (fixture, "a", KEY, &error));
  g_assert_no_error (error);
  g_assert_true (store (fixture, "b", "other", &error));
  assert_key (fixture, "a", KEY);
  assert_key (fixture, "b", "other");

  g_assert_true (store (fixture, "a", "changed", &error));
  set_up (&later, NULL);
  assert_key (&later, "a", "changed");
  tear_down (&later, NULL);

  g_assert_true (store (fixture, "a", NULL, &error));
  assert_key (fixture, "a", NULL);
  g_assert_true (store (fixture, "b", "", &error));
  assert_key (fixture, "b", NULL);

  /* Removing what is not there is fine. */
  g_assert_true (store (fixture, "b", NULL, &error));
  g_assert_no_error (error);
}

static void
test_store_replaces_session (Fixture *fixture, gconstpointer data)
{
  g_assert_true (beckon_secrets_set_for_session (fixture->secrets, "a", URL, "for-now", NULL));
  g_assert_true (store (fixture, "a", KEY, NULL));
  assert_key (fixture, "a", KEY);
  g_assert_true (store (fixture, "a", NULL, NULL));
  assert_key (fixture, "a", NULL);
}

/* A password with spaces and letters of other alphabets comes back as it was; as a key it is refused. */
static void
test_store_line (Fixture *fixture, gconstpointer data)
{
  static const char password[] = "correct horse, sch\xc3\xbcssel";
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_secrets_store_line_async (fixture->secrets, "a", URL, "A channel", password, NULL, on_result, &result);
  wait_for (&result);
  g_assert_true (beckon_secrets_store_finish (fixture->secrets, result, &error));
  assert_key (fixture, "a", password);
  g_assert_false (store (fixture, "a", password, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_true (store (fixture, "a", NULL, NULL));
}

/* Counts the items of a profile, and those without an origin. */
static guint
count_items (const char *profile_id, guint *n_unbound)
{
  g_autoptr (SecretService) service = secret_service_get_sync (SECRET_SERVICE_NONE, NULL, NULL);
  g_autoptr (GHashTable) attributes = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = 0;
  GList *items;

  g_hash_table_insert (attributes, (gpointer) "profile", (gpointer) profile_id);
  items = secret_service_search_sync (service, NULL, attributes, SECRET_SEARCH_ALL, NULL, NULL);
  *n_unbound = 0;
  for (GList *at = items; at != NULL; at = at->next, n++)
    {
      g_autoptr (GHashTable) found = secret_item_get_attributes (at->data);

      *n_unbound += !g_hash_table_contains (found, "origin");
    }
  g_list_free_full (items, g_object_unref);
  return n;
}

static void
wait_for_items (const char *profile_id, guint expected)
{
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  guint n_unbound;

  while (count_items (profile_id, &n_unbound) != expected && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (count_items (profile_id, &n_unbound), ==, expected);
  g_assert_cmpuint (n_unbound, ==, 0);
}

static void
test_bound (Fixture *fixture, gconstpointer data)
{
  Fixture later;

  g_assert_true (store (fixture, "bound", KEY, NULL));
  assert_elsewhere (fixture, "bound", OTHER_URL);
  fixture->url = "https://one.example/v2";
  assert_key (fixture, "bound", KEY);
  set_up (&later, NULL);
  assert_elsewhere (&later, "bound", OTHER_URL);
  tear_down (&later, NULL);

  /* A profile has one key, and the older one does not stay behind. */
  fixture->url = "https://other.example/v1";
  g_assert_true (store (fixture, "bound", "sk-other", NULL));
  assert_key (fixture, "bound", "sk-other");
  wait_for_items ("bound", 1);
  fixture->url = NULL;
  g_assert_true (store (fixture, "bound", NULL, NULL));
  wait_for_items ("bound", 0);
}

/* A key from before there were origins is for the server that it was used with. */
static void
test_adopted (Fixture *fixture, gconstpointer data)
{
  static const SecretSchema older = {
    BECKON_APPLICATION_ID ".Key", SECRET_SCHEMA_NONE, { { "profile", SECRET_SCHEMA_ATTRIBUTE_STRING }, { NULL, 0 } },
  };
  g_autoptr (GError) error = NULL;
  guint n_unbound;

  secret_password_store_sync (&older, SECRET_COLLECTION_DEFAULT, "Beckon: key of old", KEY, NULL, &error, "profile", "old",
                              NULL);
  g_assert_no_error (error);
  g_assert_cmpuint (count_items ("old", &n_unbound), ==, 1);
  g_assert_cmpuint (n_unbound, ==, 1);
  assert_key (fixture, "old", KEY);
  wait_for_items ("old", 1);
  assert_elsewhere (fixture, "old", OTHER_URL);
  fixture->url = URL;
  assert_key (fixture, "old", KEY);
  g_assert_true (store (fixture, "old", NULL, NULL));
  wait_for_items ("old", 0);
}

static void
on_patience_over (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

static GAsyncResult *
save_sign_in (Fixture *fixture, const char *text)
{
  BeckonOauthStore *store = BECKON_OAUTH_STORE (fixture->secrets);
  GAsyncResult *result = NULL;

  BECKON_OAUTH_STORE_GET_IFACE (store)->save_async (store, "locked", URL, text, NULL, on_result, &result);
  wait_for (&result);
  return result;
}

/* A sign-in that is locked away is told from none, without a prompt. */
static void
assert_locked_sign_in (Fixture *fixture)
{
  BeckonOauthStore *store = BECKON_OAUTH_STORE (fixture->secrets);
  g_autoptr (GAsyncResult) there = NULL;
  g_autoptr (GAsyncResult) none = NULL;
  g_autoptr (GError) error = NULL;

  BECKON_OAUTH_STORE_GET_IFACE (store)->load_async (store, "locked", URL, TRUE, NULL, on_result, &there);
  wait_for (&there);
  g_assert_null (BECKON_OAUTH_STORE_GET_IFACE (store)->load_finish (store, there, &error));
  g_assert_error (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_LOCKED);
  g_assert_null (strstr (error->message, "BECKON_API_KEY"));
  g_clear_error (&error);
  BECKON_OAUTH_STORE_GET_IFACE (store)->load_async (store, "nobody", URL, TRUE, NULL, on_result, &none);
  wait_for (&none);
  g_assert_null (BECKON_OAUTH_STORE_GET_IFACE (store)->load_finish (store, none, &error));
  g_assert_no_error (error);
}

/* Locked, with nobody to unlock it: whatever the service does, it ends with the clock at the latest. */
static void
test_locked (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SecretService) service = secret_service_get_sync (SECRET_SERVICE_LOAD_COLLECTIONS, NULL, &error);
  GList *collections;
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *key = NULL;
  static gboolean is_over = FALSE;

  g_assert_no_error (error);
  g_assert_true (store (fixture, "locked", KEY, &error));
  saved = save_sign_in (fixture, "{}");
  collections = secret_service_get_collections (service);
  g_assert_cmpint (secret_service_lock_sync (service, collections, NULL, NULL, &error), >, 0);
  g_assert_no_error (error);
  g_list_free_full (collections, g_object_unref);
  assert_locked_sign_in (fixture);

  beckon_secrets_lookup_async (fixture->secrets, "locked", URL, TRUE, NULL, on_result, &result);
  /* Some services refuse, others wait for somebody who unlocks. */
  g_timeout_add_once (1000, on_patience_over, &is_over);
  while (result == NULL && !is_over)
    g_main_context_iteration (NULL, TRUE);
  beckon_clock_advance (fixture->clock, BECKON_SECRETS_TIMEOUT_S * 1000);
  wait_for (&result);
  key = beckon_secrets_lookup_finish (fixture->secrets, result, &error);

  /* Not "no key": it is there. */
  g_assert_null (key);
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "Unlock it"));
}

/* Without one. */

static void
test_unavailable (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (lookup (fixture, "a", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "for this session only"));
  g_assert_nonnull (strstr (error->message, "BECKON_API_KEY"));
  g_clear_error (&error);

  g_assert_false (store (fixture, "a", KEY, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_null (strstr (error->message, KEY));
}

/* A keyring that takes calls and never answers them. */

static GDBusMessage *
swallow (GDBusConnection *connection, GDBusMessage *message, gboolean incoming, gpointer user_data)
{
  if (incoming && g_dbus_message_get_message_type (message) == G_DBUS_MESSAGE_TYPE_METHOD_CALL)
    {
      g_object_unref (message);
      return NULL;
    }

  return message;
}

static GDBusConnection *
start_keyring (GDBusMessageFilterFunction answer)
{
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = NULL;
  GDBusConnection *connection;

  connection = g_dbus_connection_new_for_address_sync (address,
                                                       G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                           | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                                       NULL, NULL, &error);
  g_assert_no_error (error);
  g_dbus_connection_add_filter (connection, answer, NULL, NULL);
  reply = g_dbus_connection_call_sync (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                       "org.freedesktop.DBus", "RequestName",
                                       g_variant_new ("(su)", "org.freedesktop.secrets", 0), NULL,
                                       G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
  return connection;
}

/* A keyring that lets nobody in. */
static GDBusMessage *
refuse (GDBusConnection *connection, GDBusMessage *message, gboolean incoming, gpointer user_data)
{
  g_autoptr (GDBusMessage) reply = NULL;

  if (!incoming || g_dbus_message_get_message_type (message) != G_DBUS_MESSAGE_TYPE_METHOD_CALL)
    return message;
  reply = g_dbus_message_new_method_error (message, "org.freedesktop.DBus.Error.AccessDenied", "Not you: %s", KEY);
  g_dbus_connection_send_message (connection, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
  g_object_unref (message);
  return NULL;
}

static void
test_denied (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDBusConnection) keyring = start_keyring (refuse);
  g_autoptr (GError) error = NULL;

  g_assert_null (lookup (fixture, "a", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "refused"));
  g_assert_nonnull (strstr (error->message, "for this session only"));
  g_clear_error (&error);
  g_assert_false (store (fixture, "a", KEY, &error));
  g_assert_nonnull (strstr (error->message, "refused"));
  g_assert_null (strstr (error->message, KEY));
  g_assert_true (g_dbus_connection_close_sync (keyring, NULL, NULL));
}

static void
test_silent_lookup (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDBusConnection) keyring = start_keyring (swallow);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_secrets_lookup_async (fixture->secrets, "a", URL, TRUE, NULL, on_result, &result);
  beckon_clock_advance (fixture->clock, BECKON_SECRETS_TIMEOUT_S * 1000 - 1);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (result);
  beckon_clock_advance (fixture->clock, 1);
  wait_for (&result);
  g_assert_null (beckon_secrets_lookup_finish (fixture->secrets, result, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "did not answer"));
  g_assert_nonnull (strstr (error->message, "BECKON_API_KEY"));
  g_assert_true (g_dbus_connection_close_sync (keyring, NULL, NULL));
}

static void
test_silent_store (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDBusConnection) keyring = start_keyring (swallow);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_secrets_set_for_session (fixture->secrets, "a", URL, "for-now", NULL));
  beckon_secrets_store_async (fixture->secrets, "a", URL, "A model", KEY, NULL, on_result, &result);
  beckon_clock_advance (fixture->clock, BECKON_SECRETS_TIMEOUT_S * 1000);
  wait_for (&result);
  g_assert_false (beckon_secrets_store_finish (fixture->secrets, result, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);

  /* A key that was not stored replaces none. */
  assert_key (fixture, "a", "for-now");
  g_assert_true (g_dbus_connection_close_sync (keyring, NULL, NULL));
}

/* A keyring that opens a dialog and waits for what is typed into it. Its filter runs on the thread of the connection. */

static int n_prompts, n_dismissed;

static GVariant *
make_reply (GDBusMessage *message)
{
  const char *member = g_dbus_message_get_member (message);
  const char *algorithm = "";

  if (g_strcmp0 (member, "GetAll") == 0)
    return g_variant_new ("(a{sv})", NULL);
  if (g_strcmp0 (member, "CreateItem") == 0)
    return g_variant_new ("(oo)", "/", "/org/freedesktop/secrets/prompt/p1");
  if (g_strcmp0 (member, "Prompt") == 0)
    g_atomic_int_inc (&n_prompts);
  else if (g_strcmp0 (member, "Dismiss") == 0)
    g_atomic_int_inc (&n_dismissed);
  else if (g_strcmp0 (member, "OpenSession") == 0)
    {
      g_variant_get (g_dbus_message_get_body (message), "(&sv)", &algorithm, NULL);
      return g_str_equal (algorithm, "plain") ? g_variant_new ("(vo)", g_variant_new_string (""), "/org/freedesktop/secrets/session/s1") : NULL;
    }
  return g_variant_new ("()");
}

static GDBusMessage *
prompt (GDBusConnection *connection, GDBusMessage *message, gboolean incoming, gpointer user_data)
{
  g_autoptr (GDBusMessage) reply = NULL;
  GVariant *body;

  if (!incoming || g_dbus_message_get_message_type (message) != G_DBUS_MESSAGE_TYPE_METHOD_CALL)
    return message;
  body = make_reply (message);
  reply = body != NULL ? g_dbus_message_new_method_reply (message)
                       : g_dbus_message_new_method_error (message, "org.freedesktop.DBus.Error.NotSupported", "Only plain");
  if (body != NULL)
    g_dbus_message_set_body (reply, body);
  g_dbus_connection_send_message (connection, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
  g_object_unref (message);
  return NULL;
}

static void
start_prompted_store (Fixture *fixture, GCancellable *cancellable, GAsyncResult **result)
{
  int before = g_atomic_int_get (&n_prompts);

  beckon_secrets_store_async (fixture->secrets, "a", URL, "A model", KEY, cancellable, on_result, result);
  while (g_atomic_int_get (&n_prompts) == before)
    g_main_context_iteration (NULL, FALSE);
}

/* A person typing a password into the keyring's dialog when our time is over finds it still there; it goes with Cancel. */
static void
test_prompt_stays (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDBusConnection) keyring = start_keyring (prompt);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) second = NULL;

  start_prompted_store (fixture, NULL, &result);
  beckon_clock_advance (fixture->clock, BECKON_SECRETS_TIMEOUT_S * 1000);
  wait_for (&result);
  g_assert_false (beckon_secrets_store_finish (fixture->secrets, result, NULL));

  start_prompted_store (fixture, cancellable, &second);
  g_assert_cmpint (g_atomic_int_get (&n_dismissed), ==, 0);
  g_cancellable_cancel (cancellable);
  wait_for (&second);
  while (g_atomic_int_get (&n_dismissed) == 0)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (g_atomic_int_get (&n_dismissed), ==, 1);
  g_assert_true (g_dbus_connection_close_sync (keyring, NULL, NULL));
}

static void
test_silent_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDBusConnection) keyring = start_keyring (swallow);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_secrets_lookup_async (fixture->secrets, "a", URL, TRUE, cancellable, on_result, &result);
  g_main_context_iteration (NULL, FALSE);
  g_cancellable_cancel (cancellable);
  wait_for (&result);
  g_assert_null (beckon_secrets_lookup_finish (fixture->secrets, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  /* The clock has nothing left to say. */
  beckon_clock_advance (fixture->clock, BECKON_SECRETS_TIMEOUT_S * 1000);
  g_assert_true (g_dbus_connection_close_sync (keyring, NULL, NULL));
}

#define ADD(path, function) g_test_add ("/secrets/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  const char *kind = g_getenv ("BECKON_TEST_KEYRING");

  g_test_init (&argc, &argv, NULL);

  g_assert_nonnull (kind);
  /* The library remembers a keyring that has gone, so this one has a process of its own. */
  if (g_str_equal (kind, "prompt"))
    {
      ADD ("prompt-stays", test_prompt_stays);
      return g_test_run ();
    }
  g_test_add_func ("/faults/D/68-keys-that-break-headers", test_check);
  g_test_add_func ("/secrets/check-line", test_check_line);
  ADD ("session", test_session);
  ADD ("session/elsewhere", test_session_elsewhere);
  ADD ("no-address", test_no_address);
  ADD ("environment", test_environment);
  ADD ("environment/bad", test_environment_is_bad);
  ADD ("environment/of-another", test_environment_of_another);
  ADD ("cancelled-before", test_cancelled_before);
  ADD ("store/bad", test_store_bad);
  if (g_str_equal (kind, "real"))
    {
      ADD ("keyring/store", test_store);
      ADD ("keyring/store-replaces-session", test_store_replaces_session);
      ADD ("keyring/store-line", test_store_line);
      ADD ("keyring/bound", test_bound);
      ADD ("keyring/adopted", test_adopted);
      ADD ("keyring/locked", test_locked);
    }
  else
    {
      ADD ("unavailable", test_unavailable);
    }
  if (g_str_equal (kind, "none"))
    {
      ADD ("denied", test_denied);
      ADD ("silent/lookup", test_silent_lookup);
      ADD ("silent/store", test_silent_store);
      ADD ("silent/cancelled", test_silent_cancelled);
    }

  return g_test_run ();
}
