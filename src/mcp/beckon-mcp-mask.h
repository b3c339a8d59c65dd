/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-mask.h"
#include "domain/beckon-mcp-server.h"

G_BEGIN_DECLS

/**
 * beckon_mcp_mask_new:
 * @variables: (element-type BeckonMcpVariable): what the server is given; those that it inherits from this program's
 *   environment are secrets where their names say so
 * @secrets: (nullable) (element-type utf8 utf8): values of secret ones, by name
 * @token: (nullable): what it is signed in to with
 *
 * A server knows its secrets and may say them again, in its log, its errors and its results; nobody has to see them there.
 * Of a header such as "Bearer KEY" the key by itself is found, too.
 *
 * Returns: (transfer full) (nullable): %NULL where there is nothing to be found
 */
BeckonMask *beckon_mcp_mask_new (GPtrArray *variables, GHashTable *secrets,
                                 const char *token) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
