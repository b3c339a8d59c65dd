/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The digest of the time in which the person was away. */

#include "request/beckon-question-request.h"
#include "text/beckon-away-digest.h"

#include <locale.h>

#define SEEN_AT 1000

#define EDITED "“%s” was changed: %u lines removed, %u added.\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"

static BeckonToolCall *
add_call (BeckonConversation *conversation, const char *tool, const char *arguments, gint64 finished_at, char *result,
          BeckonCallChange change)
{
  g_autofree char *owned = result;
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, finished_at - 5);
  BeckonToolCall *call = beckon_tool_call_new (NULL, NULL, tool, arguments);
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);

  beckon_tool_call_set_times (call, finished_at - 1, finished_at);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  beckon_tool_call_set_result (call, owned, FALSE);
  beckon_tool_call_set_change (call, change);
  beckon_message_add_part (message, part);
  beckon_conversation_add_message (conversation, message);
  g_object_unref (call);
  return call;
}

static BeckonToolCall *
add_edit (BeckonConversation *conversation, const char *path, gint64 finished_at, guint n_removed, guint n_added)
{
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\"}", path);

  return add_call (conversation, "edit_file", arguments, finished_at, g_strdup_printf (EDITED, path, n_removed, n_added),
                   BECKON_CALL_CHANGE_KEPT);
}

static void
expect_change (const BeckonAwayDigest *digest, guint index, const char *path, const char *extent, guint n_calls)
{
  const BeckonAwayChange *change = g_ptr_array_index (digest->changes, index);
  const BeckonAwayFile *file = g_ptr_array_index (change->files, 0);

  g_assert_null (change->title);
  g_assert_cmpuint (change->files->len, ==, 1);
  g_assert_cmpstr (file->path, ==, path);
  g_assert_cmpstr (file->extent, ==, extent);
  g_assert_cmpuint (change->calls->len, ==, n_calls);
  g_assert_true (beckon_away_change_can_undo (change));
  g_assert_false (beckon_away_change_is_undone (change));
}

static void
expect_sentence (const BeckonAwayDigest *digest, const char *expected)
{
  g_autofree char *sentence = beckon_away_digest_dup_sentence (digest);

  g_assert_cmpstr (sentence, ==, expected);
}

static void
test_nothing (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("conversation", 1);
  BeckonToolCall *call;

  g_assert_null (beckon_away_digest_new (conversation, SEEN_AT));
  add_edit (conversation, "seen.txt", SEEN_AT, 1, 1);
  g_assert_null (beckon_away_digest_new (conversation, SEEN_AT));
  /* A call that never started did nothing. */
  call = add_edit (conversation, "later.txt", SEEN_AT + 1, 1, 1);
  beckon_tool_call_set_times (call, 0, SEEN_AT + 1);
  g_assert_null (beckon_away_digest_new (conversation, SEEN_AT));
}

static void
test_files (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("conversation", 1);
  g_autoptr (BeckonAwayDigest) digest = NULL;
  g_autoptr (GPtrArray) undoable = NULL;
  BeckonToolCall *first, *second, *third;

  add_edit (conversation, "seen.txt", SEEN_AT, 1, 1);
  first = add_edit (conversation, "a.txt", SEEN_AT + 10, 2, 3);
  add_call (conversation, "read_file", "{\"path\":\"b.txt\"}", SEEN_AT + 20, g_strdup ("text"), BECKON_CALL_CHANGE_NONE);
  second = add_call (conversation, "write_file", "{\"path\":\"b.txt\",\"content\":\"one\\ntwo\"}", SEEN_AT + 30,
                     g_strdup ("“b.txt” was made, with 7 bytes."), BECKON_CALL_CHANGE_KEPT);
  third = add_edit (conversation, "a.txt", SEEN_AT + 40, 1, 1);

  digest = beckon_away_digest_new (conversation, SEEN_AT);
  g_assert_nonnull (digest);
  expect_sentence (digest, "While you were away: 4 tool calls · 2 files changed");
  g_assert_cmpuint (digest->changes->len, ==, 2);
  expect_change (digest, 0, "a.txt", "+4 −3", 2);
  expect_change (digest, 1, "b.txt", "new, 2 lines", 1);
  /* The newest is undone first. */
  g_assert_true (g_ptr_array_index (((BeckonAwayChange *) g_ptr_array_index (digest->changes, 0))->calls, 0) == third);
  undoable = beckon_away_digest_list_undoable (digest);
  g_assert_cmpuint (undoable->len, ==, 3);
  g_assert_true (g_ptr_array_index (undoable, 0) == third && g_ptr_array_index (undoable, 1) == second);
  g_assert_true (g_ptr_array_index (undoable, 2) == first);

  beckon_tool_call_set_change (second, BECKON_CALL_CHANGE_UNDONE);
  g_assert_true (beckon_away_change_is_undone (g_ptr_array_index (digest->changes, 1)));
  g_assert_false (beckon_away_change_can_undo (g_ptr_array_index (digest->changes, 1)));
}

static void
take_change (BeckonChangeSet *set, const char *path, BeckonFileChangeKind kind, guint n_added, guint n_removed)
{
  BeckonFileChange *change = beckon_file_change_new (path, kind, BECKON_FILE_REGULAR);

  change->is_text = TRUE;
  change->fate = BECKON_FILE_KEPT;
  change->n_added = n_added;
  change->n_removed = n_removed;
  beckon_change_set_take (set, change);
}

static void
test_command (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("conversation", 1);
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonAwayDigest) digest = NULL;
  BeckonToolCall *call = add_call (conversation, "run_command", "{\"command\":\"make gen\"}", SEEN_AT + 1, g_strdup ("made"),
                                   BECKON_CALL_CHANGE_NONE);
  const BeckonAwayChange *change;
  BeckonLanding *landing;

  take_change (set, "a.c", BECKON_FILE_CHANGED, 3, 1);
  take_change (set, "b.c", BECKON_FILE_CREATED, 9, 0);
  take_change (set, "c.c", BECKON_FILE_DELETED, 0, 9);
  take_change (set, "left.c", BECKON_FILE_CHANGED, 1, 1);
  beckon_change_set_sort (set);
  beckon_change_set_get (set, 3)->fate = BECKON_FILE_LEFT_OUT;
  landing = beckon_landing_new (beckon_tool_call_get_id (call), "/work", "/place", 0, set);
  landing->state = BECKON_LANDING_LANDED;
  beckon_tool_call_take_landing (call, landing);

  add_edit (conversation, "a.c", SEEN_AT + 20, 1, 1);

  digest = beckon_away_digest_new (conversation, SEEN_AT);
  expect_sentence (digest, "While you were away: 2 tool calls · 3 files changed");
  g_assert_cmpuint (digest->changes->len, ==, 2);
  expect_change (digest, 1, "a.c", "+1 −1", 1);
  change = g_ptr_array_index (digest->changes, 0);
  g_assert_cmpstr (change->title, ==, "Ran make gen");
  g_assert_cmpuint (change->files->len, ==, 3);
  g_assert_cmpstr (((BeckonAwayFile *) g_ptr_array_index (change->files, 0))->extent, ==, "+3 −1");
  g_assert_cmpstr (((BeckonAwayFile *) g_ptr_array_index (change->files, 1))->extent, ==, "new, 9 lines");
  g_assert_cmpstr (((BeckonAwayFile *) g_ptr_array_index (change->files, 2))->extent, ==, "deleted");
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/away/nothing", test_nothing);
  g_test_add_func ("/text/away/files", test_files);
  g_test_add_func ("/text/away/command", test_command);
  return g_test_run ();
}
