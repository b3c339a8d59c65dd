/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-survey.h"

#include "base/beckon-worker.h"
#include "landing/beckon-landing-place.h"
#include "tools/beckon-file-stamp.h"

struct _BeckonCallSurvey
{
  char *conversation_id;
  char *folder; /* (nullable) */
  BeckonToolArguments *arguments;
  GError *fault; /* (nullable): why the tool cannot carry it out */
  BeckonEffects effects;
  char *files;   /* (nullable) */
  char *changed; /* (nullable) */
  char *definition; /* (nullable) */
  gboolean has_place;
};

static void
clear (gpointer data)
{
  BeckonCallSurvey *self = data;

  beckon_effects_clear (&self->effects);
  beckon_tool_arguments_unref (self->arguments);
  g_clear_error (&self->fault);
  g_free (self->conversation_id);
  g_free (self->folder);
  g_free (self->files);
  g_free (self->changed);
  g_free (self->definition);
}

void
beckon_call_survey_unref (BeckonCallSurvey *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

typedef struct
{
  BeckonTool *tool; /* (owned) */
  char *conversation_id;
  char *call_id; /* (nullable): of a call that was started */
  char *folder; /* (nullable) */
  char *text;
  BeckonToolArguments *arguments; /* (owned) (nullable): if they were read before */
  char *bound;                    /* (nullable) */
  gint64 now;
} Look;

static void
look_free (gpointer data)
{
  Look *look = data;

  g_clear_object (&look->tool);
  beckon_tool_arguments_unref (look->arguments);
  g_free (look->conversation_id);
  g_free (look->call_id);
  g_free (look->folder);
  g_free (look->text);
  g_free (look->bound);
  g_free (look);
}

static gboolean
has_place (const char *call_id)
{
  g_autofree char *place = beckon_landing_place_get_path (call_id);

  return g_file_test (place, G_FILE_TEST_IS_DIR);
}

static void
look (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Look *look = task_data;
  BeckonCallSurvey *self = g_atomic_rc_box_new0 (BeckonCallSurvey);
  BeckonToolContext context = {
    .conversation_id = look->conversation_id,
    .message_id = "",
    .arguments = look->text,
    .folder = look->folder,
    .now = look->now,
  };

  self->arguments = look->arguments != NULL ? beckon_tool_arguments_ref (look->arguments)
                                            : beckon_tool_parse_arguments (look->tool, look->text);
  self->conversation_id = g_steal_pointer (&look->conversation_id);
  self->folder = g_steal_pointer (&look->folder);
  self->definition = g_strdup (beckon_tool_get_digest (look->tool));
  context.parsed = self->arguments;
  if (beckon_tool_arguments_check (self->arguments, NULL))
    beckon_tool_check (look->tool, &context, &self->fault);
  beckon_tool_get_effects (look->tool, &context, &self->effects);
  if (!self->effects.read_only)
    self->files = beckon_file_stamps_take (self->effects.paths);
  self->has_place = look->call_id != NULL && has_place (look->call_id);
  if (look->bound != NULL)
    self->changed = beckon_file_stamps_find_change (look->bound);
  g_task_return_pointer (task, self, (GDestroyNotify) beckon_call_survey_unref);
}

void
beckon_call_survey_async (BeckonTool *tool, const BeckonToolContext *context, const char *bound, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Look *data = g_new0 (Look, 1);

  g_task_set_source_tag (task, beckon_call_survey_async);
  data->tool = g_object_ref (tool);
  data->conversation_id = g_strdup (context->conversation_id);
  if (context->call != NULL && beckon_tool_call_get_state (context->call) == BECKON_CALL_STARTED)
    data->call_id = g_strdup (beckon_tool_call_get_id (context->call));
  data->folder = g_strdup (context->folder);
  data->text = g_strdup (context->arguments);
  data->arguments = context->parsed != NULL ? beckon_tool_arguments_ref (context->parsed) : NULL;
  data->bound = g_strdup (bound);
  data->now = context->now;
  g_task_set_task_data (task, data, look_free);
  beckon_worker_run (task, look);
}

BeckonCallSurvey *
beckon_call_survey_finish (GAsyncResult *result)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_call_survey_async), NULL);

  /* The worker may let go of its task later. */
  g_clear_object (&((Look *) g_task_get_task_data (G_TASK (result)))->tool);
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

gboolean
beckon_call_survey_fits (const BeckonCallSurvey *self, const char *arguments, const char *folder)
{
  return g_str_equal (beckon_tool_arguments_get_text (self->arguments), arguments) && g_strcmp0 (self->folder, folder) == 0;
}

BeckonToolArguments *
beckon_call_survey_get_parsed (const BeckonCallSurvey *self, const char *arguments)
{
  return g_str_equal (beckon_tool_arguments_get_text (self->arguments), arguments) ? self->arguments : NULL;
}

BeckonToolArguments *
beckon_call_survey_get_arguments (const BeckonCallSurvey *self)
{
  return self->arguments;
}

gboolean
beckon_call_survey_check (const BeckonCallSurvey *self, GError **error)
{
  if (self->fault != NULL && error != NULL)
    *error = g_error_copy (self->fault);
  return self->fault == NULL;
}

const BeckonEffects *
beckon_call_survey_get_effects (const BeckonCallSurvey *self)
{
  return &self->effects;
}

const char *
beckon_call_survey_get_files (const BeckonCallSurvey *self)
{
  return self->files;
}

const char *
beckon_call_survey_get_definition (const BeckonCallSurvey *self)
{
  return self->definition;
}

const char *
beckon_call_survey_get_changed (const BeckonCallSurvey *self)
{
  return self->changed;
}

gboolean
beckon_call_survey_has_place (const BeckonCallSurvey *self)
{
  return self->has_place;
}
