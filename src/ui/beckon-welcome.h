/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_WELCOME (beckon_welcome_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWelcome, beckon_welcome, BECKON, WELCOME, AdwBin)

/** The page of the first start: three ways to begin. Activates `win.start-tour` and `win.add-profile` (a preset). */
GtkWidget *beckon_welcome_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
