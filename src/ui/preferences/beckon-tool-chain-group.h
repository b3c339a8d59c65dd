/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "settings/beckon-settings.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_TOOL_CHAIN_GROUP (beckon_tool_chain_group_get_type ())
G_DECLARE_FINAL_TYPE (BeckonToolChainGroup, beckon_tool_chain_group, BECKON, TOOL_CHAIN_GROUP, AdwPreferencesGroup)

/**
 * BeckonToolChainGroup:
 *
 * The tool chains that were found in the person's home, each with a switch that lets commands use it. It is not visible where
 * there are none.
 */
GtkWidget *beckon_tool_chain_group_new (BeckonSettings *settings) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
