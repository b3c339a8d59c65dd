/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-entered-endpoint.h"

#include "base/beckon-wipe.h"

struct _BeckonEnteredEndpoint
{
  GObject parent_instance;

  char *key; /* (owned) (nullable) */
};

static void
resolve_async (BeckonEndpointSource *source, BeckonProfile *profile, GCancellable *cancellable,
               GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, user_data);

  g_task_set_source_tag (task, resolve_async);
  g_task_return_pointer (task, g_strdup (beckon_profile_get_base_url (profile)), g_free);
}

static gboolean
resolve_finish (BeckonEndpointSource *source, GAsyncResult *result, char **base_url, char **key, GError **error)
{
  *base_url = g_task_propagate_pointer (G_TASK (result), error);
  if (*base_url == NULL)
    return FALSE;
  *key = g_strdup (BECKON_ENTERED_ENDPOINT (source)->key);
  return TRUE;
}

static void
beckon_entered_endpoint_source_init (BeckonEndpointSourceInterface *iface)
{
  iface->resolve_async = resolve_async;
  iface->resolve_finish = resolve_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonEnteredEndpoint, beckon_entered_endpoint, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_ENDPOINT_SOURCE, beckon_entered_endpoint_source_init))

static void
beckon_entered_endpoint_finalize (GObject *object)
{
  BeckonEnteredEndpoint *self = BECKON_ENTERED_ENDPOINT (object);

  beckon_wipe (self->key);
  G_OBJECT_CLASS (beckon_entered_endpoint_parent_class)->finalize (object);
}

static void
beckon_entered_endpoint_class_init (BeckonEnteredEndpointClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_entered_endpoint_finalize;
}

static void
beckon_entered_endpoint_init (BeckonEnteredEndpoint *self)
{
}

BeckonEnteredEndpoint *
beckon_entered_endpoint_new (const char *key)
{
  BeckonEnteredEndpoint *self = g_object_new (BECKON_TYPE_ENTERED_ENDPOINT, NULL);

  self->key = g_strdup (key);
  return self;
}
