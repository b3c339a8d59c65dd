/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-endpoint-source.h"

G_DEFINE_INTERFACE (BeckonEndpointSource, beckon_endpoint_source, G_TYPE_OBJECT)

static void
beckon_endpoint_source_default_init (BeckonEndpointSourceInterface *iface)
{
}

void
beckon_endpoint_source_resolve_async (BeckonEndpointSource *self, BeckonProfile *profile, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_ENDPOINT_SOURCE (self));
  g_return_if_fail (BECKON_IS_PROFILE (profile));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  BECKON_ENDPOINT_SOURCE_GET_IFACE (self)->resolve_async (self, profile, cancellable, callback, user_data);
}

gboolean
beckon_endpoint_source_resolve_finish (BeckonEndpointSource *self, GAsyncResult *result, char **base_url, char **key,
                                       GError **error)
{
  g_return_val_if_fail (BECKON_IS_ENDPOINT_SOURCE (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);
  g_return_val_if_fail (base_url != NULL && key != NULL, FALSE);

  return BECKON_ENDPOINT_SOURCE_GET_IFACE (self)->resolve_finish (self, result, base_url, key, error);
}

gboolean
beckon_endpoint_source_refuse (BeckonEndpointSource *self, BeckonProfile *profile, const char *key)
{
  BeckonEndpointSourceInterface *iface;

  g_return_val_if_fail (BECKON_IS_ENDPOINT_SOURCE (self), FALSE);
  g_return_val_if_fail (BECKON_IS_PROFILE (profile), FALSE);

  iface = BECKON_ENDPOINT_SOURCE_GET_IFACE (self);
  return key != NULL && iface->refuse != NULL && iface->refuse (self, profile, key);
}

char *
beckon_endpoint_source_dup_failure (BeckonEndpointSource *self, BeckonProfile *profile)
{
  BeckonEndpointSourceInterface *iface;

  g_return_val_if_fail (BECKON_IS_ENDPOINT_SOURCE (self), NULL);
  g_return_val_if_fail (BECKON_IS_PROFILE (profile), NULL);

  iface = BECKON_ENDPOINT_SOURCE_GET_IFACE (self);
  return iface->dup_failure != NULL ? iface->dup_failure (self, profile) : NULL;
}
