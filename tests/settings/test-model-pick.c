/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which model of a provider's list is proposed. The lists have the form of their providers'. */
#include "domain/beckon-effort.h"
#include "domain/beckon-model-pick.h"
#include "llm/beckon-model-list.h"
#include "settings/beckon-preset.h"

#include <string.h>

/* 2026-11-23. */
#define NOW 1795392000

static GPtrArray *
parse (BeckonProfileKind kind, const char *quoted)
{
  g_autofree char *body = g_strdelimit (g_strdup (quoted), "'", '"');
  GError *error = NULL;
  GPtrArray *models = beckon_model_list_parse (kind, body, strlen (body), &error);

  g_assert_no_error (error);
  return models;
}

static const char *
pick (GPtrArray *models, const char *const *preferred)
{
  BeckonListedModel *model = beckon_model_pick (models, preferred, NOW);

  return model != NULL ? beckon_listed_model_get_name (model) : "none";
}

static void
test_providers (void)
{
  static const struct
  {
    const char *preset;
    const char *body;
    const char *picked;
  } cases[] = {
    { "openai",
      "{'object':'list','data':[{'id':'gpt-4-0613','object':'model','created':1686588896,'owned_by':'openai'},"
      "{'id':'gpt-4.1','created':1744316542},{'id':'gpt-5-2025-08-07','created':1754425777},{'id':'gpt-5','created':1754425777},"
      "{'id':'gpt-5-mini','created':1754425928},{'id':'gpt-5.4','created':1772668800},{'id':'gpt-5.5','created':1776902400},"
      "{'id':'gpt-5.5-2026-04-23','created':1776902400},{'id':'gpt-5.5-pro','created':1776902400},"
      "{'id':'gpt-5.3-codex','created':1770249600},{'id':'gpt-5.3-chat-latest','created':1772496000},"
      "{'id':'gpt-image-2','created':1776729600},{'id':'gpt-realtime-2','created':1777000000},"
      "{'id':'gpt-4o-search-preview','created':1741388720},{'id':'text-embedding-3-large','created':1705953180},"
      "{'id':'gpt-audio','created':1756339249},{'id':'whisper-1','created':1677532384},{'id':'sora-2','created':1759708615}]}",
      "gpt-5.5" },
    { "anthropic",
      "{'data':[{'type':'model','id':'claude-opus-4-8','created_at':'2026-05-28T00:00:00Z'},"
      "{'type':'model','id':'claude-sonnet-5','created_at':'2026-06-30T00:00:00Z','max_input_tokens':1000000,"
      "'max_tokens':128000,'capabilities':{'image_input':{'supported':true}}},"
      "{'type':'model','id':'claude-sonnet-4-6','created_at':'2026-02-17T00:00:00Z'},"
      "{'type':'model','id':'claude-sonnet-4-5-20250929','created_at':'2025-09-29T00:00:00Z'},"
      "{'type':'model','id':'claude-haiku-4-5-20251001','created_at':'2025-10-15T00:00:00Z'}],'has_more':false}",
      "claude-sonnet-5" },
    { "gemini",
      "{'models':[{'name':'models/gemini-2.5-flash','supportedGenerationMethods':['generateContent']},"
      "{'name':'models/gemini-3-flash-preview','supportedGenerationMethods':['generateContent']},"
      "{'name':'models/gemini-3.5-flash','supportedGenerationMethods':['generateContent'],'inputTokenLimit':1048576},"
      "{'name':'models/gemini-4-flash-preview-01-2027','supportedGenerationMethods':['generateContent']},"
      "{'name':'models/gemini-3.5-flash-lite','supportedGenerationMethods':['generateContent']},"
      "{'name':'models/gemini-2.5-flash-image','supportedGenerationMethods':['generateContent']},"
      "{'name':'models/gemini-2.5-flash-preview-tts','supportedGenerationMethods':['generateContent']},"
      "{'name':'models/gemini-embedding-001','supportedGenerationMethods':['embedContent']},"
      "{'name':'models/gemini-flash-latest','supportedGenerationMethods':['generateContent']}]}",
      "gemini-3.5-flash" },
    { "deepseek",
      "{'object':'list','data':[{'id':'deepseek-v4-flash','object':'model','owned_by':'deepseek'},"
      "{'id':'deepseek-v4-pro','object':'model','owned_by':'deepseek'}]}",
      "deepseek-v4-pro" },
    { "openrouter",
      "{'data':[{'id':'openrouter/auto','supported_parameters':['tools']},"
      "{'id':'anthropic/claude-sonnet-5','supported_parameters':['tools']}]}",
      "openrouter/auto" },
    { "mistral",
      "{'object':'list','data':[{'id':'mistral-large-2411','capabilities':{'completion_chat':true,'function_calling':true},"
      "'created':1795000000,'deprecation':'2026-05-30T00:00:00Z'},{'id':'mistral-large-2512','created':1795000000},"
      "{'id':'mistral-large-latest','created':1795000000,'capabilities':{'completion_chat':true,'function_calling':true,"
      "'vision':true}},{'id':'mistral-medium-2604','created':1795000000},{'id':'mistral-ocr-latest','created':1795000000},"
      "{'id':'mistral-embed','created':1795000000,'capabilities':{'completion_chat':false}}]}",
      "mistral-large-latest" },
    { "groq",
      "{'data':[{'id':'openai/gpt-oss-20b','created':1754407957,'active':true,'context_window':131072},"
      "{'id':'openai/gpt-oss-120b','created':1754408224,'active':true},{'id':'whisper-large-v3','created':1693721698},"
      "{'id':'openai/gpt-oss-safeguard-20b','created':1761708789},{'id':'llama-3.3-70b-versatile','created':1733447754}]}",
      "openai/gpt-oss-120b" },
    { "xai",
      "{'data':[{'id':'grok-4.20-0309-reasoning','created':1773014400},{'id':'grok-4.20-0309-non-reasoning','created':1773014400},"
      "{'id':'grok-4.3','created':1776384000},{'id':'grok-build-0.1','created':1779235200},"
      "{'id':'grok-imagine-image','created':1769558400}]}",
      "grok-4.3" },
    { "qwen",
      "{'data':[{'id':'qwen-plus','created':1700000000},{'id':'qwen3.6-plus','created':1775088000},"
      "{'id':'qwen3.7-plus','created':1780272000},{'id':'qwen3-coder-plus','created':1753228800},"
      "{'id':'qwen3-vl-plus','created':1758585600},{'id':'qwen3-asr-flash','created':1757289600}]}",
      "qwen3.7-plus" },
    { "moonshot",
      "{'data':[{'id':'kimi-k2-0905-preview','created':1757030400,'context_length':262144},"
      "{'id':'kimi-k2.5','created':1769472000,'supports_image_in':true},{'id':'kimi-k2.6','created':1776729600,"
      "'supports_image_in':true},{'id':'kimi-k2-turbo-preview','created':1757030400},{'id':'moonshot-v1-128k','created':1}]}",
      "kimi-k2.6" },
    { "glm",
      "{'data':[{'id':'glm-4.6','created':1759190400},{'id':'glm-4.10','created':1759190400},{'id':'glm-4.7','created':1759190400},"
      "{'id':'glm-4.5-air','created':1759190400},{'id':'glm-4.6v','created':1759190400}]}",
      "glm-4.10" },
    { "ollama",
      "{'models':[{'name':'nomic-embed-text:latest','modified_at':'2026-11-02T10:00:00.1+01:00'},"
      "{'name':'llama3.2:latest','modified_at':'2026-01-02T10:00:00.123456789+01:00'},"
      "{'name':'qwen3:8b','modified_at':'2026-10-02T10:00:00.123456789+01:00'}]}",
      "qwen3:8b" },
    { "lm-studio", "{'data':[{'id':'qwen3-8b'},{'id':'text-embedding-nomic-embed-text-v1.5'}]}", "qwen3-8b" },
    /* A name of a deployment is the person's. */
    { "azure", "{'data':[{'id':'gpt-5.5','created':1776902400},{'id':'gpt-5.4','created':1772668800}]}", "none" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      BeckonPreset *preset = beckon_preset_lookup (cases[i].preset);
      g_autoptr (GPtrArray) models = parse (beckon_preset_get_kind (preset), cases[i].body);
      const char *model = beckon_preset_get_model (preset);

      g_test_message ("%s", cases[i].preset);
      g_assert_cmpstr (*model != '\0' ? model : pick (models, beckon_preset_get_preferred (preset)), ==, cases[i].picked);
    }
}

/* Each rule alone, with as few models as show it. */
static void
test_rules (void)
{
  static const struct
  {
    const char *models;
    const char *preferred[3];
    const char *picked;
  } cases[] = {
    /* The order of the patterns comes first. */
    { "{'id':'b-9'},{'id':'a-1'}", { "a-#", "b-#" }, "a-1" },
    { "{'id':'b-9'},{'id':'c-1'}", { "a-#", "b-#" }, "b-9" },
    { "{'id':'c-1'},{'id':'d-1'}", { "a-#", "b-#" }, "none" },
    { "", { "a-#" }, "none" },
    /* Numbers are numbers, a date is none of them, and what a server dates is dated. */
    { "{'id':'a-4.9'},{'id':'a-4.20'}", { "a-#" }, "a-4.20" },
    { "{'id':'a-4.9','created':1780000000},{'id':'a-4.20','created':1770000000}", { "a-#" }, "a-4.9" },
    { "{'id':'a-4.9','created':1780000000},{'id':'a-4.20','created':1779999000}", { "a-#" }, "a-4.20" },
    { "{'id':'a-4-20250514'},{'id':'a-4-5'}", { "a-#" }, "a-4-5" },
    { "{'id':'a-5'},{'id':'a-5-2026-01-01'},{'id':'a-5-20260101'}", { "a-#" }, "a-5" },
    { "{'id':'a-5-2026-01-01'},{'id':'a-4'}", { "a-#" }, "a-5-2026-01-01" },
    /* A stable model comes before one that is not, however new. */
    { "{'id':'a-5-preview'},{'id':'a-4'},{'id':'a-6-exp-03-25'},{'id':'a-7-beta'}", { "a-#" }, "a-4" },
    { "{'id':'a-5-preview'},{'id':'a-4-preview-04-17'}", { "a-#" }, "a-5-preview" },
    /* Sight decides between two of one version. */
    { "{'id':'a-5','capabilities':{'vision':false}},{'id':'a-5-2026-01-01','capabilities':{'vision':true}}", { "a-#" },
      "a-5-2026-01-01" },
    /* Models that retired, call no tools or are no agent's. */
    { "{'id':'a-5','deprecation':'2026-11-22T00:00:00Z'},{'id':'a-4','deprecation':'2026-12-22T00:00:00Z'}", { "a-#" }, "a-4" },
    { "{'id':'a-5','supported_parameters':['top_p']},{'id':'a-4','supported_parameters':['tools']}", { "a-#" }, "a-4" },
    { "{'id':'a-tts-5'},{'id':'a-audio'},{'id':'a-4'}", { "*" }, "a-4" },
    /* A pattern fits the whole name. */
    { "{'id':'a-5-mini'},{'id':'xa-5'},{'id':'a-5o'},{'id':'a-5:free'}", { "a-#" }, "none" },
    { "{'id':'A-5'}", { "a-#" }, "A-5" },
    /* An unknown server's model is taken only where there is no choice. */
    { "{'id':'one'},{'id':'one-embed'}", { NULL }, "one" },
    { "{'id':'one'},{'id':'two'}", { NULL }, "none" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *body = g_strdup_printf ("{'data':[%s]}", cases[i].models);
      g_autoptr (GPtrArray) models = parse (BECKON_PROFILE_CHAT, body);

      g_test_message ("%s", cases[i].models);
      g_assert_cmpstr (pick (models, cases[i].preferred), ==, cases[i].picked);
    }
}

/* Each server's list as it is documented; models/README.md says where. */
static void
test_documented (void)
{
  static const struct
  {
    const char *file;
    BeckonProfileKind kind;
    guint n; /* models that may hold a conversation */
    const char *name;
    guint window;
    guint output;
    int images;
    int tools;
    double prices[BECKON_N_PRICES];
    const char *efforts;
    const char *retires;
  } cases[] = {
    { "openai", BECKON_PROFILE_RESPONSES, 3, "gpt-5.5", 0, 0, -1, -1, { -1, -1, -1 }, "", "" },
    { "anthropic", BECKON_PROFILE_ANTHROPIC, 2, "claude-sonnet-4-6", 1000000, 64000, 1, -1, { -1, -1, -1 },
      "low medium high max", "" },
    { "anthropic", BECKON_PROFILE_ANTHROPIC, 2, "claude-haiku-4-5-20251001", 200000, 64000, -1, -1, { -1, -1, -1 }, "", "" },
    { "gemini", BECKON_PROFILE_GEMINI, 2, "gemini-2.0-flash-thinking-exp-1219", 1048576, 65536, -1, -1, { -1, -1, -1 }, "", "" },
    { "openrouter", BECKON_PROFILE_CHAT, 2, "openai/gpt-4", 8192, 4096, 0, 0, { 30, -1, 60 }, "", "" },
    { "openrouter", BECKON_PROFILE_CHAT, 2, "anthropic/claude-sonnet-4.5", 1000000, 64000, 1, 1, { 3, 0.3, 15 },
      "none low medium high", "2027-02-03" },
    { "mistral", BECKON_PROFILE_CHAT, 2, "mistral-large-2411", 131072, 0, 1, 1, { -1, -1, -1 }, "", "2026-11-30" },
    { "mistral", BECKON_PROFILE_CHAT, 2, "mistral-embed", 8192, 0, 0, 0, { -1, -1, -1 }, "", "" },
    { "deepseek", BECKON_PROFILE_CHAT, 2, "deepseek-v4-pro", 0, 0, -1, -1, { -1, -1, -1 }, "", "" },
    { "groq", BECKON_PROFILE_CHAT, 2, "openai/gpt-oss-120b", 131072, 65536, -1, -1, { -1, -1, -1 }, "", "" },
    { "xai", BECKON_PROFILE_CHAT, 3, "grok-3", 0, 0, -1, -1, { -1, -1, -1 }, "", "" },
    { "ollama", BECKON_PROFILE_OLLAMA, 1, "gemma3", 0, 0, -1, -1, { -1, -1, -1 }, "", "" },
    { "llama.cpp", BECKON_PROFILE_CHAT, 1, "qwen3-8b", 65536, 0, -1, -1, { -1, -1, -1 }, "", "" },
    { "lm-studio", BECKON_PROFILE_CHAT, 3, "meta-llama-3.1-8b-instruct", 4096, 0, 0, 1, { -1, -1, -1 }, "", "" },
    { "lm-studio", BECKON_PROFILE_CHAT, 3, "qwen2-vl-7b-instruct", 32768, 0, -1, -1, { -1, -1, -1 }, "", "" },
    { "lm-studio", BECKON_PROFILE_CHAT, 3, "text-embedding-nomic-embed-text-v1.5", 2048, 0, -1, 0, { -1, -1, -1 }, "", "" },
    { "vllm", BECKON_PROFILE_CHAT, 1, "facebook/opt-125m", 2048, 0, -1, -1, { -1, -1, -1 }, "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *file = g_strconcat (cases[i].file, ".json", NULL);
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "settings", "models", file, NULL);
      g_autofree char *body = NULL;
      g_autofree char *efforts = NULL;
      g_autofree char *day = NULL;
      g_autoptr (GPtrArray) models = NULL;
      g_autoptr (GDateTime) retires = NULL;
      g_autoptr (GError) error = NULL;
      BeckonListedModel *model;
      const BeckonModelDetails *details;
      gsize length;

      g_test_message ("%s %s", cases[i].file, cases[i].name);
      g_file_get_contents (path, &body, &length, &error);
      g_assert_no_error (error);
      models = beckon_model_list_parse (cases[i].kind, body, length, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (models->len, ==, cases[i].n);
      model = beckon_listed_model_find (models, cases[i].name);
      g_assert_nonnull (model);
      details = beckon_listed_model_get_details (model);
      g_assert_cmpuint (details->facts.window, ==, cases[i].window);
      g_assert_cmpuint (details->facts.output, ==, cases[i].output);
      g_assert_cmpint (details->facts.images, ==, cases[i].images);
      g_assert_cmpint (details->tools, ==, cases[i].tools);
      for (guint price = 0; price < BECKON_N_PRICES; price++)
        g_assert_cmpfloat_with_epsilon (details->facts.prices[price], cases[i].prices[price], 1e-9);
      efforts = beckon_effort_levels_dup_words (details->facts.efforts);
      g_assert_cmpstr (efforts, ==, cases[i].efforts);
      retires = g_date_time_new_from_unix_utc (details->retires);
      day = details->retires > 0 ? g_date_time_format (retires, "%F") : g_strdup ("");
      g_assert_cmpstr (day, ==, cases[i].retires);
    }
}

/* No model of a service is built in: they come and go. */
static void
test_none_built_in (void)
{
  GPtrArray *presets = beckon_preset_get_all ();

  for (guint i = 0; i < presets->len; i++)
    {
      const char *model = beckon_preset_get_model (g_ptr_array_index (presets, i));

      g_assert_true (*model == '\0' || g_str_has_suffix (model, "/auto"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settings/model-pick/providers", test_providers);
  g_test_add_func ("/settings/model-pick/rules", test_rules);
  g_test_add_func ("/settings/model-pick/documented", test_documented);
  g_test_add_func ("/settings/model-pick/none-built-in", test_none_built_in);
  return g_test_run ();
}
