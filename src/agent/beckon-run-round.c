/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-context.h"
#include "beckon-prompt.h"
#include "beckon-run-private.h"
#include "beckon-sent-files.h"

#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

/* One request to the provider: sent, streamed into a reply, stored while it streams, ended. */

#define FLUSH_INTERVAL_MS 250

/* The model is still at work on what came last. */
#define N_RECENT 4

/* Of the budget: how much is left when results are cut, so that they are not cut again in every round. */
#define CUT_SHARE 0.75

/* And how much a single result may take then. */
#define RESULT_SHARE 0.25
#define BYTES_PER_TOKEN 4

static guint
take (guint *id)
{
  guint taken = *id;

  *id = 0;
  return taken;
}

BeckonProfile *
beckon_run_get_own_profile (BeckonRun *run)
{
  g_autofree char *fallback = beckon_settings_dup_default_profile (run->parts.settings);
  BeckonProfile *profile = beckon_profiles_lookup (run->parts.profiles, run->record->profile_id);

  if (profile == NULL)
    profile = beckon_profiles_lookup (run->parts.profiles, fallback);
  return profile;
}

/* A run that has failed over stays with who answered it. */
BeckonProfile *
beckon_run_get_profile (BeckonRun *run)
{
  BeckonProfile *fallback = run->fallback_id != NULL ? beckon_profiles_lookup (run->parts.profiles, run->fallback_id) : NULL;

  return fallback != NULL ? fallback : beckon_run_get_own_profile (run);
}

void
beckon_run_flush_reply (BeckonRun *run, BeckonBatch *batch)
{
  if (run->reply != NULL && beckon_reply_has_output (run->reply))
    beckon_reply_flush (run->reply, batch, run->record->conversation_id);
}

static gboolean
on_flush_due (gpointer user_data)
{
  BeckonRun *run = user_data;
  g_autoptr (BeckonBatch) batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  run->flush_timeout = 0;
  if (run->reply != NULL && beckon_reply_flush (run->reply, batch, run->record->conversation_id))
    beckon_run_commit_behind (run, g_steal_pointer (&batch));
  return G_SOURCE_REMOVE;
}

static void
show_reply (BeckonRun *run)
{
  g_autoptr (BeckonBatch) batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_conversation_add_message (run->conversation, beckon_reply_get_message (run->reply));
  beckon_reply_flush (run->reply, batch, run->record->conversation_id);
  beckon_run_move (run, BECKON_RUN_EVENT_OUTPUT, NULL);
  beckon_batch_set_run (batch, run->record);
  beckon_run_commit_behind (run, g_steal_pointer (&batch));
}

static void
on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  BeckonRun *run = user_data;

  /* An ending that is being stored has what it takes; a reply that went on would move the run from its end. */
  if (run->reply == NULL || !run->receiving)
    return;
  beckon_reply_set_time (run->reply, beckon_clock_get_monotonic_time (run->parts.clock));
  if (beckon_reply_feed (run->reply, event))
    show_reply (run);
  else if (run->flush_timeout == 0 && beckon_reply_has_output (run->reply))
    run->flush_timeout = beckon_clock_add_timeout (run->parts.clock, FLUSH_INTERVAL_MS, on_flush_due, run);
}

static void
on_calls_stored (BeckonRun *run, gpointer calls_and_requests)
{
  if (!beckon_reply_has_output (run->reply))
    beckon_conversation_add_message (run->conversation, run->message);
  g_clear_pointer (&run->reply, beckon_reply_free);
  beckon_run_show_calls (run, calls_and_requests);
}

/* What could not be stored was not shown either; what came before the calls goes its own way to the store. */
void
beckon_run_take_calls_back (BeckonRun *run)
{
  run->record->phase = run->phase_before;
  g_clear_object (&run->message);
  beckon_reply_rewind (run->reply);
  beckon_message_set_status (beckon_reply_get_message (run->reply), BECKON_MESSAGE_STREAMING);
}

static void
store_calls (BeckonRun *run)
{
  g_autoptr (BeckonBatch) batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  BeckonMessage *message = beckon_reply_get_message (run->reply);
  GPtrArray *shown = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);

  run->phase_before = run->record->phase;
  if (!beckon_reply_has_output (run->reply))
    beckon_message_set_seq (message, beckon_conversation_get_next_seq (run->conversation));
  beckon_message_set_status (message, BECKON_MESSAGE_COMPLETE);
  beckon_reply_mark (run->reply);
  beckon_reply_flush (run->reply, batch, run->record->conversation_id);
  beckon_batch_set_message (batch, message);
  g_set_object (&run->message, message);
  g_ptr_array_add (shown, g_ptr_array_ref (beckon_reply_get_calls (run->reply)));
  g_ptr_array_add (shown, beckon_run_plan_calls (run, run->reply, batch));
  beckon_run_move (run, BECKON_RUN_EVENT_CALLS, NULL);
  beckon_batch_set_run (batch, run->record);
  beckon_run_commit (run, g_steal_pointer (&batch), on_calls_stored, shown, (GDestroyNotify) g_ptr_array_unref);
}

/* A reply that went wrong within, before there was anything of it, is as one that never began. */
static void
fail_without_output (BeckonRun *run, BeckonLlmError kind, const char *message)
{
  g_autoptr (GError) error = NULL;

  if (message == NULL)
    message = _ ("The model reported an error without saying which.");
  error = g_error_new_literal (BECKON_LLM_ERROR, (int) kind, message);
  beckon_run_round_failed (run, error, -1);
}

/* Whatever it means, the provider made an end of its own: the person sees its word and may have it go on. */
static void
end_for_other_reason (BeckonRun *run)
{
  const char *word = beckon_reply_get_error (run->reply);
  /* Translators: a model's server ended a reply; %s is its word for why, as it wrote it */
  g_autofree char *detail = g_strdup_printf (_ ("The provider ended the reply and gave “%s” as the reason."),
                                             word != NULL ? word : "");

  if (beckon_reply_has_output (run->reply))
    beckon_run_end (run, BECKON_RUN_EVENT_PAUSE, BECKON_MESSAGE_COMPLETE, detail);
  else
    beckon_run_fail (run, detail);
}

static void
end_without_calls (BeckonRun *run)
{
  BeckonMessageStatus whole = BECKON_MESSAGE_COMPLETE;

  switch (beckon_reply_get_end (run->reply))
    {
    case BECKON_LLM_END_COMPLETE:
    case BECKON_LLM_END_TOOL_CALLS:
      if (beckon_reply_has_output (run->reply))
        beckon_run_end (run, BECKON_RUN_EVENT_COMPLETE, whole, NULL);
      else
        beckon_run_fail (run, _ ("The model sent an empty reply."));
      break;
    case BECKON_LLM_END_LENGTH:
      beckon_run_end (run, BECKON_RUN_EVENT_LENGTH, whole, NULL);
      break;
    case BECKON_LLM_END_REFUSAL:
      beckon_run_end (run, BECKON_RUN_EVENT_REFUSE, whole, beckon_reply_get_error (run->reply));
      break;
    case BECKON_LLM_END_CONTENT_FILTER:
      beckon_run_end (run, BECKON_RUN_EVENT_FILTER, whole, beckon_reply_get_error (run->reply));
      break;
    case BECKON_LLM_END_PAUSED:
      if (beckon_run_may_go_on_searching (run))
        store_calls (run);
      else
        beckon_run_end (run, BECKON_RUN_EVENT_PAUSE, whole, NULL);
      break;
    case BECKON_LLM_END_OTHER:
      end_for_other_reason (run);
      break;
    case BECKON_LLM_END_CUT_OFF:
      if (beckon_reply_has_output (run->reply))
        beckon_run_end (run, BECKON_RUN_EVENT_CUT, BECKON_MESSAGE_CUT_OFF, NULL);
      else
        fail_without_output (run, BECKON_LLM_ERROR_SERVER, _ ("The server ended the reply before it said anything."));
      break;
    case BECKON_LLM_END_FAILED:
    default:
      if (beckon_reply_has_output (run->reply))
        beckon_run_fail (run, beckon_reply_get_error (run->reply));
      else
        fail_without_output (run, beckon_reply_get_error_kind (run->reply), beckon_reply_get_error (run->reply));
      break;
    }
}

static gboolean
has_usable_calls (BeckonReply *reply)
{
  BeckonLlmEnd end = beckon_reply_get_end (reply);

  /* A reply that did not end by the protocol's own word may have lost anything: its calls are dropped with it. */
  return beckon_reply_get_calls (reply)->len > 0 &&
         (end == BECKON_LLM_END_COMPLETE || end == BECKON_LLM_END_TOOL_CALLS || end == BECKON_LLM_END_LENGTH
          || end == BECKON_LLM_END_OTHER);
}

typedef struct
{
  BeckonRun *run;
  guint activation;
} Round;

/* Keeps what the provider counted, for the next estimate, and what it costs. A page of a PDF counts for ten times as much at
 * one server as at another, which says nothing of how either counts words. */
static void
note_count (BeckonRun *run)
{
  BeckonMessage *message = beckon_reply_get_message (run->reply);
  BeckonUsage usage = *beckon_message_get_usage (message);
  BeckonProfile *profile = beckon_run_get_profile (run);

  if (profile == NULL)
    return;
  if (run->sent_files == 0)
    beckon_token_meter_note (run->parts.meter, beckon_profile_get_id (profile), run->estimate, usage.input);
  beckon_usage_set_cost (&usage, profile);
  beckon_message_set_usage (message, &usage);
}

static void
note_length (BeckonRun *run)
{
  BeckonProfile *profile = beckon_run_get_profile (run);

  beckon_length_guard_note (run->length, run->reply, profile != NULL ? beckon_profile_get_effective_output (profile) : 0);
}

static void
on_streamed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Round *round = user_data;
  g_autoptr (BeckonRun) run = round->run;
  g_autoptr (GError) error = NULL;
  gint64 retry_after_ms = -1;
  gboolean ok = beckon_provider_stream_finish (BECKON_PROVIDER (source), result, &retry_after_ms, &error);

  if (round->activation != run->activation || !run->receiving || run->stopping)
    return;
  run->receiving = FALSE;
  if (run->flush_timeout != 0)
    beckon_clock_remove (run->parts.clock, take (&run->flush_timeout));
  note_count (run);
  note_length (run);
  if (!ok)
    beckon_run_round_failed (run, error, retry_after_ms);
  else if (has_usable_calls (run->reply) && beckon_run_try_end_turn (run))
    return;
  else if (has_usable_calls (run->reply))
    {
      run->n_pauses = 0;
      store_calls (run);
    }
  else
    end_without_calls (run);
}

/* The history as it is sent to this profile. What was cut once stays cut, so that a provider's cache of what it was sent is of
 * use. */
static GPtrArray *
list_messages (BeckonRun *run, BeckonProfile *profile)
{
  GPtrArray *messages = beckon_context_list (run->conversation);
  BeckonModelFacts facts;

  beckon_profile_get_facts (profile, &facts);
  beckon_run_tell (run, messages);
  beckon_context_bound_images (messages, facts.images != 0);
  beckon_sent_files_bound (messages, profile, beckon_run_sends_text_of_files (run, profile));
  beckon_context_drop_bound_blocks (messages, run->prefix->bare_through);
  beckon_context_cut_results (messages, run->prefix->cut_through);
  if (run->prefix->most_of_a_result > 0)
    beckon_context_bound_results (messages, (gsize) run->prefix->most_of_a_result);
  return messages;
}

static BeckonLlmRequest *
make_request (BeckonRun *run, BeckonProfile *profile, GPtrArray *messages)
{
  BeckonLlmRequest *request = beckon_run_make_prefix (run, profile);

  request->effort = beckon_conversation_get_effort (run->conversation);
  beckon_prompt_add_history (request, messages, beckon_codec_for_profile (profile)->name);
  run->estimate = beckon_tokens_of_request (request);
  run->sent_files = beckon_sent_files_count (request->messages, 0);
  run->sent_new_files = beckon_sent_files_count (request->messages, run->prefix->n_sent) > 0;
  return request;
}

/* A request that is too long loses the oldest results of tools first, then the length of newer ones. %FALSE if that changes
 * nothing. */
static gboolean
cut_more (BeckonRun *run, GPtrArray *messages, guint step, gint64 budget)
{
  BeckonPrefix *prefix = run->prefix;
  gint64 too_many = run->estimate - (gint64) (CUT_SHARE * (double) budget);
  gint64 through = step == 0 ? beckon_context_choose_cut (messages, too_many, N_RECENT) : prefix->cut_through;
  gint64 most = step == 0 ? prefix->most_of_a_result : (gint64) (RESULT_SHARE * (double) budget) * BYTES_PER_TOKEN;

  if (through <= prefix->cut_through && most == prefix->most_of_a_result)
    return FALSE;
  prefix->cut_through = MAX (through, prefix->cut_through);
  prefix->most_of_a_result = most;
  beckon_run_break_prefix (run, BECKON_PREFIX_RESULTS);
  beckon_run_say_break (run, BECKON_PREFIX_RESULTS);
  return TRUE;
}

static void
replace_request (BeckonRun *run, BeckonProfile *profile, BeckonLlmRequest **request, GPtrArray **messages)
{
  g_ptr_array_unref (*messages);
  beckon_llm_request_free (*request);
  *messages = list_messages (run, profile);
  *request = make_request (run, profile, *messages);
}

/* %NULL: something else has to be done first, and is under way. */
static BeckonLlmRequest *
make_fitting_request (BeckonRun *run, BeckonProfile *profile)
{
  gint64 budget = beckon_token_meter_get_budget (run->parts.meter, profile);
  g_autoptr (GPtrArray) messages = NULL;
  BeckonLlmRequest *request;

  beckon_run_choose_prefix (run, profile);
  messages = list_messages (run, profile);
  request = make_request (run, profile, messages);
  if (!beckon_run_keeps_prefix (run, request))
    {
      beckon_run_begin_history_anew (run);
      replace_request (run, profile, &request, &messages);
    }
  for (guint step = 0; step < 2 && run->estimate > budget; step++)
    if (cut_more (run, messages, step, budget))
      replace_request (run, profile, &request, &messages);
  if (run->estimate > budget && beckon_run_try_compact (run, profile, budget))
    {
      beckon_llm_request_free (request);
      return NULL;
    }
  return request;
}

static void
stream (BeckonRun *run, BeckonProfile *profile, const BeckonLlmRequest *request)
{
  Round *round = g_new0 (Round, 1);

  run->reply = beckon_reply_new (beckon_codec_for_profile (profile)->name, beckon_run_now (run));
  beckon_reply_set_time (run->reply, beckon_clock_get_monotonic_time (run->parts.clock));
  run->receiving = TRUE;
  round->run = g_object_ref (run);
  round->activation = run->activation;
  beckon_run_note_sent (run, request);
  beckon_provider_stream_async (run->parts.provider, request, on_event, run, run->cancellable, on_streamed, round);
}

static void
fail_too_long (BeckonRun *run)
{
  const char *what = _ ("The conversation is too long for this model, and what is left of it cannot be made shorter.");
  g_autofree char *message = beckon_text_join_sentences (what, run->too_long_words);

  beckon_run_fail (run, message);
}

void
beckon_run_send_request (BeckonRun *run)
{
  BeckonProfile *profile = beckon_run_get_profile (run);
  g_autoptr (BeckonLlmRequest) request = NULL;

  if (profile == NULL)
    {
      beckon_run_fail (run, _ ("No model is set up. Add one in Preferences."));
      return;
    }
  g_clear_pointer (&run->reply, beckon_reply_free);
  request = make_fitting_request (run, profile);
  if (request == NULL)
    return;
  if (run->too_long_at > 0 && run->estimate >= run->too_long_at && run->sent_files > 0)
    beckon_run_send_text_of_files (run);
  else if (run->too_long_at > 0 && run->estimate >= run->too_long_at)
    fail_too_long (run);
  else
    stream (run, profile, request);
}

/* The row is written behind the request: should the process die between the two, the round is simply asked for again. */
void
beckon_run_begin_round (BeckonRun *run)
{
  BeckonBatch *batch;

  if (run->record->round == 0)
    run->spending
      = beckon_spending_limit_new (run->conversation, beckon_settings_get_spending_limit (run->parts.settings));
  run->record->round++;
  run->n_failures = 0;
  run->loading_since = 0;
  run->n_compactions = 0;
  run->n_shortened = 0;
  run->too_long_at = 0;
  beckon_run_move (run, BECKON_RUN_EVENT_REQUEST, NULL);
  beckon_run_send_request (run);
  if (!run->receiving)
    return;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_set_run (batch, run->record);
  beckon_run_commit_behind (run, batch);
}

/* What the provider still sends is not listened to; what it sent stays in the reply until the ending is stored. */
void
beckon_run_cancel_round (BeckonRun *run)
{
  run->receiving = FALSE;
  if (run->retry_timeout != 0)
    beckon_clock_remove (run->parts.clock, take (&run->retry_timeout));
  if (run->flush_timeout != 0)
    beckon_clock_remove (run->parts.clock, take (&run->flush_timeout));
}
