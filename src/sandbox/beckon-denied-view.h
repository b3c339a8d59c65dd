/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "policy/beckon-denied-paths.h"

G_BEGIN_DECLS

/**
 * BeckonDeniedView:
 *
 * What a sandbox does about files that a rule denies: they cannot be read there, or not be changed. A rule names a path and
 * means the file: other names that it has there (hard links) are as good as the one.
 */
typedef struct _BeckonDeniedView BeckonDeniedView;

/**
 * beckon_denied_view_look:
 * @denied: (nullable): what is denied
 * @folder: the working folder, an absolute path without symbolic links
 * @error: return location
 *
 * Finds what there is now of it. Blocks: worker threads only.
 *
 * Returns: (transfer full): a view, which may be empty; %NULL with BECKON_ERROR_UNAVAILABLE, in words to be shown, if there is
 *   too much to find it all, or if the folder itself is denied
 */
BeckonDeniedView *beckon_denied_view_look (BeckonDeniedPaths *denied, const char *folder, GError **error)
  G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_denied_view_look_beside:
 * @denied: (nullable): what is denied
 * @folder: the working folder, an absolute path without symbolic links
 * @searched: (nullable) (array zero-terminated=1): other folders that are shown, likewise
 * @shown: (nullable) (array zero-terminated=1): others that are shown and too large to be searched: there the files of a rule
 *   with an absolute path or pattern are looked for where they can be
 * @error: return location
 *
 * As beckon_denied_view_look(), for a command that is shown more.
 *
 * Returns: (transfer full): a view; %NULL with BECKON_ERROR_UNAVAILABLE
 */
BeckonDeniedView *beckon_denied_view_look_beside (BeckonDeniedPaths *denied, const char *folder, const char *const *searched,
                                                  const char *const *shown, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @path, absolute and without links, is, or is in, what must not be read; or with @for_changes not be changed. */
gboolean beckon_denied_view_has (const BeckonDeniedView *view, const char *path, gboolean for_changes);

/**
 * beckon_denied_view_has_linked:
 * @view: (inout) (transfer full): what was looked for before; %NULL at first. Looked for when it is needed
 * @denied: (nullable): what is denied
 * @folder: the working folder
 * @path: an absolute path without links
 * @for_changes: whether it is to be changed
 *
 * Returns: whether @path is another name of a file that is denied, or that could not be found out. Blocks
 */
gboolean beckon_denied_view_has_linked (BeckonDeniedView **view, BeckonDeniedPaths *denied, const char *folder,
                                        const char *path, gboolean for_changes);

gboolean beckon_denied_view_is_empty (const BeckonDeniedView *view);

/** Whether all of it is within @folder. */
gboolean beckon_denied_view_is_within (const BeckonDeniedView *view, const char *folder);

/**
 * beckon_denied_view_list_folders:
 * @view: a view
 * @folder: the working folder that it is of
 *
 * Which folders within @folder have to be mounts of their own, so that none of them can be moved: a rule says where a file is,
 * and under another name the next command would find it.
 *
 * Returns: (transfer full) (element-type utf8): absolute paths, each behind those that it lies in
 */
GPtrArray *beckon_denied_view_list_folders (const BeckonDeniedView *view, const char *folder) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_denied_view_list_hidden:
 * @view: a view
 * @folder: the working folder that it is of
 *
 * Which files and folders within @folder must not be seen: a copy-on-write view of it is made without them.
 *
 * Returns: (transfer full) (element-type filename): paths relative to @folder, each behind those that it lies in
 */
GPtrArray *beckon_denied_view_list_hidden (const BeckonDeniedView *view, const char *folder) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_denied_view_add_arguments:
 * @view: a view
 * @without: (nullable): a folder that the command has a copy-on-write view of: what is hidden in it is not there
 * @arguments: where bubblewrap's arguments are added, to stand behind everything that makes these files visible
 * @error: return location
 *
 * Returns: %FALSE with BECKON_ERROR_UNAVAILABLE, in words to be shown, if there is more than can be mounted over
 */
gboolean beckon_denied_view_add_arguments (const BeckonDeniedView *view, const char *without, GString *arguments,
                                           GError **error);

void beckon_denied_view_free (BeckonDeniedView *view);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonDeniedView, beckon_denied_view_free)

G_END_DECLS
