/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"
#include "policy/beckon-judgement.h"

G_BEGIN_DECLS

/** Logs the judgement of a call and its rules, each of which has one more use. @request: (nullable): what is asked for it */
void beckon_call_log_judgement (const BeckonRunScope *scope, BeckonToolCall *call, const BeckonJudgement *judgement,
                                BeckonRequest *request, BeckonBatch *batch);
void beckon_call_log_start (const BeckonRunScope *scope, BeckonToolCall *call, const char *permit_id, BeckonBatch *batch);

/** The decision on a call. */
typedef struct
{
  BeckonRequest *request;     /* (owned) (nullable): what it waits for */
  BeckonJudgement *judgement; /* (owned) (nullable): what policy said, where it was asked */
} BeckonCallDecision;

void beckon_call_decision_clear (BeckonCallDecision *decision);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonCallDecision, beckon_call_decision_clear)

/** @message: (nullable): %NULL while it is only looked at. */
BeckonToolContext beckon_call_make_context (const BeckonRunScope *scope, BeckonMessage *message, BeckonToolCall *call);

/** (transfer full): what the person's rules and the conversation's mode say to a call that would do this. */
BeckonJudgement *beckon_call_judge (const BeckonRunScope *scope, const BeckonEffects *effects);

/** Takes from @proposals (element-type BeckonRuleProposal) what would cover a part of what a rule denies. (transfer full)
 *  (nullable): words about it. */
char *beckon_call_leave_out_covering (const BeckonRunScope *scope, GPtrArray *proposals);

BeckonJudgement *beckon_call_judge_whole (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonCallSurvey *survey);
BeckonRequest   *beckon_call_ask_approval (const BeckonRunScope *scope, const BeckonToolContext *context,
                                           const BeckonCallSurvey *survey, const BeckonJudgement *judgement,
                                           const char *reason);

/** Whether a person may be asked about a call that stayed proposed, though calls before it are open. */
gboolean beckon_call_may_be_asked (BeckonCallBatch *calls, BeckonToolCall *call);

/** Refuses a call that can't be made with the files as they are, where the model may learn so. Returns: whether it did */
gboolean beckon_call_refuse_hopeless (BeckonCallBatch *calls, BeckonToolCall *call, const BeckonCallSurvey *survey);

/** Puts in what is settled about the arguments of a proposed call; again and again, before it is looked at and decided. */
gboolean beckon_call_prepare (BeckonCallBatch *calls, BeckonToolCall *call, GError **error);
void     beckon_call_refuse (BeckonToolCall *call, const char *result);
void     beckon_call_decide (BeckonCallBatch *calls, BeckonMessage *message, BeckonToolCall *call,
                             BeckonCallDecision *decision);
void     beckon_call_permit (BeckonToolCall *call);
void     beckon_call_write_permit (const BeckonRunScope *scope, BeckonToolCall *call, BeckonBatch *batch);
void     beckon_call_write_decision (const BeckonRunScope *scope, BeckonToolCall *call, const BeckonCallDecision *decision,
                                     BeckonBatch *batch, GPtrArray *requests);

G_END_DECLS
