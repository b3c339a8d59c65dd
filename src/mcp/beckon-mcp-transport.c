/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-transport.h"

#include "base/beckon-wipe.h"
#include "form/beckon-parameters.h"

#include <string.h>

G_DEFINE_INTERFACE (BeckonMcpTransport, beckon_mcp_transport, G_TYPE_OBJECT)

static void
beckon_mcp_transport_default_init (BeckonMcpTransportInterface *iface)
{
}

void
beckon_mcp_transport_set_peer (BeckonMcpTransport *self, const BeckonMcpPeer *peer, gpointer data)
{
  BECKON_MCP_TRANSPORT_GET_IFACE (self)->set_peer (self, peer, data);
}

void
beckon_mcp_transport_open_async (BeckonMcpTransport *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  BECKON_MCP_TRANSPORT_GET_IFACE (self)->open_async (self, cancellable, callback, user_data);
}

gboolean
beckon_mcp_transport_open_finish (BeckonMcpTransport *self, GAsyncResult *result, GError **error)
{
  return BECKON_MCP_TRANSPORT_GET_IFACE (self)->open_finish (self, result, error);
}

void
beckon_mcp_transport_call_async (BeckonMcpTransport *self, const BeckonMcpExchange *exchange, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  BECKON_MCP_TRANSPORT_GET_IFACE (self)->call_async (self, exchange, cancellable, callback, user_data);
}

BeckonRpcMessage *
beckon_mcp_transport_call_finish (BeckonMcpTransport *self, GAsyncResult *result, GError **error)
{
  return BECKON_MCP_TRANSPORT_GET_IFACE (self)->call_finish (self, result, error);
}

gboolean
beckon_mcp_transport_notify (BeckonMcpTransport *self, const char *method, const char *params, GError **error)
{
  return BECKON_MCP_TRANSPORT_GET_IFACE (self)->notify (self, method, params, error);
}

void
beckon_mcp_transport_answer (BeckonMcpTransport *self, BeckonRpcMessage *response)
{
  BECKON_MCP_TRANSPORT_GET_IFACE (self)->answer (self, response);
}

void
beckon_mcp_transport_set_revision (BeckonMcpTransport *self, const char *revision)
{
  BECKON_MCP_TRANSPORT_GET_IFACE (self)->set_revision (self, revision);
}

void
beckon_mcp_transport_close_async (BeckonMcpTransport *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  BECKON_MCP_TRANSPORT_GET_IFACE (self)->close_async (self, cancellable, callback, user_data);
}

gboolean
beckon_mcp_transport_close_finish (BeckonMcpTransport *self, GAsyncResult *result, GError **error)
{
  return BECKON_MCP_TRANSPORT_GET_IFACE (self)->close_finish (self, result, error);
}

char *
beckon_mcp_transport_dup_log (BeckonMcpTransport *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_TRANSPORT (self), NULL);

  return BECKON_MCP_TRANSPORT_GET_IFACE (self)->dup_log != NULL ? BECKON_MCP_TRANSPORT_GET_IFACE (self)->dup_log (self) : NULL;
}

static BeckonMask *
mcp_transport_get_mask (BeckonMcpTransport *self)
{
  BeckonMcpTransportInterface *iface;

  iface = BECKON_MCP_TRANSPORT_GET_IFACE (self);
  return iface->get_mask != NULL ? iface->get_mask (self) : NULL;
}

char *
beckon_mcp_transport_mask (BeckonMcpTransport *self, char *text)
{
  BeckonMask *mask = mcp_transport_get_mask (self);
  char *masked;

  if (mask == NULL || text == NULL)
    return text;
  masked = beckon_mask_apply (mask, text);
  beckon_wipe (text);
  return masked;
}

char *
beckon_mcp_transport_mask_json (BeckonMcpTransport *self, char *json)
{
  BeckonMask *mask = mcp_transport_get_mask (self);
  char *masked;

  if (mask == NULL || json == NULL)
    return json;
  masked = beckon_mask_apply_json (mask, json);
  beckon_wipe (json);
  return masked;
}

static void
mcp_mask_add (BeckonMask *mask, const char *value)
{
  if (value != NULL && *value != '\0')
    beckon_mask_add (mask, value, BECKON_PARAMETERS_MASK);
}

/* The value of a header begins with its scheme. */
static void
add_header (BeckonMask *mask, const char *value)
{
  const char *blank = strchr (value, ' ');

  mcp_mask_add (mask, value);
  if (blank != NULL && strlen (blank + 1) >= BECKON_MASK_ANYWHERE)
    mcp_mask_add (mask, blank + 1);
}

BeckonMask *
beckon_mcp_mask_new (GPtrArray *variables, GHashTable *secrets, const char *token)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  GHashTableIter iter;
  gpointer value;
  g_auto (GStrv) names = NULL;

  if (secrets != NULL)
    {
      g_hash_table_iter_init (&iter, secrets);
      while (g_hash_table_iter_next (&iter, NULL, &value))
        add_header (mask, value);
    }
  /* A short one, such as a switch, would be found in words that have nothing to do with it. */
  for (guint i = 0; i < variables->len; i++)
    {
      const BeckonMcpVariable *variable = g_ptr_array_index (variables, i);
      const char *inherited = variable->source == BECKON_MCP_VALUE_INHERITED ? g_getenv (variable->name) : NULL;

      if (inherited != NULL && strlen (inherited) >= BECKON_MASK_ANYWHERE
          && beckon_mcp_variable_is_secret_name (variable->name))
        add_header (mask, inherited);
    }
  /* A proxy or a mirror of packages may be an address with a password, which servers are passed with the address. */
  names = g_listenv ();
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GUri) uri = g_uri_parse (g_getenv (names[i]), G_URI_FLAGS_HAS_PASSWORD, NULL);
      const char *password = uri != NULL ? g_uri_get_password (uri) : NULL;

      if (password != NULL && strlen (password) >= BECKON_MASK_ANYWHERE)
        mcp_mask_add (mask, password);
    }
  mcp_mask_add (mask, token);
  return beckon_mask_is_empty (mask) ? NULL : g_steal_pointer (&mask);
}
