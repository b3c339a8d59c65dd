/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-redirect.h"

#include "base/beckon-base64url.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-oauth-error.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

#define PATH "/callback"

/* A request with no more behind its head is answered. */
#define BODY_MAX (16 * 1024)
#define VALUE_MAX 4096

struct _BeckonOauthRedirect
{
  GObject parent_instance;

  SoupServer *server; /* (owned) (nullable): while it listens */
  char *uri;          /* (owned) */
  char *state;        /* (owned) */
  BeckonClock *clock; /* (owned) (nullable) */
  GTask *task;        /* (owned) (nullable): while the browser is waited for */
  GHashTable *brought; /* (owned) (nullable): from the request on */
  GSource *cancelled; /* (owned) (nullable) */
  guint timeout;
};

G_DEFINE_FINAL_TYPE (BeckonOauthRedirect, beckon_oauth_redirect, G_TYPE_OBJECT)

static void
stop_listening (BeckonOauthRedirect *self)
{
  if (self->server == NULL)
    return;
  /* Requests that are under way go on without it. */
  soup_server_remove_handler (self->server, NULL);
  soup_server_disconnect (self->server);
  g_clear_object (&self->server);
}

static void
stop_waiting (BeckonOauthRedirect *self)
{
  if (self->timeout != 0)
    beckon_clock_remove (self->clock, self->timeout);
  self->timeout = 0;
  if (self->cancelled != NULL)
    g_source_destroy (self->cancelled);
  g_clear_pointer (&self->cancelled, g_source_unref);
}

static void
beckon_oauth_redirect_dispose (GObject *object)
{
  stop_listening (BECKON_OAUTH_REDIRECT (object));

  G_OBJECT_CLASS (beckon_oauth_redirect_parent_class)->dispose (object);
}

static void
beckon_oauth_redirect_finalize (GObject *object)
{
  BeckonOauthRedirect *self = BECKON_OAUTH_REDIRECT (object);

  g_assert (self->task == NULL && self->timeout == 0);
  g_clear_object (&self->clock);
  g_clear_pointer (&self->brought, g_hash_table_unref);
  g_free (self->uri);
  beckon_wipe (self->state);

  G_OBJECT_CLASS (beckon_oauth_redirect_parent_class)->finalize (object);
}

static void
beckon_oauth_redirect_class_init (BeckonOauthRedirectClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_oauth_redirect_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_oauth_redirect_finalize;
}

static void
beckon_oauth_redirect_init (BeckonOauthRedirect *self)
{
}

/* How long it takes says nothing about where the two differ. */
static gboolean
is_same (const char *one, const char *other)
{
  gsize length = strlen (other);
  guchar difference = 0;

  if (one == NULL || strlen (one) != length)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    difference |= (guchar) (one[i] ^ other[i]);
  return difference == 0;
}

/* --- The end ------------------------------------------------------------------------------------------------------ */

/* @error: (transfer full) (nullable) */
static void
end (BeckonOauthRedirect *self, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  stop_waiting (self);
  stop_listening (self);
  if (task == NULL)
    g_clear_error (&error);
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&self->brought), (GDestroyNotify) g_hash_table_unref);
}

static gboolean
on_time_over (gpointer user_data)
{
  g_autoptr (BeckonOauthRedirect) self = g_object_ref (user_data);
  g_autofree char *words = NULL;

  self->timeout = 0;
  /* Translators: a number of minutes, more than one */
  words = g_strdup_printf (_("The sign-in timed out after %d minutes. Try again."), BECKON_OAUTH_REDIRECT_SECONDS / 60);
  end (self, g_error_new_literal (BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_FAILED, words));
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (BeckonOauthRedirect) self = g_object_ref (user_data);

  end (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The sign-in was stopped.")));
  return G_SOURCE_REMOVE;
}

/* --- What the browser brings -------------------------------------------------------------------------------------- */

static void
answer_nothing (SoupServerMessage *message)
{
  soup_message_headers_replace (soup_server_message_get_response_headers (message), "Connection", "close");
  soup_server_message_set_status (message, SOUP_STATUS_NOT_FOUND, NULL);
}

static void
answer_page (SoupServerMessage *message, const char *text)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);
  g_autofree char *words = g_markup_escape_text (text, -1);
  g_autofree char *page
      = g_strdup_printf ("<!DOCTYPE html><meta charset=\"utf-8\"><title>Beckon</title><p dir=\"auto\">%s</p>\n", words);

  soup_message_headers_replace (headers, "Content-Security-Policy", "default-src 'none'");
  soup_message_headers_replace (headers, "Referrer-Policy", "no-referrer");
  soup_message_headers_replace (headers, "X-Content-Type-Options", "nosniff");
  soup_message_headers_replace (headers, "Cache-Control", "no-store");
  soup_message_headers_replace (headers, "Connection", "close");
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup_server_message_set_response (message, "text/html; charset=utf-8", SOUP_MEMORY_COPY, page, strlen (page));
}

static gboolean
end_later (gpointer user_data)
{
  end (user_data, NULL);
  return G_SOURCE_REMOVE;
}

/* Behind the page nothing listens any more; later, because the server is still busy with it. */
static void
on_page_sent (BeckonOauthRedirect *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, end_later, g_object_ref (self), g_object_unref);
}

static gboolean
is_ours (BeckonOauthRedirect *self, SoupServerMessage *message, const char *path, GHashTable *query)
{
  return self->task != NULL && self->brought == NULL && soup_server_message_get_method (message) == SOUP_METHOD_GET
         && strcmp (path, PATH) == 0 && query != NULL && is_same (g_hash_table_lookup (query, "state"), self->state);
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
  soup_message_body_set_accumulate (soup_server_message_get_request_body (message), FALSE);
  if (has_large_body (message))
    g_socket_shutdown (soup_server_message_get_socket (message), TRUE, TRUE, NULL);
  if (!is_ours (BECKON_OAUTH_REDIRECT (user_data), message, path, query))
    answer_nothing (message);
}

static GHashTable *
copy_query (GHashTable *query)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) beckon_wipe);
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, query);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (strlen (value) <= VALUE_MAX)
      g_hash_table_insert (copy, g_strdup (name), g_strdup (value));
  return copy;
}

static void
on_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer user_data)
{
  BeckonOauthRedirect *self = BECKON_OAUTH_REDIRECT (user_data);

  if (!is_ours (self, message, path, query))
    {
      answer_nothing (message);
      return;
    }
  self->brought = copy_query (query);
  answer_page (message, g_hash_table_contains (query, "error") ? _("The sign-in didn’t work. Return to Beckon to see why.")
                                                               : _("You can close this window."));
  g_signal_connect_object (message, "finished", G_CALLBACK (on_page_sent), self, G_CONNECT_SWAPPED);
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

static guint16
get_port_of (const char *uri)
{
  g_autoptr (GUri) parsed = uri != NULL ? g_uri_parse (uri, G_URI_FLAGS_NONE, NULL) : NULL;

  return parsed != NULL && g_uri_get_port (parsed) > 0 ? (guint16) g_uri_get_port (parsed) : 0;
}

static gboolean
listen_on (SoupServer *server, guint16 port, GError **error)
{
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (loopback, port);

  return soup_server_listen (server, address, 0, error);
}

BeckonOauthRedirect *
beckon_oauth_redirect_new (const char *uri, GError **error)
{
  g_autoptr (BeckonOauthRedirect) self = g_object_new (BECKON_TYPE_OAUTH_REDIRECT, NULL);
  g_autoptr (GError) cause = NULL;
  guint16 port = get_port_of (uri);

  self->server = soup_server_new ("server-header", NULL, NULL);
  if ((port == 0 || !listen_on (self->server, port, NULL)) && !listen_on (self->server, 0, &cause))
    {
      beckon_text_set_error (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_FAILED,
                             /* Translators: why, in the system's words */
                             _("The browser’s answer cannot be waited for on this computer (%s)."), cause->message);
      return NULL;
    }
  soup_server_add_early_handler (self->server, NULL, on_early_request, self, NULL);
  soup_server_add_handler (self->server, NULL, on_request, self, NULL);
  self->uri = g_strdup_printf ("http://127.0.0.1:%u" PATH, get_port (self->server));
  self->state = beckon_base64url_random ();
  return g_steal_pointer (&self);
}

const char *
beckon_oauth_redirect_get_uri (BeckonOauthRedirect *self)
{
  g_return_val_if_fail (BECKON_IS_OAUTH_REDIRECT (self), NULL);

  return self->uri;
}

const char *
beckon_oauth_redirect_get_state (BeckonOauthRedirect *self)
{
  g_return_val_if_fail (BECKON_IS_OAUTH_REDIRECT (self), NULL);

  return self->state;
}

void
beckon_oauth_redirect_wait_async (BeckonOauthRedirect *self, BeckonClock *clock, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_OAUTH_REDIRECT (self));
  g_return_if_fail (self->server != NULL && self->task == NULL);

  self->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (self->task, beckon_oauth_redirect_wait_async);
  self->clock = g_object_ref (clock);
  self->timeout = beckon_clock_add_timeout (clock, BECKON_OAUTH_REDIRECT_SECONDS * 1000, on_time_over, self);
  if (cancellable != NULL)
    {
      self->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (self->cancelled, G_SOURCE_FUNC (on_cancelled), self, NULL);
      g_source_attach (self->cancelled, g_main_context_get_thread_default ());
    }
}

GHashTable *
beckon_oauth_redirect_wait_finish (BeckonOauthRedirect *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_oauth_redirect_wait_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
