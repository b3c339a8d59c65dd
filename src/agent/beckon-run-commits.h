/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"

G_BEGIN_DECLS

/**
 * BeckonRunCommits:
 *
 * What a run writes, and what else it has under way. While something that decides its next step is under way it is busy, so
 * that nothing is done that is not written yet. What belongs to an earlier activation of the run is dropped. Main thread.
 */
typedef struct _BeckonRunCommits BeckonRunCommits;

/**
 * BeckonRunCommitsHost:
 * @step: decides what is next
 * @fail: ends the run; @detail: (nullable): why
 * @is_working: whether it is driven, and no end was asked for
 *
 * What the commits need of their run.
 */
typedef struct
{
  void (*step) (gpointer run);
  void (*fail) (gpointer run, const char *detail);
  gboolean (*is_working) (gpointer run);
} BeckonRunCommitsHost;

typedef void (*BeckonRunCommitted) (gpointer run, gpointer user_data);

/** @host: static. @run: a #GObject that owns what is returned; kept alive by what is under way. Caller owns. */
BeckonRunCommits *beckon_run_commits_new (BeckonStore *store, const BeckonRunCommitsHost *host,
                                          gpointer run) G_GNUC_WARN_UNUSED_RESULT;
void              beckon_run_commits_free (BeckonRunCommits *self);

/** Another activation begins: nothing of this one counts any more. */
void     beckon_run_commits_reset (BeckonRunCommits *self);
gboolean beckon_run_commits_is_busy (const BeckonRunCommits *self);

/** Writes something that the next step depends on; takes @batch and @user_data. If it cannot be written the run fails, and
 *  nothing more is done. @committed: (nullable): called before the run steps */
void beckon_run_commits_step (BeckonRunCommits *self, BeckonBatch *batch, BeckonRunCommitted committed, gpointer user_data,
                              GDestroyNotify destroy);

/** The same for calls. @written: (nullable) */
void beckon_run_commits_calls (BeckonRunCommits *self, BeckonBatch *batch, BeckonCallBatch *calls,
                               BeckonCallBatchWritten written, gpointer user_data, GDestroyNotify destroy);

/** Writes how it ended. While that cannot be written it is kept, and shown all the same: the front end says that it is not
 *  saved. */
void beckon_run_commits_end (BeckonRunCommits *self, BeckonBatch *batch, BeckonRunCommitted committed, gpointer user_data);

/** Writes something that nothing waits for, such as streamed text. The store keeps the order, and what it cannot write. */
void beckon_run_commits_behind (BeckonRunCommits *self, BeckonBatch *batch);

/**
 * BeckonRunTicket:
 *
 * The way back to the run for something else that is under way.
 */
typedef struct _BeckonRunTicket BeckonRunTicket;

/** @is_busy: the run steps no further until it is redeemed. Caller owns. */
BeckonRunTicket *beckon_run_ticket_new (BeckonRunCommits *commits, gboolean is_busy) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full) (nullable): the run; %NULL where it is another activation by now. @ticket: (transfer full) */
gpointer beckon_run_ticket_redeem (BeckonRunTicket *ticket) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRunCommits, beckon_run_commits_free)

G_END_DECLS
