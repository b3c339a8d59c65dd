/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "beckon-batch-private.h"
#include "beckon-batch.h"

#include <glib/gi18n-lib.h>

static const char add_sql[] = "INSERT INTO permit (id, call, digest, given_at) VALUES (?1, ?2, ?3, ?4)";
static const char use_sql[] =
  "UPDATE permit SET used_at = ?4 WHERE id = ?1 AND call = ?2 AND digest = ?3 AND used_at IS NULL";

typedef struct
{
  BeckonBatchOp base;
  char *id;
  char *call_id;
  char *digest;
  gint64 at;
} Permit;

gboolean
beckon_batch_write_permit (BeckonDatabase *database, const char *id, const char *call_id, const char *digest, gint64 at,
                           GError **error)
{
  return beckon_database_run (database, error, add_sql, "sssi", id, call_id, digest, at);
}

static gboolean
exec_add_permit (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Permit *op = (const Permit *) base;

  return beckon_batch_write_permit (session->database, op->id, op->call_id, op->digest, op->at, error);
}

static gboolean
exec_use_permit (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Permit *op = (const Permit *) base;
  int changed = beckon_database_change (session->database, error, use_sql, "sssi", op->id, op->call_id, op->digest, op->at);

  if (changed == 0)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                         _("This was not approved, or has run already. Nothing was started."));

  return changed > 0;
}

static void
free_permit (BeckonBatchOp *base)
{
  Permit *op = (Permit *) base;

  g_free (op->id);
  g_free (op->call_id);
  g_free (op->digest);
  g_free (op);
}

static Permit *
permit_new (const char *id, const char *call_id, const char *digest, gint64 at)
{
  Permit *op = g_new0 (Permit, 1);

  op->id = g_strdup (id);
  op->call_id = g_strdup (call_id);
  op->digest = g_strdup (digest);
  op->at = at;
  return op;
}

void
beckon_batch_add_permit (BeckonBatch *batch, const char *id, const char *call_id, const char *digest, gint64 at)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (id != NULL && call_id != NULL && digest != NULL);

  beckon_batch_add_id (batch, call_id);
  beckon_batch_add (batch, permit_new (id, call_id, digest, at), exec_add_permit, free_permit);
}

void
beckon_batch_use_permit (BeckonBatch *batch, const char *id, const char *call_id, const char *digest, gint64 at)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (id != NULL && call_id != NULL && digest != NULL);

  beckon_batch_add_id (batch, call_id);
  beckon_batch_add (batch, permit_new (id, call_id, digest, at), exec_use_permit, free_permit);
}
