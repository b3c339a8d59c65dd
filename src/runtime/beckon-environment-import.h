/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "settings/beckon-preset.h"
#include "settings/beckon-secrets.h"
#include "store/beckon-profiles.h"

G_BEGIN_DECLS

/**
 * beckon_environment_import_list:
 * @profiles: the profiles there are
 *
 * Which providers' keys are in the environment and have no profile yet. Nothing is taken from there without
 * beckon_environment_import_async(), which only a person asks for.
 *
 * Returns: (transfer full) (element-type BeckonPreset): what could be imported; may be empty
 */
GPtrArray *beckon_environment_import_list (BeckonProfiles *profiles) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_environment_import_async:
 * @profiles: where the profiles go
 * @secrets: where the keys go: into the keyring, or for this session where there is none
 * @cancellable: (nullable): ends it between two providers
 * @callback: called once, later
 * @user_data: for @callback
 *
 * Makes a profile for each provider of beckon_environment_import_list(), with its key.
 */
void beckon_environment_import_async (BeckonProfiles *profiles, BeckonSecrets *secrets, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data);

/** How many were made; -1 with an error. @for_session: (out): some keys could not be put into a keyring. */
int beckon_environment_import_finish (BeckonProfiles *profiles, GAsyncResult *result, gboolean *for_session,
                                      GError **error);

G_END_DECLS
