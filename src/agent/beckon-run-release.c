/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-run-release.h"

#include "base/beckon-error.h"

#include <glib/gi18n-lib.h>

struct _BeckonRunRelease
{
  const BeckonRunScope *scope;
  BeckonRunCommits *commits;
  const BeckonRunRow *row;
  const BeckonRunReleaseHost *host;
  gpointer run;
  GPtrArray *waiting; /* (owned) (element-type GTask): for the end of its preparation */
};

BeckonRunRelease *
beckon_run_release_new (const BeckonRunScope *scope, BeckonRunCommits *commits, const BeckonRunRow *row,
                        const BeckonRunReleaseHost *host, gpointer run)
{
  BeckonRunRelease *self = g_new0 (BeckonRunRelease, 1);

  self->scope = scope;
  self->commits = commits;
  self->row = row;
  self->host = host;
  self->run = run;
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

/* Tasks own a reference to the run, so none can wait here. */
void
beckon_run_release_free (BeckonRunRelease *self)
{
  g_assert (self->waiting->len == 0);

  g_ptr_array_unref (self->waiting);
  g_free (self);
}

typedef struct
{
  const BeckonRunReleaseHost *host;
  BeckonRunTicket *ticket;
} Releasing;

static void
on_released (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Releasing *releasing = g_task_get_task_data (task);
  g_autoptr (GObject) run = beckon_run_ticket_redeem (g_steal_pointer (&releasing->ticket));
  g_autoptr (GError) error = NULL;
  gboolean released = beckon_store_release_run_finish (BECKON_STORE (source), result, &error);

  if (run != NULL && released)
    releasing->host->detach (run);
  else if (run != NULL)
    releasing->host->step (run);
  if (run != NULL && !released)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_boolean (task, TRUE);
}

/* No work begins before it is known whether another process may. */
static void
run_release_end (BeckonRunRelease *self, GTask *task, guint n_pending)
{
  Releasing *releasing = g_new (Releasing, 1);

  releasing->host = self->host;
  releasing->ticket = beckon_run_ticket_new (self->commits, TRUE);
  g_task_set_task_data (task, releasing, g_free);
  beckon_store_release_run_async (self->scope->parts.store, beckon_run_row_get (self->row)->id, n_pending, NULL, on_released,
                                  g_object_ref (task));
}

/* Without an open request there is something to do, although it may not have begun yet. */
static void
try (BeckonRunRelease *self, GTask *task)
{
  guint n_pending = beckon_inbox_count_for (self->scope->parts.inbox, beckon_run_scope_get_id (self->scope));
  BeckonRunStand stand = self->host->get_stand (self->run);

  if (stand == BECKON_RUN_STAND_OVER)
    g_task_return_boolean (task, TRUE);
  else if (stand == BECKON_RUN_STAND_PREPARES)
    g_ptr_array_add (self->waiting, g_object_ref (task));
  else if (stand == BECKON_RUN_STAND_RESTS && n_pending > 0)
    run_release_end (self, task, n_pending);
  else
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_CONFLICT, "%s", _ ("The agent is still at work."));
}

void
beckon_run_release_try_async (BeckonRunRelease *self, gpointer tag, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self->run, NULL, callback, user_data);

  g_task_set_source_tag (task, tag);
  try (self, task);
}

void
beckon_run_release_go_on (BeckonRunRelease *self)
{
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&self->waiting);

  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < waiting->len; i++)
    try (self, g_ptr_array_index (waiting, i));
}
