/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Several changes of one file in one message: each is asked about with what those before it have made of the file, or not at
 * all where it can't be made then; what anybody else makes of the file meanwhile is a reason to ask again.
 */

#include "beckon-agent-fixture.h"
#include "beckon-tree.h"
#include "base/beckon-id.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "sandbox/beckon-sandbox.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTES "one\ntwo\nthree\nfour\nfive\nsix\n"

static gboolean is_possible; /* whether commands run here */

typedef struct
{
  BeckonAgentFixture *agent;
  BeckonOutputStore *outputs;
  char *folder;
  char *path;
} Test;

static void
add_tools (Test *test)
{
  beckon_tool_registry_add_working (test->agent->tools, &(BeckonToolParts){
                                                            .copies = BECKON_FILE_COPIES (test->agent->store),
                                                            .memory = BECKON_MEMORY (test->agent->store),
                                                            .outputs = test->outputs,
                                                        });
}

static void
write_notes (Test *test, const char *contents)
{
  g_assert_true (g_file_set_contents (test->path, contents, -1, NULL));
}

static void
set_up (Test *test, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-two-edits-XXXXXX", NULL);

  test->folder = realpath (made, NULL);
  test->path = g_build_filename (test->folder, "notes.txt", NULL);
  test->agent = beckon_agent_fixture_new ();
  test->outputs = beckon_output_store_new ();
  add_tools (test);
  beckon_library_set_folder (test->agent->library, test->agent->conversation, test->folder);
  beckon_library_set_mode (test->agent->library, test->agent->conversation, BECKON_MODE_ASK_EVERYTHING);
  write_notes (test, NOTES);
}

static void
tear_down (Test *test, gconstpointer data)
{
  beckon_agent_fixture_free (test->agent);
  g_object_unref (test->outputs);
  beckon_tree_remove (test->folder);
  g_free (test->folder);
  g_free (test->path);
}

#define EDIT(old_text, new_text) "{\"path\":\"notes.txt\",\"old_text\":\"" old_text "\",\"new_text\":\"" new_text "\"}"

/* The calls of one message. @n_asked: how many are asked about at once */
static void
say (Test *test, const BeckonScriptCall *calls, guint n, guint n_asked)
{
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, n, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_agent_fixture_wait_pending (test->agent, n_asked);
}

static void
say_two (Test *test, const char *first, const char *second)
{
  const BeckonScriptCall calls[] = { { "call_1", "edit_file", first }, { "call_2", "edit_file", second } };

  say (test, calls, G_N_ELEMENTS (calls), 1);
}

static BeckonToolCall *
get_call (Test *test, guint index)
{
  BeckonMessage *message = beckon_conversation_get_message (test->agent->conversation, 1);

  return beckon_part_get_call (beckon_message_get_part (message, index));
}

/* Runs it with the file as it was when it was asked about. */
static void
approve (Test *test, guint index)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (get_call (test, index)));

  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
}

static void
run (Test *test, guint index)
{
  approve (test, index);
  beckon_agent_wait_until (beckon_tool_call_get_state (get_call (test, index)) == BECKON_CALL_DONE);
}

static void
assert_holds (Test *test, const char *expected)
{
  g_autofree char *contents = NULL;

  g_assert_true (g_file_get_contents (test->path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, expected);
}

static void
approve_in_vain (Test *test, guint index)
{
  BeckonRequest *before = BECKON_REQUEST (beckon_tool_call_get_request (get_call (test, index)));

  approve (test, index);
  beckon_agent_wait_until (BECKON_REQUEST (beckon_tool_call_get_request (get_call (test, index))) != before
                           && beckon_tool_call_get_state (get_call (test, index)) == BECKON_CALL_AWAITING);
}

/* The call is asked about a second time, and has not run. */
static void
assert_asked_again (Test *test, guint index, const char *contents)
{
  approve_in_vain (test, index);
  g_assert_nonnull (strstr (beckon_request_get_reason (beckon_agent_fixture_wait_pending (test->agent, 1)),
                            "has changed since you were asked"));
  assert_holds (test, contents);
  beckon_agent_fixture_stop (test->agent);
}

static void
finish (Test *test, const char *contents)
{
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  assert_holds (test, contents);
}

/* Each is asked about alone, with what the ones before it made of the file. */
static void
test_in_turn (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = {
    { "call_1", "edit_file", EDIT ("two\\n", "2\\nand a half\\n") },
    { "call_2", "edit_file", EDIT ("five", "5") },
    { "call_3", "edit_file", EDIT ("fo", "FO") },
    { "call_4", "edit_file", EDIT ("ur", "UR") },
    { "call_5", "write_file", "{\"path\":\"notes.txt\",\"content\":\"1\\n\"}" },
  };

  say (test, calls, G_N_ELEMENTS (calls), 1);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      beckon_agent_wait_until (beckon_tool_call_get_state (get_call (test, i)) == BECKON_CALL_AWAITING);
      for (guint k = i + 1; k < G_N_ELEMENTS (calls); k++)
        g_assert_cmpint (beckon_tool_call_get_state (get_call (test, k)), ==, BECKON_CALL_PROPOSED);
      if (i == 4)
        assert_holds (test, "one\n2\nand a half\nthree\nFOUR\n5\nsix\n");
      approve (test, i);
    }
  finish (test, "1\n");
}

static void
on_previewed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCallPreview **preview = user_data;

  *preview = beckon_call_previewer_preview_finish (BECKON_CALL_PREVIEWER (source), result, NULL);
  g_assert_nonnull (*preview);
}

/* Parts of any edit are left out: of several in one call, and of one that is made everywhere. */
static void
test_parts (Test *test, gconstpointer data)
{
  static const struct
  {
    const char *arguments;
    const char *after;
  } cases[] = {
    { "{\"path\":\"notes.txt\",\"old_text\":\"01\",\"new_text\":\"one\",\"more_edits\":["
      "{\"old_text\":\"20\",\"new_text\":\"twenty\"},{\"old_text\":\"11\",\"new_text\":\"eleven\"}]}",
      "eleven" },
    { "{\"path\":\"notes.txt\",\"old_text\":\"1\\n\",\"new_text\":\"1!\\n\",\"replace_all\":true}", "11!" },
  };
  BeckonCallPreviewer *previewer = BECKON_CALL_PREVIEWER (test->agent->agent);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const BeckonScriptCall calls[] = { { "call_1", "edit_file", cases[i].arguments } };
      g_autoptr (GString) before = g_string_new (NULL);
      g_autoptr (GString) after = g_string_new (NULL);
      g_autoptr (BeckonCallPreview) preview = NULL;
      g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (guint));
      g_autofree char *arguments = NULL;
      BeckonRequest *request;

      for (guint line = 1; line <= 21; line++)
        {
          g_autofree char *number = g_strdup_printf ("%02u", line);

          g_string_append_printf (before, "%s\n", number);
          g_string_append_printf (after, "%s\n", line == 11 ? cases[i].after : number);
        }
      write_notes (test, before->str);
      beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 1, "tool_calls"));
      beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
      beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
      request = beckon_agent_fixture_wait_pending (test->agent, 1);
      beckon_call_previewer_preview_async (previewer, request, cases[i].arguments, NULL, on_previewed, &preview);
      beckon_agent_wait_until (preview != NULL);
      g_assert_true (preview->can_leave_out);
      g_assert_cmpuint (preview->n_hunks, ==, 3);
      g_array_append_val (kept, (guint){ 1 });
      arguments = beckon_call_previewer_leave_out (previewer, preview, cases[i].arguments, kept);
      beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, arguments));
      finish (test, after->str);
    }
}

static void
set_mode (Test *test, BeckonMode mode)
{
  beckon_library_set_mode (test->agent->library, test->agent->conversation, mode);
}

static void
keep (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
rule_reading (Test *test, BeckonVerdict verdict)
{
  g_autoptr (BeckonRule) rule = beckon_rule_new ();
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;

  rule->id = beckon_id_new ();
  rule->tool = g_strdup ("read_file");
  rule->arguments = g_strdup ("{\"path\":\"notes.txt\"}");
  rule->verdict = verdict;
  rule->created_at = 1;
  beckon_rules_save_async (test->agent->rules, rule, NULL, keep, &saved);
  beckon_agent_wait_until (saved != NULL);
  beckon_rules_save_finish (test->agent->rules, saved, &error);
  g_assert_no_error (error);
}

static BeckonRequest *
find_changes (Test *test)
{
  GListModel *pending = G_LIST_MODEL (test->agent->inbox);

  for (guint i = 0; i < g_list_model_get_n_items (pending); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (pending, i);

      if (BECKON_IS_CHANGES_REQUEST (request))
        return request;
    }
  return NULL;
}

static void
wait_until_asked (Test *test, guint index)
{
  beckon_agent_wait_until (beckon_tool_call_get_state (get_call (test, index)) == BECKON_CALL_AWAITING);
  approve (test, index);
}

/* An edit that can't be made is answered to the model and asked of nobody. */
static void
test_hopeless (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = { { "call_1", "edit_file", EDIT ("tow", "2") } };

  set_mode (test, BECKON_MODE_ASK_CHANGES);
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 1, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  finish (test, NOTES);
  g_assert_null (beckon_tool_call_get_request (get_call (test, 0)));
  g_assert_nonnull (strstr (beckon_tool_call_get_result (get_call (test, 0)), "old_text is not in"));
}

/* Nor is one that another program has made impossible since it was asked about. */
static void
test_hopeless_since (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = { { "call_1", "edit_file", EDIT ("two", "2") } };
  BeckonRequest *request;

  set_mode (test, BECKON_MODE_ASK_CHANGES);
  say (test, calls, 1, 1);
  request = BECKON_REQUEST (beckon_tool_call_get_request (get_call (test, 0)));
  write_notes (test, "seven\n");
  approve (test, 0);
  finish (test, "seven\n");
  g_assert_true (BECKON_REQUEST (beckon_tool_call_get_request (get_call (test, 0))) == request);
  g_assert_nonnull (strstr (beckon_tool_call_get_result (get_call (test, 0)), "old_text is not in"));
}

/* The same change again, or one in what a call before it takes away, is asked of nobody. */
static void
test_hopeless_again (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = {
    { "call_1", "edit_file", EDIT ("two", "2") },
    { "call_2", "edit_file", EDIT ("two", "2") },
    { "call_3", "write_file", "{\"path\":\"notes.txt\",\"content\":\"1\\n\"}" },
    { "call_4", "write_file", "{\"path\":\"notes.txt\",\"content\":\"1\\n\"}" },
    { "call_5", "delete_files", "{\"paths\":[\"sub\"]}" },
    { "call_6", "edit_file", "{\"path\":\"sub/a.txt\",\"old_text\":\"a\",\"new_text\":\"b\"}" },
  };
  g_autofree char *folder = g_build_filename (test->folder, "sub", NULL);
  g_autofree char *path = g_build_filename (folder, "a.txt", NULL);

  g_assert_cmpint (g_mkdir (folder, 0755), ==, 0);
  g_assert_true (g_file_set_contents (path, "a\n", -1, NULL));
  set_mode (test, BECKON_MODE_ASK_CHANGES);
  say (test, calls, G_N_ELEMENTS (calls), 1);
  wait_until_asked (test, 0);
  wait_until_asked (test, 2);
  beckon_agent_wait_until (find_changes (test) != NULL);
  beckon_agent_fixture_answer (test->agent, find_changes (test), beckon_answer_new (BECKON_ANSWER_KEPT, NULL));
  finish (test, "1\n");
  for (guint i = 1; i < G_N_ELEMENTS (calls); i += 2)
    {
      g_assert_null (beckon_tool_call_get_request (get_call (test, i)));
      g_assert_true (beckon_tool_call_get_is_error (get_call (test, i)));
    }
}

/* Unless the file may not be read unasked: an answer would tell what is in it. */
static void
test_hopeless_unread (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = { { "call_1", "edit_file", EDIT ("tow", "2") } };

  say (test, calls, G_N_ELEMENTS (calls), 1);
  beckon_agent_fixture_stop (test->agent);
}

static void
test_hopeless_ruled (Test *test, gconstpointer data)
{
  set_mode (test, BECKON_MODE_ASK_CHANGES);
  rule_reading (test, BECKON_VERDICT_ASK);
  test_hopeless_unread (test, data);
}

/* A name that is like a file's is answered with that file's, unless a rule denies it. */
static void
test_hopeless_name (Test *test, gconstpointer data)
{
  const gboolean is_denied = GPOINTER_TO_INT (data);
  const BeckonScriptCall calls[]
    = { { "call_1", "edit_file", "{\"path\":\"Notes.txt\",\"old_text\":\"two\",\"new_text\":\"2\"}" } };
  const char *result;

  set_mode (test, BECKON_MODE_ASK_CHANGES);
  if (is_denied)
    rule_reading (test, BECKON_VERDICT_DENY);
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 1, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  finish (test, NOTES);
  result = beckon_tool_call_get_result (get_call (test, 0));
  g_assert_nonnull (strstr (result, "There is no “Notes.txt”."));
  g_assert_cmpint (strstr (result, "“notes.txt”") == NULL, ==, is_denied);
}

/* Behind calls that may change its file, too: it is judged when its turn comes. */
static void
test_hopeless_behind (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = {
    { "call_1", "edit_file", "{\"path\":\"none.txt\",\"old_text\":\"a\",\"new_text\":\"b\"}" },
    { "call_2", "write_file", "{\"path\":\"new.txt\",\"content\":\"a\"}" },
    { "call_3", "edit_file", EDIT ("tow", "2") },
    { "call_4", "edit_file", "{\"path\":\"none.txt\",\"old_text\":\"a\",\"new_text\":\"b\"}" },
    { "call_5", "edit_file", "{\"path\":\"new.txt\",\"old_text\":\"a\",\"new_text\":\"b\"}" },
    { "call_6", "run_command", "{\"command\":\"true\"}" },
    { "call_7", "edit_file", EDIT ("tow", "2") },
  };

  set_mode (test, BECKON_MODE_ASK_CHANGES);
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_agent_fixture_wait_pending (test->agent, 1);
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test, 2)), ==, BECKON_CALL_DONE);
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test, 4)), ==, BECKON_CALL_PROPOSED);
  wait_until_asked (test, 1);
  wait_until_asked (test, 4);
  /* Its call is asked about where no command can run. */
  if (!is_possible)
    wait_until_asked (test, 5);
  finish (test, NOTES);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    g_assert_cmpint (beckon_tool_call_get_request (get_call (test, i)) != NULL, ==, i == 1 || i == 4 || (i == 5 && !is_possible));
}

/* The same of the file that the first one changes, and by another program. */
static void
test_hopeless_restarted (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = {
    { "call_1", "edit_file", EDIT ("two", "2") },
    { "call_2", "edit_file", EDIT ("twenty", "20") },
  };
  g_autofree char *id = g_strdup (beckon_conversation_get_id (test->agent->conversation));

  set_mode (test, BECKON_MODE_ASK_CHANGES);
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_agent_fixture_wait_pending (test->agent, 1);
  beckon_agent_fixture_restart (test->agent);
  add_tools (test);
  beckon_agent_fixture_open (test->agent, id);
  beckon_agent_fixture_recover (test->agent);
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_WAITING);
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test, 1)), ==, BECKON_CALL_PROPOSED);
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  approve (test, 0);
  finish (test, "one\n2\nthree\nfour\nfive\nsix\n");
  g_assert_null (beckon_tool_call_get_request (get_call (test, 1)));
  g_assert_true (beckon_tool_call_get_is_error (get_call (test, 1)));
}

/* A call that one before it makes possible is asked about then, with what it changes. */
static void
test_hopeless_later (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = {
    { "call_1", "edit_file", EDIT ("two", "tow") },
    { "call_2", "edit_file", EDIT ("tow", "2") },
  };

  set_mode (test, BECKON_MODE_ASK_CHANGES);
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_agent_fixture_wait_pending (test->agent, 1);
  wait_until_asked (test, 0);
  wait_until_asked (test, 1);
  finish (test, "one\n2\nthree\nfour\nfive\nsix\n");
}

/* The process that ran the first one is gone. */
static void
test_restarted (Test *test, gconstpointer data)
{
  g_autofree char *id = g_strdup (beckon_conversation_get_id (test->agent->conversation));

  say_two (test, EDIT ("two", "2"), EDIT ("five", "5"));
  run (test, 0);
  beckon_agent_wait_until (beckon_tool_call_get_state (get_call (test, 1)) == BECKON_CALL_AWAITING);
  beckon_agent_fixture_restart (test->agent);
  add_tools (test);
  beckon_agent_fixture_open (test->agent, id);
  beckon_agent_fixture_recover (test->agent);
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_WAITING);
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  approve (test, 1);
  finish (test, "one\n2\nthree\nfour\n5\nsix\n");
}

static void
on_probed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
probe (void)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_sandbox_probe_async (NULL, on_probed, &result);
  beckon_agent_wait_until (result != NULL);
  is_possible = beckon_sandbox_probe_finish (result, NULL);
}

static void
say_changes (Test *test, const BeckonScriptCall *calls, guint n)
{
  set_mode (test, BECKON_MODE_ASK_CHANGES);
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, n, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
}

/* A command that runs unasked is over before the edits behind it are asked about, and so is what becomes of its changes where
 * they are of the same file. */
static void
test_command_unasked (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = {
    { "call_1", "run_command", "{\"command\":\"sed -i s/two/2/ notes.txt\"}" },
    { "call_2", "edit_file", EDIT ("five", "5") },
    { "call_3", "write_file", "{\"path\":\"other.txt\",\"content\":\"a\"}" },
    { "call_4", "write_file", "{\"path\":\"another.txt\",\"content\":\"a\"}" },
  };

  if (!is_possible)
    {
      g_test_skip ("there is no working bubblewrap here");
      return;
    }
  say_changes (test, calls, G_N_ELEMENTS (calls));
  beckon_agent_fixture_wait_pending (test->agent, 3);
  g_assert_true (BECKON_IS_CHANGES_REQUEST (beckon_agent_fixture_get_pending (test->agent, 0)));
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test, 1)), ==, BECKON_CALL_PROPOSED);
  for (guint i = 1; i < 3; i++)
    g_assert_cmpstr (beckon_request_get_call_id (beckon_agent_fixture_get_pending (test->agent, i)), ==,
                     beckon_tool_call_get_id (get_call (test, i + 1)));
  beckon_agent_fixture_answer (test->agent, find_changes (test), beckon_answer_new (BECKON_ANSWER_KEPT, NULL));
  beckon_agent_wait_until (beckon_tool_call_get_state (get_call (test, 1)) == BECKON_CALL_AWAITING);
  for (guint i = 1; i < G_N_ELEMENTS (calls); i++)
    approve (test, i);
  finish (test, "one\n2\nthree\nfour\n5\nsix\n");
}

/* Nor is a person asked about it while the command waits for an edit before it. */
static void
test_command_between (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = {
    { "call_1", "write_file", "{\"path\":\"other.txt\",\"content\":\"a\"}" },
    { "call_2", "run_command", "{\"command\":\"sed -i s/two/2/ notes.txt\"}" },
    { "call_3", "edit_file", EDIT ("five", "5") },
  };

  if (!is_possible)
    {
      g_test_skip ("there is no working bubblewrap here");
      return;
    }
  say_changes (test, calls, G_N_ELEMENTS (calls));
  beckon_agent_fixture_wait_pending (test->agent, 1);
  beckon_agent_fixture_sync (test->agent);
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test, 2)), ==, BECKON_CALL_PROPOSED);
  approve (test, 0);
  beckon_agent_wait_until (find_changes (test) != NULL);
  beckon_agent_fixture_answer (test->agent, find_changes (test), beckon_answer_new (BECKON_ANSWER_KEPT, NULL));
  wait_until_asked (test, 2);
  finish (test, "one\n2\nthree\nfour\n5\nsix\n");
}

/* Another program's change of the file is no reason to ask again where the answer itself allows the like of it; an edit that has
 * no place by then fails. */
static void
test_ruled_since (Test *test, gconstpointer data)
{
  const gboolean has_place = GPOINTER_TO_INT (data);
  BeckonAnswer *approved = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
  const BeckonScriptCall calls[] = { { "call_1", "edit_file", EDIT ("two", "2") } };
  BeckonRequest *request;

  say (test, calls, 1, 1);
  request = BECKON_REQUEST (beckon_tool_call_get_request (get_call (test, 0)));
  write_notes (test, has_place ? NOTES "seven\n" : "seven\n");
  beckon_answer_set_remember (approved, beckon_rule_proposal_copy_rules (
                                          g_ptr_array_index (beckon_request_get_ground (request)->proposals, 0),
                                          beckon_conversation_get_id (test->agent->conversation), g_get_real_time ()));
  beckon_agent_fixture_answer (test->agent, request, approved);
  finish (test, has_place ? "one\n2\nthree\nfour\nfive\nsix\nseven\n" : "seven\n");
  g_assert_cmpint (beckon_tool_call_get_is_error (get_call (test, 0)), ==, !has_place);
}

/* A command on the file that the first one changes. @index: which is approved first, some time before the other */
static void
say_command_behind (Test *test, guint index)
{
  const BeckonScriptCall calls[] = {
    { "call_1", "edit_file", EDIT ("two", "2") },
    { "call_2", "run_command", "{\"command\":\"grep -c . notes.txt\"}" },
  };

  say (test, calls, G_N_ELEMENTS (calls), 2);
  approve (test, index);
  if (index == 0)
    beckon_agent_wait_until (beckon_tool_call_get_state (get_call (test, 0)) == BECKON_CALL_DONE);
  beckon_clock_advance (test->agent->clock, 1000);
  approve (test, 1 - index);
}

/* The person who approves it has seen what became of the file. */
static void
test_command_behind (Test *test, gconstpointer data)
{
  if (!is_possible)
    {
      g_test_skip ("there is no working bubblewrap here");
      return;
    }
  say_command_behind (test, 0);
  finish (test, "one\n2\nthree\nfour\nfive\nsix\n");
}

/* The change came later than the approval, which could not know of it. */
static void
test_command_ahead (Test *test, gconstpointer data)
{
  if (!is_possible)
    {
      g_test_skip ("there is no working bubblewrap here");
      return;
    }
  say_command_behind (test, 1);
  beckon_agent_wait_until (beckon_tool_call_get_state (get_call (test, 0)) == BECKON_CALL_DONE);
  g_assert_nonnull (strstr (beckon_request_get_reason (beckon_agent_fixture_wait_pending (test->agent, 1)),
                            "has changed since you were asked"));
  beckon_agent_fixture_stop (test->agent);
}

/* The file becomes @contents between the two, by another program. */
static void
change_between (Test *test, const char *contents)
{
  say_two (test, EDIT ("two", "2"), EDIT ("five", "5"));
  run (test, 0);
  beckon_agent_wait_until (beckon_tool_call_get_state (get_call (test, 1)) == BECKON_CALL_AWAITING);
  write_notes (test, contents);
  assert_asked_again (test, 1, contents);
}

static void
test_changed_behind (Test *test, gconstpointer data)
{
  change_between (test, "one\n2\nthree\nfour\nfive\nsix\nseven\n");
}

static void
add_with (const char *name, gboolean data, void (*function) (Test *test, gconstpointer data))
{
  g_autofree char *path = g_strconcat ("/agent/two-edits/", name, NULL);

  g_test_add (path, Test, GINT_TO_POINTER (data), set_up, function, tear_down);
}

static void
add (const char *name, void (*function) (Test *test, gconstpointer data))
{
  add_with (name, FALSE, function);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  probe ();
  add ("in-turn", test_in_turn);
  add ("parts", test_parts);
  add ("restarted", test_restarted);
  add ("hopeless", test_hopeless);
  add ("hopeless-since", test_hopeless_since);
  add ("hopeless-again", test_hopeless_again);
  add ("hopeless-unread", test_hopeless_unread);
  add ("hopeless-ruled", test_hopeless_ruled);
  add ("hopeless-name", test_hopeless_name);
  add_with ("hopeless-name-denied", TRUE, test_hopeless_name);
  add ("hopeless-behind", test_hopeless_behind);
  add ("hopeless-later", test_hopeless_later);
  add ("hopeless-restarted", test_hopeless_restarted);
  add ("command-unasked", test_command_unasked);
  add ("command-between", test_command_between);
  add_with ("ruled-since", TRUE, test_ruled_since);
  add_with ("ruled-since-gone", FALSE, test_ruled_since);
  add ("command-behind", test_command_behind);
  add ("command-ahead", test_command_ahead);
  add ("changed-behind", test_changed_behind);
  return g_test_run ();
}
