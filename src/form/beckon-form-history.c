/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-form-history.h"

#include <string.h>

#define MAX_STEPS 1000

typedef struct
{
  gsize offset;
  char *gone;
  char *come;
  char *where; /* (nullable) */
} Step;

struct _BeckonFormHistory
{
  GQueue done;   /* (element-type Step), the last one at the tail */
  GQueue undone; /* (element-type Step), the next one to do again at the tail */
  gboolean is_broken;
};

static void
step_free (Step *step)
{
  g_free (step->gone);
  g_free (step->come);
  g_free (step->where);
  g_free (step);
}

BeckonFormHistory *
beckon_form_history_new (void)
{
  return g_new0 (BeckonFormHistory, 1);
}

void
beckon_form_history_free (BeckonFormHistory *history)
{
  g_queue_clear_full (&history->done, (GDestroyNotify) step_free);
  g_queue_clear_full (&history->undone, (GDestroyNotify) step_free);
  g_free (history);
}

/* In the text: one stroke after another, up to the end of a line. */
static gboolean
continues (const Step *last, const Step *step)
{
  gsize end = last->offset + strlen (last->come);

  if (last->where == NULL || step->where == NULL || strcmp (last->where, step->where) != 0)
    return FALSE;
  if (*step->where != '\0')
    return step->offset == last->offset && strcmp (step->gone, last->come) == 0;
  if (strchr (step->come, '\n') != NULL || strlen (step->come) > 8)
    return FALSE;
  return *step->gone == '\0' ? step->offset == end : *step->come == '\0' && step->offset + strlen (step->gone) == end;
}

/* Deleting backwards may go on into what was there before. */
static void
form_history_join (Step *last, Step *step)
{
  gsize n_come = strlen (last->come);
  gsize n_gone = strlen (step->gone);
  char *text;

  if (*step->where != '\0')
    {
      g_free (last->come);
      last->come = g_steal_pointer (&step->come);
    }
  else if (*step->gone == '\0')
    {
      text = g_strconcat (last->come, step->come, NULL);
      g_free (last->come);
      last->come = text;
    }
  else if (n_gone <= n_come)
    last->come[n_come - n_gone] = '\0';
  else
    {
      g_autofree char *more = g_strndup (step->gone, n_gone - n_come);

      text = g_strconcat (more, last->gone, NULL);
      g_free (last->gone);
      last->gone = text;
      last->come[0] = '\0';
      last->offset = step->offset;
    }
  step_free (step);
}

void
beckon_form_history_add (BeckonFormHistory *history, const BeckonJsonEdit *edit, const char *text, const char *where)
{
  Step *last = g_queue_peek_tail (&history->done);
  Step *step = g_new0 (Step, 1);

  step->offset = edit->offset;
  step->gone = g_strndup (text + edit->offset, edit->length);
  step->come = g_strdup (edit->text);
  step->where = g_strdup (where);
  if (last != NULL && !history->is_broken && g_queue_is_empty (&history->undone) && continues (last, step))
    form_history_join (last, step);
  else
    g_queue_push_tail (&history->done, step);
  if (g_queue_get_length (&history->done) > MAX_STEPS)
    step_free (g_queue_pop_head (&history->done));
  g_queue_clear_full (&history->undone, (GDestroyNotify) step_free);
  history->is_broken = FALSE;
}

BeckonJsonEdit *
beckon_form_history_undo (BeckonFormHistory *history)
{
  Step *step = g_queue_pop_tail (&history->done);

  if (step == NULL)
    return NULL;
  history->is_broken = TRUE;
  g_queue_push_tail (&history->undone, step);
  return beckon_json_edit_new (step->offset, strlen (step->come), g_strdup (step->gone));
}

BeckonJsonEdit *
beckon_form_history_redo (BeckonFormHistory *history)
{
  Step *step = g_queue_pop_tail (&history->undone);

  if (step == NULL)
    return NULL;
  history->is_broken = TRUE;
  g_queue_push_tail (&history->done, step);
  return beckon_json_edit_new (step->offset, strlen (step->gone), g_strdup (step->come));
}

gboolean
beckon_form_history_can_undo (BeckonFormHistory *history)
{
  return !g_queue_is_empty (&history->done);
}

gboolean
beckon_form_history_can_redo (BeckonFormHistory *history)
{
  return !g_queue_is_empty (&history->undone);
}

void
beckon_form_history_break (BeckonFormHistory *history)
{
  history->is_broken = TRUE;
}
