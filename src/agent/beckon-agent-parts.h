/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-known-secrets.h"
#include "agent/beckon-tokens.h"
#include "library/beckon-argument-overrides.h"
#include "library/beckon-library.h"
#include "library/beckon-profiles.h"
#include "library/beckon-rules.h"
#include "llm/beckon-provider.h"
#include "mcp/beckon-mcp-servers.h"
#include "policy/beckon-rule-set.h"
#include "request/beckon-inbox.h"
#include "settings/beckon-settings.h"
#include "tools/beckon-tool-registry.h"

G_BEGIN_DECLS

/**
 * BeckonAgentParts:
 *
 * What an agent and its runs work with.
 */
typedef struct
{
  BeckonStore *store;
  BeckonLibrary *library;
  BeckonProfiles *profiles;
  BeckonRules *rules;
  BeckonArgumentOverrides *parameters; /* (nullable): nothing is settled */
  BeckonInbox *inbox;
  BeckonProvider *provider;
  BeckonToolRegistry *tools;
  BeckonMcpServers *servers; /* (nullable): none */
  BeckonSettings *settings;
  BeckonClock *clock;
  BeckonTokenMeter *meter; /* (nullable): then an agent makes its own */
  BeckonKnownSecrets *secrets; /* (nullable): likewise */
} BeckonAgentParts;

/** Fills the empty @to with references to what @from has; @from may be borrowed. */
void beckon_agent_parts_init (BeckonAgentParts *to, const BeckonAgentParts *from);

/** The person's rules, ready to be asked; %NULL while they were not read. Borrowed, until the next call. */
BeckonRuleSet *beckon_agent_parts_get_rule_set (const BeckonAgentParts *parts);

/** (nullable): the profile that @conversation has, or the one in use. Borrowed. */
BeckonProfile *beckon_agent_parts_find_profile (const BeckonAgentParts *parts, BeckonConversation *conversation);

/** Gives the references back. */
void beckon_agent_parts_clear (BeckonAgentParts *parts);

G_END_DECLS
