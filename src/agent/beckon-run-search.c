/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-private.h"

#include "domain/beckon-provider-search.h"
#include "policy/beckon-rule-set.h"

/* A web search of the provider's own. The model's server makes the queries and sends them, so that no card could show them
 * before. The switch of the profile is the person's word for all of them, and whatever else they said of the web is stronger:
 * where everything is asked for, or a rule denies the web, there is no search.
 *
 * It is one of the tools that requests begin with, by the name of ours, which it replaces, and without a schema, which no tool
 * of ours is. */

#define NAME "web_search"
#define DESCRIPTION "The provider's own web search."

/* A provider that pauses a turn in the middle of its searches bills for more each time it is asked to resume. */
#define MAX_PAUSES 5

/** beckon_run_is_search: (skip): whether @tool stands for the provider's search. */
gboolean
beckon_run_is_search (const BeckonToolDefinition *tool)
{
  return *tool->schema == '\0';
}

static gboolean
may_search (BeckonRun *run, BeckonProfile *profile)
{
  BeckonRuleSet *rules = beckon_agent_parts_get_rule_set (&run->parts);

  return beckon_profile_get_web_search (profile) && beckon_provider_search_is_known (profile)
         && beckon_conversation_get_mode (run->conversation) != BECKON_MODE_ASK_EVERYTHING
         /* While nobody knows what is forbidden, nothing is allowed by itself. */
         && rules != NULL
         && !beckon_rule_set_restricts_search (rules, beckon_conversation_get_folder (run->conversation),
                                               run->record->conversation_id, beckon_run_now (run));
}

/**
 * beckon_run_add_search: (skip)
 * @run: a run that is about to send a request
 * @profile: who is asked
 * @tools: (element-type BeckonToolDefinition): the tools that are offered
 *
 * Puts the provider's search in the place of ours, where the person wants it and nothing speaks against it.
 */
void
beckon_run_add_search (BeckonRun *run, BeckonProfile *profile, GPtrArray *tools)
{
  if (!may_search (run, profile))
    return;
  for (guint i = tools->len; i > 0; i--)
    if (g_str_equal (((const BeckonToolDefinition *) g_ptr_array_index (tools, i - 1))->name, NAME))
      g_ptr_array_remove_index (tools, i - 1);
  g_ptr_array_add (tools, beckon_tool_definition_new (NAME, DESCRIPTION, "", TRUE));
}

/**
 * beckon_run_may_go_on_searching: (skip)
 * @run: a run whose reply the provider paused
 *
 * Returns: %TRUE if it was in the middle of a search, and is to be given back as it is so that it goes on
 */
gboolean
beckon_run_may_go_on_searching (BeckonRun *run)
{
  BeckonMessage *message = beckon_reply_get_message (run->reply);

  if (!run->searches || run->n_pauses >= MAX_PAUSES)
    return FALSE;
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (beckon_provider_search_is (beckon_message_get_part (message, i)))
      {
        run->n_pauses++;
        return TRUE;
      }
  return FALSE;
}
