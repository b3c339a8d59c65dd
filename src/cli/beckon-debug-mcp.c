/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-debug-mcp.h"

#include "base/beckon-json.h"
#include "base/beckon-origin.h"
#include "mcp/beckon-mcp-client.h"
#include "mcp/beckon-mcp-http.h"
#include "net/beckon-web-get.h"

#include <stdio.h>

#define PROBE_MS (60 * 1000)

typedef struct
{
  GMainLoop *loop;
  BeckonMcpClient *client;
  GPtrArray *infos;
  JsonObject *context; /* (nullable): what the suite says of the scenario */
  guint n_called;
  int status;
} Work;

static void call_next (Work *work);

static void
debug_mcp_on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;

  beckon_mcp_client_close_finish (BECKON_MCP_CLIENT (source), result, NULL);
  g_main_loop_quit (work->loop);
}

static void
debug_mcp_finish (Work *work, const GError *error)
{
  if (error != NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      work->status = 1;
    }
  beckon_mcp_client_close_async (work->client, NULL, debug_mcp_on_closed, work);
}

/* A value that a property may have: its default, one of its choices, or the plainest of its type. */
static JsonNode *
make_value (JsonObject *schema)
{
  const char *type = beckon_json_get_string (schema, "type");
  JsonArray *choices = beckon_json_get_array (schema, "enum");
  JsonNode *node = json_node_alloc ();

  if (json_object_has_member (schema, "default"))
    {
      json_node_free (node);
      return json_node_copy (json_object_get_member (schema, "default"));
    }
  if (choices != NULL && json_array_get_length (choices) > 0)
    {
      json_node_free (node);
      return json_node_copy (json_array_get_element (choices, 0));
    }
  if (g_strcmp0 (type, "integer") == 0 || g_strcmp0 (type, "number") == 0)
    return json_node_init_int (node, MAX (1, beckon_json_get_int (schema, "minimum", 1)));
  if (g_strcmp0 (type, "boolean") == 0)
    return json_node_init_boolean (node, TRUE);
  if (g_strcmp0 (type, "array") == 0)
    {
      g_autoptr (JsonArray) none = json_array_new ();

      return json_node_init_array (node, none);
    }
  if (g_strcmp0 (type, "object") == 0)
    {
      g_autoptr (JsonObject) none = json_object_new ();

      return json_node_init_object (node, none);
    }
  return json_node_init_string (node, "test");
}

/* @all: optional properties, too. */
static char *
debug_mcp_fill_in (JsonObject *schema, gboolean all)
{
  JsonObject *properties = beckon_json_get_object (schema, "properties");
  JsonArray *required = beckon_json_get_array (schema, "required");
  g_autoptr (JsonObject) filled = json_object_new ();
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (GList) names = properties != NULL ? json_object_get_members (properties) : NULL;

  for (GList *at = names; at != NULL; at = at->next)
    {
      JsonObject *property = beckon_json_get_object (properties, at->data);
      gboolean is_wanted = all;

      for (guint i = 0; required != NULL && i < json_array_get_length (required); i++)
        is_wanted = is_wanted || g_strcmp0 (json_array_get_string_element (required, i), at->data) == 0;
      if (is_wanted && property != NULL)
        json_object_set_member (filled, at->data, make_value (property));
    }
  json_node_set_object (node, filled);
  return beckon_json_print (node);
}

static void
elicit (const char *params, const char *key, const char *resumption, GCancellable *cancellable, GAsyncReadyCallback callback,
        gpointer user_data, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  g_autoptr (JsonObject) object = beckon_json_parse_object (params, -1, NULL);
  JsonObject *schema = beckon_json_get_object (object, "requestedSchema");
  g_autofree char *content = schema != NULL ? debug_mcp_fill_in (schema, TRUE) : NULL;

  g_task_set_source_tag (task, elicit);
  g_task_return_pointer (task,
                         content != NULL ? g_strdup_printf ("{\"action\":\"accept\",\"content\":%s}", content)
                         : g_strdup ("{\"action\":\"accept\"}"),
                         g_free);
}

static const BeckonMcpCallHandler handler = { .elicit = elicit };

static void
on_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMcpResult) read = beckon_mcp_client_call_finish (BECKON_MCP_CLIENT (source), result, &error);

  printf ("%s\n", read != NULL ? read->text : error->message);
  call_next (work);
}

/* The calls that the suite orders, in place of one of each tool. */
static gboolean
take_ordered (Work *work, BeckonMcpToolCall *call, char **arguments)
{
  JsonArray *ordered = beckon_json_get_array (work->context, "toolCalls");
  JsonObject *one;

  while (work->n_called < json_array_get_length (ordered))
    {
      one = json_array_get_object_element (ordered, work->n_called++);
      call->tool = beckon_mcp_tool_infos_find (work->infos, beckon_json_get_string (one, "name"));
      if (call->tool == NULL || !json_object_has_member (one, "arguments"))
        continue;
      *arguments = beckon_json_print (json_object_get_member (one, "arguments"));
      return TRUE;
    }
  return FALSE;
}

/* A tool that takes a schema gets that of the first tool, exactly as it came. */
static char *
make_arguments (Work *work, const BeckonMcpToolInfo *tool)
{
  g_autoptr (JsonObject) schema = beckon_json_parse_object (tool->schema, -1, NULL);
  JsonObject *properties = beckon_json_get_object (schema, "properties");
  const BeckonMcpToolInfo *first = g_ptr_array_index (work->infos, 0);

  if (beckon_json_get_object (properties, "schema") != NULL)
    return g_strdup_printf ("{\"schema\":%s}", first->schema);
  return schema != NULL ? debug_mcp_fill_in (schema, TRUE) : g_strdup ("{}");
}

static gboolean
take_next (Work *work, BeckonMcpToolCall *call, char **arguments)
{
  if (beckon_json_get_array (work->context, "toolCalls") != NULL)
    return take_ordered (work, call, arguments);
  if (work->n_called == work->infos->len)
    return FALSE;
  call->tool = g_ptr_array_index (work->infos, work->n_called++);
  *arguments = make_arguments (work, call->tool);
  return TRUE;
}

static void
call_next (Work *work)
{
  BeckonMcpToolCall call = { .handler = &handler, .data = work };
  g_autofree char *arguments = NULL;

  if (!take_next (work, &call, &arguments))
    {
      debug_mcp_finish (work, NULL);
      return;
    }
  call.arguments = arguments;
  printf ("%s %s\n", call.tool->name, arguments);
  beckon_mcp_client_call_async (work->client, &call, NULL, on_called, work);
}

static void
debug_mcp_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;

  work->infos = beckon_mcp_client_list_tools_finish (BECKON_MCP_CLIENT (source), result, &error);
  if (work->infos != NULL)
    call_next (work);
  else
    debug_mcp_finish (work, error);
}

static void
debug_mcp_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_mcp_client_open_finish (BECKON_MCP_CLIENT (source), result, &error))
    beckon_mcp_client_list_tools_async (work->client, NULL, debug_mcp_on_listed, work);
  else
    debug_mcp_finish (work, error);
}

/* --- Signing in --------------------------------------------------------------------------------------------------- */

static void browse (const char *url, gpointer user_data);

static void
on_visited (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonWebPage) page = beckon_web_get_finish (result, &error);

  if (page == NULL)
    fprintf (stderr, "The browser: %s\n", error->message);
  else if (page->moved_to != NULL)
    browse (page->moved_to, NULL);
}

/* A browser whose person says yes: it goes where it is sent, on this computer only. */
static void
browse (const char *url, gpointer user_data)
{
  if (beckon_uri_is_loopback (url))
    beckon_web_get_async (url, "text/html", TRUE, NULL, on_visited, NULL);
}

/* --- What the suite says of this program: see its README, "MCP_CONFORMANCE_CONTEXT" ---------------------------------- */

#define TYPE_CONTEXT_WALLET (context_wallet_get_type ())
G_DECLARE_FINAL_TYPE (ContextWallet, context_wallet, CONTEXT, WALLET, GObject)

struct _ContextWallet
{
  GObject parent_instance;

  JsonObject *context;
};

static void
get_secret_async (BeckonOauthWallet *wallet, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (wallet, NULL, callback, user_data);

  g_task_set_source_tag (task, get_secret_async);
  g_task_return_pointer (task, g_strdup (beckon_json_get_string (CONTEXT_WALLET (wallet)->context, "client_secret")), g_free);
}

static char *
get_secret_finish (BeckonOauthWallet *wallet, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
context_wallet_oauth_wallet_init (BeckonOauthWalletInterface *iface)
{
  iface->get_secret_async = get_secret_async;
  iface->get_secret_finish = get_secret_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (ContextWallet, context_wallet, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_OAUTH_WALLET, context_wallet_oauth_wallet_init))

static void
context_wallet_finalize (GObject *object)
{
  g_clear_pointer (&CONTEXT_WALLET (object)->context, json_object_unref);

  G_OBJECT_CLASS (context_wallet_parent_class)->finalize (object);
}

static void
context_wallet_class_init (ContextWalletClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = context_wallet_finalize;
}

static void
context_wallet_init (ContextWallet *self)
{
}

int
beckon_debug_mcp_run (int argc, char **argv)
{
  Work work = { 0 };
  BeckonMcpClientLimits limits = BECKON_MCP_CLIENT_LIMITS_INIT;
  g_autoptr (BeckonMcpServer) server = NULL;
  g_autoptr (BeckonMcpTransport) transport = NULL;
  g_autoptr (BeckonOauth) oauth = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (ContextWallet) wallet = NULL;
  g_autoptr (BeckonLogin) login = NULL;

  if (argc != 2)
    {
      fprintf (stderr, "beckonctl debug mcp-conformance ADDRESS\n");
      return 2;
    }
  server = beckon_mcp_server_new ("conformance", BECKON_MCP_KIND_HTTP);
  server->address = g_strdup (argv[1]);
  if (!beckon_mcp_server_check (server, &error))
    {
      fprintf (stderr, "%s\n", error->message);
      return 2;
    }
  if (g_getenv ("MCP_CONFORMANCE_CONTEXT") != NULL)
    work.context = beckon_json_parse_object (g_getenv ("MCP_CONFORMANCE_CONTEXT"), -1, NULL);
  /* Dozens of scenarios run at the same time: a slow answer is no old server. */
  limits.probe_ms = PROBE_MS;
  limits.open_ms = BECKON_MCP_CLIENT_FETCH_MS;
  transport = beckon_mcp_http_new (server, NULL, beckon_clock_get_system ());

  wallet = g_object_new (TYPE_CONTEXT_WALLET, NULL);
  oauth = beckon_oauth_new (server->address, NULL, "conformance", beckon_clock_get_system ());
  if (work.context != NULL && beckon_json_get_string (work.context, "client_id") != NULL)
    {
      wallet->context = json_object_ref (work.context);
      login = beckon_login_new ();
      login->client_id = g_strdup (beckon_json_get_string (work.context, "client_id"));
      login->has_secret = beckon_json_get_string (work.context, "client_secret") != NULL;
      beckon_oauth_set_login (oauth, login, BECKON_OAUTH_WALLET (wallet));
    }
  beckon_oauth_set_document (oauth, "https://conformance-test.local/client-metadata.json");
  beckon_oauth_set_browser (oauth, browse, NULL);

  beckon_mcp_http_set_oauth (BECKON_MCP_HTTP (transport), oauth);
  work.client = beckon_mcp_client_new (server->name, transport, beckon_clock_get_system (), &limits);
  work.loop = g_main_loop_new (NULL, FALSE);
  beckon_mcp_client_open_async (work.client, NULL, debug_mcp_on_opened, &work);
  g_main_loop_run (work.loop);
  g_main_loop_unref (work.loop);
  g_clear_pointer (&work.infos, g_ptr_array_unref);
  g_clear_pointer (&work.context, json_object_unref);
  g_object_unref (work.client);
  return work.status;
}
