/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-reader.h"
#include "domain/beckon-usage.h"

G_BEGIN_DECLS

/**
 * BeckonChatDelta:
 *
 * What a delta, or a whole message, holds; a slice without text is one that is not there. Strings are strings; @parts,
 * @calls, @function_call, @details, @server_tools and @annotations are raw JSON. @server_tools is what the provider did with
 * tools of its own. @decoded is where @content and @reasoning_content may be.
 */
typedef struct
{
  gboolean present;
  GString *decoded; /* (unowned) */
  BeckonJsonSlice content;
  BeckonJsonSlice parts;
  BeckonJsonSlice reasoning_content;
  BeckonJsonSlice reasoning;
  BeckonJsonSlice refusal;
  BeckonJsonSlice calls;
  BeckonJsonSlice function_call;
  BeckonJsonSlice details;
  BeckonJsonSlice server_tools;
  BeckonJsonSlice annotations;
} BeckonChatDelta;

/**
 * BeckonChatChunk:
 * @has_choices: there is a list of choices, maybe an empty one
 * @delta: what the first choice adds
 * @message: what the first choice is, in a body that is no stream
 * @error: raw JSON of a reported error
 * @sources: raw JSON: what the provider found before it answered; Perplexity has it beside the choices
 * @searches: how often the provider searched the web; -1 if it does not say
 *
 * One payload of the protocol, as slices of its text.
 */
typedef struct
{
  gboolean has_choices;
  BeckonChatDelta delta;
  BeckonChatDelta message;
  BeckonJsonSlice finish;
  BeckonJsonSlice native_finish;
  BeckonJsonSlice error;
  gboolean has_usage;
  BeckonUsage usage;
  BeckonJsonSlice sources;
  gint64 searches;
} BeckonChatChunk;

/**
 * beckon_chat_chunk_read:
 * @chunk: (out caller-allocates): where to
 * @text: one JSON text, which has to outlive @chunk
 * @length: its bytes
 * @decoded: an empty string, which has to outlive @chunk as it is: what the model says may be decoded into it
 *
 * Reads a payload in one pass, without a copy but for @decoded. Of several choices only the one with index 0 counts.
 *
 * Returns: what is wrong with @text; then @chunk is not to be used
 */
BeckonJsonFault beckon_chat_chunk_read (BeckonChatChunk *chunk, const char *text, gsize length, GString *decoded);

G_END_DECLS
