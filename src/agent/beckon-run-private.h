/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-mask.h"
#include "beckon-call-batch.h"
#include "beckon-length-guard.h"
#include "beckon-prompt-prefix.h"
#include "beckon-reply.h"
#include "beckon-round.h"
#include "beckon-spending-limit.h"
#include "beckon-tries.h"
#include "beckon-run.h"
#include "policy/beckon-judgement.h"
#include "request/beckon-approval-details.h"

G_BEGIN_DECLS

/*
 * The run is split by concern over files that share this structure: beckon-run.c has the life of the task and the step
 * function, beckon-run-round.c what becomes of a request to the model (beckon-round.h), beckon-run-calls.c what becomes of the
 * calls, beckon-run-decide.c what is said to them, beckon-run-start.c how they start,
 * beckon-run-confirm.c what is said in that moment, beckon-run-parameters.c what is settled about arguments, beckon-run-log.c
 * what is kept of that, beckon-run-tools.c their tools, beckon-run-ask.c the turn that ends with a question,
 * beckon-run-secrets.c masked answers, beckon-run-recover.c what becomes of calls whose process is gone, beckon-run-look.c
 * looking what became of one, beckon-run-plan.c plans, beckon-run-land.c what commands changed on its way into the folder,
 * beckon-run-land-now.c what lands while a command still runs, beckon-run-stop.c the other endings.
 *
 * Everything happens on the main thread. A callback from outside records what came and calls beckon_run_step(), which
 * decides what is next. While a commit that decides something is under way (committing > 0) nothing steps,
 * so that nothing is done that is not written yet. Callbacks that belong to an earlier activation are dropped by its number.
 */
struct _BeckonRun
{
  GObject parent_instance;

  /* input */
  BeckonAgentParts parts;           /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  gboolean has_person;

  /* in progress */
  BeckonRunRecord *record;     /* (owned) */
  GTask *task;                 /* (owned) (nullable): while it is driven */
  GCancellable *outer;         /* (owned) (nullable): the caller's */
  gulong outer_handler;
  GCancellable *cancellable;   /* (owned): ours, for the provider and the tools */
  gulong settled_handler;
  guint activation;
  guint committing;            /* commits that a step must wait for */
  BeckonCallBatch *calls;      /* (owned): those of the message that is being worked on */
  guint patience_timeout;
  gboolean is_impatient;
  gboolean is_learning;        /* what commands in the folder work on */
  char *viewed_folder;         /* (owned) (nullable): the folder of which it is known what commands in it work on */
  BeckonTries *tries;          /* (owned): which profile is asked */
  BeckonPromptPrefix *prefix;  /* (owned) (nullable): what requests begin with; %NULL until what is stored of it was read */
  BeckonRound *round;          /* (owned) (nullable): the one under way; its reply until that is stored */
  guint steered_round;         /* the last round before which it was asked what a person wants the model to see now */
  guint n_pauses;              /* replies in a row that a search paused */
  BeckonLengthGuard *length;   /* (owned) */
  BeckonSpendingLimit *spending; /* (owned) (nullable): from the first round on; a run that was taken over has none */
  guint stop_source;
  BeckonRunPhase phase_before; /* see beckon_run_move_back() */
  gboolean stopping;           /* an ending was asked for from outside the provider's reply */
  BeckonRunEvent stop_event;
  guint stop_tries;

  /* results */
  gboolean over;
};

typedef void (*BeckonRunCommitted) (BeckonRun *run, gpointer user_data);

/* beckon-run.c */
void beckon_run_step (BeckonRun *run);
void beckon_run_move (BeckonRun *run, BeckonRunEvent event, const char *detail);

/** The same for an event that leads to %BECKON_RUN_RETRY_WAIT. @retry_at: microseconds since the epoch */
void beckon_run_move_at (BeckonRun *run, BeckonRunEvent event, const char *detail, gint64 retry_at);

/** Takes back the last move: what it was made for could not be stored. */
void beckon_run_move_back (BeckonRun *run);

/** Fails the run, in any phase, when that can't be stored. */
void beckon_run_break_off (BeckonRun *run, const char *detail);

/** The run's row as it is after @event, while the run stays where it is. Caller owns. */
BeckonRunRecord *beckon_run_dup_moved (BeckonRun *run, BeckonRunEvent event) G_GNUC_WARN_UNUSED_RESULT;

void beckon_run_commit (BeckonRun *run, BeckonBatch *batch, BeckonRunCommitted committed, gpointer user_data,
                        GDestroyNotify destroy);
void beckon_run_commit_end (BeckonRun *run, BeckonBatch *batch, BeckonRunCommitted committed, gpointer user_data);
void beckon_run_commit_behind (BeckonRun *run, BeckonBatch *batch);
gint64 beckon_run_now (BeckonRun *run);
void beckon_run_return (BeckonRun *run);

/* beckon-run-round.c */
void beckon_run_begin_round (BeckonRun *run);
void beckon_run_cancel_round (BeckonRun *run);
void beckon_run_take_calls_back (BeckonRun *run);

/** (nullable): what the round has received and is not stored with its calls yet; borrowed. */
BeckonReply *beckon_run_get_reply (BeckonRun *run);

/** Adds a note to the conversation of @run, and stores it. */
void beckon_run_add_note (BeckonMessage *note, gpointer run);

/**
 * BeckonCallExecutor:
 * @begin: (nullable): begins to carry out a call whose start is stored
 * @can_advance: (nullable): of one that goes on in steps: whether none of them is open
 * @advance: (nullable): begins its next step, or ends it
 * @report_stopped: (transfer full) (nullable): the result of a call that a stop ends
 *
 * How a decided call is carried out. One that goes on in steps runs nothing itself: its steps are calls, each decided for
 * itself.
 */
typedef struct
{
  void (*begin) (BeckonRun *run, BeckonToolCall *call);
  gboolean (*can_advance) (BeckonToolCall *call);
  void (*advance) (BeckonRun *run, BeckonToolCall *call);
  char *(*report_stopped) (BeckonToolCall *call);
} BeckonCallExecutor;

extern const BeckonCallExecutor beckon_tool_executor; /* beckon-run-tools.c */
extern const BeckonCallExecutor beckon_plan_executor; /* beckon-run-plan.c */

/* beckon-run-calls.c */
const BeckonCallExecutor *beckon_run_find_executor (BeckonToolCall *call);
BeckonCallBatch *beckon_run_make_calls (BeckonRun *run);
GPtrArray *beckon_run_plan_calls (BeckonRun *run, BeckonReply *reply, BeckonBatch *batch);
void       beckon_run_show_calls (BeckonRun *run, gpointer calls_and_requests);
void       beckon_run_step_calls (BeckonRun *run);
void       beckon_run_settled (BeckonRun *run, BeckonRequest *request, const BeckonSettlement *settlement);
gboolean   beckon_run_may_ask (BeckonRun *run);
gboolean   beckon_run_is_dismissed_by (BeckonRun *run, BeckonRequest *request);
void       beckon_run_dismiss (BeckonRun *run);

/* beckon-run-decide.c */

/** The decision on a call. */
typedef struct
{
  BeckonRequest *request;     /* (owned) (nullable): what it waits for */
  BeckonJudgement *judgement; /* (owned) (nullable): what policy said, where it was asked */
} BeckonRunDecision;

void beckon_run_decision_clear (BeckonRunDecision *decision);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonRunDecision, beckon_run_decision_clear)

BeckonToolContext beckon_run_make_context (BeckonRun *run, BeckonMessage *message, BeckonToolCall *call);
BeckonJudgement  *beckon_run_judge (BeckonRun *run, const BeckonEffects *effects);
BeckonRequest    *beckon_run_ask_approval (BeckonRun *run, const BeckonToolContext *context,
                                           const BeckonCallSurvey *survey, const BeckonJudgement *judgement,
                                           const char *reason);
gboolean beckon_run_prepare_call (BeckonRun *run, BeckonToolCall *call, GError **error);
void beckon_run_refuse_call (BeckonToolCall *call, const char *result);
void beckon_run_decide_call (BeckonRun *run, BeckonMessage *message, BeckonToolCall *call, BeckonRunDecision *decision);
void beckon_run_permit_call (BeckonToolCall *call);
void beckon_run_write_permit (BeckonRun *run, BeckonToolCall *call, BeckonBatch *batch);
void beckon_run_write_decision (BeckonRun *run, BeckonToolCall *call, const BeckonRunDecision *decision,
                                BeckonBatch *batch, GPtrArray *requests);

/* beckon-run-parameters.c */
gboolean beckon_run_settle_arguments (BeckonRun *run, BeckonTool *tool, BeckonToolCall *call, GError **error);
gboolean beckon_run_settle_plan (BeckonRun *run, BeckonToolContext *context, GError **error);
gboolean beckon_run_check_step_parameters (BeckonRun *run, const BeckonPlanStep *step, GError **error);
gboolean beckon_run_check_parameters (BeckonRun *run, BeckonTool *tool, const BeckonCallSurvey *survey, GError **error);
void     beckon_run_describe_parameters (BeckonRun *run, BeckonTool *tool, const char *arguments,
                                         BeckonApprovalDetails *details);

/* beckon-run-confirm.c */
gboolean    beckon_run_confirm_call (BeckonRun *run, BeckonToolCall *call, BeckonRunDecision *decision);
const char *beckon_run_get_files (BeckonToolCall *call);
const char *beckon_run_get_shown_arguments (BeckonToolCall *call);
const char *beckon_run_find_permit (BeckonToolCall *call);
gboolean    beckon_run_is_decided_by_person (BeckonToolCall *call);
void        beckon_run_ask_about (BeckonRun *run, BeckonToolCall *call, const char *reason, BeckonRunDecision *decision);

/* beckon-run-log.c */
void beckon_run_log_judgement (BeckonRun *run, BeckonToolCall *call, const BeckonRunDecision *decision,
                               BeckonBatch *batch);
void beckon_run_log_start (BeckonRun *run, BeckonToolCall *call, const char *permit_id, BeckonBatch *batch);

/* beckon-run-recover.c */

/** The calls of a run whose process is gone, until they are looked at. */
typedef struct
{
  BeckonBatch *batch; /* (owned) (nullable) */
  GPtrArray *calls;   /* (owned) (element-type BeckonToolCall) */
  GArray *states;     /* (owned) (element-type BeckonCallState): what each was */
} BeckonInheritance;

BeckonInheritance *beckon_inheritance_new (BeckonRun *run, BeckonBatch *batch);
void               beckon_inheritance_free (BeckonInheritance *self);
void               beckon_run_recover_calls (BeckonRun *run, const BeckonInheritance *inheritance, BeckonBatch *batch,
                                             GPtrArray *requests);
BeckonRequest *beckon_run_make_request_anew (BeckonRun *run, BeckonToolCall *call);

/* beckon-run-look.c */
gboolean beckon_run_is_to_look (BeckonToolCall *call);
void     beckon_run_look (BeckonRun *run, BeckonToolCall *call);

/* beckon-run-land.c */

/** Whether the call is started and its command has ended with changes that are not landed. */
gboolean       beckon_run_has_landing (BeckonToolCall *call);

/** Whether a person is asked about them. */
gboolean       beckon_run_waits_to_land (BeckonToolCall *call);
void           beckon_run_take_landing (BeckonRun *run, BeckonToolCall *call, BeckonLanding *landing);
void           beckon_run_land (BeckonRun *run, BeckonToolCall *call);
gboolean       beckon_run_ran_on_view (BeckonToolCall *call);
BeckonRequest *beckon_run_recover_landing (BeckonRun *run, BeckonToolCall *call, BeckonBatch *batch);

/** Goes on with what was decided before a stop; %FALSE if there is nothing. */
gboolean       beckon_run_finish_landings (BeckonRun *run);

/** Drops all changes of the call: its place goes. */
void           beckon_run_drop_landing (BeckonRun *run, BeckonToolCall *call);

/** Decides the open changes by the rules and the mode, as far as those do. */
void           beckon_run_judge_changes (BeckonRun *run, BeckonToolCall *call, BeckonLanding *landing);

/** A line in the provenance. @request: (nullable): by which a person decided */
void           beckon_run_log_landing (BeckonRun *run, BeckonToolCall *call, const BeckonLanding *landing,
                                       BeckonRequest *request, BeckonBatch *batch);

/** Decides the open changes by a person's answer. @request: (nullable): none leaves them out */
void           beckon_run_apply_answer (BeckonRequest *request, BeckonChangeSet *changes);

/** The two steps of a landing, each to be stored: it is decided, and then landed. Worker threads. */
void           beckon_run_plan_landing (BeckonLanding *landing, gboolean is_temporary);
void           beckon_run_carry_out_landing (BeckonLanding *landing);

/* beckon-run-land-now.c */

/** Drops a landing that was to come while its command ran, unless it was decided. */
void           beckon_run_drop_early (BeckonRun *run, BeckonToolCall *call, BeckonBatch *batch);

/* beckon-run-plan.c */
gboolean beckon_run_check_plan (BeckonRun *run, BeckonRequest *request, GError **error);
gboolean beckon_run_pauses_before (BeckonToolCall *call);
void     beckon_run_mark_step (BeckonToolCall *call, BeckonRequest *request);
void     beckon_run_follow_plan (BeckonToolCall *call, const BeckonSettlement *settlement);

/* beckon-run-start.c */
void           beckon_run_start_calls (BeckonRun *run, GPtrArray *calls);
BeckonHookCall beckon_run_make_hook_call (BeckonRun *run, BeckonToolCall *call);

/* beckon-run-tools.c */
char *beckon_run_tell_changes (BeckonToolCall *call, const char *result);

/* beckon-run-prompt.c */
void beckon_run_prompt_async (BeckonRun *run, BeckonToolCall *call, BeckonRequest *request, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);
void beckon_run_cancel_prompts (BeckonRun *run);

/* beckon-run-secrets.c */

/** The input of a started call: its arguments with the values of secrets in them, and the mask for its output. */
typedef struct
{
  char *arguments;
  BeckonMask *mask;     /* (nullable): there is nothing to mask */
  gboolean has_secrets; /* of the conversation's own */
} BeckonRevealed;

void            beckon_revealed_free (BeckonRevealed *revealed);
gboolean        beckon_run_names_secret (BeckonToolCall *call);
gboolean        beckon_run_may_have_secrets (BeckonRun *run, BeckonToolCall *call);
void            beckon_run_reveal_async (BeckonRun *run, BeckonToolCall *call, GAsyncReadyCallback callback,
                                         gpointer user_data);
BeckonRevealed *beckon_run_reveal_finish (GAsyncResult *result, GError **error);

/** The mask by what secrets there are now; beckon_known_secrets_make_mask_finish() has it. */
void            beckon_run_mask_async (BeckonRun *run, GAsyncReadyCallback callback, gpointer user_data);

/* beckon-run-ask.c */
gboolean beckon_run_try_end_turn (BeckonRun *run, BeckonReply *reply);

/* beckon-run-stop.c */
void beckon_run_show_end (BeckonRun *run, gpointer status);
void beckon_run_end (BeckonRun *run, BeckonRunEvent event, BeckonMessageStatus status, const char *detail);
void beckon_run_fail (BeckonRun *run, const char *detail);
void beckon_run_commit_stop (BeckonRun *run);

G_END_DECLS
