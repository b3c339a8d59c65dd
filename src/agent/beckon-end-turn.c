/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-end-turn.h"

#include "base/beckon-json-writer.h"
#include "beckon-last-answers.h"
#include "request/beckon-question-request.h"
#include "tools/beckon-ask-user.h"

/*
 * The other flow of a question, chosen by the person: it ends the turn, and the answer is the person's next message. Reply,
 * results, requests and the end of the run are one transaction, so that there is no moment in which a question could be
 * answered while its turn still goes on. Only this reply is looked at: what earlier turns asked is history.
 */

static const char not_run_result[] =
    "This turn ends with your question to the user, so this call was not run; nothing was changed. If it is still needed "
    "once they have answered, call it again.";

struct _BeckonEndTurn
{
  GPtrArray *calls;    /* BeckonToolCall */
  GPtrArray *requests; /* BeckonRequest, or NULL: one for each call */
};

static void
end_turn_request_free (gpointer request)
{
  if (request != NULL)
    g_object_unref (request);
}

void
beckon_end_turn_free (BeckonEndTurn *self)
{
  g_ptr_array_unref (self->calls);
  g_ptr_array_unref (self->requests);
  g_free (self);
}

static BeckonRequest *
end_turn_ask (const BeckonRunScope *scope, BeckonReply *reply, BeckonToolCall *call, GError **error)
{
  BeckonTool *tool = beckon_run_scope_find_tool (scope, call);
  BeckonRequest *request;
  BeckonToolContext context = {
    .conversation_id = beckon_run_scope_get_id (scope),
    .message_id = beckon_message_get_id (beckon_reply_get_message (reply)),
    .call = call,
    .folder = beckon_conversation_get_folder (scope->conversation),
    .now = beckon_run_scope_now (scope),
  };

  if (tool == NULL || beckon_tool_call_get_fault (call) != NULL || !BECKON_IS_ASK_USER (tool))
    return NULL;

  request = beckon_tool_ask (tool, &context, error);
  if (request != NULL)
    beckon_last_answers_apply (call, request);
  return request;
}

/* {"status":"waiting_for_user","question":…}, with `questions` where there are several. */
static char *
make_result (BeckonRequest *request)
{
  BeckonQuestion *question = beckon_request_get_question (request);
  guint n_items = beckon_question_get_n_items (question);
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "status", "waiting_for_user");
  beckon_json_writer_member_string (&writer, "question", beckon_question_get_item (question, 0)->question);
  if (n_items > 1)
    {
      beckon_json_writer_name (&writer, "questions");
      beckon_json_writer_begin_array (&writer);
      for (guint i = 0; i < n_items; i++)
        beckon_json_writer_string (&writer, beckon_question_get_item (question, i)->question, -1);
      beckon_json_writer_end_array (&writer);
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Every call has its result at once. */
static void
settle_call (BeckonToolCall *call, BeckonRequest *request, const char *fault)
{
  g_autofree char *result = NULL;

  if (request != NULL)
    {
      result = make_result (request);
      beckon_tool_call_set_request (call, G_OBJECT (request));
      beckon_tool_call_set_result (call, result, FALSE);
      beckon_tool_call_apply (call, BECKON_CALL_EVENT_RESULT);
      return;
    }

  if (fault == NULL)
    fault = beckon_tool_call_get_fault (call);
  beckon_tool_call_set_result (call, fault != NULL ? fault : not_run_result, TRUE);
  beckon_tool_call_apply (call, BECKON_CALL_EVENT_DENIED);
}

/* A reply without a question that can be asked and waited for is one like any other. Where one is, all are waited for. */
BeckonEndTurn *
beckon_end_turn_new (const BeckonRunScope *scope, BeckonReply *reply)
{
  g_autoptr (BeckonEndTurn) self = NULL;
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *calls = beckon_reply_get_calls (reply);
  gboolean asks = FALSE;

  if (beckon_settings_get_ask_user_flow (scope->parts.settings) != BECKON_ASK_USER_ENDS_TURN
      || !beckon_run_scope_may_ask (scope))
    return NULL;
  self = g_new0 (BeckonEndTurn, 1);
  self->calls = g_ptr_array_ref (calls);
  self->requests = g_ptr_array_new_with_free_func (end_turn_request_free);
  for (guint i = 0; i < calls->len; i++)
    {
      g_autoptr (GError) error = NULL;
      BeckonRequest *request = end_turn_ask (scope, reply, g_ptr_array_index (calls, i), &error);

      asks = asks || (request != NULL && !beckon_request_is_late (request));
      g_ptr_array_add (self->requests, request);
      g_ptr_array_add (faults, error != NULL ? g_strdup (error->message) : NULL);
    }
  if (!asks)
    return NULL;

  for (guint i = 0; i < calls->len; i++)
    if (g_ptr_array_index (self->requests, i) != NULL)
      beckon_question_request_make_wait (g_ptr_array_index (self->requests, i));
  for (guint i = 0; i < calls->len; i++)
    settle_call (g_ptr_array_index (calls, i), g_ptr_array_index (self->requests, i), g_ptr_array_index (faults, i));
  return g_steal_pointer (&self);
}

void
beckon_end_turn_write (BeckonEndTurn *self, const BeckonRunScope *scope, BeckonReply *reply, BeckonBatch *batch)
{
  BeckonMessage *message = beckon_reply_get_message (reply);
  guint first;

  if (!beckon_reply_has_output (reply))
    beckon_reply_show (reply, scope->conversation);
  beckon_message_set_status (message, BECKON_MESSAGE_COMPLETE);
  beckon_reply_flush (reply, batch, beckon_run_scope_get_id (scope));
  beckon_batch_set_message (batch, message);
  first = beckon_message_get_n_parts (message);

  for (guint i = 0; i < self->calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (self->calls, i);
      BeckonRequest *request = g_ptr_array_index (self->requests, i);
      g_autoptr (BeckonPart) part = beckon_part_new_call (call);

      beckon_batch_add_part (batch, beckon_run_scope_get_id (scope), beckon_message_get_id (message), first + i, part);
      if (request != NULL)
        beckon_batch_add_request (batch, request);
    }
}

GPtrArray *
beckon_end_turn_list_requests (BeckonEndTurn *self)
{
  GPtrArray *requests = g_ptr_array_new ();

  for (guint i = 0; i < self->requests->len; i++)
    if (g_ptr_array_index (self->requests, i) != NULL)
      g_ptr_array_add (requests, g_ptr_array_index (self->requests, i));
  return requests;
}
