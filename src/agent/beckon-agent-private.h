/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-agent.h"
#include "beckon-run.h"
#include "beckon-steering.h"
#include "beckon-titler.h"
#include "request/beckon-call-preview.h"
#include "request/beckon-keep-check.h"
#include "request/beckon-plan-tools.h"

G_BEGIN_DECLS

/* Between how runs begin (beckon-agent.c), how they are taken up (beckon-agent-recover.c), and what has to do with those of
 * other processes (beckon-agent-others.c). */

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

/** Looks again soon, where this process adopts runs, whether the drivers of other runs are alive. Then the end of that. */
void beckon_agent_watch (BeckonAgent *agent);
void beckon_agent_unwatch (BeckonAgent *agent);

/** Takes over what a process left that died. What was released waits for a person, and for whoever answers. */
void beckon_agent_take_over_dead (BeckonAgent *agent);

/** Lets hold what an answer is to be remembered for. */
void beckon_agent_remember (BeckonAgent *agent, BeckonRequest *request);

/** Takes up what was answered before its conversation was in the library. */
void beckon_agent_adopt_listed (BeckonAgent *agent);

/** Takes up what an answer has set free, which nobody drives here. */
void beckon_agent_take_up_settled (BeckonAgent *agent, BeckonRequest *request);

/** Whether a run may begin there, as far as this process knows. */
gboolean beckon_agent_is_free (BeckonAgent *agent, BeckonConversation *conversation);

/** Begins a turn with a queued message, and returns @task, which the caller keeps its reference of. */
void beckon_agent_begin_queued (BeckonAgent *agent, BeckonConversation *conversation, BeckonQueueItem *item, GTask *task);

/** Sends what is queued there when the turn ends. */
void beckon_agent_watch_queue (BeckonAgent *agent, BeckonConversation *conversation);

/** Empties the draft that was sent; files attached while it was being stored stay. @sent: (nullable). */
void beckon_agent_empty_draft (BeckonConversation *conversation, GPtrArray *sent);

/** A queued run of the conversation's profile, or of the one in use. Caller owns. */
BeckonRunRecord *beckon_agent_make_record (BeckonAgent *agent,
                                           BeckonConversation *conversation) G_GNUC_WARN_UNUSED_RESULT;

/** Whether any of @files may hold a secret that is to be masked. @files: (element-type BeckonPart). */
gboolean beckon_agent_has_text_files (BeckonAgent *agent, GPtrArray *files);

/** The files as they may be sent (element-type BeckonPart) (transfer full): those that hold no secret are the same objects. */
void       beckon_agent_mask_files_async (BeckonAgent *agent, GPtrArray *files, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *beckon_agent_mask_files_finish (BeckonAgent *agent, GAsyncResult *result,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Implements the interface with the functions of beckon-agent-preview.c. */
void beckon_agent_call_previewer_init (BeckonCallPreviewerInterface *iface);

/** Implements the interface with the functions of beckon-agent-keep.c. */
void beckon_agent_keep_check_init (BeckonKeepCheckInterface *iface);

/** Implements the interface with the functions of beckon-agent-plan.c. */
void beckon_agent_plan_tools_init (BeckonPlanToolsInterface *iface);

G_END_DECLS
