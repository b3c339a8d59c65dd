/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonSandboxOverlay:
 *
 * A copy-on-write view of a folder: an overlay mount over the folder's own path, in a mount namespace that only one command
 * has. The folder is what lies below and is only read; all that is written goes to the upper layer in a landing place.
 */
typedef struct _BeckonSandboxOverlay BeckonSandboxOverlay;

/**
 * beckon_sandbox_overlay_new:
 * @folder: an absolute path without symbolic links
 * @place: a landing place with an upper and a work folder
 * @error: return location
 *
 * Returns: (transfer full): an overlay, still to be mounted; %NULL with BECKON_ERROR_UNAVAILABLE if one of them can't be opened
 */
BeckonSandboxOverlay *beckon_sandbox_overlay_new (const char *folder, const char *place, GError **error)
  G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_sandbox_overlay_reserve:
 * @overlay: an overlay
 *
 * Returns: (transfer full): a descriptor to be handed on by beckon_launch(). Once the overlay is mounted, its number stands for
 *   the view; -1 with errno
 */
int beckon_sandbox_overlay_reserve (BeckonSandboxOverlay *overlay) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_sandbox_overlay_mount:
 * @overlay: an overlay
 *
 * Enters namespaces of its own and mounts. Only in the new process of beckon_launch(), whose memory is this program's: nothing
 * but system calls.
 *
 * Returns: %FALSE with errno
 */
gboolean beckon_sandbox_overlay_mount (BeckonSandboxOverlay *overlay);

/** Why it could not be mounted, an errno; 0 if it could, or was not tried. */
int beckon_sandbox_overlay_get_problem (const BeckonSandboxOverlay *overlay);

/**
 * beckon_sandbox_overlay_try:
 * @folder: as above
 * @place: as above, for nothing else
 * @knows_all: (out): whether files of everybody can be changed there; %FALSE if in its user namespace only this program's own
 *   user and group are known
 *
 * Mounts one in a process of its own, which ends at once, and tries to write to it. Blocks for a few milliseconds: worker
 * threads only.
 *
 * Returns: whether that works here
 */
gboolean beckon_sandbox_overlay_try (const char *folder, const char *place, gboolean *knows_all);

void beckon_sandbox_overlay_free (BeckonSandboxOverlay *overlay);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonSandboxOverlay, beckon_sandbox_overlay_free)

G_END_DECLS
