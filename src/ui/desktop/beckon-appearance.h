/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "settings/beckon-settings.h"

#include <adwaita.h>

G_BEGIN_DECLS

/** Makes the program look as the settings say, now and whenever they change, for as long as @settings are there. */
void beckon_appearance_follow (BeckonSettings *settings);

G_END_DECLS
