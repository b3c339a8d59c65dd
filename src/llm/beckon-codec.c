/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-codec-private.h"

static const BeckonCodec *const codecs[] = {
  &beckon_codec_chat, &beckon_codec_responses, &beckon_codec_anthropic, &beckon_codec_gemini, &beckon_codec_ollama,
};

const BeckonCodec *
beckon_codec_lookup (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (codecs); i++)
    {
      if (g_str_equal (codecs[i]->name, name))
        return codecs[i];
    }
  return NULL;
}

const char *const *
beckon_codec_get_names (void)
{
  static const char *names[G_N_ELEMENTS (codecs) + 1];

  for (guint i = 0; i < G_N_ELEMENTS (codecs); i++)
    names[i] = codecs[i]->name;
  return names;
}

const BeckonCodec *
beckon_codec_for_profile (BeckonProfile *profile)
{
  const BeckonCodec *codec = beckon_codec_lookup (beckon_profile_kind_to_string (beckon_profile_get_kind (profile)));

  /* The tour has no protocol of its own. */
  return codec != NULL ? codec : &beckon_codec_chat;
}

gboolean
beckon_decoder_push (BeckonDecoder *decoder, const char *data, gsize length, GError **error)
{
  g_return_val_if_fail (decoder != NULL, FALSE);
  g_return_val_if_fail (data != NULL || length == 0, FALSE);

  return decoder->klass->push (decoder, data, length, error);
}

void
beckon_decoder_push_payload (BeckonDecoder *decoder, const char *data, gsize length)
{
  g_return_if_fail (decoder != NULL);
  g_return_if_fail (data != NULL || length == 0);

  decoder->klass->push_payload (decoder, data, length);
}

void
beckon_decoder_finish (BeckonDecoder *decoder)
{
  g_return_if_fail (decoder != NULL);

  decoder->klass->finish (decoder);
}

gboolean
beckon_decoder_is_terminated (BeckonDecoder *decoder)
{
  g_return_val_if_fail (decoder != NULL, FALSE);

  return decoder->klass->is_terminated (decoder);
}

void
beckon_decoder_free (BeckonDecoder *decoder)
{
  if (decoder != NULL)
    decoder->klass->free (decoder);
}
