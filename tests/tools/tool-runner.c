/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool-runner.h"

#include "base/beckon-error.h"
#include "beckon-tree.h"
#include "request/beckon-question-request.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/* A conversation whose last message gets the calls. */
static void
set_up_store (ToolRunner *runner)
{
  runner->directory = beckon_store_fixture_make_folder ();
  runner->store = beckon_store_fixture_open (runner->directory);
  runner->turn = beckon_turn_new ("Which?");
  beckon_store_fixture_commit (runner->store, beckon_turn_to_batch (runner->turn));
  runner->next_place = 2;
}

static void
forget_call (ToolRunner *runner)
{
  g_clear_object (&runner->call);
  g_clear_pointer (&runner->landing, beckon_landing_free);
}

void
tool_runner_set_up (ToolRunner *runner)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-tool-XXXXXX", NULL);

  runner->root = realpath (made, NULL);
  runner->folder = g_build_filename (runner->root, "here", NULL);
  g_assert_cmpint (g_mkdir (runner->folder, 0700), ==, 0);
  set_up_store (runner);
  runner->registry = beckon_tool_registry_new ();
  runner->outputs = beckon_output_store_new ();
  runner->reported = g_string_new (NULL);
  beckon_tool_registry_add_builtin (runner->registry);
  beckon_tool_registry_add_working (runner->registry, &(BeckonToolParts){ .copies = BECKON_FILE_COPIES (runner->store),
                                                         .memory = BECKON_MEMORY (runner->store),
                                                         .outputs = runner->outputs });
}

void
tool_runner_tear_down (ToolRunner *runner)
{
  beckon_tree_remove (runner->root);
  forget_call (runner);
  g_assert_finalize_object (runner->registry);
  beckon_turn_free (runner->turn);
  beckon_store_fixture_close (runner->store);
  beckon_store_fixture_clear (runner->directory);
  /* Whether commands can run here may still be tried. */
  beckon_await (G_OBJECT (runner->outputs)->ref_count == 1);
  g_assert_finalize_object (runner->outputs);
  g_string_free (runner->reported, TRUE);
  g_free (runner->prompted);
  g_free (runner->root);
  g_free (runner->folder);
}

void
tool_runner_write (ToolRunner *runner, const char *name, const char *contents)
{
  g_autofree char *path = g_build_filename (runner->folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_file_set_contents (path, contents, -1, &error);
  g_assert_no_error (error);
}

char *
tool_runner_read (ToolRunner *runner, const char *name)
{
  g_autofree char *path = g_build_filename (runner->folder, name, NULL);
  char *contents = NULL;

  g_file_get_contents (path, &contents, NULL, NULL);
  return contents;
}

static void
on_report (const char *text, gpointer data)
{
  ToolRunner *runner = data;

  g_string_append (runner->reported, text);
  runner->n_reports++;
  if (runner->seen != NULL)
    tool_runner_write (runner, runner->seen, runner->reported->str);
}

static void
on_taken_back (GCancellable *cancellable, gpointer task)
{
  ToolRunner *runner = g_object_get_data (G_OBJECT (task), "runner");

  runner->was_taken_back = TRUE;
}

static gboolean
return_taken_back (gpointer user_data)
{
  GTask *task = user_data;
  ToolRunner *runner = g_object_get_data (G_OBJECT (task), "runner");

  if (!runner->was_taken_back)
    return G_SOURCE_CONTINUE;

  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "It was taken back.");
  return G_SOURCE_REMOVE;
}

static void
on_prompt (BeckonRequest *request, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data,
           gpointer data)
{
  BeckonQuestion *question = beckon_request_get_question (request);
  ToolRunner *runner = data;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  BeckonAnswer *answer;

  runner->n_prompts++;
  g_free (runner->prompted);
  runner->prompted = g_strdup (beckon_question_get_item (question, 0)->question);
  if (runner->gate != NULL)
    tool_runner_write (runner, runner->gate, "");
  if (runner->asked != NULL)
    runner->asked (runner);
  if (runner->prompt_answer == NULL)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "Nobody is here.");
      return;
    }
  if (*runner->prompt_answer == '\0')
    {
      g_object_set_data (G_OBJECT (task), "runner", runner);
      g_cancellable_connect (cancellable, G_CALLBACK (on_taken_back), task, NULL);
      g_timeout_add_full (G_PRIORITY_DEFAULT, 10, return_taken_back, g_object_ref (task), g_object_unref);
      return;
    }
  answer = beckon_answer_new_question (1);
  beckon_answer_select (answer, 0, runner->prompt_answer);
  g_assert_true (beckon_answer_check (answer, question, NULL));
  g_task_return_pointer (task, answer, (GDestroyNotify) beckon_answer_unref);
}

static char *
dup_json (const char *arguments)
{
  return g_strdelimit (g_strdup (arguments), "'", '"');
}

static BeckonTool *
find_tool (ToolRunner *runner, const char *name)
{
  BeckonTool *tool = beckon_tool_registry_lookup (runner->registry, name);

  g_assert_nonnull (tool);
  return tool;
}

void
tool_runner_store_call (ToolRunner *runner)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_autoptr (BeckonPart) part = beckon_part_new_call (runner->call);

  beckon_batch_add_part (batch, beckon_conversation_get_id (runner->turn->conversation),
                         beckon_message_get_id (runner->turn->reply), runner->next_place++, part);
  beckon_store_fixture_commit (runner->store, batch);
}

typedef struct ToolRun
{
  ToolRunner *runner;
  BeckonToolCall *call;
  GAsyncResult *result;
  char *told; /* what was told of it when it went into the background */
} ToolRun;

static void
run_free (ToolRun *run)
{
  g_object_unref (run->call);
  g_clear_object (&run->result);
  g_free (run->told);
  g_free (run);
}

static gboolean
on_leave (const char *told, gpointer data)
{
  ToolRunner *runner = data;

  runner->running->told = g_strdup (told);
  return TRUE;
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ToolRun *run = user_data;
  g_autoptr (BeckonLanding) landing = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  run->result = g_object_ref (result);
  if (run->told == NULL)
    return;
  landing = beckon_tool_take_landing (BECKON_TOOL (source), result);
  text = beckon_tool_run_finish (BECKON_TOOL (source), result, &error);
  beckon_tool_call_set_result (run->call, text != NULL ? text : error->message, text == NULL);
  beckon_tool_call_set_state (run->call, BECKON_CALL_DONE);
  run->runner->n_background--;
  run_free (run);
}

static BeckonToolContext
make_context (ToolRunner *runner, BeckonToolCall *call)
{
  return (BeckonToolContext){
    .conversation_id = beckon_conversation_get_id (runner->turn->conversation),
    .message_id = beckon_message_get_id (runner->turn->reply),
    .call = call,
    .arguments = beckon_tool_call_get_effective_arguments (call),
    .folder = runner->folder,
    .mask = runner->mask,
    .most = runner->most,
    .denied = runner->denied,
    .lands = runner->lands,
    .report = on_report,
    .report_data = runner,
    .prompt = on_prompt,
    .leave = on_leave,
    .prompt_data = runner,
    .now = g_get_real_time (),
  };
}

void
tool_runner_keep (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static gboolean
on_tick (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

GAsyncResult *
tool_runner_wait (GAsyncResult **result)
{
  gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  guint tick = g_timeout_add (100, on_tick, NULL);

  while (*result == NULL && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (tick);
  g_assert_nonnull (*result);
  return *result;
}

static void
keep_images (ToolRunner *runner, BeckonTool *tool, GAsyncResult *result)
{
  g_autoptr (GPtrArray) images = beckon_tool_dup_images (tool, result);

  for (guint i = 0; images != NULL && i < images->len; i++)
    beckon_tool_call_add_image (runner->call, g_ptr_array_index (images, i));
}

char *
tool_runner_run (ToolRunner *runner, const char *name, const char *arguments, GCancellable *cancellable, GError **error)
{
  BeckonTool *tool = find_tool (runner, name);
  g_autofree char *json = dup_json (arguments);
  BeckonToolContext context;
  char *text;
  ToolRun *run;

  forget_call (runner);
  runner->call = beckon_tool_call_new (NULL, NULL, name, json);
  context = make_context (runner, runner->call);
  tool_runner_store_call (runner);
  if (!beckon_tool_check_arguments (tool, json, error) || !beckon_tool_check (tool, &context, error))
    return NULL;

  run = runner->running = g_new0 (ToolRun, 1);
  run->runner = runner;
  run->call = g_object_ref (runner->call);
  beckon_tool_run_async (tool, &context, cancellable, on_done, run);
  beckon_await (run->result != NULL || run->told != NULL);
  if (run->told != NULL)
    {
      runner->n_background++;
      return g_strdup (run->told);
    }
  keep_images (runner, tool, run->result);
  beckon_tool_get_end (tool, run->result, &runner->end);
  runner->landing = beckon_tool_take_landing (tool, run->result);
  text = beckon_tool_run_finish (tool, run->result, error);
  run_free (run);
  return text;
}

void
tool_runner_expect (ToolRunner *runner, const char *tool, const char *arguments, ...)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *result = tool_runner_run (runner, tool, arguments, NULL, &error);
  const char *word;
  va_list words;

  g_assert_no_error (error);
  va_start (words, arguments);
  while ((word = va_arg (words, const char *)) != NULL)
    if (strstr (result, word) == NULL)
      g_error ("%s %s: “%s” is not in:\n%s", tool, arguments, word, result);
  va_end (words);
}

void
tool_runner_expect_error (ToolRunner *runner, const char *tool, const char *arguments, int code, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *result = tool_runner_run (runner, tool, arguments, NULL, &error);

  g_assert_null (result);
  g_assert_error (error, BECKON_ERROR, code);
  if (strstr (error->message, words) == NULL)
    g_error ("%s %s: “%s” is not in:\n%s", tool, arguments, words, error->message);
}

void
tool_runner_get_effects (ToolRunner *runner, const char *name, const char *arguments, BeckonEffects *effects)
{
  g_autofree char *json = dup_json (arguments);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, name, json);
  BeckonToolContext context = make_context (runner, call);

  beckon_tool_get_effects (find_tool (runner, name), &context, effects);
}
