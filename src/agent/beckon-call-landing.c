/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-landing.h"

#include "base/beckon-path.h"
#include "base/beckon-worker.h"
#include "beckon-call-decision.h"
#include "beckon-call-executor.h"
#include "beckon-call-secrets.h"
#include "beckon-landing-report.h"
#include "beckon-landing-upkeep.h"
#include "beckon-plan-step.h"
#include "domain/beckon-landing.h"
#include "landing/beckon-lander.h"
#include "landing/beckon-landing-listing.h"
#include "landing/beckon-landing-place.h"
#include "policy/beckon-rule-propose.h"
#include "request/beckon-changes-request.h"
#include "tools/beckon-move-files.h"
#include "tools/beckon-run-command.h"

/*
 * Changes of a command on their way from its view into the folder. Its call stays started meanwhile. A change that is open
 * waits for a person, as a request of its own; what is decided is planned, stored so, and landed by the lander, which can be
 * called again after any end of the program; then the call gets its result. Where a landing stands is stored before it shows.
 */

static BeckonRequest *
get_request (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return request != NULL && BECKON_IS_CHANGES_REQUEST (request) ? request : NULL;
}

gboolean
beckon_call_has_landing (BeckonToolCall *call)
{
  return beckon_tool_call_get_state (call) == BECKON_CALL_STARTED && beckon_tool_call_get_landing (call) != NULL;
}

gboolean
beckon_call_waits_to_land (BeckonToolCall *call)
{
  BeckonRequest *request = get_request (call);

  return beckon_call_has_landing (call) && beckon_tool_call_get_landing (call)->state == BECKON_LANDING_WAITING
         && request != NULL && beckon_request_get_state (request) == BECKON_REQUEST_PENDING;
}

/* By whom changes are let through */

/* (nullable): the rule by which the command runs unasked, if each part of it does so by one. A permission to change files lets
 * @tool move some, but each of them is looked at as it lands. */
static const BeckonRule *
find_permission (const BeckonJudgement *judgement, const char *tool)
{
  if (judgement->verdict != BECKON_VERDICT_ALLOW || judgement->rule == NULL
      || (judgement->rule->tool != NULL && strcmp (judgement->rule->tool, tool) != 0))
    return NULL;
  for (guint i = 0; judgement->commands != NULL && i < judgement->commands->len; i++)
    if (((BeckonJudgedCommand *) g_ptr_array_index (judgement->commands, i))->rule == NULL)
      return NULL;

  return judgement->rule;
}

/* (transfer full) (nullable): by what ordinary changes land without a question, as the log names it. */
static char *
find_way (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonLanding *landing)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (calls, call);
  g_autoptr (BeckonJudgement) judgement = NULL;
  const BeckonRule *rule;

  if (survey == NULL || beckon_run_scope_get_rules (scope) == NULL)
    return NULL;
  judgement = beckon_call_judge (scope, beckon_call_survey_get_effects (survey));
  rule = find_permission (judgement, beckon_tool_call_get_name (call));
  if (rule != NULL)
    return g_strdup_printf ("rule:%s", rule->id);
  if (beckon_conversation_get_mode (scope->conversation) == BECKON_MODE_ASK_OUTSIDE)
    return g_strdup ("mode:outside");
  return beckon_plan_step_was_read (scope, call, survey, landing) ? g_strdup ("plan") : NULL;
}

/* By the person's rules alone. */
typedef struct
{
  gboolean is_denied;
  gboolean is_asked;
  gboolean is_allowed;
} LandingRuling;

static void
call_landing_add_path (BeckonEffects *effects, const BeckonLanding *landing, const char *path)
{
  const char *in_git = landing->git != NULL ? beckon_path_relate (path, ".git") : NULL;
  g_autofree char *whole = in_git != NULL ? g_canonicalize_filename (*in_git != '\0' ? in_git : ".", landing->git)
                                          : g_build_filename (landing->folder, path, NULL);

  beckon_effects_add_path (effects, whole);
}

/* Both ends of a move. */
static void
call_landing_add_paths (BeckonEffects *effects, const BeckonLanding *landing, const BeckonFileChange *change)
{
  call_landing_add_path (effects, landing, change->path);
  if (change->kind == BECKON_FILE_MOVED && change->from != NULL)
    call_landing_add_path (effects, landing, change->from);
}

/* Git obeys its files, whatever is said of the folder around them. */
static gboolean
is_run_by_others (const BeckonFileChange *change)
{
  gboolean is_object;

  return change->concern == BECKON_FILE_CONCERN_TRIGGER || change->concern == BECKON_FILE_CONCERN_PROGRAM || change->is_program
         || beckon_landing_get_git_length (change->path, &is_object) > 0;
}

/* As if @tool made the change. */
static void
call_landing_rule_as (const BeckonRunScope *scope, const BeckonLanding *landing, const BeckonFileChange *change,
                      const char *tool, LandingRuling *ruling)
{
  g_autoptr (JsonObject) arguments = json_object_new ();
  g_auto (BeckonEffects) effects = { .tool = tool,
                                     .folder = landing->folder,
                                     .conversation_id = beckon_run_scope_get_id (scope),
                                     .has_whole_folders = change->n_files > 0,
                                     .feeds_others = is_run_by_others (change) };
  g_autoptr (BeckonJudgement) judgement = NULL;
  g_autofree char *shown = beckon_file_change_dup_shown_path (change);

  json_object_set_string_member (arguments, "path", shown);
  beckon_effects_set_arguments (&effects, arguments);
  call_landing_add_paths (&effects, landing, change);
  judgement = beckon_policy_judge (&effects, beckon_run_scope_get_rules (scope), BECKON_MODE_ASK_OUTSIDE, TRUE,
                                   beckon_run_scope_now (scope));
  ruling->is_allowed = judgement->rule != NULL && judgement->verdict == BECKON_VERDICT_ALLOW;
  ruling->is_asked = ruling->is_asked || (judgement->rule != NULL && judgement->verdict == BECKON_VERDICT_ASK);
  ruling->is_denied = ruling->is_denied || (judgement->rule != NULL && judgement->verdict == BECKON_VERDICT_DENY);
}

/* Whether a tool that writes a file could have made it: the content alone of what is a file before and afterwards, or a folder
 * for it. What all is in a folder that stands for many is not known here. */
static gboolean
is_written (const BeckonFileChange *change)
{
  if (change->git != NULL || change->attributes != NULL || change->n_files > 0)
    return FALSE;
  if (change->kind == BECKON_FILE_CREATED)
    return change->type == BECKON_FILE_FOLDER || (change->type == BECKON_FILE_REGULAR && (change->mode_after & 0111) == 0);

  return change->kind == BECKON_FILE_CHANGED && change->type == BECKON_FILE_REGULAR && change->type_before == change->type
         && change->mode_before == change->mode_after;
}

/* Whether it came to its place as it was, and nothing else was there. What a moved folder has in it kept its mode. */
static gboolean
is_only_moved (const BeckonFileChange *top, const BeckonFileChange *change)
{
  const BeckonFileChange *source = NULL;

  if (change->git != NULL || change->attributes != NULL || change->before_inode != 0
      || (change->type != BECKON_FILE_FOLDER && !beckon_file_change_keeps_content (change)))
    return FALSE;
  for (guint i = 0; source == NULL && top->bound != NULL && i < top->bound->len; i++)
    {
      const BeckonFileChange *part = g_ptr_array_index (top->bound, i);

      source = part->kind == BECKON_FILE_DELETED && g_strcmp0 (part->path, change->from) == 0 ? part : NULL;
    }
  if (source == NULL && change != top && top->kind == BECKON_FILE_MOVED && top->type == BECKON_FILE_FOLDER)
    return beckon_path_is_within (change->from, top->from) && is_only_moved (top, top);

  return source != NULL && source->mode_before == change->mode_after;
}

/* Whether a permission to change files is one to move it: no program, and no link, which may lead elsewhere then. */
static gboolean
is_ordinary (const BeckonFileChange *change)
{
  return change->type == BECKON_FILE_FOLDER ? change->kind != BECKON_FILE_DELETED || change->n_files == 0
                                            : change->type == BECKON_FILE_REGULAR
                                                && ((change->mode_before | change->mode_after) & 0111) == 0;
}

/* (nullable): the tool for which a permission is one for @part of @top; %NULL for what none could have done. */
static const char *
find_tool (const BeckonFileChange *top, const BeckonFileChange *part)
{
  if (part->kind == BECKON_FILE_MOVED)
    return is_only_moved (top, part) ? "move_files" : NULL;
  if (part->kind == BECKON_FILE_DELETED)
    return beckon_file_change_is_source (part, top) ? "move_files" : "delete_files";

  return is_written (part) ? "write_file" : NULL;
}

/* Each change is one of a file, of which changes may be denied or asked for; it is permitted as the thing that it is, and a
 * move that loses nothing as a change, too. */
static LandingRuling
judge_path (const BeckonRunScope *scope, const BeckonLanding *landing, const char *own, const BeckonFileChange *top,
            const BeckonFileChange *part)
{
  const char *tool = find_tool (top, part);
  LandingRuling ruling = { 0 };
  gboolean is_asked, may_move;

  call_landing_rule_as (scope, landing, part, "write_file", &ruling);
  is_asked = ruling.is_asked;
  may_move = ruling.is_allowed && g_strcmp0 (tool, "move_files") == 0 && is_ordinary (part);
  if (tool != NULL && strcmp (tool, "write_file") != 0)
    call_landing_rule_as (scope, landing, part, tool, &ruling);
  /* The rules about the call's own tool asked before it ran. */
  if (g_strcmp0 (tool, own) == 0)
    ruling.is_asked = is_asked;
  ruling.is_allowed = (ruling.is_allowed || may_move) && tool != NULL && !ruling.is_asked && !ruling.is_denied;

  return ruling;
}

/* A path that a rule names lands by it even if other programs run it, as a file tool may write it; nothing else unseen. */
static gboolean
may_land_unseen (const BeckonFileChange *change, gboolean has_way, gboolean is_allowed)
{
  if (change->concern == BECKON_FILE_CONCERN_TRIGGER || change->concern == BECKON_FILE_CONCERN_PROGRAM)
    return is_allowed;

  return change->concern == BECKON_FILE_CONCERN_NONE && (has_way || is_allowed);
}

/* A folder that stands for all that is in it may hold what a rule asks for. */
static gboolean
may_hold_asked (const BeckonRunScope *scope, const BeckonLanding *landing, const BeckonFileChange *change)
{
  BeckonRuleSet *rules = beckon_run_scope_get_rules (scope);

  return change->n_files > 0
         && (rules == NULL
             || beckon_rule_set_asks_for_paths (rules, landing->folder, beckon_run_scope_get_id (scope),
                                                beckon_run_scope_now (scope)));
}

/* A change that is denied at one of the paths that belong together is denied as a whole. %TRUE if rules allow all of it. */
static gboolean
judge_paths (const BeckonRunScope *scope, const BeckonLanding *landing, const char *own, BeckonFileChange *change,
             const BeckonFileChange *part)
{
  LandingRuling ruling = judge_path (scope, landing, own, change, part);
  gboolean is_asked = ruling.is_asked || may_hold_asked (scope, landing, part);
  gboolean is_allowed = (ruling.is_allowed || part->loses_nothing) && !is_asked;

  if (ruling.is_denied)
    change->fate = BECKON_FILE_DENIED;
  else if (change->concern == BECKON_FILE_CONCERN_PROGRAM
           && beckon_conversation_get_mode (scope->conversation) != BECKON_MODE_ASK_OUTSIDE)
    {
      change->concern = BECKON_FILE_CONCERN_NONE;
      change->is_program = TRUE;
    }
  if (is_asked && change->concern == BECKON_FILE_CONCERN_NONE)
    change->concern = BECKON_FILE_CONCERN_RULE;
  for (guint i = 0; part->bound != NULL && i < part->bound->len; i++)
    is_allowed = judge_paths (scope, landing, own, change, g_ptr_array_index (part->bound, i)) && is_allowed;
  return is_allowed;
}

/* The mode asks about changes that a person would have made. */
static gboolean
lands_by_products (const BeckonRunScope *scope)
{
  return beckon_conversation_get_mode (scope->conversation) == BECKON_MODE_ASK_CHANGES
         && !beckon_settings_get_ask_for_by_products (scope->parts.settings);
}

static void
judge_change (const BeckonRunScope *scope, const BeckonLanding *landing, const char *own, BeckonFileChange *change,
              gboolean has_way)
{
  const gboolean loses_nothing = beckon_file_change_loses_nothing (change);
  const gboolean is_allowed = judge_paths (scope, landing, own, change, change) && !loses_nothing;
  const gboolean lands_aside
    = (change->is_by_product || (loses_nothing && scope->has_person)) && lands_by_products (scope);

  change->is_permitted = FALSE;
  if (change->fate == BECKON_FILE_OPEN && may_land_unseen (change, has_way || lands_aside, is_allowed))
    {
      change->fate = BECKON_FILE_KEPT;
      change->is_permitted = !may_land_unseen (change, has_way, FALSE) && !(lands_aside && change->is_by_product);
    }
  /* There is no person who could be shown it. */
  if (change->fate == BECKON_FILE_OPEN && !scope->has_person)
    change->fate = change->concern == BECKON_FILE_CONCERN_CONFLICT ? BECKON_FILE_CONFLICT : BECKON_FILE_LEFT_OUT;
}

void
beckon_call_landing_judge (BeckonCallBatch *calls, BeckonToolCall *call, BeckonLanding *landing)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  const BeckonCallSurvey *survey = beckon_call_batch_get_survey (calls, call);
  g_autofree char *way = find_way (calls, call, landing);

  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (landing->changes, i);

      if (change->fate == BECKON_FILE_OPEN)
        judge_change (scope, landing, beckon_tool_call_get_name (call), change, way != NULL);
    }
  beckon_change_set_spread_fates (landing->changes);
  if (survey != NULL)
    beckon_plan_step_note_news (scope, survey, landing);
  if (!beckon_change_set_is_open (landing->changes))
    return;
  /* A permission spares a card. On one that is there, the person decides about all that a command did to its folder. */
  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (landing->changes, i);

      if (change->fate == BECKON_FILE_KEPT && change->is_permitted)
        change->fate = BECKON_FILE_OPEN;
    }
}

BeckonAnswer *
beckon_call_landing_follow_rules (BeckonCallBatch *calls, BeckonToolCall *call)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  const BeckonLanding *asked = beckon_tool_call_get_landing (call);
  g_autoptr (BeckonLanding) judged = beckon_landing_copy (asked);
  g_autofree char *way = find_way (calls, call, judged);
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();
  g_autofree char *document = NULL;

  /* Rules alone: the mode and what a plan says were known before. */
  if (!scope->has_person || (way != NULL && !g_str_has_prefix (way, "rule:")))
    return NULL;
  beckon_call_landing_judge (calls, call, judged);
  if (beckon_change_set_is_open (judged->changes))
    return NULL;
  for (guint i = 0; i < beckon_change_set_get_n_changes (judged->changes); i++)
    if (beckon_change_set_get (asked->changes, i)->fate == BECKON_FILE_OPEN
        && beckon_change_set_get (judged->changes, i)->fate != BECKON_FILE_KEPT)
      beckon_change_choice_set_left_out (choice, i, TRUE);
  document = beckon_change_choice_to_json (choice);
  return beckon_change_choice_lands_any (choice, asked->changes) ? beckon_answer_new (BECKON_ANSWER_KEPT, document)
                                                                 : beckon_answer_new (BECKON_ANSWER_DECLINED, NULL);
}

void
beckon_call_landing_log (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonLanding *landing, BeckonRequest *request,
                         BeckonBatch *batch)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  g_autofree char *unseen = find_way (calls, call, landing);
  const gboolean is_by_rule
    = request != NULL && g_strcmp0 (beckon_request_get_front_end (request), BECKON_FRONT_END_RULE) == 0;
  const BeckonLandingBy by = {
    .asked = request != NULL ? beckon_request_get_changes (request) : NULL,
    .answered = is_by_rule ? "rule" : "person",
    .ordinary = unseen != NULL ? unseen : "rule",
    .by_products = unseen != NULL ? unseen : lands_by_products (scope) ? "mode:changes" : "rule",
    .concerned = "rule",
    .front_end = request != NULL ? beckon_request_get_front_end (request) : NULL,
    .actor = request != NULL ? beckon_request_get_actor (request) : NULL,
  };
  g_autofree char *data = beckon_landing_log (landing, &by);

  beckon_batch_add_provenance (batch, beckon_run_scope_get_id (scope), beckon_tool_call_get_id (call), "landed", data,
                               beckon_run_scope_now (scope));
}

/* A landing on its way */

typedef struct
{
  BeckonCallBatch *calls;
  BeckonToolCall *call;
  guint ticket;
  BeckonLanding *landing; /* (owned): of its own, which the worker changes */
  BeckonRequest *request; /* (owned) (nullable): a new one */
  gboolean is_temporary;  /* no store will know of it after the end of the program */
  gboolean is_nameless;   /* the model is not told which files it was */
} Land;

static Land *
land_new (BeckonCallBatch *calls, BeckonToolCall *call, BeckonLanding *landing)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  Land *land = g_new0 (Land, 1);

  land->calls = beckon_call_batch_ref (calls);
  land->call = g_object_ref (call);
  land->ticket = beckon_call_batch_get_ticket (calls);
  land->landing = landing;
  land->is_temporary = beckon_conversation_get_temporary (scope->conversation);
  return land;
}

static void
land_free (gpointer data)
{
  Land *land = data;

  beckon_call_batch_unref (land->calls);
  g_object_unref (land->call);
  beckon_landing_free (land->landing);
  g_clear_object (&land->request);
  g_free (land);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Land, land_free)

static void
run_on_worker (Land *land, GTaskThreadFunc function, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, land);

  g_task_set_source_tag (task, run_on_worker);
  g_task_set_task_data (task, land, NULL);
  beckon_worker_run_for_person (task, function);
}

/* Changes that can't be landed at all have failed, and the folder is as it was. */
static void
fail_kept (BeckonLanding *landing, const GError *error)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (landing->changes, i);

      if (change->fate != BECKON_FILE_KEPT)
        continue;
      change->fate = BECKON_FILE_FAILED;
      g_free (change->remark);
      change->remark = g_strdup (error->message);
    }
}

void
beckon_call_landing_plan (BeckonLanding *landing, gboolean is_temporary)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_lander_plan (landing, &error) || (is_temporary && !beckon_lander_note_write (landing, &error)))
    fail_kept (landing, error);
  landing->state = BECKON_LANDING_DECIDED;
}

void
beckon_call_landing_carry_out (BeckonLanding *landing)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_lander_land (landing, &error))
    fail_kept (landing, error);
  landing->state = BECKON_LANDING_LANDED;
  landing->kept_bytes = beckon_change_set_can_undo (landing->changes) ? beckon_landing_place_measure (landing->place) : 0;
}

static void
call_landing_plan (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Land *land = task_data;

  beckon_call_landing_plan (land->landing, land->is_temporary);
  g_task_return_boolean (task, TRUE);
}

static void
call_landing_carry_out (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  BeckonLanding *landing = ((const Land *) task_data)->landing;

  /* The changes had landed before this run was taken up. */
  if (landing->state == BECKON_LANDING_DECIDED)
    beckon_call_landing_carry_out (landing);
  g_task_return_boolean (task, TRUE);
}

/* Keeps the place where there is something to undo. */
static void
tidy_up (const BeckonRunScope *scope, const BeckonLanding *landing)
{
  if (beckon_change_set_can_undo (landing->changes))
    beckon_landing_upkeep_run (scope->parts.store, beckon_run_scope_now (scope));
  else
    beckon_landing_upkeep_drop (scope->parts.store, landing->id, beckon_run_scope_now (scope));
}

static void
show_landed (BeckonCallBatch *calls, gpointer user_data)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  Land *land = user_data;

  tidy_up (scope, land->landing);
  beckon_tool_call_take_landing (land->call, g_steal_pointer (&land->landing));
  beckon_call_batch_unmark (calls, land->call, BECKON_CALL_MARK_LAND);
}

/* The other side of a conflict was read behind the last look for secrets. */
static void
mask_theirs (Land *land, BeckonMask *mask)
{
  BeckonChangeSet *changes = land->landing->changes;

  for (guint i = 0; i < beckon_change_set_get_n_changes (changes) && (mask != NULL || land->is_nameless); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (changes, i);
      g_autofree char *theirs = g_steal_pointer (&change->theirs);

      if (theirs != NULL && mask != NULL)
        change->theirs = beckon_mask_apply (mask, theirs);
    }
}

/* The landing, the result and the line of the log are one. @mask: (nullable): for the names of files. */
static void
store_landed (Land *land, BeckonMask *mask)
{
  BeckonCallBatch *calls = land->calls;
  BeckonToolCall *call = land->call;
  BeckonLanding *landing = land->landing;
  BeckonTool *tool = beckon_run_scope_find_tool (beckon_call_batch_get_scope (calls), call);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autofree char *early = beckon_landing_report_early (call, !land->is_nameless);
  g_autofree char *last
    = land->is_nameless ? g_strconcat (landing->output, "\n[What it changed cannot be told: it could not be searched for "
                                       "secrets. Look into the folder.]", NULL)
                        : beckon_landing_report (landing, get_request (call),
                                                 tool != NULL && beckon_run_command_is_fixed (tool));
  g_autofree char *report = g_strconcat (last, early, NULL);
  g_autofree char *output = mask != NULL ? beckon_mask_apply (mask, report) : g_strdup (report);
  g_autofree char *changed
    = beckon_tool_call_get_planned_by (call) == NULL
        ? beckon_call_tell_changes (beckon_call_batch_get_scope (calls), call, output) : NULL;
  g_autofree char *told = changed != NULL && mask != NULL ? beckon_mask_apply (mask, changed) : g_steal_pointer (&changed);

  mask_theirs (land, mask);
  g_clear_pointer (&landing->output, g_free);
  beckon_tool_call_set_end (call, landing->exit_status, told != NULL ? G_MAXSIZE : landing->output_length);
  /* A person who takes time to decide does not make the command slow. */
  beckon_tool_call_set_times (call, beckon_tool_call_get_started_at (call), landing->made_at);
  beckon_tool_call_set_result (call, told != NULL ? told : output, landing->is_failure);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_RESULT);
  beckon_batch_keep (batch);
  beckon_batch_put_landing (batch, landing);
  beckon_batch_set_call (batch, call, BECKON_CALL_STARTED);
  beckon_call_landing_log (calls, call, landing, get_request (call), batch);
  beckon_call_batch_commit (calls, batch, show_landed, land, land_free);
}

/* If the search for secrets fails, the names of the files are told to nobody. */
static void
on_mask (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Land) land = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMask) mask = beckon_known_secrets_make_mask_finish (BECKON_KNOWN_SECRETS (source), result, &error);

  if (!beckon_call_batch_is_current (land->calls, land->ticket))
    return;
  beckon_call_batch_end_landing (land->calls);
  if (error != NULL)
    {
      g_message ("the names of what landed could not be searched for secrets: %s", error->message);
      land->is_nameless = TRUE;
    }
  store_landed (g_steal_pointer (&land), mask);
}

/* The names of a command's files may be a secret that it was given. */
static void
on_carried_out (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Land) land = user_data;
  BeckonCallBatch *calls = land->calls;
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);

  if (!beckon_call_batch_is_current (calls, land->ticket))
    return;
  if (beckon_call_may_have_secrets (scope, land->call))
    {
      beckon_call_secrets_mask_async (scope, on_mask, g_steal_pointer (&land));
      return;
    }
  beckon_call_batch_end_landing (calls);
  store_landed (g_steal_pointer (&land), NULL);
}

static void
begin_to_carry_out (BeckonCallBatch *calls, gpointer user_data)
{
  Land *planned = user_data;
  Land *land = land_new (calls, planned->call, beckon_landing_copy (planned->landing));

  beckon_tool_call_take_landing (planned->call, g_steal_pointer (&planned->landing));
  beckon_call_batch_enter_landing (calls);
  run_on_worker (land, call_landing_carry_out, on_carried_out);
}

static void
on_planned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Land) land = user_data;
  BeckonCallBatch *calls = land->calls;
  BeckonBatch *batch;

  if (!beckon_call_batch_is_current (calls, land->ticket))
    return;
  beckon_call_batch_end_landing (calls);
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_put_landing (batch, land->landing);
  beckon_call_batch_commit (calls, batch, begin_to_carry_out, g_steal_pointer (&land), land_free);
}

/* The person's answer decides what was open. Without one, a permission does. */
void
beckon_call_landing_apply_answer (BeckonRequest *request, BeckonChangeSet *changes)
{
  BeckonAnswer *answer = request != NULL ? beckon_request_get_answer (request) : NULL;
  const gboolean was_unseen
    = answer != NULL && (answer->kind == BECKON_ANSWER_TIMED_OUT || answer->kind == BECKON_ANSWER_UNAVAILABLE);
  g_autoptr (BeckonChangeChoice) choice = NULL;

  if (answer != NULL && answer->kind == BECKON_ANSWER_KEPT)
    choice = beckon_change_choice_parse (answer->text, changes, NULL);
  if (choice != NULL)
    beckon_change_choice_apply (choice, changes);
  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (changes, i);

      if (change->fate == BECKON_FILE_OPEN)
        change->fate = was_unseen && change->is_permitted ? BECKON_FILE_KEPT : BECKON_FILE_LEFT_OUT;
    }
  beckon_change_set_spread_fates (changes);
}

/**
 * beckon_call_land: (skip)
 * @calls: the calls
 * @call: a started call with a landing that waits for nobody, or waits no longer
 *
 * Lands it, once, however often the run steps meanwhile.
 */
void
beckon_call_land (BeckonCallBatch *calls, BeckonToolCall *call)
{
  const BeckonLanding *landing = beckon_tool_call_get_landing (call);
  Land *land;

  if (!beckon_call_batch_mark (calls, call, BECKON_CALL_MARK_LAND))
    return;
  land = land_new (calls, call, beckon_landing_copy (landing));
  beckon_call_batch_enter_landing (calls);
  if (landing->state == BECKON_LANDING_WAITING)
    {
      beckon_call_landing_apply_answer (get_request (call), land->landing->changes);
      run_on_worker (land, call_landing_plan, on_planned);
    }
  else
    run_on_worker (land, call_landing_carry_out, on_carried_out);
}

/* A command has ended */

static void
show_waiting (BeckonCallBatch *calls, gpointer user_data)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  Land *land = user_data;

  beckon_tool_call_take_landing (land->call, g_steal_pointer (&land->landing));
  if (land->request == NULL)
    return;
  beckon_tool_call_set_request (land->call, G_OBJECT (land->request));
  beckon_inbox_add (scope->parts.inbox, land->request);
}

/* Whether a permission to change files would let all of it land. */
static gboolean
may_be_permitted (const BeckonFileChange *top, const BeckonFileChange *part)
{
  const char *tool = find_tool (top, part);

  if (!part->loses_nothing
      && (is_run_by_others (part)
          || (g_strcmp0 (tool, "write_file") != 0 && (g_strcmp0 (tool, "move_files") != 0 || !is_ordinary (part)))))
    return FALSE;
  for (guint i = 0; part->bound != NULL && i < part->bound->len; i++)
    if (!may_be_permitted (top, g_ptr_array_index (part->bound, i)))
      return FALSE;
  return TRUE;
}

/* Files that go with a repository which loses nothing are what is permitted. */
static void
call_landing_offer_paths (BeckonEffects *effects, const BeckonLanding *landing, const BeckonFileChange *change)
{
  if (!change->loses_nothing)
    call_landing_add_paths (effects, landing, change);
  for (guint i = 0; change->loses_nothing && change->bound != NULL && i < change->bound->len; i++)
    call_landing_offer_paths (effects, landing, g_ptr_array_index (change->bound, i));
}

/* A name that may be a secret is in no rule. */
void
beckon_call_landing_offer (const BeckonRunScope *scope, BeckonToolCall *call, const BeckonLanding *landing,
                           BeckonRequest *request)
{
  g_auto (BeckonEffects) effects = { .tool = "write_file", .folder = landing->folder };
  BeckonApprovalReason *ground;

  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (landing->changes, i);

      if (change->fate == BECKON_FILE_OPEN && change->concern == BECKON_FILE_CONCERN_NONE
          && beckon_file_change_get_why_unshown (change) == NULL && may_be_permitted (change, change))
        call_landing_offer_paths (&effects, landing, change);
    }
  if (effects.paths == NULL || beckon_tool_call_get_redacted (call) != NULL || beckon_call_names_secret (call))
    return;
  ground = beckon_approval_reason_new ();
  g_ptr_array_unref (ground->proposals);
  ground->proposals = beckon_rule_propose (&effects);
  g_free (beckon_call_leave_out_covering (scope, ground->proposals));
  beckon_request_set_ground (request, ground);
}

static BeckonRequest *
call_landing_make_request (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonLanding *landing)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonRequest *request
    = beckon_changes_request_new (NULL, beckon_run_scope_get_id (scope), beckon_call_batch_get_message_id (calls),
                                  beckon_tool_call_get_id (call), beckon_tool_call_get_name (call),
                                  beckon_tool_call_get_effective_arguments (call), landing->changes,
                                  beckon_run_scope_now (scope));

  beckon_request_set_redacted (request, beckon_tool_call_get_redacted (call));
  beckon_changes_request_set_outcome (request, landing->exit_status, landing->output, landing->output_length);
  beckon_call_landing_offer (scope, call, landing, request);
  return request;
}

/**
 * beckon_call_landing_begin: (skip)
 * @calls: the calls
 * @call: a started call whose command has ended
 * @landing: (transfer full): what it changed, with its result
 *
 * Stores what it changed, and asks for what is open.
 */
void
beckon_call_landing_begin (BeckonCallBatch *calls, BeckonToolCall *call, BeckonLanding *landing)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  Land *land = land_new (calls, call, landing);

  landing->made_at = beckon_run_scope_now (scope);
  if (g_str_equal (beckon_tool_call_get_name (call), "move_files"))
    {
      g_autoptr (JsonObject) moves = beckon_json_parse_object (beckon_tool_call_get_effective_arguments (call), -1, NULL);

      beckon_move_files_bind (moves, landing->folder, landing->changes);
    }
  beckon_call_landing_judge (calls, call, landing);
  beckon_batch_put_landing (batch, landing);
  if (beckon_change_set_is_open (landing->changes))
    {
      land->request = call_landing_make_request (calls, call, landing);
      beckon_batch_add_request (batch, land->request);
    }
  beckon_call_batch_commit (calls, batch, show_waiting, land, land_free);
}

/* Other programs, and ends */

/**
 * beckon_call_landing_recover: (skip)
 * @run: a run that was taken over
 * @call: a call of it
 * @batch: where a new request is stored
 *
 * A command had ended, and what it changed waits or is being landed: it goes on where it was.
 *
 * Returns: (transfer full) (nullable): a request that is asked anew
 */
BeckonRequest *
beckon_call_landing_recover (BeckonCallBatch *calls, BeckonToolCall *call, BeckonBatch *batch)
{
  const BeckonLanding *landing = beckon_tool_call_get_landing (call);
  BeckonRequest *request = get_request (call);

  if (landing->state != BECKON_LANDING_WAITING || !beckon_change_set_is_open (landing->changes))
    return NULL;
  if (request != NULL && beckon_request_get_state (request) != BECKON_REQUEST_CANCELLED)
    return NULL;
  request = call_landing_make_request (calls, call, landing);
  beckon_tool_call_set_request (call, G_OBJECT (request));
  beckon_batch_add_request (batch, request);

  return request;
}

gboolean
beckon_call_landings_finish (BeckonCallBatch *calls)
{
  g_autoptr (GPtrArray) list = beckon_call_batch_list (calls);
  gboolean is_landing = FALSE;

  for (guint i = 0; i < list->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (list, i);

      if (!beckon_call_has_landing (call) || beckon_tool_call_get_landing (call)->state == BECKON_LANDING_WAITING)
        continue;
      beckon_call_land (calls, call);
      is_landing = TRUE;
    }

  return is_landing;
}

void
beckon_call_landing_drop (const BeckonRunScope *scope, BeckonToolCall *call)
{
  BeckonTool *tool = beckon_run_scope_find_tool (scope, call);

  if (beckon_tool_call_get_landing (call) != NULL)
    beckon_tool_call_take_landing (call, NULL);
  if (tool != NULL && beckon_tool_can_land (tool))
    beckon_landing_upkeep_drop (scope->parts.store, beckon_tool_call_get_id (call), beckon_run_scope_now (scope));
}
