/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Announcements without a call. Every process of Beckon that serves the interface sees every request; only the owner of the
 * name speaks, so that each is told once. */

#include "beckon-questions-private.h"

#include "base/beckon-finish.h"
#include "request/beckon-call-request.h"
#include "request/beckon-question-request.h"
#include "store/queries/beckon-request-contexts.h"
#include "text/beckon-request-document.h"

typedef struct
{
  BeckonQuestions *questions;
  BeckonRequest *request;
} Announcement;

static void
emit (BeckonQuestions *self, const char *name, GVariant *parameters)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (parameters);

  if (self->connection != NULL && self->voice == BECKON_QUESTIONS_SPEAKING)
    g_dbus_connection_emit_signal (self->connection, NULL, BECKON_QUESTIONS_PATH, BECKON_QUESTIONS_INTERFACE, name, held,
                                   NULL);
}

static void
on_context (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Announcement *announcement = user_data;
  g_autoptr (BeckonQuestions) self = announcement->questions;
  g_autoptr (BeckonRequest) request = announcement->request;
  g_autoptr (GHashTable) contexts = beckon_store_load_contexts_finish (BECKON_STORE (source), result, NULL);
  const char *id = beckon_request_get_id (request);
  BeckonRequestContext *context = contexts != NULL ? g_hash_table_lookup (contexts, id) : NULL;
  g_autofree char *document = NULL;

  beckon_questions_name_asker (self, context);
  document = beckon_request_document_write (request, context, beckon_questions_may_answer (self, request));
  emit (self, "Asked", g_variant_new ("(ss)", id, document));
  self->n_announcing--;
  beckon_questions_check_flushed (self);
}

static void
load_and_emit (BeckonQuestions *self, BeckonRequest *request)
{
  Announcement *announcement;

  if (self->runtime == NULL)
    return;

  announcement = g_new0 (Announcement, 1);
  announcement->questions = g_object_ref (self);
  announcement->request = g_object_ref (request);
  self->n_announcing++;
  beckon_store_load_contexts_async (beckon_runtime_get_store (self->runtime), beckon_request_get_id (request), NULL,
                                    on_context, announcement);
}

void
beckon_questions_speak (BeckonQuestions *self)
{
  BeckonRequest *request;

  while ((request = g_queue_pop_head (&self->announced)) != NULL)
    {
      if (self->voice == BECKON_QUESTIONS_SPEAKING)
        load_and_emit (self, request);
      g_object_unref (request);
    }
  beckon_questions_check_flushed (self);
}

void
beckon_questions_announce (BeckonQuestions *self, BeckonRequest *request)
{
  g_return_if_fail (BECKON_IS_QUESTIONS (self));
  g_return_if_fail (BECKON_IS_REQUEST (request));

  if (self->voice == BECKON_QUESTIONS_SPEAKING)
    load_and_emit (self, request);
  else if (self->voice == BECKON_QUESTIONS_UNDECIDED)
    g_queue_push_tail (&self->announced, g_object_ref (request));
}

static void
signals_on_inbox_changed (GListModel *inbox, guint position, guint removed, guint added, BeckonQuestions *self)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);

      beckon_questions_announce (self, request);
    }
}

static void
signals_on_settled (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement, BeckonQuestions *self)
{
  g_autoptr (BeckonAnswer) answer = beckon_request_dup_shown_answer (request);
  const char *id = beckon_request_get_id (request);
  const char *status = beckon_request_state_to_string (beckon_request_get_state (request));
  g_autofree char *document = NULL;

  if (!beckon_request_check_outcome (request, NULL))
    {
      emit (self, "Rejected",
            g_variant_new ("(sss)", id, status, answer != NULL && answer->text != NULL ? answer->text : ""));
      return;
    }

  if (answer != NULL)
    document = beckon_answer_document_write (answer, beckon_request_get_question (request));
  emit (self, "Replied", g_variant_new ("(sss)", id, status, document != NULL ? document : "{}"));
}

static void
on_flushed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (g_dbus_connection_flush_finish (G_DBUS_CONNECTION (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
beckon_questions_check_flushed (BeckonQuestions *self)
{
  GTask *task;

  if (self->n_announcing > 0 || !g_queue_is_empty (&self->announced))
    return;

  while ((task = g_queue_pop_head (&self->flushing)) != NULL)
    {
      if (self->connection != NULL)
        g_dbus_connection_flush (self->connection, g_task_get_cancellable (task), on_flushed, task);
      else
        {
          g_task_return_boolean (task, TRUE);
          g_object_unref (task);
        }
    }
}

static void
on_flush_cancelled (GCancellable *cancellable, GTask *task)
{
  BeckonQuestions *self = g_task_get_source_object (task);

  if (!g_queue_remove (&self->flushing, task))
    return;

  g_task_return_error_if_cancelled (task);
  g_object_unref (task);
}

void
beckon_questions_flush_async (BeckonQuestions *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_QUESTIONS (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_questions_flush_async);
  g_queue_push_tail (&self->flushing, task);
  if (cancellable != NULL)
    g_signal_connect_object (cancellable, "cancelled", G_CALLBACK (on_flush_cancelled), task, 0);
  beckon_questions_check_flushed (self);
}

BECKON_FINISH_BOOLEAN (beckon_questions_flush, BeckonQuestions)

void
beckon_questions_follow (BeckonQuestions *self)
{
  BeckonInbox *inbox = beckon_runtime_get_inbox (self->runtime);

  self->changed_handler = g_signal_connect (inbox, "items-changed", G_CALLBACK (signals_on_inbox_changed), self);
  self->settled_handler = g_signal_connect (inbox, "settled", G_CALLBACK (signals_on_settled), self);
}

void
beckon_questions_unfollow (BeckonQuestions *self)
{
  BeckonInbox *inbox = beckon_runtime_get_inbox (self->runtime);

  g_clear_signal_handler (&self->changed_handler, inbox);
  g_clear_signal_handler (&self->settled_handler, inbox);
}
