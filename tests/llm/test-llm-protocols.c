/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-exchange.h"
#include "llm/beckon-llm-address.h"

#include <string.h>

/* Each protocol over real HTTP: a reply with a call, then a request that brings its result, and what the provider sealed,
 * back to it. What is hidden in the result is marked. */

typedef struct
{
  BeckonProfileKind kind;
  const char *path;
  const char *key_header;
  const char *key;
  const char *other_header;
  const char *other_value;
  const char *type;
  const char *first;  /* the body of the reply with a call */
  const char *second; /* the body of the reply to its result */
  const char *log;
  const char *sent[4]; /* has to be in the second request */
} Protocol;

#define SSE "text/event-stream"

static const Protocol protocols[] = {
  { BECKON_PROFILE_CHAT, "/v1/chat/completions", "Authorization", "Bearer " BECKON_EXCHANGE_KEY, "Accept", SSE, SSE,
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"look\","
    "\"arguments\":\"{\\\"at\\\":1}\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n"
    "data: [DONE]\n\n",
    "data: {\"choices\":[{\"delta\":{\"content\":\"Done\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    "call 0 c1 look {\"at\":1}\nend tool_calls\n",
    { "\"tool_call_id\":\"c1\",\"content\":\"seen<U+200B>\"", "\"arguments\":\"{\\\"at\\\":1}\"" } },
  { BECKON_PROFILE_RESPONSES, "/v1/responses", "Authorization", "Bearer " BECKON_EXCHANGE_KEY, "Accept", SSE, SSE,
    "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"reasoning\",\"id\":\"r\","
    "\"encrypted_content\":\"x+/=\",\"summary\":[]}}\n\n"
    "data: {\"type\":\"response.output_item.done\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"call_id\":"
    "\"c1\",\"name\":\"look\",\"arguments\":\"{\\\"at\\\":1}\"}}\n\n"
    "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n",
    "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"Done\"}\n\n"
    "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n",
    "opaque {\"type\":\"reasoning\",\"id\":\"r\",\"encrypted_content\":\"x+/=\",\"summary\":[]}\n"
    "call 0 c1 look {\"at\":1}\nend tool_calls\n",
    { "{\"type\":\"reasoning\",\"id\":\"r\",\"encrypted_content\":\"x+/=\",\"summary\":[]},{\"type\":\"function_call\"",
      "\"call_id\":\"c1\",\"output\":\"seen<U+200B>\"" } },
  { BECKON_PROFILE_ANTHROPIC, "/v1/messages", "x-api-key", BECKON_EXCHANGE_KEY, "anthropic-version", "2023-06-01", SSE,
    "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"redacted_thinking\",\"data\":"
    "\"x+/=\"}}\n\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
    "data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":"
    "\"look\",\"input\":{}}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":"
    "\"input_json_delta\",\"partial_json\":\"{\\\"at\\\":1}\"}}\n\n"
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
    "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"Done\"}}\n\n"
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
    "opaque {\"type\":\"redacted_thinking\",\"data\":\"x+/=\"}\ncall 0 c1 look {\"at\":1}\nend tool_calls\n",
    { "{\"type\":\"redacted_thinking\",\"data\":\"x+/=\"},{\"type\":\"tool_use\",\"id\":\"c1\"",
      "\"tool_use_id\":\"c1\",\"content\":\"seen<U+200B>\"" } },
  { BECKON_PROFILE_GEMINI, "/v1/models/fixture-1:streamGenerateContent?alt=sse", "x-goog-api-key", BECKON_EXCHANGE_KEY,
    "Accept", SSE, SSE,
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"id\":\"c1\",\"name\":\"look\",\"args\":"
    "{\"at\":1}},\"thoughtSignature\":\"x+/=\"}]},\"finishReason\":\"STOP\"}]}\r\n\r\n",
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Done\"}]},\"finishReason\":\"STOP\"}]}\r\n\r\n",
    "opaque {\"type\":\"signature\",\"call\":0,\"thoughtSignature\":\"x+/=\"}\ncall 0 c1 look {\"at\":1}\nend tool_calls\n",
    { "\"args\":{\"at\":1}},\"thoughtSignature\":\"x+/=\"", "\"response\":{\"output\":\"seen<U+200B>\"}" } },
  { BECKON_PROFILE_OLLAMA, "/v1/api/chat", "Authorization", "Bearer " BECKON_EXCHANGE_KEY, "Accept",
    "application/x-ndjson", "application/x-ndjson",
    "{\"message\":{\"content\":\"\",\"tool_calls\":[{\"id\":\"c1\",\"function\":{\"name\":\"look\",\"arguments\":"
    "{\"at\":1}}}]}}\n{\"done\":true,\"done_reason\":\"stop\"}\n",
    "{\"message\":{\"content\":\"Done\"}}\n{\"done\":true,\"done_reason\":\"stop\"}\n",
    "call 0 c1 look {\"at\":1}\nend tool_calls\n",
    { "\"arguments\":{\"at\":1}", "\"content\":\"seen<U+200B>\",\"tool_name\":\"look\"" } },
};

/* A base address is taken as its provider documents it: with the version of the protocol or without, at the server's root or
 * below, with the whole path. */
static void
test_addresses (void)
{
  static const struct
  {
    const char *codec;
    const char *base;
    const char *path;
  } cases[] = {
    { "anthropic", "http://h/anthropic", "/anthropic/v1/messages" },
    { "anthropic", "http://h/anthropic/", "/anthropic/v1/messages" },
    { "anthropic", "http://h/anthropic/v1", "/anthropic/v1/messages" },
    { "anthropic", "http://h", "/v1/messages" },
    { "anthropic", "http://h/v1", "/v1/messages" },
    { "anthropic", "http://h/v1/messages", "/v1/messages" },
    { "anthropic", "http://h/anthropic/messages", "/anthropic/messages" },
    { "chat", "http://h", "/chat/completions" },
    { "chat", "http://h/v1/", "/v1/chat/completions" },
    { "ollama", "http://h/api", "/api/chat" },
    { "gemini", "http://h/v1beta", "/v1beta/models/m:streamGenerateContent" },
    { "gemini", "http://h/gemini", "/gemini/v1beta/models/m:streamGenerateContent" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GUri) uri = beckon_llm_address_new (cases[i].base, beckon_codec_lookup (cases[i].codec), "m", NULL);

      g_assert_cmpstr (g_uri_get_path (uri), ==, cases[i].path);
    }
}

static BeckonMessage *reply;

static void
keep_event (BeckonExchange *exchange, const BeckonLlmEvent *event)
{
  g_autoptr (BeckonPart) part = NULL;
  g_autoptr (BeckonToolCall) call = NULL;

  if (event->type == BECKON_LLM_EVENT_OPAQUE)
    {
      part = beckon_part_new (BECKON_PART_OPAQUE, NULL);
      beckon_part_append (part, event->text, event->length);
      beckon_part_set_origin (part, beckon_codec_for_profile (exchange->request->profile)->name);
    }
  else if (event->type == BECKON_LLM_EVENT_CALL)
    {
      call = beckon_tool_call_new (NULL, event->id, event->name, event->arguments);
      beckon_tool_call_set_result (call, "seen\u200b", FALSE);
      part = beckon_part_new_call (call);
    }
  if (part != NULL)
    beckon_message_add_part (reply, part);
}

static BeckonFixtureReply *
make_reply (const char *type, const char *body)
{
  BeckonFixtureReply *answer = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (answer, 200, NULL, type, body);
  return answer;
}

static void
assert_header (const BeckonFixtureRequest *request, const char *name, const char *value)
{
  g_autofree char *found = beckon_fixture_request_dup_header (request, name);

  g_assert_cmpstr (found, ==, value);
}

static void
test_round_trip (gconstpointer data)
{
  const Protocol *protocol = data;
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  const BeckonFixtureRequest *request;

  reply = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 0);
  beckon_profile_set_kind (exchange->request->profile, protocol->kind);
  exchange->on_event = keep_event;
  beckon_exchange_run (exchange, make_reply (protocol->type, protocol->first));
  beckon_exchange_assert_log (exchange, protocol->log);
  request = beckon_fixture_server_get_request (exchange->server, 0);
  g_assert_cmpstr (request->path, ==, protocol->path);
  assert_header (request, protocol->key_header, protocol->key);
  assert_header (request, protocol->other_header, protocol->other_value);
  /* The key goes nowhere else. */
  if (strcmp (protocol->key_header, "Authorization") != 0)
    assert_header (request, "Authorization", NULL);
  g_assert_null (strstr (request->path, BECKON_EXCHANGE_KEY));

  exchange->on_event = NULL;
  beckon_llm_request_add_message (exchange->request, reply);
  g_clear_object (&reply);
  beckon_exchange_run (exchange, make_reply (protocol->type, protocol->second));
  beckon_exchange_assert_log (exchange, "text Done\nend complete\n");
  request = beckon_fixture_server_get_request (exchange->server, 1);
  for (guint i = 0; i < G_N_ELEMENTS (protocol->sent) && protocol->sent[i] != NULL; i++)
    if (strstr (request->body, protocol->sent[i]) == NULL)
      g_error ("%s is not in %s", protocol->sent[i], request->body);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/llm/protocols/addresses", test_addresses);
  for (guint i = 0; i < G_N_ELEMENTS (protocols); i++)
    {
      g_autofree char *path = g_strdup_printf ("/protocols/%s", beckon_profile_kind_to_string (protocols[i].kind));

      g_test_add_data_func (path, &protocols[i], test_round_trip);
    }
  return g_test_run ();
}
