/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-last-answer.h"

#include "beckon-question-text.h"
#include "form/beckon-request-json.h"

#include <glib/gi18n-lib.h>

/* More labels than a question has choices are not kept. */
#define MAX_LABELS 50
#define MAX_LABEL 200

BeckonLastAnswer *
beckon_last_answer_new (const char *text, gint64 at)
{
  BeckonLastAnswer *self = g_new0 (BeckonLastAnswer, 1);

  self->selected = g_ptr_array_new_with_free_func (g_free);
  self->text = beckon_question_text_clean (text, BECKON_LAST_ANSWER_MAX_TEXT, TRUE);
  self->at = at;
  return self;
}

BeckonLastAnswer *
beckon_last_answer_copy (const BeckonLastAnswer *self)
{
  BeckonLastAnswer *copy = beckon_last_answer_new (self->text, self->at);

  for (guint i = 0; i < self->selected->len; i++)
    g_ptr_array_add (copy->selected, g_strdup (g_ptr_array_index (self->selected, i)));
  return copy;
}

void
beckon_last_answer_free (BeckonLastAnswer *self)
{
  g_ptr_array_unref (self->selected);
  g_free (self->text);
  g_free (self);
}

char *
beckon_last_answer_to_json (const BeckonLastAnswer *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "selected");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < self->selected->len; i++)
    beckon_json_writer_string (&writer, g_ptr_array_index (self->selected, i), -1);
  beckon_json_writer_end_array (&writer);
  beckon_request_json_member (&writer, "text", self->text);
  beckon_json_writer_member_int (&writer, "at", self->at);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

BeckonLastAnswer *
beckon_last_answer_from_json (const char *json)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (json, -1, NULL);
  JsonArray *selected = object != NULL ? beckon_json_get_array (object, "selected") : NULL;
  g_autoptr (BeckonLastAnswer) self = NULL;

  if (selected == NULL)
    return NULL;
  self = beckon_last_answer_new (beckon_json_get_string (object, "text"), beckon_json_get_int (object, "at", 0));
  for (guint i = 0; i < json_array_get_length (selected) && i < MAX_LABELS; i++)
    {
      JsonNode *node = json_array_get_element (selected, i);
      char *label = JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
                        ? beckon_question_text_clean (json_node_get_string (node), MAX_LABEL, TRUE)
                        : NULL;

      if (label != NULL)
        g_ptr_array_add (self->selected, label);
    }
  return self->selected->len > 0 || self->text != NULL ? g_steal_pointer (&self) : NULL;
}

char *
beckon_last_answer_describe (const BeckonLastAnswer *self)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (guint i = 0; i < self->selected->len; i++)
    g_ptr_array_add (words, g_ptr_array_index (self->selected, i));
  if (self->text != NULL)
    g_ptr_array_add (words, self->text);
  g_ptr_array_add (words, NULL);
  return g_strjoinv (_(", "), (char **) words->pdata);
}
