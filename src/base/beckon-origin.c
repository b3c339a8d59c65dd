/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-origin.h"

#include <gio/gio.h>

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
