/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-service.h"

#include <glib/gi18n-lib.h>

/* A service for people. */

char *
beckon_mcp_service_dup_state_words (BeckonMcpService *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), NULL);

  switch (beckon_mcp_service_get_state (self))
    {
    case BECKON_MCP_SERVICE_STARTING:
      return g_strdup (_("Starting…"));

    case BECKON_MCP_SERVICE_RUNNING:
      return g_strdup (_("Running"));

    case BECKON_MCP_SERVICE_FAILED:
      return g_strdup (_("Failed"));

    case BECKON_MCP_SERVICE_IDLE:
      return g_strdup (beckon_mcp_service_get_error (self) != NULL ? _("Failed last time") : _("Starts when needed"));

    case BECKON_MCP_SERVICE_OFF:
    default:
      if (beckon_mcp_service_get_server (self)->is_suspended)
        return g_strdup (_("Off: the folder's files changed, or were not accepted"));
      return g_strdup (_("Off"));
    }
}
