/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-telegram-adapter.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-wipe.h"
#include "beckon-telegram-api.h"
#include "channels/beckon-channel-http.h"
#include "net/beckon-http-exchange.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* How long the server holds a poll, and how much longer it is waited for. */
#define POLL_S 50
#define POLL_PATIENCE_S (POLL_S + 15)
#define CALL_S 30
#define FETCH_S 120

#define FIRST_PAUSE_MS 2000
#define LONGEST_PAUSE_MS (2 * 60 * 1000)

/* A server that answers empty polls at once is not asked more often. */
#define LEAST_POLL_MS 1000

struct _BeckonTelegramAdapter
{
  BeckonChannelAdapter parent_instance;

  SoupSession *session;      /* (nullable) while it is off, as the rest */
  GCancellable *cancellable;
  char *server;
  char *token;
  gint64 next;               /* the offset */
  gint64 asked_at;           /* monotonic */
  guint failures;
  guint again;               /* a timeout of the clock */
};

G_DEFINE_FINAL_TYPE (BeckonTelegramAdapter, beckon_telegram_adapter, BECKON_TYPE_CHANNEL_ADAPTER)

static BeckonClock *
get_clock (BeckonTelegramAdapter *self)
{
  return beckon_channel_adapter_get_clock (BECKON_CHANNEL_ADAPTER (self));
}

static void
telegram_adapter_set_state (BeckonTelegramAdapter *self, BeckonChannelState state, const char *problem)
{
  beckon_channel_adapter_set_state (BECKON_CHANNEL_ADAPTER (self), state, problem);
}

static void
call (BeckonTelegramAdapter *self, const char *method, const char *body, guint seconds, GCancellable *cancellable,
      GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *url = beckon_telegram_dup_url (self->server, self->token, method, NULL);

  beckon_telegram_call_async (self->session, get_clock (self), url, body, seconds, cancellable, callback, user_data);
}

/* --- Receiving ---------------------------------------------------------------------------------------------------- */

static gboolean poll_server (gpointer user_data);

static void
poll_after (BeckonTelegramAdapter *self, guint pause_ms)
{
  beckon_clock_remove (get_clock (self), self->again);
  self->again = beckon_clock_add_timeout (get_clock (self), MAX (pause_ms, 1), poll_server, self);
}

static void
on_polled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonTelegramAdapter) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonTelegramAnswer) answer = beckon_telegram_call_finish (SOUP_SESSION (source), result, &error);
  guint pause_s;

  if (self->session != (gpointer) source || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (answer != NULL && answer->result != NULL)
    {
      gint64 before = self->next;
      g_autoptr (GPtrArray) messages = beckon_telegram_read_updates (answer->result, &self->next);
      g_autofree char *cursor = g_strdup_printf ("%" G_GINT64_FORMAT, self->next);
      gint64 took_ms = (beckon_clock_get_monotonic_time (get_clock (self)) - self->asked_at) / 1000;

      self->failures = 0;
      telegram_adapter_set_state (self, BECKON_CHANNEL_CONNECTED, NULL);
      if (messages->len > 0 || self->next != before)
        beckon_channel_adapter_receive (BECKON_CHANNEL_ADAPTER (self), messages, cursor);
      else
        poll_after (self, took_ms < LEAST_POLL_MS ? LEAST_POLL_MS : 0);

      return;
    }
  if (answer != NULL)
    error = beckon_telegram_answer_to_error (answer);
  pause_s = beckon_channel_error_get_pause_s (error);
  if (g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_SIGN_IN))
    {
      telegram_adapter_set_state (self, BECKON_CHANNEL_SIGNED_OUT, error->message);
      return;
    }
  self->failures++;
  /* A single one passes unseen: connections are cut all the time. */
  if (self->failures > 1 || beckon_channel_adapter_get_state (BECKON_CHANNEL_ADAPTER (self)) != BECKON_CHANNEL_CONNECTED)
    telegram_adapter_set_state (self, BECKON_CHANNEL_FAILED, error->message);
  poll_after (self, pause_s > 0 ? MIN (pause_s, 60 * 60) * 1000
                                : beckon_channel_backoff_ms (self->failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
}

static gboolean
poll_server (gpointer user_data)
{
  BeckonTelegramAdapter *self = user_data;
  gboolean is_first = beckon_channel_adapter_get_state (BECKON_CHANNEL_ADAPTER (self)) != BECKON_CHANNEL_CONNECTED;
  g_autofree char *body = g_strdup_printf ("{\"offset\":%" G_GINT64_FORMAT ",\"timeout\":%d,"
                                           "\"allowed_updates\":[\"message\",\"callback_query\"]}",
                                           self->next, is_first ? 0 : POLL_S);

  self->again = 0;
  self->asked_at = beckon_clock_get_monotonic_time (get_clock (self));
  call (self, "getUpdates", body, is_first ? CALL_S : POLL_PATIENCE_S, self->cancellable, on_polled, g_object_ref (self));
  return G_SOURCE_REMOVE;
}

static const char *
say_bad_token (const char *token)
{
  return token == NULL ? _("There is no token. Get one from @BotFather and enter it.")
                       : _("This is not a bot token. One looks like 123456:ABC-DEF.");
}

static void
telegram_start (BeckonChannelAdapter *adapter, const BeckonChannelStart *start)
{
  BeckonTelegramAdapter *self = BECKON_TELEGRAM_ADAPTER (adapter);

  if (!beckon_telegram_check_token (start->secret))
    {
      telegram_adapter_set_state (self, BECKON_CHANNEL_SIGNED_OUT,
                                  say_bad_token (start->secret));
      return;
    }
  self->session = beckon_http_exchange_make_session (4);
  self->cancellable = g_cancellable_new ();
  self->server = g_strdup (beckon_json_get_string (start->config, "server"));
  self->token = g_strdup (start->secret);
  self->next = start->cursor != NULL ? g_ascii_strtoll (start->cursor, NULL, 10) : 0;
  self->failures = 0;
  telegram_adapter_set_state (self, BECKON_CHANNEL_CONNECTING, NULL);
  poll_server (self);
}

static void
telegram_stop (BeckonChannelAdapter *adapter)
{
  BeckonTelegramAdapter *self = BECKON_TELEGRAM_ADAPTER (adapter);

  beckon_clock_remove (get_clock (self), self->again);
  self->again = 0;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->session);
  g_clear_pointer (&self->server, g_free);
  g_clear_pointer (&self->token, beckon_wipe);
}

static void
telegram_stored (BeckonChannelAdapter *adapter, const char *cursor)
{
  BeckonTelegramAdapter *self = BECKON_TELEGRAM_ADAPTER (adapter);

  if (self->session != NULL)
    poll_server (self);
}

/* --- Sending ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  BeckonChannelOutgoing *outgoing;
  gulong stop; /* a handler of the adapter's own cancellable */
  GCancellable *both;
  GCancellable *own;
} Sending;

static void
telegram_adapter_sending_free (gpointer data)
{
  Sending *sending = data;

  g_cancellable_disconnect (sending->own, sending->stop);
  g_object_unref (sending->own);
  g_object_unref (sending->both);
  beckon_channel_outgoing_unref (sending->outgoing);
  g_free (sending);
}

static void
telegram_adapter_on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonTelegramAdapter *self = g_task_get_source_object (task);
  Sending *sending = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (BeckonTelegramAnswer) answer = beckon_telegram_call_finish (SOUP_SESSION (source), result, &error);
  gboolean is_same = answer != NULL && answer->description != NULL
                     && strstr (answer->description, "message is not modified") != NULL;

  if (answer != NULL && (answer->result != NULL || is_same))
    {
      JsonObject *message
          = answer->result != NULL && JSON_NODE_HOLDS_OBJECT (answer->result) ? json_node_get_object (answer->result) : NULL;
      gint64 id = beckon_json_get_int (message, "message_id", 0);

      g_task_return_pointer (task,
                             id != 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, id)
                                     : g_strdup (sending->outgoing->edits != NULL ? sending->outgoing->edits : ""),
                             g_free);
      return;
    }
  if (answer != NULL)
    error = beckon_telegram_answer_to_error (answer);
  if (g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_SIGN_IN) && self->session == (gpointer) source)
    telegram_adapter_set_state (self, BECKON_CHANNEL_SIGNED_OUT, error->message);
  g_task_return_error (task, error);
}

static void
on_adapter_stopped (GCancellable *own, gpointer both)
{
  g_cancellable_cancel (both);
}

static gboolean
return_if_off (BeckonTelegramAdapter *self, GTask *task)
{
  if (self->session != NULL)
    return FALSE;
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "The channel is off");
  return TRUE;
}

static void
telegram_send_async (BeckonChannelAdapter *adapter, BeckonChannelOutgoing *outgoing, GCancellable *cancellable,
                     GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonTelegramAdapter *self = BECKON_TELEGRAM_ADAPTER (adapter);
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;
  g_autofree char *body = NULL;
  Sending *sending;

  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_int (&writer, "chat_id", g_ascii_strtoll (outgoing->address, NULL, 10));
  if (outgoing->edits != NULL)
    beckon_json_writer_member_int (&writer, "message_id", g_ascii_strtoll (outgoing->edits, NULL, 10));
  beckon_json_writer_member_string (&writer, "text", outgoing->text);
  beckon_json_writer_name (&writer, "link_preview_options");
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_boolean (&writer, "is_disabled", TRUE);
  beckon_json_writer_end_object (&writer);
  if (outgoing->choices->len > 0 || outgoing->edits != NULL)
    {
      beckon_json_writer_name (&writer, "reply_markup");
      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_name (&writer, "inline_keyboard");
      beckon_json_writer_begin_array (&writer);
      for (guint i = 0; i < outgoing->choices->len; i++)
        {
          const BeckonChannelChoice *choice = g_ptr_array_index (outgoing->choices, i);

          beckon_json_writer_begin_array (&writer);
          beckon_json_writer_begin_object (&writer);
          beckon_json_writer_member_string (&writer, "text", choice->label);
          beckon_json_writer_member_string (&writer, "callback_data", choice->code);
          beckon_json_writer_end_object (&writer);
          beckon_json_writer_end_array (&writer);
        }
      beckon_json_writer_end_array (&writer);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_object (&writer);
  body = g_string_free (g_steal_pointer (&json), FALSE);
  g_task_set_source_tag (task, telegram_send_async);
  if (return_if_off (self, task))
    return;
  sending = g_new0 (Sending, 1);
  sending->outgoing = beckon_channel_outgoing_ref (outgoing);
  sending->own = g_object_ref (self->cancellable);
  sending->both = cancellable != NULL ? g_object_ref (cancellable) : g_cancellable_new ();
  sending->stop = g_cancellable_connect (self->cancellable, G_CALLBACK (on_adapter_stopped), sending->both, NULL);
  g_task_set_task_data (task, sending, telegram_adapter_sending_free);
  call (self, outgoing->edits != NULL ? "editMessageText" : "sendMessage", body, CALL_S, sending->both,
        telegram_adapter_on_sent,
        g_object_ref (task));
}

static BECKON_FINISH_POINTER (char *, telegram_send, BeckonChannelAdapter)

static void
telegram_adapter_on_forgotten (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonTelegramAnswer) answer = beckon_telegram_call_finish (SOUP_SESSION (source), result, NULL);
}

static void
telegram_type (BeckonChannelAdapter *adapter, const char *address, const char *context, gboolean is_typing)
{
  BeckonTelegramAdapter *self = BECKON_TELEGRAM_ADAPTER (adapter);
  g_autofree char *body = g_strdup_printf ("{\"chat_id\":%" G_GINT64_FORMAT ",\"action\":\"typing\"}",
                                           g_ascii_strtoll (address, NULL, 10));

  if (is_typing && self->session != NULL)
    call (self, "sendChatAction", body, CALL_S, self->cancellable, telegram_adapter_on_forgotten, NULL);
}

static void
telegram_acknowledge (BeckonChannelAdapter *adapter, BeckonChannelIncoming *incoming, const char *text)
{
  BeckonTelegramAdapter *self = BECKON_TELEGRAM_ADAPTER (adapter);
  const char *query = beckon_telegram_get_query (incoming);
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  if (query == NULL || self->session == NULL)
    return;
  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "callback_query_id", query);
  if (text != NULL && g_utf8_strlen (text, -1) <= 200)
    beckon_json_writer_member_string (&writer, "text", text);
  beckon_json_writer_end_object (&writer);
  call (self, "answerCallbackQuery", json->str, CALL_S, self->cancellable, telegram_adapter_on_forgotten, NULL);
}

/* --- Files -------------------------------------------------------------------------------------------------------- */

static void
on_file (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (BeckonChannelReply) reply = beckon_channel_http_ask_finish (SOUP_SESSION (source), result, &error);

  if (reply == NULL)
    g_task_return_error (task, error);
  else if (!SOUP_STATUS_IS_SUCCESSFUL (reply->status))
    g_task_return_new_error (task, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_GONE, "%s", _("This file is no longer there."));
  else
    g_task_return_pointer (task, g_bytes_new (reply->body, reply->length), (GDestroyNotify) g_bytes_unref);
}

static void
on_file_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonTelegramAdapter *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (BeckonTelegramAnswer) answer = beckon_telegram_call_finish (SOUP_SESSION (source), result, &error);
  JsonObject *file = answer != NULL && answer->result != NULL && JSON_NODE_HOLDS_OBJECT (answer->result)
                         ? json_node_get_object (answer->result) : NULL;
  const char *path = beckon_json_get_string (file, "file_path");
  g_autofree char *url = path != NULL && self->token != NULL
                             ? beckon_telegram_dup_url (self->server, self->token, NULL, path) : NULL;
  g_autoptr (SoupMessage) message = url != NULL ? soup_message_new (SOUP_METHOD_GET, url) : NULL;

  if (message != NULL)
    beckon_channel_http_ask_async (SOUP_SESSION (source), get_clock (self), message, FETCH_S, BECKON_CHANNEL_ATTACHMENT_MAX,
                                   g_task_get_cancellable (task), on_file, g_object_ref (task));
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_new_error (task, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_GONE, "%s", _("This file is no longer there."));
}

static void
telegram_fetch_async (BeckonChannelAdapter *adapter, const BeckonChannelAttachment *attachment, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonTelegramAdapter *self = BECKON_TELEGRAM_ADAPTER (adapter);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_task_set_source_tag (task, telegram_fetch_async);
  if (return_if_off (self, task))
    return;
  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "file_id", attachment->reference);
  beckon_json_writer_end_object (&writer);
  call (self, "getFile", json->str, CALL_S, cancellable, on_file_found, g_object_ref (task));
}

static BECKON_FINISH_POINTER (GBytes *, telegram_fetch, BeckonChannelAdapter)

/* --- The class ---------------------------------------------------------------------------------------------------- */

static const BeckonChannelLimits *
telegram_get_limits (BeckonChannelAdapter *adapter)
{
  static const BeckonChannelLimits limits = {
    .max_units = 4096,
    .max_choices = 20,
    .max_label = 40,
    .interval_ms = 500,
    .can_receive = TRUE,
    .can_edit = TRUE,
    .can_type = TRUE,
    .has_text = TRUE,
  };

  return &limits;
}

static char *
telegram_dup_server (BeckonChannelAdapter *adapter, JsonObject *config)
{
  const char *server = beckon_json_get_string (config, "server");

  return g_strdup (server != NULL && *server != '\0' ? server : BECKON_TELEGRAM_SERVER);
}

static void
beckon_telegram_adapter_dispose (GObject *object)
{
  beckon_channel_adapter_stop (BECKON_CHANNEL_ADAPTER (object));
  G_OBJECT_CLASS (beckon_telegram_adapter_parent_class)->dispose (object);
}

static void
beckon_telegram_adapter_class_init (BeckonTelegramAdapterClass *klass)
{
  BeckonChannelAdapterClass *adapter = BECKON_CHANNEL_ADAPTER_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_telegram_adapter_dispose;
  adapter->get_limits = telegram_get_limits;
  adapter->dup_server = telegram_dup_server;
  adapter->start = telegram_start;
  adapter->stop = telegram_stop;
  adapter->stored = telegram_stored;
  adapter->send_async = telegram_send_async;
  adapter->send_finish = telegram_send_finish;
  adapter->type = telegram_type;
  adapter->acknowledge = telegram_acknowledge;
  adapter->fetch_async = telegram_fetch_async;
  adapter->fetch_finish = telegram_fetch_finish;
}

static void
beckon_telegram_adapter_init (BeckonTelegramAdapter *self)
{
}

static gboolean
check_server (JsonObject *config, GError **error)
{
  const char *server = beckon_json_get_string (config, "server");

  return server == NULL || *server == '\0' || beckon_channel_check_address (server, error);
}

static const BeckonChannelField fields[] = {
  { "server", N_("Address of the Bot API"), BECKON_TELEGRAM_SERVER, FALSE },
  { NULL },
};

static gboolean
check_token (const char *token, GError **error)
{
  if (beckon_telegram_check_token (token))
    return TRUE;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, say_bad_token (token));
  return FALSE;
}

const BeckonChannelKind beckon_telegram_kind = {
  .name = "telegram",
  .title = N_("Telegram"),
  .note = N_("Make a bot with @BotFather on Telegram, and enter its token here. Telegram reads what you and Beckon write."),
  .secret = N_("Token"),
  .check_secret = check_token,
  .get_type = beckon_telegram_adapter_get_type,
  .fields = fields,
  .check = check_server,
};
