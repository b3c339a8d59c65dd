/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-encode-cases.h"

#include "llm/beckon-effort-members.h"
#include "llm/beckon-sent-schema.h"

#include <string.h>

static void
assert_encoded (const BeckonLlmRequest *request, const char *expected)
{
  g_autofree char *text = encode (request);

  g_assert_cmpstr (text, ==, expected);
}

/* The messages alone, from behind "messages":. */
static void
assert_messages (const BeckonLlmRequest *request, const char *expected)
{
  g_autofree char *text = encode (request);
  g_autofree char *whole = g_strdup_printf ("{\"model\":\"some-model\",\"messages\":%s,\"stream\":true,"
                                            "\"stream_options\":{\"include_usage\":true}}", expected);

  g_assert_cmpstr (text, ==, whole);
}

static void
test_whole_request (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_CHAT, "Be brief.");
  g_autoptr (BeckonToolDefinition) tool = beckon_tool_definition_new ("get_time", "Says \"when\"",
                                                                       "{\"type\":\"object\",\"properties\":{}}", TRUE);

  add_message (request, BECKON_ROLE_USER, "What time is it?\n");
  beckon_llm_request_add_tool (request, tool);
  assert_encoded (request,
                  "{\"model\":\"some-model\",\"messages\":[{\"role\":\"system\",\"content\":\"Be brief.\"},"
                  "{\"role\":\"user\",\"content\":\"What time is it?\\n\"}],\"tools\":[{\"type\":\"function\","
                  "\"function\":{\"name\":\"get_time\",\"description\":\"Says \\\"when\\\"\",\"parameters\":{\"type\":\"object\","
                  "\"properties\":{}}}}],\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
}

static void
assert_mended (const char *schema, const char *expected)
{
  g_autofree char *mended = beckon_sent_schema_mend (schema);

  g_assert_cmpstr (mended, ==, expected);
}

/* Valid schemas go byte for byte; what strict providers refuse is said in words that all of them take. */
static void
test_schemas (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_CHAT, NULL);
  g_autoptr (BeckonToolDefinition) tool
    = beckon_tool_definition_new ("f", "d", "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\"}}}", TRUE);
  g_autofree char *text = NULL;

  assert_mended ("{ \"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\", \"default\": null}} }", NULL);
  assert_mended ("{\"type\":\"object\",\"properties\":{\"required\":{\"enum\":[null,{\"type\":\"array\"}]},\"items\":{\"type\":"
                 "\"array\",\"items\":{}}}}", NULL);
  assert_mended ("{\"properties\":{\"a\":null},\"required\":[\"a\"]}",
                 "{\"type\":\"object\",\"properties\":{\"a\":{}},\"required\":[\"a\"]}");
  assert_mended ("{\"id\":\"x\",\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"number\",\"minimum\":1,"
                 "\"exclusiveMinimum\":true,\"maximum\":9,\"exclusiveMaximum\":false,\"description\":null}}}",
                 "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"number\",\"exclusiveMinimum\":1,\"maximum\":9}}}");
  assert_mended ("{}", "{\"type\":\"object\"}");
  beckon_llm_request_add_tool (request, tool);
  text = encode (request);
  g_assert_nonnull (strstr (text, "{\"type\":\"array\",\"items\":{}}"));
}

static void
test_dialects (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_CHAT, NULL);
  BeckonMessage *message = add_message (request, BECKON_ROLE_ASSISTANT, NULL);
  g_autoptr (BeckonPart) reasoning = beckon_part_new (BECKON_PART_REASONING, "hm");
  const char *id;

  beckon_part_set_origin (reasoning, "chat");
  beckon_message_add_part (message, reasoning);
  add_call (message, "abcDEF123", "f", "{}", "one");
  id = add_call (message, "call_too_long", "f", "{}", "two");
  id += strlen (id) - 9;
  beckon_profile_set_base_url (request->profile, "https://api.mistral.ai/v1");
  {
    g_autofree char *body = g_strdup_printf (
      "{'model':'some-model','messages':[{'role':'assistant','content':null,'tool_calls':[{'id':'abcDEF123','type':"
      "'function','function':{'name':'f','arguments':'{}'}},{'id':'%s','type':'function','function':{'name':'f',"
      "'arguments':'{}'}}]},{'role':'tool','tool_call_id':'abcDEF123','content':'one'},{'role':'tool','tool_call_id':"
      "'%s','content':'two'}],'stream':true}", id, id);

    assert_body (request, body);
  }
  beckon_profile_set_base_url (request->profile, "https://api.moonshot.ai/v1");
  {
    g_autofree char *body = encode (request);

    g_assert_nonnull (strstr (body, "\"content\":null,\"reasoning_content\":\"hm\",\"tool_calls\""));
    g_assert_nonnull (strstr (body, "\"stream_options\""));
  }
}

static void
add_reasoning (BeckonMessage *message, const char *origin, const char *text)
{
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_REASONING, text);

  beckon_part_set_origin (part, origin);
  beckon_message_add_part (message, part);
}

static void
assert_deepseek (const char *base_url, const char *model, const char *body)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_CHAT, NULL);
  BeckonMessage *reply;
  g_autofree char *text = NULL;

  beckon_profile_set_base_url (request->profile, base_url);
  beckon_profile_set_model (request->profile, model);
  add_message (request, BECKON_ROLE_USER, "one");
  add_reasoning (add_message (request, BECKON_ROLE_ASSISTANT, "plain"), "chat", "not wanted");
  add_message (request, BECKON_ROLE_USER, "two");
  reply = add_message (request, BECKON_ROLE_ASSISTANT, NULL);
  add_reasoning (reply, "chat", "first");
  add_call (reply, "call_1", "f", "{}", "r");
  reply = add_message (request, BECKON_ROLE_ASSISTANT, NULL);
  add_reasoning (reply, "anthropic", "another's");
  add_call (reply, "call_2", "f", "{}", "r");
  add_call (add_message (request, BECKON_ROLE_ASSISTANT, NULL), "call_3", "f", "{}", "r");
  add_message (request, BECKON_ROLE_ASSISTANT, "done");
  text = encode (request);
  g_assert_nonnull (strstr (text, body));
}

/* "The `reasoning_content` in the thinking mode must be passed back to the API", says the server of every reply in a turn
 * that had calls: https://api-docs.deepseek.com/guides/thinking_mode. The model wants it wherever it is served. */
static void
test_deepseek (void)
{
  static const char *const where[][2] = {
    { "https://api.deepseek.com", "deepseek-v4-pro" },
    { "https://openrouter.ai/api/v1", "deepseek/deepseek-v4-flash" },
    { "http://127.0.0.1:8000/v1", "DeepSeek-V4" },
    { "https://api.fireworks.ai/inference/v1", "accounts/fireworks/models/deepseek-v4" },
  };
  static const char returned[] =
      "[{\"role\":\"user\",\"content\":\"one\"},{\"role\":\"assistant\",\"content\":\"plain\"},"
      "{\"role\":\"user\",\"content\":\"two\"},"
      "{\"role\":\"assistant\",\"content\":null,\"reasoning_content\":\"first\",\"tool_calls\":[{\"id\":\"call_1\","
      "\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},"
      "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"r\"},"
      "{\"role\":\"assistant\",\"content\":null,\"reasoning_content\":\" \",\"tool_calls\":[{\"id\":\"call_2\","
      "\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},"
      "{\"role\":\"tool\",\"tool_call_id\":\"call_2\",\"content\":\"r\"},"
      "{\"role\":\"assistant\",\"content\":null,\"reasoning_content\":\" \",\"tool_calls\":[{\"id\":\"call_3\","
      "\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},"
      "{\"role\":\"tool\",\"tool_call_id\":\"call_3\",\"content\":\"r\"},"
      "{\"role\":\"assistant\",\"content\":\"done\",\"reasoning_content\":\" \"}]";

  for (guint i = 0; i < G_N_ELEMENTS (where); i++)
    assert_deepseek (where[i][0], where[i][1], returned);
  /* Others at the same place do not get it. */
  assert_deepseek ("https://openrouter.ai/api/v1", "qwen/qwen4", "{\"role\":\"assistant\",\"content\":\"done\"}]");
  assert_deepseek ("https://api.example.com/v1", "not-deepseek", "\"content\":null,\"tool_calls\"");
}

static void
test_model_names (void)
{
  g_assert_true (beckon_model_name_is_of ("deepseek-v4", "deepseek"));
  g_assert_true (beckon_model_name_is_of ("deepseek-ai/DeepSeek-V4", "deepseek"));
  g_assert_false (beckon_model_name_is_of ("my-deepseek", "deepseek"));
  g_assert_false (beckon_model_name_is_of ("", "deepseek"));
  g_assert_cmpuint (beckon_model_name_get_version ("claude-opus-4-5-20251101", "opus-"), ==, 405);
  g_assert_cmpuint (beckon_model_name_get_version ("claude-sonnet-4-20250514", "sonnet-"), ==, 400);
  g_assert_cmpuint (beckon_model_name_get_version ("anthropic/claude-opus-5.5", "opus-"), ==, 505);
  g_assert_cmpuint (beckon_model_name_get_version ("claude-3-7-sonnet-latest", "claude-"), ==, 307);
  g_assert_cmpuint (beckon_model_name_get_version ("gemini-2.5-pro", "gemini-"), ==, 205);
  g_assert_cmpuint (beckon_model_name_get_version ("GPT-5-2025-08-07", "gpt-"), ==, 500);
  g_assert_cmpuint (beckon_model_name_get_version ("gpt-oss-120b", "gpt-"), ==, 0);
  g_assert_cmpuint (beckon_model_name_get_version ("", "gpt-"), ==, 0);
}

static void
test_image (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_CHAT, NULL);

  add_image (add_message (request, BECKON_ROLE_USER, "Look"));
  assert_messages (request, "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Look\"},"
                            "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,iVBORw==\"}}]}]");
}

static void
test_calls_and_results (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_CHAT, NULL);
  BeckonMessage *reply;

  add_message (request, BECKON_ROLE_USER, "go");
  reply = add_message (request, BECKON_ROLE_ASSISTANT, "First");
  add_call (reply, "call_1", "f", "{ \"x\" : 1 }", "one");
  add_call (reply, "call_2", "g", "{}", "");
  add_message (request, BECKON_ROLE_ASSISTANT, "done");
  assert_messages (request,
                   "[{\"role\":\"user\",\"content\":\"go\"},"
                   "{\"role\":\"assistant\",\"content\":\"First\",\"tool_calls\":["
                   "{\"id\":\"call_1\",\"type\":\"function\",\"function\":"
                   "{\"name\":\"f\",\"arguments\":\"{ \\\"x\\\" : 1 }\"}},"
                   "{\"id\":\"call_2\",\"type\":\"function\",\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}}]},"
                   "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"one\"},"
                   "{\"role\":\"tool\",\"tool_call_id\":\"call_2\",\"content\":\"\"},"
                   "{\"role\":\"assistant\",\"content\":\"done\"}]");
}

static void
test_reasoning_stays_here (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_CHAT, "");
  BeckonMessage *reply = add_message (request, BECKON_ROLE_ASSISTANT, NULL);

  add_part (reply, BECKON_PART_REASONING, "hidden");
  add_part (reply, BECKON_PART_OPAQUE, "{\"signature\":1}");
  assert_messages (request, "[]");
  add_part (reply, BECKON_PART_TEXT, "a");
  add_part (reply, BECKON_PART_REASONING, "hidden");
  add_part (reply, BECKON_PART_TEXT, "b");
  assert_messages (request, "[{\"role\":\"assistant\",\"content\":\"ab\"}]");
}

static char *
format_call_and_result (const char *id, const char *name, const char *arguments)
{
  return g_strdup_printf ("[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"%s\","
                          "\"type\":\"function\",\"function\":{\"name\":\"%s\",\"arguments\":\"%s\"}}]},"
                          "{\"role\":\"tool\",\"tool_call_id\":\"%s\",\"content\":\"r\"}]",
                          id, name, arguments, id);
}

static void
assert_call (const char *provider_id, gboolean own_id, const char *name, const char *sent_name, const char *arguments,
             const char *sent_arguments)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_CHAT, NULL);
  BeckonMessage *reply = add_message (request, BECKON_ROLE_ASSISTANT, NULL);
  const char *id = add_call (reply, provider_id, name, arguments, "r");
  g_autofree char *expected = format_call_and_result (own_id ? id : provider_id, sent_name, sent_arguments);

  assert_messages (request, expected);
}

static void
test_odd_ids (void)
{
  assert_call ("a", FALSE, "f", "f", "{}", "{}");
  assert_call (NULL, TRUE, "f", "f", "{}", "{}");
  assert_call ("", TRUE, "f", "f", "{}", "{}");
  assert_call ("a-very-long-id-that-another-provider-made-up-itself", TRUE, "f", "f", "{}", "{}");
}

/* Names and arguments that a server would refuse would be refused with every later request of the conversation, too. */
static void
test_odd_names_and_arguments (void)
{
  assert_call ("a", FALSE, "multi_tool_use.parallel", "multi_tool_use_parallel", "{}", "{}");
  assert_call ("a", FALSE, "", "unnamed", "{}", "{}");
  assert_call ("a", FALSE, "0123456789012345678901234567890123456789012345678901234567890123456789",
               "0123456789012345678901234567890123456789012345678901234567890123", "{}", "{}");
  assert_call ("a", FALSE, "f", "f", "{\"x\":", "{\\\"not_an_object\\\":\\\"{\\\\\\\"x\\\\\\\":\\\"}");
  assert_call ("a", FALSE, "f", "f", "", "{}");
  assert_call ("a", FALSE, "f", "f", "[1]", "{\\\"not_an_object\\\":\\\"[1]\\\"}");
  assert_call ("a", FALSE, "f", "f", "{\"x\":1,\"x\":2}",
               "{\\\"not_an_object\\\":\\\"{\\\\\\\"x\\\\\\\":1,\\\\\\\"x\\\\\\\":2}\\\"}");
}

static void
test_ids_are_unique (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_CHAT, NULL);
  BeckonMessage *first = add_message (request, BECKON_ROLE_ASSISTANT, NULL);
  BeckonMessage *second;
  const char *own_one;
  const char *own_two;
  g_autofree char *text = NULL;
  g_autofree char *results = NULL;

  add_call (first, "call_0", "f", "{}", "one");
  own_one = add_call (first, "call_0", "f", "{}", "two");
  second = add_message (request, BECKON_ROLE_ASSISTANT, NULL);
  own_two = add_call (second, "call_0", "f", "{}", "three");
  text = encode (request);
  results = g_strdup_printf ("{\"role\":\"tool\",\"tool_call_id\":\"call_0\",\"content\":\"one\"},"
                             "{\"role\":\"tool\",\"tool_call_id\":\"%s\",\"content\":\"two\"},", own_one);
  g_assert_nonnull (strstr (text, results));
  g_clear_pointer (&results, g_free);
  results = g_strdup_printf ("{\"role\":\"tool\",\"tool_call_id\":\"%s\",\"content\":\"three\"}]", own_two);
  g_assert_nonnull (strstr (text, results));
}

static void
test_missing_result (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_CHAT, NULL);
  BeckonMessage *reply = add_message (request, BECKON_ROLE_ASSISTANT, NULL);
  g_autofree char *text = NULL;

  add_call (reply, "a", "f", "{}", NULL);
  text = encode (request);
  g_assert_nonnull (strstr (text, "{\"role\":\"tool\",\"tool_call_id\":\"a\","
                                  "\"content\":\"The result of this call was lost."));
}

/* Texts of tools and people may hold anything; the request stays valid JSON. */
static void
test_odd_texts (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_CHAT, NULL);

  add_message (request, BECKON_ROLE_USER, "\x01\x1b\"\\\xff\u2028");
  assert_messages (request, "[{\"role\":\"user\",\"content\":\"\\u0001\\u001b\\\"\\\\\uFFFD\u2028\"}]");
}

static void
test_lookup (void)
{
  g_autoptr (BeckonProfile) tour = beckon_profile_new ("tour", BECKON_PROFILE_TOUR);

  g_assert_null (beckon_codec_lookup ("unknown"));
  g_assert_nonnull (beckon_codec_lookup ("chat"));
  g_assert_true (g_strv_contains (beckon_codec_get_names (), "chat"));
  g_assert_true (beckon_codec_for_profile (tour) == beckon_codec_lookup ("chat"));
  g_assert_cmpstr (beckon_codec_lookup ("chat")->path, ==, "/chat/completions");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/llm/chat-encode/whole-request", test_whole_request);
  g_test_add_func ("/llm/chat-encode/schemas", test_schemas);
  g_test_add_func ("/chat/encode/image", test_image);
  g_test_add_func ("/chat/encode/dialects", test_dialects);
  g_test_add_func ("/chat/encode/deepseek", test_deepseek);
  g_test_add_func ("/chat/encode/model-names", test_model_names);
  g_test_add_func ("/llm/chat-encode/calls-and-results", test_calls_and_results);
  g_test_add_func ("/llm/chat-encode/reasoning-stays-here", test_reasoning_stays_here);
  g_test_add_func ("/faults/C/44-odd-ids", test_odd_ids);
  g_test_add_func ("/faults/C/47-odd-names-and-arguments", test_odd_names_and_arguments);
  g_test_add_func ("/faults/C/43-ids-are-unique", test_ids_are_unique);
  g_test_add_func ("/llm/chat-encode/missing-result", test_missing_result);
  g_test_add_func ("/llm/chat-encode/odd-texts", test_odd_texts);
  g_test_add_func ("/llm/codec/lookup", test_lookup);
  return g_test_run ();
}
