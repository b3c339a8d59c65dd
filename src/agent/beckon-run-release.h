/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-run-commits.h"
#include "agent/beckon-run-row.h"
#include "agent/beckon-run-scope.h"

G_BEGIN_DECLS

/**
 * BeckonRunRelease:
 *
 * How a process lets go of a run that waits for a person, so that any other may take it up. An accepted answer is carried out
 * by the process that drives the run, so none is left behind. Main thread.
 */
typedef struct _BeckonRunRelease BeckonRunRelease;

/**
 * BeckonRunStand:
 * @BECKON_RUN_STAND_OVER: not driven here, or over
 * @BECKON_RUN_STAND_PREPARES: reads what it has to know, and has not looked at what was answered meanwhile
 * @BECKON_RUN_STAND_WORKS: has something to do
 * @BECKON_RUN_STAND_RESTS: waits for a person, and for nothing else
 */
typedef enum
{
  BECKON_RUN_STAND_OVER,
  BECKON_RUN_STAND_PREPARES,
  BECKON_RUN_STAND_WORKS,
  BECKON_RUN_STAND_RESTS,
} BeckonRunStand;

/**
 * BeckonRunReleaseHost:
 * @get_stand: how the run stands
 * @step: decides what is next: it was not released
 * @detach: it was released, and is not driven any more
 *
 * What is needed of the run.
 */
typedef struct
{
  BeckonRunStand (*get_stand) (gpointer run);
  void (*step) (gpointer run);
  void (*detach) (gpointer run);
} BeckonRunReleaseHost;

/** @commits, @row: the run's; borrowed. @host: static. @run: a #GObject that owns what is returned. Caller owns. */
BeckonRunRelease *beckon_run_release_new (const BeckonRunScope *scope, BeckonRunCommits *commits, const BeckonRunRow *row,
                                          const BeckonRunReleaseHost *host, gpointer run) G_GNUC_WARN_UNUSED_RESULT;
void              beckon_run_release_free (BeckonRunRelease *self);

/** Lets go of the run, behind its preparation. @tag: the source tag; the source object is the run. @callback: called later,
 *  with %BECKON_ERROR_CONFLICT where there is something to do. Finish with g_task_propagate_boolean(). */
void beckon_run_release_try_async (BeckonRunRelease *self, gpointer tag, GAsyncReadyCallback callback, gpointer user_data);

/** Its preparation is over, or the run is: those who wait for that go on. */
void beckon_run_release_go_on (BeckonRunRelease *self);

G_END_DECLS
