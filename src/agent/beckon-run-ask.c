/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-run-private.h"

#include "base/beckon-json-writer.h"
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

typedef struct
{
  GPtrArray *calls;    /* BeckonToolCall */
  GPtrArray *requests; /* BeckonRequest, or NULL: one for each call */
} Asking;

static void
request_free (gpointer request)
{
  if (request != NULL)
    g_object_unref (request);
}

static void
asking_free (Asking *asking)
{
  g_ptr_array_unref (asking->calls);
  g_ptr_array_unref (asking->requests);
  g_free (asking);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Asking, asking_free)

static BeckonRequest *
ask (BeckonRun *run, BeckonReply *reply, BeckonToolCall *call, GError **error)
{
  BeckonTool *tool = beckon_tool_registry_lookup (run->parts.tools, beckon_tool_call_get_name (call));
  BeckonToolContext context = {
    .conversation_id = run->record->conversation_id,
    .message_id = beckon_message_get_id (beckon_reply_get_message (reply)),
    .call = call,
    .folder = beckon_conversation_get_folder (run->conversation),
    .now = beckon_run_now (run),
  };

  if (tool == NULL || beckon_tool_call_get_fault (call) != NULL || !BECKON_IS_ASK_USER (tool))
    return NULL;

  return beckon_tool_ask (tool, &context, error);
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

/* NULL when nothing of the reply is a question that can be asked; then it is a reply like any other. */
static Asking *
plan (BeckonRun *run, BeckonReply *reply)
{
  g_autoptr (Asking) asking = g_new0 (Asking, 1);
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *calls = beckon_reply_get_calls (reply);
  gboolean asks = FALSE;

  asking->calls = g_ptr_array_ref (calls);
  asking->requests = g_ptr_array_new_with_free_func (request_free);
  for (guint i = 0; i < calls->len; i++)
    {
      g_autoptr (GError) error = NULL;
      BeckonRequest *request = ask (run, reply, g_ptr_array_index (calls, i), &error);

      asks = asks || request != NULL;
      g_ptr_array_add (asking->requests, request);
      g_ptr_array_add (faults, error != NULL ? g_strdup (error->message) : NULL);
    }
  if (!asks)
    return NULL;

  for (guint i = 0; i < calls->len; i++)
    settle_call (g_ptr_array_index (calls, i), g_ptr_array_index (asking->requests, i), g_ptr_array_index (faults, i));
  return g_steal_pointer (&asking);
}

static void
add_calls (BeckonRun *run, BeckonReply *reply, Asking *asking, BeckonBatch *batch)
{
  BeckonMessage *message = beckon_reply_get_message (reply);
  guint first = beckon_message_get_n_parts (message);

  for (guint i = 0; i < asking->calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (asking->calls, i);
      BeckonRequest *request = g_ptr_array_index (asking->requests, i);
      g_autoptr (BeckonPart) part = beckon_part_new_call (call);

      beckon_batch_add_part (batch, run->record->conversation_id, beckon_message_get_id (message), first + i, part);
      if (request != NULL)
        beckon_batch_add_request (batch, request);
    }
}

static void
show (BeckonRun *run, gpointer user_data)
{
  Asking *asking = user_data;
  g_autoptr (GPtrArray) requests = g_ptr_array_new ();
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();

  for (guint i = 0; i < asking->requests->len; i++)
    if (g_ptr_array_index (asking->requests, i) != NULL)
      g_ptr_array_add (requests, g_ptr_array_index (asking->requests, i));
  g_ptr_array_add (shown, asking->calls);
  g_ptr_array_add (shown, requests);

  /* Over first: whoever answers a request that shows must find the turn at its end. */
  run->over = TRUE;
  beckon_conversation_set_phase (run->conversation, BECKON_RUN_ASKED, NULL, 0);
  beckon_run_show_calls (run, shown);
  beckon_run_show_end (run, GINT_TO_POINTER (BECKON_MESSAGE_COMPLETE));
}

/**
 * beckon_run_try_end_turn: (skip)
 * @run: the run
 * @reply: a whole reply that has calls
 *
 * Returns: %TRUE if the reply asks and questions end the turn: then the run is over as soon as that is stored
 */
gboolean
beckon_run_try_end_turn (BeckonRun *run, BeckonReply *reply)
{
  g_autoptr (Asking) asking = NULL;
  BeckonMessage *message;
  BeckonBatch *batch;

  if (beckon_settings_get_ask_user_flow (run->parts.settings) != BECKON_ASK_USER_ENDS_TURN || !beckon_run_may_ask (run))
    return FALSE;
  asking = plan (run, reply);
  if (asking == NULL)
    return FALSE;

  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  message = beckon_reply_get_message (reply);
  if (!beckon_reply_has_output (reply))
    beckon_conversation_add_message (run->conversation, message);
  beckon_message_set_status (message, BECKON_MESSAGE_COMPLETE);
  beckon_reply_flush (reply, batch, run->record->conversation_id);
  beckon_batch_set_message (batch, message);
  beckon_call_batch_set_message (run->calls, message);
  add_calls (run, reply, asking, batch);
  beckon_run_move (run, BECKON_RUN_EVENT_ASK, NULL);
  beckon_conversation_set_updated_at (run->conversation, beckon_run_now (run));
  beckon_batch_put_conversation (batch, run->conversation);
  beckon_batch_set_run (batch, run->record);
  beckon_run_commit (run, batch, show, g_steal_pointer (&asking), (GDestroyNotify) asking_free);
  g_clear_object (&run->round);
  return TRUE;
}
