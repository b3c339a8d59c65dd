/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-question.h"

G_BEGIN_DECLS

/**
 * BeckonAnswerKind:
 * @BECKON_ANSWER_QUESTION: per item what was selected, typed or skipped
 * @BECKON_ANSWER_DELEGATED: "you choose"
 * @BECKON_ANSWER_ASKED_BACK: a question back to the model
 * @BECKON_ANSWER_DECLINED: dismissed; an approval: denied, with feedback; changes: all left out, with feedback
 * @BECKON_ANSWER_APPROVED: run it as it is
 * @BECKON_ANSWER_APPROVED_EDITED: run it with other arguments
 * @BECKON_ANSWER_LOOKED: what became of a call whose outcome was not known, in the person's words; without any, where the
 *   tool can look by itself, that it may
 * @BECKON_ANSWER_RETRY: run such a call again, as it was
 * @BECKON_ANSWER_SKIP: leave such a call as it is, its outcome unknown; a step of a plan: do not run it; a server's form: no
 *   decision, it may ask again
 * @BECKON_ANSWER_PLAN: a plan, as it is to be carried out from now on; to a proposed plan, and to a step of one that is next
 * @BECKON_ANSWER_KEPT: changes of a command land, all of them or without what the person leaves out
 * @BECKON_ANSWER_FORM: a server's form filled in, or its address opened
 * @BECKON_ANSWER_CANCELLED: the ground of the request is gone (the run was stopped, and the like)
 * @BECKON_ANSWER_TIMED_OUT: the time the person had set is over
 * @BECKON_ANSWER_UNAVAILABLE: nobody can answer
 */
typedef enum
{
  BECKON_ANSWER_QUESTION,
  BECKON_ANSWER_DELEGATED,
  BECKON_ANSWER_ASKED_BACK,
  BECKON_ANSWER_DECLINED,
  BECKON_ANSWER_APPROVED,
  BECKON_ANSWER_APPROVED_EDITED,
  BECKON_ANSWER_LOOKED,
  BECKON_ANSWER_RETRY,
  BECKON_ANSWER_SKIP,
  BECKON_ANSWER_PLAN,
  BECKON_ANSWER_KEPT,
  BECKON_ANSWER_FORM,
  BECKON_ANSWER_CANCELLED,
  BECKON_ANSWER_TIMED_OUT,
  BECKON_ANSWER_UNAVAILABLE,
} BeckonAnswerKind;

/**
 * BeckonAnswerItem:
 * @selected: (element-type utf8): labels as the model wrote them, in the question's order
 * @text: (nullable): what was typed, alone or as a note to what was picked
 * @skipped: the person skipped this one
 */
typedef struct
{
  GPtrArray *selected;
  char *text;
  gboolean skipped;
} BeckonAnswerItem;

/**
 * BeckonAnswer:
 *
 * What a person (or the end of a request's ground) says to a request. Built, then not changed; reference counted.
 */
typedef struct
{
  BeckonAnswerKind kind;
  GPtrArray *items; /* BeckonAnswerItem, for QUESTION */
  char *text;       /* ASKED_BACK: the question back; DECLINED: the feedback; APPROVED_EDITED: the arguments as JSON;
                       LOOKED: what the person found; PLAN: its document; KEPT: (nullable): what is left out, as
                       beckon_change_choice_to_json() writes it; FORM: (nullable): what is filled in, as JSON */
  GPtrArray *remember; /* (nullable) BeckonRule, for APPROVED, APPROVED_EDITED, DECLINED and KEPT: what holds from now
                          on */
  char *files;         /* (nullable): for APPROVED and APPROVED_EDITED: stamps of the files that the person was shown, where
                          those are newer than the request's, or of others */
} BeckonAnswer;

/** More rules are not made by one answer. */
#define BECKON_ANSWER_MAX_RULES 64

#define BECKON_TYPE_ANSWER (beckon_answer_get_type ())
GType beckon_answer_get_type (void) G_GNUC_CONST;

/** @text: (nullable). For every kind but QUESTION. */
BeckonAnswer *beckon_answer_new (BeckonAnswerKind kind, const char *text) G_GNUC_WARN_UNUSED_RESULT;

/** An empty answer to @n_items items; fill it with the next two. */
BeckonAnswer *beckon_answer_new_question (guint n_items) G_GNUC_WARN_UNUSED_RESULT;
void          beckon_answer_select (BeckonAnswer *answer, guint item, const char *label);
void          beckon_answer_set_item_text (BeckonAnswer *answer, guint item, const char *text);
void          beckon_answer_skip (BeckonAnswer *answer, guint item);

/** @rules: (transfer full) (element-type BeckonRule): what the person wants to be remembered with this decision. */
void beckon_answer_set_remember (BeckonAnswer *answer, GPtrArray *rules);

/** @files: (nullable): see #BeckonCallPreview. */
void beckon_answer_set_files (BeckonAnswer *answer, const char *files);

BeckonAnswer *beckon_answer_ref (BeckonAnswer *answer);
void          beckon_answer_unref (BeckonAnswer *answer);

/**
 * beckon_answer_check:
 * @answer: an answer
 * @question: what it answers
 * @error: return location
 *
 * Checks that the answer fits: every item has something or is skipped, labels exist, one label where one is allowed, text
 * only where it is allowed, no blank text.
 *
 * Returns: %FALSE with %BECKON_REQUEST_ERROR_INVALID and a translated message that names the item
 */
gboolean beckon_answer_check (const BeckonAnswer *answer, const BeckonQuestion *question, GError **error);

/** For an answer to @question that beckon_answer_check() refused: what it stumbled over, such as "items[1].selected" or
 *  "text". Caller frees. */
char *beckon_answer_dup_faulty_field (const BeckonAnswer *answer, const BeckonQuestion *question);

/**
 * beckon_answer_to_result:
 * @answer: an answer
 * @question: what it answers
 * @is_error: (out): %TRUE where the result is an error for the model (dismissed, cancelled, timed out, unavailable)
 *
 * The tool result the model gets, in English: the simple form gives the answer's text as it is, the full form
 * {status, answers:[{question, selected, text, skipped}]}.
 *
 * Returns: (transfer full): the text
 */
char *beckon_answer_to_result (const BeckonAnswer *answer, const BeckonQuestion *question, gboolean *is_error);

/**
 * beckon_answer_to_late_message:
 * @answer: (nullable): %NULL: it ended without one
 * @question: what it answers, and the model did not wait for
 *
 * The message it becomes, in English: it names the question, and then says what the result of the call would have been.
 *
 * Returns: (transfer full): the text
 */
char *beckon_answer_to_late_message (const BeckonAnswer *answer, const BeckonQuestion *question) G_GNUC_WARN_UNUSED_RESULT;

/** Writes it as the person's own message, for a question that ended its turn; %NULL if they said nothing at all. Caller
 *  frees. */
char *beckon_answer_to_message (const BeckonAnswer *answer, const BeckonQuestion *question);

/** A line for people, such as "8080, and only on this machine"; translated words where no text was typed or picked. */
char *beckon_answer_to_summary (const BeckonAnswer *answer, const BeckonQuestion *question);

/** The word for a kind, such as "asked-back"; static. */
const char *beckon_answer_kind_to_string (BeckonAnswerKind kind);

/** Canonical JSON for the store, and back; for what other programs send see text/beckon-request-document.h. */
char         *beckon_answer_to_json (const BeckonAnswer *answer);
BeckonAnswer *beckon_answer_from_json (const char *json, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonAnswer, beckon_answer_unref)

G_END_DECLS
