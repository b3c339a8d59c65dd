/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-session.h"
#include "request/beckon-settlement.h"

G_BEGIN_DECLS

/* Last answers to questions in a folder, from settled requests: a row by folder and question, which goes with the request it
 * came from, and so with its conversation. */

/** Remembers an answer that settles a question, in the transaction of the settlement. Nothing where the conversation has no
 *  folder, and nothing of what is masked, skipped, dismissed, left to the model or asked back. */
gboolean beckon_answer_memory_write (BeckonDatabase *database, const BeckonSettlement *settlement, GError **error);

/** The last answers of each question of @question, put into it. @folder: (nullable) */
gboolean beckon_answer_memory_fill (BeckonDatabase *database, const char *folder, BeckonQuestion *question, GError **error);

/** The same of a request in a conversation that is stored; nothing unless it is a pending question. */
gboolean beckon_answer_memory_fill_request (BeckonDatabase *database, BeckonRequest *request, GError **error);

G_END_DECLS
