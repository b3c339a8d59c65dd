/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-dialogue.h"

#include "beckon-plain-approval.h"
#include "beckon-plain-changes.h"
#include "beckon-plain-class.h"
#include "beckon-plain-form.h"
#include "beckon-plain-plan.h"
#include "beckon-plain-table.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-question-request.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonDialogue
{
  GObject parent_instance;

  gboolean colour;
  BeckonRequest *request; /* (owned) (nullable): what is asked by itself */
  BeckonAnswer *answer;   /* (owned) (nullable): to that, under construction */
  guint item;
  gboolean is_again;      /* that item was answered before: the last one follows, where all of it is looked at */
  GPtrArray *rows;        /* (owned) (nullable) (element-type BeckonRequest): a table instead, as it was said */
  BeckonRequest *single;  /* (owned) (nullable): the row that the person wants to see by itself */
  gboolean said;          /* what is asked now */

  /* of an approval that is asked by itself */
  BeckonCallPreviewer *previewer; /* (owned) (nullable) */
  char *edited;                   /* (nullable): the arguments that the person made of it, shown but not answered with yet */
  GCancellable *previewing;       /* (owned) (nullable) */
  BeckonCallPreview *preview;     /* (owned) (nullable) */
  char *problem;                  /* (nullable): why there is no preview */
  gboolean is_cut;                /* not all of the call was shown yet */
};

static guint ready_signal;

G_DEFINE_FINAL_TYPE (BeckonDialogue, beckon_dialogue, G_TYPE_OBJECT)

static void
answer_free (gpointer data)
{
  BeckonDialogueAnswer *answer = data;

  g_object_unref (answer->request);
  beckon_answer_unref (answer->answer);
  g_free (answer);
}

void
beckon_dialogue_reply_clear (BeckonDialogueReply *reply)
{
  g_clear_pointer (&reply->answers, g_ptr_array_unref);
  g_clear_pointer (&reply->message, g_free);
}

static gboolean
is_pending (BeckonRequest *request)
{
  return beckon_request_get_state (request) == BECKON_REQUEST_PENDING;
}

/* --- What is asked ------------------------------------------------------------------------------------------------ */

static void
dialogue_begin (BeckonDialogue *self)
{
  self->item = 0;
  self->is_again = FALSE;
  g_clear_pointer (&self->answer, beckon_answer_unref);
  if (self->request != NULL)
    self->answer = beckon_plain_text_begin (self->request);
}

static void
dialogue_on_previewed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonDialogue) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonCallPreview) preview
      = beckon_call_previewer_preview_finish (BECKON_CALL_PREVIEWER (source), result, &error);

  /* Another request is asked about meanwhile. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->previewing);
  self->preview = g_steal_pointer (&preview);
  self->problem = error != NULL ? g_strdup (error->message) : NULL;
  g_signal_emit (self, ready_signal, 0);
}

static void
drop_preview (BeckonDialogue *self)
{
  g_cancellable_cancel (self->previewing);
  g_clear_object (&self->previewing);
  g_clear_pointer (&self->preview, beckon_call_preview_unref);
  g_clear_pointer (&self->problem, g_free);
  g_clear_pointer (&self->edited, g_free);
  self->is_cut = FALSE;
}

static void
start_preview (BeckonDialogue *self, const char *arguments)
{
  self->previewing = g_cancellable_new ();
  beckon_call_previewer_preview_async (self->previewer, self->request, arguments, self->previewing, dialogue_on_previewed,
                                       g_object_ref (self));
}

static void
dialogue_ask (BeckonDialogue *self, BeckonRequest *request)
{
  if (!g_set_object (&self->request, request))
    return;
  dialogue_begin (self);
  drop_preview (self);
  self->said = FALSE;
  if (request != NULL && beckon_plain_approval_has_preview (request, self->previewer))
    start_preview (self, beckon_request_get_arguments (request));
}

static BeckonRequest *
find_open_row (BeckonDialogue *self)
{
  for (guint i = 0; self->rows != NULL && i < self->rows->len; i++)
    if (is_pending (g_ptr_array_index (self->rows, i)))
      return g_ptr_array_index (self->rows, i);
  return NULL;
}

void
beckon_dialogue_follow (BeckonDialogue *dialogue, GPtrArray *pending)
{
  BeckonRequest *first;

  g_return_if_fail (BECKON_IS_DIALOGUE (dialogue));
  g_return_if_fail (pending != NULL);

  if (dialogue->single != NULL && !is_pending (dialogue->single))
    g_clear_object (&dialogue->single);
  first = dialogue->single != NULL ? dialogue->single : pending->len > 0 ? g_ptr_array_index (pending, 0) : NULL;
  if (first == NULL || dialogue->single != NULL || find_open_row (dialogue) == NULL)
    g_clear_pointer (&dialogue->rows, g_ptr_array_unref);
  if (dialogue->rows != NULL)
    return;
  if (dialogue->request != first)
    dialogue_ask (dialogue, NULL);
  if (first != NULL && dialogue->single == NULL && dialogue->request == NULL)
    {
      g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

      /* (nullable): several that are decided about together. */
      /* A table has no room for differences. */
      for (guint i = 0; i < pending->len && !beckon_plain_approval_has_preview (first, dialogue->previewer); i++)
        if (beckon_call_table_is_similar (first, g_ptr_array_index (pending, i)))
          g_ptr_array_add (rows, g_object_ref (g_ptr_array_index (pending, i)));

      if (first != NULL && dialogue->single == NULL && dialogue->request == NULL)
        dialogue->rows = rows->len >= 2 ? g_steal_pointer (&rows) : NULL;
    }
  if (dialogue->rows != NULL)
    dialogue->said = FALSE;
  else
    dialogue_ask (dialogue, first);
}

BeckonRequest *
beckon_dialogue_get_request (BeckonDialogue *dialogue)
{
  g_return_val_if_fail (BECKON_IS_DIALOGUE (dialogue), NULL);

  return dialogue->rows != NULL ? find_open_row (dialogue) : dialogue->request;
}

gboolean
beckon_dialogue_is_table (BeckonDialogue *dialogue)
{
  g_return_val_if_fail (BECKON_IS_DIALOGUE (dialogue), FALSE);

  return dialogue->rows != NULL;
}

gboolean
beckon_dialogue_is_decision (BeckonDialogue *dialogue)
{
  g_return_val_if_fail (BECKON_IS_DIALOGUE (dialogue), TRUE);

  return dialogue->request == NULL || beckon_plain_class_get (dialogue->request)->is_decision;
}

gboolean
beckon_dialogue_is_shown_first (BeckonDialogue *dialogue, const char *line)
{
  g_return_val_if_fail (BECKON_IS_DIALOGUE (dialogue), FALSE);

  return dialogue->request != NULL && dialogue->previewer != NULL
         && beckon_request_takes (dialogue->request, BECKON_ANSWER_PLAN)
         && g_str_has_prefix (line, beckon_request_get_step (dialogue->request) == NULL ? "{" : "/plan");
}

gboolean
beckon_dialogue_is_secret (BeckonDialogue *dialogue)
{
  BeckonQuestion *question;

  g_return_val_if_fail (BECKON_IS_DIALOGUE (dialogue), FALSE);

  if (dialogue->request != NULL && beckon_plain_form_is_secret (dialogue->request, dialogue->item))
    return TRUE;
  question = dialogue->request != NULL ? beckon_request_get_question (dialogue->request) : NULL;
  return question != NULL && beckon_question_get_item (question, dialogue->item)->secret;
}

void
beckon_dialogue_set_previewer (BeckonDialogue *dialogue, BeckonCallPreviewer *previewer)
{
  g_return_if_fail (BECKON_IS_DIALOGUE (dialogue));
  g_return_if_fail (dialogue->request == NULL);

  g_set_object (&dialogue->previewer, previewer);
}

gboolean
beckon_dialogue_is_preparing (BeckonDialogue *dialogue)
{
  g_return_val_if_fail (BECKON_IS_DIALOGUE (dialogue), FALSE);

  return dialogue->previewing != NULL;
}

static gboolean
is_choice (BeckonDialogue *self, const char *word)
{
  BeckonQuestion *question = self->request != NULL ? beckon_request_get_question (self->request) : NULL;
  const BeckonQuestionItem *item = question != NULL ? beckon_question_get_item (question, self->item) : NULL;

  for (guint i = 0; item != NULL && i < item->options->len; i++)
    if (g_ascii_strcasecmp (beckon_question_item_get_option (item, i)->label, word) == 0)
      return TRUE;
  return FALSE;
}

gboolean
beckon_dialogue_has_word (BeckonDialogue *dialogue, const char *word)
{
  static const char *const words[]
      = { "/all",  "/always", "/ask",    "/cancel", "/choose", "/decline", "/deny", "/dismiss", "/here",
          "/json", "/keep",   "/pause",  "/plan",   "/replan", "/skip",   "/status",  "/stop",  NULL };

  g_return_val_if_fail (BECKON_IS_DIALOGUE (dialogue), FALSE);
  g_return_val_if_fail (word != NULL, FALSE);

  return g_strv_contains (words, word) || is_choice (dialogue, word);
}

char *
beckon_dialogue_next_text (BeckonDialogue *dialogue)
{
  g_return_val_if_fail (BECKON_IS_DIALOGUE (dialogue), NULL);

  if (dialogue->said || dialogue->previewing != NULL || (dialogue->rows == NULL && dialogue->request == NULL))
    return NULL;

  dialogue->said = TRUE;
  if (dialogue->rows != NULL)
    return beckon_plain_table_format (dialogue->rows);
  if (BECKON_IS_APPROVAL_REQUEST (dialogue->request))
    return beckon_plain_approval_format (dialogue->request, dialogue->edited, dialogue->preview, dialogue->problem,
                                         dialogue->colour, &dialogue->is_cut);
  return beckon_plain_text_format_for_terminal (dialogue->request, dialogue->item, dialogue->colour);
}

void
beckon_dialogue_mark_shown (BeckonDialogue *dialogue)
{
  g_return_if_fail (BECKON_IS_DIALOGUE (dialogue));

  dialogue->said = TRUE;
  dialogue->is_cut = FALSE;
}

/* --- What is answered --------------------------------------------------------------------------------------------- */

/* @answer: (transfer full) */
static void
add_answer (BeckonDialogueReply *reply, BeckonRequest *request, BeckonAnswer *answer)
{
  BeckonDialogueAnswer *pair = g_new (BeckonDialogueAnswer, 1);

  pair->request = g_object_ref (request);
  pair->answer = answer;
  g_ptr_array_add (reply->answers, pair);
}

static BeckonDialogueResult
tell_status (BeckonDialogueReply *reply)
{
  reply->message = g_strdup (_("The agent is waiting for this answer. Nothing is running."));
  return BECKON_DIALOGUE_STATUS;
}

static char *
show_all (BeckonDialogue *self)
{
  self->is_cut = FALSE;
  return beckon_plain_approval_format_all (self->request, self->edited, self->preview, self->colour);
}

const char *
beckon_dialogue_get_changed_plan (BeckonDialogue *dialogue)
{
  const BeckonAnswer *answer = dialogue->request != NULL ? dialogue->answer : NULL;

  return answer != NULL && answer->kind == BECKON_ANSWER_PLAN ? answer->text : NULL;
}

/* Other arguments change something else, which is shown before it runs. @answer: (transfer full). */
static BeckonDialogueResult
show_edited (BeckonDialogue *self, BeckonAnswer *answer, BeckonDialogueReply *reply)
{
  g_autoptr (BeckonAnswer) edited = answer;
  g_autoptr (GError) error = NULL;

  if (!beckon_request_check_answer (self->request, edited, &error))
    {
      reply->message = g_strdup (error->message);
      return BECKON_DIALOGUE_MORE;
    }
  /* The next change is made to this one. */
  beckon_answer_unref (self->answer);
  self->answer = beckon_answer_ref (edited);
  if (edited->kind == BECKON_ANSWER_PLAN)
    {
      reply->message = beckon_plain_plan_format_changed (self->request, edited->text);
      return BECKON_DIALOGUE_MORE;
    }
  drop_preview (self);
  self->edited = g_strdup (edited->text);
  self->said = FALSE;
  if (beckon_plain_approval_has_preview (self->request, self->previewer))
    start_preview (self, self->edited);
  return BECKON_DIALOGUE_MORE;
}

/* An approval runs with the files that were shown, and only once all of it was. @answer: (transfer full). */
static BeckonDialogueResult
end_request (BeckonDialogue *self, const char *line, BeckonAnswer *answer, BeckonDialogueReply *reply)
{
  const char *plan = beckon_dialogue_get_changed_plan (self);
  g_autofree char *all = NULL;

  /* A plan is seen as it was changed, before it is accepted; where it runs already, one that was written anew. */
  if (answer->kind == BECKON_ANSWER_PLAN && self->previewer != NULL
      && (beckon_request_get_step (self->request) == NULL || beckon_dialogue_is_shown_first (self, line)))
    return show_edited (self, answer, reply);
  if (answer->kind == BECKON_ANSWER_APPROVED && plan != NULL)
    {
      add_answer (reply, self->request, beckon_answer_new (BECKON_ANSWER_PLAN, plan));
      beckon_answer_unref (answer);
      return BECKON_DIALOGUE_ANSWERED;
    }
  /* A call is not approved unseen by changing something else of it. */
  if (answer->kind == BECKON_ANSWER_APPROVED_EDITED
      && (self->is_cut || beckon_plain_approval_has_preview (self->request, self->previewer)))
    return show_edited (self, answer, reply);
  if (answer->kind == BECKON_ANSWER_APPROVED && self->edited != NULL && answer->remember != NULL)
    {
      beckon_answer_unref (answer);
      reply->message
          = g_strdup (_("Rules are about calls as they were proposed. Reply with 1 to run this one as you changed it."));
      return BECKON_DIALOGUE_MORE;
    }
  if (answer->kind == BECKON_ANSWER_APPROVED && self->is_cut)
    {
      beckon_answer_unref (answer);
      all = show_all (self);
      reply->message = g_strjoin ("\n\n", all, _("This is all of it. Reply once more to run it."), NULL);
      return BECKON_DIALOGUE_MORE;
    }
  if (answer->kind == BECKON_ANSWER_APPROVED && self->edited != NULL)
    {
      beckon_answer_unref (answer);
      answer = beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, self->edited);
    }
  if ((answer->kind == BECKON_ANSWER_APPROVED || answer->kind == BECKON_ANSWER_APPROVED_EDITED) && self->preview != NULL)
    beckon_answer_set_files (answer, self->preview->files);
  add_answer (reply, self->request, answer);
  return BECKON_DIALOGUE_ANSWERED;
}

static BeckonDialogueResult
take_request_line (BeckonDialogue *self, const char *line, BeckonDialogueReply *reply)
{
  gboolean names_folder = beckon_plain_changes_names_folder (self->request, line, &reply->folder);
  int secret = beckon_plain_form_find_secret (self->request, self->item, line);
  BeckonAnswer *answer = NULL;

  if (BECKON_IS_APPROVAL_REQUEST (self->request) && strcmp (line, "/all") == 0)
    {
      reply->message = show_all (self);
      return BECKON_DIALOGUE_MORE;
    }
  /* A secret that is entered again is not typed where all of it is shown. */
  if (secret >= 0)
    {
      if (!g_str_has_suffix (line, "="))
        reply->message = g_strdup (_("This value was shown while you typed it, so it is not used. Type it again, unseen."));
      self->item = (guint) secret;
      self->is_again = TRUE;
      self->said = FALSE;
      return BECKON_DIALOGUE_MORE;
    }
  switch (beckon_plain_text_parse (self->request, self->item, line, self->answer, &answer, &reply->message))
    {
    case BECKON_PLAIN_ITEM:
      self->item = self->is_again ? beckon_plain_text_n_items (self->request) - 1 : self->item + 1;
      if (self->is_again && reply->message == NULL)
        reply->message = beckon_plain_form_dup_review (self->request, self->answer);
      self->is_again = FALSE;
      self->said = FALSE;
      if (self->item < beckon_plain_text_n_items (self->request))
        return BECKON_DIALOGUE_MORE;

      add_answer (reply, self->request, g_steal_pointer (&self->answer));
      dialogue_begin (self);
      return BECKON_DIALOGUE_ANSWERED;
    case BECKON_PLAIN_ANSWER:
      return end_request (self, line, answer, reply);
    case BECKON_PLAIN_STOP:
      return BECKON_DIALOGUE_STOP;
    case BECKON_PLAIN_STATUS:
      return tell_status (reply);
    case BECKON_PLAIN_AGAIN:
    default:
      return names_folder ? BECKON_DIALOGUE_FOLDER : BECKON_DIALOGUE_MORE;
    }
}

static BeckonDialogueResult
take_table_line (BeckonDialogue *self, const char *line, BeckonDialogueReply *reply)
{
  g_autofree BeckonPlainTableDecision *decisions = g_new0 (BeckonPlainTableDecision, self->rows->len);
  guint shown = 0;

  switch (beckon_plain_table_parse (self->rows, line, decisions, &shown, &reply->message))
    {
    case BECKON_PLAIN_ANSWER:
      for (guint i = 0; i < self->rows->len; i++)
        {
          BeckonRequest *request = g_ptr_array_index (self->rows, i);

          /* A row that was answered elsewhere meanwhile keeps its number, and its answer. */
          if (decisions[i] != BECKON_PLAIN_TABLE_OPEN && is_pending (request))
            add_answer (reply, request, beckon_call_table_make_answer (request, decisions[i] == BECKON_PLAIN_TABLE_RUN));
        }
      g_clear_pointer (&self->rows, g_ptr_array_unref);
      return BECKON_DIALOGUE_ANSWERED;
    case BECKON_PLAIN_ITEM:
      if (is_pending (g_ptr_array_index (self->rows, shown)))
        g_set_object (&self->single, g_ptr_array_index (self->rows, shown));
      else
        reply->message = beckon_request_dup_summary (g_ptr_array_index (self->rows, shown));
      return BECKON_DIALOGUE_MORE;
    case BECKON_PLAIN_STOP:
      return BECKON_DIALOGUE_STOP;
    case BECKON_PLAIN_STATUS:
      return tell_status (reply);
    case BECKON_PLAIN_AGAIN:
    default:
      return BECKON_DIALOGUE_MORE;
    }
}

BeckonDialogueResult
beckon_dialogue_take_line (BeckonDialogue *dialogue, const char *line, BeckonDialogueReply *reply)
{
  g_return_val_if_fail (BECKON_IS_DIALOGUE (dialogue), BECKON_DIALOGUE_MORE);
  g_return_val_if_fail (dialogue->rows != NULL || dialogue->request != NULL, BECKON_DIALOGUE_MORE);
  g_return_val_if_fail (line != NULL && reply != NULL, BECKON_DIALOGUE_MORE);

  reply->answers = g_ptr_array_new_with_free_func (answer_free);
  reply->message = NULL;
  reply->folder = 0;
  return dialogue->rows != NULL ? take_table_line (dialogue, line, reply) : take_request_line (dialogue, line, reply);
}

BeckonDialogue *
beckon_dialogue_new (gboolean colour)
{
  BeckonDialogue *dialogue = g_object_new (BECKON_TYPE_DIALOGUE, NULL);

  dialogue->colour = colour;
  return dialogue;
}

static void
beckon_dialogue_finalize (GObject *object)
{
  BeckonDialogue *self = BECKON_DIALOGUE (object);

  drop_preview (self);
  g_clear_object (&self->previewer);
  g_clear_object (&self->request);
  g_clear_object (&self->single);
  g_clear_pointer (&self->answer, beckon_answer_unref);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  G_OBJECT_CLASS (beckon_dialogue_parent_class)->finalize (object);
}

static void
beckon_dialogue_class_init (BeckonDialogueClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_dialogue_finalize;
  ready_signal = g_signal_new ("ready", BECKON_TYPE_DIALOGUE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_dialogue_init (BeckonDialogue *self)
{
}
