/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-codec-private.h"

#include "base/beckon-json-reader.h"
#include "beckon-effort-members.h"
#include "beckon-encoding.h"
#include "beckon-options.h"
#include "domain/beckon-attachment.h"
#include "domain/beckon-opaque.h"

#include <string.h>

/* The length in one dialect. */
#define SHORT_ID 9

/* Said by the model, as far as that dialect is concerned. */
#define BRIDGE "I have the results."

/* Stands in for the reasoning of a reply that has none; an empty text counts as missing. */
#define NO_REASONING " "

/* Server differences that make some refuse what others need. */
typedef struct _Dialect
{
  const char *host;              /* one that begins with a dot ends others; NULL for all others */
  gboolean takes_no_options;     /* refuses members it does not know, and reports usage anyway */
  gboolean wants_alternation;    /* refuses a message of the person's right behind results */
  gboolean has_short_ids;        /* nine letters and digits, no more, no less */
  gboolean wants_reasoning;      /* refuses calls without the reasoning that led to them */
  gboolean wants_details;        /* takes the blocks of reasoning back */
  gboolean counts_reasoning;     /* newer models refuse the limit's older name */
  const char *search;            /* (nullable): the type of the tool by which the provider searches the web itself */
} Dialect;

static const Dialect dialects[] = {
  { .host = "api.openai.com", .counts_reasoning = TRUE },
  { .host = ".openai.azure.com", .counts_reasoning = TRUE },
  { .host = ".services.ai.azure.com", .counts_reasoning = TRUE },
  { .host = ".cognitiveservices.azure.com", .counts_reasoning = TRUE },
  { .host = "openrouter.ai", .wants_details = TRUE, .search = BECKON_ENCODING_OPENROUTER_SEARCH },
  { .host = "api.mistral.ai", .takes_no_options = TRUE, .wants_alternation = TRUE, .has_short_ids = TRUE },
  { .host = "api.moonshot.ai", .wants_reasoning = TRUE },
  { .host = "api.moonshot.cn", .wants_reasoning = TRUE },
  { .host = "api.z.ai", .wants_reasoning = TRUE },
  { .host = "open.bigmodel.cn", .wants_reasoning = TRUE },
  { .host = NULL },
};

static gboolean
is_at (const char *host, const char *known)
{
  gsize length = strlen (host);
  gsize known_length = strlen (known);

  return length >= known_length && (known[0] == '.' || length == known_length)
         && g_ascii_strcasecmp (host + length - known_length, known) == 0;
}

static const Dialect *
find_dialect (BeckonProfile *profile)
{
  g_autoptr (GUri) uri = g_uri_parse (beckon_profile_get_base_url (profile), G_URI_FLAGS_NONE, NULL);
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  const Dialect *dialect = dialects;

  while (dialect->host != NULL && (host == NULL || !is_at (host, dialect->host)))
    dialect++;
  return dialect;
}

typedef struct
{
  BeckonJsonWriter *writer;
  const struct _Dialect *dialect;
  GHashTable *used_ids; /* (owned by the writing function) (element-type utf8) */
  gboolean is_after_results;
  gboolean is_deepseek;
  gboolean has_calls; /* a reply to the person's message that is being answered has some */
} Encoder;

/* Others are longer than some servers take. */
static gboolean
accepts_id (const char *id)
{
  return *id != '\0' && strlen (id) <= 40;
}

static gboolean
accepts_short_id (const char *id)
{
  return strlen (id) == SHORT_ID && strspn (id, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == SHORT_ID;
}

/* The end of one of our own ids is random, so that it is as good as the whole. */
static const char *
choose_id (Encoder *self, BeckonToolCall *call)
{
  const char *id;

  if (!self->dialect->has_short_ids)
    return beckon_encoding_choose_id (self->used_ids, call, accepts_id);
  id = beckon_encoding_choose_id (self->used_ids, call, accepts_short_id);
  return strlen (id) > SHORT_ID ? id + strlen (id) - SHORT_ID : id;
}

static void
write_reasoning (Encoder *self, BeckonMessage *message)
{
  g_autoptr (GString) reasoning = g_string_new (NULL);

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);

      if (beckon_part_get_kind (part) == BECKON_PART_REASONING
          && g_strcmp0 (beckon_part_get_origin (part), "chat") == 0)
        g_string_append_len (reasoning, beckon_part_get_text (part), (gssize) beckon_part_get_length (part));
    }
  if (reasoning->len == 0 && !self->is_deepseek)
    return;
  beckon_json_writer_name (self->writer, "reasoning_content");
  if (reasoning->len == 0)
    g_string_append (reasoning, NO_REASONING);
  beckon_json_writer_string (self->writer, reasoning->str, (gssize) reasoning->len);
}

/* From the fourth version on DeepSeek thinks unless told otherwise, and refuses a history in which a turn with calls lacks the
 * reasoning of any of its replies, the last one included, whoever served the model and wrote the reply
 * (https://api-docs.deepseek.com/guides/thinking_mode, https://github.com/danny-avila/LibreChat/issues/13366). Others want it
 * with the calls alone. */
static gboolean
returns_reasoning (Encoder *self, gboolean with_calls)
{
  return self->is_deepseek ? self->has_calls : with_calls && self->dialect->wants_reasoning;
}

typedef struct
{
  BeckonJsonSlice type;
  BeckonJsonSlice details;
} Block;

/* As they came: a seal is for these bytes. */
static void
write_details (Encoder *self, BeckonMessage *message)
{
  static const BeckonJsonMember members[] = {
    BECKON_JSON_STRING_MEMBER ("type", Block, type),
    BECKON_JSON_RAW_MEMBER ("reasoning_details", Block, details),
    BECKON_JSON_MEMBERS_END,
  };

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      Block block = { BECKON_JSON_SLICE_INIT, BECKON_JSON_SLICE_INIT };

      if (!beckon_opaque_is_from (part, "chat"))
        continue;
      beckon_json_members_read_text (beckon_part_get_text (part), beckon_part_get_length (part), members, &block);
      if (block.details.text == NULL || block.type.text == NULL
          || !beckon_json_slice_equals (&block.type, "reasoning_details"))
        continue;
      beckon_json_writer_name (self->writer, "reasoning_details");
      beckon_json_writer_raw (self->writer, block.details.text, (gssize) block.details.length);
      return;
    }
}

static void
chat_encoder_write_call (Encoder *self, BeckonToolCall *call, const char *id)
{
  g_autofree char *arguments = beckon_encoding_dup_arguments (call);

  beckon_json_writer_begin_object (self->writer);
  beckon_json_writer_member_string (self->writer, "id", id);
  beckon_json_writer_member_string (self->writer, "type", "function");
  beckon_json_writer_name (self->writer, "function");
  beckon_json_writer_begin_object (self->writer);
  beckon_encoding_write_name (self->writer, beckon_tool_call_get_name (call));
  beckon_json_writer_member_string (self->writer, "arguments", arguments);
  beckon_json_writer_end_object (self->writer);
  beckon_json_writer_end_object (self->writer);
}

static void
chat_encoder_write_result (Encoder *self, BeckonToolCall *call, const char *id)
{
  g_autofree char *result = beckon_encoding_dup_result (call);

  beckon_json_writer_begin_object (self->writer);
  beckon_json_writer_member_string (self->writer, "role", "tool");
  beckon_json_writer_member_string (self->writer, "tool_call_id", id);
  beckon_json_writer_member_string (self->writer, "content", result);
  beckon_json_writer_end_object (self->writer);
}

static void
chat_encoder_write_assistant (Encoder *self, BeckonMessage *message, const char *text)
{
  self->is_after_results = FALSE;
  beckon_json_writer_begin_object (self->writer);
  beckon_json_writer_member_string (self->writer, "role", "assistant");
  beckon_json_writer_member_string (self->writer, "content", text);
  if (returns_reasoning (self, FALSE))
    write_reasoning (self, message);
  if (self->dialect->wants_details)
    write_details (self, message);
  beckon_json_writer_end_object (self->writer);
}

/* Some servers need a message between results and the next message of the person's: after a run that was stopped, or before
 * pictures (https://github.com/LibreChat-AI/agents/issues/344). */
static void
begin_user (Encoder *self)
{
  if (self->is_after_results && self->dialect->wants_alternation)
    {
      beckon_json_writer_begin_object (self->writer);
      beckon_json_writer_member_string (self->writer, "role", "assistant");
      beckon_json_writer_member_string (self->writer, "content", BRIDGE);
      beckon_json_writer_end_object (self->writer);
    }
  self->is_after_results = FALSE;
  beckon_json_writer_begin_object (self->writer);
  beckon_json_writer_member_string (self->writer, "role", "user");
}

static void
write_text_message (Encoder *self, const char *role, const char *text)
{
  beckon_json_writer_begin_object (self->writer);
  beckon_json_writer_member_string (self->writer, "role", role);
  beckon_json_writer_member_string (self->writer, "content", text);
  beckon_json_writer_end_object (self->writer);
}

static gboolean
has_image (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      const char *media_type;
      const BeckonBase64 *data = beckon_encoding_get_image (part, &media_type);

      if (data != NULL || beckon_attachment_get_pdf (part, NULL) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* OpenAI's form, which OpenRouter has, too: https://openrouter.ai/docs/features/multimodal/pdfs. */
static void
chat_encoder_write_pdf (BeckonJsonWriter *writer, const char *name, const BeckonBase64 *data)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", "file");
  beckon_json_writer_name (writer, "file");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "filename", name);
  beckon_encoding_member_data_url (writer, "file_data", "application/pdf", data);
  beckon_json_writer_end_object (writer);
  beckon_json_writer_end_object (writer);
}

static void
write_content_part (BeckonJsonWriter *writer, BeckonPart *part)
{
  const char *media_type;
  const BeckonBase64 *data = beckon_encoding_get_image (part, &media_type);
  const BeckonBase64 *pdf = beckon_encoding_get_pdf (part);

  if (pdf != NULL)
    {
      chat_encoder_write_pdf (writer, beckon_attachment_get_name (part), pdf);
      return;
    }
  if (data == NULL && beckon_part_get_kind (part) != BECKON_PART_TEXT)
    return;
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", data != NULL ? "image_url" : "text");
  if (data != NULL)
    {
      beckon_json_writer_name (writer, "image_url");
      beckon_json_writer_begin_object (writer);
      beckon_encoding_member_data_url (writer, "url", media_type, data);
      beckon_json_writer_end_object (writer);
    }
  else
    {
      beckon_json_writer_name (writer, "text");
      beckon_json_writer_string (writer, beckon_part_get_text (part), (gssize) beckon_part_get_length (part));
    }
  beckon_json_writer_end_object (writer);
}

/* A list only where it has to be one: many servers take nothing but text. */
static void
write_user_with_images (Encoder *self, BeckonMessage *message)
{
  begin_user (self);
  beckon_json_writer_name (self->writer, "content");
  beckon_json_writer_begin_array (self->writer);
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    write_content_part (self->writer, beckon_message_get_part (message, i));
  beckon_json_writer_end_array (self->writer);
  beckon_json_writer_end_object (self->writer);
}

static void
write_user_text (Encoder *self, const char *text)
{
  begin_user (self);
  beckon_json_writer_member_string (self->writer, "content", text);
  beckon_json_writer_end_object (self->writer);
}

/* A result is text alone in this protocol: "Image URLs are only allowed for messages with role 'user'", says the server
 * (https://github.com/OpenHands/OpenHands/issues/7700). */
static void
write_images_behind (Encoder *self, GPtrArray *calls)
{
  g_autofree char *words = beckon_encoding_dup_images_words (calls);
  g_autoptr (BeckonPart) text = NULL;

  if (words == NULL)
    return;
  begin_user (self);
  beckon_json_writer_name (self->writer, "content");
  beckon_json_writer_begin_array (self->writer);
  text = beckon_part_new (BECKON_PART_TEXT, words);
  write_content_part (self->writer, text);
  for (guint i = 0; i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);

      for (guint image = 0; image < beckon_encoding_count_images (call); image++)
        write_content_part (self->writer, beckon_tool_call_get_image (call, image));
    }
  beckon_json_writer_end_array (self->writer);
  beckon_json_writer_end_object (self->writer);
}

static void
write_assistant_with_calls (Encoder *self, BeckonMessage *message, const char *text, GPtrArray *calls)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  beckon_json_writer_begin_object (self->writer);
  beckon_json_writer_member_string (self->writer, "role", "assistant");
  beckon_json_writer_member_string (self->writer, "content", *text != '\0' ? text : NULL);
  if (returns_reasoning (self, TRUE))
    write_reasoning (self, message);
  if (self->dialect->wants_details)
    write_details (self, message);
  beckon_json_writer_name (self->writer, "tool_calls");
  beckon_json_writer_begin_array (self->writer);
  for (guint i = 0; i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);

      g_ptr_array_add (ids, (gpointer) choose_id (self, call));
      chat_encoder_write_call (self, call, g_ptr_array_index (ids, i));
    }
  beckon_json_writer_end_array (self->writer);
  beckon_json_writer_end_object (self->writer);
  for (guint i = 0; i < calls->len; i++)
    chat_encoder_write_result (self, g_ptr_array_index (calls, i), g_ptr_array_index (ids, i));
  self->is_after_results = TRUE;
  write_images_behind (self, calls);
}

/* Blocks of other providers have no place in this protocol, and reasoning only where it is asked for. */
static void
chat_encoder_write_message (Encoder *self, BeckonMessage *message)
{
  g_autofree char *text = beckon_message_dup_whole_text (message);
  g_autoptr (GPtrArray) calls = NULL;

  if (beckon_message_get_role (message) == BECKON_ROLE_USER)
    {
      if (has_image (message))
        write_user_with_images (self, message);
      else
        write_user_text (self, text);
      return;
    }
  calls = beckon_encoding_list_calls (message);
  if (calls->len > 0)
    write_assistant_with_calls (self, message, text, calls);
  else if (*text != '\0')
    chat_encoder_write_assistant (self, message, text);
}

/* From the reply at @first on to the person's next message. */
static gboolean
turn_has_calls (GPtrArray *messages, guint first)
{
  for (guint i = first; i < messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (messages, i);
      g_autoptr (GPtrArray) calls = NULL;

      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        return FALSE;
      calls = beckon_encoding_list_calls (message);
      if (calls->len > 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
begins_turn (GPtrArray *messages, guint place)
{
  return place == 0 || beckon_message_get_role (g_ptr_array_index (messages, place - 1)) == BECKON_ROLE_USER;
}

static void
chat_encoder_write_messages (BeckonJsonWriter *writer, const BeckonLlmRequest *request)
{
  g_autoptr (GHashTable) used_ids = g_hash_table_new (g_str_hash, g_str_equal);
  Encoder encoder = {
    .writer = writer,
    .dialect = find_dialect (request->profile),
    .used_ids = used_ids,
    .is_deepseek = beckon_model_name_is_of (beckon_profile_get_model (request->profile), "deepseek"),
  };

  beckon_json_writer_name (writer, "messages");
  beckon_json_writer_begin_array (writer);
  if (request->system != NULL && *request->system != '\0')
    write_text_message (&encoder, "system", request->system);
  for (guint i = 0; i < request->messages->len; i++)
    {
      if (begins_turn (request->messages, i))
        encoder.has_calls = turn_has_calls (request->messages, i);
      chat_encoder_write_message (&encoder, g_ptr_array_index (request->messages, i));
    }
  beckon_json_writer_end_array (writer);
}

static void
chat_encoder_write_options (BeckonJsonWriter *writer, const BeckonLlmRequest *request)
{
  const Dialect *dialect = find_dialect (request->profile);
  BeckonOptions options;

  beckon_options_init (&options, writer, request->profile);
  if (!dialect->takes_no_options && !beckon_options_replaces (&options, "stream_options"))
    {
      beckon_json_writer_name (writer, "stream_options");
      beckon_json_writer_begin_object (writer);
      beckon_json_writer_member_boolean (writer, "include_usage", TRUE);
      beckon_json_writer_end_object (writer);
    }
  beckon_options_write_temperature (&options, "temperature", BECKON_PROFILE_TEMPERATURE_MAX);
  beckon_options_write_limit (&options, dialect->counts_reasoning ? "max_completion_tokens" : "max_tokens", 0);
  beckon_options_write_cache_key (&options, request->cache_key);
  beckon_effort_write_chat (&options, request->effort);
  beckon_options_finish (&options);
}

GBytes *
beckon_chat_encode (const BeckonLlmRequest *request)
{
  GString *body = g_string_sized_new (4096);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, body);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "model", beckon_profile_get_model (request->profile));
  chat_encoder_write_messages (&writer, request);
  beckon_encoding_write_functions (&writer, request->tools,
                                   request->searches ? find_dialect (request->profile)->search : NULL);
  beckon_json_writer_member_boolean (&writer, "stream", TRUE);
  chat_encoder_write_options (&writer, request);
  beckon_json_writer_end_object (&writer);
  return g_string_free_to_bytes (body);
}
