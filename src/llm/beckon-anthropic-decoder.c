/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json-writer.h"
#include "beckon-citation-list.h"
#include "beckon-reply-decoder.h"

#include <string.h>

/* Anthropic's Messages. A reply is a list of blocks, each begun, added to and ended by events that name its index;
 * gateways leave ends out, begin messages twice and add an end of their own. What is no text, reasoning or call is kept
 * whole as the provider's own. */

/* More blocks than this open at once are no reply any more. */
#define MAX_OPEN 256

/* The most that is kept of one block beside what was given out already. */
#define MAX_BLOCK (8 * 1024 * 1024)
#define MAX_CITATIONS (128 * 1024)

typedef enum
{
  BLOCK_TEXT,
  BLOCK_THINKING,
  BLOCK_CALL,
  BLOCK_OTHER,
} BlockKind;

typedef struct
{
  gint64 index;
  BlockKind kind;
  GString *start;     /* its JSON as it began */
  GString *text;      /* of reasoning, or input of a server's tool */
  GString *signature;
  BeckonLlmCall *call; /* borrowed */
  gboolean is_damaged; /* something was added that is not known, or too much */
  gsize from;          /* of a text: where it begins in what is given in one piece */
  GString *citations;  /* of a text: members of a JSON array */
} Block;

typedef struct
{
  BeckonReplyDecoder reply;

  GPtrArray *open; /* (element-type Block) */
  gint64 input;
  gint64 cache_read;
  gint64 cache_written;
  gint64 output;
  gint64 searches;
  BeckonCitationList *citations; /* of the text that was given last */
} Decoder;

typedef struct
{
  BeckonJsonSlice type;
  gint64 index;
  BeckonJsonSlice block;
  BeckonJsonSlice message;
  BeckonJsonSlice error;
  BeckonJsonSlice usage;
  BeckonJsonSlice content;
  BeckonJsonSlice stop_reason;
  BeckonJsonSlice stop_details;
  BeckonJsonSlice delta_type;
  BeckonJsonSlice text;
  BeckonJsonSlice thinking;
  BeckonJsonSlice partial_json;
  BeckonJsonSlice signature;
  BeckonJsonSlice citation;
} Payload;

static const BeckonJsonMember delta_members[] = {
  BECKON_JSON_STRING_MEMBER ("type", Payload, delta_type),
  BECKON_JSON_STRING_MEMBER ("text", Payload, text),
  BECKON_JSON_STRING_MEMBER ("partial_json", Payload, partial_json),
  BECKON_JSON_STRING_MEMBER ("thinking", Payload, thinking),
  BECKON_JSON_STRING_MEMBER ("signature", Payload, signature),
  BECKON_JSON_RAW_MEMBER ("citation", Payload, citation),
  BECKON_JSON_STRING_MEMBER ("stop_reason", Payload, stop_reason),
  BECKON_JSON_RAW_MEMBER ("stop_details", Payload, stop_details),
  BECKON_JSON_MEMBERS_END,
};

/* A body that is no stream is the message itself: its content and its reason stand at the top. */
static const BeckonJsonMember payload_members[] = {
  BECKON_JSON_STRING_MEMBER ("type", Payload, type),
  BECKON_JSON_INT_MEMBER ("index", Payload, index),
  BECKON_JSON_OBJECT_MEMBER ("delta", delta_members),
  BECKON_JSON_RAW_MEMBER ("content_block", Payload, block),
  BECKON_JSON_RAW_MEMBER ("message", Payload, message),
  BECKON_JSON_RAW_MEMBER ("usage", Payload, usage),
  BECKON_JSON_RAW_MEMBER ("error", Payload, error),
  BECKON_JSON_RAW_MEMBER ("content", Payload, content),
  BECKON_JSON_STRING_MEMBER ("stop_reason", Payload, stop_reason),
  BECKON_JSON_RAW_MEMBER ("stop_details", Payload, stop_details),
  BECKON_JSON_MEMBERS_END,
};

/* --- Usage and end ------------------------------------------------------------------------------------------------ */

static const BeckonJsonMember server_members[] = {
  BECKON_JSON_INT_MEMBER ("web_search_requests", Decoder, searches),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember usage_members[] = {
  BECKON_JSON_INT_MEMBER ("input_tokens", Decoder, input),
  BECKON_JSON_INT_MEMBER ("cache_read_input_tokens", Decoder, cache_read),
  BECKON_JSON_INT_MEMBER ("cache_creation_input_tokens", Decoder, cache_written),
  BECKON_JSON_INT_MEMBER ("output_tokens", Decoder, output),
  BECKON_JSON_OBJECT_MEMBER ("server_tool_use", server_members),
  BECKON_JSON_MEMBERS_END,
};

/* Usage comes at the beginning and again, corrected, at the end; what the end omits stays. */
static void
anthropic_decoder_take_usage (Decoder *self, const BeckonJsonSlice *usage)
{
  BeckonUsage *sum = &self->reply.usage;

  if (usage->text == NULL)
    return;
  beckon_json_members_read_text (usage->text, usage->length, usage_members, self);
  self->reply.has_usage = TRUE;
  sum->cached = self->cache_read;
  sum->output = self->output;
  /* The input excludes tokens from the cache here. The bounds keep the sum from overflowing. */
  if (self->input >= 0)
    sum->input = MIN (self->input, G_MAXINT32) + CLAMP (self->cache_read, 0, G_MAXINT32)
                 + CLAMP (self->cache_written, 0, G_MAXINT32);
}

static void
take_stop_reason (Decoder *self, const BeckonJsonSlice *reason)
{
  static const struct
  {
    const char *reason;
    BeckonLlmEnd end;
  } known[] = {
    { "end_turn", BECKON_LLM_END_COMPLETE },
    { "stop_sequence", BECKON_LLM_END_COMPLETE },
    { "tool_use", BECKON_LLM_END_TOOL_CALLS },
    { "max_tokens", BECKON_LLM_END_LENGTH },
    { "model_context_window_exceeded", BECKON_LLM_END_LENGTH },
    { "pause_turn", BECKON_LLM_END_PAUSED },
    { "compaction", BECKON_LLM_END_PAUSED },
    { "refusal", BECKON_LLM_END_REFUSAL },
    { "content_filtered", BECKON_LLM_END_CONTENT_FILTER },
  };

  if (reason->text == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (beckon_json_slice_equals (reason, known[i].reason))
        {
          beckon_reply_decoder_set_finish (&self->reply, known[i].end);
          return;
        }
    }
  beckon_reply_decoder_set_other_finish (&self->reply, reason);
}

typedef struct
{
  BeckonJsonSlice explanation;
} Details;

static void
take_stop (Decoder *self, const Payload *payload)
{
  static const BeckonJsonMember members[] = {
    BECKON_JSON_STRING_MEMBER ("explanation", Details, explanation),
    BECKON_JSON_MEMBERS_END,
  };
  Details details = { BECKON_JSON_SLICE_INIT };

  take_stop_reason (self, &payload->stop_reason);
  if (payload->stop_details.text == NULL)
    return;
  beckon_json_members_read_text (payload->stop_details.text, payload->stop_details.length, members, &details);
  beckon_reply_decoder_add_refusal (&self->reply, &details.explanation);
}

/* --- Blocks ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonJsonSlice type;
  BeckonJsonSlice id;
  BeckonJsonSlice name;
  BeckonJsonSlice text;
  BeckonJsonSlice thinking;
  BeckonJsonSlice signature;
  BeckonJsonSlice input;
  BeckonJsonSlice citations;
} BlockStart;

static const BeckonJsonMember start_members[] = {
  BECKON_JSON_STRING_MEMBER ("type", BlockStart, type),
  BECKON_JSON_STRING_MEMBER ("id", BlockStart, id),
  BECKON_JSON_STRING_MEMBER ("name", BlockStart, name),
  BECKON_JSON_STRING_MEMBER ("text", BlockStart, text),
  BECKON_JSON_STRING_MEMBER ("thinking", BlockStart, thinking),
  BECKON_JSON_STRING_MEMBER ("signature", BlockStart, signature),
  BECKON_JSON_RAW_MEMBER ("input", BlockStart, input),
  BECKON_JSON_RAW_MEMBER ("citations", BlockStart, citations),
  BECKON_JSON_MEMBERS_END,
};

static void
block_free (Block *block)
{
  g_string_free (block->start, TRUE);
  g_string_free (block->text, TRUE);
  g_string_free (block->signature, TRUE);
  g_string_free (block->citations, TRUE);
  g_free (block);
}

static void
anthropic_decoder_keep (Block *block, GString *where, const BeckonJsonSlice *slice)
{
  if (slice->length == 0)
    return;
  if (slice->length > MAX_BLOCK - MIN (where->len, MAX_BLOCK) || !beckon_json_slice_append_to (slice, where))
    block->is_damaged = TRUE;
}

static void
give_reasoning (Decoder *self, Block *block, const BeckonJsonSlice *thinking)
{
  beckon_reply_decoder_give_text (&self->reply, BECKON_LLM_EVENT_REASONING, thinking);
  anthropic_decoder_keep (block, block->text, thinking);
}

/* A seal counts only for exactly what it seals. */
static void
close_thinking (Decoder *self, Block *block)
{
  g_autoptr (GString) json = NULL;
  BeckonJsonWriter writer;

  if (block->signature->len == 0 || block->is_damaged)
    return;
  json = g_string_sized_new (block->text->len + block->signature->len + 64);
  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "type", "thinking");
  beckon_json_writer_name (&writer, "thinking");
  beckon_json_writer_string (&writer, block->text->str, (gssize) block->text->len);
  beckon_json_writer_name (&writer, "signature");
  beckon_json_writer_string (&writer, block->signature->str, (gssize) block->signature->len);
  beckon_json_writer_end_object (&writer);
  beckon_reply_decoder_give_opaque (&self->reply, json->str, json->len);
}

/* The block without its empty input, and with the one that came in pieces. */
static char *
fill_in_input (Block *block)
{
  BlockStart start = { 0 };
  GString *json;
  gsize before;

  beckon_json_members_read_text (block->start->str, block->start->len, start_members, &start);
  if (block->text->len == 0 || start.input.text == NULL)
    return g_strdup (block->start->str);
  before = (gsize) (start.input.text - block->start->str);
  json = g_string_new_len (block->start->str, (gssize) before);
  g_string_append_len (json, block->text->str, (gssize) block->text->len);
  g_string_append (json, start.input.text + start.input.length);
  return g_string_free (json, FALSE);
}

static void
close_other (Decoder *self, Block *block)
{
  g_autofree char *json = fill_in_input (block);

  if (!block->is_damaged)
    beckon_reply_decoder_give_opaque (&self->reply, json, strlen (json));
}

/* The passage ends where its block does. */
static void
close_text (Decoder *self, Block *block)
{
  g_autofree char *array = g_strdup_printf ("[%s]", block->citations->str);
  const BeckonJsonSlice raw = { array, block->citations->len + 2, FALSE };

  if (block->from < self->reply.text_length)
    beckon_citation_list_add (self->citations, block->from, self->reply.text_length, &raw);
}

static void
close_block (Decoder *self, Block *block)
{
  if (block->kind == BLOCK_TEXT)
    close_text (self, block);
  else if (block->kind == BLOCK_THINKING)
    close_thinking (self, block);
  else if (block->kind == BLOCK_OTHER)
    close_other (self, block);
  g_ptr_array_remove (self->open, block);
}

/* Without an index it is the last one. */
static Block *
find_block (Decoder *self, gint64 index)
{
  for (guint i = self->open->len; i > 0; i--)
    {
      Block *block = g_ptr_array_index (self->open, i - 1);

      if (index < 0 || block->index == index)
        return block;
    }
  return NULL;
}

static Block *
block_new (Decoder *self, gint64 index, BlockKind kind)
{
  Block *block;

  if (self->open->len == MAX_OPEN)
    close_block (self, g_ptr_array_index (self->open, 0));
  block = g_new0 (Block, 1);
  block->index = index;
  block->kind = kind;
  block->start = g_string_new (NULL);
  block->text = g_string_new (NULL);
  block->signature = g_string_new (NULL);
  block->citations = g_string_new (NULL);
  block->from = self->reply.text_length;
  g_ptr_array_add (self->open, block);
  return block;
}

static void
anthropic_decoder_begin_call (Decoder *self, gint64 index, const BlockStart *start)
{
  BeckonLlmCalls *calls = self->reply.calls;
  BeckonLlmCall *call = beckon_llm_calls_begin (calls, NULL, &start->id, &start->name);

  beckon_reply_decoder_check_calls (&self->reply, call != NULL);
  if (call == NULL)
    return;
  block_new (self, index, BLOCK_CALL)->call = call;
  /* Empty, unless the server does not stream what it wraps. */
  if (start->input.length > 2)
    beckon_reply_decoder_check_calls (&self->reply, beckon_llm_calls_append_raw (calls, call, &start->input));
}

static void
begin_thinking (Decoder *self, gint64 index, const BlockStart *start)
{
  Block *block = block_new (self, index, BLOCK_THINKING);

  give_reasoning (self, block, &start->thinking);
  anthropic_decoder_keep (block, block->signature, &start->signature);
}

static void
begin_other (Decoder *self, gint64 index, const BeckonJsonSlice *raw)
{
  Block *block = block_new (self, index, BLOCK_OTHER);

  g_string_append_len (block->start, raw->text, (gssize) raw->length);
}

static void
keep_citation (Block *block, const char *text, gsize length)
{
  if (length == 0 || length > MAX_CITATIONS - MIN (block->citations->len, MAX_CITATIONS))
    return;
  if (block->citations->len > 0)
    g_string_append_c (block->citations, ',');
  g_string_append_len (block->citations, text, (gssize) length);
}

/* A body that is no stream has all of them at once. */
static void
begin_text (Decoder *self, gint64 index, const BlockStart *start)
{
  Block *block = block_new (self, index, BLOCK_TEXT);

  beckon_reply_decoder_give_text (&self->reply, BECKON_LLM_EVENT_TEXT, &start->text);
  if (start->citations.length > 2 && start->citations.text[0] == '[')
    keep_citation (block, start->citations.text + 1, start->citations.length - 2);
}

static void
begin_block (Decoder *self, gint64 index, const BeckonJsonSlice *raw)
{
  BlockStart start = { 0 };
  Block *known = index >= 0 ? find_block (self, index) : NULL;

  if (raw->text == NULL)
    return;
  if (known != NULL)
    close_block (self, known);
  beckon_json_members_read_text (raw->text, raw->length, start_members, &start);
  if (start.type.text == NULL)
    return;
  if (beckon_json_slice_equals (&start.type, "text"))
    {
      begin_text (self, index, &start);
      return;
    }
  beckon_citation_list_give (self->citations, &self->reply);
  if (beckon_json_slice_equals (&start.type, "thinking"))
    begin_thinking (self, index, &start);
  else if (beckon_json_slice_equals (&start.type, "tool_use"))
    anthropic_decoder_begin_call (self, index, &start);
  else
    begin_other (self, index, raw);
}

static void
add_json (Decoder *self, Block *block, const BeckonJsonSlice *json)
{
  if (block->kind == BLOCK_CALL)
    beckon_reply_decoder_check_calls (&self->reply, beckon_llm_calls_append (self->reply.calls, block->call, json));
  else
    anthropic_decoder_keep (block, block->text, json);
}

static gboolean
is_delta (const Payload *payload, const char *type)
{
  return payload->delta_type.text != NULL && beckon_json_slice_equals (&payload->delta_type, type);
}

/* Text and reasoning are shown even where the beginning of their block was lost. */
static void
add_to_block (Decoder *self, const Payload *payload)
{
  Block *block = find_block (self, payload->index);

  if (payload->text.text != NULL)
    beckon_reply_decoder_give_text (&self->reply, BECKON_LLM_EVENT_TEXT, &payload->text);
  else if (payload->thinking.text != NULL && block != NULL)
    give_reasoning (self, block, &payload->thinking);
  else if (payload->thinking.text != NULL)
    beckon_reply_decoder_give_text (&self->reply, BECKON_LLM_EVENT_REASONING, &payload->thinking);
  else if (payload->partial_json.text != NULL && block != NULL)
    add_json (self, block, &payload->partial_json);
  else if (payload->signature.text != NULL && block != NULL)
    anthropic_decoder_keep (block, block->signature, &payload->signature);
  else if (block != NULL && is_delta (payload, "citations_delta"))
    keep_citation (block, payload->citation.text, payload->citation.length);
  else if (block != NULL)
    block->is_damaged = TRUE;
}

static void
end_block (Decoder *self, gint64 index)
{
  Block *block = find_block (self, index);

  if (block != NULL)
    close_block (self, block);
}

/* --- Payloads ----------------------------------------------------------------------------------------------------- */

/* A message that begins again in the middle says nothing new: its blocks go on. */
static void
anthropic_decoder_take_message (Decoder *self, const BeckonJsonSlice *message)
{
  Payload payload = { .index = -1 };

  if (message->text == NULL)
    return;
  beckon_json_members_read_text (message->text, message->length, payload_members, &payload);
  anthropic_decoder_take_usage (self, &payload.usage);
}

static BeckonJsonFault
anthropic_take (BeckonReplyDecoder *reply, const char *text, gsize length, gboolean is_error)
{
  Decoder *self = (Decoder *) reply;
  Payload payload = { .index = -1 };
  BeckonJsonFault fault = beckon_json_members_read_text (text, length, payload_members, &payload);
  BeckonJsonSlice all = { text, length, FALSE };

  if (fault != BECKON_JSON_FAULT_NONE)
    return fault;
  if (payload.type.text == NULL)
    payload.type = (BeckonJsonSlice) { "", 0, FALSE };
  if (beckon_json_slice_equals (&payload.type, "content_block_delta"))
    add_to_block (self, &payload);
  else if (beckon_json_slice_equals (&payload.type, "content_block_start"))
    begin_block (self, payload.index, &payload.block);
  else if (beckon_json_slice_equals (&payload.type, "content_block_stop"))
    end_block (self, payload.index);
  else if (beckon_json_slice_equals (&payload.type, "message_delta"))
    {
      take_stop (self, &payload);
      anthropic_decoder_take_usage (self, &payload.usage);
    }
  else if (beckon_json_slice_equals (&payload.type, "message_start"))
    anthropic_decoder_take_message (self, &payload.message);
  else if (beckon_json_slice_equals (&payload.type, "message_stop"))
    reply->is_done = TRUE;
  else if (is_error || payload.error.text != NULL || beckon_json_slice_equals (&payload.type, "error"))
    beckon_reply_decoder_fail_with (reply, payload.error.text != NULL ? &payload.error : &all);
  return fault;
}

static void
take_content (Decoder *self, const BeckonJsonSlice *content)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;
  gint64 index = 0;

  beckon_json_reader_init (&reader, content->text, content->length, BECKON_JSON_REPLACE);
  if (beckon_json_reader_next (&reader) != BECKON_JSON_ARRAY_BEGIN)
    return;
  while ((token = beckon_json_reader_next (&reader)) != BECKON_JSON_ARRAY_END && token != BECKON_JSON_FAULTY)
    {
      BeckonJsonSlice raw = BECKON_JSON_SLICE_INIT;

      beckon_json_reader_finish_value (&reader, token, &raw);
      begin_block (self, index, &raw);
      end_block (self, index++);
    }
}

static BeckonJsonFault
anthropic_take_whole (BeckonReplyDecoder *reply, const char *text, gsize length)
{
  Decoder *self = (Decoder *) reply;
  Payload payload = { .index = -1 };
  BeckonJsonFault fault = beckon_json_members_read_text (text, length, payload_members, &payload);

  if (fault != BECKON_JSON_FAULT_NONE)
    return fault;
  if (payload.content.text == NULL)
    return anthropic_take (reply, text, length, FALSE);
  take_content (self, &payload.content);
  take_stop (self, &payload);
  anthropic_decoder_take_usage (self, &payload.usage);
  reply->is_done = TRUE;
  return fault;
}

static void
anthropic_init (BeckonReplyDecoder *reply)
{
  Decoder *self = (Decoder *) reply;

  self->open = g_ptr_array_new_with_free_func ((GDestroyNotify) block_free);
  self->citations = beckon_citation_list_new ();
  self->input = self->cache_read = self->cache_written = self->output = self->searches = -1;
}

/* A server's tool that was not over has nothing that could be sent back. */
static void
anthropic_finish (BeckonReplyDecoder *reply)
{
  Decoder *self = (Decoder *) reply;

  while (self->open->len > 0)
    {
      Block *block = g_ptr_array_index (self->open, 0);

      block->is_damaged |= !reply->has_finish;
      close_block (self, block);
    }
  beckon_citation_list_give (self->citations, reply);
  beckon_citation_list_give_searches (reply, self->searches, NULL);
}

static void
anthropic_clear (BeckonReplyDecoder *reply)
{
  g_ptr_array_unref (((Decoder *) reply)->open);
  beckon_citation_list_free (((Decoder *) reply)->citations);
}

BeckonDecoder *
beckon_anthropic_decoder_new (BeckonLlmEventFunc function, gpointer user_data)
{
  static const BeckonReplyProtocol protocol = {
    .size = sizeof (Decoder),
    .init = anthropic_init,
    .take = anthropic_take,
    .take_whole = anthropic_take_whole,
    .finish = anthropic_finish,
    .clear = anthropic_clear,
  };

  return beckon_reply_decoder_new (&protocol, function, user_data);
}
