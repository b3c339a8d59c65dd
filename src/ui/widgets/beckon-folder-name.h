/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** A folder's path as people write it: "~/release" below the home folder. Fit to be shown; caller frees. */
char *beckon_folder_name_shorten (const char *path) G_GNUC_WARN_UNUSED_RESULT;

/** Its last part alone; fit to be shown; caller frees. */
char *beckon_folder_name_get_last (const char *path) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
