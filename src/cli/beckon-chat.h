/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-run-events.h"
#include "runtime/beckon-runtime.h"

G_BEGIN_DECLS

#define BECKON_TYPE_CHAT (beckon_chat_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChat, beckon_chat, BECKON, CHAT, GObject)

/**
 * BeckonChat:
 *
 * One conversation in a terminal: the agent's text as it comes, its questions as numbered lists, the person's lines as
 * messages or as answers: an answer is a line that was begun while its question was on the screen. Main thread.
 */

/**
 * BeckonChatFlags:
 * @BECKON_CHAT_INTERACTIVE: reads lines: messages while idle, answers while a question is open
 * @BECKON_CHAT_ONE_TURN: ends when the first run is over
 * @BECKON_CHAT_COLOUR: the terminal shows colours
 * @BECKON_CHAT_DETACH: leaves when the run waits for a person, with the run and its question open
 * @BECKON_CHAT_JSON: standard output gets events for programs instead of the agent's text
 * @BECKON_CHAT_QUIET: standard error gets what a person has to answer or to know of, and nothing else
 */
typedef enum
{
  BECKON_CHAT_NONE = 0,
  BECKON_CHAT_INTERACTIVE = 1 << 0,
  BECKON_CHAT_ONE_TURN = 1 << 1,
  BECKON_CHAT_COLOUR = 1 << 2,
  BECKON_CHAT_DETACH = 1 << 3,
  BECKON_CHAT_JSON = 1 << 4,
  BECKON_CHAT_QUIET = 1 << 5,
} BeckonChatFlags;

/** The exit status of a program that left because its run waits for a person. */
#define BECKON_CHAT_DETACHED 10

/** @runtime: opened. @conversation: loaded. */
BeckonChat *beckon_chat_new (BeckonRuntime *runtime, BeckonConversation *conversation,
                             BeckonChatFlags flags) G_GNUC_WARN_UNUSED_RESULT;

/** @files: (nullable) (element-type BeckonPart): they go with the first message that is sent. */
void beckon_chat_set_files (BeckonChat *chat, GPtrArray *files);

/**
 * beckon_chat_run_async:
 * @chat: a chat
 * @message: (nullable): a first message to send
 * @cancellable: (nullable): leaves what is open as it is
 * @callback: called once, later
 * @user_data: for @callback
 *
 * Talks until the person leaves, the input ends, or the turn is over.
 */
void beckon_chat_run_async (BeckonChat *chat, const char *message, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data);

/** The events that are written; %NULL without %BECKON_CHAT_JSON. Borrowed. */
BeckonRunEvents *beckon_chat_get_events (BeckonChat *chat);

/** Why the last message could not be sent; %NULL if it could. Borrowed. */
const char *beckon_chat_get_problem (BeckonChat *chat);

/** The program's exit status: 0 complete, as beckon_end_text_get_exit_status() says for other ends, 3 left with a question
 *  open, %BECKON_CHAT_DETACHED, 1 if a message was not sent; with %BECKON_CHAT_ONE_TURN
 *  what beckon_printer_get_status() says of a complete one; -1 on error. */
int beckon_chat_run_finish (BeckonChat *chat, GAsyncResult *result, GError **error);

/** Ctrl+C: stops the run under way, in whichever process; without one, drops what is being typed, or leaves. */
void beckon_chat_interrupt (BeckonChat *chat);

/** Ends the talk. @stops: once the run under way has stopped; otherwise that is left as it is, and at the second time. */
void beckon_chat_end (BeckonChat *chat, gboolean stops);

G_END_DECLS
