/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-update-plan.h"

#include "domain/beckon-progress.h"

struct _BeckonUpdatePlan
{
  BeckonBuiltinTool parent_instance;
};

static const char description[]
    = "Show the user your own list of what you are doing: the whole list each time, with a status for each entry (pending, "
      "executing, completed, failed or skipped). One is executing at a time. It runs nothing and asks nothing; to have the "
      "user decide on steps before they run, call propose_plan. Use it for work of several steps, not for a single one.";

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{\"steps\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":50,"
      "\"items\":{\"type\":\"object\",\"properties\":{"
      "\"title\":{\"type\":\"string\",\"description\":\"A few words, in the user's language.\"},"
      "\"status\":{\"type\":\"string\",\"enum\":[\"pending\",\"executing\",\"completed\",\"failed\",\"skipped\"]}},"
      "\"required\":[\"title\",\"status\"]}}},\"required\":[\"steps\"]}";

G_DEFINE_FINAL_TYPE (BeckonUpdatePlan, beckon_update_plan, BECKON_TYPE_BUILTIN_TOOL)

static char *
update_plan_run (BeckonBuiltinTool *tool, const BeckonToolContext *context, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) steps = beckon_progress_parse (context->arguments, error);

  return steps != NULL ? g_strdup_printf ("Shown: %u of %u done.", beckon_progress_count_done (steps), steps->len) : NULL;
}

static void
beckon_update_plan_class_init (BeckonUpdatePlanClass *klass)
{
  BECKON_BUILTIN_TOOL_CLASS (klass)->run = update_plan_run;
}

static void
beckon_update_plan_init (BeckonUpdatePlan *self)
{
  beckon_builtin_tool_define (BECKON_BUILTIN_TOOL (self),
                              beckon_tool_definition_new (BECKON_UPDATE_PLAN_NAME, description, schema, TRUE));
}

BeckonTool *
beckon_update_plan_new (void)
{
  return g_object_new (BECKON_TYPE_UPDATE_PLAN, NULL);
}
