/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A keyring is another program, and may be absent, locked, or waiting for a person behind a prompt that nobody sees. So no
 * call to it is trusted to come back: every operation has a clock and a cancellable of its own, and whichever is first, of
 * the keyring, the clock and the caller, returns the task. What the keyring says after that is wiped and dropped.
 *
 * The environment is asked before the keyring because it needs no other program: a terminal command with its key in the
 * environment never touches D-Bus. */

#include "beckon-config.h"

#include "beckon-secrets-private.h"

#include "base/beckon-error.h"

#include <glib/gi18n-lib.h>
#include <libsecret/secret.h>
#include <string.h>

#define ENVIRONMENT_VARIABLE "BECKON_API_KEY"
#define KEY_MAX_LENGTH 8192

struct _BeckonSecrets
{
  GObject parent_instance;

  BeckonClock *clock;
  GHashTable *session; /* (element-type utf8 utf8): keys by profile, wiped when they go */
};

typedef struct
{
  char *profile_id;
  char *key; /* (nullable): what is to be stored */
  GCancellable *keyring; /* ends what the keyring does for us */
  GSource *cancelled;    /* (nullable): the caller's cancellable */
  BeckonClock *clock;
  guint timeout;
  gboolean returned;
} Operation;

G_DEFINE_FINAL_TYPE (BeckonSecrets, beckon_secrets, G_TYPE_OBJECT)

static const SecretSchema schema = {
  BECKON_APPLICATION_ID ".Key",
  SECRET_SCHEMA_NONE,
  {
    { "profile", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { NULL, 0 },
  },
};

static void
key_free (gpointer key)
{
  secret_password_wipe (key);
  g_free (key);
}

static void
operation_free (Operation *op)
{
  g_assert (op->timeout == 0 && op->cancelled == NULL);

  g_free (op->profile_id);
  key_free (op->key);
  g_object_unref (op->keyring);
  g_object_unref (op->clock);
  g_free (op);
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
  self->session = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, key_free);
}

BeckonSecrets *
beckon_secrets_new (void)
{
  return g_object_new (BECKON_TYPE_SECRETS, NULL);
}

void
beckon_secrets_set_clock (BeckonSecrets *secrets, BeckonClock *clock)
{
  g_return_if_fail (BECKON_IS_SECRETS (secrets));
  g_return_if_fail (BECKON_IS_CLOCK (clock));

  g_set_object (&secrets->clock, clock);
}

gboolean
beckon_secrets_check (const char *key, GError **error)
{
  gsize length;

  g_return_val_if_fail (key != NULL, FALSE);

  length = strlen (key);
  if (length == 0)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("Enter a key."));
      return FALSE;
    }

  if (length > KEY_MAX_LENGTH)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The key is too long; at most %d characters are possible."),
                   KEY_MAX_LENGTH);
      return FALSE;
    }

  /* It becomes a header's value: a line break in it would begin another header. */
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

gboolean
beckon_secrets_set_for_session (BeckonSecrets *secrets, const char *profile_id, const char *key, GError **error)
{
  g_return_val_if_fail (BECKON_IS_SECRETS (secrets), FALSE);
  g_return_val_if_fail (profile_id != NULL, FALSE);

  if (key == NULL || *key == '\0')
    {
      g_hash_table_remove (secrets->session, profile_id);
      return TRUE;
    }

  if (!beckon_secrets_check (key, error))
    return FALSE;

  g_hash_table_replace (secrets->session, g_strdup (profile_id), g_strdup (key));
  return TRUE;
}

/* The keyring. */

/* Whoever is first takes the right to return the task; the others find it taken. */
static gboolean
take_return (Operation *op)
{
  if (op->returned)
    return FALSE;

  op->returned = TRUE;
  beckon_clock_remove (op->clock, op->timeout);
  op->timeout = 0;
  if (op->cancelled != NULL)
    g_source_destroy (op->cancelled);
  g_clear_pointer (&op->cancelled, g_source_unref);
  return TRUE;
}

static gboolean
on_timeout (gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);
  Operation *op = g_task_get_task_data (task);

  op->timeout = 0;
  if (!take_return (op))
    return G_SOURCE_REMOVE;

  g_cancellable_cancel (op->keyring);
  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           _("The keyring did not answer. Unlock it and try again, enter the key for this session only, "
                             "or set the environment variable %s before you start Beckon."),
                           ENVIRONMENT_VARIABLE);
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);
  Operation *op = g_task_get_task_data (task);

  if (take_return (op))
    {
      g_cancellable_cancel (op->keyring);
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("It was cancelled."));
    }

  return G_SOURCE_REMOVE;
}

static Operation *
begin (GTask *task, const char *profile_id, const char *key)
{
  BeckonSecrets *self = g_task_get_source_object (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  Operation *op = g_new0 (Operation, 1);

  op->profile_id = g_strdup (profile_id);
  op->key = g_strdup (key);
  op->keyring = g_cancellable_new ();
  op->clock = g_object_ref (self->clock);
  op->timeout = beckon_clock_add_timeout (op->clock, BECKON_SECRETS_TIMEOUT_S * 1000, on_timeout, task);
  if (cancellable != NULL)
    {
      op->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (op->cancelled, G_SOURCE_FUNC (on_cancelled), task, NULL);
      g_source_attach (op->cancelled, g_main_context_get_thread_default ());
    }

  g_task_set_task_data (task, op, (GDestroyNotify) operation_free);
  return op;
}

static void
return_locked (GTask *task)
{
  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           _("The keyring is locked. Unlock it and try again, enter the key for this session only, or set "
                             "the environment variable %s before you start Beckon."),
                           ENVIRONMENT_VARIABLE);
}

/* The cause stays in the log: what D-Bus says helps nobody to go on. It never holds a key. */
static void
return_unavailable (GTask *task, const GError *cause)
{
  g_info ("The keyring failed: %s", cause->message);
  if (g_error_matches (cause, SECRET_ERROR, SECRET_ERROR_IS_LOCKED))
    return_locked (task);
  else
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                             _("No keyring is available here. Enter the key for this session only, or set the "
                               "environment variable %s before you start Beckon."),
                             ENVIRONMENT_VARIABLE);
}

static void
on_searched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Operation *op = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  GList *items = secret_password_search_finish (result, &error);
  gboolean is_there = items != NULL;

  g_list_free_full (items, g_object_unref);
  if (!take_return (op))
    return;

  if (error != NULL)
    return_unavailable (task, error);
  else if (is_there)
    return_locked (task);
  else
    g_task_return_pointer (task, NULL, NULL);
}

static void
on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Operation *op = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  char *secret = secret_password_lookup_finish (result, &error);
  char *key = g_strdup (secret);

  secret_password_free (secret);

  /* A keyring that stayed locked says that there is no key, as one does that has none. "Enter a key" would be wrong advice
   * to somebody who stored it, so the two are told apart. */
  if (key == NULL && error == NULL && !op->returned)
    {
      secret_password_search (&schema, SECRET_SEARCH_NONE, op->keyring, on_searched, g_object_ref (task), "profile",
                              op->profile_id, NULL);
      return;
    }

  if (!take_return (op))
    key_free (key);
  else if (error != NULL)
    return_unavailable (task, error);
  else
    g_task_return_pointer (task, key, key_free);
}

/* A key that is here already, or an error about it; TRUE when the task was returned. */
static gboolean
return_local_key (GTask *task, const char *profile_id)
{
  BeckonSecrets *self = g_task_get_source_object (task);
  const char *key = g_hash_table_lookup (self->session, profile_id);
  GError *error = NULL;

  if (key == NULL)
    key = g_getenv (ENVIRONMENT_VARIABLE);
  if (key == NULL || *key == '\0')
    return FALSE;

  if (beckon_secrets_check (key, &error))
    {
      g_task_return_pointer (task, g_strdup (key), key_free);
      return TRUE;
    }

  g_prefix_error (&error, "%s: ", ENVIRONMENT_VARIABLE);
  g_task_return_error (task, error);
  return TRUE;
}

void
beckon_secrets_lookup_async (BeckonSecrets *secrets, const char *profile_id, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Operation *op;

  g_return_if_fail (BECKON_IS_SECRETS (secrets));
  g_return_if_fail (profile_id != NULL);

  task = g_task_new (secrets, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_secrets_lookup_async);
  if (g_task_return_error_if_cancelled (task) || return_local_key (task, profile_id))
    return;

  op = begin (task, profile_id, NULL);
  secret_password_lookup (&schema, op->keyring, on_looked_up, g_object_ref (task), "profile", profile_id, NULL);
}

char *
beckon_secrets_lookup_finish (BeckonSecrets *secrets, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, secrets), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_secrets_lookup_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
end_store (GTask *task, const GError *error)
{
  BeckonSecrets *self = g_task_get_source_object (task);
  Operation *op = g_task_get_task_data (task);

  if (!take_return (op))
    return;

  if (error != NULL)
    {
      return_unavailable (task, error);
      return;
    }

  /* What is in the keyring counts now. */
  g_hash_table_remove (self->session, op->profile_id);
  g_task_return_boolean (task, TRUE);
}

static void
on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  secret_password_store_finish (result, &error);
  end_store (task, error);
}

/* That there was nothing to remove is no error. */
static void
on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  secret_password_clear_finish (result, &error);
  end_store (task, error);
}

void
beckon_secrets_store_async (BeckonSecrets *secrets, const char *profile_id, const char *label, const char *key,
                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *full_label = NULL;
  Operation *op;
  GError *error = NULL;
  gboolean remove = key == NULL || *key == '\0';

  g_return_if_fail (BECKON_IS_SECRETS (secrets));
  g_return_if_fail (profile_id != NULL);

  task = g_task_new (secrets, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_secrets_store_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (!remove && !beckon_secrets_check (key, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  op = begin (task, profile_id, key);
  if (remove)
    {
      /* Whatever the keyring says. */
      g_hash_table_remove (secrets->session, profile_id);
      secret_password_clear (&schema, op->keyring, on_removed, g_object_ref (task), "profile", profile_id, NULL);
      return;
    }

  /* Translators: how a key is called in the system's keyring; %s is the profile's name. */
  full_label = g_strdup_printf (_("Beckon: key of %s"), label != NULL ? label : profile_id);
  secret_password_store (&schema, SECRET_COLLECTION_DEFAULT, full_label, op->key, op->keyring, on_stored,
                         g_object_ref (task), "profile", profile_id, NULL);
}

gboolean
beckon_secrets_store_finish (BeckonSecrets *secrets, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, secrets), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_secrets_store_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
