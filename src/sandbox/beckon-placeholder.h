/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * A placeholder is an empty file or folder in a place where commands must not make one. It is shared: by the commands of this
 * program, and with other programs of the same person, which run commands in the same folder. The last one to need it
 * takes it away, and what is left of a program that was killed is taken over. Any thread.
 */

/** Whether what stands at @path is a placeholder, of any program. */
gboolean beckon_placeholder_is_one (const char *path);

/** Whether nothing but a placeholder stands at @path, if anything does, whatever other programs do there meanwhile. */
gboolean beckon_placeholder_has_room (const char *path);

/** Lays one at @path, or shares the one that is there. %FALSE if something else is, or if none can be made. */
gboolean beckon_placeholder_hold (const char *path, gboolean is_folder);

/** Ends one beckon_placeholder_hold(). */
void beckon_placeholder_release (const char *path);

G_END_DECLS
