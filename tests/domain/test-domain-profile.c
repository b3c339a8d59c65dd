/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "domain/beckon-effort.h"
#include "domain/beckon-profile.h"
#include "domain/beckon-usage.h"

#include <string.h>

static BeckonProfile *
make_profile (const char *name, const char *base_url, const char *model)
{
  BeckonProfile *profile = beckon_profile_new ("p", BECKON_PROFILE_CHAT);

  beckon_profile_set_name (profile, name);
  beckon_profile_set_base_url (profile, base_url);
  beckon_profile_set_model (profile, model);

  return profile;
}

static void
test_accepts (void)
{
  const char *const urls[] = { "http://localhost:11434/v1",   "https://api.example.com/v1", "https://api.example.com",
                               "http://[::1]:8080/v1",        "HTTPS://api.example.com/v1", "http://127.0.0.1:1234/v1/",
                               "https://api.example.com/a/b" };

  for (gsize i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_autoptr (BeckonProfile) profile = make_profile ("Name", urls[i], "model");
      g_autoptr (GError) error = NULL;

      beckon_profile_check (profile, &error);
      g_assert_no_error (error);
    }
}

static void
test_refuses (void)
{
  static const struct
  {
    const char *name;
    const char *base_url;
    const char *model;
    const char *word;
  } cases[] = {
    { "", "https://a.example/v1", "m", "name" },
    { " \t", "https://a.example/v1", "m", "name" },
    { "\xe3\x80\x80", "https://a.example/v1", "m", "name" },
    { "n", "", "m", "address" },
    { "n", "api.example.com/v1", "m", "address" },
    { "n", "ftp://a.example/v1", "m", "address" },
    { "n", "file:///etc/passwd", "m", "address" },
    { "n", "https:///v1", "m", "address" },
    { "n", "https://", "m", "address" },
    { "n", "https://user@a.example/v1", "m", "user name" },
    { "n", "https://user:pass@a.example/v1", "m", "user name" },
    { "n", "https://a.example/v1?key=abc", "m", "“?”" },
    { "n", "https://a.example/v1#top", "m", "“#”" },
    { "n", "https://a.example/v1", "", "model" },
    { "n", "https://a.example/v1", "  ", "model" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonProfile) profile = make_profile (cases[i].name, cases[i].base_url, cases[i].model);
      g_autoptr (GError) error = NULL;

      g_assert_false (beckon_profile_check (profile, &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
      if (strstr (error->message, cases[i].word) == NULL)
        g_error ("case %" G_GSIZE_FORMAT ": “%s” does not mention %s", i, error->message, cases[i].word);
    }
}

static void
test_rounds (void)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", BECKON_PROFILE_CHAT);

  g_assert_cmpuint (beckon_profile_get_effective_rounds (profile), ==, 50);
  beckon_profile_set_rounds (profile, 7);
  g_assert_cmpuint (beckon_profile_get_effective_rounds (profile), ==, 7);
  beckon_profile_set_rounds (profile, 100000);
  g_assert_cmpuint (beckon_profile_get_effective_rounds (profile), ==, 200);
}

static void
count (guint *counter)
{
  (*counter)++;
}

static void
test_properties (void)
{
  g_autoptr (BeckonProfile) profile = make_profile ("a", "http://b", "c");
  g_autoptr (BeckonProfile) copy = NULL;
  g_autofree char *name = NULL;
  g_autofree char *base_url = NULL;
  g_autofree char *model = NULL;
  guint rounds, notified = 0;

  g_signal_connect_swapped (profile, "notify", G_CALLBACK (count), &notified);
  g_object_set (profile, "name", "A", "base-url", "http://B", "model", "C", "rounds", 3u, NULL);
  g_assert_cmpuint (notified, ==, 4);
  g_object_set (profile, "name", "A", "rounds", 3u, NULL);
  g_assert_cmpuint (notified, ==, 4);

  copy = beckon_profile_copy (profile);
  g_object_get (copy, "name", &name, "base-url", &base_url, "model", &model, "rounds", &rounds, NULL);
  g_assert_cmpstr (beckon_profile_get_id (copy), ==, "p");
  g_assert_cmpint (beckon_profile_get_kind (copy), ==, BECKON_PROFILE_CHAT);
  g_assert_cmpstr (name, ==, "A");
  g_assert_cmpstr (base_url, ==, "http://B");
  g_assert_cmpstr (model, ==, "C");
  g_assert_cmpuint (rounds, ==, 3);
}

/* A number out of range is brought into it; a text that is no number is none. */
static void
test_ranges (void)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", BECKON_PROFILE_CHAT);

  beckon_profile_set_context_window (profile, G_MAXUINT);
  g_assert_cmpuint (beckon_profile_get_context_window (profile), ==, 2000000);
  beckon_profile_set_temperature (profile, 7);
  g_assert_cmpfloat (beckon_profile_get_temperature (profile), ==, 2);
  beckon_profile_set_temperature (profile, g_ascii_strtod ("nan", NULL));
  g_assert_cmpfloat (beckon_profile_get_temperature (profile), ==, BECKON_PROFILE_NO_TEMPERATURE);
  beckon_profile_set_output_limit (profile, G_MAXUINT);
  g_assert_cmpuint (beckon_profile_get_output_limit (profile), ==, BECKON_PROFILE_OUTPUT_LIMIT_MAX);
  beckon_profile_set_price (profile, BECKON_PRICE_OUTPUT, -3);
  g_assert_cmpfloat (beckon_profile_get_price (profile, BECKON_PRICE_OUTPUT), ==, 0);
  beckon_profile_set_price (profile, BECKON_PRICE_CACHED, 0.5);
  g_assert_cmpfloat (beckon_profile_get_price (profile, BECKON_PRICE_CACHED), ==, 0.5);
  beckon_profile_set_headers (profile, NULL);
  g_assert_null (beckon_profile_get_headers (profile)[0]);
}

static void
test_window (void)
{
  g_autoptr (BeckonProfile) profile = make_profile ("n", "https://api.example.com", "Claude-Sonnet-4");

  g_assert_cmpuint (beckon_profile_get_effective_window (profile), ==, 200000);
  beckon_profile_set_base_url (profile, "http://localhost:11434/v1");
  g_assert_cmpuint (beckon_profile_get_effective_window (profile), ==, 120000);
  beckon_profile_set_model (profile, "unheard-of");
  beckon_profile_set_base_url (profile, "https://api.example.com");
  g_assert_cmpuint (beckon_profile_get_effective_window (profile), ==, 120000);
  /* The person's word comes before the server's, and the server's before what is known of names. */
  beckon_profile_set_facts (profile, &(BeckonModelFacts) { 32768, 2048, 1 });
  g_assert_cmpuint (beckon_profile_get_effective_window (profile), ==, 32768);
  g_object_set (profile, "facts", "what?", NULL);
  g_assert_cmpuint (beckon_profile_get_effective_window (profile), ==, 120000);
  beckon_profile_set_facts (profile, &(BeckonModelFacts) { 32768, 2048, 1 });
  beckon_profile_set_context_window (profile, 4096);
  g_assert_cmpuint (beckon_profile_get_effective_window (profile), ==, 4096);
}

static void
assert_price (BeckonProfile *profile, BeckonFactSource source, double input, double cached, double output, const char *currency)
{
  g_assert_cmpint (beckon_profile_get_price_source (profile), ==, source);
  g_assert_cmpfloat (beckon_profile_get_effective_price (profile, BECKON_PRICE_INPUT), ==, input);
  g_assert_cmpfloat (beckon_profile_get_effective_price (profile, BECKON_PRICE_CACHED), ==, cached);
  g_assert_cmpfloat (beckon_profile_get_effective_price (profile, BECKON_PRICE_OUTPUT), ==, output);
  g_assert_cmpstr (beckon_profile_get_effective_currency (profile), ==, currency);
}

static gint64
get_cost (BeckonProfile *profile)
{
  BeckonUsage usage = { 1000, 100, -1, -1 };

  beckon_usage_set_cost (&usage, profile);
  return usage.cost;
}

/* Prices that were said of the model hold until the person enters one, which then holds alone. */
static void
test_prices (void)
{
  g_autoptr (BeckonProfile) profile = make_profile ("n", "https://api.example.com", "m");
  BeckonModelFacts facts = { 0, 0, -1, -1, 0, { 3, -1, 15.5 }, BECKON_FACT_SERVER };

  beckon_profile_set_currency (profile, "CNY");
  assert_price (profile, BECKON_FACT_UNKNOWN, 0, 0, 0, "CNY");
  g_assert_cmpint (get_cost (profile), ==, -1);
  beckon_profile_set_facts (profile, &facts);
  assert_price (profile, BECKON_FACT_SERVER, 3, 0, 15.5, "USD");
  g_assert_cmpint (get_cost (profile), ==, 3000 + 1550);
  facts.prices_from = BECKON_FACT_TABLE;
  facts.prices[BECKON_PRICE_CACHED] = 0.003625;
  beckon_profile_set_facts (profile, &facts);
  assert_price (profile, BECKON_FACT_TABLE, 3, 0.003625, 15.5, "USD");
  beckon_profile_set_price (profile, BECKON_PRICE_OUTPUT, 7);
  assert_price (profile, BECKON_FACT_ENTERED, 0, 0, 7, "CNY");
  g_assert_cmpint (get_cost (profile), ==, 700);
  beckon_profile_set_price (profile, BECKON_PRICE_OUTPUT, 0);
  assert_price (profile, BECKON_FACT_TABLE, 3, 0.003625, 15.5, "USD");
  /* Free of charge is known, too. */
  facts = (BeckonModelFacts) { 0, 0, -1, -1, 0, { 0, 0, 0 }, BECKON_FACT_SERVER };
  beckon_profile_set_facts (profile, &facts);
  g_assert_cmpint (get_cost (profile), ==, 0);
}

/* As they are stored; an earlier version wrote the first three alone. */
static void
test_facts (void)
{
  g_autoptr (BeckonProfile) profile = make_profile ("n", "https://api.example.com", "m");
  const BeckonModelFacts all = { 32768, 2048, 1, 0, BECKON_EFFORT_LEVEL_LOW | BECKON_EFFORT_LEVEL_MAX, { 1.25, 0.125, 10 },
                                 BECKON_FACT_SERVER };
  g_autofree char *text = NULL;
  BeckonModelFacts facts;
  static const char *const odd[] = { "1 2", "", "x", "1 2 1 0 0 9 server 1 2" };

  beckon_profile_set_facts (profile, &all);
  beckon_profile_get_facts (profile, &facts);
  g_object_get (profile, "facts", &text, NULL);
  g_assert_cmpstr (text, ==, "32768 2048 1 0 0 68 server 1.25 0.125 10");
  g_assert_cmpuint (facts.window, ==, 32768);
  g_assert_cmpuint (facts.efforts, ==, all.efforts);
  g_assert_cmpint (facts.prices_from, ==, BECKON_FACT_SERVER);
  g_assert_cmpfloat (facts.prices[BECKON_PRICE_CACHED], ==, 0.125);
  g_assert_cmpuint (beckon_profile_get_effort_levels (profile), ==, all.efforts);
  g_object_set (profile, "facts", "32768 2048 1", NULL);
  beckon_profile_get_facts (profile, &facts);
  g_assert_cmpuint (facts.window, ==, 32768);
  g_assert_cmpuint (facts.output, ==, 2048);
  g_assert_cmpint (facts.images, ==, 1);
  g_assert_cmpuint (facts.efforts, ==, 0);
  g_assert_cmpint (facts.prices_from, ==, BECKON_FACT_UNKNOWN);
  g_object_set (profile, "facts", "1 2 7 1 1 4294967295 server -1 nan 5000000", NULL);
  beckon_profile_get_facts (profile, &facts);
  g_assert_cmpint (facts.images, ==, 1);
  g_assert_cmpuint (facts.efforts, ==, BECKON_EFFORT_LEVELS_ALL);
  g_assert_cmpint (facts.prices_from, ==, BECKON_FACT_UNKNOWN);
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_object_set (profile, "facts", odd[i], NULL);
      beckon_profile_get_facts (profile, &facts);
      g_assert_cmpuint (facts.efforts, ==, 0);
      g_assert_cmpint (facts.prices_from, ==, BECKON_FACT_UNKNOWN);
    }
}

/* The person's limit, the server's, the table's. */
static void
test_output (void)
{
  g_autoptr (BeckonProfile) profile = make_profile ("n", "https://api.example.com", "claude-sonnet-4-5");

  g_assert_cmpuint (beckon_profile_get_effective_output (profile), ==, 64000);
  beckon_profile_set_facts (profile, &(BeckonModelFacts) { 32768, 2048, 1 });
  g_assert_cmpuint (beckon_profile_get_effective_output (profile), ==, 2048);
  beckon_profile_set_output_limit (profile, 100);
  g_assert_cmpuint (beckon_profile_get_effective_output (profile), ==, 100);
  beckon_profile_set_output_limit (profile, 0);
  g_object_set (profile, "facts", "", "model", "unheard-of", NULL);
  g_assert_cmpuint (beckon_profile_get_effective_output (profile), ==, 0);
}

static void
test_effort_levels (void)
{
  static const struct
  {
    const char *levels;
    const char *chosen[BECKON_EFFORT_N_EFFORTS]; /* for off, low, medium, high and max */
  } cases[] = {
    { "none low medium high xhigh", { NULL, "none", "low", "medium", "high", "xhigh" } },
    { "minimal low medium high", { NULL, "minimal", "low", "medium", "high", "high" } },
    { "low medium high max", { NULL, "low", "low", "medium", "high", "max" } },
    { "low high", { NULL, "low", "low", "high", "high", "high" } },
    { "none high", { NULL, "none", "high", "high", "high", "high" } },
    { "high max", { NULL, "high", "high", "high", "high", "max" } },
    { "minimal", { NULL, "minimal", "minimal", "minimal", "minimal", "minimal" } },
    { "none", { NULL, "none", "none", "none", "none", "none" } },
    { "xhigh max", { NULL, "xhigh", "xhigh", "xhigh", "xhigh", "max" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) words = g_strsplit (cases[i].levels, " ", -1);
      g_autofree char *back = NULL;
      guint levels = 0;

      for (guint j = 0; words[j] != NULL; j++)
        levels |= beckon_effort_level_from_word (words[j]);
      back = beckon_effort_levels_dup_words (levels);
      g_assert_cmpstr (back, ==, cases[i].levels);
      for (guint effort = BECKON_EFFORT_OFF; effort < BECKON_EFFORT_N_EFFORTS; effort++)
        g_assert_cmpstr (beckon_effort_levels_choose (levels, (BeckonEffort) effort), ==, cases[i].chosen[effort]);
    }
  g_assert_cmpuint (beckon_effort_level_from_word ("High"), ==, 0);
  g_assert_cmpuint (beckon_effort_level_from_word (NULL), ==, 0);
}

static void
test_headers (void)
{
  static const struct
  {
    const char *header;
    const char *word; /* NULL when it is fine */
  } cases[] = {
    { "X-Title: Beckon", NULL },
    { "X-Empty:", NULL },
    { "x!#$%&'*+-.^_`|~: ~ value (with) \"signs\"", NULL },
    { "no colon", "Name: value" },
    { ": value", "Name: value" },
    { "a name: value", "Name: value" },
    { "", "Name: value" },
    { "X-A: one\r\nX-B: two", "line break" },
    { "X-A: one\n", "line break" },
    { "X-A: caf\xc3\xa9", "plain ASCII" },
    { "X-A: \x7f", "plain ASCII" },
    { "authorization: Bearer x", "key" },
    { "X-Api-Key: x", "key" },
    { "Cookie: x", "key" },
    { "cf-aig-authorization: x", "key" },
    { "X-Auth-Token: x", "key" },
    { "X-Secret: x", "key" },
    { "X-Other: Bearer 0123456789abcdef", "key" },
    { "X-Other: sk-0123456789abcdef", "key" },
    { "X-Other: aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF", "key" },
    { "X-Keyboard: de", NULL },
    { "X-Max-Tokens: 12", NULL },
    { "OpenAI-Organization: org-aB3dE6gH9jK2mN5pQ8sT", NULL },
    { "anthropic-beta: prompt-caching-2024-07-31,computer-use-2024-10-22", NULL },
    { "X-Request-Id: 0b9bd3a2-1f0e-4c55-9d5e-2f0e7c1d9a10", NULL },
    { "Host: evil.example", "itself" },
    { "Content-Length: 0", "itself" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonProfile) profile = make_profile ("n", "https://a.example/v1", "m");
      const char *const headers[] = { "X-First: 1", cases[i].header, NULL };
      g_autoptr (GError) error = NULL;

      beckon_profile_set_headers (profile, headers);
      g_assert_cmpint (beckon_profile_check (profile, &error), ==, cases[i].word == NULL);
      if (cases[i].word != NULL && strstr (error->message, cases[i].word) == NULL)
        g_error ("case %" G_GSIZE_FORMAT ": “%s” does not mention %s", i, error->message, cases[i].word);
    }
}

static void
test_extra_body (void)
{
  static const struct
  {
    const char *body;
    const char *word;
  } cases[] = {
    { "", NULL },
    { " \n", NULL },
    { "{}", NULL },
    { "{\"top_p\": 0.9, \"generationConfig\": {\"topK\": 3}}", NULL },
    { "[]", "JSON object" },
    { "{\"a\":1,\"a\":2}", "JSON object" },
    { "{\"a\":}", "JSON object" },
    { "{} {}", "JSON object" },
    { "{\"model\":\"other\"}", "Remove that member" },
    { "{\"stream\":false}", "Remove that member" },
    { "{\"tools\":[]}", "Remove that member" },
    { "{\"api_key\":\"x\"}", "key" },
    { "{\"extra\":[{\"accessToken\":\"x\"}]}", "key" },
    { "{\"extra\":{\"other\":\"sk-0123456789abcdef\"}}", "key" },
    { "{\"prompt_cache_key\":\"chat-1\",\"max_tokens\":5,\"logit_key\":3}", NULL },
    { "{\"user\":\"0b9bd3a2-1f0e-4c55-9d5e-2f0e7c1d9a10\",\"reasoning\":{\"effort\":\"high\"}}", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonProfile) profile = make_profile ("n", "https://a.example/v1", "m");
      g_autoptr (GError) error = NULL;

      beckon_profile_set_extra_body (profile, cases[i].body);
      g_assert_cmpint (beckon_profile_check (profile, &error), ==, cases[i].word == NULL);
      if (cases[i].word != NULL && strstr (error->message, cases[i].word) == NULL)
        g_error ("case %" G_GSIZE_FORMAT ": “%s” does not mention %s", i, error->message, cases[i].word);
    }
}

static void
test_fallbacks (void)
{
  g_autoptr (BeckonProfile) profile = make_profile ("n", "https://a.example/v1", "m");
  g_auto (GStrv) many = g_new0 (char *, BECKON_PROFILE_FALLBACKS_MAX + 2);
  const char *const itself[] = { "q", "p", NULL };
  g_autoptr (GError) error = NULL;

  beckon_profile_set_fallbacks (profile, itself);
  g_assert_false (beckon_profile_check (profile, &error));
  g_assert_nonnull (strstr (error->message, "own fallback"));
  for (guint i = 0; i <= BECKON_PROFILE_FALLBACKS_MAX; i++)
    many[i] = g_strdup_printf ("q%u", i);
  beckon_profile_set_fallbacks (profile, (const char *const *) many);
  g_assert_false (beckon_profile_check (profile, NULL));
  g_clear_pointer (&many[BECKON_PROFILE_FALLBACKS_MAX], g_free);
  beckon_profile_set_fallbacks (profile, (const char *const *) many);
  g_assert_true (beckon_profile_check (profile, NULL));
}

static void
test_equal (void)
{
  g_autoptr (BeckonProfile) one = make_profile ("n", "https://a.example/v1", "m");
  g_autoptr (BeckonProfile) other = beckon_profile_new ("other", BECKON_PROFILE_OLLAMA);
  const char *const list[] = { "X-A: 1", NULL };
  guint notified = 0;

  beckon_profile_set_headers (one, list);
  beckon_profile_set_currency (one, "USD");
  g_assert_false (beckon_profile_equal (one, other));
  g_signal_connect_swapped (other, "notify", G_CALLBACK (count), &notified);
  beckon_profile_assign (other, one);
  g_assert_cmpuint (notified, ==, 6);
  g_assert_true (beckon_profile_equal (one, other));
  g_assert_cmpstr (beckon_profile_get_id (other), ==, "other");
  beckon_profile_assign (other, one);
  g_assert_cmpuint (notified, ==, 6);
}

/* PDFs go as files by the person's choice, then the server's list, then what is known of the model. */
static void
test_pdfs (void)
{
  static const struct
  {
    BeckonProfileKind kind;
    const char *base_url, *model;
    int listed;
    BeckonPdfChoice choice;
    gboolean reads;
    BeckonFactSource source;
  } cases[] = {
    { BECKON_PROFILE_ANTHROPIC, "https://api.anthropic.com", "claude-sonnet-5", -1, BECKON_PDF_BY_MODEL, TRUE, BECKON_FACT_TABLE },
    { BECKON_PROFILE_ANTHROPIC, "https://api.anthropic.com", "claude-sonnet-5", 0, BECKON_PDF_BY_MODEL, FALSE, BECKON_FACT_SERVER },
    { BECKON_PROFILE_ANTHROPIC, "https://api.anthropic.com", "claude-2.1", -1, BECKON_PDF_BY_MODEL, FALSE, BECKON_FACT_UNKNOWN },
    { BECKON_PROFILE_ANTHROPIC, "https://api.deepseek.com/anthropic", "deepseek-chat", -1, BECKON_PDF_BY_MODEL, FALSE,
      BECKON_FACT_UNKNOWN },
    { BECKON_PROFILE_ANTHROPIC, "http://127.0.0.1:8080", "claude-sonnet-5", -1, BECKON_PDF_BY_MODEL, FALSE, BECKON_FACT_UNKNOWN },
    { BECKON_PROFILE_ANTHROPIC, "http://127.0.0.1:8080", "mine", -1, BECKON_PDF_AS_FILE, TRUE, BECKON_FACT_ENTERED },
    { BECKON_PROFILE_ANTHROPIC, "https://api.anthropic.com", "claude-sonnet-5", 1, BECKON_PDF_AS_TEXT, FALSE, BECKON_FACT_ENTERED },
    { BECKON_PROFILE_RESPONSES, "https://api.openai.com/v1", "gpt-5.5", -1, BECKON_PDF_BY_MODEL, TRUE, BECKON_FACT_TABLE },
    { BECKON_PROFILE_RESPONSES, "https://api.openai.com/v1", "gpt-3.5-turbo", -1, BECKON_PDF_BY_MODEL, FALSE, BECKON_FACT_UNKNOWN },
    { BECKON_PROFILE_GEMINI, "https://generativelanguage.googleapis.com", "gemini-3.5-flash", -1, BECKON_PDF_BY_MODEL, TRUE,
      BECKON_FACT_TABLE },
    { BECKON_PROFILE_CHAT, "https://api.openai.com/v1", "gpt-4o", -1, BECKON_PDF_BY_MODEL, TRUE, BECKON_FACT_TABLE },
    { BECKON_PROFILE_CHAT, "https://gateway.example/v1", "gpt-4o", -1, BECKON_PDF_BY_MODEL, FALSE, BECKON_FACT_UNKNOWN },
    { BECKON_PROFILE_CHAT, "https://openrouter.ai/api/v1", "anthropic/claude-sonnet-5", 1, BECKON_PDF_BY_MODEL, TRUE,
      BECKON_FACT_SERVER },
    { BECKON_PROFILE_CHAT, "https://openrouter.ai/api/v1", "deepseek/deepseek-v4", 0, BECKON_PDF_BY_MODEL, FALSE, BECKON_FACT_SERVER },
    { BECKON_PROFILE_OLLAMA, "http://127.0.0.1:11434", "gemma", 1, BECKON_PDF_AS_FILE, FALSE, BECKON_FACT_ENTERED },
    { BECKON_PROFILE_CHAT, "", "", -1, BECKON_PDF_BY_MODEL, FALSE, BECKON_FACT_UNKNOWN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonProfile) profile = beckon_profile_new (NULL, cases[i].kind);
      BeckonModelFacts facts = { 1000, 0, -1, cases[i].listed };

      g_test_message ("%u", i);
      beckon_profile_set_base_url (profile, cases[i].base_url);
      beckon_profile_set_model (profile, cases[i].model);
      beckon_profile_set_pdf_choice (profile, cases[i].choice);
      beckon_profile_set_facts (profile, &facts);
      g_assert_cmpint (beckon_profile_get_pdf_choice (profile), ==, cases[i].choice);
      g_assert_true (beckon_profile_reads_pdfs (profile) == cases[i].reads);
      g_assert_cmpint (beckon_profile_get_pdf_source (profile), ==, cases[i].source);
    }
}

/* Facts of earlier versions have three numbers; a text of another form has none. */
static void
test_stored_facts (void)
{
  static const struct
  {
    const char *text;
    BeckonModelFacts facts;
    BeckonPdfChoice choice;
  } cases[] = {
    { "1000 20 1", { 1000, 20, 1, -1 }, BECKON_PDF_BY_MODEL },
    { "1000 20 1 0 1", { 1000, 20, 1, 0 }, BECKON_PDF_AS_TEXT },
    { "1000 20 1 1 99", { 1000, 20, 1, 1 }, BECKON_PDF_AS_FILE },
    { "1000 20 1 1 -7", { 1000, 20, 1, 1 }, BECKON_PDF_BY_MODEL },
    { "1000 20", { 0, 0, -1, -1 }, BECKON_PDF_BY_MODEL },
    { "", { 0, 0, -1, -1 }, BECKON_PDF_BY_MODEL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonProfile) profile = beckon_profile_new (NULL, BECKON_PROFILE_CHAT);
      BeckonModelFacts facts;

      g_object_set (profile, "facts", cases[i].text, NULL);
      beckon_profile_get_facts (profile, &facts);
      g_assert_cmpuint (facts.window, ==, cases[i].facts.window);
      g_assert_cmpuint (facts.output, ==, cases[i].facts.output);
      g_assert_cmpint (facts.images, ==, cases[i].facts.images);
      g_assert_cmpint (facts.pdfs, ==, cases[i].facts.pdfs);
      g_assert_cmpint (beckon_profile_get_pdf_choice (profile), ==, cases[i].choice);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/domain/profile/pdfs", test_pdfs);
  g_test_add_func ("/domain/profile/facts/stored", test_stored_facts);
  g_test_add_func ("/domain/profile/accepts", test_accepts);
  g_test_add_func ("/domain/profile/refuses", test_refuses);
  g_test_add_func ("/domain/profile/rounds", test_rounds);
  g_test_add_func ("/domain/profile/properties", test_properties);
  g_test_add_func ("/domain/profile/ranges", test_ranges);
  g_test_add_func ("/domain/profile/window", test_window);
  g_test_add_func ("/domain/profile/prices", test_prices);
  g_test_add_func ("/domain/profile/facts", test_facts);
  g_test_add_func ("/domain/profile/output", test_output);
  g_test_add_func ("/domain/profile/effort-levels", test_effort_levels);
  g_test_add_func ("/domain/profile/headers", test_headers);
  g_test_add_func ("/domain/profile/extra-body", test_extra_body);
  g_test_add_func ("/domain/profile/fallbacks", test_fallbacks);
  g_test_add_func ("/domain/profile/equal", test_equal);

  return g_test_run ();
}
