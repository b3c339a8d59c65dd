/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-sandbox-etc.h"
#include "beckon-sandbox-portal.h"
#include "beckon-sandbox.h"

typedef struct
{
  char *folder;
  char **tool_chains;
  gboolean network;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_free (request->folder);
  g_strfreev (request->tool_chains);
  g_free (request);
}

static void
look (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Request *request = task_data;

  if (!beckon_sandbox_portal_is_needed ())
    beckon_sandbox_etc_look ();
  g_task_return_pointer (task,
                         beckon_tool_chains_look (g_get_home_dir (), (const char *const *) request->tool_chains,
                                                  request->folder, request->network),
                         (GDestroyNotify) beckon_tool_chain_view_free);
}

/* A Flatpak has no home of the person's, and what its portal shows of the system is the runtime's. */
void
beckon_sandbox_prepare_async (const BeckonSandboxOptions *options, const char *const *tool_chains, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  static const char *const none[] = { NULL };
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request = g_new0 (Request, 1);

  g_return_if_fail (options != NULL && options->folder != NULL);

  g_task_set_source_tag (task, beckon_sandbox_prepare_async);
  g_task_set_task_data (task, request, request_free);
  request->folder = g_strdup (options->folder);
  request->network = options->network || options->local_network;
  request->tool_chains
      = g_strdupv ((char **) (tool_chains != NULL && !beckon_sandbox_portal_is_needed () ? tool_chains : none));
  g_task_run_in_thread (task, look);
}

BeckonToolChainView *
beckon_sandbox_prepare_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_sandbox_prepare_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
