/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-origin.h"

#include <gio/gio.h>
#include <string.h>

static int
origin_get_port (GUri *uri)
{
  int port = g_uri_get_port (uri);

  if (port > 0)
    return port;

  return g_str_equal (g_uri_get_scheme (uri), "https") ? 443 : 80;
}

char *
beckon_uri_dup_origin (const char *uri)
{
  g_autoptr (GUri) parsed = uri != NULL ? g_uri_parse (uri, G_URI_FLAGS_HAS_PASSWORD, NULL) : NULL;
  const char *scheme = parsed != NULL ? g_uri_get_scheme (parsed) : NULL;
  g_autofree char *host = NULL;

  if (scheme == NULL || (!g_str_equal (scheme, "http") && !g_str_equal (scheme, "https"))
      || g_uri_get_host (parsed) == NULL || *g_uri_get_host (parsed) == '\0')
    return NULL;
  host = g_ascii_strdown (g_uri_get_host (parsed), -1);

  return g_strdup_printf ("%s://%s:%d", scheme, host, origin_get_port (parsed));
}

gboolean
beckon_uri_same_origin (const char *uri, const char *other)
{
  g_autofree char *one = beckon_uri_dup_origin (uri);
  g_autofree char *two = beckon_uri_dup_origin (other);

  return one != NULL && g_strcmp0 (one, two) == 0;
}

gboolean
beckon_uri_is_loopback (const char *uri)
{
  g_autofree char *host = NULL;

  return uri != NULL && g_uri_split (uri, G_URI_FLAGS_NONE, NULL, NULL, &host, NULL, NULL, NULL, NULL, NULL)
         && beckon_host_is_loopback (host);
}

gboolean
beckon_host_is_loopback (const char *host)
{
  g_autoptr (GInetAddress) address = NULL;

  if (host == NULL)
    return FALSE;
  if (g_ascii_strcasecmp (host, "localhost") == 0)
    return TRUE;
  address = g_inet_address_new_from_string (host);
  return address != NULL && g_inet_address_get_is_loopback (address);
}

/* GInetAddress knows the old site-local addresses of IPv6 alone, and not those of RFC 4193. */
static gboolean
is_unique_local (GInetAddress *address)
{
  return g_inet_address_get_family (address) == G_SOCKET_FAMILY_IPV6
         && (g_inet_address_to_bytes (address)[0] & 0xfe) == 0xfc;
}

/* (transfer full) (nullable): resolvers read "127.1" as an address, too: the last number stands for all bytes that are left. */
static GInetAddress *
read_short_address (const char *host)
{
  g_auto (GStrv) numbers = g_strsplit (host, ".", 4);
  guint n = g_strv_length (numbers);
  guint8 bytes[4];
  guint64 number;

  if (n < 2 || n > 3)
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      guint64 most = i + 1 < n ? G_MAXUINT8 : (G_GUINT64_CONSTANT (1) << (8 * (5 - n))) - 1;

      /* With a zero before it, a number is one to the base of eight. */
      if ((numbers[i][0] == '0' && numbers[i][1] != '\0')
          || !g_ascii_string_to_unsigned (numbers[i], 10, 0, most, &number, NULL))
        return NULL;
      bytes[i] = (guint8) number;
    }
  for (guint i = n - 1; i < 4; i++)
    bytes[i] = (guint8) (number >> (8 * (3 - i)));
  return g_inet_address_new_from_bytes (bytes, G_SOCKET_FAMILY_IPV4);
}

gboolean
beckon_host_is_local (const char *host)
{
  g_autoptr (GInetAddress) address = NULL;

  if (host == NULL || *host == '\0')
    return FALSE;

  address = g_inet_address_new_from_string (host);
  if (address == NULL)
    address = read_short_address (host);
  if (address == NULL)
    {
      static const char *const domains[] = { ".local", ".localhost", ".lan", ".home.arpa", ".internal" };
      g_autofree char *name = g_ascii_strdown (host, -1);

      if (strchr (name, '.') == NULL)
        return TRUE;
      for (guint i = 0; i < G_N_ELEMENTS (domains); i++)
        if (g_str_has_suffix (name, domains[i]))
          return TRUE;

      return FALSE;
    }
  return g_inet_address_get_is_loopback (address) || g_inet_address_get_is_site_local (address)
         || g_inet_address_get_is_link_local (address) || is_unique_local (address);
}
