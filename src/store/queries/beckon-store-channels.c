/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "store/db/beckon-store-private.h"

#include "base/beckon-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define COLUMNS \
  "id, kind, channel.name, config, profile, folder, mode, is_on, approves, quiet_from, quiet_to, created_at, cursor, lease," \
  " address, channel_peer.name, paired_at, conversation, context, heard_at, pair_code, pair_until, told," \
  " state, state_at, problem, problem_at, parted"
#define POST_COLUMNS \
  "id, channel, address, conversation, request, item, code, title, text, choices, edits, remote, state, is_asked_for," \
  " is_closed, tries, next_at, made_at, sent_at"

static const char list_sql[] =
  "SELECT " COLUMNS " FROM channel LEFT JOIN channel_peer ON channel = id ORDER BY channel.name";
static const char lease_sql[] = "SELECT lease FROM channel WHERE id = ?1 AND is_on";
static const char claim_sql[] = "UPDATE channel SET lease = ?2, state = NULL WHERE id = ?1";
static const char inbound_sql[] =
  "SELECT message, address, body, target, at FROM channel_inbound WHERE channel = ?1 AND body IS NOT NULL ORDER BY number";
static const char posts_sql[] =
  "SELECT " POST_COLUMNS " FROM channel_message WHERE channel = ?1"
  " AND (state IN ('queued', 'sending') OR (NOT is_closed AND request IS NOT NULL)) ORDER BY number";
/* Messages of the account that are in a conversation's queue, as the next one to be sent comes. */
static const char accepted_sql[] =
  "SELECT queued_message.id FROM queued_message JOIN channel_inbound ON target = queued_message.id"
  " WHERE channel_inbound.channel = ?1 AND queued_message.conversation = ?2"
  " ORDER BY sends_now DESC, queued_message.number LIMIT 1";
static const char written_sql[] =
  "SELECT target FROM channel_inbound WHERE channel = ?1"
  " AND EXISTS (SELECT 1 FROM message WHERE id = target AND conversation = ?2) ORDER BY number DESC LIMIT 1";
static const char find_post_sql[] =
  "SELECT " POST_COLUMNS " FROM channel_message WHERE channel = ?1 AND (code = ?2 OR id = ?2"
  " OR (length (?2) = 4 AND lower (substr (request, -4)) = ?2)) ORDER BY number DESC LIMIT 1";

/* Some servers say which message is replied to, others what it says. */
static const char find_quoted_sql[] =
  "SELECT " POST_COLUMNS " FROM channel_message WHERE channel = ?1 AND (remote = ?2 OR text = ?2)"
  " ORDER BY request IS NOT NULL DESC, number DESC LIMIT 1";

static const char find_overtaken_sql[] =
  "SELECT " POST_COLUMNS " FROM channel_message WHERE channel = ?1 AND code IS NOT NULL AND state = 'sent' AND request <> ?2"
  " AND EXISTS (SELECT 1 FROM settlement WHERE settlement.request = channel_message.request AND at > ?3 AND front_end <> ?4)"
  " LIMIT 1";

static char *
dup_column (sqlite3_stmt *row, int column)
{
  return g_strdup (beckon_column_text (row, column));
}

/* A row that was changed by hand may ask for less than a person may set; such an account is not shown, and not driven. */
static gpointer
read_account (BeckonSession *session, sqlite3_stmt *row)
{
  g_autoptr (BeckonChannelAccount) account
    = beckon_channel_account_new (beckon_column_text (row, 1), beckon_column_text (row, 2));
  const char *lease = beckon_column_text (row, 13);

  account->id = dup_column (row, 0);
  g_free (account->config);
  account->config = dup_column (row, 3);
  account->profile_id = dup_column (row, 4);
  account->folder = dup_column (row, 5);
  beckon_mode_from_string (beckon_column_text (row, 6), &account->mode);
  account->is_on = sqlite3_column_int (row, 7) != 0;
  account->approves = sqlite3_column_int (row, 8) != 0;
  account->quiet_from = (guint) sqlite3_column_int64 (row, 9);
  account->quiet_to = (guint) sqlite3_column_int64 (row, 10);
  account->created_at = sqlite3_column_int64 (row, 11);
  account->cursor = dup_column (row, 12);
  account->is_ours = g_strcmp0 (lease, beckon_lease_get_token (session->lease)) == 0;
  account->is_held = beckon_lease_is_held (session->lease, lease);

  account->address = dup_column (row, 14);
  account->peer_name = dup_column (row, 15);
  account->paired_at = sqlite3_column_int64 (row, 16);
  account->conversation_id = dup_column (row, 17);
  account->context = dup_column (row, 18);
  account->heard_at = sqlite3_column_int64 (row, 19);
  account->pair_code = dup_column (row, 20);
  account->pair_until = sqlite3_column_int64 (row, 21);
  account->told_id = dup_column (row, 22);
  account->parted = dup_column (row, 27);

  /* A process that is gone has no state any more. */
  account->state = account->is_held || account->is_ours ? dup_column (row, 23) : NULL;
  account->state_at = sqlite3_column_int64 (row, 24);
  account->problem = dup_column (row, 25);
  account->problem_at = sqlite3_column_int64 (row, 26);

  if (beckon_channel_account_check (account, NULL))
    return g_steal_pointer (&account);
  g_message ("the settings of the channel %s can't be read", account->name);
  return NULL;
}

BECKON_STORE_LIST (beckon_store_list_channels, list_sql, read_account, beckon_channel_account_unref, BECKON_NONE)

/* Within a writing transaction, so that of two that find the holder gone the second finds the first. */
static gboolean
is_claimable (BeckonSession *session, const char *channel_id, GError **error)
{
  sqlite3_stmt *row = beckon_database_query (session->database, error, lease_sql, "s", channel_id);
  BeckonStep step = row != NULL ? beckon_database_step (session->database, row, error) : BECKON_STEP_ERROR;
  gboolean is_held;

  if (step == BECKON_STEP_DONE)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, _("This channel is off, or was removed."));
  if (step != BECKON_STEP_ROW)
    return FALSE;
  is_held = beckon_lease_is_held (session->lease, beckon_column_text (row, 0));
  sqlite3_reset (row);
  if (is_held)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                         _("Another window or terminal of Beckon serves this channel."));
  return !is_held;
}

static gpointer
claim (BeckonSession *session, gpointer data, GError **error)
{
  const char *channel_id = ((const BeckonValue *) data)->text;

  if (!beckon_database_begin (session->database, BECKON_DURABILITY_NORMAL, error))
    return NULL;
  if (!is_claimable (session, channel_id, error)
      || !beckon_database_run (session->database, error, claim_sql, "ss", channel_id,
                               beckon_lease_get_token (session->lease)))
    {
      beckon_database_rollback (session->database);
      return NULL;
    }
  return GINT_TO_POINTER (beckon_database_commit (session->database, error));
}

void
beckon_store_claim_channel_async (BeckonStore *self, const char *channel_id, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .use = BECKON_STORE_WRITES, .func = claim };

  beckon_store_work_async (self, &op, beckon_store_claim_channel_async, cancellable, callback, user_data, channel_id);
}

BECKON_FINISH_BOOLEAN (beckon_store_claim_channel, BeckonStore)

static gpointer
read_inbound (BeckonSession *session, sqlite3_stmt *row)
{
  BeckonChannelInbound *inbound = g_new0 (BeckonChannelInbound, 1);

  inbound->message_id = dup_column (row, 0);
  inbound->address = dup_column (row, 1);
  inbound->body = dup_column (row, 2);
  inbound->target_id = dup_column (row, 3);
  inbound->at = sqlite3_column_int64 (row, 4);
  return inbound;
}

void
beckon_store_list_inbound_async (BeckonStore *self, const char *channel_id, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  static const BeckonQuery query = { inbound_sql, read_inbound, (GDestroyNotify) beckon_channel_inbound_free };

  beckon_store_select_async (self, &query, beckon_store_list_inbound_async, cancellable, callback, user_data, channel_id);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_list_inbound, BeckonStore)

static gpointer
read_post (BeckonSession *session, sqlite3_stmt *row)
{
  BeckonChannelPost *post = g_new0 (BeckonChannelPost, 1);

  post->id = dup_column (row, 0);
  post->channel_id = dup_column (row, 1);
  post->address = dup_column (row, 2);
  post->conversation_id = dup_column (row, 3);
  post->request_id = dup_column (row, 4);
  post->item = (guint) sqlite3_column_int64 (row, 5);
  post->code = dup_column (row, 6);
  post->title = dup_column (row, 7);
  post->text = dup_column (row, 8);
  post->choices = dup_column (row, 9);
  post->edits = dup_column (row, 10);
  post->remote_id = dup_column (row, 11);
  beckon_channel_post_state_from_string (beckon_column_text (row, 12), &post->state);
  post->is_asked_for = sqlite3_column_int (row, 13) != 0;
  post->is_closed = sqlite3_column_int (row, 14) != 0;
  post->tries = (guint) sqlite3_column_int64 (row, 15);
  post->next_at = sqlite3_column_int64 (row, 16);
  post->made_at = sqlite3_column_int64 (row, 17);
  post->sent_at = sqlite3_column_int64 (row, 18);
  return post;
}

void
beckon_store_list_posts_async (BeckonStore *self, const char *channel_id, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  static const BeckonQuery query = { posts_sql, read_post, (GDestroyNotify) beckon_channel_post_free };

  beckon_store_select_async (self, &query, beckon_store_list_posts_async, cancellable, callback, user_data, channel_id);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_list_posts, BeckonStore)

void
beckon_store_find_post_async (BeckonStore *self, const char *channel_id, const char *code_or_id, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  static const BeckonQuery query = { find_post_sql, read_post, (GDestroyNotify) beckon_channel_post_free, TRUE };

  beckon_store_select_async (self, &query, beckon_store_find_post_async, cancellable, callback, user_data, channel_id,
                             code_or_id);
}

void
beckon_store_find_quoted_post_async (BeckonStore *self, const char *channel_id, const char *quote, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  static const BeckonQuery query = { find_quoted_sql, read_post, (GDestroyNotify) beckon_channel_post_free, TRUE };

  beckon_store_select_async (self, &query, beckon_store_find_post_async, cancellable, callback, user_data, channel_id, quote);
}

void
beckon_store_find_overtaken_post_async (BeckonStore *self, const char *channel_id, const char *request_id, gint64 since,
                                        const char *front_end, GCancellable *cancellable, GAsyncReadyCallback callback,
                                        gpointer user_data)
{
  static const BeckonQuery query = { find_overtaken_sql, read_post, (GDestroyNotify) beckon_channel_post_free, TRUE };

  beckon_store_select_async (self, &query, beckon_store_find_post_async, cancellable, callback, user_data, channel_id,
                             request_id, since, front_end);
}

BECKON_FINISH_POINTER (BeckonChannelPost *, beckon_store_find_post, BeckonStore)

void
beckon_store_find_accepted_async (BeckonStore *self, const char *channel_id, const char *conversation_id,
                                  GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  static const BeckonQuery query = { accepted_sql, beckon_query_read_text, g_free, TRUE };

  beckon_store_select_async (self, &query, beckon_store_find_accepted_async, cancellable, callback, user_data, channel_id,
                             conversation_id);
}

void
beckon_store_find_written_async (BeckonStore *self, const char *channel_id, const char *conversation_id,
                                 GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  static const BeckonQuery query = { written_sql, beckon_query_read_text, g_free, TRUE };

  beckon_store_select_async (self, &query, beckon_store_find_accepted_async, cancellable, callback, user_data, channel_id,
                             conversation_id);
}

BECKON_FINISH_POINTER (char *, beckon_store_find_accepted, BeckonStore)
