/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-landings.h"

G_DEFINE_INTERFACE (BeckonLandings, beckon_landings, G_TYPE_OBJECT)

static void
beckon_landings_default_init (BeckonLandingsInterface *iface)
{
}

void
beckon_landings_get_async (BeckonLandings *self, const char *call_id, GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_return_if_fail (BECKON_IS_LANDINGS (self));
  g_return_if_fail (call_id != NULL);

  BECKON_LANDINGS_GET_IFACE (self)->get_async (self, call_id, cancellable, callback, user_data);
}

GPtrArray *
beckon_landings_get_finish (BeckonLandings *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_LANDINGS (self), NULL);

  return BECKON_LANDINGS_GET_IFACE (self)->get_finish (self, result, error);
}

void
beckon_landings_put_async (BeckonLandings *self, const char *conversation_id, GPtrArray *landings, const char *event,
                           const char *front_end, gint64 at, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_LANDINGS (self));
  g_return_if_fail (conversation_id != NULL && landings != NULL && landings->len > 0 && event != NULL && front_end != NULL);

  BECKON_LANDINGS_GET_IFACE (self)->put_async (self, conversation_id, landings, event, front_end, at, callback, user_data);
}

gboolean
beckon_landings_put_finish (BeckonLandings *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_LANDINGS (self), FALSE);

  return BECKON_LANDINGS_GET_IFACE (self)->put_finish (self, result, error);
}

void
beckon_landings_begin_async (BeckonLandings *self, const char *const *call_ids, gboolean is_redo, const char *front_end,
                             GBytes *now, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_LANDINGS (self));
  g_return_if_fail (call_ids != NULL && front_end != NULL);

  BECKON_LANDINGS_GET_IFACE (self)->begin_async (self, call_ids, is_redo, front_end, now, callback, user_data);
}

gboolean
beckon_landings_begin_finish (BeckonLandings *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_LANDINGS (self), FALSE);

  return BECKON_LANDINGS_GET_IFACE (self)->begin_finish (self, result, error);
}

void
beckon_landings_end (BeckonLandings *self, const char *call_id)
{
  g_return_if_fail (BECKON_IS_LANDINGS (self));
  g_return_if_fail (call_id != NULL);

  BECKON_LANDINGS_GET_IFACE (self)->end (self, call_id);
}
