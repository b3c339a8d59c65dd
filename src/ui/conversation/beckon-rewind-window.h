/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tools/beckon-rewind.h"
#include "ui/widgets/beckon-sheet.h"

G_BEGIN_DECLS

#define BECKON_TYPE_REWIND_WINDOW (beckon_rewind_window_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRewindWindow, beckon_rewind_window, BECKON, REWIND_WINDOW, BeckonSheet)

/**
 * BeckonRewindWindow:
 *
 * Shows what it would do to rewind the folder to a message, file by file, before anything is done; the person rewinds, with or
 * without going back in the conversation, or closes it. Signal `rewind` (gboolean: with the conversation): the person wants it;
 * the window is closed behind that.
 */

/**
 * beckon_rewind_window_new:
 * @copies: where what files were is kept
 * @calls: (element-type BeckonToolCall): from beckon_rewind_list_calls(); not empty
 * @words: (nullable): what the message says
 */
GtkWidget *beckon_rewind_window_new (BeckonFileCopies *copies, GPtrArray *calls,
                                     const char *words) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
