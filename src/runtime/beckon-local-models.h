/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-profile.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * beckon_local_models_find_async:
 * @candidates: (nullable) (element-type BeckonProfile): where to look; %NULL for all local servers that are known by name
 * @cancellable: (nullable): ends the search with %G_IO_ERROR_CANCELLED
 * @callback: called once, later; within about two seconds
 * @user_data: for @callback
 *
 * Looks for model servers that run on this computer, all at once. Nothing leaves the computer, and no key is sent.
 */
void beckon_local_models_find_async (GPtrArray *candidates, GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);

/**
 * beckon_local_models_find_finish:
 * @result: the result
 * @error: return location
 *
 * Returns: (transfer full) (element-type BeckonProfile): a profile for each server that answers and has a model, with its
 *   name and its newest model, not saved; empty when there is none
 */
GPtrArray *beckon_local_models_find_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** A profile for each local server that is known by name. (element-type BeckonProfile) Caller owns. */
GPtrArray *beckon_local_models_get_candidates (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
