/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-service-private.h"

#include "base/beckon-error.h"
#include "beckon-mcp-http.h"
#include "beckon-mcp-program.h"
#include "beckon-mcp-stdio.h"

#include <glib/gi18n-lib.h>

/* Each way to reach a server is made here. */

static BeckonMcpTransport *
make_stdio (BeckonMcpServer *server, const BeckonMcpServiceParts *parts, GHashTable *secrets, GError **error)
{
  GPtrArray *snapshot = parts->rules != NULL ? beckon_rules_get_snapshot (parts->rules) : NULL;
  g_autoptr (BeckonRuleSet) rules = snapshot != NULL ? beckon_rule_set_new (snapshot) : NULL;
  BeckonMcpTransport *transport;

  /* Until they were read it isn't known what is denied. */
  if (server->is_sandboxed && parts->rules != NULL && rules == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           _("The rules were not read yet. Try again in a moment."));
      return NULL;
    }
  transport = beckon_mcp_stdio_new (server, secrets, parts->clock);
  beckon_mcp_stdio_set_rules (BECKON_MCP_STDIO (transport), rules);
  beckon_mcp_stdio_set_tool_chains (BECKON_MCP_STDIO (transport), beckon_tool_registry_get_tool_chains (parts->registry));
  return transport;
}

BeckonMcpTransport *
beckon_mcp_service_make_transport (BeckonMcpService *self, const BeckonMcpServiceParts *parts, GHashTable *secrets,
                                   GError **error)
{
  BeckonMcpServer *server = beckon_mcp_service_get_server (self);
  BeckonMcpTransport *transport;

  if (server->kind == BECKON_MCP_KIND_STDIO)
    return make_stdio (server, parts, secrets, error);
  transport = beckon_mcp_http_new (server, secrets, parts->clock);
  beckon_mcp_http_set_oauth (BECKON_MCP_HTTP (transport), beckon_mcp_service_get_oauth (self));
  return transport;
}

void
beckon_mcp_service_set_limits (const BeckonMcpServer *server, BeckonMcpClientLimits *limits)
{
  *limits = (BeckonMcpClientLimits) BECKON_MCP_CLIENT_LIMITS_INIT;
  if (beckon_mcp_program_fetches (server) && (!server->is_sandboxed || server->has_network))
    limits->open_ms = BECKON_MCP_CLIENT_FETCH_MS;
  if (server->timeout_s == 0)
    return;
  limits->call_ms = server->timeout_s * 1000;
  limits->call_max_ms = MAX (limits->call_max_ms, limits->call_ms);
}
