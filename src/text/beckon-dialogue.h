/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-call-preview.h"

G_BEGIN_DECLS

#define BECKON_TYPE_DIALOGUE (beckon_dialogue_get_type ())
G_DECLARE_FINAL_TYPE (BeckonDialogue, beckon_dialogue, BECKON, DIALOGUE, GObject)

/**
 * BeckonDialogueResult:
 * @BECKON_DIALOGUE_MORE: another line is needed
 * @BECKON_DIALOGUE_ANSWERED: there are answers
 * @BECKON_DIALOGUE_STOP: the person wants the run stopped
 * @BECKON_DIALOGUE_STATUS: they want to know what is going on, and have been told that the agent waits
 * @BECKON_DIALOGUE_FOLDER: they want to see what a change that stands for a folder has in it, of which the request, and so
 *   the message, knows less than the disk
 */
typedef enum
{
  BECKON_DIALOGUE_MORE,
  BECKON_DIALOGUE_ANSWERED,
  BECKON_DIALOGUE_STOP,
  BECKON_DIALOGUE_STATUS,
  BECKON_DIALOGUE_FOLDER,
} BeckonDialogueResult;

/**
 * BeckonDialogueAnswer:
 * @request: what is answered; owned
 * @answer: with what; owned
 */
typedef struct
{
  BeckonRequest *request;
  BeckonAnswer *answer;
} BeckonDialogueAnswer;

/**
 * BeckonDialogueReply:
 * @answers: (element-type BeckonDialogueAnswer): what a line answered; may be empty
 * @message: (nullable): what the person is told, such as why the line could not be used
 * @folder: with %BECKON_DIALOGUE_FOLDER, which change of beckon_dialogue_get_request()
 *
 * What a line led to.
 */
typedef struct
{
  GPtrArray *answers;
  char *message;
  guint folder;
} BeckonDialogueReply;

void beckon_dialogue_reply_clear (BeckonDialogueReply *reply);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonDialogueReply, beckon_dialogue_reply_clear)

/**
 * BeckonDialogue:
 *
 * Leads a person through what waits for them, with lines in and texts out: the questions of a request one by one, then the next
 * request; several similar calls as one table, in which each can be looked at by itself. It reads, prints and settles nothing:
 * the terminal and every channel talk through it. Main thread.
 */
BeckonDialogue *beckon_dialogue_new (gboolean colour) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_dialogue_set_previewer:
 * @dialogue: a dialogue
 * @previewer: (nullable): says what calls would change
 *
 * A call with a preview is asked about by itself, once its preview is there, and runs with the files that were shown.
 */
void beckon_dialogue_set_previewer (BeckonDialogue *dialogue, BeckonCallPreviewer *previewer);

/** Whether a preview is being made: nothing is to be printed, and no line to be read, until the signal “ready”. */
gboolean beckon_dialogue_is_preparing (BeckonDialogue *dialogue);

/**
 * beckon_dialogue_follow:
 * @dialogue: a dialogue
 * @pending: (element-type BeckonRequest): what waits now, in the order in which it is to be asked
 *
 * What is being answered stays until it is no longer the first that waits. Call this after whatever may have changed.
 */
void beckon_dialogue_follow (BeckonDialogue *dialogue, GPtrArray *pending);

/** The request that the next line answers; of a table the first row that still waits; %NULL while nothing waits. Borrowed. */
BeckonRequest *beckon_dialogue_get_request (BeckonDialogue *dialogue);

/** (nullable): the plan that the person made of the one that is asked about, shown and not accepted yet. Borrowed. */
const char *beckon_dialogue_get_changed_plan (BeckonDialogue *dialogue);

/** Whether the next line is about a table. */
gboolean beckon_dialogue_is_table (BeckonDialogue *dialogue);

/** Whether the next line decides what happens, so that nothing that was pasted is taken for it. */
gboolean beckon_dialogue_is_decision (BeckonDialogue *dialogue);

/** Whether @line is a plan, which is shown and decides nothing by itself. */
gboolean beckon_dialogue_is_shown_first (BeckonDialogue *dialogue, const char *line);

/** Whether the next line is a masked answer. */
gboolean beckon_dialogue_is_secret (BeckonDialogue *dialogue);

/** Whether @word, which begins with a slash, is a command about what is asked, or one of its choices. */
gboolean beckon_dialogue_has_word (BeckonDialogue *dialogue, const char *word);

/** Returns the text to print before the next line is read; %NULL if it was printed already. Caller frees. */
char *beckon_dialogue_next_text (BeckonDialogue *dialogue);

/** Says that the person was shown all of what is asked now in another way: a call runs without being shown once more. */
void beckon_dialogue_mark_shown (BeckonDialogue *dialogue);

/**
 * beckon_dialogue_take_line:
 * @dialogue: a dialogue with something that waits
 * @line: what the person wrote
 * @reply: (out caller-allocates): what it led to
 *
 * What was answered is asked again when it is still pending the next time: its answer was refused.
 */
BeckonDialogueResult beckon_dialogue_take_line (BeckonDialogue *dialogue, const char *line, BeckonDialogueReply *reply);

G_END_DECLS
