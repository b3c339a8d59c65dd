/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/db/beckon-store-private.h"

static const char list_sql[] =
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

static void
read_options (sqlite3_stmt *row, BeckonProfile *profile)
{
  g_auto (GStrv) headers = read_lines (row, 9);
  g_auto (GStrv) fallbacks = read_lines (row, 16);

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
}

static gpointer
read_profile (BeckonSession *session, sqlite3_stmt *row)
{
  BeckonProfileKind kind;
  BeckonProfile *profile;

  /* A later version may know more of them; this one cannot speak to those. */
  if (!beckon_profile_kind_from_string (beckon_column_text (row, 5), &kind))
    return NULL;
  profile = beckon_profile_new (beckon_column_text (row, 0), kind);
  beckon_profile_set_name (profile, beckon_column_text (row, 1));
  beckon_profile_set_base_url (profile, beckon_column_text (row, 2));
  beckon_profile_set_model (profile, beckon_column_text (row, 3));
  beckon_profile_set_rounds (profile, read_count (row, 4, BECKON_PROFILE_ROUNDS_MAX));
  read_options (row, profile);

  return profile;
}

BECKON_STORE_LIST (beckon_store_list_profiles, list_sql, read_profile, g_object_unref, BECKON_NONE)
