/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "request/beckon-request-store.h"
#include "store/db/beckon-batch.h"
#include "store/db/beckon-health.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

#define BECKON_TYPE_STORE (beckon_store_get_type ())
G_DECLARE_FINAL_TYPE (BeckonStore, beckon_store, BECKON, STORE, GObject)

/**
 * BeckonStore:
 *
 * The one place where anything is kept: SQLite in write-ahead mode on a thread of its own. Calls are made on the main
 * thread, are carried out in the order they were made, and call back on the main thread, later. Implements #BeckonRequestStore.
 * Several processes share one store.
 */

/** @directory: (nullable): %NULL is $XDG_DATA_HOME/beckon. Nothing is touched before it is opened. */
BeckonStore *beckon_store_new (const char *directory, BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

const char *beckon_store_get_directory (BeckonStore *store);

/** The files' health, for the person. Borrowed; one object for the life of the store. */
BeckonHealth *beckon_store_get_health (BeckonStore *store);

/** The person has read the health's notice. */
void beckon_store_dismiss_notice (BeckonStore *store);

/** Creates the folder (mode 0700) and the database or migrates it, and takes this process's lease file.
 *  Where nothing can be written the history is opened for reading, and the health says so. */
void     beckon_store_open_async (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data);
gboolean beckon_store_open_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Carries out what was asked before, then closes. Dropping the last reference does the same, waiting for it. */
void     beckon_store_close_async (BeckonStore *store, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_store_close_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/**
 * beckon_store_commit_async:
 * @store: the store
 * @batch: (transfer full): what to write
 * @cancellable: (nullable): before the batch's turn came nothing is written and the error is %G_IO_ERROR_CANCELLED;
 *   after that it is written
 * @callback: (nullable): called later
 * @user_data: for @callback
 *
 * Writes @batch in one transaction and tells other processes.
 */
void     beckon_store_commit_async (BeckonStore *store, BeckonBatch *batch, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_store_commit_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Headers, newest first, with the phase of their last run and their number of pending requests:
 *  (element-type BeckonConversation) (transfer full). */
void       beckon_store_list_conversations_async (BeckonStore *store, GCancellable *cancellable,
                                                  GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *beckon_store_list_conversations_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Every message with parts, calls, results, and each call's request as its `request`:
 *  (element-type BeckonMessage) (transfer full). */
void       beckon_store_load_messages_async (BeckonStore *store, const char *conversation_id, GCancellable *cancellable,
                                             GAsyncReadyCallback callback, gpointer user_data);
/** The same of one branch, from 1, in the order in which they were last added to; %BECKON_ERROR_NOT_FOUND says how many there
 *  are. What is shown stays what it is. The same finish function. */
void       beckon_store_load_branch_async (BeckonStore *store, const char *conversation_id, guint branch,
                                           GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *beckon_store_load_messages_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Loads the draft's attachments, in order: (element-type BeckonPart) (transfer full). */
void       beckon_store_load_draft_files_async (BeckonStore *store, const char *conversation_id, GCancellable *cancellable,
                                                GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *beckon_store_load_draft_files_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Loads the messages that are queued, in order: (element-type BeckonQueueItem) (transfer full). */
void       beckon_store_load_queue_async (BeckonStore *store, const char *conversation_id, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *beckon_store_load_queue_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Loads what became of the questions that the conversation's model did not wait for: (transfer full). */
void               beckon_store_load_late_answers_async (BeckonStore *store, const char *conversation_id,
                                                         GCancellable *cancellable, GAsyncReadyCallback callback,
                                                         gpointer user_data);
BeckonLateAnswers *beckon_store_load_late_answers_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Ids of the conversations whose model is still to be asked for a title, newest first: (element-type utf8) (transfer full). */
void       beckon_store_list_untitled_async (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback,
                                             gpointer user_data);
GPtrArray *beckon_store_list_untitled_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Runs that are not over: (element-type BeckonRunRecord) (transfer full). */
void       beckon_store_list_open_runs_async (BeckonStore *store, GCancellable *cancellable,
                                              GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *beckon_store_list_open_runs_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Takes the lease of an open run whose holder is gone. %BECKON_ERROR_CONFLICT if a living process holds it. The record as
 *  it is then: (transfer full). */
void             beckon_store_claim_run_async (BeckonStore *store, const char *run_id, GCancellable *cancellable,
                                               GAsyncReadyCallback callback, gpointer user_data);
BeckonRunRecord *beckon_store_claim_run_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Notes that the conversation's open run is to stop, for the process that drives it, or that takes it over. */
void     beckon_store_ask_stop_async (BeckonStore *store, const char *conversation_id, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_store_ask_stop_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Ids of the conversations whose run this process drives and another one wants to stop: (element-type utf8) (transfer
 *  full). */
void       beckon_store_list_stops_async (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
GPtrArray *beckon_store_list_stops_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Releases the lease of a run of this process that waits for a person, if exactly @n_pending requests of its conversation are
 *  pending. %BECKON_ERROR_CONFLICT if not: one was answered that the driver does not know of, and that it has to carry out. */
void     beckon_store_release_run_async (BeckonStore *store, const char *run_id, guint n_pending, GCancellable *cancellable,
                                         GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_store_release_run_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/**
 * Lists the forms of a conversation that outlive their process, whatever became of them, oldest first:
 * (element-type BeckonRequest) (transfer full). For whoever has just taken over its run.
 */
void       beckon_store_list_forms_async (BeckonStore *store, const char *conversation_id, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *beckon_store_list_forms_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** (element-type BeckonProfile) (transfer full), by name. The tour is not stored and not among them. */
void       beckon_store_list_profiles_async (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback,
                                             gpointer user_data);
GPtrArray *beckon_store_list_profiles_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Every rule of every conversation, in their order: the last that matches a call decides. (element-type BeckonRule) */
void       beckon_store_list_rules_async (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback,
                                          gpointer user_data);
GPtrArray *beckon_store_list_rules_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** See beckon_request_store_list_earlier_async(). */
void        beckon_store_list_earlier_async (BeckonStore *store, const char *tool, GCancellable *cancellable,
                                             GAsyncReadyCallback callback, gpointer user_data);
GHashTable *beckon_store_list_earlier_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Lists argument overrides, by tool, server and name: (element-type BeckonToolParameter). */
void       beckon_store_list_parameters_async (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback,
                                               gpointer user_data);
GPtrArray *beckon_store_list_parameters_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Lists the servers of tools, by name: (element-type BeckonMcpServer). */
void       beckon_store_list_servers_async (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback,
                                            gpointer user_data);
GPtrArray *beckon_store_list_servers_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Loads what is known of a server from its last use; empty if nothing is. */
void                  beckon_store_load_server_state_async (BeckonStore *store, const char *server_id,
                                                            GCancellable *cancellable, GAsyncReadyCallback callback,
                                                            gpointer user_data);
BeckonMcpServerState *beckon_store_load_server_state_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Lists the accounts of text channels, by name: (element-type BeckonChannelAccount). */
void       beckon_store_list_channels_async (BeckonStore *store, GCancellable *cancellable, GAsyncReadyCallback callback,
                                             gpointer user_data);
GPtrArray *beckon_store_list_channels_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Takes the lease of an account that is on, for this process to drive it. %BECKON_ERROR_CONFLICT if a living one has it. */
void     beckon_store_claim_channel_async (BeckonStore *store, const char *channel_id, GCancellable *cancellable,
                                           GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_store_claim_channel_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Lists messages that came to an account and were not handled yet, in their order: (element-type BeckonChannelInbound). */
void       beckon_store_list_inbound_async (BeckonStore *store, const char *channel_id, GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *beckon_store_list_inbound_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Lists what is still to be sent of an account, and what asks and does not show its end, in the order in which it was
 *  made: (element-type BeckonChannelPost). */
void       beckon_store_list_posts_async (BeckonStore *store, const char *channel_id, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *beckon_store_list_posts_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Finds a message by code or id, or the newest by its request's short code; %NULL without an error if there is none. */
void               beckon_store_find_post_async (BeckonStore *store, const char *channel_id, const char *code_or_id,
                                                 GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
/** Finds the message that somebody replied to, by what its server calls it or by its whole text; ends with the same. */
void               beckon_store_find_quoted_post_async (BeckonStore *store, const char *channel_id, const char *quote,
                                                        GCancellable *cancellable, GAsyncReadyCallback callback,
                                                        gpointer user_data);
/** Finds a message that asked something else than @request_id, which was settled after @since, and not at @front_end: whoever
 *  writes may not know that yet. Ends with the same. */
void               beckon_store_find_overtaken_post_async (BeckonStore *store, const char *channel_id, const char *request_id,
                                                           gint64 since, const char *front_end, GCancellable *cancellable,
                                                           GAsyncReadyCallback callback, gpointer user_data);
BeckonChannelPost *beckon_store_find_post_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Finds the first message of a conversation's queue that came by the account; %NULL without an error if there is none. */
void  beckon_store_find_accepted_async (BeckonStore *store, const char *channel_id, const char *conversation_id,
                                        GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
/** Finds the last message of a conversation that came by the account; ends with the same. */
void  beckon_store_find_written_async (BeckonStore *store, const char *channel_id, const char *conversation_id,
                                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
char *beckon_store_find_accepted_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** (transfer full): what the person said last of what @folder brings; with an empty hash if nothing. */
void               beckon_store_load_trust_async (BeckonStore *store, const char *folder, GCancellable *cancellable,
                                                  GAsyncReadyCallback callback, gpointer user_data);
BeckonFolderTrust *beckon_store_load_trust_finish (BeckonStore *store, GAsyncResult *result,
                                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The prefixes of a conversation's requests, and the changes told behind its messages. */
void            beckon_store_load_prefixes_async (BeckonStore *store, const char *conversation_id, GCancellable *cancellable,
                                                  GAsyncReadyCallback callback, gpointer user_data);
BeckonPrefixes *beckon_store_load_prefixes_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/**
 * beckon_store_set_place_remover:
 * @remove: removes the landing place of a call; called on the store's thread when it is idle, or when the store is closed
 *
 * What deletes the old versions of files that were kept for an undo, behind every erasure of the calls that changed them. Of
 * all stores of the process; set before any is opened.
 */
void beckon_store_set_place_remover (void (*remove) (const char *call_id));

G_END_DECLS
