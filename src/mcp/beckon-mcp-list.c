/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-client-private.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-worker.h"
#include "beckon-mcp-http.h"
#include "rpc/beckon-rpc-message.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_PAGES 200
#define MAX_CURSOR 4096

/* So many tools that can't be used are named. */
#define MAX_NAMED 50

/* Reading the pages of `tools/list`. Each page is read on a worker. */

typedef struct
{
  GPtrArray *infos;
  GHashTable *names;
  GHashTable *cursors; /* those that were there: a list that goes in circles ends */
  char *cursor;        /* (nullable): of the next page */
  char *page;          /* the page that is read now */
  gsize bytes;
  guint n_pages;
  GString *left_out; /* a sentence for each, a line each */
  guint n_left_out;
  gboolean uses_headers;
  GCancellable *inner;
  GSource *cancelled;
  guint timeout;
  gboolean is_late;
} Listing;

static void mcp_list_ask (GTask *task);

static void
mcp_list_listing_free (Listing *listing)
{
  g_clear_pointer (&listing->infos, g_ptr_array_unref);
  g_hash_table_unref (listing->names);
  g_string_free (listing->left_out, TRUE);
  g_hash_table_unref (listing->cursors);
  g_free (listing->cursor);
  g_free (listing->page);
  g_clear_object (&listing->inner);
  g_free (listing);
}

static void
mcp_list_leave_out (Listing *listing, const char *sentence)
{
  if (listing->n_left_out++ < MAX_NAMED)
    g_string_append_printf (listing->left_out, "%s%s", listing->left_out->len > 0 ? "\n" : "", sentence);
}

/* (transfer full) (nullable) */
static char *
dup_left_out (Listing *listing)
{
  const guint n_more = listing->n_left_out > MAX_NAMED ? listing->n_left_out - MAX_NAMED : 0;
  g_autofree char *more = g_strdup_printf (ngettext ("And %u more.", "And %u more.", n_more), n_more);

  if (listing->n_left_out == 0)
    return NULL;
  return g_strdup_printf ("%s%s%s", listing->left_out->str, n_more > 0 ? "\n" : "", n_more > 0 ? more : "");
}

static void
mcp_list_read_page (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Listing *listing = data;
  g_autoptr (BeckonJsonValue) value = beckon_json_value_parse (listing->page, -1, NULL);
  const BeckonJsonValue *tools = beckon_json_value_get (value, "tools");
  const char *cursor = beckon_json_value_get_string (beckon_json_value_get (value, "nextCursor"));

  g_clear_pointer (&listing->cursor, g_free);
  if (tools == NULL || tools->kind != BECKON_JSON_VALUE_ARRAY)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_INVALID, "%s", _("The server's list of tools can't be read."));
      return;
    }
  for (guint i = 0; i < tools->children->len; i++)
    {
      const BeckonJsonValue *tool = g_ptr_array_index (tools->children, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (BeckonMcpToolInfo) info = beckon_mcp_tool_info_read (tool, listing->page, &error);
      g_autofree char *name = beckon_mcp_tool_info_dup_shown_name (tool);
      g_autofree char *why = NULL;

      if (info == NULL)
        why = g_strdup (error->message);
      else if (listing->uses_headers && info->has_bad_headers)
        why = beckon_text_printf (_("“%s”: it wants headers that can't be sent."), name);
      else if (g_hash_table_contains (listing->names, info->name))
        why = beckon_text_printf (_("“%s”: the server lists it more than once. The first one is used."), name);
      else if (listing->infos->len == BECKON_MCP_TOOLS_MAX)
        why = beckon_text_printf (_("“%s”: the server has more than %d tools."), name, BECKON_MCP_TOOLS_MAX);
      else if (listing->bytes + strlen (info->text) > BECKON_MCP_DEFINITIONS_MAX)
        why = beckon_text_printf (_("“%s”: the definitions are longer than %d MiB together."), name,
                                  BECKON_MCP_DEFINITIONS_MAX / 1024 / 1024);
      if (why != NULL)
        mcp_list_leave_out (listing, why);
      else
        {
          listing->bytes += strlen (info->text);
          g_hash_table_add (listing->names, g_strdup (info->name));
          g_ptr_array_add (listing->infos, g_steal_pointer (&info));
        }
    }
  if (cursor != NULL && strlen (cursor) <= MAX_CURSOR && listing->infos->len < BECKON_MCP_TOOLS_MAX
      && listing->n_pages < MAX_PAGES && g_hash_table_add (listing->cursors, g_strdup (cursor)))
    listing->cursor = g_strdup (cursor);
  else if (cursor != NULL)
    mcp_list_leave_out (listing, _("The list goes on, but was read no further."));
  g_task_return_boolean (task, TRUE);
}

static void
on_page_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpClient *self = g_task_get_source_object (task);
  Listing *listing = g_task_get_task_data (task);
  GError *error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    g_task_return_error (task, error);
  else if (listing->cursor != NULL)
    mcp_list_ask (task);
  else
    {
      g_free (self->left_out);
      self->left_out = dup_left_out (listing);
      g_task_return_pointer (task, g_steal_pointer (&listing->infos), (GDestroyNotify) g_ptr_array_unref);
    }
}

static void
on_page (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpClient *self = g_task_get_source_object (task);
  Listing *listing = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (BeckonRpcMessage) message
      = beckon_mcp_transport_call_finish (self->transport, result, &error);
  g_autoptr (GTask) reading = NULL;

  beckon_clock_remove (self->clock, listing->timeout);
  listing->timeout = 0;
  if (listing->cancelled != NULL)
    g_source_destroy (listing->cancelled);
  g_clear_pointer (&listing->cancelled, g_source_unref);
  g_clear_object (&listing->inner);
  if (message == NULL && listing->is_late)
    {
      g_clear_error (&error);
      error = beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("“%s” did not list its tools in time."),
                                     self->name);
    }
  else if (message != NULL && message->kind == BECKON_RPC_MESSAGE_ERROR)
    {
      error = beckon_mcp_client_make_error (self, message, TRUE);
    }
  if (error != NULL || g_task_return_error_if_cancelled (task))
    {
      if (error != NULL)
        g_task_return_error (task, error);
      return;
    }
  g_free (listing->page);
  listing->page = g_steal_pointer (&message->json);
  listing->n_pages++;
  reading = g_task_new (NULL, NULL, on_page_read, g_object_ref (task));
  g_task_set_task_data (reading, listing, NULL);
  beckon_worker_run_for_person (reading, mcp_list_read_page);
}

static gboolean
mcp_list_on_late (gpointer user_data)
{
  Listing *listing = g_task_get_task_data (user_data);

  listing->timeout = 0;
  listing->is_late = TRUE;
  g_cancellable_cancel (listing->inner);
  return G_SOURCE_REMOVE;
}

static gboolean
mcp_list_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_cancellable_cancel (((Listing *) g_task_get_task_data (user_data))->inner);
  return G_SOURCE_REMOVE;
}

static char *
make_members (const char *cursor)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  if (cursor == NULL)
    return NULL;
  g_string_append (text, "\"cursor\":");
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_string (&writer, cursor, -1);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
mcp_list_ask (GTask *task)
{
  BeckonMcpClient *self = g_task_get_source_object (task);
  Listing *listing = g_task_get_task_data (task);
  g_autofree char *members = make_members (listing->cursor);
  const BeckonMcpParams params = { .is_modern = self->is_modern, .members = members };
  g_autofree char *text = beckon_mcp_codec_make_params (&params);
  const BeckonMcpExchange exchange = { .method = "tools/list", .params = text };
  GCancellable *cancellable = g_task_get_cancellable (task);

  listing->inner = g_cancellable_new ();
  listing->timeout = beckon_clock_add_timeout (self->clock, self->limits.page_ms, mcp_list_on_late, task);
  if (cancellable != NULL)
    {
      listing->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (listing->cancelled, G_SOURCE_FUNC (mcp_list_on_cancelled), task, NULL);
      g_source_attach (listing->cancelled, NULL);
    }
  beckon_mcp_transport_call_async (self->transport, &exchange, listing->inner, on_page, g_object_ref (task));
}

void
beckon_mcp_client_list_tools_async (BeckonMcpClient *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  Listing *listing = g_new0 (Listing, 1);

  g_return_if_fail (BECKON_IS_MCP_CLIENT (self));

  g_task_set_source_tag (task, beckon_mcp_client_list_tools_async);
  listing->infos = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_tool_info_unref);
  listing->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  listing->left_out = g_string_new (NULL);
  listing->cursors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  listing->uses_headers = self->is_modern && BECKON_IS_MCP_HTTP (self->transport);
  g_task_set_task_data (task, listing, (GDestroyNotify) mcp_list_listing_free);
  if (!self->hello.has_tools)
    g_task_return_pointer (task, g_steal_pointer (&listing->infos), (GDestroyNotify) g_ptr_array_unref);
  else
    mcp_list_ask (task);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_mcp_client_list_tools, BeckonMcpClient)

const char *
beckon_mcp_client_get_left_out (BeckonMcpClient *self)
{
  return self->left_out;
}
