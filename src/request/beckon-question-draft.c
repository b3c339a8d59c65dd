/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-question-draft.h"

#include "base/beckon-json-writer.h"
#include "beckon-answer-private.h"
#include "beckon-question-request.h"
#include "form/beckon-request-json.h"

#include <string.h>

static gboolean
has_anything (const BeckonQuestionDraft *draft)
{
  if (draft->page > 0 || draft->asking_back || draft->back != NULL)
    return TRUE;
  for (guint i = 0; draft->answer != NULL && i < draft->answer->items->len; i++)
    {
      const BeckonAnswerItem *item = beckon_answer_get_item (draft->answer, i);

      if (item->skipped || item->text != NULL || item->selected->len > 0)
        return TRUE;
    }
  return FALSE;
}

/* An answer's JSON with what only a card needs to know added at its end. */
char *
beckon_question_draft_to_json (const BeckonQuestionDraft *draft)
{
  g_autofree char *answer = NULL;
  g_autoptr (GString) json = NULL;

  g_return_val_if_fail (draft != NULL && draft->answer != NULL, NULL);

  if (!has_anything (draft))
    return NULL;

  answer = beckon_answer_to_json (draft->answer);
  json = g_string_new_len (answer, (gssize) strlen (answer) - 1);
  g_string_append_printf (json, ",\"page\":%u,\"asking_back\":%s", draft->page, draft->asking_back ? "true" : "false");
  if (draft->back != NULL)
    {
      BeckonJsonWriter writer;

      g_string_append_c (json, ',');
      beckon_json_writer_init (&writer, json);
      beckon_json_writer_member_string (&writer, "back", draft->back);
    }
  g_string_append_c (json, '}');
  return g_string_free (g_steal_pointer (&json), FALSE);
}

char *
beckon_question_draft_dup_of_answer (BeckonRequest *request)
{
  BeckonQuestion *question = beckon_request_get_question (request);
  BeckonAnswer *given = beckon_request_get_answer (request);
  guint n = beckon_question_get_n_items (question);
  g_auto (BeckonQuestionDraft) draft = { .answer = beckon_answer_new_question (n) };

  for (guint i = 0; given != NULL && i < MIN (n, given->items->len); i++)
    {
      const BeckonAnswerItem *item = g_ptr_array_index (given->items, i);

      if (item->skipped)
        beckon_answer_skip (draft.answer, i);
      for (guint k = 0; k < item->selected->len; k++)
        beckon_answer_select (draft.answer, i, g_ptr_array_index (item->selected, k));
      if (item->text != NULL && !beckon_question_get_item (question, i)->secret)
        beckon_answer_set_item_text (draft.answer, i, item->text);
    }
  return beckon_question_draft_to_json (&draft);
}

gboolean
beckon_question_draft_read (BeckonQuestionDraft *draft, const char *json, guint n_items)
{
  g_autoptr (JsonObject) object = json != NULL ? beckon_json_parse_object (json, -1, NULL) : NULL;
  g_autoptr (BeckonAnswer) answer = object != NULL ? beckon_answer_from_json (json, NULL) : NULL;
  gint64 page;

  g_return_val_if_fail (draft != NULL, FALSE);

  memset (draft, 0, sizeof *draft);
  if (answer == NULL || answer->kind != BECKON_ANSWER_QUESTION || answer->items->len != n_items)
    return FALSE;

  page = beckon_json_get_int (object, "page", 0);
  draft->answer = g_steal_pointer (&answer);
  draft->page = (guint) CLAMP (page, 0, (gint64) n_items);
  draft->asking_back = beckon_json_get_boolean (object, "asking_back", FALSE);
  draft->back = g_strdup (beckon_json_get_string (object, "back"));
  return TRUE;
}

void
beckon_question_draft_clear (BeckonQuestionDraft *draft)
{
  g_clear_pointer (&draft->answer, beckon_answer_unref);
  g_clear_pointer (&draft->back, g_free);
}
