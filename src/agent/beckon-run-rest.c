/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-run-rest.h"

#include "request/beckon-question-request.h"

struct _BeckonRunRest
{
  const BeckonRunScope *scope; /* the run's */
  guint n_open;
  gboolean is_resting;
  gboolean has_looked; /* since there was news */
};

BeckonRunRest *
beckon_run_rest_new (const BeckonRunScope *scope)
{
  BeckonRunRest *self = g_new0 (BeckonRunRest, 1);

  self->scope = scope;
  return self;
}

void
beckon_run_rest_free (BeckonRunRest *self)
{
  g_free (self);
}

void
beckon_run_rest_note (BeckonRunRest *self, const BeckonSteering *found)
{
  self->n_open = found->n_open;
}

gboolean
beckon_run_rest_is_due (const BeckonRunRest *self)
{
  return self->n_open > 0;
}

void
beckon_run_rest_begin (BeckonRunRest *self)
{
  self->is_resting = TRUE;
  self->has_looked = FALSE;
}

void
beckon_run_rest_end (BeckonRunRest *self)
{
  self->is_resting = FALSE;
}

gboolean
beckon_run_rest_is_resting (const BeckonRunRest *self)
{
  return self->is_resting;
}

void
beckon_run_rest_wake (BeckonRunRest *self)
{
  self->has_looked = FALSE;
}

/* The last reply has no calls. A run that waits before its first round asks something else. */
void
beckon_run_rest_recover (BeckonRunRest *self, const BeckonRunRecord *record, const BeckonCallBatch *calls)
{
  g_autoptr (GPtrArray) list = beckon_call_batch_list (calls);

  self->is_resting = record->phase == BECKON_RUN_WAITING && record->round > 0 && beckon_call_batch_get_message (calls) != NULL
                     && list->len == 0;
}

/* --- Looking ------------------------------------------------------------------------------------------------------- */

gboolean
beckon_run_rest_has_news (const BeckonRunRest *self)
{
  return !self->has_looked;
}

void
beckon_run_rest_look_async (BeckonRunRest *self, const BeckonRunRecord *record, gboolean takes_queue,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  gboolean stops = beckon_settings_get_dismiss (self->scope->parts.settings) == BECKON_DISMISS_STOPS;

  self->has_looked = TRUE;
  beckon_steering_take_async (&self->scope->parts, self->scope->conversation, record, stops, takes_queue, callback,
                              user_data);
}

gboolean
beckon_run_rest_look_finish (BeckonRunRest *self, GAsyncResult *result, BeckonRestNews *news, GError **error)
{
  BeckonSteering found;
  gboolean ok = beckon_steering_take_finish (result, &found, error);

  self->n_open = found.n_open;
  *news = found.n_taken > 0      ? BECKON_REST_GOES_ON
          : found.is_dismissed   ? BECKON_REST_DISMISSED
          : found.n_open == 0    ? BECKON_REST_OVER
                                 : BECKON_REST_WAITS;
  return ok;
}

/* --- The inbox ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonInbox *inbox;     /* (owned) */
  BeckonRequest *request; /* (owned) */
} Ended;

static void
ended_free (Ended *ended)
{
  g_object_unref (ended->inbox);
  g_object_unref (ended->request);
  g_free (ended);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Ended, ended_free)

/* Another process may have answered it just before. */
static void
on_ended_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Ended) ended = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRequest) found = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);

  if (found != NULL && beckon_request_get_state (found) != BECKON_REQUEST_PENDING)
    beckon_inbox_note_settled (ended->inbox, ended->request, beckon_request_get_state (found),
                               beckon_request_get_answer (found), beckon_request_get_front_end (found),
                               beckon_request_get_actor (found), beckon_request_get_settled_at (found));
}

void
beckon_run_rest_tell_inbox (const BeckonAgentParts *parts, const char *conversation_id)
{
  BeckonInbox *inbox = parts->inbox;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (inbox)); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (G_LIST_MODEL (inbox), i);
      Ended *ended;

      if (!beckon_request_is_late (request)
          || g_strcmp0 (beckon_request_get_conversation_id (request), conversation_id) != 0)
        continue;
      ended = g_new0 (Ended, 1);
      ended->inbox = g_object_ref (inbox);
      ended->request = g_object_ref (request);
      beckon_request_store_lookup_async (BECKON_REQUEST_STORE (parts->store), beckon_request_get_id (request), NULL,
                                         on_ended_read, ended);
    }
}
