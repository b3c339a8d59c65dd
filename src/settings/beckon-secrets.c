/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The environment is asked before the keyring because it needs no other program: a terminal command with its key in the
 * environment never touches D-Bus. */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-origin.h"
#include "base/beckon-text-printf.h"
#include "beckon-keyring.h"
#include "beckon-secrets-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const SecretSchema grants_schema = {
  BECKON_APPLICATION_ID ".Grant",
  SECRET_SCHEMA_NONE,
  {
    { "server", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { "origin", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { NULL, 0 },
  },
};

static void
on_peeked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  char *text = beckon_keyring_peek_finish (result, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, text, beckon_keyring_wipe);
}

static void
grants_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  char *text = beckon_keyring_lookup_finish (result, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, text, beckon_keyring_wipe);
}

static void
load_async (BeckonOauthStore *store, const char *id, const char *server, gboolean is_quiet, GCancellable *cancellable,
            GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (store, cancellable, callback, user_data);
  g_autofree char *origin = beckon_uri_dup_origin (server);
  const BeckonKeyringItem item = { &grants_schema, id, origin, beckon_clock_get_system (), TRUE };

  g_task_set_source_tag (task, load_async);
  if (is_quiet)
    beckon_keyring_peek_async (&item, cancellable, on_peeked, task);
  else
    beckon_keyring_lookup_async (&item, cancellable, grants_on_loaded, task);
}

static BECKON_FINISH_POINTER (char *, load, BeckonOauthStore)

static void
grants_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_keyring_store_finish (result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
save_async (BeckonOauthStore *store, const char *id, const char *server, const char *text, GCancellable *cancellable,
            GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (store, cancellable, callback, user_data);
  g_autofree char *origin = beckon_uri_dup_origin (server);
  /* Translators: how a sign-in is called in the system's keyring; %s is a server's address */
  g_autofree char *label = beckon_text_printf (_("Beckon: sign-in at %s"), origin);
  const BeckonKeyringItem item = { &grants_schema, id, origin, beckon_clock_get_system (), TRUE };

  g_task_set_source_tag (task, save_async);
  beckon_keyring_store_async (&item, label, text, cancellable, grants_on_saved, task);
}

static BECKON_FINISH_BOOLEAN (save, BeckonOauthStore)

static void
secrets_oauth_store_init (BeckonOauthStoreInterface *iface)
{
  iface->load_async = load_async;
  iface->load_finish = load_finish;
  iface->save_async = save_async;
  iface->save_finish = save_finish;
}

#define KEY_MAX_LENGTH 8192

/* A key for this session. */
typedef struct
{
  char *origin;
  char *key;
} Held;

struct _BeckonSecrets
{
  GObject parent_instance;

  BeckonClock *clock;
  GHashTable *session; /* (element-type utf8 Held): by profile */
};

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonSecrets, beckon_secrets, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_OAUTH_STORE, secrets_oauth_store_init))

static const SecretSchema schema = {
  BECKON_APPLICATION_ID ".Key",
  SECRET_SCHEMA_NONE,
  {
    { "profile", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { "origin", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { NULL, 0 },
  },
};

static void
held_free (Held *held)
{
  g_free (held->origin);
  beckon_keyring_wipe (held->key);
  g_free (held);
}

static void
beckon_secrets_finalize (GObject *object)
{
  BeckonSecrets *self = BECKON_SECRETS (object);

  g_hash_table_unref (self->session);
  g_object_unref (self->clock);

  G_OBJECT_CLASS (beckon_secrets_parent_class)->finalize (object);
}

static void
beckon_secrets_class_init (BeckonSecretsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_secrets_finalize;
}

static void
beckon_secrets_init (BeckonSecrets *self)
{
  self->clock = g_object_ref (beckon_clock_get_system ());
  self->session = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) held_free);
}

BeckonSecrets *
beckon_secrets_new (void)
{
  return g_object_new (BECKON_TYPE_SECRETS, NULL);
}

void
beckon_secrets_set_clock (BeckonSecrets *secrets, BeckonClock *clock)
{
  g_set_object (&secrets->clock, clock);
}

static gboolean
check_length (const char *key, GError **error)
{
  gsize length = strlen (key);

  if (length == 0)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("Enter a key."));
  else if (length > KEY_MAX_LENGTH)
    g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The key is too long; at most %d characters are possible."),
                 KEY_MAX_LENGTH);
  return length > 0 && length <= KEY_MAX_LENGTH;
}

gboolean
beckon_secrets_check (const char *key, GError **error)
{
  g_return_val_if_fail (key != NULL, FALSE);

  if (!check_length (key, error))
    return FALSE;

  /* The key becomes a header's value: a line break in it would begin another. */
  for (const char *p = key; *p != '\0'; p++)
    if (!g_ascii_isgraph (*p))
      {
        g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                             _("The key contains a space, a line break or another character that no key has. Copy it "
                               "again, without what stands around it."));
        return FALSE;
      }

  return TRUE;
}

static gboolean
is_line (const char *text)
{
  if (!g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      GUnicodeType type = g_unichar_type (g_utf8_get_char (at));

      if (type == G_UNICODE_CONTROL || type == G_UNICODE_LINE_SEPARATOR || type == G_UNICODE_PARAGRAPH_SEPARATOR)
        return FALSE;
    }
  return TRUE;
}

gboolean
beckon_secrets_check_line (const char *line, GError **error)
{
  if (!check_length (line, error))
    return FALSE;
  if (!is_line (line))
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                         _("The password contains a line break or another character that can’t be typed. Enter it again."));
  return is_line (line);
}

static char *
dup_place (const char *base_url)
{
  return g_strcmp0 (base_url, BECKON_SECRETS_PROGRAM) == 0 ? g_strdup (base_url) : beckon_uri_dup_origin (base_url);
}

/* %NULL with an error where a key would serve no server. */
static char *
dup_origin (const char *base_url, GError **error)
{
  char *origin = dup_place (base_url);

  if (origin == NULL)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                         _("A key is kept for one server. Enter the base URL first, such as https://api.example.com/v1."));
  return origin;
}

gboolean
beckon_secrets_set_for_session (BeckonSecrets *secrets, const char *profile_id, const char *base_url, const char *key,
                                GError **error)
{
  g_autofree char *origin = NULL;
  Held *held;

  g_return_val_if_fail (BECKON_IS_SECRETS (secrets), FALSE);
  g_return_val_if_fail (profile_id != NULL, FALSE);

  if (key == NULL || *key == '\0')
    {
      g_hash_table_remove (secrets->session, profile_id);
      return TRUE;
    }

  if (!beckon_secrets_check (key, error) || (origin = dup_origin (base_url, error)) == NULL)
    return FALSE;

  held = g_new0 (Held, 1);
  held->origin = g_steal_pointer (&origin);
  held->key = g_strdup (key);
  g_hash_table_replace (secrets->session, g_strdup (profile_id), held);
  return TRUE;
}

gboolean
beckon_secrets_has_environment (void)
{
  const char *key = g_getenv (BECKON_SECRETS_VARIABLE);

  return key != NULL && *key != '\0';
}

/* The query. */
typedef struct
{
  char *profile_id;
  char *origin;
} Query;

static void
query_free (Query *query)
{
  g_free (query->profile_id);
  g_free (query->origin);
  g_free (query);
}

/* A key that is here already, or an error about it; TRUE when the task was returned. */
static gboolean
return_local_key (GTask *task, const Query *query, gboolean with_environment)
{
  BeckonSecrets *self = g_task_get_source_object (task);
  const Held *held = g_hash_table_lookup (self->session, query->profile_id);
  const char *key = held != NULL && g_str_equal (held->origin, query->origin) ? held->key : NULL;
  GError *error = NULL;

  if (key == NULL && with_environment)
    key = g_getenv (BECKON_SECRETS_VARIABLE);
  if (key == NULL || *key == '\0')
    return FALSE;

  if (beckon_secrets_check (key, &error))
    {
      g_task_return_pointer (task, g_strdup (key), beckon_keyring_wipe);
      return TRUE;
    }

  g_prefix_error (&error, "%s: ", BECKON_SECRETS_VARIABLE);
  g_task_return_error (task, error);
  return TRUE;
}

static BeckonKeyringItem
secrets_get_item (BeckonSecrets *self, const char *profile_id, const char *origin)
{
  return (BeckonKeyringItem){ .schema = &schema, .id = profile_id, .origin = origin, .clock = self->clock };
}

static void
secrets_on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonSecrets *self = g_task_get_source_object (task);
  const Query *query = g_task_get_task_data (task);
  const Held *held = g_hash_table_lookup (self->session, query->profile_id);
  GError *error = NULL;
  char *key = beckon_keyring_lookup_finish (result, &error);

  /* There is one for this session, and it is for another server. */
  if (key == NULL && held != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_clear_error (&error);
      error = beckon_keyring_error_elsewhere (held->origin, query->origin);
    }
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, key, beckon_keyring_wipe);
}

void
beckon_secrets_lookup_async (BeckonSecrets *secrets, const char *profile_id, const char *base_url,
                             gboolean with_environment, GCancellable *cancellable, GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  BeckonKeyringItem item;
  Query *query;

  g_return_if_fail (BECKON_IS_SECRETS (secrets));
  g_return_if_fail (profile_id != NULL);

  task = g_task_new (secrets, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_secrets_lookup_async);
  query = g_new0 (Query, 1);
  query->profile_id = g_strdup (profile_id);
  query->origin = dup_place (base_url);
  g_task_set_task_data (task, query, (GDestroyNotify) query_free);
  if (g_task_return_error_if_cancelled (task))
    return;

  /* The caller reports what is wrong with the address. */
  if (query->origin == NULL)
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }
  if (return_local_key (task, query, with_environment))
    return;

  item = secrets_get_item (secrets, profile_id, query->origin);
  beckon_keyring_lookup_async (&item, cancellable, secrets_on_looked_up, g_object_ref (task));
}

BECKON_FINISH_POINTER (char *, beckon_secrets_lookup, BeckonSecrets)

static void
secrets_on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonSecrets *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (!beckon_keyring_store_finish (result, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  /* The keyring's key counts now. */
  g_hash_table_remove (self->session, g_task_get_task_data (task));
  g_task_return_boolean (task, TRUE);
}

typedef gboolean (*Check) (const char *key, GError **error);

static void
store (BeckonSecrets *secrets, const char *profile_id, const char *base_url, const char *label, const char *key, Check check,
       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *full_label = NULL;
  g_autofree char *origin = NULL;
  BeckonKeyringItem item;
  GError *error = NULL;
  gboolean remove = key == NULL || *key == '\0';

  task = g_task_new (secrets, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_secrets_store_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (!remove && (!check (key, &error) || (origin = dup_origin (base_url, &error)) == NULL))
    {
      g_task_return_error (task, error);
      return;
    }

  /* Removed keys are gone, whatever the keyring says. */
  if (remove)
    g_hash_table_remove (secrets->session, profile_id);

  g_task_set_task_data (task, g_strdup (profile_id), g_free);
  /* Translators: how a key is called in the system's keyring; %s is the profile's name. */
  full_label = beckon_text_printf (_("Beckon: key of %s"), label != NULL ? label : profile_id);
  item = secrets_get_item (secrets, profile_id, origin);
  beckon_keyring_store_async (&item, full_label, remove ? NULL : key, cancellable, secrets_on_stored, g_object_ref (task));
}

void
beckon_secrets_store_async (BeckonSecrets *secrets, const char *profile_id, const char *base_url, const char *label,
                            const char *key, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_SECRETS (secrets));
  g_return_if_fail (profile_id != NULL);

  store (secrets, profile_id, base_url, label, key, beckon_secrets_check, cancellable, callback, user_data);
}

void
beckon_secrets_store_line_async (BeckonSecrets *secrets, const char *profile_id, const char *base_url, const char *label,
                                 const char *line, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_return_if_fail (BECKON_IS_SECRETS (secrets));
  g_return_if_fail (profile_id != NULL);

  store (secrets, profile_id, base_url, label, line, beckon_secrets_check_line, cancellable, callback, user_data);
}

BECKON_FINISH_BOOLEAN (beckon_secrets_store, BeckonSecrets)
