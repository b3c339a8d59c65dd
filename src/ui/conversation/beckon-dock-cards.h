/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "request/beckon-call-table.h"
#include "request/beckon-inbox.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The cards of a dock: made with what the conversation knows of their requests. */

/** The card of a request of @conversation: with its call, with its plan, and with the question that it repeats. */
GtkWidget *beckon_dock_cards_make (BeckonInbox *inbox, BeckonConversation *conversation,
                                   BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** Says on the card of a question that it comes again, where that is so. */
void beckon_dock_cards_link (BeckonConversation *conversation, BeckonRequest *request, GtkWidget *card);

/** The calls of a table, a line or more for each; %NULL when one of them is cut. Caller frees. */
char *beckon_dock_cards_describe_calls (BeckonCallTable *table) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
