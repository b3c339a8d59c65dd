/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-plain-call.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-call-labels.h"
#include "beckon-plain-plan.h"
#include "domain/beckon-progress.h"
#include "domain/beckon-tool-call.h"
#include "form/beckon-plan-parameters.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PLAN_TOOL "propose_plan"
#define PROGRESS_TOOL "update_plan"

/* Characters of a reason that are worth a line. */
#define MOST_REASON 200

/* Lines at the end of an output among which its error is looked for. */
#define MOST_LINES 40

/* A plan that was not accepted has no statuses; it is shown as it was proposed. */
static char *
summarize_plan (BeckonToolCall *call)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parameters_show_call (call);
  g_autofree char *proposed = plan == NULL ? beckon_parameters_show_call (call) : NULL;
  g_autofree char *title = NULL;
  g_autoptr (GString) text = NULL;

  if (plan == NULL)
    plan = beckon_plan_parse (proposed, BECKON_PLAN_FROM_MODEL, NULL);
  if (plan == NULL)
    return NULL;

  title = beckon_text_for_display (plan->title != NULL ? plan->title : "", -1, BECKON_TEXT_EXACT);
  text = g_string_new (title);
  beckon_plain_plan_append_steps (text, plan, call);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

const char *
beckon_plain_call_get_mark (BeckonToolCall *call)
{
  const BeckonPlan *plan;
  gboolean is_whole = TRUE;

  g_return_val_if_fail (BECKON_IS_TOOL_CALL (call), "");

  plan = beckon_tool_call_get_plan (call);
  if (beckon_tool_call_get_state (call) == BECKON_CALL_CANCELLED)
    return BECKON_PLAIN_STOPPED_MARK;
  if (beckon_tool_call_get_is_error (call))
    return beckon_step_status_get_mark (BECKON_STEP_FAILED);
  for (guint i = 0; plan != NULL && i < beckon_plan_get_n_steps (plan); i++)
    {
      const BeckonStepStatus status = beckon_plan_get_step (plan, i)->status;

      if (status == BECKON_STEP_FAILED)
        return beckon_step_status_get_mark (status);
      is_whole = is_whole && status != BECKON_STEP_NOT_SAVED;
    }
  if (!is_whole || (plan != NULL && beckon_plan_get_current (plan) >= 0) || beckon_tool_call_is_not_saved (call))
    return beckon_step_status_get_mark (BECKON_STEP_NOT_SAVED);
  return beckon_step_status_get_mark (BECKON_STEP_COMPLETED);
}

char *
beckon_plain_call_dup_summary (BeckonToolCall *call)
{
  char *summary = NULL;

  g_return_val_if_fail (BECKON_IS_TOOL_CALL (call), NULL);

  if (g_str_equal (beckon_tool_call_get_name (call), PLAN_TOOL))
    summary = summarize_plan (call);
  else if (g_str_equal (beckon_tool_call_get_name (call), PROGRESS_TOOL))
    {
      g_autoptr (GPtrArray) steps = beckon_progress_parse (beckon_tool_call_get_effective_arguments (call), NULL);

      if (steps != NULL)
        summary = g_strdup_printf ("%u/%u", beckon_progress_count_done (steps), steps->len);
    }
  if (summary == NULL)
    {
      g_autofree char *shown = beckon_parameters_show_call (call);

      summary = beckon_text_for_display (shown, -1, BECKON_TEXT_EXACT);
    }

  return summary;
}

static gboolean
plain_call_says_something (const char *line)
{
  for (; *line != '\0'; line = g_utf8_next_char (line))
    if (g_unichar_isalnum (g_utf8_get_char (line)))
      return TRUE;
  return FALSE;
}

/* (transfer full): the line of what a command gave last that tells most: an error, which a trace may follow, or the last line
 * that says something; empty where there is none. */
static char *
plain_call_dup_telling_line (BeckonToolCall *call)
{
  const char *result = beckon_tool_call_get_result (call);
  g_autofree char *output = g_strndup (result, beckon_tool_call_get_output_length (call));
  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);
  const char *telling = "";
  guint n = g_strv_length (lines);

  for (guint i = n; i > 0 && i + MOST_LINES > n; i--)
    {
      if (*telling == '\0' && plain_call_says_something (lines[i - 1]))
        telling = g_strstrip (lines[i - 1]);
      if (strcasestr (lines[i - 1], "error:") != NULL)
        return beckon_text_shorten (g_strstrip (lines[i - 1]), MOST_REASON);
    }
  return beckon_text_shorten (telling, MOST_REASON);
}

char *
beckon_plain_call_dup_reason (BeckonToolCall *call)
{
  const char *result = beckon_tool_call_get_result (call);
  g_autofree char *first = NULL;
  const int status = beckon_tool_call_get_exit_status (call);

  if (beckon_call_labels_is_unclear (call))
    return g_strdup (_("The call could not be understood; the model was told why."));
  if (beckon_tool_call_get_reason (call) != NULL)
    return g_strdup (beckon_tool_call_get_reason (call));
  if (status > 0)
    {
      g_autofree char *line = plain_call_dup_telling_line (call);

      /* Translators: of a command: its exit status, and a line of what it printed */
      return *line != '\0' ? beckon_text_printf (_("Exited with %d: %s"), status, line)
                           : beckon_text_printf (_("Exited with %d"), status);
    }
  if (beckon_tool_call_get_started_at (call) == 0)
    return g_strdup (_("It was not run; the model was told why."));
  /* How the arguments were read stands before it, in brackets. */
  if (*result == '[' && strchr (result, '\n') != NULL)
    result = strchr (result, '\n') + 1;
  first = g_strndup (result, strcspn (result, "\n"));
  return beckon_text_shorten (g_strstrip (first), 2 * MOST_REASON);
}
