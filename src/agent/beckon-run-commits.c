/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-run-commits.h"

#include "base/beckon-error.h"

struct _BeckonRunCommits
{
  BeckonStore *store; /* (owned) */
  const BeckonRunCommitsHost *host;
  gpointer run;
  guint activation;
  guint n_busy; /* what a step must wait for */
};

struct _BeckonRunTicket
{
  BeckonRunCommits *commits;
  gpointer run; /* (owned) */
  guint activation;
  gboolean is_busy;
  gboolean may_follow;          /* what it tells of may be shown before it is written */
  BeckonRunCommitted committed; /* (nullable) */
  BeckonCallBatch *calls;       /* (owned) (nullable): for what follows */
  BeckonCallBatchWritten written; /* (nullable) */
  gpointer user_data;
  GDestroyNotify destroy;       /* (nullable) */
};

BeckonRunCommits *
beckon_run_commits_new (BeckonStore *store, const BeckonRunCommitsHost *host, gpointer run)
{
  BeckonRunCommits *self = g_new0 (BeckonRunCommits, 1);

  self->store = g_object_ref (store);
  self->host = host;
  self->run = run;
  return self;
}

void
beckon_run_commits_free (BeckonRunCommits *self)
{
  g_object_unref (self->store);
  g_free (self);
}

void
beckon_run_commits_reset (BeckonRunCommits *self)
{
  self->activation++;
  self->n_busy = 0;
}

gboolean
beckon_run_commits_is_busy (const BeckonRunCommits *self)
{
  return self->n_busy > 0;
}

/* --- Tickets ------------------------------------------------------------------------------------------------------- */

BeckonRunTicket *
beckon_run_ticket_new (BeckonRunCommits *commits, gboolean is_busy)
{
  BeckonRunTicket *ticket = g_new0 (BeckonRunTicket, 1);

  ticket->commits = commits;
  ticket->run = g_object_ref (commits->run);
  ticket->activation = commits->activation;
  ticket->is_busy = is_busy;
  if (is_busy)
    commits->n_busy++;
  return ticket;
}

static void
ticket_free (BeckonRunTicket *ticket)
{
  if (ticket->destroy != NULL && ticket->user_data != NULL)
    ticket->destroy (ticket->user_data);
  g_clear_pointer (&ticket->calls, beckon_call_batch_unref);
  g_clear_object (&ticket->run);
  g_free (ticket);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRunTicket, ticket_free)

/* %FALSE: it belongs to an earlier activation. */
static gboolean
commits_take (BeckonRunTicket *ticket)
{
  if (ticket->activation != ticket->commits->activation)
    return FALSE;
  if (ticket->is_busy)
    ticket->commits->n_busy--;
  return TRUE;
}

gpointer
beckon_run_ticket_redeem (BeckonRunTicket *ticket)
{
  g_autoptr (BeckonRunTicket) held = ticket;

  return commits_take (held) ? g_steal_pointer (&held->run) : NULL;
}

/* --- Commits ------------------------------------------------------------------------------------------------------- */

static void
commits_on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRunTicket) ticket = user_data;
  const BeckonRunCommitsHost *host = ticket->commits->host;
  g_autoptr (GError) error = NULL;
  gboolean ok = beckon_store_commit_finish (BECKON_STORE (source), result, &error);

  if (!commits_take (ticket))
    return;
  if (!ok && !(ticket->may_follow && g_error_matches (error, BECKON_ERROR, BECKON_ERROR_DEFERRED)))
    {
      host->fail (ticket->run, error->message);
      return;
    }
  if (ticket->committed != NULL)
    ticket->committed (ticket->run, ticket->user_data);
  if (ticket->written != NULL)
    ticket->written (ticket->calls, ticket->user_data);
  host->step (ticket->run);
}

void
beckon_run_commits_step (BeckonRunCommits *self, BeckonBatch *batch, BeckonRunCommitted committed, gpointer user_data,
                         GDestroyNotify destroy)
{
  BeckonRunTicket *ticket = beckon_run_ticket_new (self, TRUE);

  ticket->committed = committed;
  ticket->user_data = user_data;
  ticket->destroy = destroy;
  beckon_store_commit_async (self->store, batch, NULL, commits_on_committed, ticket);
}

void
beckon_run_commits_calls (BeckonRunCommits *self, BeckonBatch *batch, BeckonCallBatch *calls, BeckonCallBatchWritten written,
                          gpointer user_data, GDestroyNotify destroy)
{
  BeckonRunTicket *ticket = beckon_run_ticket_new (self, TRUE);

  ticket->calls = beckon_call_batch_ref (calls);
  ticket->written = written;
  ticket->user_data = user_data;
  ticket->destroy = destroy;
  beckon_store_commit_async (self->store, batch, NULL, commits_on_committed, ticket);
}

void
beckon_run_commits_end (BeckonRunCommits *self, BeckonBatch *batch, BeckonRunCommitted committed, gpointer user_data)
{
  BeckonRunTicket *ticket = beckon_run_ticket_new (self, TRUE);

  ticket->may_follow = TRUE;
  ticket->committed = committed;
  ticket->user_data = user_data;
  beckon_batch_keep (batch);
  beckon_store_commit_async (self->store, batch, NULL, commits_on_committed, ticket);
}

static void
on_committed_behind (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRunTicket) ticket = user_data;
  const BeckonRunCommitsHost *host = ticket->commits->host;
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error)
      && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_DEFERRED) && commits_take (ticket)
      && host->is_working (ticket->run))
    host->fail (ticket->run, error->message);
}

void
beckon_run_commits_behind (BeckonRunCommits *self, BeckonBatch *batch)
{
  beckon_batch_keep (batch);
  beckon_store_commit_async (self->store, batch, NULL, on_committed_behind, beckon_run_ticket_new (self, FALSE));
}
