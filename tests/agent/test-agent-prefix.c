/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"
#include "beckon-tree.h"

#include "domain/beckon-note.h"

#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>

/* Each request of a conversation begins as the one before, or the reason is stored. A model here binds its thinking blocks to
 * all that stands before them, and its server refuses them otherwise. */

#define MARKER "MSG-"
#define RESULT_BYTES 3900
#define USER "\"role\":\"user\""

/* --- The models ---------------------------------------------------------------------------------------------------- */

/* Read on the server's threads; the test changes it only while no request is under way. */
typedef struct
{
  guint n_calls;   /* still to be made in this turn */
  guint n_failing; /* requests to the profile's own model that fail */
  guint n_refused; /* for thinking blocks behind another beginning */
  guint n_replies;
  gboolean is_strict; /* thinking is bound */
} Models;

static gboolean
is_summary (const BeckonFixtureRequest *request)
{
  return strstr (request->body, "\"tools\":[") == NULL;
}

static void write_canonical (JsonNode *node, GString *text);

static void
write_object (JsonObject *object, GString *text)
{
  g_autoptr (GList) names = g_list_sort (json_object_get_members (object), (GCompareFunc) strcmp);

  for (GList *name = names; name != NULL; name = name->next)
    {
      if (g_str_equal (name->data, "cache_control"))
        continue;
      g_string_append_printf (text, "%s=", (char *) name->data);
      write_canonical (json_object_get_member (object, name->data), text);
    }
}

/* A mark for the cache is no part of what is said. */
static void
write_canonical (JsonNode *node, GString *text)
{
  g_string_append_c (text, '(');
  if (JSON_NODE_HOLDS_OBJECT (node))
    write_object (json_node_get_object (node), text);
  else if (JSON_NODE_HOLDS_ARRAY (node))
    for (guint i = 0; i < json_array_get_length (json_node_get_array (node)); i++)
      write_canonical (json_array_get_element (json_node_get_array (node), i), text);
  else
    {
      g_autofree char *value = json_to_string (node, FALSE);

      g_string_append (text, value);
    }
  g_string_append_c (text, ')');
}

static void
begin_signature (JsonObject *body, GString *text)
{
  static const char *const members[] = { "system", "tools" };

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    if (json_object_has_member (body, members[i]))
      write_canonical (json_object_get_member (body, members[i]), text);
}

static gboolean
has_signature (JsonNode *message, const char *signature)
{
  JsonNode *content = json_object_get_member (json_node_get_object (message), "content");
  JsonArray *blocks = JSON_NODE_HOLDS_ARRAY (content) ? json_node_get_array (content) : NULL;

  for (guint i = 0; blocks != NULL && i < json_array_get_length (blocks); i++)
    {
      JsonObject *block = json_array_get_object_element (blocks, i);

      if (g_str_equal (json_object_get_string_member (block, "type"), "thinking")
          && !g_str_equal (json_object_get_string_member (block, "signature"), signature))
        return FALSE;
    }
  return TRUE;
}

/* %NULL if a thinking block stands behind something else than it was made behind. */
static char *
sign (const BeckonFixtureRequest *request, gboolean *is_bound)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  JsonObject *body;
  JsonArray *messages;

  *is_bound = TRUE;
  g_assert_true (json_parser_load_from_data (parser, request->body, (gssize) request->length, NULL));
  body = json_node_get_object (json_parser_get_root (parser));
  messages = json_object_get_array_member (body, "messages");
  begin_signature (body, text);
  for (guint i = 0; i < json_array_get_length (messages); i++)
    {
      g_autofree char *signature = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, -1);

      *is_bound = *is_bound && has_signature (json_array_get_element (messages, i), signature);
      write_canonical (json_array_get_element (messages, i), text);
    }
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, -1);
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
think (const char *signature, guint n, gboolean calls)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  add_event (reply, "{\"type\":\"message_start\",\"message\":{\"usage\":{\"output_tokens\":1}}}");
  add_event (reply, "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}");
  add_event (reply, "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"Hm %u\"}}", n);
  add_event (reply, "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"%s\"}}",
             signature);
  add_event (reply, "{\"type\":\"content_block_stop\",\"index\":0}");
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
reply_as_claude (Models *models, const BeckonFixtureRequest *request, guint n, gboolean calls)
{
  gboolean is_bound;
  g_autofree char *signature = sign (request, &is_bound);

  if (!models->is_strict || is_bound)
    return think (signature, n, calls);
  models->n_refused++;
  return beckon_script_error (400, NULL, "messages.1.content.0: Invalid `signature` in `thinking` block");
}

static BeckonFixtureReply *
reply_as_chat (guint n, gboolean calls)
{
  g_autofree char *text = g_strdup_printf ("Reply %u", n);
  g_autofree char *id = g_strdup_printf ("c%u", n);
  g_autofree char *arguments = g_strdup_printf ("{\"n\":%u}", n);

  return calls ? beckon_script_call (id, "read_note", arguments) : beckon_script_calls (text, NULL, 0, "stop");
}

/* A stream in pieces, in each protocol: a call with its number, or words. */
static BeckonFixtureReply *
reply_in_pieces (const char *type, const char *first, const char *last)
{
  g_autofree char *head = g_strdup_printf ("Content-Type: %s\r\nTransfer-Encoding: chunked\r\n", type);
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_head (reply, 200, head);
  beckon_fixture_reply_add_chunk (reply, first, -1);
  beckon_fixture_reply_add_chunk (reply, last, -1);
  beckon_fixture_reply_add_last_chunk (reply);
  return reply;
}

static BeckonFixtureReply *
reply_as_responses (guint n, gboolean calls)
{
  g_autofree char *item
      = calls ? g_strdup_printf ("{\"type\":\"function_call\",\"id\":\"fc%u\",\"call_id\":\"c%u\",\"name\":\"read_note\","
                                 "\"arguments\":\"{\\\"n\\\":%u}\",\"status\":\"completed\"}", n, n, n)
              : g_strdup_printf ("{\"type\":\"message\",\"id\":\"m%u\",\"role\":\"assistant\",\"status\":\"completed\","
                                 "\"content\":[{\"type\":\"output_text\",\"text\":\"Reply %u\",\"annotations\":[]}]}", n, n);
  g_autofree char *first = g_strdup_printf ("data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":%s}\n\n", item);

  return reply_in_pieces ("text/event-stream", first,
                          "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n");
}

static BeckonFixtureReply *
reply_as_gemini (guint n, gboolean calls)
{
  g_autofree char *part
      = calls ? g_strdup_printf ("{\"functionCall\":{\"id\":\"c%u\",\"name\":\"read_note\",\"args\":{\"n\":%u}}}", n, n)
              : g_strdup_printf ("{\"text\":\"Reply %u\"}", n);
  g_autofree char *first
      = g_strdup_printf ("data: {\"candidates\":[{\"content\":{\"parts\":[%s],\"role\":\"model\"},\"index\":0}]}\n\n", part);

  return reply_in_pieces ("text/event-stream", first, "data: {\"candidates\":[{\"finishReason\":\"STOP\",\"index\":0}]}\n\n");
}

static BeckonFixtureReply *
reply_as_ollama (guint n, gboolean calls)
{
  g_autofree char *members
      = calls ? g_strdup_printf ("\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":\"read_note\",\"arguments\":"
                                 "{\"n\":%u}}}]", n)
              : g_strdup_printf ("\"content\":\"Reply %u\"", n);
  g_autofree char *first
      = g_strdup_printf ("{\"model\":\"own\",\"message\":{\"role\":\"assistant\",%s},\"done\":false}\n", members);

  return reply_in_pieces ("application/x-ndjson", first, "{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\"}\n");
}

static BeckonFixtureReply *
reply_as (Models *models, const BeckonFixtureRequest *request, guint n, gboolean calls)
{
  if (g_str_has_suffix (request->path, "/messages"))
    return reply_as_claude (models, request, n, calls);
  if (g_str_has_suffix (request->path, "/responses"))
    return reply_as_responses (n, calls);
  if (strstr (request->path, ":streamGenerateContent") != NULL)
    return reply_as_gemini (n, calls);
  return g_str_has_suffix (request->path, "/api/chat") ? reply_as_ollama (n, calls) : reply_as_chat (n, calls);
}

/* Google has the model in the address. */
static gboolean
is_for_own (const BeckonFixtureRequest *request)
{
  return strstr (request->body, "\"model\":\"own\"") != NULL || strstr (request->path, "/own:") != NULL;
}

/* The conversations here have one request at a time. */
static BeckonFixtureReply *
play (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  Models *models = user_data;
  gboolean is_own = is_for_own (request);
  gboolean calls = models->n_calls > 0 && !is_summary (request);
  BeckonFixtureReply *reply;

  if (is_own && models->n_failing > 0)
    {
      models->n_failing--;
      return beckon_script_error (401, NULL, "No such key");
    }
  models->n_replies++;
  reply = reply_as (models, request, models->n_replies, calls);
  if (calls)
    models->n_calls--;
  return reply;
}

/* --- A conversation ------------------------------------------------------------------------------------------------ */

typedef struct
{
  BeckonAgentFixture *fixture;
  Models models;
  BeckonTestTool *tool;    /* (owned): read_note */
  BeckonTestTool *another; /* (owned) (nullable) */
  gboolean is_away;        /* read_note is off */
  char *last[2];           /* bodies: of the own profile and of the fallback */
  BeckonPrefixes *stored;  /* (nullable) */
  guint n_seen;
  guint n_messages;
  guint n_more; /* bytes of what the person says beside its number */
  guint n_days;
  guint n_breaks;
  guint n_pairs;
  GHashTable *reasons; /* (element-type utf8 guint) */
  const char *expected; /* (nullable): a reason that the last event gives */
} Talk;

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_profiles_save_finish (BECKON_PROFILES (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static void
save_profile (Talk *talk, const char *id, BeckonProfileKind kind, const char *model, guint window, const char *const *fallbacks)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new (id, kind);
  gboolean done = FALSE;

  beckon_profile_set_name (profile, id);
  beckon_profile_set_base_url (profile, beckon_fixture_server_get_base_url (talk->fixture->server));
  beckon_profile_set_model (profile, model);
  beckon_profile_set_context_window (profile, window);
  beckon_profile_set_fallbacks (profile, fallbacks);
  beckon_profiles_save_async (talk->fixture->profiles, profile, NULL, on_saved, &done);
  beckon_agent_wait_until (done);
}

static void
add_tools (Talk *talk)
{
  g_autofree char *result = g_strnfill (RESULT_BYTES, 'r');

  g_clear_object (&talk->tool);
  talk->tool = beckon_test_tool_new ("read_note", TRUE);
  beckon_test_tool_set_result (talk->tool, result);
  beckon_test_tool_set_absent (talk->tool, talk->is_away);
  beckon_tool_registry_add (talk->fixture->tools, BECKON_TOOL (talk->tool));
  if (talk->another != NULL)
    beckon_tool_registry_add (talk->fixture->tools, BECKON_TOOL (talk->another));
}

static Talk *
talk_new (BeckonProfileKind kind, guint window)
{
  static const char *const fallbacks[] = { "second", NULL };
  Talk *talk = g_new0 (Talk, 1);

  talk->fixture = beckon_agent_fixture_new ();
  talk->models.is_strict = kind == BECKON_PROFILE_ANTHROPIC;
  talk->reasons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  beckon_fixture_server_set_handler (talk->fixture->server, play, &talk->models);
  save_profile (talk, "second", BECKON_PROFILE_CHAT, "second", window, NULL);
  save_profile (talk, "first", kind, "own", window, fallbacks);
  beckon_settings_set_default_profile (talk->fixture->settings, "first");
  add_tools (talk);
  return talk;
}

static void
talk_forget (Talk *talk)
{
  g_clear_pointer (&talk->last[0], g_free);
  g_clear_pointer (&talk->last[1], g_free);
  g_clear_pointer (&talk->stored, beckon_prefixes_free);
  talk->models.n_refused = 0;
}

static void
talk_free (Talk *talk)
{
  talk_forget (talk);
  g_clear_object (&talk->tool);
  g_clear_object (&talk->another);
  beckon_agent_fixture_free (talk->fixture);
  g_hash_table_unref (talk->reasons);
  g_free (talk);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Talk, talk_free)

/* Another conversation with the same models. */
static void
begin_again (Talk *talk)
{
  talk_forget (talk);
  g_set_object (&talk->fixture->conversation, beckon_agent_fixture_create (talk->fixture));
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(BeckonPrefixes **) user_data = beckon_store_load_prefixes_finish (BECKON_STORE (source), result, &error);
  g_assert_no_error (error);
}

static BeckonPrefixes *
load (Talk *talk)
{
  BeckonPrefixes *prefixes = NULL;

  beckon_store_load_prefixes_async (talk->fixture->store, beckon_conversation_get_id (talk->fixture->conversation), NULL,
                                    on_loaded, &prefixes);
  beckon_agent_wait_until (prefixes != NULL);
  return prefixes;
}

static const BeckonPrefix *
get_prefix (BeckonPrefixes *prefixes, guint which)
{
  return prefixes != NULL ? g_hash_table_lookup (prefixes->by_profile, which == 0 ? "first" : "second") : NULL;
}

/* Returns the offset of the person's last message. */
static gsize
find_last_message (const char *body)
{
  const char *marker = g_strrstr (body, MARKER);
  const char *role = marker != NULL ? g_strrstr_len (body, marker - body, USER) : NULL;
  const char *message = role != NULL ? g_strrstr_len (body, role - body, "{") : NULL;

  g_assert_nonnull (message);
  return (gsize) (message - body);
}

static gboolean
has_same_tools (const char *one, const char *other)
{
  const char *a = strstr (one, "\"tools\":["), *b = strstr (other, "\"tools\":[");
  const char *end = strstr (a, "}]"), *past = NULL;

  for (past = end; past != NULL && past[2] != ',' && past[2] != '}'; past = strstr (past + 1, "}]"))
    end = past;
  return strncmp (a, b, (gsize) (end - a)) == 0;
}

static gboolean
begins_as (const char *body, const char *before)
{
  return strncmp (body, before, find_last_message (before)) == 0 && has_same_tools (body, before);
}

/* Compares the requests since the last check with what is stored: one that begins differently has a new reason. */
static void
check_requests (Talk *talk, guint n_broken[2])
{
  for (; talk->n_seen < beckon_fixture_server_count_requests (talk->fixture->server); talk->n_seen++)
    {
      const BeckonFixtureRequest *request = beckon_fixture_server_get_request (talk->fixture->server, talk->n_seen);
      guint which = is_for_own (request) ? 0 : 1;

      if (is_summary (request))
        continue;
      if (talk->last[which] != NULL)
        {
          talk->n_pairs++;
          n_broken[which] += !begins_as (request->body, talk->last[which]);
        }
      g_free (talk->last[which]);
      talk->last[which] = g_strdup (request->body);
    }
}

static void
count_reason (Talk *talk, const char *reason)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (talk->reasons, reason));

  g_hash_table_replace (talk->reasons, g_strdup (reason), GUINT_TO_POINTER (n + 1));
}

/* Why a request may begin differently though nothing happened but what is told. */
static gboolean
comes_by_itself (const char *reason)
{
  static const char *const reasons[] = { BECKON_PREFIX_RESULTS, BECKON_PREFIX_SUMMARY, BECKON_PREFIX_THINKING,
                                         BECKON_PREFIX_PROFILE, NULL };

  return g_strv_contains (reasons, reason);
}

static void
check_turn (Talk *talk)
{
  BeckonPrefixes *now = load (talk);
  guint n_broken[2] = { 0, 0 };

  check_requests (talk, n_broken);
  for (guint i = 0; i < 2; i++)
    {
      const BeckonPrefix *before = get_prefix (talk->stored, i), *prefix = get_prefix (now, i);
      guint n_before = before != NULL ? before->number : 1;

      if (prefix == NULL)
        continue;
      g_assert_cmpuint (prefix->number - n_before, >=, n_broken[i]);
      talk->n_breaks += n_broken[i];
      if (prefix->number == n_before)
        continue;
      count_reason (talk, prefix->reason);
      if (!comes_by_itself (prefix->reason))
        g_assert_cmpstr (prefix->reason, ==, talk->expected);
    }
  g_clear_pointer (&talk->stored, beckon_prefixes_free);
  talk->stored = now;
  /* Each of the two may have to learn it once. */
  g_assert_cmpuint (talk->models.n_refused, <=, 1);
}

static void
say (Talk *talk, guint n_calls)
{
  g_autofree char *more = g_strnfill (talk->n_more, 'm');
  g_autofree char *text = g_strdup_printf (MARKER "%u%s", ++talk->n_messages, more);

  talk->models.n_calls = talk->is_away ? 0 : n_calls;
  beckon_agent_fixture_send (talk->fixture, talk->fixture->conversation, text);
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_sync (talk->fixture);
  check_turn (talk);
}

static const char *
get_last_body (Talk *talk)
{
  return beckon_fixture_server_get_request (talk->fixture->server, talk->n_seen - 1)->body;
}

/* --- What happens between ------------------------------------------------------------------------------------------ */

static void
let_days_pass (Talk *talk)
{
  gint64 days = g_test_rand_int_range (1, 4);

  talk->n_days += (guint) days;
  beckon_clock_advance (talk->fixture->clock, days * 24 * 3600 * 1000);
}

static void
change_folder (Talk *talk)
{
  static const char *const folders[] = { "/usr/share", "/usr/include", NULL };

  beckon_library_set_folder (talk->fixture->library, talk->fixture->conversation, folders[g_test_rand_int_range (0, 3)]);
}

/* In those that do not ask about what only reads. */
static void
change_mode (Talk *talk)
{
  beckon_library_set_mode (talk->fixture->library, talk->fixture->conversation,
                           (BeckonMode) g_test_rand_int_range (BECKON_MODE_ASK_CHANGES, BECKON_MODE_N_MODES));
}

static void
change_instructions (Talk *talk)
{
  static const char *const instructions[] = { "Be brief.", "Be kind.\nAnd brief.", "" };

  g_settings_set_string (beckon_settings_get_gsettings (talk->fixture->settings), "instructions",
                         instructions[g_test_rand_int_range (0, 3)]);
}

static void
switch_tool (Talk *talk)
{
  talk->is_away = !talk->is_away;
  beckon_test_tool_set_absent (talk->tool, talk->is_away);
  /* The tool was off when the prefix was made. */
  talk->expected = BECKON_PREFIX_TOOLS;
}

static void
switch_ask_user (Talk *talk)
{
  beckon_settings_set_enable_ask_user (talk->fixture->settings,
                                       !beckon_settings_get_enable_ask_user (talk->fixture->settings));
  talk->expected = BECKON_PREFIX_TOOLS;
}

static void
resume_in_another_process (Talk *talk)
{
  beckon_agent_fixture_restart (talk->fixture);
  add_tools (talk);
}

static void
fail_over (Talk *talk)
{
  talk->models.n_failing = 1;
}

static void (*const happenings[]) (Talk *) = {
  let_days_pass, let_days_pass, change_folder, change_mode, change_instructions, switch_tool, switch_ask_user,
  resume_in_another_process, fail_over,
};

static guint
count_histories (void)
{
  const char *number = g_getenv ("BECKON_PREFIX_HISTORIES");

  return number != NULL ? (guint) g_ascii_strtoull (number, NULL, 10) : 50;
}

static void
play_history (Talk *talk)
{
  guint n_turns = (guint) g_test_rand_int_range (3, 9);

  begin_again (talk);
  say (talk, 0);
  for (guint i = 0; i < n_turns; i++)
    {
      for (guint n = (guint) g_test_rand_int_range (0, 3); n > 0; n--)
        happenings[g_test_rand_int_range (0, G_N_ELEMENTS (happenings))](talk);
      say (talk, (guint) g_test_rand_int_range (0, 4));
    }
  talk->models.n_failing = 0;
}

static void
test_histories (gconstpointer kind)
{
  g_autoptr (Talk) talk = talk_new ((BeckonProfileKind) GPOINTER_TO_INT (kind), 8000);
  guint n = count_histories () / 2;
  GHashTableIter iter;
  gpointer reason, count;

  for (guint i = 0; i < n; i++)
    play_history (talk);
  g_test_message ("%u histories, %u pairs of requests, %u begin differently, %u days", n, talk->n_pairs, talk->n_breaks,
                  talk->n_days);
  g_hash_table_iter_init (&iter, talk->reasons);
  while (g_hash_table_iter_next (&iter, &reason, &count))
    g_test_message ("%s: %u", (char *) reason, GPOINTER_TO_UINT (count));
  g_assert_cmpuint (talk->n_pairs, >, 4 * n);
  g_assert_cmpuint (talk->n_breaks, <, talk->n_pairs / 2);
}

/* A history that can't be shortened is summarized, and the requests that follow begin with the summary. */
static void
test_summary (gconstpointer kind)
{
  g_autoptr (Talk) talk = talk_new ((BeckonProfileKind) GPOINTER_TO_INT (kind), 12000);
  guint number = 0;

  talk->n_more = 5000;
  for (guint i = 0; i < 30 && !g_hash_table_contains (talk->reasons, BECKON_PREFIX_SUMMARY); i++)
    say (talk, 0);
  g_assert_true (g_hash_table_contains (talk->reasons, BECKON_PREFIX_SUMMARY));
  number = get_prefix (talk->stored, 0)->number;
  talk->n_more = 0;
  say (talk, 1);
  say (talk, 1);
  g_assert_cmpuint (get_prefix (talk->stored, 0)->number, ==, number);
}

/* --- One by one ---------------------------------------------------------------------------------------------------- */

static void
assert_says (Talk *talk, const char *words)
{
  if (strstr (get_last_body (talk), words) == NULL)
    g_error ("“%s” is not in %s", words, get_last_body (talk));
}

static guint
count_notes (BeckonConversation *conversation, BeckonNoteKind kind)
{
  guint n = 0;

  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    n += beckon_note_get_kind (beckon_conversation_get_message (conversation, i)) == kind;
  return n;
}

/* A change is told once, behind the next message, and the same bytes are sent again, by the next process too. */
static void
test_told (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT, 100000);
  const char *body;

  say (talk, 0);
  g_assert_null (strstr (get_last_body (talk), "in the meantime"));
  beckon_clock_advance (talk->fixture->clock, 2 * 24 * 3600 * 1000);
  beckon_library_set_folder (talk->fixture->library, talk->fixture->conversation, "/usr/share");
  say (talk, 0);
  assert_says (talk, "Today is 2026-06-02");
  assert_says (talk, "MSG-2\\n\\n[What changed in the meantime:\\nToday is now 2026-06-04");
  assert_says (talk, "looked for, is now: /usr/share]");
  beckon_library_set_folder (talk->fixture->library, talk->fixture->conversation, NULL);
  resume_in_another_process (talk);
  say (talk, 0);
  assert_says (talk, "MSG-3\\n\\n[What changed in the meantime:\\nFrom now on: The user is asked before calls that change something "
                     "or use the network.\\nThis conversation no longer has a folder.]");
  body = get_last_body (talk);
  g_assert_nonnull (strstr (strstr (body, "in the meantime") + 1, "in the meantime"));
  say (talk, 0);
  g_assert_nonnull (strstr (get_last_body (talk), "MSG-4\"}"));
  g_assert_cmpuint (talk->n_breaks, ==, 0);
  g_assert_cmpuint (get_prefix (talk->stored, 0)->number, ==, 1);
  g_assert_cmpstr (get_prefix (talk->stored, 0)->reason, ==, BECKON_PREFIX_FIRST);
}

/* The mode is in the prompt as it was at first, and another one is told. */
static void
test_mode (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT, 100000);

  beckon_library_set_folder (talk->fixture->library, talk->fixture->conversation, "/usr/share");
  say (talk, 0);
  assert_says (talk, "The user is asked before changes are kept");
  beckon_library_set_mode (talk->fixture->library, talk->fixture->conversation, BECKON_MODE_ASK_OUTSIDE);
  say (talk, 0);
  assert_says (talk, "MSG-2\\n\\n[What changed in the meantime:\\nFrom now on: The user is asked only before calls that reach "
                     "outside the folder or use the network.]");
  assert_says (talk, "The user is asked before changes are kept");
  say (talk, 0);
  g_assert_nonnull (strstr (get_last_body (talk), "MSG-3\"}"));
  g_assert_cmpuint (talk->n_breaks, ==, 0);
}

/* The computer and the repository are told as they were when the conversation began, to every model that is asked in it. */
static void
test_surroundings (void)
{
  static const char began[] = "When this conversation began, Git was on the branch \\\"trunk\\\", with 1 changed file. The user";
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT, 100000);
  g_autofree char *folder = g_dir_make_tmp ("beckon-prefix-XXXXXX", NULL);
  g_autofree char *line = g_strdup_printf ("cd '%s' && git init -q -b trunk . && echo x >new", folder);
  g_autofree char *later = g_strdup_printf ("cd '%s' && git checkout -qb side && touch other", folder);

  g_assert_cmpint (system (line), ==, 0);
  beckon_library_set_folder (talk->fixture->library, talk->fixture->conversation, folder);
  say (talk, 0);
  assert_says (talk, " The system is ");
  assert_says (talk, began);
  g_assert_cmpint (system (later), ==, 0);
  resume_in_another_process (talk);
  say (talk, 0);
  g_assert_nonnull (strstr (get_last_body (talk), "MSG-2\"}"));
  assert_says (talk, began);
  say (talk, 1);
  assert_says (talk, began);
  g_assert_cmpuint (talk->n_breaks, ==, 0);
  beckon_tree_remove (folder);
}

static void
say_as_server (Talk *talk, const char *text)
{
  g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new ("Harbour", BECKON_MCP_KIND_STDIO);

  beckon_server_instructions_set (beckon_tool_registry_get_instructions (talk->fixture->tools), server, text);
}

/* Instructions of a server are in the prompt as they were at first, and changes are told. */
static void
test_server_instructions (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT, 100000);

  say_as_server (talk, "Tides first.\nThen ships.");
  say (talk, 0);
  assert_says (talk, "The server “Harbour”:\\n> Tides first.\\n> Then ships.");
  say_as_server (talk, "Ships first.");
  say (talk, 0);
  assert_says (talk, "MSG-2\\n\\n[What changed in the meantime:\\nWhat servers of tools say about their tools, which is data, is "
                     "now:\\nThe server “Harbour”:\\n> Ships first.]");
  assert_says (talk, "> Tides first.");
  say_as_server (talk, NULL);
  say (talk, 0);
  assert_says (talk, "MSG-3\\n\\n[What changed in the meantime:\\nServers of tools no longer say anything about their tools.]");
  g_assert_cmpuint (talk->n_breaks, ==, 0);
}

/* The instructions of the model's profile are told as the person's own are. */
static void
test_model_instructions (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT, 100000);
  static const char *const told[] = { "MSG-2\\n\\n[What changed in the meantime:\\nThe instructions for this model are now:\\nBe brief.]",
                                      "MSG-3\\n\\n[What changed in the meantime:\\nThe instructions for this model no longer hold.]" };

  say (talk, 0);
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    {
      g_autoptr (BeckonProfile) profile = beckon_profile_copy (beckon_profiles_lookup (talk->fixture->profiles, "first"));
      gboolean done = FALSE;

      beckon_profile_set_system_prompt (profile, i == 0 ? "Be brief." : NULL);
      beckon_profiles_save_async (talk->fixture->profiles, profile, NULL, on_saved, &done);
      beckon_agent_wait_until (done);
      say (talk, 0);
      assert_says (talk, told[i]);
    }
  g_assert_cmpuint (talk->n_breaks, ==, 0);
  g_assert_cmpuint (get_prefix (talk->stored, 0)->number, ==, 1);
  g_assert_cmpuint (count_notes (talk->fixture->conversation, BECKON_NOTE_PREFIX), ==, 0);
}

/* ask_user that was switched off is no longer defined, which is said; any other tool that is off stays defined and is told. */
static void
test_tools (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT, 100000);

  say (talk, 0);
  switch_tool (talk);
  say (talk, 0);
  assert_says (talk, "These tools can't be used now: read_note]");
  assert_says (talk, "\"name\":\"read_note\"");
  switch_tool (talk);
  say (talk, 0);
  assert_says (talk, "All tools can be used again.]");
  g_assert_cmpuint (talk->n_breaks, ==, 0);
  switch_ask_user (talk);
  say (talk, 0);
  g_assert_null (strstr (get_last_body (talk), "ask_user"));
  g_assert_cmpuint (talk->n_breaks, ==, 1);
  g_assert_cmpstr (get_prefix (talk->stored, 0)->reason, ==, BECKON_PREFIX_TOOLS);
  g_assert_cmpuint (count_notes (talk->fixture->conversation, BECKON_NOTE_PREFIX), ==, 1);
  talk->another = beckon_test_tool_new ("another", TRUE);
  beckon_tool_registry_add (talk->fixture->tools, BECKON_TOOL (talk->another));
  say (talk, 0);
  assert_says (talk, "\"name\":\"another\"");
  g_assert_cmpuint (get_prefix (talk->stored, 0)->number, ==, 3);
}

/* Words of the prompt that a person changed. */
static void
test_reasons (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT, 100000);
  GSettings *settings = beckon_settings_get_gsettings (talk->fixture->settings);

  say (talk, 1);
  say (talk, 0);
  g_settings_set_value (settings, "prompt-parts", g_variant_new_parsed ("{'work': 'Work in leaps.'}"));
  talk->expected = BECKON_PREFIX_PROMPT;
  say (talk, 0);
  g_assert_nonnull (strstr (get_last_body (talk), "Work in leaps."));
  g_assert_cmpstr (get_prefix (talk->stored, 0)->reason, ==, BECKON_PREFIX_PROMPT);
  g_assert_cmpuint (count_notes (talk->fixture->conversation, BECKON_NOTE_PREFIX), ==, 1);
  g_settings_reset (settings, "prompt-parts");
  say (talk, 0);
}

static guint
count_in_last (Talk *talk, const char *words)
{
  guint n = 0;

  for (const char *at = get_last_body (talk); (at = strstr (at, words)) != NULL; at++)
    n++;
  return n;
}

/* Undone changes are told once, where that stays, and so are those made again; the results stay as they were sent. */
static void
test_undone (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT, 100000);
  BeckonToolCall *calls[2];

  say (talk, 2);
  for (guint i = 0; i < 2; i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (talk->fixture->conversation, 1 + i);

      calls[i] = beckon_part_get_call (beckon_message_get_part (message, 0));
    }
  say (talk, 0);
  beckon_tool_call_set_change (calls[0], BECKON_CALL_CHANGE_UNDONE);
  say (talk, 1);
  g_assert_cmpuint (count_in_last (talk, "The user undid what these calls changed"), ==, 1);
  say (talk, 0);
  g_assert_cmpuint (count_in_last (talk, "The user undid what these calls changed"), ==, 1);
  /* The words are the same for the other call, and news all the same. */
  beckon_tool_call_set_change (calls[1], BECKON_CALL_CHANGE_UNDONE);
  say (talk, 0);
  g_assert_cmpuint (count_in_last (talk, "The user undid what these calls changed"), ==, 2);
  beckon_tool_call_set_change (calls[0], BECKON_CALL_CHANGE_KEPT);
  say (talk, 0);
  say (talk, 0);
  g_assert_cmpuint (count_in_last (talk, "The user undid what these calls changed"), ==, 2);
  g_assert_cmpuint (count_in_last (talk, "made what they had undone again"), ==, 1);
  g_assert_cmpuint (get_prefix (talk->stored, 0)->number, ==, 1);
}

/* On another branch there are other messages in the places of those whose results were shortened. */
static void
test_branch (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT, 12000);
  g_autofree char *whole = g_strnfill (RESULT_BYTES, 'r');
  g_autoptr (GError) error = NULL;

  say (talk, 0);
  for (guint i = 0; i < 6; i++)
    say (talk, 3);
  g_assert_cmpint (get_prefix (talk->stored, 0)->cut_through, >, 4);
  g_assert_cmpuint (count_notes (talk->fixture->conversation, BECKON_NOTE_PREFIX), >, 0);
  talk->models.n_calls = 2;
  talk->expected = BECKON_PREFIX_HISTORY;
  g_assert_true (beckon_agent_fixture_try_edit (talk->fixture, 2, MARKER "anew", &error));
  g_assert_no_error (error);
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_COMPLETE);
  beckon_agent_fixture_sync (talk->fixture);
  check_turn (talk);
  g_assert_cmpstr (get_prefix (talk->stored, 0)->reason, ==, BECKON_PREFIX_HISTORY);
  assert_says (talk, whole);
  g_assert_null (strstr (get_last_body (talk), "left out to save space"));
}

/* The first time that a beginning changes costs one refused request, which is said; after that its thinking is left out before. */
static void
test_thinking (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_ANTHROPIC, 100000);

  say (talk, 2);
  beckon_clock_advance (talk->fixture->clock, 24 * 3600 * 1000);
  say (talk, 1);
  g_assert_cmpuint (talk->models.n_refused, ==, 0);
  g_assert_cmpuint (talk->n_breaks, ==, 0);
  assert_says (talk, "\"signature\":");
  for (guint i = 0; i < 3; i++)
    {
      switch_ask_user (talk);
      say (talk, 1);
      g_assert_cmpuint (talk->models.n_refused, ==, 1);
      g_assert_cmpuint (count_notes (talk->fixture->conversation, BECKON_NOTE_THINKING), ==, 1);
      say (talk, 1);
      g_assert_cmpuint (talk->models.n_refused, ==, 1);
      assert_says (talk, "\"signature\":");
      resume_in_another_process (talk);
    }
}

/* A server that refuses thinking whatever is sent is not asked for ever. */
static void
test_refused_for_ever (void)
{
  g_autoptr (Talk) talk = talk_new (BECKON_PROFILE_CHAT, 100000);
  guint n;

  say (talk, 0);
  n = beckon_fixture_server_count_requests (talk->fixture->server);
  beckon_fixture_server_set_handler (talk->fixture->server, NULL, NULL);
  for (guint i = 0; i < 4; i++)
    beckon_agent_fixture_script (talk->fixture,
                                 beckon_script_error (400, NULL, "messages.1.content.0: Invalid `signature` in `thinking` block"));
  beckon_agent_fixture_send (talk->fixture, talk->fixture->conversation, MARKER "2");
  beckon_agent_fixture_wait_end (talk->fixture, BECKON_RUN_FAILED);
  g_assert_cmpuint (beckon_fixture_server_count_requests (talk->fixture->server), ==, n + 2);
}

int
main (int argc, char **argv)
{
  static const BeckonProfileKind kinds[] = { BECKON_PROFILE_CHAT, BECKON_PROFILE_ANTHROPIC, BECKON_PROFILE_RESPONSES,
                                             BECKON_PROFILE_GEMINI, BECKON_PROFILE_OLLAMA };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/prefix/told", test_told);
  g_test_add_func ("/agent/prefix/mode", test_mode);
  g_test_add_func ("/agent/prefix/surroundings", test_surroundings);
  g_test_add_func ("/agent/prefix/model-instructions", test_model_instructions);
  g_test_add_func ("/agent/prefix/server-instructions", test_server_instructions);
  g_test_add_func ("/agent/prefix/tools", test_tools);
  g_test_add_func ("/agent/prefix/reasons", test_reasons);
  g_test_add_func ("/agent/prefix/undone", test_undone);
  g_test_add_func ("/agent/prefix/branch", test_branch);
  g_test_add_func ("/agent/prefix/thinking", test_thinking);
  g_test_add_func ("/agent/prefix/refused-for-ever", test_refused_for_ever);
  g_test_add_data_func ("/agent/prefix/histories/chat", GINT_TO_POINTER (BECKON_PROFILE_CHAT), test_histories);
  g_test_add_data_func ("/agent/prefix/histories/bound", GINT_TO_POINTER (BECKON_PROFILE_ANTHROPIC), test_histories);
  g_test_add_data_func ("/agent/prefix/histories/responses", GINT_TO_POINTER (BECKON_PROFILE_RESPONSES), test_histories);
  g_test_add_data_func ("/agent/prefix/histories/gemini", GINT_TO_POINTER (BECKON_PROFILE_GEMINI), test_histories);
  g_test_add_data_func ("/agent/prefix/histories/ollama", GINT_TO_POINTER (BECKON_PROFILE_OLLAMA), test_histories);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_strconcat ("/agent/prefix/summary/", beckon_profile_kind_to_string (kinds[i]), NULL);

      g_test_add_data_func (path, GINT_TO_POINTER (kinds[i]), test_summary);
    }
  return g_test_run ();
}
