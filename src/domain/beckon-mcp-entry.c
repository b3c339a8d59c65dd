/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-entry.h"

#include <string.h>

static const char *const addresses[] = { "url", "serverUrl", "httpUrl", "serverURL" };

static void
mcp_entry_take_fault (BeckonMcpEntry *entry, BeckonMcpEntryFault fault, const BeckonJsonValue *value)
{
  if (entry->fault != BECKON_MCP_ENTRY_FAULT_NONE)
    return;
  entry->fault = fault;
  entry->fault_at = value;
}

/* (nullable): a member that says something. */
static const BeckonJsonValue *
mcp_entry_get_member (const BeckonJsonValue *value, const char *name)
{
  const BeckonJsonValue *member = beckon_json_value_get (value, name);

  return member != NULL && member->kind != BECKON_JSON_VALUE_NULL ? member : NULL;
}

static const BeckonJsonValue *
find_address (const BeckonJsonValue *value)
{
  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++)
    if (mcp_entry_get_member (value, addresses[i]) != NULL)
      return mcp_entry_get_member (value, addresses[i]);
  return NULL;
}

static void
mcp_entry_add_words (BeckonMcpEntry *entry, const BeckonJsonValue *list, GStrvBuilder *words)
{
  for (guint i = 0; i < beckon_json_value_get_n_children (list); i++)
    {
      g_autofree char *word = beckon_json_value_dup_scalar (beckon_json_value_get_child (list, i));

      if (word == NULL)
        {
          mcp_entry_take_fault (entry, BECKON_MCP_ENTRY_FAULT_LIST, list);
          return;
        }
      g_strv_builder_add (words, word);
    }
}

/* Most have a program and a list of arguments; some have both in one. */
static char **
read_words (BeckonMcpEntry *entry, const BeckonJsonValue *value, const BeckonJsonValue *command)
{
  const BeckonJsonValue *arguments = mcp_entry_get_member (value, "args");
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  if (command->kind == BECKON_JSON_VALUE_OBJECT)
    {
      arguments = mcp_entry_get_member (command, "args");
      command = mcp_entry_get_member (command, "path");
    }
  if (command != NULL && command->kind == BECKON_JSON_VALUE_ARRAY)
    mcp_entry_add_words (entry, command, words);
  else if (command != NULL && beckon_json_value_get_string (command) != NULL)
    g_strv_builder_add (words, beckon_json_value_get_string (command));
  else
    mcp_entry_take_fault (entry, BECKON_MCP_ENTRY_FAULT_COMMAND, command);
  if (arguments != NULL && arguments->kind == BECKON_JSON_VALUE_ARRAY)
    mcp_entry_add_words (entry, arguments, words);
  else if (arguments != NULL)
    mcp_entry_take_fault (entry, BECKON_MCP_ENTRY_FAULT_LIST, arguments);
  return g_strv_builder_end (words);
}

void
beckon_mcp_entry_read (const BeckonJsonValue *value, BeckonMcpEntry *entry)
{
  const BeckonJsonValue *command, *address;

  g_return_if_fail (value != NULL && entry != NULL);

  *entry = (BeckonMcpEntry) { 0 };
  command = mcp_entry_get_member (value, "command");
  address = find_address (value);
  entry->is_program = command != NULL;
  if (command == NULL && address == NULL)
    mcp_entry_take_fault (entry, BECKON_MCP_ENTRY_FAULT_EMPTY, NULL);
  if (command != NULL && address != NULL)
    mcp_entry_take_fault (entry, BECKON_MCP_ENTRY_FAULT_BOTH, NULL);
  if (command != NULL)
    {
      char **words;
      char **split;

      entry->words = read_words (entry, value, command);
      words = entry->words;
      /* Windows needs a shell in front of scripts. */
      if (words[0] != NULL && words[1] != NULL && words[2] != NULL && g_ascii_strcasecmp (words[1], "/c") == 0
          && (g_ascii_strcasecmp (words[0], "cmd") == 0 || g_ascii_strcasecmp (words[0], "cmd.exe") == 0))
        {
          entry->was_for_windows = TRUE;
          entry->words = g_strdupv (words + 2);
          g_strfreev (words);
        }
      split = NULL;
      /* A command line in the place of a program is split as a shell would. */
      if (entry->words[0] != NULL && entry->words[1] == NULL && strchr (entry->words[0], ' ') != NULL && *entry->words[0] != '/'
          && g_shell_parse_argv (entry->words[0], NULL, &split, NULL))
        {
          g_strfreev (entry->words);
          entry->words = split;
        }
    }
  else if (address != NULL)
    {
      entry->address = beckon_json_value_get_string (address);
      if (entry->address == NULL)
        mcp_entry_take_fault (entry, BECKON_MCP_ENTRY_FAULT_TEXT, address);
    }
}

void
beckon_mcp_entry_clear (BeckonMcpEntry *entry)
{
  g_clear_pointer (&entry->words, g_strfreev);
}

gboolean
beckon_mcp_entry_is_one (const BeckonJsonValue *value)
{
  return value->kind == BECKON_JSON_VALUE_OBJECT && (mcp_entry_get_member (value, "command") != NULL
                                                     || find_address (value) != NULL);
}
