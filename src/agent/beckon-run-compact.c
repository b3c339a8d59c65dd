/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-compaction.h"
#include "beckon-context.h"
#include "beckon-run-private.h"
#include "beckon-sent-files.h"
#include "beckon-summary.h"

#include <glib/gi18n-lib.h>

/* Before a round whose request would not fit: the model writes a summary of what came first, and from then on is told that
 * in its place. Nothing is taken out of the conversation. The summary is one message, stored in one transaction, so that
 * whoever dies on the way leaves the history as it was before. */

/* Of the budget: what stays as it was said. */
#define KEEP_SHARE 0.3

typedef struct
{
  BeckonRun *run; /* (owned) */
  guint activation;
} Compaction;

static void
on_stored (BeckonRun *run, gpointer note)
{
  beckon_conversation_add_message (run->conversation, note);
  if (run->stopping)
    return;
  run->n_failures = 0;
  beckon_run_send_request (run);
}

static void
store (BeckonRun *run, BeckonMessage *note)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_message_set_seq (note, beckon_conversation_get_next_seq (run->conversation));
  beckon_batch_add_message (batch, run->record->conversation_id, note);
  beckon_run_commit (run, batch, on_stored, note, g_object_unref);
}

static void
on_summarized (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Compaction *compaction = user_data;
  g_autoptr (BeckonRun) run = compaction->run;
  g_autoptr (GError) error = NULL;
  gint64 retry_after_ms = -1;
  g_autoptr (BeckonMessage) note = beckon_summary_write_finish (result, &retry_after_ms, &error);

  if (compaction->activation != run->activation || !run->receiving || run->stopping)
    return;
  run->receiving = FALSE;
  beckon_conversation_set_phase (run->conversation, run->record->phase, NULL, 0);
  if (note != NULL)
    store (run, g_steal_pointer (&note));
  else
    beckon_run_round_failed (run, error, retry_after_ms);
}

/* As long as they are for this profile. */
static GPtrArray *
list_messages (BeckonRun *run, BeckonProfile *profile)
{
  GPtrArray *messages = beckon_context_list (run->conversation);

  beckon_sent_files_bound (messages, profile, beckon_run_sends_text_of_files (run, profile));
  return messages;
}

gboolean
beckon_run_try_compact (BeckonRun *run, BeckonProfile *profile, gint64 budget)
{
  g_autoptr (GPtrArray) messages = list_messages (run, profile);
  guint n = beckon_compaction_choose (messages, (gint64) (KEEP_SHARE * (double) budget));
  const BeckonSummaryTask task = { profile, run->conversation, messages, n, budget };
  Compaction *compaction;

  if (n == 0 || !beckon_summary_has_room (budget) || run->n_compactions >= BECKON_RUN_MAX_COMPACTIONS)
    return FALSE;
  compaction = g_new0 (Compaction, 1);
  compaction->run = g_object_ref (run);
  compaction->activation = run->activation;
  run->receiving = TRUE;
  run->sent_files = 0;
  run->sent_new_files = FALSE;
  run->n_compactions++;
  beckon_conversation_set_phase (run->conversation, run->record->phase, _("Summarizing earlier messages…"), 0);
  run->estimate = beckon_summary_write_async (&run->parts, &task, run->cancellable, on_summarized, compaction);
  return TRUE;
}
