/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-local-models.h"

#include "beckon-endpoints.h"
#include "base/beckon-finish.h"
#include "domain/beckon-model-pick.h"
#include "llm/beckon-probe.h"
#include "settings/beckon-preset.h"

/* This computer answers at once, or its server is busy with something else. */
#define PATIENCE_S 2

typedef struct
{
  BeckonProbe *probe;
  GPtrArray *candidates;
  GPtrArray *found; /* (element-type BeckonProfile): in the order of the candidates, with NULL for what is not there */
  guint left;
} Search;

typedef struct
{
  GTask *task;
  guint index;
} Look;

static void
unref_if_any (gpointer object)
{
  if (object != NULL)
    g_object_unref (object);
}

static void
search_free (Search *search)
{
  g_object_unref (search->probe);
  g_ptr_array_unref (search->candidates);
  g_ptr_array_unref (search->found);
  g_free (search);
}

GPtrArray *
beckon_local_models_get_candidates (void)
{
  GPtrArray *candidates = g_ptr_array_new_with_free_func (g_object_unref);
  GPtrArray *presets = beckon_preset_get_all ();

  for (guint i = 0; i < presets->len; i++)
    {
      BeckonPreset *preset = g_ptr_array_index (presets, i);
      BeckonProfile *profile;

      if (!beckon_preset_is_local (preset))
        continue;
      profile = beckon_profile_new (NULL, beckon_preset_get_kind (preset));
      beckon_preset_apply (preset, profile);
      g_ptr_array_add (candidates, profile);
    }
  return candidates;
}

static void
local_models_end (GTask *task, Search *search)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < search->found->len; i++)
    if (g_ptr_array_index (search->found, i) != NULL)
      g_ptr_array_add (found, g_object_ref (g_ptr_array_index (search->found, i)));
  g_task_return_pointer (task, found, (GDestroyNotify) g_ptr_array_unref);
}

static void
local_models_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  static const char *const any[] = { "*", NULL };
  g_autofree Look *look = user_data;
  g_autoptr (GTask) task = look->task;
  Search *search = g_task_get_task_data (task);
  BeckonProfile *candidate = g_ptr_array_index (search->candidates, look->index);
  g_autoptr (GPtrArray) models = beckon_probe_list_finish (BECKON_PROBE (source), result, NULL);
  BeckonListedModel *model = models != NULL ? beckon_model_pick (models, any, g_get_real_time () / G_USEC_PER_SEC) : NULL;

  if (model != NULL)
    {
      BeckonProfile *profile = beckon_profile_copy (candidate);

      beckon_profile_set_model (profile, beckon_listed_model_get_name (model));
      beckon_profile_set_facts (profile, &beckon_listed_model_get_details (model)->facts);
      search->found->pdata[look->index] = profile;
    }
  if (--search->left == 0)
    local_models_end (task, search);
}

void
beckon_local_models_find_async (GPtrArray *candidates, GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (BeckonEnteredEndpoint) endpoint = beckon_entered_endpoint_new (NULL);
  Search *search = g_new0 (Search, 1);

  g_task_set_source_tag (task, beckon_local_models_find_async);
  g_task_set_task_data (task, search, (GDestroyNotify) search_free);
  search->candidates = candidates != NULL ? g_ptr_array_ref (candidates) : beckon_local_models_get_candidates ();
  search->probe = beckon_probe_new (BECKON_ENDPOINT_SOURCE (endpoint), beckon_clock_get_system ());
  search->found = g_ptr_array_new_with_free_func (unref_if_any);
  g_ptr_array_set_size (search->found, (int) search->candidates->len);
  search->left = search->candidates->len;
  if (search->left == 0)
    local_models_end (task, search);
  for (guint i = 0; i < search->candidates->len; i++)
    {
      Look *look = g_new0 (Look, 1);

      look->task = g_object_ref (task);
      look->index = i;
      beckon_probe_list_async (search->probe, g_ptr_array_index (search->candidates, i), PATIENCE_S,
                               g_task_get_cancellable (task), local_models_on_listed, look);
    }
}

BECKON_FINISH_LONE_POINTER (GPtrArray *, beckon_local_models_find)
