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

/* Decodes in pieces of many lengths; each has to give these lines. */
void assert_decoded_bytes (const char *text, gsize length, const char *expected);
void assert_decoded (const char *text, const char *expected);
void assert_decoded_by (const char *protocol, const char *text, const char *expected);
