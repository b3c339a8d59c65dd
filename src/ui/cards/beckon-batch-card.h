/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-call-view.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_BATCH_CARD (beckon_batch_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonBatchCard, beckon_batch_card, BECKON, BATCH_CARD, AdwBin)

/**
 * BeckonBatchCard:
 *
 * Similar calls of one message: a table with one decision for each or for all, as long as one of several waits;
 * before and after that the calls as they are. Each stays a request of its own, which any front end may answer; what
 * was changed in an opened row is what runs.
 */
GtkWidget *beckon_batch_card_new (BeckonInbox *inbox) G_GNUC_WARN_UNUSED_RESULT;

/** Whether a call that waits for @request belongs to those that are here. */
gboolean beckon_batch_card_takes (BeckonBatchCard *self, BeckonRequest *request);
void     beckon_batch_card_add (BeckonBatchCard *self, BeckonCallView *view, BeckonRequest *request);

/** For tests; the system's clock by default. */
void beckon_batch_card_set_clock (BeckonBatchCard *self, BeckonClock *clock);

/** Adds the views of all calls, in order. @views: (element-type BeckonCallView). */
void beckon_batch_card_list_calls (BeckonBatchCard *self, GPtrArray *views);

/** The pending part: the table, or the one card that waits; %NULL if none does. Borrowed. */
GtkWidget *beckon_batch_card_get_pending_card (BeckonBatchCard *self);

/** Focuses the decision. */
void beckon_batch_card_focus (BeckonBatchCard *self);

G_END_DECLS
