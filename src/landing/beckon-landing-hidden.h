/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Paths that a rule hides from a command are not in its view: in the upper layer stands a whiteout for each, as if the command
 * had deleted it. Their list is written beside the layer, because rules may change, and a path may be hidden for where a link
 * leads: a listed path, and what is below it, is no change, whatever the command made there, and never lands.
 */

/**
 * beckon_landing_hidden_save:
 * @place: a landing place
 * @paths: (element-type filename): paths relative to the folder, in any order
 * @error: return location
 *
 * Blocks. Returns: %FALSE with an error
 */
gboolean beckon_landing_hidden_save (const char *place, GPtrArray *paths, GError **error);

/** (transfer full) (element-type filename): the paths, as a set, which may be empty; %NULL with an error. Blocks. */
GHashTable *beckon_landing_hidden_load (const char *place, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @path, relative to the folder, is one of @hidden or below one. */
gboolean beckon_landing_hidden_has (GHashTable *hidden, const char *path);

G_END_DECLS
