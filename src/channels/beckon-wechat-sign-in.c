/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-wechat-sign-in.h"

#include "base/beckon-finish.h"
#include "base/beckon-json-reader.h"
#include "base/beckon-wipe.h"
#include "channels/beckon-wechat-api.h"
#include "channels/beckon-wechat-message.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* All of it, between two looks, and how many codes are shown. */
#define WHOLE_MS (480 * 1000)
#define BETWEEN_MS 1000
#define MOST_CODES 3

/* As many looks in a row may fail: each is a second, or as long as the server is held. */
#define MOST_FAILURES 5

/* The most that a QR code holds, and that a phone shows to be typed. */
#define LONGEST_QR 2048
#define LONGEST_CODE 64

struct _BeckonWechatSignIn
{
  GObject parent_instance;

  SoupSession *session;
  BeckonClock *clock;
  char *server;
  BeckonWechatAccount *known; /* (nullable) */

  GTask *task; /* (nullable): while it runs */
  GCancellable *asking;
  gulong cancel_id;
  guint deadline;
  guint pause;
  char *base;     /* where is looked: the server may name another */
  char *qr;       /* what the server knows the code by */
  char *entered;  /* (nullable) */
  gboolean waits_for_code;
  guint n_codes;
  guint n_failures;
};

G_DEFINE_FINAL_TYPE (BeckonWechatSignIn, beckon_wechat_sign_in, G_TYPE_OBJECT)

enum
{
  SIGNAL_PROMPT,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

typedef struct
{
  BeckonJsonSlice qr;
  BeckonJsonSlice content;
} Code;

typedef struct
{
  BeckonJsonSlice status;
  BeckonJsonSlice redirect;
  BeckonJsonSlice token;
  BeckonJsonSlice base;
  BeckonJsonSlice bot;
  BeckonJsonSlice user;
} Status;

static const BeckonJsonMember code_members[] = {
  BECKON_JSON_STRING_MEMBER ("qrcode", Code, qr),
  BECKON_JSON_STRING_MEMBER ("qrcode_img_content", Code, content),
  BECKON_JSON_MEMBERS_END,
};
static const BeckonJsonMember status_members[] = {
  BECKON_JSON_STRING_MEMBER ("status", Status, status),
  BECKON_JSON_STRING_MEMBER ("redirect_host", Status, redirect),
  BECKON_JSON_STRING_MEMBER ("bot_token", Status, token),
  BECKON_JSON_STRING_MEMBER ("baseurl", Status, base),
  BECKON_JSON_STRING_MEMBER ("ilink_bot_id", Status, bot),
  BECKON_JSON_STRING_MEMBER ("ilink_user_id", Status, user),
  BECKON_JSON_MEMBERS_END,
};

static void ask_for_code (BeckonWechatSignIn *self);
static void wechat_sign_in_look (BeckonWechatSignIn *self);

/* --- Accounts ----------------------------------------------------------------------------------------------------- */

static BeckonWechatAccount *
wechat_account_copy (const BeckonWechatAccount *account)
{
  BeckonWechatAccount *copy = g_new (BeckonWechatAccount, 1);

  copy->token = g_strdup (account->token);
  copy->base = g_strdup (account->base);
  copy->bot = g_strdup (account->bot);
  copy->user = g_strdup (account->user);
  return copy;
}

void
beckon_wechat_account_free (BeckonWechatAccount *account)
{
  beckon_wipe (account->token);
  g_free (account->base);
  g_free (account->bot);
  g_free (account->user);
  g_free (account);
}

/* --- The end ------------------------------------------------------------------------------------------------------ */

/* Takes the task: nothing else ends it after this. */
static GTask *
wechat_sign_in_end (BeckonWechatSignIn *self)
{
  GTask *task = g_steal_pointer (&self->task);

  if (self->cancel_id != 0 && g_task_get_cancellable (task) != NULL)
    g_signal_handler_disconnect (g_task_get_cancellable (task), self->cancel_id);
  self->cancel_id = 0;
  beckon_clock_remove (self->clock, self->deadline);
  beckon_clock_remove (self->clock, self->pause);
  self->deadline = self->pause = 0;
  g_cancellable_cancel (self->asking);
  return task;
}

static void
wechat_sign_in_fail (BeckonWechatSignIn *self, GError *error)
{
  g_autoptr (GTask) task = wechat_sign_in_end (self);

  g_task_return_error (task, error);
}

static void
fail_in_words (BeckonWechatSignIn *self, const char *words)
{
  wechat_sign_in_fail (self, g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_SIGN_IN, words));
}

static void
succeed (BeckonWechatSignIn *self, BeckonWechatAccount *account)
{
  g_autoptr (GTask) task = wechat_sign_in_end (self);

  g_task_return_pointer (task, account, (GDestroyNotify) beckon_wechat_account_free);
}

static void
prompt (BeckonWechatSignIn *self, BeckonChannelPrompt what, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_PROMPT], 0, (int) what, text);
}

static gboolean
on_too_long (gpointer user_data)
{
  BeckonWechatSignIn *self = user_data;

  self->deadline = 0;
  fail_in_words (self, _("Signing in took too long. Begin again, and scan the code within eight minutes."));
  return G_SOURCE_REMOVE;
}

/* --- What the server says of the code ------------------------------------------------------------------------------ */

static char *
wechat_sign_in_dup_slice (const BeckonJsonSlice *slice, gsize most)
{
  GString *text = g_string_new (NULL);

  if (slice->text != NULL && slice->length <= most)
    beckon_json_slice_append_to (slice, text);
  return g_string_free (text, FALSE);
}

static gboolean
wechat_sign_in_on_pause_over (gpointer user_data)
{
  BeckonWechatSignIn *self = user_data;

  self->pause = 0;
  wechat_sign_in_look (self);
  return G_SOURCE_REMOVE;
}

static void
look_later (BeckonWechatSignIn *self)
{
  if (self->task != NULL)
    self->pause = beckon_clock_add_timeout (self->clock, BETWEEN_MS, wechat_sign_in_on_pause_over, self);
}

static void
take_wait (BeckonWechatSignIn *self, const Status *status)
{
  look_later (self);
}

static void
take_scanned (BeckonWechatSignIn *self, const Status *status)
{
  prompt (self, BECKON_CHANNEL_PROMPT_SCANNED, NULL);
  look_later (self);
}

/* Asked a second time, what was entered before was wrong. */
static void
take_need_code (BeckonWechatSignIn *self, const Status *status)
{
  gboolean was_wrong = self->entered != NULL;

  g_clear_pointer (&self->entered, g_free);
  self->waits_for_code = TRUE;
  prompt (self, BECKON_CHANNEL_PROMPT_CODE,
          was_wrong ? _("That was not the code. Enter the one that WeChat shows now.")
          : _("Enter the code that WeChat shows on the phone."));
}

static void
take_expired (BeckonWechatSignIn *self, const Status *status)
{
  if (self->n_codes < MOST_CODES)
    ask_for_code (self);
  else
    fail_in_words (self, _("The code expired three times. Begin again when the phone is at hand."));
}

static void
take_blocked (BeckonWechatSignIn *self, const Status *status)
{
  if (self->n_codes < MOST_CODES)
    ask_for_code (self);
  else
    fail_in_words (self, _("WeChat takes no more codes, because too many were wrong. Try again later."));
}

/* Only a host is named: it is spoken to as the server before it. */
static char *
make_redirected (BeckonWechatSignIn *self, const Status *status)
{
  g_autofree char *host = wechat_sign_in_dup_slice (&status->redirect, BECKON_CHANNEL_ID_MAX);
  g_autofree char *scheme = g_uri_parse_scheme (self->server);
  g_autofree char *base = g_strconcat (scheme, "://", host, "/", NULL);

  return *host != '\0' && strpbrk (host, "/?#@\\ ") == NULL && beckon_wechat_base_is_good (base, self->server)
             ? g_steal_pointer (&base)
             : NULL;
}

static void
take_redirect (BeckonWechatSignIn *self, const Status *status)
{
  char *base = make_redirected (self, status);

  if (base != NULL)
    {
      g_free (self->base);
      self->base = base;
    }
  take_scanned (self, status);
}

static void
take_bound (BeckonWechatSignIn *self, const Status *status)
{
  if (self->known != NULL)
    succeed (self, wechat_account_copy (self->known));
  else
    fail_in_words (self, _("This WeChat is bound already, but its key is not on this computer. Remove the bot in WeChat, and "
                           "sign in again."));
}

static void
take_confirmed (BeckonWechatSignIn *self, const Status *status)
{
  g_autoptr (BeckonWechatAccount) account = g_new0 (BeckonWechatAccount, 1);

  account->token = wechat_sign_in_dup_slice (&status->token, BECKON_WECHAT_TOKEN_MAX);
  account->base = wechat_sign_in_dup_slice (&status->base, BECKON_CHANNEL_ID_MAX);
  account->bot = wechat_sign_in_dup_slice (&status->bot, BECKON_CHANNEL_ID_MAX);
  account->user = wechat_sign_in_dup_slice (&status->user, BECKON_CHANNEL_ID_MAX);
  if (*account->base == '\0')
    {
      g_free (account->base);
      account->base = g_strdup (self->server);
    }
  if (*account->token == '\0' || strpbrk (account->token, "\r\n") != NULL || *account->bot == '\0'
      || !beckon_wechat_base_is_good (account->base, self->server))
    wechat_sign_in_fail (self, beckon_wechat_make_odd_error ());
  else
    succeed (self, g_steal_pointer (&account));
}

static const struct
{
  const char *word;
  void (*take) (BeckonWechatSignIn *self, const Status *status);
} states[] = {
  { "wait", take_wait },
  { "scaned", take_scanned },
  { "need_verifycode", take_need_code },
  { "verify_code_blocked", take_blocked },
  { "expired", take_expired },
  { "scaned_but_redirect", take_redirect },
  { "binded_redirect", take_bound },
  { "confirmed", take_confirmed },
};

/* --- Asking ------------------------------------------------------------------------------------------------------- */

static gboolean
is_cancelled (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
wechat_sign_in_on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWechatSignIn) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelReply) reply = beckon_wechat_ask_finish (SOUP_SESSION (source), result, &error);

  if (self->task == NULL || is_cancelled (error))
    return;
  if (reply != NULL)
    {
      Status status = { 0 };

      self->n_failures = 0;

      /* A word that is not known yet is waited through. */
      beckon_json_members_read_text (reply->body, reply->length, status_members, &status);
      for (guint i = 0; i < G_N_ELEMENTS (states); i++)
        if (status.status.text != NULL && beckon_json_slice_equals (&status.status, states[i].word))
          {
            states[i].take (self, &status);
            return;
          }
      look_later (self);
    }
  else if (g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_LATE) || ++self->n_failures < MOST_FAILURES)
    look_later (self);
  else
    wechat_sign_in_fail (self, g_steal_pointer (&error));
}

static void
wechat_sign_in_look (BeckonWechatSignIn *self)
{
  g_autofree char *qr = g_uri_escape_string (self->qr, NULL, FALSE);
  g_autofree char *code = self->entered != NULL ? g_uri_escape_string (self->entered, NULL, FALSE) : NULL;
  g_autofree char *path = g_strconcat ("ilink/bot/get_qrcode_status?qrcode=", qr, code != NULL ? "&verify_code=" : NULL, code,
                                       NULL);
  g_autoptr (SoupMessage) message = beckon_wechat_make_get (self->base, path);

  beckon_channel_http_ask_async (self->session, self->clock, message, BECKON_WECHAT_POLL_S, BECKON_CHANNEL_HTTP_MAX,
                                 self->asking, wechat_sign_in_on_looked, g_object_ref (self));
}

static void
on_code (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWechatSignIn) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelReply) reply = beckon_wechat_ask_finish (SOUP_SESSION (source), result, &error);

  if (self->task == NULL || is_cancelled (error))
    return;
  if (reply != NULL)
    {
      Code code = { 0 };
      g_autofree char *content = NULL;

      beckon_json_members_read_text (reply->body, reply->length, code_members, &code);
      g_free (self->qr);
      self->qr = wechat_sign_in_dup_slice (&code.qr, LONGEST_QR);
      content = wechat_sign_in_dup_slice (&code.content, LONGEST_QR);
      if (*self->qr == '\0' || *content == '\0')
        {
          wechat_sign_in_fail (self, beckon_wechat_make_odd_error ());
          return;
        }
      prompt (self, BECKON_CHANNEL_PROMPT_QR, content);
      if (self->task != NULL)
        wechat_sign_in_look (self);
    }
  else
    wechat_sign_in_fail (self, g_steal_pointer (&error));
}

static void
ask_for_code (BeckonWechatSignIn *self)
{
  GString *json = g_string_new (NULL);
  BeckonJsonWriter writer;
  beckon_autowipe char *body = NULL;
  g_autoptr (SoupMessage) message = NULL;

  /* The server that is told the token of before can say that the account is bound with it. */
  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "local_token_list");
  beckon_json_writer_begin_array (&writer);
  if (self->known != NULL)
    beckon_json_writer_string (&writer, self->known->token, -1);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  body = g_string_free (json, FALSE);
  message = beckon_wechat_make_post (self->server, "ilink/bot/get_bot_qrcode?bot_type=3", NULL, body);
  self->n_codes++;
  g_clear_pointer (&self->entered, g_free);
  g_free (self->base);
  self->base = g_strdup (self->server);
  beckon_channel_http_ask_async (self->session, self->clock, message, BECKON_WECHAT_ASK_S, BECKON_CHANNEL_HTTP_MAX,
                                 self->asking, on_code, g_object_ref (self));
}

/* --- For the adapter ---------------------------------------------------------------------------------------------- */

static gboolean
cancel_in_idle (gpointer user_data)
{
  BeckonWechatSignIn *self = user_data;

  if (self->task != NULL)
    wechat_sign_in_fail (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "The sign-in was cancelled"));
  return G_SOURCE_REMOVE;
}

/* The handler cannot be disconnected from within itself. */
static void
wechat_sign_in_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, cancel_in_idle, g_object_ref (user_data), g_object_unref);
}

void
beckon_wechat_sign_in_run_async (BeckonWechatSignIn *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  self->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (self->task, beckon_wechat_sign_in_run_async);
  g_task_set_check_cancellable (self->task, FALSE);
  self->deadline = beckon_clock_add_timeout (self->clock, WHOLE_MS, on_too_long, self);
  ask_for_code (self);
  if (cancellable != NULL)
    self->cancel_id = g_cancellable_connect (cancellable, G_CALLBACK (wechat_sign_in_on_cancelled), self, NULL);
}

BECKON_FINISH_POINTER (BeckonWechatAccount *, beckon_wechat_sign_in_run, BeckonWechatSignIn)

void
beckon_wechat_sign_in_enter (BeckonWechatSignIn *self, const char *code)
{
  if (self->task == NULL || !self->waits_for_code || *code == '\0' || strlen (code) > LONGEST_CODE)
    return;
  self->waits_for_code = FALSE;
  self->entered = g_strstrip (g_strdup (code));
  prompt (self, BECKON_CHANNEL_PROMPT_NONE, NULL);
  if (self->task != NULL)
    wechat_sign_in_look (self);
}

BeckonWechatSignIn *
beckon_wechat_sign_in_new (SoupSession *session, BeckonClock *clock, const char *server, const BeckonWechatAccount *known)
{
  BeckonWechatSignIn *self = g_object_new (BECKON_TYPE_WECHAT_SIGN_IN, NULL);

  self->session = g_object_ref (session);
  self->clock = g_object_ref (clock);
  self->server = g_strdup (server);
  self->known = known != NULL ? wechat_account_copy (known) : NULL;
  self->asking = g_cancellable_new ();
  return self;
}

static void
beckon_wechat_sign_in_finalize (GObject *object)
{
  BeckonWechatSignIn *self = BECKON_WECHAT_SIGN_IN (object);

  g_clear_object (&self->session);
  g_clear_object (&self->clock);
  g_clear_object (&self->asking);
  g_clear_pointer (&self->known, beckon_wechat_account_free);
  g_clear_pointer (&self->server, g_free);
  g_clear_pointer (&self->base, g_free);
  g_clear_pointer (&self->qr, g_free);
  g_clear_pointer (&self->entered, g_free);
  G_OBJECT_CLASS (beckon_wechat_sign_in_parent_class)->finalize (object);
}

static void
beckon_wechat_sign_in_class_init (BeckonWechatSignInClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_wechat_sign_in_finalize;

  signals[SIGNAL_PROMPT] = g_signal_new ("prompt", BECKON_TYPE_WECHAT_SIGN_IN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_STRING);
}

static void
beckon_wechat_sign_in_init (BeckonWechatSignIn *self)
{
}
