/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-cases.h"
#include "beckon-encode-cases.h"

#include "domain/beckon-citation.h"
#include "domain/beckon-provider-search.h"
#include "llm/beckon-codec.h"

#include <string.h>

/* A provider's own web search: how it is asked for, what comes of it, and what goes back. */

#define EVENT(json) "event: x\ndata: " json "\n\n"

/* --- What comes ---------------------------------------------------------------------------------------------------- */

#define BEGIN(index, block) EVENT ("{'type':'content_block_start','index':" index ",'content_block':" block "}")
#define DELTA_OF(index, delta) EVENT ("{'type':'content_block_delta','index':" index ",'delta':" delta "}")
#define WORDS(index, text) DELTA_OF (index, "{'type':'text_delta','text':'" text "'}")
#define CITED(index, citation) DELTA_OF (index, "{'type':'citations_delta','citation':" citation "}")
#define STOP(index) EVENT ("{'type':'content_block_stop','index':" index "}")
#define CITATION(n) \
  "{'type':'web_search_result_location','cited_text':'c','url':'https://a.example/" n "','title':'T" n "','encrypted_index':'E" n "'}"
#define USE "{'type':'server_tool_use','id':'srvtoolu_1','name':'web_search','input':{'query':'cats'}}"
#define RESULT \
  "{'type':'web_search_tool_result','tool_use_id':'srvtoolu_1','content':[{'type':'web_search_result','title':'T1'," \
  "'url':'https://a.example/1','encrypted_content':'Eo8DC+/=','page_age':'April 30, 2025'}]}"
#define OVER(more) \
  EVENT ("{'type':'message_delta','delta':{'stop_reason':'end_turn'},'usage':{'output_tokens':7" more "}}") \
  EVENT ("{'type':'message_stop'}")

/* As in https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool#streaming. */
#define ANTHROPIC_STREAM \
  BEGIN ("0", "{'type':'text','text':''}") WORDS ("0", "I look. ") STOP ("0") \
  BEGIN ("1", "{'type':'server_tool_use','id':'srvtoolu_1','name':'web_search','input':{}}") \
  DELTA_OF ("1", "{'type':'input_json_delta','partial_json':'{^query^:'}") \
  DELTA_OF ("1", "{'type':'input_json_delta','partial_json':'^cats^}'}") STOP ("1") BEGIN ("2", RESULT) STOP ("2") \
  BEGIN ("3", "{'type':'text','text':''}") WORDS ("3", "Cats are ") STOP ("3") \
  BEGIN ("4", "{'citations':[],'type':'text','text':''}") CITED ("4", CITATION ("1")) CITED ("4", CITATION ("2")) \
  WORDS ("4", "\\u00e4lter") STOP ("4") BEGIN ("5", "{'type':'text','text':''}") WORDS ("5", " than ") STOP ("5") \
  BEGIN ("6", "{'type':'text','text':'','citations':[]}") WORDS ("6", "dogs.") CITED ("6", CITATION ("1")) STOP ("6") \
  OVER (",'server_tool_use':{'web_search_requests':1}")

#define ANTHROPIC_CITATIONS \
  "{'type':'beckon_citations','cited':[{'from':9,'to':15,'citations':[" CITATION ("1") "," CITATION ("2") \
  "]},{'from':21,'to':26,'citations':[" CITATION ("1") "]}]}"

static void
test_anthropic_decode (void)
{
  assert_decoded_by ("anthropic", ANTHROPIC_STREAM,
                     "text I look. \nopaque " USE "\nopaque " RESULT "\ntext Cats are \xc3\xa4lter than dogs.\nopaque "
                     ANTHROPIC_CITATIONS "\nopaque {'type':'beckon_searches','requests':1}\nusage -1 7 -1\nend complete");
  /* A body that is no stream. */
  assert_decoded_by ("anthropic",
                     "{'type':'message','content':[{'type':'text','text':'Cats','citations':[" CITATION ("1")
                     "]},{'type':'text','text':'.','citations':null}],'stop_reason':'end_turn'}",
                     "text Cats.\nopaque {'type':'beckon_citations','cited':[{'from':0,'to':4,'citations':[" CITATION ("1")
                     "]}]}\nend complete");
  /* An error is a result, too, and a search that was broken off leaves nothing half done. */
  assert_decoded_by ("anthropic",
                     BEGIN ("0", "{'type':'web_search_tool_result','tool_use_id':'s','content':{'type':"
                                 "'web_search_tool_result_error','error_code':'unavailable'}}") STOP ("0") OVER (""),
                     "opaque {'type':'web_search_tool_result','tool_use_id':'s','content':{'type':"
                     "'web_search_tool_result_error','error_code':'unavailable'}}\nusage -1 7 -1\nend complete");
}

#define ITEM(place, item) EVENT ("{'type':'response.output_item.done','output_index':" place ",'item':" item "}")
#define ANNOTATION \
  "{'type':'url_citation','start_index':4,'end_index':30,'url':'https://a.example/?utm_source=openai','title':'A'}"
#define WS "{'id':'ws_1','type':'web_search_call','status':'completed','action':{'type':'search','query':'cats'}}"
#define REASONED "{'id':'rs_1','type':'reasoning','encrypted_content':'x+/=','summary':[]}"
#define SAID \
  "{'id':'msg_1','type':'message','status':'completed','role':'assistant','content':[{'type':'output_text','text':'Cats.'," \
  "'annotations':[" ANNOTATION "]}]}"

static void
test_responses_decode (void)
{
  assert_decoded_by ("responses",
                     ITEM ("0", REASONED) EVENT ("{'type':'response.web_search_call.searching','output_index':1}") ITEM ("1", WS)
                     EVENT ("{'type':'response.output_text.delta','output_index':2,'delta':'Cats.'}")
                     EVENT ("{'type':'response.output_text.annotation.added','output_index':2,'annotation':" ANNOTATION "}")
                     ITEM ("2", SAID) EVENT ("{'type':'response.completed','response':{'status':'completed'}}"),
                     "opaque " REASONED "\nopaque " WS "\ntext Cats.\n"
                     "opaque {'type':'message','id':'msg_1','status':'completed'}\n"
                     "opaque {'type':'beckon_citations','cited':[{'from':0,'to':5,'citations':[" ANNOTATION "]}]}\nend complete");
}

#define GEMINI_CALL \
  "{'toolCall':{'toolType':'GOOGLE_SEARCH_WEB','args':{'queries':['cats']},'id':'g1'},'thoughtSignature':'S+/='}"
#define GEMINI_RESPONSE \
  "{'toolResponse':{'toolType':'GOOGLE_SEARCH_WEB','response':{'search_suggestions':'<b>'},'id':'g1'},'thoughtSignature':'R'}"

static void
test_gemini_decode (void)
{
  assert_decoded_by ("gemini",
                     "data: {'candidates':[{'content':{'parts':[" GEMINI_CALL "," GEMINI_RESPONSE "]}}]}\n\n"
                     "data: {'candidates':[{'content':{'parts':[{'text':'Cats.'}]},'finishReason':'STOP','groundingMetadata':"
                     "{'webSearchQueries':['cats'],'searchEntryPoint':{'renderedContent':'<script>'},'groundingChunks':[{'web':"
                     "{'uri':'https://r.example/1','title':'a.example'}}],'groundingSupports':[{'segment':{'startIndex':-5,"
                     "'endIndex':9000},'groundingChunkIndices':[77]}]}}]}\n\n",
                     "opaque {'type':'part','name':'toolCall','part':" GEMINI_CALL "}\n"
                     "opaque {'type':'part','name':'toolResponse','part':" GEMINI_RESPONSE "}\ntext Cats.\n"
                     "opaque {'type':'beckon_citations','cited':[{'citations':[{'url':'https://r.example/1','title':'a.example'}]}]}"
                     "\nend complete");
  /* Without functions there are no parts of the search, but what was searched for is said. */
  assert_decoded_by ("gemini",
                     "data: {'candidates':[{'content':{'parts':[{'text':'Cats.'}]},'finishReason':'STOP','groundingMetadata':"
                     "{'webSearchQueries':['cats'],'groundingChunks':[]}}]}\n\n",
                     "text Cats.\nopaque {'type':'beckon_searches','queries':['cats']}\nend complete");
}

static void
test_chat_decode (void)
{
  /* OpenRouter's, as in https://openrouter.ai/docs/features/web-search. */
  assert_decoded_by ("chat",
                     "data: {'choices':[{'delta':{'content':'Cats.'}}]}\n\n"
                     "data: {'choices':[{'delta':{'annotations':[{'type':'url_citation','url_citation':{'url':"
                     "'https://a.example','title':'A','content':'long','start_index':100,'end_index':2}}]},'finish_reason':'stop'}]}\n\n"
                     "data: {'choices':[],'usage':{'prompt_tokens':1,'completion_tokens':2,'server_tool_use':"
                     "{'web_search_requests':2}}}\n\ndata: [DONE]\n\n",
                     "text Cats.\nopaque {'type':'beckon_citations','cited':[{'citations':[{'url':'https://a.example','title':'A'}]}]}\n"
                     "opaque {'type':'beckon_searches','requests':2}\nusage 1 2 -1\nend complete");
  /* Others of the same length may follow. */
  assert_decoded_by ("chat",
                     "data: {'search_results':[{'title':'A','url':'https://a.example'}],'choices':[{'delta':{'content':'Cats.'}}]}\n\n"
                     "data: {'search_results':[{'title':'B','url':'https://b.example'}],'choices':[{'delta':{},"
                     "'finish_reason':'stop'}]}\n\ndata: [DONE]\n\n",
                     "text Cats.\nopaque {'type':'beckon_citations','cited':[{'citations':[{'url':'https://b.example','title':'B'}]}]}\n"
                     "end complete");
  /* Perplexity's, which come with every chunk. */
  assert_decoded_by ("chat",
                     "data: {'citations':['https://a.example'],'search_results':[{'title':'A','url':'https://a.example','date':null}],"
                     "'choices':[{'delta':{'content':'Cats[1].'}}]}\n\n"
                     "data: {'citations':['https://a.example'],'search_results':[{'title':'A','url':'https://a.example','date':null}],"
                     "'choices':[{'delta':{'content':''},'finish_reason':'stop'}],'usage':{'prompt_tokens':1,"
                     "'completion_tokens':2,'num_search_queries':1}}\n\ndata: [DONE]\n\n",
                     "text Cats[1].\nopaque {'type':'beckon_citations','cited':[{'citations':[{'url':'https://a.example','title':'A'}]}]}\n"
                     "opaque {'type':'beckon_searches','requests':1}\nusage 1 2 -1\nend complete");
  assert_decoded_by ("chat",
                     "data: {'citations':['https://a.example'],'choices':[{'delta':{'content':'x'},'finish_reason':'stop'}]}\n\n",
                     "text x\nopaque {'type':'beckon_citations','cited':[{'citations':[{'url':'https://a.example'}]}]}\nend complete");
  /* A reply without words has no sources. */
  assert_decoded_by ("chat", "data: {'citations':['https://a.example'],'choices':[{'delta':{},'finish_reason':'stop'}]}\n\n",
                     "end complete");
}

/* --- Asking for it ------------------------------------------------------------------------------------------------- */

static char *
encode_with (BeckonProfileKind kind, const char *base_url, const char *model, gboolean with_tool)
{
  g_autoptr (BeckonLlmRequest) request = make_request (kind, NULL);
  g_autoptr (BeckonToolDefinition) tool = beckon_tool_definition_new ("f", "d", "{\"type\":\"object\"}", TRUE);

  beckon_profile_set_base_url (request->profile, base_url);
  beckon_profile_set_model (request->profile, model);
  if (with_tool)
    beckon_llm_request_add_tool (request, tool);
  request->searches = TRUE;
  add_message (request, BECKON_ROLE_USER, "Hi");
  return encode (request);
}

static void
assert_has (BeckonProfileKind kind, const char *base_url, const char *model, gboolean with_tool, const char *expected)
{
  g_autofree char *body = encode_with (kind, base_url, model, with_tool);
  g_autofree char *quoted = g_strdelimit (g_strdup (expected), "'", '"');

  if (strstr (body, quoted) == NULL)
    g_error ("%s is not in %s", quoted, body);
}

static void
assert_has_not (BeckonProfileKind kind, const char *base_url, const char *model, const char *word)
{
  g_autofree char *body = encode_with (kind, base_url, model, TRUE);

  if (strstr (body, word) != NULL)
    g_error ("%s is in %s", word, body);
}

static void
test_ask (void)
{
  assert_has (BECKON_PROFILE_ANTHROPIC, "https://api.anthropic.com", "claude-sonnet-4-5", TRUE,
              "'tools':[{'name':'f','description':'d','input_schema':{'type':'object'}},{'type':'web_search_20250305','name':'web_search',"
              "'max_uses':10,'cache_control':{'type':'ephemeral'}}]");
  assert_has (BECKON_PROFILE_RESPONSES, "https://api.openai.com/v1", "gpt-5.2", TRUE,
              "'parameters':{'type':'object'},'strict':false},{'type':'web_search'}]");
  assert_has (BECKON_PROFILE_RESPONSES, "https://api.openai.com/v1", "gpt-5.2", FALSE, "'tools':[{'type':'web_search'}]");
  assert_has (BECKON_PROFILE_RESPONSES, "https://openrouter.ai/api/v1", "x", FALSE,
              "'tools':[{'type':'openrouter:web_search'}]");
  assert_has (BECKON_PROFILE_CHAT, "https://openrouter.ai/api/v1", "x", TRUE,
              "'parameters':{'type':'object'}}},{'type':'openrouter:web_search'}]");
  assert_has (BECKON_PROFILE_GEMINI, "https://generativelanguage.googleapis.com/v1beta", "gemini-3-flash-preview", TRUE,
              "{'googleSearch':{}}],'toolConfig':{'includeServerSideToolInvocations':true}");
  assert_has (BECKON_PROFILE_GEMINI, "https://generativelanguage.googleapis.com/v1beta", "gemini-2.5-flash", FALSE, "'tools':[{'googleSearch':{}}],'contents'");
  assert_has_not (BECKON_PROFILE_GEMINI, "https://generativelanguage.googleapis.com/v1beta", "gemini-2.5-flash", "googleSearch");
  assert_has_not (BECKON_PROFILE_CHAT, "https://api.mistral.ai/v1", "x", "search");
  assert_has_not (BECKON_PROFILE_CHAT, "https://api.x.ai/v1", "grok-4", "search");
  assert_has_not (BECKON_PROFILE_OLLAMA, "http://localhost:11434", "x", "search");
}

/* GPT-5 does not search with the least effort. */
static void
test_effort (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_RESPONSES, NULL);
  g_autofree char *without = NULL;
  g_autofree char *with = NULL;

  beckon_profile_set_base_url (request->profile, "https://api.openai.com/v1");
  beckon_profile_set_model (request->profile, "gpt-5-mini");
  request->effort = BECKON_EFFORT_OFF;
  add_message (request, BECKON_ROLE_USER, "Hi");
  without = encode (request);
  request->searches = TRUE;
  with = encode (request);
  g_assert_nonnull (strstr (without, "\"effort\":\"minimal\""));
  g_assert_nonnull (strstr (with, "\"effort\":\"low\""));
}

/* --- What goes back ------------------------------------------------------------------------------------------------ */

static void
on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  BeckonMessage *message = user_data;
  guint n = beckon_message_get_n_parts (message);
  BeckonPart *last = n > 0 ? beckon_message_get_part (message, n - 1) : NULL;
  g_autoptr (BeckonPart) part = NULL;

  if (event->type != BECKON_LLM_EVENT_TEXT && event->type != BECKON_LLM_EVENT_OPAQUE)
    return;
  if (event->type == BECKON_LLM_EVENT_TEXT && last != NULL && beckon_part_get_kind (last) == BECKON_PART_TEXT)
    {
      beckon_part_append (last, event->text, event->length);
      return;
    }
  part = beckon_part_new (event->type == BECKON_LLM_EVENT_TEXT ? BECKON_PART_TEXT : BECKON_PART_OPAQUE, NULL);
  beckon_part_append (part, event->text, event->length);
  beckon_message_add_part (message, part);
}

/* The reply as a run would keep it. */
static BeckonMessage *
add_reply (BeckonLlmRequest *request, const char *stream)
{
  const BeckonCodec *codec = beckon_codec_for_profile (request->profile);
  g_autoptr (GString) text = chat_case_expand (stream);
  BeckonMessage *message = add_message (request, BECKON_ROLE_ASSISTANT, NULL);
  BeckonDecoder *decoder = codec->decoder_new (on_event, message);

  g_assert_true (beckon_decoder_push (decoder, text->str, text->len, NULL));
  beckon_decoder_finish (decoder);
  beckon_decoder_free (decoder);
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    beckon_part_set_origin (beckon_message_get_part (message, i), codec->name);
  return message;
}

static void
assert_sends (const BeckonLlmRequest *request, const char *expected)
{
  g_autofree char *body = encode (request);
  g_autoptr (GString) quoted = chat_case_expand (expected);

  if (strstr (body, quoted->str) == NULL)
    g_error ("%s\nis not in\n%s", quoted->str, body);
}

/* A part of citations stays within bounds, whatever is sent. */
static void
test_anthropic_flood (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_ANTHROPIC, NULL);
  g_autoptr (GString) stream = g_string_new (BEGIN ("0", "{'type':'text','text':'x'}"));
  BeckonMessage *message;
  BeckonPart *part;

  for (guint i = 0; i < 10000; i++)
    g_string_append (stream, CITED ("0", CITATION ("1")));
  for (guint i = 1; i < 3000; i++)
    g_string_append_printf (stream, BEGIN ("%u", "{'type':'text','text':'y','citations':[" CITATION ("2") "]}") STOP ("%u"), i, i);
  g_string_append (stream, STOP ("0") OVER (""));
  message = add_reply (request, stream->str);
  g_assert_cmpuint (beckon_message_get_n_parts (message), ==, 2);
  part = beckon_message_get_part (message, 1);
  g_assert_true (beckon_citation_is_list (part));
  g_assert_cmpuint (beckon_part_get_length (part), <, 1024 * 1024);
  g_assert_cmpuint (beckon_part_get_length (beckon_message_get_part (message, 0)), ==, 3000);
}

#define CITED_TEXT(text, citations) "{'type':'text','text':'" text "','citations':[" citations "]}"
#define TEXT_BLOCK(text) "{'type':'text','text':'" text "'}"

static void
test_anthropic_replay (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_ANTHROPIC, NULL);

  add_message (request, BECKON_ROLE_USER, "Hi");
  add_reply (request, ANTHROPIC_STREAM);
  add_message (request, BECKON_ROLE_USER, "More");
  assert_sends (request, "'content':[" TEXT_BLOCK ("I look. ") "," USE "," RESULT "," TEXT_BLOCK ("Cats are ") ","
                CITED_TEXT ("\xc3\xa4lter", CITATION ("1") "," CITATION ("2")) "," TEXT_BLOCK (" than ") ","
                CITED_TEXT ("dogs.", CITATION ("1")) "]}");
}

/* Passages that don't fit their text are left out, all of them, and the text is whole. */
static void
test_anthropic_bad_passages (void)
{
  static const char *const passages[] = {
    "{'from':3,'to':2,'citations':[{'a':1}]}",
    "{'from':0,'to':99,'citations':[{'a':1}]}",
    "{'from':-1,'to':2,'citations':[{'a':1}]}",
    "{'from':0,'to':1,'citations':[{'a':1}]}",                                          /* inside of a character */
    "{'from':0,'to':4,'citations':[{'a':1}]},{'from':2,'to':5,'citations':[{'a':1}]}",  /* over each other */
    "{'citations':[{'a':1}]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (passages); i++)
    {
      g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_ANTHROPIC, NULL);
      BeckonMessage *message = add_message (request, BECKON_ROLE_ASSISTANT, "\xc3\xa4 text");
      g_autofree char *json = g_strdup_printf ("{'type':'beckon_citations','cited':[%s]}", passages[i]);

      add_opaque (message, "anthropic", g_strdelimit (json, "'", '"'));
      assert_sends (request, "'content':[" TEXT_BLOCK ("\xc3\xa4 text") "]}");
    }
}

/* Only what was whole, and of this provider, goes back. */
static void
test_anthropic_not_replayed (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_ANTHROPIC, NULL);
  BeckonMessage *message = add_reply (request, ANTHROPIC_STREAM);

  beckon_message_set_status (message, BECKON_MESSAGE_CUT_OFF);
  assert_sends (request, "'content':[" TEXT_BLOCK ("I look. ") "," TEXT_BLOCK ("Cats are \xc3\xa4lter than dogs.") "]}");
  beckon_message_set_status (message, BECKON_MESSAGE_COMPLETE);
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    beckon_part_set_origin (beckon_message_get_part (message, i), "responses");
  assert_sends (request, "'content':[" TEXT_BLOCK ("I look. ") "," TEXT_BLOCK ("Cats are \xc3\xa4lter than dogs.") "]}");
}

/* A turn that was paused goes on from its last search; later a search without its results is nothing. */
static void
test_anthropic_paused (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_ANTHROPIC, NULL);
  BeckonMessage *message;

  add_message (request, BECKON_ROLE_USER, "Hi");
  message = add_message (request, BECKON_ROLE_ASSISTANT, "I look.");
  add_opaque (message, "anthropic", "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\",\"name\":\"web_search\",\"input\":{}}");
  assert_sends (request, TEXT_BLOCK ("I look.") ",{'type':'server_tool_use','id':'srvtoolu_1','name':'web_search','input':{}}]}]");
  message = add_message (request, BECKON_ROLE_ASSISTANT, NULL);
  add_opaque (message, "anthropic", "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_1\",\"content\":[]}");
  add_part (message, BECKON_PART_TEXT, "So.");
  assert_sends (request, TEXT_BLOCK ("I look.") ",{'type':'server_tool_use','id':'srvtoolu_1','name':'web_search','input':{}},"
                "{'type':'web_search_tool_result','tool_use_id':'srvtoolu_1','content':[]}," TEXT_BLOCK ("So.") "]}]");
}

static void
test_anthropic_without_results (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_ANTHROPIC, NULL);
  BeckonMessage *message = add_message (request, BECKON_ROLE_ASSISTANT, "I look.");

  add_opaque (message, "anthropic", "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\",\"name\":\"web_search\",\"input\":{}}");
  add_opaque (message, "anthropic", "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_9\",\"content\":[]}");
  add_message (request, BECKON_ROLE_USER, "Stop that.");
  assert_sends (request, "{'role':'assistant','content':[" TEXT_BLOCK ("I look.") "]},{'role':'user'");
}

/* Ten searches of a recorded turn that was paused: every block goes back as it came, the last search to be run still. */
static void
test_anthropic_recorded (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_ANTHROPIC, NULL);
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_autofree char *body = NULL;
  BeckonMessage *message;
  BeckonDecoder *decoder;
  guint n_blocks = 0;
  gsize length;

  if (g_getenv ("BECKON_FIXTURES") == NULL)
    {
      g_test_skip ("BECKON_FIXTURES is not set");
      return;
    }
  path = g_build_filename (g_getenv ("BECKON_FIXTURES"), "streams", "45-anthropic-anthropic-pause-turn-web-search.sse", NULL);
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  add_message (request, BECKON_ROLE_USER, "Hi");
  message = add_message (request, BECKON_ROLE_ASSISTANT, NULL);
  decoder = beckon_codec_for_profile (request->profile)->decoder_new (on_event, message);
  g_assert_true (beckon_decoder_push (decoder, text, length, NULL));
  beckon_decoder_finish (decoder);
  beckon_decoder_free (decoder);
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    beckon_part_set_origin (beckon_message_get_part (message, i), "anthropic");
  body = encode (request);
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);

      if (beckon_opaque_is_from (part, "anthropic"))
        {
          g_assert_nonnull (strstr (body, beckon_part_get_text (part)));
          n_blocks++;
        }
    }
  /* Thinking, eleven searches and the results of ten. */
  g_assert_cmpuint (n_blocks, ==, 22);
  g_assert_cmpuint (beckon_provider_search_count (message), ==, 10);
}

static void
test_responses_replay (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_RESPONSES, NULL);

  add_message (request, BECKON_ROLE_USER, "Hi");
  add_reply (request, ITEM ("0", REASONED) ITEM ("1", WS) ITEM ("2", SAID)
             EVENT ("{'type':'response.completed','response':{'status':'completed'}}"));
  add_message (request, BECKON_ROLE_USER, "More");
  assert_sends (request, REASONED "," WS ",{'type':'message','id':'msg_1','role':'assistant','status':'completed','content':"
                "[{'type':'output_text','text':'Cats.','annotations':[" ANNOTATION "]}]},");
}

static void
test_gemini_replay (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_GEMINI, NULL);

  add_message (request, BECKON_ROLE_USER, "Hi");
  add_reply (request, "data: {'candidates':[{'content':{'parts':[" GEMINI_CALL "," GEMINI_RESPONSE ",{'text':'Cats.'}]},"
             "'finishReason':'STOP','groundingMetadata':{'groundingChunks':[{'web':{'uri':'https://r.example/1'}}]}}]}\n\n");
  assert_sends (request, "{'role':'model','parts':[" GEMINI_CALL "," GEMINI_RESPONSE ",{'text':'Cats.'}]}");
}

static void
test_chat_replay (void)
{
  g_autoptr (BeckonLlmRequest) request = make_request (BECKON_PROFILE_CHAT, NULL);

  add_message (request, BECKON_ROLE_USER, "Hi");
  add_reply (request, "data: {'choices':[{'delta':{'content':'Cats.','annotations':[{'type':'url_citation','url_citation':"
             "{'url':'https://a.example'}}]},'finish_reason':'stop'}]}\n\n");
  assert_sends (request, "{'role':'assistant','content':'Cats.'}]");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/search/anthropic/decode", test_anthropic_decode);
  g_test_add_func ("/search/anthropic/flood", test_anthropic_flood);
  g_test_add_func ("/search/anthropic/replay", test_anthropic_replay);
  g_test_add_func ("/search/anthropic/bad-passages", test_anthropic_bad_passages);
  g_test_add_func ("/search/anthropic/not-replayed", test_anthropic_not_replayed);
  g_test_add_func ("/search/anthropic/paused", test_anthropic_paused);
  g_test_add_func ("/search/anthropic/without-results", test_anthropic_without_results);
  g_test_add_func ("/search/anthropic/recorded", test_anthropic_recorded);
  g_test_add_func ("/search/responses/decode", test_responses_decode);
  g_test_add_func ("/search/responses/replay", test_responses_replay);
  g_test_add_func ("/search/gemini/decode", test_gemini_decode);
  g_test_add_func ("/search/gemini/replay", test_gemini_replay);
  g_test_add_func ("/search/chat/decode", test_chat_decode);
  g_test_add_func ("/search/chat/replay", test_chat_replay);
  g_test_add_func ("/search/ask", test_ask);
  g_test_add_func ("/search/effort", test_effort);
  return g_test_run ();
}
