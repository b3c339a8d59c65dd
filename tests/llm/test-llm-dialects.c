/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-exchange.h"
#include "beckon-test-proxy.h"

#include "domain/beckon-opaque.h"

#include <string.h>

/* Servers that claim to speak chat completions, each with a reply and the request after it. The fixture server stands in for
 * the system's proxy, so that every request goes to the server's own name. */

/* Texts are written with ' for ". */
typedef struct
{
  const char *name;
  const char *base_url;
  const char *reply;  /* the events of the stream */
  const char *log;
  const char *path;
  const char *key_header;
  const char *key;
  const char *sent[4]; /* in the request after it */
  const char *never;   /* (nullable): not in it */
  const char *model;   /* (nullable): where it counts */
} Dialect;

#define DELTA(delta) "data: {'id':'x','choices':[{'index':0,'delta':" delta ",'finish_reason':null}]}\n\n"
#define FINISH(reason) "data: {'id':'x','choices':[{'index':0,'delta':{},'finish_reason':'" reason "'}]}\n\n"
#define USAGE(rest) "data: {'id':'x','choices':[],'usage':{'prompt_tokens':7,'completion_tokens':3" rest "}}\n\n"
#define CALL(id)                                                                                                       \
  DELTA ("{'tool_calls':[{'index':0,'id':'" id "','type':'function','function':{'name':'look','arguments':'{}'}}]}")
#define DONE "data: [DONE]\n\n"
#define BEARER "Authorization", "Bearer " BECKON_EXCHANGE_KEY

static const Dialect dialects[] = {
  { "deepseek", "http://api.deepseek.com",
    ": keep-alive\n\n" DELTA ("{'role':'assistant','content':null,'reasoning_content':'hm'}")
    DELTA ("{'content':null,'reasoning_content':'!'}") CALL ("call_00_abc")
    "data: {'id':'x','choices':[{'index':0,'delta':{'content':'','reasoning_content':null},"
    "'finish_reason':'tool_calls'}],"
    "'usage':{'prompt_tokens':7,'completion_tokens':3,'prompt_cache_hit_tokens':4,"
    "'prompt_cache_miss_tokens':3}}\n\n" DONE,
    "reasoning hm!\ncall 0 call_00_abc look {}\nusage 7 3\nend tool_calls\n", "/chat/completions", BEARER,
    { "'content':null,'reasoning_content':'hm!','tool_calls':[{'id':'call_00_abc'", "'stream_options':{"
    "'include_usage':true}" }, .model = "deepseek-v4-flash" },
  { "deepseek-busy", "http://api.deepseek.com", DELTA ("{'content':'a'}") FINISH ("insufficient_system_resource") DONE,
    "text a\nerror The provider reported an error and did not say which.\nend failed\n", "/chat/completions",
     BEARER, { NULL } },
  { "qwen", "http://dashscope.aliyuncs.com/compatible-mode/v1",
    DELTA ("{'content':null,'reasoning_content':'hm','role':'assistant'}") DELTA ("{'content':'',"
    "'reasoning_content':null}")
    DELTA ("{'tool_calls':[{'function':{'arguments':'','name':'look'},'index':0,'id':'call_q','type':'function'}]}")
    DELTA ("{'tool_calls':[{'function':{'arguments':'{}'},'index':0,'id':'','type':'function'}]}") FINISH ("tool_calls")
    USAGE (",'total_tokens':10,'prompt_tokens_details':{'cached_tokens':0}") DONE,
    "reasoning hm\ncall 0 call_q look {}\nusage 7 3\nend tool_calls\n", "/compatible-mode/v1/chat/completions", BEARER,
    { "'tool_calls':[{'id':'call_q'" }, "reasoning_content" },
  { "moonshot", "http://api.moonshot.cn/v1",
    DELTA ("{'role':'assistant','content':''}") DELTA ("{'reasoning_content':'hm'}") CALL ("look:0")
    "data: {'id':'x','choices':[{'index':0,'delta':{},'finish_reason':'tool_calls','usage':{'prompt_tokens':7,"
    "'completion_tokens':3}}]}\n\n" DONE,
    "reasoning hm\ncall 0 look:0 look {}\nusage 7 3\nend tool_calls\n", "/v1/chat/completions", BEARER,
    { "'reasoning_content':'hm','tool_calls':[{'id':'look:0'" } },
  { "glm", "http://open.bigmodel.cn/api/paas/v4",
    DELTA ("{'role':'assistant','reasoning_content':'\\nhm'}") DELTA ("{'role':'assistant','content':'A'}")
    "data: {'id':'x','choices':[{'index':0,'finish_reason':'sensitive','delta':{'role':'assistant',"
    "'content':''}}],'usage':"
    "{'prompt_tokens':7,'completion_tokens':3}}\n\n" DONE,
    "reasoning \nhm\ntext A\nusage 7 3\nend content_filter\n", "/api/paas/v4/chat/completions", BEARER, { NULL } },
  { "mistral", "http://api.mistral.ai/v1",
    DELTA ("{'role':'assistant','content':[{'type':'thinking','thinking':[{'type':'text','text':'hm'}]}]}")
    DELTA ("{'content':'A'}") CALL ("abcDEF123")
    "data: {'id':'x','choices':[{'index':0,'delta':{'content':''},'finish_reason':'tool_calls'}],"
    "'usage':{'prompt_tokens':7,"
    "'completion_tokens':3}}\n\n" DONE,
    "reasoning hm\ntext A\ncall 0 abcDEF123 look {}\nusage 7 3\nend tool_calls\n", "/v1/chat/completions", BEARER,
    { "'tool_calls':[{'id':'abcDEF123'" }, "stream_options" },
  { "mistral-full", "http://api.mistral.ai/v1", DELTA ("{'content':'A'}") FINISH ("model_length") DONE,
     "text A\nend length\n",
    "/v1/chat/completions", BEARER, { NULL } },
  { "groq", "http://api.groq.com/openai/v1",
    "data: {'id':'x','choices':[{'index':0,'delta':{'role':'assistant','content':''},'finish_reason':null}],"
    "'x_groq':{'id':'r'}}"
    "\n\n" DELTA ("{'reasoning':'hm'}") CALL ("fc_1")
    "data: {'id':'x','choices':[{'index':0,'delta':{},'finish_reason':'tool_calls'}],'x_groq':{'id':'r',"
    "'usage':{'queue_time':"
    "0.1,'prompt_tokens':7,'completion_tokens':3}}}\n\n" DONE,
    "reasoning hm\ncall 0 fc_1 look {}\nusage 7 3\nend tool_calls\n", "/openai/v1/chat/completions", BEARER,
    { "'tool_calls':[{'id':'fc_1'" }, "reasoning" },
  { "groq-server-tools", "http://api.groq.com/openai/v1",
    DELTA ("{'executed_tools':[{'index':0,'type':'search','arguments':'{}','output':'o'}]}") DELTA ("{'content':'A'}")
    FINISH ("stop") DONE,
    "opaque {'type':'executed_tools','executed_tools':[{'index':0,'type':'search','arguments':'{}',"
    "'output':'o'}]}\ntext A\n"
    "end complete\n", "/openai/v1/chat/completions", BEARER, { "{'role':'assistant',"
    "'content':'A'}" }, "executed_tools" },
  { "xai", "http://api.x.ai/v1",
    "data: {'id':'x','choices':[{'index':0,'delta':{'role':'assistant','reasoning_content':'hm'}}],"
    "'usage':{'prompt_tokens':7,"
    "'completion_tokens':1}}\n\n" CALL ("call_1")
    "data: {'id':'x','choices':[{'index':0,'delta':{'content':''},'finish_reason':'tool_calls'}],"
    "'usage':{'prompt_tokens':7,"
    "'completion_tokens':3},'system_fingerprint':'fp'}\n\n" DONE,
    "reasoning hm\ncall 0 call_1 look {}\nusage 7 3\nend tool_calls\n", "/v1/chat/completions", BEARER,
    { "'tool_calls':[{'id':'call_1'" }, "reasoning" },
  { "openrouter", "http://openrouter.ai/api/v1",
    ": OPENROUTER PROCESSING\n\n"
    DELTA ("{'role':'assistant','content':'','reasoning':'h','reasoning_details':[{'type':'reasoning.text',"
    "'text':'h','format':"
           "'anthropic-claude-v1','index':0}]}")
    DELTA ("{'content':'','reasoning':'m\\u00e4\\/','reasoning_details':[{'type':'reasoning.text',"
    "'text':'m\\u00e4\\/','format':"
           "'anthropic-claude-v1','index':0}]}")
    DELTA ("{'content':'','reasoning_details':[{'type':'reasoning.text','signature':'x+\\/=',"
    "'format':'anthropic-claude-v1',"
           "'index':0}]}")
    DELTA ("{'content':'','reasoning_details':[{'type':'reasoning.encrypted','data':'y+\\/=','id':'rs_1','format':"
           "'openai-responses-v1','index':1}]}")
    CALL ("toolu_1") FINISH ("tool_calls") USAGE (",'cost':0.1") DONE,
    "reasoning hm\u00e4/\nopaque {'type':'reasoning_details','reasoning_details':[{'type':'reasoning.text',"
    "'text':'hm\\u00e4\\/',"
    "'format':'anthropic-claude-v1','index':0,'signature':'x+\\/='},{'type':'reasoning.encrypted','data':'y+\\/=',"
    "'id':'rs_1',"
    "'format':'openai-responses-v1','index':1}]}\ncall 0 toolu_1 look {}\nusage 7 3\nend tool_calls\n",
    "/api/v1/chat/completions", BEARER,
    { "'reasoning_details':[{'type':'reasoning.text','text':'hm\\u00e4\\/','format':'anthropic-claude-v1',"
    "'index':0,'signature':"
      "'x+\\/='},{'type':'reasoning.encrypted','data':'y+\\/=','id':'rs_1','format':'openai-responses-v1','index':1}],"
      "'tool_calls':[{'id':'toolu_1'" }, "reasoning_content" },
  { "openrouter-broken", "http://openrouter.ai/api/v1",
    DELTA ("{'content':'','reasoning':'h','reasoning_details':[{'type':'reasoning.text','text':'h','index':0}]}")
    "data: {'id':'x','error':{'code':'server_error','message':'Provider disconnected'},'choices':[{'index':0,"
    "'delta':{'content':"
    "''},'finish_reason':'error'}]}\n\n",
    "reasoning h\nerror Provider disconnected\nend failed\n", "/api/v1/chat/completions", BEARER, { NULL } },
  { "azure", "http://some.openai.azure.com",
    "data: {'choices':[],'created':0,'id':'','model':'','object':'','prompt_filter_results':[{'prompt_index':0}]}\n\n"
    DELTA ("{'content':'','refusal':null,'role':'assistant'}") CALL ("call_1")
    "data: {'id':'x','choices':[{'index':0,'delta':{},'finish_reason':'tool_calls','content_filter_results':{},"
    "'logprobs':null}]}"
    "\n\n" USAGE ("") DONE,
    "call 0 call_1 look {}\nusage 7 3\nend tool_calls\n", "/openai/v1/chat/completions", "api-key", BECKON_EXCHANGE_KEY,
    { "'tool_calls':[{'id':'call_1'" } },
  { "azure-deployment", "http://some.openai.azure.com/openai/deployments/mine", DELTA ("{'content':'A'}")
    "data: {'id':'x','choices':[{'index':0,'delta':{},'finish_reason':'content_filter',"
    "'content_filter_offsets':{}}]}\n\n" DONE,
    "text A\nend content_filter\n", "/openai/deployments/mine/chat/completions?api-version=2024-10-21", "api-key",
    BECKON_EXCHANGE_KEY, { NULL } },
  { "azure-version",
    "http://some.cognitiveservices.azure.com/openai/deployments/mine/chat/completions?api-version=2025-01-01-preview",
    DELTA ("{'content':'A'}") FINISH ("stop") DONE, "text A\nend complete\n",
    "/openai/deployments/mine/chat/completions?api-version=2025-01-01-preview", "api-key", BECKON_EXCHANGE_KEY,
     { NULL } },
  { "azure-foundry", "http://some.services.ai.azure.com/openai/v1/", DELTA ("{'content':'A'}") FINISH ("stop") DONE,
    "text A\nend complete\n", "/openai/v1/chat/completions", "api-key", BECKON_EXCHANGE_KEY, { NULL } },
  { "bedrock", "http://bedrock-runtime.eu-central-1.amazonaws.com/openai/v1", DELTA ("{'role':'assistant','content':'A'}")
    FINISH ("stop") USAGE ("") DONE, "text A\nusage 7 3\nend complete\n", "/openai/v1/chat/completions", BEARER, { NULL } },
  { "bedrock-mantle", "http://bedrock-mantle.eu-central-1.api.aws/v1", DELTA ("{'content':'A'}") FINISH ("stop") DONE,
    "text A\nend complete\n", "/v1/chat/completions", BEARER, { NULL } },
  { "vertex", "http://europe-west4-aiplatform.googleapis.com/v1/projects/mine/locations/europe-west4/endpoints/openapi",
    DELTA ("{'content':'A','role':'assistant'}") FINISH ("stop") DONE, "text A\nend complete\n",
    "/v1/projects/mine/locations/europe-west4/endpoints/openapi/chat/completions", BEARER, { NULL } },
  { "vllm", "http://gpu.example:8000/v1", DELTA ("{'role':'assistant','content':'','reasoning':'hm'}")
    DELTA ("{'content':'A','reasoning_content':null,'tool_calls':[]}")
    "data: {'id':'x','choices':[{'index':0,'delta':{'content':''},'finish_reason':'abort',"
    "'stop_reason':null}]}\n\n" DONE,
    "reasoning hm\ntext A\nend cut_off\n", "/v1/chat/completions", BEARER, { NULL } },
  { "llama.cpp", "http://gpu.example:8080/v1", DELTA ("{'role':'assistant',"
    "'content':null}") DELTA ("{'reasoning_content':'hm'}")
    DELTA ("{'content':'A'}") FINISH ("stop")
    "data: {'id':'x','choices':[],'usage':{'prompt_tokens':7,'completion_tokens':3},'timings':{'prompt_n':7}}\n\n" DONE,
    "reasoning hm\ntext A\nusage 7 3\nend complete\n", "/v1/chat/completions", BEARER, { NULL } },
  { "lm-studio", "http://gpu.example:1234/v1", "event: error\ndata: {'error':{'message':'Model unloaded'}}\n\n",
    "error Model unloaded\nend failed\n", "/v1/chat/completions", BEARER, { NULL } },
  { "unknown-end", "http://gpu.example/v1", DELTA ("{'content':'A'}") FINISH ("over\\nbudget") DONE,
     "text A\nend other\n",
    "/v1/chat/completions", BEARER, { NULL } },
};

static BeckonFixtureServer *proxy;

static char *
expand (const char *text)
{
  return g_strdelimit (g_strdup (text), "'", '"');
}

static void
add_part (BeckonMessage *message, BeckonPartKind kind, const BeckonLlmEvent *event)
{
  guint n = beckon_message_get_n_parts (message);
  BeckonPart *last = n > 0 ? beckon_message_get_part (message, n - 1) : NULL;

  if (last == NULL || beckon_part_get_kind (last) != kind || kind == BECKON_PART_OPAQUE)
    {
      last = beckon_part_new (kind, NULL);
      beckon_part_set_origin (last, "chat");
      beckon_message_add_part (message, last);
      g_object_unref (last);
    }
  beckon_part_append (last, event->text, event->length);
}

static BeckonMessage *reply;

static void
keep_event (BeckonExchange *exchange, const BeckonLlmEvent *event)
{
  if (event->type == BECKON_LLM_EVENT_TEXT)
    add_part (reply, BECKON_PART_TEXT, event);
  else if (event->type == BECKON_LLM_EVENT_REASONING)
    add_part (reply, BECKON_PART_REASONING, event);
  else if (event->type == BECKON_LLM_EVENT_OPAQUE)
    add_part (reply, BECKON_PART_OPAQUE, event);
  else if (event->type == BECKON_LLM_EVENT_CALL)
    {
      g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, event->id, event->name, event->arguments);
      g_autoptr (BeckonPart) part = beckon_part_new_call (call);

      beckon_tool_call_set_result (call, "seen", FALSE);
      beckon_message_add_part (reply, part);
    }
}

static void
run (BeckonExchange *exchange, const char *events)
{
  BeckonFixtureReply *answer = beckon_fixture_reply_new ();
  g_autofree char *body = expand (events);

  beckon_fixture_reply_add_stream_head (answer);
  beckon_fixture_reply_add_chunk (answer, body, -1);
  beckon_fixture_reply_add_last_chunk (answer);
  beckon_fixture_server_queue (proxy, answer);
  beckon_exchange_start (exchange);
  beckon_exchange_wait (exchange);
  beckon_exchange_wait_drained (exchange);
}

static const BeckonFixtureRequest *
get_last_request (void)
{
  return beckon_fixture_server_get_request (proxy, beckon_fixture_server_count_requests (proxy) - 1);
}

static void
assert_address (const Dialect *dialect)
{
  const BeckonFixtureRequest *request = get_last_request ();
  g_autofree char *key = beckon_fixture_request_dup_header (request, dialect->key_header);
  g_autoptr (GUri) base = g_uri_parse (dialect->base_url, G_URI_FLAGS_NONE, NULL);
  g_autofree char *port = g_uri_get_port (base) > 0 ? g_strdup_printf (":%d", g_uri_get_port (base)) : g_strdup ("");
  g_autofree char *address = g_strconcat ("http://", g_uri_get_host (base), port, dialect->path, NULL);
  g_autofree char *other = beckon_fixture_request_dup_header (request, "Authorization");

  g_assert_cmpstr (request->path, ==, address);
  g_assert_cmpstr (key, ==, dialect->key);
  if (strcmp (dialect->key_header, "Authorization") != 0)
    g_assert_null (other);
}

static void
assert_sent (const Dialect *dialect)
{
  const BeckonFixtureRequest *request = get_last_request ();

  for (guint i = 0; i < G_N_ELEMENTS (dialect->sent) && dialect->sent[i] != NULL; i++)
    {
      g_autofree char *sent = expand (dialect->sent[i]);

      if (strstr (request->body, sent) == NULL)
        g_error ("%s is not in %s", sent, request->body);
    }
  if (dialect->never != NULL && strstr (request->body, dialect->never) != NULL)
    g_error ("%s is in %s", dialect->never, request->body);
}

static void
test_dialect (gconstpointer data)
{
  const Dialect *dialect = data;
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url (dialect->base_url, BECKON_EXCHANGE_KEY);
  g_autofree char *log = expand (dialect->log);

  beckon_profile_set_base_url (exchange->request->profile, dialect->base_url);
  if (dialect->model != NULL)
    beckon_profile_set_model (exchange->request->profile, dialect->model);
  reply = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 0);
  exchange->on_event = keep_event;
  run (exchange, dialect->reply);
  beckon_exchange_assert_log (exchange, log);
  assert_address (dialect);

  exchange->on_event = NULL;
  beckon_llm_request_add_message (exchange->request, reply);
  g_clear_object (&reply);
  run (exchange, DELTA ("{'content':'Done'}") FINISH ("stop") DONE);
  beckon_exchange_assert_log (exchange, "text Done\nend complete\n");
  assert_sent (dialect);
}

/* A token of the directory goes where Azure looks for it. */
static void
test_azure_token (void)
{
  const char *token = "eyJ0eXAiOiJKV1QifQ.eyJhdWQiOiJodHRwcyJ9.c2ln";
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url ("http://some.openai.azure.com", token);
  g_autofree char *sent = NULL;
  g_autofree char *key = NULL;

  beckon_profile_set_base_url (exchange->request->profile, "http://some.openai.azure.com");
  run (exchange, DELTA ("{'content':'Done'}") FINISH ("stop") DONE);
  sent = beckon_fixture_request_dup_header (get_last_request (), "Authorization");
  key = beckon_fixture_request_dup_header (get_last_request (), "api-key");
  g_assert_true (g_str_has_prefix (sent, "Bearer eyJ0eXAi"));
  g_assert_null (key);
}

/* A gateway's seals are not sent to another server that speaks the same protocol. */
static void
test_details_stay (void)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url ("http://api.deepseek.com", BECKON_EXCHANGE_KEY);
  BeckonLlmEvent event = { .text = "{\"type\":\"reasoning_details\",\"reasoning_details\":[{"
    "\"type\":\"reasoning.text\"}]}" };
  BeckonLlmEvent text = { .text = "Hi", .length = 2 };
  BeckonMessage *message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 0);

  event.length = strlen (event.text);
  beckon_profile_set_base_url (exchange->request->profile, "http://api.deepseek.com");
  add_part (message, BECKON_PART_OPAQUE, &event);
  add_part (message, BECKON_PART_TEXT, &text);
  beckon_llm_request_add_message (exchange->request, message);
  g_object_unref (message);
  run (exchange, DELTA ("{'content':'Done'}") FINISH ("stop") DONE);
  g_assert_null (strstr (get_last_request ()->body, "reasoning"));
}

static BeckonFixtureReply *
make_refusal (void)
{
  BeckonFixtureReply *answer = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (answer, 407, "Proxy-Authenticate: Basic realm=\"office\"\r\n", "text/html",
                                     "<h1>Log in first</h1>");
  return answer;
}

/* A proxy that wants a name and a password: said at once, and what is for the server is not given to the proxy. */
static void
test_proxy_refuses (gconstpointer base_url)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url (base_url, BECKON_EXCHANGE_KEY);
  gboolean tunnels = g_str_has_prefix (base_url, "https");
  g_autofree char *key = NULL;

  for (guint i = 0; i < 3; i++)
    beckon_fixture_server_queue (proxy, make_refusal ());
  beckon_exchange_start (exchange);
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_CONNECT, "proxy");
  g_assert_cmpstr (get_last_request ()->method, ==, tunnels ? "CONNECT" : "POST");
  key = beckon_fixture_request_dup_header (get_last_request (), "Authorization");
  if (tunnels)
    g_assert_null (key);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  proxy = beckon_fixture_server_new (0);
  beckon_test_proxy_use (beckon_fixture_server_get_port (proxy));
  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++)
    {
      g_autofree char *path = g_strconcat ("/llm/dialects/", dialects[i].name, NULL);

      g_test_add_data_func (path, &dialects[i], test_dialect);
    }
  g_test_add_func ("/llm/dialects/details-stay", test_details_stay);
  g_test_add_func ("/llm/dialects/azure-token", test_azure_token);
  g_test_add_data_func ("/faults/D/64-proxy-407", "http://model.example/v1", test_proxy_refuses);
  g_test_add_data_func ("/faults/D/64-proxy-407-tunnel", "https://model.example/v1", test_proxy_refuses);
  status = g_test_run ();
  beckon_fixture_server_free (proxy);
  return status;
}
