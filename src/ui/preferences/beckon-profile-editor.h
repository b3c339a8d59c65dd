/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"
#include "ui/widgets/beckon-sheet.h"

G_BEGIN_DECLS

#define BECKON_TYPE_PROFILE_EDITOR (beckon_profile_editor_get_type ())
G_DECLARE_FINAL_TYPE (BeckonProfileEditor, beckon_profile_editor, BECKON, PROFILE_EDITOR, BeckonSheet)

/**
 * BeckonProfileEditor:
 *
 * A window that makes or changes one profile and its key. Signals: `saved` (id), it was stored, the key too; `remove` (id), the
 * person wants it gone. The window closes itself.
 */

/** @profile: (nullable): what to change; %NULL makes a new one. @preset_id: (nullable): with which provider that begins. */
GtkWidget *beckon_profile_editor_new (BeckonRuntime *runtime, BeckonProfile *profile,
                                      const char *preset_id) G_GNUC_WARN_UNUSED_RESULT;

/** Puts the focus where another model is chosen. */
void beckon_profile_editor_focus_model (BeckonProfileEditor *editor);

G_END_DECLS
