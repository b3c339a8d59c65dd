/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"

G_BEGIN_DECLS

/**
 * beckon_landing_recovery_async:
 * @store: an open store
 * @callback: called later
 * @user_data: for @callback
 *
 * Finishes what programs that are gone were doing to people's folders: landing, undoing, making again, rewinding. No folder is
 * left half changed until somebody looks into its conversation; whoever takes up the run afterwards finds that it has landed.
 * Main thread; folders are touched on another one.
 */
void beckon_landing_recovery_async (BeckonStore *store, GAsyncReadyCallback callback, gpointer user_data);

/** %FALSE with an error if the store could not say what there is; what could not be finished is tried at the next start. */
gboolean beckon_landing_recovery_finish (BeckonStore *store, GAsyncResult *result, GError **error);

G_END_DECLS
