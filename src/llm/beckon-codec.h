/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "llm/beckon-llm-event.h"
#include "llm/beckon-llm-request.h"

G_BEGIN_DECLS

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
