/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an answer does to a request, and what a request's end means: which answers it can have, which state they lead to, and
 * what people and callers are told. */

#include "beckon-config.h"

#include "base/beckon-json.h"
#include "beckon-answer-private.h"
#include "beckon-request.h"
#include "domain/beckon-request-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static gboolean
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID, message);
  return FALSE;
}

/* An answer makes rules about what it answers and about nothing else. */
static gboolean
check_rule (BeckonRequest *request, const BeckonAnswer *answer, const BeckonRule *rule)
{
  BeckonVerdict verdict = answer->kind == BECKON_ANSWER_DECLINED ? BECKON_VERDICT_DENY : BECKON_VERDICT_ALLOW;

  return rule->verdict == verdict && g_strcmp0 (rule->tool, beckon_request_get_tool (request)) == 0
         && (rule->conversation_id == NULL
             || g_strcmp0 (rule->conversation_id, beckon_request_get_conversation_id (request)) == 0);
}

static gboolean
check_remember (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  for (guint i = 0; answer->remember != NULL && i < answer->remember->len; i++)
    if (!check_rule (request, answer, g_ptr_array_index (answer->remember, i)))
      return refuse (error, _("What is to be remembered is not about this call."));

  return TRUE;
}

static gboolean
check_approval (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  g_autoptr (JsonObject) arguments = NULL;

  if (answer->text != NULL && strlen (answer->text) > BECKON_ANSWER_MAX_TEXT)
    return refuse (error, _("The text is too long."));

  switch (answer->kind)
    {
    case BECKON_ANSWER_QUESTION:
    case BECKON_ANSWER_DELEGATED:
    case BECKON_ANSWER_ASKED_BACK:
    case BECKON_ANSWER_LOOKED:
    case BECKON_ANSWER_RETRY:
    case BECKON_ANSWER_SKIP:
    case BECKON_ANSWER_PLAN:
    case BECKON_ANSWER_KEPT:
      return refuse (error, _("This is not a question. Run the tool, deny it or stop the run."));

    case BECKON_ANSWER_APPROVED_EDITED:
      arguments = answer->text != NULL ? beckon_json_parse_object (answer->text, -1, NULL) : NULL;
      if (arguments == NULL)
        return refuse (error, _("The changed arguments are not a JSON object."));
      return beckon_approval_details_check_edit (beckon_request_get_details (request),
                                                 beckon_request_get_arguments (request), answer->text, error);

    case BECKON_ANSWER_APPROVED:
    case BECKON_ANSWER_DECLINED:
    case BECKON_ANSWER_CANCELLED:
    case BECKON_ANSWER_TIMED_OUT:
    case BECKON_ANSWER_UNAVAILABLE:
    default:
      return TRUE;
    }
}

static gboolean
refuse_fault (GError **error, const BeckonPlanFault *fault)
{
  g_autofree char *words = beckon_plan_fault_to_words (fault, TRUE);

  return refuse (error, words);
}

/* @while_running: a plan of which nothing is left is over, which one that has not begun cannot be. */
static gboolean
check_document (BeckonRequest *request, const BeckonAnswer *answer, gboolean while_running, GError **error)
{
  g_auto (BeckonPlanFault) fault = { 0 };
  g_autoptr (BeckonPlan) plan = NULL;
  g_autofree char *document = NULL;

  if (answer->text == NULL)
    return refuse (error, _("The plan is missing."));

  document = beckon_request_restore_plan (request, answer->text, error);
  if (document == NULL)
    return FALSE;
  plan = beckon_plan_parse (document, BECKON_PLAN_FROM_PERSON, &fault);
  if (plan == NULL || !beckon_plan_check_revision (beckon_request_get_plan (request), plan, &fault))
    return refuse_fault (error, &fault);
  if (!beckon_plan_check (plan, &fault) && !(while_running && fault.kind == BECKON_PLAN_FAULT_NOTHING_LEFT))
    return refuse_fault (error, &fault);
  return TRUE;
}

static gboolean
check_plan (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  if (answer->text != NULL && strlen (answer->text) > BECKON_ANSWER_MAX_TEXT)
    return refuse (error, _("The text is too long."));

  switch (answer->kind)
    {
    case BECKON_ANSWER_PLAN:
      return check_document (request, answer, FALSE, error);

    case BECKON_ANSWER_QUESTION:
    case BECKON_ANSWER_DELEGATED:
    case BECKON_ANSWER_APPROVED_EDITED:
    case BECKON_ANSWER_LOOKED:
    case BECKON_ANSWER_RETRY:
    case BECKON_ANSWER_SKIP:
    case BECKON_ANSWER_KEPT:
      return refuse (error, _("This is a plan. Accept it, change it, dismiss it or ask for another one."));

    case BECKON_ANSWER_APPROVED:
    case BECKON_ANSWER_ASKED_BACK:
    case BECKON_ANSWER_DECLINED:
    case BECKON_ANSWER_CANCELLED:
    case BECKON_ANSWER_TIMED_OUT:
    case BECKON_ANSWER_UNAVAILABLE:
    default:
      return TRUE;
    }
}

/* What can be said of a step beside what can be said of any call. */
static gboolean
is_about_plan (const BeckonAnswer *answer)
{
  return answer->kind == BECKON_ANSWER_SKIP || answer->kind == BECKON_ANSWER_PLAN
         || answer->kind == BECKON_ANSWER_ASKED_BACK;
}

static gboolean
check_step (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  if (answer->text != NULL && strlen (answer->text) > BECKON_ANSWER_MAX_TEXT)
    return refuse (error, _("The text is too long."));

  return answer->kind != BECKON_ANSWER_PLAN || check_document (request, answer, TRUE, error);
}

static gboolean
check_form (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  if (answer->text != NULL && strlen (answer->text) > BECKON_ANSWER_MAX_TEXT)
    return refuse (error, _("The text is too long."));

  switch (answer->kind)
    {
    case BECKON_ANSWER_LOOKED:
      return answer->text != NULL || beckon_request_get_can_verify (request)
             || refuse (error, _("Write what you found."));

    case BECKON_ANSWER_QUESTION:
    case BECKON_ANSWER_DELEGATED:
    case BECKON_ANSWER_ASKED_BACK:
    case BECKON_ANSWER_APPROVED:
    case BECKON_ANSWER_APPROVED_EDITED:
    case BECKON_ANSWER_PLAN:
    case BECKON_ANSWER_KEPT:
      return refuse (error, _("Nobody knows whether this took effect. Say what you found, run it again or skip it."));

    case BECKON_ANSWER_DECLINED:
    case BECKON_ANSWER_RETRY:
    case BECKON_ANSWER_SKIP:
    case BECKON_ANSWER_CANCELLED:
    case BECKON_ANSWER_TIMED_OUT:
    case BECKON_ANSWER_UNAVAILABLE:
    default:
      return TRUE;
    }
}

static gboolean
check_changes (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  g_autoptr (BeckonChangeChoice) choice = NULL;
  g_autoptr (GError) choice_error = NULL;

  if (answer->text != NULL && strlen (answer->text) > BECKON_ANSWER_MAX_TEXT)
    return refuse (error, _("The text is too long."));

  switch (answer->kind)
    {
    case BECKON_ANSWER_KEPT:
      choice = beckon_change_choice_parse (answer->text, beckon_request_get_changes (request), &choice_error);
      if (choice == NULL)
        return refuse (error, choice_error->message);
      return answer->text != NULL || beckon_change_choice_lands_any (choice, beckon_request_get_changes (request))
             || refuse (error, _("Each of these changes needs your look. Name those that are kept, or leave them all out."));

    case BECKON_ANSWER_QUESTION:
    case BECKON_ANSWER_DELEGATED:
    case BECKON_ANSWER_ASKED_BACK:
    case BECKON_ANSWER_APPROVED:
    case BECKON_ANSWER_APPROVED_EDITED:
    case BECKON_ANSWER_LOOKED:
    case BECKON_ANSWER_RETRY:
    case BECKON_ANSWER_SKIP:
    case BECKON_ANSWER_PLAN:
      return refuse (error, _("The command has run already. Keep what it changed, or leave it out."));

    case BECKON_ANSWER_DECLINED:
    case BECKON_ANSWER_CANCELLED:
    case BECKON_ANSWER_TIMED_OUT:
    case BECKON_ANSWER_UNAVAILABLE:
    default:
      return TRUE;
    }
}

gboolean
beckon_request_check_answer (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), FALSE);
  g_return_val_if_fail (answer != NULL, FALSE);

  if (beckon_request_get_question (request) != NULL)
    return beckon_answer_check (answer, beckon_request_get_question (request), error);

  if (beckon_request_get_kind (request) == BECKON_REQUEST_FORM)
    return check_form (request, answer, error);

  if (beckon_request_get_kind (request) == BECKON_REQUEST_PLAN)
    return check_plan (request, answer, error);

  if (beckon_request_get_kind (request) == BECKON_REQUEST_CHANGES)
    return check_changes (request, answer, error);

  if (beckon_request_get_step (request) != NULL && is_about_plan (answer))
    return check_step (request, answer, error);

  return check_approval (request, answer, error) && check_remember (request, answer, error);
}

/* A state without an answer is told as the answer that leads to it. */
static BeckonAnswerKind
answer_kind_for_state (BeckonRequestState state)
{
  switch (state)
    {
    case BECKON_REQUEST_DELEGATED:
      return BECKON_ANSWER_DELEGATED;
    case BECKON_REQUEST_ASKED_BACK:
      return BECKON_ANSWER_ASKED_BACK;
    case BECKON_REQUEST_DECLINED:
      return BECKON_ANSWER_DECLINED;
    case BECKON_REQUEST_TIMED_OUT:
      return BECKON_ANSWER_TIMED_OUT;
    case BECKON_REQUEST_UNAVAILABLE:
      return BECKON_ANSWER_UNAVAILABLE;
    case BECKON_REQUEST_ANSWERED:
      return BECKON_ANSWER_APPROVED;
    case BECKON_REQUEST_SKIPPED:
    case BECKON_REQUEST_CANCELLED:
    case BECKON_REQUEST_PENDING:
    default:
      return BECKON_ANSWER_CANCELLED;
    }
}

static char *
format_time (gint64 at)
{
  g_autoptr (GDateTime) time = at > 0 ? g_date_time_new_from_unix_local (at / G_USEC_PER_SEC) : NULL;

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M:%S") : NULL;
}

char *
beckon_request_dup_outcome_words (BeckonRequest *request)
{
  g_autofree char *started = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);
  g_return_val_if_fail (beckon_request_get_kind (request) == BECKON_REQUEST_FORM, NULL);

  started = format_time (beckon_request_get_started_at (request));
  if (started == NULL)
    return g_strdup (_("It was running when the program ended. Nobody knows whether it took effect."));
  /* Translators: %s is a date and a time */
  return g_strdup_printf (_("It began at %s and was running when the program ended. Nobody knows whether it took effect."),
                          started);
}

static gboolean
is_plan_changed (BeckonRequest *request, const BeckonAnswer *answer)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (answer->text, BECKON_PLAN_FROM_PERSON, NULL);

  return plan == NULL || !beckon_plan_equal (plan, beckon_request_get_plan (request));
}

static gboolean
summarise_changes (BeckonRequest *request, const BeckonAnswer *answer, char **summary)
{
  g_autoptr (BeckonChangeChoice) choice = NULL;

  if (beckon_request_get_kind (request) != BECKON_REQUEST_CHANGES)
    return FALSE;
  if (answer->kind == BECKON_ANSWER_DECLINED)
    {
      *summary = answer->text != NULL ? g_strdup_printf ("%s: %s", _("Left out"), answer->text) : g_strdup (_("Left out"));
      return TRUE;
    }
  if (answer->kind != BECKON_ANSWER_KEPT)
    return FALSE;
  choice = beckon_change_choice_parse (answer->text, beckon_request_get_changes (request), NULL);
  *summary = g_strdup (choice == NULL || beckon_change_choice_is_empty (choice) ? _("Kept") : _("Kept in part"));
  return TRUE;
}

/* What is said of plans, and of steps, in other words than of calls. */
static gboolean
summarise_plan (BeckonRequest *request, const BeckonAnswer *answer, char **summary)
{
  gboolean is_plan = beckon_request_get_kind (request) == BECKON_REQUEST_PLAN;
  gboolean is_step = beckon_request_get_step (request) != NULL;
  const char *words = NULL;

  if (is_plan && answer->kind == BECKON_ANSWER_APPROVED)
    words = _("Accepted");
  else if (is_plan && answer->kind == BECKON_ANSWER_PLAN)
    words = is_plan_changed (request, answer) ? _("Accepted with changes") : _("Accepted");
  else if (is_plan && answer->kind == BECKON_ANSWER_DECLINED)
    words = _("Dismissed");
  else if (is_step && answer->kind == BECKON_ANSWER_PLAN)
    words = _("The plan was changed");
  else if (is_step && answer->kind == BECKON_ANSWER_SKIP)
    words = _("Skipped");
  else if ((is_plan || is_step) && answer->kind == BECKON_ANSWER_ASKED_BACK)
    words = _("Another plan was asked for");
  *summary = g_strdup (words);
  return words != NULL;
}

char *
beckon_request_dup_summary (BeckonRequest *request)
{
  char *summary;
  g_autoptr (BeckonAnswer) answer = NULL;
  BeckonRequestState state;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  state = beckon_request_get_state (request);
  if (state == BECKON_REQUEST_PENDING)
    return NULL;

  if (beckon_request_get_answer (request) != NULL)
    answer = beckon_answer_ref (beckon_request_get_answer (request));
  else
    answer = beckon_answer_new (answer_kind_for_state (state), NULL);

  return summarise_plan (request, answer, &summary) || summarise_changes (request, answer, &summary)
           ? summary
           : beckon_answer_to_summary (answer, beckon_request_get_question (request));
}

static gboolean
get_rejection (BeckonRequestState state, BeckonRequestError *code)
{
  switch (state)
    {
    case BECKON_REQUEST_DECLINED:
      *code = BECKON_REQUEST_ERROR_DECLINED;
      return TRUE;
    case BECKON_REQUEST_CANCELLED:
      *code = BECKON_REQUEST_ERROR_CANCELLED;
      return TRUE;
    case BECKON_REQUEST_TIMED_OUT:
      *code = BECKON_REQUEST_ERROR_TIMED_OUT;
      return TRUE;
    case BECKON_REQUEST_UNAVAILABLE:
      *code = BECKON_REQUEST_ERROR_UNAVAILABLE;
      return TRUE;
    case BECKON_REQUEST_PENDING:
    case BECKON_REQUEST_ANSWERED:
    case BECKON_REQUEST_SKIPPED:
    case BECKON_REQUEST_DELEGATED:
    case BECKON_REQUEST_ASKED_BACK:
    default:
      return FALSE;
    }
}

gboolean
beckon_request_check_pending (BeckonRequest *request, GError **error)
{
  BeckonRequestState state;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), FALSE);

  state = beckon_request_get_state (request);
  if (state == BECKON_REQUEST_PENDING)
    return TRUE;

  beckon_request_error_set_settled (error, state == BECKON_REQUEST_CANCELLED || state == BECKON_REQUEST_TIMED_OUT,
                                    beckon_request_get_front_end (request), beckon_request_get_actor (request),
                                    beckon_request_get_settled_at (request));
  return FALSE;
}

gboolean
beckon_request_check_outcome (BeckonRequest *request, GError **error)
{
  g_autofree char *summary = NULL;
  BeckonRequestError code;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), FALSE);
  g_return_val_if_fail (beckon_request_get_state (request) != BECKON_REQUEST_PENDING, FALSE);

  if (!get_rejection (beckon_request_get_state (request), &code))
    return TRUE;

  summary = beckon_request_dup_summary (request);
  g_set_error_literal (error, BECKON_REQUEST_ERROR, code, summary);
  return FALSE;
}

BeckonRequestState
beckon_request_state_for_answer (const BeckonAnswer *answer)
{
  g_return_val_if_fail (answer != NULL, BECKON_REQUEST_CANCELLED);

  switch (answer->kind)
    {
    case BECKON_ANSWER_QUESTION:
      return beckon_answer_is_skipped (answer) ? BECKON_REQUEST_SKIPPED : BECKON_REQUEST_ANSWERED;
    case BECKON_ANSWER_APPROVED:
    case BECKON_ANSWER_APPROVED_EDITED:
    case BECKON_ANSWER_LOOKED:
    case BECKON_ANSWER_RETRY:
    case BECKON_ANSWER_PLAN:
    case BECKON_ANSWER_KEPT:
      return BECKON_REQUEST_ANSWERED;
    case BECKON_ANSWER_SKIP:
      return BECKON_REQUEST_SKIPPED;
    case BECKON_ANSWER_DELEGATED:
      return BECKON_REQUEST_DELEGATED;
    case BECKON_ANSWER_ASKED_BACK:
      return BECKON_REQUEST_ASKED_BACK;
    case BECKON_ANSWER_DECLINED:
      return BECKON_REQUEST_DECLINED;
    case BECKON_ANSWER_TIMED_OUT:
      return BECKON_REQUEST_TIMED_OUT;
    case BECKON_ANSWER_UNAVAILABLE:
      return BECKON_REQUEST_UNAVAILABLE;
    case BECKON_ANSWER_CANCELLED:
    default:
      return BECKON_REQUEST_CANCELLED;
    }
}
