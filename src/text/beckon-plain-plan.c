/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-plan.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-plain-reply.h"
#include "domain/beckon-plan-reference.h"
#include "request/beckon-call-request.h"
#include "request/beckon-call-request.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
append_step_line (GString *text, const BeckonPlan *plan, guint index)
{
  const BeckonPlanStep *step = beckon_plan_get_step (plan, index);
  g_autofree char *readable = beckon_plan_make_readable (plan, step->arguments);
  g_autofree char *tool = beckon_text_for_display (step->tool, -1, BECKON_TEXT_EXACT);
  g_autofree char *arguments = beckon_text_for_display (readable, -1, BECKON_TEXT_EXACT);

  g_string_append_printf (text, "\n%s %u. %s %s", beckon_step_status_get_mark (step->status), index + 1, tool, arguments);
  if (step->breakpoint)
    /* Translators: stands behind a step of a plan before which the plan pauses */
    beckon_text_append (text, " %s", _("(pause)"));
  if (step->expect != NULL)
    {
      g_autofree char *expect = beckon_plain_text_for_terminal (step->expect, -1);

      g_string_append_printf (text, " — %s", expect);
    }
}

void
beckon_plain_plan_append_steps (GString *text, const BeckonPlan *plan)
{
  for (guint i = 0; i < beckon_plan_get_n_steps (plan); i++)
    append_step_line (text, plan, i);
}

void
beckon_plain_plan_append_heading (GString *text, BeckonRequest *request, guint item)
{
  g_autoptr (BeckonPlan) plan = beckon_request_dup_shown_plan (request);

  beckon_plain_text_append (text, _("Plan: "), plan->title);
}

void
beckon_plain_plan_append (GString *text, BeckonRequest *request, guint item, const char *code)
{
  g_autoptr (BeckonPlan) plan = beckon_request_dup_shown_plan (request);

  beckon_plain_plan_append_steps (text, plan);
  beckon_text_append (text, "\n\n1. %s\n2. %s\n3. %s\n\n%s", _("Accept and run"), _("Dismiss"), _("Stop"),
                      _("Reply with a number, with /replan and what to change, or with the whole plan as JSON; /json "
                        "prints it"));
}

void
beckon_plain_plan_append_step (GString *text, BeckonRequest *request)
{
  g_autoptr (BeckonPlan) plan = beckon_request_dup_shown_plan (request);
  int index = beckon_request_get_step (request) != NULL ? beckon_plan_find (plan, beckon_request_get_step (request)) : -1;

  if (index < 0)
    return;
  /* Translators: which step of a plan is to run next */
  g_string_append_printf (text, _("\nStep %u of %u of the plan:"), (guint) index + 1, beckon_plan_get_n_steps (plan));
  beckon_plain_plan_append_steps (text, plan);
  beckon_text_append (text, "\n%s", _("Also: /skip, /replan and what to change, /plan and the whole plan as JSON; /json "
                                      "prints it"));
}

static char *
dup_document (BeckonRequest *request)
{
  g_autoptr (BeckonPlan) plan = beckon_request_dup_shown_plan (request);
  g_autofree char *document = beckon_plan_to_text (plan);

  return beckon_text_for_display (document, -1, BECKON_TEXT_MARKED);
}

static BeckonPlainResult
take_document (BeckonRequest *request, const char *json, BeckonAnswer **whole, char **message)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_PLAN, json);
  g_autoptr (GError) error = NULL;

  if (beckon_request_check_answer (request, answer, &error))
    {
      *whole = g_steal_pointer (&answer);
      return BECKON_PLAIN_ANSWER;
    }
  *message = g_strdup (error->message);
  return BECKON_PLAIN_AGAIN;
}

/* Skips "/command" and white space; NULL if @line is something else. */
static const char *
get_rest (const char *line, const char *command)
{
  gsize length = strlen (command);

  if (!g_str_has_prefix (line, command) || (line[length] != '\0' && !g_ascii_isspace (line[length])))
    return NULL;
  line += length;
  while (g_ascii_isspace (*line))
    line++;
  return line;
}

gboolean
beckon_plain_plan_parse_command (BeckonRequest *request, const char *line, BeckonPlainResult *result, BeckonAnswer **whole,
                                 char **message)
{
  gboolean is_step = beckon_request_get_step (request) != NULL;
  const char *wish = get_rest (line, "/replan");
  const char *document = is_step ? get_rest (line, "/plan") : *line == '{' ? line : NULL;

  if (!beckon_request_takes (request, BECKON_ANSWER_PLAN))
    return FALSE;

  *result = BECKON_PLAIN_ANSWER;
  if (wish != NULL)
    *whole = beckon_answer_new (BECKON_ANSWER_ASKED_BACK, *wish != '\0' ? wish : NULL);
  else if (is_step && strcmp (line, "/skip") == 0)
    *whole = beckon_answer_new (BECKON_ANSWER_SKIP, NULL);
  else if (document != NULL)
    *result = take_document (request, document, whole, message);
  else if (strcmp (line, "/json") == 0)
    {
      *message = dup_document (request);
      *result = BECKON_PLAIN_AGAIN;
    }
  else
    return FALSE;
  return TRUE;
}

BeckonPlainResult
beckon_plain_plan_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer, BeckonAnswer **whole,
                         char **message)
{
  const char *const words[] = { _("Accept and run"), _("Dismiss"), _("Stop") };
  const char *reason = beckon_plain_reply_get_reason (line);
  BeckonPlainResult result;

  if (beckon_plain_reply_parse_command (line, &result, whole)
      || beckon_plain_plan_parse_command (request, line, &result, whole, message))
    return result;

  return beckon_plain_reply_decide (line, words, reason,
                 _("Reply with 1 to accept and run it, 2 to dismiss it, 3 to stop, /replan, or a plan as JSON."), whole,
                 message);
}
