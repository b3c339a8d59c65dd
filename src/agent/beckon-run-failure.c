/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-context.h"
#include "beckon-run-private.h"
#include "beckon-sent-files.h"

#include "base/beckon-text.h"
#include "domain/beckon-note.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What becomes of a round that failed before anything of it was shown. A server that is busy is tried again after a while,
 * which the person sees; when that is no use, the profile's fallbacks are asked in their order, which is said in the
 * conversation. Once anything was shown, nothing happens by itself: a second try could say or do something else. */

#define MAX_FAILURES 3
#define MAX_RETRY_AFTER_MS (60 * 1000)
#define FIRST_RETRY_MS 1000

/* A large model takes minutes to be read from a disk; the first request of all waits as long for its first byte. */
#define LOADING_RETRY_MS (2 * 1000)
#define MAX_LOADING_MS (600 * 1000)

/* What a server refuses as too long is sent again, shorter, this often. */
#define MAX_SHORTENED 6

/* Who has named a fallback would rather have it than wait for longer than this. */
#define MAX_WAIT_BESIDE_FALLBACK_MS (5 * 1000)

static gboolean
is_one_of (const GError *error, const BeckonLlmError *codes, guint n_codes)
{
  for (guint i = 0; i < n_codes; i++)
    if (g_error_matches (error, BECKON_LLM_ERROR, (int) codes[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_worth_a_try (const GError *error)
{
  static const BeckonLlmError codes[] = { BECKON_LLM_ERROR_RATE, BECKON_LLM_ERROR_SERVER, BECKON_LLM_ERROR_LOADING };

  return is_one_of (error, codes, G_N_ELEMENTS (codes));
}

/* What another server may well do. What this one says of the request itself, another would say too. */
static gboolean
is_worth_another (const GError *error)
{
  static const BeckonLlmError codes[] = {
    BECKON_LLM_ERROR_CONNECT,   BECKON_LLM_ERROR_TLS,   BECKON_LLM_ERROR_TIMEOUT,  BECKON_LLM_ERROR_AUTH,
    BECKON_LLM_ERROR_NOT_FOUND, BECKON_LLM_ERROR_RATE,  BECKON_LLM_ERROR_QUOTA,    BECKON_LLM_ERROR_SERVER,
    BECKON_LLM_ERROR_REDIRECT,  BECKON_LLM_ERROR_PROTOCOL, BECKON_LLM_ERROR_MODEL, BECKON_LLM_ERROR_LOADING,
  };

  return is_one_of (error, codes, G_N_ELEMENTS (codes));
}

/* (nullable): the next profile that the person named and that is there; borrowed. */
static BeckonProfile *
find_fallback (BeckonRun *run, guint *place)
{
  BeckonProfile *own = beckon_run_get_own_profile (run);
  const char *const *ids = own != NULL ? beckon_profile_get_fallbacks (own) : NULL;
  guint n = ids != NULL ? g_strv_length ((GStrv) ids) : 0;

  for (*place = run->n_fallbacks; *place < n; (*place)++)
    {
      BeckonProfile *profile = beckon_profiles_lookup (run->parts.profiles, ids[*place]);

      if (profile != NULL && profile != own)
        return profile;
    }
  return NULL;
}

static gint64
retry_delay (BeckonRun *run, const GError *error, gint64 retry_after_ms)
{
  gint64 backoff = (gint64) FIRST_RETRY_MS << (run->n_failures - 1);
  gint64 delay = retry_after_ms >= 0 ? retry_after_ms : backoff + g_random_int_range (0, (gint32) (backoff / 4));
  guint place;

  if (run->n_failures >= MAX_FAILURES || delay > MAX_RETRY_AFTER_MS || !is_worth_a_try (error))
    return -1;
  if (delay > MAX_WAIT_BESIDE_FALLBACK_MS && find_fallback (run, &place) != NULL)
    return -1;
  return delay;
}

/* -1: it is a failure like others. Who has named a fallback would rather have it. */
static gint64
loading_delay (BeckonRun *run, const GError *error)
{
  gint64 now = beckon_run_now (run);
  guint place;

  if (!g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_LOADING) || find_fallback (run, &place) != NULL)
    return -1;
  if (run->loading_since == 0)
    run->loading_since = now;
  return now - run->loading_since < (gint64) MAX_LOADING_MS * 1000 ? LOADING_RETRY_MS : -1;
}

static gboolean
on_retry_due (gpointer user_data)
{
  BeckonRun *run = user_data;

  run->retry_timeout = 0;
  beckon_run_move (run, BECKON_RUN_EVENT_REQUEST, NULL);
  beckon_run_send_request (run);
  return G_SOURCE_REMOVE;
}

static void
wait_to_retry (BeckonRun *run, const GError *error, gint64 delay_ms)
{
  g_autoptr (BeckonBatch) batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  g_clear_pointer (&run->reply, beckon_reply_free);
  run->record->retry_at = beckon_run_now (run) + delay_ms * 1000;
  beckon_run_move (run, BECKON_RUN_EVENT_RETRY, error->message);
  beckon_batch_set_run (batch, run->record);
  beckon_run_commit_behind (run, g_steal_pointer (&batch));
  run->retry_timeout = beckon_clock_add_timeout (run->parts.clock, (guint) delay_ms, on_retry_due, run);
}

/**
 * beckon_run_add_note: (skip)
 * @run: a run without a reply that anything was shown of
 * @note: a note
 *
 * Has its place in the history before the reply that it explains.
 */
void
beckon_run_add_note (BeckonRun *run, BeckonMessage *note)
{
  g_autoptr (BeckonBatch) batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  g_clear_pointer (&run->reply, beckon_reply_free);
  beckon_conversation_add_message (run->conversation, note);
  beckon_batch_add_message (batch, run->record->conversation_id, note);
  beckon_run_commit_behind (run, g_steal_pointer (&batch));
}

/* A profile that takes over for the first time in a conversation may get less of its PDFs: it reads none, or has less room. */
static void
tell_of_files (BeckonRun *run, BeckonProfile *to)
{
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (BeckonMessage) note = NULL;

  if (run->sent_files == 0 || g_hash_table_contains (run->prefixes->by_profile, beckon_profile_get_id (to)))
    return;
  messages = beckon_context_list (run->conversation);
  beckon_sent_files_bound (messages, to, FALSE);
  if (beckon_sent_files_count (messages, 0) >= run->sent_files)
    return;
  note = beckon_note_new_files (beckon_profile_get_model (to), beckon_run_now (run));
  beckon_run_add_note (run, note);
}

static void
fail_over (BeckonRun *run, BeckonProfile *to, guint place, const GError *error)
{
  BeckonProfile *from = beckon_run_get_profile (run);
  g_autoptr (BeckonMessage) note
      = beckon_note_new_failover (beckon_profile_get_name (from), beckon_profile_get_name (to), error->message,
                                  beckon_run_now (run));

  run->n_fallbacks = place + 1;
  run->n_failures = 0;
  g_free (run->fallback_id);
  run->fallback_id = g_strdup (beckon_profile_get_id (to));
  beckon_run_add_note (run, note);
  tell_of_files (run, to);
  beckon_run_send_request (run);
}

/* The server knows its window better than we do: what it refused is made shorter. */
static gboolean
shorten (BeckonRun *run, const GError *error)
{
  BeckonProfile *profile = beckon_run_get_profile (run);

  if (!g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_CONTEXT) || profile == NULL
      || run->n_shortened >= MAX_SHORTENED)
    return FALSE;
  beckon_token_meter_note_too_long (run->parts.meter, beckon_profile_get_id (profile), run->estimate, error->message);
  run->too_long_at = run->estimate;
  g_free (run->too_long_words);
  run->too_long_words = g_strdup (error->message);
  run->n_shortened++;
  beckon_run_send_request (run);
  return TRUE;
}

/* A model whose thinking is bound to what stood before it got something else before it. All of it is left out from here on, and
 * whenever the beginning changes again. */
static gboolean
go_on_without_thinking (BeckonRun *run, const GError *error)
{
  BeckonProfile *profile = beckon_run_get_profile (run);
  g_autoptr (BeckonMessage) note = NULL;

  if (!g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_THINKING) || profile == NULL || run->prefix == NULL
      || run->prefix->bare_through >= beckon_conversation_get_next_seq (run->conversation) - 1)
    return FALSE;

  note = beckon_note_new_thinking (beckon_profile_get_model (profile), beckon_run_now (run));
  beckon_run_add_note (run, note);
  run->prefix->is_bound = TRUE;
  beckon_run_break_prefix (run, BECKON_PREFIX_THINKING);
  beckon_run_send_request (run);
  return TRUE;
}

/* What nobody said of the model its server says now. From here on it is told that there are pictures, and what it was sent is
 * sent again without them. */
static gboolean
go_on_without_pictures (BeckonRun *run, const GError *error)
{
  BeckonProfile *profile = beckon_run_get_profile (run);
  g_autoptr (BeckonProfile) learned = NULL;
  g_autoptr (BeckonMessage) note = NULL;
  BeckonModelFacts facts;

  if (!g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_SIGHT) || profile == NULL)
    return FALSE;
  beckon_profile_get_facts (profile, &facts);
  if (facts.images == 0)
    return FALSE;

  facts.images = 0;
  learned = beckon_profile_copy (profile);
  beckon_profile_set_facts (learned, &facts);
  note = beckon_note_new_sight (beckon_profile_get_model (profile), beckon_run_now (run));
  beckon_profiles_save_async (run->parts.profiles, learned, NULL, NULL, NULL);
  beckon_run_add_note (run, note);
  beckon_run_send_request (run);
  return TRUE;
}

/* PDFs go as text from here on, which is said once. */
void
beckon_run_send_text_of_files (BeckonRun *run)
{
  BeckonProfile *profile = beckon_run_get_profile (run);
  g_autoptr (BeckonMessage) note = beckon_note_new_files (beckon_profile_get_model (profile), beckon_run_now (run));

  beckon_run_add_note (run, note);
  beckon_run_give_up_files (run, profile);
  beckon_run_send_request (run);
}

/* Servers refuse a file in words of their own: damaged, locked, too long, or not known at all. The same request with the text
 * in its place tells. */
static gboolean
go_on_without_files (BeckonRun *run, const GError *error)
{
  static const BeckonLlmError codes[]
      = { BECKON_LLM_ERROR_REJECTED, BECKON_LLM_ERROR_SIGHT, BECKON_LLM_ERROR_TOO_LARGE };

  if (!run->sent_new_files || run->prefix == NULL || beckon_run_get_profile (run) == NULL
      || !is_one_of (error, codes, G_N_ELEMENTS (codes)))
    return FALSE;
  beckon_run_send_text_of_files (run);
  return TRUE;
}

/* A level of reasoning that the model does not know is refused with every request, however often. */
static gboolean
is_about_effort (BeckonRun *run, const GError *error)
{
  static const char *const words[] = { "reasoning", "thinking", "effort", NULL };
  g_autofree char *lower = g_utf8_strdown (error->message, -1);

  if (!g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_REJECTED)
      || beckon_conversation_get_effort (run->conversation) == BECKON_EFFORT_DEFAULT)
    return FALSE;
  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (lower, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
fail (BeckonRun *run, const GError *error)
{
  gboolean is_gone = g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_MODEL);
  g_autofree char *advised = NULL;
  g_autofree char *detail = NULL;

  if (is_about_effort (run, error))
    advised = beckon_text_join_sentences (error->message,
                                          _("Set the reasoning effort to Model Default: in the menu of the model, or with "
                                            "“--effort default”."));
  detail = g_strconcat (is_gone ? BECKON_RUN_MODEL_GONE : "", advised != NULL ? advised : error->message, NULL);
  beckon_run_fail (run, detail);
}

void
beckon_run_round_failed (BeckonRun *run, const GError *error, gint64 retry_after_ms)
{
  gboolean shown = run->reply != NULL && beckon_reply_has_output (run->reply);
  guint place = 0;
  BeckonProfile *fallback = shown || !is_worth_another (error) ? NULL : find_fallback (run, &place);
  gint64 delay;

  /* What is sent in another form then was no attempt at the same. */
  if (!shown
      && (shorten (run, error) || go_on_without_files (run, error) || go_on_without_pictures (run, error)
          || go_on_without_thinking (run, error)))
    return;
  delay = shown ? -1 : loading_delay (run, error);
  if (delay >= 0)
    {
      wait_to_retry (run, error, delay);
      return;
    }
  run->n_failures++;
  delay = shown ? -1 : retry_delay (run, error, retry_after_ms);
  if (delay >= 0)
    wait_to_retry (run, error, delay);
  else if (fallback != NULL)
    fail_over (run, fallback, place, error);
  else if (shown)
    beckon_run_end (run, BECKON_RUN_EVENT_CUT, BECKON_MESSAGE_CUT_OFF, error->message);
  else
    fail (run, error);
}
