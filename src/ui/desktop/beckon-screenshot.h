/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SCREENSHOT (beckon_screenshot_get_type ())
G_DECLARE_FINAL_TYPE (BeckonScreenshot, beckon_screenshot, BECKON, SCREENSHOT, GObject)

/**
 * BeckonScreenshot:
 *
 * Asks the desktop for a picture of the screen, by its portal: the person chooses there what is on it, and may refuse. Signals:
 * `changed`: whether there is a portal; `taken` (GFile): a picture; `failed` (words). Main thread.
 */
BeckonScreenshot *beckon_screenshot_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Whether the desktop can do it. It is not started to find that out. */
gboolean beckon_screenshot_is_available (BeckonScreenshot *screenshot);

/** Ignored while another one is being taken. */
void beckon_screenshot_take (BeckonScreenshot *screenshot);

G_END_DECLS
