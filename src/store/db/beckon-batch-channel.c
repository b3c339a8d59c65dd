/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>

/* Messages of an account of which the ids are remembered. */
#define REMEMBERED "2000"

/* Messages are kept as long as their buttons may be pressed. */
#define KEPT_US "(30 * 24 * 3600 * 1000000)"

static const char put_sql[] =
  "INSERT INTO channel (id, kind, name, config, profile, folder, mode, is_on, approves, quiet_from, quiet_to, created_at)"
  " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12"
  " WHERE NOT EXISTS (SELECT 1 FROM channel WHERE name = ?3 AND id <> ?1)"
  " ON CONFLICT (id) DO UPDATE SET name = ?3, config = ?4, profile = ?5, folder = ?6, mode = ?7, is_on = ?8, approves = ?9,"
  "  quiet_from = ?10, quiet_to = ?11";
static const char state_sql[] =
  "UPDATE channel SET state_at = iif (state IS ?2, state_at, ?4), state = ?2, problem = ifnull (?3, problem),"
  "  problem_at = iif (?3 IS NULL, problem_at, ?4) WHERE id = ?1 AND lease = ?5";
static const char offer_sql[] = "UPDATE channel SET pair_code = ?2, pair_until = ?3, pair_tries = ?4 WHERE id = ?1";
static const char pair_sql[] =
  "INSERT INTO channel_peer (channel, address, name, paired_at) SELECT id, ?2, ?3, ?4 FROM channel"
  " WHERE id = ?1 AND pair_code = ?5 AND pair_until > ?4"
  " ON CONFLICT (channel) DO UPDATE SET address = ?2, name = ?3, paired_at = ?4, conversation = NULL, context = NULL,"
  "  heard_at = 0, told = NULL";
static const char heard_sql[] =
  "UPDATE channel_peer SET context = ifnull (?3, context), heard_at = ?4 WHERE channel = ?1 AND address = ?2";
static const char receive_sql[] =
  "INSERT OR IGNORE INTO channel_inbound (channel, message, address, body, target, at)"
  " SELECT id, ?2, ?3, ?4, ?5, ?6 FROM channel WHERE id = ?1";
static const char forget_sql[] =
  "DELETE FROM channel_inbound WHERE channel = ?1 AND body IS NULL AND number <="
  " (SELECT number FROM channel_inbound WHERE channel = ?1 ORDER BY number DESC LIMIT 1 OFFSET " REMEMBERED ")";
static const char end_inbound_sql[] =
  "UPDATE channel_inbound SET body = NULL WHERE channel = ?1 AND message = ?2 AND body IS NOT NULL";
static const char post_sql[] =
  "INSERT INTO channel_message (id, channel, address, conversation, request, item, code, title, text, choices, edits, remote,"
  "  state, is_asked_for, is_closed, tries, next_at, made_at, sent_at)"
  " SELECT ?1, channel.id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19 FROM channel"
  "  WHERE channel.id = ?2 AND (?4 IS NULL OR EXISTS (SELECT 1 FROM conversation WHERE id = ?4))"
  "  AND (?5 IS NULL OR EXISTS (SELECT 1 FROM request WHERE id = ?5))"
  " ON CONFLICT (id) DO UPDATE SET text = ?9, remote = ?12, state = ?13, is_closed = ?15, tries = ?16, next_at = ?17,"
  "  sent_at = ?19";

/* --- Accounts ----------------------------------------------------------------------------------------------------- */

void
beckon_batch_put_channel (BeckonBatch *batch, BeckonChannelAccount *account)
{
  g_autofree char *taken
    = beckon_text_printf (_("There is already a channel “%s”. Choose another name."), account->name);

  beckon_batch_run (batch, put_sql, account->id, account->kind, account->name, account->config, account->profile_id,
                    account->folder, beckon_mode_to_string (account->mode), account->is_on, account->approves,
                    account->quiet_from, account->quiet_to, account->created_at);
  beckon_batch_expect (batch, BECKON_ERROR_CONFLICT, taken);
}

void
beckon_batch_delete_channel (BeckonBatch *batch, const char *channel_id)
{
  beckon_batch_run (batch, "DELETE FROM channel WHERE id = ?1", channel_id);
}

void
beckon_batch_release_channel (BeckonBatch *batch, const char *channel_id)
{
  beckon_batch_run (batch, "UPDATE channel SET lease = NULL, state = NULL WHERE id = ?1 AND lease = ?2", channel_id,
                    BECKON_LEASE);
}

void
beckon_batch_set_channel_state (BeckonBatch *batch, const char *channel_id, const char *state, const char *problem, gint64 at)
{
  beckon_batch_run (batch, state_sql, channel_id, state, problem, at, BECKON_LEASE);
}

/* --- Pairing ------------------------------------------------------------------------------------------------------ */

void
beckon_batch_offer_pairing (BeckonBatch *batch, const char *channel_id, const char *code, gint64 until)
{
  beckon_batch_run (batch, offer_sql, channel_id, code, until, BECKON_CHANNEL_PAIR_TRIES);
}

void
beckon_batch_miss_pairing (BeckonBatch *batch, const char *channel_id)
{
  beckon_batch_run (batch,
                    "UPDATE channel SET pair_tries = pair_tries - 1, pair_code = iif (pair_tries > 1, pair_code, NULL)"
                    " WHERE id = ?1",
                    channel_id);
}

/* Notes who was paired as the one that left, unless that is @comes. */
static void
channel_part (BeckonBatch *batch, const char *channel_id, const char *comes)
{
  beckon_batch_run (batch,
                    "UPDATE channel SET parted ="
                    "  nullif (ifnull ((SELECT address FROM channel_peer WHERE channel = ?1), parted), ?2) WHERE id = ?1",
                    channel_id, comes);
}

/* Messages to anybody but @peer are no longer sent. Questions that went to others no longer say how they ended, and messages of
 * those others no longer answer them. */
static void
channel_forget_others (BeckonBatch *batch, const char *channel_id, const char *peer)
{
  beckon_batch_run (batch,
                    "DELETE FROM channel_message WHERE channel = ?1 AND address <> ifnull (?2, '')"
                    " AND state IN ('queued', 'sending')",
                    channel_id, peer);
  beckon_batch_run (batch, "UPDATE channel_message SET is_closed = 1 WHERE channel = ?1 AND address <> ifnull (?2, '')",
                    channel_id, peer);
}

void
beckon_batch_pair_channel (BeckonBatch *batch, const char *channel_id, const char *code, const char *address,
                           const char *name, gint64 at)
{
  channel_part (batch, channel_id, address);
  beckon_batch_run (batch, pair_sql, channel_id, address, name != NULL ? name : "", at, code);
  beckon_batch_expect (batch, BECKON_ERROR_NOT_FOUND,
                       _("This code is not valid any more. Make another one on the desktop."));
  beckon_batch_run (batch, "UPDATE channel SET pair_until = 0 WHERE id = ?1", channel_id);
  channel_forget_others (batch, channel_id, address);
}

void
beckon_batch_set_channel_peer (BeckonBatch *batch, const char *channel_id, const char *address, gint64 at)
{
  beckon_batch_run (batch,
                    "INSERT OR IGNORE INTO channel_peer (channel, address, name, paired_at)"
                    " SELECT id, ?2, '', ?3 FROM channel WHERE id = ?1",
                    channel_id, address, at);
}

void
beckon_batch_hear_channel (BeckonBatch *batch, const char *channel_id, const char *peer, const char *context, gint64 at)
{
  beckon_batch_run (batch, heard_sql, channel_id, peer, context, at);
}

void
beckon_batch_unpair_channel (BeckonBatch *batch, const char *channel_id)
{
  channel_part (batch, channel_id, NULL);
  beckon_batch_run (batch, "DELETE FROM channel_peer WHERE channel = ?1", channel_id);
  channel_forget_others (batch, channel_id, NULL);
}

void
beckon_batch_forget_parted (BeckonBatch *batch, const char *channel_id, const char *address)
{
  beckon_batch_run (batch, "UPDATE channel SET parted = NULL WHERE id = ?1 AND parted = ?2", channel_id, address);
}

void
beckon_batch_set_channel_conversation (BeckonBatch *batch, const char *channel_id, const char *conversation_id)
{
  beckon_batch_run (batch, "UPDATE channel_peer SET conversation = ?2 WHERE channel = ?1", channel_id, conversation_id);
}

void
beckon_batch_set_channel_told (BeckonBatch *batch, const char *channel_id, const char *message_id)
{
  beckon_batch_run (batch, "UPDATE channel_peer SET told = ?2 WHERE channel = ?1", channel_id, message_id);
}

/* --- Messages that come ------------------------------------------------------------------------------------------- */

void
beckon_batch_set_channel_cursor (BeckonBatch *batch, const char *channel_id, const char *cursor)
{
  if (cursor != NULL)
    beckon_batch_run (batch, "UPDATE channel SET cursor = ?2 WHERE id = ?1", channel_id, cursor);
  beckon_batch_run (batch, forget_sql, channel_id);
}

/* A message that comes again tells nothing new. */
void
beckon_batch_receive_channel (BeckonBatch *batch, const char *channel_id, const BeckonChannelInbound *inbound,
                              const char *context)
{
  beckon_batch_run (batch, receive_sql, channel_id, inbound->message_id, inbound->address, inbound->body, inbound->target_id,
                    inbound->at);
  beckon_batch_only_then (batch);
  beckon_batch_hear_channel (batch, channel_id, inbound->address, context, inbound->at);
}

gboolean
beckon_batch_write_inbound_end (BeckonDatabase *database, const char *channel_id, const char *message_id, GError **error)
{
  int changed = beckon_database_change (database, error, end_inbound_sql, "ss", channel_id, message_id);

  if (changed == 0)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT, _("This message was handled already."));
  return changed > 0;
}

void
beckon_batch_end_inbound (BeckonBatch *batch, const char *channel_id, const char *message_id)
{
  beckon_batch_run (batch, end_inbound_sql, channel_id, message_id);
  beckon_batch_expect (batch, BECKON_ERROR_CONFLICT, _("This message was handled already."));
}

/* --- Messages that leave ------------------------------------------------------------------------------------------ */

/* A post is not stored if its account, conversation or request is gone. */
void
beckon_batch_put_channel_post (BeckonBatch *batch, const BeckonChannelPost *post)
{
  beckon_batch_run (batch, post_sql, post->id, post->channel_id, post->address, post->conversation_id, post->request_id,
                    post->item, post->code, post->title, post->text, post->choices, post->edits, post->remote_id,
                    beckon_channel_post_state_to_string (post->state), post->is_asked_for, post->is_closed, post->tries,
                    post->next_at, post->made_at, post->sent_at);
}

void
beckon_batch_forget_channel_posts (BeckonBatch *batch, const char *channel_id, gint64 now)
{
  beckon_batch_run (batch,
                    "DELETE FROM channel_message WHERE channel = ?1 AND state IN ('sent', 'failed')"
                    " AND made_at < ?2 - " KEPT_US,
                    channel_id, now);
}
