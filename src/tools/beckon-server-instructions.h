/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-mcp-server.h"

G_BEGIN_DECLS

/** Most characters of one server's instructions, and of all, that a model is given. */
#define BECKON_SERVER_INSTRUCTIONS_MAX 4000
#define BECKON_SERVER_INSTRUCTIONS_MAX_ALL 16000

/**
 * BeckonServerInstructions:
 *
 * What servers of tools say about themselves, for models. It is untrusted: a model is given it as quoted text, bounded, under
 * the server's name. Main thread.
 */
typedef struct _BeckonServerInstructions BeckonServerInstructions;

BeckonServerInstructions *beckon_server_instructions_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                      beckon_server_instructions_free (BeckonServerInstructions *instructions);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonServerInstructions, beckon_server_instructions_free)

/** Says what @server says from now on, in place of what it said. @text: (nullable): %NULL for nothing */
void beckon_server_instructions_set (BeckonServerInstructions *instructions, BeckonMcpServer *server, const char *text);

/**
 * beckon_server_instructions_quote:
 * @instructions: what there is
 * @folder: (nullable): a conversation's working folder
 *
 * Returns: (transfer full) (nullable): what a model of that conversation is given, in the order of the servers' names; %NULL
 *   for nothing. Servers that are off or for other folders, and those whose instructions the person doesn't want, are left out
 */
char *beckon_server_instructions_quote (BeckonServerInstructions *instructions,
                                        const char *folder) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
