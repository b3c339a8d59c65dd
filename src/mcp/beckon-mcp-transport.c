/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-transport.h"

#include "base/beckon-wipe.h"

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
