/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonIgnore:
 *
 * What Git is told to overlook in one folder and below it: its .gitignore, and those of the folders above it.
 */
typedef struct _BeckonIgnore BeckonIgnore;

/**
 * beckon_ignore_new:
 * @above: (nullable): that of the folder above; it has to outlive this one
 * @path: a folder, relative to the working folder, "." for itself
 * @bytes: (nullable): what its .gitignore holds; %NULL if it has none, or none that can be read
 *
 * Pure.
 */
BeckonIgnore *beckon_ignore_new (const BeckonIgnore *above, const char *path, GBytes *bytes) G_GNUC_WARN_UNUSED_RESULT;

/** Whether what is at @path, relative to the working folder and directly in this folder, is to be overlooked. */
gboolean beckon_ignore_matches (const BeckonIgnore *ignore, const char *path, gboolean is_folder);

void beckon_ignore_free (BeckonIgnore *ignore);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonIgnore, beckon_ignore_free)

G_END_DECLS
