/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plan-card-private.h"

#include "beckon-plan-file.h"
#include "beckon-plan-step-editor.h"
#include "domain/beckon-plan-edit.h"
#include "request/beckon-call-request.h"

/* A person's edits of a plan on its card: none holds before they say so. */

/* Edits are not lost with the window; a step's request has a draft of its own. */
void
beckon_plan_card_keep_draft (BeckonPlanCard *self)
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
      g_clear_pointer (&self->focus_id, g_free);
      beckon_plan_card_show_fault (self, fault);
      return;
    }
  beckon_plan_card_show_error (self, NULL);
  beckon_plan_card_keep_draft (self);
  beckon_plan_card_refresh (self);
}

/* A row with the focus, or with what has it, passes it on to the row of a step when the rows are made anew. */
static void
pass_focus (BeckonPlanCard *self, const char *id)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self->rows_box)))
    return;
  g_free (self->focus_id);
  self->focus_id = g_strdup (id);
}

void
beckon_plan_card_drop_editor (BeckonPlanCard *self)
{
  g_clear_object (&self->editor);
  g_clear_pointer (&self->edited_id, g_free);
}

static void
on_editor_cancel (BeckonPlanCard *self)
{
  pass_focus (self, self->edited_id);
  beckon_plan_card_drop_editor (self);
  beckon_plan_card_refresh (self);
}

/* Returns the step that it is about, or NULL. */
static const char *
apply_edit (BeckonPlanCard *self, BeckonPlan *plan, BeckonPlanStepEditor *editor, BeckonPlanFault *fault)
{
  g_autofree char *tool = beckon_plan_step_editor_dup_tool (editor);
  g_autofree char *arguments = beckon_plan_step_editor_dup_arguments (editor);
  int index = self->edited_id != NULL ? beckon_plan_find (plan, self->edited_id) : -1;

  if (self->adding)
    return beckon_plan_insert (plan, (guint) (index + 1), NULL, tool, arguments, NULL, fault);
  return beckon_plan_set_arguments (plan, self->edited_id, arguments, fault)
                 && beckon_plan_set_tool (plan, self->edited_id, tool, fault)
             ? self->edited_id
             : NULL;
}

/* Hidden values can't be changed: that is told where it is written, and not only when all is accepted. */
static gboolean
card_change_check_step (BeckonPlanCard *self, const BeckonPlan *plan, const char *id, BeckonPlanStepEditor *editor)
{
  BeckonRequest *pending = beckon_plan_card_get_pending (self);
  g_autoptr (GError) error = NULL;

  if (pending == NULL || beckon_request_get_plan (pending) == NULL
      || beckon_request_check_plan_step (pending, plan, id, &error))
    return TRUE;
  beckon_plan_step_editor_set_fault (editor, error->message);
  return FALSE;
}

/* Half-typed text is no JSON; its error shows when it is applied. */
static void
on_editor_changed (BeckonPlanStepEditor *editor, BeckonPlanCard *self)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_copy (self->plan);
  g_auto (BeckonPlanFault) fault = { 0 };
  const char *id = apply_edit (self, plan, editor, &fault);

  if (id == NULL || card_change_check_step (self, plan, id, editor))
    beckon_plan_step_editor_set_fault (editor, NULL);
  beckon_plan_card_guard_step (self);
}

static gboolean
apply_editor (BeckonPlanCard *self)
{
  BeckonPlanStepEditor *editor = BECKON_PLAN_STEP_EDITOR (self->editor);
  g_autoptr (BeckonPlan) plan = beckon_plan_copy (self->plan);
  g_auto (BeckonPlanFault) fault = { 0 };
  const char *id = apply_edit (self, plan, editor, &fault);

  if (id == NULL)
    {
      g_autofree char *words = beckon_plan_fault_to_words (&fault, TRUE);

      beckon_plan_step_editor_set_fault (editor, words);
      return FALSE;
    }
  if (!card_change_check_step (self, plan, id, editor))
    return FALSE;
  pass_focus (self, id);
  beckon_plan_free (self->plan);
  self->plan = g_steal_pointer (&plan);
  beckon_plan_card_drop_editor (self);
  return TRUE;
}

static void
on_editor_apply (BeckonPlanCard *self)
{
  if (apply_editor (self))
    take_change (self, TRUE, NULL);
}

gboolean
beckon_plan_card_finish_edit (BeckonPlanCard *self)
{
  BeckonPlanStepEditor *editor = self->editor != NULL ? BECKON_PLAN_STEP_EDITOR (self->editor) : NULL;

  if (editor == NULL)
    return TRUE;
  if (!beckon_plan_step_editor_is_changed (editor))
    {
      on_editor_cancel (self);
      return TRUE;
    }
  if (!apply_editor (self))
    {
      beckon_plan_step_editor_focus (editor);
      return FALSE;
    }
  take_change (self, TRUE, NULL);
  return TRUE;
}

/* A new step has no tool before one is chosen. @id: (nullable): of a plan without steps. */
static void
open_editor (BeckonPlanCard *self, const char *id, gboolean adding)
{
  int index = id != NULL ? beckon_plan_find (self->plan, id) : -1;
  const BeckonPlanStep *step = index >= 0 ? beckon_plan_get_step (self->plan, (guint) index) : NULL;
  BeckonPlanTools *tools;
  g_auto (GStrv) names = NULL;

  g_clear_object (&self->editor);
  g_free (self->edited_id);
  self->edited_id = g_strdup (id);
  self->adding = adding;
  self->editor = g_object_ref_sink (beckon_plan_step_editor_new (step != NULL && !adding ? step->tool : "",
                                                                 adding ? "{}" : step->arguments));
  tools = beckon_inbox_get_plan_tools (self->inbox);
  names
      = tools != NULL ? beckon_plan_tools_list_names (tools, beckon_request_get_conversation_id (self->request)) : NULL;
  beckon_plan_step_editor_set_tools (BECKON_PLAN_STEP_EDITOR (self->editor), (const char *const *)names);
  g_signal_connect_object (self->editor, "changed", G_CALLBACK (on_editor_changed), self, 0);
  g_signal_connect_object (self->editor, "apply", G_CALLBACK (on_editor_apply), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->editor, "cancel", G_CALLBACK (on_editor_cancel), self, G_CONNECT_SWAPPED);
  beckon_plan_card_refresh (self);
  beckon_plan_step_editor_focus (BECKON_PLAN_STEP_EDITOR (self->editor));
}

/* An edit begun in another step is not thrown away for it. */
static void
edit_step (BeckonPlanCard *self, const char *id, gboolean adding)
{
  if (g_strcmp0 (self->edited_id, id) == 0 && self->adding == adding && self->editor != NULL)
    beckon_plan_step_editor_focus (BECKON_PLAN_STEP_EDITOR (self->editor));
  else if (beckon_plan_card_finish_edit (self))
    open_editor (self, id, adding);
}

static gboolean
card_change_move (BeckonPlanCard *self, const char *id, int by, BeckonPlanFault *fault)
{
  int index = beckon_plan_find (self->plan, id) + by;

  g_free (self->focus_id);
  self->focus_id = g_strdup (id);
  return index < 0 || index >= (int) beckon_plan_get_n_steps (self->plan)
         || beckon_plan_move (self->plan, id, (guint) index, fault);
}

/* The row that comes in its place has the focus then. */
static gboolean
delete_step (BeckonPlanCard *self, const char *id, BeckonPlanFault *fault)
{
  guint index = (guint) beckon_plan_find (self->plan, id), n;

  if (!beckon_plan_delete (self->plan, id, fault))
    return FALSE;
  if (g_strcmp0 (self->edited_id, id) == 0)
    beckon_plan_card_drop_editor (self);
  n = beckon_plan_get_n_steps (self->plan);
  if (n > 0)
    pass_focus (self, beckon_plan_get_step (self->plan, MIN (index, n - 1))->id);
  return TRUE;
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
      return delete_step (self, id, fault);
    case BECKON_PLAN_ACT_PAUSE:
      return beckon_plan_set_breakpoint (self->plan, id, !step->breakpoint, fault);
    case BECKON_PLAN_ACT_UP:
      return card_change_move (self, id, -1, fault);
    case BECKON_PLAN_ACT_DOWN:
      return card_change_move (self, id, 1, fault);
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

  if (!beckon_plan_card_is_editable (self) || beckon_card_settler_is_settling (self->settler))
    return;
  if (act == BECKON_PLAN_ACT_SKIP && is_asked_about (self, id))
    beckon_plan_card_settle (self, BECKON_ANSWER_SKIP, NULL);
  else if (act == BECKON_PLAN_ACT_EDIT || act == BECKON_PLAN_ACT_INSERT)
    edit_step (self, id, act == BECKON_PLAN_ACT_INSERT);
  else
    {
      pass_focus (self, id);
      take_change (self, act_on (self, id, (BeckonPlanAct) act, &fault), &fault);
    }
}

void
beckon_plan_card_on_dropped (BeckonPlanRow *row, const char *dropped, BeckonPlanCard *self)
{
  int target = beckon_plan_find (self->plan, beckon_plan_row_get_step_id (row));
  g_auto (BeckonPlanFault) fault = { 0 };

  if (beckon_plan_card_is_editable (self) && !beckon_card_settler_is_settling (self->settler)
      && beckon_plan_find (self->plan, dropped) >= 0)
    take_change (self, beckon_plan_move (self->plan, dropped, (guint) target, &fault), &fault);
}

/* When an edit is finished, the steps are others, though they say the same. */
void
beckon_plan_card_on_add (BeckonPlanCard *self)
{
  guint n = beckon_plan_get_n_steps (self->plan);
  g_autofree char *id = n > 0 ? g_strdup (beckon_plan_get_step (self->plan, n - 1)->id) : NULL;

  edit_step (self, id, TRUE);
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
card_change_on_imported (GObject *source, GAsyncResult *result, gpointer user_data)
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
  beckon_plan_card_drop_editor (self);
  beckon_end_watch_reset (self->rows_watch);
  take_change (self, TRUE, NULL);
}

void
beckon_plan_card_on_import (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  beckon_plan_file_import_async (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, card_change_on_imported,
                                 g_object_ref (widget));
}

static void
card_change_on_exported (GObject *source, GAsyncResult *result, gpointer user_data)
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
                                 card_change_on_exported, g_object_ref (widget));
}
