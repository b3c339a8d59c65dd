/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"
#include "agent/beckon-steering.h"

G_BEGIN_DECLS

/**
 * BeckonRunRest:
 *
 * The rest of a run whose model is done but for the answers to questions that it did not wait for: whenever there is news, it
 * is looked what there is to tell the model. The store says what is open and what is to be told, whichever process answers.
 */
typedef struct _BeckonRunRest BeckonRunRest;

/**
 * BeckonRestNews:
 * @BECKON_REST_WAITS: questions are open, and nothing is to be told
 * @BECKON_REST_GOES_ON: something joined the history
 * @BECKON_REST_DISMISSED: what was open was dismissed, which ends a run by the person's settings
 * @BECKON_REST_OVER: nothing is open
 *
 * What a look found.
 */
typedef enum
{
  BECKON_REST_WAITS,
  BECKON_REST_GOES_ON,
  BECKON_REST_DISMISSED,
  BECKON_REST_OVER,
} BeckonRestNews;

BeckonRunRest *beckon_run_rest_new (const BeckonRunScope *scope) G_GNUC_WARN_UNUSED_RESULT;
void           beckon_run_rest_free (BeckonRunRest *self);

/** Notes how many questions were open when a round began. */
void beckon_run_rest_note (BeckonRunRest *self, const BeckonSteering *found);

/** Whether a reply without calls leaves questions open. */
gboolean beckon_run_rest_is_due (const BeckonRunRest *self);

void     beckon_run_rest_begin (BeckonRunRest *self);
void     beckon_run_rest_end (BeckonRunRest *self);
gboolean beckon_run_rest_is_resting (const BeckonRunRest *self);

/** Notes that there may be news. */
void beckon_run_rest_wake (BeckonRunRest *self);

/** A run that was taken over may have been resting. @calls: with the last message */
void beckon_run_rest_recover (BeckonRunRest *self, const BeckonRunRecord *record, const BeckonCallBatch *calls);

/** Whether there was news since the last look. */
gboolean beckon_run_rest_has_news (const BeckonRunRest *self);

/** @record: the run's row as it is now. @takes_queue: see beckon_steering_take_async(). @callback: called later */
void     beckon_run_rest_look_async (BeckonRunRest *self, const BeckonRunRecord *record, gboolean takes_queue,
                                     GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_run_rest_look_finish (BeckonRunRest *self, GAsyncResult *result, BeckonRestNews *news, GError **error);

/** A stop of the run, or another version of what asked, has ended open questions in the store: the inbox hears of those. */
void beckon_run_rest_tell_inbox (const BeckonAgentParts *parts, const char *conversation_id);

G_END_DECLS
