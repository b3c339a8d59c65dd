/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "git/beckon-git-elsewhere.h"
#include "sandbox/beckon-denied-view.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonViewKind:
 * @BECKON_VIEW_DIRECT: a command works in the folder itself
 * @BECKON_VIEW_OVERLAY: it works on an overlay, copied on write
 * @BECKON_VIEW_COPY: it works on a copy of the whole folder
 *
 * On what a command works. With an overlay or a copy nothing that it does reaches the folder before it lands.
 */
typedef enum
{
  BECKON_VIEW_DIRECT,
  BECKON_VIEW_OVERLAY,
  BECKON_VIEW_COPY,
} BeckonViewKind;

/**
 * beckon_sandbox_view_learn_async:
 * @folder: a working folder: an absolute path without symbolic links
 * @cancellable: (nullable): ends the wait
 * @callback: called when it is known, or the file system has not answered for seconds: until it does, the view is taken for
 *   %BECKON_VIEW_DIRECT
 * @user_data: for @callback
 *
 * Finds out, once per folder while this program runs, which view of @folder can be had: an overlay is tried for real. Main
 * thread; the work is done on another.
 */
void beckon_sandbox_view_learn_async (const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback,
                                      gpointer user_data);

/** %TRUE when it is known, or is not to be known soon; %FALSE with G_IO_ERROR_CANCELLED. */
gboolean beckon_sandbox_view_learn_finish (GAsyncResult *result, GError **error);

/** The view that a command in @folder gets: %BECKON_VIEW_DIRECT while that is not known. Any thread; does not block. */
BeckonViewKind beckon_sandbox_view_get (const char *folder);

/**
 * beckon_sandbox_view_make:
 * @folder: a working folder
 * @place: an empty landing place (beckon_landing_place_make())
 * @denied: (nullable): what the command must not see: it is not in the view
 * @cancellable: (nullable)
 * @error: return location
 *
 * Prepares @place for one command, by the kind that beckon_sandbox_view_get() names, which is not %BECKON_VIEW_DIRECT. Then
 * beckon_sandbox_start() is given @place. Where it fails, commands in @folder work in the folder itself from then on, which is
 * asked about. Blocks, for a copy as long as copying takes: worker threads only.
 *
 * Returns: %FALSE with BECKON_ERROR_UNAVAILABLE, in words to be shown, or G_IO_ERROR_CANCELLED
 */
gboolean beckon_sandbox_view_make (const char *folder, const char *place, const BeckonDeniedView *denied,
                                   GCancellable *cancellable, GError **error);

/**
 * beckon_sandbox_view_make_git:
 * @git: where the repository of @folder is
 * @folder: a working folder
 * @place: the landing place, made by beckon_sandbox_view_make() for an overlay
 * @error: return location
 *
 * Prepares @place for commits as well: the command gets a copy-on-write view of @git->git, too. Where that can't be had, it
 * only reads it. Blocks.
 *
 * Returns: %FALSE with an error
 */
gboolean beckon_sandbox_view_make_git (const BeckonGitElsewhere *git, const char *folder, const char *place, GError **error);

/** Whether the landing place @place (nullable) has a view of a Git directory elsewhere. Blocks. */
gboolean beckon_sandbox_view_has_git (const char *place);

G_END_DECLS
