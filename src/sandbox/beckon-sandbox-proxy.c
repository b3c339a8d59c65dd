/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-sandbox-proxy.h"

#include "base/beckon-error.h"
#include "net/beckon-public-address.h"
#include "policy/beckon-host-name.h"

#include <string.h>

#define MAX_HEAD (16 * 1024)
#define CHUNK (32 * 1024)
#define MAX_REFUSALS 8

/* A request is there at once, and a server within this time. */
#define HEAD_SECONDS 30
#define CONNECT_SECONDS 30

struct _BeckonSandboxProxy
{
  GSocketService *service;
  GCancellable *cancellable;
  char **hosts; /* (nullable) */
  BeckonSandboxProxyReach reach;
  GPtrArray *refusals;
  guint n_connections;
  guint n_open;
};

/* Held by each operation in progress; the last one closes it. */
typedef struct
{
  gatomicrefcount refs;
  BeckonSandboxProxy *proxy; /* (nullable): gone with its command */
  GCancellable *cancellable;
  GSocketConnection *client;
  GSocketConnection *server; /* (nullable) */
  GString *head;             /* until the server has it */
  char *host;
  guint timeout;
  gboolean is_service; /* it is not told in HTTP what becomes of it */
  char *buffers[2];
  char *reply; /* (nullable): a refusal, while it is written */
} Connection;

/* A direction. */
typedef struct
{
  Connection *connection;
  GSocketConnection *from;
  GSocketConnection *to;
  char *buffer;
} Pump;

static GList *open_connections;

static void
connection_unref (Connection *connection)
{
  if (!g_atomic_ref_count_dec (&connection->refs))
    return;

  open_connections = g_list_remove (open_connections, connection);
  if (connection->proxy != NULL && --connection->proxy->n_open < BECKON_SANDBOX_PROXY_MAX_CONNECTIONS)
    g_socket_service_start (connection->proxy->service);
  g_clear_handle_id (&connection->timeout, g_source_remove);
  g_io_stream_close (G_IO_STREAM (connection->client), NULL, NULL);
  if (connection->server != NULL)
    g_io_stream_close (G_IO_STREAM (connection->server), NULL, NULL);
  g_object_unref (connection->client);
  g_clear_object (&connection->server);
  g_object_unref (connection->cancellable);
  g_string_free (connection->head, TRUE);
  g_free (connection->host);
  g_free (connection->buffers[0]);
  g_free (connection->buffers[1]);
  g_free (connection->reply);
  g_free (connection);
}

static void
on_replied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, NULL, NULL);
  connection_unref (user_data);
}

/* Takes the operation's reference. */
static void
proxy_refuse (Connection *connection, const char *status, const char *why)
{
  if (connection->proxy != NULL && connection->host != NULL)
    {
      g_autofree char *line = g_strdup_printf ("%.253s: %s", connection->host, why);

      if (connection->proxy->refusals->len < MAX_REFUSALS
          && !g_ptr_array_find_with_equal_func (connection->proxy->refusals, line, g_str_equal, NULL))
        g_ptr_array_add (connection->proxy->refusals, g_steal_pointer (&line));
    }
  if (connection->is_service)
    {
      connection_unref (connection);
      return;
    }
  connection->reply
      = g_strdup_printf ("HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %" G_GSIZE_FORMAT
                         "\r\nConnection: close\r\n\r\n%s\n",
                         status, strlen (why) + 1, why);
  g_output_stream_write_all_async (g_io_stream_get_output_stream (G_IO_STREAM (connection->client)), connection->reply,
                                   strlen (connection->reply), G_PRIORITY_DEFAULT_IDLE, connection->cancellable, on_replied,
                                   connection);
}

/* --- Both ways ---------------------------------------------------------------------------------------------------- */

static void read_on (Pump *pump);

static void
pump_free (Pump *pump)
{
  connection_unref (pump->connection);
  g_free (pump);
}

/* The other direction ends by itself: either side may have more to say. */
static void
on_pumped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Pump *pump = user_data;

  if (g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, NULL, NULL))
    {
      read_on (pump);
      return;
    }

  g_socket_shutdown (g_socket_connection_get_socket (pump->from), TRUE, TRUE, NULL);
  pump_free (pump);
}

static void
proxy_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Pump *pump = user_data;
  gssize length = g_input_stream_read_finish (G_INPUT_STREAM (source), result, NULL);

  if (length > 0)
    {
      g_output_stream_write_all_async (g_io_stream_get_output_stream (G_IO_STREAM (pump->to)), pump->buffer, (gsize) length,
                                       G_PRIORITY_DEFAULT_IDLE, pump->connection->cancellable, on_pumped, pump);
      return;
    }

  g_socket_shutdown (g_socket_connection_get_socket (pump->to), length < 0, TRUE, NULL);
  pump_free (pump);
}

static void
read_on (Pump *pump)
{
  g_input_stream_read_async (g_io_stream_get_input_stream (G_IO_STREAM (pump->from)), pump->buffer, CHUNK,
                             G_PRIORITY_DEFAULT_IDLE, pump->connection->cancellable, proxy_on_read, pump);
}

static void
begin_pump (Connection *connection, GSocketConnection *from, GSocketConnection *to, guint index)
{
  Pump *pump = g_new (Pump, 1);

  if (connection->buffers[index] == NULL)
    connection->buffers[index] = g_malloc (CHUNK);
  g_atomic_ref_count_inc (&connection->refs);
  *pump = (Pump){ connection, from, to, connection->buffers[index] };
  read_on (pump);
}

/* Bytes behind the request's head were for the server, too. */
static void
on_head_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Connection *connection = user_data;

  if (g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, NULL, NULL))
    {
      begin_pump (connection, connection->client, connection->server, 0);
      begin_pump (connection, connection->server, connection->client, 1);
    }
  connection_unref (connection);
}

static void
send_head (Connection *connection)
{
  g_output_stream_write_all_async (g_io_stream_get_output_stream (G_IO_STREAM (connection->server)), connection->head->str,
                                   connection->head->len, G_PRIORITY_DEFAULT_IDLE, connection->cancellable, on_head_sent,
                                   connection);
}

static void
on_accepted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Connection *connection = user_data;

  if (g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, NULL, NULL))
    send_head (connection);
  else
    connection_unref (connection);
}

/* --- To the server ------------------------------------------------------------------------------------------------ */

typedef struct
{
  Connection *connection;
  gboolean is_tunnel;
} Attempt;

static void
on_connected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  static const char established[] = "HTTP/1.1 200 Connection established\r\n\r\n";
  g_autofree Attempt *attempt = user_data;
  Connection *connection = attempt->connection;
  g_autoptr (GError) error = NULL;

  connection->server = g_socket_client_connect_finish (G_SOCKET_CLIENT (source), result, &error);
  if (connection->server != NULL)
    g_socket_set_timeout (g_socket_connection_get_socket (connection->server), 0);
  if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_INVALID))
    proxy_refuse (connection, "403 Forbidden",
                  "it is on the user's computer or network, which needs local_network");
  else if (connection->server == NULL)
    proxy_refuse (connection, "502 Bad Gateway", error->message);
  else if (attempt->is_tunnel)
    g_output_stream_write_all_async (g_io_stream_get_output_stream (G_IO_STREAM (connection->client)), established,
                                     strlen (established), G_PRIORITY_DEFAULT_IDLE, connection->cancellable, on_accepted,
                                     connection);
  else
    send_head (connection);
}

/* No other proxy is used: it would look up the name itself. */
static void
connect_to (Connection *connection, const char *host, guint16 port, gboolean is_tunnel)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnectable) address = NULL;
  Attempt *attempt;

  if (connection->proxy == NULL)
    {
      connection_unref (connection);
      return;
    }
  if (!beckon_sandbox_proxy_allows ((const char *const *) connection->proxy->hosts, host, port))
    {
      proxy_refuse (connection, "403 Forbidden", "it is not among the hosts that this command may reach");
      return;
    }
  if (connection->proxy->reach == BECKON_SANDBOX_PROXY_PRIVATE && !beckon_public_address_names_private (host))
    {
      proxy_refuse (connection, "403 Forbidden", "it is on the internet, which needs network");
      return;
    }

  address = connection->proxy->reach == BECKON_SANDBOX_PROXY_PUBLIC ? beckon_public_address_new (host, port)
                                                                    : g_network_address_new (host, port);
  attempt = g_new (Attempt, 1);
  *attempt = (Attempt) { connection, is_tunnel };
  g_socket_client_set_enable_proxy (client, FALSE);
  g_socket_client_set_timeout (client, CONNECT_SECONDS);
  g_socket_client_connect_async (client, address, connection->cancellable, on_connected, attempt);
}

/* The command's first bytes are the service's. */
static void
connect_to_service (Connection *connection, GSocketConnectable *service)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  Attempt *attempt = g_new (Attempt, 1);

  *attempt = (Attempt) { connection, FALSE };
  g_socket_client_set_enable_proxy (client, FALSE);
  g_socket_client_connect_async (client, service, connection->cancellable, on_connected, attempt);
}

/* --- The request -------------------------------------------------------------------------------------------------- */

static gboolean
is_dropped (const char *line)
{
  static const char *const names[] = { "host:", "connection:", "keep-alive:", "proxy-", "te:", "upgrade:" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strncasecmp (line, names[i], strlen (names[i])) == 0)
      return TRUE;

  return FALSE;
}

/* As the server is to see it: one request, from any program. A line that begins with a blank belongs to the one before. */
static void
rewrite_head (GString *head, char **lines, const char *method, const char *path, const char *authority, const char *rest,
              gsize n_rest)
{
  gboolean drops = FALSE;

  g_string_printf (head, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n", method, path, authority);
  for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      drops = *lines[i] == ' ' || *lines[i] == '\t' ? drops : is_dropped (lines[i]);
      if (!drops)
        g_string_append_printf (head, "%s\r\n", lines[i]);
    }
  g_string_append (head, "\r\n");
  g_string_append_len (head, rest, (gssize) n_rest);
}

/* %FALSE for what is not one. */
static gboolean
read_authority (const char *authority, guint16 usual_port, char **host, guint16 *port)
{
  g_autoptr (GSocketConnectable) address = NULL;

  if (strpbrk (authority, "@/%?# \t") != NULL)
    return FALSE;
  address = g_network_address_parse (authority, usual_port, NULL);
  if (address == NULL)
    return FALSE;

  *host = g_strdup (g_network_address_get_hostname (G_NETWORK_ADDRESS (address)));
  *port = g_network_address_get_port (G_NETWORK_ADDRESS (address));
  return **host != '\0' && *port != 0 && g_utf8_validate (*host, -1, NULL);
}

static void
handle_plain (Connection *connection, char **lines, char **words, const char *rest, gsize n_rest)
{
  const char *authority = words[1] + strlen ("http://");
  gsize length = strcspn (authority, "/?#");
  g_autofree char *place = g_strndup (authority, length);
  g_autoptr (GBytes) body = g_bytes_new (rest, n_rest);
  g_autofree char *path = NULL;
  guint16 port;

  path = g_strconcat (authority[length] == '/' ? "" : "/", authority + length, NULL);
  if (!read_authority (place, 80, &connection->host, &port))
    {
      proxy_refuse (connection, "400 Bad Request", "this is not a URL that can be asked for");
      return;
    }

  rewrite_head (connection->head, lines, words[0], path, place, g_bytes_get_data (body, NULL), n_rest);
  connect_to (connection, connection->host, port, FALSE);
}

/* Takes the operation's reference. */
static void
handle_request (Connection *connection, gsize length)
{
  g_autofree char *head = g_strndup (connection->head->str, length);
  g_auto (GStrv) lines = g_strsplit (head, "\r\n", -1);
  g_auto (GStrv) words = g_strsplit (lines[0], " ", 4);
  const char *rest = connection->head->str + length;
  gsize n_rest = connection->head->len - length;
  guint16 port;

  g_clear_handle_id (&connection->timeout, g_source_remove);
  if (g_strv_length (words) != 3 || !g_str_has_prefix (words[2], "HTTP/1.") || strlen (head) != length)
    proxy_refuse (connection, "400 Bad Request", "this is not a request");
  else if (g_str_equal (words[0], "CONNECT") && read_authority (words[1], 443, &connection->host, &port))
    {
      g_string_erase (connection->head, 0, (gssize) length);
      connect_to (connection, connection->host, port, TRUE);
    }
  else if (g_ascii_strncasecmp (words[1], "http://", strlen ("http://")) == 0)
    handle_plain (connection, lines, words, rest, n_rest);
  else
    proxy_refuse (connection, "400 Bad Request", "only CONNECT and requests of http URLs are understood");
}

static void read_head (Connection *connection);

static void
proxy_on_head (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Connection *connection = user_data;
  gssize length = g_input_stream_read_finish (G_INPUT_STREAM (source), result, NULL);
  const char *end;

  if (length <= 0)
    {
      connection_unref (connection);
      return;
    }

  g_string_append_len (connection->head, connection->buffers[0], length);
  end = memmem (connection->head->str, connection->head->len, "\r\n\r\n", strlen ("\r\n\r\n"));
  if (end != NULL)
    handle_request (connection, (gsize) (end - connection->head->str) + strlen ("\r\n\r\n"));
  else if (connection->head->len < MAX_HEAD)
    read_head (connection);
  else
    proxy_refuse (connection, "431 Request Header Fields Too Large", "the head of the request is too long");
}

static void
read_head (Connection *connection)
{
  g_input_stream_read_async (g_io_stream_get_input_stream (G_IO_STREAM (connection->client)), connection->buffers[0], CHUNK,
                             G_PRIORITY_DEFAULT_IDLE, connection->cancellable, proxy_on_head, connection);
}

static gboolean
on_too_slow (gpointer user_data)
{
  Connection *connection = user_data;

  connection->timeout = 0;
  g_socket_shutdown (g_socket_connection_get_socket (connection->client), TRUE, TRUE, NULL);
  return G_SOURCE_REMOVE;
}

/* @service: (nullable): which port of this computer is meant */
static gboolean
on_incoming (BeckonSandboxProxy *self, GSocketConnection *client, GObject *service)
{
  Connection *connection = g_new0 (Connection, 1);

  g_atomic_ref_count_init (&connection->refs);
  connection->proxy = self;
  connection->cancellable = g_object_ref (self->cancellable);
  connection->client = g_object_ref (client);
  connection->head = g_string_new (NULL);
  connection->buffers[0] = g_malloc (CHUNK);
  connection->is_service = service != NULL;
  if (service == NULL)
    connection->timeout = g_timeout_add_seconds (HEAD_SECONDS, on_too_slow, connection);
  open_connections = g_list_prepend (open_connections, connection);
  self->n_connections++;
  if (++self->n_open >= BECKON_SANDBOX_PROXY_MAX_CONNECTIONS)
    g_socket_service_stop (self->service);
  if (service != NULL)
    connect_to_service (connection, G_SOCKET_CONNECTABLE (service));
  else
    read_head (connection);
  return TRUE;
}

/* --- The proxy ---------------------------------------------------------------------------------------------------- */

BeckonSandboxProxy *
beckon_sandbox_proxy_new (GSocket *socket, const char *const *hosts, BeckonSandboxProxyReach reach)
{
  BeckonSandboxProxy *self;

  self = g_new0 (BeckonSandboxProxy, 1);
  self->service = g_socket_service_new ();
  self->cancellable = g_cancellable_new ();
  self->hosts = g_strdupv ((char **) hosts);
  self->reach = reach;
  self->refusals = g_ptr_array_new_with_free_func (g_free);
  g_socket_listener_add_socket (G_SOCKET_LISTENER (self->service), socket, NULL, NULL);
  g_signal_connect_swapped (self->service, "incoming", G_CALLBACK (on_incoming), self);
  return self;
}

void
beckon_sandbox_proxy_add_service (BeckonSandboxProxy *proxy, GSocket *socket, guint16 port)
{
  g_autoptr (GSocketConnectable) service = g_network_address_new_loopback (port);

  g_socket_listener_add_socket (G_SOCKET_LISTENER (proxy->service), socket, G_OBJECT (service), NULL);
}

static gboolean
is_below (const char *host, const char *domain)
{
  gsize length = strlen (host);
  gsize tail = strlen (domain);

  return length > tail && host[length - tail - 1] == '.' && strcmp (host + length - tail, domain) == 0;
}

char *
beckon_sandbox_proxy_split_host (const char *pattern, guint *port)
{
  const char *colon = strchr (pattern, ':');
  guint64 number = 0;

  if (colon == NULL || !g_ascii_string_to_unsigned (colon + 1, 10, 1, G_MAXUINT16, &number, NULL))
    colon = pattern + strlen (pattern);
  *port = (guint) number;
  return g_strndup (pattern, (gsize) (colon - pattern));
}

gboolean
beckon_sandbox_proxy_check_host (const char *pattern)
{
  guint port;
  g_autofree char *host = beckon_sandbox_proxy_split_host (pattern, &port);
  const char *name = g_str_has_prefix (host, "*.") ? host + 2 : host;

  return *name != '\0' && strlen (name) <= 253 && strpbrk (name, "*/@:?# \t\r\n,") == NULL
         && g_utf8_validate (name, -1, NULL);
}

gboolean
beckon_sandbox_proxy_allows (const char *const *hosts, const char *host, guint16 port)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (host != NULL, FALSE);

  if (hosts == NULL)
    return TRUE;

  name = beckon_host_name_normalize (host);
  for (guint i = 0; hosts[i] != NULL; i++)
    {
      guint only;
      g_autofree char *pattern = beckon_sandbox_proxy_split_host (hosts[i], &only);
      gboolean is_domain = g_str_has_prefix (pattern, "*.");
      g_autofree char *allowed = beckon_host_name_normalize (is_domain ? pattern + 2 : pattern);

      if (only > 0 && only != port)
        continue;
      if (name != NULL && allowed != NULL && (is_domain ? is_below (name, allowed) : strcmp (name, allowed) == 0))
        return TRUE;
    }

  return FALSE;
}

char *
beckon_sandbox_proxy_dup_refusals (BeckonSandboxProxy *proxy)
{
  GString *text;

  if (proxy->refusals->len == 0)
    return NULL;

  text = g_string_new (NULL);
  for (guint i = 0; i < proxy->refusals->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", (const char *) g_ptr_array_index (proxy->refusals, i));
  return g_string_free (text, FALSE);
}

guint
beckon_sandbox_proxy_get_n_connections (BeckonSandboxProxy *proxy)
{
  return proxy->n_connections;
}

void
beckon_sandbox_proxy_free (BeckonSandboxProxy *proxy)
{
  if (proxy == NULL)
    return;

  g_cancellable_cancel (proxy->cancellable);
  for (GList *link = open_connections; link != NULL; link = link->next)
    {
      Connection *connection = link->data;

      if (connection->proxy == proxy)
        connection->proxy = NULL;
    }
  g_signal_handlers_disconnect_by_data (proxy->service, proxy);
  g_socket_service_stop (proxy->service);
  g_socket_listener_close (G_SOCKET_LISTENER (proxy->service));
  g_object_unref (proxy->service);
  g_object_unref (proxy->cancellable);
  g_strfreev (proxy->hosts);
  g_ptr_array_unref (proxy->refusals);
  g_free (proxy);
}
