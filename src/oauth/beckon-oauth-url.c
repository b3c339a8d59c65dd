/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-url.h"

#include "base/beckon-origin.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-oauth.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define URL_MAX 4096

static GUri *
oauth_url_parse (const char *url)
{
  return url != NULL && strlen (url) <= URL_MAX ? g_uri_parse (url, G_URI_FLAGS_ENCODED, NULL) : NULL;
}

/* RFC 3986, 2: nothing that a program which is given it could read as more than an address. */
static gboolean
oauth_url_is_plain (const char *url)
{
  for (const char *c = url; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr ("-._~:/?#[]@!$&'()*+,;=%", *c) == NULL)
      return FALSE;
  return TRUE;
}

gboolean
beckon_oauth_url_check (const char *url, GError **error)
{
  g_autoptr (GUri) uri = oauth_url_parse (url);
  g_autofree char *shown = NULL;

  if (uri != NULL && oauth_url_is_plain (url) && g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0'
      && g_uri_get_userinfo (uri) == NULL && g_uri_get_fragment (uri) == NULL
      && (strcmp (g_uri_get_scheme (uri), "https") == 0
          || (strcmp (g_uri_get_scheme (uri), "http") == 0 && beckon_uri_is_loopback (url))))
    return TRUE;

  shown = beckon_text_for_display (url != NULL ? url : "", -1, BECKON_TEXT_EXACT);
  /* Translators: %s is an address from a server */
  beckon_text_set_error (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_UNSAFE,
                         _("The server wants to be signed in to by way of “%s”. Only https addresses are safe for that."),
                         shown);
  return FALSE;
}

/* "https://host:8443", the port as it is written. */
static char *
dup_root (GUri *uri)
{
  g_autofree char *host = g_ascii_strdown (g_uri_get_host (uri), -1);

  return g_uri_join (G_URI_FLAGS_ENCODED, g_uri_get_scheme (uri), NULL, host, g_uri_get_port (uri), "", NULL, NULL);
}

char *
beckon_oauth_url_dup_resource (const char *server)
{
  g_autoptr (GUri) uri = oauth_url_parse (server);
  g_autofree char *root = NULL;
  const char *path;

  root = dup_root (uri);
  path = g_uri_get_path (uri);
  return g_strconcat (root, strcmp (path, "/") == 0 ? "" : path, g_uri_get_query (uri) != NULL ? "?" : NULL,
                      g_uri_get_query (uri), NULL);
}

gboolean
beckon_oauth_url_covers (const char *resource, const char *server)
{
  g_autoptr (GUri) outer = oauth_url_parse (resource);
  g_autoptr (GUri) inner = oauth_url_parse (server);
  g_autofree char *path = NULL;

  if (outer == NULL || inner == NULL || g_uri_get_fragment (outer) != NULL || !beckon_uri_same_origin (resource, server))
    return FALSE;
  if (g_uri_get_query (outer) != NULL && g_strcmp0 (g_uri_get_query (outer), g_uri_get_query (inner)) != 0)
    return FALSE;

  path = g_strdup (g_uri_get_path (outer));
  if (g_str_has_suffix (path, "/"))
    path[strlen (path) - 1] = '\0';
  return g_str_has_prefix (g_uri_get_path (inner), path)
         && strchr ("/", g_uri_get_path (inner)[strlen (path)]) != NULL;
}

char *
beckon_oauth_url_at_root (const char *url, const char *path)
{
  g_autoptr (GUri) uri = oauth_url_parse (url);
  g_autofree char *root = NULL;

  root = dup_root (uri);
  return g_strconcat (root, path, NULL);
}

/* The path without slashes at its end; "" if nothing is left. */
static char *
dup_path (const char *url)
{
  g_autoptr (GUri) uri = oauth_url_parse (url);
  char *path = g_strdup (uri != NULL ? g_uri_get_path (uri) : "");

  for (gsize length = strlen (path); length > 0 && path[length - 1] == '/'; length--)
    path[length - 1] = '\0';
  return path;
}

static void
oauth_url_add (GStrvBuilder *list, const char *url, const char *before, const char *path, const char *behind)
{
  g_autofree char *whole = g_strconcat (before, path, behind, NULL);
  g_autofree char *entry = beckon_oauth_url_at_root (url, whole);

  g_strv_builder_add (list, entry);
}

char **
beckon_oauth_url_list_resource_metadata (const char *server)
{
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  g_autofree char *path = dup_path (server);

  if (*path != '\0')
    oauth_url_add (list, server, "/.well-known/oauth-protected-resource", path, "");
  oauth_url_add (list, server, "/.well-known/oauth-protected-resource", "", "");
  return g_strv_builder_end (list);
}

char **
beckon_oauth_url_list_server_metadata (const char *issuer)
{
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  g_autofree char *path = dup_path (issuer);

  oauth_url_add (list, issuer, "/.well-known/oauth-authorization-server", path, "");
  oauth_url_add (list, issuer, "/.well-known/openid-configuration", path, "");
  if (*path != '\0')
    oauth_url_add (list, issuer, "", path, "/.well-known/openid-configuration");
  return g_strv_builder_end (list);
}

/* Without a path that is a slash alone: RFC 3986, 6.2.3. */
static gsize
measure_issuer (const char *issuer)
{
  const char *authority = strstr (issuer, "://");
  const char *path = authority != NULL ? strpbrk (authority + strlen ("://"), "/?#") : NULL;

  return g_strcmp0 (path, "/") == 0 ? (gsize) (path - issuer) : strlen (issuer);
}

gboolean
beckon_oauth_url_is_issuer (const char *one, const char *other)
{
  return one != NULL && other != NULL && measure_issuer (one) == measure_issuer (other)
         && strncmp (one, other, measure_issuer (one)) == 0;
}

char *
beckon_oauth_url_dup_host (const char *url)
{
  g_autoptr (GUri) uri = oauth_url_parse (url);

  if (uri == NULL || g_uri_get_host (uri) == NULL)
    return beckon_text_for_display (url != NULL ? url : "", -1, BECKON_TEXT_EXACT);
  return g_uri_get_port (uri) < 0 ? g_strdup (g_uri_get_host (uri))
                                  : g_strdup_printf ("%s:%d", g_uri_get_host (uri), g_uri_get_port (uri));
}

void
beckon_oauth_form_add (GString *form, const char *name, const char *value)
{
  g_autofree char *escaped = value != NULL ? g_uri_escape_string (value, NULL, FALSE) : NULL;

  if (value == NULL)
    return;
  g_string_append_printf (form, "%s%s=%s", form->len > 0 ? "&" : "", name, escaped);
}
