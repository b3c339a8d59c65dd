/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent.h"
#include "library/beckon-profiles.h"
#include "settings/beckon-secrets.h"

G_BEGIN_DECLS

/**
 * BeckonChannelParts:
 * @store: keeps it
 * @inbox: what waits for a person
 * @library: the conversations
 * @profiles: the profiles
 * @agent: drives runs
 * @secrets: tokens
 * @clock: time
 *
 * The pieces of the program that channels stand on. Borrowed; they outlive the channels.
 */
typedef struct
{
  BeckonStore *store;
  BeckonInbox *inbox;
  BeckonLibrary *library;
  BeckonProfiles *profiles;
  BeckonAgent *agent;
  BeckonSecrets *secrets;
  BeckonClock *clock;
} BeckonChannelParts;

G_END_DECLS
