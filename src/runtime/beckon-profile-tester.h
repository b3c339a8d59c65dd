/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-endpoint-source.h"
#include "domain/beckon-model-pick.h"
#include "settings/beckon-preset.h"

G_BEGIN_DECLS

#define BECKON_TYPE_PROFILE_TESTER (beckon_profile_tester_get_type ())
G_DECLARE_FINAL_TYPE (BeckonProfileTester, beckon_profile_tester, BECKON, PROFILE_TESTER, GObject)

/**
 * BeckonProfileTester:
 *
 * Tries out a profile that is being entered: which models its server has, and whether it works. Main thread.
 */

/** @endpoints: who knows the keys of profiles that were saved before. */
BeckonProfileTester *beckon_profile_tester_new (BeckonEndpointSource *endpoints) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_profile_tester_list_models_async:
 * @tester: the tester
 * @profile: as entered; need not be whole
 * @key: (nullable): as entered; %NULL or "" for the one that is kept for @profile
 * @cancellable: (nullable): ends it with %G_IO_ERROR_CANCELLED
 * @callback: called once, later
 * @user_data: for @callback
 *
 * Asks the server which models it has.
 */
void beckon_profile_tester_list_models_async (BeckonProfileTester *tester, BeckonProfile *profile, const char *key,
                                              GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** (element-type BeckonListedModel): in the order of their names. Caller owns. */
GPtrArray *beckon_profile_tester_list_models_finish (BeckonProfileTester *tester, GAsyncResult *result,
                                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** @profile's model as the last list that came has it; %NULL if nobody asked this server or it does not have it. Borrowed. */
BeckonListedModel *beckon_profile_tester_find (BeckonProfileTester *tester, BeckonProfile *profile);

/**
 * The newest suitable one of a list for @profile's server; %NULL if a person has to choose. Borrowed. At an address that is
 * not known, such as a proxy's, @chosen (nullable) is the provider whose models are looked for.
 */
BeckonListedModel *beckon_profile_tester_pick (GPtrArray *models, BeckonProfile *profile, BeckonPreset *chosen);

/** Details from the list, and what the dated table adds where @profile's server is no local one. */
void beckon_profile_tester_describe (BeckonListedModel *model, BeckonProfile *profile, BeckonModelDetails *details);

/** Gives @profile the facts about @model that a profile keeps: what the list says, and prices as described above. */
void beckon_profile_tester_keep_facts (BeckonListedModel *model, BeckonProfile *profile);

/**
 * beckon_profile_tester_choose_async:
 * @tester: the tester
 * @profile: gets the model, and what the server says of it
 * @preset: (nullable): the provider that was chosen, as for beckon_profile_tester_pick()
 * @key: (nullable): as above
 * @cancellable: (nullable): as above
 * @callback: called once, later
 * @user_data: for @callback
 *
 * Asks the server for its models and takes the newest suitable one.
 */
void beckon_profile_tester_choose_async (BeckonProfileTester *tester, BeckonProfile *profile, BeckonPreset *preset,
                                         const char *key,
                                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** %FALSE with words that say why a person has to choose; @profile is as it was. */
gboolean beckon_profile_tester_choose_finish (BeckonProfileTester *tester, GAsyncResult *result, GError **error);

/** Makes one cheap request, as beckon_probe_test_async() does; parameters as above. */
void     beckon_profile_tester_test_async (BeckonProfileTester *tester, BeckonProfile *profile, const char *key,
                                           GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_profile_tester_test_finish (BeckonProfileTester *tester, GAsyncResult *result, guint *milliseconds,
                                            GError **error);

G_END_DECLS
