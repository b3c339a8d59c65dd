/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-codec-private.h"
#include "beckon-llm-calls.h"

#include "base/beckon-json-reader.h"

G_BEGIN_DECLS

typedef struct _BeckonReplyDecoder BeckonReplyDecoder;

/**
 * BeckonReplyProtocol:
 * @size: bytes of the struct that begins with a #BeckonReplyDecoder
 * @by_lines: payloads are lines; otherwise they are events of a stream, or the body is one value
 * @init: (nullable): fills in the rest of the struct, which is zeroed
 * @take: reads one payload; @is_error says that the framing called it an error
 * @take_whole: (nullable): reads a body that is one value; %NULL when that is like one payload. Sets `is_done` when
 *   it is a reply
 * @finish: (nullable): closes what is still open, before calls, usage and end are given
 * @clear: (nullable): frees what @init made
 *
 * What the decoder of one protocol does differently from another's.
 */
typedef struct
{
  gsize size;
  gboolean by_lines;
  void (*init) (BeckonReplyDecoder *decoder);
  BeckonJsonFault (*take) (BeckonReplyDecoder *decoder, const char *text, gsize length, gboolean is_error);
  BeckonJsonFault (*take_whole) (BeckonReplyDecoder *decoder, const char *text, gsize length);
  void (*finish) (BeckonReplyDecoder *decoder);
  void (*clear) (BeckonReplyDecoder *decoder);
} BeckonReplyProtocol;

/**
 * BeckonReplyDecoder:
 * @calls: the calls, given at the end
 * @has_finish: the protocol said how the reply ended, in @finish
 * @is_cut_at_length: the length ended it, whatever @finish says
 * @refusal: as far as the model explained why it refuses, or the provider what it filtered
 * @reason: the provider's word for %BECKON_LLM_END_OTHER
 * @has_usage: @usage was reported
 * @is_failed: an error was reported
 * @is_done: the protocol's own last word came; what follows is ignored
 * @text_length: bytes of the text that was given last, if nothing else followed it
 * @has_text: some text was given
 *
 * What the decoders of all protocols have in common: the framing of payloads, and how a reply ends. It is the first
 * member of a protocol's own struct.
 */
struct _BeckonReplyDecoder
{
  BeckonDecoder parent;

  BeckonLlmCalls *calls;
  gboolean has_finish;
  BeckonLlmEnd finish;
  gboolean is_cut_at_length;
  GString *refusal;
  GString *reason;
  gboolean has_usage;
  BeckonUsage usage;
  gboolean is_failed;
  gboolean is_done;
  gsize text_length;
  gboolean has_text;

  /* its own */
  const BeckonReplyProtocol *protocol;
  BeckonLlmEventFunc function;
  gpointer user_data;
  int framing;
  struct _BeckonSseParser *events;
  GString *whole; /* a body that is one value, or a line that is not over */
  GString *scratch;
  guint n_ignored;
  gboolean is_finished;
};

BeckonDecoder *beckon_reply_decoder_new (const BeckonReplyProtocol *protocol, BeckonLlmEventFunc function,
                                         gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

/** Gives a piece of text or reasoning; nothing where @slice is empty. */
void beckon_reply_decoder_give_text (BeckonReplyDecoder *decoder, BeckonLlmEventType type,
                                     const BeckonJsonSlice *slice);

/** Gives a block of the provider's own; one that is not strict JSON could never be returned, and is dropped. */
void beckon_reply_decoder_give_opaque (BeckonReplyDecoder *decoder, const char *json, gsize length);

/** Says how the reply ended. The first word counts; what repeats it has nothing to add. */
void beckon_reply_decoder_set_finish (BeckonReplyDecoder *decoder, BeckonLlmEnd finish);

/** Says that the reply ended for a reason that is not known here. The first word counts, as above. */
void beckon_reply_decoder_set_other_finish (BeckonReplyDecoder *decoder, const BeckonJsonSlice *reason);

/** Adds to the explanation of a refusal, a string; the rest of a very long one is dropped. */
void beckon_reply_decoder_add_refusal (BeckonReplyDecoder *decoder, const BeckonJsonSlice *refusal);

/** Reports an error, in words fit to show; "" stands for one without words. */
void beckon_reply_decoder_fail (BeckonReplyDecoder *decoder, const char *message);

/** Reports an error whose message is somewhere in @error, raw JSON. */
void beckon_reply_decoder_fail_with (BeckonReplyDecoder *decoder, const BeckonJsonSlice *error);

/** Reports that a call was too much, unless @fits. */
void beckon_reply_decoder_check_calls (BeckonReplyDecoder *decoder, gboolean fits);

G_END_DECLS
