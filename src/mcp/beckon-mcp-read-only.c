/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-read-only.h"

#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The words of Node, and of strerror (), which C, Python, Go and Rust have as well. Sandboxes keep the language of the
 * desktop, but few of these programs translate errors. */
static const char *const write_signs[] = { "EROFS", "Read-only file system", "read-only file system", NULL };
static const char *const socket_signs[] = { "EAFNOSUPPORT", "Address family not supported by protocol", NULL };

static gboolean
read_only_explains (const BeckonMcpServer *server, const char *words, const char *const *signs)
{
  while (*signs != NULL && strstr (words, *signs) == NULL)
    signs++;
  return server->kind == BECKON_MCP_KIND_STDIO && server->is_sandboxed && *signs != NULL;
}

char *
beckon_mcp_read_only_dup_advice (const BeckonMcpServer *server, const char *words)
{
  g_autofree char *name = g_shell_quote (server->name);

  if (read_only_explains (server, words, socket_signs))
    /* Translators: “%s” is a server's name in quotes; commands stay as they are */
    return beckon_text_printf (_("In a sandbox a server has no Unix sockets, because they could lead to your other "
                                 "programs. Start it in a way that needs none, such as “node --import tsx” in place of "
                                 "“npx tsx”, or without the sandbox: beckonctl mcp set %s --no-sandbox"),
                               name);
  if (!read_only_explains (server, words, write_signs))
    return NULL;
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
beckon_mcp_read_only_get_remark (const BeckonMcpServer *server, const char *words)
{
  if (read_only_explains (server, words, socket_signs))
    return "[The sandbox of this server has no Unix sockets, so that it can't reach the user's other programs. What needs them "
           "works only if the user runs the server without the sandbox.]";
  if (!read_only_explains (server, words, write_signs))
    return NULL;
  if (server->can_write)
    return "[The sandbox of this server keeps what other programs run or obey read-only (.git, hooks and what they call, "
           "settings of editors, package.json, programs of the repository), or the whole folder where not all of it can be "
           "protected: the server's log says so.]";
  return "[The user lets this server only read its folder. If it has to write there, they can allow it: “Allow Writing in "
         "the Folder” in the server's settings, on the page Servers of the preferences.]";
}
