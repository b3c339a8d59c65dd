/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request-store.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

/** Bytes of an answer that are looked at at all. */
#define BECKON_ANSWER_DOCUMENT_MAX (1024 * 1024)

/**
 * beckon_request_document_write:
 * @request: a request, pending or settled
 * @context: (nullable): what led to it
 * @is_answerable: whether its receiver may answer it
 *
 * Writes a request for other programs, by the schema that is published in data/io.github.beckon.Beckon.Questions1.schema.json.
 *
 * Returns: (transfer full): one JSON object without line breaks
 */
char *beckon_request_document_write (BeckonRequest *request, const BeckonRequestContext *context,
                                     gboolean is_answerable) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_answer_document_write:
 * @answer: an answer
 * @question: (nullable): what it answers; what is typed as an answer to a secret item is masked
 *
 * Returns: (transfer full): the JSON object that beckon_answer_document_read() reads; kinds that no person can give are
 *   written all the same
 */
char *beckon_answer_document_write (const BeckonAnswer *answer,
                                    const BeckonQuestion *question) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_answer_document_read:
 * @json: what another program sent
 * @request: what it answers
 * @error: return location
 *
 * Reads an answer by the same schema, strictly: nothing is guessed, nothing unknown is passed over, and only what a person
 * can say is taken. The answer fits the request.
 *
 * Returns: (transfer full): the answer; %NULL with %BECKON_REQUEST_ERROR_INVALID and a message that begins with the faulty
 *   field and a colon, such as "items[1].selected: …"
 */
BeckonAnswer *beckon_answer_document_read (const char *json, BeckonRequest *request,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
