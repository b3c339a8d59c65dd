/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "store/db/beckon-batch.h"

G_BEGIN_DECLS

/**
 * BeckonRunRow:
 *
 * The row of a run as it is to be stored, and its phase, which nothing else writes. A phase that is no end shows in the
 * conversation at once, an end once it is stored. Main thread.
 */
typedef struct _BeckonRunRow BeckonRunRow;

/** @record: (transfer full) */
BeckonRunRow *beckon_run_row_new (BeckonRunRecord *record, BeckonConversation *conversation) G_GNUC_WARN_UNUSED_RESULT;
void          beckon_run_row_free (BeckonRunRow *self);

/** Borrowed. */
const BeckonRunRecord *beckon_run_row_get (const BeckonRunRow *self);

/** @retry_at: microseconds since the epoch, with an event that leads to %BECKON_RUN_RETRY_WAIT; else 0 */
void beckon_run_row_move (BeckonRunRow *self, BeckonRunEvent event, const char *detail, gint64 retry_at);

/** The same, which beckon_run_row_show() shows later. */
void beckon_run_row_move_unseen (BeckonRunRow *self, BeckonRunEvent event);

/** Takes back the last move: what it was made for could not be stored. */
void beckon_run_row_move_back (BeckonRunRow *self);

/** Fails the run, in any phase, when that can't be stored. */
void beckon_run_row_break_off (BeckonRunRow *self, const char *detail);

/** Another round begins. */
void beckon_run_row_add_round (BeckonRunRow *self);

/** Shows the phase as it is. */
void beckon_run_row_show (const BeckonRunRow *self);

/** Adds the row to @batch: as it is, or as it is after @event. */
void beckon_run_row_write (const BeckonRunRow *self, BeckonBatch *batch);
void beckon_run_row_write_moved (const BeckonRunRow *self, BeckonRunEvent event, BeckonBatch *batch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRunRow, beckon_run_row_free)

G_END_DECLS
