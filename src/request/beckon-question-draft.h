/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * BeckonQuestionDraft:
 * @answer: (nullable): what is picked and typed so far; need not be a whole answer
 * @page: which item is looked at, from 0; the number of items on the review page
 * @asking_back: a question back to the model is being typed
 * @back: (nullable): what is typed of it
 *
 * A half-made answer, as a card keeps it.
 */
typedef struct
{
  BeckonAnswer *answer;
  guint page;
  gboolean asking_back;
  char *back;
} BeckonQuestionDraft;

/** JSON for beckon_inbox_save_draft(); %NULL where there is nothing worth keeping. Caller frees. */
char *beckon_question_draft_to_json (const BeckonQuestionDraft *draft);

/** The answer that @request was given, as a draft: all of it but what was masked, of which there is only a handle. Caller
 *  frees; %NULL where there is nothing. */
char *beckon_question_draft_dup_of_answer (BeckonRequest *request);

/**
 * beckon_question_draft_read:
 * @draft: (out): filled in; beckon_question_draft_clear() it
 * @json: (nullable): what was stored
 * @n_items: how many items the question has
 *
 * Returns: %FALSE, and an empty draft, where @json is not a draft of such a question
 */
gboolean beckon_question_draft_read (BeckonQuestionDraft *draft, const char *json, guint n_items);
void     beckon_question_draft_clear (BeckonQuestionDraft *draft);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonQuestionDraft, beckon_question_draft_clear)

G_END_DECLS
