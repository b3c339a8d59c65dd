/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-xmpp-file.h"

#include "base/beckon-finish.h"
#include "base/beckon-text-printf.h"
#include "channels/beckon-channel-adapter.h"
#include "channels/beckon-channel-message.h"
#include "net/beckon-web-get.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define HTTPS "https://"

gboolean
beckon_xmpp_file_is_address (const char *url)
{
  return g_str_has_prefix (url, HTTPS) && strlen (url) <= BECKON_CHANNEL_REFERENCE_MAX;
}

gboolean
beckon_xmpp_file_repeats (char **files, const char *text)
{
  g_autofree char *line = g_strstrip (g_strdup (text));

  return files != NULL && g_strv_contains ((const char *const *)files, line);
}

char *
beckon_xmpp_file_dup_name (const char *url)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);
  g_autofree char *name = uri != NULL ? g_path_get_basename (g_uri_get_path (uri)) : NULL;
  gboolean is_name = name != NULL && strcmp (name, "/") != 0 && strcmp (name, ".") != 0;

  return is_name && strlen (name) <= BECKON_CHANNEL_ID_MAX ? g_steal_pointer (&name) : NULL;
}

/* A person has named the account's server, which may be on this network; its files lie on a host of that name or below it. */
static gboolean
is_own_server (GUri *uri, const char *domain, const char *host)
{
  g_autofree char *lower = g_ascii_strdown (g_uri_get_host (uri), -1);
  g_autofree char *below = g_strconcat (".", domain, NULL);

  return strcmp (lower, domain) == 0 || g_str_has_suffix (lower, below)
         || (host != NULL && g_ascii_strcasecmp (lower, host) == 0);
}

static void
set_private (GError **error)
{
  g_set_error_literal (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_REFUSED,
                       _("The file lies on a private network, or is led on elsewhere."));
}

/* A server may lead on to a page without TLS, which is not what was sent. */
static GBytes *
xmpp_file_take (BeckonWebPage *page, GError **error)
{
  if (page->moved_to != NULL || !g_str_has_prefix (page->url, HTTPS))
    set_private (error);
  else if (page->is_cut)
    beckon_text_set_error (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_REFUSED, _("The file has more than %u MB."),
                           (guint)(BECKON_WEB_GET_MAX_BYTES / (1024 * 1024)));
  else
    return g_bytes_ref (page->body);
  return NULL;
}

static void
xmpp_file_on_got (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) fault = NULL;
  g_autoptr (BeckonWebPage) page = beckon_web_get_finish (result, &fault);
  GError *error = NULL;
  GBytes *bytes = page != NULL ? xmpp_file_take (page, &error) : NULL;
  guint status = 0;

  if (bytes != NULL)
    g_task_return_pointer (task, bytes, (GDestroyNotify)g_bytes_unref);
  else if (g_error_matches (fault, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_task_return_error (task, g_steal_pointer (&fault));
  else
    {
      if (error == NULL)
        switch (beckon_web_get_get_fault (result, &status))
          {
          case BECKON_WEB_FAULT_STATUS:
            beckon_text_set_error (&error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_GONE,
                                   _("The file’s server does not give it (HTTP %u)."), status);
            break;
          case BECKON_WEB_FAULT_ADDRESS:
          case BECKON_WEB_FAULT_PRIVATE:
          case BECKON_WEB_FAULT_REDIRECTS:
            set_private (&error);
            break;
          case BECKON_WEB_FAULT_LATE:
            g_set_error_literal (&error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_LATE, _("The file did not come in time."));
            break;
          case BECKON_WEB_FAULT_OLD_TLS:
          case BECKON_WEB_FAULT_PROXY:
          case BECKON_WEB_FAULT_OTHER:
          default:
            g_set_error_literal (&error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_NETWORK,
                                 _("The file’s server can’t be reached."));
            break;
          }
      g_task_return_error (task, error);
    }
}

void
beckon_xmpp_file_fetch_async (const char *url,
                              const char *domain,
                              const char *host,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GUri) any = beckon_web_get_check (url, TRUE, NULL);
  g_autoptr (GUri) uri = NULL;
  GError *error = NULL;
  gboolean is_own;

  g_task_set_source_tag (task, beckon_xmpp_file_fetch_async);
  is_own = any != NULL && domain != NULL && is_own_server (any, domain, host);
  uri = g_str_has_prefix (url, HTTPS) ? beckon_web_get_check (url, is_own, NULL) : NULL;
  if (uri != NULL)
    {
      beckon_web_get_async (url, "*/*", is_own, cancellable, xmpp_file_on_got, g_steal_pointer (&task));
      return;
    }
  set_private (&error);
  g_task_return_error (task, error);
}

BECKON_FINISH_LONE_POINTER (GBytes *, beckon_xmpp_file_fetch)
