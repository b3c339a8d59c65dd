/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-answer.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * BeckonQuestionLine:
 * @BECKON_QUESTION_LINE_TAKEN: it is an answer
 * @BECKON_QUESTION_LINE_REFUSED: it was meant as one, and can't be taken as it stands
 * @BECKON_QUESTION_LINE_OTHER: it is about something else
 *
 * How a line that a person typed is read while a question is asked. It is read as a terminal reads it: see
 * beckon_plain_text_parse().
 */
typedef enum
{
  BECKON_QUESTION_LINE_TAKEN,
  BECKON_QUESTION_LINE_REFUSED,
  BECKON_QUESTION_LINE_OTHER,
} BeckonQuestionLine;

/**
 * beckon_question_line_read:
 * @request: a question
 * @index: which of its items
 * @line: what was typed
 * @item: (out) (transfer full) (nullable): with %BECKON_QUESTION_LINE_TAKEN, an answer to the question with that item filled in
 * @whole: (out) (transfer full) (nullable): or the answer to all of it
 * @message: (out) (transfer full) (nullable): with %BECKON_QUESTION_LINE_REFUSED, what to tell the person
 */
BeckonQuestionLine beckon_question_line_read (BeckonRequest *request, guint index, const char *line, BeckonAnswer **item,
                                              BeckonAnswer **whole, char **message);

/**
 * beckon_question_line_describe:
 * @request: a question
 * @index: which of its items
 * @line: what is typed
 * @enter: the key that would send it, such as "⏎"
 *
 * Returns: (transfer full) (nullable): what that key would do, such as "⏎ answers 2: Files and folders"; %NULL if @line is
 *   about something else
 */
char *beckon_question_line_describe (BeckonRequest *request, guint index, const char *line,
                                     const char *enter) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
