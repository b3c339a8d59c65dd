/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * BeckonEffects:
 * @tool: the tool's name
 * @server: (nullable): the MCP server that offers it; %NULL for a built-in one
 * @read_only: running it changes nothing
 * @leaves_folder: it reads or writes outside the conversation's folder
 * @uses_network: it can carry data out
 * @folder: (nullable): the conversation's working folder
 * @conversation_id: (nullable): the conversation
 * @arguments: (nullable): the arguments that would run
 * @command: (nullable): the command line that would run
 * @paths: (nullable) (array zero-terminated=1): the files that it touches, absolute, with links resolved
 * @hosts: (nullable) (array zero-terminated=1): the hosts that it speaks to
 *
 * What a call would do, computed by its tool; the input of every decision. All is borrowed.
 */
typedef struct
{
  const char *tool;
  const char *server;
  gboolean read_only;
  gboolean leaves_folder;
  gboolean uses_network;
  const char *folder;
  const char *conversation_id;
  JsonObject *arguments;
  const char *command;
  const char *const *paths;
  const char *const *hosts;
} BeckonEffects;

G_END_DECLS
