/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-profiles.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-list-model.h"
#include "store/db/beckon-store-follow.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonProfiles
{
  GObject parent_instance;

  BeckonStore *store;  /* (owned) */
  GPtrArray *profiles; /* (owned) (element-type BeckonProfile): the tour first, then by name */

  /* in progress */
  gboolean is_loaded;
  gboolean is_reloading;
  gboolean reload_again;
};

static guint changed_signal;

BECKON_LIST_MODEL (BeckonProfiles, beckon_profiles, BECKON_TYPE_PROFILE, profiles)

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonProfiles, beckon_profiles, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, beckon_profiles_model_init))

static gboolean
is_tour (BeckonProfile *profile)
{
  return beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR;
}

static int
profiles_compare (gconstpointer a, gconstpointer b)
{
  BeckonProfile *first = *(BeckonProfile *const *) a;
  BeckonProfile *second = *(BeckonProfile *const *) b;
  int order;

  if (is_tour (first) != is_tour (second))
    return is_tour (first) ? -1 : 1;

  order = g_utf8_collate (beckon_profile_get_name (first), beckon_profile_get_name (second));

  return order != 0 ? order : g_strcmp0 (beckon_profile_get_id (first), beckon_profile_get_id (second));
}

BeckonProfile *
beckon_profiles_lookup (BeckonProfiles *self, const char *profile_id)
{
  g_return_val_if_fail (BECKON_IS_PROFILES (self), NULL);
  g_return_val_if_fail (profile_id != NULL, NULL);

  for (guint i = 0; i < self->profiles->len; i++)
    {
      BeckonProfile *profile = g_ptr_array_index (self->profiles, i);

      if (g_str_equal (beckon_profile_get_id (profile), profile_id))
        return profile;
    }

  return NULL;
}

/* The one object of a profile stays: views are bound to it. */
static BeckonProfile *
take_values (BeckonProfiles *self, BeckonProfile *from)
{
  BeckonProfile *known = beckon_profiles_lookup (self, beckon_profile_get_id (from));

  if (known == NULL)
    return g_object_ref (from);

  beckon_profile_assign (known, from);

  return g_object_ref (known);
}

/* Takes the new list over and says what changed: nothing, or everything, which for a handful of rows costs nothing. */
static void
profiles_replace (BeckonProfiles *self, GPtrArray *profiles)
{
  g_autoptr (GPtrArray) old = self->profiles;

  g_ptr_array_sort (profiles, profiles_compare);
  self->profiles = g_ptr_array_ref (profiles);

  if (old->len != profiles->len
      || (old->len != 0 && memcmp (old->pdata, profiles->pdata, old->len * sizeof (gpointer)) != 0))
    g_list_model_items_changed (G_LIST_MODEL (self), 0, old->len, profiles->len);
  g_signal_emit (self, changed_signal, 0);
}

static GPtrArray *
copy_list (BeckonProfiles *self, const char *without_id)
{
  GPtrArray *copy = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->profiles->len; i++)
    {
      BeckonProfile *profile = g_ptr_array_index (self->profiles, i);

      if (!g_str_equal (beckon_profile_get_id (profile), without_id))
        g_ptr_array_add (copy, g_object_ref (profile));
    }

  return copy;
}

static void
profiles_merge (BeckonProfiles *self, GPtrArray *listed)
{
  g_autoptr (GPtrArray) profiles = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (profiles, g_object_ref (beckon_profiles_lookup (self, BECKON_PROFILE_TOUR_ID)));
  for (guint i = 0; i < listed->len; i++)
    g_ptr_array_add (profiles, take_values (self, g_ptr_array_index (listed, i)));
  profiles_replace (self, profiles);
}

static void reload (BeckonProfiles *self);

static void
on_reloaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonProfiles) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) listed = beckon_store_list_profiles_finish (BECKON_STORE (source), result, &error);
  gboolean again = self->reload_again;

  self->is_reloading = FALSE;
  self->reload_again = FALSE;
  if (again)
    reload (self);
  else if (listed != NULL)
    profiles_merge (self, listed);
  else if (!g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE))
    g_message ("the profiles were not read again: %s", error->message);
}

static void
reload (BeckonProfiles *self)
{
  if (!self->is_loaded)
    return;

  if (self->is_reloading)
    {
      self->reload_again = TRUE;
      return;
    }

  self->is_reloading = TRUE;
  beckon_store_list_profiles_async (self->store, NULL, on_reloaded, g_object_ref (self));
}

static void
beckon_profiles_dispose (GObject *object)
{
  g_clear_object (&BECKON_PROFILES (object)->store);

  G_OBJECT_CLASS (beckon_profiles_parent_class)->dispose (object);
}

static void
beckon_profiles_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_PROFILES (object)->profiles);

  G_OBJECT_CLASS (beckon_profiles_parent_class)->finalize (object);
}

static void
beckon_profiles_class_init (BeckonProfilesClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = beckon_profiles_dispose;
  object_class->finalize = beckon_profiles_finalize;
  changed_signal = g_signal_new ("changed", BECKON_TYPE_PROFILES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_profiles_init (BeckonProfiles *self)
{
  BeckonProfile *tour = beckon_profile_new (BECKON_PROFILE_TOUR_ID, BECKON_PROFILE_TOUR);

  beckon_profile_set_name (tour, _("Offline tour"));
  beckon_profile_set_model (tour, "tour");
  self->profiles = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->profiles, tour);
}

BeckonProfiles *
beckon_profiles_new (BeckonStore *store)
{
  BeckonProfiles *self;

  g_return_val_if_fail (BECKON_IS_STORE (store), NULL);

  self = g_object_new (BECKON_TYPE_PROFILES, NULL);
  self->store = g_object_ref (store);
  g_signal_connect_object (store, "changed-elsewhere", G_CALLBACK (reload), self, G_CONNECT_SWAPPED);

  return self;
}

static void
profiles_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonProfiles *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) listed = beckon_store_list_profiles_finish (BECKON_STORE (source), result, &error);

  if (listed == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }

  self->is_loaded = TRUE;
  profiles_merge (self, listed);
  g_task_return_boolean (task, TRUE);
}

void
beckon_profiles_load_async (BeckonProfiles *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_PROFILES (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_profiles_load_async);
  beckon_store_list_profiles_async (self->store, cancellable, profiles_on_loaded, task);
}

BECKON_FINISH_BOOLEAN (beckon_profiles_load, BeckonProfiles)

/* Failed changes are not kept on the screen either: the list is read again. */
static void
profiles_on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  reload (g_task_get_source_object (task));
  g_task_return_error (task, g_steal_pointer (&error));
}

static void
commit (BeckonProfiles *self, BeckonBatch *batch, GCancellable *cancellable, GAsyncReadyCallback callback,
        gpointer user_data, gpointer tag)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  /* A listing that is under way does not know of it yet. */
  self->reload_again = self->is_reloading;

  g_task_set_source_tag (task, tag);
  g_task_set_check_cancellable (task, FALSE);
  beckon_store_commit_async (self->store, batch, cancellable, profiles_on_committed, task);
}

void
beckon_profiles_save_async (BeckonProfiles *self, BeckonProfile *profile, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GPtrArray) profiles = NULL;
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_PROFILES (self));
  g_return_if_fail (BECKON_IS_PROFILE (profile));
  g_return_if_fail (beckon_profile_get_kind (profile) != BECKON_PROFILE_TOUR);

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_put_profile (batch, profile);

  profiles = copy_list (self, beckon_profile_get_id (profile));
  g_ptr_array_add (profiles, take_values (self, profile));
  profiles_replace (self, profiles);

  commit (self, batch, cancellable, callback, user_data, beckon_profiles_save_async);
}

BECKON_FINISH_BOOLEAN (beckon_profiles_save, BeckonProfiles)

void
beckon_profiles_remove_async (BeckonProfiles *self, const char *profile_id, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GPtrArray) profiles = NULL;
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_PROFILES (self));
  g_return_if_fail (profile_id != NULL);
  g_return_if_fail (!g_str_equal (profile_id, BECKON_PROFILE_TOUR_ID));

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_delete_profile (batch, profile_id);

  profiles = copy_list (self, profile_id);
  profiles_replace (self, profiles);

  commit (self, batch, cancellable, callback, user_data, beckon_profiles_remove_async);
}

BECKON_FINISH_BOOLEAN (beckon_profiles_remove, BeckonProfiles)

void
beckon_profiles_name_asker (BeckonProfiles *profiles, BeckonRequestContext *context)
{
  BeckonProfile *profile;

  g_return_if_fail (BECKON_IS_PROFILES (profiles));

  if (context == NULL || context->profile_id == NULL)
    return;

  profile = beckon_profiles_lookup (profiles, context->profile_id);
  g_free (context->asker);
  context->asker = profile != NULL ? g_strdup (beckon_profile_get_name (profile)) : NULL;
}
