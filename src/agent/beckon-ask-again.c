/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-agent-private.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "request/beckon-question-draft.h"
#include "request/beckon-question-request.h"

#include <glib/gi18n-lib.h>

/*
 * A question that is asked again stands in a branch of its conversation: a copy of the message that asked, in which only
 * this call waits again. Its sibling calls keep the results that they have, so that nothing is run twice.
 */

typedef struct
{
  BeckonConversation *conversation;
  char *message_id;
  BeckonMessage *message; /* (nullable): the one that asked, once it is known */
  char *call_id;
  BeckonConversation *branch;
} AskAgain;

static void
ask_again_free (AskAgain *again)
{
  g_clear_object (&again->conversation);
  g_free (again->message_id);
  g_clear_object (&again->message);
  g_clear_object (&again->branch);
  g_free (again->call_id);
  g_free (again);
}

static BeckonRequest *
get_question (BeckonToolCall *call)
{
  BeckonRequest *request = call != NULL ? BECKON_REQUEST (beckon_tool_call_get_request (call)) : NULL;

  return request != NULL && BECKON_IS_QUESTION_REQUEST (request) &&
                 beckon_request_get_state (request) != BECKON_REQUEST_PENDING
             ? request
             : NULL;
}

static BeckonToolCall *
copy_call (BeckonToolCall *call, gboolean again)
{
  BeckonCallState state = beckon_tool_call_get_state (call);
  BeckonToolCall *copy = beckon_tool_call_new (NULL, beckon_tool_call_get_provider_id (call),
                                               beckon_tool_call_get_name (call), beckon_tool_call_get_arguments (call));

  beckon_tool_call_set_read_only (copy, beckon_tool_call_get_read_only (call));
  beckon_tool_call_set_settled_arguments (copy, beckon_tool_call_get_settled_arguments (call));
  beckon_tool_call_set_redacted (copy, beckon_tool_call_get_redacted (call));
  if (again)
    {
      beckon_tool_call_apply (copy, BECKON_CALL_EVENT_ASKED);
      return copy;
    }
  beckon_tool_call_set_fault (copy, beckon_tool_call_get_fault (call));
  beckon_tool_call_set_times (copy, beckon_tool_call_get_started_at (call), beckon_tool_call_get_finished_at (call));
  beckon_tool_call_add_images_of (copy, call);
  if (beckon_tool_call_get_result (call) != NULL)
    beckon_tool_call_set_result (copy, beckon_tool_call_get_result (call), beckon_tool_call_get_is_error (call));
  else
    beckon_tool_call_set_result (copy, "This call was not finished when the question was asked again.", TRUE);
  beckon_tool_call_set_state (copy, beckon_call_state_is_final (state) ? state : BECKON_CALL_CANCELLED);
  return copy;
}

static BeckonPart *
copy_part (AskAgain *again, BeckonPart *part, BeckonToolCall **asked)
{
  BeckonToolCall *call = beckon_part_get_call (part);
  g_autoptr (BeckonToolCall) copy = NULL;
  gboolean asks;
  BeckonPart *made;

  if (call == NULL)
    {
      made = beckon_part_new (beckon_part_get_kind (part), beckon_part_get_text (part));
      beckon_part_set_origin (made, beckon_part_get_origin (part));
      return made;
    }
  asks = g_str_equal (beckon_tool_call_get_id (call), again->call_id);
  copy = copy_call (call, asks);
  if (asks)
    *asked = copy;
  return beckon_part_new_call (copy);
}

static void
ask_again_on_resumed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  AskAgain *again = g_task_get_task_data (task);
  GError *error = NULL;

  if (beckon_agent_resume_finish (BECKON_AGENT (source), result, &error))
    g_task_return_pointer (task, g_object_ref (again->branch), g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
ask_again_on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  AskAgain *again = g_task_get_task_data (task);
  GError *error = NULL;

  if (beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    beckon_agent_resume_async (g_task_get_source_object (task), again->branch, g_task_get_cancellable (task),
                               ask_again_on_resumed,
                               g_object_ref (task));
  else
    g_task_return_error (task, error);
}

static BeckonMessage *
ask_again_add_message (AskAgain *again, BeckonBatch *batch, gint64 now, BeckonToolCall **asked)
{
  const char *conversation_id = beckon_conversation_get_id (again->branch);
  BeckonMessage *message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, now);

  beckon_message_set_seq (message, beckon_message_get_seq (again->message));
  beckon_message_set_status (message, BECKON_MESSAGE_COMPLETE);
  beckon_batch_add_message (batch, conversation_id, message);
  for (guint i = 0; i < beckon_message_get_n_parts (again->message); i++)
    {
      g_autoptr (BeckonPart) part = copy_part (again, beckon_message_get_part (again->message, i), asked);

      beckon_message_add_part (message, part);
      beckon_batch_add_part (batch, conversation_id, beckon_message_get_id (message), i, part);
    }
  return message;
}

static BeckonToolCall *
ask_again_find_call (BeckonMessage *message, const char *call_id)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));

      if (call != NULL && g_str_equal (beckon_tool_call_get_id (call), call_id))
        return call;
    }
  return NULL;
}

static void
on_branched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = g_task_get_source_object (task);
  const BeckonAgentParts *parts = &agent->parts;
  AskAgain *again = g_task_get_task_data (task);
  BeckonRequest *old = get_question (ask_again_find_call (again->message, again->call_id));
  g_autoptr (BeckonQuestion) question = beckon_question_request_copy_question (old);
  gint64 now = beckon_clock_get_real_time (parts->clock);
  g_autoptr (BeckonMessage) message = NULL;
  g_autoptr (BeckonRequest) request = NULL;
  g_autoptr (BeckonRunRecord) record = NULL;
  g_autofree char *draft = NULL;
  BeckonBatch *batch;
  BeckonToolCall *asked = NULL;
  GError *error = NULL;

  again->branch = beckon_library_branch_finish (BECKON_LIBRARY (source), result, &error);
  if (again->branch == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  message = ask_again_add_message (again, batch, now, &asked);
  request = beckon_question_request_new (NULL, beckon_conversation_get_id (again->branch), beckon_message_get_id (message),
                                         beckon_tool_call_get_id (asked), question, now);
  draft = beckon_question_draft_dup_of_answer (old);
  beckon_request_set_draft (request, draft);
  beckon_batch_add_request (batch, request);
  record = beckon_agent_make_record (agent, again->branch);
  record->phase = BECKON_RUN_WAITING;
  record->round = 1;
  beckon_batch_add_run (batch, record);
  beckon_store_commit_async (parts->store, batch, g_task_get_cancellable (task), ask_again_on_committed, g_object_ref (task));
}

/* The message before, up to which the branch is a copy. */
static BeckonMessage *
find_before (BeckonConversation *conversation, BeckonMessage *message)
{
  BeckonMessage *before = NULL;

  for (guint i = 0; i < beckon_conversation_get_n_messages (conversation); i++)
    {
      BeckonMessage *at = beckon_conversation_get_message (conversation, i);

      if (at == message)
        return before;
      before = at;
    }
  return NULL;
}

static void
branch (GTask *task)
{
  BeckonAgent *agent = g_task_get_source_object (task);
  AskAgain *again = g_task_get_task_data (task);
  BeckonMessage *message = beckon_conversation_find_message (again->conversation, again->message_id);
  BeckonMessage *before = message != NULL ? find_before (again->conversation, message) : NULL;

  if (before == NULL || get_question (ask_again_find_call (message, again->call_id)) == NULL)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, "%s",
                               _ ("This question no longer exists, or is still open."));
      return;
    }
  again->message = g_object_ref (message);
  beckon_library_branch_async (agent->parts.library, again->conversation, beckon_message_get_id (before),
                               g_task_get_cancellable (task), on_branched, g_object_ref (task));
}

static void
on_history_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_library_open_finish (BECKON_LIBRARY (source), result, &error))
    branch (task);
  else
    g_task_return_error (task, error);
}

void
beckon_agent_ask_again_async (BeckonAgent *agent, BeckonConversation *conversation, const char *message_id,
                              const char *call_id, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (agent, cancellable, callback, user_data);
  AskAgain *again;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));
  g_return_if_fail (message_id != NULL && call_id != NULL);

  g_task_set_source_tag (task, beckon_agent_ask_again_async);
  again = g_new0 (AskAgain, 1);
  again->conversation = g_object_ref (conversation);
  again->message_id = g_strdup (message_id);
  again->call_id = g_strdup (call_id);
  g_task_set_task_data (task, again, (GDestroyNotify) ask_again_free);
  /* A view has only the end of a long conversation. */
  if (beckon_conversation_get_has_earlier (conversation))
    beckon_library_open_async (agent->parts.library, conversation, cancellable, on_history_read, g_object_ref (task));
  else
    branch (task);
}

BECKON_FINISH_POINTER (BeckonConversation *, beckon_agent_ask_again, BeckonAgent)
