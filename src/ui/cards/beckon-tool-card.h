/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_TOOL_CARD (beckon_tool_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonToolCard, beckon_tool_card, BECKON, TOOL_CARD, AdwBin)

/** Shows a call: name, arguments in a line, state, duration; arguments and result on expanding. Follows the call. */
GtkWidget *beckon_tool_card_new (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

/** The same below a step of a plan, whose row says already which tool it is. */
GtkWidget *beckon_tool_card_new_step (BeckonToolCall *step) G_GNUC_WARN_UNUSED_RESULT;

/** Shows the arguments and the result. */
void beckon_tool_card_expand (BeckonToolCard *self);

#define BECKON_TYPE_LOOK_FOLD (beckon_look_fold_get_type ())
G_DECLARE_FINAL_TYPE (BeckonLookFold, beckon_look_fold, BECKON, LOOK_FOLD, AdwBin)

/**
 * BeckonLookFold:
 *
 * One quiet line for several calls that only looked at files: "Looked at 3 files · 0.2 s". Signal `toggled`: their cards are
 * to be shown, or hidden again.
 */
GtkWidget *beckon_look_fold_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Whether a call folds: it only looks, has ended well, and shows nothing. */
gboolean beckon_look_fold_takes (BeckonToolCall *call);

/** @calls: (element-type BeckonToolCall): those that it takes, more than one. */
void beckon_look_fold_set_calls (BeckonLookFold *self, GPtrArray *calls);

gboolean beckon_look_fold_is_open (BeckonLookFold *self);

G_END_DECLS
