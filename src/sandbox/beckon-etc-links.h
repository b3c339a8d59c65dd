/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_etc_find_links:
 * @root: what stands before every path: the empty string; another folder in tests
 *
 * Looks for what programs in /usr keep in /etc and reach by links, such as the configuration of Java and Maven: without it they
 * do not run. What not everybody may read is not among it. Blocks, for a tenth of a second or so: worker threads only.
 *
 * Returns: (transfer full) (element-type utf8): files and folders below /etc, sorted
 */
GPtrArray *beckon_etc_find_links (const char *root) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): a text that is another one when there may be other links below @root. Blocks. */
char *beckon_etc_describe_link_folders (const char *root) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_etc_list_hidden:
 * @root: what stands before every path
 * @links: (element-type filename): what beckon_etc_find_links() found
 *
 * Returns: (transfer full) (element-type filename): what not everybody may read in those of @links that are folders; or a whole
 *   folder that has much of it. Blocks
 */
GPtrArray *beckon_etc_list_hidden (const char *root, GPtrArray *links) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
