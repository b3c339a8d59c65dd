/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-public-address.h"

#include "base/beckon-error.h"
#include "base/beckon-origin.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <string.h>

/* TLS takes the name to check from a GNetworkAddress and nothing else of ours, so that this is one; only its addresses are
 * looked at on their way out. */
struct _BeckonPublicAddress
{
  GNetworkAddress parent_instance;
};

#define BECKON_TYPE_PUBLIC_ENUMERATOR (beckon_public_enumerator_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPublicEnumerator, beckon_public_enumerator, BECKON, PUBLIC_ENUMERATOR, GSocketAddressEnumerator)

struct _BeckonPublicEnumerator
{
  GSocketAddressEnumerator parent_instance;

  GSocketAddressEnumerator *inner;
};

/* Ranges outside the public internet, besides those GInetAddress knows (IANA's special-purpose registries). */
static const char *const special[] = {
  "0.0.0.0/8",     "10.0.0.0/8",   "100.64.0.0/10", "127.0.0.0/8",    "169.254.0.0/16", "172.16.0.0/12",
  "192.0.0.0/24",  "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",  "198.51.100.0/24",
  "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",   "::/128",         "::1/128",        "64:ff9b:1::/48",
  "100::/64",      "2001::/23",    "2001:db8::/32", "fc00::/7",       "fe80::/10",      "fec0::/10",
  "ff00::/8",
};

/* IPv6 addresses that stand for one of IPv4, and where in them it is. */
static const struct
{
  const char *mask;
  guint offset;
} embedding[] = { { "::ffff:0:0/96", 12 }, { "::/96", 12 }, { "64:ff9b::/96", 12 }, { "2002::/16", 2 } };

static gboolean
public_address_matches (const char *text, GInetAddress *address)
{
  g_autoptr (GInetAddressMask) mask = g_inet_address_mask_new_from_string (text, NULL);

  return g_inet_address_mask_get_family (mask) == g_inet_address_get_family (address)
         && g_inet_address_mask_matches (mask, address);
}

/* (transfer full) (nullable): the address of IPv4 that one of IPv6 stands for. */
static GInetAddress *
dup_inner (GInetAddress *address)
{
  for (guint i = 0; i < G_N_ELEMENTS (embedding); i++)
    if (public_address_matches (embedding[i].mask, address))
      return g_inet_address_new_from_bytes (g_inet_address_to_bytes (address) + embedding[i].offset, G_SOCKET_FAMILY_IPV4);

  return NULL;
}

gboolean
beckon_public_address_is_public (GInetAddress *address)
{
  g_autoptr (GInetAddress) inner = NULL;

  g_return_val_if_fail (G_IS_INET_ADDRESS (address), FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (special); i++)
    if (public_address_matches (special[i], address))
      return FALSE;

  inner = dup_inner (address);
  return inner == NULL || beckon_public_address_is_public (inner);
}

gboolean
beckon_public_address_names_private (const char *host)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);

  return address != NULL ? !beckon_public_address_is_public (address) : beckon_host_is_local (host);
}

static gboolean
is_alike (const guint8 *one, const guint8 *other, const guint8 *mask, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if ((one[i] & mask[i]) != (other[i] & mask[i]))
      return FALSE;

  return TRUE;
}

/* (nullable): where in a socket's address the bytes of the host are. */
static const guint8 *
get_bytes (const struct sockaddr *address, GSocketFamily family)
{
  if (address == NULL || (int) address->sa_family != (int) family)
    return NULL;
  return family == G_SOCKET_FAMILY_IPV4 ? (const guint8 *) &((const struct sockaddr_in *) (gconstpointer) address)->sin_addr
                                        : (const guint8 *) &((const struct sockaddr_in6 *) (gconstpointer) address)->sin6_addr;
}

/* This computer, and the neighbours, may have addresses of the public internet as well. What cannot be known is taken for one
 * of theirs. */
static gboolean
is_of_own_network (GInetAddress *address)
{
  g_autoptr (GInetAddress) inner = dup_inner (address);
  const GSocketFamily family = g_inet_address_get_family (address);
  const guint8 *bytes = g_inet_address_to_bytes (address);
  struct ifaddrs *all;
  gboolean is_own = FALSE;

  if ((inner != NULL && is_of_own_network (inner)) || getifaddrs (&all) != 0)
    return TRUE;
  for (const struct ifaddrs *one = all; one != NULL && !is_own; one = one->ifa_next)
    {
      const guint8 *own = get_bytes (one->ifa_addr, family);
      const guint8 *mask = get_bytes (one->ifa_netmask, family);

      is_own = own != NULL && mask != NULL && mask[0] != 0
               && is_alike (bytes, own, mask, g_inet_address_get_native_size (address));
    }

  freeifaddrs (all);
  return is_own;
}

static gboolean
is_public (GSocketAddress *address)
{
  GInetAddress *host = G_IS_INET_SOCKET_ADDRESS (address)
                         ? g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address))
                         : NULL;

  return host != NULL && beckon_public_address_is_public (host) && !is_of_own_network (host);
}

/* A non-public address ends it: a name that leads to both is not to be trusted. */
static GSocketAddress *
public_address_check (GSocketAddress *address, GError **error)
{
  if (address == NULL || is_public (address))
    return address;

  g_object_unref (address);
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       BECKON_PUBLIC_ADDRESS_REFUSAL);
  return NULL;
}

G_DEFINE_FINAL_TYPE (BeckonPublicEnumerator, beckon_public_enumerator, G_TYPE_SOCKET_ADDRESS_ENUMERATOR)

static GSocketAddress *
enumerator_next (GSocketAddressEnumerator *enumerator, GCancellable *cancellable, GError **error)
{
  BeckonPublicEnumerator *self = BECKON_PUBLIC_ENUMERATOR (enumerator);

  return public_address_check (g_socket_address_enumerator_next (self->inner, cancellable, error), error);
}

static void
on_next (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GSocketAddress *address
      = public_address_check (g_socket_address_enumerator_next_finish (G_SOCKET_ADDRESS_ENUMERATOR (source), result, &error),
                              &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, address, g_object_unref);
}

static void
enumerator_next_async (GSocketAddressEnumerator *enumerator, GCancellable *cancellable, GAsyncReadyCallback callback,
                       gpointer user_data)
{
  GTask *task = g_task_new (enumerator, cancellable, callback, user_data);

  g_task_set_source_tag (task, enumerator_next_async);
  g_socket_address_enumerator_next_async (BECKON_PUBLIC_ENUMERATOR (enumerator)->inner, cancellable, on_next, task);
}

static GSocketAddress *
enumerator_next_finish (GSocketAddressEnumerator *enumerator, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
beckon_public_enumerator_finalize (GObject *object)
{
  g_object_unref (BECKON_PUBLIC_ENUMERATOR (object)->inner);

  G_OBJECT_CLASS (beckon_public_enumerator_parent_class)->finalize (object);
}

static void
beckon_public_enumerator_class_init (BeckonPublicEnumeratorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_public_enumerator_finalize;
  G_SOCKET_ADDRESS_ENUMERATOR_CLASS (klass)->next = enumerator_next;
  G_SOCKET_ADDRESS_ENUMERATOR_CLASS (klass)->next_async = enumerator_next_async;
  G_SOCKET_ADDRESS_ENUMERATOR_CLASS (klass)->next_finish = enumerator_next_finish;
}

static void
beckon_public_enumerator_init (BeckonPublicEnumerator *self)
{
}

static GSocketConnectableIface *parent_connectable;

static GSocketAddressEnumerator *
enumerate (GSocketConnectable *connectable)
{
  BeckonPublicEnumerator *enumerator = g_object_new (BECKON_TYPE_PUBLIC_ENUMERATOR, NULL);

  enumerator->inner = parent_connectable->enumerate (connectable);
  return G_SOCKET_ADDRESS_ENUMERATOR (enumerator);
}

static void
beckon_public_address_connectable_init (GSocketConnectableIface *iface)
{
  parent_connectable = g_type_interface_peek_parent (iface);
  iface->enumerate = enumerate;
  iface->proxy_enumerate = enumerate;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonPublicAddress, beckon_public_address, G_TYPE_NETWORK_ADDRESS,
                               G_IMPLEMENT_INTERFACE (G_TYPE_SOCKET_CONNECTABLE, beckon_public_address_connectable_init))

static void
beckon_public_address_class_init (BeckonPublicAddressClass *klass)
{
}

static void
beckon_public_address_init (BeckonPublicAddress *self)
{
}

GSocketConnectable *
beckon_public_address_new (const char *host, guint16 port)
{
  g_return_val_if_fail (host != NULL, NULL);

  return g_object_new (BECKON_TYPE_PUBLIC_ADDRESS, "hostname", host, "port", (guint) port, NULL);
}
