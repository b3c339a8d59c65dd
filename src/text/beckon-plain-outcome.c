/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-outcome.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-call-labels.h"
#include "beckon-plain-class.h"
#include "beckon-plain-number.h"
#include "beckon-plain-reply.h"
#include "request/beckon-outcome-request.h"

#include <glib/gi18n-lib.h>
#include <string.h>

void
beckon_plain_outcome_append_heading (GString *text, BeckonRequest *request, guint item)
{
  const char *tool = beckon_request_get_tool (request);
  g_autofree char *arguments = beckon_request_dup_shown_arguments (request);
  g_autofree char *sentence
    = beckon_call_labels_is_known (tool) ? beckon_call_labels_describe (tool, NULL, arguments, BECKON_CALL_PHASE_STEP) : NULL;
  g_autofree char *shown = beckon_text_for_display (sentence != NULL ? sentence : tool, -1, BECKON_TEXT_EXACT);

  /* Translators: %s is what an agent was doing when the program ended, such as "Run make" */
  beckon_text_append (text, _("Interrupted: %s"), shown);
}

void
beckon_plain_outcome_append (GString *text, BeckonRequest *request, guint item, const char *code)
{
  g_autofree char *shown = beckon_request_dup_shown_arguments (request);
  g_autofree char *arguments = beckon_text_json_for_display (shown);
  g_autofree char *words = beckon_request_dup_outcome_words (request);

  beckon_text_append (text, "\n%s\n%s", arguments, words);
  if (!beckon_plain_class_waits (request))
    return;
  beckon_text_append (text, "\n1. %s\n2. %s\n3. %s", _("Run again"), _("Skip"), _("Stop"));
  if (beckon_request_get_can_verify (request))
    beckon_text_append (text, "\n4. %s", _("Let the tool look"));
  beckon_text_append (text, "\n\n%s", _("Check what happened and type what you found, or reply with a number"));
}

/* Other text is what the person found. A number that is not offered is neither. */
BeckonPlainResult
beckon_plain_outcome_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer, BeckonAnswer **whole,
                            char **message)
{
  const char *const words[] = { _("Run again"), _("Skip"), _("Stop") };
  g_autoptr (GArray) number = beckon_plain_number_parse (line, FALSE);
  BeckonPlainResult result;

  if (beckon_plain_reply_parse_command (line, &result, whole))
    return result;

  switch (beckon_plain_reply_parse_decision (strcmp (line, "/skip") == 0 ? "2" : line, words))
    {
    case 1:
      *whole = beckon_answer_new (BECKON_ANSWER_RETRY, NULL);
      return BECKON_PLAIN_ANSWER;
    case 2:
      *whole = beckon_answer_new (BECKON_ANSWER_SKIP, NULL);
      return BECKON_PLAIN_ANSWER;
    case 3:
      return BECKON_PLAIN_STOP;
    default:
      break;
    }

  if (number == NULL)
    *whole = beckon_answer_new (BECKON_ANSWER_LOOKED, line);
  else if (beckon_request_get_can_verify (request) && g_array_index (number, guint, 0) == 4)
    *whole = beckon_answer_new (BECKON_ANSWER_LOOKED, NULL);
  if (*whole != NULL && (number != NULL || (*whole)->text != NULL))
    return BECKON_PLAIN_ANSWER;
  g_clear_pointer (whole, beckon_answer_unref);
  return beckon_plain_reply_again (message, _("Reply with 1 to run it again, 2 to skip it, 3 to stop, or type what you "
                                              "found."));
}
