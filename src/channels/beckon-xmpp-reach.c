/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-xmpp-reach.h"

#include "base/beckon-finish.h"
#include "base/beckon-text-printf.h"
#include "channels/beckon-channel-adapter.h"

#include <glib/gi18n-lib.h>

#define SECONDS 15

typedef struct
{
  char *name; /* for people */
  char *domain;
  GSocketClient *client;
} Reach;

static void
reach_free (gpointer data)
{
  Reach *reach = data;

  g_free (reach->name);
  g_free (reach->domain);
  g_object_unref (reach->client);
  g_free (reach);
}

static GError *
make_error (const char *name, const GError *cause)
{
  const int code = BECKON_CHANNEL_ERROR_NETWORK;

  if (cause->domain == G_RESOLVER_ERROR || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_HOST_NOT_FOUND))
    return beckon_text_error_new (BECKON_CHANNEL_ERROR, code,
                                  _("The server %s was not found. Check the address and the network connection."),
                                  name);
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    return beckon_text_error_new (BECKON_CHANNEL_ERROR, code,
                                  _("No XMPP server answers at %s. Check the address, the server and its port."),
                                  name);
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    return beckon_text_error_new (BECKON_CHANNEL_ERROR, code, _("%s did not answer in time."), name);
  return beckon_text_error_new (BECKON_CHANNEL_ERROR, code, _("Couldn't connect to %s: %s"), name, cause->message);
}

static void try_host (GTask *task, const char *host, guint16 port);

static void
on_connected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocketConnection) connection = g_socket_client_connect_finish (G_SOCKET_CLIENT (source), result, &error);
  Reach *reach = g_task_get_task_data (task);
  g_autoptr (GSocketAddress) address = NULL;
  g_autoptr (GError) lost = NULL;

  if (connection == NULL && error->domain == G_RESOLVER_ERROR && reach->domain != NULL)
    {
      g_autofree char *domain = g_steal_pointer (&reach->domain);

      try_host (task, domain, BECKON_XMPP_PORT);
      return;
    }
  if (connection != NULL)
    address = g_socket_connection_get_remote_address (connection, &lost);
  if (address != NULL)
    g_task_return_pointer (task, g_steal_pointer (&address), g_object_unref);
  else
    {
      const GError *cause = error != NULL ? error : lost;

      if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        g_task_return_error (task, g_error_copy (cause));
      else
        g_task_return_error (task, make_error (reach->name, cause));
    }
}

static void
try_address (GTask *task, GSocketConnectable *connectable)
{
  Reach *reach = g_task_get_task_data (task);

  g_socket_client_connect_async (reach->client, connectable, g_task_get_cancellable (task), on_connected,
                                 g_object_ref (task));
}

static void
try_host (GTask *task, const char *host, guint16 port)
{
  g_autoptr (GSocketConnectable) connectable = g_network_address_new (host, port);

  try_address (task, connectable);
}

void
beckon_xmpp_reach_async (const char *domain,
                         const char *host,
                         guint16 port,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Reach *reach = g_new0 (Reach, 1);
  g_autoptr (GSocketConnectable) connectable = NULL;

  g_task_set_source_tag (task, beckon_xmpp_reach_async);
  reach->name = g_strdup (host != NULL ? host : domain);
  reach->client = g_socket_client_new ();
  g_socket_client_set_enable_proxy (reach->client, FALSE);
  g_socket_client_set_timeout (reach->client, SECONDS);
  g_task_set_task_data (task, reach, reach_free);
  if (host != NULL || port != 0)
    {
      try_host (task, host != NULL ? host : domain, port != 0 ? port : BECKON_XMPP_PORT);
      return;
    }
  reach->domain = g_strdup (domain);
  connectable = g_network_service_new ("xmpp-client", "tcp", domain);
  try_address (task, connectable);
}

BECKON_FINISH_LONE_POINTER (GInetSocketAddress *, beckon_xmpp_reach)
