/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-service-private.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>

/* Prompts of a server, which start it where that is needed. */

typedef struct
{
  char *name;
  GHashTable *values; /* (nullable) */
} Waiting;

static void
waiting_free (gpointer data)
{
  Waiting *waiting = data;

  g_free (waiting->name);
  g_clear_pointer (&waiting->values, g_hash_table_unref);
  g_free (waiting);
}

static void
on_text (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  char *text = beckon_mcp_client_get_prompt_finish (BECKON_MCP_CLIENT (source), result, &error);

  if (text != NULL)
    g_task_return_pointer (task, text, g_free);
  else
    g_task_return_error (task, error);
}

/* A prompt that is known from the last use may be gone. */
static void
on_ready (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpService *self = BECKON_MCP_SERVICE (source);
  const Waiting *waiting = g_task_get_task_data (task);
  GError *error = NULL;

  if (!beckon_mcp_service_open_finish (self, result, &error))
    g_task_return_error (task, error);
  else if (beckon_mcp_prompts_find (beckon_mcp_service_get_prompts (self), waiting->name) == NULL)
    g_task_return_error (task, beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                                                      _("“%1$s” has no prompt “%2$s” any more."),
                                                      beckon_mcp_service_get_server (self)->name, waiting->name));
  else
    beckon_mcp_client_get_prompt_async (beckon_mcp_service_get_client (self), waiting->name, waiting->values,
                                        g_task_get_cancellable (task), on_text, g_object_ref (task));
}

void
beckon_mcp_service_get_prompt_async (BeckonMcpService *self, const char *name, GHashTable *values, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Waiting *waiting;

  g_return_if_fail (BECKON_IS_MCP_SERVICE (self));
  g_return_if_fail (name != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_service_get_prompt_async);
  waiting = g_new0 (Waiting, 1);
  waiting->name = g_strdup (name);
  waiting->values = values != NULL ? g_hash_table_ref (values) : NULL;
  g_task_set_task_data (task, waiting, waiting_free);
  beckon_mcp_service_open_async (self, FALSE, cancellable, on_ready, task);
}

char *
beckon_mcp_service_get_prompt_finish (BeckonMcpService *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
