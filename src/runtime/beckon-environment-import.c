/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-environment-import.h"

#include "base/beckon-origin.h"
#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  BeckonSecrets *secrets;
  BeckonProfileTester *tester;
  GPtrArray *presets;
  guint next;
  int made;
  GString *problems; /* (owned): a sentence for each that was not made */
  BeckonProfile *profile; /* (owned) (nullable): the one that is being made */
  gboolean for_session;
} Import;

static void
import_free (Import *import)
{
  g_object_unref (import->secrets);
  g_object_unref (import->tester);
  g_string_free (import->problems, TRUE);
  g_ptr_array_unref (import->presets);
  g_clear_object (&import->profile);
  g_free (import);
}

static gboolean
has_profile (BeckonProfiles *profiles, BeckonPreset *preset)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (profiles)); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (G_LIST_MODEL (profiles), i);

      if (beckon_uri_same_origin (beckon_profile_get_base_url (profile), beckon_preset_get_base_url (preset)))
        return TRUE;
    }
  return FALSE;
}

/* Presets to complete by hand are left out. */
static gboolean
is_whole (BeckonPreset *preset)
{
  return strchr (beckon_preset_get_base_url (preset), '@') == NULL;
}

GPtrArray *
beckon_environment_import_list (BeckonProfiles *profiles)
{
  GPtrArray *all = beckon_preset_get_all ();
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < all->len; i++)
    {
      BeckonPreset *preset = g_ptr_array_index (all, i);
      const char *variable = beckon_preset_find_variable (preset);

      if (variable != NULL && is_whole (preset) && beckon_secrets_check (g_getenv (variable), NULL)
          && !has_profile (profiles, preset))
        g_ptr_array_add (found, g_object_ref (preset));
    }
  return found;
}

static void make_next (GTask *task);

static const char *
find_key (Import *import)
{
  const char *variable = beckon_preset_find_variable (g_ptr_array_index (import->presets, import->next));

  return variable != NULL ? g_getenv (variable) : NULL;
}

static void
on_key_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Import *import = g_task_get_task_data (task);

  if (!beckon_secrets_store_finish (BECKON_SECRETS (source), result, NULL) && find_key (import) != NULL)
    {
      beckon_secrets_set_for_session (import->secrets, beckon_profile_get_id (import->profile),
                                      beckon_profile_get_base_url (import->profile), find_key (import), NULL);
      import->for_session = TRUE;
    }
  import->made++;
  import->next++;
  make_next (task);
}

static void
environment_import_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Import *import = g_task_get_task_data (task);
  GError *error = NULL;

  if (!beckon_profiles_save_finish (BECKON_PROFILES (source), result, &error))
    g_task_return_error (task, error);
  else
    beckon_secrets_store_async (import->secrets, beckon_profile_get_id (import->profile),
                                beckon_profile_get_base_url (import->profile),
                                beckon_profile_get_name (import->profile), find_key (import), NULL, on_key_stored,
                                g_object_ref (task));
}

static void
environment_import_save (GTask *task, Import *import)
{
  beckon_profiles_save_async (g_task_get_source_object (task), import->profile, NULL, environment_import_on_saved,
                              g_object_ref (task));
}

/* A profile without a model is none: it is left for the person to add, with the reason. */
static void
environment_import_on_chosen (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Import *import = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (beckon_profile_tester_choose_finish (BECKON_PROFILE_TESTER (source), result, &error))
    {
      environment_import_save (task, import);
      return;
    }
  g_string_append (import->problems, import->problems->len > 0 ? " " : "");
  /* Translators: a provider, and why, as a sentence */
  beckon_text_append (import->problems, _("%s was not imported. %s"), beckon_profile_get_name (import->profile),
                      error->message);
  import->next++;
  make_next (task);
}

static void
make_next (GTask *task)
{
  Import *import = g_task_get_task_data (task);

  if (g_task_return_error_if_cancelled (task))
    return;
  if (import->next == import->presets->len)
    {
      g_task_return_int (task, import->made);
      return;
    }
  g_clear_object (&import->profile);
  import->profile = beckon_profile_new (NULL, BECKON_PROFILE_CHAT);
  beckon_preset_apply (g_ptr_array_index (import->presets, import->next), import->profile);
  if (*beckon_profile_get_model (import->profile) != '\0')
    environment_import_save (task, import);
  else
    beckon_profile_tester_choose_async (import->tester, import->profile, NULL, find_key (import), g_task_get_cancellable (task),
                                        environment_import_on_chosen, g_object_ref (task));
}

void
beckon_environment_import_async (BeckonProfiles *profiles, BeckonSecrets *secrets, BeckonProfileTester *tester,
                                 GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (profiles, cancellable, callback, user_data);
  Import *import = g_new0 (Import, 1);

  g_task_set_source_tag (task, beckon_environment_import_async);
  g_task_set_task_data (task, import, (GDestroyNotify) import_free);
  import->secrets = g_object_ref (secrets);
  import->tester = g_object_ref (tester);
  import->problems = g_string_new (NULL);
  import->presets = beckon_environment_import_list (profiles);
  make_next (task);
}

int
beckon_environment_import_finish (BeckonProfiles *profiles, GAsyncResult *result, gboolean *for_session, char **problems,
                                  GError **error)
{
  Import *import;

  g_return_val_if_fail (g_task_is_valid (result, profiles), -1);

  import = g_task_get_task_data (G_TASK (result));
  *for_session = import->for_session;
  *problems = g_strdup (import->problems->str);
  return (int) g_task_propagate_int (G_TASK (result), error);
}
