/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-request-private.h"
#include "form/beckon-plan-parameters.h"

/* What of a request may be shown, and what an answer to that means for the whole of it. */

static void
replace (char **text, const char *with)
{
  g_autofree char *before = *text;

  *text = g_strdup (with);
}

void
beckon_request_set_redacted (BeckonRequest *request, const char *redacted)
{
  g_return_if_fail (BECKON_IS_REQUEST (request));

  replace (&request->redacted, redacted);
}

void
beckon_request_set_plan_redacted (BeckonRequest *request, const char *redacted)
{
  g_return_if_fail (BECKON_IS_REQUEST (request) && request->step != NULL);

  replace (&request->plan_redacted, redacted);
}

/* (nullable): of a plan, or of the plan that it is a step of. */
static BeckonPlanParameters *
read_plan_parameters (BeckonRequest *request)
{
  const char *text = request->kind == BECKON_REQUEST_PLAN ? request->redacted : request->plan_redacted;

  return text != NULL ? beckon_plan_parameters_read (text) : NULL;
}

char *
beckon_request_dup_shown_arguments (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->arguments != NULL ? beckon_parameters_show_by (request->redacted, request->arguments) : NULL;
}

char *
beckon_request_dup_logged (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return request->question != NULL ? beckon_question_to_json (request->question)
                                   : beckon_parameters_log_by (request->redacted, request->arguments);
}

BeckonPlan *
beckon_request_dup_shown_plan (BeckonRequest *request)
{
  g_autoptr (BeckonPlanParameters) parameters = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  if (request->plan == NULL)
    return NULL;
  parameters = read_plan_parameters (request);
  return parameters != NULL ? beckon_plan_parameters_show (parameters, request->plan) : beckon_plan_copy (request->plan);
}

BeckonAnswer *
beckon_request_dup_shown_answer (BeckonRequest *request)
{
  const BeckonAnswer *answer;
  const char *redacted;
  g_autofree char *shown = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  answer = request->answer;
  if (answer == NULL)
    return NULL;
  redacted = answer->kind == BECKON_ANSWER_PLAN && request->kind != BECKON_REQUEST_PLAN ? request->plan_redacted
                                                                                        : request->redacted;
  if (redacted == NULL || answer->text == NULL
      || (answer->kind != BECKON_ANSWER_APPROVED_EDITED && answer->kind != BECKON_ANSWER_PLAN))
    return beckon_answer_ref (request->answer);
  shown = beckon_parameters_show_by (redacted, answer->text);
  return beckon_answer_new (answer->kind, shown);
}

char *
beckon_request_restore_arguments (BeckonRequest *request, const char *edited)
{
  g_autoptr (BeckonParameters) redacted = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);
  g_return_val_if_fail (edited != NULL, NULL);

  if (request->redacted != NULL && request->arguments != NULL)
    redacted = beckon_parameters_from_json (request->redacted, NULL);
  return redacted != NULL ? beckon_parameters_restore (redacted, request->arguments, edited) : g_strdup (edited);
}

char *
beckon_request_restore_plan (BeckonRequest *request, const char *edited, GError **error)
{
  g_autoptr (BeckonPlanParameters) parameters = NULL;
  g_autoptr (BeckonPlan) plan = NULL;
  g_autoptr (BeckonPlan) restored = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request) && request->plan != NULL, NULL);
  g_return_val_if_fail (edited != NULL, NULL);

  parameters = read_plan_parameters (request);
  if (parameters != NULL)
    plan = beckon_plan_parse (edited, BECKON_PLAN_FROM_PERSON, NULL);
  if (plan == NULL)
    return g_strdup (edited);
  restored = beckon_plan_parameters_restore (parameters, request->plan, plan, error);
  return restored != NULL ? beckon_plan_to_json (restored) : NULL;
}

gboolean
beckon_request_check_plan_step (BeckonRequest *request, const BeckonPlan *edited, const char *step_id, GError **error)
{
  g_autoptr (BeckonPlanParameters) parameters = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request) && request->plan != NULL, FALSE);
  g_return_val_if_fail (edited != NULL && step_id != NULL, FALSE);

  parameters = read_plan_parameters (request);
  return parameters == NULL || beckon_plan_parameters_check_step (parameters, request->plan, edited, step_id, error);
}
