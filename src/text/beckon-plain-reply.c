/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reading a reply. The rule behind every line: a reply means a choice only if it can mean nothing else, and what could mean
 * two things is asked again. A person's words are never bent into a choice, and no words but the plain ones ever approve
 * anything. */

#include "beckon-config.h"

#include "beckon-plain-text.h"

#include "base/beckon-json.h"
#include "beckon-plain-changes.h"
#include "beckon-plain-number.h"
#include "beckon-plain-plan.h"
#include "beckon-plain-remember.h"
#include "beckon-plain-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static BeckonPlainResult
again (char **message, const char *text)
{
  *message = g_strdup (text);
  return BECKON_PLAIN_AGAIN;
}

/* Valid, and without white space of any script around it. */
static char *
trim (const char *line)
{
  g_autofree char *valid = g_utf8_make_valid (line, -1);
  const char *start = valid;
  const char *end;

  while (*start != '\0' && g_unichar_isspace (g_utf8_get_char (start)))
    start = g_utf8_next_char (start);

  end = start + strlen (start);
  while (end > start && g_unichar_isspace (g_utf8_get_char (g_utf8_prev_char (end))))
    end = g_utf8_prev_char (end);

  return g_strndup (start, (gsize) (end - start));
}

/* Returns the text after "/command "; NULL if @line is another, or has none. */
static const char *
get_argument (const char *line, const char *command)
{
  if (!g_str_has_prefix (line, command) || !g_ascii_isspace (line[strlen (command)]))
    return NULL;

  line += strlen (command);
  while (g_ascii_isspace (*line))
    line++;
  return *line != '\0' ? line : NULL;
}

/* The commands that are the same for every request. */
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
  const char *text = get_argument (line, "/ask");

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
  else if (text != NULL)
    *whole = beckon_answer_new (BECKON_ANSWER_ASKED_BACK, text);
  else
    return FALSE;

  *result = BECKON_PLAIN_ANSWER;
  return TRUE;
}

/* The option whose label @text is, whatever the case if that leaves only one; -1 if there is none. */
static int
find_label (const BeckonQuestionItem *item, const char *text)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  int found = -1;

  for (guint i = 0; i < item->options->len; i++)
    {
      const BeckonQuestionOption *option = beckon_question_item_get_option (item, i);
      g_autofree char *label = g_utf8_casefold (option->label, -1);

      if (strcmp (option->label, text) == 0)
        return (int) i;
      if (strcmp (label, folded) == 0)
        found = found == -1 ? (int) i : -2;
    }

  return found >= 0 ? found : -1;
}

static gboolean
are_in_range (const BeckonQuestionItem *item, GArray *numbers)
{
  for (guint i = 0; i < numbers->len; i++)
    if (g_array_index (numbers, guint, i) > item->options->len)
      return FALSE;

  return TRUE;
}

/* "Red, Blue" where several may be chosen and all of it is labels: their numbers. */
static GArray *
parse_labels (const BeckonQuestionItem *item, const char *line)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  g_auto (GStrv) pieces = NULL;

  if (!item->multiple)
    return NULL;

  pieces = g_regex_split_simple ("[,，、;；]", line, 0, 0);
  for (guint i = 0; pieces[i] != NULL; i++)
    {
      g_autofree char *piece = trim (pieces[i]);
      int found = find_label (item, piece);
      guint number = (guint) found + 1;

      if (found < 0)
        return NULL;
      g_array_append_val (numbers, number);
    }

  return numbers->len > 0 ? g_steal_pointer (&numbers) : NULL;
}

/* In the order of the question, each once, however they were typed. */
static void
select_numbers (const BeckonQuestionItem *item, guint index, GArray *numbers, BeckonAnswer *answer)
{
  for (guint i = 0; i < item->options->len; i++)
    for (guint j = 0; j < numbers->len; j++)
      if (g_array_index (numbers, guint, j) == i + 1)
        {
          beckon_answer_select (answer, index, beckon_question_item_get_option (item, i)->label);
          break;
        }
}

static BeckonPlainResult
ask_which (const BeckonQuestionItem *item, guint number, guint label, char **message)
{
  *message = g_strdup_printf (_("That is the number of “%s” and the text of “%s”. Reply with “%u.” or with “%u.”"),
                              beckon_question_item_get_option (item, number - 1)->label,
                              beckon_question_item_get_option (item, label - 1)->label, number, label);
  return BECKON_PLAIN_AGAIN;
}

/* Numbers of choices, or labels. FALSE when the line is neither. */
static gboolean
parse_choice (const BeckonQuestionItem *item, guint index, const char *line, BeckonAnswer *answer,
              BeckonPlainResult *result, char **message)
{
  g_autoptr (GArray) numbers = beckon_plain_number_parse (line, item->multiple);
  g_autoptr (GArray) labels = NULL;
  int found = find_label (item, line);
  gboolean is_number = numbers != NULL && are_in_range (item, numbers);

  *result = BECKON_PLAIN_ITEM;

  /* Choices such as "2" and "4": the first is called what the second is numbered. */
  if (is_number && found >= 0 && (numbers->len > 1 || g_array_index (numbers, guint, 0) != (guint) found + 1))
    {
      *result = ask_which (item, g_array_index (numbers, guint, 0), (guint) found + 1, message);
      return TRUE;
    }

  if (found >= 0)
    beckon_answer_select (answer, index, beckon_question_item_get_option (item, (guint) found)->label);
  else if (is_number)
    select_numbers (item, index, numbers, answer);
  else if ((labels = parse_labels (item, line)) != NULL)
    select_numbers (item, index, labels, answer);
  else
    return FALSE;

  return TRUE;
}

static BeckonPlainResult
parse_question (BeckonQuestion *question, guint index, const char *line, BeckonAnswer *answer, BeckonAnswer **whole,
                char **message)
{
  const BeckonQuestionItem *item = beckon_question_get_item (question, index);
  BeckonPlainResult result;

  if (*line == '\0')
    return again (message, beckon_plain_reply_hint (item));
  if (parse_question_command (line, index, answer, &result, whole))
    return result;
  if (parse_choice (item, index, line, answer, &result, message))
    return result;

  if (!item->freeform)
    {
      *message = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "There is only one choice. Reply with its number.",
                                               "Reply with a number from 1 to %u.", item->options->len),
                                  item->options->len);
      return BECKON_PLAIN_AGAIN;
    }

  beckon_answer_set_item_text (answer, index, line);
  if (answer->items->len > 0 && ((BeckonAnswerItem *) g_ptr_array_index (answer->items, index))->text == NULL)
    return again (message, beckon_plain_reply_hint (item));
  return BECKON_PLAIN_ITEM;
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
      *message = g_strdup_printf (_("These changes cannot be used: %s"), error != NULL ? error->message : "");
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

/* 1, 2 or 3, as a number or as the word that stands beside it; 0 for anything else. */
static guint
parse_decision (const char *line, const char *const words[3])
{
  g_autoptr (GArray) number = beckon_plain_number_parse (line, FALSE);
  g_autofree char *folded = g_utf8_casefold (line, -1);

  if (number != NULL)
    return g_array_index (number, guint, 0) <= 3 ? g_array_index (number, guint, 0) : 0;

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *word = g_utf8_casefold (words[i], -1);

      if (strcmp (word, folded) == 0)
        return i + 1;
    }

  return 0;
}

/* @reason: (nullable): why it was declined, which is a decision by itself; @hint: what to reply with. */
static BeckonPlainResult
decide (const char *line, const char *const words[3], const char *reason, const char *hint, BeckonAnswer **whole,
        char **message)
{
  switch (reason != NULL ? 2 : parse_decision (line, words))
    {
    case 1:
      *whole = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
      return BECKON_PLAIN_ANSWER;
    case 2:
      *whole = beckon_answer_new (BECKON_ANSWER_DECLINED, reason);
      return BECKON_PLAIN_ANSWER;
    case 3:
      return BECKON_PLAIN_STOP;
    default:
      return again (message, hint);
    }
}

static BeckonPlainResult
parse_approval (BeckonRequest *request, const char *line, BeckonAnswer **whole, char **message)
{
  const char *const words[] = { _("Run"), _("Deny"), _("Stop") };
  const char *reason = get_argument (line, "/deny");
  BeckonPlainResult result;

  if (parse_command (line, &result, whole) || beckon_plain_plan_parse (request, line, &result, whole, message))
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

  return decide (line, words, reason,
                 _("Reply with 1 to run it, 2 to deny it, 3 to stop, or a JSON object of changes."), whole, message);
}

static BeckonPlainResult
parse_plan (BeckonRequest *request, const char *line, BeckonAnswer **whole, char **message)
{
  const char *const words[] = { _("Accept and run"), _("Dismiss"), _("Stop") };
  const char *reason = get_argument (line, "/deny");
  BeckonPlainResult result;

  if (parse_command (line, &result, whole) || beckon_plain_plan_parse (request, line, &result, whole, message))
    return result;

  return decide (line, words, reason,
                 _("Reply with 1 to accept and run it, 2 to dismiss it, 3 to stop, /replan, or a plan as JSON."), whole,
                 message);
}

/* Other text is what the person found. A number that is not offered is neither. */
static BeckonPlainResult
parse_form (BeckonRequest *request, const char *line, BeckonAnswer **whole, char **message)
{
  const char *const words[] = { _("Run again"), _("Skip"), _("Stop") };
  g_autoptr (GArray) number = beckon_plain_number_parse (line, FALSE);
  BeckonPlainResult result;

  if (parse_command (line, &result, whole))
    return result;

  switch (parse_decision (strcmp (line, "/skip") == 0 ? "2" : line, words))
    {
    case 1:
      *whole = beckon_answer_new (BECKON_ANSWER_RETRY, NULL);
      return BECKON_PLAIN_ANSWER;
    case 2:
      *whole = beckon_answer_new (BECKON_ANSWER_SKIP, NULL);
      return BECKON_PLAIN_ANSWER;
    case 3:
      return BECKON_PLAIN_STOP;
    default:
      break;
    }

  if (number == NULL)
    *whole = beckon_answer_new (BECKON_ANSWER_LOOKED, line);
  else if (beckon_request_get_can_verify (request) && g_array_index (number, guint, 0) == 4)
    *whole = beckon_answer_new (BECKON_ANSWER_LOOKED, NULL);
  if (*whole != NULL && (number != NULL || (*whole)->text != NULL))
    return BECKON_PLAIN_ANSWER;
  g_clear_pointer (whole, beckon_answer_unref);
  return again (message, _("Reply with 1 to run it again, 2 to skip it, 3 to stop, or type what you found."));
}

static BeckonPlainResult
parse_changes (BeckonRequest *request, const char *line, BeckonAnswer *answer, BeckonAnswer **whole, char **message)
{
  const char *reason = get_argument (line, "/deny");
  BeckonPlainResult result;

  if (parse_command (line, &result, whole))
    return result;
  if (reason == NULL)
    return beckon_plain_changes_parse (request, line, answer, whole, message);

  *whole = beckon_answer_new (BECKON_ANSWER_DECLINED, reason);
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
  trimmed = trim (line);
  if (beckon_request_get_kind (request) == BECKON_REQUEST_APPROVAL)
    return parse_approval (request, trimmed, whole, message);
  if (beckon_request_get_kind (request) == BECKON_REQUEST_FORM)
    return parse_form (request, trimmed, whole, message);
  if (beckon_request_get_kind (request) == BECKON_REQUEST_PLAN)
    return parse_plan (request, trimmed, whole, message);

  g_return_val_if_fail (answer != NULL, BECKON_PLAIN_AGAIN);
  if (beckon_request_get_kind (request) == BECKON_REQUEST_CHANGES)
    return parse_changes (request, trimmed, answer, whole, message);

  g_return_val_if_fail (item < beckon_plain_text_n_items (request), BECKON_PLAIN_AGAIN);
  return parse_question (beckon_request_get_question (request), item, trimmed, answer, whole, message);
}
