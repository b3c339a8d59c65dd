/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A keyring is another program, and may be absent, locked, or waiting for a person behind a hidden prompt. So no
 * call to it is trusted to come back: every operation has a clock and a cancellable of its own, and whichever is first, of
 * the keyring, the clock and the caller, returns the task. What the keyring says after that is wiped and dropped. Only the
 * caller ends what the keyring does: when the time is over its dialog stays, and a value that is typed then is stored. */

#include "beckon-config.h"

#include "beckon-keyring.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-text-printf.h"
#include "beckon-secrets.h"
#include "oauth/beckon-oauth.h"

#include <glib/gi18n-lib.h>

/* The attribute's name in a schema. */
#define ORIGIN "origin"

typedef struct
{
  const SecretSchema *schema;
  const char *attribute; /* the schema's first */
  char *id;
  char *origin;          /* (nullable) */
  char *value;           /* (nullable): what is to be stored */
  SecretRetrievable *unbound; /* (owned) (nullable): what is there without an origin */
  GCancellable *keyring; /* ends what the keyring does for us */
  GSource *cancelled;    /* (nullable): the caller's cancellable */
  BeckonClock *clock;
  gboolean is_sign_in;
  guint timeout;
  gboolean returned;
} Operation;

void
beckon_keyring_wipe (gpointer value)
{
  secret_password_wipe (value);
  g_free (value);
}

static void
operation_free (Operation *op)
{
  g_assert (op->timeout == 0 && op->cancelled == NULL);

  g_free (op->id);
  g_free (op->origin);
  g_clear_object (&op->unbound);
  beckon_keyring_wipe (op->value);
  g_object_unref (op->keyring);
  g_object_unref (op->clock);
  g_free (op);
}

/* The first takes the right to return the task; the others find it taken. */
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

  /* The keyring itself goes on: it may have a dialog open, and a person who types a password into that must not find it gone
   * and the rest of the password in whatever has the focus then. */
  op = g_task_get_task_data (task);

  if (op->is_sign_in)
    g_task_return_new_error (task, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_LOCKED, "%s",
                             _("The keyring that holds the sign-in did not answer. Unlock it and try again."));
  else
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                             _("The keyring did not answer. Unlock it and try again, enter the key for this session only, "
                                "or set the environment variable %s before you start Beckon."),
                             BECKON_SECRETS_VARIABLE);
  return G_SOURCE_REMOVE;
}

static gboolean
keyring_on_cancelled (GCancellable *cancellable, gpointer user_data)
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
keyring_begin (GTask *task, const BeckonKeyringItem *item, const char *value)
{
  GCancellable *cancellable = g_task_get_cancellable (task);
  Operation *op = g_new0 (Operation, 1);

  op->schema = item->schema;
  op->attribute = item->schema->attributes[0].name;
  op->id = g_strdup (item->id);
  op->origin = g_strdup (item->origin);
  op->value = g_strdup (value);
  op->keyring = g_cancellable_new ();
  op->clock = g_object_ref (item->clock);
  op->is_sign_in = item->is_sign_in;
  op->timeout = beckon_clock_add_timeout (op->clock, BECKON_SECRETS_TIMEOUT_S * 1000, on_timeout, task);
  if (cancellable != NULL)
    {
      op->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (op->cancelled, G_SOURCE_FUNC (keyring_on_cancelled), task, NULL);
      g_source_attach (op->cancelled, g_main_context_get_thread_default ());
    }

  g_task_set_task_data (task, op, (GDestroyNotify) operation_free);
  return op;
}

static void
return_locked (GTask *task)
{
  const Operation *op = g_task_get_task_data (task);

  if (op->is_sign_in)
    {
      g_task_return_new_error (task, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_LOCKED, "%s",
                               _("The keyring that holds the sign-in is locked. Unlock it and try again."));
      return;
    }
  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           _("The keyring is locked. Unlock it and try again, enter the key for this session only, or set "
                             "the environment variable %s before you start Beckon."),
                           BECKON_SECRETS_VARIABLE);
}

/* The cause stays in the log: what D-Bus says helps no one to continue. It never holds a key. */
static void
return_unavailable (GTask *task, const GError *cause)
{
  g_info ("The keyring failed: %s", cause->message);
  if (g_error_matches (cause, SECRET_ERROR, SECRET_ERROR_IS_LOCKED))
    return_locked (task);
  else if (g_error_matches (cause, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED)
           || g_error_matches (cause, G_DBUS_ERROR, G_DBUS_ERROR_AUTH_FAILED))
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                             _("The keyring refused. Allow Beckon to use it and try again, enter the key for this session "
                               "only, or set the environment variable %s before you start Beckon."),
                             BECKON_SECRETS_VARIABLE);
  else if (((const Operation *) g_task_get_task_data (task))->is_sign_in)
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "%s",
                             _("No keyring is available here, so a sign-in can’t be kept. Start one, such as GNOME Keyring, or "
                               "sign in in Beckon’s window, where it lasts until Beckon ends."));
  else
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                             _("No keyring is available here. Start one, such as GNOME Keyring. A model’s key can also be "
                               "entered in the window for this session only, or be in the environment variable %s before "
                               "you start Beckon."),
                             BECKON_SECRETS_VARIABLE);
}

/* Without an origin, whatever is there under the id. The table owns its texts: the library may still look at them after it has
 * told that a call was cancelled. */
static GHashTable *
make_attributes (Operation *op, const char *origin)
{
  GHashTable *attributes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  g_hash_table_insert (attributes, (gpointer) op->attribute, g_strdup (op->id));
  if (origin != NULL)
    g_hash_table_insert (attributes, (gpointer) ORIGIN, g_strdup (origin));
  return attributes;
}

static void
keyring_look_up (GTask *task, const char *origin, GAsyncReadyCallback callback)
{
  Operation *op = g_task_get_task_data (task);
  g_autoptr (GHashTable) attributes = make_attributes (op, origin);

  secret_password_lookupv (op->schema, attributes, op->keyring, callback, g_object_ref (task));
}

/* Without opening anything. */
static void
search (GTask *task, const char *origin, GAsyncReadyCallback callback)
{
  Operation *op = g_task_get_task_data (task);
  g_autoptr (GHashTable) attributes = make_attributes (op, origin);

  secret_password_searchv (op->schema, attributes, SECRET_SEARCH_ALL, op->keyring, callback, g_object_ref (task));
}

static void
store (GTask *task, const char *label, GAsyncReadyCallback callback)
{
  Operation *op = g_task_get_task_data (task);
  g_autoptr (GHashTable) attributes = make_attributes (op, op->origin);

  secret_password_storev (op->schema, attributes, SECRET_COLLECTION_DEFAULT, label, op->value, op->keyring, callback,
                          g_object_ref (task));
}

static char *
dup_origin (SecretRetrievable *item)
{
  g_autoptr (GHashTable) attributes = secret_retrievable_get_attributes (item);

  return g_strdup (attributes != NULL ? g_hash_table_lookup (attributes, ORIGIN) : NULL);
}

GError *
beckon_keyring_error_elsewhere (const char *bound, const char *wanted)
{
  /* Translators: two addresses of servers, such as https://api.example.com:443 */
  return beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                                _("The key of this model was entered for %1$s and is not sent to %2$s. Enter the key for that "
                                  "server in the preferences."),
                                bound, wanted);
}

/* The item that had no origin stays where the keyring has no way to remove one alone; it is not looked at again, because
 * there is one with an origin now. */
static void
on_adopted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Operation *op = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  gboolean stored = secret_password_store_finish (result, &error);

  if (stored && SECRET_IS_ITEM (op->unbound))
    secret_item_delete (SECRET_ITEM (op->unbound), NULL, NULL, NULL);
  if (!take_return (op))
    return;

  if (stored)
    g_task_return_pointer (task, g_steal_pointer (&op->value), beckon_keyring_wipe);
  else
    return_unavailable (task, error);
}

static void
on_unbound_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Operation *op = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  char *secret = secret_password_lookup_finish (result, &error);

  if (!op->returned && secret != NULL)
    {
      g_autofree char *label = secret_retrievable_get_label (op->unbound);

      op->value = g_strdup (secret);
      store (task, label, on_adopted);
    }
  else if (take_return (op))
    {
      if (error != NULL)
        return_unavailable (task, error);
      else
        return_locked (task);
    }
  secret_password_free (secret);
}

static void
keyring_on_searched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Operation *op = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  GList *items = secret_password_search_finish (result, &error);
  g_autofree char *elsewhere = NULL;
  gpointer unbound = NULL;
  gboolean is_ours = FALSE; /* locked, or it would have been found */

  for (GList *at = items; at != NULL; at = at->next)
    {
      g_autofree char *origin = dup_origin (at->data);

      if (op->origin == NULL || g_strcmp0 (origin, op->origin) == 0)
        is_ours = TRUE;
      else if (origin == NULL)
        unbound = at->data;
      else if (elsewhere == NULL)
        elsewhere = g_steal_pointer (&origin);
    }
  if (!op->returned && !is_ours && elsewhere == NULL && unbound != NULL)
    {
      op->unbound = g_object_ref (unbound);
      keyring_look_up (task, NULL, on_unbound_looked_up);
    }
  else if (take_return (op))
    {
      if (error != NULL)
        return_unavailable (task, error);
      else if (is_ours)
        return_locked (task);
      else if (elsewhere != NULL)
        g_task_return_error (task, beckon_keyring_error_elsewhere (elsewhere, op->origin));
      else
        g_task_return_pointer (task, NULL, NULL);
    }
  g_list_free_full (items, g_object_unref);
}

static void
keyring_on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Operation *op = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  char *secret = secret_password_lookup_finish (result, &error);
  char *value = g_strdup (secret);

  secret_password_free (secret);

  /* A keyring that stayed locked says that there is no key, as one does that has none. "Enter a key" would be wrong advice
   * to a person who stored it, so the two are told apart. */
  if (value == NULL && error == NULL && !op->returned)
    {
      search (task, NULL, keyring_on_searched);
      return;
    }

  if (!take_return (op))
    beckon_keyring_wipe (value);
  else if (error != NULL)
    return_unavailable (task, error);
  else
    g_task_return_pointer (task, value, beckon_keyring_wipe);
}

static GTask *
make_task (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data, gpointer tag)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  return task;
}

void
beckon_keyring_lookup_async (const BeckonKeyringItem *item, GCancellable *cancellable, GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_autoptr (GTask) task = make_task (cancellable, callback, user_data, beckon_keyring_lookup_async);

  keyring_begin (task, item, NULL);
  keyring_look_up (task, item->origin, keyring_on_looked_up);
}

BECKON_FINISH_LONE_POINTER (char *, beckon_keyring_lookup)

/* A secret that can't be read though it is not locked is none. */
static void
on_peeked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Operation *op = g_task_get_task_data (task);
  SecretValue *value = secret_retrievable_retrieve_secret_finish (SECRET_RETRIEVABLE (source), result, NULL);
  const char *text = value != NULL ? secret_value_get_text (value) : NULL;

  if (take_return (op))
    g_task_return_pointer (task, g_strdup (text), beckon_keyring_wipe);
  if (value != NULL)
    secret_value_unref (value);
}

static void
on_peek_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Operation *op = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  GList *items = secret_password_search_finish (result, &error);

  if (!op->returned && items != NULL
      && (!SECRET_IS_ITEM (items->data) || !secret_item_get_locked (SECRET_ITEM (items->data))))
    secret_retrievable_retrieve_secret (items->data, op->keyring, on_peeked, g_object_ref (task));
  else if (take_return (op))
    {
      if (error != NULL)
        return_unavailable (task, error);
      else if (items != NULL)
        return_locked (task);
      else
        g_task_return_pointer (task, NULL, NULL);
    }
  g_list_free_full (items, g_object_unref);
}

void
beckon_keyring_peek_async (const BeckonKeyringItem *item, GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = make_task (cancellable, callback, user_data, beckon_keyring_peek_async);

  keyring_begin (task, item, NULL);
  search (task, item->origin, on_peek_found);
}

BECKON_FINISH_LONE_POINTER (char *, beckon_keyring_peek)

static void
end_store (GTask *task, const GError *error)
{
  Operation *op = g_task_get_task_data (task);

  if (!take_return (op))
    return;

  if (error != NULL)
    return_unavailable (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
on_others_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GList *items = secret_password_search_finish (result, NULL);
  Operation *op = g_task_get_task_data (task);

  /* A key for a server that is no longer asked for is a key too many. */
  for (GList *at = items; at != NULL; at = at->next)
    {
      g_autofree char *origin = dup_origin (at->data);
      g_autoptr (GHashTable) attributes = origin != NULL ? make_attributes (op, origin) : NULL;

      if (g_strcmp0 (origin, op->origin) == 0)
        continue;
      if (SECRET_IS_ITEM (at->data))
        secret_item_delete (at->data, NULL, NULL, NULL);
      else if (attributes != NULL)
        secret_password_clearv (op->schema, attributes, NULL, NULL, NULL);
    }
  g_list_free_full (items, g_object_unref);
  end_store (task, NULL);
}

static void
keyring_on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Operation *op = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  secret_password_store_finish (result, &error);
  if (error == NULL && op->origin != NULL && !op->returned)
    search (task, NULL, on_others_found);
  else
    end_store (task, error);
}

/* That there was nothing to remove is no error. */
static void
keyring_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  secret_password_clear_finish (result, &error);
  end_store (task, error);
}

void
beckon_keyring_store_async (const BeckonKeyringItem *item, const char *label, const char *value, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = make_task (cancellable, callback, user_data, beckon_keyring_store_async);
  Operation *op = keyring_begin (task, item, value);
  g_autoptr (GHashTable) attributes = make_attributes (op, NULL);

  if (value != NULL)
    store (task, label, keyring_on_stored);
  else
    secret_password_clearv (op->schema, attributes, op->keyring, keyring_on_removed, g_object_ref (task));
}

BECKON_FINISH_LONE_BOOLEAN (beckon_keyring_store)
