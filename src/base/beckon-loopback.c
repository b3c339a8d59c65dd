/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-loopback.h"

#include <gio/gio.h>

gboolean
beckon_uri_is_loopback (const char *uri)
{
  g_autofree char *host = NULL;
  g_autoptr (GInetAddress) address = NULL;

  if (uri == NULL || !g_uri_split (uri, G_URI_FLAGS_NONE, NULL, NULL, &host, NULL, NULL, NULL, NULL, NULL) ||
      host == NULL)
    return FALSE;
  if (g_ascii_strcasecmp (host, "localhost") == 0)
    return TRUE;
  address = g_inet_address_new_from_string (host);
  return address != NULL && g_inet_address_get_is_loopback (address);
}
