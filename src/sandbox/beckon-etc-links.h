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

/** (array zero-terminated=1): folders that change when there may be other links. */
const char *const *beckon_etc_list_link_folders (void);

G_END_DECLS
