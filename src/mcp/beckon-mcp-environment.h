/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-mcp-server.h"

G_BEGIN_DECLS

/**
 * beckon_mcp_environment_make:
 * @server: a server of stdio
 * @secrets: (nullable) (element-type utf8 utf8): values of its secret variables, by name
 *
 * The variables that any program needs (HOME, LANG, LC_ALL, LOGNAME, PATH, SHELL, TERM, TMPDIR, TZ, USER), and those of
 * beckon_mcp_environment_list().
 *
 * Returns: (transfer full) (array zero-terminated=1): the environment
 */
char **beckon_mcp_environment_make (const BeckonMcpServer *server, GHashTable *secrets) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_environment_list:
 * @server: a server of stdio
 * @secrets: (nullable): as above
 *
 * What a server is given in its sandbox, too: of this program's own environment proxies, certificates, mirrors of packages and
 * the screen, as far as the server can use them and they hold no secret; then what was written down for it.
 *
 * Returns: (transfer full) (array zero-terminated=1): an environment
 */
char **beckon_mcp_environment_list (const BeckonMcpServer *server, GHashTable *secrets) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_environment_show_certificates:
 * @server: a server that runs in a sandbox
 * @environment: (inout) (array zero-terminated=1): what beckon_mcp_environment_list() gave for it: variables that come from
 *   this program then lead to the files behind links, and one whose file can't be shown is not there
 *
 * Blocks: for a worker.
 *
 * Returns: (transfer full) (array zero-terminated=1): the files and folders of certificates, to be shown there
 */
char **beckon_mcp_environment_show_certificates (const BeckonMcpServer *server,
                                                 char ***environment) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
