/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-exchange.h"
#include "beckon-tls-front.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/* A name with two addresses: nobody answers at the first, which swallows every attempt. The real clock: what is measured is
 * how long a person would wait. */

/* The certificate knows it. */
#define HOST "localhost"
#define MOST_US (60 * G_TIME_SPAN_SECOND)

#define TEST_TYPE_RESOLVER (test_resolver_get_type ())
G_DECLARE_FINAL_TYPE (TestResolver, test_resolver, TEST, RESOLVER, GResolver)

struct _TestResolver
{
  GResolver parent_instance;
};

G_DEFINE_FINAL_TYPE (TestResolver, test_resolver, G_TYPE_RESOLVER)

static GList *
list_addresses (GResolverNameLookupFlags flags)
{
  GList *addresses = NULL;

  if ((flags & G_RESOLVER_NAME_LOOKUP_FLAGS_IPV4_ONLY) == 0)
    addresses = g_list_append (addresses, g_inet_address_new_from_string ("::1"));
  if ((flags & G_RESOLVER_NAME_LOOKUP_FLAGS_IPV6_ONLY) == 0)
    addresses = g_list_append (addresses, g_inet_address_new_from_string ("127.0.0.1"));
  return addresses;
}

static void
free_addresses (gpointer addresses)
{
  g_list_free_full (addresses, g_object_unref);
}

static void
lookup_async (GResolver *resolver, const char *name, GResolverNameLookupFlags flags, GCancellable *cancellable,
              GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (resolver, cancellable, callback, user_data);

  if (g_str_equal (name, HOST))
    g_task_return_pointer (task, list_addresses (flags), free_addresses);
  else
    g_task_return_new_error (task, G_RESOLVER_ERROR, G_RESOLVER_ERROR_NOT_FOUND, "no %s", name);
}

static GList *
lookup_finish (GResolver *resolver, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
lookup_plain_async (GResolver *resolver, const char *name, GCancellable *cancellable, GAsyncReadyCallback callback,
                    gpointer user_data)
{
  lookup_async (resolver, name, G_RESOLVER_NAME_LOOKUP_FLAGS_DEFAULT, cancellable, callback, user_data);
}

static void
test_resolver_class_init (TestResolverClass *klass)
{
  GResolverClass *resolver_class = G_RESOLVER_CLASS (klass);

  resolver_class->lookup_by_name_async = lookup_plain_async;
  resolver_class->lookup_by_name_finish = lookup_finish;
  resolver_class->lookup_by_name_with_flags_async = lookup_async;
  resolver_class->lookup_by_name_with_flags_finish = lookup_finish;
}

static void
test_resolver_init (TestResolver *self)
{
}

/* A listener whose queue is full: what comes more is not answered at all. */
static gboolean
open_hole (int sockets[4], guint16 port)
{
  struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_port = htons (port), .sin6_addr = in6addr_loopback };

  for (guint i = 0; i < 4; i++)
    sockets[i] = socket (AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (sockets[0] < 0 || bind (sockets[0], (struct sockaddr *) &address, sizeof address) != 0
      || listen (sockets[0], 0) != 0)
    return FALSE;
  for (guint i = 1; i < 4; i++)
    connect (sockets[i], (struct sockaddr *) &address, sizeof address);
  return TRUE;
}

static void
test_black_hole (gconstpointer data)
{
  g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
  guint16 port = beckon_fixture_server_get_port (server);
  g_autoptr (BeckonTlsFront) front = data != NULL ? beckon_tls_front_new (data, port) : NULL;
  g_autofree char *url = NULL;
  int sockets[4];

  if (front != NULL)
    port = beckon_tls_front_get_port (front);
  url = g_strdup_printf ("%s://" HOST ":%u/v1", front != NULL ? "https" : "http", port);
  if (open_hole (sockets, port))
    {
      g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url (url, BECKON_EXCHANGE_KEY);
      gint64 begun = g_get_monotonic_time ();

      beckon_fixture_server_queue (server, beckon_fixture_reply_new_chat ("Hello"));
      beckon_exchange_start (exchange);
      beckon_exchange_wait (exchange);
      beckon_exchange_assert_log (exchange, "text Hello\nusage 7 3\nend complete\n");
      g_assert_cmpint (g_get_monotonic_time () - begun, <, MOST_US);
    }
  else
    {
      g_test_skip ("there is no IPv6 here");
    }
  for (guint i = 0; i < 4; i++)
    if (sockets[i] >= 0)
      close (sockets[i]);
}

static void
test_unknown_name (gconstpointer data)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new_for_url (data, BECKON_EXCHANGE_KEY);

  beckon_exchange_start (exchange);
  beckon_exchange_wait (exchange);
  beckon_exchange_assert_failed (exchange, "", BECKON_LLM_ERROR_CONNECT, "was not found");
}

int
main (int argc, char **argv)
{
  g_autoptr (GResolver) resolver = NULL;

  g_test_init (&argc, &argv, NULL);
  g_setenv ("http_proxy", "", TRUE);
  resolver = g_object_new (TEST_TYPE_RESOLVER, NULL);
  g_resolver_set_default (resolver);
  g_test_add_data_func ("/faults/D/64-ipv6-black-hole", NULL, test_black_hole);
  g_test_add_data_func ("/faults/D/64-ipv6-black-hole-tls", "good.pem", test_black_hole);
  g_test_add_data_func ("/faults/D/64-unknown-name", "http://nowhere.test/v1", test_unknown_name);
  g_test_add_data_func ("/faults/D/64-unknown-name-tls", "https://nowhere.test/v1", test_unknown_name);
  return g_test_run ();
}
