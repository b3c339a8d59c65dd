/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "beckon-batch-private.h"

#include <glib/gi18n-lib.h>

void
beckon_batch_put_parameter (BeckonBatch *batch, BeckonToolParameter *parameter)
{
  if (!beckon_tool_parameter_says_something (parameter))
    beckon_batch_run (batch, "DELETE FROM parameter WHERE tool = ?1 AND server = ?2 AND name = ?3", parameter->tool,
                      parameter->server, parameter->name);
  else
    beckon_batch_run (batch,
                      "INSERT INTO parameter (tool, server, name, access, pinned, allowed, changed_at)"
                      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
                      " ON CONFLICT (tool, server, name) DO UPDATE SET access = ?4, pinned = ?5, allowed = ?6, changed_at = ?7",
                      parameter->tool, parameter->server, parameter->name, beckon_form_access_to_string (parameter->access),
                      parameter->pinned, parameter->allowed, parameter->changed_at);
}

static const char trust_put_sql[] =
  "INSERT INTO folder_trust (folder, hash, extras, is_trusted, at) VALUES (?1, ?2, ?3, ?4, ?5)"
  " ON CONFLICT (folder) DO UPDATE SET hash = ?2, extras = ?3, is_trusted = ?4, at = ?5";

gboolean
beckon_batch_write_trust (BeckonDatabase *database, const BeckonFolderTrust *trust, GError **error)
{
  return beckon_database_run (database, error, trust_put_sql, "sssii", trust->folder, trust->hash, trust->extras,
                              (gint64) trust->is_trusted, trust->at);
}

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
