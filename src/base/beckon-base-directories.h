/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_base_directories_check:
 *
 * Takes what names no folder out of the environment: a `HOME` and any `XDG_…_HOME` or `XDG_RUNTIME_DIR` that is empty or not
 * absolute. GLib would take such a path as one below the current folder, and the history would be wherever the program was
 * started. Without them GLib asks the list of users for the home, and has the folders below it.
 *
 * Source: XDG Base Directory Specification, "Basics": all paths must be absolute, and a relative one is to be ignored.
 *
 * In the main thread, before anything asks for a folder and before there are other threads.
 */
void beckon_base_directories_check (void);

G_END_DECLS
