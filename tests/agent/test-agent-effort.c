/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"

#include "domain/beckon-note.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* How much a model is to reason, changed by a person at any time, against a server with Anthropic's rules: a turn that does not
 * begin with a thinking block can't be thought through, and one that is not thought through may have no thinking blocks. */

#define REFUSED_ON "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is " \
                   "enabled, a final `assistant` message must start with a thinking block"
#define REFUSED_OFF "messages.1.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain " \
                    "`thinking`. To use thinking blocks, enable `thinking` in your request."
#define REFUSED_SIGNATURE "messages.1.content.0: Invalid `signature` in `thinking` block"

/* Read on the server's threads; the test changes it only while no request is under way. */
typedef struct
{
  guint n_calls;      /* still to be made in this turn */
  guint n_signatures; /* requests with thinking blocks that are refused for their signature */
  guint n_refused;    /* by the two rules */
  guint n_replies;
} Server;

static const char *
get_type_of (JsonArray *content, guint index)
{
  return json_object_get_string_member (json_array_get_object_element (content, index), "type");
}

static gboolean
has_type (JsonArray *content, const char *type)
{
  for (guint i = 0; i < json_array_get_length (content); i++)
    if (g_str_equal (get_type_of (content, i), type))
      return TRUE;
  return FALSE;
}

/* The messages of the model's since the person said something without a result. */
static guint
find_turn (JsonArray *messages)
{
  guint n = json_array_get_length (messages);

  while (n > 0)
    {
      JsonObject *message = json_array_get_object_element (messages, n - 1);
      gboolean is_person = g_str_equal (json_object_get_string_member (message, "role"), "user");

      if (is_person && !has_type (json_object_get_array_member (message, "content"), "tool_result"))
        return n;
      n--;
    }
  return 0;
}

/* (nullable): why it is refused. */
static const char *
judge (const BeckonFixtureRequest *request, gboolean *thinks)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *body;
  JsonArray *messages;
  guint first;

  g_assert_true (json_parser_load_from_data (parser, request->body, (gssize) request->length, NULL));
  body = json_node_get_object (json_parser_get_root (parser));
  messages = json_object_get_array_member (body, "messages");
  *thinks = json_object_has_member (body, "thinking");
  first = find_turn (messages);
  if (first == json_array_get_length (messages))
    return NULL;
  if (*thinks && !g_str_equal (get_type_of (json_object_get_array_member (json_array_get_object_element (messages, first),
                                                                         "content"), 0), "thinking"))
    return REFUSED_ON;
  for (; !*thinks && first < json_array_get_length (messages); first++)
    if (has_type (json_object_get_array_member (json_array_get_object_element (messages, first), "content"), "thinking"))
      return REFUSED_OFF;
  return NULL;
}

static void
add_event (BeckonFixtureReply *reply, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add_event (BeckonFixtureReply *reply, const char *format, ...)
{
  g_autofree char *json = NULL;
  g_autofree char *event = NULL;
  va_list arguments;

  va_start (arguments, format);
  json = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  event = g_strdup_printf ("event: x\ndata: %s\n\n", json);
  beckon_fixture_reply_add_chunk (reply, event, -1);
}

static BeckonFixtureReply *
reply_as_claude (guint n, gboolean thinks, gboolean calls)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  add_event (reply, "{\"type\":\"message_start\",\"message\":{\"usage\":{\"output_tokens\":1}}}");
  if (thinks)
    {
      add_event (reply, "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}");
      add_event (reply, "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"Hm\"}}");
      add_event (reply, "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"s%u\"}}", n);
      add_event (reply, "{\"type\":\"content_block_stop\",\"index\":0}");
    }
  if (calls)
    add_event (reply, "{\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t%u\","
                      "\"name\":\"read_note\",\"input\":{\"n\":%u}}}", n, n);
  else
    {
      add_event (reply, "{\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}");
      add_event (reply, "{\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"Reply %u\"}}", n);
    }
  add_event (reply, "{\"type\":\"content_block_stop\",\"index\":1}");
  add_event (reply, "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"%s\"}}", calls ? "tool_use" : "end_turn");
  add_event (reply, "{\"type\":\"message_stop\"}");
  beckon_fixture_reply_add_last_chunk (reply);
  return reply;
}

static BeckonFixtureReply *
play (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  Server *state = user_data;
  gboolean thinks, calls = state->n_calls > 0;
  const char *refusal = judge (request, &thinks);

  if (refusal != NULL)
    {
      state->n_refused++;
      return beckon_script_error (400, NULL, refusal);
    }
  if (state->n_signatures > 0 && strstr (request->body, "\"signature\"") != NULL)
    {
      state->n_signatures--;
      return beckon_script_error (400, NULL, REFUSED_SIGNATURE);
    }
  if (calls)
    state->n_calls--;
  return reply_as_claude (++state->n_replies, thinks, calls);
}

/* --- A conversation ------------------------------------------------------------------------------------------------ */

typedef struct
{
  BeckonAgentFixture *fixture;
  BeckonTestTool *tool; /* (owned) */
  Server server;
} Talk;

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_profiles_save_finish (BECKON_PROFILES (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static Talk *
talk_new (const char *model)
{
  Talk *talk = g_new0 (Talk, 1);
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("claude", BECKON_PROFILE_ANTHROPIC);
  gboolean done = FALSE;

  talk->fixture = beckon_agent_fixture_new ();
  beckon_fixture_server_set_handler (talk->fixture->server, play, &talk->server);
  beckon_profile_set_name (profile, "Claude");
  beckon_profile_set_base_url (profile, beckon_fixture_server_get_base_url (talk->fixture->server));
  beckon_profile_set_model (profile, model);
  beckon_profiles_save_async (talk->fixture->profiles, profile, NULL, on_saved, &done);
  beckon_agent_wait_until (done);
  beckon_settings_set_default_profile (talk->fixture->settings, "claude");
  talk->tool = beckon_test_tool_new ("read_note", TRUE);
  beckon_tool_registry_add (talk->fixture->tools, BECKON_TOOL (talk->tool));
  return talk;
}

static void
talk_free (Talk *talk)
{
  g_object_unref (talk->tool);
  beckon_agent_fixture_free (talk->fixture);
  g_free (talk);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Talk, talk_free)

static void
set_effort (Talk *talk, BeckonEffort effort)
{
  beckon_library_set_effort (talk->fixture->library, talk->fixture->conversation, effort);
}

static const char *
get_body (Talk *talk, guint index)
{
  return beckon_fixture_server_get_request (talk->fixture->server, index)->body;
}

static gboolean
has_asked (Talk *talk, guint index)
{
  return strstr (get_body (talk, index), "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":") != NULL;
}

static void
say (Talk *talk, guint n_calls)
{
  talk->server.n_calls = n_calls;
  beckon_agent_fixture_send (talk->fixture, talk->fixture->conversation, "Read my note");
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (talk->server.n_refused, ==, 0);
}

/* The effort becomes @next while the first call is under way. */
static void
say_and_change (Talk *talk, BeckonEffort next)
{
  guint n = beckon_test_tool_get_n_begun (talk->tool);

  talk->server.n_calls = 2;
  beckon_test_tool_set_held (talk->tool, TRUE);
  beckon_agent_fixture_send (talk->fixture, talk->fixture->conversation, "Read my notes");
  beckon_agent_wait_until (beckon_test_tool_get_n_begun (talk->tool) > n);
  set_effort (talk, next);
  beckon_test_tool_set_held (talk->tool, FALSE);
  beckon_test_tool_release (talk->tool);
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (talk->server.n_refused, ==, 0);
}

/* --- Cases --------------------------------------------------------------------------------------------------------- */

/* A turn that began without thinking ends without it; the next one is thought through. */
static void
test_on_in_a_turn (void)
{
  g_autoptr (Talk) talk = talk_new ("claude-opus-4-5");

  say_and_change (talk, BECKON_EFFORT_HIGH);
  g_assert_cmpuint (beckon_fixture_server_count_requests (talk->fixture->server), ==, 3);
  g_assert_false (has_asked (talk, 1));
  g_assert_false (has_asked (talk, 2));
  say (talk, 2);
  g_assert_true (has_asked (talk, 3));
  g_assert_true (has_asked (talk, 4));
  g_assert_true (has_asked (talk, 5));
}

static void
test_off_in_a_turn (void)
{
  g_autoptr (Talk) talk = talk_new ("claude-opus-4-5");

  set_effort (talk, BECKON_EFFORT_HIGH);
  say_and_change (talk, BECKON_EFFORT_OFF);
  g_assert_true (has_asked (talk, 0));
  g_assert_false (has_asked (talk, 1));
  g_assert_null (strstr (get_body (talk, 1), "\"signature\""));
  /* The turn is over, and its blocks may be there again. */
  say (talk, 1);
  g_assert_nonnull (strstr (get_body (talk, 3), "\"signature\":\"s1\""));
}

/* Blocks that were refused once are left out, so the model doesn't think for the rest of the turn. */
static void
test_refused_in_a_turn (void)
{
  g_autoptr (Talk) talk = talk_new ("claude-opus-4-5");

  set_effort (talk, BECKON_EFFORT_LOW);
  talk->server.n_signatures = 1;
  say (talk, 2);
  g_assert_cmpuint (talk->server.n_signatures, ==, 0);
  g_assert_true (has_asked (talk, 1));
  g_assert_false (has_asked (talk, 2));
  g_assert_false (has_asked (talk, 3));
  say (talk, 1);
  g_assert_true (has_asked (talk, 4));
  g_assert_true (has_asked (talk, 5));
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
  g_assert_nonnull (prefix);
  g_assert_cmpuint (prefix->number, ==, number);
  g_assert_cmpstr (prefix->reason, ==, reason);
  beckon_prefixes_free (prefixes);
}

/* The bytes before the person's message stay, but the server reads the messages anew, and that has its reason. */
static void
test_break (void)
{
  g_autoptr (Talk) talk = talk_new ("claude-opus-4-5");
  const char *before, *after;

  say (talk, 0);
  assert_prefix (talk, 1, BECKON_PREFIX_FIRST);
  say (talk, 0);
  assert_prefix (talk, 1, BECKON_PREFIX_FIRST);
  set_effort (talk, BECKON_EFFORT_HIGH);
  say (talk, 0);
  assert_prefix (talk, 2, BECKON_PREFIX_EFFORT);
  before = strstr (get_body (talk, 1), "\"system\":");
  after = strstr (get_body (talk, 2), "\"system\":");
  g_assert_true (strncmp (before, after, (gsize) (strstr (before, "\"messages\":") - before)) == 0);
  say (talk, 1);
  assert_prefix (talk, 2, BECKON_PREFIX_EFFORT);
  beckon_agent_fixture_restart (talk->fixture);
  beckon_tool_registry_add (talk->fixture->tools, BECKON_TOOL (talk->tool));
  say (talk, 0);
  assert_prefix (talk, 2, BECKON_PREFIX_EFFORT);
  set_effort (talk, BECKON_EFFORT_LOW);
  say (talk, 0);
  assert_prefix (talk, 3, BECKON_PREFIX_EFFORT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/effort/on-in-a-turn", test_on_in_a_turn);
  g_test_add_func ("/agent/effort/off-in-a-turn", test_off_in_a_turn);
  g_test_add_func ("/agent/effort/refused-in-a-turn", test_refused_in_a_turn);
  g_test_add_func ("/agent/effort/break", test_break);
  return g_test_run ();
}
