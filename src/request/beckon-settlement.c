/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-settlement.h"

#include "beckon-answer-private.h"

#define NOT_RUN "was not run; nothing was changed."
#define NOT_KNOWN "was running when the program ended; whether it took effect is not known. It was not run again."

/* What a call that was not approved gets. Every one says what became of the call, so that the model neither waits for an
 * effect nor takes the refusal for one. */
static char *
make_refusal (const BeckonAnswer *answer, gboolean outcome_unknown)
{
  const char *fate = outcome_unknown ? NOT_KNOWN : NOT_RUN;

  switch (answer->kind)
    {
    case BECKON_ANSWER_TIMED_OUT:
      return g_strconcat ("The user did not decide in the time that was set. The call ", fate, NULL);

    case BECKON_ANSWER_UNAVAILABLE:
      return g_strconcat ("Nobody can approve this call here. It ", fate, NULL);

    case BECKON_ANSWER_CANCELLED:
      return g_strconcat (BECKON_ANSWER_CANCELLED_RESULT ". The call ", fate, NULL);

    case BECKON_ANSWER_QUESTION:
    case BECKON_ANSWER_DELEGATED:
    case BECKON_ANSWER_ASKED_BACK:
    case BECKON_ANSWER_DECLINED:
    case BECKON_ANSWER_APPROVED:
    case BECKON_ANSWER_APPROVED_EDITED:
    case BECKON_ANSWER_LOOKED:
    case BECKON_ANSWER_RETRY:
    case BECKON_ANSWER_SKIP:
    case BECKON_ANSWER_PLAN:
    case BECKON_ANSWER_KEPT:
    default:
      return g_strconcat ("The user denied this call. It ", fate, answer->text != NULL ? " They said: " : NULL,
                          answer->text, NULL);
    }
}

static void
settle_approval (BeckonSettlement *settlement, const BeckonAnswer *answer, gboolean outcome_unknown)
{
  if (answer->kind == BECKON_ANSWER_APPROVED || answer->kind == BECKON_ANSWER_APPROVED_EDITED)
    {
      settlement->call_event = BECKON_CALL_EVENT_SETTLED_GO;
      if (answer->kind == BECKON_ANSWER_APPROVED_EDITED)
        settlement->arguments = g_strdup (answer->text);
      return;
    }

  settlement->call_event = BECKON_CALL_EVENT_SETTLED_RESULT;
  settlement->result = make_refusal (answer, outcome_unknown);
  settlement->is_error = TRUE;
}

/* What a person found is not what the tool said, and the model is told so. */
static void
settle_form (BeckonSettlement *settlement, const BeckonAnswer *answer)
{
  if (answer->kind == BECKON_ANSWER_RETRY)
    {
      settlement->call_event = BECKON_CALL_EVENT_SETTLED_GO;
      return;
    }
  if (answer->kind == BECKON_ANSWER_LOOKED && answer->text == NULL)
    {
      settlement->call_event = BECKON_CALL_EVENT_SETTLED_LOOK;
      return;
    }

  settlement->call_event = BECKON_CALL_EVENT_SETTLED_RESULT;
  settlement->is_error = answer->kind != BECKON_ANSWER_LOOKED;
  if (answer->kind == BECKON_ANSWER_LOOKED)
    settlement->result = g_strconcat ("The program ended while this call was running, so it has no output. The user looked at "
                                      "what became of it and says: ", answer->text, NULL);
  else if (answer->kind == BECKON_ANSWER_SKIP)
    settlement->result = g_strdup ("The user skipped this call. It " NOT_KNOWN);
  else
    settlement->result = make_refusal (answer, TRUE);
}

#define PLAN_NOT_RUN "Nothing of the plan was run."

static void
settle_plan (BeckonSettlement *settlement, BeckonRequest *request, const BeckonAnswer *answer)
{
  if (answer->kind == BECKON_ANSWER_APPROVED || answer->kind == BECKON_ANSWER_PLAN)
    {
      settlement->call_event = BECKON_CALL_EVENT_SETTLED_GO;
      settlement->plan = g_strdup (answer->kind == BECKON_ANSWER_PLAN ? answer->text : beckon_request_get_arguments (request));
      /* What is accepted is what starts, byte for byte. */
      settlement->arguments = g_strdup (settlement->plan);
      return;
    }

  settlement->call_event = BECKON_CALL_EVENT_SETTLED_RESULT;
  settlement->is_error = TRUE;
  if (answer->kind == BECKON_ANSWER_ASKED_BACK)
    settlement->result = g_strconcat ("{\"status\":\"replan\"} " PLAN_NOT_RUN " The user asks for another plan.",
                                      answer->text != NULL ? " They said: " : NULL, answer->text, NULL);
  else if (answer->kind == BECKON_ANSWER_DECLINED)
    settlement->result = g_strconcat ("The user did not accept the plan. " PLAN_NOT_RUN,
                                      answer->text != NULL ? " They said: " : NULL, answer->text, NULL);
  else if (answer->kind == BECKON_ANSWER_TIMED_OUT)
    settlement->result = g_strdup ("The user did not decide in the time that was set. " PLAN_NOT_RUN);
  else if (answer->kind == BECKON_ANSWER_UNAVAILABLE)
    settlement->result = g_strdup ("Nobody can accept a plan here. " PLAN_NOT_RUN);
  else
    settlement->result = g_strdup (BECKON_ANSWER_CANCELLED_RESULT ". " PLAN_NOT_RUN);
}

/* What a person can say of a step beside running it, with other arguments, and denying it. */
static gboolean
settle_step (BeckonSettlement *settlement, const BeckonAnswer *answer)
{
  switch ((int) answer->kind)
    {
    case BECKON_ANSWER_SKIP:
      settlement->outcome = BECKON_STEP_OUTCOME_SKIPPED;
      settlement->result = g_strdup ("The user skipped this step. It " NOT_RUN);
      break;

    case BECKON_ANSWER_PLAN:
    case BECKON_ANSWER_KEPT:
      settlement->outcome = BECKON_STEP_OUTCOME_REPLACED;
      settlement->plan = g_strdup (answer->text);
      settlement->result = g_strdup ("The user changed the plan when this step was next. It " NOT_RUN);
      break;

    case BECKON_ANSWER_ASKED_BACK:
      settlement->outcome = BECKON_STEP_OUTCOME_REPLAN;
      settlement->result = g_strdup ("The user asked for another plan when this step was next. It " NOT_RUN);
      break;

    default:
      return FALSE;
    }

  settlement->call_event = BECKON_CALL_EVENT_SETTLED_RESULT;
  settlement->is_error = TRUE;
  return TRUE;
}

BeckonSettlement *
beckon_settlement_new (BeckonRequest *request, const BeckonAnswer *answer, const char *front_end, const char *actor,
                       gint64 at)
{
  BeckonSettlement *settlement;
  BeckonQuestion *question;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);
  g_return_val_if_fail (answer != NULL, NULL);
  g_return_val_if_fail (front_end != NULL, NULL);

  settlement = g_new0 (BeckonSettlement, 1);
  settlement->request_id = g_strdup (beckon_request_get_id (request));
  settlement->state = beckon_request_state_for_answer (answer);
  settlement->answer = beckon_answer_to_json (answer);
  settlement->front_end = g_strdup (front_end);
  settlement->actor = g_strdup (actor != NULL ? actor : g_get_user_name ());
  settlement->at = at;

  question = beckon_request_get_question (request);
  if (question != NULL)
    {
      settlement->call_event = BECKON_CALL_EVENT_SETTLED_RESULT;
      settlement->result = beckon_answer_to_result (answer, question, &settlement->is_error);
    }
  else if (beckon_request_get_kind (request) == BECKON_REQUEST_FORM)
    {
      settle_form (settlement, answer);
    }
  else if (beckon_request_get_kind (request) == BECKON_REQUEST_PLAN)
    {
      settle_plan (settlement, request, answer);
    }
  else if (beckon_request_get_kind (request) == BECKON_REQUEST_CHANGES)
    {
      /* The result is made when they have landed. */
      settlement->call_event = BECKON_CALL_EVENT_SETTLED_LAND;
      if (answer->kind == BECKON_ANSWER_CANCELLED)
        settlement->result = g_strdup (BECKON_ANSWER_CANCELLED_RESULT ". The command had ended; nothing that it changed is in "
                                                                      "the folder.");
      settlement->is_error = settlement->result != NULL;
    }
  else if (beckon_request_get_step (request) == NULL || !settle_step (settlement, answer))
    {
      settle_approval (settlement, answer, beckon_request_get_outcome_unknown (request));
    }

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
beckon_settlement_copy (const BeckonSettlement *settlement)
{
  BeckonSettlement *copy;

  g_return_val_if_fail (settlement != NULL, NULL);

  copy = g_new0 (BeckonSettlement, 1);
  *copy = *settlement;
  copy->request_id = g_strdup (settlement->request_id);
  copy->answer = g_strdup (settlement->answer);
  copy->front_end = g_strdup (settlement->front_end);
  copy->actor = g_strdup (settlement->actor);
  copy->result = g_strdup (settlement->result);
  copy->arguments = g_strdup (settlement->arguments);
  copy->digest = g_strdup (settlement->digest);
  copy->rules = settlement->rules != NULL ? g_ptr_array_ref (settlement->rules) : NULL;
  copy->plan = g_strdup (settlement->plan);
  return copy;
}

void
beckon_settlement_free (BeckonSettlement *settlement)
{
  if (settlement == NULL)
    return;

  g_free (settlement->request_id);
  g_free (settlement->answer);
  g_free (settlement->front_end);
  g_free (settlement->actor);
  g_free (settlement->result);
  g_free (settlement->arguments);
  g_free (settlement->digest);
  g_clear_pointer (&settlement->rules, g_ptr_array_unref);
  g_free (settlement->plan);
  g_free (settlement);
}
