/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-tool-prompt.h"

#include "base/beckon-error.h"
#include "request/beckon-form-request.h"
#include "request/beckon-trust-request.h"

/*
 * A running tool asks, such as whether what takes so long is to go on. Such a request belongs to the conversation and not
 * to its call, which is started and waits for nobody: no answer could become its result. It shows in place of the call, and
 * ends with it.
 */

typedef struct
{
  BeckonCallBatch *calls;
  BeckonToolCall *call;
  BeckonRequest *request;
  gulong settled;
  gulong cancelled;
  gint64 begun_at; /* when it began to wait; 0 if it did not */
} Prompt;

typedef struct
{
  BeckonInbox *inbox;
  GPtrArray *forms; /* (element-type BeckonRequest) */
} Handing;

static void
handing_free (gpointer data)
{
  Handing *handing = data;

  g_object_unref (handing->inbox);
  g_ptr_array_unref (handing->forms);
  g_free (handing);
}

static void
prompt_free (gpointer data)
{
  Prompt *prompt = data;

  beckon_call_batch_unref (prompt->calls);
  g_object_unref (prompt->call);
  g_object_unref (prompt->request);
  g_free (prompt);
}

static void
tool_prompt_on_revealed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  BeckonAnswer *answer = beckon_inbox_reveal_finish (BECKON_INBOX (source), result, &error);

  if (answer != NULL)
    {
      g_task_return_pointer (task, answer, (GDestroyNotify) beckon_answer_unref);
      return;
    }
  /* A model reads it: what the keyring says is for people. */
  g_message ("an answer was not read from the keyring: %s", error->message);
  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_STORE,
                           "The user answered what the server asked, but what they entered can't be read from their keyring, "
                           "so that the server did not get it. Ask them to unlock the keyring, then call the tool again.");
}

/* The call shows as itself again. */
static void
return_answer (GTask *task)
{
  Prompt *prompt = g_task_get_task_data (task);
  BeckonAnswer *answer = beckon_request_get_answer (prompt->request);
  gint64 now = beckon_run_scope_now (beckon_call_batch_get_scope (prompt->calls));

  g_clear_signal_handler (&prompt->settled, prompt->request);
  if (g_task_get_cancellable (task) != NULL)
    g_cancellable_disconnect (g_task_get_cancellable (task), prompt->cancelled);
  beckon_tool_call_add_asked (prompt->call, G_OBJECT (prompt->request));
  if (prompt->begun_at > 0)
    beckon_tool_call_add_waited (prompt->call, now - prompt->begun_at);
  if (beckon_tool_call_get_request (prompt->call) == G_OBJECT (prompt->request))
    beckon_tool_call_set_request (prompt->call, NULL);
  beckon_inbox_hold (beckon_call_batch_get_scope (prompt->calls)->parts.inbox, prompt->request);
  if (answer != NULL)
    {
      beckon_inbox_reveal_async (beckon_call_batch_get_scope (prompt->calls)->parts.inbox, prompt->request, answer, NULL,
                                 tool_prompt_on_revealed, task);
      return;
    }
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "The question was taken back.");
  g_object_unref (task);
}

static void
on_state (GTask *task)
{
  Prompt *prompt = g_task_get_task_data (task);

  if (beckon_request_get_state (prompt->request) != BECKON_REQUEST_PENDING)
    return_answer (task);
}

/* A server that no longer waits is not a person who stopped it. */
static void
tool_prompt_take_back (const BeckonRunScope *scope, BeckonRequest *request, gboolean is_stopped)
{
  gboolean is_gone = BECKON_IS_FORM_REQUEST (request) && !is_stopped;
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (is_gone ? BECKON_ANSWER_UNAVAILABLE : BECKON_ANSWER_CANCELLED, NULL);

  beckon_inbox_settle_async (scope->parts.inbox, beckon_request_get_id (request), answer, "agent", NULL, NULL, NULL, NULL);
}

/* A run that this process lets go of is resumed in another one, with the form. */
static gboolean
is_left_open (const Prompt *prompt)
{
  return !beckon_call_batch_is_driven (prompt->calls) && beckon_form_request_get_resumption (prompt->request) != NULL;
}

/* Not from within the cancelling. */
static gboolean
take_back_later (gpointer user_data)
{
  Prompt *prompt = g_task_get_task_data (G_TASK (user_data));

  if (beckon_request_get_state (prompt->request) == BECKON_REQUEST_PENDING && !is_left_open (prompt))
    tool_prompt_take_back (beckon_call_batch_get_scope (prompt->calls), prompt->request,
                           beckon_call_batch_is_stopping (prompt->calls));
  return G_SOURCE_REMOVE;
}

static void
tool_prompt_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, take_back_later, g_object_ref (user_data), g_object_unref);
}

/* The task holds itself until the request is settled. */
static void
wait_for_answer (GTask *task)
{
  Prompt *prompt = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);

  prompt->begun_at = beckon_run_scope_now (beckon_call_batch_get_scope (prompt->calls));
  beckon_tool_call_set_request (prompt->call, G_OBJECT (prompt->request));
  prompt->settled = g_signal_connect_swapped (prompt->request, "notify::state", G_CALLBACK (on_state), task);
  g_object_ref (task);
  if (cancellable != NULL)
    prompt->cancelled = g_cancellable_connect (cancellable, G_CALLBACK (tool_prompt_on_cancelled), task, NULL);
}

static void
tool_prompt_on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Prompt *prompt = g_task_get_task_data (task);
  GError *error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  beckon_inbox_add (beckon_call_batch_get_scope (prompt->calls)->parts.inbox, prompt->request);
  wait_for_answer (task);
}

/* Not from within the tool's own call. */
static gboolean
return_stored (gpointer user_data)
{
  return_answer (g_object_ref (user_data));
  return G_SOURCE_REMOVE;
}

static GPtrArray *
list_resumable (const BeckonRunScope *scope, BeckonToolCall *call)
{
  return beckon_inbox_list_resumable (scope->parts.inbox, beckon_run_scope_get_id (scope), beckon_tool_call_get_id (call));
}

/* A call that is sent again asks the same: the request that is there is the one. */
static gboolean
adopt (GTask *task, Prompt *prompt, const BeckonRunScope *scope)
{
  const char *key = beckon_form_request_get_key (prompt->request);
  const char *resumption = beckon_form_request_get_resumption (prompt->request);
  g_autoptr (GPtrArray) stored = list_resumable (scope, prompt->call);

  for (guint i = 0; key != NULL && i < stored->len; i++)
    {
      BeckonRequest *request = g_ptr_array_index (stored, i);

      if (g_strcmp0 (beckon_form_request_get_key (request), key) != 0
          || g_strcmp0 (beckon_form_request_get_resumption (request), resumption) != 0)
        continue;
      g_set_object (&prompt->request, request);
      if (beckon_request_get_state (request) == BECKON_REQUEST_PENDING)
        wait_for_answer (task);
      else
        g_idle_add_full (G_PRIORITY_DEFAULT, return_stored, g_object_ref (task), g_object_unref);
      return TRUE;
    }
  if (BECKON_IS_FORM_REQUEST (prompt->request))
    beckon_form_request_set_asking_call (prompt->request, beckon_tool_call_get_id (prompt->call));
  return FALSE;
}

/* The call says what there was to ask, where there is no person. It was put to none, so it is not stored. */
static void
tool_prompt_refuse (GTask *task, const BeckonRunScope *scope, BeckonToolCall *call, BeckonRequest *request)
{
  if (!beckon_run_scope_may_ask (scope))
    {
      beckon_request_settle (request, BECKON_REQUEST_UNAVAILABLE, NULL, "agent", NULL, beckon_run_scope_now (scope));
      beckon_tool_call_add_asked (call, G_OBJECT (request));
    }
  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "Nobody can be asked now.");
}

/**
 * beckon_tool_prompt_async: (skip)
 * @calls: the calls
 * @call: a call that is running
 * @tool: the tool that runs it
 * @request: what it asks, of any class; about no call
 * @cancellable: (nullable): takes it back
 * @callback: for beckon_tool_prompt_finish()
 * @user_data: for @callback
 */
void
beckon_tool_prompt_async (BeckonCallBatch *calls, BeckonToolCall *call, BeckonTool *tool, BeckonRequest *request,
                          GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  const char *server = beckon_tool_get_server (tool);
  Prompt *prompt;
  BeckonBatch *batch;

  g_task_set_check_cancellable (task, FALSE);
  g_task_set_source_tag (task, beckon_tool_prompt_async);
  /* The person knows a server by its name, and a built-in tool by what it is called. A server that drops its tool meanwhile is
   * still the one that asks. */
  beckon_request_take_asked_by (request, server != NULL && *server != '\0'
                                           ? beckon_asked_by_new (BECKON_ASKED_BY_SERVER, server)
                                           : beckon_asked_by_new (BECKON_ASKED_BY_TOOL, beckon_tool_call_get_name (call)));
  if (!beckon_call_batch_is_driven (calls) || beckon_call_batch_is_stopping (calls) || !beckon_run_scope_may_ask (scope)
      || beckon_call_batch_get_message (calls) == NULL)
    {
      tool_prompt_refuse (task, scope, call, request);
      return;
    }

  prompt = g_new0 (Prompt, 1);
  prompt->calls = beckon_call_batch_ref (calls);
  prompt->call = g_object_ref (call);
  prompt->request = g_object_ref (request);
  g_task_set_task_data (task, prompt, prompt_free);
  if (adopt (task, prompt, scope))
    return;
  if (beckon_form_request_get_resumption (request) == NULL)
    beckon_request_bind (request);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_add_request (batch, prompt->request);
  beckon_store_commit_async (scope->parts.store, batch, NULL, tool_prompt_on_stored, g_steal_pointer (&task));
}

/**
 * beckon_tool_prompt_cancel_all: (skip)
 * @run: a run that was taken over
 *
 * What a tool asked that is gone with its process is over, but for what its call can be sent again with.
 */
void
beckon_tool_prompt_cancel_all (const BeckonRunScope *scope)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (scope->parts.inbox));

  for (guint i = n; i > 0; i--)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (G_LIST_MODEL (scope->parts.inbox), i - 1);

      if (beckon_request_get_call_id (request) == NULL && !BECKON_IS_TRUST_REQUEST (request)
          && beckon_form_request_get_resumption (request) == NULL
          && g_strcmp0 (beckon_request_get_conversation_id (request), beckon_run_scope_get_id (scope)) == 0)
        tool_prompt_take_back (scope, request, FALSE);
    }
}

gboolean
beckon_tool_prompt_can_resume (const BeckonRunScope *scope, BeckonToolCall *call)
{
  g_autoptr (GPtrArray) stored = list_resumable (scope, call);

  return stored->len > 0;
}

char *
beckon_tool_prompt_dup_resumption (const BeckonRunScope *scope, BeckonToolCall *call)
{
  g_autoptr (GPtrArray) stored = list_resumable (scope, call);

  return stored->len > 0 ? g_strdup (beckon_form_request_get_resumption (g_ptr_array_index (stored, 0))) : NULL;
}

static void
on_handed_over (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Handing *handing = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      /* A model reads it: what the store says is for people. */
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_STORE,
                               "What the user answered was not sent to the server, because that could not be noted first.");
      return;
    }
  for (guint i = 0; i < handing->forms->len; i++)
    {
      beckon_form_request_set_delivered (g_ptr_array_index (handing->forms, i));
      beckon_inbox_drop (handing->inbox, g_ptr_array_index (handing->forms, i));
    }
  g_task_return_boolean (task, TRUE);
}

/**
 * beckon_tool_prompt_hand_over: (skip)
 * @calls: the calls
 * @call: a call that is running, all of whose forms are answered
 * @resumption: what they were asked with
 * @callback: see #BeckonToolHandOver
 * @user_data: for @callback
 */
void
beckon_tool_prompt_hand_over (BeckonCallBatch *calls, BeckonToolCall *call, const char *resumption,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonRunScope *scope = beckon_call_batch_get_scope (calls);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  g_autoptr (GPtrArray) forms = list_resumable (scope, call);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  Handing *handing = g_new0 (Handing, 1);

  g_task_set_source_tag (task, beckon_tool_prompt_hand_over);
  handing->inbox = g_object_ref (scope->parts.inbox);
  handing->forms = g_ptr_array_new_with_free_func (g_object_unref);
  g_task_set_task_data (task, handing, handing_free);
  for (guint i = 0; i < forms->len; i++)
    {
      BeckonRequest *form = g_ptr_array_index (forms, i);

      if (g_strcmp0 (beckon_form_request_get_resumption (form), resumption) != 0)
        continue;
      beckon_batch_hand_over (batch, beckon_request_get_id (form));
      g_ptr_array_add (handing->forms, g_object_ref (form));
    }
  beckon_store_commit_async (scope->parts.store, batch, NULL, on_handed_over, g_steal_pointer (&task));
}

static void
end_form (const BeckonRunScope *scope, BeckonRequest *request, gboolean is_stopped)
{
  beckon_inbox_drop (scope->parts.inbox, request);
  if (beckon_request_get_state (request) == BECKON_REQUEST_PENDING)
    tool_prompt_take_back (scope, request, is_stopped);
}

void
beckon_tool_prompt_end (const BeckonRunScope *scope, BeckonToolCall *call, gboolean is_stopped)
{
  g_autoptr (GPtrArray) stored = list_resumable (scope, call);

  for (guint i = 0; i < stored->len; i++)
    end_form (scope, g_ptr_array_index (stored, i), is_stopped);
}

static gboolean
tool_prompt_is_over (const BeckonRunScope *scope, BeckonRequest *request)
{
  const char *id = beckon_form_request_get_asking_call (request);
  BeckonToolCall *call = id != NULL ? beckon_conversation_find_call (scope->conversation, id) : NULL;

  return call == NULL || beckon_call_state_is_final (beckon_tool_call_get_state (call))
         || beckon_tool_call_get_state (call) == BECKON_CALL_UNKNOWN;
}

void
beckon_tool_prompt_end_left (const BeckonRunScope *scope, gboolean is_stopped)
{
  g_autoptr (GPtrArray) stored
    = beckon_inbox_list_resumable (scope->parts.inbox, beckon_run_scope_get_id (scope), NULL);

  for (guint i = 0; i < stored->len; i++)
    if (tool_prompt_is_over (scope, g_ptr_array_index (stored, i)))
      end_form (scope, g_ptr_array_index (stored, i), is_stopped);
}
