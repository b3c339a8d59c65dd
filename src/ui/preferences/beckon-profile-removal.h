/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * beckon_profile_removal_begin:
 * @place: where it is said, with a way back: a widget among toasts
 * @runtime: the runtime
 * @profile_id: which profile
 *
 * Takes a profile away. Its key is forgotten only once there is no way back any more.
 */
void beckon_profile_removal_begin (GtkWidget *place, BeckonRuntime *runtime, const char *profile_id);

G_END_DECLS
