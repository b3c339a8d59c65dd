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

/** Characters of a code that says which of several requests a reply is for. */
#define BECKON_PLAIN_CODE_LENGTH 4

/**
 * beckon_plain_text_n_items:
 * @request: a request
 *
 * Returns: how many lines it takes to answer it: one for each question, one for an approval or a form
 */
guint beckon_plain_text_n_items (BeckonRequest *request);

/** An empty answer under construction, for beckon_plain_text_parse(). Caller owns. */
BeckonAnswer *beckon_plain_text_begin (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_plain_text_format:
 * @request: a request
 * @item: which of its questions; 0 for an approval
 *
 * Writes one question with its numbered choices, an approval or a form, as plain text for a text channel. Control characters of
 * the model are made visible; in an approval so is everything else that would not be seen.
 *
 * Returns: (transfer full): several lines without a closing line break
 */
char *beckon_plain_text_format (BeckonRequest *request, guint item);

/** The same with the request's code in front, for where several are pending; changes are answered by command lines with it. */
char *beckon_plain_text_format_with_code (BeckonRequest *request, guint item);

/** The first mark of a terminal's card; no untrusted text is printed with it. */
#define BECKON_PLAIN_CARD_MARK "◇"

/**
 * beckon_plain_text_for_terminal:
 * @text: (nullable): untrusted text; %NULL counts as empty
 * @length: its bytes; -1 if it ends in NUL
 *
 * As beckon_text_for_display() with %BECKON_TEXT_MARKED, and without %BECKON_PLAIN_CARD_MARK, so that nothing that a model
 * says can pass for a card of ours.
 *
 * Returns: (transfer full): text for a terminal
 */
char *beckon_plain_text_for_terminal (const char *text, gssize length) G_GNUC_WARN_UNUSED_RESULT;

/** Appends @prefix and @untrusted as beckon_plain_text_for_terminal() gives it. */
void beckon_plain_text_append (GString *text, const char *prefix, const char *untrusted);

/** The same for a terminal: "◇ ask_user → the question", "◇ Fetch example.org"; with @colour the tool in magenta, the question
 *  or sentence in yellow. */
char *beckon_plain_text_format_for_terminal (BeckonRequest *request, guint item, gboolean colour);

/** A short code for a request, such as "7k2m". Caller frees. */
char *beckon_plain_text_dup_code (BeckonRequest *request);

/**
 * beckon_plain_text_match_code:
 * @request: a request
 * @line: what the person wrote
 *
 * Returns: (nullable): the rest of @line, if it begins with the code of @request ("7k2m 2", "#7K2M: 2"); %NULL if not
 */
const char *beckon_plain_text_match_code (BeckonRequest *request, const char *line);

/**
 * beckon_plain_text_parse:
 * @request: a request
 * @item: which of its questions
 * @line: what the person wrote
 * @answer: the answer under construction, from beckon_plain_text_begin(); with %BECKON_PLAIN_ITEM the item is in it; for
 *   changes, what is left out so far; for a call or a plan that was edited, that answer: further edits are made to it
 * @whole: (out) (transfer full) (nullable): with %BECKON_PLAIN_ANSWER the answer to the whole request
 * @message: (out) (transfer full) (nullable): with %BECKON_PLAIN_AGAIN what to tell the person, translated
 *
 * Reads a reply to a question. A number counts only if the whole trimmed reply is one ("2", "2.", "２", "选2", and "1,3" where
 * several may be chosen); a label matches, and several of them divided by commas where several may be chosen; a number out of
 * range asks again where free text is off and is text otherwise; all else is text. What is the number of one choice and the
 * label of another asks again; "1, but …" is a choice with words to it. "/skip" skips the question, "/choose" leaves it to the
 * model, "/dismiss" dismisses the request, "/ask …" asks back, "/stop" and "/status" are the run's.
 *
 * Reads a reply to an approval: 1 runs, 2 denies, 3 stops, and so do the words; "/deny …" denies with a reason; a JSON
 * object changes the members it names, takes away those it sets to null, and runs. Nothing else approves anything.
 *
 * Reads a reply to a plan: 1 accepts, 2 dismisses, 3 stops, and so do the words; "/replan …" asks for another, a JSON object
 * is the whole plan as it is to be carried out, "/json" shows that, "/pause" has it pause before every step, "/pause 2,3"
 * before some, "/skip 2" leaves steps out or takes them in again. The approval of a step also takes "/skip", "/replan …",
 * "/pause off" and "/plan {…}"; a sentence is what its person wants instead.
 *
 * Reads a reply to a form about an unknown outcome: 1 runs again, 2 skips, 3 stops, and so do the words and "/skip"; 4 has the
 * tool look, where it can; all else is what the person found.
 *
 * Reads a reply to a request about changes: "k" keeps those that are marked as kept ("k x 2 3.1" without these), at first those
 * of beckon_change_choice_new_first(), and "k all" keeps everything; "n" leaves them all out, "n …" with a reason; "d 2" gives
 * the difference of a change as @message, "x 2" leaves a change out or keeps it again, "x 2.1" a hunk of it, and "l" lists all
 * of them.
 */
BeckonPlainResult beckon_plain_text_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer,
                                           BeckonAnswer **whole, char **message);

G_END_DECLS
