/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-effort-members.h"
#include "beckon-encoding.h"
#include "beckon-options.h"
#include "beckon-reply-decoder.h"

/* Ollama's own protocol: a line of JSON for each piece. Calls come whole, their arguments as they are; older versions
 * give them no ids. */

#define ORIGIN "ollama"

/* --- Decoding ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonJsonSlice content;
  BeckonJsonSlice thinking;
  BeckonJsonSlice calls;
  gboolean is_done;
  BeckonJsonSlice done_reason;
  gint64 input;
  gint64 output;
  BeckonJsonSlice error;
} Payload;

static const BeckonJsonMember message_members[] = {
  BECKON_JSON_STRING_MEMBER ("content", Payload, content),
  BECKON_JSON_STRING_MEMBER ("thinking", Payload, thinking),
  BECKON_JSON_RAW_MEMBER ("tool_calls", Payload, calls),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember payload_members[] = {
  BECKON_JSON_OBJECT_MEMBER ("message", message_members),
  BECKON_JSON_TRUE_MEMBER ("done", Payload, is_done),
  BECKON_JSON_STRING_MEMBER ("done_reason", Payload, done_reason),
  BECKON_JSON_INT_MEMBER ("prompt_eval_count", Payload, input),
  BECKON_JSON_INT_MEMBER ("eval_count", Payload, output),
  BECKON_JSON_RAW_MEMBER ("error", Payload, error),
  BECKON_JSON_MEMBERS_END,
};

typedef struct
{
  BeckonJsonSlice id;
  BeckonJsonSlice name;
  BeckonJsonSlice arguments;
} Call;

static const BeckonJsonMember function_members[] = {
  BECKON_JSON_STRING_MEMBER ("name", Call, name),
  BECKON_JSON_RAW_MEMBER ("arguments", Call, arguments),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember call_members[] = {
  BECKON_JSON_STRING_MEMBER ("id", Call, id),
  BECKON_JSON_OBJECT_MEMBER ("function", function_members),
  BECKON_JSON_MEMBERS_END,
};

static gboolean
ollama_take_call (BeckonReplyDecoder *reply, BeckonJsonReader *reader)
{
  Call call = { 0 };
  BeckonLlmCall *begun;

  beckon_json_members_read (reader, call_members, &call);
  begun = beckon_llm_calls_begin (reply->calls, NULL, &call.id, &call.name);
  if (begun == NULL || call.arguments.text == NULL)
    return begun != NULL;
  if (call.arguments.text[0] == '"')
    {
      BeckonJsonSlice string = { call.arguments.text + 1, call.arguments.length - 2, TRUE };

      return beckon_llm_calls_append (reply->calls, begun, &string);
    }
  return beckon_llm_calls_append_raw (reply->calls, begun, &call.arguments);
}

static void
take_calls (BeckonReplyDecoder *reply, const BeckonJsonSlice *calls)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;
  gboolean fits = TRUE;

  beckon_json_reader_init (&reader, calls->text, calls->length, BECKON_JSON_REPLACE);
  if (beckon_json_reader_next (&reader) != BECKON_JSON_ARRAY_BEGIN)
    return;
  while (fits && (token = beckon_json_reader_next (&reader)) != BECKON_JSON_ARRAY_END && token != BECKON_JSON_FAULTY)
    {
      if (token == BECKON_JSON_OBJECT_BEGIN)
        fits = ollama_take_call (reply, &reader);
      else
        beckon_json_reader_finish_value (&reader, token, NULL);
    }
  beckon_reply_decoder_check_calls (reply, fits);
}

static void
take_end (BeckonReplyDecoder *reply, const Payload *payload)
{
  const BeckonJsonSlice *reason = &payload->done_reason;

  reply->is_done = TRUE;
  /* Older versions give none. */
  if (reason->length == 0 || beckon_json_slice_equals (reason, "stop"))
    beckon_reply_decoder_set_finish (reply, BECKON_LLM_END_COMPLETE);
  else if (beckon_json_slice_equals (reason, "length"))
    beckon_reply_decoder_set_finish (reply, BECKON_LLM_END_LENGTH);
  else
    beckon_reply_decoder_set_other_finish (reply, reason);
  if (payload->input < 0 && payload->output < 0)
    return;
  reply->has_usage = TRUE;
  reply->usage.input = payload->input;
  reply->usage.output = payload->output;
}

static BeckonJsonFault
ollama_take (BeckonReplyDecoder *reply, const char *text, gsize length, gboolean is_error)
{
  Payload payload = { .input = -1, .output = -1 };
  BeckonJsonFault fault = beckon_json_members_read_text (text, length, payload_members, &payload);

  if (fault != BECKON_JSON_FAULT_NONE)
    return fault;
  beckon_reply_decoder_give_text (reply, BECKON_LLM_EVENT_REASONING, &payload.thinking);
  beckon_reply_decoder_give_text (reply, BECKON_LLM_EVENT_TEXT, &payload.content);
  if (payload.calls.text != NULL)
    take_calls (reply, &payload.calls);
  if (payload.error.text != NULL && !reply->is_failed)
    beckon_reply_decoder_fail_with (reply, &payload.error);
  if (payload.is_done)
    take_end (reply, &payload);
  return fault;
}

static BeckonDecoder *
ollama_decoder_new (BeckonLlmEventFunc function, gpointer user_data)
{
  static const BeckonReplyProtocol protocol = {
    .size = sizeof (BeckonReplyDecoder),
    .by_lines = TRUE,
    .take = ollama_take,
  };

  return beckon_reply_decoder_new (&protocol, function, user_data);
}

/* --- Encoding ----------------------------------------------------------------------------------------------------- */

static gboolean
accepts_id (const char *id)
{
  return *id != '\0';
}

static void
begin_message (BeckonJsonWriter *writer, const char *role, const char *text)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "role", role);
  beckon_json_writer_member_string (writer, "content", text);
}

static void
ollama_write_image (BeckonJsonWriter *writer, BeckonPart *part, gboolean *began)
{
  const char *media_type;
  const BeckonBase64 *data = beckon_encoding_get_image (part, &media_type);

  if (data == NULL)
    return;
  if (!*began)
    {
      beckon_json_writer_name (writer, "images");
      beckon_json_writer_begin_array (writer);
      *began = TRUE;
    }
  beckon_json_writer_string (writer, data->text, (gssize) data->length);
}

static void
write_images (BeckonJsonWriter *writer, BeckonMessage *message)
{
  gboolean began = FALSE;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    ollama_write_image (writer, beckon_message_get_part (message, i), &began);
  if (began)
    beckon_json_writer_end_array (writer);
}

/* A model that thought while it called expects to see it again. */
static void
write_thinking (BeckonJsonWriter *writer, BeckonMessage *message)
{
  g_autoptr (GString) thinking = g_string_new (NULL);

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);

      if (beckon_part_get_kind (part) == BECKON_PART_REASONING
          && g_strcmp0 (beckon_part_get_origin (part), ORIGIN) == 0)
        g_string_append_len (thinking, beckon_part_get_text (part), (gssize) beckon_part_get_length (part));
    }
  if (thinking->len == 0)
    return;
  beckon_json_writer_name (writer, "thinking");
  beckon_json_writer_string (writer, thinking->str, (gssize) thinking->len);
}

static void
ollama_write_call (BeckonJsonWriter *writer, BeckonToolCall *call, const char *id)
{
  g_autofree char *arguments = beckon_encoding_dup_arguments (call);

  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "id", id);
  beckon_json_writer_name (writer, "function");
  beckon_json_writer_begin_object (writer);
  beckon_encoding_write_name (writer, beckon_tool_call_get_name (call));
  beckon_json_writer_name (writer, "arguments");
  beckon_json_writer_raw (writer, arguments, -1);
  beckon_json_writer_end_object (writer);
  beckon_json_writer_end_object (writer);
}

static void
ollama_write_result (BeckonJsonWriter *writer, BeckonToolCall *call, const char *id)
{
  g_autofree char *result = beckon_encoding_dup_result (call);

  begin_message (writer, "tool", result);
  beckon_json_writer_member_string (writer, "tool_name", beckon_tool_call_get_name (call));
  beckon_json_writer_member_string (writer, "tool_call_id", id);
  beckon_json_writer_end_object (writer);
}

/* The server takes images with any message, but shows models those of results only where it writes the prompt by an old-style
 * template (model/renderers in https://github.com/ollama/ollama leaves them out), so that they are in a message behind. */
static void
write_images_behind (BeckonJsonWriter *writer, GPtrArray *calls)
{
  g_autofree char *words = beckon_encoding_dup_images_words (calls);
  gboolean began = FALSE;

  if (words == NULL)
    return;
  begin_message (writer, "user", words);
  for (guint i = 0; i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);

      for (guint image = 0; image < beckon_encoding_count_images (call); image++)
        ollama_write_image (writer, beckon_tool_call_get_image (call, image), &began);
    }
  if (began)
    beckon_json_writer_end_array (writer);
  beckon_json_writer_end_object (writer);
}

static void
ollama_write_assistant (BeckonJsonWriter *writer, BeckonMessage *message, GHashTable *used_ids)
{
  g_autoptr (GPtrArray) calls = beckon_encoding_list_calls (message);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  g_autofree char *text = beckon_message_dup_text (message);

  if (calls->len == 0 && *text == '\0')
    return;
  begin_message (writer, "assistant", text);
  write_thinking (writer, message);
  if (calls->len > 0)
    {
      beckon_json_writer_name (writer, "tool_calls");
      beckon_json_writer_begin_array (writer);
      for (guint i = 0; i < calls->len; i++)
        {
          BeckonToolCall *call = g_ptr_array_index (calls, i);

          g_ptr_array_add (ids, (gpointer) beckon_encoding_choose_id (used_ids, call, accepts_id));
          ollama_write_call (writer, call, g_ptr_array_index (ids, i));
        }
      beckon_json_writer_end_array (writer);
    }
  beckon_json_writer_end_object (writer);
  for (guint i = 0; i < calls->len; i++)
    ollama_write_result (writer, g_ptr_array_index (calls, i), g_ptr_array_index (ids, i));
  write_images_behind (writer, calls);
}

static void
ollama_write_user (BeckonJsonWriter *writer, BeckonMessage *message)
{
  g_autofree char *text = beckon_message_dup_whole_text (message);

  begin_message (writer, "user", text);
  write_images (writer, message);
  beckon_json_writer_end_object (writer);
}

static void
ollama_write_messages (BeckonJsonWriter *writer, const BeckonLlmRequest *request)
{
  g_autoptr (GHashTable) used_ids = g_hash_table_new (g_str_hash, g_str_equal);

  beckon_json_writer_name (writer, "messages");
  beckon_json_writer_begin_array (writer);
  if (request->system != NULL && *request->system != '\0')
    {
      begin_message (writer, "system", request->system);
      beckon_json_writer_end_object (writer);
    }
  for (guint i = 0; i < request->messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (request->messages, i);

      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        ollama_write_user (writer, message);
      else
        ollama_write_assistant (writer, message, used_ids);
    }
  beckon_json_writer_end_array (writer);
}

/* A server that is not told takes the few thousand tokens that it was built with, and drops what is older in silence. */
static void
ollama_write_options (BeckonJsonWriter *writer, const BeckonLlmRequest *request)
{
  BeckonProfile *profile = request->profile;
  guint window = beckon_profile_get_context_window (profile);
  BeckonOptions options;

  beckon_options_init (&options, writer, profile);
  if (beckon_options_replaces (&options, "options") || window > 0 || beckon_profile_get_temperature (profile) >= 0
      || beckon_profile_get_output_limit (profile) > 0)
    {
      beckon_options_begin_object (&options, "options");
      if (window > 0 && !beckon_options_replaces (&options, "num_ctx"))
        beckon_json_writer_member_int (writer, "num_ctx", window);
      beckon_options_write_temperature (&options, "temperature", BECKON_PROFILE_TEMPERATURE_MAX);
      beckon_options_write_limit (&options, "num_predict", 0);
      beckon_options_end_object (&options);
    }
  beckon_effort_write_ollama (&options, request->effort);
  beckon_options_finish (&options);
}

static GBytes *
ollama_encode (const BeckonLlmRequest *request)
{
  GString *body = g_string_sized_new (4096);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, body);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "model", beckon_profile_get_model (request->profile));
  ollama_write_messages (&writer, request);
  beckon_encoding_write_functions (&writer, request->tools, NULL);
  beckon_json_writer_member_boolean (&writer, "stream", TRUE);
  ollama_write_options (&writer, request);
  beckon_json_writer_end_object (&writer);
  return g_string_free_to_bytes (body);
}

const BeckonCodec beckon_codec_ollama = {
  .name = ORIGIN,
  .path = "/api/chat",
  .key_header = "Authorization",
  .key_prefix = "Bearer ",
  .accept = "application/x-ndjson",
  .encode = ollama_encode,
  .decoder_new = ollama_decoder_new,
};
