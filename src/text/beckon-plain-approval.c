/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-approval.h"

#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-plain-plan.h"
#include "beckon-plain-remember.h"
#include "beckon-plain-reply.h"
#include "request/beckon-approval-request.h"

#include <glib/gi18n-lib.h>
#include <string.h>

void
beckon_plain_approval_append_heading (GString *text, BeckonRequest *request, guint item)
{
  g_autofree char *tool = beckon_text_for_display (beckon_request_get_tool (request), -1, BECKON_TEXT_EXACT);

  /* Translators: %s is the name of a tool */
  beckon_text_append (text, _("About to run %s"), tool);
}

void
beckon_plain_approval_append (GString *text, BeckonRequest *request, guint item, const char *code)
{
  const char *reason = beckon_request_get_reason (request);
  g_autofree char *shown = beckon_request_dup_shown_arguments (request);
  g_autofree char *arguments = beckon_text_json_for_display (shown);

  beckon_plain_plan_append_step (text, request);
  g_string_append_printf (text, "\n%s", arguments);
  if (reason != NULL)
    beckon_plain_text_append (text, "\n", reason);
  beckon_text_append (text, "\n1. %s\n2. %s\n3. %s", _("Run"), _("Deny"), _("Stop"));
  beckon_plain_remember_append (text, request);
  beckon_text_append (text, "\n\n%s", _("Reply with a number, or with changed arguments as a JSON object"));
}

/* Members in the reply replace the proposed ones, null removes them, all others stay. */
static char *
merge_arguments (BeckonRequest *request, const char *line, char **message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) changes = beckon_json_parse_object (line, -1, &error);
  g_autoptr (JsonNode) merged = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (changes != NULL)
    merged = beckon_json_parse (beckon_request_get_arguments (request), -1, &error);
  if (merged == NULL || !JSON_NODE_HOLDS_OBJECT (merged))
    {
      /* Translators: %s says what is wrong with a JSON text that somebody typed */
      *message = beckon_text_printf (_("Can't use these changes: %s"), error != NULL ? error->message : "");
      return NULL;
    }

  before = beckon_json_print (merged);
  json_object_iter_init (&iter, changes);
  while (json_object_iter_next (&iter, &name, &value))
    if (JSON_NODE_HOLDS_NULL (value))
      json_object_remove_member (json_node_get_object (merged), name);
    else
      json_object_set_member (json_node_get_object (merged), name, json_node_copy (value));

  after = beckon_json_print (merged);
  if (strcmp (before, after) != 0)
    return g_steal_pointer (&after);

  *message = g_strdup (_("This changes nothing. Reply with 1 to run it as it is."));
  return NULL;
}

BeckonPlainResult
beckon_plain_approval_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer, BeckonAnswer **whole,
                             char **message)
{
  const char *const words[] = { _("Run"), _("Deny"), _("Stop") };
  const char *reason = beckon_plain_reply_get_argument (line, "/deny");
  BeckonPlainResult result;

  if (beckon_plain_reply_parse_command (line, &result, whole)
      || beckon_plain_plan_parse_command (request, line, &result, whole, message))
    return result;

  if (beckon_plain_remember_parse (request, line, whole, message))
    return *whole != NULL ? BECKON_PLAIN_ANSWER : BECKON_PLAIN_AGAIN;

  if (*line == '{')
    {
      g_autofree char *arguments = merge_arguments (request, line, message);

      if (arguments == NULL)
        return BECKON_PLAIN_AGAIN;
      *whole = beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, arguments);
      return BECKON_PLAIN_ANSWER;
    }

  return beckon_plain_reply_decide (line, words, reason,
                 _("Reply with 1 to run it, 2 to deny it, 3 to stop, or a JSON object of changes."), whole, message);
}
