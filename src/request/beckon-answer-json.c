/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-answer-private.h"
#include "beckon-question-private.h"
#include "base/beckon-words.h"
#include "domain/beckon-request-error.h"
#include "domain/beckon-rule-json.h"
#include "form/beckon-request-json.h"

#include <glib/gi18n-lib.h>

static const char *const kind_words[] = {
  [BECKON_ANSWER_QUESTION] = "question",
  [BECKON_ANSWER_DELEGATED] = "delegated",
  [BECKON_ANSWER_ASKED_BACK] = "asked-back",
  [BECKON_ANSWER_DECLINED] = "declined",
  [BECKON_ANSWER_APPROVED] = "approved",
  [BECKON_ANSWER_APPROVED_EDITED] = "approved-edited",
  [BECKON_ANSWER_LOOKED] = "looked",
  [BECKON_ANSWER_RETRY] = "retry",
  [BECKON_ANSWER_SKIP] = "skip",
  [BECKON_ANSWER_PLAN] = "plan",
  [BECKON_ANSWER_KEPT] = "kept",
  [BECKON_ANSWER_FORM] = "form",
  [BECKON_ANSWER_CANCELLED] = "cancelled",
  [BECKON_ANSWER_TIMED_OUT] = "timed-out",
  [BECKON_ANSWER_UNAVAILABLE] = "unavailable",
};

BECKON_WORDS_TO (BeckonAnswerKind, beckon_answer_kind_to_string, kind_words)

char *
beckon_answer_to_json (const BeckonAnswer *answer)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (answer != NULL, NULL);

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_request_json_member (&writer, "kind", kind_words[answer->kind]);
  if (answer->kind == BECKON_ANSWER_QUESTION)
    {
      beckon_json_writer_name (&writer, "items");
      beckon_json_writer_begin_array (&writer);
      for (guint i = 0; i < answer->items->len; i++)
        {
          const BeckonAnswerItem *item = beckon_answer_get_item (answer, i);

          beckon_json_writer_begin_object (&writer);
          beckon_json_writer_name (&writer, "selected");
          beckon_json_writer_begin_array (&writer);
          for (guint j = 0; j < item->selected->len; j++)
            beckon_json_writer_string (&writer, g_ptr_array_index (item->selected, j), -1);
          beckon_json_writer_end_array (&writer);
          beckon_request_json_member (&writer, "text", item->text);
          beckon_json_writer_member_boolean (&writer, "skipped", item->skipped);
          beckon_json_writer_end_object (&writer);
        }
      beckon_json_writer_end_array (&writer);
    }
  beckon_request_json_member (&writer, "text", answer->text);
  if (answer->remember != NULL)
    {
      beckon_json_writer_name (&writer, "remember");
      beckon_rules_write (&writer, answer->remember);
    }
  beckon_request_json_member (&writer, "files", answer->files);
  beckon_json_writer_end_object (&writer);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
answer_json_refuse (GError **error)
{
  g_set_error_literal (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID, _("This is not an answer."));
  return FALSE;
}

static gboolean
read_kind (const char *word, BeckonAnswerKind *kind)
{
  for (guint i = 0; word != NULL && i < G_N_ELEMENTS (kind_words); i++)
    if (g_str_equal (word, kind_words[i]))
      {
        *kind = (BeckonAnswerKind) i;
        return TRUE;
      }

  return FALSE;
}

static BeckonAnswer *
read_items (JsonArray *items)
{
  g_autoptr (BeckonAnswer) answer = NULL;
  guint n_items = items != NULL ? json_array_get_length (items) : 0;

  if (n_items == 0 || n_items > BECKON_QUESTION_MAX_ITEMS)
    return NULL;

  answer = beckon_answer_new_question (n_items);
  for (guint i = 0; i < n_items; i++)
    {
      JsonObject *object = beckon_request_json_get_element (items, i);
      JsonArray *selected;
      guint n_selected;

      if (object == NULL)
        return NULL;

      selected = beckon_json_get_array (object, "selected");
      n_selected = selected != NULL ? json_array_get_length (selected) : 0;
      if ((selected == NULL && json_object_has_member (object, "selected")) || n_selected > BECKON_QUESTION_MAX_OPTIONS)
        return NULL;
      for (guint j = 0; j < n_selected; j++)
        {
          JsonNode *node = json_array_get_element (selected, j);

          if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
            return NULL;
          beckon_answer_select (answer, i, json_node_get_string (node));
        }

      beckon_answer_set_item_text (answer, i, beckon_json_get_string (object, "text"));

      /* Not beckon_answer_skip(): an answer that contradicts itself is for the check to refuse. */
      beckon_answer_get_item (answer, i)->skipped = beckon_json_get_boolean (object, "skipped", FALSE);
    }

  return g_steal_pointer (&answer);
}

static gboolean
read_remember (BeckonAnswer *answer, JsonObject *object)
{
  GPtrArray *rules;

  if (!json_object_has_member (object, "remember"))
    return TRUE;
  if (answer->kind != BECKON_ANSWER_APPROVED && answer->kind != BECKON_ANSWER_APPROVED_EDITED
      && answer->kind != BECKON_ANSWER_DECLINED && answer->kind != BECKON_ANSWER_KEPT)
    return FALSE;
  rules = beckon_rules_read (beckon_json_get_array (object, "remember"), BECKON_ANSWER_MAX_RULES, NULL);
  if (rules == NULL)
    return FALSE;
  beckon_answer_set_remember (answer, rules);
  return TRUE;
}

BeckonAnswer *
beckon_answer_from_json (const char *json, GError **error)
{
  g_autoptr (JsonObject) object = NULL;
  BeckonAnswer *answer;
  BeckonAnswerKind kind;

  g_return_val_if_fail (json != NULL, NULL);

  object = beckon_json_parse_object (json, -1, NULL);
  if (object == NULL || !read_kind (beckon_json_get_string (object, "kind"), &kind))
    {
      answer_json_refuse (error);
      return NULL;
    }

  if (kind == BECKON_ANSWER_QUESTION)
    answer = read_items (beckon_json_get_array (object, "items"));
  else
    answer = beckon_answer_new (kind, beckon_json_get_string (object, "text"));

  if (answer != NULL && answer->kind != BECKON_ANSWER_QUESTION)
    beckon_answer_set_files (answer, beckon_json_get_string (object, "files"));
  if (answer != NULL && !read_remember (answer, object))
    g_clear_pointer (&answer, beckon_answer_unref);
  if (answer == NULL)
    answer_json_refuse (error);

  return answer;
}
