/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-profile.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_FALLBACK_GROUP (beckon_fallback_group_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFallbackGroup, beckon_fallback_group, BECKON, FALLBACK_GROUP, AdwPreferencesGroup)

/**
 * BeckonFallbackGroup:
 *
 * The profiles that step in for one, in order: added from a menu, moved and removed with buttons.
 */

/** @profiles: (element-type BeckonProfile): all there are. @profile: whose; its fallbacks are shown. */
void beckon_fallback_group_set_profiles (BeckonFallbackGroup *group, GListModel *profiles, BeckonProfile *profile);

/** The ids in order. Borrowed, until the next change. */
const char *const *beckon_fallback_group_get_ids (BeckonFallbackGroup *group);

G_END_DECLS
