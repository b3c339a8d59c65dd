/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_sandbox_etc_add:
 * @arguments: where arguments for bubblewrap are added
 * @fds: (element-type int): where the descriptors are added that bubblewrap is given for it
 * @network: whether what the network needs is shown, too
 *
 * Shows commands what they need of /etc (beckon-etc-lists.h), each piece by itself, and nothing else of it. Main thread.
 */
void beckon_sandbox_etc_add (GString *arguments, GArray *fds, gboolean network);

/**
 * beckon_sandbox_etc_look:
 *
 * Looks for what other programs keep in /etc (beckon-etc-links.h), if there may be other links than before. Commands that begin
 * before the first look miss that, and have it begin. Blocks, for a tenth of a second or so: worker threads only.
 */
void beckon_sandbox_etc_look (void);

G_END_DECLS
