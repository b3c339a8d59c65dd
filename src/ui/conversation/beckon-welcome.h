/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_WELCOME (beckon_welcome_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWelcome, beckon_welcome, BECKON, WELCOME, AdwBin)

/**
 * BeckonWelcome:
 *
 * The page of the first start: what runs on this computer, a key, or the tour. It looks for model servers here when it is
 * first shown; nothing leaves the computer. Activates `win.use-local` (a preset and a model), `win.start-tour` and
 * `win.add-profile` (a preset).
 */
GtkWidget *beckon_welcome_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Offers what was found. @found: (element-type BeckonProfile). */
void beckon_welcome_show_found (BeckonWelcome *welcome, GPtrArray *found);

/** Puts the focus on the first step towards a model. */
void beckon_welcome_focus (BeckonWelcome *self);

G_END_DECLS
