/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-usage.h"
#include "net/beckon-llm-error.h"

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonLlmEnd:
 * @BECKON_LLM_END_OTHER: for a reason that is not known here; the event's text has it as the provider wrote it
 *
 * How a reply ended, by the protocol's own words; see beckon_llm_end_to_string() for the names of `debug decode`.
 */
typedef enum
{
  BECKON_LLM_END_COMPLETE,
  BECKON_LLM_END_LENGTH,
  BECKON_LLM_END_TOOL_CALLS,
  BECKON_LLM_END_REFUSAL,
  BECKON_LLM_END_CONTENT_FILTER,
  BECKON_LLM_END_PAUSED,
  BECKON_LLM_END_CUT_OFF,
  BECKON_LLM_END_FAILED,
  BECKON_LLM_END_OTHER,
} BeckonLlmEnd;

/**
 * BeckonLlmEventType:
 * @BECKON_LLM_EVENT_TEXT: a piece of the reply
 * @BECKON_LLM_EVENT_REASONING: a piece of reasoning
 * @BECKON_LLM_EVENT_OPAQUE: a block of the provider's own is whole; `text` is its JSON, to be kept with the reply and
 *   returned byte-equal to the provider it came from
 * @BECKON_LLM_EVENT_CALL_STARTED: a call is being assembled, once for each; `name` as far as known, may be empty; for
 *   display only, and for the place of the call among the text
 * @BECKON_LLM_EVENT_CALL: a call is whole; `arguments` are strict JSON
 * @BECKON_LLM_EVENT_BAD_CALL: a call whose arguments are not whole, strict JSON; `text` says what is wrong, in English;
 *   `arguments` as they came; it never runs
 * @BECKON_LLM_EVENT_USAGE: usage, once
 * @BECKON_LLM_EVENT_ERROR: the provider reported an error inside the stream; `text` is its message, fit to show;
 *   a provider may say it twice; `error` says what kind it is as far as its words tell
 * @BECKON_LLM_EVENT_END: the last one, exactly once; `end`, and `text` as far as the model explained a refusal, or a
 *   provider its filter or a reason of its own
 */
typedef enum
{
  BECKON_LLM_EVENT_TEXT,
  BECKON_LLM_EVENT_REASONING,
  BECKON_LLM_EVENT_OPAQUE,
  BECKON_LLM_EVENT_CALL_STARTED,
  BECKON_LLM_EVENT_CALL,
  BECKON_LLM_EVENT_BAD_CALL,
  BECKON_LLM_EVENT_USAGE,
  BECKON_LLM_EVENT_ERROR,
  BECKON_LLM_EVENT_END,
} BeckonLlmEventType;

/**
 * BeckonLlmEvent:
 * @text: (nullable): valid UTF-8, @length bytes, may hold NUL; borrowed for the time of the call
 * @id: (nullable): the provider's id of a call
 * @index: the call's place in the reply, from 0, dense
 *
 * One thing that came, on the stack of the decoder.
 */
typedef struct
{
  BeckonLlmEventType type;
  const char *text;
  gsize length;
  guint index;
  const char *id;
  const char *name;
  const char *arguments;
  BeckonUsage usage;
  BeckonLlmEnd end;
  BeckonLlmError error;
} BeckonLlmEvent;

typedef void (*BeckonLlmEventFunc) (const BeckonLlmEvent *event, gpointer user_data);

/** "complete", "length", "tool_calls", "refusal", "content_filter", "paused", "cut_off", "failed", "other"; static. */
const char *beckon_llm_end_to_string (BeckonLlmEnd end);

G_END_DECLS
