/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-service-private.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-wipe.h"

/* Calls of a server's tools, which start it where that is needed. */

typedef struct
{
  BeckonMcpToolCall call;
  char *arguments;
  char *folder;
  char *resumption;
} Waiting;

static void
service_call_waiting_free (Waiting *waiting)
{
  beckon_mcp_tool_info_unref (waiting->call.tool);
  g_strfreev ((char **) waiting->call.headers);
  beckon_wipe (waiting->arguments);
  g_free (waiting->folder);
  g_free (waiting->resumption);
  g_free (waiting);
}

static void
on_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  BeckonMcpResult *read = beckon_mcp_client_call_finish (BECKON_MCP_CLIENT (source), result, &error);

  if (read != NULL)
    g_task_return_pointer (task, read, (GDestroyNotify) beckon_mcp_result_free);
  else
    g_task_return_error (task, error);
}

/* A model reads it; why it can't be reached is in words for people, on the server's page. */
static GError *
make_refusal (BeckonMcpService *self, const GError *error)
{
  const char *name = beckon_mcp_service_get_server (self)->name;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "The call was cancelled.");
  if (beckon_mcp_service_needs_sign_in (self))
    return g_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                        "Not run: the user has to sign in to the server “%s” first, on the page Servers of the preferences.",
                        name);
  return g_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                      "Not run: the server “%s” could not be started or reached. The page Servers of the preferences says why.",
                      name);
}

/* The person approved the tool as it was: another one of its name is not what they saw. */
static void
on_ready (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpService *self = BECKON_MCP_SERVICE (source);
  Waiting *waiting = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  const BeckonMcpToolInfo *now;

  if (!beckon_mcp_service_open_finish (self, result, &error))
    {
      g_task_return_error (task, make_refusal (self, error));
      return;
    }
  now = beckon_mcp_tool_infos_find (beckon_mcp_service_get_infos (self), waiting->call.tool->name);
  if (now == NULL || !g_str_equal (now->digest, waiting->call.tool->digest))
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                             "Not run: the server has changed this tool, or no longer has it. Look at its definition and call "
                             "it again if it is still needed.");
  else
    beckon_mcp_client_call_async (beckon_mcp_service_get_client (self), &waiting->call, g_task_get_cancellable (task),
                                  on_called, g_object_ref (task));
}

void
beckon_mcp_service_call_async (BeckonMcpService *self, const BeckonMcpToolCall *call, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Waiting *waiting;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_service_call_async);
  g_task_set_check_cancellable (task, FALSE);
  waiting = g_new0 (Waiting, 1);
  waiting->call = *call;
  beckon_mcp_tool_info_ref (call->tool);
  waiting->call.headers = (const char *const *) g_strdupv ((char **) call->headers);
  waiting->call.arguments = waiting->arguments = g_strdup (call->arguments);
  waiting->call.folder = waiting->folder = g_strdup (call->folder);
  waiting->call.resumption = waiting->resumption = g_strdup (call->resumption);
  g_task_set_task_data (task, waiting, (GDestroyNotify) service_call_waiting_free);
  beckon_mcp_service_open_async (self, FALSE, cancellable, on_ready, task);
}

BECKON_FINISH_POINTER (BeckonMcpResult *, beckon_mcp_service_call, BeckonMcpService)
