/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-test-tool.h"

#include "base/beckon-json.h"
#include "request/beckon-form-request.h"
#include "request/beckon-question-request.h"

#include <stdio.h>

struct _BeckonTestTool
{
  GObject parent_instance;

  BeckonToolDefinition *definition;
  gboolean held;
  gboolean deaf;
  gboolean forgets;
  char *failure;
  char *result;
  int exit_status; /* -1: none */
  gssize output_length;
  char *found;
  char *effects;
  GQueue waiting; /* (element-type GTask) (owned) */
  GString *log;
  BeckonDeniedPaths *denied; /* (nullable) */
  guint n_begun;
  guint n_running;
  guint n_at_once;
  gboolean absent;
  char *question; /* (nullable) */
  char *server;   /* (nullable) */
  char *digest;   /* (nullable) */
  char *form;     /* (nullable): parameters of elicitation/create */
  gboolean resumes;
  BeckonToolHandOver hand_over; /* of the call that asks with it */
  gpointer prompt_data;
};

static void beckon_test_tool_tool_init (BeckonToolInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonTestTool, beckon_test_tool, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_TOOL, beckon_test_tool_tool_init))

static char *
get_absence (BeckonTool *tool, const char *folder)
{
  return BECKON_TEST_TOOL (tool)->absent ? g_strdup ("It is off.") : NULL;
}

void
beckon_test_tool_set_absent (BeckonTestTool *tool, gboolean absent)
{
  tool->absent = absent;
}

static BeckonToolDefinition *
get_definition (BeckonTool *tool)
{
  return BECKON_TEST_TOOL (tool)->definition;
}

static void
finish (BeckonTestTool *self, GTask *task)
{
  const char *arguments = g_task_get_task_data (task);

  self->n_running--;
  if (self->failure != NULL)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", self->failure);
  else if (self->result != NULL)
    g_task_return_pointer (task, g_strdup (self->result), g_free);
  else
    g_task_return_pointer (task, g_strdup_printf ("%s did %s", self->definition->name, arguments), g_free);
}

void
beckon_test_tool_set_question (BeckonTestTool *tool, const char *question)
{
  g_free (tool->question);
  tool->question = g_strdup (question);
}

void
beckon_test_tool_set_digest (BeckonTestTool *tool, const char *digest)
{
  g_free (tool->digest);
  tool->digest = g_strdup (digest);
}

void
beckon_test_tool_set_server (BeckonTestTool *tool, const char *server)
{
  g_free (tool->server);
  tool->server = g_strdup (server);
}

void
beckon_test_tool_set_form (BeckonTestTool *tool, const char *params, gboolean resumes)
{
  tool->resumes = resumes;
  g_free (tool->form);
  tool->form = g_strdup (params);
}

static void
on_handed_over (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    g_task_return_pointer (task, g_strdup (g_object_get_data (G_OBJECT (task), "answer")), g_free);
  else
    g_task_return_error (task, error);
}

/* Its result is what the server would be told. */
static void
on_form_prompted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonTestTool *self = g_task_get_source_object (task);
  g_autoptr (BeckonAnswer) answer = beckon_tool_prompt_finish (result, NULL);
  BeckonRequest *request = g_object_get_data (G_OBJECT (task), "request");
  char *said = beckon_form_request_dup_result (request, answer);

  self->n_running--;
  g_object_set_data_full (G_OBJECT (task), "answer", said, g_free);
  if (self->resumes && answer != NULL)
    self->hand_over ("{\"requestState\":\"state\"}", on_handed_over, g_object_ref (task), self->prompt_data);
  else
    g_task_return_pointer (task, g_strdup (said), g_free);
}

static void
prompt_form (BeckonTestTool *self, const BeckonToolContext *context, GTask *task)
{
  BeckonRequest *request = beckon_form_request_new (context->conversation_id, "GitHub", self->form, context->now, NULL);

  if (self->resumes)
    beckon_form_request_set_resumption (request, "key", "{\"requestState\":\"state\"}");
  if (context->resumption != NULL)
    g_string_append_printf (self->log, "resumed from %s\n", context->resumption);
  g_object_set_data_full (G_OBJECT (task), "request", request, g_object_unref);
  self->hand_over = context->hand_over;
  self->prompt_data = context->prompt_data;
  context->prompt (request, NULL, on_form_prompted, g_object_ref (task), context->prompt_data);
}

static void
on_prompted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonTestTool *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonAnswer) answer = beckon_tool_prompt_finish (result, &error);
  const BeckonAnswerItem *item
    = answer != NULL && answer->items != NULL && answer->items->len > 0 ? g_ptr_array_index (answer->items, 0) : NULL;

  self->n_running--;
  if (item != NULL)
    g_task_return_pointer (task, g_strdup_printf ("heard %s", item->text), g_free);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "heard nothing: %s",
                             error != NULL ? error->message : "no words");
}

static void
prompt (BeckonTestTool *self, const BeckonToolContext *context, GTask *task)
{
  g_autofree char *json = g_strdup_printf ("{\"question\":\"%s\"}", self->question);
  g_autoptr (BeckonQuestion) question = beckon_question_parse (json, NULL);
  g_autoptr (BeckonRequest) request = beckon_question_request_new (NULL, context->conversation_id, context->message_id, NULL,
                                                                   question, context->now);

  context->prompt (request, NULL, on_prompted, g_object_ref (task), context->prompt_data);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  GTask *task = user_data;
  BeckonTestTool *self = g_task_get_source_object (task);

  if (g_queue_remove (&self->waiting, task))
    {
      self->n_running--;
      g_task_return_error_if_cancelled (task);
      g_object_unref (task);
    }
  return G_SOURCE_REMOVE;
}

static void
hold (BeckonTestTool *self, GTask *task)
{
  g_autoptr (GSource) source = NULL;

  g_queue_push_tail (&self->waiting, g_object_ref (task));
  if (self->deaf)
    return;
  source = g_cancellable_source_new (g_task_get_cancellable (task));
  g_source_set_callback (source, G_SOURCE_FUNC (on_cancelled), g_object_ref (task), g_object_unref);
  g_source_attach (source, NULL);
}

static void
take_effect (BeckonTestTool *self, const char *arguments)
{
  FILE *effects = fopen (self->effects, "a");

  g_assert_nonnull (effects);
  fprintf (effects, "%s %s\n", self->definition->name, arguments);
  fclose (effects);
}

static void
run (BeckonTool *tool, const BeckonToolContext *context, GTask *task)
{
  BeckonTestTool *self = BECKON_TEST_TOOL (tool);
  const char *arguments = context->arguments;

  /* The one promise of the interface: it is only called once the start was committed. */
  g_assert_cmpint (beckon_tool_call_get_state (context->call), ==, BECKON_CALL_STARTED);
  g_task_set_task_data (task, g_strdup (arguments), g_free);
  g_task_set_check_cancellable (task, !self->deaf);
  g_string_append_printf (self->log, "%s\n", arguments);
  g_clear_pointer (&self->denied, beckon_denied_paths_unref);
  self->denied = context->denied != NULL ? beckon_denied_paths_ref (context->denied) : NULL;
  if (self->effects != NULL)
    take_effect (self, arguments);
  self->n_begun++;
  self->n_running++;
  self->n_at_once = MAX (self->n_at_once, self->n_running);
  if (self->form != NULL)
    prompt_form (self, context, task);
  else if (self->question != NULL)
    prompt (self, context, task);
  else if (self->held)
    hold (self, task);
  else if (self->forgets)
    self->n_running--;
  else
    finish (self, task);
}

static char *
verify_finish (BeckonTool *tool, GAsyncResult *result, GError **error)
{
  g_assert_true (g_task_is_valid (result, tool));

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
get_end (BeckonTool *tool, GAsyncResult *result, BeckonToolEnd *end)
{
  BeckonTestTool *self = BECKON_TEST_TOOL (tool);

  end->exit_status = self->exit_status;
  end->is_failure = self->exit_status > 0;
  if (self->output_length >= 0)
    end->output_length = (gsize) self->output_length;
}

static void
verify_async (BeckonTool *tool, const BeckonToolContext *context, GCancellable *cancellable, GAsyncReadyCallback callback,
            gpointer user_data)
{
  BeckonTestTool *self = BECKON_TEST_TOOL (tool);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_assert_cmpint (beckon_tool_call_get_state (context->call), ==, BECKON_CALL_UNKNOWN);
  g_task_set_source_tag (task, verify_async);
  if (self->found != NULL)
    g_task_return_pointer (task, g_strdup (self->found), g_free);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "It cannot tell.");
}

/* A call touches what it names. */
static void
get_effects (BeckonTool *tool, const BeckonToolContext *context, BeckonEffects *effects)
{
  const char *path = beckon_json_get_string (effects->arguments, "path");
  const char *host = beckon_json_get_string (effects->arguments, "host");
  const char *command = beckon_json_get_string (effects->arguments, "command");

  effects->read_only = BECKON_TEST_TOOL (tool)->definition->read_only;
  effects->uses_network = host != NULL;
  effects->leaves_folder
    = path != NULL && *path == '/' && (effects->folder == NULL || !g_str_has_prefix (path, effects->folder));
  if (path != NULL)
    beckon_effects_add_path (effects, path);
  if (host != NULL)
    beckon_effects_add_host (effects, host);
  if (command != NULL)
    beckon_effects_set_command (effects, command);
}

static const char *
get_digest (BeckonTool *tool)
{
  return BECKON_TEST_TOOL (tool)->digest;
}

static const char *
get_server (BeckonTool *tool)
{
  return BECKON_TEST_TOOL (tool)->server;
}

static void
beckon_test_tool_tool_init (BeckonToolInterface *iface)
{
  iface->get_effects = get_effects;
  iface->verify_async = verify_async;
  iface->verify_finish = verify_finish;
  iface->get_definition = get_definition;
  iface->run = run;
  iface->get_end = get_end;
  iface->get_absence = get_absence;
  iface->get_server = get_server;
  iface->get_digest = get_digest;
}

static void
beckon_test_tool_finalize (GObject *object)
{
  BeckonTestTool *self = BECKON_TEST_TOOL (object);

  /* A waiting call holds a reference. */
  g_assert_cmpuint (g_queue_get_length (&self->waiting), ==, 0);
  beckon_tool_definition_unref (self->definition);
  g_free (self->failure);
  g_free (self->result);
  g_free (self->found);
  g_free (self->effects);
  g_free (self->question);
  g_free (self->server);
  g_free (self->digest);
  g_free (self->form);
  g_clear_pointer (&self->denied, beckon_denied_paths_unref);
  g_string_free (self->log, TRUE);

  G_OBJECT_CLASS (beckon_test_tool_parent_class)->finalize (object);
}

static void
beckon_test_tool_class_init (BeckonTestToolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_test_tool_finalize;
}

static void
beckon_test_tool_init (BeckonTestTool *self)
{
  self->exit_status = -1;
  self->output_length = -1;
  self->log = g_string_new (NULL);
  g_queue_init (&self->waiting);
}

BeckonTestTool *
beckon_test_tool_new (const char *name, gboolean read_only)
{
  BeckonTestTool *self = g_object_new (BECKON_TYPE_TEST_TOOL, NULL);

  self->definition = beckon_tool_definition_new (name, "Does what the test says.",
                                                 "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}}}",
                                                 read_only);
  return self;
}

void
beckon_test_tool_set_held (BeckonTestTool *tool, gboolean held)
{
  tool->held = held;
}

void
beckon_test_tool_release (BeckonTestTool *tool)
{
  g_autoptr (GTask) task = g_queue_pop_head (&tool->waiting);

  g_assert_nonnull (task);
  finish (tool, task);
}

void
beckon_test_tool_set_failure (BeckonTestTool *tool, const char *message)
{
  g_free (tool->failure);
  tool->failure = g_strdup (message);
}

void
beckon_test_tool_set_exit_status (BeckonTestTool *tool, int exit_status, gssize output_length)
{
  tool->exit_status = exit_status;
  tool->output_length = output_length;
}

void
beckon_test_tool_set_result (BeckonTestTool *tool, const char *result)
{
  g_free (tool->result);
  tool->result = g_strdup (result);
}

void
beckon_test_tool_set_found (BeckonTestTool *tool, const char *found)
{
  g_free (tool->found);
  tool->found = g_strdup (found);
}

void
beckon_test_tool_set_effects (BeckonTestTool *tool, const char *path)
{
  g_free (tool->effects);
  tool->effects = g_strdup (path);
}

void
beckon_test_tool_set_deaf (BeckonTestTool *tool, gboolean deaf)
{
  tool->deaf = deaf;
}

void
beckon_test_tool_set_forgets (BeckonTestTool *tool, gboolean forgets)
{
  tool->forgets = forgets;
}

guint
beckon_test_tool_get_n_begun (BeckonTestTool *tool)
{
  return tool->n_begun;
}

guint
beckon_test_tool_get_n_running (BeckonTestTool *tool)
{
  return tool->n_running;
}

guint
beckon_test_tool_get_n_at_once (BeckonTestTool *tool)
{
  return tool->n_at_once;
}

const char *
beckon_test_tool_get_log (BeckonTestTool *tool)
{
  return tool->log->str;
}

BeckonDeniedPaths *
beckon_test_tool_get_denied (BeckonTestTool *tool)
{
  return tool->denied;
}
