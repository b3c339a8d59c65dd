/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-agent-private.h"

#include "base/beckon-finish.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-worker.h"
#include "domain/beckon-landing.h"
#include "domain/beckon-plan-reference.h"
#include "domain/beckon-request-error.h"
#include "landing/beckon-lander.h"
#include "landing/beckon-landing-content.h"
#include "policy/beckon-judgement.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-call-request.h"
#include "tools/beckon-file-stamp.h"
#include "tools/beckon-propose-plan.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/*
 * Previews of calls that wait for their approval: computed by the tool as it would run, with the person's secrets masked as in
 * a result. No preview decides: that the file is still the one that was shown is checked when the call runs.
 */

/* A preview: first the mask, then on a worker. */
typedef struct
{
  BeckonTool *tool; /* (owned) */
  char *conversation_id;
  char *folder; /* (nullable) */
  char *arguments;
  BeckonMask *mask; /* (owned) (nullable) */
  gint64 now;
} Previewing;

static void
previewing_free (gpointer data)
{
  Previewing *previewing = data;

  g_object_unref (previewing->tool);
  g_free (previewing->conversation_id);
  g_free (previewing->folder);
  g_free (previewing->arguments);
  beckon_mask_unref (previewing->mask);
  g_free (previewing);
}

static gboolean
has_preview (BeckonCallPreviewer *previewer, const char *name)
{
  BeckonTool *tool = beckon_tool_registry_lookup (BECKON_AGENT (previewer)->parts.tools, name);

  return tool != NULL && beckon_tool_has_preview (tool);
}

static void
preview_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Previewing *previewing = task_data;
  GError *error = NULL;
  BeckonToolContext context = {
    .conversation_id = previewing->conversation_id,
    .message_id = "",
    .arguments = previewing->arguments,
    .folder = previewing->folder,
    .mask = previewing->mask,
    .now = previewing->now,
  };
  BeckonCallPreview *preview = beckon_tool_preview (previewing->tool, &context, &error);

  if (preview != NULL)
    g_task_return_pointer (task, preview, (GDestroyNotify) beckon_call_preview_unref);
  else
    g_task_return_error (task, error);
}

static void
agent_preview_on_mask_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Previewing *previewing = g_task_get_task_data (task);
  GError *error = NULL;

  previewing->mask = beckon_known_secrets_make_mask_finish (BECKON_KNOWN_SECRETS (source), result, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    beckon_worker_run_for_person (task, preview_on_thread);
}

static void
preview_async (BeckonCallPreviewer *previewer, BeckonRequest *request, const char *arguments, GCancellable *cancellable,
               GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonAgent *agent = BECKON_AGENT (previewer);
  g_autoptr (GTask) task = g_task_new (agent, cancellable, callback, user_data);
  BeckonTool *tool = beckon_tool_registry_lookup (agent->parts.tools, beckon_request_get_tool (request));
  const BeckonApprovalDetails *details = beckon_request_get_details (request);
  g_autoptr (GPtrArray) no_handles = g_ptr_array_new ();
  Previewing *previewing;

  g_task_set_source_tag (task, preview_async);
  if (tool == NULL || !beckon_tool_has_preview (tool))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("This tool is no longer available."));
      return;
    }
  previewing = g_new0 (Previewing, 1);
  previewing->tool = g_object_ref (tool);
  previewing->conversation_id = g_strdup (beckon_request_get_conversation_id (request));
  previewing->folder = details != NULL ? g_strdup (details->folder) : NULL;
  previewing->arguments = g_strdup (arguments);
  previewing->now = beckon_clock_get_real_time (agent->parts.clock);
  g_task_set_task_data (task, previewing, previewing_free);
  beckon_known_secrets_make_mask_async (agent->parts.secrets, no_handles, cancellable, agent_preview_on_mask_made,
                                        g_steal_pointer (&task));
}

static BECKON_FINISH_POINTER (BeckonCallPreview *, preview, BeckonCallPreviewer)

/* @start: (out): where the first line begins that differs; @n_behind: (out): how many bytes of whole lines both share at the
 * end. */
static void
find_difference (const char *one, const char *other, gsize *start, gsize *n_behind)
{
  gsize n_one = strlen (one), n_other = strlen (other), n_ahead = 0, n_shared = 0;

  *start = *n_behind = 0;
  for (; n_ahead < MIN (n_one, n_other) && one[n_ahead] == other[n_ahead]; n_ahead++)
    if (one[n_ahead] == '\n')
      *start = n_ahead + 1;
  for (; n_shared < MIN (n_one, n_other) - *start && one[n_one - n_shared - 1] == other[n_other - n_shared - 1]; n_shared++)
    if (one[n_one - n_shared - 1] == '\n')
      *n_behind = n_shared;
}

/* Makes one edit, in place of however many there were: of the lines between the first and the last that differ, or of the whole
 * text where those are not there once alone, as the tool demands. */
static void
set_edit (JsonObject *object, const char *before, const char *wanted)
{
  g_autofree char *old_text = NULL;
  g_autofree char *new_text = NULL;
  const char *found;
  gsize start, n_behind;

  find_difference (before, wanted, &start, &n_behind);
  old_text = g_strndup (before + start, strlen (before) - start - n_behind);
  found = *old_text != '\0' ? strstr (before, old_text) : NULL;
  if (found == NULL || strstr (found + 1, old_text) != NULL)
    {
      g_free (old_text);
      old_text = g_strdup (before);
      start = n_behind = 0;
    }
  new_text = g_strndup (wanted + start, strlen (wanted) - start - n_behind);
  json_object_set_string_member (object, "old_text", old_text);
  json_object_set_string_member (object, "new_text", new_text);
  json_object_remove_member (object, "more_edits");
  json_object_remove_member (object, "replace_all");
}

static char *
agent_preview_leave_out (BeckonCallPreviewer *previewer, const BeckonCallPreview *preview, const char *arguments, GArray *kept)
{
  g_autofree char *wanted = beckon_landing_content_merge (preview->before, preview->after, kept);
  g_autoptr (JsonNode) node = beckon_json_parse (arguments, -1, NULL);
  JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

  if (object != NULL && beckon_json_get_string (object, "old_text") != NULL)
    set_edit (object, preview->before, wanted);
  else if (object != NULL && beckon_json_get_string (object, "content") != NULL)
    json_object_set_string_member (object, "content", wanted);
  else
    return NULL;
  return beckon_json_print (node);
}

static void
files_check_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autofree char *changed = beckon_file_stamps_find_change (task_data);

  g_task_return_boolean (task, changed == NULL);
}

static void
files_check_async (BeckonCallPreviewer *previewer, const char *files, GCancellable *cancellable, GAsyncReadyCallback callback,
                   gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (previewer, cancellable, callback, user_data);

  g_task_set_source_tag (task, files_check_async);
  g_task_set_task_data (task, g_strdup (files), g_free);
  beckon_worker_run (task, files_check_on_thread);
}

static gboolean
files_check_finish (BeckonCallPreviewer *previewer, GAsyncResult *result)
{
  return g_task_propagate_boolean (G_TASK (result), NULL);
}

void
beckon_agent_call_previewer_init (BeckonCallPreviewerInterface *iface)
{
  iface->has_preview = has_preview;
  iface->preview_async = preview_async;
  iface->preview_finish = preview_finish;
  iface->leave_out = agent_preview_leave_out;
  iface->check_async = files_check_async;
  iface->check_finish = files_check_finish;
}

/* --- Whether changes can land ---------------------------------------------------------------------------------------- */

/* Whether the changes of a request can land now, before its answer counts. Landing itself looks again. */

static void
keep_check_on_thread (GTask *task, gpointer source, gpointer landing, GCancellable *cancellable)
{
  GError *error = NULL;

  if (beckon_lander_check (landing, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* A request whose landing is not stored waits for nothing that could be looked at. */
static void
on_landings (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GPtrArray) landings = beckon_landings_get_finish (BECKON_LANDINGS (source), result, NULL);

  for (guint i = 0; landings != NULL && i < landings->len; i++)
    {
      const BeckonLanding *landing = g_ptr_array_index (landings, i);

      if (landing->state != BECKON_LANDING_WAITING)
        continue;
      g_task_set_task_data (task, beckon_landing_copy (landing), (GDestroyNotify) beckon_landing_free);
      beckon_worker_run_for_person (task, keep_check_on_thread);
      return;
    }
  g_task_return_boolean (task, TRUE);
}

static void
keep_check_async (BeckonKeepCheck *check, BeckonRequest *request, GCancellable *cancellable, GAsyncReadyCallback callback,
                  gpointer user_data)
{
  BeckonAgent *agent = BECKON_AGENT (check);
  g_autoptr (GTask) task = g_task_new (check, cancellable, callback, user_data);
  const char *call_id = beckon_request_get_call_id (request);

  g_task_set_source_tag (task, keep_check_async);
  if (call_id == NULL)
    g_task_return_boolean (task, TRUE);
  else
    beckon_landings_get_async (BECKON_LANDINGS (agent->parts.store), call_id, cancellable, on_landings, g_object_ref (task));
}

static BECKON_FINISH_BOOLEAN (keep_check, BeckonKeepCheck)

void
beckon_agent_keep_check_init (BeckonKeepCheckInterface *iface)
{
  iface->check_async = keep_check_async;
  iface->check_finish = keep_check_finish;
}

/* --- Plans --------------------------------------------------------------------------------------------------------- */

/*
 * A person's changes to a plan are checked like a model's proposal: when the plan is accepted, and not first when it is a
 * step's turn.
 */

static gboolean
agent_plan_refuse (GError **error, guint number, const BeckonPlanStep *step, const char *why)
{
  g_autofree char *tool = beckon_text_for_display (step->tool, -1, BECKON_TEXT_EXACT);

  beckon_text_set_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID,
                         /* Translators: the number of a step of a plan, its tool, and what is wrong */
                         _("Step %u (%s) can't run: %s"), number, tool, why);
  return FALSE;
}

/* The effects of a step as they are written, without a look at any file: links are followed when it is the step's turn, which
 * is judged again then. */
static void
agent_plan_get_effects (BeckonAgent *agent, BeckonConversation *conversation, BeckonTool *tool, const BeckonPlanStep *step,
                        BeckonEffects *effects)
{
  const char *folder = conversation != NULL ? beckon_conversation_get_folder (conversation) : NULL;
  const BeckonToolContext context = {
    .conversation_id = conversation != NULL ? beckon_conversation_get_id (conversation) : "",
    .message_id = "",
    .arguments = step->arguments,
    .now = beckon_clock_get_real_time (agent->parts.clock),
  };
  const char *path;
  g_autofree char *written = NULL;

  beckon_tool_get_effects (tool, &context, effects);
  effects->folder = folder;
  path = effects->arguments != NULL ? beckon_json_get_string (effects->arguments, "path") : NULL;
  if (folder == NULL || path == NULL)
    return;
  written = g_canonicalize_filename (path, folder);
  beckon_effects_add_path (effects, written);
}

/* (nullable): in words, why no rule lets it run. */
static char *
find_denial (BeckonAgent *agent, BeckonConversation *conversation, const BeckonEffects *effects)
{
  BeckonMode mode = conversation != NULL ? beckon_conversation_get_mode (conversation) : BECKON_MODE_DEFAULT;
  g_autoptr (BeckonJudgement) judgement
      = beckon_policy_judge (effects, beckon_agent_parts_get_rule_set (&agent->parts), mode, TRUE,
                             beckon_clock_get_real_time (agent->parts.clock));

  return judgement->verdict == BECKON_VERDICT_DENY ? g_strdup (judgement->reason) : NULL;
}

/* Arguments that hold references are known only when it is their turn. */
static gboolean
check_arguments (BeckonAgent *agent, BeckonConversation *conversation, BeckonTool *tool, const BeckonPlanStep *step,
                 guint number, GError **error)
{
  g_autoptr (BeckonParameters) parameters = NULL;
  g_autoptr (GError) fault = NULL;
  g_autofree char *settled = NULL;
  g_autofree char *denial = NULL;
  g_auto (BeckonEffects) effects = { 0 };
  const char *arguments = step->arguments;

  agent_plan_get_effects (agent, conversation, tool, step, &effects);
  parameters = beckon_argument_overrides_collect (agent->parts.parameters, step->tool, effects.server);
  settled = beckon_parameters_apply (parameters, arguments);
  if (settled != NULL)
    arguments = settled;
  if (!beckon_tool_check_arguments (tool, arguments, &fault) || !beckon_parameters_check (parameters, arguments, &fault))
    return agent_plan_refuse (error, number, step, fault->message);
  denial = find_denial (agent, conversation, &effects);
  return denial == NULL || agent_plan_refuse (error, number, step, denial);
}

static gboolean
agent_plan_check_step (BeckonAgent *agent, BeckonConversation *conversation, const BeckonPlanStep *step, guint number,
                       GError **error)
{
  BeckonTool *tool = beckon_tool_registry_lookup (agent->parts.tools, step->tool);
  g_autoptr (GPtrArray) references = beckon_plan_list_references (step->arguments, NULL);

  if (tool == NULL)
    return agent_plan_refuse (error, number, step, _("there is no such tool."));
  if (BECKON_IS_PROPOSE_PLAN (tool))
    return agent_plan_refuse (error, number, step, _("a plan can't be a step of a plan."));
  if (beckon_tool_needs_person (tool) || references == NULL || references->len > 0)
    return TRUE;
  return check_arguments (agent, conversation, tool, step, number, error);
}

/* Proposed steps were checked before. */
static gboolean
is_new (const BeckonPlan *before, const BeckonPlanStep *step)
{
  int index = before != NULL ? beckon_plan_find (before, step->id) : -1;
  const BeckonPlanStep *was = index >= 0 ? beckon_plan_get_step (before, (guint) index) : NULL;

  return was == NULL || !g_str_equal (was->tool, step->tool) || !g_str_equal (was->arguments, step->arguments);
}

static gboolean
agent_plan_check (BeckonPlanTools *tools, BeckonRequest *request, const BeckonPlan *plan, GError **error)
{
  BeckonAgent *agent = BECKON_AGENT (tools);
  BeckonConversation *conversation
      = beckon_library_lookup (agent->parts.library, beckon_request_get_conversation_id (request));

  for (guint i = 0; i < beckon_plan_get_n_steps (plan); i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (plan, i);

      if (step->status == BECKON_STEP_PENDING && is_new (beckon_request_get_plan (request), step)
          && !agent_plan_check_step (agent, conversation, step, i + 1, error))
        return FALSE;
    }
  return TRUE;
}

static char **
list_names (BeckonPlanTools *tools, const char *conversation_id)
{
  BeckonAgent *agent = BECKON_AGENT (tools);
  BeckonConversation *conversation = beckon_library_lookup (agent->parts.library, conversation_id);
  const char *folder = conversation != NULL ? beckon_conversation_get_folder (conversation) : NULL;
  g_autoptr (GPtrArray) definitions = beckon_tool_registry_list (agent->parts.tools, TRUE, TRUE, folder);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < definitions->len; i++)
    {
      const BeckonToolDefinition *definition = g_ptr_array_index (definitions, i);

      if (!g_str_equal (definition->name, BECKON_PROPOSE_PLAN_NAME))
        g_ptr_array_add (names, g_strdup (definition->name));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

void
beckon_agent_plan_tools_init (BeckonPlanToolsInterface *iface)
{
  iface->check = agent_plan_check;
  iface->list_names = list_names;
}
