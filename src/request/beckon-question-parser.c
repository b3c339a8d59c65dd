/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Models write the arguments of `ask_user` in many shapes: the schema is a hope, not a promise. What can be understood is
 * understood, because a refused question costs the person a turn and teaches the model to guess instead of asking. So the
 * arguments are walked as a tree: a few spellings of each member are known, a string may hold JSON or a list, an object
 * may stand where a string belongs. Two rules bound the good will. Nothing is ever added: every word on the card was
 * written by the model. And what shapes the answer is never guessed: no question is an error, and so are too many. */

#include "beckon-question-private.h"

#include "base/beckon-error.h"
#include "beckon-question-text.h"
#include "form/beckon-request-json.h"

#include <string.h>

/* How far objects and arrays in place of a string are followed. */
#define MAX_FLATTEN 4

typedef const char *const Names[];

static Names question_names = { "question", "clarify", "clarification", "prompt", "query", "message", "ask", "text",
                                "content", "title", NULL };
static Names questions_names = { "questions", "question_list", NULL };
static Names header_names = { "header", "tab", "short_title", "title", "label", NULL };
static Names options_names = { "choices", "options", "suggestions", "answers", "enum", "values", "items", NULL };
static Names multiple_names = { "multiple", "multi_select", "multiSelect", "multiselect", "allow_multiple",
                                "allowMultiple", "multi", NULL };
static Names freeform_names = { "allow_freeform", "custom", "allowFreeform", "freeform", "allow_custom", "allowCustom",
                                "free_text", "allow_free_text", "allow_other", NULL };
static Names secret_names = { "secret", "is_secret", "password", "masked", "sensitive", NULL };
static Names wait_names = { "wait", "wait_for_answer", "waitForAnswer", "blocking", NULL };
static Names label_names = { "label", "value", "text", "title", "name", "option", "choice", "content", "answer", NULL };
static Names description_names = { "description", "desc", "detail", "details", "explanation", "subtitle", "hint",
                                   "summary", NULL };
static Names preview_names = { "preview", "example", NULL };
static Names recommended_names = { "recommended", "is_recommended", "isRecommended", NULL };
static Names wrapper_names = { "arguments", "args", "input", "parameters", "params", NULL };

static gboolean add_options (BeckonQuestionItem *item, JsonNode *node, guint depth);

static JsonNode *
question_parser_find (JsonObject *object, const char *const *names)
{
  for (; *names != NULL; names++)
    {
      JsonNode *node = json_object_get_member (object, *names);

      if (node != NULL && !JSON_NODE_HOLDS_NULL (node))
        return node;
    }

  return NULL;
}

/* Words and numbers as they were written. */
static char *
value_to_string (JsonNode *node)
{
  g_autoptr (GString) text = NULL;
  BeckonJsonWriter writer;

  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return json_node_dup_string (node);

  text = g_string_new (NULL);
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_node (&writer, node);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The text of whatever stands where a text belongs; NULL when there is none. */
static char *
flatten (JsonNode *node, const char *const *names, guint depth)
{
  g_autoptr (GString) joined = NULL;
  JsonArray *array;

  if (node == NULL || JSON_NODE_HOLDS_NULL (node) || depth > MAX_FLATTEN)
    return NULL;
  if (JSON_NODE_HOLDS_VALUE (node))
    return value_to_string (node);
  if (JSON_NODE_HOLDS_OBJECT (node))
    return flatten (question_parser_find (json_node_get_object (node), names), names, depth + 1);

  array = json_node_get_array (node);
  joined = g_string_new (NULL);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      g_autofree char *text = flatten (json_array_get_element (array, i), names, depth + 1);

      if (text != NULL)
        g_string_append_printf (joined, "%s%s", joined->len > 0 ? "\n" : "", text);
    }

  return g_string_free (g_steal_pointer (&joined), FALSE);
}

static gboolean
to_boolean (JsonNode *node, gboolean fallback)
{
  static const char *yes[] = { "true", "yes", "1", "on", NULL };
  static const char *no[] = { "false", "no", "0", "off", NULL };
  g_autofree char *text = NULL;
  g_autofree char *folded = NULL;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return fallback;

  text = value_to_string (node);
  folded = g_ascii_strdown (g_strstrip (text), -1);
  if (g_strv_contains (yes, folded))
    return TRUE;
  if (g_strv_contains (no, folded))
    return FALSE;

  return fallback;
}

/* A string that holds a JSON object or array: what it holds. Models quote twice. */
static JsonNode *
unquote (JsonNode *node)
{
  const char *text;

  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;

  text = json_node_get_string (node);
  while (g_ascii_isspace (*text))
    text++;

  return *text == '[' || *text == '{' ? beckon_json_parse (text, -1, NULL) : NULL;
}

static void
add_option (BeckonQuestionItem *item, const char *label, const char *description, const char *preview,
            gboolean recommended)
{
  g_autoptr (BeckonQuestionOption) option = beckon_question_option_new (label, description, preview, recommended);
  BeckonQuestionOption *known;

  if (option == NULL)
    return;
  if (beckon_question_text_strip_recommended (option->label))
    option->recommended = TRUE;

  /* The card's own entry is the "Other", so whoever writes one wants it there. */
  if (beckon_question_text_is_other (option->label))
    {
      item->freeform = TRUE;
      return;
    }

  known = beckon_question_item_find_option (item, option->label);
  if (known != NULL)
    {
      known->recommended = known->recommended || option->recommended;
      if (known->description == NULL)
        known->description = g_steal_pointer (&option->description);
      if (known->preview == NULL)
        known->preview = g_steal_pointer (&option->preview);
    }
  else if (item->options->len < BECKON_QUESTION_MAX_OPTIONS)
    g_ptr_array_add (item->options, g_steal_pointer (&option));
}

static gboolean
add_object (BeckonQuestionItem *item, JsonObject *object)
{
  g_autofree char *label = flatten (question_parser_find (object, label_names), label_names, 0);
  g_autofree char *description = flatten (question_parser_find (object, description_names), description_names, 0);
  g_autofree char *preview = flatten (question_parser_find (object, preview_names), preview_names, 0);

  if (label == NULL)
    label = g_steal_pointer (&description);
  if (label == NULL)
    return FALSE;

  add_option (item, label, description, preview, to_boolean (question_parser_find (object, recommended_names), FALSE));
  return TRUE;
}

static void
add_pieces (BeckonQuestionItem *item, const char *text, const char *separator)
{
  g_auto (GStrv) pieces = g_strsplit (text, separator, -1);

  for (guint i = 0; pieces[i] != NULL; i++)
    {
      const char *label = beckon_question_text_skip_bullet (g_strstrip (pieces[i]));

      add_option (item, label, NULL, NULL, FALSE);
    }
}

/* A comma divides a list of short names and also a sentence; only the former is taken apart. */
static gboolean
is_comma_list (const char *text, const char *comma)
{
  g_auto (GStrv) pieces = g_strsplit (text, comma, -1);

  for (guint i = 0; pieces[i] != NULL; i++)
    if (g_utf8_strlen (g_strstrip (pieces[i]), -1) > 40 || *pieces[i] == '\0')
      return FALSE;

  return g_strv_length (pieces) > 1;
}

static void
question_parser_add_text (BeckonQuestionItem *item, const char *raw)
{
  static const char *separators[] = { "\n", "|", ";", "；", "、" };
  static const char *commas[] = { ",", "，" };
  g_autofree char *text = g_strstrip (g_strdup (raw));

  if (g_str_has_prefix (text, "[") && g_str_has_suffix (text, "]") && strlen (text) > 2)
    {
      /* "['a', 'b']" is no JSON, but is meant as a list. */
      g_autofree char *inside = g_strndup (text + 1, strlen (text) - 2);
      g_auto (GStrv) pieces = g_strsplit (inside, ",", -1);

      for (guint i = 0; pieces[i] != NULL; i++)
        {
          char *piece = g_strstrip (pieces[i]);
          gsize length = strlen (piece);

          if (length >= 2 && (*piece == '\'' || *piece == '"') && piece[length - 1] == *piece)
            {
              piece[length - 1] = '\0';
              piece++;
            }
          add_option (item, piece, NULL, NULL, FALSE);
        }

      return;
    }

  for (guint i = 0; i < G_N_ELEMENTS (separators); i++)
    if (strstr (text, separators[i]) != NULL)
      {
        add_pieces (item, text, separators[i]);
        return;
      }

  for (guint i = 0; i < G_N_ELEMENTS (commas); i++)
    if (is_comma_list (text, commas[i]))
      {
        add_pieces (item, text, commas[i]);
        return;
      }

  add_option (item, text, NULL, NULL, FALSE);
}

static void
add_element (BeckonQuestionItem *item, JsonNode *node, guint depth)
{
  g_autoptr (JsonNode) held = unquote (node);
  g_autofree char *text = NULL;

  if (held != NULL)
    {
      add_options (item, held, depth + 1);
      return;
    }

  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      add_options (item, node, depth + 1);
      return;
    }

  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      if (!add_object (item, json_node_get_object (node)))
        {
          JsonObject *object = json_node_get_object (node);
          g_autoptr (GList) members = json_object_get_members (object);
          gboolean numbered = TRUE;

          /* {"A": "Red", "B": "Blue"} numbers the labels, {"Red": "warm", "Blue": "cold"} explains them. */
          for (GList *l = members; l != NULL; l = l->next)
            {
              const char *key = l->data;

              numbered = numbered && (strlen (key) == 1 || strspn (key, "0123456789") == strlen (key));
            }

          for (GList *l = members; l != NULL; l = l->next)
            {
              g_autofree char *value = flatten (json_object_get_member (object, l->data), label_names, 0);

              if (numbered)
                add_option (item, value, NULL, NULL, FALSE);
              else
                add_option (item, l->data, value, NULL, FALSE);
            }
        }
      return;
    }

  text = flatten (node, label_names, 0);
  add_option (item, text, NULL, NULL, FALSE);
}

static gboolean
add_options (BeckonQuestionItem *item, JsonNode *node, guint depth)
{
  g_autoptr (JsonNode) held = unquote (node);
  JsonArray *array;

  if (depth > MAX_FLATTEN)
    return FALSE;
  if (held != NULL)
    return add_options (item, held, depth + 1);

  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonNode *inner = question_parser_find (json_node_get_object (node), options_names);

      if (inner != NULL && JSON_NODE_HOLDS_ARRAY (inner))
        return add_options (item, inner, depth + 1);
    }

  if (!JSON_NODE_HOLDS_ARRAY (node))
    {
      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
        question_parser_add_text (item, json_node_get_string (node));
      else
        add_element (item, node, depth);
      return TRUE;
    }

  array = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (array); i++)
    add_element (item, json_array_get_element (array, i), depth);

  return TRUE;
}

static void
read_details (BeckonQuestionItem *item, JsonObject *object, JsonNode *question)
{
  JsonNode *header = question_parser_find (object, header_names);
  JsonNode *options = question_parser_find (object, options_names);
  g_autofree char *text = NULL;
  const char *type;
  g_autofree char *folded = NULL;
  g_autofree char *meant = NULL;
  g_autofree char *label = NULL;
  BeckonQuestionOption *option;

  if (header != question)
    {
      text = flatten (header, label_names, 0);
      item->header = beckon_question_text_clean (text, BECKON_QUESTION_MAX_HEADER, TRUE);
    }

  type = beckon_json_get_string (object, "type");
  if (type != NULL)
    {
      folded = g_ascii_strdown (type, -1);
      if (strstr (folded, "multi") != NULL || strstr (folded, "checkbox") != NULL)
        item->multiple = TRUE;
      if (strstr (folded, "password") != NULL || strstr (folded, "secret") != NULL)
        item->secret = TRUE;
    }
  item->multiple = to_boolean (question_parser_find (object, multiple_names), item->multiple);
  item->secret = to_boolean (question_parser_find (object, secret_names), item->secret);
  item->freeform = to_boolean (question_parser_find (object, freeform_names), TRUE);

  /* After the flag: an authored "Other" opens the entry. */
  if (options != NULL)
    add_options (item, options, 0);
  meant = flatten (question_parser_find (object, recommended_names), label_names, 0);
  label = beckon_question_text_clean (meant, BECKON_QUESTION_MAX_LABEL, TRUE);
  if (label != NULL)
    {
      beckon_question_text_strip_recommended (label);
      option = beckon_question_item_find_option (item, label);
      if (option != NULL)
        option->recommended = TRUE;
    }
  if (item->options->len == 0)
    {
      item->freeform = TRUE;
      item->multiple = FALSE;
    }
}

/* NULL when there is no question in it. */
static BeckonQuestionItem *
question_parser_read_item (JsonNode *node, guint depth)
{
  g_autoptr (BeckonQuestionItem) item = NULL;
  g_autofree char *text = NULL;
  JsonNode *question = node;

  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      question = question_parser_find (json_node_get_object (node), question_names);

      /* {"question": {"text": …, "options": […]}}: the whole item stands one level too deep. */
      if (question != NULL && JSON_NODE_HOLDS_OBJECT (question) && depth < MAX_FLATTEN
          && question_parser_find (json_node_get_object (question), options_names) != NULL)
        return question_parser_read_item (question, depth + 1);
    }

  text = flatten (question, question_names, 0);
  item = beckon_question_item_new (text);
  if (item->question == NULL)
    return NULL;

  if (JSON_NODE_HOLDS_OBJECT (node))
    read_details (item, json_node_get_object (node), question);

  return g_steal_pointer (&item);
}

static gboolean
add_item (BeckonQuestion *question, JsonNode *node, guint index, GError **error)
{
  BeckonQuestionItem *item = question_parser_read_item (node, 0);

  if (item == NULL)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                   "questions[%u] has no question. Nothing was asked. Give every element of `questions` a `question` "
                   "and call again.",
                   index);
      return FALSE;
    }

  g_ptr_array_add (question->items, item);
  return TRUE;
}

static BeckonQuestion *
parse_list (JsonNode *node, GError **error)
{
  g_autoptr (BeckonQuestion) question = beckon_question_new (FALSE);
  JsonArray *array;

  if (!JSON_NODE_HOLDS_ARRAY (node))
    return add_item (question, node, 0, error) ? g_steal_pointer (&question) : NULL;

  array = json_node_get_array (node);
  if (json_array_get_length (array) > BECKON_QUESTION_MAX_ITEMS)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE,
                   "%u questions are too many for one call; %d are the limit, 8 are a good one. Nothing was asked. Ask "
                   "only what you need now.",
                   json_array_get_length (array), BECKON_QUESTION_MAX_ITEMS);
      return NULL;
    }

  for (guint i = 0; i < json_array_get_length (array); i++)
    if (!add_item (question, json_array_get_element (array, i), i, error))
      return NULL;

  return g_steal_pointer (&question);
}

static BeckonQuestion *
parse_single (JsonNode *node, GError **error)
{
  g_autoptr (BeckonQuestion) question = beckon_question_new (TRUE);
  BeckonQuestionItem *item = question_parser_read_item (node, 0);

  if (item == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           "The question is missing. Nothing was asked. Call again with `question` (and `choices`, if "
                           "there are some), or with `questions`.");
      return NULL;
    }

  /* Several picks do not fit into one plain text; their result is the full form's. */
  question->simple = !item->multiple;
  g_ptr_array_add (question->items, item);
  return g_steal_pointer (&question);
}

static gboolean
is_list (JsonNode *node)
{
  if (node == NULL)
    return FALSE;
  if (JSON_NODE_HOLDS_ARRAY (node))
    return json_array_get_length (json_node_get_array (node)) > 0;
  if (JSON_NODE_HOLDS_OBJECT (node))
    return TRUE;

  return json_node_get_value_type (node) == G_TYPE_STRING && *json_node_get_string (node) != '\0';
}

static BeckonQuestion *parse_object (JsonNode *node, guint depth, GError **error);

static BeckonQuestion *
parse_form (JsonNode *node, guint depth, GError **error)
{
  JsonObject *object = json_node_get_object (node);
  JsonNode *wrapped = json_object_get_size (object) == 1 ? question_parser_find (object, wrapper_names) : NULL;
  JsonNode *list = question_parser_find (object, questions_names);
  JsonNode *single = question_parser_find (object, question_names);
  g_autoptr (JsonNode) held = NULL;

  if (wrapped != NULL && JSON_NODE_HOLDS_OBJECT (wrapped) && depth < MAX_FLATTEN)
    return parse_object (wrapped, depth + 1, error);

  if (list != NULL && JSON_NODE_HOLDS_OBJECT (list) && depth < MAX_FLATTEN
      && question_parser_find (json_node_get_object (list), questions_names) != NULL)
    return parse_object (list, depth + 1, error);

  if (is_list (list))
    {
      held = unquote (list);
      return parse_list (held != NULL ? held : list, error);
    }

  if (single != NULL && JSON_NODE_HOLDS_ARRAY (single) && json_array_get_length (json_node_get_array (single)) > 0
      && JSON_NODE_HOLDS_OBJECT (json_array_get_element (json_node_get_array (single), 0)))
    return parse_list (single, error);

  return parse_single (node, error);
}

/* Models that do not say otherwise wait. */
static BeckonQuestion *
parse_object (JsonNode *node, guint depth, GError **error)
{
  BeckonQuestion *question = parse_form (node, depth, error);

  if (question != NULL && !to_boolean (question_parser_find (json_node_get_object (node), wait_names), TRUE))
    question->is_late = TRUE;
  return question;
}

BeckonQuestion *
beckon_question_parse (const char *arguments, GError **error)
{
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonNode) held = NULL;
  JsonNode *meant;

  g_return_val_if_fail (arguments != NULL, NULL);

  if (strlen (arguments) > BECKON_QUESTION_MAX_ARGUMENTS)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE,
                           "The arguments are too long. Nothing was asked. Ask in fewer words.");
      return NULL;
    }

  node = beckon_json_parse (arguments, -1, error);
  if (node == NULL)
    return NULL;

  held = unquote (node);
  meant = held != NULL ? held : node;
  if (JSON_NODE_HOLDS_OBJECT (meant))
    return parse_object (meant, 0, error);
  if (is_list (meant) && JSON_NODE_HOLDS_ARRAY (meant))
    return parse_list (meant, error);

  return parse_single (meant, error);
}
