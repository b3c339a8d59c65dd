/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-database.h"

G_BEGIN_DECLS

/**
 * BeckonMigration:
 * @sql: the statements that lead from the version before to this one
 *
 * One step of the schema's history. The version of a file is the number of steps it has taken, kept in `user_version`.
 * A step that was released is never changed.
 */
typedef struct
{
  const char *sql;
} BeckonMigration;

/** Every step there is. */
const BeckonMigration *beckon_schema_get_migrations (guint *n_migrations);

/**
 * beckon_schema_prepare:
 * @database: a database that was just opened
 * @directory: the store's folder
 * @migrations: the steps
 * @n_migrations: how many
 * @usage_fd: the folder's usage file, open; a shared lock stays on it
 * @error: return location
 *
 * Brings a file to the newest version, in one transaction. A file that held something is copied beside itself first, as
 * `beckon-v<version>.db`. A file is not migrated while another process uses it.
 *
 * Returns: %FALSE with %BECKON_ERROR_UNAVAILABLE and words for a person if the file is of a newer version, or is older and
 *   in use; %BECKON_ERROR_STORE if it cannot be read
 */
gboolean beckon_schema_prepare (BeckonDatabase *database, const char *directory, const BeckonMigration *migrations,
                                guint n_migrations, int usage_fd, GError **error);

/** The same with every step there is. */
gboolean beckon_schema_prepare_released (BeckonDatabase *database, const char *directory, int usage_fd, GError **error);

/** Gives an empty database the newest shape. No other program may know of its file yet. */
gboolean beckon_schema_create (BeckonDatabase *database, GError **error);

/** Whether a file is of the newest version there is; fails with %BECKON_ERROR_UNAVAILABLE if it is of a newer one. */
gboolean beckon_schema_is_current (BeckonDatabase *database, gboolean *is_current, GError **error);

/**
 * beckon_schema_update_rows:
 * @database: of the newest shape, with rows that were copied from a file
 * @version: of that file; 0 if that is not known
 * @error: return location
 *
 * Does what steps after @version did to rows that are as readable without it, and mean something else. Rows of an unknown
 * version stay as they are: they allow no more than they say.
 */
gboolean beckon_schema_update_rows (BeckonDatabase *database, gint64 version, GError **error);

/** Removes what conversions have copied in a folder. */
void beckon_schema_remove_copies (const char *directory);

/** Gives an empty database that no other program has the newest shape. */
gboolean beckon_schema_build (BeckonDatabase *database, GError **error);

G_END_DECLS
