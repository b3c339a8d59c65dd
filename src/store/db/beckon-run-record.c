/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-run-record.h"

#include "base/beckon-id.h"

BeckonRunRecord *
beckon_run_record_new (const char *conversation_id, const char *profile_id, guint round_limit)
{
  BeckonRunRecord *record;

  g_return_val_if_fail (conversation_id != NULL, NULL);
  g_return_val_if_fail (profile_id != NULL, NULL);

  record = g_new0 (BeckonRunRecord, 1);
  record->id = beckon_id_new ();
  record->conversation_id = g_strdup (conversation_id);
  record->profile_id = g_strdup (profile_id);
  record->phase = BECKON_RUN_QUEUED;
  record->round_limit = round_limit;

  return record;
}

BeckonRunRecord *
beckon_run_record_copy (const BeckonRunRecord *record)
{
  BeckonRunRecord *copy;

  g_return_val_if_fail (record != NULL, NULL);

  copy = g_memdup2 (record, sizeof *record);
  copy->id = g_strdup (record->id);
  copy->conversation_id = g_strdup (record->conversation_id);
  copy->title = g_strdup (record->title);
  copy->profile_id = g_strdup (record->profile_id);
  copy->detail = g_strdup (record->detail);
  copy->left_by = g_strdup (record->left_by);

  return copy;
}

void
beckon_run_record_free (BeckonRunRecord *record)
{
  g_return_if_fail (record != NULL);

  g_free (record->id);
  g_free (record->conversation_id);
  g_free (record->title);
  g_free (record->profile_id);
  g_free (record->detail);
  g_free (record->left_by);
  g_free (record);
}
