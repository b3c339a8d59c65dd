/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-run-private.h"
#include "request/beckon-outcome-request.h"

/*
 * A call was running when its program ended, and the person lets the tool itself look what became of it. Looking changes
 * nothing, so that it needs no decision and no start: should the program end meanwhile, the person is asked again.
 */

typedef struct
{
  BeckonRun *run;
  BeckonToolCall *call;
  guint activation;
  guint entered;
} Look;

static void
look_free (Look *look)
{
  g_object_unref (look->run);
  g_object_unref (look->call);
  g_free (look);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Look, look_free)

gboolean
beckon_run_is_to_look (BeckonToolCall *call)
{
  BeckonRequest *request = BECKON_REQUEST (beckon_tool_call_get_request (call));

  return beckon_tool_call_get_state (call) == BECKON_CALL_UNKNOWN && request != NULL &&
         beckon_request_get_state (request) == BECKON_REQUEST_ANSWERED;
}

static void
store_found (BeckonRun *run, BeckonToolCall *call, const char *found)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  gint64 now = beckon_run_now (run);
  g_autofree char *result = g_strdup_printf ("The program ended while this call was running, so it has no output. The tool "
                                             "looked at what became of it: %s",
                                             found);

  beckon_tool_call_set_times (call, beckon_tool_call_get_started_at (call), now);
  beckon_tool_call_set_result (call, result, FALSE);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_RESULT);
  beckon_batch_set_call (batch, call, BECKON_CALL_UNKNOWN);
  beckon_batch_add_provenance (batch, run->record->conversation_id, beckon_tool_call_get_id (call), "looked", NULL, now);
  beckon_run_commit (run, batch, NULL, NULL, NULL);
}

static void
show_request (BeckonRun *run, gpointer request)
{
  beckon_inbox_add (run->parts.inbox, request);
}

/* The tool could not tell: the person is asked again, without what did not help. */
static void
ask_person (BeckonRun *run, BeckonToolCall *call)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonRequest *request = beckon_run_make_request_anew (run, call);

  beckon_request_set_can_verify (request, FALSE);
  beckon_tool_call_set_request (call, G_OBJECT (request));
  beckon_batch_add_request (batch, request);
  beckon_run_commit (run, batch, show_request, request, g_object_unref);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Look) look = user_data;
  BeckonRun *run = look->run;
  g_autoptr (GError) error = NULL;
  g_autofree char *found = beckon_tool_verify_finish (BECKON_TOOL (source), result, &error);

  if (look->activation != run->activation || !beckon_call_batch_leave_tool (run->calls, look->entered))
    return;
  beckon_call_batch_unmark (run->calls, look->call, BECKON_CALL_MARK_VERIFY);
  if (run->stopping)
    beckon_run_step (run);
  else if (found != NULL)
    store_found (run, look->call, found);
  else
    ask_person (run, look->call);
}

/* Once, however often the run steps meanwhile. */
void
beckon_run_look (BeckonRun *run, BeckonToolCall *call)
{
  BeckonTool *tool = beckon_tool_registry_lookup (run->parts.tools, beckon_tool_call_get_name (call));
  BeckonToolContext context = {
    .conversation_id = run->record->conversation_id,
    .message_id = beckon_call_batch_get_message_id (run->calls),
    .call = call,
    .arguments = beckon_tool_call_get_effective_arguments (call),
    .folder = beckon_conversation_get_folder (run->conversation),
    .now = beckon_run_now (run),
  };
  Look *look;

  if (beckon_call_batch_is_marked (run->calls, call, BECKON_CALL_MARK_VERIFY))
    return;
  if (tool == NULL || !beckon_tool_can_verify (tool))
    {
      ask_person (run, call);
      return;
    }
  beckon_call_batch_mark (run->calls, call, BECKON_CALL_MARK_VERIFY);
  look = g_new0 (Look, 1);
  look->run = g_object_ref (run);
  look->call = g_object_ref (call);
  look->activation = run->activation;
  look->entered = beckon_call_batch_enter_tool (run->calls);
  beckon_tool_verify_async (tool, &context, run->cancellable, on_looked, look);
}
