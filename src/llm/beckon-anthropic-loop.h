/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-llm-request.h"

G_BEGIN_DECLS

/**
 * BeckonAnthropicLoop:
 * @first: the message of the request with which the model's turn began, if it is still at work on it: the server takes calls
 *   and results up to the next message of the person's for one turn of the model. The number of messages if there is none
 * @thinks: that turn begins with a sealed thinking block
 *
 * Anthropic's servers allow one way to think in a turn: where it does not begin with a thinking block, a budget for thinking
 * is refused with "Expected `thinking` or `redacted_thinking`, but found `tool_use`", and where thinking is off, so are its
 * thinking blocks.
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking#toggling-thinking-modes-in-conversations
 */
typedef struct
{
  guint first;
  gboolean thinks;
} BeckonAnthropicLoop;

/** Looks for the turn that a request's history ends with. Pure; any thread. */
BeckonAnthropicLoop beckon_anthropic_loop_find (const BeckonLlmRequest *request);

/** %TRUE if a budget for thinking is not refused. */
gboolean beckon_anthropic_loop_may_think (const BeckonAnthropicLoop *loop, const BeckonLlmRequest *request);

G_END_DECLS
