/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-round.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-compaction.h"
#include "beckon-context.h"
#include "beckon-last-answers.h"
#include "beckon-sent-files.h"
#include "beckon-summary.h"
#include "beckon-turn.h"
#include "domain/beckon-note.h"
#include "domain/beckon-provider-search.h"
#include "llm/beckon-codec.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define FLUSH_INTERVAL_MS 250

/* A request refused as too long is sent again, shorter, this often. */
#define MAX_SHORTENED 6

/* So often it is sent again without something that may be the reason why it was refused. */
#define MAX_LEFT_OUT 16

/* A request that may have been refused for its length is shortened to this share of it. */
#define SHRINK 0.6

/* More summaries in one round would be a model that writes them as long as what they stand for. */
#define MAX_COMPACTIONS 8

/* The share of the room for messages that stays unsummarized. */
#define KEEP_SHARE 0.1

struct _BeckonRound
{
  GObject parent_instance;

  /* input */
  BeckonAgentParts parts;           /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  BeckonTries *tries;
  BeckonPromptPrefix *prefix;
  GCancellable *cancellable; /* (owned) */
  BeckonRun *run;
  BeckonTurn *turn;

  /* the last request */
  gint64 estimate;         /* its tokens */
  guint n_files;           /* PDFs in it */
  gboolean has_new_files;  /* earlier requests to this profile did not have them */
  gboolean may_search;     /* the provider may search the web */

  /* in progress */
  gboolean receiving;      /* a request to the provider has not called back */
  gboolean is_over;        /* it has ended, or was cancelled */
  guint n_compactions;
  gboolean was_empty;      /* the last reply had nothing in it */
  guint n_left_out;        /* how often something was left out that the server may have refused */
  guint n_shortened;       /* how often it was made shorter because the server said so */
  gint64 too_long_at;      /* the estimate at which the server said that it is too much; 0 while it did not */
  gint64 room;             /* the most to send since a refusal that may have been about the length; 0 for no such limit */
  gint64 refused_at;       /* the estimate of the refused one, if there is such a limit */
  char *refused_words;     /* (owned) (nullable): how it was refused */
  char *too_long_words;    /* (nullable): how it said so, with its figures */
  guint retry_timeout;
  guint flush_timeout;
  BeckonMessage *summary;  /* (owned) (nullable): while it is being stored */
  BeckonReply *reply;      /* (owned) */
};

G_DEFINE_FINAL_TYPE (BeckonRound, beckon_round, G_TYPE_OBJECT)

static void send_request (BeckonRound *round);
static void fail_request (BeckonRound *round, const GError *error, gint64 retry_after_ms);

static gint64
get_now (BeckonRound *round)
{
  return beckon_clock_get_real_time (round->parts.clock);
}

static BeckonProfile *
get_profile (BeckonRound *round)
{
  return beckon_tries_get_profile (round->tries);
}

static gboolean
has_output (BeckonRound *round)
{
  return beckon_reply_has_output (round->reply);
}

/* The run may cancel the round within any of its functions, and within what it is told of the conversation. */
static gboolean
is_listening (BeckonRound *round)
{
  return round->receiving && !round->is_over;
}

static void
clear_timeout (BeckonRound *round, guint *timeout)
{
  guint id = *timeout;

  *timeout = 0;
  if (id != 0)
    beckon_clock_remove (round->parts.clock, id);
}

/* --- Ends ---------------------------------------------------------------------------------------------------------- */

static void
round_end (BeckonRound *round, const BeckonRoundResult *result)
{
  if (round->is_over)
    return;
  round->is_over = TRUE;
  beckon_turn_take_result (round->turn, result);
}

static void
end_turn (BeckonRound *round, BeckonRunEvent event, BeckonMessageStatus status, const char *detail)
{
  const BeckonRoundResult result = { BECKON_ROUND_ENDED, event, status, detail };

  round_end (round, &result);
}

static void
round_fail (BeckonRound *round, const char *detail)
{
  const BeckonRoundResult result = { .end = BECKON_ROUND_FAILED, .detail = detail };

  round_end (round, &result);
}

/* A reply that went wrong within is as one that never began. */
static void
fail_within (BeckonRound *round, BeckonLlmError kind, const char *message)
{
  g_autoptr (GError) error = NULL;

  if (message == NULL)
    message = _("The model reported an error without saying which.");
  error = g_error_new_literal (BECKON_LLM_ERROR, (int) kind, message);
  fail_request (round, error, -1);
}

/* The provider ended it for a reason of its own: the person sees its word and may resume. */
static void
end_for_other_reason (BeckonRound *round)
{
  const char *word = beckon_reply_get_error (round->reply);
  /* Translators: a model's server ended a reply; %s is its word for why, as it wrote it */
  g_autofree char *detail = beckon_text_printf (_("The provider ended the reply and gave “%s” as the reason."),
                                                word != NULL ? word : "");

  if (has_output (round))
    end_turn (round, BECKON_RUN_EVENT_PAUSE, BECKON_MESSAGE_COMPLETE, detail);
  else
    round_fail (round, detail);
}

static gboolean
is_within_search (BeckonRound *round)
{
  BeckonMessage *message = beckon_reply_get_message (round->reply);

  if (!round->may_search)
    return FALSE;
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (beckon_provider_search_is (beckon_message_get_part (message, i)))
      return TRUE;
  return FALSE;
}

static gboolean
has_thoughts_alone (BeckonRound *round)
{
  BeckonMessage *message = beckon_reply_get_message (round->reply);

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    if (beckon_part_get_kind (beckon_message_get_part (message, i)) != BECKON_PART_REASONING)
      return FALSE;
  return has_output (round);
}

static void
end_without_calls (BeckonRound *round)
{
  static const BeckonRoundResult searches = { .end = BECKON_ROUND_SEARCHES };
  static const BeckonRoundResult thoughts = { .end = BECKON_ROUND_THOUGHTS };
  BeckonMessageStatus whole = BECKON_MESSAGE_COMPLETE;
  BeckonReply *reply = round->reply;

  switch (beckon_reply_get_end (reply))
    {
    case BECKON_LLM_END_COMPLETE:
    case BECKON_LLM_END_TOOL_CALLS:
      if (has_thoughts_alone (round))
        round_end (round, &thoughts);
      else if (has_output (round))
        end_turn (round, BECKON_RUN_EVENT_COMPLETE, whole, NULL);
      else if (round->was_empty)
        round_fail (round, _("The model sent an empty reply."));
      else
        {
          /* Some models end a reply before its first word now and then. */
          round->was_empty = TRUE;
          send_request (round);
        }
      break;
    case BECKON_LLM_END_LENGTH:
      end_turn (round, BECKON_RUN_EVENT_LENGTH, whole, NULL);
      break;
    case BECKON_LLM_END_REFUSAL:
      end_turn (round, BECKON_RUN_EVENT_REFUSE, whole, beckon_reply_get_error (reply));
      break;
    case BECKON_LLM_END_CONTENT_FILTER:
      end_turn (round, BECKON_RUN_EVENT_FILTER, whole, beckon_reply_get_error (reply));
      break;
    case BECKON_LLM_END_PAUSED:
      if (is_within_search (round))
        round_end (round, &searches);
      else
        end_turn (round, BECKON_RUN_EVENT_PAUSE, whole, NULL);
      break;
    case BECKON_LLM_END_OTHER:
      end_for_other_reason (round);
      break;
    case BECKON_LLM_END_CUT_OFF:
      fail_within (round, BECKON_LLM_ERROR_SERVER,
                   has_output (round) ? _("The server ended the reply before it was complete.")
                   : _("The server ended the reply before it said anything."));
      break;
    case BECKON_LLM_END_FAILED:
    default:
      fail_within (round, beckon_reply_get_error_kind (reply), beckon_reply_get_error (reply));
      break;
    }
}

/* --- Receiving ----------------------------------------------------------------------------------------------------- */

static gboolean
on_flush_due (gpointer user_data)
{
  BeckonRound *round = user_data;
  g_autoptr (BeckonBatch) batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  round->flush_timeout = 0;
  if (beckon_reply_flush (round->reply, batch, beckon_conversation_get_id (round->conversation)))
    beckon_run_write (round->run, g_steal_pointer (&batch));
  return G_SOURCE_REMOVE;
}

static void
round_on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  BeckonRound *round = user_data;

  /* An ending that is being stored has what it takes; a reply that went on would move the run from its end. */
  if (!is_listening (round))
    return;
  beckon_reply_set_time (round->reply, beckon_clock_get_monotonic_time (round->parts.clock));
  if (beckon_reply_feed (round->reply, event))
    {
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      beckon_reply_show (round->reply, round->conversation);
      beckon_reply_flush (round->reply, batch, beckon_conversation_get_id (round->conversation));
      beckon_run_move (round->run, BECKON_RUN_EVENT_OUTPUT, NULL, 0, batch);
    }
  else if (is_listening (round) && round->flush_timeout == 0 && beckon_reply_has_output (round->reply))
    round->flush_timeout = beckon_clock_add_timeout (round->parts.clock, FLUSH_INTERVAL_MS, on_flush_due, round);
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

/* Keeps what the provider counted, for the next estimate, and what it costs. A page of a PDF counts for ten times as much at
 * one server as at another, which says nothing of how either counts words. */
static void
note_count (BeckonRound *round)
{
  BeckonMessage *message = beckon_reply_get_message (round->reply);
  BeckonUsage usage = *beckon_message_get_usage (message);
  BeckonProfile *profile = get_profile (round);

  if (profile == NULL)
    return;
  if (round->n_files == 0)
    beckon_token_meter_note (round->parts.meter, beckon_profile_get_id (profile), round->estimate, usage.input);
  beckon_usage_set_cost (&usage, profile);
  beckon_usage_add (&usage, beckon_reply_get_spent (round->reply));
  beckon_message_set_usage (message, &usage);
}

static void
on_answers_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  static const BeckonRoundResult calls = { .end = BECKON_ROUND_CALLS };
  g_autoptr (BeckonRound) round = user_data;

  if (!is_listening (round))
    return;
  round->receiving = FALSE;
  round_end (round, &calls);
}

static void
name_calls (BeckonRound *round)
{
  GPtrArray *calls = beckon_reply_get_calls (round->reply);
  /* A fault of the last call says there that it was cut. */
  gboolean is_cut = beckon_reply_get_end (round->reply) == BECKON_LLM_END_LENGTH;

  for (guint i = 0; i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);
      const char *name = beckon_tool_call_get_name (call);
      const char *meant = beckon_prompt_prefix_find_name (round->prefix, name);
      g_autofree char *refused = NULL;

      if (meant != NULL && !g_str_equal (meant, name))
        beckon_reply_rename_call (round->reply, i, meant);
      else if (meant == NULL && !is_cut && beckon_tool_call_get_fault (call) == NULL
               && beckon_tool_registry_lookup (round->parts.tools, name) == NULL)
        {
          refused = beckon_prompt_prefix_refuse_name (round->prefix, name);
          beckon_tool_call_set_fault (call, refused);
        }
    }
}

/* Earlier answers are known before a question shows. */
static void
end_with_calls (BeckonRound *round)
{
  static const BeckonRoundResult calls = { .end = BECKON_ROUND_CALLS };

  name_calls (round);
  round->receiving = TRUE;
  if (beckon_last_answers_load_async (&round->parts, round->conversation, beckon_reply_get_calls (round->reply),
                                      on_answers_found, g_object_ref (round)))
    return;
  g_object_unref (round);
  round->receiving = FALSE;
  round_end (round, &calls);
}

static void
round_on_streamed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRound) round = user_data;
  g_autoptr (GError) error = NULL;
  gint64 retry_after_ms = -1;
  gboolean ok = beckon_provider_stream_finish (BECKON_PROVIDER (source), result, &retry_after_ms, &error);

  if (!is_listening (round))
    return;
  round->receiving = FALSE;
  clear_timeout (round, &round->flush_timeout);
  note_count (round);
  if (has_output (round) || (ok && beckon_reply_get_end (round->reply) != BECKON_LLM_END_FAILED))
    beckon_prompt_prefix_accept (round->prefix);
  if (!ok)
    fail_request (round, error, retry_after_ms);
  else if (has_usable_calls (round->reply))
    end_with_calls (round);
  else
    end_without_calls (round);
}

/* --- Summaries ----------------------------------------------------------------------------------------------------- */

static void
on_summarized (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonRound) round = user_data;
  g_autoptr (GError) error = NULL;
  gint64 retry_after_ms = -1;
  g_autoptr (BeckonMessage) note = beckon_summary_write_finish (result, &retry_after_ms, &error);
  BeckonBatch *batch;

  if (!is_listening (round))
    return;
  round->receiving = FALSE;
  beckon_conversation_set_phase (round->conversation, beckon_conversation_get_phase (round->conversation), NULL, 0);
  if (note == NULL)
    {
      fail_request (round, error, retry_after_ms);
      return;
    }
  /* The summary is one message, stored in one transaction, so that a death on the way leaves the history as it was. */
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_message_set_seq (note, beckon_conversation_get_next_seq (round->conversation));
  beckon_batch_add_message (batch, beckon_conversation_get_id (round->conversation), note);
  round->summary = g_steal_pointer (&note);
  beckon_run_store_for_round (round->run, round, batch);
}

void
beckon_round_resume (BeckonRound *round)
{
  g_autoptr (BeckonMessage) summary = g_steal_pointer (&round->summary);

  beckon_conversation_add_message (round->conversation, summary);
  if (round->is_over)
    return;
  beckon_tries_begin (round->tries);
  send_request (round);
}

/* %FALSE when there is nothing to summarize. @sent: the messages as they would be sent, whose results are shortened. */
static gboolean
try_compact (BeckonRound *round, BeckonProfile *profile, GPtrArray *sent, gint64 budget)
{
  gint64 room = budget - round->estimate + beckon_tokens_of_messages (sent);
  g_autoptr (GPtrArray) messages = beckon_context_list (round->conversation);
  BeckonSummaryTask task = { profile, round->conversation, messages, 0, budget, room };
  guint n;

  beckon_sent_files_bound (messages, profile, beckon_prompt_prefix_refuses_files (round->prefix, profile));
  beckon_prompt_prefix_bound_pictures (round->prefix, messages);
  n = beckon_compaction_choose (sent, (gint64) (KEEP_SHARE * (double) room));
  /* Words that were told behind a message are among those alone that are sent. */
  while (n > 0 && task.n < messages->len
         && beckon_message_get_seq (g_ptr_array_index (messages, task.n))
         <= beckon_message_get_seq (g_ptr_array_index (sent, n - 1)))
    task.n++;
  if (task.n == 0 || !beckon_summary_has_room (budget) || round->n_compactions >= MAX_COMPACTIONS)
    return FALSE;
  round->receiving = TRUE;
  round->n_files = 0;
  round->has_new_files = FALSE;
  round->n_compactions++;
  beckon_conversation_set_phase (round->conversation, beckon_conversation_get_phase (round->conversation),
                                 _("Summarizing earlier messages…"), 0);
  round->estimate
    = beckon_summary_write_async (&round->parts, &task, round->cancellable, on_summarized, g_object_ref (round));
  return TRUE;
}

/* --- Sending ------------------------------------------------------------------------------------------------------- */

static BeckonLlmRequest *
round_make_request (BeckonRound *round, BeckonProfile *profile, GPtrArray **messages)
{
  BeckonLlmRequest *request;

  g_clear_pointer (messages, g_ptr_array_unref);
  *messages = beckon_prompt_prefix_list_messages (round->prefix, profile);
  request = beckon_prompt_prefix_make_request (round->prefix, profile, *messages);
  round->estimate = beckon_tokens_of_request (request);
  round->n_files = beckon_sent_files_count (request->messages, 0);
  round->has_new_files = beckon_prompt_prefix_count_new_files (round->prefix, request) > 0;
  round->may_search = request->searches;
  return request;
}

/* %NULL: something else has to be done first, and is under way. */
static BeckonLlmRequest *
make_fitting_request (BeckonRound *round, BeckonProfile *profile)
{
  gint64 known = beckon_token_meter_get_budget (round->parts.meter, profile);
  gint64 budget = round->room > 0 ? MIN (round->room, known) : known;
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (BeckonLlmRequest) request = NULL;

  beckon_prompt_prefix_choose (round->prefix, profile);
  request = round_make_request (round, profile, &messages);
  if (!beckon_prompt_prefix_is_kept (round->prefix, request))
    {
      beckon_prompt_prefix_begin_history (round->prefix);
      beckon_llm_request_free (request);
      request = round_make_request (round, profile, &messages);
    }
  for (int wide = 1; wide >= 0 && round->estimate > budget; wide--)
    {
      if (beckon_prompt_prefix_cut (round->prefix, messages, wide,
                                    budget - round->estimate + beckon_tokens_of_messages (messages), budget))
        {
          beckon_llm_request_free (request);
          request = round_make_request (round, profile, &messages);
        }
      if (round->estimate > known && try_compact (round, profile, messages, known))
        return NULL;
    }
  return g_steal_pointer (&request);
}

static void
stream (BeckonRound *round, BeckonProfile *profile, const BeckonLlmRequest *request)
{
  g_autoptr (BeckonMessage) nudge = NULL;
  g_autoptr (BeckonPart) words = NULL;

  beckon_reply_set_time (round->reply, beckon_clock_get_monotonic_time (round->parts.clock));
  round->receiving = TRUE;
  beckon_run_write (round->run, beckon_prompt_prefix_send (round->prefix, request));
  /* The very same request may well be answered by nothing again. No other request has these words. */
  if (round->was_empty)
    {
      nudge = beckon_message_new (NULL, BECKON_ROLE_USER, get_now (round));
      words = beckon_part_new (BECKON_PART_TEXT, "[Your last reply was empty. Go on: call a tool, or answer the user.]");
      beckon_message_add_part (nudge, words);
      g_ptr_array_add (request->messages, g_steal_pointer (&nudge));
    }
  beckon_provider_stream_async (round->parts.provider, request, round_on_event, round, round->cancellable, round_on_streamed,
                                g_object_ref (round));
}

/* PDFs go as text from here on. */
static void
send_text_of_files (BeckonRound *round)
{
  beckon_prompt_prefix_refuse_files (round->prefix, get_profile (round));
  send_request (round);
}

static void
send_request (BeckonRound *round)
{
  BeckonProfile *profile = get_profile (round);
  g_autoptr (BeckonLlmRequest) request = NULL;
  gboolean is_refused;

  if (round->is_over)
    return;
  if (profile == NULL)
    {
      round_fail (round, _("No model is set up. Add one in Preferences."));
      return;
    }
  beckon_reply_begin (round->reply, beckon_codec_for_profile (profile)->name, get_now (round));
  request = make_fitting_request (round, profile);
  if (request == NULL || round->is_over)
    return;
  is_refused = round->too_long_at > 0 && round->estimate >= round->too_long_at;
  if (is_refused && round->n_files > 0)
    send_text_of_files (round);
  else if (is_refused && beckon_prompt_prefix_leave_out_pictures (round->prefix, profile, round->too_long_words))
    send_request (round);
  else if (is_refused)
    {
      const char *what = _("The conversation is too long for this model, and what is left of it cannot be made shorter.");
      g_autofree char *message = beckon_text_join_sentences (what, round->too_long_words);

      round_fail (round, message);
    }
  else if (round->room > 0 && round->estimate >= round->refused_at)
    round_fail (round, round->refused_words);
  else
    stream (round, profile, request);
}

/* --- Failures ------------------------------------------------------------------------------------------------------ */

/* With what came and is not stored yet. */
static void
move_on (BeckonRound *round, BeckonRunEvent event, const char *detail, gint64 retry_at)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  if (has_output (round))
    beckon_reply_flush (round->reply, batch, beckon_conversation_get_id (round->conversation));
  beckon_run_move (round->run, event, detail, retry_at, batch);
}

static gboolean
on_retry_due (gpointer user_data)
{
  BeckonRound *round = user_data;

  g_autoptr (BeckonRound) alive = g_object_ref (round);

  round->retry_timeout = 0;
  beckon_run_move (round->run, BECKON_RUN_EVENT_REQUEST, has_output (round) ? _("Trying again…") : NULL, 0, NULL);
  send_request (round);
  return G_SOURCE_REMOVE;
}

/* A profile that takes over for the first time in a conversation may get less of its PDFs: it reads none, or has less room. */
static void
tell_of_files (BeckonRound *round, BeckonProfile *to)
{
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (BeckonMessage) note = NULL;

  if (round->n_files == 0 || beckon_prompt_prefix_knows (round->prefix, to))
    return;
  messages = beckon_context_list (round->conversation);
  beckon_sent_files_bound (messages, to, FALSE);
  if (beckon_sent_files_count (messages, 0) >= round->n_files)
    return;
  note = beckon_note_new_files (beckon_profile_get_model (to), get_now (round));
  beckon_run_add_note (round->run, note);
}

static void
fail_over (BeckonRound *round, BeckonProfile *from, const GError *error)
{
  BeckonProfile *to = get_profile (round);
  g_autoptr (BeckonMessage) note
      = beckon_note_new_failover (beckon_profile_get_name (from), beckon_profile_get_name (to), error->message,
                                  get_now (round));

  if (has_output (round))
    move_on (round, BECKON_RUN_EVENT_REQUEST, _("Trying again…"), 0);
  beckon_run_add_note (round->run, note);
  tell_of_files (round, to);
  send_request (round);
}

/* The server knows its window better than we do: what it refused is made shorter. */
static gboolean
shorten (BeckonRound *round, BeckonProfile *profile, const GError *error)
{
  if (!g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_CONTEXT) || round->n_shortened >= MAX_SHORTENED)
    return FALSE;
  beckon_token_meter_note_too_long (round->parts.meter, beckon_profile_get_id (profile), round->estimate, error->message);
  round->too_long_at = round->estimate;
  g_free (round->too_long_words);
  round->too_long_words = g_strdup (error->message);
  round->n_shortened++;
  send_request (round);
  return TRUE;
}

/* A model whose thinking is bound to what stood before it got something else before it. All of it is left out from here on, and
 * whenever the beginning changes again. */
static gboolean
go_on_without_thinking (BeckonRound *round, BeckonProfile *profile, const GError *error)
{
  if (!g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_THINKING)
      || !beckon_prompt_prefix_refuse_thinking (round->prefix, profile))
    return FALSE;
  send_request (round);
  return TRUE;
}

/* The server says that the model takes no pictures. From here on it is told that there are pictures, and the request is sent
 * again without them. */
static gboolean
go_on_without_pictures (BeckonRound *round, BeckonProfile *profile, const GError *error)
{
  g_autoptr (BeckonProfile) learned = NULL;
  g_autoptr (BeckonMessage) note = NULL;
  BeckonModelFacts facts;

  if (!g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_SIGHT))
    return FALSE;
  beckon_profile_get_facts (profile, &facts);
  if (facts.images == 0)
    return FALSE;

  facts.images = 0;
  learned = beckon_profile_copy (profile);
  beckon_profile_set_facts (learned, &facts);
  note = beckon_note_new_sight (beckon_profile_get_model (profile), get_now (round));
  beckon_profiles_save_async (round->parts.profiles, learned, NULL, NULL, NULL);
  beckon_run_add_note (round->run, note);
  send_request (round);
  return TRUE;
}

/* Servers refuse a file in words of their own: damaged, locked, too long, or not known at all. The same request with the text
 * in its place tells. */
static gboolean
go_on_without_files (BeckonRound *round, const GError *error)
{
  static const BeckonLlmError codes[]
      = { BECKON_LLM_ERROR_REJECTED, BECKON_LLM_ERROR_SIGHT, BECKON_LLM_ERROR_TOO_LARGE };

  for (guint i = 0; round->has_new_files && i < G_N_ELEMENTS (codes); i++)
    if (g_error_matches (error, BECKON_LLM_ERROR, (int) codes[i]))
      {
        send_text_of_files (round);
        return TRUE;
      }
  return FALSE;
}

/* Without words that are known, what servers refuse is found out by leaving it out: the tool they name, the newest pictures,
 * all pictures, the files. A request that is long may be too long. */
static gboolean
go_on_without_a_part (BeckonRound *round, BeckonProfile *profile, const GError *error)
{
  if (!g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_REJECTED))
    return FALSE;
  if (round->n_left_out < MAX_LEFT_OUT
      && (beckon_prompt_prefix_leave_out_tool (round->prefix, profile, error->message)
          || beckon_prompt_prefix_leave_out_pictures (round->prefix, profile, error->message)))
    {
      round->n_left_out++;
      send_request (round);
      return TRUE;
    }
  if (round->n_files > 0)
    {
      send_text_of_files (round);
      return TRUE;
    }
  if (round->room > 0 || round->estimate <= (gint64) (beckon_profile_get_effective_window (profile) / 2))
    return FALSE;
  round->room = (gint64) (SHRINK * (double) round->estimate);
  round->refused_at = round->estimate;
  round->refused_words = g_strdup (error->message);
  send_request (round);
  return TRUE;
}

/* A request in another form is no retry of the same. */
static gboolean
send_otherwise (BeckonRound *round, const GError *error)
{
  BeckonProfile *profile = get_profile (round);

  return profile != NULL
         && (shorten (round, profile, error) || go_on_without_files (round, error)
             || go_on_without_pictures (round, profile, error) || go_on_without_thinking (round, profile, error)
             || go_on_without_a_part (round, profile, error));
}

/* A level of reasoning that the model does not know is refused with every request, however often. */
static gboolean
is_about_effort (BeckonRound *round, const GError *error)
{
  static const char *const words[] = { "reasoning", "thinking", "effort", NULL };
  g_autofree char *lower = g_utf8_strdown (error->message, -1);

  if (!g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_REJECTED)
      || beckon_conversation_get_effort (round->conversation) == BECKON_EFFORT_DEFAULT)
    return FALSE;
  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (lower, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
round_give_up (BeckonRound *round, const GError *error)
{
  BeckonBatch *restored = beckon_prompt_prefix_restore (round->prefix);
  g_autofree char *advised = NULL;
  g_autofree char *detail = NULL;

  if (restored != NULL)
    beckon_run_write (round->run, restored);
  if (has_output (round) && beckon_reply_get_end (round->reply) == BECKON_LLM_END_CUT_OFF)
    {
      end_turn (round, BECKON_RUN_EVENT_CUT, BECKON_MESSAGE_CUT_OFF, error->message);
      return;
    }
  if (is_about_effort (round, error))
    advised = beckon_text_join_sentences (error->message,
                                          _("Set the reasoning effort to Model Default: in the menu of the model, or with "
                                            "“--effort default”."));
  detail = beckon_run_detail_new (beckon_tries_get_cause (error), advised != NULL ? advised : error->message);
  round_fail (round, detail);
}

static void
fail_request (BeckonRound *round, const GError *error, gint64 retry_after_ms)
{
  BeckonProfile *profile = get_profile (round);
  gint64 delay_ms;

  if (round->is_over)
    return;
  if (!has_output (round) && send_otherwise (round, error))
    return;
  switch (beckon_tries_fail (round->tries, error, retry_after_ms, get_now (round), &delay_ms))
    {
    case BECKON_NEXT_TRY_LATER:
      move_on (round, BECKON_RUN_EVENT_RETRY, error->message, get_now (round) + delay_ms * 1000);
      if (!round->is_over)
        round->retry_timeout = beckon_clock_add_timeout (round->parts.clock, (guint) delay_ms, on_retry_due, round);
      break;
    case BECKON_NEXT_TRY_FALLBACK:
      fail_over (round, profile, error);
      break;
    case BECKON_NEXT_TRY_NONE:
    default:
      round_give_up (round, error);
      break;
    }
}

/* --- Life ---------------------------------------------------------------------------------------------------------- */

gboolean
beckon_round_begin (BeckonRound *round)
{
  g_return_val_if_fail (BECKON_IS_ROUND (round), FALSE);

  beckon_tries_begin (round->tries);
  send_request (round);
  return !round->is_over;
}

void
beckon_round_cancel (BeckonRound *round)
{
  g_return_if_fail (BECKON_IS_ROUND (round));

  round->receiving = FALSE;
  round->is_over = TRUE;
  clear_timeout (round, &round->retry_timeout);
  clear_timeout (round, &round->flush_timeout);
}

BeckonReply *
beckon_round_get_reply (BeckonRound *round)
{
  return round->reply;
}

BeckonRound *
beckon_round_new (const BeckonAgentParts *parts, BeckonConversation *conversation, BeckonTries *tries,
                  BeckonPromptPrefix *prefix, GCancellable *cancellable, BeckonRun *run, BeckonTurn *turn)
{
  BeckonRound *round = g_object_new (BECKON_TYPE_ROUND, NULL);

  beckon_agent_parts_init (&round->parts, parts);
  round->conversation = g_object_ref (conversation);
  round->tries = tries;
  round->prefix = prefix;
  round->cancellable = g_object_ref (cancellable);
  round->run = run;
  round->turn = turn;
  round->reply = beckon_reply_new ();
  return round;
}

static void
beckon_round_finalize (GObject *object)
{
  BeckonRound *round = BECKON_ROUND (object);

  g_assert (round->retry_timeout == 0 && round->flush_timeout == 0);

  beckon_reply_free (round->reply);
  g_clear_object (&round->summary);
  g_clear_object (&round->cancellable);
  g_clear_object (&round->conversation);
  beckon_agent_parts_clear (&round->parts);
  g_free (round->too_long_words);
  g_free (round->refused_words);
  G_OBJECT_CLASS (beckon_round_parent_class)->finalize (object);
}

static void
beckon_round_class_init (BeckonRoundClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_round_finalize;
}

static void
beckon_round_init (BeckonRound *round)
{
}
