/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-sign-in.h"

#include "base/beckon-base64url.h"
#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-http-fetch.h"
#include "net/beckon-http-exchange.h"
#include "net/beckon-loopback-listener.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CODE_MAX 2048
#define KEY_MAX 8192

struct _BeckonSignIn
{
  GObject parent_instance;

  char *authorize_url; /* (owned) */
  char *exchange_url;  /* (owned) */
  BeckonClock *clock;  /* (owned) */
  BeckonLoopbackListener *listener; /* (owned) (nullable): while it listens */
  SoupSession *session; /* (owned) (nullable) */
  char *path;          /* (owned): where the browser comes to */
  char *verifier;      /* (owned) */
  char *address;       /* (owned) (nullable): for the browser */
  GTask *task;         /* (owned) (nullable): while the browser is waited for */
  GSource *cancelled;  /* (owned) (nullable) */
  guint timeout;
  gboolean is_refused;
};

G_DEFINE_FINAL_TYPE (BeckonSignIn, beckon_sign_in, G_TYPE_OBJECT)

static void
stop_listening (BeckonSignIn *self)
{
  if (self->listener != NULL)
    beckon_loopback_listener_stop (self->listener);
  g_clear_object (&self->listener);
}

static void
stop_waiting (BeckonSignIn *self)
{
  beckon_clock_remove (self->clock, self->timeout);
  self->timeout = 0;
  if (self->cancelled != NULL)
    g_source_destroy (self->cancelled);
  g_clear_pointer (&self->cancelled, g_source_unref);
}

static void
beckon_sign_in_dispose (GObject *object)
{
  BeckonSignIn *self = BECKON_SIGN_IN (object);

  stop_listening (self);
  if (self->session != NULL)
    soup_session_abort (self->session);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (beckon_sign_in_parent_class)->dispose (object);
}

static void
beckon_sign_in_finalize (GObject *object)
{
  BeckonSignIn *self = BECKON_SIGN_IN (object);

  stop_waiting (self);
  g_object_unref (self->clock);
  g_free (self->authorize_url);
  g_free (self->exchange_url);
  beckon_wipe (self->path);
  beckon_wipe (self->verifier);
  beckon_wipe (self->address);
  G_OBJECT_CLASS (beckon_sign_in_parent_class)->finalize (object);
}

static void
beckon_sign_in_class_init (BeckonSignInClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_sign_in_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_sign_in_finalize;
}

static void
beckon_sign_in_init (BeckonSignIn *self)
{
}

BeckonSignIn *
beckon_sign_in_new (const char *authorize_url, const char *exchange_url, BeckonClock *clock)
{
  BeckonSignIn *self;
  g_autofree char *secret = beckon_base64url_random ();

  g_return_val_if_fail (authorize_url != NULL && exchange_url != NULL, NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  self = g_object_new (BECKON_TYPE_SIGN_IN, NULL);
  self->authorize_url = g_strdup (authorize_url);
  self->exchange_url = g_strdup (exchange_url);
  self->clock = g_object_ref (clock);
  self->path = g_strconcat ("/", secret, NULL);
  self->verifier = beckon_base64url_random ();
  return self;
}

/* --- The end ------------------------------------------------------------------------------------------------------ */

/* @key, or @error: (transfer full). */
static void
sign_in_end (BeckonSignIn *self, char *key, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  stop_waiting (self);
  stop_listening (self);
  if (task != NULL && key != NULL)
    g_task_return_pointer (task, g_steal_pointer (&key), (GDestroyNotify) beckon_wipe);
  else if (task != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  beckon_wipe (key);
  g_clear_error (&error);
}

static void
sign_in_fail (BeckonSignIn *self, const char *words)
{
  sign_in_end (self, NULL, g_error_new_literal (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, words));
}

static gboolean
on_time_over (gpointer user_data)
{
  BeckonSignIn *self = user_data;
  g_autofree char *words = NULL;

  self->timeout = 0;
  /* Translators: a number of minutes, more than one */
  words = g_strdup_printf (_("The sign-in timed out after %d minutes. Try again, or enter a key."),
                           BECKON_SIGN_IN_TIMEOUT_S / 60);
  sign_in_fail (self, words);
  return G_SOURCE_REMOVE;
}

static gboolean
sign_in_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  sign_in_end (user_data, NULL, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The sign-in was stopped.")));
  return G_SOURCE_REMOVE;
}

/* --- From the code to the key ------------------------------------------------------------------------------------- */

static gboolean
is_printable (const char *text, gsize max)
{
  gsize length = strlen (text);

  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isgraph (*c))
      return FALSE;
  return length > 0 && length <= max;
}

static char *
read_key (GBytes *body)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (g_bytes_get_data (body, NULL), (gssize) g_bytes_get_size (body),
                                                            NULL);
  JsonNode *node = object != NULL ? json_object_get_member (object, "key") : NULL;
  const char *key = node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
                      ? json_node_get_string (node)
                      : NULL;

  return key != NULL && is_printable (key, KEY_MAX) ? g_strdup (key) : NULL;
}

static void
on_exchanged (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonSignIn) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) body = beckon_http_fetch_finish (SOUP_SESSION (source), result, &error);
  g_autofree char *words = NULL;
  char *key;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      sign_in_end (self, NULL, g_steal_pointer (&error));
      return;
    }
  key = body != NULL ? read_key (body) : NULL;
  if (key != NULL)
    {
      sign_in_end (self, key, NULL);
      return;
    }
  /* Translators: why, as a sentence */
  words = beckon_text_printf (_("The sign-in gave no key. %s"),
                              error != NULL ? error->message : _("The answer has none in it."));
  sign_in_fail (self, words);
}

static GBytes *
make_body (BeckonSignIn *self, const char *code)
{
  GString *body = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, body);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "code", code);
  beckon_json_writer_member_string (&writer, "code_verifier", self->verifier);
  beckon_json_writer_member_string (&writer, "code_challenge_method", "S256");
  beckon_json_writer_end_object (&writer);
  return g_string_free_to_bytes (body);
}

static void
exchange (BeckonSignIn *self, const char *code)
{
  g_autoptr (SoupMessage) message = soup_message_new (SOUP_METHOD_POST, self->exchange_url);
  g_autoptr (GBytes) body = make_body (self, code);

  self->session = beckon_http_exchange_make_session (0);
  soup_message_set_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  soup_message_headers_replace (soup_message_get_request_headers (message), "Accept", "application/json");
  soup_message_set_request_body_from_bytes (message, "application/json", body);
  beckon_http_fetch_async (self->session, self->clock, message, code, BECKON_SIGN_IN_EXCHANGE_S,
                           self->task != NULL ? g_task_get_cancellable (self->task) : NULL, on_exchanged,
                           g_object_ref (self));
}

/* --- What the browser brings -------------------------------------------------------------------------------------- */

static gboolean
expects (const char *path, GHashTable *query, gpointer data)
{
  BeckonSignIn *self = data;
  const char *code = g_hash_table_lookup (query, "code");

  return self->task != NULL && beckon_loopback_is_same (path, self->path)
         && (g_hash_table_contains (query, "error") || (code != NULL && is_printable (code, CODE_MAX)));
}

static const char *
sign_in_take (GHashTable *query, gpointer data)
{
  BeckonSignIn *self = data;

  self->is_refused = g_hash_table_contains (query, "error");
  if (!self->is_refused)
    {
      stop_waiting (self);
      exchange (self, g_hash_table_lookup (query, "code"));
    }
  return _("You can close this window.");
}

/* Behind the page nothing listens any more. */
static void
shown (gpointer data)
{
  g_autoptr (BeckonSignIn) self = g_object_ref (data);

  if (self->is_refused)
    sign_in_fail (self, _("The sign-in was refused in the browser. Try again, or enter a key."));
  else
    stop_listening (self);
}

static const BeckonLoopbackHandler handler = { .expects = expects, .take = sign_in_take, .shown = shown };

/* --- Listening ---------------------------------------------------------------------------------------------------- */

static char *
make_address (BeckonSignIn *self, guint port)
{
  g_autofree char *callback = g_strdup_printf ("http://localhost:%u%s", port, self->path);
  g_autofree char *escaped = g_uri_escape_string (callback, NULL, FALSE);
  g_autofree char *challenge = beckon_base64url_digest (self->verifier);

  return g_strdup_printf ("%s?callback_url=%s&code_challenge=%s&code_challenge_method=S256", self->authorize_url, escaped,
                          challenge);
}

const char *
beckon_sign_in_listen (BeckonSignIn *self, GError **error)
{
  g_autoptr (GError) cause = NULL;

  g_return_val_if_fail (BECKON_IS_SIGN_IN (self), NULL);
  g_return_val_if_fail (self->address == NULL, NULL);

  self->listener = beckon_loopback_listener_new (0, TRUE, &handler, self, &cause);
  if (self->listener == NULL)
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                             /* Translators: why, in the system's words */
                             _("The browser’s answer cannot be waited for on this computer (%s). Enter a key."),
                             cause->message);
      return NULL;
    }
  self->address = make_address (self, beckon_loopback_listener_get_port (self->listener));
  return self->address;
}

void
beckon_sign_in_run_async (BeckonSignIn *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_SIGN_IN (self));
  g_return_if_fail (self->listener != NULL && self->task == NULL);

  self->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (self->task, beckon_sign_in_run_async);
  self->timeout = beckon_clock_add_timeout (self->clock, BECKON_SIGN_IN_TIMEOUT_S * 1000, on_time_over, self);
  if (cancellable != NULL)
    {
      self->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (self->cancelled, G_SOURCE_FUNC (sign_in_on_cancelled), self, NULL);
      g_source_attach (self->cancelled, g_main_context_get_thread_default ());
    }
}

BECKON_FINISH_POINTER (char *, beckon_sign_in_run, BeckonSignIn)
