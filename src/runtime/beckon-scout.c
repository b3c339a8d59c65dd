/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-scout.h"

#include "beckon-entered-endpoint.h"
#include "llm/beckon-probe.h"

struct _BeckonScout
{
  GObject parent_instance;

  BeckonEndpointSource *endpoints; /* (owned) */
  BeckonProbe *listed;             /* (owned) (nullable): who asked for a list last */
  char *listed_url;                /* (owned) (nullable): and where */
};

G_DEFINE_FINAL_TYPE (BeckonScout, beckon_scout, G_TYPE_OBJECT)

static void
beckon_scout_dispose (GObject *object)
{
  g_clear_object (&BECKON_SCOUT (object)->endpoints);
  g_clear_object (&BECKON_SCOUT (object)->listed);
  g_clear_pointer (&BECKON_SCOUT (object)->listed_url, g_free);
  G_OBJECT_CLASS (beckon_scout_parent_class)->dispose (object);
}

static void
beckon_scout_class_init (BeckonScoutClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_scout_dispose;
}

static void
beckon_scout_init (BeckonScout *self)
{
}

BeckonScout *
beckon_scout_new (BeckonEndpointSource *endpoints)
{
  BeckonScout *self;

  g_return_val_if_fail (BECKON_IS_ENDPOINT_SOURCE (endpoints), NULL);

  self = g_object_new (BECKON_TYPE_SCOUT, NULL);
  self->endpoints = g_object_ref (endpoints);
  return self;
}

/* What was typed counts, also where another key is kept. */
static BeckonProbe *
make_probe (BeckonScout *self, const char *key)
{
  g_autoptr (BeckonEnteredEndpoint) entered = NULL;

  if (key == NULL || *key == '\0')
    return beckon_probe_new (self->endpoints, beckon_clock_get_system ());
  entered = beckon_entered_endpoint_new (key);
  return beckon_probe_new (BECKON_ENDPOINT_SOURCE (entered), beckon_clock_get_system ());
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  char **names = beckon_probe_list_finish (BECKON_PROBE (source), result, &error);

  if (names != NULL)
    g_task_return_pointer (task, names, (GDestroyNotify) g_strfreev);
  else
    g_task_return_error (task, error);
}

void
beckon_scout_list_models_async (BeckonScout *self, BeckonProfile *profile, const char *key, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (BeckonProbe) probe = NULL;
  GTask *task;

  g_return_if_fail (BECKON_IS_SCOUT (self));
  g_return_if_fail (BECKON_IS_PROFILE (profile));

  probe = make_probe (self, key);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_scout_list_models_async);
  g_set_object (&self->listed, probe);
  g_free (self->listed_url);
  self->listed_url = g_strdup (beckon_profile_get_base_url (profile));
  beckon_probe_list_async (probe, profile, 0, cancellable, on_listed, task);
}

char **
beckon_scout_list_models_finish (BeckonScout *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_scout_list_models_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

gboolean
beckon_scout_find_facts (BeckonScout *self, BeckonProfile *profile, BeckonModelFacts *facts)
{
  g_return_val_if_fail (BECKON_IS_SCOUT (self), FALSE);
  g_return_val_if_fail (BECKON_IS_PROFILE (profile), FALSE);

  return self->listed != NULL && g_strcmp0 (self->listed_url, beckon_profile_get_base_url (profile)) == 0
         && beckon_probe_find_facts (self->listed, beckon_profile_get_model (profile), facts);
}

static void
on_tested (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  guint milliseconds;

  if (beckon_probe_test_finish (BECKON_PROBE (source), result, &milliseconds, &error))
    g_task_return_int (task, milliseconds);
  else
    g_task_return_error (task, error);
}

void
beckon_scout_test_async (BeckonScout *self, BeckonProfile *profile, const char *key, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (BeckonProbe) probe = NULL;
  GTask *task;

  g_return_if_fail (BECKON_IS_SCOUT (self));
  g_return_if_fail (BECKON_IS_PROFILE (profile));

  probe = make_probe (self, key);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_scout_test_async);
  beckon_probe_test_async (probe, profile, cancellable, on_tested, task);
}

gboolean
beckon_scout_test_finish (BeckonScout *self, GAsyncResult *result, guint *milliseconds, GError **error)
{
  gssize elapsed;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_scout_test_async), FALSE);

  elapsed = g_task_propagate_int (G_TASK (result), error);
  if (milliseconds != NULL)
    *milliseconds = (guint) MAX (elapsed, 0);
  return elapsed >= 0;
}
