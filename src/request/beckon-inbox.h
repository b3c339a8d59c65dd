/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "request/beckon-call-preview.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-request-store.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-vault.h"

G_BEGIN_DECLS

#define BECKON_TYPE_INBOX (beckon_inbox_get_type ())
G_DECLARE_FINAL_TYPE (BeckonInbox, beckon_inbox, BECKON, INBOX, GObject)

/**
 * BeckonInbox:
 *
 * The pending requests of every conversation, oldest first: a #GListModel of #BeckonRequest. The card, the notification,
 * D-Bus, the terminal, a channel, a timeout and Stop all answer through beckon_inbox_settle_async() and nothing else. The
 * first answer wins; the store decides which it was. Main thread.
 *
 * Signal `settled` (BeckonRequest *, const BeckonSettlement *): it was settled, here or by another process, and that is what
 * this does to its call; it has left the list already.
 */

BeckonInbox *beckon_inbox_new (BeckonRequestStore *journal, BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

/** Sets the vault; without it masked answers are refused. The inbox keeps a reference. */
void beckon_inbox_set_vault (BeckonInbox *inbox, BeckonVault *vault);

/** %NULL if there is none. Borrowed. */
BeckonVault *beckon_inbox_get_vault (BeckonInbox *inbox);

/** Sets the tools of plans. Not kept alive; without them a person's steps are checked when it is their turn. */
void beckon_inbox_set_plan_tools (BeckonInbox *inbox, BeckonPlanTools *tools);

/** %NULL if there is none. Borrowed. */
BeckonPlanTools *beckon_inbox_get_plan_tools (BeckonInbox *inbox);

/** Sets what looks whether changes can land. Not kept alive; without it a *keep* is settled unseen. */
void beckon_inbox_set_keep_check (BeckonInbox *inbox, BeckonKeepCheck *check);

/** Sets what computes previews of calls. Not kept alive; without it cards show arguments alone. */
void beckon_inbox_set_previewer (BeckonInbox *inbox, BeckonCallPreviewer *previewer);

/** %NULL if there is none. Borrowed. */
BeckonCallPreviewer *beckon_inbox_get_previewer (BeckonInbox *inbox);

/** Reads the pending requests; the inbox keeps itself up to date from then on. */
void     beckon_inbox_load_async (BeckonInbox *inbox, GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data);
gboolean beckon_inbox_load_finish (BeckonInbox *inbox, GAsyncResult *result, GError **error);

/** Shows a request that was just committed as pending. */
void beckon_inbox_add (BeckonInbox *inbox, BeckonRequest *request);

/** A request that was settled outside beckon_inbox_settle_async(), in a transaction of the run's own (Stop). */
void beckon_inbox_note_settlement (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement);

/** A request that ended elsewhere, as it is recorded; as beckon_settlement_new_recorded(). */
void beckon_inbox_note_settled (BeckonInbox *inbox, BeckonRequest *request, BeckonRequestState state,
                                BeckonAnswer *answer, const char *front_end, const char *actor, gint64 at);

/** A pending one by id; %NULL if there is none here. Borrowed. */
BeckonRequest *beckon_inbox_lookup (BeckonInbox *inbox, const char *request_id);

/** Whether an answer to a request was given in this process, and is on its way to the store. */
gboolean beckon_inbox_is_settling (BeckonInbox *inbox, const char *request_id);

/** Whether the answer to a request was given in this process, through this inbox. */
gboolean beckon_inbox_was_settled_here (BeckonInbox *inbox, const char *request_id);

/**
 * beckon_inbox_take_forms:
 * @inbox: the inbox
 * @conversation_id: whose run was just taken over
 * @forms: (element-type BeckonRequest): all its forms that outlive their process, as they are stored
 *
 * Holds those whose answer the process that is gone has not handed over, and lists the pending ones.
 */
void beckon_inbox_take_forms (BeckonInbox *inbox, const char *conversation_id, GPtrArray *forms);

/**
 * beckon_inbox_reveal_async:
 * @inbox: the inbox
 * @request: a server's form
 * @answer: as it was stored
 * @cancellable: (nullable): ends it
 * @callback: called later
 * @user_data: for @callback
 *
 * What @answer was, for the tool that asked and nobody else: with what the vault has behind the handles of masked fields. Any
 * other answer comes back as it is.
 */
void          beckon_inbox_reveal_async (BeckonInbox *inbox, BeckonRequest *request, BeckonAnswer *answer,
                                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): %NULL with %BECKON_REQUEST_ERROR_UNAVAILABLE where a value is gone, or an error of the keyring. */
BeckonAnswer *beckon_inbox_reveal_finish (BeckonInbox *inbox, GAsyncResult *result,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Holds one that was just answered, until its call is sent again with it. Others are left alone. */
void beckon_inbox_hold (BeckonInbox *inbox, BeckonRequest *request);
void beckon_inbox_drop (BeckonInbox *inbox, BeckonRequest *request);

/**
 * beckon_inbox_list_resumable:
 * @inbox: the inbox
 * @conversation_id: whose
 * @call_id: (nullable): our id of a call; %NULL for all calls
 *
 * Returns: (transfer full) (element-type BeckonRequest): forms that are held, pending or answered, with which the call can be
 *   sent again
 */
GPtrArray *beckon_inbox_list_resumable (BeckonInbox *inbox, const char *conversation_id,
                                        const char *call_id) G_GNUC_WARN_UNUSED_RESULT;

/** How many pending requests a conversation has. */
guint beckon_inbox_count_for (BeckonInbox *inbox, const char *conversation_id);

/**
 * beckon_inbox_settle_async:
 * @inbox: the inbox
 * @request_id: which request
 * @answer: the answer; checked against the request first
 * @front_end: where it was given
 * @actor: (nullable): by whom; %NULL is the user of this process
 * @cancellable: (nullable): see beckon_request_store_settle_async()
 * @callback: called later, once
 * @user_data: for @callback
 *
 * Answers a request, exactly once. What answers a masked question goes into the vault, and a handle into the answer.
 */
void     beckon_inbox_settle_async (BeckonInbox *inbox, const char *request_id, BeckonAnswer *answer,
                                    const char *front_end, const char *actor, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
/** The same for an answer that a stored message of the account @channel_id brought. That the message is handled is stored with
 *  the settlement; if it was handled before, nothing is settled: %BECKON_ERROR_CONFLICT. */
void     beckon_inbox_settle_by_message_async (BeckonInbox *inbox, const char *request_id, BeckonAnswer *answer,
                                               const char *front_end, const char *actor, const char *channel_id,
                                               const char *inbound_id, GCancellable *cancellable,
                                               GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_inbox_settle_finish (BeckonInbox *inbox, GAsyncResult *result, GError **error);

/** Remembers a draft: at once in the object, within 500 ms in the store (the last one wins). */
void beckon_inbox_save_draft (BeckonInbox *inbox, BeckonRequest *request, const char *draft);

/** See beckon_request_store_list_earlier_async(). */
void        beckon_inbox_list_earlier_async (BeckonInbox *inbox, const char *tool, GCancellable *cancellable,
                                             GAsyncReadyCallback callback, gpointer user_data);
GHashTable *beckon_inbox_list_earlier_finish (BeckonInbox *inbox, GAsyncResult *result, GError **error);

/** Writes drafts that are still waiting to be stored; for the end of the program. */
void beckon_inbox_flush (BeckonInbox *inbox);

G_END_DECLS
