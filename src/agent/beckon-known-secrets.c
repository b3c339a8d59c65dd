/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-known-secrets.h"

#include "base/beckon-finish.h"
#include "store/queries/beckon-store-secrets.h"

#include <string.h>

/* A keyring that did not answer is not asked again for so long. */
#define PAUSE (60 * G_USEC_PER_SEC)

struct _BeckonKnownSecrets
{
  GObject parent_instance;

  BeckonStore *store; /* (owned) */
  BeckonInbox *inbox; /* (owned) */

  gint64 failed_at;     /* monotonic; 0: the keyring answers */
  GHashTable *valueless; /* (element-type utf8): handles behind which there is nothing */

  /* The last mask and what it was made of. */
  char *key;
  BeckonMask *mask; /* (owned) (nullable) */
};

G_DEFINE_FINAL_TYPE (BeckonKnownSecrets, beckon_known_secrets, G_TYPE_OBJECT)

typedef struct
{
  GPtrArray *handles; /* (owned): the conversation's first */
  BeckonVault *vault; /* (owned) */
  guint next;
  BeckonMask *mask; /* (owned) */
  char *key;        /* (owned) */
} Making;

static void
making_free (gpointer data)
{
  Making *making = data;

  g_ptr_array_unref (making->handles);
  g_object_unref (making->vault);
  beckon_mask_unref (making->mask);
  g_free (making->key);
  g_free (making);
}

static void
beckon_known_secrets_finalize (GObject *object)
{
  BeckonKnownSecrets *self = BECKON_KNOWN_SECRETS (object);

  g_object_unref (self->store);
  g_object_unref (self->inbox);
  g_hash_table_unref (self->valueless);
  g_free (self->key);
  beckon_mask_unref (self->mask);

  G_OBJECT_CLASS (beckon_known_secrets_parent_class)->finalize (object);
}

static void
beckon_known_secrets_class_init (BeckonKnownSecretsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_known_secrets_finalize;
}

static void
beckon_known_secrets_init (BeckonKnownSecrets *self)
{
  self->valueless = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

BeckonKnownSecrets *
beckon_known_secrets_new (BeckonStore *store, BeckonInbox *inbox)
{
  BeckonKnownSecrets *self;

  self = g_object_new (BECKON_TYPE_KNOWN_SECRETS, NULL);
  self->store = g_object_ref (store);
  self->inbox = g_object_ref (inbox);
  return self;
}

static void
known_secrets_finish (GTask *task)
{
  BeckonKnownSecrets *self = g_task_get_source_object (task);
  Making *making = g_task_get_task_data (task);

  /* A keyring that has been locked meanwhile takes nothing out of the mask that was in it before. */
  if (self->failed_at != 0 && self->mask != NULL)
    beckon_mask_add_all (making->mask, self->mask);
  g_clear_pointer (&self->mask, beckon_mask_unref);
  g_free (self->key);
  /* A mask with a hole in it is made anew. */
  self->key = self->failed_at == 0 ? g_steal_pointer (&making->key) : NULL;
  self->mask = beckon_mask_is_empty (making->mask) ? NULL : beckon_mask_ref (making->mask);
  g_task_return_pointer (task, self->mask != NULL ? beckon_mask_ref (self->mask) : NULL, (GDestroyNotify) beckon_mask_unref);
}

static void look_up_next (GTask *task);

static void
known_secrets_on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonKnownSecrets *self = g_task_get_source_object (task);
  Making *making = g_task_get_task_data (task);
  const char *handle = g_ptr_array_index (making->handles, making->next++);
  g_autoptr (GError) error = NULL;
  char *value = beckon_vault_look_up_finish (BECKON_VAULT (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (error != NULL && self->failed_at == 0)
    g_message ("what tools print cannot be searched for all secrets: %s", error->message);
  if (error != NULL)
    self->failed_at = g_get_monotonic_time ();
  else if (value == NULL)
    g_hash_table_add (self->valueless, g_strdup (handle));
  else if (*value != '\0')
    beckon_mask_add (making->mask, value, handle);
  if (value != NULL)
    explicit_bzero (value, strlen (value));
  g_free (value);
  look_up_next (task);
}

/* Values that this process has are masked whatever the keyring does. */
static gboolean
is_passed_over (BeckonKnownSecrets *self, const Making *making)
{
  const char *handle = g_ptr_array_index (making->handles, making->next);

  return g_hash_table_contains (self->valueless, handle)
         || (self->failed_at != 0 && !beckon_vault_is_at_hand (making->vault, handle));
}

static void
look_up_next (GTask *task)
{
  BeckonKnownSecrets *self = g_task_get_source_object (task);
  Making *making = g_task_get_task_data (task);

  while (making->next < making->handles->len && is_passed_over (self, making))
    making->next++;
  if (making->next < making->handles->len)
    beckon_vault_look_up_async (making->vault, g_ptr_array_index (making->handles, making->next),
                                g_task_get_cancellable (task), known_secrets_on_looked_up, g_object_ref (task));
  else
    known_secrets_finish (task);
}

static void
add_new (GPtrArray *handles, GPtrArray *more)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < handles->len; i++)
    g_hash_table_add (known, g_ptr_array_index (handles, i));
  for (guint i = 0; i < more->len; i++)
    {
      char *handle = g_ptr_array_index (more, i);

      if (g_hash_table_contains (known, handle))
        continue;
      g_ptr_array_add (handles, g_strdup (handle));
      g_hash_table_add (known, g_ptr_array_index (handles, handles->len - 1));
    }
}

static char *
make_key (GPtrArray *handles)
{
  GString *key = g_string_new (NULL);

  for (guint i = 0; i < handles->len; i++)
    g_string_append_printf (key, "%s\n", (char *) g_ptr_array_index (handles, i));
  return g_string_free (key, FALSE);
}

static void
known_secrets_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonKnownSecrets *self = g_task_get_source_object (task);
  Making *making = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = beckon_store_list_secrets_finish (BECKON_STORE (source), result, &error);

  if (all == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  add_new (making->handles, all);
  making->key = make_key (making->handles);
  if (self->failed_at != 0 && g_get_monotonic_time () - self->failed_at > PAUSE)
    self->failed_at = 0;
  if (g_strcmp0 (making->key, self->key) == 0)
    g_task_return_pointer (task, self->mask != NULL ? beckon_mask_ref (self->mask) : NULL,
                           (GDestroyNotify) beckon_mask_unref);
  else
    look_up_next (task);
}

void
beckon_known_secrets_make_mask_async (BeckonKnownSecrets *self, GPtrArray *handles, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  BeckonVault *vault;
  Making *making;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_known_secrets_make_mask_async);
  vault = beckon_inbox_get_vault (self->inbox);
  if (vault == NULL)
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }
  making = g_new0 (Making, 1);
  making->handles = g_ptr_array_new_with_free_func (g_free);
  add_new (making->handles, handles);
  making->vault = g_object_ref (vault);
  making->mask = beckon_mask_new ();
  g_task_set_task_data (task, making, making_free);
  beckon_store_list_secrets_async (self->store, cancellable, known_secrets_on_listed, g_object_ref (task));
}

BECKON_FINISH_POINTER (BeckonMask *, beckon_known_secrets_make_mask, BeckonKnownSecrets)

gboolean
beckon_known_secrets_has_hole (BeckonKnownSecrets *self)
{
  return self->failed_at != 0;
}
