/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-start.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-call-confirmation.h"
#include "beckon-call-executor.h"
#include "beckon-call-log.h"

#include <glib/gi18n-lib.h>

/*
 * The one place where a tool starts. It takes calls that were decided, has the hooks look at them, then surveys them and the
 * files that an approval is bound to, then asks policy once more, and stores the start with the decision that it takes before
 * anything runs.
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
call_start_begin (BeckonCallBatch *calls, BeckonToolCall *call)
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
        call_start_begin (calls, g_ptr_array_index (starting->calls, i));
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

/* The hooks' verdict on a call. */
typedef struct
{
  BeckonToolCall *call; /* (owned) */
  BeckonHookVerdict verdict;
  char *reason; /* (owned) (nullable) */
} Checked;

static void
checked_free (gpointer data)
{
  Checked *checked = data;

  g_object_unref (checked->call);
  g_free (checked->reason);
  g_free (checked);
}

static void
refuse_by_hook (const Checked *checked)
{
  g_autofree char *result = g_strdup_printf ("Not run, and nothing was changed: a check on the user's computer stopped this "
                                             "call. %s",
                                             checked->reason != NULL ? checked->reason : "");
  g_autofree char *shown = checked->reason != NULL ? beckon_text_for_display (checked->reason, -1, BECKON_TEXT_PROSE) : NULL;
  /* Translators: a hook is a program that the person set up; %s is what it said */
  g_autofree char *reason = shown != NULL ? beckon_text_printf (_("A hook stopped this: %s"), shown)
                                          : g_strdup (_("A hook stopped this."));

  beckon_tool_call_set_reason (checked->call, reason);
  beckon_call_refuse (checked->call, result);
}

/* The last look is policy's, so that nothing can have changed between it and the start. */
static gboolean
may_start (BeckonCallBatch *calls, const Checked *checked, BeckonCallDecision *decision)
{
  if (checked->verdict == BECKON_HOOK_VETO)
    {
      beckon_call_take_rules_back (beckon_call_batch_get_scope (calls), checked->call);
      refuse_by_hook (checked);
    }
  else if (checked->verdict == BECKON_HOOK_ASK && !beckon_call_is_decided_by_person (checked->call))
    beckon_call_ask_about (calls, checked->call, checked->reason, decision);
  else
    return beckon_call_confirm (calls, checked->call, decision);

  return FALSE;
}

static void
start_or_not (BeckonCallBatch *calls, const Checked *checked, gint64 now, BeckonBatch *batch, Starting *starting)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  g_auto (BeckonCallDecision) decision = { 0 };

  if (may_start (calls, checked, &decision))
    {
      write_start (scope, checked->call, now, batch);
      g_ptr_array_add (starting->calls, g_object_ref (checked->call));
      return;
    }
  beckon_batch_set_call (batch, checked->call, BECKON_CALL_DECIDED);
  beckon_call_write_decision (scope, checked->call, &decision, batch, starting->requests);
}

static void
start_checked (BeckonCallBatch *calls, gpointer user_data)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  g_autoptr (GPtrArray) all = user_data;
  Starting *starting = g_new0 (Starting, 1);
  gboolean changes = FALSE;
  gint64 now = beckon_run_scope_now (scope);
  BeckonBatch *batch;

  starting->calls = g_ptr_array_new_with_free_func (g_object_unref);
  starting->requests = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < all->len; i++)
    changes = changes || !beckon_tool_call_get_read_only (((Checked *) g_ptr_array_index (all, i))->call);
  batch = beckon_batch_new (changes ? BECKON_DURABILITY_FULL : BECKON_DURABILITY_NORMAL);
  for (guint i = 0; i < all->len; i++)
    start_or_not (calls, g_ptr_array_index (all, i), now, batch, starting);
  beckon_call_batch_commit (calls, batch, run_tools, starting, starting_free);
}

/* Calls on their way through what looks at them. Meanwhile nothing becomes of any call, but a stop waits for no hook. */
typedef struct
{
  BeckonCallBatch *calls; /* (owned) */
  guint ticket;
  GPtrArray *all; /* (owned) (element-type Checked) */
  guint next;
} Checking;

static void
checking_free (Checking *checking)
{
  beckon_call_batch_unref (checking->calls);
  g_ptr_array_unref (checking->all);
  g_free (checking);
}

/* They are looked at behind the hooks, so that nothing can have changed between that and the start. */
static void
look_again (Checking *checking)
{
  BeckonCallBatch *calls = checking->calls;
  g_autoptr (GPtrArray) list = g_ptr_array_new ();

  beckon_call_batch_set_checking (calls, FALSE);
  for (guint i = 0; i < checking->all->len; i++)
    g_ptr_array_add (list, ((Checked *) g_ptr_array_index (checking->all, i))->call);
  if (!beckon_call_batch_is_stopping (calls))
    beckon_call_batch_survey (calls, list, TRUE, start_checked, g_ptr_array_ref (checking->all),
                              (GDestroyNotify) g_ptr_array_unref);
  checking_free (checking);
}

static void check_next (Checking *checking);

static void
call_start_on_checked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Checking *checking = user_data;
  Checked *checked = g_ptr_array_index (checking->all, checking->next);

  checked->verdict = beckon_hooks_check_finish (BECKON_HOOKS (source), result, &checked->reason);
  checking->next++;
  if (beckon_call_batch_is_current (checking->calls, checking->ticket))
    check_next (checking);
  else
    checking_free (checking);
}

static void
check_next (Checking *checking)
{
  BeckonCallBatch *calls = checking->calls;
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);

  if (checking->next < checking->all->len && !beckon_call_batch_is_stopping (calls))
    {
      Checked *checked = g_ptr_array_index (checking->all, checking->next);
      BeckonHookCall told = beckon_call_make_hook_call (scope, checked->call);

      beckon_hooks_check_async (scope->parts.hooks, &told, beckon_call_batch_get_cancellable (calls), call_start_on_checked,
                                checking);
      return;
    }
  look_again (checking);
}

static GPtrArray *
call_start_make_list (GPtrArray *calls)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (checked_free);

  for (guint i = 0; i < calls->len; i++)
    {
      Checked *checked = g_new0 (Checked, 1);

      checked->call = g_object_ref (g_ptr_array_index (calls, i));
      g_ptr_array_add (all, checked);
    }

  return all;
}

void
beckon_call_start_all (BeckonCallBatch *calls, GPtrArray *list)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  Checking *checking = g_new0 (Checking, 1);

  checking->calls = beckon_call_batch_ref (calls);
  checking->ticket = beckon_call_batch_get_ticket (calls);
  checking->all = call_start_make_list (list);
  beckon_call_batch_set_checking (calls, TRUE);
  if (scope->parts.hooks != NULL && beckon_hooks_intercept (scope->parts.hooks))
    check_next (checking);
  else
    look_again (checking);
}
