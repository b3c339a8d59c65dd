/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-question-line.h"
#include "domain/beckon-conversation.h"
#include "domain/beckon-tool-call.h"
#include "beckon-request-card.h"

G_BEGIN_DECLS

#define BECKON_TYPE_QUESTION_CARD (beckon_question_card_get_type ())
G_DECLARE_FINAL_TYPE (BeckonQuestionCard, beckon_question_card, BECKON, QUESTION_CARD, BeckonRequestCard)

/**
 * BeckonQuestionCard:
 *
 * A pending question and the ways to answer it. It answers through the inbox, keeps a draft there, takes no focus when it
 * appears, and takes no answer for a moment: see #BeckonGuard. Widget actions: `card.skip`, `card.ask-back`,
 * `card.delegate`, `card.dismiss`, `card.submit`, `card.show-origin`, which goes on to `win.show-origin`.
 */

/** Says that it comes again, because @earlier was asked back. */
void beckon_question_card_set_earlier (BeckonQuestionCard *self, BeckonRequest *earlier);

/** Says of a question that is not waited for whether the run of @conversation goes on, or rests until it is answered. */
void beckon_question_card_follow (BeckonQuestionCard *self, BeckonConversation *conversation);

/**
 * beckon_question_card_take_line:
 * @card: the card
 * @line: what was typed where messages are written
 * @message: (out) (transfer full) (nullable): with %BECKON_QUESTION_LINE_REFUSED what to tell the person; %NULL while the card
 *   takes no answer yet
 *
 * Answers with @line what the card now shows, and shows the next question or sends the answer.
 */
BeckonQuestionLine beckon_question_card_take_line (BeckonQuestionCard *card, const char *line, char **message);

/** Whether the card now shows a masked entry, and takes an answer. */
gboolean beckon_question_card_takes_secret (BeckonQuestionCard *card);

/** Puts @text, typed where messages are written, behind what that entry holds, and the focus there. */
void beckon_question_card_type_secret (BeckonQuestionCard *card, const char *text);

/** Whether all was answered, and waits to be sent. */
gboolean beckon_question_card_is_reviewing (BeckonQuestionCard *card);

/** Describes what @enter would do with @line: beckon_question_line_describe(). Caller frees. */
char *beckon_question_card_read_line (BeckonQuestionCard *card, const char *line, const char *enter);

/** After `answering` was taken: the answer could not be used, and is there again with @message, which says why. */
void beckon_question_card_refuse (BeckonQuestionCard *card, const char *message);

G_END_DECLS
