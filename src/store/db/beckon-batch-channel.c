/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-batch-private.h"
#include "beckon-batch.h"

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
static const char delete_sql[] = "DELETE FROM channel WHERE id = ?1";
static const char release_sql[] = "UPDATE channel SET lease = NULL, state = NULL WHERE id = ?1 AND lease = ?2";
static const char state_sql[] =
  "UPDATE channel SET state_at = iif (state IS ?2, state_at, ?4), state = ?2, problem = ifnull (?3, problem),"
  "  problem_at = iif (?3 IS NULL, problem_at, ?4) WHERE id = ?1 AND lease = ?5";
static const char offer_sql[] = "UPDATE channel SET pair_code = ?2, pair_until = ?3, pair_tries = ?4 WHERE id = ?1";
static const char miss_sql[] =
  "UPDATE channel SET pair_tries = pair_tries - 1, pair_code = iif (pair_tries > 1, pair_code, NULL) WHERE id = ?1";
static const char pair_sql[] =
  "INSERT INTO channel_peer (channel, address, name, paired_at) SELECT id, ?2, ?3, ?4 FROM channel"
  " WHERE id = ?1 AND pair_code = ?5 AND pair_until > ?4"
  " ON CONFLICT (channel) DO UPDATE SET address = ?2, name = ?3, paired_at = ?4, conversation = NULL, context = NULL,"
  "  heard_at = 0, told = NULL";
static const char set_peer_sql[] =
  "INSERT OR IGNORE INTO channel_peer (channel, address, name, paired_at) SELECT id, ?2, '', ?3 FROM channel WHERE id = ?1";
/* The peer goes, unless it is ?2 who comes. */
static const char part_sql[] =
  "UPDATE channel SET parted = nullif (ifnull ((SELECT address FROM channel_peer WHERE channel = ?1), parted), ?2)"
  " WHERE id = ?1";
static const char forget_parted_sql[] = "UPDATE channel SET parted = NULL WHERE id = ?1 AND parted = ?2";
static const char unpair_sql[] = "DELETE FROM channel_peer WHERE channel = ?1";
/* Messages to somebody else are not sent any more. */
static const char forget_queued_sql[] =
  "DELETE FROM channel_message WHERE channel = ?1 AND address <> ifnull (?2, '') AND state IN ('queued', 'sending')";
/* Questions that somebody else was asked say no more how they ended, and are not answered by their messages any more. */
static const char close_foreign_sql[] =
  "UPDATE channel_message SET is_closed = 1 WHERE channel = ?1 AND address <> ifnull (?2, '')";
static const char conversation_sql[] = "UPDATE channel_peer SET conversation = ?2 WHERE channel = ?1";
static const char told_sql[] = "UPDATE channel_peer SET told = ?2 WHERE channel = ?1";
static const char cursor_sql[] = "UPDATE channel SET cursor = ?2 WHERE id = ?1";
static const char receive_sql[] =
  "INSERT OR IGNORE INTO channel_inbound (channel, message, address, body, target, at)"
  " SELECT id, ?2, ?3, ?4, ?5, ?6 FROM channel WHERE id = ?1";
static const char forget_sql[] =
  "DELETE FROM channel_inbound WHERE channel = ?1 AND body IS NULL AND number <="
  " (SELECT number FROM channel_inbound WHERE channel = ?1 ORDER BY number DESC LIMIT 1 OFFSET " REMEMBERED ")";
static const char heard_sql[] =
  "UPDATE channel_peer SET context = ifnull (?3, context), heard_at = ?4 WHERE channel = ?1 AND address = ?2";
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
static const char forget_posts_sql[] =
  "DELETE FROM channel_message WHERE channel = ?1 AND state IN ('sent', 'failed') AND made_at < ?2 - " KEPT_US;

typedef struct
{
  BeckonBatchOp base;
  BeckonChannelAccount *account;
} AccountOp;

/* A small change of one account. */
typedef struct
{
  BeckonBatchOp base;
  char *channel_id;
  char *first;
  char *second;
  char *third;
  gint64 at;
} ChannelOp;

typedef struct
{
  BeckonBatchOp base;
  BeckonChannelPost *post;
} PostOp;

typedef struct
{
  BeckonBatchOp base;
  char *channel_id;
  char *context;
  BeckonChannelInbound *inbound;
} ReceiveOp;

/* --- Accounts ----------------------------------------------------------------------------------------------------- */

static gboolean
exec_put (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const BeckonChannelAccount *account = ((const AccountOp *) base)->account;
  int changed = beckon_database_change (session->database, error, put_sql, "sssssssiiiii", account->id, account->kind,
                                        account->name, account->config, account->profile_id, account->folder,
                                        beckon_mode_to_string (account->mode), (gint64) account->is_on,
                                        (gint64) account->approves, (gint64) account->quiet_from,
                                        (gint64) account->quiet_to, account->created_at);

  if (changed == 0)
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                           _("There is already a channel “%s”. Choose another name."), account->name);
  return changed > 0;
}

static void
free_account_op (BeckonBatchOp *base)
{
  AccountOp *op = (AccountOp *) base;

  beckon_channel_account_unref (op->account);
  g_free (op);
}

void
beckon_batch_put_channel (BeckonBatch *batch, BeckonChannelAccount *account)
{
  AccountOp *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (account != NULL && account->id != NULL);

  op = g_new0 (AccountOp, 1);
  op->account = beckon_channel_account_ref (account);
  beckon_batch_add (batch, op, exec_put, free_account_op);
}

static void
free_channel_op (BeckonBatchOp *base)
{
  ChannelOp *op = (ChannelOp *) base;

  g_free (op->channel_id);
  g_free (op->first);
  g_free (op->second);
  g_free (op->third);
  g_free (op);
}

static ChannelOp *
add_channel_op (BeckonBatch *batch, gboolean (*exec) (const BeckonBatchOp *, BeckonSession *, GError **),
                const char *channel_id, const char *first, const char *second, gint64 at)
{
  ChannelOp *op = g_new0 (ChannelOp, 1);

  op->channel_id = g_strdup (channel_id);
  op->first = g_strdup (first);
  op->second = g_strdup (second);
  op->at = at;
  beckon_batch_add (batch, op, exec, free_channel_op);
  return op;
}

static gboolean
exec_delete (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  return beckon_database_run (session->database, error, delete_sql, "s", ((const ChannelOp *) base)->channel_id);
}

void
beckon_batch_delete_channel (BeckonBatch *batch, const char *channel_id)
{
  g_return_if_fail (batch != NULL && channel_id != NULL);

  add_channel_op (batch, exec_delete, channel_id, NULL, NULL, 0);
}

static gboolean
exec_release (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  return beckon_database_run (session->database, error, release_sql, "ss", ((const ChannelOp *) base)->channel_id,
                              beckon_lease_get_token (session->lease));
}

void
beckon_batch_release_channel (BeckonBatch *batch, const char *channel_id)
{
  g_return_if_fail (batch != NULL && channel_id != NULL);

  add_channel_op (batch, exec_release, channel_id, NULL, NULL, 0);
}

static gboolean
exec_state (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ChannelOp *op = (const ChannelOp *) base;

  return beckon_database_run (session->database, error, state_sql, "sssis", op->channel_id, op->first, op->second, op->at,
                              beckon_lease_get_token (session->lease));
}

void
beckon_batch_set_channel_state (BeckonBatch *batch, const char *channel_id, const char *state, const char *problem, gint64 at)
{
  g_return_if_fail (batch != NULL && channel_id != NULL && state != NULL);

  add_channel_op (batch, exec_state, channel_id, state, problem, at);
}

/* --- Pairing ------------------------------------------------------------------------------------------------------ */

static gboolean
exec_offer (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ChannelOp *op = (const ChannelOp *) base;

  return beckon_database_run (session->database, error, offer_sql, "ssii", op->channel_id, op->first, op->at,
                              (gint64) BECKON_CHANNEL_PAIR_TRIES);
}

void
beckon_batch_offer_pairing (BeckonBatch *batch, const char *channel_id, const char *code, gint64 until)
{
  g_return_if_fail (batch != NULL && channel_id != NULL);

  add_channel_op (batch, exec_offer, channel_id, code, NULL, until);
}

static gboolean
exec_miss (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  return beckon_database_run (session->database, error, miss_sql, "s", ((const ChannelOp *) base)->channel_id);
}

void
beckon_batch_miss_pairing (BeckonBatch *batch, const char *channel_id)
{
  g_return_if_fail (batch != NULL && channel_id != NULL);

  add_channel_op (batch, exec_miss, channel_id, NULL, NULL, 0);
}

static gboolean
forget_others (const ChannelOp *op, BeckonSession *session, GError **error)
{
  return beckon_database_run (session->database, error, forget_queued_sql, "ss", op->channel_id, op->first)
         && beckon_database_run (session->database, error, close_foreign_sql, "ss", op->channel_id, op->first);
}

static gboolean
exec_pair (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ChannelOp *op = (const ChannelOp *) base;
  int changed;

  if (!beckon_database_run (session->database, error, part_sql, "ss", op->channel_id, op->first))
    return FALSE;

  changed = beckon_database_change (session->database, error, pair_sql, "sssis", op->channel_id, op->first, op->second,
                                    op->at, op->third);
  if (changed == 0)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                         _("This code is not valid any more. Make another one on the desktop."));
  return changed > 0
         && beckon_database_run (session->database, error, offer_sql, "ssii", op->channel_id, NULL, (gint64) 0, (gint64) 0)
         && forget_others (op, session, error);
}

void
beckon_batch_pair_channel (BeckonBatch *batch, const char *channel_id, const char *code, const char *address,
                           const char *name, gint64 at)
{
  g_return_if_fail (batch != NULL && channel_id != NULL && code != NULL && address != NULL);

  add_channel_op (batch, exec_pair, channel_id, address, name != NULL ? name : "", at)->third = g_strdup (code);
}

static gboolean
exec_set_peer (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ChannelOp *op = (const ChannelOp *) base;

  return beckon_database_run (session->database, error, set_peer_sql, "ssi", op->channel_id, op->first, op->at);
}

void
beckon_batch_set_channel_peer (BeckonBatch *batch, const char *channel_id, const char *address, gint64 at)
{
  g_return_if_fail (batch != NULL && channel_id != NULL && address != NULL);

  add_channel_op (batch, exec_set_peer, channel_id, address, NULL, at);
}

static gboolean
exec_heard (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ChannelOp *op = (const ChannelOp *) base;

  return beckon_database_run (session->database, error, heard_sql, "sssi", op->channel_id, op->first, op->second, op->at);
}

void
beckon_batch_hear_channel (BeckonBatch *batch, const char *channel_id, const char *peer, const char *context, gint64 at)
{
  g_return_if_fail (batch != NULL && channel_id != NULL && peer != NULL);

  add_channel_op (batch, exec_heard, channel_id, peer, context, at);
}

static gboolean
exec_unpair (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ChannelOp *op = (const ChannelOp *) base;

  return beckon_database_run (session->database, error, part_sql, "ss", op->channel_id, NULL)
         && beckon_database_run (session->database, error, unpair_sql, "s", op->channel_id)
         && forget_others (op, session, error);
}

void
beckon_batch_unpair_channel (BeckonBatch *batch, const char *channel_id)
{
  g_return_if_fail (batch != NULL && channel_id != NULL);

  add_channel_op (batch, exec_unpair, channel_id, NULL, NULL, 0);
}

static gboolean
exec_forget_parted (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ChannelOp *op = (const ChannelOp *) base;

  return beckon_database_run (session->database, error, forget_parted_sql, "ss", op->channel_id, op->first);
}

void
beckon_batch_forget_parted (BeckonBatch *batch, const char *channel_id, const char *address)
{
  g_return_if_fail (batch != NULL && channel_id != NULL && address != NULL);

  add_channel_op (batch, exec_forget_parted, channel_id, address, NULL, 0);
}

static gboolean
exec_conversation (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ChannelOp *op = (const ChannelOp *) base;

  return beckon_database_run (session->database, error, conversation_sql, "ss", op->channel_id, op->first);
}

void
beckon_batch_set_channel_conversation (BeckonBatch *batch, const char *channel_id, const char *conversation_id)
{
  g_return_if_fail (batch != NULL && channel_id != NULL);

  add_channel_op (batch, exec_conversation, channel_id, conversation_id, NULL, 0);
}

static gboolean
exec_told (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ChannelOp *op = (const ChannelOp *) base;

  return beckon_database_run (session->database, error, told_sql, "ss", op->channel_id, op->first);
}

void
beckon_batch_set_channel_told (BeckonBatch *batch, const char *channel_id, const char *message_id)
{
  g_return_if_fail (batch != NULL && channel_id != NULL);

  add_channel_op (batch, exec_told, channel_id, message_id, NULL, 0);
}

/* --- Messages that come ------------------------------------------------------------------------------------------- */

static gboolean
exec_cursor (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ChannelOp *op = (const ChannelOp *) base;

  return (op->first == NULL || beckon_database_run (session->database, error, cursor_sql, "ss", op->channel_id, op->first))
         && beckon_database_run (session->database, error, forget_sql, "s", op->channel_id);
}

void
beckon_batch_set_channel_cursor (BeckonBatch *batch, const char *channel_id, const char *cursor)
{
  g_return_if_fail (batch != NULL && channel_id != NULL);

  add_channel_op (batch, exec_cursor, channel_id, cursor, NULL, 0);
}

static gboolean
exec_receive (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ReceiveOp *op = (const ReceiveOp *) base;
  const BeckonChannelInbound *inbound = op->inbound;
  int added = beckon_database_change (session->database, error, receive_sql, "sssssi", op->channel_id, inbound->message_id,
                                      inbound->address, inbound->body, inbound->target_id, inbound->at);

  /* A message that comes again tells nothing new. */
  return added == 0
         || (added > 0 && beckon_database_run (session->database, error, heard_sql, "sssi", op->channel_id,
                                               inbound->address, op->context, inbound->at));
}

static void
free_receive_op (BeckonBatchOp *base)
{
  ReceiveOp *op = (ReceiveOp *) base;

  g_free (op->channel_id);
  g_free (op->context);
  beckon_channel_inbound_free (op->inbound);
  g_free (op);
}

void
beckon_batch_receive_channel (BeckonBatch *batch, const char *channel_id, const BeckonChannelInbound *inbound,
                              const char *context)
{
  ReceiveOp *op;

  g_return_if_fail (batch != NULL && channel_id != NULL && inbound != NULL);

  op = g_new0 (ReceiveOp, 1);
  op->channel_id = g_strdup (channel_id);
  op->context = g_strdup (context);
  op->inbound = beckon_channel_inbound_copy (inbound);
  beckon_batch_add (batch, op, exec_receive, free_receive_op);
}

gboolean
beckon_batch_write_inbound_end (BeckonDatabase *database, const char *channel_id, const char *message_id, GError **error)
{
  int changed = beckon_database_change (database, error, end_inbound_sql, "ss", channel_id, message_id);

  if (changed == 0)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_CONFLICT, _("This message was handled already."));
  return changed > 0;
}

static gboolean
exec_end_inbound (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ChannelOp *op = (const ChannelOp *) base;

  return beckon_batch_write_inbound_end (session->database, op->channel_id, op->first, error);
}

void
beckon_batch_end_inbound (BeckonBatch *batch, const char *channel_id, const char *message_id)
{
  g_return_if_fail (batch != NULL && channel_id != NULL && message_id != NULL);

  add_channel_op (batch, exec_end_inbound, channel_id, message_id, NULL, 0);
}

/* --- Messages that leave ------------------------------------------------------------------------------------------ */

/* A post is not stored if its account, conversation or request is gone. */
static gboolean
exec_put_post (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const BeckonChannelPost *post = ((const PostOp *) base)->post;

  return beckon_database_run (session->database, error, post_sql, "sssssisssssssiiiiii", post->id, post->channel_id,
                              post->address, post->conversation_id, post->request_id, (gint64) post->item, post->code,
                              post->title, post->text, post->choices, post->edits, post->remote_id,
                              beckon_channel_post_state_to_string (post->state), (gint64) post->is_asked_for,
                              (gint64) post->is_closed, (gint64) post->tries, post->next_at, post->made_at,
                              post->sent_at);
}

static void
free_post_op (BeckonBatchOp *base)
{
  PostOp *op = (PostOp *) base;

  beckon_channel_post_free (op->post);
  g_free (op);
}

void
beckon_batch_put_channel_post (BeckonBatch *batch, const BeckonChannelPost *post)
{
  PostOp *op;

  g_return_if_fail (batch != NULL && post != NULL);

  op = g_new0 (PostOp, 1);
  op->post = beckon_channel_post_copy (post);
  beckon_batch_add (batch, op, exec_put_post, free_post_op);
}

static gboolean
exec_forget_posts (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const ChannelOp *op = (const ChannelOp *) base;

  return beckon_database_run (session->database, error, forget_posts_sql, "si", op->channel_id, op->at);
}

void
beckon_batch_forget_channel_posts (BeckonBatch *batch, const char *channel_id, gint64 now)
{
  g_return_if_fail (batch != NULL && channel_id != NULL);

  add_channel_op (batch, exec_forget_posts, channel_id, NULL, NULL, now);
}
