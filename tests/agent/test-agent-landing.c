/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "beckon-config.h"

/* Changes from the command to the folder: real commands in a real sandbox, the real store and inbox. */

#include "beckon-agent-fixture.h"
#include "beckon-tree.h"

#include "agent/beckon-landing-upkeep.h"
#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "domain/beckon-landing.h"
#include "domain/beckon-tool-call.h"
#include "landing/beckon-landing-place.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-plan-request.h"
#include "sandbox/beckon-sandbox-view.h"
#include "sandbox/beckon-sandbox.h"
#include "store/queries/beckon-call-log.h"
#include "tools/beckon-command.h"
#include "tools/beckon-rewind.h"
#include "tools/beckon-undo.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  BeckonAgentFixture *agent;
  BeckonOutputStore *spool;
  char *folder;
} Test;

static gboolean is_possible;

static void
keep (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
set_up (Test *test, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-agent-landing-XXXXXX", NULL);

  test->folder = realpath (made, NULL);
  test->agent = beckon_agent_fixture_new ();
  test->spool = beckon_output_store_new ();
  beckon_tool_registry_add_working (test->agent->tools, &(BeckonToolParts){
                                                            .copies = BECKON_FILE_COPIES (test->agent->store),
                                                            .memory = BECKON_MEMORY (test->agent->store),
                                                            .outputs = test->spool,
                                                        });
  beckon_conversation_set_folder (test->agent->conversation, test->folder);
}

static guint
count_places (void)
{
  g_autoptr (GPtrArray) places = beckon_landing_place_list ();

  return places->len;
}

static void
remove_places (void)
{
  g_autoptr (GPtrArray) places = beckon_landing_place_list ();

  for (guint i = 0; i < places->len; i++)
    {
      g_autofree char *place = beckon_landing_place_get_path (g_ptr_array_index (places, i));

      beckon_landing_place_remove (place, NULL);
    }
}

static void
tear_down (Test *test, gconstpointer data)
{
  beckon_agent_fixture_free (test->agent);
  beckon_agent_wait_until (G_OBJECT (test->spool)->ref_count == 1);
  g_assert_finalize_object (test->spool);
  beckon_tree_remove (test->folder);
  g_free (test->folder);
  remove_places ();
}

static gboolean
skip (void)
{
  if (!is_possible)
    g_test_skip ("commands have no view of their folder here");
  return !is_possible;
}

static void
write_file (Test *test, const char *name, const char *contents)
{
  g_autofree char *path = g_build_filename (test->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, contents, -1, NULL));
}

static void
assert_file (Test *test, const char *name, const char *expected)
{
  g_autofree char *path = g_build_filename (test->folder, name, NULL);
  g_autofree char *contents = NULL;

  g_file_get_contents (path, &contents, NULL, NULL);
  g_assert_cmpstr (contents, ==, expected);
}

static void
set_mode (Test *test, BeckonMode mode)
{
  beckon_library_set_mode (test->agent->library, test->agent->conversation, mode);
}

/* The model runs @line, and is done. */
static void
run (Test *test, const char *line)
{
  g_autofree char *escaped = g_strescape (line, NULL);
  g_autofree char *arguments = g_strdup_printf ("{\"command\":\"%s\"}", escaped);

  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "run_command", arguments));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
}

static BeckonToolCall *
find_call (Test *test, guint index)
{
  guint n = beckon_conversation_get_n_messages (test->agent->conversation);

  for (guint i = n; i > 0; i--)
    {
      g_autoptr (GPtrArray) calls
        = beckon_message_list_calls (beckon_conversation_get_message (test->agent->conversation, i - 1));

      if (calls->len > 0)
        return g_ptr_array_index (calls, index);
    }

  g_assert_not_reached ();
}

static BeckonToolCall *
get_call (Test *test)
{
  return find_call (test, 0);
}

static BeckonRequest *
wait_for_changes (Test *test)
{
  BeckonRequest *request = beckon_agent_fixture_wait_pending (test->agent, 1);

  g_assert_true (BECKON_IS_CHANGES_REQUEST (request));
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test)), ==, BECKON_CALL_STARTED);
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_WAITING);
  return request;
}

static void
answer (Test *test, BeckonAnswerKind kind, const char *text)
{
  beckon_agent_fixture_answer (test->agent, wait_for_changes (test), beckon_answer_new (kind, text));
}

static void
finish (Test *test)
{
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
}

static void
assert_told (Test *test, const char *words)
{
  guint last = beckon_fixture_server_count_requests (test->agent->server) - 1;
  g_autofree char *result
    = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, last), "call_1");

  if (strstr (result, words) == NULL)
    g_error ("the model was told “%s”, not “%s”", result, words);
}

/* The folder has none of it before it is kept, and then all of it. */
static void
test_kept (Test *test, gconstpointer data)
{
  BeckonRequest *request;
  g_autofree char *outcome = NULL;
  const BeckonLanding *landing;

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  write_file (test, "b.txt", "two\n");
  run (test, "cat a.txt; echo three >>a.txt; rm b.txt; mkdir c; echo new >c/d.txt");
  request = wait_for_changes (test);
  outcome = beckon_changes_request_dup_outcome (request);
  g_assert_cmpstr (outcome, ==, "The command succeeded\none");
  assert_file (test, "a.txt", "one\n");
  assert_file (test, "b.txt", "two\n");
  assert_file (test, "c/d.txt", NULL);
  g_assert_true (beckon_change_set_is_open (beckon_request_get_changes (request)));
  landing = beckon_tool_call_get_landing (get_call (test));
  g_assert_cmpint (landing->state, ==, BECKON_LANDING_WAITING);
  beckon_agent_fixture_assert_same (test->agent, test->agent->conversation);

  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_KEPT, NULL));
  finish (test);
  assert_file (test, "a.txt", "one\nthree\n");
  assert_file (test, "b.txt", NULL);
  assert_file (test, "c/d.txt", "new\n");
  landing = beckon_tool_call_get_landing (get_call (test));
  g_assert_cmpint (landing->state, ==, BECKON_LANDING_LANDED);
  g_assert_cmpint (beckon_tool_call_get_change (get_call (test)), ==, BECKON_CALL_CHANGE_KEPT);
  assert_told (test, "one\n[Exit status 0");
  assert_told (test, "Changed in the folder: a.txt.");
  assert_told (test, "Deleted in the folder: b.txt.");
}

/* The model is told by kind of files that a folder stands for, and of each that was deleted or changed beside them. */
static void
test_crowd (Test *test, gconstpointer data)
{
  BeckonRequest *request;

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  write_file (test, "b.txt", "two\n");
  run (test, "for i in $(seq 1 1100); do echo x >n$i; done; rm b.txt; echo three >a.txt");
  request = wait_for_changes (test);
  /* Changes that can't be shown file by file are not kept unless the person says so. */
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_KEPT, "{\"leave_out\":[]}"));
  finish (test);
  assert_told (test, "Changed in the folder: a.txt.");
  assert_told (test, "Made in the folder: ./ (1100 new).");
  assert_told (test, "Deleted in the folder: b.txt.");
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static gboolean
undo (Test *test, gboolean is_redo)
{
  BeckonFileCopies *copies = BECKON_FILE_COPIES (test->agent->store);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  (is_redo ? beckon_redo_async : beckon_undo_async) (copies, beckon_conversation_get_id (test->agent->conversation),
                                                    get_call (test), "window", NULL, keep_result, &result);
  beckon_agent_wait_until (result != NULL);
  return is_redo ? beckon_redo_finish (copies, result, &error) : beckon_undo_finish (copies, result, &error);
}

static void
say_more (Test *test)
{
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("I see"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "And now?");
  finish (test);
}

static void
assert_sent (Test *test, guint index, const char *words)
{
  const char *body = beckon_fixture_server_get_request (test->agent->server, index)->body;

  if (strstr (body, words) == NULL)
    g_error ("“%s” is not in %s", words, body);
}

/* The model is told what was undone of a command, as far as nobody had changed it since, and what was made again. */
static void
test_undone (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  run (test, "echo two >a.txt; echo new >b.txt");
  answer (test, BECKON_ANSWER_KEPT, NULL);
  finish (test);
  g_assert_true (undo (test, FALSE));
  assert_file (test, "a.txt", "one\n");
  assert_file (test, "b.txt", NULL);
  g_assert_cmpint (beckon_tool_call_get_change (get_call (test)), ==, BECKON_CALL_CHANGE_UNDONE);
  say_more (test);
  assert_sent (test, 2, "as they were before them: run_command (a.txt, b.txt).");
  g_assert_true (undo (test, TRUE));
  assert_file (test, "a.txt", "two\n");
  assert_file (test, "b.txt", "new\n");
  say_more (test);
  assert_sent (test, 3, "made what they had undone again, of these calls: run_command (a.txt, b.txt).");
}

static void
test_undone_in_part (Test *test, gconstpointer data)
{
  g_autoptr (GPtrArray) refused = NULL;

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  run (test, "echo two >a.txt; echo new >b.txt");
  answer (test, BECKON_ANSWER_KEPT, NULL);
  finish (test);
  write_file (test, "b.txt", "mine\n");
  g_assert_true (undo (test, FALSE));
  assert_file (test, "a.txt", "one\n");
  assert_file (test, "b.txt", "mine\n");
  refused = beckon_undo_list_refused (get_call (test));
  g_assert_cmpuint (refused->len, ==, 1);
  g_assert_cmpstr (((BeckonFileChange *) g_ptr_array_index (refused, 0))->path, ==, "b.txt");
  say_more (test);
  assert_sent (test, 2, "run_command (a.txt) but for 1 of its changes, whose files had changed since.");
}

static void
git (Test *test, const char *arguments)
{
  g_autofree char *line = g_strdup_printf ("cd '%s' && git %s", test->folder, arguments);

  g_assert_cmpint (system (line), ==, 0);
}

/* The leavings of a test run: caches by name, and what Git ignores, a whole folder too. */
#define BY_PRODUCTS                                                                                                       \
  "mkdir -p src/__pycache__ out && for i in 1 2 3; do echo $i >src/__pycache__/$i.pyc; done; for i in $(seq 40); do "      \
  "echo $i >out/$i; done; echo 2 >run.log; rm -f old.log"

static void
set_up_repository (Test *test)
{
  g_autofree char *src = g_build_filename (test->folder, "src", NULL);

  g_assert_cmpint (g_mkdir (src, 0755), ==, 0);
  write_file (test, ".gitignore", "/out/\n*.log\n*.gen\n");
  write_file (test, "src/tracked.gen", "one\n");
  write_file (test, "run.log", "1\n");
  write_file (test, "old.log", "gone\n");
  git (test, "init -q && git add -f src .gitignore");
}

/* The card tells how the command ended, so that one decides knowing whether the tests passed; another process does, too. */
static void
test_outcome (Test *test, gconstpointer data)
{
  BeckonRequest *request;
  g_autofree char *outcome = NULL;
  g_autofree char *body = NULL;
  g_autofree char *again = NULL;
  g_autoptr (BeckonRequest) copy = NULL;

  if (skip ())
    return;
  run (test, "for i in 1 2 3 4 5 6; do echo line $i; done; echo x >new; exit 3");
  request = wait_for_changes (test);
  outcome = beckon_changes_request_dup_outcome (request);
  g_assert_cmpstr (outcome, ==, "The command failed, exit status 3\nline 3\nline 4\nline 5\nline 6");
  body = beckon_request_dup_body (request);
  copy = beckon_request_new_from_body (beckon_request_get_id (request), "conversation", "message", "call", "changes", body, 44,
                                       NULL);
  again = beckon_changes_request_dup_outcome (copy);
  g_assert_cmpstr (again, ==, outcome);
  answer (test, BECKON_ANSWER_KEPT, NULL);
  finish (test);
}

/* By-products of a command are saved without a question, told as a number, and undone with all else. */
static void
test_by_products (Test *test, gconstpointer data)
{
  g_autofree char *sentence = NULL;

  if (skip ())
    return;
  set_up_repository (test);
  run (test, BY_PRODUCTS);
  finish (test);
  assert_file (test, "src/__pycache__/2.pyc", "2\n");
  assert_file (test, "out/40", "40\n");
  assert_file (test, "run.log", "2\n");
  assert_file (test, "old.log", NULL);
  assert_told (test, "[45 caches or ignored files changed in the folder as well.]");
  sentence = beckon_change_set_dup_sentence (beckon_tool_call_get_landing (get_call (test))->changes);
  g_assert_cmpstr (sentence, ==, "Changed 45 caches or ignored files");
  g_assert_true (undo (test, FALSE));
  assert_file (test, "out/40", NULL);
  assert_file (test, "run.log", "1\n");
  assert_file (test, "old.log", "gone\n");
}

/* A file that Git tracks is asked about though .gitignore names it, and alone is listed; so is what other programs obey. */
static void
test_by_products_beside (Test *test, gconstpointer data)
{
  BeckonRequest *request;
  g_autofree char *sentence = NULL;

  if (skip ())
    return;
  set_up_repository (test);
  write_file (test, ".envrc", "source ./env.log\n");
  run (test, BY_PRODUCTS "; echo two >src/tracked.gen; echo x >env.log");
  request = wait_for_changes (test);
  g_assert_cmpuint (beckon_change_set_count (beckon_request_get_changes (request), BECKON_FILE_OPEN), ==, 2);
  sentence = beckon_change_set_dup_sentence (beckon_request_get_changes (request));
  g_assert_cmpstr (sentence, ==, "Changed 1 file, made 1 file, changed 45 caches or ignored files");
  assert_file (test, "run.log", "1\n");
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  finish (test);
  assert_file (test, "src/tracked.gen", "one\n");
  assert_file (test, "env.log", NULL);
  assert_file (test, "run.log", "2\n");
  assert_told (test, "45 caches or ignored files changed in the folder as well.");
}

/* The person may want to be asked, and who wants to be asked about everything is. @data: whether it is the mode. */
static void
test_by_products_asked (Test *test, gconstpointer data)
{
  gboolean is_mode = GPOINTER_TO_INT (data);
  GSettings *settings = beckon_settings_get_gsettings (test->agent->settings);

  if (skip ())
    return;
  set_up_repository (test);
  g_settings_set_boolean (settings, "ask-for-by-products", !is_mode);
  set_mode (test, is_mode ? BECKON_MODE_ASK_EVERYTHING : BECKON_MODE_ASK_CHANGES);
  run (test, BY_PRODUCTS);
  if (is_mode)
    beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, 1),
                                 beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  answer (test, BECKON_ANSWER_KEPT, NULL);
  finish (test);
  assert_file (test, "out/40", "40\n");
}

/* So is what loses nothing of a repository: a new branch of the commit that HEAD is, which is told by its name, and what is
 * staged of files as they are.
 * @data: whether the person wants to be asked about all of it */
static void
test_keeping (Test *test, gconstpointer data)
{
  const gboolean asks = GPOINTER_TO_INT (data);
  BeckonRequest *request;

  if (skip ())
    return;
  set_up_repository (test);
  git (test, "-c user.name=a -c user.email=a@b commit -qm first");
  g_settings_set_boolean (beckon_settings_get_gsettings (test->agent->settings), "ask-for-by-products", asks);
  if (!asks)
    {
      run (test, "git switch -q -c probe");
      finish (test);
      assert_told (test, "[Changed in the folder: Switched to: probe.]");
      assert_file (test, ".git/HEAD", "ref: refs/heads/probe\n");
      run (test, "git add run.log -f");
      finish (test);
      git (test, "status --porcelain | grep -qx 'A  run.log'");
      return;
    }
  run (test, "git switch -q -c probe; echo 2 >a.txt");
  request = wait_for_changes (test);
  g_assert_cmpuint (beckon_change_set_count (beckon_request_get_changes (request), BECKON_FILE_OPEN), ==, 2);
  g_settings_reset (beckon_settings_get_gsettings (test->agent->settings), "ask-for-by-products");
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  finish (test);
}

/* An index that can't be read may track anything. */
static void
test_by_products_unknown (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  set_up_repository (test);
  write_file (test, ".git/index", "DIRC and nothing that Git would write");
  run (test, "echo 2 >run.log");
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  finish (test);
  assert_file (test, "run.log", "1\n");
}

/* A move that went as it was asked for is not told pair by pair; one that did not is. */
static void
test_move_files (Test *test, gconstpointer is_kept)
{
  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  write_file (test, "b.txt", "two\n");
  beckon_agent_fixture_script (test->agent,
                               beckon_script_call ("call_1", "move_files",
                                                   "{\"moves\":[{\"from\":\"a.txt\",\"to\":\"n/\"},{\"from\":\"b.txt\",\"to\":\"n/\"}]}"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  answer (test, BECKON_ANSWER_KEPT, is_kept != NULL ? NULL : "{\"leave_out\":[{\"change\":2}]}");
  finish (test);
  assert_file (test, "n/a.txt", "one\n");
  g_assert_cmpstr (beckon_tool_call_get_result (get_call (test)), ==,
                   is_kept != NULL ? "Moved: 2.\n"
                   : "[Moved in the folder: a.txt → n/a.txt. Left out by the user: b.txt → n/b.txt.]");
}

/* A command behind one whose changes were refused goes back to the model, unless it only reads. */
static void
test_left_out_before_others (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = { { "call_1", "run_command", "{\"command\":\"echo three >>a.txt\"}" },
                                     { "call_2", "run_command", "{\"command\":\"echo two >b.txt\"}" } };
  g_autofree char *told = NULL;

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  finish (test);
  assert_file (test, "a.txt", "one\n");
  assert_file (test, "b.txt", NULL);
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_2");
  g_assert_nonnull (strstr (told, "a call before it in the same reply was refused"));
  g_assert_cmpstr (beckon_tool_call_get_reason (find_call (test, 1)), ==, "It was not run, because a call before it was refused.");
}

static void
test_left_out (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  run (test, "echo three >>a.txt; echo said");
  answer (test, BECKON_ANSWER_DECLINED, "Not now");
  finish (test);
  assert_file (test, "a.txt", "one\n");
  assert_told (test, "said\n");
  assert_told (test, "Nothing that it changed is in the folder. Left out by the user: a.txt. They said: Not now");
  g_assert_cmpint (beckon_tool_call_get_change (get_call (test)), ==, BECKON_CALL_CHANGE_NONE);
  beckon_agent_wait_until (count_places () == 0);
}

/* A model that amended the commit which it believes in would amend another one. */
static void
test_left_out_commit (Test *test, gconstpointer data)
{
  g_autofree char *line = g_strdup_printf ("git init -q -b main '%s' && cd '%s' && git config user.name a && "
                                           "git config user.email a@b && echo one >a.txt && git add . && git commit -qm first",
                                           test->folder, test->folder);

  if (skip ())
    return;
  g_assert_cmpint (system (line), ==, 0);
  run (test, "echo two >>a.txt; git commit -qam second");
  answer (test, BECKON_ANSWER_DECLINED, "Another subject");
  finish (test);
  assert_file (test, "a.txt", "one\n");
  assert_told (test, "Left out by the user: Commit: second · 1 file (with a.txt). So HEAD, the index and the files named with it "
                     "are what they were before the command. They said: Another subject");
}

/* A file, and a hunk of another one. */
static void
test_in_part (Test *test, gconstpointer data)
{
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();
  g_autofree char *text = NULL;

  if (skip ())
    return;
  write_file (test, "a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n");
  write_file (test, "b.txt", "two\n");
  run (test, "sed -i -e s/^1$/one/ -e s/^20$/twenty/ a.txt; echo three >b.txt");
  beckon_change_choice_set_hunk_left_out (choice, 0, 1, TRUE);
  beckon_change_choice_set_left_out (choice, 1, TRUE);
  text = beckon_change_choice_to_json (choice);
  answer (test, BECKON_ANSWER_KEPT, text);
  finish (test);
  assert_file (test, "a.txt", "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n");
  assert_file (test, "b.txt", "two\n");
  assert_told (test, "a.txt (without hunk 2, which the user left out)");
  assert_told (test, "Left out by the user: b.txt.");
}

static void
add_rule (Test *test, const char *tool, const char *arguments, BeckonVerdict verdict)
{
  g_autoptr (BeckonRule) rule = beckon_rule_new ();
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;

  rule->id = beckon_id_new ();
  rule->tool = g_strdup (tool);
  rule->arguments = g_strdup (arguments);
  rule->verdict = verdict;
  rule->created_at = 1;
  beckon_rules_save_async (test->agent->rules, rule, NULL, keep, &saved);
  beckon_agent_wait_until (saved != NULL);
  beckon_rules_save_finish (test->agent->rules, saved, &error);
  g_assert_no_error (error);
}

/* A move is one line and one choice: whatever is said, the file is somewhere. */
static void
test_move (Test *test, gconstpointer data)
{
  const gboolean is_kept = GPOINTER_TO_INT (data);
  BeckonRequest *request;
  const BeckonChangeSet *changes;

  if (skip ())
    return;
  write_file (test, "video.mp4", "pictures\n");
  run (test, "mkdir other && mv video.mp4 other/; echo x >x");
  request = wait_for_changes (test);
  changes = beckon_request_get_changes (request);
  g_assert_cmpuint (beckon_change_set_get_n_changes (changes), ==, 2);
  g_assert_cmpint (beckon_change_set_get (changes, 0)->kind, ==, BECKON_FILE_MOVED);
  beckon_agent_fixture_assert_same (test->agent, test->agent->conversation);
  answer (test, BECKON_ANSWER_KEPT, is_kept ? NULL : "{\"leave_out\":[{\"change\":1}]}");
  finish (test);
  assert_file (test, "video.mp4", is_kept ? NULL : "pictures\n");
  assert_file (test, "other/video.mp4", is_kept ? "pictures\n" : NULL);
  assert_file (test, "x", "x\n");
  assert_told (test, is_kept ? "Moved in the folder: video.mp4 → other/video.mp4."
                             : "Left out by the user: video.mp4 → other/video.mp4.");
  g_assert_true (undo (test, FALSE));
  assert_file (test, "video.mp4", "pictures\n");
  assert_file (test, "x", NULL);
}

/* A rule that denies the place to which a file was moved keeps it where it is. */
static void
test_move_denied (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  write_file (test, "video.mp4", "pictures\n");
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  add_rule (test, "write_file", "{\"path\":\"other/**\"}", BECKON_VERDICT_DENY);
  run (test, "mkdir other && mv video.mp4 other/; echo x >x");
  finish (test);
  assert_file (test, "video.mp4", "pictures\n");
  assert_file (test, "other/video.mp4", NULL);
  assert_file (test, "x", "x\n");
}

static void
move_folder (Test *test, gboolean is_back)
{
  g_autofree char *away = g_strconcat (test->folder, ".away", NULL);

  g_assert_cmpint (g_rename (is_back ? away : test->folder, is_back ? test->folder : away), ==, 0);
}

static void
refuse_keep (Test *test, BeckonRequest *request, const char *words)
{
  g_autoptr (BeckonAnswer) kept = beckon_answer_new (BECKON_ANSWER_KEPT, NULL);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_inbox_settle_async (test->agent->inbox, beckon_request_get_id (request), kept, "window", NULL, NULL, keep, &result);
  beckon_agent_wait_until (result != NULL);
  g_assert_false (beckon_inbox_settle_finish (test->agent->inbox, result, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
  if (!g_str_has_prefix (error->message, words)
      || strstr (error->message, "Nothing was saved, the changes are still waiting.") == NULL)
    g_error ("“%s” was said, not “%s”", error->message, words);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  g_assert_cmpuint (beckon_inbox_count_for (test->agent->inbox, beckon_conversation_get_id (test->agent->conversation)), ==, 1);
}

/* A folder that is away, or another one of its name, or a link of that, settles nothing; and a *no* needs no folder. */
static void
test_keep_while_away (Test *test, gconstpointer data)
{
  const gboolean is_declined = GPOINTER_TO_INT (data);
  g_autofree char *other = g_build_filename (test->folder, "a.txt", NULL);
  BeckonRequest *request;

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  run (test, "echo two >>a.txt; echo new >n.txt");
  request = wait_for_changes (test);
  move_folder (test, FALSE);
  refuse_keep (test, request, "The folder is not there now: ");
  g_assert_cmpint (g_mkdir (test->folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (other, "another\n", -1, NULL));
  refuse_keep (test, request, "Another folder is there now: ");
  assert_file (test, "a.txt", "another\n");
  g_assert_cmpint (g_unlink (other), ==, 0);
  g_assert_cmpint (g_rmdir (test->folder), ==, 0);
  g_assert_cmpint (symlink ("/tmp", test->folder), ==, 0);
  refuse_keep (test, request, "The folder is not there now: ");
  g_assert_cmpint (g_unlink (test->folder), ==, 0);
  if (is_declined)
    {
      answer (test, BECKON_ANSWER_DECLINED, "No");
      finish (test);
      assert_told (test, "Left out by the user: a.txt, n.txt. They said: No");
      move_folder (test, TRUE);
      assert_file (test, "a.txt", "one\n");
      return;
    }
  move_folder (test, TRUE);
  answer (test, BECKON_ANSWER_KEPT, NULL);
  finish (test);
  assert_file (test, "a.txt", "one\ntwo\n");
  assert_file (test, "n.txt", "new\n");
  g_assert_true (undo (test, FALSE));
  assert_file (test, "a.txt", "one\n");
}

/* Whether the command has written its own, so that what is written in the folder now comes behind its start. */
static gboolean
has_written (const char *name)
{
  g_autoptr (GPtrArray) places = beckon_landing_place_list ();
  g_autofree char *place = places->len > 0 ? beckon_landing_place_get_path (g_ptr_array_index (places, 0)) : NULL;
  g_autofree char *path = place != NULL ? g_build_filename (place, "upper", name, NULL) : NULL;

  return path != NULL && g_file_test (path, G_FILE_TEST_EXISTS);
}

/* A file that another writer changed while the command ran is asked about in every mode, with both sides. */
static void
test_both_changed (Test *test, gconstpointer data)
{
  const gboolean is_kept = GPOINTER_TO_INT (data);
  g_autofree char *real = g_strconcat (test->folder, "/shared.txt", NULL);
  BeckonRequest *request;
  const BeckonFileChange *change;

  if (skip ())
    return;
  write_file (test, "shared.txt", "one\n");
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  run (test, "cat shared.txt >/dev/null; echo mine >shared.txt; while [ ! -e /tmp/never ] && [ $((n=${n:-0}+1)) -lt 20 ]; do "
             "sleep 0.1; done; echo x >x.txt");
  beckon_agent_wait_until (has_written ("shared.txt"));
  g_assert_true (g_file_set_contents (real, "theirs\n", -1, NULL));
  request = wait_for_changes (test);
  change = beckon_change_set_get (beckon_request_get_changes (request), 0);
  g_assert_cmpint (change->concern, ==, BECKON_FILE_CONCERN_CONFLICT);
  g_assert_cmpint (change->fate, ==, BECKON_FILE_OPEN);
  g_assert_cmpstr (change->diff, ==, "@@ -1,1 +1,1 @@\n-theirs\n+mine\n");
  answer (test, BECKON_ANSWER_KEPT, is_kept ? "{\"leave_out\":[]}" : NULL);
  finish (test);
  assert_file (test, "shared.txt", is_kept ? "mine\n" : "theirs\n");
  assert_file (test, "x.txt", "x\n");
  g_assert_true (undo (test, FALSE));
  assert_file (test, "shared.txt", "theirs\n");
}

/* A command that changes nothing asks for nothing, and leaves nothing. */
static void
test_nothing (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  run (test, "cat a.txt; touch a.txt; echo one >a.txt");
  finish (test);
  g_assert_null (beckon_tool_call_get_landing (get_call (test)));
  assert_told (test, "one\n[Exit status 0");
  beckon_agent_wait_until (count_places () == 0);
}

/* A command that failed is shown all the same. */
static void
test_failed (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  run (test, "echo half >a.txt; exit 3");
  answer (test, BECKON_ANSWER_KEPT, NULL);
  finish (test);
  assert_file (test, "a.txt", "half\n");
  g_assert_true (beckon_tool_call_get_is_error (get_call (test)));
  g_assert_cmpint (beckon_tool_call_get_exit_status (get_call (test)), ==, 3);
}

/* In the mode that only asks for what reaches further, ordinary changes land by themselves. */
static void
test_outside (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  run (test, "echo new >a.txt");
  finish (test);
  assert_file (test, "a.txt", "new\n");
  g_assert_cmpint (beckon_tool_call_get_change (get_call (test)), ==, BECKON_CALL_CHANGE_KEPT);
}

/* In the mode that asks for everything, before it runs and before it lands. */
static void
test_everything (Test *test, gconstpointer data)
{
  BeckonRequest *request;

  if (skip ())
    return;
  set_mode (test, BECKON_MODE_ASK_EVERYTHING);
  run (test, "echo new >a.txt");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  g_assert_true (BECKON_IS_APPROVAL_REQUEST (request));
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_wait_until (beckon_inbox_count_for (test->agent->inbox,
                                                   beckon_conversation_get_id (test->agent->conversation)) == 1);
  answer (test, BECKON_ANSWER_KEPT, NULL);
  finish (test);
  assert_file (test, "a.txt", "new\n");
}

/* A rule that allows the command lets ordinary changes land; one about a file holds for what commands change as well. */
static void
test_rules (Test *test, gconstpointer data)
{
  g_autofree char *asked = g_build_filename (test->folder, "asked", NULL);
  BeckonRequest *request;
  const BeckonChangeSet *changes;

  if (skip ())
    return;
  add_rule (test, "run_command", "{\"command\":\"cp *\"}", BECKON_VERDICT_ALLOW);
  add_rule (test, "write_file", "{\"path\":\"asked/**\"}", BECKON_VERDICT_ASK);
  add_rule (test, "write_file", "{\"path\":\"fixed.txt\"}", BECKON_VERDICT_DENY);
  write_file (test, "new.txt", "a\n");
  g_assert_no_errno (g_mkdir (asked, 0700));
  run (test, "cp new.txt a.txt && cp new.txt asked/b.txt && cp new.txt fixed.txt");
  request = wait_for_changes (test);
  changes = beckon_request_get_changes (request);
  g_assert_cmpuint (beckon_change_set_count (changes, BECKON_FILE_OPEN), ==, 1);
  g_assert_cmpuint (beckon_change_set_count (changes, BECKON_FILE_KEPT), ==, 1);
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  finish (test);
  assert_file (test, "a.txt", "a\n");
  assert_file (test, "asked/b.txt", NULL);
  assert_file (test, "fixed.txt", NULL);
}

/* Everything in the folder. */
static void
permit_all (Test *test, const char *tool)
{
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s/**\"}", test->folder);

  add_rule (test, tool, arguments, BECKON_VERDICT_ALLOW);
}

/* A command in a folder whose files may be changed: @open lists what waits all the same. Beside it the person decides about the
 * rest, too: a refusal leaves all of it out. */
typedef struct
{
  const char *name;
  const char *line;
  const char *open;
} Granted;

static const Granted granted[] = {
  { "changed", "echo more >>a.txt; echo new >n.txt; mkdir -p d/e; echo x >d/e/f.txt; mkdir empty", "" },
  { "deleted", "echo more >>a.txt; rm b.txt", "b.txt" },
  { "moved", "echo more >>a.txt; mv b.txt c.txt; mkdir n; mv old.txt n/", "" },
  { "moved-folder", "mv full other", "" },
  { "moved-folder-over", "mkdir over; mv b.txt full/; mv full over/full; mv -f over/full/b.txt a.txt", "a.txt" },
  { "moved-folder-and-mode", "mv full other; chmod 600 other/x.txt", "other/x.txt" },
  { "moved-link", "echo more >>a.txt; mv l l2", "l2" },
  { "moved-program", "mv tool tool2", "tool2" },
  { "moved-folder-of-program", "mv bin bin2", "bin2" },
  { "moved-to-runner", "mv b.txt .envrc", ".envrc" },
  { "moved-to-mode", "mv b.txt c.txt; chmod 600 c.txt", "c.txt" },
  { "moved-and-changed", "echo more >>a.txt; mv b.txt c.txt; echo x >>c.txt", "c.txt" },
  { "moved-over", "echo more >>a.txt; mv -f b.txt old.txt", "old.txt" },
  { "mode", "echo more >>a.txt; chmod 600 b.txt", "b.txt" },
  { "link", "echo more >>a.txt; ln -s a.txt l.txt", "l.txt" },
  { "link-for-file", "echo more >>a.txt; rm b.txt; ln -s a.txt b.txt", "b.txt" },
  { "link-for-folder", "echo more >>a.txt; rm -r full; ln -s /etc full", "full" },
  { "folder-for-file", "echo more >>a.txt; rm b.txt; mkdir b.txt", "b.txt" },
  { "file-for-folder", "echo more >>a.txt; rm -r full; echo x >full", "full" },
  { "folder-deleted", "echo more >>a.txt; rm -r full", "full" },
  { "program", "echo more >>a.txt; echo '#!/bin/sh' >run; chmod +x run", "run" },
  { "runner", "echo more >>a.txt; echo x >.envrc", ".envrc" },
  { "other-name", "echo more >>a.txt; mkdir Full; mv a.txt Full/a.txt", "Full/a.txt" },
};

static void
test_granted (Test *test, gconstpointer data)
{
  const Granted *it = data;
  g_autofree char *full = g_build_filename (test->folder, "full", NULL);
  g_autofree char *bin = g_build_filename (test->folder, "bin", NULL);
  g_autofree char *line = g_strdup_printf ("cd '%s' && chmod +x tool bin/run && ln -s a.txt l", test->folder);
  g_autoptr (GString) open = g_string_new (NULL);
  const BeckonChangeSet *changes;

  if (skip ())
    return;
  g_assert_no_errno (g_mkdir (full, 0700));
  write_file (test, "a.txt", "one\n");
  write_file (test, "b.txt", "two\n");
  write_file (test, "old.txt", "old\n");
  write_file (test, "full/x.txt", "x\n");
  write_file (test, "tool", "#!/bin/sh\n");
  g_assert_no_errno (g_mkdir (bin, 0700));
  write_file (test, "bin/run", "#!/bin/sh\necho\n");
  g_assert_cmpint (system (line), ==, 0);
  permit_all (test, "edit_file");
  run (test, it->line);
  if (*it->open != '\0')
    wait_for_changes (test);
  else
    finish (test);
  changes = beckon_tool_call_get_landing (get_call (test))->changes;
  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    if (beckon_change_set_get (changes, i)->fate == BECKON_FILE_OPEN && !beckon_change_set_get (changes, i)->is_permitted)
      g_string_append_printf (open, "%s%s", open->len > 0 ? " " : "", beckon_change_set_get (changes, i)->path);
  g_assert_cmpstr (open->str, ==, it->open);
  if (open->len == 0)
    return;
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  finish (test);
  assert_file (test, "a.txt", "one\n");
  assert_told (test, "Nothing that it changed is in the folder.");
}

/* A permission spares a card, and on one that is there takes nothing out of the person's hand: a refused commit leaves no file
 * beside it. */
static void
test_refused_beside (Test *test, gconstpointer data)
{
  g_autofree char *line = g_strdup_printf ("git init -q -b main '%s' && cd '%s' && git config user.name a && "
                                           "git config user.email a@b && echo one >a.txt && git add . && git commit -qm first",
                                           test->folder, test->folder);

  if (skip ())
    return;
  g_assert_cmpint (system (line), ==, 0);
  permit_all (test, "edit_file");
  run (test, "echo two >>a.txt; git commit -qam second; echo x >b.txt");
  g_assert_cmpuint (beckon_change_set_count (beckon_request_get_changes (wait_for_changes (test)), BECKON_FILE_OPEN), ==, 2);
  answer (test, BECKON_ANSWER_DECLINED, "Another subject");
  finish (test);
  assert_file (test, "a.txt", "one\n");
  assert_file (test, "b.txt", NULL);
  assert_told (test, "Nothing that it changed is in the folder. Left out by the user: ");
}

/* Rules on moves hold for those of files that may be changed, however they come. */
static void
test_granted_moves (Test *test, gconstpointer data)
{
  const BeckonVerdict verdict = GPOINTER_TO_UINT (data);
  BeckonFileFate fate;

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  if (verdict != BECKON_VERDICT_ALLOW)
    add_rule (test, "move_files", "{\"path\":\"b.txt\"}", verdict);
  permit_all (test, "write_file");
  run (test, "mv a.txt b.txt");
  if (verdict == BECKON_VERDICT_ASK)
    {
      wait_for_changes (test);
      answer (test, BECKON_ANSWER_DECLINED, NULL);
    }
  finish (test);
  fate = beckon_change_set_get (beckon_tool_call_get_landing (get_call (test))->changes, 0)->fate;
  g_assert_cmpint (fate, ==,
                   verdict == BECKON_VERDICT_ALLOW ? BECKON_FILE_KEPT
                   : verdict == BECKON_VERDICT_ASK ? BECKON_FILE_LEFT_OUT : BECKON_FILE_DENIED);
  assert_file (test, "b.txt", verdict == BECKON_VERDICT_ALLOW ? "one\n" : NULL);
}

/* A call that moves files by such a permission runs unasked, and its programs are asked about all the same; refused, it moves
 * nothing. */
static void
test_granted_move_files (Test *test, gconstpointer data)
{
  const BeckonChangeSet *changes;
  g_autofree char *line = g_strdup_printf ("chmod +x '%s/tool'", test->folder);

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  write_file (test, "tool", "#!/bin/sh\n");
  g_assert_cmpint (system (line), ==, 0);
  permit_all (test, "edit_file");
  beckon_conversation_set_mode (test->agent->conversation, BECKON_MODE_ASK_EVERYTHING);
  beckon_agent_fixture_script (
    test->agent, beckon_script_call ("call_1", "move_files",
                                     "{\"moves\":[{\"from\":\"a.txt\",\"to\":\"n/\"},{\"from\":\"tool\",\"to\":\"n/\"}]}"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  changes = beckon_request_get_changes (wait_for_changes (test));
  g_assert_cmpuint (beckon_change_set_count (changes, BECKON_FILE_OPEN), ==, 2);
  g_assert_true (beckon_change_set_get (changes, 0)->is_permitted);
  g_assert_false (beckon_change_set_get (changes, 1)->is_permitted);
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  finish (test);
  assert_file (test, "a.txt", "one\n");
  assert_file (test, "tool", "#!/bin/sh\n");
}

/* The same for what is allowed to be deleted, or moved: neither is a permission to change. */
static void
test_granted_otherwise (Test *test, gconstpointer data)
{
  const BeckonChangeSet *changes;

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  write_file (test, "b.txt", "two\n");
  write_file (test, "c.txt", "three\n");
  write_file (test, "e.txt", "five\n");
  permit_all (test, "delete_files");
  add_rule (test, "move_files", "{\"path\":\"*.txt\"}", BECKON_VERDICT_ALLOW);
  run (test, "echo more >>a.txt; rm b.txt; mv c.txt d.txt; mv e.txt f.txt; chmod 755 f.txt");
  changes = beckon_request_get_changes (wait_for_changes (test));
  g_assert_cmpuint (beckon_change_set_get_n_changes (changes), ==, 4);
  g_assert_cmpuint (beckon_change_set_count (changes, BECKON_FILE_OPEN), ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (beckon_change_set_get (changes, i)->is_permitted, ==, i == 1 || i == 2);
  answer (test, BECKON_ANSWER_KEPT, "{\"leave_out\":[{\"change\":1},{\"change\":4}]}");
  finish (test);
  assert_file (test, "a.txt", "one\n");
  assert_file (test, "b.txt", NULL);
  assert_file (test, "d.txt", "three\n");
}

/* A commit is no change of a file, and many files that are not listed are none that were seen. */
static void
test_granted_many (Test *test, gconstpointer data)
{
  const gboolean is_commit = GPOINTER_TO_INT (data);
  const BeckonChangeSet *changes;

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  if (is_commit)
    {
      g_autofree char *line = g_strdup_printf ("cd '%s' && git init -q -b main && git add a.txt && git -c user.name=a -c "
                                               "user.email=a@b commit -qm first", test->folder);

      g_assert_cmpint (system (line), ==, 0);
    }
  permit_all (test, "write_file");
  run (test, is_commit ? "echo x >>a.txt; git -c user.name=a -c user.email=a@b commit -qam x"
                       : "for i in $(seq 1 1100); do echo x >n$i; done");
  changes = beckon_request_get_changes (wait_for_changes (test));
  g_assert_cmpuint (beckon_change_set_count (changes, BECKON_FILE_OPEN), ==, 1);
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  finish (test);
  assert_file (test, "a.txt", "one\n");
}

/* (transfer full): the labels of what could be remembered with a request, without the folder. */
static char *
list_offers (Test *test, BeckonRequest *request)
{
  const BeckonApprovalReason *ground = beckon_request_get_ground (request);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; ground != NULL && i < ground->proposals->len; i++)
    {
      const BeckonRuleProposal *proposal = g_ptr_array_index (ground->proposals, i);

      g_string_append_printf (text, "%s%s", i > 0 ? " | " : "", proposal->label);
    }
  g_string_replace (text, test->folder, "F", 0);
  g_string_replace (text, "Change or move files · ", "", 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

typedef struct
{
  const char *name;
  const char *line;
  const char *offers;
} Offered;

static const Offered offered[] = {
  { "file", "echo more >>full/x.txt", "Change F/full/x.txt | everything in F/full | everything in F" },
  { "files", "echo x >>full/x.txt; mkdir full/b; echo y >full/b/y.txt", "everything in F/full | everything in F" },
  { "with-others", "echo more >>full/x.txt; rm a.txt; echo x >.envrc", "Change F/full/x.txt | everything in F/full | everything in F" },
  { "top", "echo more >>a.txt; echo x >>full/x.txt", "everything in F" },
  { "deleted", "rm a.txt", "" },
  { "moved", "mv full/x.txt full/y.txt", "everything in F/full | everything in F" },
  { "moved-off", "mv full/x.txt y.txt", "everything in F" },
  { "moved-folder", "mkdir n; mv full n/", "everything in F" },
  { "moved-and-changed", "mv a.txt b.txt; echo x >>b.txt", "" },
  { "moved-link", "mv k k2", "" },
  { "runner", "echo x >.envrc", "" },
  { "link", "ln -s a.txt l", "" },
  { "program", "echo x >run; chmod +x run", "" },
  { "binary", "printf '\\000\\001' >a.bin", "" },
  { "repository", "git init -q .", "" },
};

/* The card of changes offers what a permission to change files would let through, and nothing else. */
static void
test_offered (Test *test, gconstpointer data)
{
  const Offered *it = data;
  g_autofree char *full = g_build_filename (test->folder, "full", NULL);
  g_autofree char *line = g_strdup_printf ("ln -s a.txt '%s/k'", test->folder);
  g_autofree char *offers = NULL;

  if (skip ())
    return;
  g_assert_no_errno (g_mkdir (full, 0700));
  write_file (test, "a.txt", "one\n");
  write_file (test, "full/x.txt", "x\n");
  g_assert_cmpint (system (line), ==, 0);
  run (test, it->line);
  offers = list_offers (test, wait_for_changes (test));
  g_assert_cmpstr (offers, ==, it->offers);
  beckon_agent_fixture_assert_same (test->agent, test->agent->conversation);
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  finish (test);
}

/* (transfer full): that all of it is kept, with the choice @index remembered in this conversation. */
static BeckonAnswer *
keep_and_remember (Test *test, BeckonRequest *request, guint index)
{
  BeckonAnswer *kept = beckon_answer_new (BECKON_ANSWER_KEPT, NULL);

  beckon_answer_set_remember (kept, beckon_rule_proposal_copy_rules (
                                        g_ptr_array_index (beckon_request_get_ground (request)->proposals, index),
                                        beckon_conversation_get_id (test->agent->conversation), 1));
  return kept;
}

/* A move that Git makes changes its index, too, by which nothing is lost: a permission for the move is one for all of it.
 * @data: whether there is one; else it is offered */
static void
test_granted_git_move (Test *test, gconstpointer data)
{
  const gboolean is_granted = GPOINTER_TO_INT (data);

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  git (test, "init -q -b main && git add a.txt && git -c user.name=a -c user.email=a@b commit -qm first");
  if (is_granted)
    permit_all (test, "write_file");
  run (test, "mkdir n; git mv a.txt n/");
  if (!is_granted)
    {
      BeckonRequest *request = wait_for_changes (test);
      g_autofree char *offers = list_offers (test, request);

      g_assert_cmpstr (offers, ==, "everything in F");
      g_assert_cmpuint (beckon_change_set_count (beckon_request_get_changes (request), BECKON_FILE_OPEN), ==, 1);
      beckon_agent_fixture_answer (test->agent, request, keep_and_remember (test, request, 0));
    }
  finish (test);
  assert_file (test, "a.txt", NULL);
  assert_file (test, "n/a.txt", "one\n");
  git (test, "status --porcelain | grep -qx 'R  a.txt -> n/a.txt'");
}

/* The one answer saves what was asked about, and the like of it after that. What nobody offered is not remembered. */
static void
test_remembered (Test *test, gconstpointer data)
{
  BeckonRequest *request;
  BeckonAnswer *kept;
  g_autoptr (GError) error = NULL;

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  write_file (test, "b.txt", "two\n");
  run (test, "echo more >>a.txt; rm b.txt");
  request = wait_for_changes (test);
  kept = keep_and_remember (test, request, 1);
  g_free (((BeckonRule *) g_ptr_array_index (kept->remember, 0))->tool);
  ((BeckonRule *) g_ptr_array_index (kept->remember, 0))->tool = g_strdup ("delete_files");
  g_assert_false (beckon_request_check_answer (request, kept, &error));
  g_assert_cmpstr (error->message, ==, "The permission to remember doesn't apply to these changes.");
  beckon_answer_unref (kept);
  beckon_agent_fixture_answer (test->agent, request, keep_and_remember (test, request, 1));
  finish (test);
  assert_file (test, "a.txt", "one\nmore\n");
  assert_file (test, "b.txt", NULL);
  beckon_agent_fixture_assert_same (test->agent, test->agent->conversation);
  g_assert_cmpuint (beckon_rules_get_snapshot (test->agent->rules)->len, ==, 1);

  run (test, "echo even more >>a.txt; echo new >n.txt");
  finish (test);
  assert_file (test, "n.txt", "new\n");
  run (test, "rm n.txt");
  wait_for_changes (test);
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  finish (test);
  assert_file (test, "n.txt", "new\n");
}

/* Changes that wait are saved by a rule that comes meanwhile and lets all of them through; what the rule does not cover waits on. */
static void
test_ruled_meanwhile (Test *test, gconstpointer data)
{
  const gboolean is_covered = GPOINTER_TO_INT (data);
  g_autoptr (BeckonRequest) request = NULL;

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  write_file (test, "b.txt", "two\n");
  run (test, is_covered ? "echo more >>a.txt; echo new >n.txt" : "echo more >>a.txt; rm b.txt");
  request = g_object_ref (wait_for_changes (test));
  permit_all (test, "edit_file");
  if (is_covered)
    {
      finish (test);
      assert_file (test, "n.txt", "new\n");
      g_assert_cmpstr (beckon_request_get_front_end (request), ==, "rule");
      return;
    }
  beckon_agent_fixture_sync (test->agent);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  permit_all (test, "delete_files");
  finish (test);
  assert_file (test, "b.txt", NULL);
  g_assert_cmpstr (beckon_request_get_front_end (request), ==, "rule");
}

/* A program of a repository is ordinary where every change is asked about, but is in no permission for a folder. */
static void
test_program_of_repository (Test *test, gconstpointer data)
{
  g_autofree char *line = g_strdup_printf ("cd '%s' && git init -q -b main && echo x >run && chmod +x run && git add run && git "
                                           "-c user.name=a -c user.email=a@b commit -qm first", test->folder);
  g_autofree char *offers = NULL;
  BeckonRequest *request;

  if (skip ())
    return;
  g_assert_cmpint (system (line), ==, 0);
  run (test, "echo y >>run");
  request = wait_for_changes (test);
  g_assert_cmpint (beckon_change_set_get (beckon_request_get_changes (request), 0)->concern, ==, BECKON_FILE_CONCERN_NONE);
  offers = list_offers (test, request);
  g_assert_cmpstr (offers, ==, "");
  permit_all (test, "write_file");
  beckon_agent_fixture_sync (test->agent);
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  finish (test);
  run (test, "echo y >>run");
  wait_for_changes (test);
  answer (test, BECKON_ANSWER_KEPT, NULL);
  finish (test);
  assert_file (test, "run", "x\ny\n");
}

/* A rule about the folder says nothing of Git data that counts as being in it, but lies elsewhere. */
static void
test_git_elsewhere (Test *test, gconstpointer data)
{
  g_autofree char *main_folder = g_strconcat (test->folder, ".main", NULL);
  g_autofree char *line = g_strdup_printf ("git init -q -b main '%s' && cd '%s' && git -c user.name=a -c user.email=a@b commit -q "
                                           "--allow-empty -m first && git worktree add -q '%s' -b side",
                                           main_folder, main_folder, test->folder);
  g_autofree char *count = g_strdup_printf ("test $(git -C '%s' log --format=%%s side | wc -l) = 2 && ! git -C '%s' config core.pager",
                                            main_folder, main_folder);
  BeckonRequest *request;
  const BeckonChangeSet *changes;

  if (skip ())
    return;
  g_assert_cmpint (system (line), ==, 0);
  add_rule (test, "write_file", "{\"path\":\".git/config\"}", BECKON_VERDICT_ALLOW);
  add_rule (test, "write_file", "{\"path\":\"y\"}", BECKON_VERDICT_ALLOW);
  run (test, "echo x >x; git add x; git -c user.name=a -c user.email=a@b commit -qm x; echo y >y; git config core.pager cat");
  request = wait_for_changes (test);
  changes = beckon_request_get_changes (request);
  g_assert_cmpuint (beckon_change_set_count (changes, BECKON_FILE_OPEN), ==, 3);
  g_assert_true (beckon_change_set_get (changes, 2)->is_permitted);
  g_assert_cmpint (system (count), !=, 0);
  answer (test, BECKON_ANSWER_KEPT, "{\"leave_out\":[{\"change\":2}]}");
  finish (test);
  assert_file (test, "y", "y\n");
  assert_told (test, "Commit: x · 1 file");
  g_assert_cmpint (system (count), ==, 0);
  g_assert_true (undo (test, FALSE));
  g_assert_cmpint (system (count), !=, 0);
  beckon_tree_remove (main_folder);
}

/* Theirs is never overwritten. */
static void
test_conflict (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  run (test, "echo mine >a.txt; echo other >b.txt");
  wait_for_changes (test);
  write_file (test, "a.txt", "theirs\n");
  answer (test, BECKON_ANSWER_KEPT, NULL);
  finish (test);
  assert_file (test, "a.txt", "theirs\n");
  assert_file (test, "b.txt", "other\n");
  assert_told (test, "Not landed, because it was changed in the folder meanwhile: a.txt.");
}

/* Changes that wait when the run is stopped don't land. */
static void
test_stopped (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  run (test, "echo new >a.txt");
  wait_for_changes (test);
  beckon_agent_fixture_stop (test->agent);
  assert_file (test, "a.txt", NULL);
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test)), ==, BECKON_CALL_CANCELLED);
  g_assert_null (beckon_tool_call_get_landing (get_call (test)));
  beckon_agent_wait_until (count_places () == 0);
}

/* Whether a running command has made a file on its view. */
static gboolean
has_made (Test *test, const char *name)
{
  g_autofree char *place = beckon_landing_place_get_path (beckon_tool_call_get_id (get_call (test)));
  g_autoptr (GDir) dir = g_dir_open (place, 0, NULL);
  const char *layer;

  while (dir != NULL && (layer = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (place, layer, name, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return TRUE;
    }

  return FALSE;
}

/* Nor of what is still at work, and the model is told so. */
static void
test_stopped_at_work (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  run (test, "echo new >a.txt; sleep 1000");
  beckon_agent_wait_until (count_places () == 1 && has_made (test, "a.txt"));
  beckon_agent_fixture_stop (test->agent);
  assert_file (test, "a.txt", NULL);
  g_assert_nonnull (strstr (beckon_tool_call_get_result (get_call (test)), "before anything that this command changed"));
  beckon_agent_wait_until (count_places () == 0);
}

/* The program ends while a command runs, and the next one is told to stop before it has looked at anything. A command that used
 * the network may have done something elsewhere. */
static void
test_stopped_taken_over (Test *test, gconstpointer uses_network)
{
  g_autofree char *id = g_strdup (beckon_conversation_get_id (test->agent->conversation));

  if (skip ())
    return;
  if (uses_network != NULL)
    {
      beckon_agent_fixture_script (test->agent,
                                   beckon_script_call ("call_1", "run_command",
                                                       "{\"command\":\"echo new >a.txt; sleep 1000\",\"network\":true}"));
      beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
      beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_wait_pending (test->agent, 1),
                                   beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
    }
  else
    run (test, "echo new >a.txt; sleep 1000");
  beckon_agent_wait_until (count_places () == 1 && has_made (test, "a.txt"));
  beckon_agent_fixture_restart (test->agent);
  beckon_tool_registry_add_working (test->agent->tools, &(BeckonToolParts){
                                                            .copies = BECKON_FILE_COPIES (test->agent->store),
                                                            .memory = BECKON_MEMORY (test->agent->store),
                                                            .outputs = test->spool,
                                                        });
  beckon_agent_fixture_open (test->agent, id);
  beckon_agent_fixture_recover (test->agent);
  beckon_agent_fixture_stop (test->agent);
  assert_file (test, "a.txt", NULL);
  g_assert_nonnull (strstr (beckon_tool_call_get_result (get_call (test)),
                            uses_network != NULL ? "Whether it took effect is not known"
                                                 : "before anything that this command changed"));
}

/* The second of two commands begins when the first one's changes are in the folder, or left out. */
static void
test_two (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = { { "call_1", "run_command", "{\"command\":\"echo one >a.txt\"}" },
                                     { "call_2", "run_command", "{\"command\":\"cat a.txt; echo two >>a.txt\"}" } };

  if (skip ())
    return;
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 2, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  answer (test, BECKON_ANSWER_KEPT, NULL);
  beckon_agent_wait_until (beckon_inbox_count_for (test->agent->inbox,
                                                   beckon_conversation_get_id (test->agent->conversation)) == 1);
  assert_file (test, "a.txt", "one\n");
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_get_pending (test->agent, 0),
                               beckon_answer_new (BECKON_ANSWER_KEPT, NULL));
  finish (test);
  assert_file (test, "a.txt", "one\ntwo\n");
}

/* The person answers in another process than the one that ran the command. */
static void
test_elsewhere (Test *test, gconstpointer data)
{
  g_autofree char *id = NULL;
  g_autoptr (GError) error = NULL;
  BeckonAgentFixture *other;

  if (skip ())
    return;
  run (test, "echo new >a.txt");
  id = g_strdup (beckon_request_get_id (wait_for_changes (test)));
  other = beckon_agent_fixture_new_over (test->agent->directory, NULL);
  g_assert_true (BECKON_IS_CHANGES_REQUEST (beckon_inbox_lookup (other->inbox, id)));
  beckon_agent_fixture_try_answer (other->inbox, id, beckon_answer_new (BECKON_ANSWER_KEPT, NULL), &error);
  g_assert_no_error (error);
  finish (test);
  beckon_agent_fixture_free (other);
  assert_file (test, "a.txt", "new\n");
}

/* As another process would, to take away what nobody seems to need. */
static gboolean
can_be_alone (void)
{
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), BECKON_DATA_FOLDER, "landings-in-use", NULL);
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  int fd = g_open (path, O_RDWR | O_CLOEXEC, 0600);
  gboolean is_alone = fd < 0 || fcntl (fd, F_OFD_SETLK, &lock) == 0;

  if (fd >= 0)
    close (fd);
  return is_alone;
}

/* A temporary conversation leaves nothing in the store's file, and its place is for its process alone. */
static void
test_temporary (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  beckon_agent_wait_until (can_be_alone ());
  g_set_object (&test->agent->conversation, beckon_library_create_temporary (test->agent->library));
  beckon_conversation_set_folder (test->agent->conversation, test->folder);
  write_file (test, "a.txt", "one\n");
  run (test, "echo new >a.txt");
  answer (test, BECKON_ANSWER_KEPT, NULL);
  finish (test);
  assert_file (test, "a.txt", "new\n");
  g_assert_cmpint (beckon_tool_call_get_change (get_call (test)), ==, BECKON_CALL_CHANGE_KEPT);
  beckon_landing_upkeep_run (test->agent->store, beckon_clock_get_real_time (test->agent->clock));
  beckon_agent_fixture_sync (test->agent);
  g_assert_cmpuint (count_places (), ==, 1);
  g_assert_false (can_be_alone ());
}

static void
on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = beckon_store_commit_finish (BECKON_STORE (source), result, NULL);
}

/* Old versions of files are erased with the conversation, and not when something else happens to tidy up. */
static void
test_erased (Test *test, gconstpointer data)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  gboolean is_stored = FALSE;

  if (skip ())
    {
      beckon_batch_free (batch);
      return;
    }
  write_file (test, "a.txt", "one\n");
  run (test, "echo new >a.txt");
  answer (test, BECKON_ANSWER_KEPT, NULL);
  finish (test);
  beckon_agent_fixture_sync (test->agent);
  g_assert_cmpuint (count_places (), ==, 1);
  beckon_batch_hide_conversation (batch, beckon_conversation_get_id (test->agent->conversation), 1);
  beckon_batch_doom_hidden (batch, G_MAXINT64);
  beckon_store_commit_async (test->agent->store, batch, NULL, on_committed, &is_stored);
  beckon_agent_wait_until (is_stored);
  beckon_agent_wait_until (count_places () == 0);
}

/* A command's time is its own, however long the person looks at what it changed. */
static void
test_time (Test *test, gconstpointer data)
{
  gint64 ended;

  if (skip ())
    return;
  run (test, "echo new >a.txt; mkdir build; touch build/one build/two");
  wait_for_changes (test);
  ended = beckon_tool_call_get_landing (get_call (test))->made_at;
  beckon_clock_advance (test->agent->clock, 60 * 1000);
  answer (test, BECKON_ANSWER_KEPT, NULL);
  finish (test);
  g_assert_cmpint (beckon_tool_call_get_finished_at (get_call (test)), ==, ended);
  assert_told (test, "build/");
  g_assert_null (strstr (beckon_tool_call_get_result (get_call (test)), "//"));
}

/* Ordinary changes land where nobody can be asked, in the mode that lets them, and planted files don't. */
static void
test_nobody (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  beckon_agent_set_has_person (test->agent->agent, FALSE);
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  run (test, "echo new >a.txt; echo touch RAN >.envrc");
  finish (test);
  assert_file (test, "a.txt", "new\n");
  assert_file (test, ".envrc", NULL);
  assert_told (test, "Made in the folder: a.txt. Not landed, because nobody could be asked: .envrc.");
}

/* In the mode that asks for changes nobody could be shown any: a command runs, and its caches alone are saved. */
static void
test_nobody_for_changes (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  set_up_repository (test);
  git (test, "-c user.name=a -c user.email=a@b commit -q -m first");
  beckon_agent_set_has_person (test->agent->agent, FALSE);
  run (test, "ls src >listed; echo 2 >run.log; git switch -q -c probe; cat listed");
  finish (test);
  assert_file (test, "listed", NULL);
  assert_file (test, "run.log", "2\n");
  assert_file (test, ".git/refs/heads/probe", NULL);
  assert_told (test, "tracked.gen");
  assert_told (test, "Not landed, because nobody could be asked: ");
}

#define STEP(id, tool, arguments) "{\"id\":\"" id "\",\"tool\":\"" tool "\",\"arguments\":" arguments "}"

static BeckonRequest *
propose_plan (Test *test, const char *steps)
{
  g_autofree char *plan = g_strdup_printf ("{\"title\":\"Tidy\",\"steps\":[%s]}", steps);
  BeckonRequest *request;

  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "propose_plan", plan));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  g_assert_true (BECKON_IS_PLAN_REQUEST (request));
  return request;
}

/* The person's @document is what runs; %NULL: what is proposed. */
static void
begin_plan (Test *test, const char *steps, const char *document)
{
  beckon_agent_fixture_answer (test->agent, propose_plan (test, steps),
                               beckon_answer_new (document != NULL ? BECKON_ANSWER_PLAN : BECKON_ANSWER_APPROVED, document));
}

/* Half of a move is none: what goes to where it is asked about stays where it is, until that is answered. */
static void
test_move_halves (Test *test, gconstpointer to)
{
  g_autofree char *arguments = g_strdup_printf ("{\"moves\":[{\"from\":\"a.txt\",\"to\":\"%s\"}]}", (const char *) to);

  if (skip ())
    return;
  set_up_repository (test);
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  write_file (test, "a.txt", "");
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "move_files", arguments));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  answer (test, BECKON_ANSWER_DECLINED, NULL);
  finish (test);
  assert_file (test, "a.txt", "");
}

/* The request behind the one that was answered. */
static BeckonRequest *
wait_next (Test *test, GType type)
{
  BeckonRequest *request;

  beckon_agent_wait_until (beckon_inbox_count_for (test->agent->inbox,
                                                   beckon_conversation_get_id (test->agent->conversation)) == 1);
  request = beckon_agent_fixture_get_pending (test->agent, 0);
  g_assert_cmpstr (G_OBJECT_TYPE_NAME (request), ==, g_type_name (type));
  return request;
}

/* A command's changes are known only when it has run. What left nothing in the folder is not called done. */
static void
test_step (Test *test, gconstpointer is_kept)
{
  BeckonToolCall *step;

  if (skip ())
    return;
  begin_plan (test, STEP ("a", "run_command", "{\"command\":\"echo new | tee a.txt\"}"), NULL);
  beckon_agent_fixture_answer (test->agent, wait_next (test, BECKON_TYPE_CHANGES_REQUEST),
                               beckon_answer_new (is_kept != NULL ? BECKON_ANSWER_KEPT : BECKON_ANSWER_DECLINED, NULL));
  finish (test);
  assert_file (test, "a.txt", is_kept != NULL ? "new\n" : NULL);
  assert_told (test, is_kept != NULL ? "Made in the folder: a.txt." : "Left out by the user: a.txt.");
  assert_told (test, is_kept != NULL ? "\"status\":\"completed\",\"result\"" : "\"status\":\"not-saved\",\"result\"");
  step = beckon_tool_call_get_step (get_call (test), 0);
  g_assert_cmpint (beckon_tool_call_is_not_saved (step), ==, is_kept == NULL);
  beckon_agent_fixture_assert_same (test->agent, test->agent->conversation);
}

/* A stop drops what waits to be saved, and the model that goes on knows it. */
static void
test_step_stopped (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  begin_plan (test, STEP ("look", "list_files", "{}") "," STEP ("a", "run_command", "{\"command\":\"echo new | tee a.txt\"}") ","
                    STEP ("b", "run_command", "{\"command\":\"cat a.txt\"}"), NULL);
  wait_next (test, BECKON_TYPE_CHANGES_REQUEST);
  beckon_agent_fixture_stop (test->agent);
  beckon_agent_continue_async (test->agent->agent, test->agent->conversation, NULL, NULL, NULL);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) == 2);
  finish (test);
  assert_file (test, "a.txt", NULL);
  assert_told (test, "\"id\":\"look\",\"tool\":\"list_files\",\"status\":\"completed\"");
  assert_told (test, "\"id\":\"a\",\"tool\":\"run_command\",\"status\":\"failed\",\"result\":\"The user stopped the run before "
                     "anything that this command changed was in the folder.");
  assert_told (test, "\"id\":\"b\",\"tool\":\"run_command\",\"status\":\"pending\"}");
}

/* The changes of a move and a deletion stood on the plan that was accepted, or on the step's card: it is not asked about again.
 * Where its arguments came from another step, or a rule wants to be asked, nobody has read it yet. */
static void
test_step_read (Test *test, gconstpointer data)
{
  const char *const steps = STEP ("a", "move_files", "{\"moves\":[{\"from\":\"a.txt\",\"to\":\"n/\"}]}") ","
                            STEP ("look", "run_command", "{\"command\":\"printf b.txt\"}") ","
                            STEP ("b", "delete_files", "{\"paths\":[\"{{step.look.result}}\"]}");
  BeckonRequest *request;

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  write_file (test, "b.txt", "two\n");
  begin_plan (test, steps, NULL);
  request = wait_next (test, BECKON_TYPE_CHANGES_REQUEST);
  assert_file (test, "n/a.txt", "one\n");
  assert_file (test, "b.txt", "two\n");
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_KEPT, NULL));
  finish (test);
  assert_file (test, "b.txt", NULL);
}

/* A file that is another one by now, in a folder that took its folder's place, or was reached by a link that was not there then,
 * was not on the plan. */
static void
test_step_other_file (Test *test, gconstpointer how)
{
  const gboolean is_link = g_strcmp0 (how, "link") == 0, is_moved = g_strcmp0 (how, "moved") == 0;
  const char *const steps
    = is_moved  ? STEP ("look", "run_command", "{\"command\":\"mv real was; mv other real\"}") ","
                  STEP ("a", "delete_files", "{\"paths\":[\"real/a.txt\"]}")
      : is_link ? STEP ("look", "run_command", "{\"command\":\"sleep 0.1; ln -s real l\"}") ","
                  STEP ("a", "delete_files", "{\"paths\":[\"l/a.txt\"]}")
                : STEP ("look", "run_command", "{\"command\":\"sleep 0.1; echo two >>real/a.txt\"}") ","
                  STEP ("a", "delete_files", "{\"paths\":[\"real/a.txt\"]}");
  g_autofree char *folder = g_build_filename (test->folder, "real", NULL);
  g_autofree char *other = g_build_filename (test->folder, "other", NULL);
  BeckonRequest *request;

  if (skip ())
    return;
  g_assert_cmpint (g_mkdir (folder, 0755), ==, 0);
  g_assert_cmpint (g_mkdir (other, 0755), ==, 0);
  write_file (test, "real/a.txt", "one\n");
  write_file (test, "other/a.txt", "other\n");
  begin_plan (test, steps, NULL);
  beckon_agent_fixture_answer (test->agent, wait_next (test, BECKON_TYPE_CHANGES_REQUEST),
                               beckon_answer_new (BECKON_ANSWER_KEPT, NULL));
  request = wait_next (test, BECKON_TYPE_CHANGES_REQUEST);
  g_assert_cmpstr (beckon_change_set_get (beckon_request_get_changes (request), 0)->remark, ==,
                   is_link ? "“l/a.txt” is new since you accepted the plan."
                           : "“real/a.txt” has changed since you accepted the plan.");
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  finish (test);
  assert_file (test, "real/a.txt", is_moved ? "other\n" : is_link ? "one\n" : "one\ntwo\n");
}

/* The target of one move names nothing that another one takes away by a link; and a by-product of a command nobody has read. */
static void
test_step_other_role (Test *test, gconstpointer is_made)
{
  g_autofree char *folder = g_build_filename (test->folder, "real", NULL);

  if (skip ())
    return;
  set_up_repository (test);
  g_assert_cmpint (g_mkdir (folder, 0755), ==, 0);
  write_file (test, "real/a.txt", "one\n");
  write_file (test, "b.txt", "two\n");
  run (test, is_made != NULL ? "echo made >made.log" : "ln -s real l");
  if (is_made == NULL)
    beckon_agent_fixture_answer (test->agent, wait_next (test, BECKON_TYPE_CHANGES_REQUEST),
                                 beckon_answer_new (BECKON_ANSWER_KEPT, NULL));
  finish (test);
  begin_plan (test,
              is_made != NULL ? STEP ("a", "move_files", "{\"moves\":[{\"from\":\"made.log\",\"to\":\"c.txt\"}]}")
                              : STEP ("a", "move_files", "{\"moves\":[{\"from\":\"l/a.txt\",\"to\":\"c.txt\"},"
                                                         "{\"from\":\"b.txt\",\"to\":\"real\"}]}"), NULL);
  beckon_agent_fixture_answer (test->agent, wait_next (test, BECKON_TYPE_CHANGES_REQUEST),
                               beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  finish (test);
  assert_file (test, "c.txt", NULL);
  assert_file (test, "real/a.txt", "one\n");
  assert_file (test, "b.txt", "two\n");
}

#define WRITE(id, path, content) STEP (id, "write_file", "{\"path\":\"" path "\",\"content\":\"" content "\"}")
#define EDIT(id, path, old, new)                                                                                               \
  STEP (id, "edit_file", "{\"path\":\"" path "\",\"old_text\":\"" old "\",\"new_text\":\"" new "\"}")
#define MOVE(id, from, to) STEP (id, "move_files", "{\"moves\":[{\"from\":\"" from "\",\"to\":\"" to "\"}]}")
#define DELETE(id, path) STEP (id, "delete_files", "{\"paths\":[\"" path "\"]}")

static int
run_here (Test *test, const char *line)
{
  const char *const argv[] = { "sh", "-c", line, NULL };
  int status = -1;

  g_assert_true (g_spawn_sync (test->folder, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
  return status;
}

static guint
count_decided (Test *test, const char *words)
{
  BeckonProvenanceFilter filter = { .event = "decided" };
  g_autoptr (GAsyncResult) listed = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  guint n = 0;

  beckon_agent_fixture_sync (test->agent);
  beckon_store_list_provenance_async (test->agent->store, &filter, NULL, keep, &listed);
  beckon_agent_wait_until (listed != NULL);
  lines = beckon_store_list_provenance_finish (test->agent->store, listed, NULL);
  for (guint i = 0; i < lines->len; i++)
    n += strstr (((const BeckonProvenance *) g_ptr_array_index (lines, i))->data, words) != NULL;
  return n;
}

/* Texts that stood whole on the plan are written by its acceptance, in each mode, and so is what later steps do with the same
 * files: earlier ones made them what they are. */
static void
test_step_written (Test *test, gconstpointer mode)
{
  if (skip ())
    return;
  set_mode (test, GPOINTER_TO_INT (mode));
  write_file (test, "a.txt", "one\n");
  begin_plan (test,
              WRITE ("new", "n/b.txt", "red\\n") "," EDIT ("edit", "a.txt", "one", "two") ","
              EDIT ("again", "a.txt", "two", "three") "," EDIT ("made", "n/b.txt", "red", "blue"), NULL);
  finish (test);
  assert_file (test, "a.txt", "three\n");
  assert_file (test, "n/b.txt", "blue\n");
  assert_told (test, "\"status\":\"completed\"");
  g_assert_cmpuint (count_decided (test, "\"verdict\":\"allow\",\"reason\":\"You accepted it as a step of the plan.\","
                                         "\"way\":\"plan\""), ==, 4);
}

/* The plan did not show what a whole text takes the place of. */
static void
test_step_replaced (Test *test, gconstpointer data)
{
  BeckonRequest *request;

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  request = propose_plan (test, WRITE ("whole", "a.txt", "two\\n"));
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_wait_until (beckon_inbox_count_for (test->agent->inbox,
                                                   beckon_conversation_get_id (test->agent->conversation)) == 1);
  assert_file (test, "a.txt", "one\n");
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_get_pending (test->agent, 0),
                               beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  finish (test);
  assert_file (test, "a.txt", "one\n");
}

/* The card of a text whose file came after the plan was accepted says so. */
static void
test_step_new (Test *test, gconstpointer data)
{
  BeckonRequest *request;

  if (skip ())
    return;
  begin_plan (test, STEP ("look", "run_command", "{\"command\":\"echo one | tee a.txt\"}") "," WRITE ("whole", "a.txt", "two\\n"),
              NULL);
  beckon_agent_fixture_answer (test->agent, wait_next (test, BECKON_TYPE_CHANGES_REQUEST),
                               beckon_answer_new (BECKON_ANSWER_KEPT, NULL));
  request = wait_next (test, BECKON_TYPE_APPROVAL_REQUEST);
  g_assert_cmpstr (beckon_request_get_reason (request), ==, "“a.txt” is new since you accepted the plan.");
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  finish (test);
  assert_file (test, "a.txt", "one\n");
}

/* A file that the shell makes for an accepted command, as its line says, was read on the plan; nothing else that it changes.
 * @data: a command that is asked about */
static void
test_step_target (Test *test, gconstpointer data)
{
  const char *const asked = data;
  g_autofree char *arguments = g_strdup_printf ("{\"command\":\"%s\"}", asked != NULL ? asked : "cat a.txt >n.txt 2>&1");
  g_autofree char *step = g_strdup_printf (STEP ("a", "run_command", "%s"), arguments);

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  write_file (test, "old.txt", "old\n");
  begin_plan (test, step, NULL);
  if (asked != NULL)
    beckon_agent_fixture_answer (test->agent, wait_next (test, BECKON_TYPE_CHANGES_REQUEST),
                                 beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  finish (test);
  assert_file (test, "n.txt", asked != NULL ? NULL : "one\n");
  assert_file (test, "old.txt", "old\n");
}

/* Later steps of a plan move and delete what earlier ones wrote and moved, and no other file. */
static void
test_step_moved_on (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  write_file (test, "c\n.txt", "three\n");
  begin_plan (test,
              WRITE ("write", "b.txt", "two\\n") "," MOVE ("both", "b.txt", "n/") "," MOVE ("a", "a.txt", "n/") ","
              EDIT ("edit", "n/a.txt", "one", "four") "," MOVE ("on", "n/b.txt", "m/c.txt") "," DELETE ("gone", "m/c.txt") ","
              MOVE ("line", "c\\n.txt", "m/c.txt"), NULL);
  finish (test);
  assert_file (test, "a.txt", NULL);
  assert_file (test, "b.txt", NULL);
  assert_file (test, "n/a.txt", "four\n");
  assert_file (test, "n/b.txt", NULL);
  assert_file (test, "m/c.txt", "three\n");
}

typedef struct
{
  const char *how;
  const char *step;
  const char *line; /* of the person, while the plan is shown */
} Since;

static const Since others_since[] = {
  { "edited", EDIT ("a", "real/a.txt", "one", "two"), "echo more >>real/a.txt" },
  { "overwritten", WRITE ("a", "real/a.txt", "two"), "echo more >>real/a.txt" },
  { "appeared", WRITE ("a", "real/new.txt", "two"), "echo theirs >real/new.txt" },
  { "linked", EDIT ("a", "real/a.txt", "one", "two"), "mv real was; ln -s was real" },
  { "linked-file", EDIT ("a", "real/a.txt", "one", "two"), "mv real/a.txt b.txt; ln -s ../b.txt real/a.txt" },
  { "swapped", MOVE ("a", "b.txt", "real/"), "mv real was; mv other real" },
  { "swapped-same", DELETE ("a", "real/a.txt"), "cp -r real copy; mv real was; mv copy real" },
  { "deleted", DELETE ("a", "real/a.txt"), "echo more >>real/a.txt" },
  { "folder-more", DELETE ("a", "real"), "echo more >real/b.txt" },
  { "folder-changed", DELETE ("a", "real"), "echo more >>real/a.txt" },
  { "folder-swapped", DELETE ("a", "real"), "cp -a real copy; mv real was; mv copy real" },
  { "folder-moved", MOVE ("a", "real", "n"), "echo more >>real/a.txt" },
  { "target-linked", MOVE ("a", "b.txt", "real/c.txt"), "mv real was; ln -s other real" },
};

/* A file, a folder or a way to it that is another one than when the plan was shown, whoever made it that. */
static void
test_step_other_since (Test *test, gconstpointer data)
{
  const Since *since = data;
  BeckonRequest *request;

  if (skip ())
    return;
  g_assert_cmpint (run_here (test, "mkdir real other; echo one >real/a.txt; echo two >b.txt"), ==, 0);
  request = propose_plan (test, since->step);
  g_assert_cmpint (run_here (test, since->line), ==, 0);
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_wait_until (beckon_inbox_count_for (test->agent->inbox,
                                                   beckon_conversation_get_id (test->agent->conversation)) == 1);
  request = beckon_agent_fixture_get_pending (test->agent, 0);
  g_assert_cmpuint (count_decided (test, "\"way\":\"plan\""), ==, 0);
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  finish (test);
}

/* A folder goes with all that was in it when the plan was shown, or with what an earlier step left there; it comes to another
 * place likewise. */
static void
test_step_folder (Test *test, gconstpointer data)
{
  BeckonRequest *request;
  g_autofree char *cache = NULL;
  g_autofree char *old = NULL;

  if (skip ())
    return;
  g_assert_cmpint (run_here (test, "mkdir -p old/in Code/__pycache__ .cache/a/b set/in; touch Thumbs.db Code/__pycache__/x.pyc; "
                                   "for i in 1 2 3 4; do echo $i >old/in/$i; echo $i >.cache/a/b/$i; echo $i >set/in/$i; done; "
                                   "i=0; while test $((i += 1)) -le 60; do echo $i >old/$i; done"), ==, 0);
  request = propose_plan (test, STEP ("a", "delete_files", "{\"paths\":[\".cache\",\"Thumbs.db\"]}") ","
                                STEP ("b", "delete_files", "{\"paths\":[\"Code/__pycache__\",\"old/in/1\"]}") ","
                                MOVE ("keep", "old/in/2", "kept/") "," DELETE ("old", "old") "," MOVE ("set", "set", "m/n"));
  cache = beckon_plan_request_list_contents (request, beckon_plan_get_step (beckon_request_get_plan (request), 0));
  g_assert_cmpstr (cache, ==, "In .cache: 4 files");
  old = beckon_plan_request_list_contents (request, beckon_plan_get_step (beckon_request_get_plan (request), 3));
  g_assert_cmpstr (old, ==, "In old: 64 files");
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  finish (test);
  assert_file (test, "old/1", NULL);
  assert_file (test, "kept/2", "2\n");
  assert_file (test, "m/n/in/4", "4\n");
  g_assert_cmpint (run_here (test, "! test -e .cache && ! test -e old && ! test -e set && ! test -e Code/__pycache__"), ==, 0);
}

/* The person's own changes of a plan are theirs: what only those name is as it is when they accept it. */
static void
test_step_edited (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  g_assert_cmpint (run_here (test, "mkdir old; echo 1 >old/1; echo one >a.txt; echo two >b.txt"), ==, 0);
  begin_plan (test, DELETE ("a", "a.txt"),
              "{\"title\":\"Tidy\",\"steps\":[" DELETE ("a", "b.txt") "," DELETE ("b", "old") ","
              WRITE ("c", "c.txt", "red\\n") "]}");
  finish (test);
  assert_file (test, "a.txt", "one\n");
  assert_file (test, "b.txt", NULL);
  assert_file (test, "old/1", NULL);
  assert_file (test, "c.txt", "red\n");
}

/* Texts that the plan's card did not show whole, or that came from elsewhere, are shown first. */
static void
test_step_unread (Test *test, gconstpointer data)
{
  g_autofree char *many = g_strnfill (5000, 'x');
  g_autofree char *steps = NULL;

  if (skip ())
    return;
  add_rule (test, "write_file", "{\"path\":\"asked.txt\"}", BECKON_VERDICT_ASK);
  steps = g_strdup_printf (STEP ("long", "write_file", "{\"path\":\"long.txt\",\"content\":\"%s\"}") ","
                           WRITE ("runs", ".envrc", "x") "," WRITE ("asked", "asked.txt", "x") ","
                           STEP ("look", "run_command", "{\"command\":\"printf x\"}") ","
                           WRITE ("result", "result.txt", "{{step.look.result}}"), many);
  begin_plan (test, steps, NULL);
  for (guint i = 0; i < 4; i++)
    beckon_agent_fixture_answer (test->agent, wait_next (test, BECKON_TYPE_APPROVAL_REQUEST),
                                 beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  finish (test);
  assert_file (test, "long.txt", NULL);
  assert_file (test, ".envrc", NULL);
  assert_file (test, "asked.txt", NULL);
  assert_file (test, "result.txt", NULL);
}

/* A step that was changed behind the acceptance stood on no plan. */
static void
test_step_changed_later (Test *test, gconstpointer data)
{
  const char *const steps = STEP ("look", "list_files", "{}") "," WRITE ("a", "a.txt", "one");
  const char *const paused = "{\"title\":\"Tidy\",\"pause\":\"breakpoints\",\"steps\":["
                             "{\"id\":\"look\",\"tool\":\"list_files\",\"arguments\":{},\"breakpoint\":true},"
                             WRITE ("a", "a.txt", "one") "]}";
  const char *const changed = "{\"title\":\"Tidy\",\"steps\":[" STEP ("look", "list_files", "{}") ","
                              WRITE ("a", "a.txt", "two") "]}";

  if (skip ())
    return;
  begin_plan (test, steps, paused);
  beckon_agent_fixture_answer (test->agent, wait_next (test, BECKON_TYPE_APPROVAL_REQUEST),
                               beckon_answer_new (BECKON_ANSWER_PLAN, changed));
  beckon_agent_fixture_answer (test->agent, wait_next (test, BECKON_TYPE_APPROVAL_REQUEST),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  finish (test);
  assert_file (test, "a.txt", "two");
}

static void
test_step_paused (Test *test, gconstpointer data)
{
  BeckonRequest *request;

  if (skip ())
    return;
  write_file (test, "a.txt", "one\n");
  begin_plan (test, STEP ("a", "delete_files", "{\"paths\":[\"a.txt\"]}"),
              "{\"title\":\"Tidy\",\"pause\":\"every-step\",\"steps\":["
              STEP ("a", "delete_files", "{\"paths\":[\"a.txt\"]}") "]}");
  request = wait_next (test, BECKON_TYPE_APPROVAL_REQUEST);
  /* No rule would spare the pause. */
  g_assert_cmpuint (beckon_request_get_ground (request)->proposals->len, ==, 0);
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  finish (test);
  assert_file (test, "a.txt", NULL);
}

/* Accepting a plan outweighs no rule, neither one about the tool nor one about the file. */
static void
test_step_ruled (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  add_rule (test, "delete_files", "{}", BECKON_VERDICT_ASK);
  add_rule (test, "write_file", "{\"path\":\"asked.txt\"}", BECKON_VERDICT_ASK);
  add_rule (test, "write_file", "{\"path\":\"denied.txt\"}", BECKON_VERDICT_DENY);
  write_file (test, "a.txt", "one\n");
  write_file (test, "asked.txt", "one\n");
  write_file (test, "denied.txt", "one\n");
  begin_plan (test,
              STEP ("tool", "delete_files", "{\"paths\":[\"a.txt\"]}") ","
              STEP ("file", "move_files", "{\"moves\":[{\"from\":\"asked.txt\",\"to\":\"n/\"}]}") ","
              STEP ("never", "move_files", "{\"moves\":[{\"from\":\"denied.txt\",\"to\":\"n/\"}]}"), NULL);
  beckon_agent_fixture_answer (test->agent, wait_next (test, BECKON_TYPE_APPROVAL_REQUEST),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  beckon_agent_fixture_answer (test->agent, wait_next (test, BECKON_TYPE_APPROVAL_REQUEST),
                               beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  finish (test);
  assert_file (test, "a.txt", NULL);
  assert_file (test, "asked.txt", "one\n");
  assert_file (test, "denied.txt", "one\n");
  assert_told (test, "\"status\":\"failed\",\"message\":\"Step \\\"never\\\" failed");
}

/* Changes that waited in a conversation that is deleted are gone. */
static void
test_deleted (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  run (test, "echo new >a.txt");
  wait_for_changes (test);
  g_assert_cmpuint (count_places (), ==, 1);
  beckon_library_delete (test->agent->library, test->agent->conversation);
  beckon_agent_wait_until (g_list_model_get_n_items (G_LIST_MODEL (test->agent->inbox)) == 0);
  beckon_agent_fixture_sync (test->agent);
  beckon_landing_upkeep_run (test->agent->store, beckon_clock_get_real_time (test->agent->clock));
  beckon_agent_wait_until (count_places () == 0);
  assert_file (test, "a.txt", NULL);
}

/* The log has the plan: which files, with what in them, and who let them through. */
static void
test_log (Test *test, gconstpointer data)
{
  BeckonProvenanceFilter filter = { .event = "landed" };
  g_autoptr (GAsyncResult) listed = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  const BeckonProvenance *line;

  if (skip ())
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  run (test, "echo new >a.txt; echo touch RAN >.envrc");
  answer (test, BECKON_ANSWER_KEPT, "{\"leave_out\":[]}");
  finish (test);
  beckon_store_list_provenance_async (test->agent->store, &filter, NULL, keep, &listed);
  beckon_agent_wait_until (listed != NULL);
  lines = beckon_store_list_provenance_finish (test->agent->store, listed, NULL);
  g_assert_cmpuint (lines->len, ==, 1);
  line = g_ptr_array_index (lines, 0);
  g_test_message ("%s", line->data);
  g_assert_nonnull (strstr (line->data, "\"path\":\".envrc\",\"kind\":\"created\""));
  g_assert_nonnull (strstr (line->data, "\"concern\":\"trigger\",\"fate\":\"kept\",\"by\":\"person\""));
  g_assert_nonnull (strstr (line->data, "\"after\":\"7aa7a5359173d05b63cfd682e3c38487f3cb4f7f1d60659fe59fab1505977d4c\","
                                        "\"fate\":\"kept\",\"by\":\"mode:outside\""));
}

/* --- While it still runs ------------------------------------------------------------------------------------------- */

/* A server that writes, waits until there is something in go, and writes on. */
static void
run_server (Test *test, const char *first, const char *second)
{
  g_autofree char *line
    = g_strdup_printf ("%s; touch ready; while ! test -s go; do sleep 0.05; done; %s", first, second);

  write_file (test, "go", "");
  run (test, line);
  beckon_agent_wait_until (count_places () >= 1 && has_made (test, "ready"));
}

/* In place: a view has the file, not its name. */
static void
let_server_end (Test *test)
{
  g_autofree char *path = g_build_filename (test->folder, "go", NULL);
  FILE *file = fopen (path, "a");

  g_assert_nonnull (file);
  fputs ("now\n", file);
  fclose (file);
}

static BeckonLandNow
land_now (Test *test, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_agent_land_now_async (test->agent->agent, test->agent->conversation, get_call (test), keep, &result);
  beckon_agent_wait_until (result != NULL);
  return beckon_agent_land_now_finish (test->agent->agent, result, error);
}

static void
undo_call (Test *test, gboolean is_redo)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  BeckonFileCopies *copies = BECKON_FILE_COPIES (test->agent->store);

  (is_redo ? beckon_redo_async : beckon_undo_async) (copies, beckon_conversation_get_id (test->agent->conversation),
                                                    get_call (test), "window", NULL, keep, &result);
  beckon_agent_wait_until (result != NULL);
  if (is_redo)
    beckon_redo_finish (copies, result, &error);
  else
    beckon_undo_finish (copies, result, &error);
  g_assert_no_error (error);
}

static gboolean
skip_early (Test *test)
{
  if (!skip () && beckon_sandbox_view_get (test->folder) == BECKON_VIEW_COPY)
    {
      g_test_skip ("commands work on a copy here");
      return TRUE;
    }

  return skip ();
}

/* A command's changes land while it runs on, and later ones at its end; one undo takes all of them back, and one redo makes
 * them again. */
static void
test_now (Test *test, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  guint n_early;

  if (skip_early (test))
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  write_file (test, "a.txt", "one\n");
  run_server (test, "echo two >>a.txt; echo b >b.txt", "echo three >>a.txt; echo c >c.txt; rm ready");
  g_assert_true (beckon_tool_call_get_can_land (get_call (test)));
  assert_file (test, "a.txt", "one\n");
  g_assert_cmpint (land_now (test, &error), ==, BECKON_LAND_NOW_LANDED);
  g_assert_no_error (error);
  assert_file (test, "a.txt", "one\ntwo\n");
  assert_file (test, "b.txt", "b\n");
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test)), ==, BECKON_CALL_STARTED);
  n_early = beckon_tool_call_get_n_early (get_call (test));
  g_assert_cmpuint (n_early, ==, 1);
  g_assert_cmpint (land_now (test, &error), ==, BECKON_LAND_NOW_NOTHING);
  g_assert_no_error (error);

  let_server_end (test);
  finish (test);
  assert_file (test, "a.txt", "one\ntwo\nthree\n");
  assert_file (test, "c.txt", "c\n");
  assert_file (test, "ready", NULL);
  assert_told (test, "Saved in the folder while it still ran: ");
  g_assert_false (beckon_tool_call_get_can_land (get_call (test)));
  undo_call (test, FALSE);
  assert_file (test, "a.txt", "one\n");
  assert_file (test, "b.txt", NULL);
  assert_file (test, "c.txt", NULL);
  g_assert_cmpint (beckon_tool_call_get_change (get_call (test)), ==, BECKON_CALL_CHANGE_UNDONE);
  undo_call (test, TRUE);
  assert_file (test, "a.txt", "one\ntwo\nthree\n");
  assert_file (test, "b.txt", "b\n");
}

/* A rewind foresees and takes back both, of one file too. */
static void
test_now_rewound (Test *test, gconstpointer data)
{
  BeckonFileCopies *copies = BECKON_FILE_COPIES (test->agent->store);
  const char *id = beckon_conversation_get_id (test->agent->conversation);
  g_autoptr (GAsyncResult) foreseen = NULL;
  g_autoptr (GAsyncResult) done = NULL;
  g_autoptr (GAsyncResult) redone = NULL;
  g_autoptr (GPtrArray) calls = NULL;
  BeckonRewind *rewind;

  if (skip_early (test))
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  write_file (test, "a.txt", "one\n");
  run_server (test, "echo two >>a.txt; echo b >b.txt", "echo three >>a.txt; rm b.txt");
  g_assert_cmpint (land_now (test, NULL), ==, BECKON_LAND_NOW_LANDED);
  assert_file (test, "b.txt", "b\n");
  let_server_end (test);
  finish (test);
  assert_file (test, "a.txt", "one\ntwo\nthree\n");
  assert_file (test, "b.txt", NULL);
  calls = beckon_rewind_list_calls (test->agent->conversation,
                                    beckon_message_get_id (beckon_conversation_get_message (test->agent->conversation, 0)));
  g_assert_cmpuint (calls->len, ==, 1);

  beckon_rewind_preview_async (copies, calls, NULL, keep, &foreseen);
  beckon_agent_wait_until (foreseen != NULL);
  rewind = beckon_rewind_preview_finish (copies, foreseen, NULL);
  g_assert_false (beckon_rewind_has_refused (rewind));
  beckon_rewind_free (rewind);
  beckon_rewind_async (copies, id, calls, "window", NULL, keep, &done);
  beckon_agent_wait_until (done != NULL);
  rewind = beckon_rewind_finish (copies, done, NULL);
  g_assert_false (beckon_rewind_has_refused (rewind));
  g_assert_cmpuint (rewind->calls->len, ==, 1);
  beckon_rewind_free (rewind);
  assert_file (test, "a.txt", "one\n");
  assert_file (test, "b.txt", NULL);

  beckon_rewind_redo_async (copies, id, calls, "window", NULL, keep, &redone);
  beckon_agent_wait_until (redone != NULL);
  rewind = beckon_rewind_redo_finish (copies, redone, NULL);
  g_assert_false (beckon_rewind_has_refused (rewind));
  beckon_rewind_free (rewind);
  assert_file (test, "a.txt", "one\ntwo\nthree\n");
  assert_file (test, "b.txt", NULL);
}

/* Changes that would be asked about wait for the end, and are asked about then. */
static void
test_now_concerned (Test *test, gconstpointer data)
{
  BeckonRequest *request;

  if (skip_early (test))
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  run_server (test, "echo b >b.txt; echo touch RAN >.envrc", "true");
  g_assert_cmpint (land_now (test, NULL), ==, BECKON_LAND_NOW_LANDED);
  assert_file (test, "b.txt", "b\n");
  assert_file (test, ".envrc", NULL);
  g_assert_cmpint (land_now (test, NULL), ==, BECKON_LAND_NOW_WAITS);
  let_server_end (test);
  request = wait_for_changes (test);
  g_assert_cmpuint (beckon_change_set_count (beckon_request_get_changes (request), BECKON_FILE_OPEN), ==, 1);
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_DECLINED, NULL));
  finish (test);
  assert_file (test, ".envrc", NULL);
  assert_file (test, "b.txt", "b\n");
}

/* Landed changes stay when the command is stopped, and are undone by its call. */
static void
test_now_stopped (Test *test, gconstpointer data)
{
  if (skip_early (test))
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  run_server (test, "echo b >b.txt", "sleep 1000");
  g_assert_cmpint (land_now (test, NULL), ==, BECKON_LAND_NOW_LANDED);
  beckon_agent_fixture_stop (test->agent);
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test)), ==, BECKON_CALL_CANCELLED);
  assert_file (test, "b.txt", "b\n");
  g_assert_nonnull (strstr (beckon_tool_call_get_result (get_call (test)), "while it still ran: "));
  undo_call (test, FALSE);
  assert_file (test, "b.txt", NULL);
}

/* The press is no yes: the card shows it, while the command runs on, and what is kept of it lands. */
static void
test_now_asked (Test *test, gconstpointer data)
{
  BeckonRequest *request;

  if (skip_early (test))
    return;
  run_server (test, "echo b >b.txt; echo c >c.txt", "echo d >d.txt");
  g_assert_cmpint (land_now (test, NULL), ==, BECKON_LAND_NOW_ASKED);
  request = beckon_agent_fixture_wait_pending (test->agent, 1);
  g_assert_true (BECKON_IS_CHANGES_REQUEST (request));
  g_assert_true (beckon_tool_call_get_request (get_call (test)) == G_OBJECT (request));
  g_assert_cmpuint (beckon_change_set_get_n_changes (beckon_request_get_changes (request)), ==, 3);
  g_assert_cmpstr (beckon_change_set_get (beckon_request_get_changes (request), 1)->path, ==, "c.txt");
  assert_file (test, "b.txt", NULL);
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test)), ==, BECKON_CALL_STARTED);
  g_assert_cmpint (land_now (test, NULL), ==, BECKON_LAND_NOW_FAILED);
  beckon_agent_fixture_answer (test->agent, request,
                               beckon_answer_new (BECKON_ANSWER_KEPT, "{\"leave_out\":[{\"change\":2}]}"));
  beckon_agent_wait_until (beckon_tool_call_get_change (get_call (test)) == BECKON_CALL_CHANGE_KEPT);
  assert_file (test, "b.txt", "b\n");
  assert_file (test, "c.txt", NULL);
  g_assert_null (beckon_tool_call_get_request (get_call (test)));

  let_server_end (test);
  request = wait_for_changes (test);
  g_assert_cmpuint (beckon_change_set_get_n_changes (beckon_request_get_changes (request)), ==, 2);
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_KEPT, NULL));
  finish (test);
  assert_file (test, "c.txt", "c\n");
  assert_file (test, "d.txt", "d\n");
  undo_call (test, FALSE);
  assert_file (test, "b.txt", NULL);
  assert_file (test, "c.txt", NULL);
}

/* With the command's end the question is taken back, and all of it is asked about. After a stop nothing lands. */
static void
test_now_unanswered (Test *test, gconstpointer data)
{
  gboolean is_stopped = GPOINTER_TO_INT (data);
  BeckonRequest *request;

  if (skip_early (test))
    return;
  run_server (test, "echo b >b.txt", "echo c >c.txt");
  g_assert_cmpint (land_now (test, NULL), ==, BECKON_LAND_NOW_ASKED);
  request = g_object_ref (beckon_agent_fixture_wait_pending (test->agent, 1));
  if (is_stopped)
    beckon_agent_fixture_stop (test->agent);
  else
    let_server_end (test);
  beckon_agent_wait_until (beckon_request_get_state (request) == BECKON_REQUEST_CANCELLED);
  if (!is_stopped)
    {
      beckon_agent_wait_until (beckon_tool_call_get_request (get_call (test)) != NULL
                               && beckon_tool_call_get_request (get_call (test)) != G_OBJECT (request));
      g_assert_cmpuint (beckon_change_set_get_n_changes (beckon_request_get_changes (wait_for_changes (test))), ==, 3);
      beckon_agent_fixture_answer (test->agent, wait_for_changes (test), beckon_answer_new (BECKON_ANSWER_KEPT, NULL));
      finish (test);
      assert_file (test, "c.txt", "c\n");
    }
  else
    beckon_agent_wait_until (count_places () == 0);
  assert_file (test, "b.txt", is_stopped ? NULL : "b\n");
  g_assert_cmpuint (beckon_tool_call_get_n_early (get_call (test)), ==, 0);
  g_object_unref (request);
}

static void
probe (void)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) learned = NULL;
  g_autofree char *made = g_dir_make_tmp ("beckon-agent-landing-XXXXXX", NULL);
  g_autofree char *folder = realpath (made, NULL);

  beckon_sandbox_probe_async (NULL, keep, &result);
  beckon_agent_wait_until (result != NULL);
  is_possible = beckon_sandbox_probe_finish (result, NULL);
  beckon_sandbox_view_learn_async (folder, NULL, keep, &learned);
  beckon_agent_wait_until (learned != NULL);
  is_possible = is_possible && beckon_sandbox_view_get (folder) != BECKON_VIEW_DIRECT;
  g_rmdir (folder);
}

/* --- In the background --------------------------------------------------------------------------------------------- */

/* The call that began it, whatever came behind. */
static BeckonToolCall *
get_server (Test *test)
{
  for (guint i = 0; i < beckon_conversation_get_n_messages (test->agent->conversation); i++)
    {
      g_autoptr (GPtrArray) calls
        = beckon_message_list_calls (beckon_conversation_get_message (test->agent->conversation, i));

      if (calls->len > 0)
        return g_ptr_array_index (calls, 0);
    }

  g_assert_not_reached ();
}

/* The model starts a server that writes a file, and a command behind it that meets it. */
static void
start_server (Test *test)
{
  beckon_agent_fixture_script (
    test->agent, beckon_script_call ("call_1", "run_command",
                                     "{\"command\":\"echo up; echo one >a.txt; mkfifo /tmp/pipe; echo met >/tmp/pipe; exec sleep 1000\","
                                     "\"background\":true}"));
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_2", "run_command", "{\"command\":\"cat /tmp/pipe\"}"));
}

static char *
dup_told (Test *test, guint request, const char *id)
{
  return beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, request), id);
}

static void
assert_has (const char *text, const char *words)
{
  if (text == NULL || strstr (text, words) == NULL)
    g_error ("“%s” is not in “%s”", words, text);
}

/* The run goes on beside it; its end by the model saves what it changed, of which the model is told behind what it was told before. */
static void
test_background (Test *test, gconstpointer data)
{
  g_autofree char *begun = NULL;
  g_autofree char *met = NULL;
  g_autofree char *ended = NULL;
  g_autofree char *after = NULL;

  if (skip ())
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  start_server (test);
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_3", "end_command", "{\"output\":\"output:1\"}"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  finish (test);
  begun = dup_told (test, 1, "call_1");
  assert_has (begun, "up\n[It goes on in the background as output:1:");
  met = dup_told (test, 2, "call_2");
  assert_has (met, "met\n[Exit status 0");
  ended = dup_told (test, 3, "call_3");
  assert_has (ended, "[It was ended, because end_command was called, after ");
  assert_has (ended, "Made in the folder: a.txt.");
  after = dup_told (test, 3, "call_1");
  g_assert_cmpstr (after, ==, begun);
  assert_file (test, "a.txt", "one\n");
  g_assert_cmpint (beckon_tool_call_get_state (get_server (test)), ==, BECKON_CALL_DONE);
  g_assert_false (beckon_tool_call_get_is_error (get_server (test)));
  g_assert_cmpint (beckon_tool_call_get_change (get_server (test)), ==, BECKON_CALL_CHANGE_KEPT);
  beckon_agent_fixture_assert_same (test->agent, test->agent->conversation);
}

/* The next program sends all that was sent before, with what the model read of its start. */
static void
test_background_next (Test *test, gconstpointer data)
{
  g_autofree char *id = g_strdup (beckon_conversation_get_id (test->agent->conversation));
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  if (skip ())
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  start_server (test);
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  finish (test);
  before = beckon_agent_dump_request (beckon_fixture_server_get_request (test->agent->server, 2));
  assert_has (before, "[It goes on in the background");
  beckon_agent_fixture_restart (test->agent);
  beckon_tool_registry_add_working (test->agent->tools, &(BeckonToolParts){
                                                            .copies = BECKON_FILE_COPIES (test->agent->store),
                                                            .memory = BECKON_MEMORY (test->agent->store),
                                                            .outputs = test->spool,
                                                        });
  beckon_agent_fixture_open (test->agent, id);
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Well"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "And now?");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  after = beckon_agent_dump_request (beckon_fixture_server_get_request (test->agent->server, 3));
  assert_has (after, before);
  assert_has (after, "has ended");
}

/* A name that the conversation tells of is given to nothing else, by a program that knows of no output yet either. */
static void
test_background_name (Test *test, gconstpointer data)
{
  g_autofree char *again = NULL;

  if (skip ())
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "read_file", "{\"path\":\"output:41\"}"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("It is gone"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Look");
  finish (test);
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_2", "run_command",
                                                                "{\"command\":\"exec sleep 1000\",\"background\":true}"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Again");
  finish (test);
  again = dup_told (test, 3, "call_2");
  assert_has (again, "in the background as output:42:");
}

/* With the next message, and once: what was sent before stays as it was. */
static void
assert_told_of_end (Test *test, guint next, const char *words)
{
  g_autofree char *begun = dup_told (test, next - 1, "call_1");
  g_autofree char *after = NULL;

  for (guint i = 0; i < 2; i++)
    {
      beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Well"));
      beckon_agent_fixture_send (test->agent, test->agent->conversation, "And now?");
      finish (test);
    }
  after = dup_told (test, next + 1, "call_1");
  assert_has (begun, "[It goes on in the background");
  g_assert_cmpstr (begun, ==, after);
  for (guint i = next; i < next + 2; i++)
    {
      const char *body = beckon_fixture_server_get_request (test->agent->server, i)->body;
      const char *found = strstr (body, words);

      assert_has (body, words);
      g_assert_null (strstr (found + 1, words));
    }
}

/* The person ends it while the turn goes on: the next result of any call tells of it. */
static void
test_background_ended_by_person (Test *test, gconstpointer data)
{
  g_autofree char *begun = NULL;
  g_autofree char *after = NULL;
  g_autofree char *next = NULL;

  if (skip ())
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  beckon_agent_fixture_script (
    test->agent, beckon_script_call ("call_1", "run_command",
                                     "{\"command\":\"echo one >a.txt; exec sleep 1000\",\"background\":true}"));
  beckon_agent_fixture_script (test->agent,
                               beckon_script_call ("call_2", "run_command", "{\"command\":\"echo next\",\"network\":true}"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  beckon_agent_fixture_wait_pending (test->agent, 1);
  beckon_command_end (get_server (test), "the user stopped it");
  beckon_agent_wait_until (beckon_tool_call_get_state (get_server (test)) == BECKON_CALL_DONE);
  beckon_agent_fixture_answer (test->agent, beckon_agent_fixture_get_pending (test->agent, 0),
                               beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
  finish (test);
  begun = dup_told (test, 1, "call_1");
  after = dup_told (test, 2, "call_1");
  g_assert_cmpstr (begun, ==, after);
  next = dup_told (test, 2, "call_2");
  assert_has (next, "next\n[Exit status 0, after ");
  assert_has (next, "\n[output:1, which ran in the background, has ended. It was ended, because the user stopped it, after ");
  assert_has (next, "Made in the folder: a.txt.");
}

/* A command ends with the turn, which ends when what it changed is saved, or the person decided about that. */
static void
test_background_over (Test *test, gconstpointer is_asked)
{
  if (skip ())
    return;
  set_mode (test, is_asked != NULL ? BECKON_MODE_ASK_CHANGES : BECKON_MODE_ASK_OUTSIDE);
  start_server (test);
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  if (is_asked != NULL)
    {
      BeckonRequest *request = beckon_agent_fixture_wait_pending (test->agent, 1);

      g_assert_true (BECKON_IS_CHANGES_REQUEST (request));
      g_assert_cmpint (beckon_tool_call_get_state (get_server (test)), ==, BECKON_CALL_STARTED);
      assert_file (test, "a.txt", NULL);
      beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_KEPT, NULL));
    }
  finish (test);
  assert_file (test, "a.txt", "one\n");
  assert_has (beckon_tool_call_get_result (get_server (test)), "[It was ended, because your turn was over, after ");
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 3);
  assert_told_of_end (test, 3, "has ended. It was ended, because your turn was over, after ");
  beckon_agent_fixture_assert_same (test->agent, test->agent->conversation);
}

/* Changes so far can be saved meanwhile, while the model thinks about something else. */
static void
test_background_now (Test *test, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;

  if (skip_early (test))
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  start_server (test);
  beckon_agent_fixture_script (test->agent, beckon_script_held ("I think", "thinks", " so"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_RECEIVING);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) == 3);
  g_assert_true (beckon_tool_call_get_can_land (get_server (test)));
  assert_file (test, "a.txt", NULL);
  beckon_agent_land_now_async (test->agent->agent, test->agent->conversation, get_server (test), keep, &result);
  beckon_agent_wait_until (result != NULL);
  g_assert_cmpint (beckon_agent_land_now_finish (test->agent->agent, result, NULL), ==, BECKON_LAND_NOW_LANDED);
  assert_file (test, "a.txt", "one\n");
  beckon_fixture_server_release (test->agent->server, "thinks");
  finish (test);
  assert_has (beckon_tool_call_get_result (get_server (test)), "Saved in the folder while it still ran: ");
}

/* Another end of the turn is behind its own, too. */
static void
test_background_limit (Test *test, gconstpointer fails)
{
  if (skip ())
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  start_server (test);
  if (fails != NULL)
    beckon_agent_fixture_script (test->agent, beckon_script_error (401, NULL, "no"));
  else
    beckon_agent_fixture_set_rounds (test->agent, 2);
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  beckon_agent_fixture_wait_end (test->agent, fails != NULL ? BECKON_RUN_FAILED : BECKON_RUN_ROUND_LIMIT);
  assert_file (test, "a.txt", "one\n");
  g_assert_cmpint (beckon_tool_call_get_state (get_server (test)), ==, BECKON_CALL_DONE);
  assert_has (beckon_tool_call_get_result (get_server (test)), "because your turn was over");
  beckon_agent_fixture_assert_same (test->agent, test->agent->conversation);
}

/* A person keeps it: the turn rests beside it, takes their next message, and is over when it has ended. */
static void
test_background_kept (Test *test, gconstpointer data)
{
  g_autoptr (GAsyncResult) queued = NULL;
  g_autoptr (GPtrArray) no_files = g_ptr_array_new ();
  g_autofree char *told = NULL;

  if (skip ())
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  start_server (test);
  beckon_agent_fixture_script (test->agent, beckon_script_held ("I think", "thinks", " so"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) == 3);
  beckon_tool_call_keep (get_server (test));
  beckon_fixture_server_release (test->agent->server, "thinks");
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_WAITING);
  g_assert_cmpint (beckon_tool_call_get_state (get_server (test)), ==, BECKON_CALL_STARTED);

  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("And so on"));
  beckon_agent_queue_async (test->agent->agent, test->agent->conversation, "And then?", no_files, FALSE, NULL, keep,
                            &queued);
  beckon_agent_wait_until (queued != NULL && beckon_fixture_server_count_requests (test->agent->server) == 4);
  told = dup_told (test, 3, "call_1");
  assert_has (told, "[It goes on in the background");
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_WAITING);
  g_assert_cmpint (beckon_tool_call_get_state (get_server (test)), ==, BECKON_CALL_STARTED);
  beckon_command_end (get_server (test), "the user stopped it");
  finish (test);
  assert_file (test, "a.txt", "one\n");
  assert_has (beckon_tool_call_get_result (get_server (test)), "because the user stopped it");
}

/* A stop ends it with everything else, and saves nothing. */
static void
test_background_stopped (Test *test, gconstpointer data)
{
  if (skip ())
    return;
  set_mode (test, BECKON_MODE_ASK_OUTSIDE);
  start_server (test);
  beckon_agent_fixture_script (test->agent, beckon_script_held ("I think", "thinks", " so"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) == 3);
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_RECEIVING);
  beckon_agent_stop (test->agent->agent, test->agent->conversation);
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_STOPPED);
  g_assert_cmpint (beckon_tool_call_get_state (get_server (test)), ==, BECKON_CALL_CANCELLED);
  assert_has (beckon_tool_call_get_result (get_server (test)), "The user stopped the run before anything");
  assert_file (test, "a.txt", NULL);
  beckon_agent_wait_until (count_places () == 0);
  assert_told_of_end (test, 3, "which ran in the background, has ended.]\\nThe user stopped the run");
  beckon_agent_fixture_assert_same (test->agent, test->agent->conversation);
}

#define ADD(path, function) g_test_add (path, Test, NULL, set_up, function, tear_down)

/* They wait for seconds of a clock, and are with -m slow in the suite `long`. */
static void
add_slow_cases (void)
{
  ADD ("/agent/landing/erased", test_erased);
}

static void
add_cases (void)
{
  ADD ("/agent/landing/kept", test_kept);
  ADD ("/agent/landing/crowd", test_crowd);
  ADD ("/agent/landing/undone", test_undone);
  ADD ("/agent/landing/undone-in-part", test_undone_in_part);
  ADD ("/agent/landing/left-out", test_left_out);
  ADD ("/agent/landing/left-out-commit", test_left_out_commit);
  ADD ("/agent/landing/refused-beside", test_refused_beside);
  g_test_add ("/agent/landing/move-files", Test, "kept", set_up, test_move_files, tear_down);
  g_test_add ("/agent/landing/move-files-in-part", Test, NULL, set_up, test_move_files, tear_down);
  ADD ("/agent/landing/left-out-before-others", test_left_out_before_others);
  ADD ("/agent/landing/outcome", test_outcome);
  ADD ("/agent/landing/by-products/alone", test_by_products);
  ADD ("/agent/landing/by-products/beside", test_by_products_beside);
  ADD ("/agent/landing/by-products/unknown", test_by_products_unknown);
  g_test_add ("/agent/landing/by-products/keeping", Test, GINT_TO_POINTER (FALSE), set_up, test_keeping, tear_down);
  g_test_add ("/agent/landing/by-products/keeping-asked", Test, GINT_TO_POINTER (TRUE), set_up, test_keeping, tear_down);
  g_test_add ("/agent/landing/by-products/asked", Test, GINT_TO_POINTER (FALSE), set_up, test_by_products_asked, tear_down);
  g_test_add ("/agent/landing/by-products/everything", Test, GINT_TO_POINTER (TRUE), set_up, test_by_products_asked, tear_down);
  ADD ("/agent/landing/in-part", test_in_part);
  ADD ("/agent/landing/nothing", test_nothing);
  ADD ("/agent/landing/failed", test_failed);
  ADD ("/agent/landing/outside", test_outside);
  ADD ("/agent/landing/everything", test_everything);
  ADD ("/agent/landing/rules", test_rules);
  for (guint i = 0; i < G_N_ELEMENTS (granted); i++)
    {
      g_autofree char *path = g_strconcat ("/agent/landing/granted/", granted[i].name, NULL);

      g_test_add (path, Test, &granted[i], set_up, test_granted, tear_down);
    }
  for (guint i = 0; i < G_N_ELEMENTS (offered); i++)
    {
      g_autofree char *path = g_strconcat ("/agent/landing/offered/", offered[i].name, NULL);

      g_test_add (path, Test, &offered[i], set_up, test_offered, tear_down);
    }
  ADD ("/agent/landing/remembered", test_remembered);
  g_test_add ("/agent/landing/ruled-meanwhile", Test, GINT_TO_POINTER (TRUE), set_up, test_ruled_meanwhile, tear_down);
  g_test_add ("/agent/landing/ruled-in-part", Test, GINT_TO_POINTER (FALSE), set_up, test_ruled_meanwhile, tear_down);
  ADD ("/agent/landing/program-of-repository", test_program_of_repository);
  g_test_add ("/agent/landing/granted-moves/allowed", Test, GUINT_TO_POINTER (BECKON_VERDICT_ALLOW), set_up, test_granted_moves,
              tear_down);
  g_test_add ("/agent/landing/granted-moves/asked", Test, GUINT_TO_POINTER (BECKON_VERDICT_ASK), set_up, test_granted_moves,
              tear_down);
  g_test_add ("/agent/landing/granted-moves/denied", Test, GUINT_TO_POINTER (BECKON_VERDICT_DENY), set_up, test_granted_moves,
              tear_down);
  g_test_add ("/agent/landing/granted-git-move", Test, GINT_TO_POINTER (TRUE), set_up, test_granted_git_move, tear_down);
  g_test_add ("/agent/landing/offered-git-move", Test, GINT_TO_POINTER (FALSE), set_up, test_granted_git_move, tear_down);
  ADD ("/agent/landing/granted-move-files", test_granted_move_files);
  ADD ("/agent/landing/granted-otherwise", test_granted_otherwise);
  g_test_add ("/agent/landing/granted-many", Test, GINT_TO_POINTER (FALSE), set_up, test_granted_many, tear_down);
  g_test_add ("/agent/landing/granted-commit", Test, GINT_TO_POINTER (TRUE), set_up, test_granted_many, tear_down);
  ADD ("/agent/landing/git-elsewhere", test_git_elsewhere);
  ADD ("/agent/landing/conflict", test_conflict);
  ADD ("/agent/landing/stopped", test_stopped);
  ADD ("/agent/landing/stopped-at-work", test_stopped_at_work);
  ADD ("/agent/landing/stopped-taken-over", test_stopped_taken_over);
  g_test_add ("/agent/landing/move/kept", Test, GINT_TO_POINTER (TRUE), set_up, test_move, tear_down);
  g_test_add ("/agent/landing/move/left-out", Test, GINT_TO_POINTER (FALSE), set_up, test_move, tear_down);
  ADD ("/agent/landing/move/denied", test_move_denied);
  g_test_add ("/agent/landing/away/kept", Test, GINT_TO_POINTER (FALSE), set_up, test_keep_while_away, tear_down);
  g_test_add ("/agent/landing/away/declined", Test, GINT_TO_POINTER (TRUE), set_up, test_keep_while_away, tear_down);
  g_test_add ("/agent/landing/both-changed/kept", Test, GINT_TO_POINTER (TRUE), set_up, test_both_changed, tear_down);
  g_test_add ("/agent/landing/both-changed/left-out", Test, GINT_TO_POINTER (FALSE), set_up, test_both_changed, tear_down);
  g_test_add ("/agent/landing/stopped-taken-over-network", Test, "network", set_up, test_stopped_taken_over, tear_down);
  ADD ("/agent/landing/two", test_two);
  ADD ("/agent/landing/elsewhere", test_elsewhere);
  ADD ("/agent/landing/temporary", test_temporary);
  ADD ("/agent/landing/time", test_time);
  ADD ("/agent/landing/nobody", test_nobody);
  ADD ("/agent/landing/nobody-for-changes", test_nobody_for_changes);
  ADD ("/agent/landing/step", test_step);
  g_test_add ("/agent/landing/step-kept", Test, "", set_up, test_step, tear_down);
  ADD ("/agent/landing/step-stopped", test_step_stopped);
  ADD ("/agent/landing/step-read", test_step_read);
  ADD ("/agent/landing/step-changed", test_step_other_file);
  g_test_add ("/agent/landing/step-linked", Test, "link", set_up, test_step_other_file, tear_down);
  g_test_add ("/agent/landing/step-renamed", Test, "moved", set_up, test_step_other_file, tear_down);
  ADD ("/agent/landing/step-crossed", test_step_other_role);
  g_test_add ("/agent/landing/step-written", Test, GINT_TO_POINTER (BECKON_MODE_ASK_CHANGES), set_up, test_step_written,
              tear_down);
  g_test_add ("/agent/landing/step-replaced", Test, NULL, set_up, test_step_replaced, tear_down);
  ADD ("/agent/landing/step-new", test_step_new);
  ADD ("/agent/landing/step-target", test_step_target);
  g_test_add ("/agent/landing/step-target/replaced", Test, "cat a.txt >old.txt", set_up, test_step_target, tear_down);
  g_test_add ("/agent/landing/step-target/more", Test, "cat a.txt >n.txt; touch m.txt", set_up, test_step_target, tear_down);
  g_test_add ("/agent/landing/step-target/runner", Test, "cat a.txt >.envrc", set_up, test_step_target, tear_down);
  g_test_add ("/agent/landing/step-target/program", Test, "cat a.txt >n.txt; chmod +x n.txt", set_up, test_step_target, tear_down);
  g_test_add ("/agent/landing/step-written/everything", Test, GINT_TO_POINTER (BECKON_MODE_ASK_EVERYTHING), set_up,
              test_step_written, tear_down);
  ADD ("/agent/landing/step-moved-on", test_step_moved_on);
  ADD ("/agent/landing/step-folder", test_step_folder);
  ADD ("/agent/landing/step-edited", test_step_edited);
  g_test_add ("/agent/landing/move-halves/object", Test, ".git/objects/ab/cd", set_up, test_move_halves, tear_down);
  g_test_add ("/agent/landing/move-halves/hook", Test, ".git/hooks/pre-commit", set_up, test_move_halves, tear_down);
  g_test_add ("/agent/landing/move-halves/empty", Test, ".envrc", set_up, test_move_halves, tear_down);
  g_test_add ("/agent/landing/move-halves/folder", Test, "n/.envrc", set_up, test_move_halves, tear_down);
  for (guint i = 0; i < G_N_ELEMENTS (others_since); i++)
    {
      g_autofree char *path = g_strconcat ("/agent/landing/step-other-since/", others_since[i].how, NULL);

      g_test_add (path, Test, &others_since[i], set_up, test_step_other_since, tear_down);
    }
  ADD ("/agent/landing/step-unread", test_step_unread);
  ADD ("/agent/landing/step-changed-later", test_step_changed_later);
  g_test_add ("/agent/landing/step-made", Test, "", set_up, test_step_other_role, tear_down);
  ADD ("/agent/landing/step-paused", test_step_paused);
  ADD ("/agent/landing/step-ruled", test_step_ruled);
  ADD ("/agent/landing/deleted", test_deleted);
  ADD ("/agent/landing/log", test_log);
  ADD ("/agent/landing/now", test_now);
  ADD ("/agent/landing/now/rewound", test_now_rewound);
  ADD ("/agent/landing/now/concerned", test_now_concerned);
  ADD ("/agent/landing/now/stopped", test_now_stopped);
  ADD ("/agent/landing/now/asked", test_now_asked);
  ADD ("/agent/background/ended", test_background);
  ADD ("/agent/background/next-program", test_background_next);
  ADD ("/agent/background/ended-by-person", test_background_ended_by_person);
  ADD ("/agent/background/name", test_background_name);
  g_test_add ("/agent/background/over", Test, NULL, set_up, test_background_over, tear_down);
  g_test_add ("/agent/background/over-asked", Test, GINT_TO_POINTER (TRUE), set_up, test_background_over, tear_down);
  g_test_add ("/agent/background/limit", Test, NULL, set_up, test_background_limit, tear_down);
  g_test_add ("/agent/background/failed", Test, GINT_TO_POINTER (TRUE), set_up, test_background_limit, tear_down);
  ADD ("/agent/background/kept", test_background_kept);
  ADD ("/agent/background/now", test_background_now);
  ADD ("/agent/background/stopped", test_background_stopped);
  g_test_add ("/agent/landing/now/unanswered", Test, NULL, set_up, test_now_unanswered, tear_down);
  g_test_add ("/agent/landing/now/unanswered-stop", Test, GINT_TO_POINTER (TRUE), set_up, test_now_unanswered, tear_down);
}

int
main (int argc, char *argv[])
{
  g_autofree char *data = g_dir_make_tmp ("beckon-agent-data-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  probe ();
  if (g_test_slow ())
    add_slow_cases ();
  else
    add_cases ();
  status = g_test_run ();
  beckon_tree_remove (data);
  return status;
}
