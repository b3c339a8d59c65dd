/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The real tools as a run uses them: real files, real commands, and what a person says to them. */

#include "base/beckon-json.h"
#include "beckon-agent-fixture.h"
#include "beckon-tree.h"
#include "domain/beckon-note.h"

#include "request/beckon-question-request.h"
#include "sandbox/beckon-sandbox.h"
#include "tools/beckon-undo.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

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
  g_autofree char *made = g_dir_make_tmp ("beckon-agent-tools-XXXXXX", NULL);

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

static void
tear_down (Test *test, gconstpointer data)
{
  beckon_agent_fixture_free (test->agent);
  /* Whether commands can run here may still be tried. */
  beckon_agent_wait_until (G_OBJECT (test->spool)->ref_count == 1);
  g_assert_finalize_object (test->spool);
  beckon_tree_remove (test->folder);
  g_free (test->folder);
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

/* The model calls @tool; what is asked about it. */
static BeckonRequest *
call (Test *test, const char *tool, const char *arguments)
{
  const BeckonScriptCall calls[] = { { "call_1", tool, arguments } };

  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 1, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  return beckon_agent_fixture_wait_pending (test->agent, 1);
}

static BeckonToolCall *
get_call (Test *test)
{
  return beckon_part_get_call (
      beckon_message_get_part (beckon_conversation_get_message (test->agent->conversation, 1), 0));
}

static void
approve (Test *test, BeckonRequest *request)
{
  beckon_agent_fixture_answer (test->agent, request, beckon_answer_new (BECKON_ANSWER_APPROVED, NULL));
}

/* A file is written once that is allowed, and the model is told what was undone. */
static void
test_undone (Test *test, gconstpointer data)
{
  BeckonRequest *request;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  write_file (test, "a.txt", "before\n");
  request = call (test, "edit_file", "{\"path\":\"a.txt\",\"old_text\":\"before\",\"new_text\":\"after\"}");
  assert_file (test, "a.txt", "before\n");
  approve (test, request);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  assert_file (test, "a.txt", "after\n");
  g_assert_cmpint (beckon_tool_call_get_change (get_call (test)), ==, BECKON_CALL_CHANGE_KEPT);

  beckon_undo_async (BECKON_FILE_COPIES (test->agent->store), beckon_conversation_get_id (test->agent->conversation),
                     get_call (test), "window", NULL, keep, &result);
  beckon_agent_wait_until (result != NULL);
  g_assert_true (beckon_undo_finish (BECKON_FILE_COPIES (test->agent->store), result, &error));
  assert_file (test, "a.txt", "before\n");

  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("I see"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "And now?");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_nonnull (strstr (beckon_fixture_server_get_request (test->agent->server, 2)->body,
                            "as they were before them: edit_file a.txt."));
}

/* The model is not told again what it wrote; the difference stays for the person. */
static void
test_told_briefly (Test *test, gconstpointer data)
{
  g_autofree char *told = NULL;

  write_file (test, "a.txt", "before\n");
  approve (test, call (test, "edit_file", "{\"path\":\"a.txt\",\"old_text\":\"before\",\"new_text\":\"after\"}"));
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_1");
  g_assert_cmpstr (told, ==, "“a.txt” was changed: 1 line removed, 1 added. It is at line 1 now.");
  g_assert_nonnull (strstr (beckon_tool_call_get_result (get_call (test)), "\n-before\n+after\n"));
}

/* A change that is undone while a turn goes on is told in its next request. */
static void
test_undone_meanwhile (Test *test, gconstpointer data)
{
  const BeckonScriptCall edit = { "call_1", "edit_file", "{\"path\":\"a.txt\",\"old_text\":\"before\",\"new_text\":\"after\"}" };
  const BeckonScriptCall more = { "call_2", "write_file", "{\"path\":\"b.txt\",\"content\":\"b\\n\"}" };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  write_file (test, "a.txt", "before\n");
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, &edit, 1, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, &more, 1, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("I see"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  approve (test, beckon_agent_fixture_wait_pending (test->agent, 1));
  beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) == 2);
  beckon_agent_fixture_wait_pending (test->agent, 1);
  beckon_undo_async (BECKON_FILE_COPIES (test->agent->store), beckon_conversation_get_id (test->agent->conversation),
                     get_call (test), "window", NULL, keep, &result);
  beckon_agent_wait_until (result != NULL);
  g_assert_true (beckon_undo_finish (BECKON_FILE_COPIES (test->agent->store), result, &error));
  approve (test, beckon_agent_fixture_wait_pending (test->agent, 1));
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_nonnull (strstr (beckon_fixture_server_get_request (test->agent->server, 2)->body,
                            "as they were before them: edit_file a.txt."));
}

/* A text that can only stand for a number is one when it runs and is shown, and an argument too many is none. Only that is told:
 * nobody changed the call. */
static void
test_weak_arguments (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[]
    = { { "call_1", "read_file", "{\"path\":\"a.txt\",\"encoding\":\"utf-8\",\"offset\":\"2\",\"limit\":\"1\"}" } };
  g_autofree char *told = NULL;

  write_file (test, "a.txt", "one\ntwo three\nfour\n");
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 1, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Read it");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_1");
  g_assert_true (g_str_has_prefix (told, "[`encoding` is not known here and was ignored.]\n"));
  g_assert_true (g_str_has_suffix (told, "To go on, read with offset 3.]"));
  g_assert_null (strstr (told, "it ran with:"));
  g_assert_nonnull (strstr (told, "two three"));
  g_assert_cmpstr (beckon_tool_call_get_effective_arguments (get_call (test)), ==,
                   "{\"path\":\"a.txt\",\"offset\":2,\"limit\":1}");
}

/* Other agents' names are taken for the tool's own; what is asked about is what runs, and the model is told. */
static void
test_other_names (Test *test, gconstpointer data)
{
  BeckonRequest *request;
  g_autofree char *told = NULL;

  write_file (test, "a.txt", "before\n");
  request = call (test, "edit_file", "{\"file_path\":\"a.txt\",\"old_string\":\"before\",\"newString\":\"after\","
                                     "\"description\":\"Change it\"}");
  g_assert_nonnull (strstr (beckon_tool_call_get_effective_arguments (get_call (test)), "{\"path\":\"a.txt\","
                                                                                      "\"old_text\":\"before\","));
  approve (test, request);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  assert_file (test, "a.txt", "after\n");
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_1");
  g_assert_true (g_str_has_prefix (told, "[`file_path` was taken for `path`. `old_string` was taken for `old_text`. `newString` "
                                         "was taken for `new_text`. `description` is not known here and was ignored.]\n"));
}

/* A list of edits, as other agents give it, is taken for the tool's own, and so is one that is written as a text. */
static void
test_listed_edits (Test *test, gconstpointer data)
{
  BeckonRequest *request;
  g_autofree char *told = NULL;

  write_file (test, "a.txt", "one\ntwo\n");
  request = call (test, "edit_file", data);
  approve (test, request);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  assert_file (test, "a.txt", "1\n2\n");
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_1");
  g_assert_true (g_str_has_prefix (told, "[`edits` was taken for `old_text`, `new_text` and `more_edits`."));
}

/* The other arguments of other agents' commands are taken or left out; a command in pieces is not put together. */
static void
test_other_command (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = { { "call_1", "run_command", "{\"cmd\":\"true\",\"timeout\":\"30\",\"hosts\":null,"
                                                                "\"description\":\"Do nothing\"}" },
                                     { "call_2", "run_command", "{\"command\":[\"ls\",\"-l\"],\"timeout\":120000}" } };
  g_autofree char *refused = NULL;

  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Do it");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpstr (beckon_tool_call_get_effective_arguments (get_call (test)), ==,
                   "{\"command\":\"true\",\"timeout_seconds\":30}");
  refused = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_2");
  g_assert_nonnull (strstr (refused, "/command: This has to be one text, not a list. Join its items."));
}

/* A file of some length is not replaced by one who never saw it; once read, it is. */
static void
test_overwritten_unread (Test *test, gconstpointer data)
{
  const BeckonScriptCall writes[] = { { "call_1", "write_file", "{\"path\":\"a.txt\",\"content\":\"new\\n\"}" },
                                      { "call_4", "edit_file", "{\"path\":\"a.txt\",\"old_text\":\"y\",\"new_text\":\"\"}" },
                                      { "call_5", "write_file", "{\"path\":\"a.txt\",\"content\":\"newer\\n\"}" } };
  const BeckonScriptCall read = { "call_2", "read_file", "{\"path\":\"a.txt\",\"limit\":1}" };
  const BeckonScriptCall again = { "call_3", "write_file", "{\"path\":\"a.txt\",\"content\":\"new\\n\"}" };
  g_autofree char *line = g_strnfill (3000, 'x');
  g_autofree char *refused = NULL;

  write_file (test, "a.txt", line);
  beckon_conversation_set_mode (test->agent->conversation, BECKON_MODE_ASK_OUTSIDE);
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, writes, 3, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, &read, 1, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, &again, 1, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Replace a.txt");
  beckon_agent_wait_until (beckon_fixture_server_count_requests (test->agent->server) >= 2);
  assert_file (test, "a.txt", line);
  refused = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_1");
  g_assert_nonnull (strstr (refused, "Read it first, or change a part of it with edit_file."));
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  assert_file (test, "a.txt", "new\n");
}

/* An unknown argument may matter where something is changed. */
static void
test_unknown_argument (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = { { "call_1", "write_file", "{\"path\":\"a.txt\",\"content\":\"x\",\"append\":true}" },
                                     { "call_2", "Bash", "{\"command\":\"true\"}" } };
  g_autofree char *refused = NULL;
  g_autofree char *named = NULL;

  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Write it");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  refused = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_1");
  g_assert_nonnull (strstr (refused, "“append” is not known here."));
  assert_file (test, "a.txt", NULL);
  named = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_2");
  g_assert_nonnull (strstr (named, "Did you mean “run_command”?"));
}

/* Numbers are taken as they are meant, and told as numbers where they are too small. */
static void
test_meant_numbers (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = { { "call_1", "read_file", "{\"path\":\"a.txt\",\"offset\":2.0,\"limit\":1.0}" },
                                     { "call_2", "read_file", "{\"path\":\"a.txt\",\"offset\":\"0\"}" } };
  g_autofree char *read = NULL;
  g_autofree char *refused = NULL;

  write_file (test, "a.txt", "one\ntwo three\nfour\n");
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, G_N_ELEMENTS (calls), "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done"));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Read it");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  read = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_1");
  g_assert_true (g_str_has_prefix (read, "two three\n"));
  g_assert_null (strstr (read, "four"));
  refused = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_2");
  g_assert_nonnull (strstr (refused, "/offset: This has to be at least 1."));
}

/* The bytes of a real file: a dot. */
static const guchar dot[] = {
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
  0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1f, 0x15, 0xc4, 0x89, 0x00, 0x00, 0x00, 0x0d, 0x49,
  0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x30, 0x6d, 0x79, 0xf2, 0x1f, 0x00, 0x05, 0x2c, 0x02, 0x9d, 0xcf, 0x43, 0xe9,
  0xb4, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
};

/* Reading runs without a question. */
static void
look_at (Test *test, guint n)
{
  const BeckonScriptCall calls[] = { { "call_1", "read_file", "{\"path\":\"dot.png\"}" } };
  g_autofree char *path = g_build_filename (test->folder, "dot.png", NULL);

  g_assert_true (g_file_set_contents (path, (const char *) dot, sizeof dot, NULL));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *words = g_strdup_printf ("Look %u", i);

      beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 1, "tool_calls"));
      beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("A dot"));
      beckon_agent_fixture_send (test->agent, test->agent->conversation, words);
      beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
    }
}

static guint
count_images (Test *test, guint request)
{
  const char *body = beckon_fixture_server_get_request (test->agent->server, request)->body;
  guint n = 0;

  for (const char *p = body; (p = strstr (p, "\"image_url\":{\"url\":\"data:image/png;base64,iVBOR")) != NULL; p++)
    n++;
  return n;
}

/* A picture that a tool read is part of its result: in the store, which wait_end() compares, and for the model. */
static void
test_picture (Test *test, gconstpointer data)
{
  g_autofree char *stored = NULL;

  look_at (test, 1);
  g_assert_cmpuint (beckon_tool_call_get_n_images (get_call (test)), ==, 1);
  g_assert_cmpuint (count_images (test, 1), ==, 1);
  stored = beckon_agent_fixture_dump_stored (test->agent->store, beckon_conversation_get_id (test->agent->conversation));
  g_assert_nonnull (strstr (stored, "[file:dot.png image/png "));
}

/* More than a provider takes at once are not sent: the oldest go, several at a time, and the model is told. */
static void
test_many_pictures (Test *test, gconstpointer data)
{
  look_at (test, 22);
  g_assert_cmpuint (count_images (test, 2 * 20 - 1), ==, 20);
  g_assert_cmpuint (count_images (test, 2 * 21 - 1), ==, 13);
  g_assert_cmpuint (count_images (test, 2 * 22 - 1), ==, 14);
  g_assert_null (strstr (beckon_fixture_server_get_request (test->agent->server, 39)->body, "was left out to save space"));
  g_assert_nonnull (strstr (beckon_fixture_server_get_request (test->agent->server, 41)->body, "was left out to save space"));
}

/* A model that is known to see none gets none. */
static void
test_picture_unseen (Test *test, gconstpointer data)
{
  g_autofree char *id = beckon_settings_dup_default_profile (test->agent->settings);
  g_autoptr (BeckonProfile) profile = beckon_profile_copy (beckon_profiles_lookup (test->agent->profiles, id));
  g_autoptr (GAsyncResult) saved = NULL;
  BeckonModelFacts facts;

  beckon_profile_get_facts (profile, &facts);
  facts.images = 0;
  beckon_profile_set_facts (profile, &facts);
  beckon_profiles_save_async (test->agent->profiles, profile, NULL, keep, &saved);
  beckon_agent_wait_until (saved != NULL);
  g_assert_true (beckon_profiles_save_finish (test->agent->profiles, saved, NULL));
  look_at (test, 1);
  g_assert_cmpuint (count_images (test, 1), ==, 0);
  g_assert_nonnull (strstr (beckon_fixture_server_get_request (test->agent->server, 1)->body, "does not take pictures"));
  g_assert_cmpuint (beckon_tool_call_get_n_images (get_call (test)), ==, 1);
}

static guint
count_notes (BeckonConversation *conversation, BeckonNoteKind kind)
{
  guint n = 0;

  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    n += beckon_note_get_kind (beckon_conversation_get_message (conversation, i)) == kind;
  return n;
}

/* The server says what was not known of its model: it is asked again without pictures, which stays so and is said. */
static void
test_picture_refused (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = { { "call_1", "read_file", "{\"path\":\"dot.png\"}" } };
  g_autofree char *path = g_build_filename (test->folder, "dot.png", NULL);
  g_autofree char *id = beckon_settings_dup_default_profile (test->agent->settings);
  BeckonModelFacts facts;

  beckon_profile_get_facts (beckon_profiles_lookup (test->agent->profiles, id), &facts);
  g_assert_cmpint (facts.images, ==, -1);
  g_assert_true (g_file_set_contents (path, (const char *) dot, sizeof dot, NULL));
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 1, "tool_calls"));
  beckon_agent_fixture_script (test->agent, beckon_script_error (400, NULL, "Image input is not enabled for this model"));
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat ("Done."));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Go");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 3);
  g_assert_cmpuint (count_images (test, 1), ==, 1);
  g_assert_cmpuint (count_images (test, 2), ==, 0);
  beckon_profile_get_facts (beckon_profiles_lookup (test->agent->profiles, id), &facts);
  g_assert_cmpint (facts.images, ==, 0);
  g_assert_cmpuint (count_notes (test->agent->conversation, BECKON_NOTE_SIGHT), ==, 1);
}

static void
script_refusal (Test *test, const char *words)
{
  beckon_agent_fixture_script (test->agent, beckon_script_error (400, NULL, words));
}

static void
say (Test *test, const char *words, const char *reply)
{
  beckon_agent_fixture_script (test->agent, beckon_fixture_reply_new_chat (reply));
  beckon_agent_fixture_send (test->agent, test->agent->conversation, words);
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
}

/* A server that refuses a picture in words that nobody knows: it goes without, and never again with it. */
static void
test_picture_refused_in_any_words (Test *test, gconstpointer data)
{
  const BeckonScriptCall calls[] = { { "call_1", "read_file", "{\"path\":\"dot.png\"}" } };
  const char *body;

  look_at (test, 1);
  beckon_agent_fixture_script (test->agent, beckon_script_calls (NULL, calls, 1, "tool_calls"));
  script_refusal (test, "At most 0 image(s) may be provided in one prompt.");
  say (test, "Look again", "Without the new one");
  g_assert_cmpuint (count_images (test, 3), ==, 2);
  g_assert_cmpuint (count_images (test, 4), ==, 1);
  body = beckon_fixture_server_get_request (test->agent->server, 4)->body;
  g_assert_nonnull (strstr (body, "not shown to you: your server refused it"));
  g_assert_nonnull (strstr (body, "dot.png"));
  g_assert_cmpuint (count_notes (test->agent->conversation, BECKON_NOTE_REFUSED), ==, 1);

  script_refusal (test, "At most 0 image(s) may be provided in one prompt.");
  say (test, "And now?", "Without any");
  g_assert_cmpuint (count_images (test, 5), ==, 1);
  g_assert_cmpuint (count_images (test, 6), ==, 0);

  beckon_agent_fixture_restart (test->agent);
  beckon_tool_registry_add_working (test->agent->tools, &(BeckonToolParts){
                                                            .copies = BECKON_FILE_COPIES (test->agent->store),
                                                            .memory = BECKON_MEMORY (test->agent->store),
                                                            .outputs = test->spool,
                                                        });
  say (test, "After a restart?", "Still without");
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 8);
  g_assert_cmpuint (count_images (test, 7), ==, 0);
}

/* Pictures without which the request is refused, too, come back. */
static void
test_picture_not_refused (Test *test, gconstpointer data)
{
  look_at (test, 2);
  for (guint i = 0; i < 3; i++)
    script_refusal (test, "Unknown parameter: 'frequency'.");
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "And now?");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_FAILED);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 7);
  g_assert_cmpuint (count_images (test, 4), ==, 2);
  g_assert_cmpuint (count_images (test, 5), ==, 1);
  g_assert_cmpuint (count_images (test, 6), ==, 0);
  say (test, "It is mended", "Good");
  g_assert_cmpuint (count_images (test, 7), ==, 2);
}

static void
test_nothing_to_leave_out (Test *test, gconstpointer data)
{
  script_refusal (test, "Unknown parameter: 'frequency'.");
  beckon_agent_fixture_send (test->agent, test->agent->conversation, "Hello");
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_FAILED);
  g_assert_cmpuint (beckon_fixture_server_count_requests (test->agent->server), ==, 1);
}

/* A tool that the server blames by its name or its place is left out from then on; the others stay. */
static void
test_tool_refused (Test *test, gconstpointer data)
{
  static const char *const words[] = {
    "Invalid schema for function 'search_files': In context=('properties', 'a'), array schema missing items.",
    "tools.0.custom.input_schema: JSON schema is invalid.",
  };
  static const char *const names[] = { "\"name\":\"search_files\"", "\"name\":\"ask_user\"" };
  BeckonFixtureServer *server = test->agent->server;

  say (test, "Hello", "Hello");
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      guint n = beckon_fixture_server_count_requests (server);

      script_refusal (test, words[i]);
      say (test, "Go on", "Gladly");
      g_assert_cmpuint (beckon_fixture_server_count_requests (server), ==, n + 2);
      g_assert_nonnull (strstr (beckon_fixture_server_get_request (server, n)->body, names[i]));
      g_assert_null (strstr (beckon_fixture_server_get_request (server, n + 1)->body, names[i]));
      say (test, "And now?", "Still here");
      g_assert_null (strstr (beckon_fixture_server_get_request (server, n + 2)->body, names[i]));
      g_assert_nonnull (strstr (beckon_fixture_server_get_request (server, n + 2)->body, "\"name\":\"read_file\""));
      g_assert_cmpuint (count_notes (test->agent->conversation, BECKON_NOTE_REFUSED), ==, i + 1);
    }
}

/* Prompt and tools stand before the first word of each request: about four bytes of English or JSON are a token. */
static void
test_size (Test *test, gconstpointer data)
{
  g_autoptr (JsonObject) body = NULL;
  g_autofree char *tools = NULL;
  const char *prompt;
  JsonArray *array;
  gsize n_questions = 0, n_all;

  say (test, "Hello", "Hello");
  body = beckon_json_parse_object (beckon_fixture_server_get_request (test->agent->server, 0)->body, -1, NULL);
  array = json_object_get_array_member (body, "tools");
  prompt = json_object_get_string_member (json_array_get_object_element (json_object_get_array_member (body, "messages"), 0),
                                          "content");
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      g_autofree char *tool = beckon_json_print (json_array_get_element (array, i));
      gboolean asks = strstr (tool, "\"ask_user\"") != NULL || strstr (tool, "_plan\"") != NULL;

      g_test_message ("%" G_GSIZE_FORMAT " bytes: %.60s", strlen (tool), tool);
      n_questions += asks ? strlen (tool) : 0;
    }
  tools = beckon_json_print (json_object_get_member (body, "tools"));
  n_all = strlen (tools) + strlen (prompt);
  g_test_message ("%" G_GSIZE_FORMAT " bytes with questions and plans, %" G_GSIZE_FORMAT " without", n_all, n_all - n_questions);
  g_assert_cmpuint (n_all, <=, 4 * 5000);
  g_assert_cmpuint (n_all - n_questions, <=, 4 * 3500);
}

static gboolean
skip (void)
{
  if (!is_possible)
    g_test_skip ("there is no working bubblewrap here");
  return !is_possible;
}

static BeckonRequest *
wait_for_question (Test *test)
{
  BeckonRequest *request;

  beckon_agent_wait_until (beckon_inbox_count_for (test->agent->inbox,
                                                   beckon_conversation_get_id (test->agent->conversation)) == 1);
  request = beckon_agent_fixture_get_pending (test->agent, 0);
  g_assert_true (BECKON_IS_QUESTION_REQUEST (request));
  return request;
}

/* A command that outlives its time: what is running shows the question in its place, and itself again afterwards. */
static void
test_time (Test *test, gconstpointer data)
{
  BeckonRequest *request;
  g_autofree char *told = NULL;

  if (skip ())
    return;
  beckon_library_set_mode (test->agent->library, test->agent->conversation, BECKON_MODE_ASK_EVERYTHING);
  approve (test, call (test, "run_command", "{\"command\":\"echo begun; sleep 1000\",\"timeout_seconds\":1}"));
  request = wait_for_question (test);
  g_assert_cmpint (beckon_request_get_asked_by (request)->kind, ==, BECKON_ASKED_BY_TOOL);
  g_assert_cmpstr (beckon_request_get_asked_by (request)->name, ==, "run_command");
  g_assert_true (beckon_tool_call_get_request (get_call (test)) == G_OBJECT (request));
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test)), ==, BECKON_CALL_STARTED);
  g_assert_nonnull (strstr (beckon_tool_call_get_output (get_call (test)), "begun"));
  beckon_agent_fixture_answer (test->agent, request, beckon_script_pick ("End it"));
  beckon_agent_fixture_wait_end (test->agent, BECKON_RUN_COMPLETE);
  g_assert_null (beckon_tool_call_get_request (get_call (test)));
  told = beckon_agent_dup_result (beckon_fixture_server_get_request (test->agent->server, 1), "call_1");
  g_assert_nonnull (strstr (told, "it ran out of time"));
}

/* Stop takes the question back with the command. */
static void
test_stopped (Test *test, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = NULL;

  if (skip ())
    return;
  beckon_library_set_mode (test->agent->library, test->agent->conversation, BECKON_MODE_ASK_EVERYTHING);
  approve (test, call (test, "run_command", "{\"command\":\"sleep 1000\",\"timeout_seconds\":1}"));
  request = g_object_ref (wait_for_question (test));
  beckon_agent_stop (test->agent->agent, test->agent->conversation);
  beckon_agent_fixture_wait_phase (test->agent, BECKON_RUN_STOPPED);
  beckon_agent_wait_until (beckon_request_get_state (request) == BECKON_REQUEST_CANCELLED);
  g_assert_cmpint (beckon_tool_call_get_state (get_call (test)), ==, BECKON_CALL_CANCELLED);
}

static void
probe (void)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_sandbox_probe_async (NULL, keep, &result);
  beckon_agent_wait_until (result != NULL);
  is_possible = beckon_sandbox_probe_finish (result, NULL);
}

#define ADD(path, function) g_test_add (path, Test, NULL, set_up, function, tear_down)

/* They wait for seconds of a clock, and are with -m slow in the suite `long`. */
static void
add_slow_cases (void)
{
  ADD ("/agent/tools/time", test_time);
  ADD ("/agent/tools/stopped", test_stopped);
}

static void
add_cases (void)
{
  ADD ("/agent/tools/undone", test_undone);
  ADD ("/agent/tools/undone-meanwhile", test_undone_meanwhile);
  ADD ("/agent/tools/told-briefly", test_told_briefly);
  ADD ("/agent/tools/weak-arguments", test_weak_arguments);
  ADD ("/agent/tools/other-names", test_other_names);
  g_test_add ("/agent/tools/listed-edits", Test,
              "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"one\",\"new_text\":\"1\"},"
              "{\"oldText\":\"two\",\"newText\":\"2\"}]}", set_up, test_listed_edits, tear_down);
  g_test_add ("/agent/tools/listed-edits-as-text", Test,
              "{\"path\":\"a.txt\",\"edits\":\"[{\\\"old_text\\\":\\\"one\\\",\\\"new_text\\\":\\\"1\\\"},"
              "{\\\"old_text\\\":\\\"two\\\",\\\"new_text\\\":\\\"2\\\"}]\"}", set_up, test_listed_edits, tear_down);
  ADD ("/agent/tools/other-command", test_other_command);
  ADD ("/agent/tools/overwritten-unread", test_overwritten_unread);
  ADD ("/agent/tools/unknown-argument", test_unknown_argument);
  ADD ("/agent/tools/meant-numbers", test_meant_numbers);
  ADD ("/agent/tools/picture", test_picture);
  ADD ("/agent/tools/many-pictures", test_many_pictures);
  ADD ("/agent/tools/picture-unseen", test_picture_unseen);
  ADD ("/agent/tools/picture-refused", test_picture_refused);
  ADD ("/agent/tools/picture-refused-in-any-words", test_picture_refused_in_any_words);
  ADD ("/agent/tools/picture-not-refused", test_picture_not_refused);
  ADD ("/agent/tools/nothing-to-leave-out", test_nothing_to_leave_out);
  ADD ("/agent/tools/tool-refused", test_tool_refused);
  ADD ("/agent/tools/size", test_size);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  probe ();
  if (g_test_slow ())
    add_slow_cases ();
  else
    add_cases ();
  return g_test_run ();
}
