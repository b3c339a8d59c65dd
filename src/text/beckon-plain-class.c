/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plain-class.h"

#include "beckon-plain-approval.h"
#include "beckon-plain-changes.h"
#include "beckon-plain-form.h"
#include "beckon-plain-outcome.h"
#include "beckon-plain-plan.h"
#include "beckon-plain-question.h"
#include "beckon-plain-trust.h"
#include "beckon-request-document-private.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-form-request.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"
#include "request/beckon-trust-request.h"

static const BeckonPlainClass classes[] = {
  { beckon_question_request_get_type, "❓ ", beckon_plain_question_append_heading, beckon_plain_question_append,
    beckon_plain_question_parse, beckon_request_document_write_question, TRUE },
  { beckon_approval_request_get_type, "⚠ ", beckon_plain_approval_append_heading, beckon_plain_approval_append,
    beckon_plain_approval_parse, beckon_request_document_write_approval, FALSE, TRUE },
  { beckon_plan_request_get_type, "⚠ ", beckon_plain_plan_append_heading, beckon_plain_plan_append, beckon_plain_plan_parse,
    beckon_request_document_write_plan, FALSE, TRUE },
  { beckon_outcome_request_get_type, "⚠ ", beckon_plain_outcome_append_heading, beckon_plain_outcome_append,
    beckon_plain_outcome_parse, beckon_request_document_write_outcome, FALSE, TRUE },
  { beckon_changes_request_get_type, "⚠ ", beckon_plain_changes_append_heading, beckon_plain_changes_append,
    beckon_plain_changes_parse, beckon_request_document_write_changes, FALSE, TRUE },
  { beckon_form_request_get_type, "❓ ", beckon_plain_form_append_heading, beckon_plain_form_append, beckon_plain_form_parse,
    beckon_request_document_write_form, FALSE, FALSE, beckon_plain_form_n_items, beckon_plain_form_begin },
  { beckon_trust_request_get_type, "⚠ ", beckon_plain_trust_append_heading, beckon_plain_trust_append,
    beckon_plain_trust_parse, beckon_request_document_write_trust, FALSE, TRUE },
};

const BeckonPlainClass *
beckon_plain_class_get (BeckonRequest *request)
{
  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    if (G_OBJECT_TYPE (request) == classes[i].get_type ())
      return &classes[i];
  g_return_val_if_reached (NULL);
}

gboolean
beckon_plain_class_waits (BeckonRequest *request)
{
  return beckon_request_get_state (request) == BECKON_REQUEST_PENDING;
}
