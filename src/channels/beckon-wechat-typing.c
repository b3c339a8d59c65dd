/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-wechat-typing.h"

#include "base/beckon-json-reader.h"
#include "base/beckon-wipe.h"
#include "channels/beckon-wechat-api.h"
#include "channels/beckon-wechat-message.h"

#define TICKET_US (24 * G_TIME_SPAN_HOUR)
#define STATUS_TYPING 1
#define STATUS_DONE 2

/* An account has one person, and a few who are not paired. */
#define MOST_PEERS 64

struct _BeckonWechatTyping
{
  SoupSession *session;
  BeckonClock *clock;
  char *base;
  char *token;
  GCancellable *cancellable;
  GHashTable *peers; /* user → Peer */
};

typedef struct
{
  gatomicrefcount references;
  BeckonWechatTyping *typing; /* not used once its cancellable is cancelled */
  GCancellable *cancellable;
  char *user;
  char *ticket; /* (nullable) */
  gint64 since;
  gboolean is_asking;
  gboolean is_typing;
} Peer;

typedef struct
{
  BeckonJsonSlice ticket;
} Config;

static const BeckonJsonMember config_members[] = {
  BECKON_JSON_STRING_MEMBER ("typing_ticket", Config, ticket),
  BECKON_JSON_MEMBERS_END,
};

static void
peer_unref (gpointer data)
{
  Peer *peer = data;

  if (!g_atomic_ref_count_dec (&peer->references))
    return;
  g_object_unref (peer->cancellable);
  g_free (peer->user);
  g_free (peer->ticket);
  g_free (peer);
}

static Peer *
get_peer (BeckonWechatTyping *typing, const char *user)
{
  Peer *peer = g_hash_table_lookup (typing->peers, user);

  if (peer != NULL)
    return peer;
  if (g_hash_table_size (typing->peers) >= MOST_PEERS)
    g_hash_table_remove_all (typing->peers);
  peer = g_new0 (Peer, 1);
  g_atomic_ref_count_init (&peer->references);
  peer->typing = typing;
  peer->cancellable = g_object_ref (typing->cancellable);
  peer->user = g_strdup (user);
  g_hash_table_insert (typing->peers, peer->user, peer);
  return peer;
}

static void
wechat_typing_ask (Peer *peer, const char *path, char *body, GAsyncReadyCallback callback)
{
  BeckonWechatTyping *typing = peer->typing;
  g_autofree char *owned = body;
  g_autoptr (SoupMessage) message = beckon_wechat_make_post (typing->base, path, typing->token, owned);

  g_atomic_ref_count_inc (&peer->references);
  beckon_channel_http_ask_async (typing->session, typing->clock, message, BECKON_WECHAT_ASK_S, BECKON_CHANNEL_HTTP_MAX,
                                 typing->cancellable, callback, peer);
}

static void
begin_body (BeckonJsonWriter *writer, const Peer *peer)
{
  beckon_wechat_begin_body (writer, g_string_new (NULL));
  beckon_json_writer_member_string (writer, "ilink_user_id", peer->user);
}

static void
wechat_typing_on_shown (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Peer *peer = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelReply) reply = beckon_wechat_ask_finish (SOUP_SESSION (source), result, &error);

  if (reply == NULL)
    g_clear_pointer (&peer->ticket, g_free);
  peer_unref (peer);
}

static void
wechat_typing_show (Peer *peer)
{
  BeckonJsonWriter writer;

  begin_body (&writer, peer);
  beckon_json_writer_member_string (&writer, "typing_ticket", peer->ticket);
  beckon_json_writer_member_int (&writer, "status", peer->is_typing ? STATUS_TYPING : STATUS_DONE);
  wechat_typing_ask (peer, "ilink/bot/sendtyping", beckon_wechat_end_body (&writer), wechat_typing_on_shown);
}

static void
on_config (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Peer *peer = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelReply) reply = beckon_wechat_ask_finish (SOUP_SESSION (source), result, &error);

  peer->is_asking = FALSE;
  if (reply != NULL && !g_cancellable_is_cancelled (peer->cancellable))
    {
      Config config = { 0 };

      beckon_json_members_read_text (reply->body, reply->length, config_members, &config);
      if (config.ticket.length != 0 && config.ticket.length <= BECKON_WECHAT_TOKEN_MAX)
        {
          GString *ticket = g_string_new (NULL);

          beckon_json_slice_append_to (&config.ticket, ticket);
          g_free (peer->ticket);
          peer->ticket = g_string_free (ticket, FALSE);
          peer->since = beckon_clock_get_monotonic_time (peer->typing->clock);
          if (peer->is_typing)
            wechat_typing_show (peer);
        }
    }
  peer_unref (peer);
}

void
beckon_wechat_typing_show (BeckonWechatTyping *typing, const char *user, const char *context, gboolean is_typing)
{
  Peer *peer = get_peer (typing, user);
  gboolean has_ticket = peer->ticket != NULL && beckon_clock_get_monotonic_time (typing->clock) - peer->since < TICKET_US;

  peer->is_typing = is_typing;
  if (has_ticket)
    wechat_typing_show (peer);
  else if (is_typing && !peer->is_asking)
    {
      BeckonJsonWriter writer;

      peer->is_asking = TRUE;
      begin_body (&writer, peer);
      if (context != NULL)
        beckon_json_writer_member_string (&writer, "context_token", context);
      wechat_typing_ask (peer, "ilink/bot/getconfig", beckon_wechat_end_body (&writer), on_config);
    }
}

BeckonWechatTyping *
beckon_wechat_typing_new (SoupSession *session, BeckonClock *clock, const char *base, const char *token)
{
  BeckonWechatTyping *typing = g_new0 (BeckonWechatTyping, 1);

  typing->session = g_object_ref (session);
  typing->clock = g_object_ref (clock);
  typing->base = g_strdup (base);
  typing->token = g_strdup (token);
  typing->cancellable = g_cancellable_new ();
  typing->peers = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, peer_unref);
  return typing;
}

void
beckon_wechat_typing_free (BeckonWechatTyping *typing)
{
  g_cancellable_cancel (typing->cancellable);
  g_hash_table_unref (typing->peers);
  g_object_unref (typing->cancellable);
  g_object_unref (typing->session);
  g_object_unref (typing->clock);
  g_free (typing->base);
  beckon_wipe (typing->token);
  g_free (typing);
}
