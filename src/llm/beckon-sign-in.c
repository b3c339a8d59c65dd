/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-sign-in.h"

#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-http-fetch.h"
#include "net/beckon-http-exchange.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>
#include <sys/random.h>

#define RANDOM_BYTES 32
#define CODE_MAX 2048
#define KEY_MAX 8192

/* A request with no more behind its head is answered. */
#define BODY_MAX (16 * 1024)

/* A port may be taken on one of the two loopback addresses alone. */
#define PORT_TRIES 8

struct _BeckonSignIn
{
  GObject parent_instance;

  char *authorize_url; /* (owned) */
  char *exchange_url;  /* (owned) */
  BeckonClock *clock;  /* (owned) */
  SoupServer *server;  /* (owned) (nullable): while it listens */
  SoupSession *session; /* (owned) (nullable) */
  char *path;          /* (owned): where the browser comes to */
  char *verifier;      /* (owned) */
  char *address;       /* (owned) (nullable): for the browser */
  GTask *task;         /* (owned) (nullable): while the browser is waited for */
  GSource *cancelled;  /* (owned) (nullable) */
  guint timeout;
  gboolean is_answered; /* by the browser; no other client gets an answer */
  gboolean is_refused;
};

G_DEFINE_FINAL_TYPE (BeckonSignIn, beckon_sign_in, G_TYPE_OBJECT)

static void
stop_listening (BeckonSignIn *self)
{
  if (self->server == NULL)
    return;
  /* Requests that are under way go on without it. */
  soup_server_remove_handler (self->server, NULL);
  soup_server_disconnect (self->server);
  g_clear_object (&self->server);
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

/* As RFC 4648, 5 has it, without padding. */
static char *
encode (const guchar *bytes, gsize length)
{
  char *text = g_base64_encode (bytes, length);

  g_strdelimit (g_strdelimit (text, "+", '-'), "/", '_');
  text[strcspn (text, "=")] = '\0';
  return text;
}

static char *
make_secret (void)
{
  guchar bytes[RANDOM_BYTES];

  if (getrandom (bytes, sizeof bytes, 0) != sizeof bytes)
    g_error ("the kernel has no random bytes");
  return encode (bytes, sizeof bytes);
}

BeckonSignIn *
beckon_sign_in_new (const char *authorize_url, const char *exchange_url, BeckonClock *clock)
{
  BeckonSignIn *self;
  g_autofree char *secret = make_secret ();

  g_return_val_if_fail (authorize_url != NULL && exchange_url != NULL, NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  self = g_object_new (BECKON_TYPE_SIGN_IN, NULL);
  self->authorize_url = g_strdup (authorize_url);
  self->exchange_url = g_strdup (exchange_url);
  self->clock = g_object_ref (clock);
  self->path = g_strconcat ("/", secret, NULL);
  self->verifier = make_secret ();
  return self;
}

/* --- The end ------------------------------------------------------------------------------------------------------ */

/* @key, or @error: (transfer full). */
static void
end (BeckonSignIn *self, char *key, GError *error)
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
fail (BeckonSignIn *self, const char *words)
{
  end (self, NULL, g_error_new_literal (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, words));
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
  fail (self, words);
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  end (user_data, NULL, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The sign-in was stopped.")));
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
      end (self, NULL, g_steal_pointer (&error));
      return;
    }
  key = body != NULL ? read_key (body) : NULL;
  if (key != NULL)
    {
      end (self, key, NULL);
      return;
    }
  /* Translators: why, as a sentence */
  words = beckon_text_printf (_("The sign-in gave no key. %s"),
                              error != NULL ? error->message : _("The answer has none in it."));
  fail (self, words);
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

/* How long it takes says nothing about where the two differ. */
static gboolean
is_same (const char *one, const char *other)
{
  gsize length = strlen (other);
  guchar difference = 0;

  if (strlen (one) != length)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    difference |= (guchar) (one[i] ^ other[i]);
  return difference == 0;
}

static void
answer_nothing (SoupServerMessage *message)
{
  soup_message_headers_replace (soup_server_message_get_response_headers (message), "Connection", "close");
  soup_server_message_set_status (message, SOUP_STATUS_NOT_FOUND, NULL);
}

static void
answer_page (SoupServerMessage *message)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);
  g_autofree char *words = g_markup_escape_text (_("You can close this window."), -1);
  g_autofree char *page = g_strdup_printf ("<!DOCTYPE html><meta charset=\"utf-8\"><title>Beckon</title><p>%s</p>\n", words);

  soup_message_headers_replace (headers, "Content-Security-Policy", "default-src 'none'");
  soup_message_headers_replace (headers, "Referrer-Policy", "no-referrer");
  soup_message_headers_replace (headers, "X-Content-Type-Options", "nosniff");
  soup_message_headers_replace (headers, "Cache-Control", "no-store");
  soup_message_headers_replace (headers, "Connection", "close");
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup_server_message_set_response (message, "text/html; charset=utf-8", SOUP_MEMORY_COPY, page, strlen (page));
}

static gboolean
close_port (gpointer user_data)
{
  stop_listening (user_data);
  return G_SOURCE_REMOVE;
}

static gboolean
tell_refusal (gpointer user_data)
{
  fail (user_data, _("The sign-in was refused in the browser. Try again, or enter a key."));
  return G_SOURCE_REMOVE;
}

/* Behind the page nothing listens any more; later, because the server is still busy with it. */
static void
on_page_sent (BeckonSignIn *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, self->is_refused ? tell_refusal : close_port, g_object_ref (self), g_object_unref);
}

static gboolean
has_large_body (SoupServerMessage *message)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);

  return soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CHUNKED
         || soup_message_headers_get_content_length (headers) > BODY_MAX;
}

/* Before a body is read, of which nothing is kept; any program and any page of this computer may send one. */
static void
on_early_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer user_data)
{
  BeckonSignIn *self = user_data;

  soup_message_body_set_accumulate (soup_server_message_get_request_body (message), FALSE);
  if (has_large_body (message))
    g_socket_shutdown (soup_server_message_get_socket (message), TRUE, TRUE, NULL);
  if (self->task == NULL || self->is_answered || soup_server_message_get_method (message) != SOUP_METHOD_GET
      || !is_same (path, self->path))
    answer_nothing (message);
}

static void
on_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer user_data)
{
  BeckonSignIn *self = user_data;
  const char *code = query != NULL ? g_hash_table_lookup (query, "code") : NULL;
  const char *refusal = query != NULL ? g_hash_table_lookup (query, "error") : NULL;

  if (self->task == NULL || self->is_answered || !is_same (path, self->path)
      || (refusal == NULL && (code == NULL || !is_printable (code, CODE_MAX))))
    {
      answer_nothing (message);
      return;
    }
  self->is_answered = TRUE;
  self->is_refused = refusal != NULL;
  answer_page (message);
  g_signal_connect_object (message, "finished", G_CALLBACK (on_page_sent), self, G_CONNECT_SWAPPED);
  if (self->is_refused)
    return;
  stop_waiting (self);
  exchange (self, code);
}

/* --- Listening ---------------------------------------------------------------------------------------------------- */

static guint
get_port (SoupServer *server)
{
  GSList *uris = soup_server_get_uris (server);
  guint port = (guint) g_uri_get_port (uris->data);

  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  return port;
}

static gboolean
listen_on (SoupServer *server, GSocketFamily family, guint port, GError **error)
{
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (family);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (loopback, (guint16) port);

  return soup_server_listen (server, address, 0, error);
}

/* The browser may try either address of "localhost" first, so that nobody else may have the other one. %NULL with an error. */
static SoupServer *
make_server (GError **error)
{
  for (guint i = 0; i < PORT_TRIES; i++)
    {
      g_autoptr (SoupServer) server = soup_server_new ("server-header", NULL, NULL);
      g_autoptr (GError) other = NULL;

      if (!listen_on (server, G_SOCKET_FAMILY_IPV4, 0, error))
        return NULL;
      if (listen_on (server, G_SOCKET_FAMILY_IPV6, get_port (server), &other)
          || !g_error_matches (other, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE))
        return g_steal_pointer (&server);
      soup_server_disconnect (server);
    }
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE, g_strerror (EADDRINUSE));
  return NULL;
}

static char *
make_address (BeckonSignIn *self, guint port)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *callback = g_strdup_printf ("http://localhost:%u%s", port, self->path);
  g_autofree char *escaped = g_uri_escape_string (callback, NULL, FALSE);
  g_autofree char *challenge = NULL;
  guint8 digest[32];
  gsize length = sizeof digest;

  g_checksum_update (sum, (const guchar *) self->verifier, -1);
  g_checksum_get_digest (sum, digest, &length);
  challenge = encode (digest, length);
  return g_strdup_printf ("%s?callback_url=%s&code_challenge=%s&code_challenge_method=S256", self->authorize_url, escaped,
                          challenge);
}

const char *
beckon_sign_in_listen (BeckonSignIn *self, GError **error)
{
  g_autoptr (GError) cause = NULL;

  g_return_val_if_fail (BECKON_IS_SIGN_IN (self), NULL);
  g_return_val_if_fail (self->address == NULL, NULL);

  self->server = make_server (&cause);
  if (self->server == NULL)
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                             /* Translators: why, in the system's words */
                             _("The browser’s answer cannot be waited for on this computer (%s). Enter a key."),
                             cause->message);
      return NULL;
    }
  soup_server_add_early_handler (self->server, NULL, on_early_request, self, NULL);
  soup_server_add_handler (self->server, NULL, on_request, self, NULL);
  self->address = make_address (self, get_port (self->server));
  return self->address;
}

void
beckon_sign_in_run_async (BeckonSignIn *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_SIGN_IN (self));
  g_return_if_fail (self->server != NULL && self->task == NULL);

  self->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (self->task, beckon_sign_in_run_async);
  self->timeout = beckon_clock_add_timeout (self->clock, BECKON_SIGN_IN_TIMEOUT_S * 1000, on_time_over, self);
  if (cancellable != NULL)
    {
      self->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (self->cancelled, G_SOURCE_FUNC (on_cancelled), self, NULL);
      g_source_attach (self->cancelled, g_main_context_get_thread_default ());
    }
}

char *
beckon_sign_in_run_finish (BeckonSignIn *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_sign_in_run_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
