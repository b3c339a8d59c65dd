/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"
#include "form/beckon-form.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

#define BECKON_TYPE_FORM_REQUEST (beckon_form_request_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFormRequest, beckon_form_request, BECKON, FORM_REQUEST, BeckonRequest)

/**
 * BeckonFormRequest:
 *
 * A server of tools that asks the person, while one of its tools runs: a form to fill in, or an address to open. Its words are
 * those of an untrusted party. Answers: %BECKON_ANSWER_FORM with what is filled in, or that the address was opened;
 * %BECKON_ANSWER_DECLINED; %BECKON_ANSWER_SKIP, no decision. Stored and published as a form, beside #BeckonOutcomeRequest.
 */

/**
 * beckon_form_request_new:
 * @conversation_id: whose run it is
 * @server: the server's name for people
 * @params: `params` of elicitation/create as JSON, of either revision and either mode
 * @asked_at: microseconds since the epoch
 * @error: return location
 *
 * Returns: (transfer full): a pending request about no call; %NULL with %BECKON_ERROR_INVALID, in English, for the server
 */
BeckonRequest *beckon_form_request_new (const char *conversation_id, const char *server, const char *params, gint64 asked_at,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Bytes of what a call can be sent again from. */
#define BECKON_FORM_REQUEST_MAX_RESUMPTION (256 * 1024)

/**
 * beckon_form_request_set_resumption:
 * @request: a request that was not asked yet
 * @key: which of those it is that the server made at once
 * @resumption: all that the call can be sent again from; the same for each of them
 *
 * Makes it outlive its process: the answer is used when the call is sent again.
 */
void beckon_form_request_set_resumption (BeckonRequest *request, const char *key, const char *resumption);

/** (nullable): %NULL for all other requests, and for one that ends with its process. Borrowed. */
const char *beckon_form_request_get_key (BeckonRequest *request);
const char *beckon_form_request_get_resumption (BeckonRequest *request);

/** (nullable): the running call that asked, for one that outlives its process; the agent sets it before it is stored. */
const char *beckon_form_request_get_asking_call (BeckonRequest *request);
void        beckon_form_request_set_asking_call (BeckonRequest *request, const char *call_id);

/** Whether the answer of one that outlives its process was noted to go to the server; it is not sent again then. */
gboolean beckon_form_request_is_delivered (BeckonRequest *request);
void     beckon_form_request_set_delivered (BeckonRequest *request);

/** (nullable): a stored form without what its call could be sent again from; %NULL if it has none. Caller frees. */
char *beckon_form_request_dup_portable (const char *body);

/** Writes an answer for the server: ElicitResult as JSON. @answer: (nullable): nobody could be asked. Caller frees. */
char *beckon_form_request_dup_result (BeckonRequest *request, const BeckonAnswer *answer) G_GNUC_WARN_UNUSED_RESULT;

/** The server's name; why it asks. Neither is trusted. Borrowed. */
const char *beckon_form_request_get_server (BeckonRequest *request);
const char *beckon_form_request_get_message (BeckonRequest *request);

/** (nullable): the schema of what is to be filled in, as JSON; %NULL for an address. Borrowed. */
const char *beckon_form_request_get_schema (BeckonRequest *request);

/** (nullable): a field that looks like a secret, as people call it; not trusted. Borrowed. */
const char *beckon_form_request_get_secret (BeckonRequest *request);

/**
 * beckon_form_request_get_secrets:
 *
 * Returns: (transfer none) (nullable) (element-type utf8): names of fields that look like secrets and are typed; %NULL where
 *   there are none. What is typed there is masked: the vault has it, and the journal a handle.
 */
GPtrArray *beckon_form_request_get_secrets (BeckonRequest *request);

/** (nullable): what @text, an answer, has in the field @name: a string as it is, anything else as JSON. Caller wipes it. */
char *beckon_form_request_dup_value (const char *text, const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** @text with another value in that field, as a string unless it is one of numbers and @value is a number. Caller wipes it. */
char *beckon_form_request_dup_with (BeckonRequest *request, const char *text, const char *name,
                                    const char *value) G_GNUC_WARN_UNUSED_RESULT;

gboolean    beckon_form_request_is_url (BeckonRequest *request);
const char *beckon_form_request_get_url (BeckonRequest *request);
const char *beckon_form_request_get_elicitation_id (BeckonRequest *request);

/** The host that an address leads to, as it is written, with its port; fit to show. Caller frees. */
char *beckon_form_request_dup_host (BeckonRequest *request);

/** Warnings about an address, translated; %NULL where there is nothing. Caller frees. */
char *beckon_form_request_dup_url_warning (BeckonRequest *request);

/** Whether each field has a control of its own; what has none is written as JSON. */
gboolean beckon_form_request_is_flat (BeckonRequest *request);

/** The form to fill in, with its defaults; not for an address. Caller owns. */
BeckonForm *beckon_form_request_make_form (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** "GitHub server asks", translated, fit to show. Caller frees. */
char *beckon_form_request_dup_title (BeckonRequest *request);

/** The question and its answer in one line for the conversation, with secrets masked; translated. Caller frees. */
char *beckon_form_request_dup_trace (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** That an address was dealt with, for the line of the running call; translated. Caller frees. */
char *beckon_form_request_dup_completed_words (BeckonRequest *request);

/**
 * beckon_form_request_holds_up:
 * @message: a message with calls
 *
 * Returns: %TRUE if a call of it runs, and each that does waits for a form that survives this process
 */
gboolean beckon_form_request_holds_up (BeckonMessage *message);

G_END_DECLS
