/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-citation-list.h"
#include "beckon-reply-decoder.h"

#include "base/beckon-json-writer.h"

/* OpenAI's Responses. A reply is a list of items; what is shown of them comes in deltas, and each item comes once more
 * as a whole when it is done. Reasoning items go back as they came, and messages with their id, status and phase; items that
 * are no text, reasoning or call of ours are kept. What a server did not stream is taken from the items, or from the reply
 * as a whole. */

typedef struct
{
  BeckonReplyDecoder reply;

  gboolean has_items;
  gint64 streamed;  /* the place of the item whose text came in deltas, -1 if none */
  gint64 summary;   /* the part of the reasoning's summary that came last, as item and part; -1 if none */
  BeckonCitationList *citations;
} Decoder;

typedef struct
{
  BeckonJsonSlice type;
  BeckonJsonSlice delta;
  BeckonJsonSlice arguments;
  gint64 output_index;
  BeckonJsonSlice item_id;
  gint64 summary_index;
  BeckonJsonSlice item;
  BeckonJsonSlice response;
  BeckonJsonSlice error;
  BeckonJsonSlice object;
} Payload;

static const BeckonJsonMember payload_members[] = {
  BECKON_JSON_STRING_MEMBER ("type", Payload, type),
  BECKON_JSON_STRING_MEMBER ("delta", Payload, delta),
  BECKON_JSON_INT_MEMBER ("output_index", Payload, output_index),
  BECKON_JSON_STRING_MEMBER ("item_id", Payload, item_id),
  BECKON_JSON_INT_MEMBER ("summary_index", Payload, summary_index),
  BECKON_JSON_STRING_MEMBER ("arguments", Payload, arguments),
  BECKON_JSON_RAW_MEMBER ("item", Payload, item),
  BECKON_JSON_RAW_MEMBER ("response", Payload, response),
  BECKON_JSON_RAW_MEMBER ("error", Payload, error),
  BECKON_JSON_STRING_MEMBER ("object", Payload, object),
  BECKON_JSON_MEMBERS_END,
};

typedef void (*EachFunc) (Decoder *self, const BeckonJsonSlice *raw, gint64 place);

static void
for_each (Decoder *self, const BeckonJsonSlice *array, EachFunc function)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;

  if (array->text == NULL)
    return;
  beckon_json_reader_init (&reader, array->text, array->length, BECKON_JSON_REPLACE);
  if (beckon_json_reader_next (&reader) != BECKON_JSON_ARRAY_BEGIN)
    return;
  for (gint64 place = 0; (token = beckon_json_reader_next (&reader)) != BECKON_JSON_ARRAY_END; place++)
    {
      BeckonJsonSlice raw = BECKON_JSON_SLICE_INIT;

      if (!beckon_json_reader_finish_value (&reader, token, &raw))
        return;
      function (self, &raw, place);
    }
}

/* --- Items -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonJsonSlice type;
  BeckonJsonSlice id;
  BeckonJsonSlice call_id;
  BeckonJsonSlice name;
  BeckonJsonSlice arguments;
  BeckonJsonSlice content;
  BeckonJsonSlice summary;
  BeckonJsonSlice text;
  BeckonJsonSlice refusal;
  BeckonJsonSlice status;
  BeckonJsonSlice phase;
  BeckonJsonSlice annotations;
} Item;

static const BeckonJsonMember item_members[] = {
  BECKON_JSON_STRING_MEMBER ("type", Item, type),
  BECKON_JSON_STRING_MEMBER ("id", Item, id),
  BECKON_JSON_STRING_MEMBER ("call_id", Item, call_id),
  BECKON_JSON_STRING_MEMBER ("name", Item, name),
  BECKON_JSON_STRING_MEMBER ("arguments", Item, arguments),
  BECKON_JSON_RAW_MEMBER ("content", Item, content),
  BECKON_JSON_RAW_MEMBER ("summary", Item, summary),
  BECKON_JSON_STRING_MEMBER ("text", Item, text),
  BECKON_JSON_STRING_MEMBER ("refusal", Item, refusal),
  BECKON_JSON_STRING_MEMBER ("status", Item, status),
  BECKON_JSON_STRING_MEMBER ("phase", Item, phase),
  BECKON_JSON_RAW_MEMBER ("annotations", Item, annotations),
  BECKON_JSON_MEMBERS_END,
};

static gboolean
responses_decoder_says (const BeckonJsonSlice *slice, const char *word)
{
  return slice->text != NULL && beckon_json_slice_equals (slice, word);
}

static void
give_content (Decoder *self, const BeckonJsonSlice *raw, gint64 place)
{
  Item part = { 0 };

  beckon_json_members_read_text (raw->text, raw->length, item_members, &part);
  if (responses_decoder_says (&part.type, "output_text"))
    beckon_reply_decoder_give_text (&self->reply, BECKON_LLM_EVENT_TEXT, &part.text);
  else if (responses_decoder_says (&part.type, "refusal"))
    beckon_reply_decoder_add_refusal (&self->reply, &part.refusal);
}

/* They are of the one text of a message. Where there are several, they are not sent back. */
static void
take_annotations (Decoder *self, const BeckonJsonSlice *raw, gint64 place)
{
  Item part = { 0 };

  beckon_json_members_read_text (raw->text, raw->length, item_members, &part);
  if (part.annotations.text == NULL)
    return;
  if (place == 0)
    beckon_citation_list_add (self->citations, 0, self->reply.text_length, &part.annotations);
  else
    beckon_citation_list_add_sources (self->citations, &part.annotations);
}

static void
give_reasoning (Decoder *self, const BeckonJsonSlice *raw, gint64 place)
{
  Item part = { 0 };

  beckon_json_members_read_text (raw->text, raw->length, item_members, &part);
  beckon_reply_decoder_give_text (&self->reply, BECKON_LLM_EVENT_REASONING, &part.text);
}

/* By its place in the output, or by its id. Some servers send no places; only there an item's own id counts. */
static BeckonLlmCall *
find_begun (Decoder *self, gint64 place, const BeckonJsonSlice *id, const BeckonJsonSlice *item)
{
  BeckonLlmCall *call = place >= 0 ? beckon_llm_calls_find (self->reply.calls, place) : NULL;

  if (call == NULL)
    call = beckon_llm_calls_find_by_id (self->reply.calls, id);
  return call != NULL || place >= 0 ? call : beckon_llm_calls_find_by_id (self->reply.calls, item);
}

static BeckonLlmCall *
responses_decoder_begin_call (Decoder *self, gint64 place, const Item *item)
{
  const BeckonJsonSlice *id = item->call_id.length > 0 ? &item->call_id : &item->id;
  BeckonLlmCall *call = find_begun (self, place, id, &item->id);

  if (call != NULL)
    beckon_llm_call_name (call, id, &item->name);
  else
    call = beckon_llm_calls_begin (self->reply.calls, place >= 0 ? &place : NULL, id, &item->name);
  if (call != NULL)
    beckon_llm_call_set_item (call, &item->id);
  beckon_reply_decoder_check_calls (&self->reply, call != NULL);
  return call;
}

/* Without a place and a name it is the last one that began. */
static BeckonLlmCall *
responses_decoder_find_call (Decoder *self, const Payload *payload)
{
  guint n = beckon_llm_calls_get_count (self->reply.calls);
  BeckonLlmCall *call = find_begun (self, payload->output_index, &payload->item_id, &payload->item_id);

  if (call == NULL && payload->output_index < 0 && n > 0)
    call = beckon_llm_calls_get (self->reply.calls, n - 1);
  return call;
}

static void
replace_arguments (Decoder *self, BeckonLlmCall *call, const BeckonJsonSlice *arguments)
{
  if (call != NULL && arguments->text != NULL)
    beckon_reply_decoder_check_calls (&self->reply, beckon_llm_calls_replace (self->reply.calls, call, arguments));
}

static void
write_member (BeckonJsonWriter *writer, const char *name, const BeckonJsonSlice *slice)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (slice->length == 0 || !beckon_json_slice_append_to (slice, text))
    return;
  beckon_json_writer_name (writer, name);
  beckon_json_writer_string (writer, text->str, (gssize) text->len);
}

/* The words of a message are a part of ours; what else is said of it has to go back with them, or models from GPT-5.3-Codex on
 * answer worse (MessagePhase in https://platform.openai.com/docs/api-reference/responses/create). */
static void
keep_message (Decoder *self, const Item *item)
{
  g_autoptr (GString) json = NULL;
  BeckonJsonWriter writer;

  if (item->id.length == 0 && item->phase.length == 0)
    return;
  json = g_string_sized_new (128);
  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "type", "message");
  write_member (&writer, "id", &item->id);
  write_member (&writer, "status", &item->status);
  write_member (&writer, "phase", &item->phase);
  beckon_json_writer_end_object (&writer);
  beckon_reply_decoder_give_opaque (&self->reply, json->str, json->len);
}

static void
begin_item (Decoder *self, const BeckonJsonSlice *raw, gint64 place)
{
  Item item = { 0 };

  if (raw->text == NULL)
    return;
  self->has_items = TRUE;
  beckon_json_members_read_text (raw->text, raw->length, item_members, &item);
  if (responses_decoder_says (&item.type, "function_call"))
    responses_decoder_begin_call (self, place, &item);
}

static void
end_item (Decoder *self, const BeckonJsonSlice *raw, gint64 place)
{
  Item item = { 0 };

  if (raw->text == NULL)
    return;
  self->has_items = TRUE;
  beckon_json_members_read_text (raw->text, raw->length, item_members, &item);
  if (responses_decoder_says (&item.type, "function_call"))
    replace_arguments (self, responses_decoder_begin_call (self, place, &item), &item.arguments);
  else if (responses_decoder_says (&item.type, "message"))
    {
      if (self->streamed != place)
        for_each (self, &item.content, give_content);
      for_each (self, &item.content, take_annotations);
      keep_message (self, &item);
      beckon_citation_list_give (self->citations, &self->reply);
    }
  else
    {
      if (responses_decoder_says (&item.type, "reasoning") && self->streamed != place)
        for_each (self, &item.summary, give_reasoning);
      beckon_reply_decoder_give_opaque (&self->reply, raw->text, raw->length);
    }
}

/* --- The reply as a whole ----------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonJsonSlice status;
  BeckonJsonSlice reason;
  BeckonJsonSlice error;
  BeckonJsonSlice output;
  gint64 input_tokens;
  gint64 output_tokens;
  gint64 cached_tokens;
} Response;

static const BeckonJsonMember incomplete_members[] = {
  BECKON_JSON_STRING_MEMBER ("reason", Response, reason),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember input_members[] = {
  BECKON_JSON_INT_MEMBER ("cached_tokens", Response, cached_tokens),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember usage_members[] = {
  BECKON_JSON_INT_MEMBER ("input_tokens", Response, input_tokens),
  BECKON_JSON_INT_MEMBER ("output_tokens", Response, output_tokens),
  BECKON_JSON_OBJECT_MEMBER ("input_tokens_details", input_members),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember response_members[] = {
  BECKON_JSON_STRING_MEMBER ("status", Response, status),
  BECKON_JSON_OBJECT_MEMBER ("incomplete_details", incomplete_members),
  BECKON_JSON_RAW_MEMBER ("error", Response, error),
  BECKON_JSON_RAW_MEMBER ("output", Response, output),
  BECKON_JSON_OBJECT_MEMBER ("usage", usage_members),
  BECKON_JSON_MEMBERS_END,
};

static void
take_status (Decoder *self, const Response *response)
{
  BeckonReplyDecoder *reply = &self->reply;

  if (responses_decoder_says (&response->status, "incomplete") && responses_decoder_says (&response->reason, "content_filter"))
    beckon_reply_decoder_set_finish (reply, BECKON_LLM_END_CONTENT_FILTER);
  else if (responses_decoder_says (&response->status, "incomplete")
           && (response->reason.length == 0 || responses_decoder_says (&response->reason, "max_output_tokens")))
    beckon_reply_decoder_set_finish (reply, BECKON_LLM_END_LENGTH);
  else if (responses_decoder_says (&response->status, "incomplete"))
    beckon_reply_decoder_set_other_finish (reply, &response->reason);
  else if (responses_decoder_says (&response->status, "cancelled"))
    beckon_reply_decoder_set_finish (reply, BECKON_LLM_END_CUT_OFF);
  else if (responses_decoder_says (&response->status, "completed"))
    beckon_reply_decoder_set_finish (reply, BECKON_LLM_END_COMPLETE);
  else if (response->status.length > 0 && !responses_decoder_says (&response->status, "failed"))
    beckon_reply_decoder_set_other_finish (reply, &response->status);
}

static void
responses_decoder_take_usage (Decoder *self, const Response *response)
{
  if (response->input_tokens < 0 && response->output_tokens < 0)
    return;
  self->reply.has_usage = TRUE;
  self->reply.usage = (BeckonUsage) { response->input_tokens, response->output_tokens, response->cached_tokens, -1 };
}

static void
take_response (Decoder *self, const BeckonJsonSlice *raw)
{
  Response response = { .input_tokens = -1, .output_tokens = -1, .cached_tokens = -1 };
  BeckonReplyDecoder *reply = &self->reply;

  reply->is_done = TRUE;
  if (raw->text == NULL)
    return;
  beckon_json_members_read_text (raw->text, raw->length, response_members, &response);
  if (!self->has_items)
    for_each (self, &response.output, end_item);
  responses_decoder_take_usage (self, &response);
  take_status (self, &response);
  if (response.error.text != NULL)
    beckon_reply_decoder_fail_with (reply, &response.error);
  else if (responses_decoder_says (&response.status, "failed") && !reply->is_failed)
    beckon_reply_decoder_fail (reply, "");
}

/* --- Payloads ----------------------------------------------------------------------------------------------------- */

/* The parts of a summary stand apart. */
static void
take_summary (Decoder *self, const Payload *payload)
{
  static const BeckonJsonSlice gap = { "\n\n", 2, FALSE };
  /* A server that counts nothing has one output. */
  gint64 summary = (MAX (payload->output_index, 0) << 20) + payload->summary_index;

  if (self->summary >= 0 && self->summary != summary && payload->summary_index > 0)
    beckon_reply_decoder_give_text (&self->reply, BECKON_LLM_EVENT_REASONING, &gap);
  self->summary = summary;
  self->streamed = payload->output_index;
  beckon_reply_decoder_give_text (&self->reply, BECKON_LLM_EVENT_REASONING, &payload->delta);
}

static void
take_arguments (Decoder *self, const Payload *payload)
{
  BeckonLlmCall *call = responses_decoder_find_call (self, payload);

  if (call != NULL && payload->delta.text != NULL)
    beckon_reply_decoder_check_calls (&self->reply,
                                      beckon_llm_calls_append (self->reply.calls, call, &payload->delta));
}

static gboolean
take_delta (Decoder *self, const Payload *payload)
{
  if (responses_decoder_says (&payload->type, "response.output_text.delta"))
    {
      self->streamed = payload->output_index;
      beckon_reply_decoder_give_text (&self->reply, BECKON_LLM_EVENT_TEXT, &payload->delta);
    }
  else if (responses_decoder_says (&payload->type, "response.function_call_arguments.delta"))
    take_arguments (self, payload);
  else if (responses_decoder_says (&payload->type, "response.reasoning_summary_text.delta")
           || responses_decoder_says (&payload->type, "response.reasoning_text.delta"))
    take_summary (self, payload);
  else if (responses_decoder_says (&payload->type, "response.refusal.delta"))
    {
      self->streamed = payload->output_index;
      beckon_reply_decoder_add_refusal (&self->reply, &payload->delta);
    }
  else
    return FALSE;
  return TRUE;
}

static void
take_other (Decoder *self, const Payload *payload)
{
  if (responses_decoder_says (&payload->type, "response.output_item.added"))
    begin_item (self, &payload->item, payload->output_index);
  else if (responses_decoder_says (&payload->type, "response.output_item.done"))
    end_item (self, &payload->item, payload->output_index);
  else if (responses_decoder_says (&payload->type, "response.function_call_arguments.done"))
    replace_arguments (self, responses_decoder_find_call (self, payload), &payload->arguments);
  else if (responses_decoder_says (&payload->type, "response.completed")
           || responses_decoder_says (&payload->type, "response.incomplete")
           || responses_decoder_says (&payload->type, "response.failed")
           || responses_decoder_says (&payload->type, "response.done"))
    take_response (self, &payload->response);
}

static BeckonJsonFault
responses_take (BeckonReplyDecoder *reply, const char *text, gsize length, gboolean is_error)
{
  Decoder *self = (Decoder *) reply;
  Payload payload = { .output_index = -1 };
  BeckonJsonFault fault = beckon_json_members_read_text (text, length, payload_members, &payload);
  BeckonJsonSlice all = { text, length, FALSE };

  if (fault != BECKON_JSON_FAULT_NONE)
    return fault;
  payload.output_index = CLAMP (payload.output_index, -1, G_MAXINT32);
  payload.summary_index = CLAMP (payload.summary_index, 0, G_MAXINT16);
  if (is_error || payload.error.text != NULL || responses_decoder_says (&payload.type, "error"))
    beckon_reply_decoder_fail_with (reply, payload.error.text != NULL ? &payload.error : &all);
  else if (!take_delta (self, &payload))
    take_other (self, &payload);
  return fault;
}

static BeckonJsonFault
responses_take_whole (BeckonReplyDecoder *reply, const char *text, gsize length)
{
  Payload payload = { 0 };
  BeckonJsonFault fault = beckon_json_members_read_text (text, length, payload_members, &payload);
  BeckonJsonSlice all = { text, length, FALSE };

  if (fault != BECKON_JSON_FAULT_NONE)
    return fault;
  if (!responses_decoder_says (&payload.object, "response"))
    return responses_take (reply, text, length, FALSE);
  take_response ((Decoder *) reply, &all);
  return fault;
}

static void
responses_init (BeckonReplyDecoder *reply)
{
  ((Decoder *) reply)->citations = beckon_citation_list_new ();
  ((Decoder *) reply)->streamed = -2;
  ((Decoder *) reply)->summary = -1;
}

static void
responses_clear (BeckonReplyDecoder *reply)
{
  beckon_citation_list_free (((Decoder *) reply)->citations);
}

BeckonDecoder *
beckon_responses_decoder_new (BeckonLlmEventFunc function, gpointer user_data)
{
  static const BeckonReplyProtocol protocol = {
    .size = sizeof (Decoder),
    .init = responses_init,
    .take = responses_take,
    .take_whole = responses_take_whole,
    .clear = responses_clear,
  };

  return beckon_reply_decoder_new (&protocol, function, user_data);
}
