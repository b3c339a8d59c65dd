/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-wechat-adapter.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json.h"
#include "base/beckon-origin.h"
#include "base/beckon-wipe.h"
#include "channels/beckon-wechat-api.h"
#include "channels/beckon-wechat-message.h"
#include "channels/beckon-wechat-sign-in.h"
#include "channels/beckon-wechat-typing.h"
#include "net/beckon-http-exchange.h"

#include <glib/gi18n-lib.h>

/* Bounds for what a server wants of the time that a poll is held. */
#define SHORTEST_POLL_MS 1000
#define LONGEST_POLL_MS (120 * 1000)

/* Between two polls of which the first brought nothing; after an error; and after several in a row. */
#define BETWEEN_MS 1000
#define AFTER_ERROR_MS 2000
#define AFTER_ERRORS_MS 30000
#define ERRORS_IN_A_ROW 3

/* Messages that are refused as too many are tried again after minutes. */
#define FIRST_PAUSE_S 60
#define LONGEST_PAUSE_S (15 * 60)

/* Polling, sending, typing, and one to spare. */
#define CONNECTIONS 4

struct _BeckonWechatAdapter
{
  BeckonChannelAdapter parent_instance;

  SoupSession *session;
  char *server;                 /* (nullable): where signing in begins, if the settings say so */
  BeckonWechatAccount *account; /* (nullable): who it is */
  char *cursor;                 /* (nullable) */

  GCancellable *running; /* (nullable): of the polls of one sign-in */
  gboolean was_announced;
  gboolean is_polling;
  gboolean is_storing;     /* what came is on the way to the store, whoever is signed in by then */
  gboolean forgets_cursor; /* after that */
  guint poll_ms;
  guint failures;
  gint64 asked_at;
  guint pause;
  BeckonWechatTyping *typing; /* (nullable): while it runs */

  GCancellable *sending; /* (nullable) */
  guint refusals;        /* for being too much, in a row */

  BeckonWechatSignIn *sign_in; /* (nullable) */
  GCancellable *signing_in;
};

G_DEFINE_FINAL_TYPE (BeckonWechatAdapter, beckon_wechat_adapter, BECKON_TYPE_CHANNEL_ADAPTER)

static BeckonClock *
get_clock (BeckonWechatAdapter *self)
{
  return beckon_channel_adapter_get_clock (BECKON_CHANNEL_ADAPTER (self));
}

static void
wechat_adapter_set_state (BeckonWechatAdapter *self, BeckonChannelState state, const char *problem)
{
  beckon_channel_adapter_set_state (BECKON_CHANNEL_ADAPTER (self), state, problem);
}

static void
wechat_adapter_ask (BeckonWechatAdapter *self, SoupMessage *message, guint seconds, GCancellable *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer user_data)
{
  beckon_channel_http_ask_async (self->session, get_clock (self), message, seconds, BECKON_CHANNEL_HTTP_MAX, cancellable,
                                 callback, user_data);
}

/* --- Receiving ---------------------------------------------------------------------------------------------------- */

/* An answer to an adapter that may have stopped, or begun again, since. */
typedef struct
{
  BeckonWechatAdapter *adapter;
  GCancellable *running;
} Asked;

static Asked *
asked_new (BeckonWechatAdapter *self)
{
  Asked *asked = g_new (Asked, 1);

  asked->adapter = g_object_ref (self);
  asked->running = g_object_ref (self->running);
  return asked;
}

static void
asked_free (Asked *asked)
{
  g_object_unref (asked->adapter);
  g_object_unref (asked->running);
  g_free (asked);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Asked, asked_free)

static void
end_run (BeckonWechatAdapter *self)
{
  beckon_clock_remove (get_clock (self), self->pause);
  self->pause = 0;
  self->is_polling = FALSE;
  if (self->running != NULL)
    g_cancellable_cancel (self->running);
  g_clear_object (&self->running);
  g_clear_pointer (&self->typing, beckon_wechat_typing_free);
}

static void
sign_out (BeckonWechatAdapter *self, const char *problem)
{
  end_run (self);
  self->was_announced = FALSE;
  wechat_adapter_set_state (self, BECKON_CHANNEL_SIGNED_OUT, problem);
}

static void on_polled (GObject *source, GAsyncResult *result, gpointer user_data);

static gboolean
wechat_adapter_on_pause_over (gpointer user_data)
{
  BeckonWechatAdapter *self = user_data;
  g_autofree char *body = NULL;
  const BeckonWechatAccount *account;
  g_autoptr (SoupMessage) message = NULL;

  self->pause = 0;

  body = beckon_wechat_make_poll (self->cursor);
  account = self->account;
  message = beckon_wechat_make_post (account->base, "ilink/bot/getupdates", account->token, body);

  self->is_polling = TRUE;
  self->asked_at = beckon_clock_get_monotonic_time (get_clock (self));
  wechat_adapter_ask (self, message, (self->poll_ms + 999) / 1000, self->running, on_polled, asked_new (self));

  return G_SOURCE_REMOVE;
}

static void
poll_later (BeckonWechatAdapter *self, gint64 milliseconds)
{
  if (self->running != NULL && self->pause == 0 && !self->is_polling)
    self->pause = beckon_clock_add_timeout (get_clock (self), (guint) MAX (milliseconds, 0), wechat_adapter_on_pause_over,
                                            self);
}

/* A server that does not hold a poll is not asked without end. */
static void
poll_in_turn (BeckonWechatAdapter *self)
{
  poll_later (self, BETWEEN_MS - (beckon_clock_get_monotonic_time (get_clock (self)) - self->asked_at) / 1000);
}

static void
take_success (BeckonWechatAdapter *self)
{
  self->failures = 0;
  wechat_adapter_set_state (self, BECKON_CHANNEL_CONNECTED, NULL);
}

static void
wechat_adapter_hand_over (BeckonWechatAdapter *self, GPtrArray *messages, const char *cursor)
{
  self->is_storing = TRUE;
  beckon_channel_adapter_receive (BECKON_CHANNEL_ADAPTER (self), messages, cursor);
}

static void
take_poll_error (BeckonWechatAdapter *self, const GError *error)
{
  if (g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_SIGN_IN))
    sign_out (self, error->message);
  else
    {
      gint64 pause_ms = beckon_channel_error_get_pause_s (error) * G_GINT64_CONSTANT (1000);
      gboolean is_lasting = ++self->failures >= ERRORS_IN_A_ROW;

      poll_later (self, MAX (pause_ms, is_lasting ? AFTER_ERRORS_MS : AFTER_ERROR_MS));
      if (is_lasting)
        wechat_adapter_set_state (self, BECKON_CHANNEL_FAILED, error->message);
      else
        wechat_adapter_set_state (self, BECKON_CHANNEL_CONNECTING, NULL);
    }
}

/* A poll that is not answered in its time brought nothing; one that a gateway gave up is an error. */
static void
on_polled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Asked) asked = user_data;
  BeckonWechatAdapter *self = asked->adapter;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelReply) reply = beckon_channel_http_ask_finish (SOUP_SESSION (source), result, &error);

  if (self->running != asked->running)
    return;
  self->is_polling = FALSE;
  if (reply != NULL)
    {
      g_autoptr (GError) fault = NULL;
      g_auto (BeckonWechatUpdates) updates = { 0 };

      if (beckon_wechat_check (reply, &fault) && !beckon_wechat_updates_read (reply->body, reply->length, &updates))
        fault = beckon_wechat_make_odd_error ();
      if (fault == NULL)
        {
          gboolean moves = updates.cursor != NULL && g_strcmp0 (updates.cursor, self->cursor) != 0;

          if (updates.poll_ms > 0)
            self->poll_ms = (guint) CLAMP (updates.poll_ms, SHORTEST_POLL_MS, LONGEST_POLL_MS);
          take_success (self);
          if (self->running == NULL)
            return;
          if (updates.messages->len > 0 || moves)
            wechat_adapter_hand_over (self, updates.messages, updates.cursor);
          else
            poll_in_turn (self);
        }
      else
        take_poll_error (self, fault);
    }
  else if (g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_LATE))
    {
      take_success (self);
      poll_in_turn (self);
    }
  else
    take_poll_error (self, error);
}

static void forget_cursor (BeckonWechatAdapter *self);

static void
wechat_stored (BeckonChannelAdapter *adapter, const char *cursor)
{
  BeckonWechatAdapter *self = BECKON_WECHAT_ADAPTER (adapter);
  gboolean moves = cursor != NULL && g_strcmp0 (cursor, self->cursor) != 0;

  if (!self->is_storing)
    return;
  self->is_storing = FALSE;
  if (self->forgets_cursor)
    {
      g_free (self->cursor);
      self->cursor = g_strdup (cursor);
      forget_cursor (self);
      return;
    }
  if (!moves)
    {
      poll_in_turn (self);
      return;
    }
  g_free (self->cursor);
  self->cursor = g_strdup (cursor);
  poll_later (self, 0);
}

/* --- Beginning and ending ----------------------------------------------------------------------------------------- */

static SoupMessage *
make_notice (BeckonWechatAdapter *self, const char *path)
{
  BeckonJsonWriter writer;
  g_autofree char *body = NULL;

  beckon_wechat_begin_body (&writer, g_string_new (NULL));
  body = beckon_wechat_end_body (&writer);
  return beckon_wechat_make_post (self->account->base, path, self->account->token, body);
}

/* A start that the server did not take is no reason not to ask it for messages. */
static void
on_announced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Asked) asked = user_data;
  BeckonWechatAdapter *self = asked->adapter;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelReply) reply = beckon_wechat_ask_finish (SOUP_SESSION (source), result, &error);

  if (self->running != asked->running)
    return;
  if (g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_SIGN_IN))
    {
      sign_out (self, error->message);
      return;
    }
  self->was_announced = TRUE;
  if (reply != NULL)
    take_success (self);
  if (self->running == asked->running && !self->is_storing)
    poll_later (self, 0);
}

static void
begin_run (BeckonWechatAdapter *self)
{
  g_autoptr (SoupMessage) message = make_notice (self, "ilink/bot/msg/notifystart");

  end_run (self);
  self->running = g_cancellable_new ();
  self->poll_ms = BECKON_WECHAT_POLL_S * 1000;
  self->failures = 0;
  self->typing = beckon_wechat_typing_new (self->session, get_clock (self), self->account->base, self->account->token);
  wechat_adapter_set_state (self, BECKON_CHANNEL_CONNECTING, NULL);
  if (self->running != NULL)
    wechat_adapter_ask (self, message, BECKON_WECHAT_ASK_S, self->running, on_announced, asked_new (self));
}

/* The server is told on the way out, and not waited for. */
static void
announce_end (BeckonWechatAdapter *self)
{
  g_autoptr (SoupMessage) message = NULL;

  if (!self->was_announced)
    return;
  self->was_announced = FALSE;
  message = make_notice (self, "ilink/bot/msg/notifystop");
  wechat_adapter_ask (self, message, BECKON_WECHAT_ASK_S, NULL, NULL, NULL);
}

static const char *
wechat_adapter_get_server (JsonObject *config)
{
  const char *server = beckon_json_get_string (config, "server");

  return server != NULL && *server != '\0' ? server : BECKON_WECHAT_SERVER;
}

static const char *
get_base (JsonObject *config)
{
  const char *base = beckon_json_get_string (config, "base");

  return base != NULL && *base != '\0' ? base : wechat_adapter_get_server (config);
}

static char *
wechat_dup_server (BeckonChannelAdapter *adapter, JsonObject *config)
{
  return g_strdup (get_base (config));
}

static void
read_settings (BeckonWechatAdapter *self, JsonObject *config)
{
  g_free (self->server);
  self->server = g_strdup (wechat_adapter_get_server (config));
}

static void
wechat_start (BeckonChannelAdapter *adapter, const BeckonChannelStart *start)
{
  BeckonWechatAdapter *self = BECKON_WECHAT_ADAPTER (adapter);

  read_settings (self, start->config);
  g_free (self->cursor);
  self->cursor = g_strdup (start->cursor);
  g_clear_pointer (&self->account, beckon_wechat_account_free);
  if (start->secret == NULL || *start->secret == '\0')
    {
      wechat_adapter_set_state (self, BECKON_CHANNEL_SIGNED_OUT, _("Scan a code with WeChat to sign in."));
      return;
    }
  self->account = g_new0 (BeckonWechatAccount, 1);
  self->account->token = g_strdup (start->secret);
  self->account->base = g_strdup (get_base (start->config));
  self->account->bot = g_strdup (beckon_json_get_string (start->config, "bot"));
  self->account->user = g_strdup (beckon_json_get_string (start->config, "user"));
  begin_run (self);
}

static void
end_sign_in (BeckonWechatAdapter *self)
{
  if (self->signing_in != NULL)
    g_cancellable_cancel (self->signing_in);
  g_clear_object (&self->signing_in);
  g_clear_object (&self->sign_in);
}

static void
wechat_stop (BeckonChannelAdapter *adapter)
{
  BeckonWechatAdapter *self = BECKON_WECHAT_ADAPTER (adapter);

  end_sign_in (self);
  end_run (self);
  self->is_storing = self->forgets_cursor = FALSE;
  announce_end (self);
  if (self->sending != NULL)
    g_cancellable_cancel (self->sending);
}

/* --- Signing in --------------------------------------------------------------------------------------------------- */

static void
wechat_adapter_on_prompt (BeckonWechatSignIn *sign_in, int prompt, const char *text, gpointer user_data)
{
  if (BECKON_WECHAT_ADAPTER (user_data)->sign_in == sign_in)
    beckon_channel_adapter_set_prompt (BECKON_CHANNEL_ADAPTER (user_data), (BeckonChannelPrompt) prompt, text);
}

static void
set_member (JsonObject *config, const char *name, const char *value)
{
  if (value != NULL && *value != '\0')
    json_object_set_string_member (config, name, value);
}

/* Another bot knows nothing of what this one has received. */
static void
forget_cursor (BeckonWechatAdapter *self)
{
  g_autoptr (GPtrArray) nothing = g_ptr_array_new ();

  self->forgets_cursor = self->is_storing;
  if (self->is_storing || self->cursor == NULL || *self->cursor == '\0')
    return;
  g_clear_pointer (&self->cursor, g_free);
  wechat_adapter_hand_over (self, nothing, "");
}

static void
wechat_adapter_on_signed_in (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWechatAdapter) self = user_data;
  BeckonWechatSignIn *sign_in = BECKON_WECHAT_SIGN_IN (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonWechatAccount) account = beckon_wechat_sign_in_run_finish (sign_in, result, &error);

  if (self->sign_in != sign_in)
    return;
  end_sign_in (self);
  if (account != NULL)
    {
      BeckonWechatAccount *taken = g_steal_pointer (&account);
      gboolean is_other = self->account == NULL || g_strcmp0 (self->account->bot, taken->bot) != 0;
      g_autofree char *settings = NULL;
      g_autoptr (JsonNode) node = NULL;
      JsonObject *config;

      g_clear_pointer (&self->account, beckon_wechat_account_free);
      self->account = taken;

      node = json_node_new (JSON_NODE_OBJECT);
      config = json_object_new ();
      if (g_strcmp0 (self->server, BECKON_WECHAT_SERVER) != 0)
        set_member (config, "server", self->server);
      set_member (config, "base", self->account->base);
      set_member (config, "bot", self->account->bot);
      set_member (config, "user", self->account->user);
      json_node_take_object (node, config);
      settings = beckon_json_print (node);
      self->refusals = 0;
      begin_run (self);
      beckon_channel_adapter_note_signed_in (BECKON_CHANNEL_ADAPTER (self), self->account->token, settings);
      if (is_other && self->running != NULL)
        forget_cursor (self);
    }
  else
    wechat_adapter_set_state (self, BECKON_CHANNEL_SIGNED_OUT, error->message);
}

static void
wechat_sign_in (BeckonChannelAdapter *adapter, JsonObject *config)
{
  BeckonWechatAdapter *self = BECKON_WECHAT_ADAPTER (adapter);

  end_sign_in (self);
  end_run (self);
  announce_end (self);
  read_settings (self, config);
  beckon_channel_adapter_set_prompt (adapter, BECKON_CHANNEL_PROMPT_NONE, NULL);
  self->signing_in = g_cancellable_new ();
  /* The token of before is shown to the server that it is for. */
  self->sign_in = beckon_wechat_sign_in_new (
      self->session, get_clock (self), self->server,
      self->account != NULL && beckon_uri_same_origin (self->account->base, self->server) ? self->account : NULL);
  g_signal_connect_object (self->sign_in, "prompt", G_CALLBACK (wechat_adapter_on_prompt), self, 0);
  beckon_wechat_sign_in_run_async (self->sign_in, self->signing_in, wechat_adapter_on_signed_in, g_object_ref (self));
}

static void
wechat_enter (BeckonChannelAdapter *adapter, const char *text)
{
  BeckonWechatAdapter *self = BECKON_WECHAT_ADAPTER (adapter);

  if (self->sign_in != NULL)
    beckon_wechat_sign_in_enter (self->sign_in, text);
}

/* --- Sending ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  GCancellable *sending;
  gulong cancel_id;
} Send;

static void
send_free (gpointer data)
{
  Send *send = data;

  g_object_unref (send->sending);
  g_free (send);
}

static void
wechat_adapter_on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonWechatAdapter *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelReply) reply = beckon_wechat_ask_finish (SOUP_SESSION (source), result, &error);
  Send *send = g_task_get_task_data (task);

  if (send->cancel_id != 0)
    g_cancellable_disconnect (g_task_get_cancellable (task), send->cancel_id);
  if (self->sending == send->sending)
    g_clear_object (&self->sending);

  if (reply != NULL)
    {
      self->refusals = 0;
      g_task_return_pointer (task, beckon_wechat_read_message_id (reply->body, reply->length), g_free);
    }
  else if (g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_LIMITED))
    {
      guint pause_s = MIN (FIRST_PAUSE_S << MIN (self->refusals, 8), LONGEST_PAUSE_S);

      /* The server says that it was too much, and not for how long. */
      self->refusals++;
      g_task_return_error (task, beckon_channel_error_new_limited (MAX (pause_s, beckon_channel_error_get_pause_s (error)),
                                                                   error->message));
    }
  else
    {
      if (g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_SIGN_IN) && self->running != NULL)
        sign_out (self, error->message);
      g_task_return_error (task, g_steal_pointer (&error));
    }
}

static void
wechat_adapter_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_cancellable_cancel (user_data);
}

static void
wechat_send_async (BeckonChannelAdapter *adapter, BeckonChannelOutgoing *outgoing, GCancellable *cancellable,
                   GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonWechatAdapter *self = BECKON_WECHAT_ADAPTER (adapter);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_autofree char *body = beckon_wechat_make_message (outgoing);
  g_autoptr (SoupMessage) message = NULL;
  Send *send;

  g_task_set_source_tag (task, wechat_send_async);
  g_task_set_check_cancellable (task, FALSE);
  if (self->running == NULL)
    {
      g_task_return_new_error (task, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_SIGN_IN, "%s",
                               _("Scan a code with WeChat to sign in."));
      return;
    }

  send = g_new0 (Send, 1);
  send->sending = g_cancellable_new ();
  g_set_object (&self->sending, send->sending);
  if (cancellable != NULL)
    send->cancel_id = g_cancellable_connect (cancellable, G_CALLBACK (wechat_adapter_on_cancelled),
                                             g_object_ref (send->sending),
                                             g_object_unref);

  g_task_set_task_data (task, send, send_free);
  message = beckon_wechat_make_post (self->account->base, "ilink/bot/sendmessage", self->account->token, body);
  wechat_adapter_ask (self, message, BECKON_WECHAT_ASK_S, send->sending, wechat_adapter_on_sent, g_steal_pointer (&task));
}

static BECKON_FINISH_POINTER (char *, wechat_send, BeckonChannelAdapter)

static void
wechat_type (BeckonChannelAdapter *adapter, const char *address, const char *context, gboolean is_typing)
{
  BeckonWechatAdapter *self = BECKON_WECHAT_ADAPTER (adapter);

  if (self->typing != NULL)
    beckon_wechat_typing_show (self->typing, address, context, is_typing);
}

/* --- Files -------------------------------------------------------------------------------------------------------- */

/* They are encrypted by a cipher of which this program has no implementation: their sender is told so. */
static void
wechat_fetch_async (BeckonChannelAdapter *adapter, const BeckonChannelAttachment *attachment, GCancellable *cancellable,
                    GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (adapter, cancellable, callback, user_data);

  g_task_set_source_tag (task, wechat_fetch_async);
  g_task_return_new_error (task, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_REFUSED, "%s",
                           _("Pictures, files and recordings can’t be read over WeChat. Write it, or add it on the desktop."));
}

static BECKON_FINISH_POINTER (GBytes *, wechat_fetch, BeckonChannelAdapter)

/* --- The class ---------------------------------------------------------------------------------------------------- */

/* 16 KiB of a body are taken, and the rest of it is small. */
static const BeckonChannelLimits limits = {
  .max_characters = 4000,
  .max_bytes = 15 * 1024,
  .interval_ms = 1000,
  .replies = 10,
  .window_s = 24 * 60 * 60,
  .can_receive = TRUE,
  .can_type = TRUE,
  .has_text = TRUE,
};

static const BeckonChannelLimits *
wechat_get_limits (BeckonChannelAdapter *adapter)
{
  return &limits;
}

static void
beckon_wechat_adapter_dispose (GObject *object)
{
  beckon_channel_adapter_stop (BECKON_CHANNEL_ADAPTER (object));
  G_OBJECT_CLASS (beckon_wechat_adapter_parent_class)->dispose (object);
}

static void
beckon_wechat_adapter_finalize (GObject *object)
{
  BeckonWechatAdapter *self = BECKON_WECHAT_ADAPTER (object);

  g_clear_object (&self->session);
  g_clear_object (&self->sending);
  g_clear_pointer (&self->account, beckon_wechat_account_free);
  g_clear_pointer (&self->server, g_free);
  g_clear_pointer (&self->cursor, g_free);
  G_OBJECT_CLASS (beckon_wechat_adapter_parent_class)->finalize (object);
}

static void
beckon_wechat_adapter_class_init (BeckonWechatAdapterClass *klass)
{
  BeckonChannelAdapterClass *adapter = BECKON_CHANNEL_ADAPTER_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_wechat_adapter_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_wechat_adapter_finalize;
  adapter->get_limits = wechat_get_limits;
  adapter->dup_server = wechat_dup_server;
  adapter->start = wechat_start;
  adapter->stop = wechat_stop;
  adapter->stored = wechat_stored;
  adapter->send_async = wechat_send_async;
  adapter->send_finish = wechat_send_finish;
  adapter->type = wechat_type;
  adapter->fetch_async = wechat_fetch_async;
  adapter->fetch_finish = wechat_fetch_finish;
  adapter->sign_in = wechat_sign_in;
  adapter->enter = wechat_enter;
}

static void
beckon_wechat_adapter_init (BeckonWechatAdapter *self)
{
  self->session = beckon_http_exchange_make_session (CONNECTIONS);
}

static const BeckonChannelField fields[] = {
  { "server", N_("Server"), N_("WeChat’s own if it is empty"), FALSE, FALSE },
  { "base", N_("Server of the account"), NULL, FALSE, TRUE },
  { "bot", N_("Bot"), NULL, FALSE, TRUE },
  { "user", N_("Account"), NULL, FALSE, TRUE },
  { NULL },
};

static gboolean
wechat_adapter_check (JsonObject *config, GError **error)
{
  const char *server = wechat_adapter_get_server (config);

  if (beckon_wechat_base_is_good (server, NULL) && beckon_wechat_base_is_good (get_base (config), server))
    return TRUE;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       _("The server’s address has to begin with https://."));
  return FALSE;
}

const BeckonChannelKind beckon_wechat_kind = {
  .name = "wechat",
  .title = N_("WeChat"),
  .note = N_("You sign in by scanning a code. Tried with an emulator of the service alone, not with the service itself."),
  .get_type = beckon_wechat_adapter_get_type,
  .fields = fields,
  .check = wechat_adapter_check,
};
