/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-citation-list.h"
#include "beckon-gemini-arguments.h"
#include "beckon-reply-decoder.h"

#include <glib/gi18n-lib.h>

/* Google's Gemini. Each payload is a part of a reply: parts of text and thought, calls that come whole or as values of
 * places in their arguments, and signatures beside any of them, which go back with the same part. There is no last
 * word: the reason why the reply ended is one. */

#define MAX_GROUNDING (1024 * 1024)

typedef struct
{
  BeckonReplyDecoder reply;

  BeckonLlmCall *open;              /* (nullable): the call whose arguments are still to come */
  BeckonGeminiArguments *arguments; /* (nullable): of it */
  gboolean is_bad;                  /* they are no good */
  char *sources;                    /* (nullable): a JSON array: what the reply is grounded on */
  char *queries;                    /* (nullable): a JSON array: what was searched for */
  gboolean tells_searches;          /* there is a part for each of them */
} Decoder;

typedef struct
{
  BeckonJsonSlice candidates;
  BeckonJsonSlice block_reason;
  BeckonJsonSlice block_message;
  gint64 prompt;
  gint64 tool_prompt;
  gint64 candidate;
  gint64 thoughts;
  gint64 cached;
  BeckonJsonSlice error;
} Payload;

static const BeckonJsonMember feedback_members[] = {
  BECKON_JSON_STRING_MEMBER ("blockReason", Payload, block_reason),
  BECKON_JSON_STRING_MEMBER ("blockReasonMessage", Payload, block_message),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember usage_members[] = {
  BECKON_JSON_INT_MEMBER ("promptTokenCount", Payload, prompt),
  BECKON_JSON_INT_MEMBER ("toolUsePromptTokenCount", Payload, tool_prompt),
  BECKON_JSON_INT_MEMBER ("candidatesTokenCount", Payload, candidate),
  BECKON_JSON_INT_MEMBER ("thoughtsTokenCount", Payload, thoughts),
  BECKON_JSON_INT_MEMBER ("cachedContentTokenCount", Payload, cached),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember payload_members[] = {
  BECKON_JSON_RAW_MEMBER ("candidates", Payload, candidates),
  BECKON_JSON_OBJECT_MEMBER ("usageMetadata", usage_members),
  BECKON_JSON_OBJECT_MEMBER ("promptFeedback", feedback_members),
  BECKON_JSON_RAW_MEMBER ("error", Payload, error),
  BECKON_JSON_MEMBERS_END,
};

typedef struct
{
  gint64 index;
  BeckonJsonSlice parts;
  BeckonJsonSlice finish;
  BeckonJsonSlice message;
  BeckonJsonSlice sources;
  BeckonJsonSlice queries;
} Candidate;

static const BeckonJsonMember grounding_members[] = {
  BECKON_JSON_RAW_MEMBER ("groundingChunks", Candidate, sources),
  BECKON_JSON_RAW_MEMBER ("webSearchQueries", Candidate, queries),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember content_members[] = {
  BECKON_JSON_RAW_MEMBER ("parts", Candidate, parts),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember candidate_members[] = {
  BECKON_JSON_OBJECT_MEMBER ("content", content_members),
  BECKON_JSON_INT_MEMBER ("index", Candidate, index),
  BECKON_JSON_STRING_MEMBER ("finishReason", Candidate, finish),
  BECKON_JSON_STRING_MEMBER ("finishMessage", Candidate, message),
  BECKON_JSON_OBJECT_MEMBER ("groundingMetadata", grounding_members),
  BECKON_JSON_MEMBERS_END,
};

typedef struct
{
  BeckonJsonSlice text;
  gboolean is_thought;
  BeckonJsonSlice signature;
  BeckonJsonSlice call;
  BeckonJsonSlice code;
  BeckonJsonSlice code_result;
  BeckonJsonSlice data;
  BeckonJsonSlice file;
  BeckonJsonSlice tool_call;
  BeckonJsonSlice tool_response;
} Part;

static const BeckonJsonMember part_members[] = {
  BECKON_JSON_STRING_MEMBER ("text", Part, text),
  BECKON_JSON_TRUE_MEMBER ("thought", Part, is_thought),
  BECKON_JSON_STRING_MEMBER ("thoughtSignature", Part, signature),
  BECKON_JSON_RAW_MEMBER ("functionCall", Part, call),
  BECKON_JSON_RAW_MEMBER ("executableCode", Part, code),
  BECKON_JSON_RAW_MEMBER ("codeExecutionResult", Part, code_result),
  BECKON_JSON_RAW_MEMBER ("inlineData", Part, data),
  BECKON_JSON_RAW_MEMBER ("fileData", Part, file),
  BECKON_JSON_RAW_MEMBER ("toolCall", Part, tool_call),
  BECKON_JSON_RAW_MEMBER ("toolResponse", Part, tool_response),
  BECKON_JSON_MEMBERS_END,
};

typedef struct
{
  BeckonJsonSlice id;
  BeckonJsonSlice name;
  BeckonJsonSlice arguments;
  BeckonJsonSlice pieces;
  gboolean continues;
} Call;

static const BeckonJsonMember call_members[] = {
  BECKON_JSON_STRING_MEMBER ("id", Call, id),
  BECKON_JSON_STRING_MEMBER ("name", Call, name),
  BECKON_JSON_RAW_MEMBER ("args", Call, arguments),
  BECKON_JSON_RAW_MEMBER ("partialArgs", Call, pieces),
  BECKON_JSON_TRUE_MEMBER ("willContinue", Call, continues),
  BECKON_JSON_MEMBERS_END,
};

/* --- Calls -------------------------------------------------------------------------------------------------------- */

/* Arguments that never were whole stay cut, so that they cannot be taken for whole ones. */
static void
close_call (Decoder *self, gboolean is_whole)
{
  g_autofree char *json = NULL;
  BeckonJsonSlice raw;

  if (self->open == NULL)
    return;
  if (self->arguments != NULL)
    json = beckon_gemini_arguments_print (self->arguments);
  if (json != NULL && is_whole && !self->is_bad)
    raw = (BeckonJsonSlice) { json, strlen (json), FALSE };
  else
    raw = (BeckonJsonSlice) { "{", 1, FALSE };
  if (json != NULL || !is_whole)
    beckon_reply_decoder_check_calls (&self->reply,
                                      beckon_llm_calls_append_raw (self->reply.calls, self->open, &raw));
  g_clear_pointer (&self->arguments, beckon_gemini_arguments_free);
  self->open = NULL;
  self->is_bad = FALSE;
}

static void
gemini_decoder_begin_call (Decoder *self, const Call *call)
{
  close_call (self, FALSE);
  self->open = beckon_llm_calls_begin (self->reply.calls, NULL, &call->id, &call->name);
  beckon_reply_decoder_check_calls (&self->reply, self->open != NULL);
}

static void
gemini_decoder_take_call (Decoder *self, const BeckonJsonSlice *raw)
{
  BeckonLlmCalls *calls = self->reply.calls;
  Call call = { 0 };

  beckon_json_members_read_text (raw->text, raw->length, call_members, &call);
  if (call.name.length > 0 || self->open == NULL)
    gemini_decoder_begin_call (self, &call);
  if (self->open == NULL)
    return;
  if (call.arguments.text != NULL && self->arguments == NULL)
    beckon_reply_decoder_check_calls (&self->reply, beckon_llm_calls_append_raw (calls, self->open, &call.arguments));
  if (call.pieces.text != NULL)
    {
      if (self->arguments == NULL)
        self->arguments = beckon_gemini_arguments_new ();
      self->is_bad |= !beckon_gemini_arguments_feed (self->arguments, &call.pieces);
    }
  if (!call.continues)
    close_call (self, TRUE);
}

/* --- Parts -------------------------------------------------------------------------------------------------------- */

/* A signature is kept beside what it belongs to: the last text, or the call of that number. */
static void
give_signature (Decoder *self, const Part *part)
{
  g_autoptr (GString) json = NULL;
  BeckonJsonWriter writer;

  if (part->signature.length == 0)
    return;
  json = g_string_sized_new (part->signature.length + 64);
  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "type", "signature");
  if (part->call.text != NULL)
    beckon_json_writer_member_int (&writer, "call", (gint64) beckon_llm_calls_get_count (self->reply.calls) - 1);
  if (part->is_thought)
    beckon_json_writer_member_boolean (&writer, "thought", TRUE);
  beckon_json_writer_name (&writer, "thoughtSignature");
  beckon_json_writer_raw (&writer, part->signature.text - 1, (gssize) part->signature.length + 2);
  beckon_json_writer_end_object (&writer);
  beckon_reply_decoder_give_opaque (&self->reply, json->str, json->len);
}

static void
give_unsupported (Decoder *self, const BeckonJsonSlice *raw, const char *name)
{
  g_autoptr (GString) json = g_string_sized_new (raw->length + 64);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "type", "part");
  beckon_json_writer_member_string (&writer, "name", name);
  beckon_json_writer_name (&writer, "part");
  beckon_json_writer_raw (&writer, raw->text, (gssize) raw->length);
  beckon_json_writer_end_object (&writer);
  beckon_reply_decoder_give_opaque (&self->reply, json->str, json->len);
}

static const char *
name_unsupported (const Part *part)
{
  if (part->code.text != NULL)
    return "executableCode";
  if (part->code_result.text != NULL)
    return "codeExecutionResult";
  if (part->tool_call.text != NULL)
    return "toolCall";
  if (part->tool_response.text != NULL)
    return "toolResponse";
  if (part->data.text != NULL)
    return "inlineData";
  return part->file.text != NULL ? "fileData" : NULL;
}

static void
gemini_decoder_take_part (Decoder *self, const BeckonJsonSlice *raw)
{
  Part part = { 0 };
  const char *unsupported;

  beckon_json_members_read_text (raw->text, raw->length, part_members, &part);
  unsupported = name_unsupported (&part);
  if (unsupported != NULL)
    {
      self->tells_searches |= part.tool_call.text != NULL;
      give_unsupported (self, raw, unsupported);
      return;
    }
  beckon_reply_decoder_give_text (&self->reply, part.is_thought ? BECKON_LLM_EVENT_REASONING : BECKON_LLM_EVENT_TEXT,
                                  &part.text);
  if (part.call.text != NULL)
    gemini_decoder_take_call (self, &part.call);
  give_signature (self, &part);
}

static void
take_parts (Decoder *self, const BeckonJsonSlice *parts)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;

  beckon_json_reader_init (&reader, parts->text, parts->length, BECKON_JSON_REPLACE);
  if (beckon_json_reader_next (&reader) != BECKON_JSON_ARRAY_BEGIN)
    return;
  while ((token = beckon_json_reader_next (&reader)) != BECKON_JSON_ARRAY_END && token != BECKON_JSON_FAULTY)
    {
      BeckonJsonSlice raw = BECKON_JSON_SLICE_INIT;

      if (beckon_json_reader_finish_value (&reader, token, &raw))
        gemini_decoder_take_part (self, &raw);
    }
}

/* --- The end ------------------------------------------------------------------------------------------------------ */

static BeckonLlmEnd
read_finish (const BeckonJsonSlice *reason)
{
  static const struct
  {
    const char *reason;
    BeckonLlmEnd end;
  } known[] = {
    { "STOP", BECKON_LLM_END_COMPLETE },
    { "MAX_TOKENS", BECKON_LLM_END_LENGTH },
    { "SAFETY", BECKON_LLM_END_CONTENT_FILTER },
    { "RECITATION", BECKON_LLM_END_CONTENT_FILTER },
    { "BLOCKLIST", BECKON_LLM_END_CONTENT_FILTER },
    { "PROHIBITED_CONTENT", BECKON_LLM_END_CONTENT_FILTER },
    { "SPII", BECKON_LLM_END_CONTENT_FILTER },
    { "LANGUAGE", BECKON_LLM_END_CONTENT_FILTER },
    { "MODEL_ARMOR", BECKON_LLM_END_CONTENT_FILTER },
    { "IMAGE_SAFETY", BECKON_LLM_END_CONTENT_FILTER },
    { "IMAGE_PROHIBITED_CONTENT", BECKON_LLM_END_CONTENT_FILTER },
    { "IMAGE_RECITATION", BECKON_LLM_END_CONTENT_FILTER },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (beckon_json_slice_equals (reason, known[i].reason))
        return known[i].end;
    }
  return BECKON_LLM_END_FAILED;
}

static char *
gemini_decoder_dup_shown (const BeckonJsonSlice *slice)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *shown = NULL;

  beckon_json_slice_append_to (slice, text);
  shown = beckon_text_for_display (text->str, (gssize) text->len, BECKON_TEXT_PROSE);
  return beckon_text_shorten (shown, 2000);
}

/* Such as a call that the server itself could not read. */
static void
gemini_decoder_fail (Decoder *self, const Candidate *candidate)
{
  g_autofree char *reason = gemini_decoder_dup_shown (&candidate->finish);
  g_autofree char *words = gemini_decoder_dup_shown (&candidate->message);
  g_autofree char *message = NULL;

  if (self->reply.is_failed)
    return;
  message = beckon_text_printf (_("The provider ended the reply and gave %s as the reason. %s"), reason,
                                candidate->message.text != NULL ? words : "");
  beckon_reply_decoder_fail (&self->reply, g_strchomp (message));
}

static void
take_finish (Decoder *self, const Candidate *candidate)
{
  BeckonLlmEnd end = read_finish (&candidate->finish);

  if (beckon_json_slice_equals (&candidate->finish, "FINISH_REASON_UNSPECIFIED"))
    return;
  beckon_reply_decoder_set_finish (&self->reply, end);
  if (end == BECKON_LLM_END_FAILED)
    gemini_decoder_fail (self, candidate);
  else if (end == BECKON_LLM_END_CONTENT_FILTER)
    beckon_reply_decoder_add_refusal (&self->reply, candidate->message.length > 0 ? &candidate->message
                                      : &candidate->finish);
}

/* A prompt that was blocked has no candidate. */
static void
take_feedback (Decoder *self, const Payload *payload)
{
  if (payload->block_reason.length == 0)
    return;
  beckon_reply_decoder_set_finish (&self->reply, BECKON_LLM_END_CONTENT_FILTER);
  beckon_reply_decoder_add_refusal (&self->reply, payload->block_message.length > 0 ? &payload->block_message
                                    : &payload->block_reason);
}

/* A later payload has all of them again. */
static void
keep_grounding (char **where, const BeckonJsonSlice *raw)
{
  if (raw->length <= 2 || raw->length > MAX_GROUNDING)
    return;
  g_free (*where);
  *where = g_strndup (raw->text, raw->length);
}

static void
give_grounding (Decoder *self)
{
  BeckonCitationList *list = beckon_citation_list_new ();
  BeckonJsonSlice sources = { self->sources, self->sources != NULL ? strlen (self->sources) : 0, FALSE };
  BeckonJsonSlice queries = { self->queries, self->queries != NULL ? strlen (self->queries) : 0, FALSE };

  if (self->sources != NULL)
    beckon_citation_list_add_sources (list, &sources);
  beckon_citation_list_give (list, &self->reply);
  if (self->queries != NULL && !self->tells_searches)
    beckon_citation_list_give_searches (&self->reply, -1, &queries);
  beckon_citation_list_free (list);
}

/* Every payload has the sums so far. */
static void
gemini_decoder_take_usage (Decoder *self, const Payload *payload)
{
  BeckonUsage *usage = &self->reply.usage;

  if (payload->prompt < 0 && payload->candidate < 0)
    return;
  self->reply.has_usage = TRUE;
  usage->cached = payload->cached;
  if (payload->prompt >= 0)
    usage->input = MIN (payload->prompt, G_MAXINT32) + CLAMP (payload->tool_prompt, 0, G_MAXINT32);
  if (payload->candidate >= 0 || payload->thoughts >= 0)
    usage->output = CLAMP (payload->candidate, 0, G_MAXINT32) + CLAMP (payload->thoughts, 0, G_MAXINT32);
}

/* --- Payloads ----------------------------------------------------------------------------------------------------- */

static void
take_candidates (Decoder *self, const BeckonJsonSlice *candidates)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;

  beckon_json_reader_init (&reader, candidates->text, candidates->length, BECKON_JSON_REPLACE);
  if (beckon_json_reader_next (&reader) != BECKON_JSON_ARRAY_BEGIN)
    return;
  for (gint64 place = 0; (token = beckon_json_reader_next (&reader)) == BECKON_JSON_OBJECT_BEGIN; place++)
    {
      Candidate candidate = { .index = place };

      beckon_json_members_read (&reader, candidate_members, &candidate);
      if (candidate.index != 0)
        continue;
      if (candidate.parts.text != NULL)
        take_parts (self, &candidate.parts);
      keep_grounding (&self->sources, &candidate.sources);
      keep_grounding (&self->queries, &candidate.queries);
      if (candidate.finish.length > 0)
        take_finish (self, &candidate);
    }
}

static BeckonJsonFault
gemini_take (BeckonReplyDecoder *reply, const char *text, gsize length, gboolean is_error)
{
  Decoder *self = (Decoder *) reply;
  Payload payload = { .prompt = -1, .tool_prompt = -1, .candidate = -1, .thoughts = -1, .cached = -1 };
  BeckonJsonFault fault = beckon_json_members_read_text (text, length, payload_members, &payload);
  BeckonJsonSlice all = { text, length, FALSE };

  if (fault != BECKON_JSON_FAULT_NONE)
    return fault;
  if (payload.candidates.text != NULL)
    take_candidates (self, &payload.candidates);
  take_feedback (self, &payload);
  gemini_decoder_take_usage (self, &payload);
  if ((is_error || payload.error.text != NULL) && !reply->is_failed)
    beckon_reply_decoder_fail_with (reply, payload.error.text != NULL ? &payload.error : &all);
  return fault;
}

/* Without "alt=sse" the payloads come as a list. */
static BeckonJsonFault
gemini_take_whole (BeckonReplyDecoder *reply, const char *text, gsize length)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;

  beckon_json_reader_init (&reader, text, length, BECKON_JSON_REPLACE);
  token = beckon_json_reader_next (&reader);
  beckon_json_reader_finish_value (&reader, token, NULL);
  while (token != BECKON_JSON_END && token != BECKON_JSON_FAULTY)
    token = beckon_json_reader_next (&reader);
  if (token == BECKON_JSON_FAULTY)
    return beckon_json_reader_get_fault (&reader, NULL);
  beckon_json_reader_init (&reader, text, length, BECKON_JSON_REPLACE);
  if (beckon_json_reader_next (&reader) == BECKON_JSON_OBJECT_BEGIN)
    gemini_take (reply, text, length, FALSE);
  else
    while ((token = beckon_json_reader_next (&reader)) == BECKON_JSON_OBJECT_BEGIN)
      {
        BeckonJsonSlice raw = BECKON_JSON_SLICE_INIT;

        beckon_json_reader_finish_value (&reader, token, &raw);
        gemini_take (reply, raw.text, raw.length, FALSE);
      }
  reply->is_done = reply->has_finish;
  return BECKON_JSON_FAULT_NONE;
}

static void
gemini_finish (BeckonReplyDecoder *reply)
{
  close_call ((Decoder *) reply, FALSE);
  give_grounding ((Decoder *) reply);
}

static void
gemini_clear (BeckonReplyDecoder *reply)
{
  beckon_gemini_arguments_free (((Decoder *) reply)->arguments);
  g_free (((Decoder *) reply)->sources);
  g_free (((Decoder *) reply)->queries);
}

BeckonDecoder *
beckon_gemini_decoder_new (BeckonLlmEventFunc function, gpointer user_data)
{
  static const BeckonReplyProtocol protocol = {
    .size = sizeof (Decoder),
    .take = gemini_take,
    .take_whole = gemini_take_whole,
    .finish = gemini_finish,
    .clear = gemini_clear,
  };

  return beckon_reply_decoder_new (&protocol, function, user_data);
}
