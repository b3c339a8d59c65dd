/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-channel-account.h"
#include "domain/beckon-conversation.h"
#include "domain/beckon-file-copies.h"
#include "domain/beckon-landing.h"
#include "domain/beckon-tool-call.h"
#include "domain/beckon-prefix.h"
#include "domain/beckon-profile.h"
#include "domain/beckon-rule.h"
#include "request/beckon-settlement.h"
#include "domain/beckon-mcp-server.h"
#include "request/beckon-tool-parameter.h"
#include "store/db/beckon-settle.h"
#include "store/db/beckon-run-record.h"
#include "store/sqlite/beckon-durability.h"

G_BEGIN_DECLS

/**
 * BeckonBatch:
 *
 * What is to be written in one transaction: all of it or nothing. Every function copies what it is given at once, so the
 * objects may change afterwards. Made on the main thread, consumed by beckon_store_commit_async().
 */
typedef struct _BeckonBatch BeckonBatch;

BeckonBatch *beckon_batch_new (BeckonDurability durability) G_GNUC_WARN_UNUSED_RESULT;
void         beckon_batch_free (BeckonBatch *batch);

/** Marks the batch as telling what has happened already: while the disk is full, or writing fails for another reason that may
 *  pass, it is kept in memory, and later writes go behind it. Its commit fails with %BECKON_ERROR_DEFERRED then. */
void beckon_batch_keep (BeckonBatch *batch);

/**
 * Inserts the header, or says that its conversation was written to: profile, updated-at, its place in the order; a title only
 * if there was none. %BECKON_ERROR_NOT_FOUND if it was deleted, here or elsewhere. A batch that is about a temporary
 * conversation is written to memory.
 */
void beckon_batch_put_conversation (BeckonBatch *batch, BeckonConversation *conversation);

/** As a person did it. */
void beckon_batch_set_title (BeckonBatch *batch, const char *conversation_id, const char *title);

/** As a model did it: unless a person, or a model, named it before. */
void beckon_batch_propose_title (BeckonBatch *batch, const char *conversation_id, const char *title);

/** As the message's own words did it, which are others now: unless a person named it since. */
void beckon_batch_follow_title (BeckonBatch *batch, const char *conversation_id, const char *title);
void beckon_batch_set_profile (BeckonBatch *batch, const char *conversation_id, const char *profile_id);
void beckon_batch_set_pinned (BeckonBatch *batch, const char *conversation_id, gboolean pinned);
void beckon_batch_set_archived (BeckonBatch *batch, const char *conversation_id, gboolean archived);
void beckon_batch_set_folder (BeckonBatch *batch, const char *conversation_id, const char *folder);
void beckon_batch_set_mode (BeckonBatch *batch, const char *conversation_id, BeckonMode mode);
void beckon_batch_set_effort (BeckonBatch *batch, const char *conversation_id, BeckonEffort effort);
void beckon_batch_set_wants_title (BeckonBatch *batch, const char *conversation_id, gboolean wants_title);
void beckon_batch_set_unread (BeckonBatch *batch, const char *conversation_id, gboolean unread);
/** Never moves back. */
void beckon_batch_set_seen_at (BeckonBatch *batch, const char *conversation_id, gint64 seen_at);
void beckon_batch_set_draft (BeckonBatch *batch, const char *conversation_id, const char *draft);

/** Sets the draft's attachments: (element-type BeckonPart) (nullable): all, in order; parts that stay as they are. */
void beckon_batch_set_draft_files (BeckonBatch *batch, const char *conversation_id, GListModel *files);

/** Queues a message behind those of the conversation. */
void beckon_batch_add_queued (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item);

/** For this and the next: %BECKON_ERROR_NOT_FOUND if it is no longer queued: the first that removes it has it. */
void beckon_batch_remove_queued (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item);
void beckon_batch_send_queued_now (BeckonBatch *batch, const char *conversation_id, BeckonQueueItem *item);

/**
 * Takes a conversation out of every list and every search, so that it can be put back. What goes on in it ends: pending
 * requests are cancelled, open calls get their result, its run is stopped, in whichever process. @at: microseconds since the
 * epoch.
 */
void beckon_batch_hide_conversation (BeckonBatch *batch, const char *conversation_id, gint64 at);

/** Puts it back; %BECKON_ERROR_NOT_FOUND if it is not there any more. */
void beckon_batch_restore_conversation (BeckonBatch *batch, const char *conversation_id);

/** Marks conversations hidden at @before or earlier to be erased soon, for good. @before: %G_MAXINT64 for all. */
void beckon_batch_doom_hidden (BeckonBatch *batch, gint64 before);

/** Likewise one that was hidden. */
void beckon_batch_doom_conversation (BeckonBatch *batch, const char *conversation_id);

/** Deletes at once and for good. */
void beckon_batch_delete_conversation (BeckonBatch *batch, const char *conversation_id);

/** Inserts the message with every part and call it has. */
void beckon_batch_add_message (BeckonBatch *batch, const char *conversation_id, BeckonMessage *message);

/** Inserts one more part of a stored message, with its call if it has one. @index: its place in the message. */
void beckon_batch_add_part (BeckonBatch *batch, const char *conversation_id, const char *message_id, guint index,
                            BeckonPart *part);

/** Adds text at the end of a stored part. */
void beckon_batch_append_text (BeckonBatch *batch, const char *message_id, guint index, const char *text, gsize length);

/** How long a stored part took. @index: its place in the message. */
void beckon_batch_set_part_duration (BeckonBatch *batch, const char *message_id, guint index, BeckonPart *part);

/**
 * beckon_batch_leave_message:
 * @batch: the batch
 * @conversation_id: a conversation
 * @message_id: a message of the branch that is shown
 *
 * What is added next takes the place of that message, on a new branch; the message and all behind it are kept on theirs. For
 * this and the next six: the batch fails with %BECKON_ERROR_CONFLICT while a run is open or a request pending there.
 */
void beckon_batch_leave_message (BeckonBatch *batch, const char *conversation_id, const char *message_id);

/** The batch fails with %BECKON_ERROR_CONFLICT, too, unless all these messages are shown, and the last of them is the last. */
void beckon_batch_expect_shown (BeckonBatch *batch, const char *conversation_id, GStrv message_ids);

/** Shows the branch that a message is on, as it was left; nothing if that is the one that is shown. */
void beckon_batch_show_message (BeckonBatch *batch, const char *conversation_id, const char *message_id);

/** The same with number @version, from 0, of the versions that a message has. */
void beckon_batch_show_version (BeckonBatch *batch, const char *conversation_id, const char *message_id, guint version);

/** The same with the newest of the branches that go on from the last message that is shown without being shown. */
void beckon_batch_show_left (BeckonBatch *batch, const char *conversation_id);

/** Takes messages of the branch that is shown out; what follows them stays. @at: microseconds since the epoch. */
void beckon_batch_hide_messages (BeckonBatch *batch, const char *conversation_id, GStrv message_ids, gint64 at);

/** Puts back what one beckon_batch_hide_messages() took out; %BECKON_ERROR_NOT_FOUND if it was erased. */
void beckon_batch_restore_messages (BeckonBatch *batch, const char *conversation_id, GStrv message_ids);

/** They cannot be put back any more and are erased soon. */
void beckon_batch_doom_messages (BeckonBatch *batch, const char *conversation_id, GStrv message_ids);

/** Erases a reply that is made anew, while it is streaming; what follows it follows the one before it. */
void beckon_batch_drop_reply (BeckonBatch *batch, const char *conversation_id, const char *message_id);

/** Status and usage of a stored message. */
void beckon_batch_set_message (BeckonBatch *batch, BeckonMessage *message);

/**
 * beckon_batch_set_call:
 * @batch: the batch
 * @call: the call as it is to be stored: state, read-only mark, result and times
 * @expected: the state it must still have in the store; otherwise the batch fails with %BECKON_ERROR_CONFLICT
 *
 * Moves a stored call. A result is inserted once: the schema allows no second one.
 */
void beckon_batch_set_call (BeckonBatch *batch, BeckonToolCall *call, BeckonCallState expected);

/**
 * beckon_batch_add_permit:
 * @batch: the batch
 * @id: the id of the decision: of the request that was answered, or its own
 * @call_id: a call that is stored, or is by an earlier step of @batch
 * @digest: the SHA-256 of the arguments, as beckon_tool_call_dup_digest() gives it
 * @at: microseconds since the epoch
 *
 * Says that a call may run, once and with exactly those arguments. A settlement that lets a call run does it by itself.
 */
void beckon_batch_add_permit (BeckonBatch *batch, const char *id, const char *call_id, const char *digest, gint64 at);

/**
 * Uses it up, before beckon_batch_set_call() moves the call to started: at @at, which must be the call's start. The batch
 * fails with %BECKON_ERROR_CONFLICT if there is none, if it is used, or if it is for other arguments.
 */
void beckon_batch_use_permit (BeckonBatch *batch, const char *id, const char *call_id, const char *digest, gint64 at);

/**
 * beckon_batch_add_step:
 * @batch: the batch
 * @conversation_id: the conversation
 * @message_id: the message of the call that holds the plan
 * @step: a call from beckon_tool_call_new_step()
 *
 * Inserts a step that is begun, with its result if it has one.
 */
void beckon_batch_add_step (BeckonBatch *batch, const char *conversation_id, const char *message_id, BeckonToolCall *step);

/** Inserts a pending request; its call moves to awaiting with beckon_batch_set_call() or is stored so. */
void beckon_batch_add_request (BeckonBatch *batch, BeckonRequest *request);

/**
 * Settles within a transaction of the run's own. A request that was settled first is left as it is, without an error,
 * when @lenient; otherwise the batch fails with %BECKON_REQUEST_ERROR_ALREADY_SETTLED. Moves the call and writes its result
 * and provenance as beckon_request_store_settle_async() does.
 */
void beckon_batch_settle (BeckonBatch *batch, const BeckonSettlement *settlement, gboolean lenient);

/**
 * beckon_batch_hand_over:
 * @batch: the batch
 * @request_id: a form that was answered, of the run that this process drives
 *
 * Notes that its answer goes to whoever asked, before it does. Once: the batch fails with %BECKON_ERROR_CONFLICT if that was
 * noted before, or if the run is no longer this process's.
 */
void beckon_batch_hand_over (BeckonBatch *batch, const char *request_id);

/** The answer becomes a message, which is added in the same batch; %BECKON_ERROR_NOT_FOUND if it has become one already. */
void beckon_batch_deliver_answer (BeckonBatch *batch, const char *conversation_id, const BeckonLateAnswer *answer, gint64 at);

/** Inserts a run that this process holds the lease of, if no other run of the conversation is open; else CONFLICT. */
void beckon_batch_add_run (BeckonBatch *batch, const BeckonRunRecord *record);

/** Updates a run this process holds; CONFLICT if the lease was lost. An end gives the lease back. */
void beckon_batch_set_run (BeckonBatch *batch, const BeckonRunRecord *record);

void beckon_batch_put_profile (BeckonBatch *batch, BeckonProfile *profile);
void beckon_batch_delete_profile (BeckonBatch *batch, const char *profile_id);

/** Keeps what a file was before a call changes it. The oldest go when there is much, or after 30 days. */
void beckon_batch_put_file_copy (BeckonBatch *batch, const BeckonFileCopy *copy);

/** The call changed nothing after all. */
void beckon_batch_drop_file_copy (BeckonBatch *batch, const char *call_id);

/** Stores a copy as it is after the change was undone, or made again. */
void beckon_batch_update_file_copy (BeckonBatch *batch, const BeckonFileCopy *copy);

/** Stores the changes of a command as they are now, and how far they have come. */
void beckon_batch_put_landing (BeckonBatch *batch, const BeckonLanding *landing);

/** Drops all changes of the command; none lands or is kept. */
void beckon_batch_drop_landing (BeckonBatch *batch, const char *id);

/** A landing that its process did not end has landed: fates, size and state, unless another process has stored that. */
void beckon_batch_finish_landing (BeckonBatch *batch, const BeckonLanding *landing);

/** Notes that the changes of a call are about to be undone, or made again, by this process. @now: (nullable): the file of a
 *  file tool, as it stands in the folder. */
void beckon_batch_begin_undoing (BeckonBatch *batch, const char *call_id, gboolean is_redo, const char *front_end,
                                 GBytes *now);

/** That is over. */
void beckon_batch_end_undoing (BeckonBatch *batch, const char *call_id);

/** Stores what is settled about an argument in place of what was; what says nothing is taken out. */
void beckon_batch_put_parameter (BeckonBatch *batch, BeckonToolParameter *parameter);

/** Stores a server of tools, which was checked and has an id; one that is there keeps its name. Fails with
 *  %BECKON_ERROR_CONFLICT if another has its name, or one that looks like it, and if one that is not @is_new was removed. */
void beckon_batch_put_server (BeckonBatch *batch, BeckonMcpServer *server, gboolean is_new);

/** Removes a server, with the rules and overrides of its tools: a later one of this name inherits nothing. */
void beckon_batch_delete_server (BeckonBatch *batch, BeckonMcpServer *server);

/** Stores which tools a server listed, which definitions changed, and what it says about itself; nothing if it is gone. @state:
 *  without error and log */
void beckon_batch_put_server_tools (BeckonBatch *batch, const char *server_id, const BeckonMcpServerState *state,
                                    gint64 listed_at);

/** Stores how the last use of a server ended; nothing if it is gone. @error, @log: (nullable) */
void beckon_batch_put_server_log (BeckonBatch *batch, const char *server_id, const char *error, const char *log);

/** Stores an account of a text channel as a person set it up, which was checked and has an id. Fails with
 *  %BECKON_ERROR_CONFLICT if another has its name. */
void beckon_batch_put_channel (BeckonBatch *batch, BeckonChannelAccount *account);

/** Removes an account with all that is known of it. */
void beckon_batch_delete_channel (BeckonBatch *batch, const char *channel_id);

/** This process no longer drives it; nothing if it does not. */
void beckon_batch_release_channel (BeckonBatch *batch, const char *channel_id);

/** How an account is here, for other processes to show; nothing unless this process drives it. @state: the word of a
 *  #BeckonChannelState; @problem: (nullable): what went wrong just now, in words; the last one stays; @at: microseconds
 *  since the epoch */
void beckon_batch_set_channel_state (BeckonBatch *batch, const char *channel_id, const char *state, const char *problem,
                                     gint64 at);

/** A person who sends @code before @until, microseconds since the epoch, is paired. @code: (nullable): nobody is. */
void beckon_batch_offer_pairing (BeckonBatch *batch, const char *channel_id, const char *code, gint64 until);

/** Counts a wrong code; after %BECKON_CHANNEL_PAIR_TRIES of them it is no longer good. */
void beckon_batch_miss_pairing (BeckonBatch *batch, const char *channel_id);

/** The one who may speak from now on, in the place of whoever did. @name: (nullable). The code is used up. */
void beckon_batch_pair_channel (BeckonBatch *batch, const char *channel_id, const char *code, const char *address,
                                const char *name, gint64 at);

/** Notes that whoever is paired wrote just now; their pairing code came before they were known. @context: (nullable). */
void beckon_batch_hear_channel (BeckonBatch *batch, const char *channel_id, const char *peer, const char *context, gint64 at);
/** For a channel that messages only leave by: to whom, without a code. One who is there already stays. */
void beckon_batch_set_channel_peer (BeckonBatch *batch, const char *channel_id, const char *address, gint64 at);
void beckon_batch_unpair_channel (BeckonBatch *batch, const char *channel_id);

/** The server has been told that whoever was paired is so no more. */
void beckon_batch_forget_parted (BeckonBatch *batch, const char *channel_id, const char *address);

/** Sets what the person's messages go to from now on. @conversation_id: (nullable): the next begins another. */
void beckon_batch_set_channel_conversation (BeckonBatch *batch, const char *channel_id, const char *conversation_id);

/** The message of the conversation that the person was told of last. @message_id: (nullable) */
void beckon_batch_set_channel_told (BeckonBatch *batch, const char *channel_id, const char *message_id);

/** Sets where to go on receiving. @cursor: (nullable): as before. */
void beckon_batch_set_channel_cursor (BeckonBatch *batch, const char *channel_id, const char *cursor);

/** Stores a message that came, unless it came before. @context: (nullable): see #BeckonChannelAccount. */
void beckon_batch_receive_channel (BeckonBatch *batch, const char *channel_id, const BeckonChannelInbound *inbound,
                                   const char *context);

/** That message is handled, and its words are forgotten. Fails with %BECKON_ERROR_CONFLICT if it was before. */
void beckon_batch_end_inbound (BeckonBatch *batch, const char *channel_id, const char *message_id);

/** Stores a message that leaves, or how far it is; nothing if what it is about is gone. */
void beckon_batch_put_channel_post (BeckonBatch *batch, const BeckonChannelPost *post);

/** Forgets what was sent long before @now. */
void beckon_batch_forget_channel_posts (BeckonBatch *batch, const char *channel_id, gint64 now);

/** Stores what requests of a conversation begin with, in place of what it was for the same profile. */
void beckon_batch_put_prefix (BeckonBatch *batch, const char *conversation_id, const BeckonPrefix *prefix);

/** Stores how far the last request went, of a prefix that is stored already. */
void beckon_batch_put_sent (BeckonBatch *batch, const char *conversation_id, const BeckonPrefix *prefix);

/** Stores what a model is told behind a message, unless that is gone. */
void beckon_batch_put_told (BeckonBatch *batch, const char *conversation_id, const BeckonTold *told);

/** Adds a rule behind all others, which it overrules, or at its place if that is free; or changes the one with its id where it
 *  stands, but not its uses. */
void beckon_batch_put_rule (BeckonBatch *batch, BeckonRule *rule);
void beckon_batch_delete_rule (BeckonBatch *batch, const char *rule_id);

/** Lets two rules change places; nothing if one of them is no longer where it is said to be. */
void beckon_batch_swap_rules (BeckonBatch *batch, const BeckonRule *one, const BeckonRule *other);

/** Counts a call that the rule has decided; nothing if there is no such rule any more. @at: microseconds since the epoch */
void beckon_batch_use_rule (BeckonBatch *batch, const char *rule_id, gint64 at);

/** Adds one line to the append-only log of decisions and runs; @data is JSON. */
void beckon_batch_add_provenance (BeckonBatch *batch, const char *conversation_id, const char *call_id,
                                  const char *event, const char *data, gint64 at);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonBatch, beckon_batch_free)

/** Releases the lease of an open run that this process claimed and doesn't drive. @left_by: (nullable): the
 *  #BeckonRunRecord's. */
void beckon_batch_release_run (BeckonBatch *batch, const char *run_id, const char *left_by);

G_END_DECLS
