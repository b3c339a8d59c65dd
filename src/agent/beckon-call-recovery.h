/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"
#include "store/db/beckon-run-record.h"

G_BEGIN_DECLS

/** Whether the person lets the tool look what became of a call. */
gboolean beckon_call_is_to_verify (BeckonToolCall *call);

/** Lets it look, once, however often the run steps meanwhile. */
void beckon_call_verify (BeckonCallBatch *calls, BeckonToolCall *call);

/** The calls of a run whose process is gone, until they are looked at. */
typedef struct
{
  BeckonRun *run;        /* borrowed: whose they are */
  BeckonBatch *batch;    /* (owned) (nullable) */
  GPtrArray *calls;      /* (owned) (element-type BeckonToolCall) */
  GArray *states;        /* (owned) (element-type BeckonCallState): what each was */
  gboolean was_released; /* its driver did not die with it */
  gboolean is_queued;    /* it has not begun */
} BeckonCallRecovery;

/** The last message with calls is the one that is being worked on; a reply that was streaming is cut off, in @batch, and so is
 *  what ran in the background, but for landings of a run that @goes_on, which are split off. */
void beckon_call_recovery_take_message (BeckonCallBatch *calls, gboolean goes_on, BeckonBatch *batch);

/** Finds out what there is to take over. What a running tool asked goes. @background: (element-type BeckonCallBatch): those
 *  that were split off; @batch: (transfer full): where it is stored */
BeckonCallRecovery *beckon_call_recovery_new (BeckonCallBatch *calls, GPtrArray *background, const BeckonRunRecord *record,
                                              BeckonBatch *batch, BeckonRun *run) G_GNUC_WARN_UNUSED_RESULT;
void                beckon_call_recovery_free (BeckonCallRecovery *self);

/** Decides what becomes of those calls. One that was answered while they were looked at goes the way of every answer. Returns:
 *  (transfer full) (element-type BeckonRequest): what is asked anew */
GPtrArray *beckon_call_recovery_decide (const BeckonCallRecovery *self, BeckonCallBatch *calls,
                                        BeckonBatch *batch) G_GNUC_WARN_UNUSED_RESULT;

/** (element-type BeckonRequest): what is asked anew is stored. */
void beckon_call_recovery_show (BeckonCallBatch *calls, gpointer requests);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonCallRecovery, beckon_call_recovery_free)

G_END_DECLS
