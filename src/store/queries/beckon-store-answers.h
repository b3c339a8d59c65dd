/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-question.h"
#include "store/db/beckon-store.h"

G_BEGIN_DECLS

/**
 * BeckonRememberedAnswer:
 * @folder: (owned): where it was asked
 * @question: (owned): what was asked
 * @conversation_id: (owned): where it comes from
 * @last: (owned): what was answered
 *
 * An answer that is shown when the same is asked again.
 */
typedef struct
{
  char *folder;
  char *question;
  char *conversation_id;
  BeckonLastAnswer *last;
} BeckonRememberedAnswer;

void beckon_remembered_answer_free (BeckonRememberedAnswer *answer);

/** Puts what was answered last in @folder into questions that are about to be asked: (element-type BeckonQuestion), used by
 *  nobody else meanwhile. */
void     beckon_store_fill_questions_async (BeckonStore *store, const char *folder, GPtrArray *questions,
                                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_store_fill_questions_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/** Lists what is remembered, the latest first: (element-type BeckonRememberedAnswer) (transfer full). @folder: (nullable): only
 *  of this one */
void       beckon_store_list_answers_async (BeckonStore *store, const char *folder, GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *beckon_store_list_answers_finish (BeckonStore *store, GAsyncResult *result, GError **error);

/**
 * beckon_store_forget_answers_async:
 * @store: the store
 * @folder: (nullable): only what is remembered of this folder
 * @request_id: (nullable): only what is remembered of the questions of this request, in its conversation's folder
 * @cancellable: (nullable): before it is forgotten
 * @callback: called later
 * @user_data: for @callback
 *
 * Forgets answers; with two %NULL all of them. The conversations that they come from keep what was said.
 */
void     beckon_store_forget_answers_async (BeckonStore *store, const char *folder, const char *request_id,
                                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_store_forget_answers_finish (BeckonStore *store, GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRememberedAnswer, beckon_remembered_answer_free)

G_END_DECLS
