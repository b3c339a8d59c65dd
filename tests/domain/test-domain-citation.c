/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "domain/beckon-citation.h"
#include "domain/beckon-opaque.h"
#include "domain/beckon-provider-search.h"

#include <string.h>

/* Sources and searches, as a provider, or the author of an imported conversation, wrote them. */

static BeckonPart *
make_part (const char *origin, const char *json)
{
  g_autofree char *text = g_strdelimit (g_strdup (json), "'", '"');
  BeckonPart *part = beckon_part_new (BECKON_PART_OPAQUE, text);

  beckon_part_set_origin (part, origin);
  return part;
}

/* As "title host url" lines. */
static char *
print_sources (const char *json)
{
  g_autoptr (BeckonPart) part = make_part ("anthropic", json);
  g_autoptr (GPtrArray) sources = beckon_citation_list (part);
  GString *lines = g_string_new (NULL);

  for (guint i = 0; sources != NULL && i < sources->len; i++)
    {
      const BeckonCitation *source = g_ptr_array_index (sources, i);

      g_string_append_printf (lines, "%s|%s|%s\n", source->title, source->host, source->url);
    }
  return g_string_free (lines, FALSE);
}

static void
assert_sources (const char *citations, const char *expected)
{
  g_autofree char *json = g_strdup_printf ("{'type':'beckon_citations','cited':[{'from':0,'to':3,'citations':%s}]}", citations);
  g_autofree char *lines = print_sources (json);

  g_assert_cmpstr (lines, ==, expected);
}

static void
test_forms (void)
{
  assert_sources ("[{'type':'web_search_result_location','url':'https://a.example/x','title':'A','encrypted_index':'E',"
                  "'cited_text':'t'}]", "A|a.example|https://a.example/x\n");
  assert_sources ("[{'type':'url_citation','start_index':0,'end_index':4,'url':'http://b.example','title':'B'}]",
                  "B|b.example|http://b.example\n");
  assert_sources ("[{'type':'url_citation','url_citation':{'url':'https://c.example','title':'C','content':'long'}}]",
                  "C|c.example|https://c.example\n");
  assert_sources ("[{'web':{'uri':'https://d.example/r','title':'d.example'}}]", "d.example|d.example|https://d.example/r\n");
  assert_sources ("['https://e.example/1?a=b&c=%20#f']", "e.example|e.example|https://e.example/1?a=b&c=%20#f\n");
  assert_sources ("[]", "");
}

/* A source is shown once, wherever it is cited. */
static void
test_once (void)
{
  g_autofree char *lines = print_sources ("{'type':'beckon_citations','cited':[{'from':0,'to':1,'citations':"
                                          "[{'url':'https://a.example','title':'A'},{'url':'https://b.example','title':'B'}]},"
                                          "{'from':1,'to':2,'citations':[{'url':'https://a.example','title':'other'}]}]}");

  g_assert_cmpstr (lines, ==, "A|a.example|https://a.example\nB|b.example|https://b.example\n");
}

static void
test_hostile_addresses (void)
{
  static const char *const addresses[] = {
    "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "beckon://conversation/1", "mailto:a@b.example",
    "https://", "https:///x", "//a.example", "a.example", "", "https://google.example@evil.example/", "https://u:p@a.example",
    "https://a.example/\\u0000", "https://a.example/\\n", "https://a.example/ x", "https://a.example/<b>",
    "https://a.example/\\\\", "HTTPS://[::bad",
  };
  g_autofree char *path = g_strnfill (3000, 'a');
  g_autofree char *too_long = g_strdup_printf ("['https://a.example/%s']", path);

  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      g_autofree char *citations = g_strdup_printf ("[{'url':'%s','title':'T'}]", addresses[i]);

      g_test_message ("%s", addresses[i]);
      assert_sources (citations, "");
    }
  assert_sources (too_long, "");
  assert_sources ("[1,null,true,[],{},{'url':5},{'title':'T'}]", "");
}

/* A source can't look like another: the host is in ASCII, and a title has no hidden signs. */
static void
test_looks (void)
{
  assert_sources ("['https://\xd0\xb0pple.example/\xc3\xa9']",
                  "xn--pple-43d.example|xn--pple-43d.example|https://%D0%B0pple.example/%C3%A9\n");
  assert_sources ("[{'url':'https://a.example','title':'\\u202egpj.exe\\n\\u0007<b>'}]",
                  "<U+202E>gpj.exe<U+000A><U+0007><b>|a.example|https://a.example\n");
  assert_sources ("[{'url':'https://a.example','title':'  '}]", "a.example|a.example|https://a.example\n");
}

static void
test_many (void)
{
  g_autoptr (GString) json = g_string_new ("{'type':'beckon_citations','cited':[{'citations':[");
  g_autofree char *title = g_strnfill (3000, 'x');
  g_autoptr (BeckonPart) part = NULL;
  g_autoptr (GPtrArray) sources = NULL;

  for (guint i = 0; i < 10000; i++)
    g_string_append_printf (json, "%s{'url':'https://a.example/%u','title':'%s'}", i > 0 ? "," : "", i, title);
  g_string_append (json, "]}]}");
  part = make_part ("anthropic", json->str);
  sources = beckon_citation_list (part);
  g_assert_cmpuint (sources->len, ==, BECKON_CITATIONS_MAX);
  g_assert_cmpint (g_utf8_strlen (((BeckonCitation *) g_ptr_array_index (sources, 0))->title, -1), ==, 120);
}

static void
test_not_a_list (void)
{
  static const char *const texts[] = {
    "", "x", "{}", "[]", "{'type':'beckon_citations'}", "{'type':'beckon_citations','cited':5}",
    "{'type':'beckon_citations','cited':[5]}", "{'type':'beckon_citations','cited':[{'citations':{}}]}",
    "{'type':'thinking','cited':[{'citations':['https://a.example']}]}", "{'type':'beckon_citations','cited':[{",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *lines = print_sources (texts[i]);

      g_assert_cmpstr (lines, ==, "");
    }
}

/* Our own notes on a reply are no provider's block. */
static void
test_records_are_ours (void)
{
  g_autoptr (BeckonPart) citations = make_part ("anthropic", "{'type':'beckon_citations','cited':[]}");
  g_autoptr (BeckonPart) searches = make_part ("chat", "{'type':'beckon_searches','requests':2}");
  g_autoptr (BeckonPart) block = make_part ("anthropic", "{'type':'server_tool_use','name':'beckon_citations'}");
  g_autofree char *missing = beckon_opaque_dup_unsupported (citations);
  g_autofree char *sentence = beckon_opaque_dup_sentence (searches);

  g_assert_false (beckon_opaque_is_from (citations, "anthropic"));
  g_assert_false (beckon_opaque_is_from (searches, "chat"));
  g_assert_true (beckon_opaque_is_from (block, "anthropic"));
  g_assert_null (missing);
  g_assert_null (sentence);
}

static void
assert_sentence (const char *json, const char *expected)
{
  g_autoptr (BeckonPart) part = make_part ("x", json);
  g_autofree char *sentence = beckon_opaque_dup_sentence (part);

  g_assert_cmpstr (sentence, ==, expected);
}

static void
test_sentences (void)
{
  assert_sentence ("{'type':'server_tool_use','name':'web_search','input':{'query':'old cats'}}",
                   "Searched the web for “old cats”");
  assert_sentence ("{'type':'web_search_call','status':'completed','action':{'type':'search','query':'a','queries':['a','b']}}",
                   "Searched the web for “a” “b”");
  assert_sentence ("{'type':'web_search_call','action':{'type':'open_page','url':'https://a.example'}}",
                   "Opened https://a.example");
  assert_sentence ("{'type':'web_search_call','id':'ws'}", "Searched the web");
  assert_sentence ("{'type':'web_search_call','status':'failed','action':{'query':'a'}}", "The provider’s web search failed");
  assert_sentence ("{'type':'part','name':'toolCall','part':{'toolCall':{'toolType':'GOOGLE_SEARCH_WEB','args':{'queries':"
                   "['x']}}}}", "Searched the web for “x”");
  assert_sentence ("{'type':'beckon_searches','queries':['y']}", "Searched the web for “y”");
  assert_sentence ("{'type':'web_search_tool_result','content':[{'url':'https://a.example'}]}", NULL);
  assert_sentence ("{'type':'web_search_tool_result','content':{'type':'web_search_tool_result_error','error_code':"
                   "'max_uses_exceeded'}}", "The provider’s web search failed: max_uses_exceeded");
  assert_sentence ("{'type':'server_tool_use','name':'web_search','input':{'query':'\\u202ex\\n'}}",
                   "Searched the web for “<U+202E>x<U+000A>”");
}

static void
test_count (void)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 0);
  g_autoptr (BeckonPart) one = make_part ("responses", "{'type':'web_search_call','action':{'query':'a'}}");
  g_autoptr (BeckonPart) page = make_part ("responses", "{'type':'web_search_call','action':{'url':'https://a.example'}}");
  g_autoptr (BeckonPart) counted = make_part ("anthropic", "{'type':'beckon_searches','requests':7}");
  g_autofree char *text = NULL;

  g_assert_cmpuint (beckon_provider_search_count (message), ==, 0);
  beckon_message_add_part (message, one);
  beckon_message_add_part (message, page);
  g_assert_cmpuint (beckon_provider_search_count (message), ==, 1);
  beckon_message_add_part (message, counted);
  g_assert_cmpuint (beckon_provider_search_count (message), ==, 7);
  text = beckon_provider_search_dup_count (7);
  g_assert_cmpstr (text, ==, "7 web searches");
}

static void
test_known (void)
{
  static const struct
  {
    BeckonProfileKind kind;
    const char *base_url;
    const char *model;
    gboolean is_known;
  } cases[] = {
    { BECKON_PROFILE_ANTHROPIC, "https://api.anthropic.com", "claude-sonnet-5", TRUE },
    { BECKON_PROFILE_RESPONSES, "https://api.openai.com/v1", "gpt-5.2", TRUE },
    { BECKON_PROFILE_GEMINI, "https://generativelanguage.googleapis.com/v1beta", "gemini-3-flash-preview", TRUE },
    { BECKON_PROFILE_GEMINI, "https://generativelanguage.googleapis.com/v1beta", "gemini-2.5-pro", FALSE },
    { BECKON_PROFILE_GEMINI, "https://generativelanguage.googleapis.com/v1beta", "gemini-flash-latest", TRUE },
    { BECKON_PROFILE_GEMINI, "https://generativelanguage.googleapis.com/v1beta", "gemma-3", FALSE },
    { BECKON_PROFILE_GEMINI, "https://g.example", "gemini-3-flash-preview", FALSE },
    { BECKON_PROFILE_ANTHROPIC, "https://openrouter.ai/api", "x", TRUE },
    { BECKON_PROFILE_ANTHROPIC, "https://a.services.ai.azure.com/anthropic", "x", TRUE },
    { BECKON_PROFILE_ANTHROPIC, "https://api.deepseek.com/anthropic", "x", FALSE },
    { BECKON_PROFILE_ANTHROPIC, "http://127.0.0.1:8080", "x", FALSE },
    { BECKON_PROFILE_RESPONSES, "https://eu.api.openai.com/v1", "x", TRUE },
    { BECKON_PROFILE_RESPONSES, "https://A.openai.azure.com/openai/v1", "x", TRUE },
    { BECKON_PROFILE_RESPONSES, "https://evilapi.openai.com.example/v1", "x", FALSE },
    { BECKON_PROFILE_RESPONSES, "http://localhost:1234/v1", "x", FALSE },
    { BECKON_PROFILE_CHAT, "https://openrouter.ai/api/v1", "x", TRUE },
    { BECKON_PROFILE_CHAT, "https://notopenrouter.ai/api/v1", "x", FALSE },
    { BECKON_PROFILE_CHAT, "https://api.mistral.ai/v1", "x", FALSE },
    { BECKON_PROFILE_CHAT, "http://localhost:8080/v1", "x", FALSE },
    { BECKON_PROFILE_OLLAMA, "http://localhost:11434", "x", FALSE },
    { BECKON_PROFILE_TOUR, "", "", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", cases[i].kind);

      g_test_message ("%s %s", cases[i].base_url, cases[i].model);
      beckon_profile_set_base_url (profile, cases[i].base_url);
      beckon_profile_set_model (profile, cases[i].model);
      g_assert_cmpint (beckon_provider_search_is_known (profile), ==, cases[i].is_known);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/citation/forms", test_forms);
  g_test_add_func ("/citation/once", test_once);
  g_test_add_func ("/citation/hostile-addresses", test_hostile_addresses);
  g_test_add_func ("/citation/looks", test_looks);
  g_test_add_func ("/citation/many", test_many);
  g_test_add_func ("/citation/not-a-list", test_not_a_list);
  g_test_add_func ("/citation/records-are-ours", test_records_are_ours);
  g_test_add_func ("/provider-search/sentences", test_sentences);
  g_test_add_func ("/provider-search/count", test_count);
  g_test_add_func ("/provider-search/known", test_known);
  return g_test_run ();
}
