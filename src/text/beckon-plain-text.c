/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-text.h"

#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-plain-number.h"

#include <glib/gi18n-lib.h>
#include <string.h>

guint
beckon_plain_text_n_items (BeckonRequest *request)
{
  BeckonQuestion *question;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), 0);

  question = beckon_request_get_question (request);
  return question != NULL ? beckon_question_get_n_items (question) : 1;
}

static void
append_safe (GString *text, const char *prefix, const char *untrusted)
{
  g_autofree char *safe = beckon_text_for_display (untrusted, -1, BECKON_TEXT_PROSE);

  g_string_append (text, prefix);
  g_string_append (text, safe);
}

static void
append_options (GString *text, const BeckonQuestionItem *item)
{
  for (guint i = 0; i < item->options->len; i++)
    {
      const BeckonQuestionOption *option = beckon_question_item_get_option (item, i);

      g_string_append_printf (text, "\n%u. ", i + 1);
      append_safe (text, "", option->label);
      if (option->recommended)
        /* Translators: marks the choice that the model recommends, in plain text */
        g_string_append_printf (text, " %s", _ ("(recommended)"));
      if (option->description != NULL)
        append_safe (text, " — ", option->description);
    }
}

static const char *
reply_hint (const BeckonQuestionItem *item)
{
  if (item->options->len == 0)
    return _ ("Type your answer");
  if (item->multiple && item->freeform)
    return _ ("Reply with numbers such as 1,3, or type your answer");
  if (item->multiple)
    return _ ("Reply with numbers such as 1,3");
  if (item->freeform)
    return _ ("Reply with a number, or type your answer");
  return _ ("Reply with a number");
}

static char *
format_question (BeckonQuestion *question, guint index)
{
  const BeckonQuestionItem *item = beckon_question_get_item (question, index);
  guint n = beckon_question_get_n_items (question);
  g_autoptr (GString) text = g_string_new ("❓ ");

  if (n > 1)
    /* Translators: which of several questions this is, such as "(2 of 3) " */
    g_string_append_printf (text, _ ("(%u of %u) "), index + 1, n);
  append_safe (text, "", item->question);
  append_options (text, item);
  g_string_append_printf (text, "\n\n%s", reply_hint (item));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
format_approval (BeckonRequest *request)
{
  g_autofree char *tool = beckon_text_for_display (beckon_request_get_tool (request), -1, BECKON_TEXT_EXACT);
  g_autofree char *arguments = beckon_text_for_display (beckon_request_get_arguments (request), -1, BECKON_TEXT_EXACT);
  const char *reason = beckon_request_get_reason (request);
  g_autoptr (GString) text = g_string_new (NULL);

  /* Translators: %s is the name of a tool */
  g_string_append_printf (text, _ ("⚠ About to run %s"), tool);
  g_string_append_printf (text, "\n%s\n", arguments);
  if (reason != NULL)
    append_safe (text, "", reason);
  g_string_append_printf (text, "\n1. %s\n2. %s\n3. %s\n\n%s", _ ("Run"), _ ("Deny"), _ ("Stop"),
                          _ ("Reply with a number, or with other arguments as a JSON object"));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_plain_text_format (BeckonRequest *request, guint item)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);
  g_return_val_if_fail (item < beckon_plain_text_n_items (request), NULL);

  if (beckon_request_get_kind (request) == BECKON_REQUEST_APPROVAL)
    return format_approval (request);
  return format_question (beckon_request_get_question (request), item);
}

static BeckonPlainResult
again (char **message, const char *text)
{
  *message = g_strdup (text);
  return BECKON_PLAIN_AGAIN;
}

/* The words that are the same for every request. */
static gboolean
parse_command (const char *line, BeckonPlainResult *result, BeckonAnswer **whole)
{
  if (strcmp (line, "/stop") == 0)
    *result = BECKON_PLAIN_STOP;
  else if (strcmp (line, "/status") == 0)
    *result = BECKON_PLAIN_STATUS;
  else if (strcmp (line, "/dismiss") == 0)
    {
      *whole = beckon_answer_new (BECKON_ANSWER_DECLINED, NULL);
      *result = BECKON_PLAIN_ANSWER;
    }
  else
    return FALSE;
  return TRUE;
}

static gboolean
parse_question_command (const char *line, guint item, BeckonAnswer *answer, BeckonPlainResult *result,
                        BeckonAnswer **whole)
{
  if (parse_command (line, result, whole))
    return TRUE;
  if (strcmp (line, "/skip") == 0)
    {
      beckon_answer_skip (answer, item);
      *result = BECKON_PLAIN_ITEM;
      return TRUE;
    }
  if (strcmp (line, "/choose") == 0)
    *whole = beckon_answer_new (BECKON_ANSWER_DELEGATED, NULL);
  else if (g_str_has_prefix (line, "/ask ") && line[strspn (line + 5, " ") + 5] != '\0')
    *whole = beckon_answer_new (BECKON_ANSWER_ASKED_BACK, line + 5 + strspn (line + 5, " "));
  else
    return FALSE;
  *result = BECKON_PLAIN_ANSWER;
  return TRUE;
}

/* Numbers of choices, or the exact label of one. FALSE when the line is neither. */
static gboolean
parse_choice (const BeckonQuestionItem *item, guint index, const char *line, BeckonAnswer *answer)
{
  g_autoptr (GArray) numbers = beckon_plain_number_parse (line, item->multiple);

  for (guint i = 0; i < item->options->len; i++)
    {
      const BeckonQuestionOption *option = beckon_question_item_get_option (item, i);

      if (strcmp (option->label, line) != 0)
        continue;
      beckon_answer_select (answer, index, option->label);
      return TRUE;
    }
  if (numbers == NULL || item->options->len == 0)
    return FALSE;
  for (guint i = 0; i < numbers->len; i++)
    if (g_array_index (numbers, guint, i) > item->options->len)
      return FALSE;
  /* In the order of the question, each once, however they were typed. */
  for (guint i = 0; i < item->options->len; i++)
    for (guint j = 0; j < numbers->len; j++)
      if (g_array_index (numbers, guint, j) == i + 1)
        {
          beckon_answer_select (answer, index, beckon_question_item_get_option (item, i)->label);
          break;
        }
  return TRUE;
}

static BeckonPlainResult
parse_question (BeckonQuestion *question, guint index, const char *line, BeckonAnswer *answer, BeckonAnswer **whole,
                char **message)
{
  const BeckonQuestionItem *item = beckon_question_get_item (question, index);
  BeckonPlainResult result;

  if (*line == '\0')
    return again (message, reply_hint (item));
  if (parse_question_command (line, index, answer, &result, whole))
    return result;
  if (parse_choice (item, index, line, answer))
    return BECKON_PLAIN_ITEM;
  if (!item->freeform)
    {
      *message = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "There is only one choice. Reply with its number.",
                                               "Reply with a number from 1 to %u.", item->options->len),
                                  item->options->len);
      return BECKON_PLAIN_AGAIN;
    }
  beckon_answer_set_item_text (answer, index, line);
  return BECKON_PLAIN_ITEM;
}

/* What is named in the reply replaces what was proposed; everything else stays. */
static char *
merge_arguments (BeckonRequest *request, const char *line, GError **error)
{
  g_autoptr (JsonNode) changes = beckon_json_parse (line, -1, error);
  g_autoptr (JsonNode) proposed = NULL;
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (changes == NULL)
    return NULL;
  proposed = beckon_json_parse (beckon_request_get_arguments (request), -1, error);
  if (proposed == NULL || !JSON_NODE_HOLDS_OBJECT (proposed) || !JSON_NODE_HOLDS_OBJECT (changes))
    return NULL;
  json_object_iter_init (&iter, json_node_get_object (changes));
  while (json_object_iter_next (&iter, &name, &value))
    json_object_set_member (json_node_get_object (proposed), name, json_node_copy (value));
  return json_to_string (proposed, FALSE);
}

static BeckonPlainResult
parse_approval (BeckonRequest *request, const char *line, BeckonAnswer **whole, char **message)
{
  g_autoptr (GArray) number = beckon_plain_number_parse (line, FALSE);
  BeckonPlainResult result;

  if (parse_command (line, &result, whole))
    return result;
  if (*line == '{')
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *arguments = merge_arguments (request, line, &error);

      if (arguments == NULL)
        return again (message, error != NULL ? error->message : _ ("These arguments cannot be changed here."));
      *whole = beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, arguments);
      return BECKON_PLAIN_ANSWER;
    }
  if (number == NULL || g_array_index (number, guint, 0) > 3)
    return again (message, _ ("Reply with 1 to run it, 2 to deny it, 3 to stop, or a JSON object of changes."));
  if (g_array_index (number, guint, 0) == 3)
    return BECKON_PLAIN_STOP;
  *whole = beckon_answer_new (g_array_index (number, guint, 0) == 1 ? BECKON_ANSWER_APPROVED : BECKON_ANSWER_DECLINED,
                              NULL);
  return BECKON_PLAIN_ANSWER;
}

BeckonPlainResult
beckon_plain_text_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer,
                         BeckonAnswer **whole, char **message)
{
  g_autofree char *trimmed = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), BECKON_PLAIN_AGAIN);
  g_return_val_if_fail (line != NULL && whole != NULL && message != NULL, BECKON_PLAIN_AGAIN);

  *whole = NULL;
  *message = NULL;
  trimmed = g_strstrip (g_strdup (line));
  if (beckon_request_get_kind (request) == BECKON_REQUEST_APPROVAL)
    return parse_approval (request, trimmed, whole, message);
  g_return_val_if_fail (answer != NULL && item < beckon_plain_text_n_items (request), BECKON_PLAIN_AGAIN);
  return parse_question (beckon_request_get_question (request), item, trimmed, answer, whole, message);
}
