/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"
#include "request/beckon-inbox.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * beckon_request_card_new:
 * @inbox: where it is answered
 * @request: a pending request
 * @call: (nullable): the call that waits for it, where it is at hand
 *
 * The card of a pending request, of whatever kind; the same wherever it is shown.
 */
GtkWidget *beckon_request_card_new (BeckonInbox *inbox, BeckonRequest *request,
                                    BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

/** The same, without its plan where it is about a step of one. */
GtkWidget *beckon_request_card_new_alone (BeckonInbox *inbox, BeckonRequest *request,
                                          BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

/** Puts the focus where answering begins, because the person asked for it. */
void beckon_request_card_focus (GtkWidget *card);

/** Gives the answer that the card shows, as Ctrl+Enter in it does, unless it is folded or takes none yet. */
void beckon_request_card_submit (GtkWidget *card);

/** Opens what can be changed before it runs; %FALSE where the card has no such thing. */
gboolean beckon_request_card_edit (GtkWidget *card);

/** Opens the entry for a reason; %FALSE where the card has none. */
gboolean beckon_request_card_deny (GtkWidget *card);

/** Lets the card light up for a moment, so that the person sees which one is meant. */
void beckon_request_card_flash (GtkWidget *card);

/** Whether what the card now shows can be answered with text. @card: (nullable). */
gboolean beckon_request_card_takes_text (GtkWidget *card);

G_END_DECLS
