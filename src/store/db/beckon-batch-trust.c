/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"

static const char put_sql[] =
  "INSERT INTO folder_trust (folder, hash, extras, is_trusted, at) VALUES (?1, ?2, ?3, ?4, ?5)"
  " ON CONFLICT (folder) DO UPDATE SET hash = ?2, extras = ?3, is_trusted = ?4, at = ?5";

gboolean
beckon_batch_write_trust (BeckonDatabase *database, const BeckonFolderTrust *trust, GError **error)
{
  return beckon_database_run (database, error, put_sql, "sssii", trust->folder, trust->hash, trust->extras,
                              (gint64) trust->is_trusted, trust->at);
}
