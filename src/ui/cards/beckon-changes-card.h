/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"
#include "beckon-request-card.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CHANGES_CARD (beckon_changes_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChangesCard, beckon_changes_card, BECKON, CHANGES_CARD, BeckonRequestCard)

/**
 * BeckonChangesCard:
 *
 * A command has ended, and what it changed waits to land in the folder: one sentence, the command, a row for each file with its
 * difference; Keep All, or what is checked of it, Leave All Out… and Stop. What is unchecked is kept as a draft.
 */

G_END_DECLS
