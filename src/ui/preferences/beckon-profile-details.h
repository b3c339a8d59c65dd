/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-profile.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PROFILE_DETAILS (beckon_profile_details_get_type ())
G_DECLARE_FINAL_TYPE (BeckonProfileDetails, beckon_profile_details, BECKON, PROFILE_DETAILS, AdwPreferencesGroup)

/**
 * BeckonProfileDetails:
 *
 * What of a profile most people never change: window, temperature, limit, headers, body, prices, instructions. Signal
 * `changed`: something else is sent now with each request.
 */
void beckon_profile_details_show (BeckonProfileDetails *details, BeckonProfile *profile);

/** Puts what was entered into @profile. %FALSE with a translated message for a temperature that is none. */
gboolean beckon_profile_details_take (BeckonProfileDetails *details, BeckonProfile *profile, GError **error);

/**
 * Shows what depends on the model: its known prices, and the switch of the provider's web search only where there is such a
 * search; a hidden one counts as off. @profile: with kind, address, model and its facts as they are entered.
 */
void beckon_profile_details_follow (BeckonProfileDetails *details, BeckonProfile *profile);

G_END_DECLS
