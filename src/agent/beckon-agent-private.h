/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-agent.h"
#include "beckon-run.h"
#include "beckon-steering.h"
#include "beckon-titler.h"
#include "request/beckon-call-preview.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-plan-request.h"

G_BEGIN_DECLS

/* Between the agent's life (beckon-agent.c), how runs begin (beckon-agent-send.c), and how they are taken up, and stopped where
 * another process drives them (beckon-agent-recover.c). */

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
  GHashTable *unlisted;     /* conversation id → BeckonRequestState: answered here, and not in the library yet */
  gboolean adopts;
  gboolean follows_queue;      /* when a turn ends, the next queued message begins one */
  guint watch_timeout;      /* until the next look whether a driver has died */
  GCancellable *letting_go; /* (owned): cancelled when the process lets go of its runs */
};

/** Whether no run needs a model just now. One that waits for a person needs none. */
gboolean beckon_agent_is_at_rest (BeckonAgent *agent);

/** Drives a run that is stored and ours. */
void beckon_agent_drive (BeckonAgent *agent, BeckonRun *run);

/** Takes back a summary that the person asked for; FALSE if none is on its way there. Then the same for all. */
gboolean beckon_agent_stop_compacting (BeckonAgent *agent, const char *conversation_id);
void     beckon_agent_stop_all_compacting (BeckonAgent *agent);

/** Stops a run that this process doesn't drive. */
void beckon_agent_stop_elsewhere (BeckonAgent *agent, BeckonConversation *conversation);

/** Looks for another process's stop, or a run to be watched from now on. */
void beckon_agent_follow_store (BeckonAgent *agent);

/** No longer looks whether the drivers of other runs are alive. */
void beckon_agent_unwatch (BeckonAgent *agent);

/** Takes up what was answered before its conversation was in the library. */
void beckon_agent_adopt_listed (BeckonAgent *agent);

/** Takes up what an answer has set free, which nobody drives here. */
void beckon_agent_take_up_settled (BeckonAgent *agent, BeckonRequest *request);

/** Fails @task, because a run is under way there. */
void beckon_agent_return_taken (GTask *task);

/** Sends what is queued there when the turn ends. */
void beckon_agent_watch_queue (BeckonAgent *agent, BeckonConversation *conversation);

/** A queued run of the conversation's profile, or of the one in use. Caller owns. */
BeckonRunRecord *beckon_agent_make_record (BeckonAgent *agent,
                                           BeckonConversation *conversation) G_GNUC_WARN_UNUSED_RESULT;

/** Implement what the inbox asks of the agent, with the functions of beckon-agent-inbox.c. */
void beckon_agent_call_previewer_init (BeckonCallPreviewerInterface *iface);
void beckon_agent_keep_check_init (BeckonKeepCheckInterface *iface);
void beckon_agent_plan_tools_init (BeckonPlanToolsInterface *iface);

G_END_DECLS
