/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request-store.h"
#include "store/db/beckon-store.h"

G_BEGIN_DECLS

#define BECKON_TYPE_PROFILES (beckon_profiles_get_type ())
G_DECLARE_FINAL_TYPE (BeckonProfiles, beckon_profiles, BECKON, PROFILES, GObject)

/**
 * BeckonProfiles:
 *
 * The profiles: a #GListModel of #BeckonProfile, the tour first, then by name; kept up to date when another process writes.
 * Its signal `changed` comes after each of these, also where only a value of a profile is another. Main thread.
 */
BeckonProfiles *beckon_profiles_new (BeckonStore *store) G_GNUC_WARN_UNUSED_RESULT;

void     beckon_profiles_load_async (BeckonProfiles *profiles, GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean beckon_profiles_load_finish (BeckonProfiles *profiles, GAsyncResult *result, GError **error);

/** %NULL if there is none. Borrowed. */
BeckonProfile *beckon_profiles_lookup (BeckonProfiles *profiles, const char *profile_id);

/** Adds or replaces; the profile was checked with beckon_profile_check(). At once in the list. */
void     beckon_profiles_save_async (BeckonProfiles *profiles, BeckonProfile *profile, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_profiles_save_finish (BeckonProfiles *profiles, GAsyncResult *result, GError **error);

void     beckon_profiles_remove_async (BeckonProfiles *profiles, const char *profile_id, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_profiles_remove_finish (BeckonProfiles *profiles, GAsyncResult *result, GError **error);

/** Fills in who asks, for people. @context: (nullable). */
void beckon_profiles_name_asker (BeckonProfiles *profiles, BeckonRequestContext *context);

G_END_DECLS
