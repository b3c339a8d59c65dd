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
  if (server->kind != BECKON_MCP_KIND_STDIO || !server->is_sandboxed)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (strstr (words, signs[i]) != NULL)
      return TRUE;
  return FALSE;
}

char *
beckon_mcp_read_only_dup_advice (const BeckonMcpServer *server)
{
  g_autofree char *name = NULL;

  name = g_shell_quote (server->name);
  if (server->can_write)
    /* Translators: “%s” is a server's name in quotes; the command stays as it is */
    return beckon_text_printf (_("The sandbox keeps what other programs run or obey read-only, such as Git's folders, or the "
                                 "whole folder where its log says so. To let it change them, run it without the sandbox: "
                                 "beckonctl mcp set %s --no-sandbox"),
                               name);
  /* Translators: “Allow Writing in the Folder” is a switch; “%s” is a server's name in quotes; the command stays as it is */
  return beckon_text_printf (_("The sandbox lets it only read its folder. To let it write there, turn on “Allow Writing in "
                               "the Folder” in its settings, or run: beckonctl mcp set %s --write"),
                             name);
}

const char *
beckon_mcp_read_only_get_reason (void)
{
  /* Translators: a line of a server's log; what other programs run or obey is protected */
  return _("The server can only read its folder: too many files in it, a link, or every new file would have to be protected. "
           "Choose a smaller folder for the server");
}

const char *
beckon_mcp_read_only_get_remark (const BeckonMcpServer *server)
{
  if (server->can_write)
    return "[The sandbox of this server keeps what other programs run or obey read-only (.git, hooks and what they call, "
           "settings of editors, package.json, programs of the repository), or the whole folder where not all of it can be "
           "protected: the server's log says so.]";
  return "[The user lets this server only read its folder. If it has to write there, they can allow it: “Allow Writing in "
         "the Folder” in the server's settings, on the page Servers of the preferences.]";
}
