/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-agent-private.h"

#include "base/beckon-finish.h"
#include "base/beckon-worker.h"
#include "domain/beckon-landings.h"
#include "landing/beckon-lander.h"

/* Whether the changes of a request can land now, before its answer counts. Landing itself looks again. */

static void
check_on_thread (GTask *task, gpointer source, gpointer landing, GCancellable *cancellable)
{
  GError *error = NULL;

  if (beckon_lander_check (landing, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* A request whose landing is not stored waits for nothing that could be looked at. */
static void
on_landings (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GPtrArray) landings = beckon_landings_get_finish (BECKON_LANDINGS (source), result, NULL);

  for (guint i = 0; landings != NULL && i < landings->len; i++)
    {
      const BeckonLanding *landing = g_ptr_array_index (landings, i);

      if (landing->state != BECKON_LANDING_WAITING)
        continue;
      g_task_set_task_data (task, beckon_landing_copy (landing), (GDestroyNotify) beckon_landing_free);
      beckon_worker_run_for_person (task, check_on_thread);
      return;
    }
  g_task_return_boolean (task, TRUE);
}

static void
check_async (BeckonKeepCheck *check, BeckonRequest *request, GCancellable *cancellable, GAsyncReadyCallback callback,
             gpointer user_data)
{
  BeckonAgent *agent = BECKON_AGENT (check);
  g_autoptr (GTask) task = g_task_new (check, cancellable, callback, user_data);
  const char *call_id = beckon_request_get_call_id (request);

  g_task_set_source_tag (task, check_async);
  if (call_id == NULL)
    g_task_return_boolean (task, TRUE);
  else
    beckon_landings_get_async (BECKON_LANDINGS (agent->parts.store), call_id, cancellable, on_landings, g_object_ref (task));
}

static BECKON_FINISH_BOOLEAN (check, BeckonKeepCheck)

void
beckon_agent_keep_check_init (BeckonKeepCheckInterface *iface)
{
  iface->check_async = check_async;
  iface->check_finish = check_finish;
}
