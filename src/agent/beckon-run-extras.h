/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-turn.h"

G_BEGIN_DECLS

/**
 * BeckonRunExtras:
 *
 * Reads at the beginning of a turn what the folder brings for the agent, and what the person has of their own. Contents that a
 * person has not seen do not count: they are asked before the first round. Where nobody is there, the run resumes without
 * them and says so. Main thread.
 */
typedef struct _BeckonRunExtras BeckonRunExtras;

/** @turn: is told what holds, and lives until beckon_run_extras_abandon() */
BeckonRunExtras *beckon_run_extras_new (const BeckonRunScope *scope, BeckonTurn *turn) G_GNUC_WARN_UNUSED_RESULT;
BeckonRunExtras *beckon_run_extras_ref (BeckonRunExtras *self);
void             beckon_run_extras_unref (BeckonRunExtras *self);

/** The turn is gone. */
void beckon_run_extras_abandon (BeckonRunExtras *self);

/** Whether all was read. */
gboolean beckon_run_extras_is_read (const BeckonRunExtras *self);

/** Reads it, and asks what has to be asked. @may_ask: no round of the turn has begun */
void     beckon_run_extras_async (BeckonRunExtras *self, gboolean may_ask, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_run_extras_finish (GAsyncResult *result, GError **error);

/** Whether the person has not answered yet. Says to the turn what holds, as soon as they have. */
gboolean beckon_run_extras_is_asking (BeckonRunExtras *self);

/** Whether servers of the folder are brought in step with what holds, or start; for a bounded time. */
gboolean beckon_run_extras_is_starting (const BeckonRunExtras *self);

/** Waits until they are, or that time is over. One wait at a time. */
void     beckon_run_extras_wait_async (BeckonRunExtras *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_run_extras_wait_finish (GAsyncResult *result, GError **error);

/** The run stops: nothing is asked any more, and no server waited for. */
void beckon_run_extras_take_back (BeckonRunExtras *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRunExtras, beckon_run_extras_unref)

G_END_DECLS
