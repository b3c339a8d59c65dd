/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-client-private.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

/* Single requests that a person waits for, and lists that are made of them. */

#define MAX_PAGES 20
#define MAX_SAID 500

/* --- A request ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonClock *clock;
  GCancellable *inner;
  GSource *cancelled; /* (nullable) */
  guint timeout;
  gboolean is_late;
} Request;

static void
mcp_request_free (gpointer data)
{
  Request *request = data;

  beckon_clock_remove (request->clock, request->timeout);
  if (request->cancelled != NULL)
    g_source_destroy (request->cancelled);
  g_clear_pointer (&request->cancelled, g_source_unref);
  g_object_unref (request->inner);
  g_free (request);
}

static void
mcp_request_on_response (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpClient *self = g_task_get_source_object (task);
  const Request *request = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (BeckonRpcMessage) message = beckon_mcp_transport_call_finish (self->transport, result, &error);
  gboolean is_late = request->is_late;

  /* Ends what still waits for it. */
  g_task_set_task_data (task, NULL, NULL);
  if (message != NULL && message->kind == BECKON_RPC_MESSAGE_ERROR)
    {
      g_autofree char *marked = beckon_text_for_display (message->text, -1, BECKON_TEXT_MARKED);
      g_autofree char *masked = beckon_mcp_transport_mask (self->transport, g_steal_pointer (&marked));
      g_autofree char *said = beckon_text_shorten (masked, MAX_SAID);

      error = beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("“%1$s” refused: %2$s"), self->name, said);
    }
  if (is_late && message == NULL)
    {
      g_clear_error (&error);
      error = beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                     _("“%s” did not answer in time. Look at its log."), self->name);
    }
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&message->json), g_free);
}

static gboolean
mcp_request_on_late (gpointer user_data)
{
  Request *request = g_task_get_task_data (user_data);

  request->timeout = 0;
  request->is_late = TRUE;
  g_cancellable_cancel (request->inner);
  return G_SOURCE_REMOVE;
}

static gboolean
mcp_request_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_cancellable_cancel (((Request *) g_task_get_task_data (user_data))->inner);
  return G_SOURCE_REMOVE;
}

/* The result as JSON. @name: (nullable), @members: (nullable): as of an exchange. */
static void
request_async (BeckonMcpClient *self, const char *method, const char *name, const char *members, GCancellable *cancellable,
               GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);
  const BeckonMcpParams params = { .is_modern = self->is_modern, .members = members };
  g_autofree char *text = beckon_mcp_codec_make_params (&params);
  const BeckonMcpExchange exchange = { .method = method, .params = text, .name = name };
  Request *request = g_new0 (Request, 1);

  g_task_set_source_tag (task, request_async);
  request->clock = self->clock;
  request->inner = g_cancellable_new ();
  g_task_set_task_data (task, request, mcp_request_free);
  request->timeout = beckon_clock_add_timeout (self->clock, self->limits.page_ms, mcp_request_on_late, task);
  if (cancellable != NULL)
    {
      request->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (request->cancelled, G_SOURCE_FUNC (mcp_request_on_cancelled), task, NULL);
      g_source_attach (request->cancelled, NULL);
    }
  beckon_mcp_transport_call_async (self->transport, &exchange, request->inner, mcp_request_on_response, task);
}

static BECKON_FINISH_LONE_POINTER (char *, request)

/* --- Lists -------------------------------------------------------------------------------------------------------- */

typedef gboolean (*ReadPage) (GPtrArray *items, const char *page, char **cursor);

typedef struct
{
  GPtrArray *items;
  const char *method;
  ReadPage read;
  guint most;
  guint n_pages;
} Listing;

static void
mcp_request_listing_free (gpointer data)
{
  Listing *listing = data;

  g_clear_pointer (&listing->items, g_ptr_array_unref);
  g_free (listing);
}

static void ask_page (GTask *task, const char *cursor);

static void
on_page (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Listing *listing = g_task_get_task_data (task);
  GError *error = NULL;
  g_autofree char *page = request_finish (result, &error);
  g_autofree char *cursor = NULL;

  listing->n_pages++;
  if (page == NULL)
    g_task_return_error (task, error);
  else if (!listing->read (listing->items, page, &cursor))
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_INVALID, "%s", _("The server's list can't be read."));
  else if (cursor != NULL && listing->n_pages < MAX_PAGES && listing->items->len < listing->most)
    ask_page (g_steal_pointer (&task), cursor);
  else
    g_task_return_pointer (task, g_steal_pointer (&listing->items), (GDestroyNotify) g_ptr_array_unref);
}

/* @task: (transfer full) */
static void
ask_page (GTask *task, const char *cursor)
{
  const Listing *listing = g_task_get_task_data (task);
  g_autoptr (GString) members = g_string_new (NULL);
  BeckonJsonWriter writer;

  if (cursor != NULL)
    {
      g_string_append (members, "\"cursor\":");
      beckon_json_writer_init (&writer, members);
      beckon_json_writer_string (&writer, cursor, -1);
    }
  request_async (g_task_get_source_object (task), listing->method, NULL, cursor != NULL ? members->str : NULL,
                 g_task_get_cancellable (task), on_page, task);
}

/* A server without such a list has none of them. @items: (transfer full), @task: (transfer full) */
static void
mcp_request_list (GTask *task, gboolean has_any, const char *method, GPtrArray *items, ReadPage read, guint most)
{
  Listing *listing = g_new0 (Listing, 1);

  listing->items = items;
  listing->method = method;
  listing->read = read;
  listing->most = most;
  g_task_set_task_data (task, listing, mcp_request_listing_free);
  if (has_any)
    {
      ask_page (task, NULL);
      return;
    }
  g_task_return_pointer (task, g_steal_pointer (&listing->items), (GDestroyNotify) g_ptr_array_unref);
  g_object_unref (task);
}

void
beckon_mcp_client_list_prompts_async (BeckonMcpClient *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  GTask *task;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_client_list_prompts_async);
  mcp_request_list (task, self->hello.has_prompts, "prompts/list", beckon_mcp_prompts_new (), beckon_mcp_prompts_read,
                    BECKON_MCP_PROMPTS_MAX);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_mcp_client_list_prompts, BeckonMcpClient)

void
beckon_mcp_client_list_resources_async (BeckonMcpClient *self, gboolean are_templates, GCancellable *cancellable,
                                        GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_client_list_resources_async);
  mcp_request_list (task, self->hello.has_resources, are_templates ? "resources/templates/list" : "resources/list",
                    beckon_mcp_resources_new (), beckon_mcp_resources_read, BECKON_MCP_RESOURCES_MAX);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_mcp_client_list_resources, BeckonMcpClient)

/* --- Texts -------------------------------------------------------------------------------------------------------- */

static void
mcp_request_on_prompt (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autofree char *json = request_finish (result, &error);
  BeckonMcpClient *self = g_task_get_source_object (task);
  char *text = beckon_mcp_transport_mask (self->transport, json != NULL ? beckon_mcp_prompt_read_text (json) : NULL);

  if (json == NULL)
    g_task_return_error (task, error);
  else if (text == NULL)
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_INVALID, "%s", _("The server's prompt can't be read."));
  else
    g_task_return_pointer (task, text, g_free);
}

void
beckon_mcp_client_get_prompt_async (BeckonMcpClient *self, const char *name, GHashTable *values, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *members = NULL;
  GTask *task;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_client_get_prompt_async);
  members = beckon_mcp_prompt_make_members (name, values);
  request_async (self, "prompts/get", name, members, cancellable, mcp_request_on_prompt, task);
}

BECKON_FINISH_POINTER (char *, beckon_mcp_client_get_prompt, BeckonMcpClient)

static void
mcp_request_on_resource (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  BeckonMcpClient *self = g_task_get_source_object (task);
  g_autofree char *json = beckon_mcp_transport_mask_json (self->transport, request_finish (result, &error));
  GPtrArray *contents = json != NULL ? beckon_mcp_resource_read_contents (json, &error) : NULL;

  if (contents != NULL)
    g_task_return_pointer (task, contents, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
beckon_mcp_client_read_resource_async (BeckonMcpClient *self, const char *uri, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *members = NULL;
  GTask *task;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_client_read_resource_async);
  members = beckon_mcp_resource_make_members (uri);
  request_async (self, "resources/read", uri, members, cancellable, mcp_request_on_resource, task);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_mcp_client_read_resource, BeckonMcpClient)

static void
on_completed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autofree char *json = request_finish (result, &error);
  char **values = json != NULL ? beckon_mcp_completion_read (json) : NULL;

  if (json == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, values != NULL ? values : g_new0 (char *, 1), (GDestroyNotify) g_strfreev);
}

void
beckon_mcp_client_complete_async (BeckonMcpClient *self, const BeckonMcpCompletion *completion, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *members = NULL;
  GTask *task;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_client_complete_async);
  if (!self->hello.has_completions)
    {
      g_task_return_pointer (task, g_new0 (char *, 1), (GDestroyNotify) g_strfreev);
      g_object_unref (task);
      return;
    }
  members = beckon_mcp_completion_make_members (completion);
  request_async (self, "completion/complete", NULL, members, cancellable, on_completed, task);
}

BECKON_FINISH_POINTER (char **, beckon_mcp_client_complete, BeckonMcpClient)
