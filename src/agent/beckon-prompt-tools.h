/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent-parts.h"
#include "domain/beckon-tool-names.h"

G_BEGIN_DECLS

/**
 * beckon_prompt_tools_list:
 * @parts: tools, rules, settings and clock
 * @conversation: the conversation
 * @profile: who is asked
 * @has_person: whether there is a person to answer
 * @sent: (nullable): what the model was told before, as it is stored
 *
 * Returns: (transfer full) (element-type BeckonToolDefinition): what a request offers to the model now. A web search of the
 *   provider's own is in the place of ours where the person wants it and nothing speaks against it.
 */
GPtrArray *beckon_prompt_tools_list (BeckonAgentParts *parts, BeckonConversation *conversation, BeckonProfile *profile,
                                     gboolean has_person, const char *sent) G_GNUC_WARN_UNUSED_RESULT;

/** Definitions as they are stored. Caller frees. */
char *beckon_prompt_tools_print (GPtrArray *tools) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full) (element-type BeckonToolDefinition): what was stored; empty where it can't be read. */
GPtrArray *beckon_prompt_tools_parse (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/** Whether there is one of that name. */
gboolean beckon_prompt_tools_have (GPtrArray *tools, const char *name);

/**
 * beckon_prompt_tools_find_blamed:
 * @sent: (element-type BeckonToolDefinition): what a model was told
 * @words: what its server said when it refused the request
 *
 * Returns: (nullable): the tool whose schema @words are about, by its name or its place in the request; borrowed
 */
const BeckonToolDefinition *beckon_prompt_tools_find_blamed (GPtrArray *sent, const char *words);

/** Whether @tool stands for a search of the provider's own; then whether there is one. */
gboolean beckon_prompt_tools_is_search (const BeckonToolDefinition *tool);
gboolean beckon_prompt_tools_have_search (GPtrArray *tools);

/**
 * beckon_prompt_tools_cover:
 * @sent: (element-type BeckonToolDefinition): what a model was told before
 * @now: (element-type BeckonToolDefinition): what there is now
 * @registry: where tools are looked up
 * @missing: names of those that are off are added
 *
 * Returns: %TRUE if @sent says nothing wrong of what there is now
 */
gboolean beckon_prompt_tools_cover (GPtrArray *sent, GPtrArray *now, BeckonToolRegistry *registry, GString *missing);

G_END_DECLS
