/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox/beckon-protected-paths.h"
#include "sandbox/beckon-sandbox.h"

G_BEGIN_DECLS

/**
 * beckon_sandbox_portal_is_needed:
 *
 * Returns: whether this program runs within a Flatpak, where bubblewrap is refused
 */
gboolean beckon_sandbox_portal_is_needed (void);

/**
 * beckon_sandbox_portal_start:
 * @argv: the command, %NULL-terminated
 * @options: what it is given; its folder has been looked at
 * @protected: (transfer full) (nullable): the protected paths of that folder, laid; %NULL with a landing place
 * @error: return location for an error
 *
 * Runs a command through Flatpak's portal (org.freedesktop.portal.Flatpak), in a new instance of this application without any
 * of its permissions: no home, no data of this application, no bus, no display, and no network unless @options say so; only
 * the folder is writable, at the same path; with a landing place the copy in it, with a link to it at the folder's path, and
 * the processes that the command left behind are ended with it. In it, first of all, beckon-confine sets the limits and
 * refuses what the portal was asked to keep away and did not. It ends with this program's place on the bus.
 *
 * What the portal says comes later: the job's wait fails with BECKON_ERROR_UNAVAILABLE if it starts nothing.
 *
 * Returns: (transfer full): the command; %NULL with BECKON_ERROR_UNAVAILABLE
 */
BeckonJob *beckon_sandbox_portal_start (const char *const *argv, const BeckonSandboxOptions *options,
                                        BeckonProtectedPaths *protected, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_sandbox_portal_try_view_async:
 * @folder: a working folder, which nothing happens to
 * @place: a landing place with a copy of anything
 * @callback: called when it is known
 * @user_data: for @callback
 *
 * Tries whether a command finds a copy in the place of its folder, by running nothing on it. Main thread.
 */
void beckon_sandbox_portal_try_view_async (const char *folder, const char *place, GAsyncReadyCallback callback,
                                           gpointer user_data);

/** Whether it does. */
gboolean beckon_sandbox_portal_try_view_finish (GAsyncResult *result);

G_END_DECLS
