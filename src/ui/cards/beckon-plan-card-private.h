/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-card-settler.h"
#include "beckon-plan-card.h"
#include "beckon-plan-row.h"
#include "ui/widgets/beckon-end-watch.h"

G_BEGIN_DECLS

/* beckon-plan-card.c shows the plan and answers, beckon-plan-card-change.c is what a person does to it. */
struct _BeckonPlanCard
{
  AdwBin parent_instance;

  BeckonInbox *inbox;     /* (owned) */
  BeckonRequest *request; /* (owned) */
  BeckonToolCall *call;   /* (owned) (nullable) */
  BeckonCardSettler *settler; /* (owned) */
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

  GtkLabel *title_label;
  AdwBin *corner;
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
  GtkLabel *error_label;
};

gboolean          beckon_plan_card_is_proposed (BeckonPlanCard *self);
gboolean          beckon_plan_card_is_editable (BeckonPlanCard *self);
gboolean          beckon_plan_card_is_changed (BeckonPlanCard *self);
const BeckonPlan *beckon_plan_card_get_base (BeckonPlanCard *self);
void              beckon_plan_card_show_error (BeckonPlanCard *self, const char *words);
void              beckon_plan_card_show_fault (BeckonPlanCard *self, const BeckonPlanFault *fault);
void              beckon_plan_card_refresh (BeckonPlanCard *self);
void              beckon_plan_card_settle (BeckonPlanCard *self, BeckonAnswerKind kind, const char *text);

void       beckon_plan_card_drop_editor (BeckonPlanCard *self);
gboolean   beckon_plan_card_finish_edit (BeckonPlanCard *self);
void       beckon_plan_card_keep_draft (BeckonPlanCard *self);
void       beckon_plan_card_guard_step (BeckonPlanCard *self);
void       beckon_plan_card_on_act (BeckonPlanRow *row, int act, BeckonPlanCard *self);
void       beckon_plan_card_on_dropped (BeckonPlanRow *row, const char *dropped, BeckonPlanCard *self);
void       beckon_plan_card_on_add (BeckonPlanCard *self);
void       beckon_plan_card_on_chosen (BeckonPlanCard *self);
void       beckon_plan_card_on_import (GtkWidget *widget, const char *name, GVariant *parameter);
void       beckon_plan_card_on_export (GtkWidget *widget, const char *name, GVariant *parameter);

G_END_DECLS
