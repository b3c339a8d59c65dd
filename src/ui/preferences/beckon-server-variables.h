/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-mcp-server.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SERVER_VARIABLES (beckon_server_variables_get_type ())
G_DECLARE_FINAL_TYPE (BeckonServerVariables, beckon_server_variables, BECKON, SERVER_VARIABLES, AdwPreferencesGroup)

/**
 * BeckonServerVariables:
 *
 * The environment variables or headers of a server, to be entered: a row each, with a mark for those that are kept in the
 * keyring, and one to add another.
 */

/** Shows others. @variables: (element-type BeckonMcpVariable); @are_headers: they are sent, not set */
void beckon_server_variables_set (BeckonServerVariables *group, GPtrArray *variables, gboolean are_headers);

/** Adds what is shown to @variables, with one that was begun; a secret without a value stays as it is in the keyring. */
void beckon_server_variables_take (BeckonServerVariables *group, GPtrArray *variables);

G_END_DECLS
