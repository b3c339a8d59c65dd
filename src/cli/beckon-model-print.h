/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-model-pick.h"

G_BEGIN_DECLS

/**
 * beckon_model_print_all:
 * @models: (element-type BeckonListedModel): what a server has
 * @profile: whose server it is
 * @as_json: an array with an object for each, instead of a line
 *
 * Prints models with what is known of them. A line has the id, the window, the prices of what goes in and comes out
 * ("1.25/10"), "vision", the levels of effort and the day on which it goes, with tabs between; empty ends are left out.
 */
void beckon_model_print_all (GPtrArray *models, BeckonProfile *profile, gboolean as_json);

G_END_DECLS
