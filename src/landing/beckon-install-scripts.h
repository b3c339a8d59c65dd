/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_install_scripts_are_in:
 * @path: of a file
 *
 * Tells whether a package manager may run what @path says when it installs a package. Packages below node_modules are
 * installed already. Pure; any thread.
 */
gboolean beckon_install_scripts_are_in (const char *path);

/**
 * BeckonInstallScript:
 * @command: for a shell
 * @is_direct: whether the package manager runs it itself, not by way of another script
 */
typedef void (*BeckonInstallScript) (const char *command, gboolean is_direct, gpointer data);

/**
 * beckon_install_scripts_foreach:
 * @package: the text of a package.json
 * @data: for @function
 *
 * Calls @function with each script that installing the package runs: those of its life cycle, and those that they name, as
 * in `npm run build`. With none if @package cannot be read. Pure; any thread.
 */
void beckon_install_scripts_foreach (const char *package, BeckonInstallScript function, gpointer data);

/**
 * beckon_install_scripts_differ:
 * @before: (nullable): a package.json as it was; %NULL for none
 * @after: (nullable): as it becomes; %NULL for one that cannot be read
 *
 * Tells whether installing the package runs something else than before: npm, pnpm and Yarn run some of its scripts by
 * themselves then, and these may run others. Pure; any thread.
 *
 * Returns: %TRUE if it does, or may do
 */
gboolean beckon_install_scripts_differ (const char *before, const char *after);

G_END_DECLS
