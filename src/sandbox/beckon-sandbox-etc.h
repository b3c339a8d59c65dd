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
 * Shows commands what they need of /etc (beckon-etc-lists.h), each piece by itself, and nothing else of it.
 * Takes a tenth of a second or so the first time: worker threads only.
 */
void beckon_sandbox_etc_add (GString *arguments, GArray *fds, gboolean network);

G_END_DECLS
