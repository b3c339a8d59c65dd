/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-test-endpoint.h"

struct _BeckonTestEndpoint
{
  GObject parent_instance;

  char *base_url;
  char *key;
  gboolean held;
  GError *error;
};

static void beckon_test_endpoint_source_init (BeckonEndpointSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonTestEndpoint, beckon_test_endpoint, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_ENDPOINT_SOURCE, beckon_test_endpoint_source_init))

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_task_return_error_if_cancelled (G_TASK (user_data));
  return G_SOURCE_REMOVE;
}

static void
wait_for_cancel (GTask *task)
{
  g_autoptr (GSource) source = g_cancellable_source_new (g_task_get_cancellable (task));

  g_source_set_callback (source, G_SOURCE_FUNC (on_cancelled), g_object_ref (task), g_object_unref);
  g_source_attach (source, NULL);
}

static void
resolve_async (BeckonEndpointSource *source, BeckonProfile *profile, GCancellable *cancellable,
               GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonTestEndpoint *self = BECKON_TEST_ENDPOINT (source);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, resolve_async);
  if (self->held)
    wait_for_cancel (task);
  else if (self->error != NULL)
    g_task_return_error (task, g_error_copy (self->error));
  else
    g_task_return_boolean (task, TRUE);
}

static gboolean
resolve_finish (BeckonEndpointSource *source, GAsyncResult *result, char **base_url, char **key, GError **error)
{
  BeckonTestEndpoint *self = BECKON_TEST_ENDPOINT (source);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  *base_url = g_strdup (self->base_url);
  *key = g_strdup (self->key);
  return TRUE;
}

static void
beckon_test_endpoint_source_init (BeckonEndpointSourceInterface *iface)
{
  iface->resolve_async = resolve_async;
  iface->resolve_finish = resolve_finish;
}

static void
beckon_test_endpoint_finalize (GObject *object)
{
  BeckonTestEndpoint *self = BECKON_TEST_ENDPOINT (object);

  g_free (self->base_url);
  g_free (self->key);
  g_clear_error (&self->error);

  G_OBJECT_CLASS (beckon_test_endpoint_parent_class)->finalize (object);
}

static void
beckon_test_endpoint_class_init (BeckonTestEndpointClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_test_endpoint_finalize;
}

static void
beckon_test_endpoint_init (BeckonTestEndpoint *self)
{
}

BeckonTestEndpoint *
beckon_test_endpoint_new (const char *base_url, const char *key)
{
  BeckonTestEndpoint *self = g_object_new (BECKON_TYPE_TEST_ENDPOINT, NULL);

  self->base_url = g_strdup (base_url);
  self->key = g_strdup (key);
  return self;
}

void
beckon_test_endpoint_set_held (BeckonTestEndpoint *endpoint, gboolean held)
{
  endpoint->held = held;
}

void
beckon_test_endpoint_set_error (BeckonTestEndpoint *endpoint, const GError *error)
{
  g_clear_error (&endpoint->error);
  endpoint->error = g_error_copy (error);
}
