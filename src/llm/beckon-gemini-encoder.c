/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-codec-private.h"
#include "beckon-effort-members.h"
#include "beckon-encoding.h"
#include "beckon-options.h"

#include "base/beckon-json-reader.h"
#include "domain/beckon-attachment.h"
#include "domain/beckon-provider-search.h"

#include <string.h>

#define ORIGIN "gemini"

/* Google's stand-in signature for a call that none of its models made. */
#define NO_SIGNATURE "skip_thought_signature_validator"

typedef struct
{
  BeckonJsonWriter writer;
  gboolean wants_signatures;
  gboolean has_response_parts;
} Encoder;

typedef struct
{
  BeckonJsonSlice type;
  gint64 call;
  gboolean is_thought;
  BeckonJsonSlice signature; /* raw */
  BeckonJsonSlice part;      /* raw */
} Block;

static const BeckonJsonMember block_members[] = {
  BECKON_JSON_STRING_MEMBER ("type", Block, type),
  BECKON_JSON_INT_MEMBER ("call", Block, call),
  BECKON_JSON_TRUE_MEMBER ("thought", Block, is_thought),
  BECKON_JSON_RAW_MEMBER ("thoughtSignature", Block, signature),
  BECKON_JSON_RAW_MEMBER ("part", Block, part),
  BECKON_JSON_MEMBERS_END,
};

static gboolean
gemini_encoder_read_block (BeckonPart *part, Block *block)
{
  *block = (Block) { .call = -1 };
  if (!beckon_opaque_is_from (part, ORIGIN))
    return FALSE;
  beckon_json_members_read_text (beckon_part_get_text (part), beckon_part_get_length (part), block_members, block);
  if (block->signature.text != NULL && block->signature.text[0] != '"')
    block->signature.text = NULL;
  return block->type.text != NULL;
}

static void
write_raw (BeckonJsonWriter *writer, const char *name, const BeckonJsonSlice *raw)
{
  beckon_json_writer_name (writer, name);
  beckon_json_writer_raw (writer, raw->text, (gssize) raw->length);
}

static void
begin_content (BeckonJsonWriter *writer, const char *role)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "role", role);
  beckon_json_writer_name (writer, "parts");
  beckon_json_writer_begin_array (writer);
}

static void
end_content (BeckonJsonWriter *writer)
{
  beckon_json_writer_end_array (writer);
  beckon_json_writer_end_object (writer);
}

static void
gemini_encoder_write_text (BeckonJsonWriter *writer, const char *text, gsize length, const BeckonJsonSlice *signature)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_name (writer, "text");
  beckon_json_writer_string (writer, text, (gssize) length);
  if (signature != NULL)
    write_raw (writer, "thoughtSignature", signature);
  beckon_json_writer_end_object (writer);
}

static void
gemini_encoder_write_image (BeckonJsonWriter *writer, const char *media_type, const BeckonBase64 *data)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_name (writer, "inlineData");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "mimeType", media_type);
  beckon_json_writer_member_plain (writer, "data", "", data->text, data->length);
  beckon_json_writer_end_object (writer);
  beckon_json_writer_end_object (writer);
}

/* The protocol has no name for it: https://ai.google.dev/gemini-api/docs/document-processing. */
static void
gemini_encoder_write_pdf (BeckonJsonWriter *writer, const char *name, const BeckonBase64 *data)
{
  g_autofree char *words = g_strdup_printf ("<attached-file name=\"%s\"/>", name);

  gemini_encoder_write_text (writer, words, strlen (words), NULL);
  gemini_encoder_write_image (writer, "application/pdf", data);
}

static void
gemini_encoder_write_user (Encoder *self, BeckonMessage *message)
{
  begin_content (&self->writer, "user");
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      const char *media_type;
      const BeckonBase64 *data = beckon_encoding_get_image (part, &media_type);
      const BeckonBase64 *pdf = beckon_encoding_get_pdf (part);

      if (pdf != NULL)
        gemini_encoder_write_pdf (&self->writer, beckon_attachment_get_name (part), pdf);
      else if (beckon_part_get_kind (part) == BECKON_PART_TEXT)
        gemini_encoder_write_text (&self->writer, beckon_part_get_text (part), beckon_part_get_length (part), NULL);
      else if (data != NULL)
        gemini_encoder_write_image (&self->writer, media_type, data);
    }
  end_content (&self->writer);
}

/* --- Replies ------------------------------------------------------------------------------------------------------ */

/* An id that the provider gave goes back; one that we made up would only puzzle it. */
static const char *
get_own_id (BeckonToolCall *call)
{
  const char *id = beckon_tool_call_get_provider_id (call);

  return *id != '\0' && strcmp (id, beckon_tool_call_get_id (call)) != 0 ? id : NULL;
}

static gboolean
find_signature (BeckonMessage *message, guint call, BeckonJsonSlice *signature)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      Block block;

      if (gemini_encoder_read_block (beckon_message_get_part (message, i), &block) && block.call == (gint64) call
          && block.signature.text != NULL)
        {
          *signature = block.signature;
          return TRUE;
        }
    }
  return FALSE;
}

static void
gemini_encoder_write_call (Encoder *self, BeckonMessage *message, BeckonToolCall *call, guint number)
{
  g_autofree char *arguments = beckon_encoding_dup_arguments (call);
  BeckonJsonWriter *writer = &self->writer;
  BeckonJsonSlice signature;

  beckon_json_writer_begin_object (writer);
  beckon_json_writer_name (writer, "functionCall");
  beckon_json_writer_begin_object (writer);
  if (get_own_id (call) != NULL)
    beckon_json_writer_member_string (writer, "id", get_own_id (call));
  beckon_encoding_write_name (writer, beckon_tool_call_get_name (call));
  beckon_json_writer_name (writer, "args");
  beckon_json_writer_raw (writer, arguments, -1);
  beckon_json_writer_end_object (writer);
  if (find_signature (message, number, &signature))
    write_raw (writer, "thoughtSignature", &signature);
  else if (self->wants_signatures && number == 0)
    beckon_json_writer_member_string (writer, "thoughtSignature", NO_SIGNATURE);
  beckon_json_writer_end_object (writer);
}

/* The signature that follows a text belongs to it; one that follows nothing has a part of its own. */
static void
write_part (Encoder *self, BeckonMessage *message, guint place)
{
  BeckonPart *part = beckon_message_get_part (message, place);
  gboolean is_text = beckon_part_get_kind (part) == BECKON_PART_TEXT;
  BeckonPart *previous = place > 0 ? beckon_message_get_part (message, place - 1) : NULL;
  BeckonPart *next = place + 1 < beckon_message_get_n_parts (message) ? beckon_message_get_part (message, place + 1)
                                                                      : NULL;
  Block block;

  if (is_text)
    {
      gboolean is_sealed = next != NULL && gemini_encoder_read_block (next,
                                                                      &block) && block.call < 0 && block.signature.text != NULL
                           && !block.is_thought;

      gemini_encoder_write_text (&self->writer, beckon_part_get_text (part), beckon_part_get_length (part),
                                 is_sealed ? &block.signature : NULL);
    }
  else if (!gemini_encoder_read_block (part, &block))
    return;
  else if (block.part.text != NULL && beckon_message_get_status (message) == BECKON_MESSAGE_COMPLETE)
    beckon_json_writer_raw (&self->writer, block.part.text, (gssize) block.part.length);
  else if (block.signature.text != NULL && block.call < 0
           && (block.is_thought || previous == NULL || beckon_part_get_kind (previous) != BECKON_PART_TEXT))
    gemini_encoder_write_text (&self->writer, "", 0, &block.signature);
}

static void
write_images (BeckonJsonWriter *writer, BeckonToolCall *call)
{
  for (guint i = 0; i < beckon_encoding_count_images (call); i++)
    {
      const char *media_type;
      const BeckonBase64 *data = beckon_encoding_get_image (beckon_tool_call_get_image (call, i), &media_type);

      if (data != NULL)
        gemini_encoder_write_image (writer, media_type, data);
    }
}

/* From the third generation on, a response has parts of its own for what is no text
 * (https://ai.google.dev/gemini-api/docs/function-calling#multimodal). */
static void
write_response_parts (Encoder *self, BeckonToolCall *call)
{
  if (!self->has_response_parts || beckon_encoding_count_images (call) == 0)
    return;
  beckon_json_writer_name (&self->writer, "parts");
  beckon_json_writer_begin_array (&self->writer);
  write_images (&self->writer, call);
  beckon_json_writer_end_array (&self->writer);
}

/* Older models refuse these parts, and also a turn that has more parts than there were calls
 * (https://github.com/google-gemini/gemini-cli/pull/16137), so that pictures are a turn of their own. */
static void
write_images_behind (Encoder *self, GPtrArray *calls)
{
  g_autofree char *words = beckon_encoding_dup_images_words (calls);

  if (self->has_response_parts || words == NULL)
    return;
  begin_content (&self->writer, "user");
  gemini_encoder_write_text (&self->writer, words, strlen (words), NULL);
  for (guint i = 0; i < calls->len; i++)
    write_images (&self->writer, g_ptr_array_index (calls, i));
  end_content (&self->writer);
}

static void
gemini_encoder_write_result (Encoder *self, BeckonToolCall *call)
{
  BeckonJsonWriter *writer = &self->writer;
  gboolean is_error = beckon_tool_call_get_is_error (call) || beckon_tool_call_get_result (call) == NULL;
  g_autofree char *result = beckon_encoding_dup_result (call);

  beckon_json_writer_begin_object (writer);
  beckon_json_writer_name (writer, "functionResponse");
  beckon_json_writer_begin_object (writer);
  if (get_own_id (call) != NULL)
    beckon_json_writer_member_string (writer, "id", get_own_id (call));
  beckon_encoding_write_name (writer, beckon_tool_call_get_name (call));
  beckon_json_writer_name (writer, "response");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, is_error ? "error" : "output", result);
  beckon_json_writer_end_object (writer);
  write_response_parts (self, call);
  beckon_json_writer_end_object (writer);
  beckon_json_writer_end_object (writer);
}

static gboolean
has_parts (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      BeckonPartKind kind = beckon_part_get_kind (part);

      if (kind == BECKON_PART_TEXT || kind == BECKON_PART_CALL || beckon_opaque_is_from (part, ORIGIN))
        return TRUE;
    }
  return FALSE;
}

static void
write_model (Encoder *self, BeckonMessage *message)
{
  g_autoptr (GPtrArray) calls = beckon_encoding_list_calls (message);
  guint number = 0;

  if (!has_parts (message))
    return;
  begin_content (&self->writer, "model");
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));

      if (call != NULL)
        gemini_encoder_write_call (self, message, call, number++);
      else
        write_part (self, message, i);
    }
  end_content (&self->writer);
  if (calls->len == 0)
    return;
  begin_content (&self->writer, "user");
  for (guint i = 0; i < calls->len; i++)
    gemini_encoder_write_result (self, g_ptr_array_index (calls, i));
  end_content (&self->writer);
  write_images_behind (self, calls);
}

/* --- The request -------------------------------------------------------------------------------------------------- */

static void
write_contents (Encoder *self, const BeckonLlmRequest *request)
{
  beckon_json_writer_name (&self->writer, "contents");
  beckon_json_writer_begin_array (&self->writer);
  for (guint i = 0; i < request->messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (request->messages, i);

      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        gemini_encoder_write_user (self, message);
      else
        write_model (self, message);
    }
  beckon_json_writer_end_array (&self->writer);
}

static void
write_system (BeckonJsonWriter *writer, const char *system)
{
  if (system == NULL || *system == '\0')
    return;
  beckon_json_writer_name (writer, "systemInstruction");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_name (writer, "parts");
  beckon_json_writer_begin_array (writer);
  gemini_encoder_write_text (writer, system, strlen (system), NULL);
  beckon_json_writer_end_array (writer);
  beckon_json_writer_end_object (writer);
}

static void
write_functions (BeckonJsonWriter *writer, GPtrArray *tools)
{
  if (tools->len == 0)
    return;
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_name (writer, "functionDeclarations");
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < tools->len; i++)
    {
      const BeckonToolDefinition *tool = g_ptr_array_index (tools, i);

      beckon_json_writer_begin_object (writer);
      beckon_encoding_write_declaration (writer, tool, "parametersJsonSchema");
      beckon_json_writer_end_object (writer);
    }
  beckon_json_writer_end_array (writer);
  beckon_json_writer_end_object (writer);
}

/* Beside functions the search has to say what it did, so that it can go back with what they gave. */
static void
write_search (BeckonJsonWriter *writer)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_name (writer, "googleSearch");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_end_object (writer);
  beckon_json_writer_end_object (writer);
}

static void
write_search_config (BeckonJsonWriter *writer)
{
  beckon_json_writer_name (writer, "toolConfig");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_boolean (writer, "includeServerSideToolInvocations", TRUE);
  beckon_json_writer_end_object (writer);
}

/* Before the third generation a request has either functions or the search
 * (https://ai.google.dev/gemini-api/docs/tool-combination). */
static void
write_tools (BeckonJsonWriter *writer, const BeckonLlmRequest *request)
{
  gboolean searches = request->searches && (request->tools->len == 0 || beckon_provider_search_is_known (request->profile));

  if (request->tools->len == 0 && !searches)
    return;
  beckon_json_writer_name (writer, "tools");
  beckon_json_writer_begin_array (writer);
  write_functions (writer, request->tools);
  if (searches)
    write_search (writer);
  beckon_json_writer_end_array (writer);
  if (searches && request->tools->len > 0)
    write_search_config (writer);
}

static void
gemini_encoder_write_options (BeckonJsonWriter *writer, const BeckonLlmRequest *request)
{
  BeckonProfile *profile = request->profile;
  BeckonOptions options;
  gboolean has_config;

  beckon_options_init (&options, writer, profile);
  has_config = beckon_options_replaces (&options, "generationConfig") || beckon_effort_has_gemini (profile, request->effort)
               || beckon_profile_get_temperature (profile) >= 0 || beckon_profile_get_output_limit (profile) > 0;
  if (has_config)
    {
      beckon_options_begin_object (&options, "generationConfig");
      beckon_effort_write_gemini (&options, request->effort);
      beckon_options_write_temperature (&options, "temperature", BECKON_PROFILE_TEMPERATURE_MAX);
      beckon_options_write_limit (&options, "maxOutputTokens", 0);
      beckon_options_end_object (&options);
    }
  beckon_options_finish (&options);
}

/* 0 of what has another name. */
static guint64
find_generation (const char *model)
{
  const char *name = strstr (model, "gemini-");

  return name != NULL ? g_ascii_strtoull (name + strlen ("gemini-"), NULL, 10) : 0;
}

/* Which model is meant stands in the address. */
GBytes *
beckon_gemini_encode (const BeckonLlmRequest *request)
{
  const char *model = beckon_profile_get_model (request->profile);
  GString *body = g_string_sized_new (4096);
  gboolean is_third = find_generation (model) >= 3;
  Encoder encoder = { .wants_signatures = is_third, .has_response_parts = is_third };

  beckon_json_writer_init (&encoder.writer, body);
  beckon_json_writer_begin_object (&encoder.writer);
  write_system (&encoder.writer, request->system);
  write_tools (&encoder.writer, request);
  write_contents (&encoder, request);
  gemini_encoder_write_options (&encoder.writer, request);
  beckon_json_writer_end_object (&encoder.writer);
  return g_string_free_to_bytes (body);
}

const BeckonCodec beckon_codec_gemini = {
  .name = ORIGIN,
  .version = "/v1beta",
  .path = "/models/{model}:streamGenerateContent",
  .query = "alt=sse",
  .key_header = "x-goog-api-key",
  .key_prefix = "",
  .accept = "text/event-stream",
  .encode = beckon_gemini_encode,
  .decoder_new = beckon_gemini_decoder_new,
};
