/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-text.h"

#include "base/beckon-text.h"
#include "beckon-plain-changes.h"
#include "beckon-plain-plan.h"
#include "beckon-plain-remember.h"
#include "beckon-plain-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAGENTA "\033[35m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

guint
beckon_plain_text_n_items (BeckonRequest *request)
{
  BeckonQuestion *question;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), 0);

  question = beckon_request_get_question (request);
  return question != NULL ? beckon_question_get_n_items (question) : 1;
}

BeckonAnswer *
beckon_plain_text_begin (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  if (beckon_request_get_kind (request) == BECKON_REQUEST_CHANGES)
    return beckon_answer_new (BECKON_ANSWER_KEPT, NULL);
  return beckon_answer_new_question (beckon_plain_text_n_items (request));
}

char *
beckon_plain_text_for_terminal (const char *text, gssize length)
{
  g_autofree char *marked = beckon_text_for_display (text, length, BECKON_TEXT_MARKED);
  GString *safe = g_string_new (marked);

  g_string_replace (safe, BECKON_PLAIN_CARD_MARK, "<U+25C7>", 0);
  return g_string_free (safe, FALSE);
}

static void
append_safe (GString *text, const char *prefix, const char *untrusted)
{
  g_autofree char *safe = beckon_plain_text_for_terminal (untrusted, -1);

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
        g_string_append_printf (text, " %s", _("(recommended)"));
      if (option->description != NULL)
        append_safe (text, " — ", option->description);
    }
}

const char *
beckon_plain_reply_hint (const BeckonQuestionItem *item)
{
  if (item->options->len == 0)
    return _("Type your answer");
  if (item->multiple && item->freeform)
    return _("Reply with numbers such as 1,3, or type your answer");
  if (item->multiple)
    return _("Reply with numbers such as 1,3");
  if (item->freeform)
    return _("Reply with a number, or type your answer");
  return _("Reply with a number");
}

static void
append_question_body (GString *text, BeckonQuestion *question, guint index)
{
  const BeckonQuestionItem *item = beckon_question_get_item (question, index);

  append_options (text, item);
  g_string_append_printf (text, "\n\n%s", beckon_plain_reply_hint (item));
}

static void
append_approval_body (GString *text, BeckonRequest *request)
{
  const char *reason = beckon_request_get_reason (request);
  g_autofree char *shown = beckon_request_dup_shown_arguments (request);
  g_autofree char *arguments = beckon_text_json_for_display (shown);

  beckon_plain_plan_append_step (text, request);
  g_string_append_printf (text, "\n%s", arguments);
  if (reason != NULL)
    append_safe (text, "\n", reason);
  g_string_append_printf (text, "\n1. %s\n2. %s\n3. %s", _("Run"), _("Deny"), _("Stop"));
  beckon_plain_remember_append (text, request);
  g_string_append_printf (text, "\n\n%s", _("Reply with a number, or with other arguments as a JSON object"));
}

static void
append_form_body (GString *text, BeckonRequest *request)
{
  g_autofree char *shown = beckon_request_dup_shown_arguments (request);
  g_autofree char *arguments = beckon_text_json_for_display (shown);
  g_autofree char *words = beckon_request_dup_outcome_words (request);

  g_string_append_printf (text, "\n%s\n%s\n1. %s\n2. %s\n3. %s", arguments, words, _("Run again"), _("Skip"), _("Stop"));
  if (beckon_request_get_can_verify (request))
    g_string_append_printf (text, "\n4. %s", _("Let the tool look"));
  g_string_append_printf (text, "\n\n%s", _("Look what became of it and type what you found, or reply with a number"));
}

/* Adds all below the heading. */
static void
append_body (GString *text, BeckonRequest *request, guint item, const char *code)
{
  if (beckon_request_get_kind (request) == BECKON_REQUEST_QUESTION)
    append_question_body (text, beckon_request_get_question (request), item);
  else if (beckon_request_get_kind (request) == BECKON_REQUEST_FORM)
    append_form_body (text, request);
  else if (beckon_request_get_kind (request) == BECKON_REQUEST_PLAN)
    beckon_plain_plan_append (text, request);
  else if (beckon_request_get_kind (request) == BECKON_REQUEST_CHANGES)
    beckon_plain_changes_append (text, request, code);
  else
    append_approval_body (text, request);
}

/* The question, or what is to be approved. */
static void
append_heading (GString *text, BeckonRequest *request, guint item)
{
  BeckonQuestion *question = beckon_request_get_question (request);
  g_autofree char *tool = NULL;

  if (question == NULL)
    {
      tool = beckon_text_for_display (beckon_request_get_tool (request), -1, BECKON_TEXT_EXACT);
      if (beckon_request_get_kind (request) == BECKON_REQUEST_PLAN)
        {
          g_autoptr (BeckonPlan) plan = beckon_request_dup_shown_plan (request);

          append_safe (text, _("Plan: "), plan->title);
          return;
        }
      if (beckon_request_get_kind (request) == BECKON_REQUEST_CHANGES)
        {
          g_autofree char *sentence = beckon_change_set_dup_sentence (beckon_request_get_changes (request));

          append_safe (text, "", sentence);
          return;
        }
      if (beckon_request_get_kind (request) == BECKON_REQUEST_FORM)
        /* Translators: %s is the name of a tool */
        g_string_append_printf (text, _("Interrupted: %s"), tool);
      else
        /* Translators: %s is the name of a tool */
        g_string_append_printf (text, _("About to run %s"), tool);
      return;
    }

  if (beckon_question_get_n_items (question) > 1)
    /* Translators: which of several questions this is, such as "(2 of 3) " */
    g_string_append_printf (text, _("(%u of %u) "), item + 1, beckon_question_get_n_items (question));
  append_safe (text, "", beckon_question_get_item (question, item)->question);
}

static char *
format (BeckonRequest *request, guint item, const char *code)
{
  g_autoptr (GString) text = NULL;

  text = g_string_new (beckon_request_get_kind (request) == BECKON_REQUEST_QUESTION ? "❓ " : "⚠ ");
  if (code != NULL)
    g_string_append_printf (text, "[%s] ", code);
  append_heading (text, request, item);
  append_body (text, request, item, code);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_plain_text_format (BeckonRequest *request, guint item)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);
  g_return_val_if_fail (item < beckon_plain_text_n_items (request), NULL);

  return format (request, item, NULL);
}

char *
beckon_plain_text_format_with_code (BeckonRequest *request, guint item)
{
  g_autofree char *code = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);
  g_return_val_if_fail (item < beckon_plain_text_n_items (request), NULL);

  code = beckon_plain_text_dup_code (request);
  return format (request, item, code);
}

char *
beckon_plain_text_format_for_terminal (BeckonRequest *request, guint item, gboolean colour)
{
  g_autofree char *tool = NULL;
  g_autoptr (GString) text = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);
  g_return_val_if_fail (item < beckon_plain_text_n_items (request), NULL);

  if (beckon_request_get_kind (request) != BECKON_REQUEST_QUESTION)
    tool = beckon_text_for_display (beckon_request_get_tool (request), -1, BECKON_TEXT_EXACT);

  text = g_string_new (NULL);
  g_string_append_printf (text, BECKON_PLAIN_CARD_MARK " %s%s%s → %s", colour ? MAGENTA : "", tool != NULL ? tool : "ask_user",
                          colour ? PLAIN : "", colour ? YELLOW : "");
  append_heading (text, request, item);
  g_string_append (text, colour ? PLAIN : "");
  append_body (text, request, item, NULL);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_plain_text_dup_code (BeckonRequest *request)
{
  const char *id;
  gsize length;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  /* The end of an id is its random part. */
  id = beckon_request_get_id (request);
  length = strlen (id);
  return g_ascii_strdown (id + (length > BECKON_PLAIN_CODE_LENGTH ? length - BECKON_PLAIN_CODE_LENGTH : 0), -1);
}

const char *
beckon_plain_text_match_code (BeckonRequest *request, const char *line)
{
  g_autofree char *code = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);
  g_return_val_if_fail (line != NULL, NULL);

  code = beckon_plain_text_dup_code (request);
  while (g_ascii_isspace (*line))
    line++;
  if (*line == '#')
    line++;
  if (g_ascii_strncasecmp (line, code, strlen (code)) != 0)
    return NULL;

  /* A word that only begins like the code is not it. */
  line += strlen (code);
  if (*line != '\0' && *line != ':' && !g_ascii_isspace (*line))
    return NULL;
  while (*line == ':' || g_ascii_isspace (*line))
    line++;
  return line;
}
