/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-settlement.h"

#include "beckon-call-request.h"

G_DEFINE_BOXED_TYPE (BeckonSettlement, beckon_settlement, beckon_settlement_copy, beckon_settlement_free)

BeckonSettlement *
beckon_settlement_new (BeckonRequest *request, const BeckonAnswer *answer, const char *front_end, const char *actor,
                       gint64 at)
{
  BeckonSettlement *settlement;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);
  g_return_val_if_fail (answer != NULL, NULL);
  g_return_val_if_fail (front_end != NULL, NULL);

  settlement = g_new0 (BeckonSettlement, 1);
  settlement->request_id = g_strdup (beckon_request_get_id (request));
  settlement->state = beckon_request_state_for_answer (answer);
  settlement->answer = beckon_answer_to_json (answer);
  settlement->given = beckon_answer_ref ((BeckonAnswer *) answer);
  settlement->front_end = g_strdup (front_end);
  settlement->actor = g_strdup (actor != NULL ? actor : g_get_user_name ());
  settlement->at = at;

  BECKON_REQUEST_GET_CLASS (request)->settle_call (request, answer, settlement);
  /* The ground of the request is gone: the call is not done, it is over. */
  if (answer->kind == BECKON_ANSWER_CANCELLED)
    settlement->call_event = BECKON_CALL_EVENT_STOPPED;

  if (settlement->call_event == BECKON_CALL_EVENT_SETTLED_GO)
    {
      const char *runs = settlement->arguments != NULL ? settlement->arguments : beckon_request_get_arguments (request);

      settlement->digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, runs, -1);
    }
  if (answer->remember != NULL)
    settlement->rules = g_ptr_array_ref (answer->remember);

  return settlement;
}

BeckonSettlement *
beckon_settlement_new_recorded (BeckonRequest *request, BeckonRequestState state, const BeckonAnswer *answer,
                                const char *front_end, const char *actor, gint64 at)
{
  g_autoptr (BeckonAnswer) cancelled = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);
  BeckonSettlement *settlement = beckon_settlement_new (request, answer != NULL ? answer : cancelled, "", "", at);

  settlement->state = state;
  g_free (settlement->front_end);
  settlement->front_end = g_strdup (front_end);
  g_free (settlement->actor);
  settlement->actor = g_strdup (actor);
  if (answer == NULL)
    {
      g_clear_pointer (&settlement->answer, g_free);
      g_clear_pointer (&settlement->given, beckon_answer_unref);
    }
  return settlement;
}

BeckonSettlement *
beckon_settlement_copy (const BeckonSettlement *settlement)
{
  BeckonSettlement *copy;

  g_return_val_if_fail (settlement != NULL, NULL);

  copy = g_new0 (BeckonSettlement, 1);
  *copy = *settlement;
  copy->request_id = g_strdup (settlement->request_id);
  copy->answer = g_strdup (settlement->answer);
  copy->given = settlement->given != NULL ? beckon_answer_ref (settlement->given) : NULL;
  copy->front_end = g_strdup (settlement->front_end);
  copy->actor = g_strdup (settlement->actor);
  copy->result = g_strdup (settlement->result);
  copy->arguments = g_strdup (settlement->arguments);
  copy->digest = g_strdup (settlement->digest);
  copy->rules = settlement->rules != NULL ? g_ptr_array_ref (settlement->rules) : NULL;
  copy->plan = g_strdup (settlement->plan);
  copy->trust = settlement->trust != NULL ? beckon_folder_trust_copy (settlement->trust) : NULL;
  copy->channel_id = g_strdup (settlement->channel_id);
  copy->inbound_id = g_strdup (settlement->inbound_id);
  return copy;
}

void
beckon_settlement_free (BeckonSettlement *settlement)
{
  if (settlement == NULL)
    return;

  g_free (settlement->request_id);
  g_free (settlement->answer);
  g_clear_pointer (&settlement->given, beckon_answer_unref);
  g_free (settlement->front_end);
  g_free (settlement->actor);
  g_free (settlement->result);
  g_free (settlement->arguments);
  g_free (settlement->digest);
  g_clear_pointer (&settlement->rules, g_ptr_array_unref);
  g_free (settlement->plan);
  g_clear_pointer (&settlement->trust, beckon_folder_trust_free);
  g_free (settlement->channel_id);
  g_free (settlement->inbound_id);
  g_free (settlement);
}
