/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-compaction.h"
#include "beckon-context.h"
#include "beckon-run-private.h"

#include "base/beckon-text.h"
#include "domain/beckon-note.h"

#include <glib/gi18n-lib.h>

/* Before a round whose request would not fit: the model writes a summary of what came first, and from then on is told that
 * in its place. Nothing is taken out of the conversation. The summary is one message, stored in one transaction, so that
 * whoever dies on the way leaves the history as it was before. */

#define MAX_SUMMARY_BYTES (256 * 1024)

/* Of the budget: what stays as it was said, what of it may be quoted, and what is summarized at once. */
#define KEEP_SHARE 0.3
#define QUOTE_SHARE 0.2
#define REQUEST_SHARE 0.8

typedef struct
{
  BeckonRun *run; /* (owned) */
  guint activation;
  gint64 through;
  char *quote;
  GString *text;
  BeckonUsage usage;
  BeckonLlmEnd end;
  BeckonLlmError error_kind;
  char *error; /* (nullable) */
} Compaction;

static void
compaction_free (Compaction *self)
{
  g_object_unref (self->run);
  g_free (self->quote);
  g_free (self->error);
  g_string_free (self->text, TRUE);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Compaction, compaction_free)

static void
on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  Compaction *self = user_data;

  if (event->type == BECKON_LLM_EVENT_TEXT && self->text->len + event->length <= MAX_SUMMARY_BYTES)
    g_string_append_len (self->text, event->text, (gssize) event->length);
  else if (event->type == BECKON_LLM_EVENT_USAGE)
    self->usage = event->usage;
  else if (event->type == BECKON_LLM_EVENT_END)
    self->end = event->end;
  else if (event->type == BECKON_LLM_EVENT_ERROR)
    {
      g_free (self->error);
      self->error = g_strndup (event->text, event->length);
      self->error_kind = event->error;
    }
}

static void
on_stored (BeckonRun *run, gpointer note)
{
  beckon_conversation_add_message (run->conversation, note);
  if (run->stopping)
    return;
  run->tries = 0;
  beckon_run_send_request (run);
}

static void
store (BeckonRun *run, Compaction *self)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_autofree char *summary = beckon_text_make_valid (g_strstrip (self->text->str), -1, NULL);
  BeckonProfile *profile = beckon_run_get_profile (run);
  BeckonMessage *note = beckon_note_new_summary (self->through, summary, self->quote, beckon_run_now (run));

  if (profile != NULL)
    beckon_usage_set_cost (&self->usage, profile);
  beckon_message_set_usage (note, &self->usage);
  beckon_message_set_seq (note, beckon_conversation_get_next_seq (run->conversation));
  beckon_batch_add_message (batch, run->record->conversation_id, note);
  beckon_run_commit (run, batch, on_stored, note, g_object_unref);
}

static gboolean
is_usable (Compaction *self)
{
  for (gsize i = 0; i < self->text->len; i++)
    if (!g_ascii_isspace (self->text->str[i]))
      return self->end == BECKON_LLM_END_COMPLETE || self->end == BECKON_LLM_END_LENGTH;
  return FALSE;
}

static void
fail (BeckonRun *run, Compaction *self)
{
  g_autoptr (GError) error
      = g_error_new (BECKON_LLM_ERROR, (int) self->error_kind, _("The earlier messages could not be summarized. %s"),
                     self->error != NULL ? self->error : _("The model gave no summary."));

  beckon_run_round_failed (run, error, -1);
}

static void
on_summarized (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Compaction) self = user_data;
  BeckonRun *run = self->run;
  g_autoptr (GError) error = NULL;
  gint64 retry_after_ms = -1;
  gboolean ok = beckon_provider_stream_finish (BECKON_PROVIDER (source), result, &retry_after_ms, &error);

  if (self->activation != run->activation || !run->receiving || run->stopping)
    return;
  run->receiving = FALSE;
  beckon_conversation_set_phase (run->conversation, run->record->phase, NULL, 0);
  if (!ok)
    beckon_run_round_failed (run, error, retry_after_ms);
  else if (is_usable (self))
    store (run, self);
  else
    fail (run, self);
}

static void
start (BeckonRun *run, BeckonLlmRequest *request, Compaction *self)
{
  run->receiving = TRUE;
  run->tries++;
  run->n_compactions++;
  beckon_conversation_set_phase (run->conversation, run->record->phase, _("Summarizing earlier messages…"), 0);
  beckon_provider_stream_async (run->parts.provider, request, on_event, self, run->cancellable, on_summarized, self);
}

gboolean
beckon_run_try_compact (BeckonRun *run, BeckonProfile *profile, gint64 budget)
{
  g_autoptr (GPtrArray) messages = beckon_context_list (run->conversation);
  guint n = beckon_compaction_choose (messages, (gint64) (KEEP_SHARE * (double) budget));
  g_autoptr (BeckonLlmRequest) request = NULL;
  Compaction *self;

  if (n == 0 || run->n_compactions >= BECKON_RUN_MAX_COMPACTIONS)
    return FALSE;
  request = beckon_compaction_new_request (profile, messages, n, (gint64) (REQUEST_SHARE * (double) budget),
                                           beckon_run_now (run));
  self = g_new0 (Compaction, 1);
  self->run = g_object_ref (run);
  self->activation = run->activation;
  self->through = beckon_message_get_seq (g_ptr_array_index (messages, n - 1));
  self->quote = beckon_compaction_quote (run->conversation, self->through, (gint64) (QUOTE_SHARE * (double) budget));
  self->text = g_string_new (NULL);
  self->usage = (BeckonUsage) BECKON_USAGE_INIT;
  self->end = BECKON_LLM_END_CUT_OFF;
  self->error_kind = BECKON_LLM_ERROR_SERVER;
  run->estimate = beckon_tokens_of_request (request);
  start (run, request, self);
  return TRUE;
}
