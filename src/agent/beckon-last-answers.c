/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-last-answers.h"

#include "store/queries/beckon-store-answers.h"
#include "tools/beckon-ask-user.h"

#define KEY "beckon-last-answers"

/* A question of its own carries what was found from the store's thread to the request, which is made later. */
static void
note_question (const BeckonAgentParts *parts, BeckonToolCall *call, GPtrArray *questions)
{
  BeckonTool *tool = beckon_tool_registry_lookup (parts->tools, beckon_tool_call_get_name (call));
  BeckonQuestion *question;

  if (tool == NULL || !BECKON_IS_ASK_USER (tool) || beckon_tool_call_get_fault (call) != NULL)
    return;
  question = beckon_question_parse (beckon_tool_call_get_arguments (call), NULL);
  if (question == NULL)
    return;
  g_ptr_array_add (questions, beckon_question_ref (question));
  g_object_set_data_full (G_OBJECT (call), KEY, question, (GDestroyNotify) beckon_question_unref);
}

static void
on_filled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  /* A question is asked all the same. */
  if (!beckon_store_fill_questions_finish (BECKON_STORE (source), result, &error))
    g_info ("Earlier answers could not be read: %s", error->message);
  g_task_return_boolean (task, TRUE);
}

gboolean
beckon_last_answers_load_async (const BeckonAgentParts *parts, BeckonConversation *conversation, GPtrArray *calls,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  const char *folder = beckon_conversation_get_folder (conversation);
  g_autoptr (GPtrArray) questions = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_question_unref);
  GTask *task;

  for (guint i = 0; folder != NULL && i < calls->len; i++)
    note_question (parts, g_ptr_array_index (calls, i), questions);
  if (questions->len == 0)
    return FALSE;
  task = g_task_new (conversation, NULL, callback, user_data);
  g_task_set_source_tag (task, beckon_last_answers_load_async);
  beckon_store_fill_questions_async (parts->store, folder, questions, NULL, on_filled, task);
  return TRUE;
}

void
beckon_last_answers_apply (BeckonToolCall *call, BeckonRequest *request)
{
  BeckonQuestion *found = g_object_get_data (G_OBJECT (call), KEY);
  BeckonQuestion *question = beckon_request_get_question (request);

  for (guint i = 0; found != NULL && question != NULL && i < question->items->len && i < found->items->len; i++)
    {
      BeckonQuestionItem *item = g_ptr_array_index (question->items, i);
      const BeckonLastAnswer *last = beckon_question_get_item (found, i)->last;

      g_clear_pointer (&item->last, beckon_last_answer_free);
      item->last = last != NULL ? beckon_last_answer_copy (last) : NULL;
    }
}
