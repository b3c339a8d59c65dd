/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Overrides of a tool's arguments hold before a call is decided, in the moment in which it starts, and for what people do on
 * the card; and masked values are nowhere but in what runs.
 */

#include "agent/beckon-compaction.h"
#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-plan-request.h"
#include "store/queries/beckon-call-log.h"
#include "store/transfer/beckon-export.h"
#include "text/beckon-conversation-text.h"
#include "text/beckon-plain-text.h"
#include "text/beckon-request-document.h"

#include <string.h>

#define SECRET "tulip-9f3"
#define TYPED "marigold-4c1" /* a person, in the place of that */

typedef struct
{
  BeckonAgentFixture *agent;
  BeckonTestTool *change;
} Case;

static Case *
case_new (void)
{
  Case *test = g_new0 (Case, 1);

  test->agent = beckon_agent_fixture_new ();
  test->change = beckon_test_tool_new ("run_note", FALSE);
  beckon_tool_registry_add (test->agent->tools, BECKON_TOOL (test->change));
  return test;
}

static void
case_free (Case *test)
{
  beckon_agent_fixture_free (test->agent);
  g_assert_finalize_object (test->change);
  g_free (test);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, case_free)

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
settle (Case *test, const char *name, BeckonFormAccess access, const char *pinned, const char *allowed)
{
  g_autoptr (BeckonToolParameter) parameter = beckon_tool_parameter_new ("run_note", NULL, name);
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;

  parameter->access = access;
  parameter->pinned = g_strdup (pinned);
  parameter->allowed = g_strdup (allowed);
  parameter->changed_at = 1;
  beckon_argument_overrides_save_async (test->agent->parameters, parameter, NULL, keep_result, &saved);
  beckon_agent_wait_until (saved != NULL);
  beckon_argument_overrides_save_finish (test->agent->parameters, saved, &error);
  g_assert_no_error (error);
}

static void
say (Case *test, const char *arguments)
{
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "run_note", arguments));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
}

static BeckonRequest *
wait (Case *test)
{
  return beckon_agent_fixture_wait_pending (test->agent, 1);
}

static gboolean
try_answer (Case *test, BeckonAnswerKind kind, const char *text)
{
  g_autoptr (GError) error = NULL;

  return beckon_agent_fixture_try_answer (test->agent->inbox, beckon_request_get_id (wait (test)),
                                          beckon_answer_new (kind, text), &error);
}

static void
answer (Case *test, BeckonAnswerKind kind, const char *text)
{
  beckon_agent_fixture_answer (test->agent, wait (test), beckon_answer_new (kind, text));
}

static void
finish (Case *test, const char *ran)
{
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, ran);
}

static void
assert_has (const char *text, const char *words)
{
  if (strstr (text, words) == NULL)
    g_error ("“%s” does not say “%s”", text, words);
}

static void
assert_told (Case *test, const char *words)
{
  guint last = beckon_fixture_server_count_requests (test->agent->server) - 1;
  g_autofree char *result
      = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, last), "call_1");

  assert_has (result, words);
}

/* Before anything is decided: what is asked about is what runs. */
static void
test_pinned (void)
{
  g_autoptr (Case) test = case_new ();
  BeckonRequest *request;

  settle (test, "path", BECKON_FORM_EDITABLE, "\"/srv/notes\"", NULL);
  say (test, "{\"path\":\"/etc\",\"n\":1}");
  request = wait (test);
  g_assert_cmpstr (beckon_request_get_arguments (request), ==, "{\"path\":\"/srv/notes\",\"n\":1}");
  g_assert_cmpstr (beckon_request_get_details (request)->paths[0], ==, "/srv/notes");
  g_assert_cmpstr (beckon_parameters_find (beckon_request_get_details (request)->parameters, "path")->pinned, ==,
                   "\"/srv/notes\"");
  g_assert_false (try_answer (test, BECKON_ANSWER_APPROVED_EDITED, "{\"path\":\"/etc\",\"n\":1}"));
  answer (test, BECKON_ANSWER_APPROVED_EDITED, "{\"path\":\"/srv/notes\",\"n\":2}");
  finish (test, "{\"path\":\"/srv/notes\",\"n\":2}\n");
}

/* The model is told what it ran with, and its own words stay its own. */
static void
test_pinned_is_told (void)
{
  g_autoptr (Case) test = case_new ();

  settle (test, "path", BECKON_FORM_EDITABLE, "\"/srv/notes\"", NULL);
  say (test, "{\"path\":\"/etc\"}");
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  finish (test, "{\"path\":\"/srv/notes\"}\n");
  assert_told (test, "With the user's overrides and the defaults of the tool, it ran with: {\"path\":\"/srv/notes\"}");
}

static void
test_allowed (void)
{
  g_autoptr (Case) test = case_new ();

  settle (test, "mode", BECKON_FORM_EDITABLE, NULL, "[\"r\",\"a\"]");
  say (test, "{\"mode\":\"w\"}");
  finish (test, "");
  assert_told (test, "The user allows only these values of \"mode\": \"r\", \"a\"");

  say (test, "{\"mode\":\"r\"}");
  g_assert_false (try_answer (test, BECKON_ANSWER_APPROVED_EDITED, "{\"mode\":\"w\"}"));
  answer (test, BECKON_ANSWER_APPROVED_EDITED, "{\"mode\":\"a\"}");
  finish (test, "{\"mode\":\"a\"}\n");
}

/* A call that was allowed is checked again when it starts. */
static void
test_changed_meanwhile (void)
{
  g_autoptr (Case) test = case_new ();

  say (test, "{\"path\":\"/etc\"}");
  wait (test);
  settle (test, "path", BECKON_FORM_EDITABLE, "\"/srv\"", NULL);
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  beckon_agent_wait_until (g_list_model_get_n_items (G_LIST_MODEL (test->agent->inbox)) == 1);
  assert_has (beckon_request_get_reason (wait (test)), "always \"/srv\"");
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  finish (test, "");
}

static void
assert_hides (const char *text)
{
  if (strstr (text, SECRET) != NULL)
    g_error ("“%s” shows what is masked", text);
}

static char *
export_document (Case *test)
{
  g_autoptr (GAsyncResult) exported = NULL;
  g_autoptr (GError) error = NULL;
  char *document;

  beckon_store_export_async (test->agent->store, beckon_conversation_get_id (test->agent->conversation), NULL, keep_result,
                             &exported);
  beckon_agent_wait_until (exported != NULL);
  document = beckon_store_export_finish (test->agent->store, exported, &error);
  g_assert_no_error (error);
  return document;
}

static void
assert_log_hides (Case *test)
{
  const BeckonProvenanceFilter filter = { .max = 100 };
  g_autoptr (GAsyncResult) listed = NULL;
  g_autoptr (GPtrArray) lines = NULL;

  beckon_store_list_provenance_async (test->agent->store, &filter, NULL, keep_result, &listed);
  beckon_agent_wait_until (listed != NULL);
  lines = beckon_store_list_provenance_finish (test->agent->store, listed, NULL);
  g_assert_cmpuint (lines->len, >=, 1);
  for (guint i = 0; i < lines->len; i++)
    {
      const BeckonProvenance *line = g_ptr_array_index (lines, i);

      if (line->data == NULL)
        continue;
      assert_hides (line->data);
      g_assert_null (strstr (line->data, TYPED));
    }
}

/* On every way by which it could be seen. */
static void
test_masked (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *shown = NULL;
  g_autofree char *document = NULL;
  g_autofree char *exported = NULL;
  g_autofree char *quote = NULL;
  g_autoptr (BeckonRequest) request = NULL;

  settle (test, "token", BECKON_FORM_MASKED, NULL, NULL);
  settle (test, "trace", BECKON_FORM_HIDDEN, NULL, NULL);
  say (test, "{\"path\":\"/srv/" SECRET "\",\"token\":\"" SECRET "\",\"trace\":\"" SECRET "!\",\"n\":1}");
  request = g_object_ref (wait (test));
  shown = beckon_request_dup_shown_arguments (request);
  assert_has (shown, "\"token\":\"" BECKON_PARAMETERS_MASK "\"");
  g_assert_null (strstr (shown, "trace"));
  assert_hides (beckon_request_get_details (request)->paths[0]);
  g_assert_cmpuint (beckon_request_get_ground (request)->proposals->len, ==, 0);
  answer (test, BECKON_ANSWER_APPROVED_EDITED,
          "{\"path\":\"/srv/b\",\"token\":\"" BECKON_PARAMETERS_MASK "\",\"n\":1}");
  document = beckon_request_document_write (request, NULL, FALSE);
  assert_has (document, "\"arguments\":{\"path\":\"/srv/b\",\"token\":\"" BECKON_PARAMETERS_MASK "\",\"n\":1}");
  g_assert_null (strstr (document, SECRET "!"));
  finish (test, "{\"path\":\"/srv/b\",\"token\":\"" SECRET "\",\"n\":1,\"trace\":\"" SECRET "!\"}\n");

  assert_log_hides (test);
  exported = export_document (test);
  assert_hides (exported);
  g_assert_nonnull (strstr (exported, "/srv/b"));
  quote = beckon_compaction_quote (test->agent->conversation, G_MAXINT64, 1000);
  assert_hides (quote);
  assert_has (quote, "/srv/b");
}

/* A card that waits shows it in no front end. */
static void
test_masked_while_it_waits (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *plain = NULL;
  BeckonRequest *request;

  settle (test, "token", BECKON_FORM_MASKED, NULL, NULL);
  say (test, "{\"token\":\"" SECRET "\"}");
  request = wait (test);
  plain = beckon_plain_text_format (request, 0);
  assert_hides (plain);
  assert_has (plain, BECKON_PARAMETERS_MASK);
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  finish (test, "{\"token\":\"" SECRET "\"}\n");
}

/* Words of a person are quoted before what they only let run; with less room their ends go, and at last all but what they said first. */
static void
test_quote_in_little_room (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *long_path = g_strnfill (300, 'p');
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"/srv/%s\"}", long_path);
  g_autofree char *end = g_strnfill (2000, 'w');
  g_autofree char *words = g_strdup_printf ("Never touch tests %s and never commit", end);
  const struct
  {
    gint64 most;
    const char *said[3];
    const char *unsaid[3];
  } cases[] = {
    { 100000, { "- allowed run_note", "Never touch tests", "and never commit" }, { NULL } },
    { 560, { "Never touch tests", "and never commit" }, { "- allowed run_note" } },
    { 300, { "Never touch tests" }, { "- allowed run_note", "and never commit" } },
    { 50, { "Never touch tests" }, { "- allowed run_note", "and never commit" } },
  };

  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "run_note", arguments));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, words);
  wait (test);
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *quote = beckon_compaction_quote (test->agent->conversation, G_MAXINT64, cases[i].most);

      for (gsize j = 0; j < 3 && cases[i].said[j] != NULL; j++)
        assert_has (quote, cases[i].said[j]);
      for (gsize j = 0; j < 3 && cases[i].unsaid[j] != NULL; j++)
        g_assert_null (strstr (quote, cases[i].unsaid[j]));
    }
}

/* --- Plans -------------------------------------------------------------------------------------------------------- */

#define STEP(id, path, rest) "{\"id\":\"" id "\",\"tool\":\"run_note\",\"arguments\":{\"path\":\"" path "\"" rest "}}"
#define TOKEN(value) ",\"token\":\"" value "\""
#define MASKED TOKEN (BECKON_PARAMETERS_MASK)

static void
propose (Case *test)
{
  settle (test, "token", BECKON_FORM_MASKED, NULL, NULL);
  settle (test, "trace", BECKON_FORM_HIDDEN, NULL, NULL);
  beckon_test_tool_set_result (test->change, "noted");
  beckon_agent_fixture_script (
    test->agent, beckon_script_call ("call_1", "propose_plan",
                                     "{\"title\":\"With " SECRET "\",\"steps\":[" STEP ("a", "/a", TOKEN (SECRET)) ","
                                     STEP ("b", "/b", TOKEN (SECRET) ",\"trace\":\"" SECRET "!\"") "]}"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
}

/* In every form in which somebody may be shown a request. */
static void
assert_request_hides (Case *test, BeckonRequest *request)
{
  g_autofree char *plain = beckon_plain_text_format (request, 0);
  g_autofree char *document = beckon_request_document_write (request, NULL, TRUE);
  g_autofree char *json = NULL;
  g_autoptr (BeckonAnswer) none = NULL;

  assert_hides (plain);
  assert_has (plain, BECKON_PARAMETERS_MASK);
  assert_hides (document);
  assert_has (document, BECKON_PARAMETERS_MASK);
  g_assert_cmpint (beckon_plain_text_parse (request, 0, "/json", NULL, &none, &json), ==, BECKON_PLAIN_AGAIN);
  assert_hides (json);
  assert_has (json, BECKON_PARAMETERS_MASK);
}

static void
assert_conversation_hides (Case *test, const char *words)
{
  g_autofree char *markdown = beckon_conversation_text_to_markdown (test->agent->conversation);
  g_autofree char *exported = export_document (test);

  assert_hides (markdown);
  assert_hides (exported);
  assert_has (exported, words);
  g_assert_null (strstr (markdown, TYPED));
  g_assert_null (strstr (exported, TYPED));
  assert_log_hides (test);
}

static void
assert_not_answered (BeckonRequest *request, const char *line)
{
  g_autoptr (BeckonAnswer) answer = NULL;
  g_autofree char *message = NULL;

  g_assert_cmpint (beckon_plain_text_parse (request, 0, line, NULL, &answer, &message), ==, BECKON_PLAIN_AGAIN);
  g_assert_nonnull (strstr (message, "token"));
}

/* Answered from what was shown, by the terminal's way; what was left alone runs as it was, what was typed as it was typed. In the
 * place of a masked value nothing is typed, as on the card of a call. */
static void
test_masked_plan (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (BeckonAnswer) edited = NULL;
  g_autofree char *message = NULL;
  g_autofree char *told = NULL;
  BeckonRequest *request;

  propose (test);
  request = wait (test);
  g_assert_true (BECKON_IS_PLAN_REQUEST (request));
  assert_request_hides (test, request);
  assert_conversation_hides (test, "/b");
  assert_not_answered (request, "{\"steps\":[" STEP ("a", "/c", MASKED) "," STEP ("b", "/b", TOKEN (TYPED)) "]}");
  g_assert_cmpint (beckon_plain_text_parse (request, 0,
                                            "{\"steps\":[" STEP ("a", "/c", MASKED) "," STEP ("d", "/d", TOKEN (TYPED)) "]}",
                                            NULL, &edited, &message),
                   ==, BECKON_PLAIN_ANSWER);
  beckon_agent_fixture_answer (test->agent, request, g_steal_pointer (&edited));

  request = wait (test);
  g_assert_cmpstr (beckon_request_get_step (request), ==, "a");
  assert_request_hides (test, request);
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  beckon_agent_wait_until (g_strcmp0 (beckon_request_get_step (wait (test)), "d") == 0);
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  finish (test, "{\"path\":\"/c\",\"token\":\"" SECRET "\"}\n"
                "{\"path\":\"/d\",\"token\":\"" TYPED "\"}\n");

  assert_told (test, "\"to\":{\"path\":\"/c\",\"token\":\"" BECKON_PARAMETERS_MASK "\"}");
  assert_told (test, "\"arguments\":{\"path\":\"/d\",\"token\":\"" BECKON_PARAMETERS_MASK "\"}");
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_1");
  assert_hides (told);
  g_assert_null (strstr (told, TYPED));
  assert_conversation_hides (test, "/c");
}

/* On the way, too: the plan is changed when a step is next, by somebody who was shown the masks. */
static void
test_masked_plan_changed_on_the_way (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (BeckonPlan) shown = NULL;
  g_autofree char *document = NULL;

  propose (test);
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  shown = beckon_request_dup_shown_plan (wait (test));
  g_ptr_array_add (shown->steps, g_ptr_array_steal_index (shown->steps, 0));
  shown->pause = BECKON_PAUSE_POLICY;
  document = beckon_plan_to_json (shown);
  answer (test, BECKON_ANSWER_PLAN, document);
  beckon_agent_wait_until (g_strcmp0 (beckon_request_get_step (wait (test)), "b") == 0);
  assert_request_hides (test, wait (test));
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  beckon_agent_wait_until (g_strcmp0 (beckon_request_get_step (wait (test)), "a") == 0);
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  finish (test, "{\"path\":\"/b\",\"token\":\"" SECRET "\",\"trace\":\"" SECRET "!\"}\n"
                "{\"path\":\"/a\",\"token\":\"" SECRET "\"}\n");
  assert_conversation_hides (test, "/a");
}

static void
propose_steps (Case *test, const char *steps)
{
  g_autofree char *plan = g_strdup_printf ("{\"title\":\"Notes\",\"steps\":[%s]}", steps);

  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "propose_plan", plan));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
}

/* Pinned values are in the plan that is shown, so that nothing else runs than what was accepted. */
static void
test_pinned_plan (void)
{
  g_autoptr (Case) test = case_new ();
  const BeckonPlan *plan;

  settle (test, "path", BECKON_FORM_EDITABLE, "\"/srv/notes\"", NULL);
  propose_steps (test, STEP ("a", "/etc", "") "," STEP ("b", "/srv/notes", ",\"n\":1"));
  plan = beckon_request_get_plan (wait (test));
  g_assert_cmpstr (beckon_plan_get_step (plan, 0)->arguments, ==, "{\"path\":\"/srv/notes\"}");
  g_assert_cmpstr (beckon_plan_get_step (plan, 1)->arguments, ==, "{\"path\":\"/srv/notes\",\"n\":1}");
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  beckon_agent_wait_until (g_strcmp0 (beckon_request_get_step (wait (test)), "a") == 0);
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  beckon_agent_wait_until (g_strcmp0 (beckon_request_get_step (wait (test)), "b") == 0);
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  finish (test, "{\"path\":\"/srv/notes\"}\n{\"path\":\"/srv/notes\",\"n\":1}\n");
  assert_told (test, "\"from\":{\"path\":\"/etc\"},\"to\":{\"path\":\"/srv/notes\"}");
}

/* A plan with a step that may not run is not asked about. */
static void
test_allowed_in_plan (void)
{
  g_autoptr (Case) test = case_new ();

  settle (test, "path", BECKON_FORM_EDITABLE, NULL, "[\"/a\"]");
  propose_steps (test, STEP ("a", "/a", "") "," STEP ("b", "/b", ""));
  finish (test, "");
  assert_told (test, "Step 2 (run_note): The user allows only these values of \"path\"");
}

static GHashTable *
list_earlier (Case *test)
{
  g_autoptr (GAsyncResult) listed = NULL;
  g_autoptr (GError) error = NULL;
  GHashTable *values;

  beckon_inbox_list_earlier_async (test->agent->inbox, "run_note", NULL, keep_result, &listed);
  beckon_agent_wait_until (listed != NULL);
  values = beckon_inbox_list_earlier_finish (test->agent->inbox, listed, &error);
  g_assert_no_error (error);
  return values;
}

static void
assert_values (GHashTable *values, const char *name, const char *expected)
{
  GPtrArray *list = g_hash_table_lookup (values, name);
  g_autoptr (GString) got = g_string_new (NULL);

  for (guint i = 0; list != NULL && i < list->len; i++)
    g_string_append_printf (got, "%s%s", i > 0 ? " " : "", (const char *) g_ptr_array_index (list, i));
  g_assert_cmpstr (got->str, ==, expected);
}

/* Earlier arguments that ran, as the person made them, the latest first; none that was denied, masked, or a secret. */
static void
test_earlier (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (GHashTable) values = NULL;

  settle (test, "token", BECKON_FORM_MASKED, NULL, NULL);
  say (test, "{\"path\":\"/a\",\"n\":1,\"token\":\"" SECRET "\"}");
  answer (test, BECKON_ANSWER_APPROVED, NULL);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  say (test, "{\"path\":\"/b\",\"n\":1}");
  answer (test, BECKON_ANSWER_APPROVED_EDITED, "{\"path\":\"/c\",\"n\":1}");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  say (test, "{\"path\":\"/d\",\"n\":2}");
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);

  values = list_earlier (test);
  assert_values (values, "path", "\"/c\" \"/a\"");
  assert_values (values, "n", "1");
  assert_values (values, "token", "");
}

/* Overrides that can't be read let nothing run. */
static void
test_unreadable (void)
{
  g_autoptr (Case) test = case_new ();

  settle (test, "path", BECKON_FORM_EDITABLE, "no json", NULL);
  say (test, "{\"path\":\"/etc\"}");
  finish (test, "");
  assert_told (test, "cannot be read");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parameters/pinned", test_pinned);
  g_test_add_func ("/parameters/pinned-is-told", test_pinned_is_told);
  g_test_add_func ("/parameters/allowed", test_allowed);
  g_test_add_func ("/parameters/changed-meanwhile", test_changed_meanwhile);
  g_test_add_func ("/parameters/masked", test_masked);
  g_test_add_func ("/parameters/masked-while-it-waits", test_masked_while_it_waits);
  g_test_add_func ("/parameters/quote-in-little-room", test_quote_in_little_room);
  g_test_add_func ("/parameters/masked-plan", test_masked_plan);
  g_test_add_func ("/parameters/masked-plan-changed-on-the-way", test_masked_plan_changed_on_the_way);
  g_test_add_func ("/parameters/pinned-plan", test_pinned_plan);
  g_test_add_func ("/parameters/allowed-in-plan", test_allowed_in_plan);
  g_test_add_func ("/parameters/earlier", test_earlier);
  g_test_add_func ("/parameters/unreadable", test_unreadable);
  return g_test_run ();
}
