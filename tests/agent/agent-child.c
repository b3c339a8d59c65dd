/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A process that works on a store until it is killed: `agent-child DIRECTORY BASE-URL WHAT`, where WHAT is
 *
 * send: sends "Hello" in a new conversation;
 * draft: the same, and half an answer is typed to the first question;
 * queue: stores a message and its run, but does not get to driving it;
 * recover: takes over what is open;
 * steer: sends "Hello", and queues "Later" for the end of the turn, and "First" and "Second" for now;
 * edit: sends "Hello", and edits it to "Hello again" when there is a reply and its conversation is printed.
 *
 * It prints the conversation's id once all that is stored, and never ends by itself. Its tools are held, unless
 * AGENT_CHILD_QUICK is set; write_note asks with the form AGENT_CHILD_FORM, which outlives the process where
 * AGENT_CHILD_RESUMES is set; what they do is a line in the file DIRECTORY/effects.
 */

#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

static void
on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gboolean *done = user_data;
  g_autoptr (GError) error = NULL;

  beckon_store_commit_finish (BECKON_STORE (source), result, &error);
  g_assert_no_error (error);
  *done = TRUE;
}

static void
queue (BeckonAgentFixture *fixture, const char *text)
{
  BeckonConversation *conversation = fixture->conversation;
  const char *id = beckon_conversation_get_id (conversation);
  g_autofree char *profile = beckon_settings_dup_default_profile (fixture->settings);
  g_autoptr (BeckonRunRecord) record = beckon_run_record_new (id, profile, 50);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_USER, g_get_real_time ());
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  gboolean done = FALSE;

  beckon_message_add_part (message, part);
  beckon_message_set_seq (message, 0);
  beckon_batch_put_conversation (batch, conversation);
  beckon_batch_add_message (batch, id, message);
  beckon_batch_add_run (batch, record);
  beckon_store_commit_async (fixture->store, batch, NULL, on_committed, &done);
  beckon_agent_wait_until (done);
}

static void
type_half (BeckonAgentFixture *fixture)
{
  BeckonRequest *request = beckon_agent_fixture_wait_pending (fixture, 1);

  beckon_inbox_save_draft (fixture->inbox, request, "{\"text\":\"half an ans\"}");
  beckon_inbox_flush (fixture->inbox);
  beckon_agent_fixture_sync (fixture);
}

static void
on_queued (GObject *source, GAsyncResult *result, gpointer user_data)
{
  guint *n_queued = user_data;
  g_autoptr (GError) error = NULL;

  beckon_agent_queue_finish (BECKON_AGENT (source), result, &error);
  g_assert_no_error (error);
  ++*n_queued;
}

static void
steer (BeckonAgentFixture *fixture)
{
  const char *texts[] = { "Later", "First", "Second" };
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  guint n_queued = 0;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    beckon_agent_queue_async (fixture->agent, fixture->conversation, texts[i], files, i > 0, NULL, on_queued, &n_queued);
  beckon_agent_wait_until (n_queued == G_N_ELEMENTS (texts));
}

static void
add_tools (BeckonAgentFixture *fixture)
{
  g_autofree char *effects = g_build_filename (fixture->directory, "effects", NULL);
  const char *names[] = { "read_note", "write_note" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      BeckonTestTool *tool = beckon_test_tool_new (names[i], i == 0);

      beckon_test_tool_set_held (tool, g_getenv ("AGENT_CHILD_QUICK") == NULL);
      beckon_test_tool_set_effects (tool, effects);
      if (g_getenv ("AGENT_CHILD_FORM") != NULL && i == 1)
        beckon_test_tool_set_form (tool, g_getenv ("AGENT_CHILD_FORM"), g_getenv ("AGENT_CHILD_RESUMES") != NULL);
      beckon_tool_registry_add (fixture->tools, BECKON_TOOL (tool));
    }
}

/* The process that waits for this one would not learn of it. */
static void
on_phase (BeckonConversation *conversation, GParamSpec *pspec, gpointer user_data)
{
  if (beckon_conversation_get_phase (conversation) == BECKON_RUN_FAILED)
    g_error ("The run failed: %s", beckon_conversation_get_detail (conversation));
}

int
main (int argc, char **argv)
{
  BeckonAgentFixture *fixture;
  const char *what;

  g_assert_cmpint (argc, ==, 4);
  /* Should the test abort. */
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  what = argv[3];
  fixture = beckon_agent_fixture_new_over (argv[1], argv[2]);
  add_tools (fixture);
  if (g_str_equal (what, "recover"))
    {
      g_autoptr (BeckonConversation) first = g_list_model_get_item (G_LIST_MODEL (fixture->library), 0);

      beckon_agent_fixture_open (fixture, beckon_conversation_get_id (first));
      g_signal_connect (fixture->conversation, "notify::phase", G_CALLBACK (on_phase), NULL);
      beckon_agent_fixture_recover (fixture);
    }
  else
    {
      fixture->conversation = g_object_ref (beckon_agent_fixture_create (fixture));
      g_signal_connect (fixture->conversation, "notify::phase", G_CALLBACK (on_phase), NULL);
      if (g_str_equal (what, "queue"))
        queue (fixture, "Hello");
      else
        beckon_agent_fixture_send (fixture, fixture->conversation, "Hello");
      if (g_str_equal (what, "draft"))
        type_half (fixture);
      if (g_str_equal (what, "steer"))
        steer (fixture);
    }
  if (g_str_equal (what, "edit"))
    beckon_agent_wait_until (!beckon_conversation_is_busy (fixture->conversation));
  printf ("%s\n", beckon_conversation_get_id (fixture->conversation));
  fflush (stdout);
  if (g_str_equal (what, "edit"))
    g_assert_true (beckon_agent_fixture_try_edit (fixture, 0, "Hello again", NULL));
  for (;;)
    g_main_context_iteration (NULL, TRUE);
}
