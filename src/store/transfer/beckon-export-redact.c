/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-export-redact.h"

#include "base/beckon-json.h"
#include "form/beckon-parameters.h"
#include "request/beckon-request.h"

/* Unparsable text may hold it anywhere. */
#define EMPTY_OBJECT "{}"

gboolean
beckon_export_redacts (const BeckonExportRedacted *what)
{
  return what->redacted != NULL || what->plan_redacted != NULL;
}

static void
redact_member (JsonObject *object, const char *name, const char *redacted)
{
  const char *text = beckon_json_get_string (object, name);
  g_autofree char *shown = text != NULL ? beckon_parameters_show_by (redacted, text) : NULL;

  if (shown != NULL)
    json_object_set_string_member (object, name, shown);
}

/* A plan has its document, a step its arguments and the document of its plan, every other call its arguments. */
static char *
redact_body (const BeckonExportRedacted *what, const char *text)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (text, -1, NULL);
  g_autoptr (JsonNode) node = NULL;

  if (object == NULL)
    return g_strdup (EMPTY_OBJECT);
  if (beckon_json_get_string (object, "arguments") == NULL)
    return beckon_json_get_string (object, "plan") != NULL
               ? beckon_parameters_show_by (what->redacted, beckon_json_get_string (object, "plan"))
               : g_strdup (EMPTY_OBJECT);
  redact_member (object, "arguments", what->redacted);
  redact_member (object, "plan", what->plan_redacted);
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_set_object (node, object);
  return beckon_json_print (node);
}

static char *
redact_answer (const BeckonExportRedacted *what, const char *text)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_from_json (text, NULL);
  g_autoptr (BeckonAnswer) kept = NULL;
  g_autofree char *shown = NULL;

  if (answer == NULL)
    return g_strdup (EMPTY_OBJECT);
  if (answer->text == NULL
      || (answer->kind != BECKON_ANSWER_APPROVED_EDITED && answer->kind != BECKON_ANSWER_PLAN))
    return g_strdup (text);
  shown = beckon_parameters_show_by (answer->kind == BECKON_ANSWER_PLAN && what->plan_redacted != NULL ? what->plan_redacted
                                                                                                        : what->redacted,
                                     answer->text);
  kept = beckon_answer_new (answer->kind, shown);
  return beckon_answer_to_json (kept);
}

/* Takes @text. */
static char *
apply_mask (const char *redacted, const char *arguments, char *text)
{
  g_autofree char *before = text;
  g_autoptr (BeckonMask) mask = arguments != NULL ? beckon_parameters_make_mask_by (redacted, arguments) : NULL;

  return mask != NULL ? beckon_mask_apply_json (mask, before) : g_steal_pointer (&before);
}

char *
beckon_export_redact (const BeckonExportRedacted *what, const char *column, const char *text)
{
  char *shown;

  if (text == NULL || g_str_equal (column, "draft"))
    return NULL;
  if (g_str_equal (column, "arguments") || g_str_equal (column, "settled"))
    shown = beckon_parameters_show_by (what->redacted, text);
  else if (g_str_equal (column, "document"))
    shown = beckon_parameters_show_by (what->plan_redacted, text);
  else if (g_str_equal (column, "body"))
    shown = redact_body (what, text);
  else if (g_str_equal (column, "answer"))
    shown = redact_answer (what, text);
  else
    shown = g_strdup (text);
  shown = apply_mask (what->redacted, what->arguments, shown);
  return apply_mask (what->plan_redacted, what->plan_arguments, shown);
}
