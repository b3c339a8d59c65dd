/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"

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
