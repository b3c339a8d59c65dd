/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** The most names that are listed. */
#define BECKON_FOLDER_NAMES_MOST 5000

/**
 * beckon_folder_names_list_async:
 * @folder: the absolute path of a working folder
 * @cancellable: (nullable): at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Lists the files beneath a folder for a person to choose from, on another thread: what `list_files` would list, no more than
 * can be looked at in a moment.
 */
void beckon_folder_names_list_async (const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);

/** Paths relative to the folder, in the order of the folders: (element-type utf8) (transfer full). */
GPtrArray *beckon_folder_names_list_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
