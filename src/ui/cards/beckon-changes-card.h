/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"
#include "request/beckon-inbox.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CHANGES_CARD (beckon_changes_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChangesCard, beckon_changes_card, BECKON, CHANGES_CARD, AdwBin)

/**
 * BeckonChangesCard:
 *
 * A command has ended, and what it changed waits to land in the folder: one sentence, the command, a row for each file with its
 * difference; Keep All, or what is checked of it, Leave All Out… and Stop. What is unchecked is kept as a draft.
 */

/** @request: a pending request about changes. */
GtkWidget *beckon_changes_card_new (BeckonInbox *inbox, BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** Whose changes they are: new folders can be looked into then. */
void beckon_changes_card_set_call (BeckonChangesCard *self, BeckonToolCall *call);

/** Another clock than the system's; before the card is shown. */
void beckon_changes_card_set_clock (BeckonChangesCard *self, BeckonClock *clock);

G_END_DECLS
