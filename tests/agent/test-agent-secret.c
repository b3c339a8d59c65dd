/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A masked answer from the question to the tool and back: the canary is where a tool needs it and nowhere else. */

#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"

#include "domain/beckon-attachment.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-question-request.h"
#include "request/beckon-vault.h"
#include "settings/beckon-secret-vault.h"

#include <string.h>

#define CANARY "canary-\"7f3a\"-ü"
#define JSON_CANARY "canary-\\\"7f3a\\\"-ü"
#define LATE_QUESTION "{\"questions\":[{\"question\":\"The token?\",\"header\":\"Token\",\"secret\":true}],\"wait\":false}"
#define QUESTION "{\"questions\":[{\"question\":\"The token?\",\"header\":\"Token\",\"secret\":true}]}"

typedef struct
{
  BeckonAgentFixture *agent;
  BeckonVault *vault;
  BeckonTestTool *change;
  BeckonTestTool *read;
  char *handle; /* what the model was told */
} Case;

static Case *
case_new (void)
{
  Case *test = g_new0 (Case, 1);

  test->agent = beckon_agent_fixture_new ();
  test->vault = beckon_secret_vault_new ();
  beckon_inbox_set_vault (test->agent->inbox, test->vault);
  test->read = beckon_test_tool_new ("read_note", TRUE);
  test->change = beckon_test_tool_new ("write_note", FALSE);
  beckon_tool_registry_add (test->agent->tools, BECKON_TOOL (test->read));
  beckon_tool_registry_add (test->agent->tools, BECKON_TOOL (test->change));
  return test;
}

static void
case_free (Case *test)
{
  beckon_agent_fixture_free (test->agent);
  g_assert_finalize_object (test->read);
  g_assert_finalize_object (test->change);
  g_assert_finalize_object (test->vault);
  g_free (test->handle);
  g_free (test);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, case_free)

/* The scripted model cannot know a handle before it is made, so a run of its own begins after the answer. */
static void
say_with_handle (Case *test, const char *tool, const char *arguments)
{
  g_autoptr (GString) text = g_string_new (arguments);

  g_string_replace (text, "HANDLE", test->handle, 0);
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_2", tool, text->str));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Use it");
}

static void
begin (Case *test)
{
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "ask_user", QUESTION));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Thanks"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
}

static void
get_secret (Case *test)
{
  BeckonRequest *request;
  const BeckonAnswerItem *item;

  begin (test);
  request = g_object_ref (beckon_agent_fixture_wait_pending (test->agent, 1));
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_WAITING);
  beckon_agent_fixture_answer (test->agent, request, beckon_script_type (CANARY));
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  item = g_ptr_array_index (beckon_request_get_answer (request)->items, 0);
  g_assert_true (beckon_secret_handle_is (item->text));
  test->handle = g_strdup (item->text);
  g_object_unref (request);
}

/* The answer comes as a message, and its handle in no result. */
static void
get_late_secret (Case *test)
{
  BeckonRequest *request;

  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_1", "ask_user", LATE_QUESTION));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Meanwhile"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Thanks"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  request = g_object_ref (beckon_agent_fixture_wait_pending (test->agent, 1));
  g_assert_true (beckon_request_is_late (request));
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_WAITING);
  beckon_agent_fixture_answer (test->agent, request, beckon_script_type (CANARY));
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  test->handle = g_strdup (((BeckonAnswerItem *) g_ptr_array_index (beckon_request_get_answer (request)->items, 0))->text);
  g_assert_true (beckon_secret_handle_is (test->handle));
  g_object_unref (request);
}

static void
allow (Case *test)
{
  BeckonRequest *request = beckon_agent_fixture_wait_pending (test->agent, 1);

  g_assert_true (BECKON_IS_APPROVAL_REQUEST (request));
  g_assert_null (strstr (beckon_request_get_arguments (request), "canary"));
  g_assert_nonnull (strstr (beckon_request_get_arguments (request), test->handle));
  g_assert_nonnull (strstr (beckon_request_get_reason (request), "A secret that you entered goes into this call"));
  g_assert_nonnull (strstr (beckon_request_get_reason (request), test->handle));
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_WAITING);
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
}

static void
assert_clean_file (const char *path)
{
  g_autofree char *contents = NULL;
  gsize length = 0;

  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  for (gsize i = 0; i + 6 <= length; i++)
    {
      if (memcmp (contents + i, "canary", 6) == 0)
        g_error ("%s holds the secret", path);
    }
}

/* Returns how many files there are in a folder, each of them clean. */
static guint
assert_clean_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n_files = 0;
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        n_files += assert_clean_folder (path);
      else if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        {
          assert_clean_file (path);
          n_files++;
        }
    }
  return n_files;
}

/* No file of the store, its log included, and no request on the wire. */
static void
assert_no_canary (Case *test)
{
  beckon_agent_fixture_sync (test->agent);
  g_assert_cmpuint (assert_clean_folder (test->agent->directory), >=, 2);
  for (guint i = 0; i < beckon_fixture_server_count_requests (test->agent->server); i++)
    g_assert_null (strstr (beckon_fixture_server_get_request (test->agent->server, i)->body, "canary"));
}

static char *
dup_result (Case *test)
{
  guint n = beckon_fixture_server_count_requests (test->agent->server);

  return beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, n - 1), "call_2");
}

static void
test_used (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *result = NULL;
  g_autofree char *expected = NULL;

  get_secret (test);
  say_with_handle (test, "write_note", "{\"header\":\"Bearer HANDLE\"}");
  allow (test);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, "{\"header\":\"Bearer " JSON_CANARY "\"}\n");
  result = dup_result (test);
  expected = g_strdup_printf ("write_note did {\"header\":\"Bearer %s\"}", test->handle);
  g_assert_cmpstr (result, ==, expected);
  assert_no_canary (test);
}

/* A secret that the model did not wait for is one of the conversation's, too. */
static void
test_used_late (void)
{
  g_autoptr (Case) test = case_new ();

  get_late_secret (test);
  say_with_handle (test, "write_note", "{\"header\":\"Bearer HANDLE\"}");
  allow (test);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, "{\"header\":\"Bearer " JSON_CANARY "\"}\n");
  assert_no_canary (test);
}

/* A secret whose answer is summarized is still one of the conversation's. */
static void
test_used_after_summary (void)
{
  g_autoptr (Case) test = case_new ();

  get_secret (test);
  beckon_agent_fixture_add_past (test->agent, 200, 50);
  say_with_handle (test, "write_note", "{\"header\":\"Bearer HANDLE\"}");
  allow (test);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_test_tool_get_log (test->change), ==, "{\"header\":\"Bearer " JSON_CANARY "\"}\n");
  assert_no_canary (test);
}

/* A tool that was given nothing may find it where another left it. */
static void
test_found_again (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *result = NULL;
  g_autofree char *expected = NULL;

  get_secret (test);
  beckon_test_tool_set_result (test->read, "TOKEN=" CANARY "\n{\"token\":\"" JSON_CANARY "\"}");
  say_with_handle (test, "read_note", "{}");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  result = dup_result (test);
  expected = g_strdup_printf ("TOKEN=%s\n{\"token\":\"%s\"}", test->handle, test->handle);
  g_assert_cmpstr (result, ==, expected);
  assert_no_canary (test);
}

/* Another conversation, which was told of no secret, reads what one left: the value is in no request, no row and no index. */
static void
test_elsewhere (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (BeckonConversation) other = NULL;
  g_autofree char *result = NULL;
  g_autofree char *expected = NULL;

  get_secret (test);
  beckon_test_tool_set_result (test->read, "TOKEN=" CANARY "\nY2FuYXJ5LSI3ZjNhIi3DvA==");
  other = g_object_ref (beckon_library_create (test->agent->library));
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_2", "read_note", "{}"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, other, "Read it");
  beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) == 4);
  result = dup_result (test);
  expected = g_strdup_printf ("TOKEN=%s\n%s", test->handle, test->handle);
  g_assert_cmpstr (result, ==, expected);
  assert_no_canary (test);
}

/* A tool that is running when a secret is given prints it all the same. */
static void
test_given_meanwhile (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (BeckonConversation) other = NULL;
  g_autofree char *result = NULL;
  const BeckonFixtureRequest *last;

  other = g_object_ref (beckon_library_create (test->agent->library));
  beckon_test_tool_set_held (test->read, TRUE);
  beckon_agent_fixture_script (test->agent, beckon_script_call ("call_2", "read_note", "{}"));
  beckon_agent_fixture_send (test->agent, other, "Read it");
  beckon_agent_wait_until (beckon_test_tool_get_n_running (test->read) == 1);
  get_secret (test);
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_test_tool_set_result (test->read, "TOKEN=" CANARY);
  beckon_test_tool_release (test->read);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) == 4);
  last = beckon_fixture_server_get_request (test->agent->server, 3);
  result = beckon_agent_dup_result (last, "call_2");
  g_assert_null (strstr (result, "canary"));
  g_assert_nonnull (strstr (result, test->handle));
  assert_no_canary (test);
}

/* Behind a handle of an earlier start there is a keyring that does not answer now. A secret that is given now is masked all the
 * same, by each call, and so is what was masked before the keyring was locked. */
static void
test_keyring_silent (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  get_secret (test);
  beckon_test_tool_set_result (test->read, "TOKEN=" CANARY);
  g_free (g_steal_pointer (&test->handle));
  beckon_inbox_set_vault (test->agent->inbox, NULL);
  g_assert_finalize_object (test->vault);
  test->vault = beckon_secret_vault_new ();
  beckon_inbox_set_vault (test->agent->inbox, test->vault);
  get_secret (test);
  say_with_handle (test, "read_note", "{}");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  first = dup_result (test);
  g_assert_nonnull (strstr (first, test->handle));
  say_with_handle (test, "read_note", "{}");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  second = dup_result (test);
  g_assert_nonnull (strstr (second, test->handle));
  assert_no_canary (test);
}

/* A person's attachment is a file's content, too. */
static void
test_attached (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (BeckonConversation) other = NULL;
  const char *text = "TOKEN=" CANARY "\n";

  get_secret (test);
  other = g_object_ref (beckon_library_create (test->agent->library));
  g_ptr_array_add (files, beckon_attachment_new_text (".env", text, strlen (text)));
  g_list_store_append (beckon_conversation_get_files (other), g_ptr_array_index (files, 0));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Seen"));
  beckon_agent_send_files_async (test->agent->agent, other, "Look", files, NULL, NULL, NULL);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) == 3);
  g_assert_nonnull (strstr (beckon_fixture_server_get_request (test->agent->server, 2)->body, test->handle));
  /* A sent message is no longer a draft, whatever became of it on its way. */
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (beckon_conversation_get_files (other))), ==, 0);
  assert_no_canary (test);
}

static BeckonPart *
find_file (BeckonConversation *conversation)
{
  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i - 1);

      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        return beckon_message_get_part (message, 0);
    }
  g_assert_not_reached ();
}

/* A PDF can't be masked: its text goes in its place, and nothing of it where a line ends within the secret. */
static void
test_attached_pdf (void)
{
  static const struct
  {
    const char *text;
    gboolean goes_whole, is_masked;
  } cases[] = {
    { "Page 1: " CANARY " and more", FALSE, TRUE },
    { "Page 1: ca\nnary-\"7f3a\"-\nü and more", FALSE, FALSE },
    { "Page 1: nothing of that kind", TRUE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Case) test = case_new ();
      g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
      g_autoptr (GBytes) pdf = g_bytes_new_static ("%PDF-1.4", 8);
      BeckonConversation *conversation;
      BeckonPart *sent;

      get_secret (test);
      conversation = test->agent->conversation;
      g_ptr_array_add (files, beckon_attachment_new_text ("a.pdf", cases[i].text, strlen (cases[i].text)));
      beckon_attachment_set_pdf (g_ptr_array_index (files, 0), pdf, 1);
      beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Seen"));
      beckon_agent_send_files_async (test->agent->agent, conversation, "Look", files, NULL, NULL, NULL);
      beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) == 3);
      sent = find_file (conversation);
      g_assert_cmpstr (beckon_attachment_get_name (sent), ==, "a.pdf");
      g_assert_true ((beckon_attachment_get_pdf (sent, NULL) != NULL) == cases[i].goes_whole);
      g_assert_true (beckon_attachment_is_masked_pdf (sent) == !cases[i].goes_whole);
      g_assert_true ((strstr (beckon_part_get_text (sent), test->handle) != NULL) == cases[i].is_masked);
      g_assert_true ((strstr (beckon_part_get_text (sent), "and more") != NULL) == cases[i].is_masked);
      assert_no_canary (test);
    }
}

/* Secrets of a silent keyring can't be searched for. */
static void
test_attached_pdf_unsearched (void)
{
  g_autoptr (Case) test = case_new ();
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GBytes) pdf = g_bytes_new_static ("%PDF-1.4", 8);
  BeckonPart *sent;

  get_secret (test);
  beckon_inbox_set_vault (test->agent->inbox, NULL);
  g_assert_finalize_object (test->vault);
  test->vault = beckon_secret_vault_new ();
  beckon_inbox_set_vault (test->agent->inbox, test->vault);
  g_ptr_array_add (files, beckon_attachment_new_text ("a.pdf", "Page 1", 6));
  beckon_attachment_set_pdf (g_ptr_array_index (files, 0), pdf, 1);
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Seen"));
  beckon_agent_send_files_async (test->agent->agent, test->agent->conversation, "Look", files, NULL, NULL, NULL);
  beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) == 3);
  sent = find_file (test->agent->conversation);
  g_assert_null (beckon_attachment_get_pdf (sent, NULL));
  g_assert_true (beckon_attachment_is_masked_pdf (sent));
  g_assert_nonnull (strstr (beckon_part_get_text (sent), "Page 1"));
}

static void
test_failure_is_masked (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *result = NULL;

  get_secret (test);
  beckon_test_tool_set_failure (test->read, "No such account: " CANARY);
  say_with_handle (test, "read_note", "{}");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  result = dup_result (test);
  g_assert_nonnull (strstr (result, test->handle));
  assert_no_canary (test);
}

/* Even a tool that only reads is not given a secret without its person's leave. */
static void
test_asks_first (void)
{
  g_autoptr (Case) test = case_new ();

  get_secret (test);
  say_with_handle (test, "read_note", "{\"path\":\"HANDLE\"}");
  allow (test);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_test_tool_get_log (test->read), ==, "{\"path\":\"" JSON_CANARY "\"}\n");
  assert_no_canary (test);
}

/* A handle of another conversation, or one that is gone, is no password: nothing runs with it. */
static void
test_unknown (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *result = NULL;

  test->handle = beckon_secret_handle_new ("other");
  say_with_handle (test, "write_note", "{\"header\":\"HANDLE\"}");
  allow (test);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  result = dup_result (test);
  g_assert_nonnull (strstr (result, "is not known here"));
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
}

static void
test_gone (void)
{
  g_autoptr (Case) test = case_new ();
  g_autofree char *result = NULL;

  get_secret (test);
  beckon_vault_forget (test->vault, test->handle);
  say_with_handle (test, "write_note", "{\"header\":\"HANDLE\"}");
  allow (test);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  result = dup_result (test);
  g_assert_nonnull (strstr (result, "is not known here"));
  g_assert_cmpuint (beckon_test_tool_get_n_begun (test->change), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/secret/used-and-masked", test_used);
  g_test_add_func ("/agent/secret/used-late", test_used_late);
  g_test_add_func ("/agent/secret/used-after-summary", test_used_after_summary);
  g_test_add_func ("/agent/secret/found-again", test_found_again);
  g_test_add_func ("/agent/secret/elsewhere", test_elsewhere);
  g_test_add_func ("/agent/secret/given-meanwhile", test_given_meanwhile);
  g_test_add_func ("/agent/secret/keyring-silent", test_keyring_silent);
  g_test_add_func ("/agent/secret/attached", test_attached);
  g_test_add_func ("/agent/secret/attached/pdf", test_attached_pdf);
  g_test_add_func ("/agent/secret/attached/pdf/unsearched", test_attached_pdf_unsearched);
  g_test_add_func ("/agent/secret/failure-is-masked", test_failure_is_masked);
  g_test_add_func ("/agent/secret/asks-first", test_asks_first);
  g_test_add_func ("/agent/secret/unknown", test_unknown);
  g_test_add_func ("/agent/secret/gone", test_gone);
  return g_test_run ();
}
