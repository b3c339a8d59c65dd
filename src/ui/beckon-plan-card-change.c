/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plan-card-private.h"

#include "beckon-plan-file.h"
#include "beckon-plan-step-editor.h"
#include "domain/beckon-plan-edit.h"

/* What a person does to a plan on its card: nothing of it holds before they say so. */

/* What is typed and moved is not lost with the window; what a step asks has a draft of its own. */
static void
keep_draft (BeckonPlanCard *self)
{
  g_autofree char *draft = beckon_plan_card_is_changed (self) ? beckon_plan_to_json (self->plan) : NULL;

  if (beckon_plan_card_is_proposed (self))
    beckon_inbox_save_draft (self->inbox, self->request, draft);
}

static void
take_change (BeckonPlanCard *self, gboolean changed, const BeckonPlanFault *fault)
{
  if (!changed)
    {
      beckon_plan_card_show_fault (self, fault);
      return;
    }
  beckon_plan_card_show_error (self, NULL);
  keep_draft (self);
  beckon_plan_card_refresh (self);
}

static void
open_editor (BeckonPlanCard *self, const char *step_id, gboolean adding)
{
  char *id = g_strdup (step_id);

  g_free (self->edited_id);
  self->edited_id = id;
  self->adding = adding;
  beckon_plan_card_refresh (self);
}

static void
on_editor_cancel (BeckonPlanCard *self)
{
  open_editor (self, NULL, FALSE);
}

static gboolean
apply_edit (BeckonPlanCard *self, const char *tool, const char *arguments, BeckonPlanFault *fault)
{
  int index = beckon_plan_find (self->plan, self->edited_id);

  if (self->adding)
    return beckon_plan_insert (self->plan, (guint) (index + 1), NULL, tool, arguments, NULL, fault) != NULL;
  return beckon_plan_set_arguments (self->plan, self->edited_id, arguments, fault)
         && beckon_plan_set_tool (self->plan, self->edited_id, tool, fault);
}

static void
on_editor_apply (BeckonPlanStepEditor *editor, BeckonPlanCard *self)
{
  g_autofree char *tool = beckon_plan_step_editor_dup_tool (editor);
  g_autofree char *arguments = beckon_plan_step_editor_dup_arguments (editor);
  g_auto (BeckonPlanFault) fault = { 0 };

  if (!apply_edit (self, tool, arguments, &fault))
    {
      g_autofree char *words = beckon_plan_fault_to_words (&fault, TRUE);

      beckon_plan_step_editor_set_fault (editor, words);
      return;
    }
  g_clear_pointer (&self->edited_id, g_free);
  take_change (self, TRUE, NULL);
}

static gboolean
move (BeckonPlanCard *self, const char *id, int by, BeckonPlanFault *fault)
{
  int index = beckon_plan_find (self->plan, id) + by;

  g_free (self->focus_id);
  self->focus_id = g_strdup (id);
  return index < 0 || index >= (int) beckon_plan_get_n_steps (self->plan)
         || beckon_plan_move (self->plan, id, (guint) index, fault);
}

static gboolean
act_on (BeckonPlanCard *self, const char *id, BeckonPlanAct act, BeckonPlanFault *fault)
{
  const BeckonPlanStep *step = beckon_plan_get_step (self->plan, (guint) beckon_plan_find (self->plan, id));

  switch (act)
    {
    case BECKON_PLAN_ACT_SKIP:
      return beckon_plan_set_skipped (self->plan, id, step->status != BECKON_STEP_SKIPPED, fault);
    case BECKON_PLAN_ACT_DELETE:
      return beckon_plan_delete (self->plan, id, fault);
    case BECKON_PLAN_ACT_PAUSE:
      return beckon_plan_set_breakpoint (self->plan, id, !step->breakpoint, fault);
    case BECKON_PLAN_ACT_UP:
      return move (self, id, -1, fault);
    case BECKON_PLAN_ACT_DOWN:
      return move (self, id, 1, fault);
    case BECKON_PLAN_ACT_EDIT:
    case BECKON_PLAN_ACT_INSERT:
    default:
      return TRUE;
    }
}

/* The step that waits is skipped at once, like any call that is not run. */
static gboolean
is_asked_about (BeckonPlanCard *self, const char *id)
{
  BeckonRequest *pending = beckon_plan_card_get_pending (self);

  return pending != NULL && g_strcmp0 (beckon_request_get_step (pending), id) == 0
         && !beckon_plan_card_is_changed (self);
}

void
beckon_plan_card_on_act (BeckonPlanRow *row, int act, BeckonPlanCard *self)
{
  g_autofree char *id = g_strdup (beckon_plan_row_get_step_id (row));
  g_auto (BeckonPlanFault) fault = { 0 };

  if (!beckon_plan_card_is_editable (self) || self->settling)
    return;
  if (act == BECKON_PLAN_ACT_SKIP && is_asked_about (self, id))
    beckon_plan_card_settle (self, BECKON_ANSWER_SKIP, NULL);
  else if (act == BECKON_PLAN_ACT_EDIT || act == BECKON_PLAN_ACT_INSERT)
    open_editor (self, id, act == BECKON_PLAN_ACT_INSERT);
  else
    take_change (self, act_on (self, id, (BeckonPlanAct) act, &fault), &fault);
}

void
beckon_plan_card_on_dropped (BeckonPlanRow *row, const char *dropped, BeckonPlanCard *self)
{
  int target = beckon_plan_find (self->plan, beckon_plan_row_get_step_id (row));
  g_auto (BeckonPlanFault) fault = { 0 };

  if (beckon_plan_card_is_editable (self) && !self->settling && beckon_plan_find (self->plan, dropped) >= 0)
    take_change (self, beckon_plan_move (self->plan, dropped, (guint) target, &fault), &fault);
}

void
beckon_plan_card_on_add (BeckonPlanCard *self)
{
  guint n = beckon_plan_get_n_steps (self->plan);

  open_editor (self, beckon_plan_get_step (self->plan, n - 1)->id, TRUE);
}

void
beckon_plan_card_on_chosen (BeckonPlanCard *self)
{
  if (self->filling || !beckon_plan_card_is_editable (self))
    return;
  self->plan->pause = (BeckonPlanPause) gtk_drop_down_get_selected (self->pause_drop);
  self->plan->on_failure = (BeckonPlanFailure) gtk_drop_down_get_selected (self->failure_drop);
  take_change (self, TRUE, NULL);
}

/* Files. */

static void
on_imported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonPlanCard) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonPlan) plan = beckon_plan_file_import_finish (result, &error);
  g_auto (BeckonPlanFault) fault = { 0 };

  if (plan == NULL)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        beckon_plan_card_show_error (self, error->message);
      return;
    }
  if (!beckon_plan_card_is_editable (self))
    return;
  if (!beckon_plan_check_revision (beckon_plan_card_get_base (self), plan, &fault))
    {
      beckon_plan_card_show_fault (self, &fault);
      return;
    }
  beckon_plan_free (self->plan);
  self->plan = g_steal_pointer (&plan);
  take_change (self, TRUE, NULL);
}

void
beckon_plan_card_on_import (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  beckon_plan_file_import_async (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, on_imported, g_object_ref (widget));
}

static void
on_exported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonPlanCard) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_plan_file_export_finish (result, &error) && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    beckon_plan_card_show_error (self, error->message);
}

void
beckon_plan_card_on_export (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  beckon_plan_file_export_async (BECKON_PLAN_CARD (widget)->plan, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                 on_exported, g_object_ref (widget));
}

GtkWidget *
beckon_plan_card_make_editor (BeckonPlanCard *self, guint index)
{
  const BeckonPlanStep *step = beckon_plan_get_step (self->plan, index);
  GtkWidget *editor = beckon_plan_step_editor_new (step->tool, self->adding ? "{}" : step->arguments);

  g_signal_connect_object (editor, "apply", G_CALLBACK (on_editor_apply), self, 0);
  g_signal_connect_object (editor, "cancel", G_CALLBACK (on_editor_cancel), self, G_CONNECT_SWAPPED);
  return editor;
}
