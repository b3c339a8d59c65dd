/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"
#include "beckon-agent-script.h"

#include "base/beckon-id.h"
#include "domain/beckon-note.h"
#include "tools/beckon-web-tools.h"

#include <string.h>

/* A web search of the provider's own, in a conversation: when it is asked for, what a person's rules and modes do to it, and what
 * goes back to whom. */

#define EVENT(json) "event: x\ndata: " json "\n\n"
#define USE "{'type':'server_tool_use','id':'srvtoolu_%u','name':'web_search','input':{'query':'cats'}}"
#define RESULT \
  "{'type':'web_search_tool_result','tool_use_id':'srvtoolu_%u','content':[{'type':'web_search_result','title':'T'," \
  "'url':'https://a.example','encrypted_content':'Eo8D+/='}]}"
#define CITATION \
  "{'type':'web_search_result_location','cited_text':'c','url':'https://a.example','title':'T','encrypted_index':'Ei+/='}"
#define SEARCH "{\"type\":\"web_search_20250305\",\"name\":\"web_search\",\"max_uses\":10,"
#define OWN_SEARCH "{\"name\":\"web_search\",\"description\":\"Searches the web and"

typedef struct
{
  BeckonAgentFixture *fixture;
} Talk;

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_profiles_save_finish (BECKON_PROFILES (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

/* Requests go to the fixture's server, whatever the address. */
static void
save_profile_at (Talk *talk, const char *id, const char *base_url, gboolean searches)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new (id, BECKON_PROFILE_ANTHROPIC);
  gboolean done = FALSE;

  beckon_profile_set_name (profile, id);
  beckon_profile_set_base_url (profile, base_url);
  beckon_profile_set_model (profile, "claude-sonnet-4-5");
  beckon_profile_set_web_search (profile, searches);
  beckon_profiles_save_async (talk->fixture->profiles, profile, NULL, on_saved, &done);
  beckon_agent_wait_until (done);
}

static void
save_profile (Talk *talk, const char *id, gboolean searches)
{
  save_profile_at (talk, id, "https://api.anthropic.com", searches);
}

static Talk *
talk_new (gboolean searches)
{
  Talk *talk = g_new0 (Talk, 1);
  g_autoptr (BeckonTool) own = beckon_web_search_new ();

  talk->fixture = beckon_agent_fixture_new ();
  save_profile (talk, "claude", searches);
  beckon_settings_set_default_profile (talk->fixture->settings, "claude");
  beckon_tool_registry_add (talk->fixture->tools, own);
  beckon_web_search_set_address (BECKON_WEB_SEARCH (own), "http://127.0.0.1:1");
  return talk;
}

static void
talk_free (Talk *talk)
{
  beckon_agent_fixture_free (talk->fixture);
  g_free (talk);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Talk, talk_free)

/* @format: events with ' for ". */
static BeckonFixtureReply *
make_reply (const char *json)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  g_autofree char *quoted = g_strdelimit (g_strdup (json), "'", '"');

  beckon_fixture_reply_add_stream_head (reply);
  beckon_fixture_reply_add_chunk (reply, quoted, -1);
  beckon_fixture_reply_add_last_chunk (reply);
  return reply;
}

#define BEGIN(index, block) EVENT ("{'type':'content_block_start','index':" index ",'content_block':" block "}")
#define STOP(index) EVENT ("{'type':'content_block_stop','index':" index "}")
#define OVER(reason) \
  EVENT ("{'type':'message_delta','delta':{'stop_reason':'" reason "'},'usage':{'output_tokens':7,'server_tool_use':" \
         "{'web_search_requests':1}}}") EVENT ("{'type':'message_stop'}")

static void
script_search (Talk *talk)
{
  g_autofree char *json = g_strdup_printf (BEGIN ("0", USE) STOP ("0") BEGIN ("1", RESULT) STOP ("1")
                                           BEGIN ("2", "{'type':'text','text':'Cats','citations':[" CITATION "]}") STOP ("2")
                                           BEGIN ("3", "{'type':'text','text':'.'}") STOP ("3") OVER ("end_turn"), 1U, 1U);

  beckon_agent_fixture_script (talk->fixture, make_reply (json));
}

static void
script_text (Talk *talk)
{
  beckon_agent_fixture_script (talk->fixture, make_reply (BEGIN ("0", "{'type':'text','text':'So'}") STOP ("0") OVER ("end_turn")));
}

static void
script_pause (Talk *talk, guint n)
{
  g_autofree char *json = g_strdup_printf (BEGIN ("0", USE) STOP ("0") OVER ("pause_turn"), n);

  beckon_agent_fixture_script (talk->fixture, make_reply (json));
}

static void
say (Talk *talk)
{
  beckon_agent_fixture_send (talk->fixture, talk->fixture->conversation, "Go");
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_COMPLETE);
}

static const char *
get_body (Talk *talk)
{
  guint n = beckon_fixture_server_count_requests (talk->fixture->server);

  return beckon_fixture_server_get_request (talk->fixture->server, n - 1)->body;
}

static gboolean
sent (Talk *talk, const char *text)
{
  g_autofree char *quoted = g_strdelimit (g_strdup (text), "'", '"');

  return strstr (get_body (talk), quoted) != NULL;
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(BeckonPrefixes **) user_data = beckon_store_load_prefixes_finish (BECKON_STORE (source), result, &error);
  g_assert_no_error (error);
}

static void
assert_prefix (Talk *talk, guint number, const char *reason)
{
  BeckonPrefixes *prefixes = NULL;
  const BeckonPrefix *prefix;

  beckon_agent_fixture_sync (talk->fixture);
  beckon_store_load_prefixes_async (talk->fixture->store, beckon_conversation_get_id (talk->fixture->conversation), NULL, on_loaded,
                                    &prefixes);
  beckon_agent_wait_until (prefixes != NULL);
  prefix = g_hash_table_lookup (prefixes->by_profile, "claude");
  g_assert_cmpuint (prefix->number, ==, number);
  g_assert_cmpstr (prefix->reason, ==, reason);
  beckon_prefixes_free (prefixes);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
add_rule (Talk *talk, const char *tool, const char *arguments, BeckonVerdict verdict)
{
  g_autoptr (BeckonRule) rule = beckon_rule_new ();
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;

  rule->id = beckon_id_new ();
  rule->tool = g_strdup (tool);
  rule->arguments = g_strdup (arguments);
  rule->verdict = verdict;
  rule->created_at = 1;
  beckon_rules_save_async (talk->fixture->rules, rule, NULL, keep_result, &saved);
  beckon_agent_wait_until (saved != NULL);
  beckon_rules_save_finish (talk->fixture->rules, saved, &error);
  g_assert_no_error (error);
}

/* The provider's search replaces our own, and its results go back byte by byte, also from another process. */
static void
test_on (void)
{
  g_autoptr (Talk) talk = talk_new (TRUE);
  g_autofree char *use = g_strdup_printf (USE "," RESULT ",{'type':'text','text':'Cats','citations':[" CITATION "]},"
                                          "{'type':'text','text':'.'}]}", 1U, 1U);

  script_search (talk);
  say (talk);
  g_assert_true (sent (talk, SEARCH));
  g_assert_false (sent (talk, OWN_SEARCH));
  assert_prefix (talk, 1, BECKON_PREFIX_FIRST);
  script_text (talk);
  say (talk);
  g_assert_true (sent (talk, use));
  assert_prefix (talk, 1, BECKON_PREFIX_FIRST);
  beckon_agent_fixture_restart (talk->fixture);
  script_text (talk);
  say (talk);
  g_assert_true (sent (talk, SEARCH));
  g_assert_true (sent (talk, use));
  assert_prefix (talk, 1, BECKON_PREFIX_FIRST);
}

static guint
count_notes (Talk *talk)
{
  guint n = 0;

  for (guint i = 0; i < beckon_conversation_get_n_messages (talk->fixture->conversation); i++)
    n += beckon_note_get_kind (beckon_conversation_get_message (talk->fixture->conversation, i)) == BECKON_NOTE_PREFIX;
  return n;
}

static void
test_off (void)
{
  g_autoptr (Talk) talk = talk_new (FALSE);

  script_text (talk);
  say (talk);
  g_assert_false (sent (talk, SEARCH));
  g_assert_true (sent (talk, OWN_SEARCH));
}

/* The switch changes what requests begin with, and when it is off what was found is words and no more. */
static void
test_switched (void)
{
  g_autoptr (Talk) talk = talk_new (TRUE);

  script_search (talk);
  say (talk);
  save_profile (talk, "claude", FALSE);
  script_text (talk);
  say (talk);
  g_assert_false (sent (talk, SEARCH));
  g_assert_false (sent (talk, "server_tool_use"));
  g_assert_false (sent (talk, "citations"));
  g_assert_true (sent (talk, "{'type':'text','text':'Cats.'}"));
  g_assert_true (sent (talk, OWN_SEARCH));
  assert_prefix (talk, 2, BECKON_PREFIX_TOOLS);
  g_assert_cmpuint (count_notes (talk), ==, 1);
  save_profile (talk, "claude", TRUE);
  script_text (talk);
  say (talk);
  g_assert_true (sent (talk, SEARCH));
  assert_prefix (talk, 3, BECKON_PREFIX_TOOLS);
}

static void
test_rules (void)
{
  static const struct
  {
    const char *tool;
    const char *arguments;
    BeckonVerdict verdict;
    gboolean searches;
  } cases[] = {
    { "web_search", NULL, BECKON_VERDICT_DENY, FALSE },
    { "web_search", NULL, BECKON_VERDICT_ASK, FALSE },
    { "web_search", "{\"query\":\"*secret*\"}", BECKON_VERDICT_DENY, FALSE },
    { "web_search", NULL, BECKON_VERDICT_ALLOW, TRUE },
    { "fetch_url", NULL, BECKON_VERDICT_DENY, FALSE },
    { "fetch_url", "{\"host\":\"evil.example\"}", BECKON_VERDICT_DENY, FALSE },
    { "fetch_url", NULL, BECKON_VERDICT_ASK, TRUE },
    { "run_command", NULL, BECKON_VERDICT_DENY, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Talk) talk = talk_new (TRUE);

      g_test_message ("%u", i);
      script_search (talk);
      say (talk);
      g_assert_true (sent (talk, SEARCH));
      add_rule (talk, cases[i].tool, cases[i].arguments, cases[i].verdict);
      script_text (talk);
      say (talk);
      g_assert_cmpint (sent (talk, SEARCH), ==, cases[i].searches);
      g_assert_cmpint (sent (talk, "server_tool_use"), ==, cases[i].searches);
      assert_prefix (talk, cases[i].searches ? 1 : 2, cases[i].searches ? BECKON_PREFIX_FIRST : BECKON_PREFIX_TOOLS);
    }
}

/* A later rule that allows it takes an earlier one back. */
static void
test_allowed_again (void)
{
  g_autoptr (Talk) talk = talk_new (TRUE);

  add_rule (talk, "web_search", NULL, BECKON_VERDICT_DENY);
  script_text (talk);
  say (talk);
  g_assert_false (sent (talk, SEARCH));
  add_rule (talk, "web_search", NULL, BECKON_VERDICT_ALLOW);
  script_text (talk);
  say (talk);
  g_assert_true (sent (talk, SEARCH));
}

static void
test_ask_everything (void)
{
  g_autoptr (Talk) talk = talk_new (TRUE);

  beckon_conversation_set_mode (talk->fixture->conversation, BECKON_MODE_ASK_EVERYTHING);
  script_text (talk);
  say (talk);
  g_assert_false (sent (talk, SEARCH));
}

/* Another profile is sent the words, even if it speaks the same protocol and searches, too. */
static void
test_other_profile (void)
{
  g_autoptr (Talk) talk = talk_new (TRUE);

  script_search (talk);
  say (talk);
  save_profile (talk, "other", TRUE);
  beckon_conversation_set_profile_id (talk->fixture->conversation, "other");
  script_text (talk);
  say (talk);
  g_assert_true (sent (talk, SEARCH));
  g_assert_false (sent (talk, "server_tool_use"));
  g_assert_false (sent (talk, "citations"));
  g_assert_true (sent (talk, "{'type':'text','text':'Cats.'}"));
}

/* Results stay with the profile that found them, also when the first one is asked again. */
static void
test_back_again (gconstpointer searches)
{
  g_autoptr (Talk) talk = talk_new (GPOINTER_TO_INT (searches));

  script_text (talk);
  say (talk);
  save_profile (talk, "other", TRUE);
  beckon_conversation_set_profile_id (talk->fixture->conversation, "other");
  script_search (talk);
  say (talk);
  script_text (talk);
  say (talk);
  g_assert_true (sent (talk, "server_tool_use"));
  beckon_conversation_set_profile_id (talk->fixture->conversation, "claude");
  for (guint i = 0; i < 2; i++)
    {
      script_text (talk);
      say (talk);
      g_assert_false (sent (talk, "server_tool_use"));
      g_assert_false (sent (talk, "citations"));
      g_assert_true (sent (talk, "{'type':'text','text':'Cats.'}"));
      assert_prefix (talk, 2, BECKON_PREFIX_PROFILE);
      beckon_agent_fixture_restart (talk->fixture);
    }
}

/* Another server that speaks the protocol may know nothing of such a tool: ours stays. */
static void
test_unknown_server (void)
{
  static const char *const urls[]
      = { "http://127.0.0.1:8080", "https://api.deepseek.com/anthropic", "https://api.anthropic.com.evil.example" };

  for (guint i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_autoptr (Talk) talk = talk_new (FALSE);

      save_profile_at (talk, "claude", urls[i], TRUE);
      script_text (talk);
      say (talk);
      g_assert_false (sent (talk, SEARCH));
      g_assert_true (sent (talk, OWN_SEARCH));
    }
}

/* A turn that is paused in the middle of a search is given back as it is. */
static void
test_paused (void)
{
  g_autoptr (Talk) talk = talk_new (TRUE);
  g_autofree char *result = g_strdup_printf (BEGIN ("0", RESULT) STOP ("0") BEGIN ("1", "{'type':'text','text':'So'}") STOP ("1")
                                             OVER ("end_turn"), 1U);
  g_autofree char *end = g_strdup_printf ("{'role':'assistant','content':[" USE "]}]", 1U);

  script_pause (talk, 1);
  beckon_agent_fixture_script (talk->fixture, make_reply (result));
  say (talk);
  g_assert_cmpuint (beckon_fixture_server_count_requests (talk->fixture->server), ==, 2);
  g_assert_true (sent (talk, end));
  script_text (talk);
  say (talk);
  g_assert_true (sent (talk, "},{'type':'web_search_tool_result','tool_use_id':'srvtoolu_1'"));
}

static void
test_paused_for_ever (void)
{
  g_autoptr (Talk) talk = talk_new (TRUE);

  for (guint i = 1; i <= 6; i++)
    script_pause (talk, i);
  beckon_agent_fixture_send (talk->fixture, talk->fixture->conversation, "Go");
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_PAUSED);
  g_assert_cmpuint (beckon_fixture_server_count_requests (talk->fixture->server), ==, 6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/search/on", test_on);
  g_test_add_func ("/agent/search/off", test_off);
  g_test_add_func ("/agent/search/switched", test_switched);
  g_test_add_func ("/agent/search/rules", test_rules);
  g_test_add_func ("/agent/search/allowed-again", test_allowed_again);
  g_test_add_func ("/agent/search/ask-everything", test_ask_everything);
  g_test_add_func ("/agent/search/other-profile", test_other_profile);
  g_test_add_data_func ("/agent/search/back-again", GINT_TO_POINTER (TRUE), test_back_again);
  g_test_add_data_func ("/agent/search/back-again-without", GINT_TO_POINTER (FALSE), test_back_again);
  g_test_add_func ("/agent/search/unknown-server", test_unknown_server);
  g_test_add_func ("/agent/search/paused", test_paused);
  g_test_add_func ("/agent/search/paused-for-ever", test_paused_for_ever);
  return g_test_run ();
}
