/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-agent.h"
#include "beckon-run.h"
#include "beckon-titler.h"

G_BEGIN_DECLS

/* Between how runs begin (beckon-agent.c) and how they are taken up (beckon-agent-recover.c). */

struct _BeckonAgent
{
  GObject parent_instance;

  /* input */
  BeckonAgentParts parts; /* (owned) */
  gboolean has_person;
  BeckonTitler *titler; /* (owned) (nullable) */

  /* in progress */
  GHashTable *runs;         /* conversation id → BeckonRun (owned), or NULL while the run is being stored */
  GHashTable *stop_soon;    /* ids of conversations whose run is to be stopped as soon as it is stored */
  GHashTable *compacting;   /* conversation id → GCancellable (owned): a summary is on its way; `runs` has these, too */
  GHashTable *asked;        /* ids of conversations whose turn ended with a question in this process */
  gboolean adopts;
  GCancellable *letting_go; /* (owned): cancelled when the process lets go of its runs */
};

/** Drives a run that is stored and ours. */
void beckon_agent_drive (BeckonAgent *agent, BeckonRun *run);

/** Takes back a summary that the person asked for; FALSE if none is on its way there. Then the same for all. */
gboolean beckon_agent_stop_compacting (BeckonAgent *agent, const char *conversation_id);
void     beckon_agent_stop_all_compacting (BeckonAgent *agent);

/** Lets hold what an answer is to be remembered for. */
void beckon_agent_remember (BeckonInbox *inbox, BeckonRequest *request, BeckonAgent *agent);

/** Takes up what an answer has set free, if nobody drives it. */
void beckon_agent_follow_settled (BeckonInbox *inbox, BeckonRequest *request, BeckonAgent *agent);

/** A queued run of the conversation's profile, or of the one in use. Caller owns. */
BeckonRunRecord *beckon_agent_make_record (BeckonAgent *agent,
                                           BeckonConversation *conversation) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
