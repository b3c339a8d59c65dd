/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-decision.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "beckon-call-landing.h"
#include "beckon-call-overrides.h"
#include "beckon-call-secrets.h"
#include "beckon-last-answers.h"
#include "beckon-loop-guard.h"
#include "beckon-plan-step.h"
#include "beckon-reply.h"
#include "domain/beckon-tool-names.h"
#include "policy/beckon-rule-labels.h"
#include "policy/beckon-rule-propose.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"
#include "request/beckon-vault.h"
#include "tools/beckon-ask-user.h"
#include "tools/beckon-change-tool.h"
#include "tools/beckon-propose-plan.h"
#include "tools/beckon-tool.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/*
 * Decisions on a call before it starts: by the tool itself, by the person's rules, by the conversation's mode.
 */

void
beckon_call_decision_clear (BeckonCallDecision *decision)
{
  g_clear_object (&decision->request);
  g_clear_pointer (&decision->judgement, beckon_judgement_free);
}

void
beckon_call_refuse (BeckonToolCall *call, const char *result)
{
  beckon_tool_call_set_result (call, result, TRUE);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_DENIED);
}

/* --- The audit log ------------------------------------------------------------------------------------------------- */

/* Arguments are in the audit log as they are stored, with the handles of secrets and not their values, and without masked
 * values; a tool's output is not. */

static void
call_log_arguments (BeckonJsonWriter *writer, const char *name, BeckonToolCall *call)
{
  g_autofree char *text = beckon_parameters_log_by (beckon_tool_call_get_redacted (call),
                                                    beckon_tool_call_get_effective_arguments (call));

  beckon_json_writer_member_string (writer, name, text);
}

static void
call_log_member (BeckonJsonWriter *writer, const char *name, const char *text)
{
  if (text != NULL)
    beckon_json_writer_member_string (writer, name, text);
}

static void
call_log_add (const BeckonRunScope *scope, BeckonToolCall *call, const char *event, GString *data, BeckonBatch *batch)
{
  beckon_batch_add_provenance (batch, beckon_run_scope_get_id (scope), beckon_tool_call_get_id (call), event, data->str,
                               beckon_run_scope_now (scope));
}

static GPtrArray *
collect_rules (const BeckonJudgement *judgement)
{
  GPtrArray *ids = g_ptr_array_new ();

  if (judgement->rule != NULL)
    g_ptr_array_add (ids, judgement->rule->id);
  for (guint i = 0; judgement->commands != NULL && i < judgement->commands->len; i++)
    {
      const BeckonJudgedCommand *command = g_ptr_array_index (judgement->commands, i);

      if (command->rule != NULL && !g_ptr_array_find_with_equal_func (ids, command->rule->id, g_str_equal, NULL))
        g_ptr_array_add (ids, command->rule->id);
    }

  return ids;
}

void
beckon_call_log_judgement (const BeckonRunScope *scope, BeckonToolCall *call, const BeckonJudgement *judgement,
                           BeckonRequest *request, BeckonBatch *batch)
{
  g_autoptr (GString) data = g_string_new (NULL);
  g_autoptr (GPtrArray) rules = collect_rules (judgement);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, data);
  beckon_json_writer_begin_object (&writer);
  call_log_member (&writer, "tool", beckon_tool_call_get_name (call));
  call_log_member (&writer, "verdict", beckon_verdict_to_string (judgement->verdict));
  call_log_member (&writer, "reason", request != NULL ? beckon_request_get_reason (request)
          : judgement->reason);
  call_log_member (&writer, "way", judgement->is_planned ? "plan" : NULL);
  call_log_member (&writer, "request", request != NULL ? beckon_request_get_id (request) : NULL);
  call_log_arguments (&writer, "shown", call);
  call_log_member (&writer, "folder", beckon_conversation_get_folder (scope->conversation));
  beckon_json_writer_name (&writer, "rules");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < rules->len; i++)
    {
      beckon_json_writer_string (&writer, g_ptr_array_index (rules, i), -1);
      beckon_batch_use_rule (batch, g_ptr_array_index (rules, i), beckon_run_scope_now (scope));
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  call_log_add (scope, call, "decided", data, batch);
}

void
beckon_call_log_start (const BeckonRunScope *scope, BeckonToolCall *call, const char *permit_id, BeckonBatch *batch)
{
  g_autoptr (GString) data = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, data);
  beckon_json_writer_begin_object (&writer);
  call_log_member (&writer, "tool", beckon_tool_call_get_name (call));
  call_log_member (&writer, "decision", permit_id);
  call_log_arguments (&writer, "executed", call);
  beckon_json_writer_end_object (&writer);
  call_log_add (scope, call, "started", data, batch);
}

/* --- Questions that the model does not wait for -------------------------------------------------------------------- */

static const char late_result[]
    = "The user has been asked, and you go on meanwhile. Their answer comes later as a message that names this question; do "
      "not ask it again. Do now what does not depend on it. When nothing else is left to do, end your reply: you will be "
      "called again with the answer.";

static gboolean
late_question_is_open (BeckonRequest *request, const char *conversation_id)
{
  return beckon_request_is_late (request) && beckon_request_get_state (request) == BECKON_REQUEST_PENDING
         && g_strcmp0 (beckon_request_get_conversation_id (request), conversation_id) == 0;
}

/* Requests of this reply are not in the inbox yet. */
static guint
count_open (BeckonCallBatch *calls)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  GListModel *inbox = G_LIST_MODEL (scope->parts.inbox);
  GPtrArray *siblings = beckon_call_batch_get_siblings (calls);
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (inbox); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);

      n += late_question_is_open (request, beckon_run_scope_get_id (scope));
    }
  for (guint i = 0; siblings != NULL && i < siblings->len; i++)
    {
      GObject *request = beckon_tool_call_get_request (g_ptr_array_index (siblings, i));

      n += request != NULL && late_question_is_open (BECKON_REQUEST (request), beckon_run_scope_get_id (scope));
    }
  return n;
}

/* Gives the call of a question that the model does not wait for its result, which says that the answer will come. %FALSE where
 * the call waits for its answer, because too many others are open already, or always. */
static gboolean
late_question_end_call (BeckonCallBatch *calls, BeckonToolCall *call, BeckonRequest *request)
{
  if (!beckon_request_is_late (request))
    return FALSE;
  if (count_open (calls) >= BECKON_QUESTION_MAX_LATE)
    {
      beckon_question_request_make_wait (request);
      return FALSE;
    }
  beckon_tool_call_set_result (call, late_result, FALSE);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_RESULT);
  return TRUE;
}

/* --- Decisions ----------------------------------------------------------------------------------------------------- */

static void
ask_with_tool (BeckonCallBatch *calls, BeckonTool *tool, BeckonToolContext *context, BeckonCallDecision *decision)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (calls, context->call);
  g_autoptr (GError) error = NULL;

  /* The switch is about questions; a plan needs a person, and nothing else. */
  if (BECKON_IS_ASK_USER (tool) ? !beckon_run_scope_may_ask (scope) : !scope->has_person)
    {
      beckon_call_refuse (context->call, "Nobody can be asked now: asking is switched off. Decide yourself and say what "
                                             "you assumed.");
      return;
    }
  if (!BECKON_IS_PROPOSE_PLAN (tool) || beckon_call_overrides_apply_to_plan (scope, context, &error))
    decision->request = beckon_tool_ask (tool, context, &error);
  if (decision->request != NULL && !beckon_plan_step_check_plan (scope, decision->request, &error))
    g_clear_object (&decision->request);
  if (decision->request != NULL)
    beckon_request_set_redacted (decision->request, beckon_tool_call_get_redacted (context->call));
  if (decision->request != NULL)
    beckon_last_answers_apply (context->call, decision->request);
  if (decision->request != NULL && BECKON_IS_PROPOSE_PLAN (tool) && survey != NULL)
    beckon_plan_request_set_files (decision->request, beckon_call_survey_get_files (survey));
  if (decision->request == NULL)
    beckon_call_refuse (context->call, error->message);
  else if (!late_question_end_call (calls, context->call, decision->request))
    beckon_tool_call_apply (context->call, BECKON_CALL_EVENT_ASKED);
}

/* (nullable): which of the person's secrets a call is given, in words to be shown. */
static char *
describe_secrets (const char *arguments)
{
  g_autoptr (GString) names = g_string_new (NULL);
  const char *found;
  gsize length;

  for (; (found = beckon_secret_handle_find (arguments, &length)) != NULL; arguments = found + length)
    {
      g_autofree char *name = g_strndup (found, length);

      if (strstr (names->str, name) == NULL)
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
    }
  if (names->len == 0)
    return NULL;
  /* Translators: on the card that asks whether a call may run; %s is a list of names such as secret:token-k3x9q2mf7d */
  return beckon_text_printf (_("A secret that you entered goes into this call: %s"), names->str);
}

/* Secrets go only where their person has seen them go. */
static void
ask_for_secret (const BeckonRunScope *scope, const char *arguments, BeckonJudgement *judgement)
{
  judgement->verdict = scope->has_person ? BECKON_VERDICT_ASK : BECKON_VERDICT_DENY;
  g_free (judgement->reason);
  judgement->reason = describe_secrets (arguments);
  g_clear_pointer (&judgement->rule, beckon_rule_unref);
  judgement->refusal = "This call names a secret of the user's, and nobody is here to allow that.";
}

/* The person set the plan's pauses. */
static void
ask_for_pause (BeckonJudgement *judgement)
{
  judgement->verdict = BECKON_VERDICT_ASK;
  g_free (judgement->reason);
  judgement->reason = g_strdup (_ ("The plan pauses before this step."));
  g_clear_pointer (&judgement->rule, beckon_rule_unref);
}

/** (transfer full): what the person's rules and the conversation's mode say to a call that would do this. */
BeckonJudgement *
beckon_call_judge (const BeckonRunScope *scope, const BeckonEffects *effects)
{
  BeckonMode mode = beckon_conversation_get_mode (scope->conversation);
  BeckonRuleSet *rules = beckon_run_scope_get_rules (scope);

  /* While nobody knows what is forbidden, nothing is allowed by itself. */
  if (rules == NULL)
    mode = BECKON_MODE_ASK_EVERYTHING;
  return beckon_policy_judge (effects, rules, mode, scope->has_person, beckon_run_scope_now (scope));
}

/* The newest rule decides, whatever an older one denies: a permission that would cover a part of what is denied is not offered
 * where a call is approved. (transfer full) (nullable): words about it. */
char *
beckon_call_leave_out_covering (const BeckonRunScope *scope, GPtrArray *proposals)
{
  BeckonRuleSet *rules = beckon_run_scope_get_rules (scope);
  BeckonRule *denied = NULL;
  g_autofree char *title = NULL;

  for (guint i = proposals->len; rules != NULL && i > 0; i--)
    {
      const BeckonRuleProposal *proposal = g_ptr_array_index (proposals, i - 1);
      BeckonRule *covered = NULL;

      for (guint k = 0; covered == NULL && k < proposal->rules->len; k++)
        covered = beckon_rule_set_find_covered (rules, g_ptr_array_index (proposal->rules, k));
      if (covered == NULL)
        continue;
      denied = covered;
      g_ptr_array_remove_index (proposals, i - 1);
    }
  if (denied == NULL)
    return NULL;

  title = beckon_rule_dup_title (denied);
  /* Translators: %s is what a rule denies, such as “Run git push *” */
  return beckon_text_printf (_("Your rule denying “%s” stays in force. A broader permission "
                               "would override it, so it isn't offered here. "
                               "You can still add one in the preferences."),
                             title);
}

/**
 * beckon_call_ask_approval: (skip)
 * @calls: the calls
 * @context: the call, with the arguments that would run
 * @survey: what is known of it
 * @judgement: who asks
 * @reason: (nullable): why in particular; %NULL for what @judgement says
 *
 * Returns: (transfer full): the request for it
 */
BeckonRequest *
beckon_call_ask_approval (const BeckonRunScope *scope, const BeckonToolContext *context, const BeckonCallSurvey *survey,
                         const BeckonJudgement *judgement, const char *reason)
{
  BeckonTool *tool = beckon_run_scope_find_tool (scope, context->call);
  const BeckonEffects *effects = beckon_call_survey_get_effects (survey);
  BeckonApprovalReason *ground = beckon_approval_reason_new ();
  BeckonApprovalDetails *details = beckon_tool_describe_call (tool, effects);
  g_autoptr (BeckonMask) mask = NULL;
  g_autofree char *secrets = describe_secrets (context->arguments);
  g_autofree char *why = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *left_out = NULL;
  g_autoptr (BeckonJudgement) allowed = beckon_call_judge (scope, effects);
  BeckonRequest *request;

  reason = reason != NULL ? reason : judgement->reason;
  why = reason != NULL && secrets != NULL && !g_str_equal (reason, secrets)
            ? g_strdup_printf ("%s\n%s", secrets, reason)
            : g_strdup (secrets != NULL ? secrets : reason);

  beckon_call_overrides_describe (scope, tool, context->arguments, details);
  mask = beckon_parameters_make_mask (details->parameters, context->arguments);
  shown = mask != NULL && why != NULL ? beckon_mask_apply (mask, why) : g_strdup (why);
  ground->files = g_strdup (beckon_call_survey_get_files (survey));
  ground->definition = g_strdup (beckon_call_survey_get_definition (survey));
  ground->folder = g_strdup (context->folder != NULL ? context->folder : "");
  ground->rule_id = judgement->rule != NULL ? g_strdup (judgement->rule->id) : NULL;
  /* A rule would name what is not to be seen, and spares nobody a card that comes whatever rules and mode allow. */
  if (mask == NULL && allowed->verdict != BECKON_VERDICT_ALLOW)
    {
      g_clear_pointer (&ground->proposals, g_ptr_array_unref);
      ground->proposals = beckon_rule_propose (effects);
      left_out = beckon_call_leave_out_covering (scope, ground->proposals);
    }
  if (left_out != NULL)
    {
      g_autofree char *lines = shown != NULL ? g_strconcat (shown, "\n", left_out, NULL) : g_strdup (left_out);

      g_free (shown);
      shown = g_steal_pointer (&lines);
    }
  request = beckon_approval_request_new (NULL, context->conversation_id, context->message_id,
                                         beckon_tool_call_get_id (context->call), beckon_tool_call_get_name (context->call),
                                         context->arguments, shown, context->now);
  beckon_request_set_ground (request, ground);
  beckon_plan_step_mark (context->call, request);
  beckon_request_take_details (request, details);
  beckon_request_set_redacted (request, beckon_tool_call_get_redacted (context->call));
  return request;
}

/* A model that goes round in circles is paused, whatever it is allowed. */
static void
guard_against_loops (BeckonCallBatch *calls, BeckonToolCall *call, BeckonJudgement *judgement)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  GPtrArray *siblings = beckon_call_batch_get_siblings (calls);
  BeckonLoop loop = beckon_loop_guard_find (scope->conversation, siblings, call);

  if (loop == BECKON_LOOP_NONE)
    return;
  judgement->verdict = scope->has_person ? BECKON_VERDICT_ASK : BECKON_VERDICT_DENY;
  g_free (judgement->reason);
  judgement->reason = g_strdup (beckon_loop_to_reason (loop));
  g_clear_pointer (&judgement->rule, beckon_rule_unref);
  judgement->refusal = "Not run: you keep making the same calls. Do something else, or say what keeps you from going on.";
}

/* Whether a change of a command, with what is bound to it, is one of a path, or of the folder that it is in. */
static gboolean
file_change_meets (const BeckonFileChange *change, const char *folder, const char *path)
{
  const char *const names[] = { change->path, change->from };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *whole = names[i] != NULL ? g_build_filename (folder, names[i], NULL) : NULL;

      if (whole != NULL && (beckon_path_relate (path, whole) != NULL || beckon_path_relate (whole, path) != NULL))
        return TRUE;
    }
  for (guint i = 0; change->bound != NULL && i < change->bound->len; i++)
    if (file_change_meets (g_ptr_array_index (change->bound, i), folder, path))
      return TRUE;
  return FALSE;
}

/* %FALSE where it is known which files @call changes, and none of @paths is among them or in them. */
static gboolean
may_change (BeckonCallBatch *calls, BeckonToolCall *call, const char *const *paths)
{
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (calls, call);
  const BeckonEffects *effects = survey != NULL ? beckon_call_survey_get_effects (survey) : NULL;
  const BeckonLanding *landing = beckon_call_waits_to_land (call) ? beckon_tool_call_get_landing (call) : NULL;

  for (guint i = 0; landing != NULL && i < beckon_change_set_get_n_changes (landing->changes); i++)
    for (guint k = 0; paths[k] != NULL; k++)
      if (file_change_meets (beckon_change_set_get (landing->changes, i), landing->folder, paths[k]))
        return TRUE;
  if (landing != NULL)
    return FALSE;
  if (effects == NULL || effects->server != NULL || effects->command != NULL || effects->lands || effects->paths == NULL)
    return TRUE;
  for (guint i = 0; effects->paths[i] != NULL; i++)
    for (guint k = 0; paths[k] != NULL; k++)
      if (beckon_path_relate (paths[k], effects->paths[i]) != NULL || beckon_path_relate (effects->paths[i], paths[k]) != NULL)
        return TRUE;
  return FALSE;
}

/* Whether the call's card shows files that an earlier call of the same reply may still change. It is decided, and asked about,
 * once those calls have left the files as they will be. A card of a command shows none. A step of a plan is last. */
static gboolean
is_behind_change (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonCallSurvey *survey)
{
  const BeckonEffects *effects = beckon_call_survey_get_effects (survey);
  GPtrArray *siblings = beckon_call_batch_get_siblings (calls);
  g_autoptr (GPtrArray) all = siblings != NULL ? g_ptr_array_ref (siblings) : beckon_call_batch_list (calls);

  if (effects->read_only || effects->server != NULL || effects->command != NULL || effects->paths == NULL
      || beckon_tool_call_get_planned_by (call) != NULL)
    return FALSE;
  for (guint i = 0; i < all->len && g_ptr_array_index (all, i) != call; i++)
    {
      BeckonToolCall *earlier = g_ptr_array_index (all, i);

      if (!beckon_tool_call_get_read_only (earlier) && beckon_tool_call_get_background (earlier) == NULL
          && !beckon_call_state_is_final (beckon_tool_call_get_state (earlier)) && may_change (calls, earlier, effects->paths))
        return TRUE;
    }
  return FALSE;
}

/**
 * beckon_call_may_be_asked: (skip)
 * @calls: the calls
 * @call: one that stayed proposed
 *
 * Returns: whether a person may be asked about it though calls before it are open, since none of them changes its files
 */
gboolean
beckon_call_may_be_asked (BeckonCallBatch *calls, BeckonToolCall *call)
{
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (calls, call);

  return survey != NULL && !is_behind_change (calls, call, survey);
}

/**
 * beckon_call_refuse_hopeless: (skip)
 * @calls: the calls
 * @call: one that a person would be asked about
 * @survey: what is known of it
 *
 * Refuses a call that can't be made with the files as they are, if the model may learn so because it may read them.
 *
 * Returns: whether it did
 */
gboolean
beckon_call_refuse_hopeless (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonCallSurvey *survey)
{
  const GError *obstacle = beckon_call_survey_get_obstacle (survey);
  BeckonEffects reading = *beckon_call_survey_get_effects (survey);
  g_autoptr (BeckonJudgement) judgement = NULL;

  if (obstacle == NULL)
    return FALSE;
  reading.tool = "read_file";
  reading.read_only = TRUE;
  reading.feeds_others = FALSE;
  judgement = beckon_call_judge (beckon_call_batch_get_scope (calls), &reading);
  if (judgement->verdict != BECKON_VERDICT_ALLOW)
    return FALSE;
  beckon_change_error_note (call, obstacle);
  beckon_call_refuse (call, obstacle->message);
  return TRUE;
}

/* The result of a write holds all of a file that was this short. */
#define SHORT_FILE 2000

/* Whether @name stands in @text as a word of its own. */
static gboolean
says_name (const char *text, const char *name)
{
  for (const char *at = text; (at = strstr (at, name)) != NULL; at++)
    {
      const char *end = at + strlen (name);

      if ((at == text || (!g_ascii_isalnum (at[-1]) && strchr ("_-.", at[-1]) == NULL))
          && !g_ascii_isalnum (*end) && *end != '_')
        return TRUE;
    }
  return FALSE;
}

/* Whether @call had to do with the file of that name: it ran and did not fail, but for a command, which may fail and show it;
 * or it is still to move, delete or make it, which an edit does not. */
static gboolean
knows_file (BeckonToolCall *call, const char *name)
{
  gboolean is_over = beckon_call_state_is_final (beckon_tool_call_get_state (call));
  gboolean ran = beckon_tool_call_get_started_at (call) > 0
                 && (!beckon_tool_call_get_is_error (call) || beckon_tool_call_get_exit_status (call) > 0);

  return (is_over ? ran : !beckon_tool_call_get_read_only (call) && strcmp (beckon_tool_call_get_name (call), "edit_file") != 0)
         && says_name (beckon_tool_call_get_effective_arguments (call), name);
}

/* Whether the call replaces a whole file that nothing in the conversation has read, written or shown. The person has read the
 * steps of a plan. */
static gboolean
overwrites_unread (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonCallSurvey *survey)
{
  BeckonConversation *conversation = beckon_call_batch_get_scope (calls)->conversation;
  const BeckonEffects *effects = beckon_call_survey_get_effects (survey);
  GPtrArray *siblings = beckon_call_batch_get_siblings (calls);
  g_autofree char *name = NULL;

  if (g_strcmp0 (effects->tool, "write_file") != 0 || effects->server != NULL || effects->paths == NULL
      || beckon_call_survey_get_size (survey) <= SHORT_FILE || beckon_tool_call_get_edited_arguments (call) != NULL
      || beckon_tool_call_get_planned_by (call) != NULL)
    return FALSE;
  name = g_path_get_basename (effects->paths[0]);
  for (guint i = 0; siblings != NULL && i < siblings->len && g_ptr_array_index (siblings, i) != call; i++)
    if (knows_file (g_ptr_array_index (siblings, i), name))
      return FALSE;
  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i);

      for (guint k = 0; k < beckon_message_get_n_parts (message); k++)
        {
          BeckonPart *part = beckon_message_get_part (message, k);
          BeckonToolCall *other = beckon_part_get_call (part);

          if (other != NULL ? beckon_call_state_is_final (beckon_tool_call_get_state (other)) && knows_file (other, name)
                            : beckon_message_get_role (message) == BECKON_ROLE_USER
                                && beckon_part_get_kind (part) == BECKON_PART_TEXT
                                && beckon_part_get_length (part) > SHORT_FILE && says_name (beckon_part_get_text (part), name))
            return FALSE;
        }
    }
  return TRUE;
}

/**
 * beckon_call_judge_whole: (skip)
 * @calls: the calls
 * @call: one of them
 * @survey: what is known of it
 *
 * Returns: (transfer full): what is said to @call: by rules and mode, and by what a person is asked about whatever these allow
 */
BeckonJudgement *
beckon_call_judge_whole (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonCallSurvey *survey)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonJudgement *judgement = beckon_call_judge (scope, beckon_call_survey_get_effects (survey));

  beckon_plan_step_permit (scope, call, survey, judgement);
  beckon_plan_step_explain (scope, survey, judgement);
  if (judgement->verdict == BECKON_VERDICT_ALLOW && beckon_call_names_secret (call))
    ask_for_secret (scope, beckon_tool_call_get_effective_arguments (call), judgement);
  if (judgement->verdict == BECKON_VERDICT_ALLOW && beckon_plan_step_pauses_before (call))
    ask_for_pause (judgement);
  if (judgement->verdict == BECKON_VERDICT_ALLOW)
    guard_against_loops (calls, call, judgement);
  return judgement;
}

static void
judge_call (BeckonCallBatch *calls, const BeckonToolContext *context, const BeckonCallSurvey *survey,
            BeckonCallDecision *decision)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonToolCall *call = context->call;

  decision->judgement = beckon_call_judge_whole (calls, call, survey);
  if (decision->judgement->verdict != BECKON_VERDICT_DENY && overwrites_unread (calls, call, survey))
    {
      beckon_tool_call_set_reason (call, _("The agent hasn’t read this file yet, and was told to read it first."));
      beckon_call_refuse (call, "Not run: the file is there already, and you have not read it in this conversation. Read it "
                                "first, or change a part of it with edit_file.");
      return;
    }
  switch (decision->judgement->verdict)
    {
    case BECKON_VERDICT_ALLOW:
      beckon_call_permit (call);
      beckon_tool_call_apply (call, BECKON_CALL_EVENT_ALLOWED);
      break;
    case BECKON_VERDICT_ASK:
      /* The call stays proposed until its turn comes. */
      if (is_behind_change (calls, call, survey))
        {
          g_clear_pointer (&decision->judgement, beckon_judgement_free);
          break;
        }
      if (beckon_call_refuse_hopeless (calls, call, survey))
        break;
      decision->request = beckon_call_ask_approval (scope, context, survey, decision->judgement, NULL);
      beckon_tool_call_apply (call, BECKON_CALL_EVENT_ASKED);
      break;
    case BECKON_VERDICT_DENY:
    default:
      beckon_tool_call_set_reason (call, decision->judgement->reason);
      beckon_call_refuse (call, decision->judgement->refusal);
      break;
    }
}

static void
decide_with_policy (BeckonCallBatch *calls, BeckonTool *tool, const BeckonToolContext *context, BeckonCallDecision *decision)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (calls, context->call);
  g_autoptr (GError) error = NULL;

  g_assert (survey != NULL);

  /* Calls that can't run need no question. */
  if (!beckon_call_overrides_check (scope, tool, survey, &error))
    beckon_call_refuse (context->call, error->message);
  else if (!beckon_call_survey_check (survey, &error))
    {
      beckon_change_error_note (context->call, error);
      if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE)
          && beckon_conversation_get_folder (scope->conversation) == NULL)
        beckon_tool_call_set_reason (context->call, _("The conversation has no working folder."));
      beckon_call_refuse (context->call, error->message);
    }
  else
    judge_call (calls, context, survey, decision);
}

/* @message: (nullable): %NULL while it is only looked at. */
BeckonToolContext
beckon_call_make_context (const BeckonRunScope *scope, BeckonMessage *message, BeckonToolCall *call)
{
  return (BeckonToolContext){
    .conversation_id = beckon_run_scope_get_id (scope),
    .message_id = message != NULL ? beckon_message_get_id (message) : "",
    .call = call,
    .arguments = beckon_tool_call_get_effective_arguments (call),
    .folder = beckon_conversation_get_folder (scope->conversation),
    .now = beckon_run_scope_now (scope),
  };
}

/** Puts in what is settled about the arguments of a proposed call; again and again, before it is looked at and decided. */
gboolean
beckon_call_prepare (BeckonCallBatch *calls, BeckonToolCall *call, GError **error)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonTool *tool = beckon_run_scope_find_tool (scope, call);

  beckon_tool_call_set_read_only (call, beckon_tool_get_definition (tool)->read_only);
  return beckon_tool_needs_person (tool) || beckon_call_overrides_apply (calls, tool, call, error);
}

/**
 * beckon_call_decide: (skip)
 * @calls: the calls
 * @message: the message that holds @call
 * @call: a proposed call that was looked at, which moves on; or stays so where a person would be asked about files that calls
 *   before it may still change
 * @decision: (out): what was decided; empty for a call that cannot run at all
 */
void
beckon_call_decide (BeckonCallBatch *calls, BeckonMessage *message, BeckonToolCall *call, BeckonCallDecision *decision)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonTool *tool = beckon_run_scope_find_tool (scope, call);
  BeckonToolContext context = beckon_call_make_context (scope, message, call);
  g_autoptr (GError) error = NULL;

  if (beckon_tool_call_get_fault (call) != NULL)
    {
      beckon_call_refuse (call, beckon_tool_call_get_fault (call));
      return;
    }
  if (tool == NULL)
    {
      g_autoptr (GPtrArray) tools = beckon_tool_registry_list (scope->parts.tools, beckon_run_scope_may_ask (scope),
                                                               scope->has_person,
                                                               beckon_conversation_get_folder (scope->conversation));
      g_autofree char *result = beckon_tool_names_refuse (tools, beckon_tool_call_get_name (call));

      beckon_call_refuse (call, result);
      return;
    }
  if (beckon_tool_registry_is_disabled (scope->parts.tools, beckon_tool_call_get_name (call)))
    {
      beckon_tool_call_set_reason (call, _("You have switched this tool off."));
      beckon_call_refuse (call, "The user has switched this tool off. Continue without it, or say what you need it for.");
      return;
    }
  if (!beckon_call_prepare (calls, call, &error))
    {
      beckon_call_refuse (call, error->message);
      return;
    }
  context.arguments = beckon_tool_call_get_effective_arguments (call);
  if (beckon_tool_needs_person (tool))
    ask_with_tool (calls, tool, &context, decision);
  else
    decide_with_policy (calls, tool, &context, decision);
}

/* A decision of policy's own, which the start of the call takes. */
void
beckon_call_permit (BeckonToolCall *call)
{
  g_autofree char *id = beckon_id_new ();

  beckon_tool_call_set_permit_id (call, id);
}

/* Stores the permit of a call that is, or becomes, decided without a person. */
void
beckon_call_write_permit (const BeckonRunScope *scope, BeckonToolCall *call, BeckonBatch *batch)
{
  g_autofree char *digest = beckon_tool_call_dup_digest (call);

  beckon_batch_add_permit (batch, beckon_tool_call_get_permit_id (call), beckon_tool_call_get_id (call), digest,
                           beckon_run_scope_now (scope));
}

static void
add_request (BeckonToolCall *call, BeckonRequest *request, BeckonBatch *batch, GPtrArray *requests)
{
  beckon_tool_call_set_request (call, G_OBJECT (request));
  beckon_batch_add_request (batch, request);
  g_ptr_array_add (requests, g_object_ref (request));
}

/**
 * beckon_call_write_decision: (skip)
 * @calls: the calls
 * @call: the call, stored by an earlier step of @batch
 * @decision: what was decided
 * @batch: the transaction
 * @requests: (element-type BeckonRequest): where a new request is added, to be shown once @batch is written
 */
void
beckon_call_write_decision (const BeckonRunScope *scope, BeckonToolCall *call, const BeckonCallDecision *decision,
                            BeckonBatch *batch,
                           GPtrArray *requests)
{
  if (decision->judgement != NULL)
    beckon_call_log_judgement (scope, call, decision->judgement, decision->request, batch);
  if (beckon_tool_call_get_state (call) == BECKON_CALL_DECIDED)
    beckon_call_write_permit (scope, call, batch);
  if (decision->request != NULL)
    add_request (call, decision->request, batch, requests);
}
