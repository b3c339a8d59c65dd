/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

G_BEGIN_DECLS

/**
 * BeckonLoop:
 * @BECKON_LOOP_NONE: nothing of the kind
 * @BECKON_LOOP_SAME: the very same call for the third time in a row
 * @BECKON_LOOP_PAIR: two calls that take turns, for the third time
 * @BECKON_LOOP_MANY: a great many calls in one turn
 *
 * What shows that a model goes round in circles.
 */
typedef enum
{
  BECKON_LOOP_NONE,
  BECKON_LOOP_SAME,
  BECKON_LOOP_PAIR,
  BECKON_LOOP_MANY,
} BeckonLoop;

#define BECKON_LOOP_MANY_CALLS 500

/** How many replies whose calls are all refused end the turn. */
#define BECKON_LOOP_MAX_REFUSED 6

/**
 * beckon_loop_guard_find:
 * @conversation: the conversation, with all messages of its last turn
 * @siblings: (nullable) (element-type BeckonToolCall): the calls of a reply that is not among the messages yet
 * @call: one of them, or of the last message
 *
 * Looks at the turn's calls before @call, back to the last one that a person let run: what a person saw is counted anew.
 */
BeckonLoop beckon_loop_guard_find (BeckonConversation *conversation, GPtrArray *siblings, BeckonToolCall *call);

/** Whether the call before @call is the very same, and had @result, too; see beckon_loop_guard_find(). */
gboolean beckon_loop_guard_is_repeat (BeckonConversation *conversation, BeckonToolCall *call, const char *result);

/**
 * beckon_loop_guard_find_refused:
 * @conversation: the conversation, with all messages of its last turn
 *
 * Looks for calls that were refused before they began: one of the last message, and two just like it in the same turn; or all
 * of the last %BECKON_LOOP_MAX_REFUSED replies, whatever they are.
 *
 * Returns: (nullable): why the turn ends, in words for a person, translated; static
 */
const char *beckon_loop_guard_find_refused (BeckonConversation *conversation);

/** The loop in words for a person, translated; static. */
const char *beckon_loop_to_reason (BeckonLoop loop);

G_END_DECLS
