/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-push-adapter.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json.h"
#include "base/beckon-wipe.h"
#include "channels/beckon-channel-http.h"
#include "domain/beckon-link.h"
#include "net/beckon-http-exchange.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CALL_S 30

/* Servers cut longer messages, or make files of them. */
#define MOST_BYTES 3800

/* As long as a message is tried to be sent. */
#define KEPT_S "86400"

struct _BeckonPushAdapter
{
  BeckonChannelAdapter parent_instance;

  SoupSession *session;      /* (nullable) while it is off, as the rest */
  char *address;
  char *token;               /* (nullable) */
  GCancellable *cancellable; /* of all that is being sent */
  gboolean has_text;
};

G_DEFINE_FINAL_TYPE (BeckonPushAdapter, beckon_push_adapter, BECKON_TYPE_CHANNEL_ADAPTER)

static const BeckonChannelLimits *
push_get_limits (BeckonChannelAdapter *adapter)
{
  static const BeckonChannelLimits with_text = { .max_bytes = MOST_BYTES, .interval_ms = 1000, .has_text = TRUE };
  /* A long text is one title all the same. */
  static const BeckonChannelLimits without = { .interval_ms = 1000 };

  return BECKON_PUSH_ADAPTER (adapter)->has_text ? &with_text : &without;
}

/* Another topic of the same server takes the same token. */
static char *
push_dup_server (BeckonChannelAdapter *adapter, JsonObject *config)
{
  g_autoptr (GUri) uri = g_uri_parse (beckon_json_get_string (config, "address"), G_URI_FLAGS_NONE, NULL);

  return uri != NULL ? g_uri_join (G_URI_FLAGS_NONE, g_uri_get_scheme (uri), NULL, g_uri_get_host (uri),
                                   g_uri_get_port (uri), "", NULL, NULL)
                     : g_strdup ("");
}

static void
push_start (BeckonChannelAdapter *adapter, const BeckonChannelStart *start)
{
  BeckonPushAdapter *self = BECKON_PUSH_ADAPTER (adapter);

  self->session = beckon_http_exchange_make_session (0);
  self->cancellable = g_cancellable_new ();
  self->address = g_strdup (beckon_json_get_string (start->config, "address"));
  self->token = start->secret != NULL && *start->secret != '\0' ? g_strdup (start->secret) : NULL;
  self->has_text = g_strcmp0 (beckon_json_get_string (start->config, "text"), "on") == 0;
  beckon_channel_adapter_set_state (adapter, BECKON_CHANNEL_CONNECTED, NULL);
}

static void
push_stop (BeckonChannelAdapter *adapter)
{
  BeckonPushAdapter *self = BECKON_PUSH_ADAPTER (adapter);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->session);
  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->token, beckon_wipe);
}

static void
push_stored (BeckonChannelAdapter *adapter, const char *cursor)
{
}

/* A message on its way ends with the wish of its sender, and with the adapter. */
typedef struct
{
  GCancellable *both;
  GCancellable *own;
  gulong stop;
} Sending;

static void
on_adapter_stopped (GCancellable *own, gpointer both)
{
  g_cancellable_cancel (both);
}

static void
push_adapter_sending_free (gpointer data)
{
  Sending *sending = data;

  g_cancellable_disconnect (sending->own, sending->stop);
  g_object_unref (sending->own);
  g_object_unref (sending->both);
  g_free (sending);
}

static void
on_posted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonPushAdapter *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (BeckonChannelReply) reply = beckon_channel_http_ask_finish (SOUP_SESSION (source), result, &error);

  if (reply != NULL && SOUP_STATUS_IS_SUCCESSFUL (reply->status))
    {
      g_task_return_pointer (task, g_strdup (""), g_free);
      return;
    }
  if (reply != NULL)
    {
      if (reply->status == 401 || reply->status == 403)
        error = g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_SIGN_IN,
                                     _("The server does not take messages without another token."));
      else if (reply->status == 404 || reply->status == 410)
        error = g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_REFUSED,
                                     _("The server does not know this address."));
      else if (reply->status == 429)
        error = beckon_channel_error_new_limited (reply->retry_after_s,
                                                  _("The server wants fewer messages. It is tried again later."));
      else if (reply->status >= 500)
        error = g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_NETWORK,
                                     _("The server has a problem. It is tried again."));
      else
        error
            = g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_REFUSED, _("The server refuses this message."));
    }
  if (g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_SIGN_IN) && self->session == (gpointer) source)
    beckon_channel_adapter_set_state (BECKON_CHANNEL_ADAPTER (self), BECKON_CHANNEL_SIGNED_OUT, error->message);
  g_task_return_error (task, error);
}

static void
push_send_async (BeckonChannelAdapter *adapter,
                 BeckonChannelOutgoing *outgoing,
                 GCancellable *cancellable,
                 GAsyncReadyCallback callback,
                 gpointer user_data)
{
  BeckonPushAdapter *self = BECKON_PUSH_ADAPTER (adapter);
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  g_autoptr (SoupMessage) message = NULL;
  Sending *sending;
  SoupMessageHeaders *headers;
  const char *text;
  g_autoptr (GBytes) body = NULL;
  g_autofree char *actions = NULL;
  g_autofree char *bearer = NULL;

  g_task_set_source_tag (task, push_send_async);
  if (self->session == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "The channel is off");
      return;
    }
  message = soup_message_new (SOUP_METHOD_POST, self->address);
  headers = soup_message_get_request_headers (message);
  text = self->has_text ? outgoing->text : outgoing->title;
  body = g_bytes_new (text, strlen (text));
  /* A button that shows where Beckon runs what waits; the link sends nothing. Headers are ASCII. */
  if (outgoing->conversation_id != NULL)
    {
      g_autofree char *plain = NULL;
      const char *label;

      /* Translators: a button of a notification on a phone; without commas and semicolons */
      label = C_("push", "Show");
      plain = g_strconcat ("view, ", label, ", " BECKON_LINK_SCHEME "://conversation/", outgoing->conversation_id, NULL);
      if (g_str_is_ascii (plain))
        actions = g_steal_pointer (&plain);
      else
        {
          g_autofree char *encoded = g_base64_encode ((const guchar *) plain, strlen (plain));

          actions = g_strconcat ("=?UTF-8?B?", encoded, "?=", NULL);
        }
    }
  bearer = self->token != NULL ? g_strconcat ("Bearer ", self->token, NULL) : NULL;
  soup_message_set_request_body_from_bytes (message, "text/plain; charset=utf-8", body);
  soup_message_headers_replace (headers, "Title", "Beckon");
  soup_message_headers_replace (headers, "TTL", KEPT_S);
  if (actions != NULL)
    soup_message_headers_replace (headers, "Actions", actions);
  if (bearer != NULL)
    soup_message_headers_replace (headers, "Authorization", bearer);
  sending = g_new (Sending, 1);
  sending->both = cancellable != NULL ? g_object_ref (cancellable) : g_cancellable_new ();
  sending->own = g_object_ref (self->cancellable);
  sending->stop = g_cancellable_connect (sending->own, G_CALLBACK (on_adapter_stopped), sending->both, NULL);
  g_task_set_task_data (task, sending, push_adapter_sending_free);
  beckon_channel_http_ask_async (self->session, beckon_channel_adapter_get_clock (adapter), message, CALL_S,
                                 BECKON_CHANNEL_HTTP_MAX, sending->both, on_posted, g_object_ref (task));
}

static BECKON_FINISH_POINTER (char *, push_send, BeckonChannelAdapter)

static void
beckon_push_adapter_dispose (GObject *object)
{
  beckon_channel_adapter_stop (BECKON_CHANNEL_ADAPTER (object));
  G_OBJECT_CLASS (beckon_push_adapter_parent_class)->dispose (object);
}

static void
beckon_push_adapter_class_init (BeckonPushAdapterClass *klass)
{
  BeckonChannelAdapterClass *adapter = BECKON_CHANNEL_ADAPTER_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_push_adapter_dispose;
  adapter->get_limits = push_get_limits;
  adapter->dup_server = push_dup_server;
  adapter->start = push_start;
  adapter->stop = push_stop;
  adapter->stored = push_stored;
  adapter->send_async = push_send_async;
  adapter->send_finish = push_send_finish;
}

static void
beckon_push_adapter_init (BeckonPushAdapter *self)
{
}

static gboolean
push_adapter_check (JsonObject *config, GError **error)
{
  const char *text = beckon_json_get_string (config, "text");
  const char *address = beckon_json_get_string (config, "address");
  /* Addresses of UnifiedPush have a query. */
  g_autofree char *plain = g_strndup (address, strcspn (address, "?"));

  if (text != NULL && *text != '\0' && strcmp (text, "on") != 0 && strcmp (text, "off") != 0)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("Whether the text is sent is “on” or “off”."));
      return FALSE;
    }
  return beckon_channel_check_address (strchr (address, '#') == NULL ? plain : address, error);
}

static const BeckonChannelField fields[] = {
  { "address", N_("Address that takes the messages"), "https://ntfy.sh/…", TRUE },
  { "text", N_("Send the Text, Too"), N_("off"), FALSE, FALSE, TRUE },
  { NULL },
};

const BeckonChannelKind beckon_push_kind = {
  .name = "push",
  .title = N_("Push notifications"),
  .note = N_("Says that something waits, by ntfy, or another server that takes texts by HTTP. It is answered on the desktop."),
  .secret = N_("Token"),
  .is_one_way = TRUE,
  .get_type = beckon_push_adapter_get_type,
  .fields = fields,
  .check = push_adapter_check,
};
