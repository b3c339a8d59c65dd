/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-export-conceal.h"

#include "base/beckon-json.h"
#include "request/beckon-parameters.h"
#include "request/beckon-request.h"

/* What cannot be taken apart might have it anywhere. */
#define EMPTY_OBJECT "{}"

static char *
conceal_body (const char *concealed, const char *text)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (text, -1, NULL);
  const char *arguments = object != NULL ? beckon_json_get_string (object, "arguments") : NULL;
  g_autofree char *shown = arguments != NULL ? beckon_parameters_show_by (concealed, arguments) : NULL;
  g_autoptr (JsonNode) node = NULL;

  if (shown == NULL)
    return g_strdup (EMPTY_OBJECT);
  json_object_set_string_member (object, "arguments", shown);
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_set_object (node, object);
  return beckon_json_print (node);
}

static char *
conceal_answer (const char *concealed, const char *text)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_from_json (text, NULL);
  g_autoptr (BeckonAnswer) kept = NULL;
  g_autofree char *shown = NULL;

  if (answer == NULL || answer->kind != BECKON_ANSWER_APPROVED_EDITED || answer->text == NULL)
    return g_strdup (text);
  shown = beckon_parameters_show_by (concealed, answer->text);
  kept = beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, shown);
  return beckon_answer_to_json (kept);
}

static BeckonMask *
make_mask (const char *concealed, const char *arguments)
{
  g_autoptr (BeckonParameters) parameters = beckon_parameters_from_json (concealed, NULL);

  return parameters != NULL ? beckon_parameters_make_mask (parameters, arguments) : NULL;
}

char *
beckon_export_conceal (const char *concealed, const char *arguments, const char *column, const char *text)
{
  g_autoptr (BeckonMask) mask = NULL;
  g_autofree char *shown = NULL;

  g_return_val_if_fail (concealed != NULL, NULL);
  g_return_val_if_fail (column != NULL, NULL);

  if (text == NULL || g_str_equal (column, "draft"))
    return NULL;
  if (g_str_equal (column, "arguments") || g_str_equal (column, "settled"))
    shown = beckon_parameters_show_by (concealed, text);
  else if (g_str_equal (column, "body"))
    shown = conceal_body (concealed, text);
  else if (g_str_equal (column, "answer"))
    shown = conceal_answer (concealed, text);
  else
    shown = g_strdup (text);
  mask = make_mask (concealed, arguments);
  return mask != NULL ? beckon_mask_apply (mask, shown) : g_steal_pointer (&shown);
}
