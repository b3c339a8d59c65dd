/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-read-only.h"

#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The words of Node, and of strerror (), which C, Python, Go and Rust have as well. Sandboxes keep the language of the
 * desktop, but few of these programs translate errors. */
static const char *const signs[] = { "EROFS", "Read-only file system", "read-only file system" };

gboolean
beckon_mcp_read_only_explains (const BeckonMcpServer *server, const char *words)
{
  g_return_val_if_fail (server != NULL && words != NULL, FALSE);

  if (server->kind != BECKON_MCP_KIND_STDIO || !server->is_sandboxed || server->can_write)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (strstr (words, signs[i]) != NULL)
      return TRUE;
  return FALSE;
}

char *
beckon_mcp_read_only_dup_advice (const BeckonMcpServer *server)
{
  g_return_val_if_fail (server != NULL, NULL);

  /* Translators: “Allow Writing in the Folder” is a switch; “%s” is a server's name; the command stays as it is */
  return beckon_text_printf (_("The sandbox lets it only read its folder. To let it write there, turn on “Allow Writing in "
                               "the Folder” in its settings, or run: beckonctl mcp set %s --write"),
                             server->name);
}

const char *
beckon_mcp_read_only_get_remark (void)
{
  return "[The user lets this server only read its folder. If it has to write there, they can allow it: “Allow Writing in "
         "the Folder” in the server's settings, on the page Servers of the preferences.]";
}
