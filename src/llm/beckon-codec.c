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

const char *
beckon_llm_end_to_string (BeckonLlmEnd end)
{
  switch (end)
    {
    case BECKON_LLM_END_COMPLETE:
      return "complete";
    case BECKON_LLM_END_LENGTH:
      return "length";
    case BECKON_LLM_END_TOOL_CALLS:
      return "tool_calls";
    case BECKON_LLM_END_REFUSAL:
      return "refusal";
    case BECKON_LLM_END_CONTENT_FILTER:
      return "content_filter";
    case BECKON_LLM_END_PAUSED:
      return "paused";
    case BECKON_LLM_END_CUT_OFF:
      return "cut_off";
    case BECKON_LLM_END_FAILED:
      return "failed";
    case BECKON_LLM_END_OTHER:
      return "other";
    default:
      g_return_val_if_reached (NULL);
    }
}

BeckonLlmRequest *
beckon_llm_request_new (BeckonProfile *profile, const char *system)
{
  BeckonLlmRequest *request;

  g_return_val_if_fail (BECKON_IS_PROFILE (profile), NULL);

  request = g_new0 (BeckonLlmRequest, 1);
  request->profile = g_object_ref (profile);
  request->system = g_strdup (system);
  request->messages = g_ptr_array_new_with_free_func (g_object_unref);
  request->tools = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_tool_definition_unref);
  return request;
}

void
beckon_llm_request_add_message (BeckonLlmRequest *request, BeckonMessage *message)
{
  g_return_if_fail (request != NULL);
  g_return_if_fail (BECKON_IS_MESSAGE (message));

  g_ptr_array_add (request->messages, g_object_ref (message));
}

void
beckon_llm_request_add_tool (BeckonLlmRequest *request, BeckonToolDefinition *tool)
{
  g_return_if_fail (request != NULL);
  g_return_if_fail (tool != NULL);

  g_ptr_array_add (request->tools, beckon_tool_definition_ref (tool));
}

void
beckon_llm_request_free (BeckonLlmRequest *request)
{
  if (request == NULL)
    return;
  g_object_unref (request->profile);
  g_free (request->system);
  g_free (request->cache_key);
  g_ptr_array_unref (request->messages);
  g_ptr_array_unref (request->tools);
  g_free (request);
}
