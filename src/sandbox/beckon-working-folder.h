/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_working_folder_resolve:
 * @path: what a person chose; relative to the current folder
 * @error: return location for an error
 *
 * Checks that a folder may be a conversation's working folder: it is there, and it does not hold more than work, such as the
 * whole home folder, where keys and everything else that is private would be within reach. Synchronous.
 *
 * Returns: (transfer full): its absolute path with links resolved; %NULL with %BECKON_ERROR_INVALID, in words to be shown
 */
char *beckon_working_folder_resolve (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
