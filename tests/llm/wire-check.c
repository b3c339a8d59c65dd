/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-test-endpoint.h"

#include "llm/beckon-probe.h"
#include "llm/beckon-provider.h"

#include <stdio.h>
#include <string.h>

/* The client against any server: one line for each thing that is tried, “passes”, “fails” with the reason, or “not there”. */

#define TOOL "get_forecast"
#define CALL TOOL "({\"city\":\"Paris\"})"
#define CALLS CALL " and " TOOL "({\"city\":\"Rome\"})"
#define WEATHER "Snow, 3 degrees below zero"
#define SHORT_REPLY 24
#define WRONG_KEY "sk-wrong-0123456789"

typedef enum
{
  PASSES,
  FAILS,
  NOT_THERE,
} Verdict;

/* The outcome of one request. */
typedef struct
{
  GMainLoop *loop;
  GCancellable *cancellable;
  gboolean cancel_at_text;
  GString *text;
  guint n_texts;
  guint n_reasonings;
  GPtrArray *calls; /* (element-type BeckonToolCall) */
  BeckonUsage usage;
  BeckonLlmEnd end;
  gboolean has_ended;
  guint n_late; /* events after it was cancelled */
  GError *error;
} Heard;

typedef struct
{
  BeckonProfile *profile;
  BeckonTestEndpoint *endpoint;
  BeckonProvider *provider;
  Heard heard;
  char *why; /* (owned) (nullable) */
} Check;

static void
forget (Check *self)
{
  g_clear_object (&self->heard.cancellable);
  g_clear_error (&self->heard.error);
  g_string_truncate (self->heard.text, 0);
  g_ptr_array_set_size (self->heard.calls, 0);
  self->heard.cancellable = g_cancellable_new ();
  self->heard.cancel_at_text = self->heard.has_ended = FALSE;
  self->heard.n_texts = self->heard.n_reasonings = self->heard.n_late = 0;
  self->heard.usage = (BeckonUsage) BECKON_USAGE_INIT;
  g_clear_pointer (&self->why, g_free);
}

static void
on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  Heard *heard = user_data;

  if (g_cancellable_is_cancelled (heard->cancellable))
    heard->n_late++;
  if (event->type == BECKON_LLM_EVENT_TEXT)
    {
      g_string_append_len (heard->text, event->text, (gssize) event->length);
      heard->n_texts++;
      if (heard->cancel_at_text)
        g_cancellable_cancel (heard->cancellable);
    }
  else if (event->type == BECKON_LLM_EVENT_REASONING)
    heard->n_reasonings++;
  else if (event->type == BECKON_LLM_EVENT_CALL)
    g_ptr_array_add (heard->calls, beckon_tool_call_new (NULL, event->id, event->name, event->arguments));
  else if (event->type == BECKON_LLM_EVENT_USAGE)
    heard->usage = event->usage;
  else if (event->type == BECKON_LLM_EVENT_END)
    {
      heard->end = event->end;
      heard->has_ended = TRUE;
    }
}

static void
on_streamed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Heard *heard = user_data;
  gint64 retry_after_ms;

  beckon_provider_stream_finish (BECKON_PROVIDER (source), result, &retry_after_ms, &heard->error);
  g_main_loop_quit (heard->loop);
}

static void
send (Check *self, BeckonLlmRequest *request)
{
  beckon_provider_stream_async (self->provider, request, on_event, &self->heard, self->heard.cancellable, on_streamed,
                                &self->heard);
  g_main_loop_run (self->heard.loop);
}

static BeckonMessage *
add_message (BeckonLlmRequest *request, BeckonRole role, const char *text)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, role, 0);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  if (text != NULL)
    beckon_message_add_part (message, part);
  beckon_llm_request_add_message (request, message);
  return message;
}

static void
add_tool (BeckonLlmRequest *request)
{
  g_autoptr (BeckonToolDefinition) tool = beckon_tool_definition_new (
    TOOL, "The weather in a city",
    "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"],\"additionalProperties\":false}",
    TRUE);

  beckon_llm_request_add_tool (request, tool);
}

static BeckonLlmRequest *
begin (Check *self, const char *text)
{
  BeckonLlmRequest *request = beckon_llm_request_new (self->profile, "You are a test of a connection. Do just what you are told.");

  forget (self);
  add_message (request, BECKON_ROLE_USER, text);
  return request;
}

static Verdict
fail (Check *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static Verdict
fail (Check *self, const char *format, ...)
{
  va_list arguments;

  g_free (self->why);
  va_start (arguments, format);
  self->why = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return FAILS;
}

/* Checks that hold for every good reply. */
static gboolean
is_whole (Check *self)
{
  if (self->heard.error != NULL)
    fail (self, "%s", self->heard.error->message);
  else if (!self->heard.has_ended)
    fail (self, "the reply has no end");
  else if (self->heard.end == BECKON_LLM_END_CUT_OFF || self->heard.end == BECKON_LLM_END_FAILED)
    fail (self, "it ended as “%s”", beckon_llm_end_to_string (self->heard.end));
  return self->why == NULL;
}

/* --- What is tried ------------------------------------------------------------------------------------------------- */

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Check *self = user_data;
  g_autoptr (GPtrArray) models = beckon_probe_list_finish (BECKON_PROBE (source), result, &self->heard.error);

  if (models != NULL && beckon_listed_model_find (models, beckon_profile_get_model (self->profile)) == NULL)
    self->why = g_strdup_printf ("%u models, %s not among them", models->len, beckon_profile_get_model (self->profile));
  else if (models != NULL)
    self->why = g_strdup_printf ("%u models", models->len);
  g_main_loop_quit (self->heard.loop);
}

static Verdict
try_list (Check *self)
{
  g_autoptr (BeckonProbe) probe = beckon_probe_new (BECKON_ENDPOINT_SOURCE (self->endpoint), beckon_clock_get_system ());

  forget (self);
  beckon_probe_list_async (probe, self->profile, 0, NULL, on_listed, self);
  g_main_loop_run (self->heard.loop);
  if (self->heard.error == NULL)
    return PASSES;
  fail (self, "%s", self->heard.error->message);
  return g_error_matches (self->heard.error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_NOT_FOUND) ? NOT_THERE : FAILS;
}

static Verdict
try_reply (Check *self)
{
  g_autoptr (BeckonLlmRequest) request = begin (self, "Say hello.");

  send (self, request);
  if (!is_whole (self))
    return FAILS;
  if (self->heard.end != BECKON_LLM_END_COMPLETE)
    return fail (self, "it ended as “%s”", beckon_llm_end_to_string (self->heard.end));
  return self->heard.text->len > 0 ? PASSES : fail (self, "there is no text");
}

static Verdict
try_stream (Check *self)
{
  g_autoptr (BeckonLlmRequest) request = begin (self, "Count from 1 to 60, with spaces between and nothing else.");

  send (self, request);
  if (!is_whole (self))
    return FAILS;
  return self->heard.n_texts > 1 ? PASSES : fail (self, "the text came in one piece");
}

static Verdict
try_usage (Check *self)
{
  g_autoptr (BeckonLlmRequest) request = begin (self, "Say hello.");

  send (self, request);
  if (!is_whole (self))
    return FAILS;
  if (self->heard.usage.input > 0 && self->heard.usage.output > 0)
    return PASSES;
  self->why = g_strdup ("the server does not count tokens");
  return NOT_THERE;
}

/* The reply has the calls; now it gets results. */
static void
send_results (Check *self, BeckonLlmRequest *request)
{
  BeckonMessage *message = add_message (request, BECKON_ROLE_ASSISTANT, NULL);

  for (guint i = 0; i < self->heard.calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (self->heard.calls, i);
      g_autoptr (BeckonPart) part = beckon_part_new_call (call);

      beckon_tool_call_set_result (call, WEATHER, FALSE);
      beckon_message_add_part (message, part);
    }
  forget (self);
  send (self, request);
}

static Verdict
try_calls_of (Check *self, const char *text, guint n)
{
  g_autoptr (BeckonLlmRequest) request = begin (self, text);

  add_tool (request);
  send (self, request);
  if (!is_whole (self))
    return FAILS;
  if (self->heard.calls->len == 0)
    {
      self->why = g_strdup ("the model made no call");
      return NOT_THERE;
    }
  if (self->heard.calls->len != n)
    return fail (self, "there are %u calls, not %u", self->heard.calls->len, n);
  for (guint i = 0; i < n; i++)
    if (strstr (beckon_tool_call_get_arguments (g_ptr_array_index (self->heard.calls, i)), i == 0 ? "Paris" : "Rome") == NULL)
      return fail (self, "call %u has the arguments %s", i + 1,
                   beckon_tool_call_get_arguments (g_ptr_array_index (self->heard.calls, i)));
  send_results (self, request);
  if (!is_whole (self))
    return FAILS;
  return self->heard.text->len > 0 ? PASSES : fail (self, "nothing was said to the results");
}

static Verdict
try_call (Check *self)
{
  return try_calls_of (self, "Call the tool " CALL " and tell me what it says.", 1);
}

static Verdict
try_calls (Check *self)
{
  return try_calls_of (self, "Call " CALLS " at once, in one reply, and tell me what they say.", 2);
}

static Verdict
try_reasoning (Check *self)
{
  g_autoptr (BeckonLlmRequest) request = begin (self, "What is 17 times 23?");

  request->effort = BECKON_EFFORT_LOW;
  send (self, request);
  if (!is_whole (self))
    return FAILS;
  if (self->heard.n_reasonings > 0)
    return PASSES;
  self->why = g_strdup ("no reasoning came");
  return NOT_THERE;
}

static Verdict
try_length (Check *self)
{
  g_autoptr (BeckonLlmRequest) request = NULL;

  beckon_profile_set_output_limit (self->profile, SHORT_REPLY);
  request = begin (self, "Count from 1 to 200, with spaces between and nothing else.");
  send (self, request);
  beckon_profile_set_output_limit (self->profile, 0);
  if (!is_whole (self))
    return FAILS;
  return self->heard.end == BECKON_LLM_END_LENGTH ? PASSES
                                                  : fail (self, "a reply of no more than %u tokens ended as “%s”", SHORT_REPLY,
                                                          beckon_llm_end_to_string (self->heard.end));
}

/* A red square. */
static const guchar red[] = {
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x20,
  0x00, 0x00, 0x00, 0x20, 0x08, 0x02, 0x00, 0x00, 0x00, 0xfc, 0x18, 0xed, 0xa3, 0x00, 0x00, 0x00, 0x27, 0x49, 0x44, 0x41,
  0x54, 0x78, 0xda, 0xed, 0xcd, 0xb1, 0x09, 0x00, 0x00, 0x08, 0xc0, 0xb0, 0xfe, 0xff, 0xb4, 0x5e, 0xe1, 0x20, 0x04, 0xb2,
  0xa7, 0xa9, 0x53, 0x09, 0x04, 0x02, 0x81, 0x40, 0x20, 0x10, 0x08, 0x04, 0x82, 0x2f, 0xc1, 0x02, 0x32, 0xc3, 0xfc, 0x2e,
  0x70, 0xfd, 0x23, 0x3d, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
};

static Verdict
try_image (Check *self)
{
  g_autoptr (BeckonLlmRequest) request = begin (self, "Which colour is this? Say one word.");
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_IMAGE, NULL);
  g_autofree char *said = NULL;

  beckon_part_set_media_type (part, "image/png");
  beckon_part_append (part, (const char *) red, sizeof red);
  beckon_message_add_part (g_ptr_array_index (request->messages, 0), part);
  send (self, request);
  if (g_error_matches (self->heard.error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_SIGHT))
    {
      self->why = g_strdup (self->heard.error->message);
      return NOT_THERE;
    }
  if (!is_whole (self))
    return FAILS;
  said = g_utf8_strdown (self->heard.text->str, -1);
  return strstr (said, "red") != NULL ? PASSES : fail (self, "a red square is “%.60s”", said);
}

static Verdict
try_wrong_key (Check *self)
{
  g_autoptr (BeckonTestEndpoint) endpoint = beckon_test_endpoint_new (beckon_profile_get_base_url (self->profile), WRONG_KEY);
  g_autoptr (BeckonProvider) provider = beckon_provider_new (BECKON_ENDPOINT_SOURCE (endpoint), beckon_clock_get_system ());
  BeckonProvider *own = self->provider;
  g_autoptr (BeckonLlmRequest) request = begin (self, "Say hello.");

  self->provider = provider;
  send (self, request);
  self->provider = own;
  if (g_error_matches (self->heard.error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_AUTH))
    return PASSES;
  if (self->heard.error != NULL)
    return fail (self, "a wrong key is told as: %s", self->heard.error->message);
  self->why = g_strdup ("the server takes any key");
  return NOT_THERE;
}

static Verdict
try_cancel (Check *self)
{
  g_autoptr (BeckonLlmRequest) request = begin (self, "Count from 1 to 200, with spaces between and nothing else.");

  self->heard.cancel_at_text = TRUE;
  send (self, request);
  if (self->heard.n_texts == 0)
    return is_whole (self) ? fail (self, "there is no text") : FAILS;
  if (!g_error_matches (self->heard.error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return fail (self, "it went on: %s", self->heard.error != NULL ? self->heard.error->message : "to its end");
  return self->heard.n_late == 0 ? PASSES : fail (self, "%u events came afterwards", self->heard.n_late);
}

/* --- The program --------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *name;
  Verdict (*try) (Check *self);
} checks[] = {
  { "list of models", try_list },   { "reply", try_reply },           { "stream", try_stream },   { "usage", try_usage },
  { "call of a tool", try_call },   { "two calls at once", try_calls }, { "reasoning", try_reasoning },
  { "cut at the limit", try_length }, { "picture", try_image },        { "wrong key", try_wrong_key },
  { "cancel in the middle", try_cancel },
};

static gboolean
report (Check *self, const char *name, Verdict verdict)
{
  static const char *const words[] = { "passes", "fails", "not there" };

  printf ("%-9s  %s%s%s\n", words[verdict], name, self->why != NULL ? ": " : "", self->why != NULL ? self->why : "");
  fflush (stdout);
  return verdict != FAILS;
}

static gboolean
run (Check *self)
{
  gboolean is_good = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    {
      Verdict verdict = checks[i].try (self);

      is_good = report (self, checks[i].name, verdict) && is_good;
    }
  return is_good;
}

int
main (int argc, char **argv)
{
  const char *key = g_getenv ("BECKON_WIRE_KEY");
  BeckonProfileKind kind;
  gboolean is_good;
  Check self = { 0 };

  if (argc != 4 || !beckon_profile_kind_from_string (argv[2], &kind) || kind == BECKON_PROFILE_TOUR)
    {
      fprintf (stderr, "usage: wire-check ADDRESS chat|responses|anthropic|gemini|ollama MODEL\n");
      return 2;
    }
  self.profile = beckon_profile_new ("wire", kind);
  g_object_set (self.profile, "name", "Wire", "base-url", argv[1], "model", argv[3], NULL);
  self.endpoint = beckon_test_endpoint_new (argv[1], key != NULL && *key != '\0' ? key : NULL);
  self.provider = beckon_provider_new (BECKON_ENDPOINT_SOURCE (self.endpoint), beckon_clock_get_system ());
  self.heard.loop = g_main_loop_new (NULL, FALSE);
  self.heard.text = g_string_new (NULL);
  self.heard.calls = g_ptr_array_new_with_free_func (g_object_unref);
  is_good = run (&self);
  forget (&self);
  g_clear_object (&self.heard.cancellable);
  g_object_unref (self.provider);
  g_object_unref (self.endpoint);
  g_object_unref (self.profile);
  g_main_loop_unref (self.heard.loop);
  g_string_free (self.heard.text, TRUE);
  g_ptr_array_unref (self.heard.calls);
  return is_good ? 0 : 1;
}
