/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-export-conceal.h"

#include "base/beckon-json.h"
#include "request/beckon-parameters.h"
#include "request/beckon-request.h"

/* What cannot be taken apart might have it anywhere. */
#define EMPTY_OBJECT "{}"

gboolean
beckon_export_conceals (const BeckonExportConcealed *what)
{
  return what->concealed != NULL || what->plan_concealed != NULL;
}

static void
conceal_member (JsonObject *object, const char *name, const char *concealed)
{
  const char *text = beckon_json_get_string (object, name);
  g_autofree char *shown = text != NULL ? beckon_parameters_show_by (concealed, text) : NULL;

  if (shown != NULL)
    json_object_set_string_member (object, name, shown);
}

/* A plan has its document, a step its arguments and the document of its plan, every other call its arguments. */
static char *
conceal_body (const BeckonExportConcealed *what, const char *text)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (text, -1, NULL);
  g_autoptr (JsonNode) node = NULL;

  if (object == NULL)
    return g_strdup (EMPTY_OBJECT);
  if (beckon_json_get_string (object, "arguments") == NULL)
    return beckon_json_get_string (object, "plan") != NULL
               ? beckon_parameters_show_by (what->concealed, beckon_json_get_string (object, "plan"))
               : g_strdup (EMPTY_OBJECT);
  conceal_member (object, "arguments", what->concealed);
  conceal_member (object, "plan", what->plan_concealed);
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_set_object (node, object);
  return beckon_json_print (node);
}

static char *
conceal_answer (const BeckonExportConcealed *what, const char *text)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_from_json (text, NULL);
  g_autoptr (BeckonAnswer) kept = NULL;
  g_autofree char *shown = NULL;

  if (answer == NULL)
    return g_strdup (EMPTY_OBJECT);
  if (answer->text == NULL
      || (answer->kind != BECKON_ANSWER_APPROVED_EDITED && answer->kind != BECKON_ANSWER_PLAN))
    return g_strdup (text);
  shown = beckon_parameters_show_by (answer->kind == BECKON_ANSWER_PLAN && what->plan_concealed != NULL ? what->plan_concealed
                                                                                                        : what->concealed,
                                     answer->text);
  kept = beckon_answer_new (answer->kind, shown);
  return beckon_answer_to_json (kept);
}

/* Takes @text. */
static char *
apply_mask (const char *concealed, const char *arguments, char *text)
{
  g_autofree char *before = text;
  g_autoptr (BeckonMask) mask = arguments != NULL ? beckon_parameters_make_mask_by (concealed, arguments) : NULL;

  return mask != NULL ? beckon_mask_apply_json (mask, before) : g_steal_pointer (&before);
}

char *
beckon_export_conceal (const BeckonExportConcealed *what, const char *column, const char *text)
{
  char *shown;

  g_return_val_if_fail (what != NULL && beckon_export_conceals (what), NULL);
  g_return_val_if_fail (column != NULL, NULL);

  if (text == NULL || g_str_equal (column, "draft"))
    return NULL;
  if (g_str_equal (column, "arguments") || g_str_equal (column, "settled"))
    shown = beckon_parameters_show_by (what->concealed, text);
  else if (g_str_equal (column, "document"))
    shown = beckon_parameters_show_by (what->plan_concealed, text);
  else if (g_str_equal (column, "body"))
    shown = conceal_body (what, text);
  else if (g_str_equal (column, "answer"))
    shown = conceal_answer (what, text);
  else
    shown = g_strdup (text);
  shown = apply_mask (what->concealed, what->arguments, shown);
  return apply_mask (what->plan_concealed, what->plan_arguments, shown);
}
