/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-plan.h"

#include "base/beckon-json-value.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-call-labels.h"
#include "beckon-plain-call.h"
#include "beckon-plain-class.h"
#include "beckon-plain-number.h"
#include "beckon-plain-reply.h"
#include "domain/beckon-plan-reference.h"
#include "domain/beckon-plan.h"
#include "domain/beckon-tool-call.h"
#include "request/beckon-call-request.h"
#include "request/beckon-plan-request.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* (nullable): what its person made of a step of the plan as it was proposed. */
static const char *
get_change (const BeckonPlan *proposed, const BeckonPlanStep *step)
{
  int index = beckon_plan_find (proposed, step->id);
  const BeckonPlanStep *was = index >= 0 ? beckon_plan_get_step (proposed, (guint) index) : NULL;

  if (was == NULL)
    /* Translators: stands behind a step that the person added to a plan */
    return _("(new)");
  if (step->status == BECKON_STEP_SKIPPED)
    /* Translators: stands behind a step of a plan that is not to be run */
    return was->status != BECKON_STEP_SKIPPED ? _("(skipped)") : NULL;
  if (!g_str_equal (was->tool, step->tool) || !g_str_equal (was->arguments, step->arguments))
    /* Translators: stands behind a step of a plan that does something else than was proposed */
    return _("(changed)");
  return NULL;
}

/* Whether something that a step changed was left out of the folder. */
static gboolean
has_left_out (BeckonToolCall *made)
{
  g_autoptr (GPtrArray) landings = beckon_tool_call_list_landings (made);

  for (guint i = 0; i < landings->len; i++)
    {
      const BeckonChangeSet *changes = ((const BeckonLanding *) g_ptr_array_index (landings, i))->changes;

      for (guint k = 0; k < beckon_change_set_get_n_changes (changes); k++)
        {
          const BeckonFileFate fate = beckon_change_set_get (changes, k)->fate;

          if (fate != BECKON_FILE_OPEN && fate != BECKON_FILE_KEPT && fate != BECKON_FILE_UNDONE)
            return TRUE;
        }
    }
  return FALSE;
}

/* (nullable): what its person made of a step of the plan that @call carries out or carried out; then @mark tells it, too. */
static const char *
get_fate (BeckonToolCall *call, const BeckonPlanStep *step, const char **mark)
{
  BeckonToolCall *made = beckon_tool_call_find_step (call, step->id);
  GObject *request = made != NULL ? beckon_tool_call_get_request (made) : NULL;
  gboolean is_over = beckon_call_state_is_final (beckon_tool_call_get_state (call));

  if (step->status == BECKON_STEP_SKIPPED && request != NULL
      && beckon_request_get_state (BECKON_REQUEST (request)) == BECKON_REQUEST_DECLINED)
    {
      *mark = beckon_step_status_get_mark (BECKON_STEP_FAILED);
      /* Translators: stands behind a step of a plan that the person did not let run */
      return _("(denied)");
    }
  /* A plan ends before its step, by a moment. */
  if ((is_over && step->status == BECKON_STEP_EXECUTING)
      || (step->status == BECKON_STEP_FAILED && made != NULL && beckon_tool_call_get_state (made) == BECKON_CALL_CANCELLED))
    {
      *mark = BECKON_PLAIN_STOPPED_MARK;
      /* Translators: stands behind a step of a plan that was running when the person stopped the agent */
      return _("(stopped)");
    }
  if (step->status == BECKON_STEP_COMPLETED && made != NULL && has_left_out (made))
    {
      *mark = beckon_step_status_get_mark (BECKON_STEP_NOT_SAVED);
      /* Translators: stands behind a step of a plan: a part of what it changed is not in the folder */
      return _("(ran, some changes not saved)");
    }
  return NULL;
}

/* (transfer full): what a step is for, or what it does. */
static char *
plain_plan_dup_sentence (const BeckonPlan *plan, const BeckonPlanStep *step)
{
  g_autofree char *readable = NULL;

  if (step->expect != NULL && *step->expect != '\0')
    return g_strdup (step->expect);
  readable = beckon_plan_make_readable (plan, step->arguments);
  return beckon_call_labels_describe (step->tool, NULL, readable, BECKON_CALL_PHASE_STEP);
}

/* A line says what a step is for and how it stands; where it is decided on, more say what it does. @mark: (nullable): instead
 * of its status's. @remark: (nullable). @request: (nullable): which asks about the plan */
static void
append_step (GString *text, const BeckonPlan *plan, guint index, gboolean is_whole, const char *mark, const char *remark,
             BeckonRequest *request)
{
  const BeckonPlanStep *step = beckon_plan_get_step (plan, index);
  g_autofree char *readable = beckon_plan_make_readable (plan, step->arguments);
  g_autofree char *tool = beckon_text_for_display (step->tool, -1, BECKON_TEXT_EXACT);
  g_autofree char *sentence = plain_plan_dup_sentence (plan, step);
  g_autofree char *arguments = is_whole ? beckon_call_labels_list_arguments (readable, TRUE) : NULL;
  g_autofree char *contents = request != NULL ? beckon_plan_request_list_contents (request, step) : NULL;
  g_autofree char *all = g_strjoin ("\n", arguments != NULL ? arguments : "", contents, NULL);
  g_auto (GStrv) lines = g_strsplit (all, "\n", -1);

  g_string_append_printf (text, "\n%s %u. ", mark != NULL ? mark : beckon_step_status_get_mark (step->status), index + 1);
  beckon_plain_text_append (text, "", sentence);
  if (beckon_plan_step_is_free (step) && step->status != BECKON_STEP_SKIPPED && beckon_plan_pauses_before (plan, index))
    /* Translators: stands behind a step of a plan before which the plan pauses */
    beckon_text_append (text, " %s", _("(pause)"));
  if (step->status == BECKON_STEP_NOT_SAVED)
    /* Translators: stands behind a step of a plan: nothing that it changed is in the folder */
    beckon_text_append (text, " %s", _("(ran, changes not saved)"));
  if (remark != NULL)
    beckon_text_append (text, " %s", remark);
  if (is_whole)
    g_string_append_printf (text, "\n    %s", tool);
  for (guint i = 0; is_whole && lines[i] != NULL; i++)
    beckon_plain_text_append (text, "\n    ", lines[i]);
}

void
beckon_plain_plan_append_steps (GString *text, const BeckonPlan *plan, BeckonToolCall *call)
{
  for (guint i = 0; i < beckon_plan_get_n_steps (plan); i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (plan, i);
      BeckonToolCall *made = call != NULL ? beckon_tool_call_find_step (call, step->id) : NULL;
      const char *mark = NULL;
      const char *fate = call != NULL ? get_fate (call, step, &mark) : NULL;
      g_autofree char *reason = fate == NULL && step->status == BECKON_STEP_FAILED && made != NULL
                                    && beckon_tool_call_get_result (made) != NULL
                                  ? beckon_plain_call_dup_reason (made) : NULL;

      append_step (text, plan, i, FALSE, mark, fate, NULL);
      if (reason != NULL && *reason != '\0')
        beckon_plain_text_append (text, "\n     ", reason);
    }
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

  for (guint i = 0; i < beckon_plan_get_n_steps (plan); i++)
    append_step (text, plan, i, TRUE, NULL, NULL, request);
  if (!beckon_plain_class_waits (request))
    return;
  beckon_text_append (text, "\n\n1. %s\n2. %s\n3. %s\n\n%s", _("Accept and run"), _("Dismiss"), _("Stop"),
                      _("Reply with a number, with /pause to be asked before every step or /pause 2,3 before those, with "
                        "/skip 2,3 to leave steps out, with /replan and what to change, or with the whole plan as JSON; "
                        "/json prints it"));
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
  beckon_plain_plan_append_steps (text, plan, NULL);
  if (!beckon_plain_class_waits (request))
    return;
  beckon_text_append (text, "\n%s", _("Also: /skip; /pause off to pause only for approvals; your own words to change the plan; "
                                      "/plan and the whole plan as JSON; /json prints it"));
}

/* @edited: (nullable): a document that its person made of the plan before, which they go on from. */
static BeckonPlan *
dup_plan (BeckonRequest *request, const BeckonAnswer *edited)
{
  return edited != NULL && edited->kind == BECKON_ANSWER_PLAN
           ? beckon_plan_parse (edited->text, BECKON_PLAN_FROM_PERSON, NULL) : beckon_request_dup_shown_plan (request);
}

/* A document without the member was written without a thought of pauses. Returns (nullable) */
static char *
dup_with_pauses (const BeckonPlan *edited, const char *json)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (json, BECKON_PLAN_FROM_PERSON, NULL);
  g_autoptr (BeckonJsonValue) value = plan != NULL ? beckon_json_value_parse (json, -1, NULL) : NULL;

  if (value == NULL || beckon_json_value_get (value, "pause") != NULL || edited->pause == BECKON_PAUSE_POLICY)
    return NULL;
  for (guint i = 0; i < beckon_plan_get_n_steps (edited); i++)
    if (beckon_plan_get_step (edited, i)->breakpoint)
      beckon_plan_set_breakpoint (plan, beckon_plan_get_step (edited, i)->id, TRUE, NULL);
  plan->pause = edited->pause;
  return beckon_plan_to_json (plan);
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

static int
plain_plan_compare_later (gconstpointer one, gconstpointer other)
{
  guint a = *(const guint *) one, b = *(const guint *) other;

  return (a < b) - (a > b);
}

/* The changed plan is shown again and does not run yet; where nobody is there to look, it is the answer. @skips: the steps
 * are left out, or taken in again; else the plan pauses before them. */
static BeckonPlainResult
take_steps (BeckonRequest *request, const BeckonAnswer *edited, const char *which, gboolean skips, BeckonAnswer **whole,
            char **message)
{
  g_autoptr (BeckonPlan) plan = dup_plan (request, edited);
  g_autoptr (GArray) numbers = beckon_plain_number_parse (which, TRUE);
  g_autofree char *json = NULL;

  if (skips && numbers == NULL)
    return beckon_plain_reply_again (message, _("Skip which steps? /skip 2,3 leaves those out."));
  if (*which != '\0' && strcmp (which, "off") != 0 && numbers == NULL)
    return beckon_plain_reply_again (message, _("Pause before which steps? /pause for every step, /pause 2,3 for some, /pause "
                                                "off to pause only for approvals."));
  if (!skips)
    plan->pause = *which == '\0' ? BECKON_PAUSE_EVERY_STEP : BECKON_PAUSE_POLICY;
  for (guint i = 0; !skips && i < beckon_plan_get_n_steps (plan); i++)
    beckon_plan_set_breakpoint (plan, beckon_plan_get_step (plan, i)->id, FALSE, NULL);
  /* A step is left out before the one whose result it uses. */
  if (numbers != NULL)
    g_array_sort (numbers, plain_plan_compare_later);
  for (guint i = 0; numbers != NULL && i < numbers->len; i++)
    {
      guint number = g_array_index (numbers, guint, i);
      const BeckonPlanStep *step;
      g_auto (BeckonPlanFault) fault = { 0 };

      if (i > 0 && number == g_array_index (numbers, guint, i - 1))
        continue;
      if (number > beckon_plan_get_n_steps (plan))
        return beckon_plain_reply_again (message, _("There is no such step."));
      step = beckon_plan_get_step (plan, number - 1);
      if (skips ? !beckon_plan_set_skipped (plan, step->id, step->status != BECKON_STEP_SKIPPED, &fault)
                : !beckon_plan_set_breakpoint (plan, step->id, TRUE, &fault))
        {
          *message = beckon_plan_fault_to_words (&fault, TRUE);
          return BECKON_PLAIN_AGAIN;
        }
    }
  json = beckon_plan_to_json (plan);
  return take_document (request, json, whole, message);
}

gboolean
beckon_plain_plan_parse_command (BeckonRequest *request, const char *line, const BeckonAnswer *edited,
                                 BeckonPlainResult *result, BeckonAnswer **whole, char **message)
{
  gboolean is_step = beckon_request_get_step (request) != NULL;
  const char *wish = get_rest (line, "/replan");
  const char *pauses = get_rest (line, "/pause");
  const char *skips = is_step ? NULL : get_rest (line, "/skip");
  const char *document = is_step ? get_rest (line, "/plan") : *line == '{' ? line : NULL;

  if (!beckon_request_takes (request, BECKON_ANSWER_PLAN))
    return FALSE;

  *result = BECKON_PLAIN_ANSWER;
  if (wish != NULL)
    *whole = beckon_answer_new (BECKON_ANSWER_ASKED_BACK, *wish != '\0' ? wish : NULL);
  else if (is_step && strcmp (line, "/skip") == 0)
    *whole = beckon_answer_new (BECKON_ANSWER_SKIP, NULL);
  else if (pauses != NULL)
    *result = take_steps (request, edited, pauses, FALSE, whole, message);
  else if (skips != NULL)
    *result = take_steps (request, edited, skips, TRUE, whole, message);
  else if (document != NULL)
    {
      g_autoptr (BeckonPlan) before = is_step ? NULL : dup_plan (request, edited);
      g_autofree char *paused = before != NULL ? dup_with_pauses (before, document) : NULL;

      *result = take_document (request, paused != NULL ? paused : document, whole, message);
    }
  else if (strcmp (line, "/json") == 0)
    {
      g_autoptr (BeckonPlan) plan = dup_plan (request, edited);
      g_autofree char *text = beckon_plan_to_text (plan);

      *message = beckon_text_for_display (text, -1, BECKON_TEXT_MARKED);
      *result = BECKON_PLAIN_AGAIN;
    }
  else
    return FALSE;
  return TRUE;
}

/* A word alone may be meant as a yes, and is asked about again. */
BeckonAnswer *
beckon_plain_plan_take_words (BeckonRequest *request, const char *line)
{
  gboolean is_sentence = strpbrk (line, " \t") != NULL || (!g_str_is_ascii (line) && g_utf8_strlen (line, -1) > 4);

  if (beckon_request_get_step (request) == NULL || !is_sentence || strchr ("/{", *line) != NULL
      || g_ascii_isdigit (*line))
    return NULL;
  return beckon_answer_new (BECKON_ANSWER_ASKED_BACK, line);
}

char *
beckon_plain_plan_format_changed (BeckonRequest *request, const char *document)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (document, BECKON_PLAN_FROM_PERSON, NULL);
  g_autoptr (BeckonPlan) proposed = beckon_request_dup_shown_plan (request);
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (plan != NULL, NULL);

  beckon_plain_text_append (text, _("Plan: "), plan->title);
  for (guint i = 0; i < beckon_plan_get_n_steps (plan); i++)
    append_step (text, plan, i, TRUE, NULL, get_change (proposed, beckon_plan_get_step (plan, i)), request);
  for (guint i = 0; i < beckon_plan_get_n_steps (proposed); i++)
    {
      const BeckonPlanStep *step = beckon_plan_get_step (proposed, i);
      g_autofree char *sentence = plain_plan_dup_sentence (proposed, step);

      /* Translators: before what a step of a plan is for, or its tool; the person took it out of the plan */
      if (beckon_plan_find (plan, step->id) < 0)
        beckon_plain_text_append (text, _("\nRemoved: "), sentence);
    }
  beckon_text_append (text, "\n\n%s", _("This is the plan as you changed it. Reply with 1 to accept and run it."));
  return g_string_free (text, FALSE);
}

BeckonPlainResult
beckon_plain_plan_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer, BeckonAnswer **whole,
                         char **message)
{
  const char *const words[] = { _("Accept and run"), _("Dismiss"), _("Stop") };
  const char *reason = beckon_plain_reply_get_reason (line);
  BeckonPlainResult result;

  if (beckon_plain_reply_parse_command (line, &result, whole)
      || beckon_plain_plan_parse_command (request, line, answer, &result, whole, message))
    return result;

  return beckon_plain_reply_decide (line, words, reason,
                 _("Reply with 1 to accept and run it, 2 to dismiss it, 3 to stop, /pause, /skip, /replan, or a plan "
                   "as JSON."), whole,
                 message);
}
