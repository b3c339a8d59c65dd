/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PLAN_STEP_EDITOR (beckon_plan_step_editor_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPlanStepEditor, beckon_plan_step_editor, BECKON, PLAN_STEP_EDITOR, AdwBin)

/**
 * beckon_plan_step_editor_new:
 * @tool: the tool's name
 * @arguments: its arguments, as JSON text
 *
 * The tool and the arguments of one step, to be changed. Signals: `changed`, `apply`, `cancel`.
 *
 * Returns: (transfer floating): the editor
 */
GtkWidget *beckon_plan_step_editor_new (const char *tool, const char *arguments);

/** @names: (nullable): the tools that there are, to choose from. */
void beckon_plan_step_editor_set_tools (BeckonPlanStepEditor *editor, const char *const *names);

/** The current text; caller frees. */
char *beckon_plan_step_editor_dup_tool (BeckonPlanStepEditor *editor);
char *beckon_plan_step_editor_dup_arguments (BeckonPlanStepEditor *editor);

/** Whether it is not what it was made with. */
gboolean beckon_plan_step_editor_is_changed (BeckonPlanStepEditor *editor);

/** Says what is wrong with it; @words: (nullable): nothing is. */
void beckon_plan_step_editor_set_fault (BeckonPlanStepEditor *editor, const char *words);

/** To the tool where none is chosen, otherwise to the arguments. */
void beckon_plan_step_editor_focus (BeckonPlanStepEditor *editor);

G_END_DECLS
