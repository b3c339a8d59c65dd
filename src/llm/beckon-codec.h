/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-effort.h"
#include "domain/beckon-message.h"
#include "domain/beckon-profile.h"
#include "domain/beckon-tool-names.h"
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

/**
 * BeckonLlmRequest:
 * @profile: which model
 * @system: (nullable): the system prompt
 * @messages: (element-type BeckonMessage): the history, repaired: every call has its one result
 * @tools: (element-type BeckonToolDefinition): may be empty
 * @searches: the provider may search the web itself, as far as its protocol has that
 * @effort: how much the model is to reason
 * @cache_key: (nullable): the same for requests that begin alike; no more than 64 characters
 *
 * What one round asks of a model, in no provider's words.
 */
typedef struct
{
  BeckonProfile *profile;
  char *system;
  GPtrArray *messages;
  GPtrArray *tools;
  gboolean searches;
  BeckonEffort effort;
  char *cache_key;
} BeckonLlmRequest;

BeckonLlmRequest *beckon_llm_request_new (BeckonProfile *profile, const char *system) G_GNUC_WARN_UNUSED_RESULT;
void              beckon_llm_request_add_message (BeckonLlmRequest *request, BeckonMessage *message);
void              beckon_llm_request_add_tool (BeckonLlmRequest *request, BeckonToolDefinition *tool);
void              beckon_llm_request_free (BeckonLlmRequest *request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLlmRequest, beckon_llm_request_free)

typedef struct _BeckonDecoder BeckonDecoder;

/**
 * BeckonCodec:
 * @name: the protocol's name for people and for `beckonctl debug decode`, such as "chat"
 * @version: (nullable): what comes before @path when the base URL has no path of its own, such as "/v1"
 * @path: what is added to the base URL, such as "/chat/completions"; "{model}" stands for the model's name
 * @query: (nullable): what goes along in the address
 * @key_header: in which header the key goes
 * @key_prefix: what stands before it there, such as "Bearer "
 * @headers: (nullable) (array zero-terminated=1): names and values of other headers, in turns
 * @accept: the media type of a stream
 * @encode: makes a request's body
 * @decoder_new: makes a decoder of one reply
 *
 * One wire protocol: pure functions between our types and bytes. Static; no I/O.
 */
typedef struct
{
  const char *name;
  const char *version;
  const char *path;
  const char *query;
  const char *key_header;
  const char *key_prefix;
  const char *const *headers;
  const char *accept;
  GBytes *(*encode) (const BeckonLlmRequest *request);
  BeckonDecoder *(*decoder_new) (BeckonLlmEventFunc function, gpointer user_data);
} BeckonCodec;

/** By name; %NULL if there is none. */
const BeckonCodec *beckon_codec_lookup (const char *name);

/** The names of all there are; ends with %NULL; static. */
const char *const *beckon_codec_get_names (void);

/** The codec a profile speaks. Never %NULL. */
const BeckonCodec *beckon_codec_for_profile (BeckonProfile *profile);

/**
 * beckon_decoder_push:
 * @decoder: a decoder
 * @data: bytes of the response's body, cut anywhere
 * @length: how many
 * @error: return location
 *
 * Decodes what came; events are given before it returns. Framing (SSE, NDJSON) is the decoder's own affair.
 *
 * Returns: %FALSE with %BECKON_LLM_ERROR_TOO_LARGE when an event exceeds 8 MB; nothing more may be pushed then
 */
gboolean beckon_decoder_push (BeckonDecoder *decoder, const char *data, gsize length, GError **error);

/** Pushes one payload without framing, as a `.chunks.txt` recording has it. */
void beckon_decoder_push_payload (BeckonDecoder *decoder, const char *data, gsize length);

/** The body ended: gives what is still open, and the end event. Once. */
void beckon_decoder_finish (BeckonDecoder *decoder);

/** %TRUE once the protocol's own terminator came, after which nothing more is needed from the connection. */
gboolean beckon_decoder_is_terminated (BeckonDecoder *decoder);

void beckon_decoder_free (BeckonDecoder *decoder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonDecoder, beckon_decoder_free)

G_END_DECLS
