/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-extras-servers.h"

#include "base/beckon-json.h"
#include "base/beckon-json-value.h"
#include "base/beckon-text.h"
#include "domain/beckon-mcp-entry.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
extras_servers_take_fault (BeckonFolderExtras *extras, const char *path, const char *name, const char *fault)
{
  BeckonFolderExtra *extra = beckon_folder_extra_new (BECKON_FOLDER_EXTRA_SERVER, path, name, NULL, NULL, 0);

  extra->fault = g_strdup (fault);
  beckon_folder_extras_take (extras, extra);
}

static const char *
extras_servers_find_fault (const BeckonFolderExtras *extras, const char *name, const BeckonMcpEntry *entry)
{
  if (*name == '\0' || g_utf8_strlen (name, -1) > BECKON_EXTRAS_MAX_SERVER_NAME || beckon_text_has_hidden (name, -1)
      || strpbrk (name, "\n\t\r") != NULL)
    return N_("The server's name can't be used.");
  if (beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SERVER, name) != NULL)
    return N_("Another server has the same name.");
  switch (entry->fault)
    {
    case BECKON_MCP_ENTRY_FAULT_EMPTY:
      return N_("The server has neither a command nor a url.");

    case BECKON_MCP_ENTRY_FAULT_BOTH:
      return N_("The server has both a command and a url.");

    case BECKON_MCP_ENTRY_FAULT_COMMAND:
    case BECKON_MCP_ENTRY_FAULT_LIST:
    case BECKON_MCP_ENTRY_FAULT_TEXT:
      return N_("The command, args or url of the server are not texts.");

    case BECKON_MCP_ENTRY_FAULT_NONE:
    default:
      return NULL;
    }
}

static void
extras_servers_read_server (const BeckonJsonValue *server, const char *path, BeckonFolderExtras *extras)
{
  const char *name = server->name->str;
  g_autoptr (GString) lines = g_string_new ("{\n");
  guint n = beckon_json_value_get_n_children (server);
  g_autofree char *text = NULL;
  g_auto (BeckonMcpEntry) entry = { 0 };
  g_autofree char *description = NULL;
  const char *fault;
  g_autoptr (GString) line = NULL;

  /* A member a line, so that a difference shows what changed. */
  for (guint i = 0; i < n; i++)
    {
      const BeckonJsonValue *member = beckon_json_value_get_child (server, i);
      g_autofree char *member_value = beckon_json_value_print (member);
      g_autofree char *member_name = g_strescape (member->name->str, NULL);

      g_string_append_printf (lines, "  \"%s\": %s%s\n", member_name, member_value, i + 1 < n ? "," : "");
    }
  g_string_append_c (lines, '}');
  text = g_string_free (g_steal_pointer (&lines), FALSE);
  beckon_mcp_entry_read (server, &entry);
  /* The command line or the address. */
  line = g_string_new (NULL);
  if (!entry.is_program)
    description = g_strdup (entry.address);
  else
    {
      for (guint i = 0; entry.words != NULL && entry.words[i] != NULL; i++)
        {
          const char *word = entry.words[i];
          g_autofree char *quoted
              = strpbrk (word, " \t\n\"'\\$") != NULL || *word == '\0' ? g_shell_quote (word) : g_strdup (word);

          g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", quoted);
        }
      description = g_string_free (g_steal_pointer (&line), FALSE);
    }
  fault = extras_servers_find_fault (extras, name, &entry);
  if (fault != NULL)
    extras_servers_take_fault (extras, path, name, fault);
  else
    beckon_folder_extras_take (extras, beckon_folder_extra_new (BECKON_FOLDER_EXTRA_SERVER, path, name, description, text,
                                                                strlen (text)));
}

void
beckon_extras_servers_read (const char *text, const char *path, BeckonFolderExtras *extras)
{
  g_autofree char *strict = beckon_json_make_strict (text, strlen (text));
  g_autoptr (BeckonJsonValue) root = beckon_json_value_parse (strict, -1, NULL);
  const BeckonJsonValue *list = beckon_json_value_get (root, "mcpServers");

  if (list == NULL)
    list = beckon_json_value_get (root, "servers");
  if (root == NULL)
    extras_servers_take_fault (extras, path, NULL, N_("The file is not valid JSON."));
  for (guint i = 0; list != NULL && list->kind == BECKON_JSON_VALUE_OBJECT
       && i < MIN (beckon_json_value_get_n_children (list), BECKON_EXTRAS_MAX_SERVERS);
       i++)
    extras_servers_read_server (beckon_json_value_get_child (list, i), path, extras);
}
