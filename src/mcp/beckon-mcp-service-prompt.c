/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-service-private.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>

/* Prompts and resources of a server, which start it where that is needed. */

/* Asks a server that runs now. */
typedef void (*Ask) (BeckonMcpService *self, GTask *task);

typedef struct
{
  Ask ask;
  char *name;         /* of a prompt, or the address of a resource or their pattern */
  gboolean is_template; /* it is a pattern */
  char *argument;     /* (nullable): of it, which is to be completed */
  char *typed;        /* (nullable) */
  GHashTable *values; /* (nullable) */
} Waiting;

static void
service_prompt_waiting_free (gpointer data)
{
  Waiting *waiting = data;

  g_free (waiting->name);
  g_free (waiting->argument);
  g_free (waiting->typed);
  g_clear_pointer (&waiting->values, g_hash_table_unref);
  g_free (waiting);
}

static void
service_prompt_on_text (GObject *source, GAsyncResult *result, gpointer user_data)
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
ask_for_prompt (BeckonMcpService *self, GTask *task)
{
  const Waiting *waiting = g_task_get_task_data (task);

  if (beckon_mcp_prompts_find (beckon_mcp_service_get_prompts (self), waiting->name) == NULL)
    g_task_return_error (task, beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                                                      _("“%1$s” has no prompt “%2$s” any more."),
                                                      beckon_mcp_service_get_server (self)->name, waiting->name));
  else
    beckon_mcp_client_get_prompt_async (beckon_mcp_service_get_client (self), waiting->name, waiting->values,
                                        g_task_get_cancellable (task), service_prompt_on_text, g_object_ref (task));
}

static void
on_ready (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Waiting *waiting = g_task_get_task_data (task);
  GError *error = NULL;

  if (beckon_mcp_service_open_finish (BECKON_MCP_SERVICE (source), result, &error))
    waiting->ask (BECKON_MCP_SERVICE (source), task);
  else
    g_task_return_error (task, error);
}

/* @values: (nullable). (transfer full) */
static GTask *
task_new (BeckonMcpService *self, gpointer tag, Ask ask, const char *name, GHashTable *values, GCancellable *cancellable,
          GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  Waiting *waiting = g_new0 (Waiting, 1);

  g_task_set_source_tag (task, tag);
  waiting->ask = ask;
  waiting->name = g_strdup (name);
  waiting->values = values != NULL ? g_hash_table_ref (values) : NULL;
  g_task_set_task_data (task, waiting, service_prompt_waiting_free);
  return task;
}

void
beckon_mcp_service_get_prompt_async (BeckonMcpService *self, const char *name, GHashTable *values, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_MCP_SERVICE (self));
  g_return_if_fail (name != NULL);

  beckon_mcp_service_open_async (self, FALSE, cancellable, on_ready,
                                 task_new (self, beckon_mcp_service_get_prompt_async, ask_for_prompt, name, values,
                                           cancellable, callback, user_data));
}

char *
beckon_mcp_service_get_prompt_finish (BeckonMcpService *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Values of arguments ------------------------------------------------------------------------------------------ */

static void
on_completed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  char **values = beckon_mcp_client_complete_finish (BECKON_MCP_CLIENT (source), result, &error);

  if (values != NULL)
    g_task_return_pointer (task, values, (GDestroyNotify) g_strfreev);
  else
    g_task_return_error (task, error);
}

static void
ask_to_complete (BeckonMcpService *self, GTask *task)
{
  const Waiting *waiting = g_task_get_task_data (task);
  const BeckonMcpCompletion completion = { .is_template = waiting->is_template,
                                           .name = waiting->name,
                                           .argument = waiting->argument,
                                           .typed = waiting->typed,
                                           .values = waiting->values };

  beckon_mcp_client_complete_async (beckon_mcp_service_get_client (self), &completion, g_task_get_cancellable (task),
                                    on_completed, g_object_ref (task));
}

void
beckon_mcp_service_complete_async (BeckonMcpService *self, const BeckonMcpCompletion *completion, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Waiting *waiting;

  g_return_if_fail (BECKON_IS_MCP_SERVICE (self));
  g_return_if_fail (completion->name != NULL && completion->argument != NULL && completion->typed != NULL);

  task = task_new (self, beckon_mcp_service_complete_async, ask_to_complete, completion->name, completion->values, cancellable,
                   callback, user_data);
  waiting = g_task_get_task_data (task);
  waiting->is_template = completion->is_template;
  waiting->argument = g_strdup (completion->argument);
  waiting->typed = g_strdup (completion->typed);
  beckon_mcp_service_open_async (self, FALSE, cancellable, on_ready, task);
}

char **
beckon_mcp_service_complete_finish (BeckonMcpService *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Resources ---------------------------------------------------------------------------------------------------- */

static void
service_prompt_on_resource (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GPtrArray *contents = beckon_mcp_client_read_resource_finish (BECKON_MCP_CLIENT (source), result, &error);

  if (contents != NULL)
    g_task_return_pointer (task, contents, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void
ask_for_resource (BeckonMcpService *self, GTask *task)
{
  const Waiting *waiting = g_task_get_task_data (task);

  beckon_mcp_client_read_resource_async (beckon_mcp_service_get_client (self), waiting->name, g_task_get_cancellable (task),
                                         service_prompt_on_resource, g_object_ref (task));
}

void
beckon_mcp_service_read_resource_async (BeckonMcpService *self, const char *uri, GCancellable *cancellable,
                                        GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_MCP_SERVICE (self));
  g_return_if_fail (uri != NULL);

  beckon_mcp_service_open_async (self, FALSE, cancellable, on_ready,
                                 task_new (self, beckon_mcp_service_read_resource_async, ask_for_resource, uri, NULL,
                                           cancellable, callback, user_data));
}

GPtrArray *
beckon_mcp_service_read_resource_finish (BeckonMcpService *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
