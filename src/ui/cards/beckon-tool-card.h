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

G_END_DECLS
