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
static const char delete_sql[] = "DELETE FROM profile WHERE id = ?1";

typedef struct
{
  BeckonBatchOp op;
  BeckonProfile *copy;
} PutProfile;

typedef struct
{
  BeckonBatchOp op;
  char *id;
} DeleteProfile;

static gboolean
exec_put_profile (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  BeckonProfile *profile = ((const PutProfile *) base)->copy;
  /* A header has no line break in it: what has one was refused. */
  g_autofree char *headers = g_strjoinv ("\n", (char **) beckon_profile_get_headers (profile));
  g_autofree char *fallbacks = g_strjoinv ("\n", (char **) beckon_profile_get_fallbacks (profile));
  g_autofree char *facts = NULL;

  g_object_get (profile, "facts", &facts, NULL);
  return beckon_database_run (session->database, error, put_sql, "sssssiidisssdddsssssi", beckon_profile_get_id (profile),
                              beckon_profile_kind_to_string (beckon_profile_get_kind (profile)),
                              beckon_profile_get_name (profile), beckon_profile_get_base_url (profile),
                              beckon_profile_get_model (profile), (gint64) beckon_profile_get_rounds (profile),
                              (gint64) beckon_profile_get_context_window (profile),
                              beckon_profile_get_temperature (profile),
                              (gint64) beckon_profile_get_output_limit (profile), headers,
                              beckon_profile_get_extra_body (profile), beckon_profile_get_system_prompt (profile),
                              beckon_profile_get_price (profile, BECKON_PRICE_INPUT),
                              beckon_profile_get_price (profile, BECKON_PRICE_CACHED),
                              beckon_profile_get_price (profile, BECKON_PRICE_OUTPUT),
                              beckon_profile_get_currency (profile), fallbacks, facts,
                              beckon_profile_get_key_command (profile), beckon_profile_get_key_origin (profile),
                              (gint64) beckon_profile_get_web_search (profile));
}

static void
free_put_profile (BeckonBatchOp *base)
{
  PutProfile *op = (PutProfile *) base;

  g_object_unref (op->copy);
  g_free (op);
}

void
beckon_batch_put_profile (BeckonBatch *batch, BeckonProfile *profile)
{
  PutProfile *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (BECKON_IS_PROFILE (profile));
  g_return_if_fail (beckon_profile_get_kind (profile) != BECKON_PROFILE_TOUR);

  op = g_new0 (PutProfile, 1);
  op->copy = beckon_profile_copy (profile);
  beckon_batch_add (batch, op, exec_put_profile, free_put_profile);
}

static gboolean
exec_delete_profile (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const DeleteProfile *op = (const DeleteProfile *) base;

  return beckon_database_run (session->database, error, delete_sql, "s", op->id);
}

static void
free_delete_profile (BeckonBatchOp *base)
{
  DeleteProfile *op = (DeleteProfile *) base;

  g_free (op->id);
  g_free (op);
}

void
beckon_batch_delete_profile (BeckonBatch *batch, const char *profile_id)
{
  DeleteProfile *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (profile_id != NULL);

  op = g_new0 (DeleteProfile, 1);
  op->id = g_strdup (profile_id);
  beckon_batch_add (batch, op, exec_delete_profile, free_delete_profile);
}
