/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How much a model is asked to reason, in each protocol's words and its family's, with where they are documented. */
#include "base/beckon-json.h"
#include "beckon-encode-cases.h"
#include "domain/beckon-effort.h"
#include "llm/beckon-effort-members.h"

#include <string.h>

typedef struct
{
  BeckonProfileKind kind;
  const char *base_url;
  const char *model;
  BeckonEffort effort;
  const char *sent;   /* in the body, with ' for "; NULL if nothing is to be said */
  const char *absent; /* (nullable): not in it */
} Case;

#define OPENAI "https://api.openai.com/v1"
#define ANTHROPIC "https://api.anthropic.com"
#define GOOGLE "https://generativelanguage.googleapis.com"
#define LOCAL "http://127.0.0.1:11434"

#define RESPONSES BECKON_PROFILE_RESPONSES, OPENAI
#define CHAT BECKON_PROFILE_CHAT, OPENAI
#define ROUTER BECKON_PROFILE_CHAT, "https://openrouter.ai/api/v1"
#define CLAUDE BECKON_PROFILE_ANTHROPIC, ANTHROPIC
#define GEMINI BECKON_PROFILE_GEMINI, GOOGLE
#define OLLAMA BECKON_PROFILE_OLLAMA, LOCAL

#define ADAPTIVE(word) "'thinking':{'type':'adaptive','display':'summarized'},'output_config':{'effort':'" word "'}"
#define BUDGET(n) "'thinking':{'type':'enabled','budget_tokens':" n "}"

static const Case cases[] = {
  /* https://platform.openai.com/docs/guides/reasoning; which model knows which value:
   * https://learn.microsoft.com/en-us/javascript/api/@azure/ai-projects/reasoningeffort. */
  { RESPONSES, "gpt-5.5", BECKON_EFFORT_HIGH, "'reasoning':{'effort':'high','summary':'auto'}", NULL },
  { RESPONSES, "gpt-5.5", BECKON_EFFORT_MAX, "'reasoning':{'effort':'xhigh','summary':'auto'}", NULL },
  { RESPONSES, "gpt-5.5", BECKON_EFFORT_OFF, "'reasoning':{'effort':'none'}", NULL },
  { RESPONSES, "gpt-5.1-codex-max", BECKON_EFFORT_MAX, "'effort':'xhigh'", NULL },
  { RESPONSES, "gpt-5.1", BECKON_EFFORT_MAX, "'effort':'high'", NULL },
  { RESPONSES, "gpt-5-mini-2025-08-07", BECKON_EFFORT_OFF, "'effort':'minimal'", NULL },
  { RESPONSES, "gpt-5-codex", BECKON_EFFORT_OFF, "'effort':'low'", NULL },
  { RESPONSES, "o4-mini", BECKON_EFFORT_OFF, "'effort':'low'", NULL },
  { RESPONSES, "o3", BECKON_EFFORT_MAX, "'effort':'high'", NULL },
  { RESPONSES, "gpt-4o", BECKON_EFFORT_HIGH, NULL, "'reasoning'" },
  { RESPONSES, "gpt-5.5", BECKON_EFFORT_DEFAULT, NULL, "'reasoning'" },
  { CHAT, "gpt-5.5", BECKON_EFFORT_MEDIUM, "'reasoning_effort':'medium'", NULL },
  { CHAT, "gpt-4.1", BECKON_EFFORT_MEDIUM, NULL, "reasoning" },
  { CHAT, "gpt-5.5", BECKON_EFFORT_DEFAULT, NULL, "reasoning" },
  { BECKON_PROFILE_CHAT, "http://127.0.0.1:8080/v1", "gpt-oss-120b", BECKON_EFFORT_OFF, "'reasoning_effort':'low'", NULL },
  { BECKON_PROFILE_CHAT, "http://127.0.0.1:8080/v1", "qwen3", BECKON_EFFORT_MAX, "'reasoning_effort':'high'", NULL },
  /* https://openrouter.ai/docs/client-sdks/typescript/models/chatrequestreasoningeffort.md */
  { ROUTER, "anthropic/claude-opus-5", BECKON_EFFORT_MAX, "'reasoning_effort':'max'", NULL },
  { ROUTER, "deepseek/deepseek-v4-pro", BECKON_EFFORT_OFF, "'reasoning_effort':'none'", "'thinking'" },
  /* https://api-docs.deepseek.com/guides/thinking_mode */
  { BECKON_PROFILE_CHAT, "https://api.deepseek.com", "deepseek-v4-pro", BECKON_EFFORT_OFF, "'thinking':{'type':'disabled'}",
    "reasoning_effort" },
  { BECKON_PROFILE_CHAT, "https://api.deepseek.com", "deepseek-v4-pro", BECKON_EFFORT_MAX, "'reasoning_effort':'max'", NULL },
  { BECKON_PROFILE_ANTHROPIC, "https://api.deepseek.com/anthropic", "deepseek-v4-pro", BECKON_EFFORT_LOW,
    "'thinking':{'type':'enabled'},'output_config':{'effort':'low'}", NULL },
  { BECKON_PROFILE_RESPONSES, "https://api.deepseek.com", "deepseek-v4-pro", BECKON_EFFORT_OFF, "'effort':'none'", NULL },
  /* https://docs.mistral.ai/capabilities/reasoning/adjustable */
  { BECKON_PROFILE_CHAT, "https://api.mistral.ai/v1", "mistral-medium-3-5", BECKON_EFFORT_LOW, "'reasoning_effort':'high'",
    NULL },
  { BECKON_PROFILE_CHAT, "https://api.mistral.ai/v1", "mistral-small-latest", BECKON_EFFORT_OFF, "'reasoning_effort':'none'",
    NULL },
  { BECKON_PROFILE_CHAT, "https://api.mistral.ai/v1", "mistral-large-4-0", BECKON_EFFORT_LOW, "'reasoning_effort':'low'",
    NULL },
  { BECKON_PROFILE_CHAT, "https://api.z.ai/api/paas/v4", "glm-5", BECKON_EFFORT_OFF, "'thinking':{'type':'disabled'}",
    "reasoning_effort" },
  { BECKON_PROFILE_CHAT, "https://api.moonshot.ai/v1", "kimi-k2.5", BECKON_EFFORT_HIGH, "'thinking':{'type':'enabled'}",
    "reasoning_effort" },
  /* https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking and .../effort */
  { CLAUDE, "claude-opus-5", BECKON_EFFORT_MAX, ADAPTIVE ("max"), NULL },
  { CLAUDE, "claude-opus-4-7", BECKON_EFFORT_LOW, ADAPTIVE ("low"), "budget_tokens" },
  { CLAUDE, "claude-sonnet-4-6", BECKON_EFFORT_MAX, ADAPTIVE ("max"), NULL },
  { CLAUDE, "claude-fable-5-1", BECKON_EFFORT_MEDIUM, ADAPTIVE ("medium"), NULL },
  { CLAUDE, "claude-haiku-5-5", BECKON_EFFORT_HIGH, ADAPTIVE ("high"), NULL },
  { CLAUDE, "claude-sonnet-4-5-20250929", BECKON_EFFORT_LOW, BUDGET ("4096"), "adaptive" },
  { CLAUDE, "claude-opus-4-20250514", BECKON_EFFORT_HIGH, BUDGET ("20000"), "output_config" },
  { CLAUDE, "claude-3-7-sonnet-20250219", BECKON_EFFORT_MAX, "'thinking':{'type':'enabled','budget_tokens':", NULL },
  { CLAUDE, "claude-3-5-haiku-20241022", BECKON_EFFORT_HIGH, NULL, "thinking" },
  /* Models that can't be off: https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5. */
  { CLAUDE, "claude-opus-5-5", BECKON_EFFORT_OFF, ADAPTIVE ("low"), "disabled" },
  { CLAUDE, "claude-mythos-5", BECKON_EFFORT_OFF, ADAPTIVE ("low"), "disabled" },
  { CLAUDE, "claude-sonnet-5-5", BECKON_EFFORT_OFF, "'thinking':{'type':'between_tools'}", "output_config" },
  { CLAUDE, "claude-opus-5", BECKON_EFFORT_OFF, "'thinking':{'type':'disabled'}", "output_config" },
  { CLAUDE, "claude-opus-4-7", BECKON_EFFORT_OFF, NULL, "thinking" },
  { CLAUDE, "claude-opus-5", BECKON_EFFORT_DEFAULT, NULL, "thinking" },
  { BECKON_PROFILE_ANTHROPIC, "https://api.moonshot.ai/anthropic", "kimi-k2.5", BECKON_EFFORT_OFF,
    "'thinking':{'type':'disabled'}", NULL },
  { BECKON_PROFILE_ANTHROPIC, "https://api.minimax.io/anthropic", "MiniMax-M3", BECKON_EFFORT_LOW, BUDGET ("4096"), NULL },
  /* https://ai.google.dev/gemini-api/docs/thinking and https://ai.google.dev/gemini-api/docs/openai#thinking */
  { GEMINI, "gemini-3.6-flash", BECKON_EFFORT_MEDIUM,
    "'thinkingConfig':{'includeThoughts':true,'thinkingLevel':'medium'}", "thinkingBudget" },
  { GEMINI, "gemini-3-flash-preview", BECKON_EFFORT_OFF, "'thinkingConfig':{'thinkingLevel':'minimal'}", NULL },
  { GEMINI, "gemini-3-pro-preview", BECKON_EFFORT_OFF, "'thinkingLevel':'low'", NULL },
  { GEMINI, "gemini-3-pro-preview", BECKON_EFFORT_MEDIUM, "'thinkingLevel':'high'", NULL },
  { GEMINI, "gemini-3.1-pro", BECKON_EFFORT_MEDIUM, "'thinkingLevel':'medium'", NULL },
  { GEMINI, "gemini-flash-latest", BECKON_EFFORT_MAX, "'thinkingLevel':'high'", NULL },
  { GEMINI, "gemini-2.5-flash", BECKON_EFFORT_OFF, "'thinkingConfig':{'thinkingBudget':0}", "thinkingLevel" },
  { GEMINI, "gemini-2.5-pro", BECKON_EFFORT_OFF, "'thinkingBudget':128", NULL },
  { GEMINI, "gemini-2.5-pro", BECKON_EFFORT_MAX, "'thinkingConfig':{'includeThoughts':true,'thinkingBudget':32768}", NULL },
  { GEMINI, "gemini-2.5-flash-lite", BECKON_EFFORT_MAX, "'thinkingBudget':24576", NULL },
  { GEMINI, "gemini-2.5-flash", BECKON_EFFORT_DEFAULT, "'thinkingConfig':{'includeThoughts':true}", NULL },
  { GEMINI, "gemini-2.0-flash", BECKON_EFFORT_HIGH, NULL, "thinkingConfig" },
  { GEMINI, "gemma-4", BECKON_EFFORT_HIGH, NULL, "thinkingConfig" },
  /* https://docs.ollama.com/capabilities/thinking */
  { OLLAMA, "gpt-oss:20b", BECKON_EFFORT_MEDIUM, "'think':'medium'", NULL },
  { OLLAMA, "qwen3:8b", BECKON_EFFORT_OFF, "'think':false", NULL },
  { OLLAMA, "qwen3:8b", BECKON_EFFORT_MAX, "'think':'high'", NULL },
  { OLLAMA, "qwen3:8b", BECKON_EFFORT_DEFAULT, NULL, "'think'" },
};

static char *
quote (const char *text)
{
  return g_strdelimit (g_strdup (text), "'", '"');
}

static void
test_case (gconstpointer data)
{
  const Case *one = data;
  g_autoptr (BeckonLlmRequest) request = make_request (one->kind, "Be brief.");
  g_autofree char *sent = one->sent != NULL ? quote (one->sent) : NULL;
  g_autofree char *absent = one->absent != NULL ? quote (one->absent) : NULL;
  g_autofree char *body = NULL;

  add_message (request, BECKON_ROLE_USER, "Hello");
  beckon_profile_set_base_url (request->profile, one->base_url);
  beckon_profile_set_model (request->profile, one->model);
  request->effort = one->effort;
  body = encode (request);
  if (sent != NULL && strstr (body, sent) == NULL)
    g_error ("%s is not in %s", sent, body);
  if (absent != NULL && strstr (body, absent) != NULL)
    g_error ("%s is in %s", absent, body);
}

static char *
encode_with (BeckonProfileKind kind, const char *model, const char *extra, double temperature, guint limit)
{
  g_autoptr (BeckonLlmRequest) request = make_request (kind, NULL);
  g_autoptr (JsonObject) object = NULL;
  char *body;

  add_message (request, BECKON_ROLE_USER, "Hello");
  beckon_profile_set_base_url (request->profile, "https://api.example.com/v1");
  beckon_profile_set_model (request->profile, model);
  beckon_profile_set_extra_body (request->profile, extra);
  beckon_profile_set_temperature (request->profile, temperature);
  beckon_profile_set_output_limit (request->profile, limit);
  request->effort = BECKON_EFFORT_HIGH;
  body = encode (request);
  /* Strict, so that no name stands there twice. */
  object = beckon_json_parse_object (body, -1, NULL);
  g_assert_nonnull (object);
  return body;
}

/* The extra body has the last word; what it does not name is still said. */
static void
test_extra_body (void)
{
  static const struct
  {
    BeckonProfileKind kind;
    const char *model;
    const char *extra;
    const char *sent;
    const char *absent;
  } bodies[] = {
    { BECKON_PROFILE_RESPONSES, "gpt-5.5", "{'reasoning':{'summary':'detailed'}}",
      "'reasoning':{'effort':'high','summary':'detailed'}", "auto" },
    { BECKON_PROFILE_RESPONSES, "gpt-5.5", "{'reasoning':null}", "'reasoning':null", "effort" },
    { BECKON_PROFILE_CHAT, "gpt-5.5", "{'reasoning_effort':'low'}", "'reasoning_effort':'low'", "'high'" },
    { BECKON_PROFILE_ANTHROPIC, "claude-opus-5", "{'thinking':{'type':'disabled'},'output_config':{'format':null}}",
      "'output_config':{'effort':'high','format':null}", "adaptive" },
    { BECKON_PROFILE_ANTHROPIC, "claude-opus-4-5", "{'thinking':{'type':'disabled'}}", "'thinking':{'type':'disabled'}",
      "enabled" },
    { BECKON_PROFILE_GEMINI, "gemini-3-flash", "{'generationConfig':{'thinkingConfig':{'thinkingLevel':'low'}}}",
      "'thinkingConfig':{'thinkingLevel':'low'}", "'high'" },
    { BECKON_PROFILE_OLLAMA, "qwen3", "{'think':true}", "'think':true", "'high'" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      g_autofree char *extra = quote (bodies[i].extra);
      g_autofree char *sent = quote (bodies[i].sent);
      g_autofree char *absent = quote (bodies[i].absent);
      g_autofree char *body = encode_with (bodies[i].kind, bodies[i].model, extra, BECKON_PROFILE_NO_TEMPERATURE, 0);

      if (strstr (body, sent) == NULL || strstr (body, absent) != NULL)
        g_error ("%s is not in, or %s is in %s", sent, absent, body);
    }
}

/* Reasoning is a part of what a reply may have, and there is to be room for the answer. A model that thinks takes no
 * temperature: https://platform.claude.com/docs/en/build-with-claude/extended-thinking#feature-compatibility. */
static void
test_limits (void)
{
  g_autofree char *small = encode_with (BECKON_PROFILE_ANTHROPIC, "claude-opus-4-5", "", 0.5, 8000);
  g_autofree char *least = encode_with (BECKON_PROFILE_ANTHROPIC, "claude-opus-4-5", "", 0.5, 1000);
  g_autofree char *adaptive = encode_with (BECKON_PROFILE_ANTHROPIC, "claude-opus-5", "", 0.5, 1000);

  g_assert_nonnull (strstr (small, "\"budget_tokens\":6000}"));
  g_assert_null (strstr (small, "temperature"));
  g_assert_null (strstr (least, "thinking"));
  g_assert_nonnull (strstr (least, "\"temperature\":0.5"));
  g_assert_null (strstr (adaptive, "temperature"));
}

#define SEALED "{\"type\":\"thinking\",\"thinking\":\"Hm\",\"signature\":\"s\"}"

/* A turn: "u" is asked, "t" thinks and calls, "c" calls, "a" answers, "r" thinks and answers. */
static char *
encode_turns (const char *model, BeckonEffort effort, const char *turns)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_ANTHROPIC, NULL);

  beckon_profile_set_base_url (request->profile, ANTHROPIC);
  beckon_profile_set_model (request->profile, model);
  request->effort = effort;
  for (; *turns != '\0'; turns++)
    {
      gboolean is_asked = *turns == 'u';
      BeckonMessage *message = add_message (request, is_asked ? BECKON_ROLE_USER : BECKON_ROLE_ASSISTANT, is_asked ? "Go on" : NULL);

      if (*turns == 't' || *turns == 'r')
        add_opaque (message, "anthropic", SEALED);
      if (*turns == 'a' || *turns == 'r')
        add_part (message, BECKON_PART_TEXT, "Done");
      if (*turns == 't' || *turns == 'c')
        add_call (message, NULL, "read_note", "{}", "Note");
    }
  return encode (request);
}

static guint
count (const char *text, const char *words)
{
  guint n = 0;

  for (const char *found = strstr (text, words); found != NULL; found = strstr (found + 1, words))
    n++;
  return n;
}

/* A turn is thought through or not: "When `thinking` is enabled, a final `assistant` message must start with a thinking block
 * (preceeding the lastmost set of `tool_use` and `tool_result` blocks)", and "When thinking is disabled, an `assistant` message
 * in the final position cannot contain `thinking`". */
static void
test_turns (void)
{
  static const struct
  {
    const char *model;
    BeckonEffort effort;
    const char *turns;
    gboolean is_asked; /* to think */
    guint n_sealed;    /* blocks that are sent */
  } requests[] = {
    { "claude-opus-4-5", BECKON_EFFORT_HIGH, "u", TRUE, 0 },
    { "claude-opus-4-5", BECKON_EFFORT_HIGH, "ut", TRUE, 1 },
    { "claude-opus-4-5", BECKON_EFFORT_HIGH, "uc", FALSE, 0 },
    { "claude-opus-4-5", BECKON_EFFORT_HIGH, "utcc", TRUE, 1 },
    { "claude-opus-4-5", BECKON_EFFORT_HIGH, "uct", FALSE, 0 },
    { "claude-opus-4-5", BECKON_EFFORT_HIGH, "ucau", TRUE, 0 },
    { "claude-opus-4-5", BECKON_EFFORT_HIGH, "ucu", FALSE, 0 },
    { "claude-opus-4-5", BECKON_EFFORT_HIGH, "urut", TRUE, 2 },
    { "claude-opus-4-5", BECKON_EFFORT_HIGH, "uruc", FALSE, 1 },
    { "claude-opus-4-5", BECKON_EFFORT_OFF, "urut", FALSE, 1 },
    { "claude-opus-4-5", BECKON_EFFORT_DEFAULT, "urut", FALSE, 1 },
    { "claude-opus-4-6", BECKON_EFFORT_DEFAULT, "ut", FALSE, 0 },
    { "claude-opus-4-6", BECKON_EFFORT_LOW, "uc", TRUE, 0 },
    { "claude-opus-5", BECKON_EFFORT_DEFAULT, "ut", FALSE, 1 },
    { "claude-opus-5", BECKON_EFFORT_OFF, "ut", FALSE, 0 },
    { "claude-sonnet-5-5", BECKON_EFFORT_OFF, "ut", FALSE, 1 },
    { "MiniMax-M3", BECKON_EFFORT_LOW, "uc", FALSE, 0 },
    { "MiniMax-M3", BECKON_EFFORT_DEFAULT, "ut", FALSE, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      g_autofree char *body = encode_turns (requests[i].model, requests[i].effort, requests[i].turns);
      gboolean is_asked = strstr (body, "\"type\":\"enabled\"") != NULL || strstr (body, "\"type\":\"adaptive\"") != NULL;

      if (is_asked != requests[i].is_asked || count (body, "\"signature\"") != requests[i].n_sealed)
        g_error ("%u: %s", i, body);
    }
}

static void
test_settable (void)
{
  static const struct
  {
    BeckonProfileKind kind;
    const char *model;
    gboolean is_settable;
  } models[] = {
    { BECKON_PROFILE_CHAT, "gpt-4o", FALSE },         { BECKON_PROFILE_CHAT, "gpt-3.5-turbo", FALSE },
    { BECKON_PROFILE_CHAT, "gpt-5", TRUE },           { BECKON_PROFILE_CHAT, "something-new", TRUE },
    { BECKON_PROFILE_ANTHROPIC, "claude-3-opus", FALSE }, { BECKON_PROFILE_ANTHROPIC, "claude-sonnet-4-5", TRUE },
    { BECKON_PROFILE_GEMINI, "gemini-1.5-pro", FALSE }, { BECKON_PROFILE_GEMINI, "gemini-2.5-pro", TRUE },
    { BECKON_PROFILE_TOUR, "tour", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", models[i].kind);

      beckon_profile_set_model (profile, models[i].model);
      g_assert_cmpint (beckon_effort_is_settable (profile), ==, models[i].is_settable);
    }
}

/* Which of off, low, medium, high and max make a difference, by facts and by name. */
static void
test_offered (void)
{
  static const struct
  {
    BeckonProfileKind kind;
    const char *model;
    guint levels; /* as the server lists them */
    const char *offered;
  } models[] = {
    { BECKON_PROFILE_RESPONSES, "gpt-5.5", 0, "off low medium high max" },
    { BECKON_PROFILE_RESPONSES, "gpt-5-mini", 0, "off low medium high" },
    { BECKON_PROFILE_RESPONSES, "gpt-5.5-pro", 0, "medium high max" },
    { BECKON_PROFILE_RESPONSES, "o3", 0, "low medium high" },
    { BECKON_PROFILE_RESPONSES, "gpt-4o", 0, "" },
    { BECKON_PROFILE_ANTHROPIC, "claude-sonnet-4-6", 0, "off low medium high max" },
    { BECKON_PROFILE_ANTHROPIC, "claude-opus-4-5", 0, "off low medium high" },
    { BECKON_PROFILE_ANTHROPIC, "claude-fable-5", 0, "low medium high max" },
    { BECKON_PROFILE_GEMINI, "gemini-3.1-pro-preview", 0, "low medium high" },
    { BECKON_PROFILE_GEMINI, "gemini-3.5-flash", 0, "off low medium high" },
    { BECKON_PROFILE_GEMINI, "gemini-3-pro-preview", BECKON_EFFORT_LEVEL_LOW | BECKON_EFFORT_LEVEL_HIGH, "low high" },
    { BECKON_PROFILE_CHAT, "deepseek-v4-pro", 0, "off high max" },
    { BECKON_PROFILE_CHAT, "mistral-small-2603", 0, "off high" },
    { BECKON_PROFILE_OLLAMA, "gpt-oss:20b", 0, "low medium high" },
    { BECKON_PROFILE_CHAT, "unheard-of", 0, "off low medium high max" },
    { BECKON_PROFILE_CHAT, "unheard-of", BECKON_EFFORT_LEVEL_NONE | BECKON_EFFORT_LEVEL_XHIGH, "off max" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", models[i].kind);
      g_autoptr (GString) offered = g_string_new (NULL);
      BeckonModelFacts facts = BECKON_MODEL_FACTS_INIT;

      beckon_profile_set_model (profile, models[i].model);
      facts.efforts = models[i].levels;
      beckon_profile_set_facts (profile, &facts);
      g_assert_true (beckon_effort_is_offered (profile, BECKON_EFFORT_DEFAULT));
      for (guint effort = BECKON_EFFORT_OFF; effort < BECKON_EFFORT_N_EFFORTS; effort++)
        if (beckon_effort_is_offered (profile, (BeckonEffort) effort))
          g_string_append_printf (offered, "%s%s", offered->len > 0 ? " " : "", beckon_effort_to_string ((BeckonEffort) effort));
      g_test_message ("%s", models[i].model);
      g_assert_cmpstr (offered->str, ==, models[i].offered);
    }
}

/* The server's list comes before what is known by the name; a level that a model lacks becomes the nearest. */
static void
test_listed (void)
{
  static const struct
  {
    BeckonProfileKind kind;
    const char *model;
    guint levels;
    BeckonEffort effort;
    const char *sent;
  } requests[] = {
    { BECKON_PROFILE_CHAT, "gpt-5.5", BECKON_EFFORT_LEVEL_LOW | BECKON_EFFORT_LEVEL_MAX, BECKON_EFFORT_MAX,
      "'reasoning_effort':'max'" },
    { BECKON_PROFILE_CHAT, "unheard-of", BECKON_EFFORT_LEVEL_MINIMAL | BECKON_EFFORT_LEVEL_HIGH, BECKON_EFFORT_OFF,
      "'reasoning_effort':'minimal'" },
    { BECKON_PROFILE_RESPONSES, "gpt-5.5", BECKON_EFFORT_LEVEL_MEDIUM, BECKON_EFFORT_LOW, "'effort':'medium'" },
    { BECKON_PROFILE_ANTHROPIC, "claude-sonnet-4-6", BECKON_EFFORT_LEVEL_LOW | BECKON_EFFORT_LEVEL_HIGH, BECKON_EFFORT_MAX,
      "'output_config':{'effort':'high'}" },
    { BECKON_PROFILE_GEMINI, "gemini-3-pro-preview", BECKON_EFFORT_LEVEL_LOW | BECKON_EFFORT_LEVEL_HIGH, BECKON_EFFORT_MEDIUM,
      "'thinkingLevel':'high'" },
    { BECKON_PROFILE_RESPONSES, "gpt-5.5-pro", 0, BECKON_EFFORT_OFF, "'effort':'medium'" },
    { BECKON_PROFILE_CHAT, "grok-4.3", 0, BECKON_EFFORT_MAX, "'reasoning_effort':'high'" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      g_autoptr (BeckonLlmRequest) request = make_request (requests[i].kind, NULL);
      BeckonModelFacts facts = BECKON_MODEL_FACTS_INIT;
      g_autofree char *sent = quote (requests[i].sent);
      g_autofree char *body = NULL;

      add_message (request, BECKON_ROLE_USER, "Hello");
      facts.efforts = requests[i].levels;
      beckon_profile_set_model (request->profile, requests[i].model);
      beckon_profile_set_facts (request->profile, &facts);
      request->effort = requests[i].effort;
      body = encode (request);
      if (strstr (body, sent) == NULL)
        g_error ("%s is not in %s", sent, body);
    }
}

/* A reply may be as long as the model can make it: said where it has to be, and left to the server where leaving it out means
 * just that. What the person entered goes along in each protocol's word. */
static void
test_longest_reply (void)
{
  static const struct
  {
    BeckonProfileKind kind;
    const char *without; /* (nullable) */
    const char *with;
  } protocols[] = {
    { BECKON_PROFILE_ANTHROPIC, "'max_tokens':31000", "'max_tokens':500" },
    { BECKON_PROFILE_CHAT, NULL, "'max_tokens':500" },
    { BECKON_PROFILE_RESPONSES, NULL, "'max_output_tokens':500" },
    { BECKON_PROFILE_GEMINI, NULL, "'maxOutputTokens':500" },
    { BECKON_PROFILE_OLLAMA, NULL, "'num_predict':500" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (protocols); i++)
    {
      g_autoptr (BeckonLlmRequest) request = make_request (protocols[i].kind, NULL);
      g_autofree char *without = protocols[i].without != NULL ? quote (protocols[i].without) : NULL;
      g_autofree char *with = quote (protocols[i].with);
      g_autofree char *free_body = NULL;
      g_autofree char *bound_body = NULL;

      add_message (request, BECKON_ROLE_USER, "Hello");
      beckon_profile_set_facts (request->profile, &(BeckonModelFacts) { 100000, 31000, 1 });
      free_body = encode (request);
      beckon_profile_set_output_limit (request->profile, 500);
      bound_body = encode (request);
      if (without != NULL ? strstr (free_body, without) == NULL : strstr (free_body, "31000") != NULL)
        g_error ("%s", free_body);
      if (strstr (bound_body, with) == NULL)
        g_error ("%s is not in %s", with, bound_body);
    }
}

static void
test_words (void)
{
  for (guint i = 0; i < BECKON_EFFORT_N_EFFORTS; i++)
    {
      BeckonEffort effort = BECKON_EFFORT_N_EFFORTS;

      g_assert_true (beckon_effort_from_string (beckon_effort_to_string ((BeckonEffort) i), &effort));
      g_assert_cmpint (effort, ==, (BeckonEffort) i);
      g_assert_false (beckon_effort_from_string ("High", &effort));
      g_assert_false (beckon_effort_from_string (NULL, &effort));
      g_assert_cmpint (effort, ==, (BeckonEffort) i);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdelimit (g_strdup (cases[i].model), "/", '-');
      g_autofree char *path = g_strdup_printf ("/llm/effort/%u-%s-%s", i, name, beckon_effort_to_string (cases[i].effort));

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/llm/effort/extra-body", test_extra_body);
  g_test_add_func ("/llm/effort/limits", test_limits);
  g_test_add_func ("/llm/effort/turns", test_turns);
  g_test_add_func ("/llm/effort/settable", test_settable);
  g_test_add_func ("/llm/effort/offered", test_offered);
  g_test_add_func ("/llm/effort/listed", test_listed);
  g_test_add_func ("/llm/effort/longest-reply", test_longest_reply);
  g_test_add_func ("/llm/effort/words", test_words);
  return g_test_run ();
}
