/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-fixture.h"
#include "domain/beckon-usage.h"
#include "beckon-test-tool.h"

#include "agent/beckon-compaction.h"
#include "agent/beckon-context.h"
#include "agent/beckon-tokens.h"
#include "domain/beckon-note.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-question-request.h"

#include <string.h>

/* Requests of a history that does not fit into the model's window. */

static gint64
tokens_of (const char *text)
{
  return beckon_tokens_of_text (text, strlen (text));
}

static void
test_tokens (void)
{
  g_autofree char *narrow = g_strnfill (400, 'x');

  g_assert_cmpint (tokens_of (""), ==, 0);
  g_assert_cmpint (tokens_of (narrow), ==, 100);
  g_assert_cmpint (tokens_of ("你好世界你好"), ==, 4);
  g_assert_cmpint (tokens_of ("한국어"), ==, 2);
  g_assert_cmpint (tokens_of ("ひらがな・カタカナ"), ==, 6);
  g_assert_cmpint (tokens_of ("äöüé"), ==, 1);
  g_assert_cmpint (tokens_of ("你a"), ==, 1);
  g_assert_cmpint (tokens_of ("\xff\xfe\xe4\xbd"), ==, 1);
  g_assert_cmpint (beckon_tokens_of_text ("a\0b\0", 4), ==, 1);
}

static void
test_meter (void)
{
  g_autoptr (BeckonTokenMeter) meter = beckon_token_meter_new ();
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("one", BECKON_PROFILE_CHAT);
  g_autoptr (BeckonProfile) other = beckon_profile_new ("other", BECKON_PROFILE_CHAT);
  g_autoptr (BeckonProfile) third = beckon_profile_new ("third", BECKON_PROFILE_CHAT);

  g_assert_cmpint (beckon_token_meter_get_budget (meter, profile), ==, 108000);
  beckon_profile_set_context_window (profile, 10000);
  g_assert_cmpint (beckon_token_meter_get_budget (meter, profile), ==, 9000);
  /* The server counts twice as much, so only half as much may be sent. */
  beckon_token_meter_note (meter, "one", 1000, 2000);
  g_assert_cmpint (beckon_token_meter_get_budget (meter, profile), ==, 4500);
  g_assert_cmpint (beckon_token_meter_get_budget (meter, other), ==, 108000);
  /* A count of something else is not believed. */
  beckon_token_meter_note (meter, "one", 1000, 2);
  beckon_token_meter_note (meter, "one", 1, 2);
  beckon_token_meter_note (meter, "one", 1000, -1);
  g_assert_cmpint (beckon_token_meter_get_budget (meter, profile), ==, 4500);

  beckon_token_meter_note_too_long (meter, "one", 5000, "model at 127.0.0.1:4321 (HTTP 400): maximum context length is 8192 "
                                                        "tokens. However, your messages resulted in 10234 tokens.");
  /* Its count of what was sent is believed as one of a reply is. */
  g_assert_cmpint (beckon_token_meter_get_budget (meter, profile), ==, (gint64) (8192 * 0.9 / (10234 / 5000.0)));
  beckon_token_meter_note_too_long (meter, "other", 1000, "too long (HTTP 400): the request exceeds the available context size. "
                                                          "It has 3000 tokens, and the model takes 2048 of them.");
  g_assert_cmpint (beckon_token_meter_get_budget (meter, other), ==, (gint64) (2048 * 0.9 / 3));
  beckon_token_meter_note_too_long (meter, "third", 5000, "190000 + 32000 > 200000");
  g_assert_cmpint (beckon_token_meter_get_budget (meter, third), ==, 3150);
  beckon_token_meter_note (meter, "one", 1000, 2000);
  beckon_token_meter_note_too_long (meter, "one", 2000, "too long");
  g_assert_cmpint (beckon_token_meter_get_budget (meter, profile), ==, (gint64) (2800 * 0.9 / 2));
  for (guint i = 0; i < 20; i++)
    beckon_token_meter_note_too_long (meter, "one", 100, NULL);
  g_assert_cmpint (beckon_token_meter_get_budget (meter, profile), ==, 450);
}

/* --- The run ------------------------------------------------------------------------------------------------------ */

static BeckonAgentFixture *
fixture_new_with_window (guint window)
{
  BeckonAgentFixture *fixture = beckon_agent_fixture_new ();

  beckon_settings_set_enable_ask_user (fixture->settings, FALSE);
  beckon_agent_fixture_set_window (fixture, window);
  return fixture;
}

static const char *
get_body (BeckonAgentFixture *fixture, guint index)
{
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), >, index);
  return beckon_fixture_server_get_request (fixture->server, index)->body;
}

static void
assert_says (BeckonAgentFixture *fixture, guint index, const char *words, gboolean expected)
{
  if ((strstr (get_body (fixture, index), words) != NULL) != expected)
    g_error ("request %u %s “%s”: %s", index, expected ? "lacks" : "has", words, get_body (fixture, index));
}

/* A plain reply without a word of what it cost, so that nothing is learnt from it. */
static void
script_text (BeckonAgentFixture *fixture, const char *text)
{
  beckon_agent_fixture_script (fixture, beckon_script_calls (text, NULL, 0, "stop"));
}

static void
say (BeckonAgentFixture *fixture, const char *text, const char *reply)
{
  script_text (fixture, reply);
  beckon_agent_fixture_send (fixture, fixture->conversation, text);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
}

/* A message of about @tokens tokens that begins with a word of its own. */
static char *
make_long (const char *word, guint tokens)
{
  g_autofree char *filler = g_strnfill (tokens * 4, '.');

  return g_strconcat (word, " ", filler, NULL);
}

static void
say_long (BeckonAgentFixture *fixture, const char *word, guint tokens)
{
  g_autofree char *text = make_long (word, tokens);

  say (fixture, text, "Yes.");
}

/* Reads @n notes, one after another, each of which is @result. */
static void
read_notes (BeckonAgentFixture *fixture, const char *result, guint n)
{
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("read_note", TRUE);

  beckon_test_tool_set_result (tool, result);
  beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("call_%u", i);
      g_autofree char *arguments = g_strdup_printf ("{\"n\":%u}", i);

      beckon_agent_fixture_script (fixture, beckon_script_call (id, "read_note", arguments));
    }
  script_text (fixture, "Read.");
  beckon_agent_fixture_send (fixture, fixture->conversation, "Read it");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
}

/* Tool results go before anything else does, and stay in the store. */
static void
test_results_are_cut (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with_window (10000);
  g_autofree char *note = make_long ("first-note", 950);

  read_notes (fixture, note, 7);
  assert_says (fixture, 7, "left out to save space", FALSE);
  say_long (fixture, "Three", 1300);
  assert_says (fixture, 8, "left out to save space; read_note has what is there now.]", TRUE);
  assert_says (fixture, 8, "Three", TRUE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 9);
  beckon_agent_fixture_assert_same (fixture, fixture->conversation);
}

/* Its end stays, which says how it went, and what stands in brackets, such as where the rest of it is; all in whole lines. */
static void
test_cut_keeps_notes (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with_window (10000);
  g_autofree char *filler = make_long ("lines", 410);
  g_autofree char *last = g_strnfill (240, 'l');
  g_autofree char *result = g_strconcat ("The first of all the lines of BEGINNING to END, and then\nits second line, which "
                                         "is longer than what there is room for here\n", filler,
                                         "\n[All of it: output:7.]\n[not a note\n", filler, "\n[A note of some length, which "
                                         "goes over the place where it is cut off.]\n", last,
                                         "\n3 failed, 40 passed\n[Exit status 1, after 2.0 s.]", NULL);

  read_notes (fixture, result, 7);
  say_long (fixture, "Three", 1300);
  assert_says (fixture, 8, "BEGINNING to END, and then\\n[", TRUE);
  assert_says (fixture, 8, ".]\\n[All of it: output:7.]\\n[A note of some length, which goes over the place where it is cut off.]"
                           "\\nlll", TRUE);
  assert_says (fixture, 8, "[not a note", FALSE);
  assert_says (fixture, 8, "3 failed, 40 passed\\n[Exit status 1, after 2.0 s.]", TRUE);
}

/* The name of a kept output is told where something of it was left out. */
static void
test_kept_output (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (BeckonAgentFixture) fixture = fixture_new_with_window (4000);
      g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("read_note", TRUE);
      g_autofree char *filler = g_strnfill (i == 0 ? 100 : 40000, '.');
      g_autofree char *result
        = g_strconcat ("BEGINNING", filler, "\n[Exit status 0, after 2.0 s.]\n[Kept as output:1, for read_file and search_files.]", NULL);

      beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
      beckon_test_tool_set_result (tool, result);
      beckon_agent_fixture_script (fixture, beckon_script_call ("call_1", "read_note", "{}"));
      script_text (fixture, "Read.");
      beckon_agent_fixture_send (fixture, fixture->conversation, "Read it");
      beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
      assert_says (fixture, 1, "[Exit status 0, after 2.0 s.]", TRUE);
      assert_says (fixture, 1, "Kept as output:1", i == 1);
    }
}

/* A result that is too much by itself is shortened in its middle, however new it is. */
static void
test_huge_result (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with_window (4000);
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("read_note", TRUE);
  g_autofree char *filler = g_strnfill (40000, '.');
  g_autofree char *result = g_strconcat ("BEGINNING", filler, "END", NULL);

  beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
  beckon_test_tool_set_result (tool, result);
  beckon_agent_fixture_script (fixture, beckon_script_call ("call_1", "read_note", "{}"));
  script_text (fixture, "Read.");
  beckon_agent_fixture_send (fixture, fixture->conversation, "Read it");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);
  assert_says (fixture, 1, "BEGINNING", TRUE);
  assert_says (fixture, 1, "left out to save space", TRUE);
  assert_says (fixture, 1, "END", TRUE);
  beckon_agent_fixture_assert_same (fixture, fixture->conversation);
}

static BeckonMessage *
find_summary (BeckonAgentFixture *fixture)
{
  for (guint i = beckon_conversation_get_n_messages (fixture->conversation); i > 0; i--)
    {
      BeckonMessage *message = beckon_conversation_get_message (fixture->conversation, i - 1);

      if (beckon_note_get_kind (message) == BECKON_NOTE_SUMMARY)
        return message;
    }
  return NULL;
}

/* The person is asked, answers, and goes on until it is too much. */
static BeckonAgentFixture *
fixture_new_full (void)
{
  BeckonAgentFixture *fixture = fixture_new_with_window (4000);

  beckon_settings_set_enable_ask_user (fixture->settings, TRUE);
  beckon_agent_fixture_script (fixture, beckon_script_ask ("call_1"));
  script_text (fixture, "So be it.");
  beckon_agent_fixture_send (fixture, fixture->conversation, "Set up the server");
  beckon_agent_fixture_answer (fixture, beckon_agent_fixture_wait_pending (fixture, 1),
                               beckon_script_type ("4711, because 8080 is taken"));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  beckon_settings_set_enable_ask_user (fixture->settings, FALSE);
  say_long (fixture, "Second", 1000);
  say_long (fixture, "Third", 1000);
  return fixture;
}

static void
test_compaction (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_full ();
  g_autofree char *more = make_long ("Fourth", 1500);
  g_autofree char *stored = NULL;
  BeckonMessage *summary;
  g_auto (BeckonNote) note = { 0 };

  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 4);
  script_text (fixture, "THE-SUMMARY");
  say (fixture, more, "Done.");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 6);

  /* The summary is asked for with what was said, and without tools. */
  assert_says (fixture, 4, "Set up the server", TRUE);
  assert_says (fixture, 4, "4711, because 8080 is taken", TRUE);
  assert_says (fixture, 4, "\"tools\"", FALSE);
  assert_says (fixture, 4, "Fourth", FALSE);

  /* Then it stands for what it is of, beside the person's own words. */
  assert_says (fixture, 5, "THE-SUMMARY", TRUE);
  assert_says (fixture, 5, "4711, because 8080 is taken", TRUE);
  assert_says (fixture, 5, "Fourth", TRUE);
  assert_says (fixture, 5, "So be it.", FALSE);
  assert_says (fixture, 5, "\"tools\"", TRUE);

  /* No message is gone, and the place of the summary is to be seen. */
  summary = find_summary (fixture);
  g_assert_nonnull (summary);
  g_assert_true (beckon_note_read (beckon_message_get_part (summary, 0), &note));
  g_assert_cmpstr (note.summary, ==, "THE-SUMMARY");
  g_assert_nonnull (strstr (note.kept, "4711, because 8080 is taken"));
  stored = beckon_agent_fixture_dump_stored (fixture->store, beckon_conversation_get_id (fixture->conversation));
  g_assert_nonnull (strstr (stored, "Set up the server"));
  g_assert_nonnull (strstr (stored, "So be it."));
  beckon_agent_fixture_assert_same (fixture, fixture->conversation);
}

/* A quotation of the first summary is quoted again, and only once. */
static void
test_second_compaction (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_full ();
  g_autofree char *fourth = make_long ("Fourth", 1500);
  g_autofree char *fifth = make_long ("Fifth", 1500);
  g_autofree char *sixth = make_long ("Sixth", 1500);
  const char *quoted;
  guint last;

  script_text (fixture, "FIRST-SUMMARY");
  say (fixture, fourth, "Done.");
  script_text (fixture, "SECOND-SUMMARY");
  say (fixture, fifth, "Done.");
  script_text (fixture, "THIRD-SUMMARY");
  say (fixture, sixth, "Done.");
  last = beckon_fixture_server_count_requests (fixture->server) - 1;
  assert_says (fixture, last, "THIRD-SUMMARY", TRUE);
  assert_says (fixture, last, "SECOND-SUMMARY", FALSE);
  assert_says (fixture, last - 1, "SECOND-SUMMARY", TRUE);
  quoted = strstr (get_body (fixture, last), "4711, because 8080 is taken");
  g_assert_nonnull (quoted);
  g_assert_null (strstr (quoted + 1, "4711, because 8080 is taken"));
}

static void
add_message (GPtrArray *messages, BeckonRole role, gboolean calls)
{
  g_autofree char *text = g_strnfill (400, 't');
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, "c", "read_note", "{}");
  g_autoptr (BeckonPart) part = calls ? beckon_part_new_call (call) : beckon_part_new (BECKON_PART_TEXT, text);
  BeckonMessage *message = beckon_message_new (NULL, role, 1);

  beckon_tool_call_set_result (call, text, FALSE);
  beckon_message_add_part (message, part);
  beckon_message_set_seq (message, messages->len);
  g_ptr_array_add (messages, message);
}

/* Messages that the model has not read yet stay as they are, however much that is. */
static void
test_unread (void)
{
  static const struct
  {
    const char *history; /* the person's, replies, and those with calls */
    guint n;
  } cases[] = { { "UCC", 2 }, { "UCCU", 2 }, { "UCCUU", 2 }, { "UCRU", 3 }, { "UCRUU", 3 }, { "UCR", 2 }, { "U", 0 }, { "UC", 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) messages = g_ptr_array_new_with_free_func (g_object_unref);

      for (const char *at = cases[i].history; *at != '\0'; at++)
        add_message (messages, *at == 'U' ? BECKON_ROLE_USER : BECKON_ROLE_ASSISTANT, *at == 'C');
      g_assert_cmpuint (beckon_compaction_choose (messages, 10), ==, cases[i].n);
    }
}

static void
add_words (BeckonConversation *conversation, guint first, guint n)
{
  for (guint i = first; i < first + n; i++)
    {
      g_autofree char *filler = g_strnfill (300, '.');
      g_autofree char *text = g_strdup_printf ("Words %u\n- allowed %s", i, filler);
      g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_USER, 1);
      g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

      beckon_message_add_part (message, part);
      beckon_message_set_seq (message, i);
      beckon_conversation_add_message (conversation, message);
    }
}

static BeckonToolCall *
add_call (BeckonConversation *conversation, gint64 seq, const char *tool, const char *arguments)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 1);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, "call", tool, arguments);
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);

  beckon_message_add_part (message, part);
  beckon_message_set_seq (message, seq);
  beckon_conversation_add_message (conversation, message);
  return call;
}

/* The model's own list survives summaries, as it last stood; one that is done, or is still told, is not repeated. */
static void
test_progress_is_kept (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 1);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  g_autofree char *fourth = NULL;
  g_autoptr (BeckonMessage) summary = NULL;

  add_call (conversation, 1, "update_plan", "{\"steps\":[{\"title\":\"Look\",\"status\":\"executing\"}]}");
  add_call (conversation, 2, "update_plan",
            "{\"steps\":[{\"title\":\"Look\",\"status\":\"completed\"},{\"title\":\"- mend\\nit\",\"status\":\"pending\"}]}");
  first = beckon_compaction_quote (conversation, 2, 600);
  g_assert_cmpstr (first, ==, "Your list of what you do (update_plan), as it last stood:\n1. [completed] Look\n2. [pending] - mend it");
  summary = beckon_note_new_summary (2, "THE-SUMMARY", first, 1);
  beckon_message_set_seq (summary, 3);
  beckon_conversation_add_message (conversation, summary);
  add_words (conversation, 4, 1);
  second = beckon_compaction_quote (conversation, 4, 600);
  g_assert_true (g_str_has_prefix (second, first));
  g_assert_nonnull (strstr (second, "\n\nWhat the user decided and answered, word for word:\n- wrote: Words 4\n"));
  add_call (conversation, 5, "update_plan", "{\"steps\":[{\"title\":\"Mend\",\"status\":\"executing\"}]}");
  third = beckon_compaction_quote (conversation, 4, 600);
  g_assert_null (strstr (third, "update_plan"));
  add_call (conversation, 6, "update_plan", "{\"steps\":[{\"title\":\"Mend\",\"status\":\"completed\"}]}");
  fourth = beckon_compaction_quote (conversation, 6, 600);
  g_assert_null (strstr (fourth, "update_plan"));
}

/* Decisions are quoted, not the JSON that they were about. */
static void
test_quotes (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 1);
  g_autoptr (BeckonQuestion) question = beckon_question_parse ("{\"questions\":[{\"question\":\"Which port?\",\"options\":[\"80\",\"8080\"]},"
                                                               "{\"question\":\"Which name?\"}]}", NULL);
  BeckonAnswer *answers[] = { beckon_answer_new_question (2), beckon_answer_new (BECKON_ANSWER_DECLINED, "Not this one"),
                              beckon_answer_new (BECKON_ANSWER_APPROVED, NULL) };
  const char *const tools[] = { "ask_user", "run_command", "write_file" };
  const char *const arguments[] = { "{}", "{\"command\":\"rm -rf x\"}", "{\"path\":\"a.txt\",\"content\":\"long\"}" };
  g_autofree char *quote = NULL;

  beckon_answer_select (answers[0], 0, "8080");
  beckon_answer_set_item_text (answers[0], 0, "for now");
  beckon_answer_skip (answers[0], 1);
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      BeckonToolCall *call = add_call (conversation, i + 1, tools[i], arguments[i]);
      g_autoptr (BeckonRequest) request
        = i == 0 ? beckon_question_request_new (NULL, "one", NULL, beckon_tool_call_get_id (call), question, 1)
                 : beckon_approval_request_new (NULL, "one", NULL, beckon_tool_call_get_id (call), tools[i], arguments[i], NULL, 1);

      beckon_request_settle (request, i == 1 ? BECKON_REQUEST_DECLINED : BECKON_REQUEST_ANSWERED, answers[i], "terminal", "Ada", 2);
      beckon_tool_call_set_request (call, G_OBJECT (request));
      beckon_answer_unref (answers[i]);
    }
  quote = beckon_compaction_quote (conversation, 9, 6000);
  g_assert_cmpstr (quote, ==,
                   "What the user decided and answered, word for word:\n"
                   "- answered “Which port?”: 8080 — for now\n"
                   "- skipped “Which name?”\n"
                   "- refused run_command: rm -rf x\n  Not this one\n"
                   "- allowed write_file: a.txt");
}

/* The first and the last of very many words are quoted, after any number of summaries. */
static void
test_first_words (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 1);
  guint n = 0;

  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *last = g_strdup_printf ("- wrote: Words %u\n  - allowed ..", n + 39);
      g_autofree char *quote = NULL;
      g_autoptr (BeckonMessage) summary = NULL;

      add_words (conversation, n, 40);
      n += 40;
      quote = beckon_compaction_quote (conversation, n - 1, 600);
      g_assert_cmpint (tokens_of (quote), <=, 620);
      g_assert_nonnull (strstr (quote, "word for word:\n- wrote: Words 0\n  - allowed .."));
      g_assert_nonnull (strstr (quote, "is left out.)\n"));
      g_assert_nonnull (strstr (quote, last));
      g_assert_null (strstr (quote, "Words 20\n"));
      summary = beckon_note_new_summary (n - 1, "THE-SUMMARY", quote, 1);
      beckon_message_set_seq (summary, n++);
      beckon_conversation_add_message (conversation, summary);
    }
}

/* The server knows better how much it takes. */
static void
test_too_long (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with_window (0);
  g_autofree char *more = make_long ("Fourth", 300);

  say_long (fixture, "First", 1000);
  say_long (fixture, "Second", 1000);
  say_long (fixture, "Third", 1000);
  beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "This model's maximum context length is 2048 tokens. "
                                                                        "However, your messages resulted in 3456 tokens."));
  script_text (fixture, "THE-SUMMARY");
  say (fixture, more, "Done.");
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 6);
  assert_says (fixture, 5, "THE-SUMMARY", TRUE);
  assert_says (fixture, 5, "Fourth", TRUE);
  assert_says (fixture, 5, "Second", FALSE);
  g_assert_nonnull (find_summary (fixture));
}

/* A request that was too long is no failure of the server: two more are borne, as always. */
static void
test_too_long_and_busy (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with_window (0);
  g_autofree char *more = make_long ("Fourth", 300);

  say_long (fixture, "First", 1000);
  say_long (fixture, "Second", 1000);
  say_long (fixture, "Third", 1000);
  beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "This model's maximum context length is 2048 tokens. "
                                                                        "However, your messages resulted in 3456 tokens."));
  beckon_agent_fixture_script (fixture, beckon_script_error (503, NULL, "Busy"));
  beckon_agent_fixture_script (fixture, beckon_script_error (503, NULL, "Busy"));
  script_text (fixture, "THE-SUMMARY");
  script_text (fixture, "Done.");
  beckon_agent_fixture_send (fixture, fixture->conversation, more);
  for (guint i = 0; i < 2; i++)
    {
      beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 5 + i);
      beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
      beckon_clock_advance (fixture->clock, 2500);
      beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_REQUESTING);
    }
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_nonnull (find_summary (fixture));
}

/* Long results, and a server that refuses in words that nobody knows: the request goes again once, shorter. A short one is not
 * repeated; and what stays refused says why. */
static void
test_unexplained (void)
{
  static const struct
  {
    guint length;
    guint n_refusals;
    BeckonRunPhase end;
    guint n_requests;
  } cases[] = {
    { 12000, 1, BECKON_RUN_COMPLETE, 14 },
    { 12000, 2, BECKON_RUN_FAILED, 14 },
    { 100, 1, BECKON_RUN_FAILED, 13 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonAgentFixture) fixture = fixture_new_with_window (20000);
      g_autofree char *result = make_long ("Result", cases[i].length / 4);
      g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("read_note", TRUE);

      beckon_test_tool_set_result (tool, result);
      beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
      for (guint call = 0; call < 12; call++)
        {
          g_autofree char *arguments = g_strdup_printf ("{\"n\":%u}", call);

          beckon_agent_fixture_script (fixture, beckon_script_call ("call", "read_note", arguments));
        }
      for (guint refusal = 0; refusal < cases[i].n_refusals; refusal++)
        beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "No."));
      script_text (fixture, "Done.");
      beckon_agent_fixture_send (fixture, fixture->conversation, "Go");
      beckon_agent_fixture_wait_end (fixture, cases[i].end);
      g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, cases[i].n_requests);
      if (cases[i].n_requests == 14)
        g_assert_cmpuint (strlen (get_body (fixture, 13)), <, strlen (get_body (fixture, 12)) * 3 / 4);
      if (cases[i].end == BECKON_RUN_FAILED)
        g_assert_nonnull (strstr (beckon_conversation_get_detail (fixture->conversation), "rejected the request"));
    }
}

/* A message that is too long by itself can't be made shorter. */
static void
test_too_long_for_ever (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with_window (0);
  g_autofree char *text = make_long ("Long", 3000);

  beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, "prompt is too long"));
  beckon_agent_fixture_send (fixture, fixture->conversation, text);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
  g_assert_nonnull (strstr (beckon_conversation_get_detail (fixture->conversation), "cannot be made shorter"));
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);
  g_assert_null (find_summary (fixture));
}

/* A server that refuses whatever it is sent, the summary's request too, is believed in the end; nothing turns in circles. */
static void
test_nothing_fits (void)
{
  /* The second leaves no room for so much as the instructions. */
  static const guint counted[] = { 5123, 15000 };

  for (guint i = 0; i < G_N_ELEMENTS (counted); i++)
    {
      g_autoptr (BeckonAgentFixture) fixture = fixture_new_with_window (0);
      g_autofree char *words = g_strdup_printf ("This model's maximum context length is 1024 tokens. However, your messages "
                                                "resulted in %u tokens.", counted[i]);

      say_long (fixture, "First", 1000);
      say_long (fixture, "Second", 1000);
      say_long (fixture, "Third", 1000);
      for (guint j = 0; j < 20; j++)
        beckon_agent_fixture_script (fixture, beckon_script_error (400, NULL, words));
      beckon_agent_fixture_send (fixture, fixture->conversation, "Go on.");
      beckon_agent_fixture_wait_end (fixture, BECKON_RUN_FAILED);
      g_assert_nonnull (strstr (beckon_conversation_get_detail (fixture->conversation), words));
      g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), <=, 3 + 8);
      g_assert_null (find_summary (fixture));
    }
}

static void
test_stop (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_full ();
  g_autofree char *more = make_long ("Fourth", 1500);

  beckon_agent_fixture_script (fixture, beckon_script_held ("Half a summ", "never", ""));
  beckon_agent_fixture_send (fixture, fixture->conversation, more);
  beckon_agent_wait_until (beckon_fixture_server_count_held (fixture->server, "never") == 1);
  g_assert_cmpstr (beckon_conversation_get_detail (fixture->conversation), ==, "Summarizing earlier messages…");
  beckon_agent_fixture_stop (fixture);
  g_assert_cmpint (beckon_conversation_get_phase (fixture->conversation), ==, BECKON_RUN_STOPPED);
  g_assert_null (find_summary (fixture));

  /* To go on begins with the summary again. */
  script_text (fixture, "THE-SUMMARY");
  script_text (fixture, "Done.");
  beckon_agent_fixture_continue (fixture);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_nonnull (find_summary (fixture));
}

/* S16: whoever was at it is gone. The history is what it was. */
static void
test_died (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_full ();
  g_autofree char *more = make_long ("Fourth", 1500);
  g_autofree char *id = g_strdup (beckon_conversation_get_id (fixture->conversation));
  g_autofree char *stored = NULL;

  beckon_agent_fixture_script (fixture, beckon_script_held ("Half a summ", "never", ""));
  beckon_agent_fixture_send (fixture, fixture->conversation, more);
  beckon_agent_wait_until (beckon_fixture_server_count_held (fixture->server, "never") == 1);
  beckon_agent_detach (fixture->agent);
  beckon_agent_fixture_settle ();
  beckon_agent_fixture_sync (fixture);
  stored = beckon_agent_fixture_dump_stored (fixture->store, id);
  g_assert_nonnull (strstr (stored, "Fourth"));
  g_assert_null (strstr (stored, "Half a summ"));
  g_assert_cmpint (beckon_agent_fixture_get_open_phase (fixture->store), ==, BECKON_RUN_REQUESTING);
}

/* A summary that cannot be had is a round that failed: tried again, and said. */
static void
test_no_summary (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_full ();
  g_autofree char *more = make_long ("Fourth", 1500);

  script_text (fixture, " \n ");
  script_text (fixture, "THE-SUMMARY");
  script_text (fixture, "Done.");
  beckon_agent_fixture_send (fixture, fixture->conversation, more);
  beckon_agent_fixture_wait_phase (fixture, BECKON_RUN_RETRY_WAIT);
  beckon_clock_advance (fixture->clock, 1250);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_nonnull (find_summary (fixture));
}

/* --- What is loaded ----------------------------------------------------------------------------------------------- */

/* A model is told as much as if all of it was loaded. @all: whether all of it is loaded for that */
static void
assert_loads (BeckonAgentFixture *fixture, guint n, int through, gboolean all)
{
  g_autofree char *first = NULL;
  g_autofree char *last = g_strdup_printf ("\"Past %u\"", n - 1);
  g_autofree char *left_out = g_strdup_printf ("\"Past %d\"", through);

  say (fixture, "Hello", "Good day");
  beckon_agent_fixture_add_past (fixture, n, through);
  first = g_strdup_printf ("\"Past %d\"", through + 1);
  script_text (fixture, "I see");
  beckon_agent_fixture_send (fixture, fixture->conversation, "Go");
  beckon_agent_wait_until (beckon_fixture_server_count_requests (fixture->server) == 2
                           && beckon_conversation_get_phase (fixture->conversation) == BECKON_RUN_COMPLETE);
  g_assert_cmpint (!beckon_conversation_get_has_earlier (fixture->conversation), ==, all);
  assert_says (fixture, 1, "THE-SUMMARY", through >= 0);
  assert_says (fixture, 1, left_out, FALSE);
  assert_says (fixture, 1, first, TRUE);
  assert_says (fixture, 1, last, TRUE);
  beckon_agent_fixture_open (fixture, beckon_conversation_get_id (fixture->conversation));
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
}

/* Summarized messages are not loaded. */
static void
test_loaded_to_summary (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with_window (0);

  assert_loads (fixture, 400, 240, FALSE);
  g_assert_false (beckon_conversation_get_has_earlier (fixture->conversation));
}

static void
test_loaded_without_summary (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with_window (0);

  assert_loads (fixture, 400, -1, TRUE);
}

/* The limit is about what all of it has cost. */
static void
test_loaded_with_spending (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with_window (0);

  beckon_settings_set_spending_limit (fixture->settings, 1.0);
  assert_loads (fixture, 400, 240, TRUE);
  beckon_settings_set_spending_limit (fixture->settings, 0);
}

/* A turn is looked at from its beginning, also where a summary stands for that. */
static void
test_loaded_turn (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 1);
  g_autoptr (BeckonMessage) summary = beckon_note_new_summary (5, "THE-SUMMARY", "", 1);
  g_autoptr (BeckonMessage) question = beckon_message_new (NULL, BECKON_ROLE_USER, 1);

  g_assert_true (beckon_context_is_loaded (conversation));
  beckon_conversation_set_has_earlier (conversation, TRUE);
  g_assert_false (beckon_context_is_loaded (conversation));
  for (gint64 seq = 5; seq < 8; seq++)
    {
      g_autoptr (BeckonMessage) reply = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 1);

      beckon_message_set_seq (reply, seq);
      beckon_conversation_add_message (conversation, reply);
    }
  g_assert_false (beckon_context_is_loaded (conversation));
  beckon_conversation_add_message (conversation, summary);
  g_assert_false (beckon_context_is_loaded (conversation));
  beckon_conversation_add_message (conversation, question);
  g_assert_true (beckon_context_is_loaded (conversation));
}

/* --- What it costs ------------------------------------------------------------------------------------------------ */

static void
test_cost (void)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("one", BECKON_PROFILE_CHAT);
  BeckonUsage usage = { 1000, 100, 400, -1 };
  BeckonUsage sum = BECKON_USAGE_INIT;
  g_autofree char *text = NULL;

  beckon_usage_set_cost (&usage, profile);
  g_assert_cmpint (usage.cost, ==, -1);
  g_assert_null (beckon_usage_dup_text (&sum, "USD"));
  beckon_profile_set_price (profile, BECKON_PRICE_INPUT, 2);
  beckon_profile_set_price (profile, BECKON_PRICE_OUTPUT, 10);
  beckon_usage_set_cost (&usage, profile);
  g_assert_cmpint (usage.cost, ==, 2000 + 1000);
  beckon_profile_set_price (profile, BECKON_PRICE_CACHED, 0.5);
  beckon_usage_set_cost (&usage, profile);
  g_assert_cmpint (usage.cost, ==, 600 * 2 + 200 + 1000);
  beckon_usage_add (&sum, &usage);
  beckon_usage_add (&sum, &(BeckonUsage) BECKON_USAGE_INIT);
  beckon_usage_add (&sum, &usage);
  text = beckon_usage_dup_text (&sum, "USD");
  g_assert_cmpstr (text, ==, "2000 tokens in (800 cached) · 200 out · 0.0048 USD");
}

/* Amounts in different currencies are not added up. */
static void
test_currencies (void)
{
  static const struct
  {
    gint64 cost;
    const char *currency;
  } paid[] = { { 1500000, "USD" }, { -1, NULL }, { 7000000, "CNY" }, { 500000, "USD" }, { 10, NULL } };
  g_autoptr (BeckonCosts) costs = beckon_costs_new ();
  BeckonUsage sum = BECKON_USAGE_INIT;
  g_autofree char *text = NULL;
  g_autofree char *mixed = NULL;

  g_assert_null (beckon_costs_dup_text (costs));
  for (guint i = 0; i < G_N_ELEMENTS (paid); i++)
    {
      const BeckonUsage usage = { 10, 1, -1, paid[i].cost, paid[i].currency };

      beckon_costs_add (costs, &usage);
      beckon_usage_add (&sum, &usage);
    }
  g_assert_cmpuint (beckon_costs_get_n_currencies (costs), ==, 3);
  g_assert_cmpint (beckon_costs_get (costs, "USD"), ==, 2000000);
  g_assert_cmpint (beckon_costs_get (costs, "CNY"), ==, 7000000);
  g_assert_cmpint (beckon_costs_get (costs, "EUR"), ==, 0);
  text = beckon_costs_dup_text (costs);
  g_assert_cmpstr (text, ==, "2.0000 USD + 7.0000 CNY + 0.0000");
  g_assert_cmpint (sum.cost, ==, BECKON_USAGE_COST_MIXED);
  mixed = beckon_usage_dup_text (&sum, NULL);
  g_assert_cmpstr (mixed, ==, "50 tokens in · 5 out");
}

/* Every amount that was set is a pause, between rounds; to go on means another one. */
static void
test_spending (void)
{
  g_autoptr (BeckonAgentFixture) fixture = fixture_new_with_window (0);
  g_autofree char *id = beckon_settings_dup_default_profile (fixture->settings);
  BeckonProfile *profile = beckon_profiles_lookup (fixture->profiles, id);
  g_autoptr (BeckonTestTool) tool = beckon_test_tool_new ("read_note", TRUE);
  g_autofree char *stored = NULL;

  beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
  beckon_profile_set_price (profile, BECKON_PRICE_INPUT, 100000);
  beckon_profile_set_currency (profile, "USD");
  beckon_settings_set_spending_limit (fixture->settings, 1.0);
  for (guint i = 0; i < 3; i++)
    {
      /* The same call thrice would be a circle. */
      static const char *const places[] = { "{}", "{\"n\":1}", "{\"n\":2}" };
      BeckonFixtureReply *reply = beckon_fixture_reply_new ();

      beckon_fixture_reply_add_stream_head (reply);
      beckon_fixture_reply_add_chat_call (reply, 0, "call_1", "read_note", places[i]);
      beckon_fixture_reply_add_chat_finish (reply, "tool_calls");
      beckon_fixture_reply_add_chat_usage (reply, 12, 3);
      beckon_fixture_reply_add_chat_done (reply);
      beckon_agent_fixture_script (fixture, reply);
    }
  beckon_agent_fixture_send (fixture, fixture->conversation, "Read it");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_ROUND_LIMIT);
  g_assert_nonnull (strstr (beckon_conversation_get_detail (fixture->conversation), "has cost 1.20 USD so far"));
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 1);

  beckon_agent_fixture_continue (fixture);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_ROUND_LIMIT);
  g_assert_nonnull (strstr (beckon_conversation_get_detail (fixture->conversation), "has cost 2.40 USD so far"));
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, 2);

  /* Another currency counts for itself. */
  beckon_profile_set_currency (profile, "CNY");
  beckon_agent_fixture_continue (fixture);
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_ROUND_LIMIT);
  g_assert_nonnull (strstr (beckon_conversation_get_detail (fixture->conversation), "has cost 1.20 CNY so far"));
  beckon_settings_set_spending_limit (fixture->settings, 0);
  beckon_agent_fixture_assert_same (fixture, fixture->conversation);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/context/tokens", test_tokens);
  g_test_add_func ("/agent/context/meter", test_meter);
  g_test_add_func ("/agent/context/results-are-cut", test_results_are_cut);
  g_test_add_func ("/agent/context/results-are-cut-notes", test_cut_keeps_notes);
  g_test_add_func ("/agent/context/huge-result", test_huge_result);
  g_test_add_func ("/agent/context/kept-output", test_kept_output);
  g_test_add_func ("/agent/context/compaction", test_compaction);
  g_test_add_func ("/agent/context/second-compaction", test_second_compaction);
  g_test_add_func ("/agent/context/unread", test_unread);
  g_test_add_func ("/agent/context/first-words", test_first_words);
  g_test_add_func ("/agent/context/progress-is-kept", test_progress_is_kept);
  g_test_add_func ("/agent/context/quotes", test_quotes);
  g_test_add_func ("/faults/D/57-too-long", test_too_long);
  g_test_add_func ("/faults/D/57-too-long-and-busy", test_too_long_and_busy);
  g_test_add_func ("/agent/context/unexplained", test_unexplained);
  g_test_add_func ("/agent/context/nothing-fits", test_nothing_fits);
  g_test_add_func ("/faults/D/57-too-long-for-ever", test_too_long_for_ever);
  g_test_add_func ("/agent/context/cost", test_cost);
  g_test_add_func ("/agent/context/currencies", test_currencies);
  g_test_add_func ("/agent/context/spending", test_spending);
  g_test_add_func ("/agent/context/loaded-to-summary", test_loaded_to_summary);
  g_test_add_func ("/agent/context/loaded-without-summary", test_loaded_without_summary);
  g_test_add_func ("/agent/context/loaded-with-spending", test_loaded_with_spending);
  g_test_add_func ("/agent/context/loaded-turn", test_loaded_turn);
  g_test_add_func ("/agent/context/stop", test_stop);
  g_test_add_func ("/faults/E/79-died-while-summarizing", test_died);
  g_test_add_func ("/agent/context/no-summary", test_no_summary);
  return g_test_run ();
}
