/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-agent-fixture.h"
#include "beckon-test-tool.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonAgentVictim:
 * @base: the directory, the server, and a look at the store from outside; it drives nothing
 * @process: the process that works there
 * @conversation_id: where it works
 * @next: who comes after it; %NULL until beckon_agent_victim_succeed()
 * @read: @next's tools
 * @write: likewise
 *
 * A process that is killed, and what is found after it.
 */
typedef struct
{
  BeckonAgentFixture *base;
  GSubprocess *process;
  char *conversation_id;
  BeckonAgentFixture *next;
  BeckonTestTool *read;
  BeckonTestTool *write;
} BeckonAgentVictim;

/** A directory and a server; no process yet. */
BeckonAgentVictim *beckon_agent_victim_new (void) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_agent_victim_free (BeckonAgentVictim *victim);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonAgentVictim, beckon_agent_victim_free)

/** Starts a process that does @what (see agent-child.c), and waits until it has said in which conversation. */
void beckon_agent_victim_start (BeckonAgentVictim *victim, const char *what);

/** SIGKILL, and waits until it is gone. */
void beckon_agent_victim_kill (BeckonAgentVictim *victim);

/** SIGSTOP: it does nothing more, and does not know. */
void beckon_agent_victim_freeze (BeckonAgentVictim *victim);

/** Waits until the store holds a run at @phase, and nothing else but @messages if they are not %NULL. */
void beckon_agent_victim_wait_stored (BeckonAgentVictim *victim, BeckonRunPhase phase, const char *messages);

/** Waits until the inbox, seen from outside, holds @n requests; returns the id of the oldest. */
char *beckon_agent_victim_wait_pending (BeckonAgentVictim *victim, guint n);

/** Answers from outside. @answer is taken. */
void beckon_agent_victim_answer (BeckonAgentVictim *victim, const char *request_id, BeckonAnswer *answer);

/** A new start after it: opens everything anew and takes over what is open. */
void beckon_agent_victim_succeed (BeckonAgentVictim *victim);

/** Kill and succeed. */
void beckon_agent_victim_replace (BeckonAgentVictim *victim);

G_END_DECLS
