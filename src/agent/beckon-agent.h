/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent-parts.h"
#include "domain/beckon-folder-extras.h"

G_BEGIN_DECLS

#define BECKON_TYPE_AGENT (beckon_agent_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAgent, beckon_agent, BECKON, AGENT, GObject)

/**
 * BeckonAgent:
 *
 * Drives the runs of this process: one per conversation at a time, any number side by side. What a run does is seen in its
 * #BeckonConversation and in the inbox, nowhere else. Main thread. Signals: `driven` (#BeckonConversation): this process begins
 * to drive a run of it; `detached` (#BeckonConversation): it does not any more, because the run is over or the program ends;
 * `idle`: the last of its runs is over.
 */

/** @parts: borrowed; the agent takes references. */
BeckonAgent *beckon_agent_new (const BeckonAgentParts *parts) G_GNUC_WARN_UNUSED_RESULT;

/** Whether somebody can answer here: %FALSE for a terminal program without a terminal. %TRUE by default. */
void beckon_agent_set_has_person (BeckonAgent *agent, gboolean has_person);

/**
 * Whether this process goes on with every conversation in which somebody answers and that nobody drives: an application that
 * stays. Without it only what ended its turn with a question here is gone on with. %FALSE by default.
 */
void beckon_agent_set_adopts (BeckonAgent *agent, gboolean adopts);

/**
 * Whether this process begins a turn with the next queued message when one ends, which is so at first. A command for one turn
 * leaves what is queued to the window.
 */
void beckon_agent_set_follows_queue (BeckonAgent *agent, gboolean follows_queue);

/**
 * Whether conversations are named by their model after the first reply, when nothing else is at work and the setting
 * `name-conversations` allows it. %FALSE by default: it takes a program that goes on running.
 */
void beckon_agent_set_names_conversations (BeckonAgent *agent, gboolean names_conversations);

/**
 * beckon_agent_send_async:
 * @agent: the agent
 * @conversation: an open conversation without a run under way
 * @text: what the person wrote; not blank
 * @cancellable: (nullable): until the message is stored
 * @callback: called later, when the message is stored and the run is queued
 * @user_data: for @callback
 *
 * Stores a message, then starts a run on it. Fails with %BECKON_ERROR_CONFLICT while a run is under way, here or elsewhere;
 * the text is not lost, it stays the caller's.
 */
void     beckon_agent_send_async (BeckonAgent *agent, BeckonConversation *conversation, const char *text,
                                  GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/**
 * The same with files. @text: may be blank if there are any. @files: (element-type BeckonPart): as in beckon-attachment.h; they
 * go before the text, and those that are the conversation's draft are no longer that once they are stored.
 */
void     beckon_agent_send_files_async (BeckonAgent *agent, BeckonConversation *conversation, const char *text,
                                        GPtrArray *files, GCancellable *cancellable, GAsyncReadyCallback callback,
                                        gpointer user_data);
gboolean beckon_agent_send_finish (BeckonAgent *agent, GAsyncResult *result, GError **error);

/** Lists the commands that a message of @conversation may begin with: the person's own, and those of its folder that they use.
 *  @cancellable: (nullable): ends the wait */
void beckon_agent_list_commands_async (BeckonAgent *agent, BeckonConversation *conversation, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): names and descriptions, untrusted, without the texts; %NULL when it was cancelled. */
BeckonFolderExtras *beckon_agent_list_commands_finish (BeckonAgent *agent, GAsyncResult *result,
                                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_agent_queue_async:
 * @agent: the agent
 * @conversation: an open conversation, as a rule with a run under way, here or elsewhere
 * @text: what the person wrote; not blank unless there are @files
 * @files: (element-type BeckonPart): as for beckon_agent_send_files_async()
 * @sends_now: %TRUE to put it before the model at the next round boundary of the turn, not after the turn
 * @cancellable: (nullable): until the message is stored
 * @callback: called later, when it is in the conversation's queue
 * @user_data: for @callback
 *
 * Queues a message, and empties the draft, in one transaction. When the turn ends by itself, or with a dismissed question, the
 * first in the queue begins the next one; one that is to be sent now does so after any end but a stop or a failure, and
 * without a question that the turn ended with. Where nothing runs any more the same holds at once.
 */
void     beckon_agent_queue_async (BeckonAgent *agent, BeckonConversation *conversation, const char *text, GPtrArray *files,
                                   gboolean sends_now, GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean beckon_agent_queue_finish (BeckonAgent *agent, GAsyncResult *result, GError **error);

/**
 * beckon_agent_queue_with_async:
 * @agent: the agent
 * @conversation: as for beckon_agent_queue_async()
 * @id: of the message that it becomes, once
 * @text: likewise
 * @files: likewise
 * @sends_now: likewise
 * @with: (transfer full) (nullable): what is stored in the same transaction
 * @cancellable: (nullable): until the message is stored
 * @callback: called later; beckon_agent_queue_finish() tells
 * @user_data: for @callback
 *
 * The same for a message that was not typed here: with @with the draft stays as it is.
 */
void beckon_agent_queue_with_async (BeckonAgent *agent, BeckonConversation *conversation, const char *id, const char *text,
                                    GPtrArray *files, gboolean sends_now, BeckonBatch *with, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_agent_send_queued_async:
 * @agent: the agent
 * @conversation: an open conversation
 * @item_id: of its queue
 * @cancellable: (nullable): until that is stored
 * @callback: called later
 * @user_data: for @callback
 *
 * Sends a queued message now: at the next round boundary of the run under way, or where there is none as the first message of
 * a turn. Fails with %BECKON_ERROR_NOT_FOUND if it is not queued any more.
 */
void     beckon_agent_send_queued_async (BeckonAgent *agent, BeckonConversation *conversation, const char *item_id,
                                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_agent_send_queued_finish (BeckonAgent *agent, GAsyncResult *result, GError **error);

/**
 * beckon_agent_remove_queued_async:
 * @agent: the agent
 * @conversation: an open conversation
 * @item_id: of its queue
 * @draft: (nullable): what the draft is from then on, with the message's files added to those attached; %NULL leaves it
 * @cancellable: (nullable): until that is stored
 * @callback: called later
 * @user_data: for @callback
 *
 * Takes a message out of the queue. Fails with %BECKON_ERROR_NOT_FOUND if it is not there any more, and then leaves the draft.
 */
void     beckon_agent_remove_queued_async (BeckonAgent *agent, BeckonConversation *conversation, const char *item_id,
                                           const char *draft, GCancellable *cancellable, GAsyncReadyCallback callback,
                                           gpointer user_data);
gboolean beckon_agent_remove_queued_finish (BeckonAgent *agent, GAsyncResult *result, GError **error);

/**
 * beckon_agent_edit_async:
 * @agent: the agent
 * @conversation: an open conversation without a run under way, and without a question that waits
 * @message_id: a message of the person's in its list
 * @text: what it is to say instead; not blank unless there are @files
 * @files: (element-type BeckonPart): what is attached to it
 * @cancellable: (nullable): until the message is stored
 * @callback: called later, when the message is stored and the run is queued; beckon_agent_send_finish() tells
 * @user_data: for @callback
 *
 * Stores another version of a message and starts a run on it. The old one stays with all behind it, on a branch of its own; see
 * beckon_library_show_version_async(). Fails like beckon_agent_send_async(), and leaves everything as it was then.
 */
void beckon_agent_edit_async (BeckonAgent *agent, BeckonConversation *conversation, const char *message_id, const char *text,
                              GPtrArray *files, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data);

/** Likewise has the model write another version of its message @message_id, from what stood before it. */
void beckon_agent_regenerate_async (BeckonAgent *agent, BeckonConversation *conversation, const char *message_id,
                                    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/**
 * Starts a new run on the same history, after an end that beckon_run_phase_can_continue(). Same errors. A reply in which the
 * model refused, or which a filter ended, is left as beckon_agent_regenerate_async() leaves one: with it before its eyes a
 * model refuses again.
 */
void     beckon_agent_continue_async (BeckonAgent *agent, BeckonConversation *conversation, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_agent_continue_finish (BeckonAgent *agent, GAsyncResult *result, GError **error);

/**
 * beckon_agent_compact_async:
 * @agent: the agent
 * @conversation: a conversation without a run under way and without a question that waits
 * @callback: called later
 * @user_data: for @callback
 *
 * Has the conversation's model write a summary of what came first, which it is told from then on in place of that. Nothing
 * is taken out of the conversation; the summary is a note at its end (%BECKON_NOTE_SUMMARY). The conversation is busy
 * meanwhile, and beckon_agent_stop() ends it. Fails with %BECKON_ERROR_CONFLICT, %BECKON_ERROR_INVALID where it is too short
 * for that, or what became of the request; the message is fit for people.
 */
void     beckon_agent_compact_async (BeckonAgent *agent, BeckonConversation *conversation, GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean beckon_agent_compact_finish (BeckonAgent *agent, GAsyncResult *result, GError **error);

/** How many runs this process drives. */
guint beckon_agent_count_runs (BeckonAgent *agent);

/** Whether this process drives a run of the conversation. */
gboolean beckon_agent_is_driving (BeckonAgent *agent, const char *conversation_id);

/**
 * Stops the conversation's run, whatever it does, within 100 ms; does nothing without one. Where another process drives it,
 * that is told through the store, and stops it within a second; where its driver has died, it is taken over and stopped here.
 */
void beckon_agent_stop (BeckonAgent *agent, BeckonConversation *conversation);

/**
 * BeckonLandNow:
 * @BECKON_LAND_NOW_FAILED: with an error
 * @BECKON_LAND_NOW_NOTHING: the command has changed nothing that is not in the folder
 * @BECKON_LAND_NOW_WAITS: none of it may land unseen, and the person is asked when the command has ended
 * @BECKON_LAND_NOW_ASKED: the person is asked about it now, and the command runs on
 * @BECKON_LAND_NOW_LANDED: it is in the folder
 */
typedef enum
{
  BECKON_LAND_NOW_FAILED,
  BECKON_LAND_NOW_NOTHING,
  BECKON_LAND_NOW_WAITS,
  BECKON_LAND_NOW_ASKED,
  BECKON_LAND_NOW_LANDED,
} BeckonLandNow;

/**
 * beckon_agent_land_now_async:
 * @agent: the agent
 * @conversation: whose run this process drives
 * @call: a call of a command that runs, which says that it can land
 * @callback: called later
 * @user_data: for @callback
 *
 * Lands what the command has changed until now. In the mode that asks about what leaves the folder alone, what may not land
 * unseen is asked about at its end; in the other modes it is asked about now. The command runs on; its end takes the question
 * back. Fails with %BECKON_ERROR_CONFLICT where it does not run here, or something of it is just landing; the message is fit
 * for people.
 */
void          beckon_agent_land_now_async (BeckonAgent *agent, BeckonConversation *conversation, BeckonToolCall *call,
                                           GAsyncReadyCallback callback, gpointer user_data);
BeckonLandNow beckon_agent_land_now_finish (BeckonAgent *agent, GAsyncResult *result, GError **error);

/**
 * beckon_agent_leave_async:
 * @agent: the agent
 * @conversation: a conversation
 * @callback: called later
 * @user_data: for @callback
 *
 * Releases the conversation's run, if this process drives one and it waits for a person, so that the process may end: also
 * for forms of calls that run, where each of them can be resumed. Fails
 * with %BECKON_ERROR_CONFLICT while the run has something to do: an answer that was accepted is carried out by whoever
 * drives.
 */
void     beckon_agent_leave_async (BeckonAgent *agent, BeckonConversation *conversation, GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean beckon_agent_leave_finish (BeckonAgent *agent, GAsyncResult *result, GError **error);

/**
 * Lets go of every run of this process without ending it: the rows and their requests stay open, and the next start, or
 * another process, goes on with them. For the end of the program; after it nothing may be started.
 */
void beckon_agent_detach (BeckonAgent *agent);

/**
 * beckon_agent_ask_again_async:
 * @agent: the agent
 * @conversation: a loaded conversation
 * @message_id: one of its messages
 * @call_id: a call of that message whose question is settled
 * @cancellable: (nullable): until the branch is begun
 * @callback: called later
 * @user_data: for @callback
 *
 * "Change this answer": makes a branch with the history up to that message, in which the same question is open again, with
 * the answer that was given as its draft, and a run that waits for it. What @conversation has stays as it is.
 */
void                beckon_agent_ask_again_async (BeckonAgent *agent, BeckonConversation *conversation,
                                                  const char *message_id, const char *call_id, GCancellable *cancellable,
                                                  GAsyncReadyCallback callback, gpointer user_data);

/** The branch. (transfer full) */
BeckonConversation *beckon_agent_ask_again_finish (BeckonAgent *agent, GAsyncResult *result, GError **error);

/** Takes over the open runs whose process is gone: what waited waits again, what was being received is cut off. */
void     beckon_agent_recover_async (BeckonAgent *agent, GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean beckon_agent_recover_finish (BeckonAgent *agent, GAsyncResult *result, GError **error);

/** The same for one conversation, for a program that shows only that one. */
void     beckon_agent_resume_async (BeckonAgent *agent, BeckonConversation *conversation, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_agent_resume_finish (BeckonAgent *agent, GAsyncResult *result, GError **error);

G_END_DECLS
