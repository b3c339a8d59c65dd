/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-run-row.h"

struct _BeckonRunRow
{
  BeckonRunRecord *record;          /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  BeckonRunPhase phase_before;      /* see beckon_run_row_move_back() */
};

BeckonRunRow *
beckon_run_row_new (BeckonRunRecord *record, BeckonConversation *conversation)
{
  BeckonRunRow *self = g_new0 (BeckonRunRow, 1);

  self->record = record;
  self->conversation = g_object_ref (conversation);
  self->phase_before = record->phase;
  return self;
}

void
beckon_run_row_free (BeckonRunRow *self)
{
  beckon_run_record_free (self->record);
  g_object_unref (self->conversation);
  g_free (self);
}

const BeckonRunRecord *
beckon_run_row_get (const BeckonRunRow *self)
{
  return self->record;
}

static void
set_phase (BeckonRunRecord *record, BeckonRunPhase phase, const char *detail, gint64 retry_at)
{
  record->phase = phase;
  g_free (record->detail);
  record->detail = g_strdup (detail);
  record->retry_at = retry_at;
}

static BeckonRunPhase
get_next_phase (const BeckonRunRecord *record, BeckonRunEvent event)
{
  BeckonRunPhase next = record->phase;

  if (!beckon_run_phase_next (record->phase, event, &next))
    g_error ("run: event %d does not belong to phase %s", event, beckon_run_phase_to_string (record->phase));
  return next;
}

void
beckon_run_row_show (const BeckonRunRow *self)
{
  beckon_conversation_set_phase (self->conversation, self->record->phase, self->record->detail, self->record->retry_at);
}

void
beckon_run_row_move (BeckonRunRow *self, BeckonRunEvent event, const char *detail, gint64 retry_at)
{
  self->phase_before = self->record->phase;
  set_phase (self->record, get_next_phase (self->record, event), detail, retry_at);
  if (!beckon_run_phase_is_end (self->record->phase))
    beckon_run_row_show (self);
}

void
beckon_run_row_move_unseen (BeckonRunRow *self, BeckonRunEvent event)
{
  self->phase_before = self->record->phase;
  set_phase (self->record, get_next_phase (self->record, event), NULL, 0);
}

void
beckon_run_row_move_back (BeckonRunRow *self)
{
  set_phase (self->record, self->phase_before, NULL, 0);
}

void
beckon_run_row_break_off (BeckonRunRow *self, const char *detail)
{
  set_phase (self->record, BECKON_RUN_FAILED, detail, 0);
}

void
beckon_run_row_add_round (BeckonRunRow *self)
{
  self->record->round++;
}

void
beckon_run_row_write (const BeckonRunRow *self, BeckonBatch *batch)
{
  beckon_batch_set_run (batch, self->record);
}

void
beckon_run_row_write_moved (const BeckonRunRow *self, BeckonRunEvent event, BeckonBatch *batch)
{
  g_autoptr (BeckonRunRecord) moved = beckon_run_record_copy (self->record);

  set_phase (moved, get_next_phase (moved, event), NULL, 0);
  beckon_batch_set_run (batch, moved);
}
