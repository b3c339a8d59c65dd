/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/db/beckon-store-private.h"

static const char parameters_list_sql[] =
  "SELECT tool, server, name, access, pinned, allowed, changed_at FROM parameter ORDER BY tool, server, name";

static gpointer
read_parameter (BeckonSession *session, sqlite3_stmt *row)
{
  BeckonToolParameter *parameter =
    beckon_tool_parameter_new (beckon_column_text (row, 0), beckon_column_text (row, 1), beckon_column_text (row, 2));

  beckon_form_access_from_string (beckon_column_text (row, 3), &parameter->access);
  parameter->pinned = g_strdup (beckon_column_text (row, 4));
  parameter->allowed = g_strdup (beckon_column_text (row, 5));
  parameter->changed_at = sqlite3_column_int64 (row, 6);

  return parameter;
}

BECKON_STORE_LIST (beckon_store_list_parameters, parameters_list_sql, read_parameter, beckon_tool_parameter_unref, BECKON_NONE)

static const char load_sql[] = "SELECT folder, hash, extras, is_trusted, at FROM folder_trust WHERE folder = ?1";

static gpointer
store_trust_load (BeckonSession *session, gpointer data, GError **error)
{
  sqlite3_stmt *row = beckon_database_query_values (session->database, error, load_sql, data);
  BeckonStep step = row != NULL ? beckon_database_step (session->database, row, error) : BECKON_STEP_ERROR;
  BeckonFolderTrust *trust = NULL;

  if (step == BECKON_STEP_ROW)
    {
      trust = beckon_folder_trust_new (beckon_column_text (row, 0), beckon_column_text (row, 1), beckon_column_text (row, 2),
                                       sqlite3_column_int (row, 3) != 0, sqlite3_column_int64 (row, 4));
      sqlite3_reset (row);
    }
  else if (step == BECKON_STEP_DONE)
    {
      trust = beckon_folder_trust_new (((const BeckonValue *) data)->text, "", "", FALSE, 0);
    }
  return trust;
}

void
beckon_store_load_trust_async (BeckonStore *store, const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  const BeckonStoreOp op = { .func = store_trust_load, .free_result = (GDestroyNotify) beckon_folder_trust_free };
  g_autofree char *valid = g_utf8_make_valid (folder, -1);

  beckon_store_work_async (store, &op, beckon_store_load_trust_async, cancellable, callback, user_data, valid);
}

BECKON_FINISH_POINTER (BeckonFolderTrust *, beckon_store_load_trust, BeckonStore)

static const char rules_list_sql[] =
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

BECKON_STORE_LIST (beckon_store_list_rules, rules_list_sql, read_rule, beckon_rule_unref, BECKON_NONE)

static const char servers_list_sql[] = "SELECT id, name, config, is_on, created_at, listed_at FROM server ORDER BY name";
static const char state_sql[]
  = "SELECT definitions, previous, instructions, prompts, resources, error, log FROM server_state WHERE server = ?1";

/* A server whose settings can't be read is left out: nothing starts that nobody can see. */
static gpointer
query_servers_read_server (BeckonSession *session, sqlite3_stmt *row)
{
  g_autoptr (BeckonMcpServer) server = beckon_mcp_server_new (beckon_column_text (row, 1), BECKON_MCP_KIND_STDIO);

  server->id = g_strdup (beckon_column_text (row, 0));
  server->is_on = sqlite3_column_int (row, 3) != 0;
  server->created_at = sqlite3_column_int64 (row, 4);
  server->listed_at = sqlite3_column_int64 (row, 5);
  if (beckon_mcp_server_read_config (server, beckon_column_text (row, 2)) && beckon_mcp_server_check (server, NULL))
    return g_steal_pointer (&server);
  g_message ("the settings of the server %s can't be read", server->name);
  return NULL;
}

BECKON_STORE_LIST (beckon_store_list_servers, servers_list_sql, query_servers_read_server, beckon_mcp_server_unref, BECKON_NONE)

static gpointer
load_state (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (BeckonMcpServerState) state = g_new0 (BeckonMcpServerState, 1);
  sqlite3_stmt *row = beckon_database_query_values (session->database, error, state_sql, data);
  BeckonStep step = row != NULL ? beckon_database_step (session->database, row, error) : BECKON_STEP_ERROR;

  if (step == BECKON_STEP_ERROR)
    return NULL;
  if (step == BECKON_STEP_ROW)
    {
      state->definitions = g_strdup (beckon_column_text (row, 0));
      state->previous = g_strdup (beckon_column_text (row, 1));
      state->instructions = g_strdup (beckon_column_text (row, 2));
      state->prompts = g_strdup (beckon_column_text (row, 3));
      state->resources = g_strdup (beckon_column_text (row, 4));
      state->error = g_strdup (beckon_column_text (row, 5));
      state->log = g_strdup (beckon_column_text (row, 6));
      sqlite3_reset (row);
    }
  return g_steal_pointer (&state);
}

void
beckon_store_load_server_state_async (BeckonStore *self, const char *server_id, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = load_state, .free_result = (GDestroyNotify) beckon_mcp_server_state_free };

  beckon_store_work_async (self, &op, beckon_store_load_server_state_async, cancellable, callback, user_data, server_id);
}

BECKON_FINISH_POINTER (BeckonMcpServerState *, beckon_store_load_server_state, BeckonStore)

static const char profiles_list_sql[] =
  "SELECT id, name, base_url, model, rounds, kind, context_window, temperature, output_limit, headers, extra_body,"
  "  system_prompt, price_input, price_cached, price_output, currency, fallbacks, facts, key_command, key_origin, web_search"
  " FROM profile WHERE kind <> 'tour' ORDER BY name, id";

static guint
read_count (sqlite3_stmt *row, int column, guint max)
{
  return (guint) CLAMP (sqlite3_column_int64 (row, column), 0, max);
}

static char **
read_lines (sqlite3_stmt *row, int column)
{
  const char *lines = beckon_column_text (row, column);

  return lines != NULL ? g_strsplit (lines, "\n", -1) : NULL;
}

static gpointer
read_profile (BeckonSession *session, sqlite3_stmt *row)
{
  BeckonProfileKind kind;
  BeckonProfile *profile;
  g_auto (GStrv) headers = NULL;
  g_auto (GStrv) fallbacks = NULL;

  /* A later version may know more of them; this one cannot speak to those. */
  if (!beckon_profile_kind_from_string (beckon_column_text (row, 5), &kind))
    return NULL;
  profile = beckon_profile_new (beckon_column_text (row, 0), kind);
  beckon_profile_set_name (profile, beckon_column_text (row, 1));
  beckon_profile_set_base_url (profile, beckon_column_text (row, 2));
  beckon_profile_set_model (profile, beckon_column_text (row, 3));
  beckon_profile_set_rounds (profile, read_count (row, 4, BECKON_PROFILE_ROUNDS_MAX));
  headers = read_lines (row, 9);
  fallbacks = read_lines (row, 16);
  beckon_profile_set_context_window (profile, read_count (row, 6, BECKON_PROFILE_WINDOW_MAX));
  beckon_profile_set_temperature (profile, sqlite3_column_double (row, 7));
  beckon_profile_set_output_limit (profile, read_count (row, 8, BECKON_PROFILE_OUTPUT_LIMIT_MAX));
  beckon_profile_set_headers (profile, (const char *const *) headers);
  beckon_profile_set_extra_body (profile, beckon_column_text (row, 10));
  beckon_profile_set_system_prompt (profile, beckon_column_text (row, 11));
  beckon_profile_set_price (profile, BECKON_PRICE_INPUT, sqlite3_column_double (row, 12));
  beckon_profile_set_price (profile, BECKON_PRICE_CACHED, sqlite3_column_double (row, 13));
  beckon_profile_set_price (profile, BECKON_PRICE_OUTPUT, sqlite3_column_double (row, 14));
  beckon_profile_set_currency (profile, beckon_column_text (row, 15));
  beckon_profile_set_fallbacks (profile, (const char *const *) fallbacks);
  beckon_profile_set_web_search (profile, sqlite3_column_int64 (row, 20) != 0);
  g_object_set (profile, "facts", beckon_column_text (row, 17), "key-command", beckon_column_text (row, 18), "key-origin",
                beckon_column_text (row, 19), NULL);

  return profile;
}

BECKON_STORE_LIST (beckon_store_list_profiles, profiles_list_sql, read_profile, g_object_unref, BECKON_NONE)
