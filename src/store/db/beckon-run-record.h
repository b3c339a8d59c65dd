/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-run-phase.h"

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * BeckonRunRecord:
 * @id: unique id
 * @conversation_id: whose
 * @title: (nullable): the conversation's, as far as it has one; only read, never written
 * @profile_id: the profile it began with
 * @phase: where it stands
 * @detail: (nullable): what goes with the phase, such as an error's message
 * @round: requests sent to the provider so far
 * @round_limit: how many it may send
 * @retry_at: microseconds since the epoch, with retry-wait; 0 otherwise
 * @held: a living process other than this one drives it; only read, never written
 * @left_by: (nullable): the lease of the process that drove it last and ended without releasing it; only read, never written
 * @stop_asked: a person wants it to stop, and another process was to do that; only read, never written
 *
 * One row per turn of the agent. A run is its row; the task that drives it is one activation of it.
 */
typedef struct
{
  char *id;
  char *conversation_id;
  char *title;
  char *profile_id;
  BeckonRunPhase phase;
  char *detail;
  guint round;
  guint round_limit;
  gint64 retry_at;
  gboolean held;
  char *left_by;
  gboolean stop_asked;
} BeckonRunRecord;

/** Queued, round 0, with a new id. Caller owns. */
BeckonRunRecord *beckon_run_record_new (const char *conversation_id, const char *profile_id,
                                        guint round_limit) G_GNUC_WARN_UNUSED_RESULT;
BeckonRunRecord *beckon_run_record_copy (const BeckonRunRecord *record) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_run_record_free (BeckonRunRecord *record);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRunRecord, beckon_run_record_free)

G_END_DECLS
