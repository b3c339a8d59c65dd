/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-run-scope.h"
#include "policy/beckon-judgement.h"

G_BEGIN_DECLS

/** Logs the judgement of a call and its rules, each of which has one more use. @request: (nullable): what is asked for it */
void beckon_call_log_judgement (const BeckonRunScope *scope, BeckonToolCall *call, const BeckonJudgement *judgement,
                                BeckonRequest *request, BeckonBatch *batch);
void beckon_call_log_start (const BeckonRunScope *scope, BeckonToolCall *call, const char *permit_id, BeckonBatch *batch);

G_END_DECLS
