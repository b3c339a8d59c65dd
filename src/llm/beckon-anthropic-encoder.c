/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json-reader.h"
#include "beckon-codec-private.h"
#include "beckon-effort-members.h"
#include "beckon-encoding.h"
#include "beckon-codec.h"
#include "beckon-options.h"
#include "domain/beckon-attachment.h"
#include "domain/beckon-citation.h"

#include <string.h>

/*
 @first: the message of the request with which the model's turn began, if it is still at work on it: the server takes calls
 *   and results up to the next message of the person's for one turn of the model. The number of messages if there is none
 * @thinks: that turn begins with a sealed thinking block
 *
 * Anthropic's servers allow one way to think in a turn: where it does not begin with a thinking block, a budget for thinking
 * is refused with "Expected `thinking` or `redacted_thinking`, but found `tool_use`", and where thinking is off, so are its
 * thinking blocks.
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking#toggling-thinking-modes-in-conversations
 */
typedef struct
{
  guint first;
  gboolean thinks;
} BeckonAnthropicLoop;

static gboolean
has_calls (BeckonMessage *message)
{
  g_autoptr (GPtrArray) calls = beckon_encoding_list_calls (message);

  return calls->len > 0;
}

/* By the first part that is sent: a text with nothing but white space is not. */
static gboolean
begins_with_thinking (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);

      if (beckon_opaque_is_thinking (part))
        return TRUE;
      if (beckon_part_get_call (part) != NULL
          || (beckon_part_get_kind (part) == BECKON_PART_TEXT
              && !beckon_encoding_is_blank (beckon_part_get_text (part), beckon_part_get_length (part))))
        return FALSE;
    }
  return FALSE;
}

/* A person's words beside results are in one message with them, and end no turn. */
static BeckonAnthropicLoop
anthropic_loop_find (const BeckonLlmRequest *request)
{
  BeckonAnthropicLoop loop = { request->messages->len, FALSE };
  gboolean is_asked = FALSE;

  for (guint i = request->messages->len; i > 0; i--)
    {
      BeckonMessage *message = g_ptr_array_index (request->messages, i - 1);

      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        {
          is_asked = TRUE;
          continue;
        }
      if (is_asked && !has_calls (message))
        break;
      is_asked = FALSE;
      loop.first = i - 1;
    }
  if (loop.first < request->messages->len)
    loop.thinks = begins_with_thinking (g_ptr_array_index (request->messages, loop.first));
  return loop;
}

/* %TRUE if a budget for thinking is not refused. */
static gboolean
anthropic_loop_may_think (const BeckonAnthropicLoop *loop, const BeckonLlmRequest *request)
{
  return loop->thinks || loop->first == request->messages->len;
}

/* The roles have to take turns, results come first in what the user says next, and blank text is refused. So a message
 * is opened with its first block, and goes on until the role changes. */

/* More is refused. */
#define MAX_TEMPERATURE 1.0
#define LEAST_MAX_TOKENS 8192

#define ORIGIN "anthropic"

/* The one that every model and every platform has. The newer ones run programs at the provider to sort through what was found:
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool. */
#define SEARCH_TOOL "web_search_20250305"

/* The searches of one request, each of which is billed. */
#define MAX_SEARCHES 10

typedef struct
{
  BeckonJsonWriter writer;
  GPtrArray *messages; /* (unowned) */
  guint at;            /* the message that is being written */
  guint turn_end;      /* the first message after its turn, once @server_ids was made for that */
  GHashTable *server_ids; /* (owned) (nullable): of the calls of the server's tools in it, and of their results */
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

/* @citations: (nullable): a JSON array. */
static void
write_piece (Encoder *self, const char *role, const char *text, gsize length, const BeckonJsonSlice *citations)
{
  if (beckon_encoding_is_blank (text, length))
    return;
  begin_block (self, role);
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", "text");
  beckon_json_writer_name (&self->writer, "text");
  beckon_json_writer_string (&self->writer, text, (gssize) length);
  if (citations != NULL)
    {
      beckon_json_writer_name (&self->writer, "citations");
      beckon_json_writer_raw (&self->writer, citations->text, (gssize) citations->length);
    }
  beckon_json_writer_end_object (&self->writer);
}

static void
anthropic_encoder_write_text (Encoder *self, const char *role, BeckonPart *part)
{
  write_piece (self, role, beckon_part_get_text (part), beckon_part_get_length (part), NULL);
}

static void
anthropic_encoder_write_image (Encoder *self, const char *media_type, const BeckonBase64 *data)
{
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", "image");
  beckon_json_writer_name (&self->writer, "source");
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", "base64");
  beckon_json_writer_member_string (&self->writer, "media_type", media_type);
  beckon_json_writer_member_plain (&self->writer, "data", "", data->text, data->length);
  beckon_json_writer_end_object (&self->writer);
  beckon_json_writer_end_object (&self->writer);
}

/* https://docs.anthropic.com/en/docs/build-with-claude/pdf-support */
static void
anthropic_encoder_write_pdf (Encoder *self, const char *name, const BeckonBase64 *data)
{
  begin_block (self, "user");
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", "document");
  beckon_json_writer_name (&self->writer, "source");
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", "base64");
  beckon_json_writer_member_string (&self->writer, "media_type", "application/pdf");
  beckon_json_writer_member_plain (&self->writer, "data", "", data->text, data->length);
  beckon_json_writer_end_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "title", name);
  beckon_json_writer_end_object (&self->writer);
}

static void
anthropic_encoder_write_user (Encoder *self, BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      const char *media_type;
      const BeckonBase64 *data = beckon_encoding_get_image (part, &media_type);
      const BeckonBase64 *pdf = beckon_encoding_get_pdf (part);

      if (pdf != NULL)
        anthropic_encoder_write_pdf (self, beckon_attachment_get_name (part), pdf);
      else if (beckon_part_get_kind (part) == BECKON_PART_TEXT)
        anthropic_encoder_write_text (self, "user", part);
      else if (data != NULL)
        {
          begin_block (self, "user");
          anthropic_encoder_write_image (self, media_type, data);
        }
    }
}

static void
anthropic_encoder_write_call (Encoder *self, BeckonToolCall *call, const char *id)
{
  g_autofree char *arguments = beckon_encoding_dup_arguments (call);

  begin_block (self, "assistant");
  beckon_json_writer_begin_object (&self->writer);
  beckon_json_writer_member_string (&self->writer, "type", "tool_use");
  beckon_json_writer_member_string (&self->writer, "id", id);
  beckon_encoding_write_name (&self->writer, beckon_tool_call_get_name (call));
  beckon_json_writer_name (&self->writer, "input");
  beckon_json_writer_raw (&self->writer, arguments, -1);
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
      const BeckonBase64 *data = beckon_encoding_get_image (beckon_tool_call_get_image (call, i), &media_type);

      if (data != NULL)
        anthropic_encoder_write_image (self, media_type, data);
    }
  beckon_json_writer_end_array (&self->writer);
}

static void
anthropic_encoder_write_result (Encoder *self, BeckonToolCall *call, const char *id)
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

typedef struct
{
  BeckonPart *text;
  GArray *passages; /* (element-type BeckonCitedText) */
  gint64 end;
} Cited;

static gboolean
is_boundary (BeckonPart *text, gint64 at)
{
  return at >= 0 && (guint64) at <= beckon_part_get_length (text)
         && ((guint64) at == beckon_part_get_length (text) || (beckon_part_get_text (text)[at] & 0xc0) != 0x80);
}

/* Passages follow each other, and are of this text; in a history from elsewhere they may be anything. */
static gboolean
collect_passage (const BeckonCitedText *passage, gpointer user_data)
{
  Cited *cited = user_data;

  if (passage->from < cited->end || passage->to <= passage->from || !is_boundary (cited->text, passage->from)
      || !is_boundary (cited->text, passage->to))
    return FALSE;
  cited->end = passage->to;
  g_array_append_val (cited->passages, *passage);
  return TRUE;
}

/* The blocks as they came: what is found again by what is sealed in a citation is only taken for the passage it was given for
 * (`encrypted_index` in https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool). */
static void
write_cited_text (Encoder *self, BeckonPart *text, GArray *passages)
{
  const char *bytes = beckon_part_get_text (text);
  gint64 at = 0;

  for (guint i = 0; i < passages->len; i++)
    {
      const BeckonCitedText *passage = &g_array_index (passages, BeckonCitedText, i);

      write_piece (self, "assistant", bytes + at, (gsize) (passage->from - at), NULL);
      write_piece (self, "assistant", bytes + passage->from, (gsize) (passage->to - passage->from), &passage->citations);
      at = passage->to;
    }
  write_piece (self, "assistant", bytes + at, beckon_part_get_length (text) - (gsize) at, NULL);
}

static void
write_reply_text (Encoder *self, BeckonMessage *message, guint place)
{
  g_autoptr (GArray) passages = g_array_new (FALSE, FALSE, sizeof (BeckonCitedText));
  BeckonPart *text = beckon_message_get_part (message, place);
  BeckonPart *next = place + 1 < beckon_message_get_n_parts (message) ? beckon_message_get_part (message, place + 1) : NULL;
  Cited cited = { .text = text, .passages = passages };

  if (next == NULL || beckon_message_get_status (message) != BECKON_MESSAGE_COMPLETE
      || g_strcmp0 (beckon_part_get_origin (next), ORIGIN) != 0
      || !beckon_citation_foreach_text (next, collect_passage, &cited))
    g_array_set_size (passages, 0);
  write_cited_text (self, text, passages);
}

typedef struct
{
  BeckonJsonSlice type;
  BeckonJsonSlice id;
  BeckonJsonSlice tool_use_id;
} ServerBlock;

#define CALL 'c'
#define RESULT 'r'

static gboolean
read_server_block (BeckonPart *part, ServerBlock *block)
{
  static const BeckonJsonMember members[] = {
    BECKON_JSON_STRING_MEMBER ("type", ServerBlock, type),
    BECKON_JSON_STRING_MEMBER ("id", ServerBlock, id),
    BECKON_JSON_STRING_MEMBER ("tool_use_id", ServerBlock, tool_use_id),
    BECKON_JSON_MEMBERS_END,
  };

  *block = (ServerBlock){ 0 };
  return beckon_opaque_is_from (part, ORIGIN)
         && beckon_json_members_read_text (beckon_part_get_text (part), beckon_part_get_length (part), members, block)
                == BECKON_JSON_FAULT_NONE
         && (block->id.length > 0 || block->tool_use_id.length > 0);
}

static char *
make_key (char kind, const BeckonJsonSlice *id)
{
  return g_strdup_printf ("%c%.*s", kind, (int) id->length, id->text);
}

static gboolean
has_id (Encoder *self, char kind, const BeckonJsonSlice *id)
{
  g_autofree char *key = id->length > 0 ? make_key (kind, id) : NULL;

  return key != NULL && g_hash_table_contains (self->server_ids, key);
}

static gboolean
is_reply (Encoder *self, guint index)
{
  return beckon_message_get_role (g_ptr_array_index (self->messages, index)) == BECKON_ROLE_ASSISTANT;
}

static void
add_ids (Encoder *self, BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      ServerBlock block;

      if (!read_server_block (beckon_message_get_part (message, i), &block))
        continue;
      if (block.id.length > 0)
        g_hash_table_add (self->server_ids, make_key (CALL, &block.id));
      if (block.tool_use_id.length > 0)
        g_hash_table_add (self->server_ids, make_key (RESULT, &block.tool_use_id));
    }
}

/* Once for each turn: results are long, and there may be many. */
static void
read_turn (Encoder *self)
{
  guint first = self->at;

  if (self->server_ids != NULL && self->at < self->turn_end)
    return;
  g_clear_pointer (&self->server_ids, g_hash_table_unref);
  self->server_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  while (first > 0 && is_reply (self, first - 1))
    first--;
  for (self->turn_end = first; self->turn_end < self->messages->len && is_reply (self, self->turn_end); self->turn_end++)
    add_ids (self, g_ptr_array_index (self->messages, self->turn_end));
}

/* A call of the server's tool and its result stand in the same turn, and one without the other is refused; but the call that
 * the turn ends with is still to be run. */
static gboolean
is_whole (Encoder *self, BeckonPart *part)
{
  ServerBlock block;

  if (!read_server_block (part, &block))
    return TRUE;
  read_turn (self);
  return has_id (self, RESULT, &block.id) || has_id (self, CALL, &block.tool_use_id)
         || (self->turn_end == self->messages->len && block.id.length > 0);
}

/* A server's tool in a reply that broke off may lack its other half, and would be refused. */
static gboolean
may_return (Encoder *self, BeckonMessage *message, BeckonPart *part)
{
  g_autofree char *unsupported = NULL;

  if (!beckon_opaque_is_from (part, ORIGIN))
    return FALSE;
  unsupported = beckon_opaque_dup_unsupported (part);
  return unsupported == NULL || (beckon_message_get_status (message) == BECKON_MESSAGE_COMPLETE && is_whole (self, part));
}

static void
write_block (Encoder *self, BeckonMessage *message, guint place)
{
  BeckonPart *part = beckon_message_get_part (message, place);

  if (beckon_part_get_kind (part) == BECKON_PART_TEXT)
    write_reply_text (self, message, place);
  else if (may_return (self, message, part) && !(self->is_bare && beckon_opaque_is_thinking (part)))
    {
      begin_block (self, "assistant");
      beckon_json_writer_raw (&self->writer, beckon_part_get_text (part), (gssize) beckon_part_get_length (part));
    }
}

/* Reasoning goes back only with its seal, as a block of the provider's own. */
static void
anthropic_encoder_write_assistant (Encoder *self, BeckonMessage *message)
{
  g_autoptr (GPtrArray) calls = beckon_encoding_list_calls (message);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      BeckonToolCall *call = beckon_part_get_call (part);

      if (call == NULL)
        {
          write_block (self, message, i);
          continue;
        }
      g_ptr_array_add (ids,
                       (gpointer) beckon_encoding_choose_id (self->used_ids, call, beckon_encoding_is_plain_id));
      anthropic_encoder_write_call (self, call, g_ptr_array_index (ids, ids->len - 1));
    }
  for (guint i = 0; i < calls->len; i++)
    anthropic_encoder_write_result (self, g_ptr_array_index (calls, i), g_ptr_array_index (ids, i));
}

static void
write_cache_mark (BeckonJsonWriter *writer)
{
  beckon_json_writer_name (writer, "cache_control");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", "ephemeral");
  beckon_json_writer_end_object (writer);
}

/* Input of this round will be sent again in the next, with more behind it. */
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
anthropic_encoder_write_messages (Encoder *self, const BeckonLlmRequest *request)
{
  g_autoptr (GHashTable) used_ids = g_hash_table_new (g_str_hash, g_str_equal);

  self->used_ids = used_ids;
  self->messages = request->messages;
  beckon_json_writer_name (&self->writer, "messages");
  beckon_json_writer_begin_array (&self->writer);
  for (guint i = 0; i < request->messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (request->messages, i);

      self->at = i;
      self->is_bare = i >= self->bare_from;
      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        anthropic_encoder_write_user (self, message);
      else
        anthropic_encoder_write_assistant (self, message);
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

static void
write_search (BeckonJsonWriter *writer)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "type", SEARCH_TOOL);
  beckon_json_writer_member_string (writer, "name", "web_search");
  beckon_json_writer_member_int (writer, "max_uses", MAX_SEARCHES);
  write_cache_mark (writer);
  beckon_json_writer_end_object (writer);
}

/* They come before the system prompt for the server, and stay when that changes. */
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
      beckon_encoding_write_declaration (writer, tool, "input_schema");
      if (i + 1 == tools->len && !request->searches)
        write_cache_mark (writer);
      beckon_json_writer_end_object (writer);
    }
  if (request->searches)
    write_search (writer);
  beckon_json_writer_end_array (writer);
}

/* The member is required, and a model refuses more than it can. Others on this protocol take the least. */
static gint64
find_max_tokens (BeckonProfile *profile)
{
  guint output = beckon_profile_get_effective_output (profile);

  return output > 0 ? output : LEAST_MAX_TOKENS;
}

static void
anthropic_encoder_write_options (Encoder *self, const BeckonLlmRequest *request)
{
  BeckonAnthropicLoop loop = anthropic_loop_find (request);
  gint64 max_tokens = find_max_tokens (request->profile);
  BeckonAnthropicThinking thinking;
  BeckonOptions options;

  beckon_options_init (&options, &self->writer, request->profile);
  beckon_options_write_limit (&options, "max_tokens", max_tokens);
  thinking = beckon_effort_write_anthropic (&options, request->effort, max_tokens,
                                            anthropic_loop_may_think (&loop, request));
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
  anthropic_encoder_write_options (&encoder, request);
  write_system (&encoder.writer, request->system);
  write_tools (&encoder.writer, request);
  anthropic_encoder_write_messages (&encoder, request);
  beckon_json_writer_member_boolean (&encoder.writer, "stream", TRUE);
  beckon_json_writer_end_object (&encoder.writer);
  g_clear_pointer (&encoder.server_ids, g_hash_table_unref);
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
