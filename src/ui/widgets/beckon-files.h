/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Files and folders of this computer, as the desktop's own windows have them chosen and as people write their paths. */

/**
 * beckon_save_text:
 * @widget: where it is saved from; an error is told in its window
 * @name: the file's name that is proposed
 * @text: what it will hold
 *
 * Asks for a place and writes @text there.
 */
void beckon_save_text (GtkWidget *widget, const char *name, const char *text);

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

/** A folder's path as people write it: "~/release" below the home folder. Fit to be shown; caller frees. */
char *beckon_folder_name_shorten (const char *path) G_GNUC_WARN_UNUSED_RESULT;

/** Its last part alone; fit to be shown; caller frees. */
char *beckon_folder_name_get_last (const char *path) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
