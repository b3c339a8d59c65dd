/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-reply-options.h"

#include "base/beckon-json.h"
#include "base/beckon-wipe.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-form-request.h"
#include "request/beckon-plan-request.h"
#include "request/beckon-question-request.h"
#include "text/beckon-dialogue.h"
#include "text/beckon-plain-changes.h"
#include "text/beckon-plain-form.h"
#include "text/beckon-plain-number.h"
#include "text/beckon-plain-reply.h"
#include "text/beckon-plain-text.h"
#include "text/beckon-request-document.h"

#include <glib/gi18n-lib.h>
#include <string.h>

guint
beckon_reply_options_count (const BeckonReplyOptions *options)
{
  return (options->words != NULL) + (options->texts != NULL) + (options->lines != NULL) + (options->json != NULL)
         + (options->ask_back != NULL) + (options->arguments != NULL) + options->skips + options->lets_choose + options->runs
         + options->rejects + (options->keeps || (options->leaves_out != NULL && !options->keeps_all)) + options->keeps_all;
}

/* The content of a form and a plan may be given as they are. */
static char *
dup_document (const char *json, BeckonRequest *request)
{
  static const char *const kinds[] = { "form", "declined", "skip", NULL };
  gboolean takes_plan = beckon_request_takes (request, BECKON_ANSWER_PLAN);
  g_autoptr (JsonObject) object
      = takes_plan || BECKON_IS_FORM_REQUEST (request) ? beckon_json_parse_object (json, -1, NULL) : NULL;
  const char *kind = object != NULL ? beckon_json_get_string (object, "kind") : NULL;

  if (takes_plan && object != NULL && kind == NULL && json_object_has_member (object, "steps"))
    return g_strdup_printf ("{\"kind\":\"plan\",\"plan\":%s}", json);
  if (object == NULL || takes_plan || (kind != NULL && g_strv_contains (kinds, kind)))
    return g_strdup (json);
  return g_strdup_printf ("{\"kind\":\"form\",\"content\":%s}", json);
}

static BeckonAnswer *
read_json (const char *json, BeckonRequest *request, char **problem)
{
  g_autofree char *document = dup_document (json, request);
  g_autoptr (GError) error = NULL;
  BeckonAnswer *answer = beckon_answer_document_read (document, request, &error);

  if (answer == NULL)
    *problem = g_strdup (error->message);
  return answer;
}

/* A number that no choice has is a slip, not an answer in one's own words. */
static gboolean
check_number (BeckonRequest *request, guint index, const char *line, char **problem)
{
  BeckonQuestion *question = beckon_request_get_question (request);
  const BeckonQuestionItem *item = question != NULL ? beckon_question_get_item (question, index) : NULL;
  g_autofree char *trimmed = beckon_plain_reply_trim (line);
  g_autoptr (GArray) numbers = NULL;
  gboolean is_good;

  if (item == NULL || item->options->len == 0 || !item->freeform || item->secret)
    return TRUE;
  for (guint i = 0; i < item->options->len; i++)
    if (g_str_equal (beckon_question_item_get_option (item, i)->label, trimmed))
      return TRUE;
  numbers = beckon_plain_number_parse (trimmed, item->multiple);
  is_good = numbers != NULL || *trimmed == '\0' || trimmed[strspn (trimmed, "0123456789")] != '\0';
  for (guint i = 0; numbers != NULL && i < numbers->len; i++)
    is_good = is_good && g_array_index (numbers, guint, i) <= item->options->len;
  if (!is_good && beckon_question_get_n_items (question) > 1)
    *problem = g_strdup_printf (_("“%s” is not a choice from 1 to %u. To send texts, give --text once for each question."),
                                trimmed, item->options->len);
  else if (!is_good)
    *problem = g_strdup_printf (_("“%s” is not a choice from 1 to %u. To send it as text, use: --text %s"), trimmed,
                                item->options->len, trimmed);
  return is_good;
}

/* As the same lines would be read in a terminal, one for each question. */
static BeckonAnswer *
read_lines (const char *const *lines, BeckonRequest *request, gboolean *stops, char **problem)
{
  g_autoptr (BeckonDialogue) dialogue = beckon_dialogue_new (FALSE);
  g_autoptr (GPtrArray) pending = g_ptr_array_new ();

  g_ptr_array_add (pending, request);
  beckon_dialogue_follow (dialogue, pending);
  for (guint i = 0; *problem == NULL && i < beckon_plain_text_n_items (request); i++)
    {
      g_auto (BeckonDialogueReply) reply = { 0 };
      BeckonDialogueResult result;

      if (!check_number (request, i, lines[i], problem))
        return NULL;
      result = beckon_dialogue_take_line (dialogue, lines[i], &reply);

      if (result == BECKON_DIALOGUE_ANSWERED)
        return beckon_answer_ref (((BeckonDialogueAnswer *) g_ptr_array_index (reply.answers, 0))->answer);
      *stops = result == BECKON_DIALOGUE_STOP;
      if (*stops)
        return NULL;
      *problem = g_steal_pointer (&reply.message);
    }
  return NULL;
}

static BeckonAnswer *
read_words (char **words, BeckonRequest *request, gboolean *stops, char **problem)
{
  guint n_items = beckon_plain_text_n_items (request);
  guint n_words = g_strv_length (words);
  g_autofree char *line = NULL;

  if (BECKON_IS_FORM_REQUEST (request))
    return beckon_plain_form_read_words (request, (const char *const *) words, stops, problem);
  if (n_items == 1)
    {
      line = g_strjoinv (" ", words);
      return read_lines (&(const char *const){ line }, request, stops, problem);
    }
  if (n_words == n_items)
    return read_lines ((const char *const *) words, request, stops, problem);

  *problem = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Give %u reply, one for each question, in quotation marks.",
                                           "Give %u replies, one for each question, each in quotation marks.", n_items),
                              n_items);
  return NULL;
}

static BeckonAnswer *
read_texts (char **texts, BeckonRequest *request, char **problem)
{
  BeckonQuestion *question = beckon_request_get_question (request);
  guint n_items = question != NULL ? beckon_question_get_n_items (question) : 0;
  g_autoptr (BeckonAnswer) answer = NULL;

  if (n_items == 0)
    {
      *problem = g_strdup (_("“--text” is only for questions."));
      return NULL;
    }
  if (g_strv_length (texts) != n_items)
    {
      *problem = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Give “--text” %u time, once for each question.",
                                               "Give “--text” %u times, once for each question.", n_items),
                                  n_items);
      return NULL;
    }
  answer = beckon_answer_new_question (n_items);
  for (guint i = 0; i < n_items; i++)
    beckon_answer_set_item_text (answer, i, texts[i]);
  return g_steal_pointer (&answer);
}

/* A single reply may have several lines of its own: a key has. */
static BeckonAnswer *
reply_options_read_input (const char *input, BeckonRequest *request, gboolean *stops, char **problem)
{
  gboolean single = beckon_plain_text_n_items (request) == 1;
  g_auto (GStrv) lines = g_strsplit (input, "\n", single ? 1 : 0);
  BeckonAnswer *answer = read_words (lines, request, stops, problem);

  for (guint i = 0; lines[i] != NULL; i++)
    explicit_bzero (lines[i], strlen (lines[i]));
  return answer;
}

/* A value that the server filled in was not given here. */
static gboolean
has_form_secret (BeckonRequest *request, const char *text)
{
  GPtrArray *secrets = beckon_form_request_get_secrets (request);
  g_autoptr (BeckonAnswer) begun = secrets != NULL ? beckon_plain_form_begin (request) : NULL;

  for (guint i = 0; secrets != NULL && i < secrets->len; i++)
    {
      const char *name = g_ptr_array_index (secrets, i);
      char *value = beckon_form_request_dup_value (text, name);
      g_autofree char *filled_in = begun->text != NULL ? beckon_form_request_dup_value (begun->text, name) : NULL;
      gboolean is_given = value != NULL && *value != '\0' && g_strcmp0 (value, filled_in) != 0;

      beckon_wipe (value);
      if (is_given)
        return TRUE;
    }
  return FALSE;
}

/* Arguments are visible to others. */
static gboolean
is_exposed (const BeckonReplyOptions *options, BeckonRequest *request, const BeckonAnswer *answer)
{
  BeckonQuestion *question = beckon_request_get_question (request);

  if (options->lines == NULL && answer->kind == BECKON_ANSWER_FORM && answer->text != NULL)
    return has_form_secret (request, answer->text);
  if (options->lines != NULL || question == NULL || answer->kind != BECKON_ANSWER_QUESTION)
    return FALSE;

  for (guint i = 0; i < answer->items->len; i++)
    {
      const BeckonAnswerItem *item = g_ptr_array_index (answer->items, i);

      if (item->text != NULL && i < beckon_question_get_n_items (question)
          && beckon_question_get_item (question, i)->secret)
        return TRUE;
    }
  return FALSE;
}

static BeckonAnswer *
reply_options_keep (const BeckonReplyOptions *options, BeckonRequest *request, char **problem)
{
  const BeckonChangeSet *changes = beckon_request_get_changes (request);
  g_autoptr (BeckonChangeChoice) choice = NULL;
  g_autofree char *document = NULL;

  if (changes == NULL)
    {
      *problem = g_strdup (_("“--keep”, “--keep-all” and “--leave-out” are only for the changes of a command."));
      return NULL;
    }

  choice = options->keeps_all ? beckon_change_choice_new () : beckon_change_choice_new_first (changes);
  for (guint i = 0; options->leaves_out != NULL && options->leaves_out[i] != NULL; i++)
    if (!beckon_plain_changes_leave_out (request, options->leaves_out[i], choice, problem))
      return NULL;

  if (!beckon_change_choice_lands_any (choice, changes))
    {
      *problem = g_strdup (_("Nothing would be saved: each change is risky or left out. “--keep-all” alone saves all of "
                             "them, “--deny” none."));
      return NULL;
    }
  document = beckon_change_choice_to_json (choice);
  return beckon_answer_new (BECKON_ANSWER_KEPT, document);
}

static BeckonAnswer *
make (const BeckonReplyOptions *options, BeckonRequest *request, gboolean *stops, char **problem)
{
  if (options->json != NULL)
    return read_json (options->json, request, problem);
  if (options->ask_back != NULL)
    return beckon_answer_new (BECKON_ANSWER_ASKED_BACK, options->ask_back);
  if (options->lets_choose)
    return beckon_answer_new (BECKON_ANSWER_DELEGATED, NULL);
  if (options->rejects)
    return beckon_answer_new (BECKON_ANSWER_DECLINED, options->reason);
  if (options->runs)
    return beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
  if (options->keeps || options->keeps_all || options->leaves_out != NULL)
    return reply_options_keep (options, request, problem);
  if (options->skips && BECKON_IS_FORM_REQUEST (request))
    return beckon_answer_new (BECKON_ANSWER_SKIP, NULL);
  if (options->skips)
    {
      guint n_items = beckon_plain_text_n_items (request);
      BeckonAnswer *answer = beckon_answer_new_question (n_items);

      for (guint i = 0; i < n_items; i++)
        beckon_answer_skip (answer, i);
      return answer;
    }
  if (options->arguments != NULL && beckon_request_takes (request, BECKON_ANSWER_APPROVED_EDITED))
    return read_lines (&(const char *const){ options->arguments }, request, stops, problem);
  if (options->lines != NULL)
    return reply_options_read_input (options->lines, request, stops, problem);
  if (options->texts != NULL)
    return read_texts (options->texts, request, problem);
  if (options->words != NULL)
    return read_words (options->words, request, stops, problem);

  *problem = g_strdup (_("This is a question. Answer it instead of approving it."));
  return NULL;
}

/* Whether a plan is accepted that the person is changing in a chat or a window. */
static gboolean
is_outdated (BeckonRequest *request, const BeckonAnswer *answer)
{
  const char *draft = BECKON_IS_PLAN_REQUEST (request) && answer->kind == BECKON_ANSWER_APPROVED
                        ? beckon_request_get_draft (request) : NULL;
  g_autoptr (BeckonPlan) plan = draft != NULL ? beckon_plan_parse (draft, BECKON_PLAN_FROM_PERSON, NULL) : NULL;

  return plan != NULL && !beckon_plan_equal (plan, beckon_request_get_plan (request));
}

BeckonAnswer *
beckon_reply_options_make (const BeckonReplyOptions *options, BeckonRequest *request, gboolean *stops, char **problem)
{
  g_autoptr (BeckonAnswer) answer = NULL;
  g_autoptr (GError) error = NULL;

  *stops = FALSE;
  *problem = NULL;
  answer = make (options, request, stops, problem);
  if (answer != NULL && is_exposed (options, request, answer))
    {
      *problem = g_strdup (_("This answer is a secret, and other programs can read the command line. Use “--secret-stdin”, "
                             "or give only the id in a terminal and type the answer there."));
      return NULL;
    }
  if (answer != NULL && is_outdated (request, answer))
    {
      *problem = g_strdup (_("You have changed this plan in a chat or in the window, without accepting it. Accept it there, or "
                             "answer with the whole plan as JSON, which “beckonctl questions --json” prints."));
      return NULL;
    }
  if (answer == NULL || beckon_request_check_answer (request, answer, &error))
    return g_steal_pointer (&answer);

  *problem = g_strdup (error->message);
  return NULL;
}
