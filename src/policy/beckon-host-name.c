/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-host-name.h"

#include <gio/gio.h>
#include <string.h>

#define PARTS 4

/* A part of an address as the system reads it: 10, 012 and 0xa are one number. */
static gboolean
read_part (const char *text, guint64 *number)
{
  gboolean is_hexadecimal = text[0] == '0' && text[1] == 'x';
  const char *digits = is_hexadecimal ? text + 2 : text;
  guint base = is_hexadecimal ? 16 : text[0] == '0' && text[1] != '\0' ? 8 : 10;

  return g_ascii_string_to_unsigned (digits, base, 0, G_MAXUINT32, number, NULL);
}

/* Each part is a byte; the last one is all that are left. */
static gboolean
read_four (const char *host, guint8 bytes[PARTS])
{
  g_auto (GStrv) parts = g_strsplit (host, ".", PARTS + 1);
  guint n = g_strv_length (parts);
  guint64 number;

  if (n == 0 || n > PARTS)
    return FALSE;
  for (guint i = 0; i + 1 < n; i++)
    {
      if (!read_part (parts[i], &number) || number > G_MAXUINT8)
        return FALSE;
      bytes[i] = (guint8) number;
    }
  if (!read_part (parts[n - 1], &number) || number >> (8 * (PARTS + 1 - n)) != 0)
    return FALSE;

  for (guint i = PARTS; i >= n; i--, number >>= 8)
    bytes[i - 1] = (guint8) number;
  return TRUE;
}

static char *
print_four (const guint8 *bytes)
{
  return g_strdup_printf ("%u.%u.%u.%u", bytes[0], bytes[1], bytes[2], bytes[3]);
}

/* (nullable) */
static char *
normalize_address (const char *host)
{
  static const guint8 mapped[12] = { [10] = 0xff, [11] = 0xff };
  g_autoptr (GInetAddress) address = NULL;
  guint8 four[PARTS];

  if (read_four (host, four))
    return print_four (four);
  address = g_inet_address_new_from_string (host);
  if (address == NULL)
    return NULL;
  if (g_inet_address_get_family (address) == G_SOCKET_FAMILY_IPV6
      && memcmp (g_inet_address_to_bytes (address), mapped, sizeof mapped) == 0)
    return print_four (g_inet_address_to_bytes (address) + sizeof mapped);

  return g_inet_address_to_string (address);
}

/* As it is looked up: in small letters, and what is not of ASCII in its encoding (RFC 3490); other dots are dots, too. */
static char *
dup_lookup_name (const char *host)
{
  char *ascii = g_hostname_is_non_ascii (host) ? g_hostname_to_ascii (host) : NULL;
  char *name = g_ascii_strdown (ascii != NULL ? ascii : host, -1);

  g_free (ascii);
  return name;
}

char *
beckon_host_name_normalize (const char *host)
{
  g_autofree char *name = NULL;
  gsize length;
  char *address;

  g_return_val_if_fail (host != NULL, NULL);

  name = dup_lookup_name (host);
  length = strlen (name);
  while (length > 1 && name[length - 1] == '.')
    name[--length] = '\0';
  address = normalize_address (name);
  return address != NULL ? address : g_steal_pointer (&name);
}
