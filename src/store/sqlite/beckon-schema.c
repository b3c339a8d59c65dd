/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a file comes to the shape that beckon-schema-versions.c describes.
 *
 * Every process holds a shared lock on the store's usage file while it has the store open. A migration needs it alone, so
 * that no older program writes with statements for the older shape.
 */

#include "beckon-config.h"

#include "beckon-schema.h"

#include "base/beckon-error.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/file.h>

/* A migration ends by itself; a person has to close an older program. */
#define MIGRATION_PATIENCE_US (60 * G_TIME_SPAN_SECOND)
#define USE_PATIENCE_US G_TIME_SPAN_SECOND
#define PAUSE_US (5 * G_TIME_SPAN_MILLISECOND)

static const BeckonMigration *
get_released (void)
{
  guint n;

  return beckon_schema_get_migrations (&n);
}

/* How many steps there are is the newest version. */
static guint
count_released (void)
{
  guint n;

  beckon_schema_get_migrations (&n);
  return n;
}

static gboolean
get_version (BeckonDatabase *database, gint64 *version, GError **error)
{
  return beckon_database_get_number (database, "PRAGMA user_version", version, error);
}

static gboolean
refuse_newer (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                       _("This history was written by a newer version of Beckon. Update Beckon to open it."));

  return FALSE;
}

gboolean
beckon_schema_is_current (BeckonDatabase *database, gboolean *is_current, GError **error)
{
  gint64 version;

  if (!get_version (database, &version, error))
    return FALSE;

  *is_current = version == count_released ();

  return version <= (gint64) count_released () || refuse_newer (error);
}

static char *
build_copy_path (const char *directory, gint64 version)
{
  g_autofree char *name = g_strdup_printf ("beckon-v%" G_GINT64_FORMAT ".db", version);

  return g_build_filename (directory, name, NULL);
}

void
beckon_schema_remove_copies (const char *directory)
{
  for (guint i = 1; i < count_released (); i++)
    {
      g_autofree char *path = build_copy_path (directory, i);

      g_unlink (path);
    }
}

static gboolean
check_references (BeckonDatabase *database, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (database, error, "PRAGMA foreign_key_check", "");

  if (statement == NULL)
    return FALSE;

  switch (beckon_database_step (database, statement, error))
    {
    case BECKON_STEP_DONE:
      return TRUE;

    case BECKON_STEP_ROW:
      sqlite3_reset (statement);
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_STORE, _("The history could not be converted."));
      return FALSE;

    case BECKON_STEP_ERROR:
    default:
      return FALSE;
    }
}

static gboolean
take_steps (BeckonDatabase *database, gint64 version, const BeckonMigration *migrations, guint n_migrations,
            GError **error)
{
  g_autofree char *mark = g_strdup_printf ("PRAGMA user_version = %u", n_migrations);

  for (guint i = (guint) version; i < n_migrations; i++)
    if (!beckon_database_script (database, migrations[i].sql, error))
      return FALSE;

  return check_references (database, error) && beckon_database_script (database, mark, error);
}

static void
allow_rebuilding (BeckonDatabase *database, int allow)
{
  sqlite3 *handle = beckon_database_get_handle (database);

  sqlite3_db_config (handle, SQLITE_DBCONFIG_ENABLE_FKEY, !allow, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, allow, NULL);
}

/* References are checked at the end and not on the way, so that a step may build a table anew: make it under another name,
 * copy, drop the old one, and rename, while triggers and other tables go on naming the old one. */
static gboolean
migrate (BeckonDatabase *database, gint64 version, const BeckonMigration *migrations, guint n_migrations, GError **error)
{
  gboolean migrated;

  if (version == 0 && !beckon_database_get_number (database, "PRAGMA journal_mode = WAL", &(gint64) { 0 }, error))
    return FALSE;

  allow_rebuilding (database, 1);
  migrated = beckon_database_begin (database, BECKON_DURABILITY_FULL, error)
             && take_steps (database, version, migrations, n_migrations, error)
             && beckon_database_commit (database, error);
  beckon_database_rollback (database);
  allow_rebuilding (database, 0);

  return migrated;
}

gboolean
beckon_schema_build (BeckonDatabase *database, GError **error)
{
  return migrate (database, 0, get_released (), count_released (), error);
}

/* With the usage file to itself. Another program may have migrated before it was. */
static gboolean
migrate_alone (BeckonDatabase *database, const char *directory, const BeckonMigration *migrations, guint n_migrations,
               GError **error)
{
  gint64 version;
  g_autofree char *copy = NULL;

  if (!get_version (database, &version, error))
    return FALSE;
  if (version >= n_migrations)
    return version == n_migrations || refuse_newer (error);
  copy = build_copy_path (directory, version);
  if (version > 0 && !beckon_database_copy_to (database, copy, NULL, NULL, error))
    return FALSE;

  return migrate (database, version, migrations, n_migrations, error);
}

gboolean
beckon_schema_create (BeckonDatabase *database, GError **error)
{
  return migrate (database, 0, get_released (), count_released (), error);
}

gboolean
beckon_schema_prepare (BeckonDatabase *database, const char *directory, const BeckonMigration *migrations,
                       guint n_migrations, int usage_fd, GError **error)
{
  gint64 began = g_get_monotonic_time ();
  gint64 version;

  for (;;)
    {
      gboolean is_shared = flock (usage_fd, LOCK_SH | LOCK_NB) == 0;

      if (is_shared)
        {
          if (!get_version (database, &version, error))
            return FALSE;
          if (version >= n_migrations)
            return version == n_migrations || refuse_newer (error);
        }

      if (flock (usage_fd, LOCK_EX | LOCK_NB) == 0)
        {
          gboolean migrated = migrate_alone (database, directory, migrations, n_migrations, error);

          /* Changing a lock lets go of it for a moment, in which another process may take it; it lets go of it as soon.
           */
          while (flock (usage_fd, LOCK_SH) != 0 && errno == EINTR)
            continue;
          return migrated;
        }

      /* Two that both share and both want it alone must not wait for each other. */
      flock (usage_fd, LOCK_UN);
      if (g_get_monotonic_time () - began > (is_shared ? USE_PATIENCE_US : MIGRATION_PATIENCE_US))
        {
          g_set_error_literal (
              error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
              _("The history must be converted for this version of Beckon, and an older one is still using it. "
                 "Close every window and terminal of Beckon, then try again."));

          return FALSE;
        }
      g_usleep (PAUSE_US);
    }
}

gboolean
beckon_schema_prepare_released (BeckonDatabase *database, const char *directory, int usage_fd, GError **error)
{
  return beckon_schema_prepare (database, directory, get_released (), count_released (), usage_fd, error);
}
