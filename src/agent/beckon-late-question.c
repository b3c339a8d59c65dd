/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-late-question.h"

static const char result[]
    = "The user has been asked, and you go on meanwhile. Their answer comes later as a message that names this question; do "
      "not ask it again. Do now what does not depend on it. When nothing else is left to do, end your reply: you will be "
      "called again with the answer.";

static gboolean
late_question_is_open (BeckonRequest *request, const char *conversation_id)
{
  return beckon_request_is_late (request) && beckon_request_get_state (request) == BECKON_REQUEST_PENDING
         && g_strcmp0 (beckon_request_get_conversation_id (request), conversation_id) == 0;
}

/* Those of this reply are not in the inbox yet. */
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

gboolean
beckon_late_question_end_call (BeckonCallBatch *calls, BeckonToolCall *call, BeckonRequest *request)
{
  if (!beckon_request_is_late (request))
    return FALSE;
  if (count_open (calls) >= BECKON_QUESTION_MAX_LATE)
    {
      beckon_question_request_make_wait (request);
      return FALSE;
    }
  beckon_tool_call_set_result (call, result, FALSE);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_RESULT);
  return TRUE;
}
