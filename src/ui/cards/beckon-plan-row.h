/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-plan.h"

#include <adwaita.h>

G_BEGIN_DECLS

/** A person's action on a step. */
typedef enum
{
  BECKON_PLAN_ACT_EDIT,
  BECKON_PLAN_ACT_INSERT,
  BECKON_PLAN_ACT_SKIP,
  BECKON_PLAN_ACT_DELETE,
  BECKON_PLAN_ACT_PAUSE,
  BECKON_PLAN_ACT_UP,
  BECKON_PLAN_ACT_DOWN,
} BeckonPlanAct;

#define BECKON_TYPE_PLAN_ROW (beckon_plan_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPlanRow, beckon_plan_row, BECKON, PLAN_ROW, AdwBin)

/**
 * beckon_plan_row_new:
 * @plan: the plan
 * @index: which step
 * @contents: (nullable): what is said of the folders that it moves or deletes
 * @waits: the step waits for its person
 * @editable: the plan may be changed here
 *
 * One step of a plan as a row. Signals: `act` (int, a #BeckonPlanAct), `dropped` (string): the step with this id was dropped
 * on this one.
 *
 * Returns: (transfer floating): the row
 */
GtkWidget *beckon_plan_row_new (const BeckonPlan *plan, guint index, const char *contents, gboolean waits, gboolean editable);

const char *beckon_plan_row_get_step_id (BeckonPlanRow *row);

/** Shown below the step, in place of what was there; %NULL: nothing. */
void beckon_plan_row_set_below (BeckonPlanRow *row, GtkWidget *widget);

G_END_DECLS
