/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-question-private.h"

#include "base/beckon-counted.h"
#include "base/beckon-error.h"
#include "beckon-question-text.h"
#include "form/beckon-request-json.h"

G_DEFINE_BOXED_TYPE (BeckonQuestion, beckon_question, beckon_question_ref, beckon_question_unref)

BeckonQuestion *
beckon_question_new (gboolean simple)
{
  BeckonQuestion *question = g_atomic_rc_box_new0 (BeckonQuestion);

  question->items = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_question_item_free);
  question->simple = simple;
  return question;
}

static void
question_clear (gpointer data)
{
  BeckonQuestion *question = data;

  g_clear_pointer (&question->items, g_ptr_array_unref);
}

BECKON_COUNTED (BeckonQuestion, beckon_question, question_clear)

BeckonQuestionItem *
beckon_question_item_new (const char *text)
{
  BeckonQuestionItem *item = g_new0 (BeckonQuestionItem, 1);

  item->question = beckon_question_text_clean (text, BECKON_QUESTION_MAX_QUESTION, FALSE);
  item->options = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_question_option_free);
  item->freeform = TRUE;
  return item;
}

void
beckon_question_item_free (BeckonQuestionItem *item)
{
  g_free (item->question);
  g_free (item->header);
  g_ptr_array_unref (item->options);
  g_clear_pointer (&item->last, beckon_last_answer_free);
  g_free (item);
}

BeckonQuestionOption *
beckon_question_option_new (const char *label, const char *description, const char *preview, gboolean recommended)
{
  g_autofree char *clean = beckon_question_text_clean (label, BECKON_QUESTION_MAX_LABEL, TRUE);
  BeckonQuestionOption *option;

  if (clean == NULL)
    return NULL;

  option = g_new0 (BeckonQuestionOption, 1);
  option->label = g_steal_pointer (&clean);
  option->description = beckon_question_text_clean (description, BECKON_QUESTION_MAX_DESCRIPTION, FALSE);
  option->preview = beckon_question_text_clean_block (preview, BECKON_QUESTION_MAX_PREVIEW);
  option->recommended = recommended;
  return option;
}

void
beckon_question_option_free (BeckonQuestionOption *option)
{
  g_free (option->label);
  g_free (option->description);
  g_free (option->preview);
  g_free (option);
}

BeckonQuestionOption *
beckon_question_item_find_option (const BeckonQuestionItem *item, const char *label)
{
  for (guint i = 0; i < item->options->len; i++)
    {
      BeckonQuestionOption *option = g_ptr_array_index (item->options, i);

      if (g_str_equal (option->label, label))
        return option;
    }

  return NULL;
}

guint
beckon_question_get_n_items (const BeckonQuestion *question)
{
  g_return_val_if_fail (question != NULL, 0);

  return question->items->len;
}

const BeckonQuestionItem *
beckon_question_get_item (const BeckonQuestion *question, guint index)
{
  g_return_val_if_fail (question != NULL, NULL);
  g_return_val_if_fail (index < question->items->len, NULL);

  return g_ptr_array_index (question->items, index);
}

const BeckonQuestionOption *
beckon_question_item_get_option (const BeckonQuestionItem *item, guint index)
{
  g_return_val_if_fail (item != NULL, NULL);
  g_return_val_if_fail (index < item->options->len, NULL);

  return g_ptr_array_index (item->options, index);
}

gboolean
beckon_question_is_single_choice (const BeckonQuestion *question)
{
  const BeckonQuestionItem *item;

  g_return_val_if_fail (question != NULL, FALSE);

  if (question->items->len != 1)
    return FALSE;

  item = beckon_question_get_item (question, 0);
  return !item->multiple && item->options->len > 0;
}

char *
beckon_question_to_json (const BeckonQuestion *question)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (question != NULL, NULL);

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_boolean (&writer, "simple", question->simple);
  if (question->is_late)
    beckon_json_writer_member_boolean (&writer, "wait", FALSE);
  beckon_json_writer_name (&writer, "items");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < question->items->len; i++)
    {
      const BeckonQuestionItem *item = g_ptr_array_index (question->items, i);

      beckon_json_writer_begin_object (&writer);
      beckon_request_json_member (&writer, "question", item->question);
      beckon_request_json_member (&writer, "header", item->header);
      beckon_json_writer_name (&writer, "options");
      beckon_json_writer_begin_array (&writer);
      for (guint j = 0; j < item->options->len; j++)
        {
          const BeckonQuestionOption *option = g_ptr_array_index (item->options, j);

          beckon_json_writer_begin_object (&writer);
          beckon_request_json_member (&writer, "label", option->label);
          beckon_request_json_member (&writer, "description", option->description);
          beckon_request_json_member (&writer, "preview", option->preview);
          beckon_json_writer_member_boolean (&writer, "recommended", option->recommended);
          beckon_json_writer_end_object (&writer);
        }
      beckon_json_writer_end_array (&writer);
      beckon_json_writer_member_boolean (&writer, "multiple", item->multiple);
      beckon_json_writer_member_boolean (&writer, "freeform", item->freeform);
      beckon_json_writer_member_boolean (&writer, "secret", item->secret);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
question_refuse (GError **error, const char *what)
{
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "Not a stored question: %s", what);
  return FALSE;
}

static gboolean
read_option (BeckonQuestionItem *item, JsonObject *object, GError **error)
{
  g_autoptr (BeckonQuestionOption) option = NULL;

  if (object == NULL)
    return question_refuse (error, "an option is not an object");

  option = beckon_question_option_new (beckon_json_get_string (object, "label"),
                                       beckon_json_get_string (object, "description"),
                                       beckon_json_get_string (object, "preview"),
                                       beckon_json_get_boolean (object, "recommended", FALSE));
  if (option == NULL || beckon_question_item_find_option (item, option->label) != NULL)
    return question_refuse (error, "a label is missing or there twice");

  g_ptr_array_add (item->options, g_steal_pointer (&option));
  return TRUE;
}

static gboolean
question_read_item (BeckonQuestion *question, JsonObject *object, GError **error)
{
  g_autoptr (BeckonQuestionItem) item = NULL;
  JsonArray *options;

  if (object == NULL)
    return question_refuse (error, "an item is not an object");

  item = beckon_question_item_new (beckon_json_get_string (object, "question"));
  options = beckon_json_get_array (object, "options");
  if (item->question == NULL || options == NULL || json_array_get_length (options) > BECKON_QUESTION_MAX_OPTIONS)
    return question_refuse (error, "an item without a question or with wrong options");

  for (guint i = 0; i < json_array_get_length (options); i++)
    if (!read_option (item, beckon_request_json_get_element (options, i), error))
      return FALSE;

  item->header = beckon_question_text_clean (beckon_json_get_string (object, "header"),
                                             BECKON_QUESTION_MAX_HEADER, TRUE);
  item->multiple = beckon_json_get_boolean (object, "multiple", FALSE);
  item->freeform = item->options->len == 0 || beckon_json_get_boolean (object, "freeform", TRUE);
  item->secret = beckon_json_get_boolean (object, "secret", FALSE);
  g_ptr_array_add (question->items, g_steal_pointer (&item));
  return TRUE;
}

BeckonQuestion *
beckon_question_from_json (const char *json, GError **error)
{
  g_autoptr (JsonObject) object = NULL;
  g_autoptr (BeckonQuestion) question = NULL;
  JsonArray *items;

  g_return_val_if_fail (json != NULL, NULL);

  object = beckon_json_parse_object (json, -1, error);
  if (object == NULL)
    return NULL;

  items = beckon_json_get_array (object, "items");
  if (items == NULL || json_array_get_length (items) == 0
      || json_array_get_length (items) > BECKON_QUESTION_MAX_ITEMS)
    {
      question_refuse (error, "no items or too many");
      return NULL;
    }

  question = beckon_question_new (beckon_json_get_boolean (object, "simple", FALSE));
  question->is_late = !beckon_json_get_boolean (object, "wait", TRUE);
  for (guint i = 0; i < json_array_get_length (items); i++)
    if (!question_read_item (question, beckon_request_json_get_element (items, i), error))
      return NULL;

  return g_steal_pointer (&question);
}
