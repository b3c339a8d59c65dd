/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-request-document.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "beckon-plain-remember.h"
#include "request/beckon-question-request.h"
#include "request/beckon-vault.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The answers of people. Other kinds of an answer are ends that the program itself finds. */
static const struct
{
  const char *word;
  BeckonAnswerKind kind;
  const char *members[2]; /* besides `kind` */
} forms[] = {
  { "question", BECKON_ANSWER_QUESTION, { "items" } },
  { "delegated", BECKON_ANSWER_DELEGATED, { NULL } },
  { "asked-back", BECKON_ANSWER_ASKED_BACK, { "text" } },
  { "declined", BECKON_ANSWER_DECLINED, { "text" } },
  { "approved", BECKON_ANSWER_APPROVED, { "remember" } },
  { "approved-edited", BECKON_ANSWER_APPROVED_EDITED, { "arguments" } },
  { "looked", BECKON_ANSWER_LOOKED, { "text" } },
  { "retry", BECKON_ANSWER_RETRY, { NULL } },
  { "skip", BECKON_ANSWER_SKIP, { NULL } },
  { "plan", BECKON_ANSWER_PLAN, { "plan" } },
  { "kept", BECKON_ANSWER_KEPT, { "leave_out", "remember" } },
  { "form", BECKON_ANSWER_FORM, { "content" } },
};

static const char *const remember_members[] = { "scope", "choice", NULL };
static const char *const item_members[] = { "selected", "text", "skipped", NULL };

static gboolean
answer_document_refuse (GError **error, const char *field, const char *why)
{
  g_set_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID, "%s: %s", field, why);
  return FALSE;
}

static gboolean
answer_document_holds (JsonNode *node, GType type)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type;
}

/* A member that is null is as good as absent. */
static JsonNode *
answer_document_get_member (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && !JSON_NODE_HOLDS_NULL (node) ? node : NULL;
}

static gboolean
answer_document_read_text (JsonObject *object, const char *field, const char **text, GError **error)
{
  JsonNode *node = answer_document_get_member (object, "text");

  *text = NULL;
  if (node == NULL)
    return TRUE;
  if (!answer_document_holds (node, G_TYPE_STRING))
    return answer_document_refuse (error, field, _("expected text"));
  *text = json_node_get_string (node);
  return TRUE;
}

static gboolean
check_members (JsonObject *object, const char *prefix, const char *const *known, GError **error)
{
  JsonObjectIter iter;
  const char *name;

  json_object_iter_init (&iter, object);
  while (json_object_iter_next (&iter, &name, NULL))
    if (!g_strv_contains (known, name))
      {
        g_autofree char *field = g_strdup_printf ("%s%.40s", prefix, name);

        return answer_document_refuse (error, field, _("unknown field"));
      }

  return TRUE;
}

static gboolean
read_selected (BeckonAnswer *answer, guint index, JsonObject *item, const char *prefix, GError **error)
{
  g_autofree char *field = g_strconcat (prefix, "selected", NULL);
  JsonNode *node = answer_document_get_member (item, "selected");
  JsonArray *selected;

  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return answer_document_refuse (error, field, _("expected a list"));

  selected = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (selected); i++)
    {
      if (!answer_document_holds (json_array_get_element (selected, i), G_TYPE_STRING))
        return answer_document_refuse (error, field, _("expected text"));
      beckon_answer_select (answer, index, json_array_get_string_element (selected, i));
    }

  return TRUE;
}

static gboolean
answer_document_read_item (BeckonAnswer *answer, guint index, JsonNode *node, GError **error)
{
  g_autofree char *prefix = g_strdup_printf ("items[%u].", index);
  g_autofree char *text_field = g_strconcat (prefix, "text", NULL);
  g_autofree char *skipped_field = g_strconcat (prefix, "skipped", NULL);
  JsonObject *item;
  JsonNode *skipped;
  const char *text;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      prefix[strlen (prefix) - 1] = '\0';
      return answer_document_refuse (error, prefix, _("expected an object"));
    }

  item = json_node_get_object (node);
  if (!check_members (item, prefix, item_members, error) || !answer_document_read_text (item, text_field, &text, error)
      || !read_selected (answer, index, item, prefix, error))
    return FALSE;

  beckon_answer_set_item_text (answer, index, text);
  skipped = answer_document_get_member (item, "skipped");
  if (skipped == NULL)
    return TRUE;
  if (!answer_document_holds (skipped, G_TYPE_BOOLEAN))
    return answer_document_refuse (error, skipped_field, _("expected true or false"));
  if (!json_node_get_boolean (skipped))
    return TRUE;
  if (text != NULL || answer_document_get_member (item, "selected") != NULL)
    return answer_document_refuse (error, skipped_field, _("can't be both skipped and answered"));
  beckon_answer_skip (answer, index);
  return TRUE;
}

static BeckonAnswer *
read_items (JsonObject *object, BeckonRequest *request, GError **error)
{
  JsonNode *node = answer_document_get_member (object, "items");
  BeckonQuestion *question = beckon_request_get_question (request);
  g_autoptr (BeckonAnswer) answer = NULL;
  JsonArray *items;

  if (question == NULL)
    {
      answer_document_refuse (error, "kind", _("This is not a question. Run the tool, deny it or stop the run."));
      return NULL;
    }
  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    {
      answer_document_refuse (error, "items", _("expected a list"));
      return NULL;
    }

  items = json_node_get_array (node);
  if (json_array_get_length (items) != beckon_question_get_n_items (question))
    {
      answer_document_refuse (error, "items", _("Give one item for each question."));
      return NULL;
    }

  answer = beckon_answer_new_question (json_array_get_length (items));
  for (guint i = 0; i < json_array_get_length (items); i++)
    if (!answer_document_read_item (answer, i, json_array_get_element (items, i), error))
      return NULL;

  return g_steal_pointer (&answer);
}

/* %G_MAXUINT with @error: it is none of @n_choices. The narrowest stands first, and is meant where none is named. */
static guint
read_choice (JsonObject *remember, guint n_choices, GError **error)
{
  JsonNode *node = answer_document_get_member (remember, "choice");
  gint64 choice = node == NULL ? 1 : answer_document_holds (node, G_TYPE_INT64) ? json_node_get_int (node) : 0;

  if (choice >= 1 && choice <= n_choices)
    return (guint) choice - 1;
  answer_document_refuse (error, "remember.choice", _("expected the number of a choice, from 1"));
  return G_MAXUINT;
}

/* @left_out: (nullable): see beckon_plain_remember_choose(). */
static BeckonAnswer *
read_remember (JsonNode *node, BeckonRequest *request, const char *left_out, GError **error)
{
  GPtrArray *choices = beckon_plain_remember_get_choices (request);
  JsonObject *remember = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *scope = remember != NULL ? beckon_json_get_string (remember, "scope") : NULL;
  gboolean is_here = g_strcmp0 (scope, "conversation") == 0;
  guint choice;

  if (remember == NULL)
    answer_document_refuse (error, "remember", _("expected an object"));
  else if (choices == NULL)
    answer_document_refuse (error, "remember", _("This request has nothing to remember."));
  else if (!check_members (remember, "remember.", remember_members, error))
    return NULL;
  else if (!is_here && g_strcmp0 (scope, "always") != 0)
    answer_document_refuse (error, "remember.scope", _("expected “conversation” or “always”"));
  else if ((choice = read_choice (remember, choices->len, error)) != G_MAXUINT)
    return beckon_plain_remember_choose (request, choice, is_here, left_out);

  return NULL;
}

static BeckonAnswer *
read_approved (JsonObject *object, BeckonRequest *request, GError **error)
{
  JsonNode *node = answer_document_get_member (object, "remember");

  return node != NULL ? read_remember (node, request, NULL, error) : beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
}

static BeckonAnswer *
answer_document_read_arguments (JsonObject *object, GError **error)
{
  JsonNode *node = answer_document_get_member (object, "arguments");
  g_autofree char *arguments = NULL;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    {
      answer_document_refuse (error, "arguments", _("expected an object"));
      return NULL;
    }

  arguments = beckon_json_print (node);
  return beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, arguments);
}

static BeckonAnswer *
read_plan (JsonObject *object, GError **error)
{
  JsonNode *node = answer_document_get_member (object, "plan");
  g_autofree char *document = NULL;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    {
      answer_document_refuse (error, "plan", _("expected an object"));
      return NULL;
    }

  document = beckon_json_print (node);
  return beckon_answer_new (BECKON_ANSWER_PLAN, document);
}

/* Which changes and hunks there are is looked at with the whole answer. */
static BeckonAnswer *
read_kept (JsonObject *object, BeckonRequest *request, GError **error)
{
  JsonNode *node = answer_document_get_member (object, "leave_out");
  JsonNode *remember = answer_document_get_member (object, "remember");
  g_autoptr (JsonObject) choice = json_object_new ();
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  g_autofree char *document = NULL;

  if (node != NULL && !JSON_NODE_HOLDS_ARRAY (node))
    {
      answer_document_refuse (error, "leave_out", _("expected a list"));
      return NULL;
    }
  if (node != NULL)
    {
      json_object_set_member (choice, "leave_out", json_node_copy (node));
      json_node_set_object (root, choice);
      document = beckon_json_print (root);
    }
  return remember != NULL ? read_remember (remember, request, document, error)
                          : beckon_answer_new (BECKON_ANSWER_KEPT, document);
}

/* An address has none. */
static BeckonAnswer *
answer_document_read_content (JsonObject *object, GError **error)
{
  JsonNode *node = answer_document_get_member (object, "content");
  g_autofree char *content = NULL;

  if (node != NULL && !JSON_NODE_HOLDS_OBJECT (node))
    {
      answer_document_refuse (error, "content", _("expected an object"));
      return NULL;
    }
  content = node != NULL ? beckon_json_print (node) : NULL;
  return beckon_answer_new (BECKON_ANSWER_FORM, content);
}

static BeckonAnswer *
read_form (JsonObject *object, guint form, BeckonRequest *request, GError **error)
{
  const char *const known[] = { "kind", forms[form].members[0], forms[form].members[1], NULL };
  const char *text;

  if (!check_members (object, "", known, error))
    return NULL;

  switch (forms[form].kind)
    {
    case BECKON_ANSWER_QUESTION:
      return read_items (object, request, error);

    case BECKON_ANSWER_APPROVED:
      return read_approved (object, request, error);

    case BECKON_ANSWER_APPROVED_EDITED:
      return answer_document_read_arguments (object, error);

    case BECKON_ANSWER_PLAN:
      return read_plan (object, error);

    case BECKON_ANSWER_KEPT:
      return read_kept (object, request, error);

    case BECKON_ANSWER_FORM:
      return answer_document_read_content (object, error);

    case BECKON_ANSWER_ASKED_BACK:
    case BECKON_ANSWER_DECLINED:
    case BECKON_ANSWER_LOOKED:
      return answer_document_read_text (object, "text", &text, error) ? beckon_answer_new (forms[form].kind, text) : NULL;

    case BECKON_ANSWER_DELEGATED:
    case BECKON_ANSWER_RETRY:
    case BECKON_ANSWER_SKIP:
    case BECKON_ANSWER_CANCELLED:
    case BECKON_ANSWER_TIMED_OUT:
    case BECKON_ANSWER_UNAVAILABLE:
    default:
      return beckon_answer_new (forms[form].kind, NULL);
    }
}

/* Which of the fields it is that the request does not allow. */
static char *
find_field (const BeckonAnswer *answer, guint form, BeckonRequest *request)
{
  if (!beckon_request_takes (request, answer->kind) || answer->kind == BECKON_ANSWER_APPROVED || forms[form].members[0] == NULL)
    return g_strdup ("kind");
  return answer->kind == BECKON_ANSWER_QUESTION
             ? beckon_answer_dup_faulty_field (answer, beckon_request_get_question (request))
             : g_strdup (forms[form].members[0]);
}

static gboolean
answer_document_check (const BeckonAnswer *answer, guint form, BeckonRequest *request, GError **error)
{
  g_autoptr (GError) fault = NULL;
  g_autofree char *field = NULL;

  if (beckon_request_check_answer (request, answer, &fault))
    return TRUE;

  field = find_field (answer, form, request);
  return answer_document_refuse (error, field, fault->message);
}

BeckonAnswer *
beckon_answer_document_read (const char *json, BeckonRequest *request, GError **error)
{
  g_autoptr (JsonObject) object = NULL;
  g_autoptr (BeckonAnswer) answer = NULL;
  g_autoptr (GError) fault = NULL;
  const char *word;
  guint form = 0;

  g_return_val_if_fail (json != NULL, NULL);
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  if (strlen (json) <= BECKON_ANSWER_DOCUMENT_MAX)
    object = beckon_json_parse_object (json, -1, &fault);
  if (object == NULL)
    {
      answer_document_refuse (error, "answer", fault != NULL ? fault->message : _("The text is too long."));
      return NULL;
    }

  word = beckon_json_get_string (object, "kind");
  while (form < G_N_ELEMENTS (forms) && g_strcmp0 (word, forms[form].word) != 0)
    form++;
  if (form == G_N_ELEMENTS (forms))
    {
      g_autoptr (GString) words = g_string_new (NULL);
      g_autofree char *why = NULL;

      /* The kinds that it could be. */
      for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
        if (beckon_request_takes (request, forms[i].kind))
          g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", forms[i].word);
      /* Translators: %s is a list of words that stay as they are, such as "declined, approved" */
      why = beckon_text_printf (_("expected one of %s"), words->str);
      answer_document_refuse (error, "kind", why);
      return NULL;
    }

  answer = read_form (object, form, request, error);
  return answer != NULL && answer_document_check (answer, form, request, error) ? g_steal_pointer (&answer) : NULL;
}

static void
answer_document_write_text (BeckonJsonWriter *writer, const BeckonAnswer *answer)
{
  if (answer->text == NULL)
    return;

  if (answer->kind == BECKON_ANSWER_KEPT)
    {
      g_autoptr (JsonObject) object = beckon_json_parse_object (answer->text, -1, NULL);
      JsonNode *node = object != NULL ? answer_document_get_member (object, "leave_out") : NULL;
      g_autofree char *left_out = node != NULL ? beckon_json_print (node) : NULL;

      if (left_out == NULL)
        return;
      beckon_json_writer_name (writer, "leave_out");
      beckon_json_writer_raw (writer, left_out, -1);
      return;
    }
  if ((answer->kind != BECKON_ANSWER_APPROVED_EDITED && answer->kind != BECKON_ANSWER_PLAN
       && answer->kind != BECKON_ANSWER_FORM)
      || !beckon_json_check (answer->text, -1, NULL))
    {
      beckon_json_writer_member_string (writer, "text", answer->text);
      return;
    }

  beckon_json_writer_name (writer, answer->kind == BECKON_ANSWER_PLAN   ? "plan"
                           : answer->kind == BECKON_ANSWER_FORM ? "content"
                           : "arguments");
  beckon_json_writer_raw (writer, answer->text, -1);
}

static gboolean
is_secret (const BeckonQuestion *question, guint index)
{
  return question != NULL && index < beckon_question_get_n_items (question)
         && beckon_question_get_item (question, index)->secret;
}

char *
beckon_answer_document_write (const BeckonAnswer *answer, const BeckonQuestion *question)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (answer != NULL, NULL);

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "kind", beckon_answer_kind_to_string (answer->kind));
  if (answer->kind == BECKON_ANSWER_QUESTION)
    {
      beckon_json_writer_name (&writer, "items");
      beckon_json_writer_begin_array (&writer);
      for (guint i = 0; i < answer->items->len; i++)
        {
          const BeckonAnswerItem *item = g_ptr_array_index (answer->items, i);
          gboolean hides = is_secret (question, i);

          beckon_json_writer_begin_object (&writer);
          if (item->selected->len > 0)
            {
              beckon_json_writer_name (&writer, "selected");
              beckon_json_writer_begin_array (&writer);
              for (guint j = 0; j < item->selected->len; j++)
                beckon_json_writer_string (&writer, g_ptr_array_index (item->selected, j), -1);
              beckon_json_writer_end_array (&writer);
            }
          if (item->text != NULL)
            beckon_json_writer_member_string (&writer, "text",
                                              hides && !beckon_secret_handle_is (item->text) ? "••••••" : item->text);
          if (item->skipped)
            beckon_json_writer_member_boolean (&writer, "skipped", TRUE);
          beckon_json_writer_end_object (&writer);
        }
      beckon_json_writer_end_array (&writer);
    }
  answer_document_write_text (&writer, answer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
