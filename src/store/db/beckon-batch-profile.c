/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "beckon-batch-private.h"

#include <glib/gi18n-lib.h>

static const char add_sql[] = "INSERT INTO server (id, name, prefix, config, is_on, created_at) SELECT ?1, ?2, ?3, ?4, ?5, ?6"
                              " WHERE NOT EXISTS (SELECT 1 FROM server WHERE name = ?2 OR prefix = ?3)";
static const char tools_sql[] =
  "INSERT INTO server_state (server, definitions, previous, instructions, prompts, resources)"
  " SELECT id, ?2, ?3, ?4, ?5, ?6 FROM server WHERE id = ?1"
  " ON CONFLICT (server) DO UPDATE SET definitions = ?2, previous = ?3, instructions = ?4, prompts = ?5,"
  " resources = ?6";

/* A server that another process removed does not come back because its settings are saved here. */
void
beckon_batch_put_server (BeckonBatch *batch, BeckonMcpServer *server, gboolean is_new)
{
  g_autofree char *prefix = beckon_mcp_server_dup_prefix (server);
  g_autofree char *config = beckon_mcp_server_print_config (server);
  g_autofree char *refusal = beckon_text_printf (
    is_new ? _("There is already a server “%s”, or one with a name like it. Choose another name.")
           : _("The server “%s” was removed meanwhile. Add it again."),
    server->name);

  if (is_new)
    beckon_batch_run (batch, add_sql, server->id, server->name, prefix, config, server->is_on, server->created_at);
  else
    beckon_batch_run (batch, "UPDATE server SET config = ?3, is_on = ?4 WHERE id = ?1 AND name = ?2", server->id,
                      server->name, config, server->is_on);
  beckon_batch_expect (batch, BECKON_ERROR_CONFLICT, refusal);
}

void
beckon_batch_delete_server (BeckonBatch *batch, BeckonMcpServer *server)
{
  beckon_batch_run (batch, "DELETE FROM server WHERE id = ?1", server->id);
  beckon_batch_run (batch, "DELETE FROM rule WHERE server = ?1", server->name);
  beckon_batch_run (batch, "DELETE FROM parameter WHERE server = ?1", server->name);
}

void
beckon_batch_put_server_tools (BeckonBatch *batch, const char *server_id, const BeckonMcpServerState *state,
                               gint64 listed_at)
{
  beckon_batch_run (batch, tools_sql, server_id, state->definitions, state->previous, state->instructions, state->prompts,
                    state->resources);
  beckon_batch_run (batch, "UPDATE server SET listed_at = ?2 WHERE id = ?1", server_id, listed_at);
}

void
beckon_batch_put_server_log (BeckonBatch *batch, const char *server_id, const char *error, const char *log)
{
  beckon_batch_run (batch,
                    "INSERT INTO server_state (server, error, log) SELECT id, ?2, ?3 FROM server WHERE id = ?1"
                    " ON CONFLICT (server) DO UPDATE SET error = ?2, log = ?3",
                    server_id, error, log);
}

static const char put_sql[] =
  "INSERT INTO profile (id, kind, name, base_url, model, rounds, context_window, temperature, output_limit, headers,"
  "  extra_body, system_prompt, price_input, price_cached, price_output, currency, fallbacks, facts, key_command,"
  "  key_origin, web_search)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,"
  "  ?20, ?21)"
  " ON CONFLICT (id) DO UPDATE SET kind = ?2, name = ?3, base_url = ?4, model = ?5, rounds = ?6, context_window = ?7,"
  "  temperature = ?8, output_limit = ?9, headers = ?10, extra_body = ?11, system_prompt = ?12, price_input = ?13,"
  "  price_cached = ?14, price_output = ?15, currency = ?16,"
  "  fallbacks = ?17, facts = ?18, key_command = ?19, key_origin = ?20, web_search = ?21";

void
beckon_batch_put_profile (BeckonBatch *batch, BeckonProfile *profile)
{
  /* A header has no line break in it: what has one was refused. */
  g_autofree char *headers = g_strjoinv ("\n", (char **) beckon_profile_get_headers (profile));
  g_autofree char *fallbacks = g_strjoinv ("\n", (char **) beckon_profile_get_fallbacks (profile));
  g_autofree char *facts = NULL;

  g_return_if_fail (beckon_profile_get_kind (profile) != BECKON_PROFILE_TOUR);

  g_object_get (profile, "facts", &facts, NULL);
  beckon_batch_run (batch, put_sql, beckon_profile_get_id (profile),
                    beckon_profile_kind_to_string (beckon_profile_get_kind (profile)), beckon_profile_get_name (profile),
                    beckon_profile_get_base_url (profile), beckon_profile_get_model (profile),
                    beckon_profile_get_rounds (profile), beckon_profile_get_context_window (profile),
                    beckon_profile_get_temperature (profile), beckon_profile_get_output_limit (profile), headers,
                    beckon_profile_get_extra_body (profile), beckon_profile_get_system_prompt (profile),
                    beckon_profile_get_price (profile, BECKON_PRICE_INPUT),
                    beckon_profile_get_price (profile, BECKON_PRICE_CACHED),
                    beckon_profile_get_price (profile, BECKON_PRICE_OUTPUT), beckon_profile_get_currency (profile), fallbacks,
                    facts, beckon_profile_get_key_command (profile), beckon_profile_get_key_origin (profile),
                    beckon_profile_get_web_search (profile));
}

void
beckon_batch_delete_profile (BeckonBatch *batch, const char *profile_id)
{
  beckon_batch_run (batch, "DELETE FROM profile WHERE id = ?1", profile_id);
}
