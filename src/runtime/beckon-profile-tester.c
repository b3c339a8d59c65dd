/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-profile-tester.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-origin.h"
#include "beckon-endpoints.h"
#include "domain/beckon-model-pick.h"
#include "domain/beckon-model-table.h"
#include "llm/beckon-probe.h"
#include "settings/beckon-preset.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonProfileTester
{
  GObject parent_instance;

  BeckonEndpointSource *endpoints; /* (owned) */
  GPtrArray *listed;               /* (owned) (nullable) (element-type BeckonListedModel): the last list that came */
  char *listed_url;                /* (owned) (nullable): whose it is */
};

G_DEFINE_FINAL_TYPE (BeckonProfileTester, beckon_profile_tester, G_TYPE_OBJECT)

static void
beckon_profile_tester_dispose (GObject *object)
{
  g_clear_object (&BECKON_PROFILE_TESTER (object)->endpoints);
  g_clear_pointer (&BECKON_PROFILE_TESTER (object)->listed, g_ptr_array_unref);
  g_clear_pointer (&BECKON_PROFILE_TESTER (object)->listed_url, g_free);
  G_OBJECT_CLASS (beckon_profile_tester_parent_class)->dispose (object);
}

static void
beckon_profile_tester_class_init (BeckonProfileTesterClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_profile_tester_dispose;
}

static void
beckon_profile_tester_init (BeckonProfileTester *self)
{
}

BeckonProfileTester *
beckon_profile_tester_new (BeckonEndpointSource *endpoints)
{
  BeckonProfileTester *self;

  g_return_val_if_fail (BECKON_IS_ENDPOINT_SOURCE (endpoints), NULL);

  self = g_object_new (BECKON_TYPE_PROFILE_TESTER, NULL);
  self->endpoints = g_object_ref (endpoints);
  return self;
}

/* The typed key counts, also where another is kept. */
static BeckonProbe *
make_probe (BeckonProfileTester *self, const char *key)
{
  g_autoptr (BeckonEnteredEndpoint) entered = NULL;

  if (key == NULL || *key == '\0')
    return beckon_probe_new (self->endpoints, beckon_clock_get_system ());
  entered = beckon_entered_endpoint_new (key);
  return beckon_probe_new (BECKON_ENDPOINT_SOURCE (entered), beckon_clock_get_system ());
}

typedef struct
{
  BeckonProfile *profile; /* (owned) */
  gboolean is_entered;    /* its key: nobody else was asked for one */
} Trial;

static void
trial_free (Trial *trial)
{
  g_object_unref (trial->profile);
  g_free (trial);
}

static Trial *
trial_new (BeckonProfile *profile, const char *key)
{
  Trial *trial = g_new0 (Trial, 1);

  trial->profile = beckon_profile_copy (profile);
  trial->is_entered = key != NULL && *key != '\0';
  return trial;
}

/* The words of a key program are for the person who tries the profile out, and are not stored. Takes @error. */
static void
return_failure (GTask *task, GError *error)
{
  BeckonProfileTester *self = g_task_get_source_object (task);
  Trial *trial = g_task_get_task_data (task);
  char *words = trial->is_entered ? NULL : beckon_endpoint_source_dup_failure (self->endpoints, trial->profile);

  if (words != NULL)
    {
      g_free (error->message);
      error->message = words;
    }
  g_task_return_error (task, error);
}

static void
tester_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonProfileTester *self = g_task_get_source_object (task);
  GError *error = NULL;
  GPtrArray *models = beckon_probe_list_finish (BECKON_PROBE (source), result, &error);

  if (models == NULL)
    {
      return_failure (task, error);
      return;
    }
  g_clear_pointer (&self->listed, g_ptr_array_unref);
  g_free (self->listed_url);
  self->listed = g_ptr_array_ref (models);
  self->listed_url = g_strdup (beckon_profile_get_base_url (((Trial *) g_task_get_task_data (task))->profile));
  g_task_return_pointer (task, models, (GDestroyNotify) g_ptr_array_unref);
}

void
beckon_profile_tester_list_models_async (BeckonProfileTester *self, BeckonProfile *profile, const char *key,
                                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (BeckonProbe) probe = NULL;
  GTask *task;

  g_return_if_fail (BECKON_IS_PROFILE_TESTER (self));
  g_return_if_fail (BECKON_IS_PROFILE (profile));

  probe = make_probe (self, key);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_profile_tester_list_models_async);
  g_task_set_task_data (task, trial_new (profile, key), (GDestroyNotify) trial_free);
  beckon_probe_list_async (probe, profile, 0, cancellable, tester_on_listed, task);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_profile_tester_list_models, BeckonProfileTester)

BeckonListedModel *
beckon_profile_tester_find (BeckonProfileTester *self, BeckonProfile *profile)
{
  g_return_val_if_fail (BECKON_IS_PROFILE_TESTER (self), NULL);
  g_return_val_if_fail (BECKON_IS_PROFILE (profile), NULL);

  if (self->listed == NULL || g_strcmp0 (self->listed_url, beckon_profile_get_base_url (profile)) != 0)
    return NULL;
  return beckon_listed_model_find (self->listed, beckon_profile_get_model (profile));
}

/* --- The newest suitable model ------------------------------------------------------------------------------------ */

BeckonListedModel *
beckon_profile_tester_pick (GPtrArray *models, BeckonProfile *profile, BeckonPreset *chosen)
{
  BeckonPreset *preset =
    beckon_preset_for_url (beckon_profile_get_base_url (profile), beckon_profile_get_kind (profile));

  if (preset == NULL)
    preset = chosen;
  return beckon_model_pick (models, preset != NULL ? beckon_preset_get_preferred (preset) : NULL,
                            g_get_real_time () / G_USEC_PER_SEC);
}

/* A local server has started the model with a window of its own, and a gateway has prices of its own. */
void
beckon_profile_tester_describe (BeckonListedModel *model, BeckonProfile *profile, BeckonModelDetails *details)
{
  const char *url = beckon_profile_get_base_url (profile);
  gboolean is_maker = beckon_preset_for_url (url, beckon_profile_get_kind (profile)) != NULL;
  const BeckonModelDetails *listed = beckon_listed_model_get_details (model);

  *details = *listed;
  if (beckon_uri_is_loopback (url))
    return;
  beckon_model_table_complete (beckon_listed_model_get_name (model), details);
  if (is_maker)
    return;
  memcpy (details->facts.prices, listed->facts.prices, sizeof details->facts.prices);
  details->facts.prices_from = listed->facts.prices_from;
}

/* Other facts of the table are looked up when they are needed, as the table may become another. */
void
beckon_profile_tester_keep_facts (BeckonListedModel *model, BeckonProfile *profile)
{
  BeckonModelFacts facts = beckon_listed_model_get_details (model)->facts;
  BeckonModelDetails details;

  beckon_profile_tester_describe (model, profile, &details);
  memcpy (facts.prices, details.facts.prices, sizeof facts.prices);
  facts.prices_from = details.facts.prices_from;
  beckon_profile_set_facts (profile, &facts);
}

typedef struct
{
  BeckonProfile *profile; /* (owned) */
  BeckonPreset *preset;   /* (nullable) */
} Choosing;

static void
choosing_free (Choosing *choosing)
{
  g_object_unref (choosing->profile);
  g_free (choosing);
}

static void
on_listed_to_choose (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Choosing *choosing = g_task_get_task_data (task);
  BeckonProfile *profile = choosing->profile;
  GError *error = NULL;
  g_autoptr (GPtrArray) models = beckon_profile_tester_list_models_finish (BECKON_PROFILE_TESTER (source), result, &error);
  BeckonListedModel *model = models != NULL ? beckon_profile_tester_pick (models, profile, choosing->preset) : NULL;

  if (models == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (model == NULL)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, "%s",
                               models->len > 0 ? _("Choose one of the server’s models.")
                               : _("The server lists no models. Enter a model name."));
      return;
    }
  beckon_profile_set_model (profile, beckon_listed_model_get_name (model));
  beckon_profile_tester_keep_facts (model, profile);
  g_task_return_boolean (task, TRUE);
}

void
beckon_profile_tester_choose_async (BeckonProfileTester *self, BeckonProfile *profile, BeckonPreset *preset, const char *key,
                                    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  Choosing *choosing;
  GTask *task;

  g_return_if_fail (BECKON_IS_PROFILE_TESTER (self));
  g_return_if_fail (BECKON_IS_PROFILE (profile));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_profile_tester_choose_async);
  choosing = g_new0 (Choosing, 1);
  choosing->profile = g_object_ref (profile);
  choosing->preset = preset;
  g_task_set_task_data (task, choosing, (GDestroyNotify) choosing_free);
  beckon_profile_tester_list_models_async (self, profile, key, cancellable, on_listed_to_choose, task);
}

BECKON_FINISH_BOOLEAN (beckon_profile_tester_choose, BeckonProfileTester)

/* --- Whether it works --------------------------------------------------------------------------------------------- */

static void
tester_on_tested (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  guint milliseconds;

  if (beckon_probe_test_finish (BECKON_PROBE (source), result, &milliseconds, &error))
    g_task_return_int (task, milliseconds);
  else
    return_failure (task, error);
}

void
beckon_profile_tester_test_async (BeckonProfileTester *self, BeckonProfile *profile, const char *key, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (BeckonProbe) probe = NULL;
  GTask *task;

  g_return_if_fail (BECKON_IS_PROFILE_TESTER (self));
  g_return_if_fail (BECKON_IS_PROFILE (profile));

  probe = make_probe (self, key);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_profile_tester_test_async);
  g_task_set_task_data (task, trial_new (profile, key), (GDestroyNotify) trial_free);
  beckon_probe_test_async (probe, profile, cancellable, tester_on_tested, task);
}

gboolean
beckon_profile_tester_test_finish (BeckonProfileTester *self, GAsyncResult *result, guint *milliseconds, GError **error)
{
  gssize elapsed;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_profile_tester_test_async), FALSE);

  elapsed = g_task_propagate_int (G_TASK (result), error);
  if (milliseconds != NULL)
    *milliseconds = (guint) MAX (elapsed, 0);
  return elapsed >= 0;
}
