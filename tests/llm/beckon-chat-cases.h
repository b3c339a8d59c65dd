/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-event-log.h"

/* Replies as servers send them, right and wrong, and what has to come of each. To be readable, texts here are written
 * with ' for " and with ^ for a quote inside of a JSON string. */

#define DELTA(delta) "data: {'choices':[{'index':0,'delta':" delta "}]}\n\n"
#define TEXT(text) DELTA ("{'content':'" text "'}")
#define CALLS(pieces) DELTA ("{'tool_calls':[" pieces "]}")
#define FINISH(reason) "data: {'choices':[{'index':0,'delta':{},'finish_reason':'" reason "'}]}\n\n"
#define DONE "data: [DONE]\n\n"
#define ONE_CALL(arguments) CALLS ("{'index':0,'id':'a','function':{'name':'f','arguments':'" arguments "'}}")
#define BROKEN_OFF " (The reply broke off before its end, so none of its calls was run.)"
#define BAD " (The arguments are not a JSON object. Invalid JSON at byte "
#define END_EARLY ": the text ends too early.)"

/* The text with its quotes. */
GString *chat_case_expand (const char *text);

/**
 * Tries a reply, whose events have to be @lines, each behind a line's end. There are two ways to try it, of which a program has
 * one: beckon-case-decoded.c gives it to the decoder, in pieces of many lengths; in beckon-case-served.c a server sends it to a
 * provider, behind TLS with BECKON_TEST_TLS in the environment.
 */
void chat_case_try (const char *protocol, const char *text, gsize length, const char *lines);

/* Each has to give these lines. */
void assert_decoded_bytes (const char *text, gsize length, const char *expected);
void assert_decoded (const char *text, const char *expected);
void assert_decoded_by (const char *protocol, const char *text, const char *expected);
