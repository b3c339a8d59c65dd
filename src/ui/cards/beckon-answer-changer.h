/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent.h"
#include "ui/widgets/beckon-sheet.h"

G_BEGIN_DECLS

#define BECKON_TYPE_ANSWER_CHANGER (beckon_answer_changer_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAnswerChanger, beckon_answer_changer, BECKON, ANSWER_CHANGER, BeckonSheet)

/**
 * BeckonAnswerChanger:
 *
 * A settled question once more, with the answer that was given, to be answered otherwise. Only the new answer makes a branch of
 * the conversation; closing the window makes nothing. Signal `changed` (BeckonConversation *): the branch that goes on with the
 * new answer.
 */

/**
 * beckon_answer_changer_new:
 * @agent: makes the branch
 * @inbox: takes the new answer
 * @conversation: where the question was asked
 * @request: the question, settled
 *
 * Returns: (transfer floating): a window, not shown yet
 */
GtkWidget *beckon_answer_changer_new (BeckonAgent *agent, BeckonInbox *inbox, BeckonConversation *conversation,
                                      BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
