/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"
#include "beckon-batch.h"

static const char put_sql[] =
  "INSERT INTO rule (number, id, tool, server, arguments, folder, conversation, verdict, created_at, expires_at, uses,"
  "  used_at)"
  " VALUES ((SELECT ?10 WHERE ?10 > 0 AND NOT EXISTS (SELECT 1 FROM rule WHERE number = ?10)),"
  "  ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?11, ?12)"
  " ON CONFLICT (id) DO UPDATE SET tool = ?2, server = ?3, arguments = ?4, folder = ?5, conversation = ?6, verdict = ?7,"
  " expires_at = ?9";
static const char delete_sql[] = "DELETE FROM rule WHERE id = ?1";
/* A number is free for one rule when the other has left it. */
static const char lift_sql[] = "UPDATE rule SET number = -1 WHERE id = ?1 AND number = ?2";
static const char shift_sql[] = "UPDATE rule SET number = ?3 WHERE id = ?1 AND number = ?2"
                                " AND EXISTS (SELECT 1 FROM rule WHERE number = -1)";
static const char drop_sql[] = "UPDATE rule SET number"
                               "  = CASE WHEN EXISTS (SELECT 1 FROM rule WHERE number = ?2) THEN ?1 ELSE ?2 END"
                               " WHERE number = -1";
static const char use_sql[] = "UPDATE rule SET uses = uses + 1, used_at = max (used_at, ?2) WHERE id = ?1";

typedef struct
{
  BeckonBatchOp base;
  BeckonRule *rule;
} PutRule;

typedef struct
{
  BeckonBatchOp base;
  char *id;
  gint64 at; /* of its use; 0 to delete it */
} TouchRule;

typedef struct
{
  BeckonBatchOp base;
  char *ids[2];
  gint64 numbers[2];
} SwapRules;

gboolean
beckon_batch_write_rule (BeckonDatabase *database, const BeckonRule *rule, GError **error)
{
  return beckon_database_run (database, error, put_sql, "sssssssiiiii", rule->id, rule->tool, rule->server,
                              rule->arguments, rule->folder, rule->conversation_id,
                              beckon_verdict_to_string (rule->verdict), rule->created_at, rule->expires_at,
                              rule->number, rule->uses, rule->used_at);
}

static gboolean
exec_put_rule (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  return beckon_batch_write_rule (session->database, ((const PutRule *) base)->rule, error);
}

static void
free_put_rule (BeckonBatchOp *base)
{
  PutRule *op = (PutRule *) base;

  beckon_rule_unref (op->rule);
  g_free (op);
}

void
beckon_batch_put_rule (BeckonBatch *batch, BeckonRule *rule)
{
  PutRule *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (rule != NULL && rule->id != NULL);

  op = g_new0 (PutRule, 1);
  op->rule = beckon_rule_ref (rule);
  beckon_batch_add (batch, op, exec_put_rule, free_put_rule);
}

static gboolean
exec_touch_rule (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const TouchRule *op = (const TouchRule *) base;

  if (op->at == 0)
    return beckon_database_run (session->database, error, delete_sql, "s", op->id);

  return beckon_database_run (session->database, error, use_sql, "si", op->id, op->at);
}

static void
free_touch_rule (BeckonBatchOp *base)
{
  TouchRule *op = (TouchRule *) base;

  g_free (op->id);
  g_free (op);
}

static void
touch_rule (BeckonBatch *batch, const char *rule_id, gint64 at)
{
  TouchRule *op = g_new0 (TouchRule, 1);

  op->id = g_strdup (rule_id);
  op->at = at;
  beckon_batch_add (batch, op, exec_touch_rule, free_touch_rule);
}

void
beckon_batch_delete_rule (BeckonBatch *batch, const char *rule_id)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (rule_id != NULL);

  touch_rule (batch, rule_id, 0);
}

static gboolean
exec_swap_rules (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const SwapRules *op = (const SwapRules *) base;

  return beckon_database_run (session->database, error, lift_sql, "si", op->ids[0], op->numbers[0])
         && beckon_database_run (session->database, error, shift_sql, "sii", op->ids[1], op->numbers[1], op->numbers[0])
         && beckon_database_run (session->database, error, drop_sql, "ii", op->numbers[0], op->numbers[1]);
}

static void
free_swap_rules (BeckonBatchOp *base)
{
  SwapRules *op = (SwapRules *) base;

  g_free (op->ids[0]);
  g_free (op->ids[1]);
  g_free (op);
}

void
beckon_batch_swap_rules (BeckonBatch *batch, const BeckonRule *one, const BeckonRule *other)
{
  SwapRules *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (one != NULL && one->number > 0);
  g_return_if_fail (other != NULL && other->number > 0);

  op = g_new0 (SwapRules, 1);
  op->ids[0] = g_strdup (one->id);
  op->ids[1] = g_strdup (other->id);
  op->numbers[0] = one->number;
  op->numbers[1] = other->number;
  beckon_batch_add (batch, op, exec_swap_rules, free_swap_rules);
}

void
beckon_batch_use_rule (BeckonBatch *batch, const char *rule_id, gint64 at)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (rule_id != NULL);
  g_return_if_fail (at > 0);

  touch_rule (batch, rule_id, at);
}
