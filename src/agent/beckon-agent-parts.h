/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "llm/beckon-provider.h"
#include "request/beckon-inbox.h"
#include "settings/beckon-settings.h"
#include "store/beckon-library.h"
#include "store/beckon-profiles.h"
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
  BeckonInbox *inbox;
  BeckonProvider *provider;
  BeckonToolRegistry *tools;
  BeckonSettings *settings;
  BeckonClock *clock;
} BeckonAgentParts;

/** Fills the empty @to with references to what @from has; @from may be borrowed. */
void beckon_agent_parts_init (BeckonAgentParts *to, const BeckonAgentParts *from);

/** Gives the references back. */
void beckon_agent_parts_clear (BeckonAgentParts *parts);

G_END_DECLS
