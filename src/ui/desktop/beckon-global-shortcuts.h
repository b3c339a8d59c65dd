/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_GLOBAL_SHORTCUTS (beckon_global_shortcuts_get_type ())
G_DECLARE_FINAL_TYPE (BeckonGlobalShortcuts, beckon_global_shortcuts, BECKON, GLOBAL_SHORTCUTS, GObject)

/**
 * BeckonGlobalShortcuts:
 *
 * One key of the whole desktop that asks a quick question, by the desktop's portal: which key that is the person says
 * there, and may refuse. Nothing is asked of the desktop before it is wanted. It holds while this object lives. Main thread.
 *
 * Signals: `changed`: whether the desktop can do it; `activated` (token): the key was pressed, @token (nullable) lets a
 * window take the focus; `refused`: the person does not want it.
 */

/** @description: (nullable) what the key does, as the desktop shows it; %NULL only tells whether the desktop can do it. */
BeckonGlobalShortcuts *beckon_global_shortcuts_new (const char *description) G_GNUC_WARN_UNUSED_RESULT;

/** Whether the desktop can do it. It is not started to find that out. */
gboolean beckon_global_shortcuts_is_available (BeckonGlobalShortcuts *shortcuts);

/** Asks the desktop for the key as soon as that is possible, or gives it back. */
void beckon_global_shortcuts_set_wanted (BeckonGlobalShortcuts *shortcuts, gboolean wanted);

G_END_DECLS
