/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonEtcCopy:
 *
 * A folder with copies of what commands need of /etc, so that it costs each of them one mount. It lies where only this user can
 * write and no command is let (beckon_sandbox_check_folder() refuses the folder of what runs now), and is used by every process
 * of this user; its name says what it was made of. While one of them holds it, it stays as it is, and what nobody holds goes
 * with the next one that is made.
 */
typedef struct _BeckonEtcCopy BeckonEtcCopy;

/**
 * beckon_etc_copy_make:
 * @root: what stands before every path: the empty string; another folder in tests
 * @place: the folder in which the folders for it lie; made if it is missing, in a folder that is there
 * @network: whether there are places for what the network needs
 * @links: (element-type utf8): what programs keep there, see beckon_etc_find_links()
 * @error: return location for an error
 *
 * Finds the copy of what is there now, or makes it: whole, or not at all. Blocks: worker threads only.
 *
 * Returns: (transfer full): a copy that is held; %NULL with BECKON_ERROR_CONFLICT if another process is making one just now, or
 *   what is copied changed meanwhile, and with BECKON_ERROR_UNAVAILABLE or BECKON_ERROR_TOO_LARGE if there can be none, because
 *   it cannot be written, or because others could write there
 */
BeckonEtcCopy *beckon_etc_copy_make (const char *root, const char *place, gboolean network, GPtrArray *links,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Its folder. Borrowed. */
const char *beckon_etc_copy_get_path (BeckonEtcCopy *copy);

/** Whether it is there, made of what still is the same, by who this process is. Some hundred looks at the file system. */
gboolean beckon_etc_copy_is_current (BeckonEtcCopy *copy);

/** Lets go of it: no command may be using it. */
void beckon_etc_copy_free (BeckonEtcCopy *copy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonEtcCopy, beckon_etc_copy_free)

G_END_DECLS
