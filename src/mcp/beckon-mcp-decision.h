/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-question.h"

G_BEGIN_DECLS

/**
 * beckon_mcp_decision_new:
 * @text: the whole of what is decided, in Markdown, translated
 *
 * Makes the question whether a server may do something, for beckon_question_request_allows(): not to allow it is the first
 * choice, to allow it the last.
 *
 * Returns: (transfer full) (nullable): %NULL where @text is no question
 */
BeckonQuestion *beckon_mcp_decision_new (const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
