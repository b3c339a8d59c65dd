/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-profile-tester.h"
#include "library/beckon-profiles.h"
#include "settings/beckon-preset.h"
#include "settings/beckon-secrets.h"

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
 * @tester: asks for the models
 * @cancellable: (nullable): ends it between two providers
 * @callback: called once, later
 * @user_data: for @callback
 *
 * Makes a profile for each provider of beckon_environment_import_list(), with its key and the
 * newest suitable model that its server lists; where that cannot be had none is made.
 */
void beckon_environment_import_async (BeckonProfiles *profiles, BeckonSecrets *secrets, BeckonProfileTester *tester,
                                      GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_environment_import_finish:
 * @profiles: as begun with
 * @result: the result
 * @for_session: (out): some keys could not be put into a keyring
 * @problems: (out) (transfer full): which were not made and why, as sentences; ""
 * @error: return location
 *
 * Returns: how many were made; -1 with an error
 */
int beckon_environment_import_finish (BeckonProfiles *profiles, GAsyncResult *result, gboolean *for_session,
                                      char **problems, GError **error);

G_END_DECLS
