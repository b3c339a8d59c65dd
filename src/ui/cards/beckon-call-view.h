/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"
#include "request/beckon-inbox.h"
#include "request/beckon-request.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CALL_VIEW (beckon_call_view_get_type ())
G_DECLARE_FINAL_TYPE (BeckonCallView, beckon_call_view, BECKON, CALL_VIEW, AdwBin)

/**
 * BeckonCallView:
 *
 * What a tool call looks like in the transcript: a tool card, the mark of the request it waits for, a plan, or the history card
 * of a settled question. When a question comes, the action `transcript.link-questions` is activated. Signal `waiting-changed`:
 * it may have come to wait, or no longer does.
 */
GtkWidget *beckon_call_view_new (BeckonInbox *inbox, BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

/** Its call. Borrowed. */
BeckonToolCall *beckon_call_view_get_call (BeckonCallView *self);

/** Its question, pending or settled; %NULL if it asks none. Borrowed. */
BeckonRequest *beckon_call_view_get_question (BeckonCallView *self);

/** Its question was asked back, and is asked again further down. */
void beckon_call_view_set_asked_again (BeckonCallView *self);

/** Text that was typed for its question, and did not become the answer; nothing happens while it waits. */
void beckon_call_view_set_unsent (BeckonCallView *self, const char *text);

/** The request that it waits, or waited, for; %NULL if there is none. Borrowed. */
BeckonRequest *beckon_call_view_get_request (BeckonCallView *self);

/** The request that waits; %NULL if none does. Borrowed. */
BeckonRequest *beckon_call_view_get_pending_request (BeckonCallView *self);

#define BECKON_TYPE_WAITING_MARK (beckon_waiting_mark_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWaitingMark, beckon_waiting_mark, BECKON, WAITING_MARK, AdwBin)

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
