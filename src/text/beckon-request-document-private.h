/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-writer.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

/* The members of a document that say what is asked, by the class of the request; see #BeckonPlainClass. */

void beckon_request_document_write_question (BeckonJsonWriter *writer, BeckonRequest *request);
void beckon_request_document_write_approval (BeckonJsonWriter *writer, BeckonRequest *request);
void beckon_request_document_write_plan (BeckonJsonWriter *writer, BeckonRequest *request);
void beckon_request_document_write_outcome (BeckonJsonWriter *writer, BeckonRequest *request);
void beckon_request_document_write_form (BeckonJsonWriter *writer, BeckonRequest *request);
void beckon_request_document_write_changes (BeckonJsonWriter *writer, BeckonRequest *request);
void beckon_request_document_write_trust (BeckonJsonWriter *writer, BeckonRequest *request);

G_END_DECLS
