/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-anthropic-loop.h"
#include "beckon-codec-private.h"
#include "beckon-effort-members.h"
#include "beckon-encoding.h"
#include "beckon-options.h"
#include "domain/beckon-attachment.h"
#include "domain/beckon-model-table.h"

#include <string.h>

/* The roles have to take turns, results come first in what the user says next, and blank text is refused. So a message
 * is opened with its first block, and goes on until the role changes. */

/* More is refused. */
#define MAX_TEMPERATURE 1.0
#define LEAST_MAX_TOKENS 8192

#define ORIGIN "anthropic"

typedef struct
{
  BeckonJsonWriter writer;
  GHashTable *used_ids;
  const char *role; /* (nullable): of the message that is open */
  guint bare_from;  /* messages from here on are sent without their thinking blocks */
  gboolean is_bare; /* the message that is written is one of them */
} Encoder;

static void
close_message (Encoder *self)
{
  if (self->role == NULL)
    return;
  self->role = NULL;
  beckon_json_writer_end_array (&self->writer);
  beckon_json_writer_end_object (&self->writer);
}

static void
begin_block (Encoder *self, const char *role)
{
  if (g_strcmp0 (self->role, role) == 0)
    return;
  close_message (self);
  self->role = role;
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "role", role);
  beckon_json_writer_name (&self->writer, "content");
  beckon_json_writer_begin_array (&self->writer);
}

static void
write_text (Encoder *self, const char *role, BeckonPart *part)
{
  const char *text = beckon_part_get_text (part);
  gsize length = beckon_part_get_length (part);

  if (beckon_encoding_is_blank (text, length))
    return;
  begin_block (self, role);
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", "text");
  beckon_json_writer_name (&self->writer, "text");
  beckon_json_writer_string (&self->writer, text, (gssize) length);
  beckon_json_writer_end_object (&self->writer);
}

static void
write_image (Encoder *self, const char *media_type, const char *data)
{
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", "image");
  beckon_json_writer_name (&self->writer, "source");
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", "base64");
  beckon_json_writer_member_string (&self->writer, "media_type", media_type);
  beckon_json_writer_member_string (&self->writer, "data", data);
  beckon_json_writer_end_object (&self->writer);
  beckon_json_writer_end_object (&self->writer);
}

/* https://docs.anthropic.com/en/docs/build-with-claude/pdf-support */
static void
write_pdf (Encoder *self, const char *name, const char *data)
{
  begin_block (self, "user");
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", "document");
  beckon_json_writer_name (&self->writer, "source");
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", "base64");
  beckon_json_writer_member_string (&self->writer, "media_type", "application/pdf");
  beckon_json_writer_member_string (&self->writer, "data", data);
  beckon_json_writer_end_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "title", name);
  beckon_json_writer_end_object (&self->writer);
}

static void
write_user (Encoder *self, BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      const char *media_type;
      g_autofree char *data = beckon_encoding_dup_image (part, &media_type);
      g_autofree char *pdf = beckon_encoding_dup_pdf (part);

      if (pdf != NULL)
        write_pdf (self, beckon_attachment_get_name (part), pdf);
      else if (beckon_part_get_kind (part) == BECKON_PART_TEXT)
        write_text (self, "user", part);
      else if (data != NULL)
        {
          begin_block (self, "user");
          write_image (self, media_type, data);
        }
    }
}

static void
write_call (Encoder *self, BeckonToolCall *call, const char *id)
{
  begin_block (self, "assistant");
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", "tool_use");
  beckon_json_writer_member_string (&self->writer, "id", id);
  beckon_encoding_write_name (&self->writer, beckon_tool_call_get_name (call));
  beckon_json_writer_name (&self->writer, "input");
  beckon_json_writer_raw (&self->writer, beckon_encoding_get_arguments (call), -1);
  beckon_json_writer_end_object (&self->writer);
}

/* A result may be a list of blocks, pictures among them, unless it is an error; a text in it may not be blank:
 * https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use. */
static void
write_blocks (Encoder *self, BeckonToolCall *call, const char *result)
{
  beckon_json_writer_begin_array (&self->writer);
  if (!beckon_encoding_is_blank (result, strlen (result)))
    {
      beckon_json_writer_begin_object (&self->writer);
      beckon_json_writer_member_string (&self->writer, "type", "text");
      beckon_json_writer_member_string (&self->writer, "text", result);
      beckon_json_writer_end_object (&self->writer);
    }
  for (guint i = 0; i < beckon_encoding_count_images (call); i++)
    {
      const char *media_type;
      g_autofree char *data = beckon_encoding_dup_image (beckon_tool_call_get_image (call, i), &media_type);

      if (data != NULL)
        write_image (self, media_type, data);
    }
  beckon_json_writer_end_array (&self->writer);
}

static void
write_result (Encoder *self, BeckonToolCall *call, const char *id)
{
  g_autofree char *result = beckon_encoding_dup_result (call);

  begin_block (self, "user");
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", "tool_result");
  beckon_json_writer_member_string (&self->writer, "tool_use_id", id);
  beckon_json_writer_name (&self->writer, "content");
  if (beckon_encoding_count_images (call) > 0)
    write_blocks (self, call, result);
  else
    beckon_json_writer_string (&self->writer, result, -1);
  if (beckon_tool_call_get_is_error (call) || beckon_tool_call_get_result (call) == NULL)
    beckon_json_writer_member_boolean (&self->writer, "is_error", TRUE);
  beckon_json_writer_end_object (&self->writer);
}

/* What a server's tool did in a reply that broke off may lack its other half, and would be refused. */
static gboolean
may_return (BeckonMessage *message, BeckonPart *part)
{
  g_autofree char *unsupported = NULL;

  if (!beckon_opaque_is_from (part, ORIGIN))
    return FALSE;
  unsupported = beckon_opaque_dup_unsupported (part);
  return unsupported == NULL || beckon_message_get_status (message) == BECKON_MESSAGE_COMPLETE;
}

static void
write_block (Encoder *self, BeckonMessage *message, BeckonPart *part)
{
  if (beckon_part_get_kind (part) == BECKON_PART_TEXT)
    write_text (self, "assistant", part);
  else if (may_return (message, part) && !(self->is_bare && beckon_opaque_is_thinking (part)))
    {
      begin_block (self, "assistant");
      beckon_json_writer_raw (&self->writer, beckon_part_get_text (part), (gssize) beckon_part_get_length (part));
    }
}

/* Reasoning goes back only with its seal, as a block of the provider's own. */
static void
write_assistant (Encoder *self, BeckonMessage *message)
{
  g_autoptr (GPtrArray) calls = beckon_encoding_list_calls (message);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      BeckonToolCall *call = beckon_part_get_call (part);

      if (call == NULL)
        {
          write_block (self, message, part);
          continue;
        }
      g_ptr_array_add (ids,
                       (gpointer) beckon_encoding_choose_id (self->used_ids, call, beckon_encoding_is_plain_id));
      write_call (self, call, g_ptr_array_index (ids, ids->len - 1));
    }
  for (guint i = 0; i < calls->len; i++)
    write_result (self, g_ptr_array_index (calls, i), g_ptr_array_index (ids, i));
}

static void
write_cache_mark (BeckonJsonWriter *writer)
{
  beckon_json_writer_name (writer, "cache_control");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", "ephemeral");
  beckon_json_writer_end_object (writer);
}

/* What was asked in this round will be asked again in the next, with more behind it. */
static void
mark_last_block (Encoder *self)
{
  GString *string = self->writer.string;

  if (g_strcmp0 (self->role, "user") != 0)
    return;
  g_string_truncate (string, string->len - 1);
  write_cache_mark (&self->writer);
  g_string_append_c (string, '}');
}

static void
write_messages (Encoder *self, const BeckonLlmRequest *request)
{
  g_autoptr (GHashTable) used_ids = g_hash_table_new (g_str_hash, g_str_equal);

  self->used_ids = used_ids;
  beckon_json_writer_name (&self->writer, "messages");
  beckon_json_writer_begin_array (&self->writer);
  for (guint i = 0; i < request->messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (request->messages, i);

      self->is_bare = i >= self->bare_from;
      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        write_user (self, message);
      else
        write_assistant (self, message);
    }
  mark_last_block (self);
  close_message (self);
  beckon_json_writer_end_array (&self->writer);
}

static void
write_system (BeckonJsonWriter *writer, const char *system)
{
  if (system == NULL || beckon_encoding_is_blank (system, strlen (system)))
    return;
  beckon_json_writer_name (writer, "system");
  beckon_json_writer_begin_array (writer);
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", "text");
  beckon_json_writer_member_string (writer, "text", system);
  write_cache_mark (writer);
  beckon_json_writer_end_object (writer);
  beckon_json_writer_end_array (writer);
}

/* They come before the system prompt for the server, and stay when that changes. */
static void
write_tools (BeckonJsonWriter *writer, GPtrArray *tools)
{
  if (tools->len == 0)
    return;
  beckon_json_writer_name (writer, "tools");
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < tools->len; i++)
    {
      const BeckonToolDefinition *tool = g_ptr_array_index (tools, i);

      beckon_json_writer_begin_object (writer);
      beckon_encoding_write_declaration (writer, tool, "input_schema");
      if (i + 1 == tools->len)
        write_cache_mark (writer);
      beckon_json_writer_end_object (writer);
    }
  beckon_json_writer_end_array (writer);
}

/* It has to be given, and a model refuses more than it can. Other models behind this protocol take the least. */
static gint64
find_max_tokens (BeckonProfile *profile)
{
  BeckonModelDetails details = BECKON_MODEL_DETAILS_INIT;

  beckon_profile_get_facts (profile, &details.facts);
  beckon_model_table_complete (beckon_profile_get_model (profile), &details);
  return details.facts.output > 0 ? details.facts.output : LEAST_MAX_TOKENS;
}

static void
write_options (Encoder *self, const BeckonLlmRequest *request)
{
  BeckonAnthropicLoop loop = beckon_anthropic_loop_find (request);
  guint limit = beckon_profile_get_output_limit (request->profile);
  gint64 otherwise = find_max_tokens (request->profile);
  BeckonAnthropicThinking thinking;
  BeckonOptions options;

  beckon_options_init (&options, &self->writer, request->profile);
  beckon_options_write_limit (&options, "max_tokens", otherwise);
  thinking = beckon_effort_write_anthropic (&options, request->effort, limit > 0 ? limit : otherwise,
                                            beckon_anthropic_loop_may_think (&loop, request));
  if (thinking != BECKON_ANTHROPIC_THINKING_ON)
    beckon_options_write_temperature (&options, "temperature", MAX_TEMPERATURE);
  self->bare_from = thinking == BECKON_ANTHROPIC_THINKING_OFF ? loop.first : request->messages->len;
  beckon_options_finish (&options);
}

GBytes *
beckon_anthropic_encode (const BeckonLlmRequest *request)
{
  const char *model = beckon_profile_get_model (request->profile);
  GString *body = g_string_sized_new (4096);
  Encoder encoder = { 0 };

  beckon_json_writer_init (&encoder.writer, body);
  beckon_json_writer_begin_object (&encoder.writer);
  beckon_json_writer_member_string (&encoder.writer, "model", model);
  write_options (&encoder, request);
  write_system (&encoder.writer, request->system);
  write_tools (&encoder.writer, request->tools);
  write_messages (&encoder, request);
  beckon_json_writer_member_boolean (&encoder.writer, "stream", TRUE);
  beckon_json_writer_end_object (&encoder.writer);
  return g_string_free_to_bytes (body);
}

static const char *const headers[] = { "anthropic-version", "2023-06-01", NULL };

const BeckonCodec beckon_codec_anthropic = {
  .name = ORIGIN,
  .version = "/v1",
  .path = "/messages",
  .key_header = "x-api-key",
  .key_prefix = "",
  .headers = headers,
  .accept = "text/event-stream",
  .encode = beckon_anthropic_encode,
  .decoder_new = beckon_anthropic_decoder_new,
};
