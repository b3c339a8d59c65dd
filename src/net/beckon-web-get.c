/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-web-get.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-origin.h"
#include "beckon-http-exchange.h"
#include "beckon-public-address.h"

#include <libsoup/soup.h>
#include <string.h>

/* The fetch of a page, over one or more exchanges, each with a session, which knows where it may connect. */
typedef struct
{
  GUri *uri;
  char *accept;
  gboolean private_too;
  guint n_redirects;

  GCancellable *cancellable; /* ours: the caller's, or the time is over */
  GCancellable *outer;       /* (nullable) */
  gulong outer_handler;
  guint timeout;
  gboolean is_late;
  SoupSession *session;
  SoupMessage *message;
  BeckonHttpExchange *exchange;
  GByteArray *body;
  GError *error; /* (nullable): of a connection, while the proxies are looked up */
  BeckonWebFault fault;
} Get;

static void web_get_begin (GTask *task);

/* (owned) (nullable): in place of the system's. */
static GProxyResolver *other_proxies;

void
beckon_web_page_free (BeckonWebPage *page)
{
  if (page == NULL)
    return;

  g_free (page->url);
  g_free (page->type);
  g_free (page->charset);
  g_clear_pointer (&page->body, g_bytes_unref);
  g_free (page->moved_to);
  g_free (page);
}

static void
get_free (gpointer data)
{
  Get *get = data;

  g_assert (get->timeout == 0);
  g_uri_unref (get->uri);
  g_free (get->accept);
  g_object_unref (get->cancellable);
  g_clear_object (&get->outer);
  g_clear_object (&get->exchange);
  g_clear_object (&get->message);
  g_clear_object (&get->session);
  g_byte_array_unref (get->body);
  g_clear_error (&get->error);
  g_free (get);
}

static gboolean
web_get_refuse (GError **error, const char *reason)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, reason);
  return FALSE;
}

static gboolean
check_uri (GUri *uri, gboolean private_too, GError **error)
{
  const char *scheme = g_uri_get_scheme (uri);
  const char *host;
  g_autoptr (GInetAddress) address = NULL;

  if (!g_str_equal (scheme, "http") && !g_str_equal (scheme, "https"))
    return web_get_refuse (error, "Only http and https URLs can be fetched.");
  if (g_uri_get_userinfo (uri) != NULL)
    return web_get_refuse (error, "A URL with a user name or password in it is not fetched.");

  /* A host that is a number is seen through before anybody is asked. */
  host = g_uri_get_host (uri);
  if (host == NULL || *host == '\0')
    return web_get_refuse (error, "This URL has no host.");
  address = g_inet_address_new_from_string (host);
  if (private_too || ((address == NULL || beckon_public_address_is_public (address))
                      && g_ascii_strcasecmp (host, "localhost") != 0 && !g_str_has_suffix (host, ".localhost")))
    return TRUE;

  return web_get_refuse (error, BECKON_PUBLIC_ADDRESS_REFUSAL);
}

GUri *
beckon_web_get_check (const char *url, gboolean private_too, GError **error)
{
  g_autoptr (GUri) uri = NULL;

  g_return_val_if_fail (url != NULL, NULL);

  uri = g_uri_parse (url, SOUP_HTTP_URI_FLAGS, NULL);
  if (uri == NULL)
    {
      web_get_refuse (error, "This is no URL. Give a whole one, such as https://example.org/page.");
      return NULL;
    }

  return check_uri (uri, private_too, error) ? g_steal_pointer (&uri) : NULL;
}

static void
end_waiting (Get *get)
{
  g_clear_handle_id (&get->timeout, g_source_remove);
  if (get->outer != NULL)
    g_cancellable_disconnect (get->outer, get->outer_handler);
  get->outer_handler = 0;
}

void
beckon_web_get_set_proxies (GProxyResolver *proxies)
{
  g_set_object (&other_proxies, proxies);
}

static GProxyResolver *
get_proxies (void)
{
  return other_proxies != NULL ? other_proxies : g_proxy_resolver_get_default ();
}

/* The one return with an error. Takes @error. */
static void
web_get_fail (GTask *task, GError *error)
{
  Get *get = g_task_get_task_data (task);

  end_waiting (get);
  if (get->is_late)
    {
      g_clear_error (&error);
      get->fault = BECKON_WEB_FAULT_LATE;
      error = g_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "The page did not come within %d seconds.",
                           BECKON_WEB_GET_SECONDS);
    }
  g_task_return_error (task, error);
}

static void
web_get_finish (GTask *task, gboolean is_cut, const char *moved_to)
{
  Get *get = g_task_get_task_data (task);
  BeckonWebPage *page = g_new0 (BeckonWebPage, 1);
  g_autoptr (GHashTable) parameters = NULL;

  end_waiting (get);
  page->url = g_uri_to_string (get->uri);
  page->moved_to = g_strdup (moved_to);
  page->is_cut = is_cut;
  page->type = g_strdup (soup_message_headers_get_content_type (soup_message_get_response_headers (get->message),
                                                                &parameters));
  if (page->type != NULL)
    {
      g_autofree char *lower = g_ascii_strdown (page->type, -1);

      g_free (page->type);
      page->type = g_steal_pointer (&lower);
      page->charset = g_strdup (g_hash_table_lookup (parameters, "charset"));
    }
  page->body = g_bytes_new (get->body->data, get->body->len);
  g_task_return_pointer (task, page, (GDestroyNotify) beckon_web_page_free);
}

/* The same host, by the same scheme or a safer one, is followed; another one is a decision of its own. */
static void
web_get_follow (GTask *task)
{
  Get *get = g_task_get_task_data (task);
  const char *location = soup_message_headers_get_one (soup_message_get_response_headers (get->message), "Location");
  g_autoptr (GUri) next = location != NULL ? g_uri_parse_relative (get->uri, location, SOUP_HTTP_URI_FLAGS, NULL) : NULL;
  g_autofree char *url = next != NULL ? g_uri_to_string (next) : NULL;
  GError *error = NULL;

  get->fault = BECKON_WEB_FAULT_REDIRECTS;
  if (next == NULL)
    web_get_refuse (&error, "The page redirects to what is no URL.");
  else if (++get->n_redirects > BECKON_WEB_GET_MAX_REDIRECTS)
    web_get_refuse (&error, "The page redirects again and again.");
  else if (check_uri (next, get->private_too, &error))
    {
      gboolean is_same = g_ascii_strcasecmp (g_uri_get_host (next), g_uri_get_host (get->uri)) == 0
                         && (g_uri_get_port (next) == g_uri_get_port (get->uri)
                             || !g_str_equal (g_uri_get_scheme (next), g_uri_get_scheme (get->uri)));
      gboolean is_weaker = g_str_equal (g_uri_get_scheme (get->uri), "https")
                           && g_str_equal (g_uri_get_scheme (next), "http");

      if (!is_same || is_weaker)
        {
          web_get_finish (task, FALSE, url);
          return;
        }
      g_uri_unref (get->uri);
      get->uri = g_steal_pointer (&next);
      get->fault = BECKON_WEB_FAULT_OTHER;
      web_get_begin (task);
      return;
    }
  else
    get->fault = check_uri (next, TRUE, NULL) ? BECKON_WEB_FAULT_PRIVATE : BECKON_WEB_FAULT_ADDRESS;

  web_get_fail (task, error);
}

static gboolean
leads_elsewhere (char **proxies)
{
  for (guint i = 0; proxies != NULL && proxies[i] != NULL; i++)
    if (!g_str_has_prefix (proxies[i], "direct:"))
      return TRUE;

  return FALSE;
}

/* The error of the connection goes with the task while it is looked whether there is a better word for it. */
static void
on_proxies (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Get *get = g_task_get_task_data (task);
  g_auto (GStrv) proxies = g_proxy_resolver_lookup_finish (G_PROXY_RESOLVER (source), result, NULL);

  if (leads_elsewhere (proxies))
    {
      g_clear_error (&get->error);
      get->fault = BECKON_WEB_FAULT_PROXY;
      get->error = g_error_new_literal (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                        "The page was not reached. This computer is set up to use a proxy, which could lead "
                                        "to addresses of the user's own network, so it is used only if the user allows "
                                        "fetch_url to reach these, in the preferences.");
    }
  web_get_fail (task, g_steal_pointer (&get->error));
}

/* --- The exchange's handler, which holds the task ----------------------------------------------------------------- */

static SoupMessage *
web_get_make_message (gpointer user_data)
{
  Get *get = g_task_get_task_data (G_TASK (user_data));

  return beckon_http_exchange_get_message (get->exchange) == NULL ? g_object_ref (get->message) : NULL;
}

static gboolean
web_get_on_head (SoupMessage *message, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Get *get = g_task_get_task_data (task);
  guint status = soup_message_get_status (message);

  if (SOUP_STATUS_IS_SUCCESSFUL (status))
    {
      g_steal_pointer (&task);
      return TRUE;
    }
  beckon_http_exchange_stop (get->exchange);
  if (SOUP_STATUS_IS_REDIRECTION (status) && status != SOUP_STATUS_NOT_MODIFIED)
    web_get_follow (task);
  else
    {
      get->fault = BECKON_WEB_FAULT_STATUS;
      web_get_fail (task, g_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "The server answered with status %u (%s).",
                                       status, soup_status_get_phrase (status)));
    }
  return FALSE;
}

static gboolean
web_get_on_body (const char *data, gsize length, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Get *get = g_task_get_task_data (task);
  gsize room = BECKON_WEB_GET_MAX_BYTES - get->body->len;

  g_byte_array_append (get->body, (const guint8 *) data, (guint) MIN (length, room));
  if (length < room)
    {
      g_steal_pointer (&task);
      return TRUE;
    }
  beckon_http_exchange_stop (get->exchange);
  web_get_finish (task, TRUE, NULL);
  return FALSE;
}

static void
web_get_on_end (const BeckonHttpOutcome *outcome, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  if (outcome->end == BECKON_HTTP_END_WHOLE)
    web_get_finish (task, FALSE, NULL);
  else if (outcome->end == BECKON_HTTP_END_UNSENT)
    {
      GError *error = g_error_copy (outcome->error);
      Get *get = g_task_get_task_data (task);
      g_autofree char *url = g_uri_to_string (get->uri);

      get->fault = error->domain == BECKON_ERROR ? BECKON_WEB_FAULT_PRIVATE : BECKON_WEB_FAULT_OTHER;
      if (get->private_too || error->domain == BECKON_ERROR || g_cancellable_is_cancelled (get->cancellable))
        {
          web_get_fail (task, error);
          return;
        }
      get->error = error;
      g_proxy_resolver_lookup_async (get_proxies (), url, get->cancellable, on_proxies, g_object_ref (task));
    }
  else if (outcome->end == BECKON_HTTP_END_BROKEN)
    web_get_fail (task, g_error_copy (outcome->error));
  else if (outcome->end == BECKON_HTTP_END_OLD_TLS)
    {
      Get *get = g_task_get_task_data (task);

      get->fault = BECKON_WEB_FAULT_OLD_TLS;
      web_get_fail (task,
                    g_error_new_literal (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                         "The page was not fetched: its server speaks only an old version of TLS, which can "
                                         "be broken into."));
    }
  else
    web_get_fail (task, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "The page was not fetched: it was stopped."));
}

static guint16
web_get_find_port (GUri *uri)
{
  int port = g_uri_get_port (uri);

  if (port > 0)
    return (guint16) port;
  return g_str_equal (g_uri_get_scheme (uri), "https") ? 443 : 80;
}

static void
web_get_begin (GTask *task)
{
  static const BeckonHttpHandler handler = { web_get_make_message, web_get_on_head, web_get_on_body, web_get_on_end };
  const BeckonHttpLimits no_limits = { 0 };
  Get *get = g_task_get_task_data (task);
  g_autoptr (GSocketConnectable) connectable = NULL;
  g_autofree char *url = NULL;

  if (!get->private_too)
    connectable = beckon_public_address_new (g_uri_get_host (get->uri), web_get_find_port (get->uri));
  g_clear_object (&get->exchange);
  g_clear_object (&get->message);
  g_clear_object (&get->session);
  /* A proxy looks up names itself, and stands where addresses may be reached that must not be: this program could not see
   * which. So it is asked only for what may be anywhere, and never for this computer itself. */
  url = g_uri_to_string (get->uri);
  get->session = soup_session_new_with_options ("user-agent", "Beckon", "proxy-resolver",
                                                get->private_too && !beckon_uri_is_loopback (url) ? get_proxies () : NULL,
                                                "remote-connectable", connectable, NULL);
  get->message = soup_message_new_from_uri (SOUP_METHOD_GET, get->uri);
  soup_message_add_flags (get->message, SOUP_MESSAGE_NO_REDIRECT | SOUP_MESSAGE_IDEMPOTENT);
  soup_message_headers_append (soup_message_get_request_headers (get->message), "Accept", get->accept);
  get->exchange = beckon_http_exchange_new (get->session, beckon_clock_get_system (), &no_limits, &handler,
                                            g_object_ref (task));
  beckon_http_exchange_begin (get->exchange, get->cancellable);
}

static gboolean
web_get_on_late (gpointer user_data)
{
  Get *get = g_task_get_task_data (G_TASK (user_data));

  get->timeout = 0;
  get->is_late = TRUE;
  g_cancellable_cancel (get->cancellable);
  return G_SOURCE_REMOVE;
}

static void
on_outer_cancelled (GCancellable *outer, gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
}

void
beckon_web_get_async (const char *url, const char *accept, gboolean private_too, GCancellable *cancellable,
                      GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  GError *error = NULL;
  GUri *uri = beckon_web_get_check (url, private_too, &error);
  Get *get;

  g_task_set_source_tag (task, beckon_web_get_async);
  if (uri == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (g_task_return_error_if_cancelled (task))
    {
      g_uri_unref (uri);
      return;
    }

  get = g_new0 (Get, 1);
  get->uri = uri;
  get->accept = g_strdup (accept);
  get->private_too = private_too;
  get->cancellable = g_cancellable_new ();
  get->body = g_byte_array_new ();
  g_task_set_task_data (task, get, get_free);
  get->timeout = g_timeout_add_seconds (BECKON_WEB_GET_SECONDS, web_get_on_late, task);
  if (cancellable != NULL)
    {
      get->outer = g_object_ref (cancellable);
      get->outer_handler = g_cancellable_connect (cancellable, G_CALLBACK (on_outer_cancelled), get->cancellable, NULL);
    }
  web_get_begin (task);
}

BECKON_FINISH_LONE_POINTER (BeckonWebPage *, beckon_web_get)

BeckonWebFault
beckon_web_get_get_fault (GAsyncResult *result, guint *status)
{
  Get *get;

  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_web_get_async), BECKON_WEB_FAULT_OTHER);
  g_return_val_if_fail (status != NULL, BECKON_WEB_FAULT_OTHER);

  get = g_task_get_task_data (G_TASK (result));
  *status = soup_message_get_status (get->message);
  return get->fault;
}
