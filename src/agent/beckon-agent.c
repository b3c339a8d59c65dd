/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-agent-private.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "beckon-landing-upkeep.h"
#include "beckon-own-command.h"
#include "beckon-run.h"
#include "request/beckon-approval-request.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonAgent, beckon_agent, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_PLAN_TOOLS, beckon_agent_plan_tools_init)
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_KEEP_CHECK, beckon_agent_keep_check_init)
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_CALL_PREVIEWER, beckon_agent_call_previewer_init))

enum
{
  SIGNAL_DRIVEN,
  SIGNAL_LET_GO,
  SIGNAL_IDLE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

gboolean
beckon_agent_is_at_rest (BeckonAgent *agent)
{
  GHashTableIter iter;
  gpointer run;

  g_hash_table_iter_init (&iter, agent->runs);
  while (g_hash_table_iter_next (&iter, NULL, &run))
    if (run == NULL || beckon_conversation_get_phase (beckon_run_get_conversation (run)) != BECKON_RUN_WAITING)
      return FALSE;

  return TRUE;
}

static void
on_phase_changed (BeckonAgent *agent, GParamSpec *pspec, BeckonConversation *conversation)
{
  if (agent->titler != NULL && beckon_conversation_get_phase (conversation) == BECKON_RUN_WAITING)
    beckon_titler_work (agent->titler);
}

static void
on_driven (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAgent) agent = user_data;
  BeckonRun *run = BECKON_RUN (source);
  const char *id = beckon_conversation_get_id (beckon_run_get_conversation (run));
  g_autoptr (GError) error = NULL;

  if (!beckon_run_drive_finish (run, result, &error))
    g_debug ("run of %s: %s", id, error->message);
  if (g_hash_table_lookup (agent->runs, id) == run)
    g_hash_table_remove (agent->runs, id);
  if (beckon_conversation_get_phase (beckon_run_get_conversation (run)) == BECKON_RUN_ASKED)
    g_hash_table_add (agent->asked, g_strdup (id));
  g_signal_handlers_disconnect_by_func (beckon_run_get_conversation (run), on_phase_changed, agent);
  if (agent->titler != NULL)
    beckon_titler_note (agent->titler, beckon_run_get_conversation (run));
  g_signal_emit (agent, signals[SIGNAL_LET_GO], 0, beckon_run_get_conversation (run));
  if (agent->titler != NULL)
    beckon_titler_work (agent->titler);
  if (g_hash_table_size (agent->runs) == 0)
    g_signal_emit (agent, signals[SIGNAL_IDLE], 0);
}

void
beckon_agent_drive (BeckonAgent *agent, BeckonRun *run)
{
  const char *id = beckon_conversation_get_id (beckon_run_get_conversation (run));

  g_hash_table_replace (agent->runs, g_strdup (id), g_object_ref (run));
  g_signal_connect_object (beckon_run_get_conversation (run), "notify::phase", G_CALLBACK (on_phase_changed), agent,
                           G_CONNECT_SWAPPED);
  g_signal_emit (agent, signals[SIGNAL_DRIVEN], 0, beckon_run_get_conversation (run));
  beckon_agent_watch_queue (agent, beckon_run_get_conversation (run));
  beckon_run_drive_async (run, agent->letting_go, on_driven, g_object_ref (agent));
}

void
beckon_agent_stop (BeckonAgent *agent, BeckonConversation *conversation)
{
  const char *id;
  gpointer run;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  id = beckon_conversation_get_id (conversation);
  if (beckon_agent_stop_compacting (agent, id))
    return;
  if (!g_hash_table_lookup_extended (agent->runs, id, NULL, &run))
    beckon_agent_stop_elsewhere (agent, conversation);
  else if (run != NULL)
    beckon_run_stop (run);
  else
    g_hash_table_add (agent->stop_soon, g_strdup (id));
}

static void
on_landed_now (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  BeckonLandNow outcome = beckon_run_land_now_finish (result, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_int (task, outcome);
}

void
beckon_agent_land_now_async (BeckonAgent *agent, BeckonConversation *conversation, BeckonToolCall *call,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  BeckonRun *run;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));
  g_return_if_fail (BECKON_IS_TOOL_CALL (call));

  task = g_task_new (agent, NULL, callback, user_data);
  g_task_set_source_tag (task, beckon_agent_land_now_async);
  run = g_hash_table_lookup (agent->runs, beckon_conversation_get_id (conversation));
  if (run == NULL)
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_CONFLICT, "%s", _("The command is no longer running."));
  else
    beckon_run_land_now_async (run, call, on_landed_now, g_object_ref (task));
}

BeckonLandNow
beckon_agent_land_now_finish (BeckonAgent *agent, GAsyncResult *result, GError **error)
{
  gssize outcome;

  g_return_val_if_fail (g_task_is_valid (result, agent), BECKON_LAND_NOW_FAILED);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_agent_land_now_async), BECKON_LAND_NOW_FAILED);

  outcome = g_task_propagate_int (G_TASK (result), error);

  return outcome < 0 ? BECKON_LAND_NOW_FAILED : (BeckonLandNow) outcome;
}

guint
beckon_agent_count_runs (BeckonAgent *agent)
{
  g_return_val_if_fail (BECKON_IS_AGENT (agent), 0);

  return g_hash_table_size (agent->runs);
}

gboolean
beckon_agent_is_driving (BeckonAgent *agent, const char *conversation_id)
{
  g_return_val_if_fail (BECKON_IS_AGENT (agent), FALSE);

  return g_hash_table_contains (agent->runs, conversation_id);
}

static void
on_released (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_run_release_finish (BECKON_RUN (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
beckon_agent_leave_async (BeckonAgent *agent, BeckonConversation *conversation, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (agent, NULL, callback, user_data);
  const char *id;
  gpointer run = NULL;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  g_task_set_source_tag (task, beckon_agent_leave_async);
  id = beckon_conversation_get_id (conversation);
  if (!g_hash_table_lookup_extended (agent->runs, id, NULL, &run))
    g_task_return_boolean (task, TRUE);
  else if (run == NULL)
    beckon_agent_return_taken (task);
  else
    beckon_run_release_async (run, on_released, g_steal_pointer (&task));
}

BECKON_FINISH_BOOLEAN (beckon_agent_leave, BeckonAgent)

void
beckon_agent_detach (BeckonAgent *agent)
{
  g_return_if_fail (BECKON_IS_AGENT (agent));

  g_clear_pointer (&agent->titler, beckon_titler_free);
  beckon_agent_unwatch (agent);
  beckon_agent_stop_all_compacting (agent);
  g_cancellable_cancel (agent->letting_go);
}

void
beckon_agent_set_names_conversations (BeckonAgent *agent, gboolean names_conversations)
{
  g_return_if_fail (BECKON_IS_AGENT (agent));

  g_clear_pointer (&agent->titler, beckon_titler_free);
  if (names_conversations)
    agent->titler = beckon_titler_new (agent);
}

void
beckon_agent_set_has_person (BeckonAgent *agent, gboolean has_person)
{
  g_return_if_fail (BECKON_IS_AGENT (agent));

  agent->has_person = has_person;
}

/* Whether the server has changed the tool since it was shown. A call that is let run so is taken back, with its rules, by the
 * process that starts it; until then they don't hold here. */
static gboolean
agent_asked_about_another (BeckonAgent *agent, BeckonRequest *request)
{
  const BeckonApprovalReason *ground
      = BECKON_IS_APPROVAL_REQUEST (request) ? beckon_request_get_ground (request) : NULL;
  BeckonTool *tool = ground != NULL && ground->definition != NULL
                       ? beckon_tool_registry_lookup (agent->parts.tools, beckon_request_get_tool (request)) : NULL;

  return tool != NULL && g_strcmp0 (ground->definition, beckon_tool_get_digest (tool)) != 0;
}

static void
agent_on_rule_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_rules_save_finish (BECKON_RULES (source), result, &error))
    g_message ("what an answer in a temporary conversation is to be remembered for was not stored: %s", error->message);
}

/* A temporary conversation's answer is in no file, but a rule that is not only about it is. */
static void
agent_hold_rule (BeckonAgent *agent, gboolean is_temporary, BeckonRule *rule)
{
  if (is_temporary && rule->conversation_id == NULL)
    beckon_rules_save_async (agent->parts.rules, rule, NULL, agent_on_rule_saved, NULL);
  else
    beckon_rules_add_now (agent->parts.rules, rule);
}

/* A rule remembered with an answer is stored with it, in one transaction. Here it begins to hold, before the call that was
 * answered starts and before the next one is decided. */
static void
agent_remember (BeckonAgent *agent, BeckonRequest *request)
{
  const BeckonAnswer *answer = beckon_request_get_answer (request);
  const char *id = beckon_request_get_conversation_id (request);
  BeckonConversation *conversation = beckon_library_lookup (agent->parts.library, id);
  gboolean is_temporary = conversation != NULL && beckon_conversation_get_temporary (conversation);
  gboolean is_outdated = agent_asked_about_another (agent, request);

  for (guint i = 0; answer != NULL && answer->remember != NULL && i < answer->remember->len; i++)
    {
      BeckonRule *rule = g_ptr_array_index (answer->remember, i);

      if (!is_outdated || rule->verdict != BECKON_VERDICT_ALLOW)
        agent_hold_rule (agent, is_temporary, rule);
    }
}

/* Rules that came with an answer hold before its call starts, and before the next one is decided. */
static void
agent_on_settled (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement, BeckonAgent *agent)
{
  const char *id = beckon_request_get_conversation_id (request);
  gpointer run = NULL;

  agent_remember (agent, request);
  if (!g_hash_table_lookup_extended (agent->runs, id, NULL, &run))
    beckon_agent_take_up_settled (agent, request);
  else if (run != NULL)
    beckon_run_follow_settlement (run, request, settlement);
}

BeckonAgent *
beckon_agent_new (const BeckonAgentParts *parts)
{
  BeckonAgent *agent = g_object_new (BECKON_TYPE_AGENT, NULL);

  beckon_agent_parts_init (&agent->parts, parts);
  beckon_store_set_place_remover (beckon_landing_upkeep_remove);
  beckon_inbox_set_plan_tools (agent->parts.inbox, BECKON_PLAN_TOOLS (agent));
  beckon_inbox_set_keep_check (agent->parts.inbox, BECKON_KEEP_CHECK (agent));
  beckon_inbox_set_previewer (agent->parts.inbox, BECKON_CALL_PREVIEWER (agent));
  g_signal_connect_object (agent->parts.inbox, "settled", G_CALLBACK (agent_on_settled), agent, 0);
  g_signal_connect_object (agent->parts.library, "items-changed", G_CALLBACK (beckon_agent_adopt_listed), agent,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (agent->parts.store, "changed-elsewhere", G_CALLBACK (beckon_agent_follow_store), agent,
                           G_CONNECT_SWAPPED);
  return agent;
}

static void
beckon_agent_dispose (GObject *object)
{
  BeckonAgent *agent = BECKON_AGENT (object);

  g_clear_pointer (&agent->titler, beckon_titler_free);
  beckon_agent_unwatch (agent);
  g_cancellable_cancel (agent->letting_go);
  g_clear_object (&agent->letting_go);
  g_clear_pointer (&agent->runs, g_hash_table_unref);
  g_clear_pointer (&agent->stop_soon, g_hash_table_unref);
  g_clear_pointer (&agent->compacting, g_hash_table_unref);
  g_clear_pointer (&agent->asked, g_hash_table_unref);
  g_clear_pointer (&agent->unlisted, g_hash_table_unref);
  beckon_agent_parts_clear (&agent->parts);
  G_OBJECT_CLASS (beckon_agent_parent_class)->dispose (object);
}

static void
run_unref (gpointer run)
{
  if (run != NULL)
    g_object_unref (run);
}

static void
beckon_agent_class_init (BeckonAgentClass *klass)
{
  signals[SIGNAL_DRIVEN] = g_signal_new ("driven", BECKON_TYPE_AGENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                         1, BECKON_TYPE_CONVERSATION);
  signals[SIGNAL_LET_GO] = g_signal_new ("detached", BECKON_TYPE_AGENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                         1, BECKON_TYPE_CONVERSATION);
  signals[SIGNAL_IDLE]
      = g_signal_new ("idle", BECKON_TYPE_AGENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  G_OBJECT_CLASS (klass)->dispose = beckon_agent_dispose;
}

static void
beckon_agent_init (BeckonAgent *agent)
{
  agent->has_person = TRUE;
  agent->follows_queue = TRUE;
  agent->runs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, run_unref);
  agent->stop_soon = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  agent->compacting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  agent->asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  agent->unlisted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  agent->letting_go = g_cancellable_new ();
}
