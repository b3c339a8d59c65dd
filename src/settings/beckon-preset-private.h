/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "settings/beckon-preset.h"

G_BEGIN_DECLS

/** For tests: signing in with another server. */
void beckon_preset_set_sign_in (BeckonPreset *preset, const char *sign_in_url, const char *keys_url);

G_END_DECLS
