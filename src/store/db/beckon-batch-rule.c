/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"

static const char put_sql[] =
  "INSERT INTO rule (number, id, tool, server, arguments, folder, conversation, verdict, created_at, expires_at, uses,"
  "  used_at)"
  " VALUES ((SELECT ?10 WHERE ?10 > 0 AND NOT EXISTS (SELECT 1 FROM rule WHERE number = ?10)),"
  "  ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?11, ?12)"
  " ON CONFLICT (id) DO UPDATE SET tool = ?2, server = ?3, arguments = ?4, folder = ?5, conversation = ?6, verdict = ?7,"
  " expires_at = ?9";

gboolean
beckon_batch_write_rule (BeckonDatabase *database, const BeckonRule *rule, GError **error)
{
  return beckon_database_run (database, error, put_sql, "sssssssiiiii", rule->id, rule->tool, rule->server,
                              rule->arguments, rule->folder, rule->conversation_id,
                              beckon_verdict_to_string (rule->verdict), rule->created_at, rule->expires_at,
                              rule->number, rule->uses, rule->used_at);
}

static gboolean
rule_write (BeckonSession *session, const BeckonValue *values, GError **error)
{
  return beckon_batch_write_rule (session->database, values[0].object, error);
}

void
beckon_batch_put_rule (BeckonBatch *batch, BeckonRule *rule)
{
  beckon_batch_work (batch, rule_write, BECKON_OWNED (beckon_rule_ref (rule), beckon_rule_unref));
}

void
beckon_batch_delete_rule (BeckonBatch *batch, const char *rule_id)
{
  beckon_batch_run (batch, "DELETE FROM rule WHERE id = ?1", rule_id);
}

/* A number is free for one rule when the other has left it. */
void
beckon_batch_swap_rules (BeckonBatch *batch, const BeckonRule *one, const BeckonRule *other)
{
  g_return_if_fail (one->number > 0 && other->number > 0);

  beckon_batch_run (batch, "UPDATE rule SET number = -1 WHERE id = ?1 AND number = ?2", one->id, one->number);
  beckon_batch_run (batch,
                    "UPDATE rule SET number = ?3 WHERE id = ?1 AND number = ?2"
                    " AND EXISTS (SELECT 1 FROM rule WHERE number = -1)",
                    other->id, other->number, one->number);
  beckon_batch_run (batch,
                    "UPDATE rule SET number = CASE WHEN EXISTS (SELECT 1 FROM rule WHERE number = ?2) THEN ?1 ELSE ?2 END"
                    " WHERE number = -1",
                    one->number, other->number);
}

void
beckon_batch_use_rule (BeckonBatch *batch, const char *rule_id, gint64 at)
{
  beckon_batch_run (batch, "UPDATE rule SET uses = uses + 1, used_at = max (used_at, ?2) WHERE id = ?1", rule_id, at);
}
