/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "settings/beckon-settings.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_TOOL_ROW (beckon_tool_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonToolRow, beckon_tool_row, BECKON, TOOL_ROW, AdwActionRow)

/**
 * BeckonToolRow:
 *
 * The switch of a tool, whose name is the property `tool`: whether models are offered it.
 */

/** Shows the setting from now on, and changes it. Called once. */
void beckon_tool_row_follow (BeckonToolRow *self, BeckonSettings *settings);

G_END_DECLS
