/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PROGRESS_CARD (beckon_progress_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonProgressCard, beckon_progress_card, BECKON, PROGRESS_CARD, AdwBin)

/**
 * beckon_progress_card_new:
 * @call: a call of `update_plan`
 *
 * The list that a model keeps of what it does, with how much of it is done.
 *
 * Returns: (transfer floating) (nullable): the card; %NULL when @call has no list
 */
GtkWidget *beckon_progress_card_new (BeckonToolCall *call);

G_END_DECLS
