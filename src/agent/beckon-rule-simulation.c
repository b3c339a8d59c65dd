/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-rule-simulation.h"

#include "base/beckon-finish.h"
#include "base/beckon-json.h"
#include "base/beckon-worker.h"
#include "policy/beckon-rule-set.h"
#include "policy/beckon-shell.h"
#include "store/queries/beckon-call-log.h"

#define MAX_CALLS 1000
#define MAX_EXAMPLES 5

typedef struct
{
  BeckonLibrary *library;    /* (owned) */
  BeckonToolRegistry *tools; /* (owned) */
  BeckonRuleSet *rules;      /* (owned): the one rule, which holds whenever it was */
  BeckonVerdict verdict; /* of the rule */
  GPtrArray *calls;          /* (owned) (element-type Past) */
} Simulating;

static void
simulating_free (gpointer data)
{
  Simulating *simulating = data;

  g_object_unref (simulating->library);
  g_object_unref (simulating->tools);
  beckon_rule_set_unref (simulating->rules);
  g_ptr_array_unref (simulating->calls);
  g_free (simulating);
}

static void
past_call_free (gpointer data)
{
  BeckonPastCall *call = data;

  g_free (call->tool);
  g_free (call->arguments);
  g_free (call);
}

static void
add_example (BeckonRuleSimulation *simulation, const char *tool, const char *arguments)
{
  BeckonPastCall *call = g_new (BeckonPastCall, 1);

  call->tool = g_strdup (tool);
  call->arguments = g_strdup (arguments);
  g_ptr_array_add (simulation->examples, call);
}

void
beckon_rule_simulation_free (BeckonRuleSimulation *simulation)
{
  if (simulation == NULL)
    return;

  g_ptr_array_unref (simulation->examples);
  g_free (simulation);
}

static gboolean
is_about (const Simulating *simulating, const BeckonEffects *effects)
{
  g_autoptr (GPtrArray) segments = effects->command != NULL ? beckon_shell_parse (effects->command, NULL) : NULL;
  BeckonVerdict verdict;

  for (guint i = 0; segments != NULL && i < segments->len; i++)
    if (beckon_rule_set_find (simulating->rules, effects, g_ptr_array_index (segments, i), 0, &verdict, NULL) != NULL)
      return TRUE;

  return segments == NULL && beckon_rule_set_find (simulating->rules, effects, NULL, 0, &verdict, NULL) != NULL;
}

/* (nullable): the one that the call had; what was logged before that was kept is taken to be where its conversation is. */
static const char *
get_folder (const Simulating *simulating, const BeckonProvenance *line, JsonObject *data)
{
  BeckonConversation *conversation = beckon_library_lookup (simulating->library, line->conversation_id);
  const char *folder = beckon_json_get_string (data, "folder");

  if (folder == NULL && conversation != NULL)
    folder = beckon_conversation_get_folder (conversation);
  return folder;
}

/* A past call, to be looked at on a worker. */
typedef struct
{
  BeckonTool *tool; /* (owned) (nullable): none that would be judged */
  char *conversation_id;
  char *folder; /* (nullable) */
  char *arguments;
  char *name;            /* of the tool */
  BeckonVerdict verdict; /* what was decided then */
  gint64 at;
} Past;

static void
past_free (gpointer data)
{
  Past *past = data;

  g_clear_object (&past->tool);
  g_free (past->conversation_id);
  g_free (past->folder);
  g_free (past->arguments);
  g_free (past->name);
  g_free (past);
}

static gboolean
simulation_matches (const Simulating *simulating, const Past *past)
{
  g_autoptr (BeckonToolArguments) parsed = NULL;
  g_auto (BeckonEffects) effects = { 0 };
  BeckonToolContext context = {
    .conversation_id = past->conversation_id,
    .message_id = "",
    .arguments = past->arguments,
    .folder = past->folder,
    .now = past->at,
  };

  if (past->tool == NULL)
    return FALSE;
  context.parsed = parsed = beckon_tool_parse_arguments (past->tool, past->arguments);
  if (!beckon_tool_arguments_check (parsed, NULL))
    return FALSE;
  beckon_tool_get_effects (past->tool, &context, &effects);
  return is_about (simulating, &effects);
}

/* (transfer full) (nullable): %NULL for a line that tells of no call. */
static Past *
simulation_read_line (const Simulating *simulating, const BeckonProvenance *line)
{
  g_autoptr (JsonObject) data = beckon_json_parse_object (line->data, -1, NULL);
  const char *name = data != NULL ? beckon_json_get_string (data, "tool") : NULL;
  const char *shown = data != NULL ? beckon_json_get_string (data, "shown") : NULL;
  BeckonTool *tool = name != NULL ? beckon_tool_registry_lookup (simulating->tools, name) : NULL;
  Past *past;

  if (name == NULL || shown == NULL)
    return NULL;
  past = g_new0 (Past, 1);
  past->tool = tool != NULL && !beckon_tool_needs_person (tool) ? g_object_ref (tool) : NULL;
  past->conversation_id = g_strdup (line->conversation_id);
  past->folder = g_strdup (get_folder (simulating, line, data));
  past->arguments = g_strdup (shown);
  past->name = g_strdup (name);
  past->verdict = BECKON_VERDICT_ASK;
  if (beckon_json_get_string (data, "verdict") != NULL)
    beckon_verdict_from_string (beckon_json_get_string (data, "verdict"), &past->verdict);
  past->at = line->at;
  return past;
}

/* Their files may take long to be looked up. */
static void
simulate (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Simulating *simulating = task_data;
  BeckonRuleSimulation *simulation = g_new0 (BeckonRuleSimulation, 1);

  simulation->examples = g_ptr_array_new_with_free_func (past_call_free);
  for (guint i = 0; i < simulating->calls->len && !g_cancellable_is_cancelled (cancellable); i++)
    {
      const Past *past = g_ptr_array_index (simulating->calls, i);

      simulation->n_calls++;
      if (!simulation_matches (simulating, past))
        continue;
      simulation->n_matches++;
      if (past->verdict == simulating->verdict)
        continue;
      simulation->n_changed++;
      if (simulation->examples->len < MAX_EXAMPLES)
        add_example (simulation, past->name, past->arguments);
    }
  g_task_return_pointer (task, simulation, (GDestroyNotify) beckon_rule_simulation_free);
}

static void
on_simulated (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  BeckonRuleSimulation *simulation = g_task_propagate_pointer (G_TASK (result), &error);

  if (simulation != NULL)
    g_task_return_pointer (task, simulation, (GDestroyNotify) beckon_rule_simulation_free);
  else
    g_task_return_error (task, error);
}

static void
simulation_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Simulating *simulating = g_task_get_task_data (task);
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GTask) work = NULL;
  GError *error = NULL;

  lines = beckon_store_list_provenance_finish (BECKON_STORE (source), result, &error);
  if (lines == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  for (guint i = 0; i < lines->len; i++)
    {
      Past *past = simulation_read_line (simulating, g_ptr_array_index (lines, i));

      if (past != NULL)
        g_ptr_array_add (simulating->calls, past);
    }
  work = g_task_new (NULL, g_task_get_cancellable (task), on_simulated, g_object_ref (task));
  g_task_set_source_tag (work, simulate);
  g_task_set_task_data (work, simulating, NULL);
  beckon_worker_run (work, simulate);
}

void
beckon_rule_simulate_async (BeckonStore *store, BeckonLibrary *library, BeckonToolRegistry *tools, BeckonRule *rule,
                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonProvenanceFilter filter = { .event = "decided", .max = MAX_CALLS };
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
  Simulating *simulating;
  GTask *task;

  g_return_if_fail (BECKON_IS_STORE (store) && BECKON_IS_LIBRARY (library) && BECKON_IS_TOOL_REGISTRY (tools));
  g_return_if_fail (rule != NULL);

  g_ptr_array_add (rules, beckon_rule_ref (rule));
  simulating = g_new0 (Simulating, 1);
  simulating->library = g_object_ref (library);
  simulating->tools = g_object_ref (tools);
  simulating->rules = beckon_rule_set_new (rules);
  simulating->verdict = rule->verdict;
  simulating->calls = g_ptr_array_new_with_free_func (past_free);
  task = g_task_new (store, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_rule_simulate_async);
  g_task_set_task_data (task, simulating, simulating_free);
  beckon_store_list_provenance_async (store, &filter, cancellable, simulation_on_listed, task);
}

BECKON_FINISH_POINTER (BeckonRuleSimulation *, beckon_rule_simulate, BeckonStore)
