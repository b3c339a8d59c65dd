/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"

#include "base/beckon-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const char add_result_sql[] =
  "INSERT INTO part (message, place, kind, call, is_error, text)"
  " SELECT message, NULL, 'result', id, ?2, ?3 FROM call WHERE id = ?1";
static const char add_provenance_sql[] =
  "INSERT INTO provenance (conversation, call, event, data, at) VALUES (?1, ?2, ?3, ?4, ?5)";

typedef struct
{
  const char *sql;      /* (nullable) */
  BeckonBatchWork work; /* where there is no @sql */
  BeckonValue *values;  /* (owned) */
  char *words;          /* (owned) (nullable): where it must change a row: the error if it doesn't */
  int code;
  gboolean is_condition; /* of the next step: that this one changes a row */
} BeckonBatchStep;

static void
batch_step_clear (gpointer data)
{
  BeckonBatchStep *step = data;

  beckon_values_free (step->values);
  g_free (step->words);
}

BeckonBatch *
beckon_batch_new (BeckonDurability durability)
{
  BeckonBatch *batch = g_new0 (BeckonBatch, 1);

  batch->durability = durability;
  batch->steps = g_array_new (FALSE, TRUE, sizeof (BeckonBatchStep));
  g_array_set_clear_func (batch->steps, batch_step_clear);
  batch->requests = g_ptr_array_new_with_free_func (g_object_unref);
  batch->ids = g_ptr_array_new_with_free_func (g_free);
  batch->is_quiet = TRUE;

  return batch;
}

/* The requests are objects of the main thread; the store takes them out before it hands the batch on. */
void
beckon_batch_free (BeckonBatch *batch)
{
  g_return_if_fail (batch != NULL);

  g_array_unref (batch->steps);
  g_clear_pointer (&batch->requests, g_ptr_array_unref);
  g_ptr_array_unref (batch->ids);
  g_free (batch);
}

void
beckon_batch_append (BeckonBatch *batch, const char *sql, BeckonBatchWork work, const BeckonValue *values)
{
  BeckonBatchStep step = { .sql = sql, .work = work };

  g_assert (batch != NULL && values[0].kind != BECKON_VALUE_NULL);

  step.values = beckon_values_copy (values);
  g_array_append_val (batch->steps, step);
  batch->is_quiet = FALSE;
}

static BeckonBatchStep *
batch_get_last (BeckonBatch *batch)
{
  BeckonBatchStep *last;

  g_assert (batch->steps->len > 0);
  last = &g_array_index (batch->steps, BeckonBatchStep, batch->steps->len - 1);
  g_assert (last->sql != NULL);
  return last;
}

void
beckon_batch_expect (BeckonBatch *batch, int code, const char *words)
{
  BeckonBatchStep *last = batch_get_last (batch);

  last->code = code;
  last->words = g_strdup (words);
}

void
beckon_batch_expect_there (BeckonBatch *batch)
{
  beckon_batch_expect (batch, BECKON_ERROR_NOT_FOUND, _("This belongs to something that is no longer in the history."));
}

gboolean
beckon_batch_refuse_missing (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                       _("This belongs to something that is no longer in the history."));

  return FALSE;
}

void
beckon_batch_only_then (BeckonBatch *batch)
{
  batch_get_last (batch)->is_condition = TRUE;
}

void
beckon_batch_add_id (BeckonBatch *batch, const char *id)
{
  if (id != NULL)
    g_ptr_array_add (batch->ids, g_strdup (id));
}

void
beckon_batch_keep (BeckonBatch *batch)
{
  g_return_if_fail (batch != NULL);

  batch->is_kept = TRUE;
}

/* How many rows it changed; -1 for an error. */
static int
batch_run_statement (const BeckonBatchStep *step, BeckonSession *session, GError **error)
{
  g_autoptr (GError) local = NULL;
  int changed;

  beckon_values_set_lease (step->values, beckon_lease_get_token (session->lease));
  changed = beckon_database_change_values (session->database, &local, step->sql, step->values);
  if (step->words != NULL && (changed == 0 || g_error_matches (local, BECKON_ERROR, step->code)))
    {
      g_set_error_literal (error, BECKON_ERROR, step->code, step->words);
      return -1;
    }
  if (changed < 0)
    g_propagate_error (error, g_steal_pointer (&local));

  return changed;
}

static gboolean
batch_run_steps (BeckonBatch *batch, BeckonSession *session, GError **error)
{
  for (guint i = 0; i < batch->steps->len; i++)
    {
      const BeckonBatchStep *step = &g_array_index (batch->steps, BeckonBatchStep, i);
      int changed = step->sql != NULL ? batch_run_statement (step, session, error)
                                      : (step->work (session, step->values, error) ? 1 : -1);

      if (changed < 0)
        return FALSE;
      if (changed == 0 && step->is_condition)
        i++;
    }

  return TRUE;
}

gboolean
beckon_batch_exec (BeckonBatch *batch, BeckonSession *session, GError **error)
{
  g_assert (batch != NULL && session != NULL);

  if (batch->steps->len == 0)
    return TRUE;

  if (!beckon_database_begin (session->database, batch->durability, error))
    return FALSE;

  if (!batch_run_steps (batch, session, error))
    {
      beckon_database_rollback (session->database);
      return FALSE;
    }

  if (!beckon_database_commit (session->database, error))
    return FALSE;

  session->has_unindexed = TRUE;
  if (!batch->is_quiet)
    session->has_news = TRUE;

  return TRUE;
}

gboolean
beckon_batch_write_result (BeckonDatabase *database, const char *call_id, const char *result, gboolean is_error,
                           GError **error)
{
  return beckon_database_run (database, error, add_result_sql, "sib", call_id, (gint64) !!is_error, result,
                              strlen (result));
}

void
beckon_batch_add_result (BeckonBatch *batch, const char *call_id, const char *result, gboolean is_error)
{
  beckon_batch_run (batch, add_result_sql, call_id, !!is_error, beckon_value_bytes (result, strlen (result)));
}

gboolean
beckon_batch_write_provenance (BeckonDatabase *database, const char *conversation_id, const char *call_id,
                               const char *event, const char *data, gint64 at, GError **error)
{
  return beckon_database_run (database, error, add_provenance_sql, "ssssi", conversation_id, call_id, event,
                              data != NULL ? data : "{}", at);
}

void
beckon_batch_add_provenance (BeckonBatch *batch, const char *conversation_id, const char *call_id, const char *event,
                             const char *data, gint64 at)
{
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_run (batch, add_provenance_sql, conversation_id, call_id, event, data != NULL ? data : "{}", at);
}

void
beckon_batch_warm (BeckonDatabase *database)
{
  beckon_database_warm (database, add_result_sql);
  beckon_database_warm (database, add_provenance_sql);
}
