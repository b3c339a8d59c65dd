/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-run-private.h"

/*
 * Calls are looked at on worker threads before they are decided, and once more before they start: the main loop looks no file
 * up. Meanwhile nothing of the run steps, but a stop waits for no file system: it gives the look up, and whatever comes of it
 * later is dropped.
 */

/* The last surveys of a call. */
typedef struct
{
  BeckonCallSurvey *last;  /* (owned): of the arguments that would run */
  BeckonCallSurvey *shown; /* (owned) (nullable): of those that a person changed since they were shown */
} Known;

static void
known_free (gpointer data)
{
  Known *known = data;

  g_clear_pointer (&known->last, beckon_call_survey_unref);
  g_clear_pointer (&known->shown, beckon_call_survey_unref);
  g_free (known);
}

GHashTable *
beckon_run_make_surveys (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, known_free);
}

/* Calls that are looked at together. */
struct _BeckonRunSurveying
{
  BeckonRun *run;   /* (nullable): %NULL once it was given up */
  guint left;       /* looks that have not come back, and one while they are begun */
  gboolean is_start;
  GPtrArray *calls; /* (owned) (element-type BeckonToolCall) */
  BeckonRunCommitted then;
  gpointer user_data;
  GDestroyNotify destroy;
};

static void
surveying_unref (BeckonRunSurveying *self)
{
  if (--self->left > 0)
    return;
  g_ptr_array_unref (self->calls);
  if (self->destroy != NULL && self->user_data != NULL)
    self->destroy (self->user_data);
  g_free (self);
}

/* One look of those. */
typedef struct
{
  BeckonRunSurveying *surveying;
  BeckonToolCall *call; /* (owned) */
  gboolean is_shown;
} Look;

static void
look_free (Look *look)
{
  surveying_unref (look->surveying);
  g_object_unref (look->call);
  g_free (look);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Look, look_free)

static BeckonTool *
find_tool (BeckonRun *run, BeckonToolCall *call)
{
  BeckonTool *tool = beckon_tool_registry_lookup (run->parts.tools, beckon_tool_call_get_name (call));

  return tool != NULL && !beckon_tool_needs_person (tool) ? tool : NULL;
}

BeckonCallSurvey *
beckon_run_get_survey (BeckonRun *run, BeckonToolCall *call)
{
  const Known *known = g_hash_table_lookup (run->surveys, beckon_tool_call_get_id (call));

  return known != NULL && find_tool (run, call) != NULL
             && beckon_call_survey_fits (known->last, beckon_tool_call_get_effective_arguments (call),
                                         beckon_conversation_get_folder (run->conversation))
           ? known->last
           : NULL;
}

BeckonCallSurvey *
beckon_run_get_shown_survey (BeckonRun *run, BeckonToolCall *call)
{
  const Known *known = g_hash_table_lookup (run->surveys, beckon_tool_call_get_id (call));

  return known != NULL ? known->shown : NULL;
}

static void proceed (BeckonRunSurveying *self);

static void
on_surveyed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Look) look = user_data;
  BeckonRun *run = look->surveying->run;
  g_autoptr (BeckonCallSurvey) survey = beckon_call_survey_finish (result);
  Known *known;

  if (run == NULL)
    return;
  known = g_hash_table_lookup (run->surveys, beckon_tool_call_get_id (look->call));
  if (known == NULL)
    {
      known = g_new0 (Known, 1);
      g_hash_table_insert (run->surveys, g_strdup (beckon_tool_call_get_id (look->call)), known);
    }
  g_clear_pointer (look->is_shown ? &known->shown : &known->last, beckon_call_survey_unref);
  *(look->is_shown ? &known->shown : &known->last) = g_steal_pointer (&survey);
  /* One for the look itself, which is let go of below. */
  if (look->surveying->left == 2)
    proceed (look->surveying);
}

static void
begin_look (BeckonRunSurveying *self, BeckonToolCall *call, const char *arguments, gboolean is_shown)
{
  BeckonRun *run = self->run;
  BeckonToolContext context = beckon_run_make_context (run, NULL, call);
  const Known *known = g_hash_table_lookup (run->surveys, beckon_tool_call_get_id (call));
  BeckonCallSurvey *before = known != NULL ? (is_shown ? known->shown : known->last) : NULL;
  Look *look = g_new0 (Look, 1);

  self->left++;
  look->surveying = self;
  look->call = g_object_ref (call);
  look->is_shown = is_shown;
  context.arguments = arguments;
  if (before != NULL && beckon_call_survey_fits (before, arguments, beckon_call_survey_get_effects (before)->folder))
    context.parsed = beckon_call_survey_get_arguments (before);
  beckon_call_survey_async (find_tool (run, call), &context, beckon_run_get_files (call), on_surveyed, look);
}

static gboolean
is_to_be_looked_at (BeckonRun *run, BeckonToolCall *call)
{
  return find_tool (run, call) != NULL && beckon_tool_call_get_fault (call) == NULL
         && !beckon_call_state_is_final (beckon_tool_call_get_state (call))
         && (beckon_tool_call_get_state (call) != BECKON_CALL_PROPOSED || beckon_run_prepare_call (run, call, NULL))
         && beckon_run_get_survey (run, call) == NULL;
}

/* Looks at those of which nothing is known. More may have been settled about arguments in the meantime. */
static void
look_at_missing (BeckonRunSurveying *self)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (self->calls, i);

      if (is_to_be_looked_at (self->run, call))
        begin_look (self, call, beckon_tool_call_get_effective_arguments (call), FALSE);
    }
}

/* Its own count is the last one. */
static void
proceed (BeckonRunSurveying *self)
{
  g_autoptr (BeckonRun) run = g_object_ref (self->run);
  guint before = self->left;

  if (!self->is_start)
    look_at_missing (self);
  if (self->left > before)
    return;
  self->run = NULL;
  run->surveying = NULL;
  if (!run->stopping && !run->over)
    self->then (run, g_steal_pointer (&self->user_data));
  surveying_unref (self);
}

/**
 * beckon_run_survey: (skip)
 * @run: the run
 * @calls: (element-type BeckonToolCall): calls that are to be decided, or started
 * @is_start: %FALSE: looks at those of which nothing is known; %TRUE: at all, as they are now
 * @then: called when beckon_run_get_survey() has one for each that a tool carries out; at once where nothing is to be looked at
 * @user_data: (transfer full): for @then, which has it from there on
 * @destroy: (nullable): for @user_data, where the run stops and @then is never called
 */
void
beckon_run_survey (BeckonRun *run, GPtrArray *calls, gboolean is_start, BeckonRunCommitted then, gpointer user_data,
                   GDestroyNotify destroy)
{
  BeckonRunSurveying *self = g_new0 (BeckonRunSurveying, 1);

  g_assert (run->surveying == NULL);

  self->run = run;
  self->left = 1;
  self->is_start = is_start;
  self->calls = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < calls->len; i++)
    g_ptr_array_add (self->calls, g_object_ref (g_ptr_array_index (calls, i)));
  self->then = then;
  self->user_data = user_data;
  self->destroy = destroy;
  run->surveying = self;
  for (guint i = 0; is_start && i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);
      const char *shown = beckon_run_get_shown_arguments (call);

      if (find_tool (run, call) == NULL)
        continue;
      begin_look (self, call, beckon_tool_call_get_effective_arguments (call), FALSE);
      if (shown != NULL)
        begin_look (self, call, shown, TRUE);
    }
  if (self->left == 1)
    proceed (self);
}

void
beckon_run_abandon_survey (BeckonRun *run)
{
  BeckonRunSurveying *self = g_steal_pointer (&run->surveying);

  if (self == NULL)
    return;
  self->run = NULL;
  surveying_unref (self);
}
