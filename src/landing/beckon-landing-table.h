/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Tables of a landing place: records by path, as files that the same computer writes and reads. A path is relative to the
 * folder. All of it blocks: worker threads only.
 */

/**
 * BECKON_LANDING_HIDDEN:
 *
 * Paths that a rule hides from a command are not in its view: in the upper layer stands a whiteout for each, as if the command
 * had deleted it. Rules may change, and a path may be hidden for where a link leads: a listed path, and what is below it, is no
 * change, whatever the command made there, and never lands. Without records.
 */
#define BECKON_LANDING_HIDDEN "hidden"

/** (transfer full) (element-type filename gpointer): an empty table; records are freed with g_free(). */
GHashTable *beckon_landing_table_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): the table @name of @place, whose records have @size bytes, empty where there is none; %NULL with an
 * error. */
GHashTable *beckon_landing_table_load (const char *place, const char *name, gsize size,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** %FALSE with an error. */
gboolean beckon_landing_table_save (GHashTable *table, const char *place, const char *name, gsize size, GError **error);

/** Whether @path, or a folder that it is in, is in @table. */
gboolean beckon_landing_table_covers (GHashTable *table, const char *path);

G_END_DECLS
