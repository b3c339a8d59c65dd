/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-turn.h"

G_BEGIN_DECLS

/**
 * BeckonRunPreparation:
 *
 * Reads what has to be known before a run does anything: the history that the model is told, what requests begin with, what
 * commands in the folder work on, and what the folder brings for the agent and the person has of their own. Contents that a
 * person has not seen do not count: they are asked before the first round. Where nobody is there, the run resumes without them
 * and says so. Main thread.
 */
typedef struct _BeckonRunPreparation BeckonRunPreparation;

/** @turn: is given what requests begin with, and lives at least as long. @has_begun: a round of it was made before */
BeckonRunPreparation *beckon_run_preparation_new (const BeckonRunScope *scope, BeckonTurn *turn,
                                                  gboolean has_begun) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_run_preparation_unref (BeckonRunPreparation *self);

/** The run is gone: what is read later is dropped. */
void beckon_run_preparation_abandon (BeckonRunPreparation *self);

/** Whether nothing has to be read or waited for now. */
gboolean beckon_run_preparation_is_done (const BeckonRunPreparation *self);

/** Reads the next thing of which is_done() says that it is missing, or waits for it. */
void     beckon_run_preparation_async (BeckonRunPreparation *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_run_preparation_finish (GAsyncResult *result, GError **error);

/** Whether the person is asked something before the first round, and has not answered yet. Says to the turn what holds, as soon
 *  as they have. */
gboolean beckon_run_preparation_is_asking (BeckonRunPreparation *self);

/** The run stops: that is asked no more, and no server waited for. */
void beckon_run_preparation_take_back (BeckonRunPreparation *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRunPreparation, beckon_run_preparation_unref)

G_END_DECLS
