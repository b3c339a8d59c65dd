/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-agent-private.h"

/* Runs that other processes drive. A stop reaches their driver through the store; that a driver has died is found out by
 * looking at its lease, because no message tells of it. */

/* With the time that taking over takes, a death shows within 5 seconds. */
#define WATCH_MS (2 * 1000)

typedef struct
{
  BeckonAgent *agent;               /* (owned) */
  BeckonConversation *conversation; /* (owned) */
} Stopping;

static void
stopping_free (Stopping *stopping)
{
  g_object_unref (stopping->agent);
  g_object_unref (stopping->conversation);
  g_free (stopping);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stopping, stopping_free)

/* A living driver has been told. In place of a dead one this process takes the run over, and stops it. */
static void
on_stop_asked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Stopping) stopping = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_store_ask_stop_finish (BECKON_STORE (source), result, &error))
    beckon_agent_resume_async (stopping->agent, stopping->conversation, stopping->agent->letting_go, NULL, NULL);
  else
    g_message ("the run was not stopped: %s", error->message);
}

void
beckon_agent_stop_elsewhere (BeckonAgent *agent, BeckonConversation *conversation)
{
  Stopping *stopping;

  if (!beckon_conversation_is_busy (conversation) || g_cancellable_is_cancelled (agent->letting_go))
    return;

  stopping = g_new0 (Stopping, 1);
  stopping->agent = g_object_ref (agent);
  stopping->conversation = g_object_ref (conversation);
  beckon_store_ask_stop_async (agent->parts.store, beckon_conversation_get_id (conversation), NULL, on_stop_asked, stopping);
}

static void
on_stops (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAgent) agent = user_data;
  g_autoptr (GPtrArray) ids = beckon_store_list_stops_finish (BECKON_STORE (source), result, NULL);

  for (guint i = 0; ids != NULL && i < ids->len; i++)
    {
      const char *id = g_ptr_array_index (ids, i);
      gpointer run;

      if (!g_hash_table_lookup_extended (agent->runs, id, NULL, &run))
        continue;
      /* A run about to be driven is stopped once it is. */
      if (run != NULL)
        beckon_run_stop (run);
      else
        g_hash_table_add (agent->stop_soon, g_strdup (id));
    }
}

static gboolean
on_watch_due (gpointer user_data)
{
  BeckonAgent *agent = user_data;

  agent->watch_timeout = 0;
  beckon_agent_take_over_dead (agent);

  return G_SOURCE_REMOVE;
}

void
beckon_agent_watch (BeckonAgent *agent)
{
  if (agent->adopts && agent->watch_timeout == 0 && !g_cancellable_is_cancelled (agent->letting_go))
    agent->watch_timeout = beckon_clock_add_timeout (agent->parts.clock, WATCH_MS, on_watch_due, agent);
}

void
beckon_agent_unwatch (BeckonAgent *agent)
{
  if (agent->watch_timeout != 0)
    beckon_clock_remove (agent->parts.clock, agent->watch_timeout);
  agent->watch_timeout = 0;
}

void
beckon_agent_follow_store (BeckonAgent *agent)
{
  if (g_cancellable_is_cancelled (agent->letting_go))
    return;
  if (g_hash_table_size (agent->runs) > 0)
    beckon_store_list_stops_async (agent->parts.store, NULL, on_stops, g_object_ref (agent));
  beckon_agent_watch (agent);
}
