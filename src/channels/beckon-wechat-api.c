/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-wechat-api.h"

#include "base/beckon-json-reader.h"
#include "base/beckon-origin.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "channels/beckon-channel-adapter.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The revision of the protocol that is spoken, as the public client of it counts: 0x00MMNNPP. */
#define PROTOCOL "2.4.9"
#define CLIENT_VERSION "132105"
#define AGENT "Beckon/" BECKON_VERSION

G_STATIC_ASSERT (((2 << 16) | (4 << 8) | 9) == 132105);

/* A status that Cloudflare made up: the server behind it was too slow. */
#define STATUS_ORIGIN_LATE 524
#define STATUS_TOO_MANY 429

#define RET_LIMITED -2
#define RET_SIGNED_OUT -14

gboolean
beckon_wechat_base_is_good (const char *base, const char *from)
{
  g_autoptr (GUri) uri = base != NULL ? g_uri_parse (base, SOUP_HTTP_URI_FLAGS, NULL) : NULL;
  const char *scheme = uri != NULL ? g_uri_get_scheme (uri) : "";

  if (uri == NULL || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0' || g_uri_get_userinfo (uri) != NULL
      || g_uri_get_query (uri) != NULL || g_uri_get_fragment (uri) != NULL)
    return FALSE;
  if (beckon_uri_is_loopback (base))
    return (strcmp (scheme, "http") == 0 || strcmp (scheme, "https") == 0) && (from == NULL || beckon_uri_is_loopback (from));
  return strcmp (scheme, "https") == 0;
}

static SoupMessage *
wechat_api_make_message (const char *method, const char *base, const char *path)
{
  g_autofree char *address = g_strconcat (base, g_str_has_suffix (base, "/") ? "" : "/", path, NULL);
  SoupMessage *message = soup_message_new (method, address);
  SoupMessageHeaders *headers;

  g_assert (message != NULL);
  headers = soup_message_get_request_headers (message);
  soup_message_headers_replace (headers, "iLink-App-Id", "bot");
  soup_message_headers_replace (headers, "iLink-App-ClientVersion", CLIENT_VERSION);
  return message;
}

SoupMessage *
beckon_wechat_make_post (const char *base, const char *path, const char *token, const char *body)
{
  g_autoptr (SoupMessage) message = wechat_api_make_message ("POST", base, path);
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);
  g_autoptr (GBytes) bytes = g_bytes_new (body, strlen (body));
  /* Another number each time, as its decimal digits. */
  g_autofree char *digits = g_strdup_printf ("%u", g_random_int ());
  g_autofree char *uin = g_base64_encode ((const guchar *) digits, strlen (digits));

  soup_message_headers_replace (headers, "AuthorizationType", "ilink_bot_token");
  soup_message_headers_replace (headers, "X-WECHAT-UIN", uin);
  if (token != NULL)
    {
      beckon_autowipe char *bearer = g_strconcat ("Bearer ", token, NULL);

      soup_message_headers_replace (headers, "Authorization", bearer);
    }
  soup_message_set_request_body_from_bytes (message, "application/json", bytes);
  return g_steal_pointer (&message);
}

SoupMessage *
beckon_wechat_make_get (const char *base, const char *path)
{
  return wechat_api_make_message ("GET", base, path);
}

void
beckon_wechat_begin_body (BeckonJsonWriter *writer, GString *body)
{
  beckon_json_writer_init (writer, body);
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_name (writer, "base_info");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "channel_version", PROTOCOL);
  beckon_json_writer_member_string (writer, "bot_agent", AGENT);
  beckon_json_writer_end_object (writer);
}

char *
beckon_wechat_end_body (BeckonJsonWriter *writer)
{
  beckon_json_writer_end_object (writer);
  return g_string_free (writer->string, FALSE);
}

/* --- Answers ------------------------------------------------------------------------------------------------------ */

GError *
beckon_wechat_make_odd_error (void)
{
  return g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_NETWORK,
                              _("The answer of WeChat’s server was not understood."));
}

static GError *
make_limited (guint pause_s)
{
  return beckon_channel_error_new_limited (pause_s, _("WeChat takes no more messages just now."));
}

static GError *
make_signed_out (void)
{
  return g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_SIGN_IN,
                              _("WeChat no longer knows this sign-in. Scan the code again."));
}

typedef struct
{
  gint64 ret;
  gint64 errcode;
} Verdict;

static const BeckonJsonMember verdict_members[] = {
  BECKON_JSON_INT_MEMBER ("ret", Verdict, ret),
  BECKON_JSON_INT_MEMBER ("errcode", Verdict, errcode),
  BECKON_JSON_MEMBERS_END,
};

static GError *
judge (const BeckonChannelReply *reply)
{
  Verdict verdict = { 0, 0 };

  if (reply->status >= 400)
    {
      BeckonChannelError code = BECKON_CHANNEL_ERROR_REFUSED;

      if (reply->status == STATUS_TOO_MANY)
        return make_limited (reply->retry_after_s);
      if (reply->status == SOUP_STATUS_UNAUTHORIZED)
        return make_signed_out ();
      if (reply->status == SOUP_STATUS_GATEWAY_TIMEOUT || reply->status == STATUS_ORIGIN_LATE)
        code = BECKON_CHANNEL_ERROR_LATE;
      else if (reply->status >= 500)
        code = BECKON_CHANNEL_ERROR_NETWORK;
      return beckon_text_error_new (BECKON_CHANNEL_ERROR, code, _("WeChat’s server answered with HTTP status %u."),
                                    reply->status);
    }
  if (reply->status >= 300 || *reply->body != '{'
      || beckon_json_members_read_text (reply->body, reply->length, verdict_members, &verdict) != BECKON_JSON_FAULT_NONE)
    return beckon_wechat_make_odd_error ();
  if (verdict.ret != 0 || verdict.errcode != 0)
    {
      gint64 ret = verdict.errcode == RET_SIGNED_OUT || verdict.ret == 0 ? verdict.errcode : verdict.ret;

      if (ret == RET_SIGNED_OUT)
        return make_signed_out ();
      if (ret == RET_LIMITED)
        return make_limited (0);
      return beckon_text_error_new (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_REFUSED,
                                    _("WeChat’s server refused it with the code %d."), (int) CLAMP (ret, G_MININT, G_MAXINT));
    }
  return NULL;
}

gboolean
beckon_wechat_check (const BeckonChannelReply *reply, GError **error)
{
  GError *verdict = judge (reply);

  if (verdict == NULL)
    return TRUE;
  g_propagate_error (error, verdict);
  return FALSE;
}

BeckonChannelReply *
beckon_wechat_ask_finish (SoupSession *session, GAsyncResult *result, GError **error)
{
  g_autoptr (BeckonChannelReply) reply = beckon_channel_http_ask_finish (session, result, error);

  return reply != NULL && beckon_wechat_check (reply, error) ? g_steal_pointer (&reply) : NULL;
}
