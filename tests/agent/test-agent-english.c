/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-agent-fixture.h"
#include "beckon-tree.h"

#include "base/beckon-english.h"
#include "base/beckon-worker.h"
#include "landing/beckon-lander.h"
#include "request/beckon-call-preview.h"
#include "request/beckon-call-request.h"
#include "request/beckon-trust-request.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <locale.h>

/* A model reads English, in whatever language the person reads. The first argument is the folder of the translations. */

static void
assert_english (const char *text)
{
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_get_script (g_utf8_get_char (at)) == G_UNICODE_SCRIPT_HAN)
      g_error ("a model reads: %s", text);
}

static void
assert_chinese (const char *text)
{
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_get_script (g_utf8_get_char (at)) == G_UNICODE_SCRIPT_HAN)
      return;
  g_error ("a person reads: %s", text);
}

/* Has the model make a call; asserts that all it reads then is English, the result too, and that this is an error. */
static void
assert_refused (BeckonAgentFixture *fixture, const char *name, const char *arguments)
{
  const BeckonFixtureRequest *last;
  g_autofree char *result = NULL;
  guint n = beckon_fixture_server_count_requests (fixture->server);

  beckon_agent_fixture_script (fixture, beckon_script_call ("c1", name, arguments));
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("I see"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Go");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (fixture->server), ==, n + 2);
  last = beckon_fixture_server_get_request (fixture->server, n + 1);
  result = beckon_agent_dup_result (last, "c1");
  g_assert_cmpstr (result, !=, "");
  assert_english (result);
  assert_english (last->body);
}

/* The translations are there, and would be taken. */
static void
test_translated (void)
{
  g_assert_cmpstr (_("The model sent an empty reply."), !=, "The model sent an empty reply.");
}

static void
test_folder (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonOutputStore) outputs = beckon_output_store_new ();

  beckon_tool_registry_add_working (fixture->tools, &(BeckonToolParts){
                                                      .copies = BECKON_FILE_COPIES (fixture->store),
                                                      .memory = BECKON_MEMORY (fixture->store),
                                                      .outputs = outputs,
                                                    });
  beckon_conversation_set_folder (fixture->conversation, "/");
  assert_refused (fixture, "run_command", "{\"command\":\"true\"}");
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static void
remember (BeckonAgentFixture *fixture, const char *text)
{
  g_autoptr (BeckonMemo) note = beckon_memo_new (NULL, text, 1);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_memory_put_async (BECKON_MEMORY (fixture->store), note, keep_result, &result);
  beckon_agent_wait_until (result != NULL);
  beckon_memory_put_finish (BECKON_MEMORY (fixture->store), result, &error);
  g_assert_no_error (error);
}

/* All that was remembered is in the prompt of a new conversation, or how many notes there are if they are long. @data: whether. */
static void
test_notes (gconstpointer data)
{
  gboolean is_long = GPOINTER_TO_INT (data);
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonOutputStore) outputs = beckon_output_store_new ();
  g_autofree char *filler = g_strnfill (1600, 'x');
  g_autofree char *system = NULL;

  beckon_tool_registry_add_working (fixture->tools, &(BeckonToolParts){
                                                      .copies = BECKON_FILE_COPIES (fixture->store),
                                                      .memory = BECKON_MEMORY (fixture->store),
                                                      .outputs = outputs,
                                                    });
  remember (fixture, "Tests are run with make check.");
  if (is_long)
    remember (fixture, filler);
  beckon_agent_fixture_script (fixture, beckon_fixture_reply_new_chat ("Hello"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
  beckon_agent_fixture_wait_end (fixture, BECKON_RUN_COMPLETE);
  system = beckon_agent_dup_system (beckon_fixture_server_get_request (fixture->server, 0));
  g_assert_true ((strstr (system, "- Tests are run with make check.") != NULL) == !is_long);
  g_assert_true ((strstr (system, "2 notes were remembered in earlier conversations; recall") != NULL) == is_long);
}

/* The C library has translations of its own. */
static void
test_errno (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonOutputStore) outputs = beckon_output_store_new ();
  g_autofree char *folder = g_dir_make_tmp ("beckon-english-XXXXXX", NULL);
  g_autofree char *name = g_strnfill (300, 'a');
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\"}", name);

  beckon_tool_registry_add_working (fixture->tools, &(BeckonToolParts){
                                                      .copies = BECKON_FILE_COPIES (fixture->store),
                                                      .memory = BECKON_MEMORY (fixture->store),
                                                      .outputs = outputs,
                                                    });
  beckon_conversation_set_folder (fixture->conversation, folder);
  assert_refused (fixture, "read_file", arguments);
  g_rmdir (folder);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

static void
fail_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/");
  GError *error = NULL;

  g_assert_null (g_file_read (file, NULL, &error));
  g_prefix_error (&error, "%s ", _("No output yet."));
  g_task_return_error (task, error);
}

/* GIO has translations of its own, too, where they are installed. */
static void
assert_told (void (*run) (GTask *task, GTaskThreadFunc function), void (*assert_language) (const char *text))
{
  gboolean is_done = FALSE;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_done, &is_done);
  g_autoptr (GError) error = NULL;

  run (task, fail_on_thread);
  while (!is_done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (g_task_propagate_pointer (task, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_test_message ("%s", error->message);
  assert_language (error->message);
}

static void
test_worker (void)
{
  assert_told (beckon_worker_run, assert_english);
  assert_told (beckon_worker_run_for_person, assert_chinese);
}

static void
on_previewed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* An edit that has no place in the file any more once the person has changed it, on its card: the thread that finds out says so to the person. */
static void
test_preview (void)
{
  g_autoptr (BeckonAgentFixture) fixture = beckon_agent_fixture_new ();
  g_autoptr (BeckonOutputStore) outputs = beckon_output_store_new ();
  g_autofree char *folder = g_dir_make_tmp ("beckon-english-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a", NULL);
  g_autoptr (GAsyncResult) previewed = NULL;
  g_autoptr (GError) error = NULL;
  BeckonCallPreviewer *previewer = BECKON_CALL_PREVIEWER (fixture->agent);
  BeckonRequest *request;

  g_assert_true (g_file_set_contents (path, "one\n", -1, NULL));
  beckon_tool_registry_add_working (fixture->tools, &(BeckonToolParts){
                                                      .copies = BECKON_FILE_COPIES (fixture->store),
                                                      .memory = BECKON_MEMORY (fixture->store),
                                                      .outputs = outputs,
                                                    });
  beckon_conversation_set_folder (fixture->conversation, folder);
  beckon_agent_fixture_script (
      fixture, beckon_script_call ("c1", "edit_file", "{\"path\":\"a\",\"old_text\":\"one\",\"new_text\":\"2\"}"));
  beckon_agent_fixture_send (fixture, fixture->conversation, "Go");
  request = beckon_agent_fixture_wait_pending (fixture, 1);
  beckon_call_previewer_preview_async (previewer, request, "{\"path\":\"a\",\"old_text\":\"two\",\"new_text\":\"2\"}", NULL,
                                       on_previewed, &previewed);
  beckon_agent_wait_until (previewed != NULL);
  g_assert_null (beckon_call_previewer_preview_finish (previewer, previewed, &error));
  g_test_message ("%s", error->message);
  assert_chinese (error->message);
  beckon_agent_fixture_stop (fixture);
  beckon_tree_remove (folder);
}

/* Files of a folder that can't be used are kept with an English reason, which its card shows in the language of then. */
static void
test_faults (void)
{
  static const char *const faults[] = { "The file is not valid JSON.", "Line 3 of the front matter: the key is there twice." };
  g_autoptr (BeckonFolderExtras) extras = beckon_folder_extras_new ("/a");
  g_autoptr (BeckonRequest) request = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      BeckonFolderExtra *extra = beckon_folder_extra_new (BECKON_FOLDER_EXTRA_SKILL, "SKILL.md", NULL, NULL, NULL, 0);

      extra->fault = g_strdup (faults[i]);
      beckon_folder_extras_take (extras, extra);
    }
  request = beckon_trust_request_new ("c", NULL, "/a", extras, NULL, 0);
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autofree char *shown = beckon_trust_request_dup_text (BECKON_TRUST_REQUEST (request),
                                                              beckon_folder_extras_get (extras, i));

      g_test_message ("%s", shown);
      assert_chinese (shown);
      g_assert_null (strstr (shown, "the "));
      g_assert_true (i == 0 || strchr (shown, '3') != NULL);
    }
}

/* The reason is a remark about each of its changes, which a model reads. Undoing is for the person. */
static void
test_landing (void)
{
  g_autoptr (BeckonChangeSet) changes = beckon_change_set_new ();
  g_autoptr (BeckonLanding) landing = beckon_landing_new ("c1", "/nowhere", "/nowhere/place", 0, changes);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) for_person = NULL;

  g_assert_false (beckon_lander_land (landing, &error));
  g_test_message ("%s", error->message);
  assert_english (error->message);
  g_assert_nonnull (strstr (error->message, "No such file"));
  g_assert_false (beckon_lander_redo (landing, &for_person));
  g_assert_cmpstr (for_person->message, !=, error->message);
}

static void
test_shown (void)
{
  g_assert_cmpstr (beckon_english_translate ("The folder is nested too deeply."), !=, "The folder is nested too deeply.");
  g_assert_cmpstr (beckon_english_translate ("/nowhere"), ==, "/nowhere");
  g_assert_cmpstr (beckon_english_translate (""), ==, "");
}

int
main (int argc, char *argv[])
{
  g_setenv ("LANGUAGE", "zh_CN", TRUE);
  setlocale (LC_ALL, "");
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  bindtextdomain (GETTEXT_PACKAGE, argv[1]);
  g_test_add_func ("/agent/english/translated", test_translated);
  g_test_add_func ("/agent/english/folder", test_folder);
  g_test_add_data_func ("/agent/english/notes/shown", GINT_TO_POINTER (FALSE), test_notes);
  g_test_add_data_func ("/agent/english/notes/counted", GINT_TO_POINTER (TRUE), test_notes);
  g_test_add_func ("/agent/english/errno", test_errno);
  g_test_add_func ("/agent/english/worker", test_worker);
  g_test_add_func ("/agent/english/preview", test_preview);
  g_test_add_func ("/agent/english/faults", test_faults);
  g_test_add_func ("/agent/english/landing", test_landing);
  g_test_add_func ("/agent/english/shown", test_shown);
  return g_test_run ();
}
