/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-codec.h"

G_BEGIN_DECLS

/** A decoder's functions; each is behind the one of beckon-codec.h with its name. */
typedef struct
{
  gboolean (*push) (BeckonDecoder *decoder, const char *data, gsize length, GError **error);
  void (*push_payload) (BeckonDecoder *decoder, const char *data, gsize length);
  void (*finish) (BeckonDecoder *decoder);
  gboolean (*is_terminated) (BeckonDecoder *decoder);
  void (*free) (BeckonDecoder *decoder);
} BeckonDecoderClass;

/** The first member of every protocol's decoder. */
struct _BeckonDecoder
{
  const BeckonDecoderClass *klass;
};

extern const BeckonCodec beckon_codec_chat;
extern const BeckonCodec beckon_codec_anthropic;
extern const BeckonCodec beckon_codec_gemini;
extern const BeckonCodec beckon_codec_ollama;
extern const BeckonCodec beckon_codec_responses;

GBytes *beckon_chat_encode (const BeckonLlmRequest *request);

GBytes        *beckon_anthropic_encode (const BeckonLlmRequest *request);
BeckonDecoder *beckon_anthropic_decoder_new (BeckonLlmEventFunc function, gpointer user_data);

GBytes        *beckon_gemini_encode (const BeckonLlmRequest *request);
BeckonDecoder *beckon_gemini_decoder_new (BeckonLlmEventFunc function, gpointer user_data);

GBytes        *beckon_responses_encode (const BeckonLlmRequest *request);
BeckonDecoder *beckon_responses_decoder_new (BeckonLlmEventFunc function, gpointer user_data);

G_END_DECLS
