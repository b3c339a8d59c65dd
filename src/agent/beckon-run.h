/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent-parts.h"
#include "agent/beckon-land-now.h"
#include "store/db/beckon-run-record.h"

G_BEGIN_DECLS

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

/** Stops it as the person wants: every open call gets a result, open requests are cancelled, drafts stay. */
void beckon_run_stop (BeckonRun *run);

G_END_DECLS
