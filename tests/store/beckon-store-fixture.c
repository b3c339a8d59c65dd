/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-store-fixture.h"

#include "base/beckon-id.h"
#include "beckon-tree.h"
#include "request/beckon-question-request.h"

#include <glib-unix.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

char *
beckon_store_fixture_make_folder (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *parent = g_dir_make_tmp ("beckon-store-XXXXXX", &error);

  g_assert_no_error (error);

  return g_build_filename (parent, "data", NULL);
}

void
beckon_store_fixture_clear (char *directory)
{
  g_autofree char *parent = g_path_get_dirname (directory);

  beckon_tree_remove (parent);
  g_free (directory);
}

static gboolean
on_tick (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

void
beckon_store_fixture_iterate (void)
{
  guint tick = g_timeout_add (50, on_tick, NULL);

  g_main_context_iteration (NULL, TRUE);
  g_source_remove (tick);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **kept = user_data;

  g_assert (*kept == NULL);
  *kept = g_object_ref (result);
}

gboolean
beckon_store_fixture_try_open (BeckonStore *store, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_store_open_async (store, NULL, keep_result, &result);
  beckon_await (result != NULL);

  return beckon_store_open_finish (store, result, error);
}

BeckonStore *
beckon_store_fixture_open (const char *directory)
{
  BeckonStore *store = beckon_store_new (directory, beckon_clock_get_system ());
  g_autoptr (GError) error = NULL;

  beckon_store_fixture_try_open (store, &error);
  g_assert_no_error (error);

  return store;
}

void
beckon_store_fixture_close (BeckonStore *store)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_close_async (store, keep_result, &result);
  beckon_await (result != NULL);
  beckon_store_close_finish (store, result, &error);
  g_assert_no_error (error);
}

gboolean
beckon_store_fixture_try_commit (BeckonStore *store, BeckonBatch *batch, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_store_commit_async (store, batch, NULL, keep_result, &result);
  beckon_await (result != NULL);

  return beckon_store_commit_finish (store, result, error);
}

void
beckon_store_fixture_commit (BeckonStore *store, BeckonBatch *batch)
{
  g_autoptr (GError) error = NULL;

  beckon_store_fixture_try_commit (store, batch, &error);
  g_assert_no_error (error);
}

GPtrArray *
beckon_store_fixture_list (BeckonStore *store)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *list;

  beckon_store_list_conversations_async (store, NULL, keep_result, &result);
  beckon_await (result != NULL);
  list = beckon_store_list_conversations_finish (store, result, &error);
  g_assert_no_error (error);

  return list;
}

GPtrArray *
beckon_store_fixture_load (BeckonStore *store, const char *conversation_id)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *list;

  beckon_store_load_messages_async (store, conversation_id, NULL, keep_result, &result);
  beckon_await (result != NULL);
  list = beckon_store_load_messages_finish (store, result, &error);
  g_assert_no_error (error);

  return list;
}

GPtrArray *
beckon_store_fixture_runs (BeckonStore *store)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *list;

  beckon_store_list_open_runs_async (store, NULL, keep_result, &result);
  beckon_await (result != NULL);
  list = beckon_store_list_open_runs_finish (store, result, &error);
  g_assert_no_error (error);

  return list;
}

GPtrArray *
beckon_store_fixture_profiles (BeckonStore *store)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *list;

  beckon_store_list_profiles_async (store, NULL, keep_result, &result);
  beckon_await (result != NULL);
  list = beckon_store_list_profiles_finish (store, result, &error);
  g_assert_no_error (error);

  return list;
}

GPtrArray *
beckon_store_fixture_pending (BeckonStore *store)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *list;

  beckon_request_store_list_pending_async (BECKON_REQUEST_STORE (store), NULL, keep_result, &result);
  beckon_await (result != NULL);
  list = beckon_request_store_list_pending_finish (BECKON_REQUEST_STORE (store), result, &error);
  g_assert_no_error (error);

  return list;
}

BeckonRunRecord *
beckon_store_fixture_claim (BeckonStore *store, const char *run_id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_store_claim_run_async (store, run_id, NULL, keep_result, &result);
  beckon_await (result != NULL);

  return beckon_store_claim_run_finish (store, result, error);
}

BeckonRequest *
beckon_store_fixture_lookup (BeckonStore *store, const char *request_id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_request_store_lookup_async (BECKON_REQUEST_STORE (store), request_id, NULL, keep_result, &result);
  beckon_await (result != NULL);

  return beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (store), result, error);
}

gboolean
beckon_store_fixture_settle (BeckonStore *store, const BeckonSettlement *settlement, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_request_store_settle_async (BECKON_REQUEST_STORE (store), settlement, NULL, keep_result, &result);
  beckon_await (result != NULL);

  return beckon_request_store_settle_finish (BECKON_REQUEST_STORE (store), result, error);
}

void
beckon_store_fixture_save_draft (BeckonStore *store, const char *request_id, const char *draft)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_request_store_save_draft_async (BECKON_REQUEST_STORE (store), request_id, draft, NULL, keep_result, &result);
  beckon_await (result != NULL);
  beckon_request_store_save_draft_finish (BECKON_REQUEST_STORE (store), result, &error);
  g_assert_no_error (error);
}

GPtrArray *
beckon_store_fixture_search (BeckonStore *store, const char *words, guint limit, gboolean *is_complete)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *hits;

  beckon_store_search_async (store, words, limit, NULL, keep_result, &result);
  beckon_await (result != NULL);
  hits = beckon_store_search_finish (store, result, is_complete, &error);
  g_assert_no_error (error);

  return hits;
}

void
beckon_store_fixture_settle_down (BeckonStore *store)
{
  g_ptr_array_unref (beckon_store_fixture_runs (store));
}

/* Work under way keeps its object alive: a notice leads to a look, that to a listing, that to messages, and all of it
 * once again where a notice came in between. */
void
beckon_store_fixture_come_to_rest (BeckonClock *clock, BeckonStore *store, BeckonStore *other)
{
  for (guint i = 0; i < 6; i++)
    {
      beckon_clock_advance (clock, 1000);
      while (g_main_context_iteration (NULL, FALSE))
        continue;
      beckon_store_fixture_settle_down (store);
      beckon_store_fixture_settle_down (other);
    }
}

BeckonLibrary *
beckon_store_fixture_library (BeckonStore *store, BeckonClock *clock)
{
  BeckonLibrary *library = beckon_library_new (store, clock);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_library_load_async (library, NULL, keep_result, &result);
  beckon_await (result != NULL);
  beckon_library_load_finish (library, result, &error);
  g_assert_no_error (error);

  return library;
}

void
beckon_store_fixture_open_conversation (BeckonLibrary *library, BeckonConversation *conversation)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_library_open_async (library, conversation, NULL, keep_result, &result);
  beckon_await (result != NULL);
  beckon_library_open_finish (library, result, &error);
  g_assert_no_error (error);
}

char *
beckon_store_fixture_sql (const char *directory, const char *sql)
{
  g_autofree char *path = g_build_filename (directory, "beckon.db", NULL);
  sqlite3_stmt *statement;
  char *value = NULL;
  sqlite3 *database;

  g_assert_cmpint (sqlite3_open_v2 (path, &database, SQLITE_OPEN_READWRITE, NULL), ==, SQLITE_OK);
  sqlite3_busy_timeout (database, 10000);
  if (sqlite3_prepare_v2 (database, sql, -1, &statement, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (database));
  if (sqlite3_step (statement) == SQLITE_ROW)
    value = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  if (sqlite3_finalize (statement) != SQLITE_OK)
    {
      g_free (value);
      value = g_strdup (sqlite3_errmsg (database));
    }
  sqlite3_close (database);

  return value;
}

GSubprocess *
beckon_store_fixture_spawn (const char *role, const char *directory, const char *argument)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GError) error = NULL;
  GSubprocess *child;

  child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, "--child", role,
                            directory, argument != NULL ? argument : "", NULL);
  g_assert_no_error (error);

  return child;
}

/* Byte by byte, because what follows the line is for the next call. */
char *
beckon_store_fixture_read_line (GSubprocess *child)
{
  GInputStream *stream = g_subprocess_get_stdout_pipe (child);
  GString *line = g_string_new (NULL);
  char byte;

  while (g_input_stream_read (stream, &byte, 1, NULL, NULL) == 1 && byte != '\n')
    g_string_append_c (line, byte);

  return g_string_free (line, FALSE);
}

void
beckon_store_fixture_say (const char *line)
{
  fprintf (stdout, "%s\n", line);
  fflush (stdout);
}

static gboolean
on_parent_gone (int fd, GIOCondition condition, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;

  return G_SOURCE_REMOVE;
}

/* With the main loop going, because the store delivers to it. */
void
beckon_store_fixture_wait_for_parent (void)
{
  gboolean gone = FALSE;

  g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP, on_parent_gone, &gone);
  while (!gone)
    g_main_context_iteration (NULL, TRUE);
}

void
beckon_store_fixture_kill (GSubprocess *child)
{
  g_subprocess_send_signal (child, SIGKILL);
  g_subprocess_wait (child, NULL, NULL);
  g_assert_true (g_subprocess_get_if_signaled (child));
}

void
beckon_store_fixture_release (GSubprocess *child)
{
  g_autoptr (GError) error = NULL;

  g_output_stream_close (g_subprocess_get_stdin_pipe (child), NULL, NULL);
  g_subprocess_wait_check (child, NULL, &error);
  g_assert_no_error (error);
}

BeckonMessage *
beckon_message_new_text (BeckonRole role, gint64 seq, const char *text)
{
  BeckonMessage *message = beckon_message_new (NULL, role, 1000 + seq);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  beckon_message_add_part (message, part);
  beckon_message_set_seq (message, seq);

  return message;
}

static BeckonQuestion *
make_question (const char *text)
{
  g_autoptr (JsonNode) node = json_node_alloc ();
  g_autofree char *quoted = NULL;
  g_autofree char *arguments = NULL;
  g_autoptr (GError) error = NULL;
  BeckonQuestion *question;

  json_node_init_string (node, text);
  quoted = json_to_string (node, FALSE);
  arguments = g_strdup_printf ("{\"question\": %s}", quoted);
  question = beckon_question_parse (arguments, &error);
  g_assert_no_error (error);

  return question;
}

BeckonTurn *
beckon_turn_new (const char *question)
{
  BeckonTurn *turn = g_new0 (BeckonTurn, 1);
  g_autoptr (BeckonQuestion) asked = make_question (question);
  g_autoptr (BeckonPart) text = beckon_part_new (BECKON_PART_TEXT, "Let me ask.");
  g_autoptr (BeckonPart) part = NULL;
  g_autofree char *id = beckon_id_new ();
  gint64 now = g_get_real_time ();

  turn->conversation = beckon_conversation_new (id, now);
  beckon_conversation_set_title (turn->conversation, question);
  turn->run = beckon_run_record_new (id, "tour", 50);
  turn->run->phase = BECKON_RUN_WAITING;
  turn->run->round = 1;

  turn->question = beckon_message_new_text (BECKON_ROLE_USER, 0, "Do it");
  turn->call = beckon_tool_call_new (NULL, "call_1", "ask_user", "{}");
  beckon_tool_call_set_state (turn->call, BECKON_CALL_AWAITING);
  part = beckon_part_new_call (turn->call);
  turn->reply = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, now);
  beckon_message_set_seq (turn->reply, 1);
  beckon_message_add_part (turn->reply, text);
  beckon_message_add_part (turn->reply, part);
  turn->request = beckon_question_request_new (NULL, id, beckon_message_get_id (turn->reply),
                                               beckon_tool_call_get_id (turn->call), asked, now);
  beckon_tool_call_set_request (turn->call, G_OBJECT (turn->request));

  return turn;
}

void
beckon_turn_free (BeckonTurn *turn)
{
  g_object_unref (turn->conversation);
  beckon_run_record_free (turn->run);
  g_object_unref (turn->question);
  g_object_unref (turn->reply);
  g_object_unref (turn->call);
  g_object_unref (turn->request);
  g_free (turn);
}

BeckonBatch *
beckon_turn_to_batch (BeckonTurn *turn)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  const char *id = beckon_conversation_get_id (turn->conversation);

  beckon_batch_put_conversation (batch, turn->conversation);
  beckon_batch_add_message (batch, id, turn->question);
  beckon_batch_add_run (batch, turn->run);
  beckon_batch_add_message (batch, id, turn->reply);
  beckon_batch_add_request (batch, turn->request);

  return batch;
}

BeckonSettlement *
beckon_turn_answer (BeckonTurn *turn, const char *text, const char *actor)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);

  beckon_answer_set_item_text (answer, 0, text);

  return beckon_settlement_new (turn->request, answer, "terminal", actor, g_get_real_time ());
}

BeckonSettlement *
beckon_turn_cancel (BeckonTurn *turn)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);

  return beckon_settlement_new (turn->request, answer, "agent", "somebody", g_get_real_time ());
}
