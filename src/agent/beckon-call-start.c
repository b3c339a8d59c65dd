/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-start.h"

#include "beckon-call-confirmation.h"
#include "beckon-call-executor.h"
#include "beckon-call-log.h"

/*
 * The one place where a tool starts. It takes calls that were decided, surveys them and the files that an approval is bound to,
 * asks policy once more, and stores the start with the decision that it takes before anything runs.
 */

/* Calls to start, and requests to ask instead. */
typedef struct
{
  GPtrArray *calls;    /* (element-type BeckonToolCall) */
  GPtrArray *requests; /* (element-type BeckonRequest) */
} Starting;

static void
starting_free (gpointer data)
{
  Starting *starting = data;

  g_ptr_array_unref (starting->calls);
  g_ptr_array_unref (starting->requests);
  g_free (starting);
}

static void
begin (BeckonCallBatch *calls, BeckonToolCall *call)
{
  const BeckonCallExecutor *executor = beckon_call_find_executor (call);

  if (executor->begin != NULL)
    executor->begin (calls, call);
}

static void
run_tools (BeckonCallBatch *calls, gpointer user_data)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  Starting *starting = user_data;

  for (guint i = 0; i < starting->requests->len; i++)
    beckon_inbox_add (scope->parts.inbox, g_ptr_array_index (starting->requests, i));
  for (guint i = 0; i < starting->calls->len; i++)
    {
      /* A stop that came while the start was being written: it has not begun, so it is not begun. */
      if (beckon_call_batch_is_stopping (calls))
        beckon_tool_call_set_times (g_ptr_array_index (starting->calls, i), 0, 0);
      else
        begin (calls, g_ptr_array_index (starting->calls, i));
    }
}

/* Takes the decision by which the call starts; without one the store refuses all of it. */
static void
write_start (const BeckonRunScope *scope, BeckonToolCall *call, gint64 now, BeckonBatch *batch)
{
  g_autofree char *permit_id = g_strdup (beckon_call_find_permit (call));
  g_autofree char *digest = beckon_tool_call_dup_digest (call);

  beckon_tool_call_apply (call, BECKON_CALL_EVENT_STARTED);
  beckon_tool_call_set_times (call, now, 0);
  beckon_batch_use_permit (batch, permit_id != NULL ? permit_id : "", beckon_tool_call_get_id (call), digest, now);
  beckon_batch_set_call (batch, call, BECKON_CALL_DECIDED);
  beckon_call_log_start (scope, call, permit_id, batch);
}

/* The last look is policy's, so that nothing can have changed between it and the start. */
static void
start_or_not (BeckonCallBatch *calls, BeckonToolCall *call, gint64 now, BeckonBatch *batch, Starting *starting)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  g_auto (BeckonCallDecision) decision = { 0 };

  if (beckon_call_confirm (calls, call, &decision))
    {
      write_start (scope, call, now, batch);
      g_ptr_array_add (starting->calls, g_object_ref (call));
      return;
    }
  beckon_batch_set_call (batch, call, BECKON_CALL_DECIDED);
  beckon_call_write_decision (scope, call, &decision, batch, starting->requests);
}

static void
start_surveyed (BeckonCallBatch *calls, gpointer user_data)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  g_autoptr (GPtrArray) list = user_data;
  Starting *starting = g_new0 (Starting, 1);
  gboolean changes = FALSE;
  gint64 now = beckon_run_scope_now (scope);
  BeckonBatch *batch;

  starting->calls = g_ptr_array_new_with_free_func (g_object_unref);
  starting->requests = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < list->len; i++)
    changes = changes || !beckon_tool_call_get_read_only (g_ptr_array_index (list, i));
  batch = beckon_batch_new (changes ? BECKON_DURABILITY_FULL : BECKON_DURABILITY_NORMAL);
  for (guint i = 0; i < list->len; i++)
    start_or_not (calls, g_ptr_array_index (list, i), now, batch, starting);
  beckon_call_batch_commit (calls, batch, run_tools, starting, starting_free);
}

void
beckon_call_start_all (BeckonCallBatch *calls, GPtrArray *list)
{
  GPtrArray *copy = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < list->len; i++)
    g_ptr_array_add (copy, g_object_ref (g_ptr_array_index (list, i)));
  beckon_call_batch_survey (calls, copy, TRUE, start_surveyed, copy, (GDestroyNotify) g_ptr_array_unref);
}
