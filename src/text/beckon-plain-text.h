/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * BeckonPlainResult:
 * @BECKON_PLAIN_ITEM: this item is answered; the answer under construction has it
 * @BECKON_PLAIN_ANSWER: the whole request is answered, whatever items are left
 * @BECKON_PLAIN_AGAIN: the line could not be used; the message says why
 * @BECKON_PLAIN_STOP: the person wants the run stopped
 * @BECKON_PLAIN_STATUS: the person wants to know what is going on
 */
typedef enum
{
  BECKON_PLAIN_ITEM,
  BECKON_PLAIN_ANSWER,
  BECKON_PLAIN_AGAIN,
  BECKON_PLAIN_STOP,
  BECKON_PLAIN_STATUS,
} BeckonPlainResult;

/**
 * beckon_plain_text_n_items:
 * @request: a request
 *
 * Returns: how many lines it takes to answer it: one for each question, one for an approval
 */
guint beckon_plain_text_n_items (BeckonRequest *request);

/**
 * beckon_plain_text_format:
 * @request: a request
 * @item: which of its questions; 0 for an approval
 *
 * Writes one question with its numbered choices, or an approval, as plain text for a terminal or a text channel. Control
 * characters of the model are made visible.
 *
 * Returns: (transfer full): several lines without a closing line break
 */
char *beckon_plain_text_format (BeckonRequest *request, guint item);

/**
 * beckon_plain_text_parse:
 * @request: a request
 * @item: which of its questions
 * @line: what the person wrote; valid UTF-8
 * @answer: the answer under construction, from beckon_answer_new_question(); with %BECKON_PLAIN_ITEM the item is in it;
 *   ignored for an approval
 * @whole: (out) (transfer full) (nullable): with %BECKON_PLAIN_ANSWER the answer to the whole request
 * @message: (out) (transfer full) (nullable): with %BECKON_PLAIN_AGAIN what to tell the person, translated
 *
 * Reads a reply. A number counts only if the whole trimmed reply is one ("2", "2.", "２", "选2", and "1,3" where several
 * may be chosen); a label matches exactly; a number out of range asks again where free text is off and is text otherwise;
 * all else is text. "/skip" skips the question, "/choose" leaves it to the model, "/dismiss" dismisses the request,
 * "/ask …" asks back, "/stop" and "/status" are the run's.
 */
BeckonPlainResult beckon_plain_text_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer,
                                           BeckonAnswer **whole, char **message);

G_END_DECLS
