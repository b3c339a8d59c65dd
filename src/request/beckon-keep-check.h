/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_KEEP_CHECK (beckon_keep_check_get_type ())
G_DECLARE_INTERFACE (BeckonKeepCheck, beckon_keep_check, BECKON, KEEP_CHECK, GObject)

/**
 * BeckonKeepCheck:
 * @check_async: looks whether the changes of a request can land now
 * @check_finish: %FALSE if their folder cannot be reached or written; the error is for a person
 *
 * That a folder is away is no outcome: a *keep* that could not be carried out is not settled, and can be given again. For a
 * room that knows no folders. Main thread.
 */
struct _BeckonKeepCheckInterface
{
  GTypeInterface parent_iface;

  void (*check_async) (BeckonKeepCheck *self, BeckonRequest *request, GCancellable *cancellable, GAsyncReadyCallback callback,
                       gpointer user_data);
  gboolean (*check_finish) (BeckonKeepCheck *self, GAsyncResult *result, GError **error);
};

/** See #BeckonKeepCheck. @cancellable: (nullable). */
void     beckon_keep_check_async (BeckonKeepCheck *self, BeckonRequest *request, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_keep_check_finish (BeckonKeepCheck *self, GAsyncResult *result, GError **error);

G_END_DECLS
