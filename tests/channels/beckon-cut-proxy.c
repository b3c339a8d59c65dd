/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-cut-proxy.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

struct _BeckonCutProxy
{
  GSocketService *service;
  guint16 target;
  guint16 port;
  GMutex mutex;
  gint64 most; /* of the server's bytes that still pass; -1 for all */
  gboolean refuses;
  guint count;
  guint running;
  GCond cond;
  guint generation;
};

typedef struct
{
  GSocketConnection *client;
  GSocketConnection *server;
} Pair;

/* Returns FALSE when a side ended. */
static gboolean
pass (BeckonCutProxy *self, GSocketConnection *from, GSocketConnection *to, gboolean is_server)
{
  char buffer[4096];
  gssize length = g_socket_receive (g_socket_connection_get_socket (from), buffer, sizeof buffer, NULL, NULL);

  if (length <= 0)
    return FALSE;
  g_mutex_lock (&self->mutex);
  if (is_server && self->most > 0)
    self->most = MAX (self->most - length, 0);
  g_mutex_unlock (&self->mutex);
  return g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (to)), buffer, (gsize)length, NULL, NULL,
                                    NULL);
}

static gboolean
is_holding (BeckonCutProxy *self)
{
  gboolean holds;

  g_mutex_lock (&self->mutex);
  holds = self->most == 0;
  g_mutex_unlock (&self->mutex);
  return holds;
}

static gboolean
is_cut (BeckonCutProxy *self, guint generation)
{
  gboolean cut;

  g_mutex_lock (&self->mutex);
  cut = self->generation != generation;
  g_mutex_unlock (&self->mutex);
  return cut;
}

/* The pause is how late a cut may be noticed. */
static void
forward (BeckonCutProxy *self, Pair *pair, guint generation)
{
  struct pollfd fds[2] = {
    { .fd = g_socket_get_fd (g_socket_connection_get_socket (pair->client)), .events = POLLIN },
    { .fd = g_socket_get_fd (g_socket_connection_get_socket (pair->server)), .events = POLLIN },
  };

  while (!is_cut (self, generation))
    {
      gboolean holds = is_holding (self);

      if (poll (fds, holds ? 0 : 2, 10) < 0 && errno != EINTR)
        return;
      if (holds)
        continue;
      if (fds[0].revents != 0 && !pass (self, pair->client, pair->server, FALSE))
        return;
      if (fds[1].revents != 0 && !pass (self, pair->server, pair->client, TRUE))
        return;
    }
}

static gboolean
on_run (GThreadedSocketService *service, GSocketConnection *connection, GObject *source, gpointer user_data)
{
  BeckonCutProxy *self = user_data;
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) server = NULL;
  Pair pair = { connection, NULL };
  guint generation;
  gboolean refuses;

  g_mutex_lock (&self->mutex);
  self->count++;
  self->running++;
  generation = self->generation;
  refuses = self->refuses;
  g_mutex_unlock (&self->mutex);
  g_main_context_wakeup (NULL);
  if (!refuses)
    server = g_socket_client_connect_to_host (client, "127.0.0.1", self->target, NULL, NULL);
  pair.server = server;
  if (server != NULL)
    forward (self, &pair, generation);
  g_io_stream_close (G_IO_STREAM (connection), NULL, NULL);
  g_mutex_lock (&self->mutex);
  self->running--;
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

/* Threads that are about to begin hold the service. */
static void
destroy (gpointer data)
{
  BeckonCutProxy *self = data;

  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self);
}

BeckonCutProxy *
beckon_cut_proxy_new (guint16 target)
{
  BeckonCutProxy *self = g_new0 (BeckonCutProxy, 1);

  self->target = target;
  self->most = -1;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  self->service = g_threaded_socket_service_new (32);
  self->port = g_socket_listener_add_any_inet_port (G_SOCKET_LISTENER (self->service), NULL, NULL);
  g_assert_cmpuint (self->port, !=, 0);
  g_object_set_data_full (G_OBJECT (self->service), "proxy", self, destroy);
  g_signal_connect (self->service, "run", G_CALLBACK (on_run), self);
  g_socket_service_start (self->service);
  return self;
}

void
beckon_cut_proxy_free (BeckonCutProxy *proxy)
{
  g_socket_service_stop (proxy->service);
  g_socket_listener_close (G_SOCKET_LISTENER (proxy->service));
  beckon_cut_proxy_cut (proxy);
  g_object_unref (proxy->service);
}

guint16
beckon_cut_proxy_get_port (BeckonCutProxy *proxy)
{
  return proxy->port;
}

void
beckon_cut_proxy_cut (BeckonCutProxy *proxy)
{
  g_mutex_lock (&proxy->mutex);
  proxy->generation++;
  while (proxy->running > 0)
    g_cond_wait (&proxy->cond, &proxy->mutex);
  g_mutex_unlock (&proxy->mutex);
}

void
beckon_cut_proxy_hold_after (BeckonCutProxy *proxy, gint64 most)
{
  g_mutex_lock (&proxy->mutex);
  proxy->most = most;
  g_mutex_unlock (&proxy->mutex);
}

void
beckon_cut_proxy_refuse (BeckonCutProxy *proxy, gboolean refuses)
{
  g_mutex_lock (&proxy->mutex);
  proxy->refuses = refuses;
  g_mutex_unlock (&proxy->mutex);
}

guint
beckon_cut_proxy_count (BeckonCutProxy *proxy)
{
  guint count;

  g_mutex_lock (&proxy->mutex);
  count = proxy->count;
  g_mutex_unlock (&proxy->mutex);
  return count;
}
