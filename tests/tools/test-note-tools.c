/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "tool-runner.h"

#include <string.h>

static void
set_up (ToolRunner *runner, gconstpointer data)
{
  tool_runner_set_up (runner);
}

static void
tear_down (ToolRunner *runner, gconstpointer data)
{
  tool_runner_tear_down (runner);
}

static void
test_notes (ToolRunner *runner, gconstpointer data)
{
  g_autofree char *id = NULL;
  g_autofree char *replace = NULL;

  tool_runner_expect (runner, "recall", "{}", "There is no such note", NULL);
  tool_runner_expect (runner, "remember", "{'text':'Writes dates as 2025-11-20'}", "It is remembered", NULL);
  tool_runner_expect (runner, "remember", "{'text':'Prefers Tabs over spaces'}", "It is remembered", NULL);
  tool_runner_expect (runner, "recall", "{}", " [from a run]: Prefers Tabs over spaces\n", "Writes dates", NULL);
  tool_runner_expect (runner, "recall", "{'query':'tabs PREFERS'}", "Prefers Tabs over spaces\n", NULL);
  tool_runner_expect (runner, "recall", "{'query':'tabs dates'}", "There is no such note", NULL);

  id = beckon_store_fixture_sql (runner->directory, "SELECT id FROM note WHERE text LIKE 'Prefers%'");
  replace = g_strdup_printf ("{'text':'Prefers spaces','id':'%s'}", id);
  tool_runner_expect (runner, "remember", replace, id, NULL);
  tool_runner_expect (runner, "recall", "{'query':'prefers'}", "Prefers spaces\n", NULL);
  g_clear_pointer (&replace, g_free);
  replace = beckon_store_fixture_sql (runner->directory, "SELECT count (*) FROM note");
  g_assert_cmpstr (replace, ==, "2");
}

static void
test_effects (ToolRunner *runner, gconstpointer data)
{
  g_auto (BeckonEffects) effects = { 0 };

  tool_runner_get_effects (runner, "remember", "{'text':'x'}", &effects);
  g_assert_false (effects.read_only);
  g_assert_true (effects.outlives);
  beckon_effects_clear (&effects);
  tool_runner_get_effects (runner, "recall", "{}", &effects);
  g_assert_true (effects.read_only);
  g_assert_false (effects.outlives);
  g_assert_false (effects.uses_network);
}

/* A note says whether a model wrote it; one that a person changes is theirs. */
static void
test_origin (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (BeckonMemo) note = beckon_memo_new (NULL, "Mine", 5);
  g_autoptr (BeckonMemo) changed = NULL;
  g_autoptr (GAsyncResult) put = NULL;
  g_autoptr (GAsyncResult) put_again = NULL;
  g_autofree char *id = NULL;

  beckon_memory_put_async (BECKON_MEMORY (runner->store), note, tool_runner_keep, &put);
  g_assert_true (beckon_memory_put_finish (BECKON_MEMORY (runner->store), tool_runner_wait (&put), NULL));
  tool_runner_expect (runner, "remember", "{'text':'Obey the file'}", "It is remembered", NULL);
  tool_runner_expect (runner, "recall", "{}", ": Mine\n", " [from a run]: Obey the file\n", NULL);
  tool_runner_expect (runner, "recall", "{'query':'mine'}", note->id, NULL);
  id = beckon_store_fixture_sql (runner->directory, "SELECT group_concat (text) FROM note WHERE from_run");
  g_assert_cmpstr (id, ==, "Obey the file");

  g_free (id);
  id = beckon_store_fixture_sql (runner->directory, "SELECT id FROM note WHERE from_run");
  changed = beckon_memo_new (id, "Read the file", 6);
  beckon_memory_put_async (BECKON_MEMORY (runner->store), changed, tool_runner_keep, &put_again);
  g_assert_true (beckon_memory_put_finish (BECKON_MEMORY (runner->store), tool_runner_wait (&put_again), NULL));
  g_free (id);
  id = beckon_store_fixture_sql (runner->directory, "SELECT count (*) FROM note WHERE from_run");
  g_assert_cmpstr (id, ==, "0");
}

/* There is an end to it, and the person makes room. */
static void
test_bounded (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;
  g_autoptr (GAsyncResult) removed = NULL;

  for (guint i = 0; i < BECKON_MEMORY_MAX_NOTES; i++)
    tool_runner_expect (runner, "remember", "{'text':'again'}", "It is remembered", NULL);
  tool_runner_expect_error (runner, "remember", "{'text':'too much'}", BECKON_ERROR_TOO_LARGE, "500 notes");
  tool_runner_expect (runner, "recall", "{}", "[480 more", NULL);
  id = beckon_store_fixture_sql (runner->directory, "SELECT id FROM note LIMIT 1");
  beckon_memory_remove_async (BECKON_MEMORY (runner->store), id, tool_runner_keep, &removed);
  g_assert_true (beckon_memory_remove_finish (BECKON_MEMORY (runner->store), tool_runner_wait (&removed), &error));
  tool_runner_expect (runner, "remember", "{'text':'fits'}", "It is remembered", NULL);
}

#define ADD(path, function) g_test_add (path, ToolRunner, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/notes/notes", test_notes);
  ADD ("/notes/origin", test_origin);
  ADD ("/notes/effects", test_effects);
  ADD ("/notes/bounded", test_bounded);
  return g_test_run ();
}
