/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-value.h"

G_BEGIN_DECLS

/**
 * BeckonMcpEntryFault:
 * @BECKON_MCP_ENTRY_FAULT_NONE: it can be used
 * @BECKON_MCP_ENTRY_FAULT_EMPTY: there is neither a program nor an address
 * @BECKON_MCP_ENTRY_FAULT_BOTH: there are both, so that what is shown could be another than what is used
 * @BECKON_MCP_ENTRY_FAULT_COMMAND: the program is not a text
 * @BECKON_MCP_ENTRY_FAULT_LIST: a member is not a list of texts
 * @BECKON_MCP_ENTRY_FAULT_TEXT: a member is not a text
 */
typedef enum
{
  BECKON_MCP_ENTRY_FAULT_NONE,
  BECKON_MCP_ENTRY_FAULT_EMPTY,
  BECKON_MCP_ENTRY_FAULT_BOTH,
  BECKON_MCP_ENTRY_FAULT_COMMAND,
  BECKON_MCP_ENTRY_FAULT_LIST,
  BECKON_MCP_ENTRY_FAULT_TEXT,
} BeckonMcpEntryFault;

/**
 * BeckonMcpEntry:
 * @is_program: whether a program is started; otherwise an address is asked
 * @words: (nullable) (array zero-terminated=1): the program and its arguments, as the file has them
 * @address: (nullable): the address, as the file has it; borrowed from the JSON
 * @was_for_windows: words that only Windows needs were left out
 * @fault: why it can't be used
 * @fault_at: (nullable): the member that is at fault; borrowed
 *
 * A server in a file of settings: what it would start or reach. The card that asks about it and the reader that makes a server
 * of it both go by this, so that the one never names something else than the other uses.
 */
typedef struct
{
  gboolean is_program;
  char **words;
  const char *address;
  gboolean was_for_windows;
  BeckonMcpEntryFault fault;
  const BeckonJsonValue *fault_at;
} BeckonMcpEntry;

/** Reads @value, an object, which has to be there as long as the entry. Pure; any thread. */
void beckon_mcp_entry_read (const BeckonJsonValue *value, BeckonMcpEntry *entry);
void beckon_mcp_entry_clear (BeckonMcpEntry *entry);

/** Whether @value has what makes it a server. */
gboolean beckon_mcp_entry_is_one (const BeckonJsonValue *value);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonMcpEntry, beckon_mcp_entry_clear)

G_END_DECLS
