/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-codec.h"

G_BEGIN_DECLS

/** What a protocol's decoder can do; each of its functions is behind the one of beckon-codec.h with its name. */
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

GBytes *beckon_chat_encode (const BeckonLlmRequest *request);

G_END_DECLS
