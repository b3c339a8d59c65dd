/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plan-card.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-approval-card.h"
#include "beckon-changes-card.h"
#include "beckon-outcome-card.h"
#include "beckon-plan-file.h"
#include "beckon-plan-row.h"
#include "beckon-plan-step-editor.h"
#include "beckon-question-card.h"
#include "beckon-tool-card.h"
#include "domain/beckon-plan.h"
#include "form/beckon-plan-parameters.h"
#include "request/beckon-call-request.h"
#include "request/beckon-plan-request.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-end-watch.h"
#include "ui/widgets/beckon-flow-layout.h"
#include "ui/widgets/beckon-key-label.h"
#include "ui/widgets/beckon-max-height-box.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>

struct _BeckonPlanCard
{
  BeckonRequestCard parent_instance;

  BeckonRequest *request;     /* of the card */
  BeckonToolCall *call;       /* (nullable): of the card */
  BeckonCardSettler *settler; /* of the card */
  BeckonPlan *base;       /* (owned) (nullable): as it may be shown, once somebody wanted it */
  BeckonPlan *plan;       /* (owned): the same, with what was changed here */
  gboolean shows_all;     /* of a long plan that is over, too */
  gboolean shows_settings; /* of a plan that runs, too */
  gboolean filling;       /* the choosers are being set, not chosen from */

  char *edited_id;        /* (owned) (nullable): below which step the editor is */
  gboolean adding;        /* it is for a new step */
  GtkWidget *editor;      /* (owned) (nullable): it stays while the rows are made anew, with what was typed into it */
  char *focus_id;         /* (owned) (nullable): which row gets the focus when they are */
  GtkWidget *step_card;   /* (owned) (nullable): what the step that is next asks */
  GHashTable *call_cards; /* char *, the id of a step's call → GtkWidget: what became of it */
  BeckonEndWatch *step_watch; /* (owned) (nullable): of that card */
  BeckonEndWatch *rows_watch; /* (owned): of the steps */
  BeckonRequest *stepped; /* (owned) (nullable): of which request that is */

  GtkLabel *count_label;
  GtkProgressBar *progress_bar;
  GtkWidget *rows_holder;
  GtkBox *rows_box;
  GtkWidget *all_button;
  GtkWidget *choices_box;
  GtkDropDown *pause_drop;
  GtkDropDown *failure_drop;
  GtkWidget *buttons_box;
  GtkWidget *change_box;
  GtkWidget *add_button;
  GtkWidget *accept_button;
  GtkWidget *apply_button;
  GtkWidget *discard_button;
  GtkToggleButton *replan_button;
  GtkWidget *dismiss_button;
  GtkRevealer *replan_revealer;
  GtkEntry *replan_entry;
  GtkLabel *summary_label;
};

/* Steps of a plan that is over, until more are wanted. */
#define MOST_ROWS 10
/* Pixels: a plan that waits in the dock scrolls, so that its buttons stay in sight. */
#define LEAST_PENDING 96

G_DEFINE_FINAL_TYPE (BeckonPlanCard, beckon_plan_card, BECKON_TYPE_REQUEST_CARD)

static gboolean
is_pending (BeckonRequest *request)
{
  return request != NULL && beckon_request_get_state (request) == BECKON_REQUEST_PENDING;
}

/* Returns its pending request: the plan itself, or a step; %NULL when there is none. Borrowed. */
static BeckonRequest *
plan_card_get_pending (BeckonPlanCard *self)
{
  BeckonToolCall *step = self->call != NULL ? beckon_tool_call_get_open_step (self->call) : NULL;
  BeckonRequest *asked = step != NULL ? BECKON_REQUEST (beckon_tool_call_get_request (step)) : NULL;

  if (is_pending (asked))
    return asked;
  return is_pending (self->request) ? self->request : NULL;
}

static gboolean
plan_card_is_proposed (BeckonPlanCard *self)
{
  return is_pending (self->request) && BECKON_IS_PLAN_REQUEST (self->request);
}

/* The plan can be changed while no step runs: before it is accepted, and when a step waits. */
static gboolean
plan_card_is_editable (BeckonPlanCard *self)
{
  BeckonRequest *pending = plan_card_get_pending (self);

  return pending != NULL && beckon_request_takes (pending, BECKON_ANSWER_PLAN);
}

static const BeckonPlan *
plan_card_get_base (BeckonPlanCard *self)
{
  if (self->base == NULL && self->call != NULL)
    self->base = beckon_plan_parameters_show_call (self->call);
  if (self->base == NULL)
    self->base = beckon_request_dup_shown_plan (self->request);
  return self->base;
}

static gboolean
plan_card_is_changed (BeckonPlanCard *self)
{
  return !beckon_plan_equal (self->plan, plan_card_get_base (self));
}

static void
plan_card_show_fault (BeckonPlanCard *self, const BeckonPlanFault *fault)
{
  g_autofree char *words = beckon_plan_fault_to_words (fault, TRUE);
  g_autofree char *more = NULL;

  if (fault->kind == BECKON_PLAN_FAULT_USED)
    more = g_strconcat (words, " ", _("Change that step first, or ask for another plan."), NULL);
  beckon_card_settler_show_error (self->settler, more != NULL ? more : words);
}

static void
plan_card_settle (BeckonPlanCard *self, BeckonAnswerKind kind, const char *text)
{
  BeckonRequest *pending = plan_card_get_pending (self);
  g_autoptr (BeckonAnswer) answer = NULL;

  if (pending == NULL || !beckon_card_settler_is_ready (self->settler))
    return;
  answer = beckon_answer_new (kind, text);
  beckon_card_settler_settle_for (self->settler, pending, answer);
}

/* Changes hold before the step continues, and are not lost by that. */
static void
plan_card_guard_step (BeckonPlanCard *self)
{
  gboolean is_typed = self->editor != NULL && beckon_plan_step_editor_is_changed (BECKON_PLAN_STEP_EDITOR (self->editor));

  if (self->step_card != NULL)
    gtk_widget_set_sensitive (self->step_card, !is_typed && !plan_card_is_changed (self));
}

static void plan_card_refresh (BeckonPlanCard *self);

/* A person's edits of a plan on its card: none holds before they say so. */

/* Edits are not lost with the window; a step's request has a draft of its own. */
static void
plan_card_keep_draft (BeckonPlanCard *self)
{
  g_autofree char *draft = plan_card_is_changed (self) ? beckon_plan_to_json (self->plan) : NULL;

  if (plan_card_is_proposed (self))
    beckon_card_settler_save_draft (self->settler, draft);
}

static void
take_change (BeckonPlanCard *self, gboolean changed, const BeckonPlanFault *fault)
{
  if (!changed)
    {
      g_clear_pointer (&self->focus_id, g_free);
      plan_card_show_fault (self, fault);
      return;
    }
  beckon_card_settler_show_error (self->settler, NULL);
  plan_card_keep_draft (self);
  plan_card_refresh (self);
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

static void
plan_card_drop_editor (BeckonPlanCard *self)
{
  g_clear_object (&self->editor);
  g_clear_pointer (&self->edited_id, g_free);
}

static void
on_editor_cancel (BeckonPlanCard *self)
{
  pass_focus (self, self->edited_id);
  plan_card_drop_editor (self);
  plan_card_refresh (self);
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
  BeckonRequest *pending = plan_card_get_pending (self);
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
  plan_card_guard_step (self);
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
  plan_card_drop_editor (self);
  return TRUE;
}

static void
on_editor_apply (BeckonPlanCard *self)
{
  if (apply_editor (self))
    take_change (self, TRUE, NULL);
}

static gboolean
plan_card_finish_edit (BeckonPlanCard *self)
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

/* An edit begun in another step is not thrown away for it, and a new step has no tool before one is chosen. @id: (nullable): of
 * a plan without steps. */
static void
edit_step (BeckonPlanCard *self, const char *id, gboolean adding)
{
  const BeckonPlanStep *step;
  BeckonPlanTools *tools;
  int index;
  g_auto (GStrv) names = NULL;

  if (g_strcmp0 (self->edited_id, id) == 0 && self->adding == adding && self->editor != NULL)
    {
      beckon_plan_step_editor_focus (BECKON_PLAN_STEP_EDITOR (self->editor));
      return;
    }
  if (!plan_card_finish_edit (self))
    return;
  index = id != NULL ? beckon_plan_find (self->plan, id) : -1;
  step = index >= 0 ? beckon_plan_get_step (self->plan, (guint) index) : NULL;
  g_clear_object (&self->editor);
  g_free (self->edited_id);
  self->edited_id = g_strdup (id);
  self->adding = adding;
  self->editor = g_object_ref_sink (beckon_plan_step_editor_new (step != NULL && !adding ? step->tool : "",
                                                                 adding ? "{}" : step->arguments));
  tools = beckon_inbox_get_plan_tools (beckon_request_card_get_inbox (BECKON_REQUEST_CARD (self)));
  names
      = tools != NULL ? beckon_plan_tools_list_names (tools, beckon_request_get_conversation_id (self->request)) : NULL;
  beckon_plan_step_editor_set_tools (BECKON_PLAN_STEP_EDITOR (self->editor), (const char *const *)names);
  g_signal_connect_object (self->editor, "changed", G_CALLBACK (on_editor_changed), self, 0);
  g_signal_connect_object (self->editor, "apply", G_CALLBACK (on_editor_apply), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->editor, "cancel", G_CALLBACK (on_editor_cancel), self, G_CONNECT_SWAPPED);
  plan_card_refresh (self);
  beckon_plan_step_editor_focus (BECKON_PLAN_STEP_EDITOR (self->editor));
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
    plan_card_drop_editor (self);
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
  BeckonRequest *pending = plan_card_get_pending (self);

  return pending != NULL && g_strcmp0 (beckon_request_get_step (pending), id) == 0
         && !plan_card_is_changed (self);
}

static void
plan_card_on_act (BeckonPlanRow *row, int act, BeckonPlanCard *self)
{
  g_autofree char *id = g_strdup (beckon_plan_row_get_step_id (row));
  g_auto (BeckonPlanFault) fault = { 0 };

  if (!plan_card_is_editable (self) || beckon_card_settler_is_settling (self->settler))
    return;
  if (act == BECKON_PLAN_ACT_SKIP && is_asked_about (self, id))
    plan_card_settle (self, BECKON_ANSWER_SKIP, NULL);
  else if (act == BECKON_PLAN_ACT_EDIT || act == BECKON_PLAN_ACT_INSERT)
    edit_step (self, id, act == BECKON_PLAN_ACT_INSERT);
  else
    {
      pass_focus (self, id);
      take_change (self, act_on (self, id, (BeckonPlanAct) act, &fault), &fault);
    }
}

static void
plan_card_on_dropped (BeckonPlanRow *row, const char *dropped, BeckonPlanCard *self)
{
  int target = beckon_plan_find (self->plan, beckon_plan_row_get_step_id (row));
  g_auto (BeckonPlanFault) fault = { 0 };

  if (plan_card_is_editable (self) && !beckon_card_settler_is_settling (self->settler)
      && beckon_plan_find (self->plan, dropped) >= 0)
    take_change (self, beckon_plan_move (self->plan, dropped, (guint) target, &fault), &fault);
}

/* When an edit is finished, the steps are others, though they say the same. */
static void
plan_card_on_add (BeckonPlanCard *self)
{
  guint n = beckon_plan_get_n_steps (self->plan);
  g_autofree char *id = n > 0 ? g_strdup (beckon_plan_get_step (self->plan, n - 1)->id) : NULL;

  edit_step (self, id, TRUE);
}

static void
plan_card_on_chosen (BeckonPlanCard *self)
{
  if (self->filling || !plan_card_is_editable (self))
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
        beckon_card_settler_show_error (self->settler, error->message);
      return;
    }
  if (!plan_card_is_editable (self))
    return;
  if (!beckon_plan_check_revision (plan_card_get_base (self), plan, &fault))
    {
      plan_card_show_fault (self, &fault);
      return;
    }
  beckon_plan_free (self->plan);
  self->plan = g_steal_pointer (&plan);
  plan_card_drop_editor (self);
  beckon_end_watch_reset (self->rows_watch);
  take_change (self, TRUE, NULL);
}

static void
plan_card_on_import (GtkWidget *widget, const char *name, GVariant *parameter)
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
    beckon_card_settler_show_error (self->settler, error->message);
}

static void
plan_card_on_export (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  beckon_plan_file_export_async (BECKON_PLAN_CARD (widget)->plan, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                 card_change_on_exported, g_object_ref (widget));
}

/* Answering. */

/* A plan is accepted once the end of it was on screen, as a call is. */
static gboolean
show_unseen (BeckonPlanCard *self)
{
  if (beckon_end_watch_get_seen (self->rows_watch))
    return FALSE;
  beckon_end_watch_show_end (self->rows_watch, self->buttons_box);
  gtk_label_set_text (self->summary_label, _("You hadn’t seen the last steps. Press again to accept the plan."));
  gtk_widget_set_visible (GTK_WIDGET (self->summary_label), TRUE);
  beckon_card_settler_renew (self->settler);
  return TRUE;
}

static void
settle_plan (BeckonPlanCard *self)
{
  g_autofree char *document = NULL;

  /* Running it includes the open edit. */
  if (!plan_card_finish_edit (self) || (plan_card_is_proposed (self) && show_unseen (self)))
    return;
  document = beckon_plan_to_json (self->plan);
  if (plan_card_is_proposed (self) && !plan_card_is_changed (self))
    plan_card_settle (self, BECKON_ANSWER_APPROVED, NULL);
  else
    plan_card_settle (self, BECKON_ANSWER_PLAN, document);
}

static gboolean
can_accept (BeckonPlanCard *self)
{
  return gtk_widget_get_visible (self->accept_button) && gtk_widget_is_sensitive (self->accept_button);
}

static void
plan_card_focus (BeckonRequestCard *card)
{
  BeckonPlanCard *self = BECKON_PLAN_CARD (card);

  if (self->step_card != NULL)
    beckon_request_card_focus (self->step_card);
  else if (can_accept (self))
    gtk_widget_grab_focus (self->accept_button);
  else
    gtk_widget_child_focus (GTK_WIDGET (self), GTK_DIR_TAB_FORWARD);
}

static gboolean
plan_card_is_ready (BeckonRequestCard *card)
{
  BeckonPlanCard *self = BECKON_PLAN_CARD (card);

  return self->step_card != NULL ? beckon_request_card_is_ready (self->step_card)
                                 : beckon_card_settler_is_ready (self->settler);
}

static gboolean
plan_card_submit (BeckonRequestCard *card)
{
  BeckonPlanCard *self = BECKON_PLAN_CARD (card);

  if (self->step_card != NULL)
    return beckon_request_card_submit (self->step_card);
  if (!can_accept (self))
    return FALSE;
  settle_plan (self);
  return TRUE;
}

static gboolean
plan_card_edit (BeckonRequestCard *card)
{
  BeckonPlanCard *self = BECKON_PLAN_CARD (card);

  return self->step_card != NULL && beckon_request_card_edit (self->step_card);
}

static gboolean
plan_card_deny (BeckonRequestCard *card)
{
  BeckonPlanCard *self = BECKON_PLAN_CARD (card);

  return self->step_card != NULL && beckon_request_card_deny (self->step_card);
}

static gboolean
plan_card_takes_text (BeckonRequestCard *card)
{
  return beckon_request_card_takes_text (BECKON_PLAN_CARD (card)->step_card);
}

static void
on_discard (BeckonPlanCard *self)
{
  g_clear_pointer (&self->plan, beckon_plan_free);
  plan_card_drop_editor (self);
  beckon_card_settler_show_error (self->settler, NULL);
  plan_card_refresh (self);
  plan_card_keep_draft (self);
}

static void
on_replan_toggled (BeckonPlanCard *self)
{
  gboolean open = gtk_toggle_button_get_active (self->replan_button);

  gtk_revealer_set_reveal_child (self->replan_revealer, open);
  if (open)
    gtk_widget_grab_focus (GTK_WIDGET (self->replan_entry));
}

static void
on_replan (BeckonPlanCard *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->replan_entry));

  plan_card_settle (self, BECKON_ANSWER_ASKED_BACK, *text != '\0' ? text : NULL);
}

static void
on_dismiss (BeckonPlanCard *self)
{
  plan_card_settle (self, BECKON_ANSWER_DECLINED, NULL);
}

/* Showing. */

/* A step's request keeps its card, with what was typed into it. */
static GtkWidget *
get_step_card (BeckonPlanCard *self)
{
  BeckonToolCall *step = self->call != NULL ? beckon_tool_call_get_open_step (self->call) : NULL;
  BeckonRequest *pending = plan_card_get_pending (self);

  if (pending != NULL && BECKON_IS_PLAN_REQUEST (pending))
    pending = NULL;
  if (pending != self->stepped)
    {
      g_set_object (&self->stepped, pending);
      g_clear_pointer (&self->step_watch, beckon_end_watch_free);
      g_clear_object (&self->step_card);
      if (pending != NULL)
        {
          BeckonInbox *inbox = beckon_request_card_get_inbox (BECKON_REQUEST_CARD (self));

          self->step_card = g_object_ref_sink (beckon_request_card_new_alone (inbox, pending, step));
          self->step_watch = beckon_end_watch_new (self->step_card);
          beckon_end_watch_reveal (self->step_watch);
        }
    }
  plan_card_guard_step (self);
  return self->step_card;
}

/* Skipped by its person, or taken up again with another plan: there is no more to say about it than its row does. */
static gboolean
is_settled_by_row (BeckonToolCall *step)
{
  GObject *asked = beckon_tool_call_get_request (step);

  return beckon_tool_call_get_step_outcome (step) != BECKON_STEP_OUTCOME_NONE && asked != NULL
         && beckon_request_get_state (BECKON_REQUEST (asked)) != BECKON_REQUEST_DECLINED;
}

/* (nullable): what became of a step: what it ran with, what came of it, and the way back. It stays as its person opened it. */
static GtkWidget *
get_call_card (BeckonPlanCard *self, const char *step_id)
{
  BeckonToolCall *step = self->call != NULL ? beckon_tool_call_find_step (self->call, step_id) : NULL;
  GtkWidget *card;

  /* The step runs, with visible output, or ran, or was refused, with a reason; one that was skipped shows that on its row. */
  if (step == NULL
      || (beckon_tool_call_get_state (step) != BECKON_CALL_STARTED && beckon_tool_call_get_started_at (step) <= 0
          && (beckon_tool_call_get_result (step) == NULL || is_settled_by_row (step))))
    return NULL;
  card = g_hash_table_lookup (self->call_cards, beckon_tool_call_get_id (step));
  if (card == NULL)
    {
      card = g_object_ref_sink (beckon_tool_card_new_step (step));
      g_hash_table_insert (self->call_cards, g_strdup (beckon_tool_call_get_id (step)), card);
    }
  return card;
}

static void
plan_card_add_row (BeckonPlanCard *self, guint index, GtkWidget *step_card)
{
  const char *id = beckon_plan_get_step (self->plan, index)->id;
  BeckonToolCall *open = self->call != NULL ? beckon_tool_call_get_open_step (self->call) : NULL;
  BeckonRequest *pending = plan_card_get_pending (self);
  const char *open_id = open != NULL ? beckon_tool_call_get_step_id (open) : NULL;
  gboolean is_next;
  g_autofree char *contents = NULL;
  GtkWidget *row;

  if (open_id == NULL && pending != NULL)
    open_id = beckon_request_get_step (pending);

  is_next = pending != NULL && g_strcmp0 (open_id, beckon_plan_get_step (self->plan, index)->id) == 0;
  contents = beckon_plan_request_list_contents (self->request, beckon_plan_get_step (self->plan, index));
  row = beckon_plan_row_new (self->plan, index, contents, is_next, plan_card_is_editable (self));

  g_signal_connect_object (row, "act", G_CALLBACK (plan_card_on_act), self, 0);
  g_signal_connect_object (row, "dropped", G_CALLBACK (plan_card_on_dropped), self, 0);
  gtk_box_append (self->rows_box, row);
  if (self->editor != NULL && g_strcmp0 (self->edited_id, id) == 0 && plan_card_is_editable (self))
    beckon_plan_row_set_below (BECKON_PLAN_ROW (row), self->editor);
  else if (is_next && step_card != NULL)
    beckon_plan_row_set_below (BECKON_PLAN_ROW (row), step_card);
  else
    beckon_plan_row_set_below (BECKON_PLAN_ROW (row), get_call_card (self, id));
  if (g_strcmp0 (self->focus_id, id) == 0)
    gtk_widget_grab_focus (row);
}

/* In the conversation it is as high as its steps, and nothing scrolls in it. */
static void
bound_rows (BeckonPlanCard *self, guint n)
{
  gboolean is_cut = n > MOST_ROWS && !self->shows_all && plan_card_get_pending (self) == NULL
                    && (self->call == NULL || beckon_call_state_is_final (beckon_tool_call_get_state (self->call)));
  GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->rows_box));

  for (guint i = 0; row != NULL; i++, row = gtk_widget_get_next_sibling (row))
    gtk_widget_set_visible (row, !is_cut || i < MOST_ROWS);
  gtk_widget_set_visible (self->all_button, is_cut);
  g_object_set (self->rows_holder, "min-height", plan_card_get_pending (self) != NULL ? LEAST_PENDING : -1, NULL);
}

static void
on_show_all (BeckonPlanCard *self)
{
  GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->rows_box));

  self->shows_all = TRUE;
  bound_rows (self, beckon_plan_get_n_steps (self->plan));
  for (guint i = 0; row != NULL && i < MOST_ROWS; i++)
    row = gtk_widget_get_next_sibling (row);
  if (row != NULL)
    gtk_widget_grab_focus (row);
}

static void
show_rows (BeckonPlanCard *self)
{
  GtkWidget *step_card = get_step_card (self);
  guint n = beckon_plan_get_n_steps (self->plan);
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->rows_box))) != NULL)
    {
      /* The card of a step moves on into the next row. */
      if (BECKON_IS_PLAN_ROW (row))
        beckon_plan_row_set_below (BECKON_PLAN_ROW (row), NULL);
      gtk_box_remove (self->rows_box, row);
    }

  for (guint i = 0; i < n; i++)
    plan_card_add_row (self, i, step_card);
  if (n == 0 && self->editor != NULL)
    gtk_box_append (self->rows_box, self->editor);
  bound_rows (self, n);
  g_clear_pointer (&self->focus_id, g_free);
}

static void
show_head (BeckonPlanCard *self)
{
  g_autofree char *title = beckon_text_for_display (self->plan->title, -1, BECKON_TEXT_PROSE);
  /* Translators: the title of a plan; %s may be empty */
  g_autofree char *shown = beckon_text_printf (_("Plan: %s"), title);
  guint n = beckon_plan_get_n_steps (self->plan) - beckon_plan_count_skipped (self->plan);
  guint done = beckon_plan_count_done (self->plan);
  g_autofree char *count = g_strdup_printf ("%u/%u", done, n);

  beckon_request_card_set_title (BECKON_REQUEST_CARD (self), shown);
  gtk_label_set_text (self->count_label, count);
  gtk_progress_bar_set_fraction (self->progress_bar, n > 0 ? (double) done / n : 0);
  self->filling = TRUE;
  gtk_drop_down_set_selected (self->pause_drop, self->plan->pause);
  gtk_drop_down_set_selected (self->failure_drop, self->plan->on_failure);
  self->filling = FALSE;
}

static void
plan_card_show_buttons (BeckonPlanCard *self)
{
  gboolean editable = plan_card_is_editable (self);
  gboolean proposed = plan_card_is_proposed (self);
  gboolean changed = plan_card_is_changed (self);
  /* The step that waits needs the room. */
  gboolean has_settings = editable && (proposed || changed || self->shows_settings);
  g_autofree char *summary = NULL;

  if (BECKON_IS_PLAN_REQUEST (self->request) && plan_card_get_pending (self) == NULL)
    summary = beckon_request_dup_summary (self->request);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "plan.settings", editable && !proposed);
  gtk_widget_set_visible (self->choices_box, has_settings);
  gtk_widget_set_visible (self->buttons_box, has_settings);
  gtk_widget_set_visible (self->add_button, editable);
  gtk_widget_set_visible (self->accept_button, proposed);
  gtk_widget_set_visible (self->dismiss_button, proposed);
  gtk_widget_set_visible (self->apply_button, editable && !proposed && changed);
  gtk_widget_set_visible (self->discard_button, editable && changed);
  gtk_widget_set_visible (self->change_box, proposed || changed);
  if (!has_settings)
    gtk_toggle_button_set_active (self->replan_button, FALSE);
  beckon_label_say (self->summary_label, summary);
}

static void
plan_card_refresh (BeckonPlanCard *self)
{
  if (self->plan == NULL)
    self->plan = beckon_plan_copy (plan_card_get_base (self));
  show_head (self);
  show_rows (self);
  plan_card_show_buttons (self);
}

static void
settings_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonPlanCard *self = BECKON_PLAN_CARD (widget);

  self->shows_settings = !self->shows_settings;
  plan_card_show_buttons (self);
  if (self->shows_settings)
    gtk_widget_grab_focus (GTK_WIDGET (self->pause_drop));
}

/* Events in the plan outweigh unsaved changes. */
static void
on_plan_changed (BeckonPlanCard *self)
{
  g_clear_pointer (&self->base, beckon_plan_free);
  g_clear_pointer (&self->plan, beckon_plan_free);
  plan_card_drop_editor (self);
  beckon_end_watch_reset (self->rows_watch);
  plan_card_refresh (self);
}

static void
plan_card_show (BeckonRequestCard *card, BeckonRequest *request)
{
  BeckonPlanCard *self = BECKON_PLAN_CARD (card);
  const char *draft;
  g_autoptr (BeckonPlan) plan = NULL;

  self->request = request;
  self->call = beckon_request_card_get_call (card);
  if (self->call != NULL)
    {
      g_signal_connect_object (self->call, "notify::plan", G_CALLBACK (on_plan_changed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (self->call, "notify::state", G_CALLBACK (plan_card_refresh), self, G_CONNECT_SWAPPED);
    }
  g_signal_connect_object (request, "notify::state", G_CALLBACK (on_plan_changed), self, G_CONNECT_SWAPPED);

  draft = plan_card_is_proposed (self) ? beckon_request_get_draft (request) : NULL;
  plan = draft != NULL ? beckon_plan_parse (draft, BECKON_PLAN_FROM_PERSON, NULL) : NULL;
  if (plan != NULL && beckon_plan_check_revision (plan_card_get_base (self), plan, NULL))
    self->plan = g_steal_pointer (&plan);
  plan_card_refresh (self);
}

static void
beckon_plan_card_dispose (GObject *object)
{
  BeckonPlanCard *self = BECKON_PLAN_CARD (object);

  g_clear_pointer (&self->step_watch, beckon_end_watch_free);
  g_clear_pointer (&self->rows_watch, beckon_end_watch_free);
  g_clear_object (&self->step_card);
  g_clear_object (&self->editor);
  g_clear_object (&self->stepped);
  g_clear_pointer (&self->call_cards, g_hash_table_unref);
  g_clear_pointer (&self->base, beckon_plan_free);
  g_clear_pointer (&self->plan, beckon_plan_free);
  g_clear_pointer (&self->edited_id, g_free);
  g_clear_pointer (&self->focus_id, g_free);
  G_OBJECT_CLASS (beckon_plan_card_parent_class)->dispose (object);
}

static void
beckon_plan_card_class_init (BeckonPlanCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  BeckonRequestCardClass *card_class = BECKON_REQUEST_CARD_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_plan_card_dispose;
  card_class->show = plan_card_show;
  card_class->focus = plan_card_focus;
  card_class->is_ready = plan_card_is_ready;
  card_class->submit = plan_card_submit;
  card_class->edit = plan_card_edit;
  card_class->deny = plan_card_deny;
  card_class->takes_text = plan_card_takes_text;
  g_type_ensure (BECKON_TYPE_MAX_HEIGHT_BOX);
  g_type_ensure (BECKON_TYPE_FLOW_LAYOUT);
  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  g_type_ensure (BECKON_TYPE_KEY_LABEL);
  beckon_request_card_class_set_template (card_class, "plan-card.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, count_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, rows_holder);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, rows_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, all_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, choices_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, pause_drop);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, failure_drop);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, buttons_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, change_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, add_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, accept_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, apply_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, discard_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, replan_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, dismiss_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, replan_revealer);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, replan_entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, summary_label);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_add", G_CALLBACK (plan_card_on_add));
  gtk_widget_class_bind_template_callback_full (widget_class, "on_chosen", G_CALLBACK (plan_card_on_chosen));
  gtk_widget_class_bind_template_callback (widget_class, settle_plan);
  gtk_widget_class_bind_template_callback (widget_class, on_discard);
  gtk_widget_class_bind_template_callback (widget_class, on_show_all);
  gtk_widget_class_bind_template_callback (widget_class, on_replan_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_replan);
  gtk_widget_class_bind_template_callback (widget_class, on_dismiss);
  gtk_widget_class_install_action (widget_class, "plan.settings", NULL, settings_action);
  gtk_widget_class_install_action (widget_class, "plan.export", NULL, plan_card_on_export);
  gtk_widget_class_install_action (widget_class, "plan.import", NULL, plan_card_on_import);
}

static void
beckon_plan_card_init (BeckonPlanCard *self)
{
  self->settler = beckon_request_card_init_template (BECKON_REQUEST_CARD (self));
  beckon_flow_layout_wrap_buttons (GTK_WIDGET (self));
  beckon_short_list_apply (self->pause_drop);
  beckon_short_list_apply (self->failure_drop);
  beckon_card_settler_set_stays (self->settler);
  self->rows_watch = beckon_end_watch_new (GTK_WIDGET (self->rows_box));
  self->call_cards = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}

GtkWidget *
beckon_plan_card_new (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  return beckon_request_card_make (BECKON_TYPE_PLAN_CARD, inbox, request, call);
}
