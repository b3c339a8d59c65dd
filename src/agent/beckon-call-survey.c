/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-survey.h"

#include "base/beckon-json.h"
#include "base/beckon-worker.h"
#include "beckon-plan-stamps.h"
#include "landing/beckon-landing-place.h"
#include "request/beckon-request.h"
#include "tools/beckon-file-stamp.h"
#include "tools/beckon-propose-plan.h"

#include <glib/gstdio.h>

struct _BeckonCallSurvey
{
  char *conversation_id;
  char *folder; /* (nullable) */
  BeckonToolArguments *arguments;
  char *given;   /* (nullable): the text that these complete */
  GError *fault; /* (nullable): why the tool cannot carry it out */
  GError *obstacle; /* (nullable): why it cannot be done with the files as they are */
  BeckonEffects effects;
  char *files;   /* (nullable) */
  char *bound;   /* (nullable) */
  char *changed; /* (nullable) */
  char *news;    /* (nullable): the path of what is not as an accepted plan has it */
  gboolean news_were_there; /* when the plan was shown */
  char *definition; /* (nullable) */
  gboolean has_place;
  goffset size; /* of the first file that would be changed */
};

static void
call_survey_clear (gpointer data)
{
  BeckonCallSurvey *self = data;

  beckon_effects_clear (&self->effects);
  beckon_tool_arguments_unref (self->arguments);
  g_clear_error (&self->fault);
  g_clear_error (&self->obstacle);
  g_free (self->given);
  g_free (self->conversation_id);
  g_free (self->folder);
  g_free (self->files);
  g_free (self->bound);
  g_free (self->changed);
  g_free (self->news);
  g_free (self->definition);
}

void
beckon_call_survey_unref (BeckonCallSurvey *self)
{
  g_atomic_rc_box_release_full (self, call_survey_clear);
}

typedef struct
{
  BeckonTool *tool; /* (owned) */
  char *conversation_id;
  char *message_id;
  char *call_id; /* (nullable): of a call that was started */
  char *folder; /* (nullable) */
  char *text;
  char *changed_plan; /* (nullable): that its person accepted in place of the arguments */
  BeckonToolArguments *arguments; /* (owned) (nullable): if they were read before */
  char *bound;                    /* (nullable) */
  gboolean is_planned;            /* @bound is what an accepted plan says of the files */
  gint64 settled_at;              /* when the person decided on it; 0 if nobody did */
  gint64 now;
  BeckonMask *mask;         /* (owned) (nullable) */
  BeckonDeniedPaths *denied; /* (owned) (nullable) */
  gboolean completes;
  gboolean checks_files;
  GWeakRef copies;          /* (nullable): a look that hangs keeps no store open */
  GPtrArray *made;          /* (owned) (nullable) (element-type BeckonFileCopy): what other calls changed */
  BeckonCallSurvey *survey; /* (owned) (nullable): as far as it is made */
} Look;

static void
call_survey_look_free (gpointer data)
{
  Look *look = data;

  g_clear_object (&look->tool);
  beckon_tool_arguments_unref (look->arguments);
  g_free (look->conversation_id);
  g_free (look->call_id);
  g_free (look->folder);
  g_free (look->text);
  g_free (look->changed_plan);
  g_free (look->bound);
  g_free (look->message_id);
  beckon_mask_unref (look->mask);
  beckon_denied_paths_unref (look->denied);
  g_weak_ref_clear (&look->copies);
  g_clear_pointer (&look->made, g_ptr_array_unref);
  g_clear_pointer (&look->survey, beckon_call_survey_unref);
  g_free (look);
}

static gboolean
has_place (const char *call_id)
{
  g_autofree char *place = beckon_landing_place_get_path (call_id);

  return g_file_test (place, G_FILE_TEST_IS_DIR);
}

/* Effects point into what they are of, which is the survey's for that. */
static BeckonToolContext
make_context (const Look *look)
{
  return (BeckonToolContext){
    .conversation_id = look->survey->conversation_id,
    .message_id = "",
    .arguments = look->text,
    .parsed = look->survey->arguments,
    .folder = look->survey->folder,
    .now = look->now,
    .mask = look->mask,
    .denied = look->denied,
  };
}

/* Arguments of a model may be completed; those that a person wrote, or that were decided on, stay as they are. */
static void
call_survey_read_arguments (BeckonCallSurvey *self, Look *look)
{
  g_autofree char *completed = NULL;

  self->arguments = look->arguments != NULL ? beckon_tool_arguments_ref (look->arguments)
                                            : beckon_tool_parse_arguments (look->tool, look->text);
  if (!look->completes || beckon_tool_arguments_check (self->arguments, NULL))
    return;
  completed = beckon_tool_complete_arguments (look->tool, look->text, NULL);
  if (completed == NULL)
    return;
  beckon_tool_arguments_unref (self->arguments);
  self->arguments = beckon_tool_parse_arguments (look->tool, completed);
  self->given = g_steal_pointer (&look->text);
  look->text = g_steal_pointer (&completed);
}

static void
call_survey_look (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Look *look = task_data;
  BeckonCallSurvey *self = g_atomic_rc_box_new0 (BeckonCallSurvey);
  BeckonToolContext context;
  GStatBuf info;

  look->survey = self;
  call_survey_read_arguments (self, look);
  self->conversation_id = g_steal_pointer (&look->conversation_id);
  self->folder = g_steal_pointer (&look->folder);
  self->definition = g_strdup (beckon_tool_get_digest (look->tool));
  context = make_context (look);
  if (beckon_tool_arguments_check (self->arguments, NULL))
    {
      beckon_tool_check (look->tool, &context, &self->fault);
      if (look->checks_files && self->fault == NULL)
        beckon_tool_check_files (look->tool, &context, &self->obstacle);
    }
  beckon_tool_get_effects (look->tool, &context, &self->effects);
  if (BECKON_IS_PROPOSE_PLAN (look->tool))
    self->files = look->changed_plan != NULL
                    ? beckon_plan_stamps_take (self->folder, look->changed_plan, BECKON_PLAN_FROM_PERSON)
                  : look->completes ? beckon_plan_stamps_take (self->folder, look->text, BECKON_PLAN_FROM_MODEL) : NULL;
  else if (!self->effects.read_only)
    self->files = beckon_file_stamps_take (self->effects.paths);
  if (self->files != NULL && self->effects.paths != NULL
      && g_lstat (self->effects.paths[0], &info) == 0 && S_ISREG (info.st_mode))
    self->size = info.st_size;
  self->has_place = look->call_id != NULL && has_place (look->call_id);
  if (look->is_planned)
    {
      char *left = beckon_file_stamps_narrow (look->bound);

      g_free (look->bound);
      look->bound = left;
    }
  self->bound = g_strdup (look->bound);
  self->changed = beckon_file_stamps_find_change (look->bound);
  if (look->is_planned && self->changed != NULL)
    {
      g_autoptr (JsonObject) then = beckon_json_parse_object (look->bound, -1, NULL);

      self->news_were_there
        = then != NULL && g_strcmp0 (beckon_json_get_string (then, self->changed), BECKON_FILE_STAMP_ABSENT) != 0;
    }
  g_task_return_boolean (task, TRUE);
}

/* A card that shows what is in files is for those files alone. */
static void
call_survey_follow (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Look *look = task_data;
  g_autofree char *planned = look->is_planned ? beckon_file_stamps_fill_in (look->bound, look->made) : NULL;
  g_autofree char *changed = planned != NULL ? beckon_file_stamps_find_change (planned) : NULL;
  char *bound = NULL;

  if (planned != NULL)
    bound = changed == NULL ? g_steal_pointer (&planned) : NULL;
  else if (!beckon_tool_checks_files (look->tool))
    bound = beckon_file_stamps_follow (look->bound, look->made, look->settled_at);
  if (bound != NULL)
    {
      g_free (look->survey->bound);
      look->survey->bound = bound;
      g_clear_pointer (&look->survey->changed, g_free);
    }
  g_task_return_boolean (task, TRUE);
}

/* @task: the survey's */
static void
call_survey_run_phase (GTask *task, GTaskThreadFunc function, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) phase = g_task_new (NULL, NULL, callback, g_object_ref (task));

  g_task_set_source_tag (phase, call_survey_run_phase);
  g_task_set_task_data (phase, g_task_get_task_data (task), NULL);
  beckon_worker_run (phase, function);
}

static void
return_survey (GTask *task)
{
  Look *look = g_task_get_task_data (task);
  BeckonCallSurvey *survey = look->survey;

  /* The plan then says nothing of this call. */
  if (look->is_planned && survey->changed != NULL)
    {
      g_clear_pointer (&survey->bound, g_free);
      survey->news = g_steal_pointer (&survey->changed);
    }
  g_task_return_pointer (task, g_steal_pointer (&look->survey), (GDestroyNotify) beckon_call_survey_unref);
}

static void
on_followed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  return_survey (task);
}

/* A list that could not be read is as an empty one: the file has just changed. */
static void
on_copies_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Look *look = g_task_get_task_data (task);

  look->made = beckon_file_copies_list_finish (BECKON_FILE_COPIES (source), result, NULL);
  if (look->made != NULL && look->made->len > 0)
    call_survey_run_phase (task, call_survey_follow, on_followed);
  else
    return_survey (task);
}

/* A file may be what it is because of what the person approved just before, or because of what was there to be seen when they
 * decided. */
static void
call_survey_on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Look *look = g_task_get_task_data (task);
  g_autoptr (BeckonFileCopies) copies = look->survey->changed != NULL ? g_weak_ref_get (&look->copies) : NULL;

  if (copies != NULL)
    beckon_file_copies_list_async (copies, look->message_id, NULL, on_copies_listed, g_steal_pointer (&task));
  else
    return_survey (task);
}

/* Without a mask no file may be quoted. */
static void
call_survey_on_mask_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Look *look_data = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  look_data->mask = beckon_known_secrets_make_mask_finish (BECKON_KNOWN_SECRETS (source), result, &error);
  look_data->checks_files = error == NULL;
  call_survey_run_phase (task, call_survey_look, call_survey_on_looked);
}

void
beckon_call_survey_async (BeckonTool *tool, const BeckonToolContext *context, const char *bound, BeckonFileCopies *copies,
                          BeckonKnownSecrets *secrets, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GPtrArray) no_handles = g_ptr_array_new ();
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Look *data = g_new0 (Look, 1);
  GObject *request = context->call != NULL ? beckon_tool_call_get_request (context->call) : NULL;
  const BeckonAnswer *answer = request != NULL ? beckon_request_get_answer (BECKON_REQUEST (request)) : NULL;

  g_task_set_source_tag (task, beckon_call_survey_async);
  data->tool = g_object_ref (tool);
  data->conversation_id = g_strdup (context->conversation_id);
  data->message_id = g_strdup (context->message_id);
  data->completes = context->call != NULL && beckon_tool_call_get_state (context->call) == BECKON_CALL_PROPOSED
                    && beckon_tool_call_get_edited_arguments (context->call) == NULL;
  if (context->call != NULL && beckon_tool_call_get_state (context->call) == BECKON_CALL_STARTED)
    data->call_id = g_strdup (beckon_tool_call_get_id (context->call));
  data->folder = g_strdup (context->folder);
  data->text = g_strdup (context->arguments);
  data->changed_plan = answer != NULL && answer->kind == BECKON_ANSWER_PLAN ? g_strdup (answer->text) : NULL;
  data->arguments = context->parsed != NULL ? beckon_tool_arguments_ref (context->parsed) : NULL;
  data->bound = bound != NULL || context->call == NULL ? g_strdup (bound)
                                                       : beckon_plan_stamps_dup (context->call, context->folder);
  data->is_planned = bound == NULL && data->bound != NULL;
  data->settled_at = request != NULL ? beckon_request_get_settled_at (BECKON_REQUEST (request)) : 0;
  data->now = context->now;
  data->denied = context->denied != NULL ? beckon_denied_paths_ref (context->denied) : NULL;
  g_weak_ref_init (&data->copies, copies);
  g_task_set_task_data (task, data, call_survey_look_free);
  if (secrets != NULL && beckon_tool_checks_files (tool))
    beckon_known_secrets_make_mask_async (secrets, no_handles, NULL, call_survey_on_mask_made, g_steal_pointer (&task));
  else
    call_survey_run_phase (task, call_survey_look, call_survey_on_looked);
}

BeckonCallSurvey *
beckon_call_survey_finish (GAsyncResult *result)
{
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

const char *
beckon_call_survey_get_completed (const BeckonCallSurvey *self, const char *given)
{
  return g_strcmp0 (self->given, given) == 0 ? beckon_tool_arguments_get_text (self->arguments) : NULL;
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

const GError *
beckon_call_survey_get_obstacle (const BeckonCallSurvey *self)
{
  return self->obstacle;
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

goffset
beckon_call_survey_get_size (const BeckonCallSurvey *self)
{
  return self->size;
}

const char *
beckon_call_survey_get_definition (const BeckonCallSurvey *self)
{
  return self->definition;
}

const char *
beckon_call_survey_get_bound (const BeckonCallSurvey *self)
{
  return self->bound;
}

void
beckon_call_survey_unbind (BeckonCallSurvey *self)
{
  g_clear_pointer (&self->bound, g_free);
  g_clear_pointer (&self->changed, g_free);
}

const char *
beckon_call_survey_get_changed (const BeckonCallSurvey *self)
{
  return self->changed;
}

const char *
beckon_call_survey_get_news (const BeckonCallSurvey *self, gboolean *were_there)
{
  *were_there = self->news_were_there;
  return self->news;
}

gboolean
beckon_call_survey_has_place (const BeckonCallSurvey *self)
{
  return self->has_place;
}
