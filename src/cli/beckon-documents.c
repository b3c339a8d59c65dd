/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-documents.h"

#include "beckon-cli-context.h"
#include "store/queries/beckon-request-contexts.h"
#include "text/beckon-request-document.h"

#include <stdio.h>

#include <string.h>

typedef struct
{
  GPtrArray *requests;
  guint next;
  GString *whole;          /* (nullable): one document for all of them, under construction */
  BeckonRunEvents *events; /* (owned) (nullable): each is an event of these */
} Printing;

static void
printing_free (Printing *printing)
{
  g_ptr_array_unref (printing->requests);
  if (printing->whole != NULL)
    g_string_free (printing->whole, TRUE);
  g_clear_object (&printing->events);
  g_free (printing);
}

static void print_next (GTask *task);

static void
on_context (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonRuntime *runtime = g_task_get_source_object (task);
  Printing *printing = g_task_get_task_data (task);
  BeckonRequest *request = g_ptr_array_index (printing->requests, printing->next);
  BeckonRequestContext *context;
  GError *error = NULL;
  g_autoptr (GHashTable) contexts = beckon_store_load_contexts_finish (BECKON_STORE (source), result, &error);
  g_autofree char *document = NULL;

  if (contexts == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  context = g_hash_table_lookup (contexts, beckon_request_get_id (request));
  beckon_profiles_name_asker (beckon_runtime_get_profiles (runtime), context);
  document = beckon_request_document_write (request, context, TRUE);
  if (printing->events != NULL)
    beckon_run_events_add_request (printing->events, document);
  else if (printing->whole == NULL)
    beckon_cli_context_print_json (document);
  else
    g_string_append_printf (printing->whole, "%s%s", printing->next > 0 ? "," : "", document);
  printing->next++;
  print_next (g_steal_pointer (&task));
}

static void
print_next (GTask *task)
{
  BeckonRuntime *runtime = g_task_get_source_object (task);
  Printing *printing = g_task_get_task_data (task);

  if (printing->next < printing->requests->len)
    {
      BeckonRequest *request = g_ptr_array_index (printing->requests, printing->next);

      beckon_store_load_contexts_async (beckon_runtime_get_store (runtime), beckon_request_get_id (request), NULL, on_context,
                                        task);
      return;
    }

  if (printing->whole != NULL)
    {
      g_string_append (printing->whole, "]}");
      beckon_cli_context_print_json (printing->whole->str);
    }
  fflush (stdout);
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

static void
documents_print (BeckonRuntime *runtime, GPtrArray *requests, GString *whole, BeckonRunEvents *events,
                 GAsyncReadyCallback callback,
                 gpointer user_data)
{
  GTask *task = g_task_new (runtime, NULL, callback, user_data);
  Printing *printing = g_new0 (Printing, 1);

  g_task_set_source_tag (task, documents_print);
  printing->requests = g_ptr_array_ref (requests);
  printing->whole = whole;
  printing->events = events != NULL ? g_object_ref (events) : NULL;
  g_task_set_task_data (task, printing, (GDestroyNotify) printing_free);
  print_next (task);
}

void
beckon_documents_print_async (BeckonRuntime *runtime, GPtrArray *requests, gboolean is_whole, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  documents_print (runtime, requests, is_whole ? g_string_new ("{\"questions\":[") : NULL, NULL, callback, user_data);
}

void
beckon_documents_add_to_events_async (BeckonRuntime *runtime, GPtrArray *requests, BeckonRunEvents *events,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  documents_print (runtime, requests, NULL, events, callback, user_data);
}

gboolean
beckon_documents_print_finish (BeckonRuntime *runtime, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static gboolean
is_meant (BeckonRequest *request, const char *id)
{
  const char *whole = beckon_request_get_id (request);
  gsize length = strlen (id);

  if (*id == '#')
    return is_meant (request, id + 1);
  if (length == 0 || length > strlen (whole))
    return FALSE;

  return g_ascii_strncasecmp (whole, id, length) == 0 || g_ascii_strcasecmp (whole + strlen (whole) - length, id) == 0;
}

BeckonRequest *
beckon_documents_find (GListModel *requests, const char *id, gboolean *several)
{
  g_autoptr (BeckonRequest) found = NULL;

  *several = FALSE;
  for (guint i = 0; i < g_list_model_get_n_items (requests); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (requests, i);

      if (!is_meant (request, id))
        continue;
      *several = found != NULL;
      if (*several)
        return NULL;
      g_set_object (&found, request);
    }

  return g_steal_pointer (&found);
}
