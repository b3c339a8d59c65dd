/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "request/beckon-inbox.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_DOCK (beckon_dock_get_type ())
G_DECLARE_FINAL_TYPE (BeckonDock, beckon_dock, BECKON, DOCK, AdwBin)

/**
 * BeckonDock:
 *
 * The requests of one conversation that wait, as a deck above the composer: one card at a time, oldest first; what was
 * decided makes way for the next. It takes no focus by itself. Folded it is one line that says what waits; a new request
 * unfolds it. Each card answers nothing for a moment after it came into view: see #BeckonGuard. Made in templates.
 *
 * Properties, notified: `request` (#BeckonRequest, nullable): the one that is shown, or would be if the dock were not folded;
 * `n-requests` (uint); `folded` (boolean); `expanded` (boolean): the card may take all of the height. Signal `unsent`
 * (BeckonRequest *, const char *text): text typed on the card of a request that was settled without it. Widget actions:
 * `dock.submit`, `dock.edit`, `dock.deny`, `dock.next`, `dock.previous`, `dock.fold`, `dock.expand`, `dock.run-rest`.
 */

/** @conversation: (nullable): whose requests are shown, out of @inbox. */
void beckon_dock_set_conversation (BeckonDock *self, BeckonInbox *inbox, BeckonConversation *conversation);

/** The request that is shown, or folded away; %NULL if none waits. Borrowed. */
BeckonRequest *beckon_dock_get_request (BeckonDock *self);

/** Its card; %NULL if none waits. Borrowed. */
GtkWidget *beckon_dock_get_card (BeckonDock *self);
guint      beckon_dock_get_n_requests (BeckonDock *self);

/** Whether the shown card takes an answer now: it is not folded, its moment is over, and nothing is being settled. */
gboolean beckon_dock_is_ready (BeckonDock *self);

/** Runs, or sends, what the card asks. Returns whether there was a card to do it on, and it took it. */
gboolean beckon_dock_submit (BeckonDock *self);

/** Opens what can be changed on the card, or the entry for the reason of a denial. %FALSE if the card has no such thing. */
gboolean beckon_dock_edit (BeckonDock *self);
gboolean beckon_dock_deny (BeckonDock *self);

/** Shows another card of the deck, @step on; %FALSE at its ends. */
gboolean beckon_dock_move (BeckonDock *self, int step);

/** Shows the card of a request, unfolded; %FALSE if it does not wait here. */
gboolean beckon_dock_show_request (BeckonDock *self, const char *request_id);

gboolean beckon_dock_get_folded (BeckonDock *self);
void     beckon_dock_set_folded (BeckonDock *self, gboolean folded);
gboolean beckon_dock_get_expanded (BeckonDock *self);
void     beckon_dock_set_expanded (BeckonDock *self, gboolean expanded);

/** Unfolds it and puts the focus where answering begins; %FALSE if nothing waits. */
gboolean beckon_dock_focus (BeckonDock *self);

/** Whether the focus is in it. */
gboolean beckon_dock_has_focus (BeckonDock *self);

G_END_DECLS
