/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-effort.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PROFILE_BUTTON (beckon_profile_button_get_type ())
G_DECLARE_FINAL_TYPE (BeckonProfileButton, beckon_profile_button, BECKON, PROFILE_BUTTON, AdwBin)

/**
 * BeckonProfileButton:
 *
 * Shows which profile a conversation uses and how much its model is to reason, and the others in a menu; they activate
 * `win.profile` (id) and `win.effort` (an effort's word). There are no efforts for a model that is known to have none.
 */

/** @profiles: a list of #BeckonProfile. */
void beckon_profile_button_set_profiles (BeckonProfileButton *self, GListModel *profiles);

/** @profile_id: (nullable): which one is used. */
void beckon_profile_button_set_current (BeckonProfileButton *self, const char *profile_id);

/** How much the model is to reason in the conversation. */
void beckon_profile_button_set_effort (BeckonProfileButton *button, BeckonEffort effort);

G_END_DECLS
