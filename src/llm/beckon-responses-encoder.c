/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-codec-private.h"
#include "beckon-effort-members.h"
#include "beckon-encoding.h"
#include "beckon-options.h"

#include "base/beckon-json-reader.h"
#include "domain/beckon-attachment.h"
#include "domain/beckon-citation.h"

#include <string.h>

/* The provider stores nothing, so reasoning is sent sealed. */

#define ORIGIN "responses"

typedef struct
{
  BeckonJsonWriter writer;
  GHashTable *used_ids;
} Encoder;

typedef struct
{
  BeckonJsonSlice type;
  BeckonJsonSlice sealed;
  BeckonJsonSlice id; /* raw, as are those below */
  BeckonJsonSlice status;
  BeckonJsonSlice phase;
} Item;

static gboolean
responses_encoder_says (const BeckonJsonSlice *slice, const char *word)
{
  return slice->text != NULL && beckon_json_slice_equals (slice, word);
}

/* Without a type if @part is nothing of this protocol's. */
static Item
responses_encoder_read_item (BeckonPart *part)
{
  static const BeckonJsonMember members[] = {
    BECKON_JSON_STRING_MEMBER ("type", Item, type),
    BECKON_JSON_STRING_MEMBER ("encrypted_content", Item, sealed),
    BECKON_JSON_RAW_MEMBER ("id", Item, id),
    BECKON_JSON_RAW_MEMBER ("status", Item, status),
    BECKON_JSON_RAW_MEMBER ("phase", Item, phase),
    BECKON_JSON_MEMBERS_END,
  };
  Item item = { 0 };

  if (beckon_opaque_is_from (part, ORIGIN))
    beckon_json_members_read_text (beckon_part_get_text (part), beckon_part_get_length (part), members, &item);
  return item;
}

static gboolean
accepts_id (const char *id)
{
  return *id != '\0' && strlen (id) <= 64;
}

static void
begin_message (BeckonJsonWriter *writer, const char *role)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", "message");
  beckon_json_writer_member_string (writer, "role", role);
  beckon_json_writer_name (writer, "content");
  beckon_json_writer_begin_array (writer);
}

static void
end_message (BeckonJsonWriter *writer)
{
  beckon_json_writer_end_array (writer);
  beckon_json_writer_end_object (writer);
}

static void
responses_encoder_write_text (BeckonJsonWriter *writer, const char *type, BeckonPart *part)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", type);
  beckon_json_writer_name (writer, "text");
  beckon_json_writer_string (writer, beckon_part_get_text (part), (gssize) beckon_part_get_length (part));
}

static void
write_input_text (BeckonJsonWriter *writer, BeckonPart *part)
{
  responses_encoder_write_text (writer, "input_text", part);
  beckon_json_writer_end_object (writer);
}

/* OpenAI's document requires the list, and strict servers want it though it is empty. */
static void
write_output_text (BeckonJsonWriter *writer, BeckonPart *part, const BeckonJsonSlice *annotations)
{
  gboolean is_there = annotations->text != NULL;

  responses_encoder_write_text (writer, "output_text", part);
  beckon_json_writer_name (writer, "annotations");
  beckon_json_writer_raw (writer, is_there ? annotations->text : "[]", is_there ? (gssize) annotations->length : 2);
  beckon_json_writer_end_object (writer);
}

static void
responses_encoder_write_image (BeckonJsonWriter *writer, const char *media_type, const BeckonBase64 *data)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", "input_image");
  beckon_json_writer_member_string (writer, "detail", "auto");
  beckon_encoding_member_data_url (writer, "image_url", media_type, data);
  beckon_json_writer_end_object (writer);
}

/* https://platform.openai.com/docs/guides/pdf-files */
static void
responses_encoder_write_pdf (BeckonJsonWriter *writer, const char *name, const BeckonBase64 *data)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", "input_file");
  beckon_json_writer_member_string (writer, "filename", name);
  beckon_encoding_member_data_url (writer, "file_data", "application/pdf", data);
  beckon_json_writer_end_object (writer);
}

static void
responses_encoder_write_user (Encoder *self, BeckonMessage *message)
{
  BeckonJsonWriter *writer = &self->writer;

  begin_message (writer, "user");
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      const char *media_type;
      const BeckonBase64 *data = beckon_encoding_get_image (part, &media_type);
      const BeckonBase64 *pdf = beckon_encoding_get_pdf (part);

      if (pdf != NULL)
        responses_encoder_write_pdf (writer, beckon_attachment_get_name (part), pdf);
      else if (beckon_part_get_kind (part) == BECKON_PART_TEXT)
        write_input_text (writer, part);
      else if (data != NULL)
        responses_encoder_write_image (writer, media_type, data);
    }
  end_message (writer);
}

/* Reasoning without a seal is known by its id alone, which is not kept. A search goes back whole, because the reasoning before
 * it is refused without what it led to. */
static gboolean
may_return (BeckonPart *part)
{
  Item item = responses_encoder_read_item (part);

  return (item.sealed.length > 0 && (responses_encoder_says (&item.type, "reasoning") || responses_encoder_says (&item.type,
                                                                                                                 "compaction")))
         || responses_encoder_says (&item.type, "web_search_call");
}

/* Reasoning has to lead to something. */
static gboolean
is_followed (BeckonMessage *message, guint place)
{
  for (guint i = place + 1; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);

      if (beckon_part_get_kind (part) == BECKON_PART_CALL
          || (beckon_part_get_kind (part) == BECKON_PART_TEXT && beckon_part_get_length (part) > 0))
        return TRUE;
    }
  return FALSE;
}

static void
responses_encoder_write_call (BeckonJsonWriter *writer, BeckonToolCall *call, const char *id)
{
  g_autofree char *arguments = beckon_encoding_dup_arguments (call);

  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", "function_call");
  beckon_json_writer_member_string (writer, "call_id", id);
  beckon_encoding_write_name (writer, beckon_tool_call_get_name (call));
  beckon_json_writer_member_string (writer, "arguments", arguments);
  beckon_json_writer_end_object (writer);
}

/* An output is a text, or a list of what a message of the person's may hold (FunctionCallOutput in
 * https://platform.openai.com/docs/api-reference/responses/create). Not every server that took the protocol over knows the
 * list, so it is one only where it has to be. */
static void
write_output_list (BeckonJsonWriter *writer, BeckonToolCall *call, const char *result)
{
  beckon_json_writer_begin_array (writer);
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", "input_text");
  beckon_json_writer_member_string (writer, "text", result);
  beckon_json_writer_end_object (writer);
  for (guint i = 0; i < beckon_encoding_count_images (call); i++)
    {
      const char *media_type;
      const BeckonBase64 *data = beckon_encoding_get_image (beckon_tool_call_get_image (call, i), &media_type);

      if (data != NULL)
        responses_encoder_write_image (writer, media_type, data);
    }
  beckon_json_writer_end_array (writer);
}

static void
responses_encoder_write_result (BeckonJsonWriter *writer, BeckonToolCall *call, const char *id)
{
  g_autofree char *result = beckon_encoding_dup_result (call);

  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", "function_call_output");
  beckon_json_writer_member_string (writer, "call_id", id);
  beckon_json_writer_name (writer, "output");
  if (beckon_encoding_count_images (call) > 0)
    write_output_list (writer, call, result);
  else
    beckon_json_writer_string (writer, result, -1);
  beckon_json_writer_end_object (writer);
}

static void
write_raw_text (BeckonJsonWriter *writer, const char *name, const BeckonJsonSlice *raw)
{
  if (raw->length == 0 || raw->text[0] != '"')
    return;
  beckon_json_writer_name (writer, name);
  beckon_json_writer_raw (writer, raw->text, (gssize) raw->length);
}

/* The server's own item of a message stands behind its words, which are at @place. */
static Item
read_message_item (BeckonMessage *message, guint place)
{
  Item item = { 0 };

  if (place + 1 < beckon_message_get_n_parts (message))
    item = responses_encoder_read_item (beckon_message_get_part (message, place + 1));
  return responses_encoder_says (&item.type, "message") ? item : (Item){ 0 };
}

static gboolean
find_annotations (const BeckonCitedText *cited, gpointer user_data)
{
  BeckonCitedText *found = user_data;

  if (cited->from != 0 || cited->to != found->to)
    return FALSE;
  found->citations = cited->citations;
  return TRUE;
}

/* As they came with the text at @place, or nothing. */
static BeckonJsonSlice
read_annotations (BeckonMessage *message, guint place, gboolean has_item)
{
  guint at = place + (has_item ? 2 : 1);
  BeckonPart *part = at < beckon_message_get_n_parts (message) ? beckon_message_get_part (message, at) : NULL;
  BeckonCitedText found = { .to = (gint64) beckon_part_get_length (beckon_message_get_part (message, place)) };

  if (part == NULL || beckon_message_get_status (message) != BECKON_MESSAGE_COMPLETE
      || g_strcmp0 (beckon_part_get_origin (part), ORIGIN) != 0
      || !beckon_citation_foreach_text (part, find_annotations, &found))
    return (BeckonJsonSlice) BECKON_JSON_SLICE_INIT;
  return found.citations;
}

static void
write_words (BeckonJsonWriter *writer, BeckonMessage *message, guint place)
{
  Item item = read_message_item (message, place);
  BeckonJsonSlice annotations = read_annotations (message, place, item.type.text != NULL);

  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", "message");
  write_raw_text (writer, "id", &item.id);
  beckon_json_writer_member_string (writer, "role", "assistant");
  write_raw_text (writer, "status", &item.status);
  write_raw_text (writer, "phase", &item.phase);
  beckon_json_writer_name (writer, "content");
  beckon_json_writer_begin_array (writer);
  write_output_text (writer, beckon_message_get_part (message, place), &annotations);
  end_message (writer);
}

static void
write_part (Encoder *self, BeckonMessage *message, guint place)
{
  BeckonPart *part = beckon_message_get_part (message, place);

  if (beckon_part_get_kind (part) == BECKON_PART_TEXT && beckon_part_get_length (part) > 0)
    write_words (&self->writer, message, place);
  else if (may_return (part) && is_followed (message, place))
    beckon_json_writer_raw (&self->writer, beckon_part_get_text (part), (gssize) beckon_part_get_length (part));
}

static void
responses_encoder_write_assistant (Encoder *self, BeckonMessage *message)
{
  g_autoptr (GPtrArray) calls = beckon_encoding_list_calls (message);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));

      if (call == NULL)
        {
          write_part (self, message, i);
          continue;
        }
      g_ptr_array_add (ids, (gpointer) beckon_encoding_choose_id (self->used_ids, call, accepts_id));
      responses_encoder_write_call (&self->writer, call, g_ptr_array_index (ids, ids->len - 1));
    }
  for (guint i = 0; i < calls->len; i++)
    responses_encoder_write_result (&self->writer, g_ptr_array_index (calls, i), g_ptr_array_index (ids, i));
}

static void
write_input (Encoder *self, const BeckonLlmRequest *request)
{
  g_autoptr (GHashTable) used_ids = g_hash_table_new (g_str_hash, g_str_equal);

  self->used_ids = used_ids;
  beckon_json_writer_name (&self->writer, "input");
  beckon_json_writer_begin_array (&self->writer);
  for (guint i = 0; i < request->messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (request->messages, i);

      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        responses_encoder_write_user (self, message);
      else
        responses_encoder_write_assistant (self, message);
    }
  beckon_json_writer_end_array (&self->writer);
}

/* OpenRouter has its own beside those of the models (https://openrouter.ai/docs/guides/features/server-tools/web-search). */
static void
write_search (BeckonJsonWriter *writer, BeckonProfile *profile)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", beckon_encoding_is_at (profile, "openrouter.ai")
                                    ? BECKON_ENCODING_OPENROUTER_SEARCH : "web_search");
  beckon_json_writer_end_object (writer);
}

static void
write_tools (BeckonJsonWriter *writer, const BeckonLlmRequest *request)
{
  GPtrArray *tools = request->tools;

  if (tools->len == 0 && !request->searches)
    return;
  beckon_json_writer_name (writer, "tools");
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < tools->len; i++)
    {
      const BeckonToolDefinition *tool = g_ptr_array_index (tools, i);

      beckon_json_writer_begin_object (writer);
      beckon_json_writer_member_string (writer, "type", "function");
      beckon_encoding_write_declaration (writer, tool, "parameters");
      /* The strict way refuses most schemas. */
      beckon_json_writer_member_boolean (writer, "strict", FALSE);
      beckon_json_writer_end_object (writer);
    }
  if (request->searches)
    write_search (writer, request->profile);
  beckon_json_writer_end_array (writer);
}

/* GPT-5 does not search with the least effort that it has ("not available in gpt-5 with minimal reasoning",
 * https://platform.openai.com/docs/guides/tools-web-search). */
static BeckonEffort
choose_effort (const BeckonLlmRequest *request)
{
  gboolean is_minimal = request->searches && request->effort == BECKON_EFFORT_OFF
                        && beckon_model_name_get_version (beckon_profile_get_model (request->profile), "gpt-") == 500;

  return is_minimal ? BECKON_EFFORT_LOW : request->effort;
}

/* Models that do not reason refuse to be asked for it. */
static void
write_include (BeckonJsonWriter *writer, const BeckonOptions *options, const char *model)
{
  if (strstr (model, "gpt-4") != NULL || strstr (model, "gpt-3") != NULL || beckon_options_replaces (options, "include"))
    return;
  beckon_json_writer_name (writer, "include");
  beckon_json_writer_begin_array (writer);
  beckon_json_writer_string (writer, "reasoning.encrypted_content", -1);
  beckon_json_writer_end_array (writer);
}

static void
responses_encoder_write_options (BeckonJsonWriter *writer, const BeckonLlmRequest *request)
{
  BeckonOptions options;

  beckon_options_init (&options, writer, request->profile);
  if (!beckon_options_replaces (&options, "store"))
    beckon_json_writer_member_boolean (writer, "store", FALSE);
  write_include (writer, &options, beckon_profile_get_model (request->profile));
  beckon_options_write_temperature (&options, "temperature", BECKON_PROFILE_TEMPERATURE_MAX);
  beckon_options_write_limit (&options, "max_output_tokens", 0);
  beckon_options_write_cache_key (&options, request->cache_key);
  beckon_effort_write_responses (&options, choose_effort (request));
  beckon_options_finish (&options);
}

GBytes *
beckon_responses_encode (const BeckonLlmRequest *request)
{
  const char *model = beckon_profile_get_model (request->profile);
  GString *body = g_string_sized_new (4096);
  Encoder encoder = { 0 };

  beckon_json_writer_init (&encoder.writer, body);
  beckon_json_writer_begin_object (&encoder.writer);
  beckon_json_writer_member_string (&encoder.writer, "model", model);
  if (request->system != NULL && *request->system != '\0')
    beckon_json_writer_member_string (&encoder.writer, "instructions", request->system);
  write_tools (&encoder.writer, request);
  write_input (&encoder, request);
  responses_encoder_write_options (&encoder.writer, request);
  beckon_json_writer_member_boolean (&encoder.writer, "stream", TRUE);
  beckon_json_writer_end_object (&encoder.writer);
  return g_string_free_to_bytes (body);
}

const BeckonCodec beckon_codec_responses = {
  .name = ORIGIN,
  .path = "/responses",
  .key_header = "Authorization",
  .key_prefix = "Bearer ",
  .accept = "text/event-stream",
  .encode = beckon_responses_encode,
  .decoder_new = beckon_responses_decoder_new,
};
