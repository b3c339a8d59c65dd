/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "beckon-batch-private.h"

#include <glib/gi18n-lib.h>

static const char add_sql[] = "INSERT INTO permit (id, call, digest, given_at) VALUES (?1, ?2, ?3, ?4)";

gboolean
beckon_batch_write_permit (BeckonDatabase *database, const char *id, const char *call_id, const char *digest, gint64 at,
                           GError **error)
{
  return beckon_database_run (database, error, add_sql, "sssi", id, call_id, digest, at);
}

void
beckon_batch_add_permit (BeckonBatch *batch, const char *id, const char *call_id, const char *digest, gint64 at)
{
  beckon_batch_add_id (batch, call_id);
  beckon_batch_run (batch, add_sql, id, call_id, digest, at);
}

void
beckon_batch_use_permit (BeckonBatch *batch, const char *id, const char *call_id, const char *digest, gint64 at)
{
  beckon_batch_add_id (batch, call_id);
  beckon_batch_run (batch,
                    "UPDATE permit SET used_at = ?4 WHERE id = ?1 AND call = ?2 AND digest = ?3 AND used_at IS NULL",
                    id, call_id, digest, at);
  beckon_batch_expect (batch, BECKON_ERROR_CONFLICT, _("This was not approved, or has run already. Nothing was started."));
}
