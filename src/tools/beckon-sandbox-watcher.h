/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonSandboxWatcher:
 *
 * Who ends a process group when this program ends: a process of that group's own, which is there for a moment. It uses this
 * program's memory, so that it costs nothing, however large this program is. Main thread.
 */
typedef struct _BeckonSandboxWatcher BeckonSandboxWatcher;

/** (nullable): %NULL, with errno, if there is no memory or descriptor left. */
BeckonSandboxWatcher *beckon_sandbox_watcher_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** In a process that leads the group and is about to become another program; see #BeckonLaunch. It ends if that fails. */
void beckon_sandbox_watcher_begin (BeckonSandboxWatcher *watcher);

/** From now on the group is its own master. */
void beckon_sandbox_watcher_end (BeckonSandboxWatcher *watcher);

/** Without the end before, the group ends. */
void beckon_sandbox_watcher_free (BeckonSandboxWatcher *watcher);

G_END_DECLS
