/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent-parts.h"

G_BEGIN_DECLS

/**
 * BeckonRunScope:
 * @parts: (owned): what to work with
 * @conversation: (owned): the conversation
 * @has_person: whether somebody can answer here
 * @last_output: the last name of an output that the conversation tells of, see beckon_output_store_find_last()
 *
 * What a run and all that belongs to it are given; none of it changes. Counted, because work that can't be cancelled may end
 * after its run. Main thread.
 */
typedef struct
{
  BeckonAgentParts parts;
  BeckonConversation *conversation;
  gboolean has_person;
  guint last_output;
} BeckonRunScope;

BeckonRunScope *beckon_run_scope_new (const BeckonAgentParts *parts, BeckonConversation *conversation,
                                      gboolean has_person) G_GNUC_WARN_UNUSED_RESULT;
BeckonRunScope *beckon_run_scope_ref (const BeckonRunScope *scope);
void            beckon_run_scope_unref (BeckonRunScope *scope);

/** The id of its conversation; borrowed. */
const char *beckon_run_scope_get_id (const BeckonRunScope *scope);

/** Microseconds since the epoch. */
gint64 beckon_run_scope_now (const BeckonRunScope *scope);

/** Whether a question may be asked now. */
gboolean beckon_run_scope_may_ask (const BeckonRunScope *scope);

/** (nullable): the person's rules; %NULL while they were not read. Borrowed, until the next call. */
BeckonRuleSet *beckon_run_scope_get_rules (const BeckonRunScope *scope);

/** (nullable): the tool of a call; borrowed. */
BeckonTool *beckon_run_scope_find_tool (const BeckonRunScope *scope, BeckonToolCall *call);

/** Whether a dismissed question ends the turn. */
gboolean beckon_call_is_dismissed_by (const BeckonRunScope *scope, BeckonRequest *request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRunScope, beckon_run_scope_unref)

G_END_DECLS
