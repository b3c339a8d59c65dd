/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * BeckonFolderChosen:
 * @owner: who asked
 * @path: the folder's path, which the function copies
 */
typedef void (*BeckonFolderChosen) (GtkWidget *owner, const char *path);

/**
 * beckon_folder_choose:
 * @owner: what asks, in a window; if it is gone by then, the choice no longer matters
 * @chosen: called later, if a folder of this computer was chosen
 *
 * Lets the person choose a folder, in the desktop's own window.
 */
void beckon_folder_choose (GtkWidget *owner, BeckonFolderChosen chosen);

G_END_DECLS
