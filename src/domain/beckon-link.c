/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-link.h"

#include "base/beckon-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_URI_BYTES (16 * 1024)
#define MAX_ID_BYTES 100

BeckonLink *
beckon_link_new (BeckonLinkKind kind, const char *conversation_id, const char *message_id, const char *text)
{
  BeckonLink *link = g_new0 (BeckonLink, 1);

  link->kind = kind;
  link->conversation_id = g_strdup (conversation_id);
  link->message_id = g_strdup (message_id);
  link->text = g_strdup (text);
  return link;
}

BeckonLink *
beckon_link_copy (const BeckonLink *link)
{
  return beckon_link_new (link->kind, link->conversation_id, link->message_id, link->text);
}

void
beckon_link_free (BeckonLink *link)
{
  g_free (link->conversation_id);
  g_free (link->message_id);
  g_free (link->text);
  g_free (link);
}

static gboolean
link_refuse (GError **error)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       _("This link leads nowhere. Links of Beckon are beckon://conversation/ID, beckon://new?text=… and "
                         "beckon://search?text=…"));
  return FALSE;
}

static gboolean
is_id (const char *text)
{
  return text[0] != '\0' && strlen (text) <= MAX_ID_BYTES
         && strspn (text, "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == strlen (text);
}

static gboolean
read_uri (BeckonLink *link, GUri *uri, GError **error)
{
  const char *host = g_uri_get_host (uri);
  const char *path = g_uri_get_path (uri);
  gboolean is_bare = path[0] == '\0' || g_str_equal (path, "/");
  const char *query;
  g_autoptr (GHashTable) parameters = NULL;
  GHashTableIter iter;
  gpointer name, value;

  if (!g_str_equal (g_uri_get_scheme (uri), "beckon") || host == NULL || g_uri_get_userinfo (uri) != NULL ||
      g_uri_get_port (uri) != -1 || g_uri_get_fragment (uri) != NULL)
    return link_refuse (error);
  if (g_str_equal (host, "conversation"))
    {
      g_auto (GStrv) parts = g_strsplit (g_uri_get_path (uri), "/", -1);
      guint n = g_strv_length (parts);

      if (g_uri_get_query (uri) != NULL || n < 2 || n > 3 || parts[0][0] != '\0' || !is_id (parts[1]))
        return link_refuse (error);
      if (n == 3 && !is_id (parts[2]))
        return link_refuse (error);

      link->kind = BECKON_LINK_CONVERSATION;
      link->conversation_id = g_strdup (parts[1]);
      link->message_id = g_strdup (parts[2]);
      return TRUE;
    }
  if (!is_bare || (!g_str_equal (host, "new") && !g_str_equal (host, "search")))
    return link_refuse (error);

  link->kind = g_str_equal (host, "new") ? BECKON_LINK_NEW : BECKON_LINK_SEARCH;
  query = g_uri_get_query (uri);
  if (query == NULL)
    return TRUE;

  parameters = g_uri_parse_params (query, -1, "&", G_URI_PARAMS_WWW_FORM, NULL);
  if (parameters == NULL)
    return link_refuse (error);

  g_hash_table_iter_init (&iter, parameters);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      if (!g_str_equal (name, "text") || !g_utf8_validate (value, -1, NULL))
        return link_refuse (error);
      for (const char *at = value; *at != '\0'; at = g_utf8_next_char (at))
        {
          if (g_unichar_iscntrl (g_utf8_get_char (at)) && *at != '\n' && *at != '\t')
            return link_refuse (error);
        }
      g_free (link->text);
      link->text = g_strdup (value);
    }

  return TRUE;
}

BeckonLink *
beckon_link_parse (const char *text, GError **error)
{
  g_autoptr (BeckonLink) link = g_new0 (BeckonLink, 1);
  g_autoptr (GUri) uri = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  if (strlen (text) <= MAX_URI_BYTES)
    uri = g_uri_parse (text, G_URI_FLAGS_ENCODED_QUERY | G_URI_FLAGS_ENCODED_PATH, NULL);
  if (uri == NULL)
    {
      link_refuse (error);
      return NULL;
    }

  return read_uri (link, uri, error) ? g_steal_pointer (&link) : NULL;
}
