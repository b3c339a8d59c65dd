/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options that a profile adds to a request, in each protocol's words. */

#include "beckon-encode-cases.h"

#include "base/beckon-json.h"

#include <string.h>

static JsonObject *
encode_object (BeckonProfileKind kind, const char *model, const char *extra, double temperature, guint limit)
{
  g_autoptr (BeckonLlmRequest) request = make_request (kind, "Be brief.");
  g_autofree char *text = NULL;
  JsonObject *object;

  add_message (request, BECKON_ROLE_USER, "Hello");
  if (model != NULL)
    beckon_profile_set_model (request->profile, model);
  beckon_profile_set_base_url (request->profile, "https://api.openai.com/v1");
  beckon_profile_set_extra_body (request->profile, extra);
  beckon_profile_set_temperature (request->profile, temperature);
  beckon_profile_set_output_limit (request->profile, limit);
  text = encode (request);
  /* Strict, so that no name stands there twice. */
  object = beckon_json_parse_object (text, -1, NULL);
  g_assert_nonnull (object);
  return object;
}

static const struct
{
  BeckonProfileKind kind;
  const char *object; /* in which member they are; NULL for the top */
  const char *temperature;
  const char *limit;
  double max;
} words[] = {
  { BECKON_PROFILE_CHAT, NULL, "temperature", "max_completion_tokens", 2 },
  { BECKON_PROFILE_RESPONSES, NULL, "temperature", "max_output_tokens", 2 },
  { BECKON_PROFILE_ANTHROPIC, NULL, "temperature", "max_tokens", 1 },
  { BECKON_PROFILE_GEMINI, "generationConfig", "temperature", "maxOutputTokens", 2 },
  { BECKON_PROFILE_OLLAMA, "options", "temperature", "num_predict", 2 },
};

static void
test_fields (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (JsonObject) body = encode_object (words[i].kind, NULL, "", 1.5, 4096);
      JsonObject *object = words[i].object != NULL ? beckon_json_get_object (body, words[i].object) : body;

      g_assert_cmpfloat (beckon_json_get_double (object, words[i].temperature, -1), ==, MIN (1.5, words[i].max));
      g_assert_cmpint (beckon_json_get_int (object, words[i].limit, -1), ==, 4096);
    }
}

/* The model's own hold when nothing is said. */
static void
test_unsaid (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (JsonObject) body = encode_object (words[i].kind, NULL, "", BECKON_PROFILE_NO_TEMPERATURE, 0);

      if (words[i].object != NULL)
        g_assert_false (json_object_has_member (body, words[i].object));
      g_assert_false (json_object_has_member (body, "temperature"));
      g_assert_cmpint (json_object_has_member (body, words[i].limit), ==, words[i].kind == BECKON_PROFILE_ANTHROPIC);
    }
}

/* A profile's temperature is for the models that take one: others refuse the whole request. */
static void
test_refused (void)
{
  static const struct
  {
    BeckonProfileKind kind;
    const char *model;
    gboolean takes_one;
  } cases[] = {
    { BECKON_PROFILE_ANTHROPIC, "claude-sonnet-5-5", FALSE }, { BECKON_PROFILE_ANTHROPIC, "claude-opus-4-7", FALSE },
    { BECKON_PROFILE_ANTHROPIC, "claude-opus-5", FALSE },     { BECKON_PROFILE_ANTHROPIC, "claude-sonnet-4-6", TRUE },
    { BECKON_PROFILE_RESPONSES, "gpt-5.4", FALSE },           { BECKON_PROFILE_RESPONSES, "gpt-4.1", TRUE },
    { BECKON_PROFILE_CHAT, "openai/gpt-5-mini", FALSE },      { BECKON_PROFILE_CHAT, "gpt-oss-20b", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JsonObject) body = encode_object (cases[i].kind, cases[i].model, "", 0.5, 0);

      g_test_message ("%s", cases[i].model);
      g_assert_cmpint (json_object_has_member (body, "temperature"), ==, cases[i].takes_one);
    }
}

/* The extra body adds, and has the last word over our own options; a nested object is joined with ours. */
static void
test_extra (void)
{
  static const struct
  {
    BeckonProfileKind kind;
    const char *extra;
    const char *expected; /* with ' for " */
  } cases[] = {
    { BECKON_PROFILE_CHAT, "{\"top_p\":0.5,\"temperature\":0}", "'top_p':0.5,'temperature':0" },
    { BECKON_PROFILE_CHAT, "{\"stream_options\":null}", "'stream_options':null" },
    { BECKON_PROFILE_CHAT, "{\"max_completion_tokens\":7}", "'max_completion_tokens':7" },
    { BECKON_PROFILE_CHAT, "{\"a\":{\"b\":[1,true,\"\\u00e9\"]}}", "'a':{'b':[1,true,'\xc3\xa9']}" },
    { BECKON_PROFILE_RESPONSES, "{\"store\":true,\"include\":[]}", "'store':true,'include':[]" },
    { BECKON_PROFILE_ANTHROPIC, "{\"max_tokens\":7,\"thinking\":{\"type\":\"disabled\"}}", "'max_tokens':7" },
    { BECKON_PROFILE_GEMINI, "{\"generationConfig\":{\"topK\":3,\"temperature\":0.1}}",
      "'generationConfig':{'maxOutputTokens':64,'topK':3,'temperature':0.1}" },
    { BECKON_PROFILE_GEMINI, "{\"safetySettings\":[]}", "'safetySettings':[]" },
    { BECKON_PROFILE_OLLAMA, "{\"think\":false,\"options\":{\"seed\":1,\"num_predict\":-1}}",
      "'options':{'temperature':1.0,'seed':1,'num_predict':-1},'think':false" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JsonObject) body = encode_object (cases[i].kind, NULL, cases[i].extra, 1, 64);
      g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), body);
      g_autofree char *text = beckon_json_print (node);
      g_autofree char *expected = g_strdelimit (g_strdup (cases[i].expected), "'", '"');

      if (strstr (text, expected) == NULL)
        g_error ("case %u: %s is not in %s", i, expected, text);
    }
}

/* Values that should be objects and are not are left out, and so are those of a file that could not be entered. */
static void
test_odd_extra (void)
{
  g_autoptr (JsonObject) replaced = encode_object (BECKON_PROFILE_OLLAMA, NULL, "{\"options\":3}", 1, 0);
  g_autoptr (JsonObject) broken = encode_object (BECKON_PROFILE_CHAT, NULL, "{\"top_p\":", 1, 0);
  g_autoptr (JsonObject) refused = encode_object (BECKON_PROFILE_CHAT, NULL, "{\"model\":\"other\",\"x\":1}", 1, 0);

  g_assert_nonnull (beckon_json_get_object (replaced, "options"));
  g_assert_false (json_object_has_member (broken, "top_p"));
  g_assert_cmpstr (beckon_json_get_string (refused, "model"), ==, "some-model");
  g_assert_false (json_object_has_member (refused, "x"));
}

static void
test_thinking (void)
{
  g_autoptr (JsonObject) plain = encode_object (BECKON_PROFILE_GEMINI, "gemini-2.5-pro", "", -1, 0);
  g_autoptr (JsonObject) own =
    encode_object (BECKON_PROFILE_GEMINI, "gemini-2.5-pro",
                   "{\"generationConfig\":{\"thinkingConfig\":{\"thinkingBudget\":0}}}", -1, 0);
  JsonObject *config = beckon_json_get_object (plain, "generationConfig");

  g_assert_true (beckon_json_get_boolean (beckon_json_get_object (config, "thinkingConfig"), "includeThoughts", FALSE));
  config = beckon_json_get_object (own, "generationConfig");
  g_assert_false (json_object_has_member (beckon_json_get_object (config, "thinkingConfig"), "includeThoughts"));
}

/* Others than OpenAI know the limit by its older name; Ollama is told the window. */
static void
test_dialects (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_CHAT, NULL);
  g_autofree char *chat = NULL;
  g_autofree char *ollama = NULL;

  beckon_profile_set_base_url (request->profile, "https://api.mistral.ai/v1");
  beckon_profile_set_output_limit (request->profile, 9);
  chat = encode (request);
  g_assert_nonnull (strstr (chat, "\"max_tokens\":9}"));
  g_assert_null (strstr (chat, "stream_options"));
  beckon_profile_set_kind (request->profile, BECKON_PROFILE_OLLAMA);
  beckon_profile_set_context_window (request->profile, 32768);
  ollama = encode (request);
  g_assert_nonnull (strstr (ollama, "\"options\":{\"num_ctx\":32768,\"num_predict\":9}"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/llm/options/fields", test_fields);
  g_test_add_func ("/llm/options/unsaid", test_unsaid);
  g_test_add_func ("/llm/options/refused", test_refused);
  g_test_add_func ("/llm/options/extra", test_extra);
  g_test_add_func ("/llm/options/odd-extra", test_odd_extra);
  g_test_add_func ("/llm/options/thinking", test_thinking);
  g_test_add_func ("/llm/options/dialects", test_dialects);
  return g_test_run ();
}
