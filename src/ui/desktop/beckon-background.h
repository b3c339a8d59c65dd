/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * beckon_background_ask:
 * @application: goes on without a window
 *
 * Where there is a portal for it, asks the desktop to let it go on. Nothing depends on the answer: a desktop that says no ends
 * the program itself.
 */
void beckon_background_ask (GApplication *application);

G_END_DECLS
