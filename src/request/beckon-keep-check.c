/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-keep-check.h"

G_DEFINE_INTERFACE (BeckonKeepCheck, beckon_keep_check, G_TYPE_OBJECT)

static void
beckon_keep_check_default_init (BeckonKeepCheckInterface *iface)
{
}

void
beckon_keep_check_async (BeckonKeepCheck *self, BeckonRequest *request, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  BECKON_KEEP_CHECK_GET_IFACE (self)->check_async (self, request, cancellable, callback, user_data);
}

gboolean
beckon_keep_check_finish (BeckonKeepCheck *self, GAsyncResult *result, GError **error)
{
  return BECKON_KEEP_CHECK_GET_IFACE (self)->check_finish (self, result, error);
}
