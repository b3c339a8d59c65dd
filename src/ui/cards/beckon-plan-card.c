/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-text-printf.h"
#include "beckon-plan-card-private.h"

#include "base/beckon-text.h"
#include "beckon-approval-card.h"
#include "beckon-card-settler.h"
#include "beckon-changes-card.h"
#include "beckon-outcome-card.h"
#include "beckon-plan-row.h"
#include "beckon-plan-step-editor.h"
#include "beckon-question-card.h"
#include "beckon-request-card.h"
#include "beckon-tool-card.h"
#include "form/beckon-plan-parameters.h"
#include "request/beckon-plan-request.h"
#include "ui/widgets/beckon-flow-layout.h"
#include "ui/widgets/beckon-key-label.h"
#include "ui/widgets/beckon-max-height-box.h"
#include "ui/widgets/beckon-short-list.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>

/* Steps of a plan that is over, until more are wanted. */
#define MOST_ROWS 10
/* Pixels: a plan that waits in the dock scrolls, so that its buttons stay in sight. */
#define LEAST_PENDING 96

static void beckon_plan_card_request_card_init (BeckonRequestCardInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonPlanCard, beckon_plan_card, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_REQUEST_CARD, beckon_plan_card_request_card_init))

static gboolean
is_pending (BeckonRequest *request)
{
  return request != NULL && beckon_request_get_state (request) == BECKON_REQUEST_PENDING;
}

BeckonRequest *
beckon_plan_card_get_pending (BeckonPlanCard *self)
{
  BeckonToolCall *step = self->call != NULL ? beckon_tool_call_get_open_step (self->call) : NULL;
  BeckonRequest *asked = step != NULL ? BECKON_REQUEST (beckon_tool_call_get_request (step)) : NULL;

  if (is_pending (asked))
    return asked;
  return is_pending (self->request) ? self->request : NULL;
}

gboolean
beckon_plan_card_is_proposed (BeckonPlanCard *self)
{
  return is_pending (self->request) && BECKON_IS_PLAN_REQUEST (self->request);
}

/* The plan can be changed while no step runs: before it is accepted, and when a step waits. */
gboolean
beckon_plan_card_is_editable (BeckonPlanCard *self)
{
  BeckonRequest *pending = beckon_plan_card_get_pending (self);

  return pending != NULL && beckon_request_takes (pending, BECKON_ANSWER_PLAN);
}

const BeckonPlan *
beckon_plan_card_get_base (BeckonPlanCard *self)
{
  if (self->base == NULL && self->call != NULL)
    self->base = beckon_plan_parameters_show_call (self->call);
  if (self->base == NULL)
    self->base = beckon_request_dup_shown_plan (self->request);
  return self->base;
}

gboolean
beckon_plan_card_is_changed (BeckonPlanCard *self)
{
  return !beckon_plan_equal (self->plan, beckon_plan_card_get_base (self));
}

void
beckon_plan_card_show_error (BeckonPlanCard *self, const char *words)
{
  gtk_label_set_text (self->error_label, words != NULL ? words : "");
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), words != NULL);
}

void
beckon_plan_card_show_fault (BeckonPlanCard *self, const BeckonPlanFault *fault)
{
  g_autofree char *words = beckon_plan_fault_to_words (fault, TRUE);
  g_autofree char *more = NULL;

  if (fault->kind == BECKON_PLAN_FAULT_USED)
    more = g_strconcat (words, " ", _("Change that step first, or ask for another plan."), NULL);
  beckon_plan_card_show_error (self, more != NULL ? more : words);
}

/* Answering. */

void
beckon_plan_card_settle (BeckonPlanCard *self, BeckonAnswerKind kind, const char *text)
{
  BeckonRequest *pending = beckon_plan_card_get_pending (self);
  g_autoptr (BeckonAnswer) answer = NULL;

  if (pending == NULL || !beckon_card_settler_is_ready (self->settler))
    return;
  answer = beckon_answer_new (kind, text);
  beckon_card_settler_settle_for (self->settler, pending, answer);
}

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
  if (!beckon_plan_card_finish_edit (self) || (beckon_plan_card_is_proposed (self) && show_unseen (self)))
    return;
  document = beckon_plan_to_json (self->plan);
  if (beckon_plan_card_is_proposed (self) && !beckon_plan_card_is_changed (self))
    beckon_plan_card_settle (self, BECKON_ANSWER_APPROVED, NULL);
  else
    beckon_plan_card_settle (self, BECKON_ANSWER_PLAN, document);
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
card_edit (BeckonRequestCard *card)
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
card_takes_text (BeckonRequestCard *card)
{
  return beckon_request_card_takes_text (BECKON_PLAN_CARD (card)->step_card);
}

static AdwBin *
plan_card_get_corner (BeckonRequestCard *card)
{
  return BECKON_PLAN_CARD (card)->corner;
}

static void
beckon_plan_card_request_card_init (BeckonRequestCardInterface *iface)
{
  iface->focus = plan_card_focus;
  iface->is_ready = plan_card_is_ready;
  iface->submit = plan_card_submit;
  iface->edit = card_edit;
  iface->deny = plan_card_deny;
  iface->takes_text = card_takes_text;
  iface->get_corner = plan_card_get_corner;
}

static void
on_discard (BeckonPlanCard *self)
{
  g_clear_pointer (&self->plan, beckon_plan_free);
  beckon_plan_card_drop_editor (self);
  beckon_plan_card_show_error (self, NULL);
  beckon_plan_card_refresh (self);
  beckon_plan_card_keep_draft (self);
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

  beckon_plan_card_settle (self, BECKON_ANSWER_ASKED_BACK, *text != '\0' ? text : NULL);
}

static void
on_dismiss (BeckonPlanCard *self)
{
  beckon_plan_card_settle (self, BECKON_ANSWER_DECLINED, NULL);
}

/* Showing. */

/* Changes hold before the step continues, and are not lost by that. */
void
beckon_plan_card_guard_step (BeckonPlanCard *self)
{
  gboolean is_typed = self->editor != NULL && beckon_plan_step_editor_is_changed (BECKON_PLAN_STEP_EDITOR (self->editor));

  if (self->step_card != NULL)
    gtk_widget_set_sensitive (self->step_card, !is_typed && !beckon_plan_card_is_changed (self));
}

/* A step's request keeps its card, with what was typed into it. */
static GtkWidget *
get_step_card (BeckonPlanCard *self)
{
  BeckonToolCall *step = self->call != NULL ? beckon_tool_call_get_open_step (self->call) : NULL;
  BeckonRequest *pending = beckon_plan_card_get_pending (self);

  if (pending != NULL && BECKON_IS_PLAN_REQUEST (pending))
    pending = NULL;
  if (pending != self->stepped)
    {
      g_set_object (&self->stepped, pending);
      g_clear_pointer (&self->step_watch, beckon_end_watch_free);
      g_clear_object (&self->step_card);
      if (pending != NULL)
        {
          self->step_card = g_object_ref_sink (beckon_request_card_new_alone (self->inbox, pending, step));
          self->step_watch = beckon_end_watch_new (self->step_card);
          beckon_end_watch_reveal (self->step_watch);
        }
    }
  beckon_plan_card_guard_step (self);
  return self->step_card;
}

static gboolean
waits (BeckonPlanCard *self, guint index)
{
  BeckonToolCall *open = self->call != NULL ? beckon_tool_call_get_open_step (self->call) : NULL;
  BeckonRequest *pending = beckon_plan_card_get_pending (self);
  const char *id = open != NULL ? beckon_tool_call_get_step_id (open) : NULL;

  if (id == NULL && pending != NULL)
    id = beckon_request_get_step (pending);
  return pending != NULL && g_strcmp0 (id, beckon_plan_get_step (self->plan, index)->id) == 0;
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
  gboolean is_next = waits (self, index);
  g_autofree char *contents = beckon_plan_request_list_contents (self->request, beckon_plan_get_step (self->plan, index));
  GtkWidget *row = beckon_plan_row_new (self->plan, index, contents, is_next, beckon_plan_card_is_editable (self));

  g_signal_connect_object (row, "act", G_CALLBACK (beckon_plan_card_on_act), self, 0);
  g_signal_connect_object (row, "dropped", G_CALLBACK (beckon_plan_card_on_dropped), self, 0);
  gtk_box_append (self->rows_box, row);
  if (self->editor != NULL && g_strcmp0 (self->edited_id, id) == 0 && beckon_plan_card_is_editable (self))
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
  gboolean is_cut = n > MOST_ROWS && !self->shows_all && beckon_plan_card_get_pending (self) == NULL
                    && (self->call == NULL || beckon_call_state_is_final (beckon_tool_call_get_state (self->call)));
  GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->rows_box));

  for (guint i = 0; row != NULL; i++, row = gtk_widget_get_next_sibling (row))
    gtk_widget_set_visible (row, !is_cut || i < MOST_ROWS);
  gtk_widget_set_visible (self->all_button, is_cut);
  g_object_set (self->rows_holder, "min-height", beckon_plan_card_get_pending (self) != NULL ? LEAST_PENDING : -1, NULL);
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

  gtk_label_set_text (self->title_label, shown);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, shown, -1);
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
  gboolean editable = beckon_plan_card_is_editable (self);
  gboolean proposed = beckon_plan_card_is_proposed (self);
  gboolean changed = beckon_plan_card_is_changed (self);
  /* The step that waits needs the room. */
  gboolean has_settings = editable && (proposed || changed || self->shows_settings);
  g_autofree char *summary = NULL;

  if (BECKON_IS_PLAN_REQUEST (self->request) && beckon_plan_card_get_pending (self) == NULL)
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
  gtk_label_set_text (self->summary_label, summary != NULL ? summary : "");
  gtk_widget_set_visible (GTK_WIDGET (self->summary_label), summary != NULL);
}

void
beckon_plan_card_refresh (BeckonPlanCard *self)
{
  if (self->plan == NULL)
    self->plan = beckon_plan_copy (beckon_plan_card_get_base (self));
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
  beckon_plan_card_drop_editor (self);
  beckon_end_watch_reset (self->rows_watch);
  beckon_plan_card_refresh (self);
}

static void
beckon_plan_card_dispose (GObject *object)
{
  BeckonPlanCard *self = BECKON_PLAN_CARD (object);

  g_clear_pointer (&self->settler, beckon_card_settler_free);
  g_clear_pointer (&self->step_watch, beckon_end_watch_free);
  g_clear_pointer (&self->rows_watch, beckon_end_watch_free);
  g_clear_object (&self->step_card);
  g_clear_object (&self->editor);
  g_clear_object (&self->stepped);
  g_clear_pointer (&self->call_cards, g_hash_table_unref);
  g_clear_object (&self->call);
  g_clear_object (&self->request);
  g_clear_object (&self->inbox);
  g_clear_pointer (&self->base, beckon_plan_free);
  g_clear_pointer (&self->plan, beckon_plan_free);
  g_clear_pointer (&self->edited_id, g_free);
  g_clear_pointer (&self->focus_id, g_free);
  G_OBJECT_CLASS (beckon_plan_card_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, corner);
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
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanCard, error_label);
}

static void
beckon_plan_card_class_init (BeckonPlanCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_plan_card_dispose;
  g_type_ensure (BECKON_TYPE_MAX_HEIGHT_BOX);
  g_type_ensure (BECKON_TYPE_FLOW_LAYOUT);
  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  g_type_ensure (BECKON_TYPE_KEY_LABEL);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/plan-card.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_add", G_CALLBACK (beckon_plan_card_on_add));
  gtk_widget_class_bind_template_callback_full (widget_class, "on_chosen", G_CALLBACK (beckon_plan_card_on_chosen));
  gtk_widget_class_bind_template_callback (widget_class, settle_plan);
  gtk_widget_class_bind_template_callback (widget_class, on_discard);
  gtk_widget_class_bind_template_callback (widget_class, on_show_all);
  gtk_widget_class_bind_template_callback (widget_class, on_replan_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_replan);
  gtk_widget_class_bind_template_callback (widget_class, on_dismiss);
  gtk_widget_class_install_action (widget_class, "plan.settings", NULL, settings_action);
  gtk_widget_class_install_action (widget_class, "plan.export", NULL, beckon_plan_card_on_export);
  gtk_widget_class_install_action (widget_class, "plan.import", NULL, beckon_plan_card_on_import);
}

static void
beckon_plan_card_init (BeckonPlanCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_flow_layout_wrap_buttons (GTK_WIDGET (self));
  beckon_short_list_apply (self->pause_drop);
  beckon_short_list_apply (self->failure_drop);
  self->settler = beckon_card_settler_new (GTK_WIDGET (self), self->error_label);
  beckon_card_settler_set_stays (self->settler);
  self->rows_watch = beckon_end_watch_new (GTK_WIDGET (self->rows_box));
  self->call_cards = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}

GtkWidget *
beckon_plan_card_new (BeckonInbox *inbox, BeckonRequest *request, BeckonToolCall *call)
{
  BeckonPlanCard *self;
  const char *draft;
  g_autoptr (BeckonPlan) plan = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request) && beckon_request_get_plan (request) != NULL, NULL);

  self = g_object_new (BECKON_TYPE_PLAN_CARD, NULL);
  self->inbox = g_object_ref (inbox);
  beckon_card_settler_set_request (self->settler, inbox, NULL);
  self->request = g_object_ref (request);
  if (call != NULL)
    {
      self->call = g_object_ref (call);
      g_signal_connect_object (call, "notify::plan", G_CALLBACK (on_plan_changed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (call, "notify::state", G_CALLBACK (beckon_plan_card_refresh), self, G_CONNECT_SWAPPED);
    }
  g_signal_connect_object (request, "notify::state", G_CALLBACK (on_plan_changed), self, G_CONNECT_SWAPPED);

  draft = beckon_plan_card_is_proposed (self) ? beckon_request_get_draft (self->request) : NULL;
  plan = draft != NULL ? beckon_plan_parse (draft, BECKON_PLAN_FROM_PERSON, NULL) : NULL;
  if (plan != NULL && beckon_plan_check_revision (beckon_plan_card_get_base (self), plan, NULL))
    self->plan = g_steal_pointer (&plan);

  beckon_plan_card_refresh (self);
  return GTK_WIDGET (self);
}
