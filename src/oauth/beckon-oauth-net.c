/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A session for each request, because a session knows one place to connect to; a sign-in has half a dozen of them. */

#include "beckon-config.h"

#include "beckon-oauth-net.h"

#include "base/beckon-finish.h"
#include "base/beckon-origin.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-wipe.h"
#include "beckon-oauth.h"
#include "beckon-oauth-url.h"
#include "net/beckon-http-exchange.h"
#include "net/beckon-proxy-chooser.h"
#include "net/beckon-public-address.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define REDIRECTS_MAX 3

struct _BeckonOauthNet
{
  GObject parent_instance;

  char *server;       /* (owned) */
  BeckonClock *clock; /* (owned) */
  gboolean is_known;  /* whether the server is on the public internet */
  gboolean is_public;
};

G_DEFINE_FINAL_TYPE (BeckonOauthNet, beckon_oauth_net, G_TYPE_OBJECT)

typedef struct
{
  char *url;
  char *body;
  char *type;
  char *authorization;
  guint n_redirects;
  gboolean is_sent;
  SoupSession *session;         /* (owned) (nullable) */
  SoupMessage *message;         /* (owned) (nullable) */
  BeckonHttpExchange *exchange; /* (owned) (nullable) */
  GString *answer;
} Ask;

static void send (GTask *task);

void
beckon_oauth_answer_free (BeckonOauthAnswer *answer)
{
  if (answer == NULL)
    return;

  g_free (answer->challenge);
  beckon_wipe (answer->body);
  g_free (answer);
}

static void
ask_free (Ask *ask)
{
  g_clear_object (&ask->exchange);
  g_clear_object (&ask->message);
  g_clear_object (&ask->session);
  g_free (ask->url);
  beckon_wipe (ask->body);
  g_free (ask->type);
  beckon_wipe (ask->authorization);
  if (ask->answer != NULL)
    beckon_wipe (g_string_free (ask->answer, FALSE));
  g_free (ask);
}

static void
beckon_oauth_net_finalize (GObject *object)
{
  BeckonOauthNet *self = BECKON_OAUTH_NET (object);

  g_free (self->server);
  g_object_unref (self->clock);

  G_OBJECT_CLASS (beckon_oauth_net_parent_class)->finalize (object);
}

static void
beckon_oauth_net_class_init (BeckonOauthNetClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_oauth_net_finalize;
}

static void
beckon_oauth_net_init (BeckonOauthNet *self)
{
}

BeckonOauthNet *
beckon_oauth_net_new (const char *server, BeckonClock *clock)
{
  BeckonOauthNet *self;

  self = g_object_new (BECKON_TYPE_OAUTH_NET, NULL);
  self->server = g_strdup (server);
  self->clock = g_object_ref (clock);
  return self;
}

/* --- Where it may lead -------------------------------------------------------------------------------------------- */

static gboolean
is_private (const char *host)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);

  return beckon_host_is_local (host) || (address != NULL && !beckon_public_address_is_public (address));
}

static char *
dup_name (const char *url)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);

  return g_strdup (uri != NULL && g_uri_get_host (uri) != NULL ? g_uri_get_host (uri) : "");
}

static GError *
make_private_error (BeckonOauthNet *self, const char *url)
{
  g_autofree char *host = beckon_oauth_url_dup_host (self->server);
  g_autofree char *other = beckon_oauth_url_dup_host (url);

  return beckon_text_error_new (BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_UNSAFE,
                                /* Translators: two names of servers */
                                _("%1$s wants to be signed in to by way of %2$s, which is this computer or on its network. "
                                  "Beckon doesn’t do that."),
                                host, other);
}

gboolean
beckon_oauth_net_allows (BeckonOauthNet *net, const char *url, GError **error)
{
  g_autofree char *host = NULL;

  if (!beckon_oauth_url_check (url, error))
    return FALSE;
  host = dup_name (url);
  if (!net->is_public || !is_private (host))
    return TRUE;
  g_propagate_error (error, make_private_error (net, url));
  return FALSE;
}

/* --- The end ------------------------------------------------------------------------------------------------------ */

static void
oauth_net_fail (GTask *task, BeckonOauthError code, const char *words)
{
  Ask *ask = g_task_get_task_data (task);
  g_autofree char *host = beckon_oauth_url_dup_host (ask->url);
  g_autofree char *sentence = beckon_text_fill_in (words, host);

  g_task_return_new_error (task, BECKON_OAUTH_ERROR, (int) code, "%s", sentence);
}

static void
fail_unsent (GTask *task, const BeckonHttpOutcome *outcome)
{
  Ask *ask = g_task_get_task_data (task);
  g_autofree char *host = NULL;
  g_autofree char *why = NULL;

  if (outcome->error != NULL && outcome->error->domain != G_IO_ERROR && outcome->error->domain != G_RESOLVER_ERROR
      && outcome->error->domain != G_TLS_ERROR && outcome->error->domain != SOUP_SESSION_ERROR)
    {
      g_task_return_error (task, make_private_error (g_task_get_source_object (task), ask->url));
      return;
    }
  host = beckon_oauth_url_dup_host (ask->url);
  why = beckon_text_for_display (outcome->error != NULL ? outcome->error->message : "", -1, BECKON_TEXT_EXACT);
  g_task_return_error (task, beckon_text_error_new (BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_FAILED,
                                                    /* Translators: a server's name, and why, in the system's words */
                                                    _("Couldn’t reach %1$s to sign in: %2$s"), host, why));
}

/* --- The exchange's handler, which holds the task ----------------------------------------------------------------- */

static SoupMessage *
oauth_net_make_message (gpointer user_data)
{
  Ask *ask = g_task_get_task_data (G_TASK (user_data));

  if (ask->is_sent)
    return NULL;
  ask->is_sent = TRUE;
  return g_object_ref (ask->message);
}

/* (transfer full) (nullable): where a redirect leads that may be followed. */
static char *
dup_next (Ask *ask)
{
  const char *location = soup_message_headers_get_one (soup_message_get_response_headers (ask->message), "Location");
  g_autofree char *next = location != NULL ? g_uri_resolve_relative (ask->url, location, G_URI_FLAGS_ENCODED, NULL) : NULL;
  g_autofree char *origin = next != NULL ? beckon_oauth_url_at_root (ask->url, "/") : NULL;

  if (next == NULL || ask->body != NULL || ask->n_redirects >= REDIRECTS_MAX
      || !g_str_has_prefix (next, origin) || !beckon_oauth_url_check (next, NULL))
    return NULL;
  return g_steal_pointer (&next);
}

static gboolean
oauth_net_on_head (SoupMessage *message, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Ask *ask = g_task_get_task_data (task);
  g_autofree char *next = SOUP_STATUS_IS_REDIRECTION (soup_message_get_status (message)) ? dup_next (ask) : NULL;

  if (next == NULL)
    {
      g_steal_pointer (&task);
      return TRUE;
    }
  beckon_http_exchange_stop (ask->exchange);
  ask->n_redirects++;
  g_free (ask->url);
  ask->url = g_steal_pointer (&next);
  send (task);
  return FALSE;
}

static gboolean
oauth_net_on_body (const char *data, gsize length, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Ask *ask = g_task_get_task_data (task);

  if (ask->answer->len + length <= BECKON_OAUTH_NET_MAX)
    {
      g_string_append_len (ask->answer, data, (gssize) length);
      g_steal_pointer (&task);
      return TRUE;
    }
  beckon_http_exchange_stop (ask->exchange);
  /* Translators: a server's name */
  oauth_net_fail (task, BECKON_OAUTH_ERROR_PROTOCOL, _("%s answered too much while signing in."));
  return FALSE;
}

static void
oauth_net_on_end (const BeckonHttpOutcome *outcome, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  switch (outcome->end)
    {
    case BECKON_HTTP_END_WHOLE:
      {
        Ask *ask = g_task_get_task_data (task);
        BeckonOauthAnswer *answer = g_new0 (BeckonOauthAnswer, 1);

        answer->status = soup_message_get_status (ask->message);
        answer->challenge
            = g_strdup (soup_message_headers_get_list (soup_message_get_response_headers (ask->message), "WWW-Authenticate"));
        answer->length = ask->answer->len;
        answer->body = g_string_free (g_steal_pointer (&ask->answer), FALSE);
        g_task_return_pointer (task, answer, (GDestroyNotify) beckon_oauth_answer_free);
      }
      break;
    case BECKON_HTTP_END_UNSENT:
    case BECKON_HTTP_END_BROKEN:
      fail_unsent (task, outcome);
      break;
    case BECKON_HTTP_END_LATE:
      /* Translators: a server's name */
      oauth_net_fail (task, BECKON_OAUTH_ERROR_FAILED, _("%s didn’t answer in time while signing in."));
      break;
    case BECKON_HTTP_END_OLD_TLS:
      /* Translators: a server's name */
      oauth_net_fail (task, BECKON_OAUTH_ERROR_UNSAFE, _("%s speaks only an old version of TLS, which can be broken into."));
      break;
    case BECKON_HTTP_END_CANCELLED:
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The sign-in was stopped."));
      break;
    default:
      g_assert_not_reached ();
    }
}

/* --- Asking ------------------------------------------------------------------------------------------------------- */

static guint16
oauth_net_get_port (GUri *uri)
{
  if (g_uri_get_port (uri) > 0)
    return (guint16) g_uri_get_port (uri);
  return strcmp (g_uri_get_scheme (uri), "https") == 0 ? 443 : 80;
}

static void
send (GTask *task)
{
  static const BeckonHttpHandler handler = { oauth_net_make_message, oauth_net_on_head, oauth_net_on_body, oauth_net_on_end };
  const BeckonHttpLimits limits = { .total_s = BECKON_OAUTH_NET_SECONDS };
  BeckonOauthNet *self = g_task_get_source_object (task);
  Ask *ask = g_task_get_task_data (task);
  GError *error = NULL;
  SoupMessageHeaders *headers;
  GUri *uri;
  g_autoptr (BeckonProxyChooser) proxies = NULL;
  g_autoptr (GSocketConnectable) only = NULL;
  SoupSession *session;

  if (!beckon_oauth_net_allows (self, ask->url, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_clear_object (&ask->exchange);
  g_clear_object (&ask->message);
  g_clear_object (&ask->session);
  ask->is_sent = FALSE;
  ask->message = soup_message_new (ask->body != NULL ? SOUP_METHOD_POST : SOUP_METHOD_GET, ask->url);
  uri = soup_message_get_uri (ask->message);
  proxies = beckon_proxy_chooser_new (NULL);
  only = self->is_public ? beckon_public_address_new (g_uri_get_host (uri), oauth_net_get_port (uri)) : NULL;
  session = soup_session_new_with_options ("user-agent", "beckon/" BECKON_VERSION, "timeout", 0, "proxy-resolver", proxies,
                                           "remote-connectable", only, NULL);
  soup_session_remove_feature_by_type (session, SOUP_TYPE_AUTH_MANAGER);
  ask->session = session;
  headers = soup_message_get_request_headers (ask->message);
  soup_message_headers_replace (headers, "Accept", "application/json");
  if (ask->authorization != NULL)
    soup_message_headers_replace (headers, "Authorization", ask->authorization);
  if (ask->body != NULL)
    {
      char *copy = g_strdup (ask->body);
      g_autoptr (GBytes) body = g_bytes_new_with_free_func (copy, strlen (copy), (GDestroyNotify) beckon_wipe, copy);

      soup_message_set_request_body_from_bytes (ask->message, ask->type, body);
    }
  ask->exchange = beckon_http_exchange_new (ask->session, self->clock, &limits, &handler, g_object_ref (task));
  beckon_http_exchange_begin (ask->exchange, g_task_get_cancellable (task));
}

static gboolean
are_public (GList *addresses)
{
  for (GList *at = addresses; at != NULL; at = at->next)
    if (!beckon_public_address_is_public (at->data))
      return FALSE;
  return TRUE;
}

/* A name that is not found may be known to a proxy alone; it counts as public. */
static void
on_resolved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonOauthNet *self = g_task_get_source_object (task);
  GList *addresses = g_resolver_lookup_by_name_finish (G_RESOLVER (source), result, NULL);

  if (g_task_return_error_if_cancelled (task))
    {
      g_resolver_free_addresses (addresses);
      return;
    }
  self->is_known = TRUE;
  self->is_public = are_public (addresses);
  g_resolver_free_addresses (addresses);
  send (task);
}

void
beckon_oauth_net_ask_async (BeckonOauthNet *net, const BeckonOauthAsk *request, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (net, cancellable, callback, user_data);
  Ask *ask = g_new0 (Ask, 1);

  g_task_set_source_tag (task, beckon_oauth_net_ask_async);
  ask->url = g_strdup (request->url);
  ask->body = g_strdup (request->body);
  ask->type = g_strdup (request->type);
  ask->authorization = g_strdup (request->authorization);
  ask->answer = g_string_new (NULL);
  g_task_set_task_data (task, ask, (GDestroyNotify) ask_free);
  if (!g_task_return_error_if_cancelled (task))
    {
      g_autofree char *host = dup_name (net->server);
      g_autoptr (GResolver) resolver = NULL;

      /* A server on the person's own network may have its sign-in there too. */
      if (is_private (host) || net->is_known)
        {
          net->is_known = TRUE;
          send (task);
          return;
        }
      resolver = g_resolver_get_default ();
      g_resolver_lookup_by_name_async (resolver, host, g_task_get_cancellable (task), on_resolved, g_object_ref (task));
    }
}

BECKON_FINISH_POINTER (BeckonOauthAnswer *, beckon_oauth_net_ask, BeckonOauthNet)
