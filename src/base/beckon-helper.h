/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_helper_find:
 * @name: the name of a program that only this one starts
 *
 * Finds it where it was installed; where it was built, in the folders that BECKON_LIBEXECDIR names, with colons between them.
 * Any thread.
 *
 * Returns: (transfer full): its path, be it there or not
 */
char *beckon_helper_find (const char *name) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
