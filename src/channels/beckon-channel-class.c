/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-class.h"

#include "base/beckon-text-printf.h"
#include "channels/beckon-channel-text.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-form-request.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"
#include "text/beckon-plain-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* --- Questions ---------------------------------------------------------------------------------------------------- */

/* Masked answers are typed on the desktop. */
static gboolean
is_whole_question (BeckonRequest *request, const BeckonChannelAccount *account, const BeckonChannelLimits *limits)
{
  BeckonQuestion *question = beckon_request_get_question (request);

  if (beckon_question_request_lets_server (request))
    return FALSE;
  for (guint i = 0; i < beckon_question_get_n_items (question); i++)
    if (beckon_question_get_item (question, i)->secret)
      return FALSE;
  return TRUE;
}

static void
add_question_labels (BeckonRequest *request, guint index, GPtrArray *labels)
{
  const BeckonQuestionItem *item = beckon_question_get_item (beckon_request_get_question (request), index);

  for (guint i = 0; !item->multiple && i < item->options->len; i++)
    g_ptr_array_add (labels, beckon_question_item_get_option (item, i)->label);
}

/* --- Forms -------------------------------------------------------------------------------------------------------- */

static gboolean
is_whole_form (BeckonRequest *request, const BeckonChannelAccount *account, const BeckonChannelLimits *limits)
{
  return !beckon_form_request_is_url (request) && beckon_form_request_is_flat (request)
         && beckon_form_request_get_secret (request) == NULL;
}

/* --- Approvals ---------------------------------------------------------------------------------------------------- */

/* The call as it is shown everywhere in plain text, with the ways to reply that a channel takes. */
static char *
format_approval (BeckonRequest *request, guint item)
{
  g_autofree char *text = beckon_plain_text_format_with_code (request, item);
  g_autofree char *first = g_strconcat ("\n1. ", _ ("Run"), "\n", NULL);
  g_autofree char *code = beckon_plain_text_dup_code (request);
  char *replies = g_strrstr (text, first);
  g_autofree char *hint = NULL;

  if (replies != NULL)
    *replies = '\0';
  /* Translators: %s is a code such as “7k2m”. */
  hint = beckon_text_printf (_ ("Reply with “%s 1” to run it, with “%s 2” to deny it, or with “%s /deny” and a reason."), code,
                             code, code);
  return g_strconcat (text, "\n1. ", _ ("Run"), "\n2. ", _ ("Deny"), "\n\n", hint, NULL);
}

/* Approved is what was seen: all of it, in one message. */
static gboolean
is_whole_approval (BeckonRequest *request, const BeckonChannelAccount *account, const BeckonChannelLimits *limits)
{
  const BeckonApprovalDetails *details = beckon_request_get_details (request);
  g_autofree char *text = NULL;

  if (!account->approves || (details != NULL && beckon_parameters_redacts (details->parameters)))
    return FALSE;
  text = format_approval (request, 0);
  return beckon_channel_text_fits (text, limits);
}

static void
add_approval_labels (BeckonRequest *request, guint item, GPtrArray *labels)
{
  g_ptr_array_add (labels, (gpointer)_ ("Run"));
  g_ptr_array_add (labels, (gpointer)_ ("Deny"));
}

static gboolean
check_approval (const BeckonAnswer *answer, GError **error)
{
  if (answer->remember != NULL)
    return beckon_request_refuse (
        error, _ ("Rules are made on the desktop. Here it can be run this once, or denied."));
  if (answer->kind != BECKON_ANSWER_APPROVED && answer->kind != BECKON_ANSWER_DECLINED)
    return beckon_request_refuse (
        error, _ ("Calls are changed on the desktop. Here it can be run as it is, or denied."));
  return TRUE;
}

/* --- Outcomes ----------------------------------------------------------------------------------------------------- */

/* To run a call again is a decision about it: who may not approve it here may not do that either. */
static gboolean
is_whole_outcome (BeckonRequest *request, const BeckonChannelAccount *account, const BeckonChannelLimits *limits)
{
  g_autofree char *text = NULL;

  if (!account->approves || beckon_call_request_get_redacted (BECKON_CALL_REQUEST (request)) != NULL)
    return FALSE;
  text = beckon_plain_text_format_with_code (request, 0);
  return beckon_channel_text_fits (text, limits);
}

static void
add_outcome_labels (BeckonRequest *request, guint item, GPtrArray *labels)
{
  g_ptr_array_add (labels, (gpointer)_ ("Run again"));
  g_ptr_array_add (labels, (gpointer)_ ("Skip"));
  g_ptr_array_add (labels, (gpointer)_ ("Stop"));
}

/* --- The table ---------------------------------------------------------------------------------------------------- */

static const BeckonChannelClass classes[] = {
  { beckon_question_request_get_type, N_ ("The agent has a question"), is_whole_question, NULL, add_question_labels,
    NULL, FALSE },
  { beckon_approval_request_get_type, N_ ("The agent asks whether a call may run"), is_whole_approval, format_approval,
    add_approval_labels, check_approval, TRUE },
  { beckon_form_request_get_type, N_ ("A server of tools asks for something"), is_whole_form, NULL, NULL, NULL, FALSE },
  { beckon_plan_request_get_type, N_ ("The agent proposes a plan"), NULL, NULL, NULL, NULL, FALSE },
  { beckon_changes_request_get_type, N_ ("Changes of a command wait for you"), NULL, NULL, NULL, NULL, FALSE },
  { beckon_outcome_request_get_type, N_ ("The agent does not know what became of a call"), is_whole_outcome, NULL,
    add_outcome_labels, NULL, TRUE },
};

const BeckonChannelClass *
beckon_channel_class_get (BeckonRequest *request)
{
  static const BeckonChannelClass other
      = { beckon_request_get_type, N_ ("The agent waits for you"), NULL, NULL, NULL, NULL, FALSE };

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (G_TYPE_CHECK_INSTANCE_TYPE (request, classes[i].get_type ()))
      return &classes[i];
  return &other;
}
