/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent.h"
#include "agent/beckon-call-batch.h"
#include "domain/beckon-run-phase.h"
#include "store/db/beckon-run-record.h"

G_BEGIN_DECLS

typedef struct _BeckonRound BeckonRound;

#define BECKON_TYPE_RUN (beckon_run_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRun, beckon_run, BECKON, RUN, GObject)

/**
 * BeckonRun:
 *
 * Drives one run: a row in the store, one activation of which is a #GTask in this process. Only #BeckonAgent makes them.
 */

/**
 * beckon_run_new:
 * @parts: what to work with
 * @conversation: the conversation, its messages loaded
 * @record: (transfer full): the run's row, whose lease this process holds once it is stored
 * @has_person: whether somebody can answer here
 *
 * Returns: (transfer full): a run that nothing drives yet
 */
BeckonRun *beckon_run_new (const BeckonAgentParts *parts, BeckonConversation *conversation, BeckonRunRecord *record,
                           gboolean has_person) G_GNUC_WARN_UNUSED_RESULT;

/** Turns what a dead process left in the messages and the row into what the tables say. Before driving it; synchronous. */
void beckon_run_recover (BeckonRun *run);

/** Borrowed. */
BeckonConversation *beckon_run_get_conversation (BeckonRun *run);

/** The end is stored; only the task has to return. */
gboolean beckon_run_is_over (BeckonRun *run);

/**
 * beckon_run_drive_async:
 * @run: a run, not driven yet
 * @cancellable: (nullable): lets go of the run without ending it: it stays open in the store, and so do its requests
 * @callback: called once, later, when the run is over or was let go
 * @user_data: for @callback
 *
 * Drives the run to its end. While it waits for a person the task stays open and nothing is running.
 */
void     beckon_run_drive_async (BeckonRun *run, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data);
gboolean beckon_run_drive_finish (BeckonRun *run, GAsyncResult *result, GError **error);

/** Lets go of a run that waits for a person, so that any process may take it up. %BECKON_ERROR_CONFLICT while there is
 *  something to do, such as carrying out an answer that another process gave just now: then it is still driven here. */
void     beckon_run_release_async (BeckonRun *run, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_run_release_finish (BeckonRun *run, GAsyncResult *result, GError **error);

/** As beckon_agent_land_now_async(). */
void          beckon_run_land_now_async (BeckonRun *run, BeckonToolCall *call, GAsyncReadyCallback callback,
                                         gpointer user_data);
BeckonLandNow beckon_run_land_now_finish (GAsyncResult *result, GError **error);

/** Notes that something may have come for the model, such as a queued message: a run that waits for nothing but a person's
 *  words looks. */
void beckon_run_note_news (BeckonRun *run);

/** A stop of the run, or another version of what asked, has ended open questions in the store: the inbox hears of those. */
void beckon_run_tell_inbox (const BeckonAgentParts *parts, const char *conversation_id);

/** A request of its conversation was settled, by anybody. Rules that came with the answer hold already. */
void beckon_run_follow_settlement (BeckonRun *run, BeckonRequest *request, const BeckonSettlement *settlement);

/** Stops it as the person wants: every open call gets a result, open requests are cancelled, drafts stay. */
void beckon_run_stop (BeckonRun *run);

/* --- For what belongs to a run: its turn, the round under way, its calls --- */

/** Decides what is next, and begins it; when something came back. */
void beckon_run_step (BeckonRun *run);

/** Ends it, as far as it can be ended. @detail: (nullable): why */
void beckon_run_fail (BeckonRun *run, const char *detail);

/** Ends it as a dismissed question does. */
void beckon_run_dismiss (BeckonRun *run);

/** Whether it is driven here, and not over. */
gboolean beckon_run_is_driven (BeckonRun *run);

/** Whether an end was asked for. */
gboolean beckon_run_is_stopping (BeckonRun *run);

/** Cancels what is under way; borrowed. */
GCancellable *beckon_run_get_cancellable (BeckonRun *run);

/** Its phase changes. @retry_at: microseconds since the epoch, 0 without a time. @batch: (transfer full) (nullable): stored
 *  behind, with the run's row */
void beckon_run_move (BeckonRun *run, BeckonRunEvent event, const char *detail, gint64 retry_at, BeckonBatch *batch);

/** Writes something that nothing waits for, such as streamed text. The store keeps the order, and what it cannot write.
 *  @batch: (transfer full) */
void beckon_run_write (BeckonRun *run, BeckonBatch *batch);

/** Adds a note to the conversation, and stores it; @note is borrowed. */
void beckon_run_add_note (BeckonRun *run, BeckonMessage *note);

/** Stores what the next request of @round depends on, and then calls beckon_round_resume(). @batch: (transfer full) */
void beckon_run_store_for_round (BeckonRun *run, BeckonRound *round, BeckonBatch *batch);

/** The reply of the round is whole. @may_end: whether a question in it may end the turn */
void beckon_run_take_calls (BeckonRun *run, gboolean may_end);

/** Its turn is over. */
void beckon_run_end_turn (BeckonRun *run, BeckonRunEvent event, BeckonMessageStatus status, const char *detail);

/** Writes what the next step of @calls depends on, then calls @written before it steps. @batch and @user_data: (transfer full).
 *  @written: (nullable) */
void beckon_run_commit_calls (BeckonRun *run, BeckonCallBatch *calls, BeckonBatch *batch, BeckonCallBatchWritten written,
                              gpointer user_data, GDestroyNotify destroy);

/** (nullable): the calls of a reply that is not stored yet; borrowed. */
GPtrArray *beckon_run_get_siblings (BeckonRun *run);

/** Takes a batch that was split off, and lets it go when its call has ended. */
void beckon_run_adopt (BeckonRun *run, BeckonCallBatch *background);

G_END_DECLS
