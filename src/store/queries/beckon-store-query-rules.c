/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/db/beckon-store-private.h"

static const char list_sql[] =
  "SELECT id, tool, server, arguments, folder, conversation, verdict, created_at, expires_at, uses, used_at,"
  "  number"
  " FROM rule ORDER BY number";

/* Verdicts of a later version permit nothing. */
static gpointer
read_rule (BeckonSession *session, sqlite3_stmt *row)
{
  BeckonRule *rule = beckon_rule_new ();

  rule->id = g_strdup (beckon_column_text (row, 0));
  rule->tool = g_strdup (beckon_column_text (row, 1));
  rule->server = g_strdup (beckon_column_text (row, 2));
  rule->arguments = g_strdup (beckon_column_text (row, 3));
  rule->folder = g_strdup (beckon_column_text (row, 4));
  rule->conversation_id = g_strdup (beckon_column_text (row, 5));
  if (!beckon_verdict_from_string (beckon_column_text (row, 6), &rule->verdict))
    rule->verdict = BECKON_VERDICT_ASK;
  rule->created_at = sqlite3_column_int64 (row, 7);
  rule->expires_at = sqlite3_column_int64 (row, 8);
  rule->uses = sqlite3_column_int64 (row, 9);
  rule->used_at = sqlite3_column_int64 (row, 10);
  rule->number = sqlite3_column_int64 (row, 11);

  return rule;
}

BECKON_STORE_LIST (beckon_store_list_rules, list_sql, read_rule, beckon_rule_unref, BECKON_NONE)
