/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-opaque.h"
#include "llm/beckon-codec.h"

/* Requests to encode. */

BeckonLlmRequest *make_request (BeckonProfileKind kind, const char *system);

/* Borrowed; without a text the message has no part. */
BeckonMessage *add_message (BeckonLlmRequest *request, BeckonRole role, const char *text);
void           add_part (BeckonMessage *message, BeckonPartKind kind, const char *text);
void           add_opaque (BeckonMessage *message, const char *origin, const char *json);

/* Four bytes, "iVBORw==" in base64. */
void add_image (BeckonMessage *message);

/* Returns our own id of the call, borrowed from the message. */
const char *add_call (BeckonMessage *message, const char *provider_id, const char *name, const char *arguments,
                      const char *result);

/* The body by the protocol of the request's profile, which has to be strict JSON. Caller frees. */
char *encode (const BeckonLlmRequest *request);

/* Compares the body with a text that has ' for ". */
void assert_body (const BeckonLlmRequest *request, const char *expected);
