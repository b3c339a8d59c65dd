/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-llm-address.h"
#include "net/beckon-llm-error.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

/* The last that is not a preview: whatever a deployment has, it takes. */
#define AZURE_VERSION "2024-10-21"

/* The path of the protocol with the model's name in it. Gemini lists its models as "models/NAME". */
static char *
fill_in_model (const char *path, const char *model)
{
  g_autoptr (GString) filled = g_string_new (path);
  g_autofree char *name = NULL;

  if (strstr (path, "{model}") == NULL)
    return g_strdup (path);
  name = g_uri_escape_string (model + (g_str_has_prefix (model, "models/") ? strlen ("models/") : 0), NULL, FALSE);
  g_string_replace (filled, "{model}", name, 0);
  return g_strdup (filled->str);
}

/* A path's beginning that already ends the base URL is not repeated. */
static char *
join_paths (const char *base, const char *path)
{
  for (gsize length = strlen (path); length > 0; length--)
    {
      g_autofree char *beginning = g_strndup (path, length);

      if ((path[length] == '/' || path[length] == '\0') && g_str_has_suffix (base, beginning))
        return g_strconcat (base, path + length, NULL);
    }
  return g_strconcat (base, path, NULL);
}

/* Azure speaks OpenAI's protocols with a header of its own, under a path of its own. */
static gboolean
is_azure (GUri *uri)
{
  static const char *const domains[] = { ".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com" };

  for (guint i = 0; i < G_N_ELEMENTS (domains); i++)
    {
      if (g_str_has_suffix (g_uri_get_host (uri), domains[i]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
speaks_openai (const BeckonCodec *codec)
{
  return strcmp (codec->key_header, "Authorization") == 0 && codec->version == NULL;
}

/* The address of the resource alone is what the portal shows. */
static const char *
get_base_path (GUri *base, const BeckonCodec *codec)
{
  const char *path = g_uri_get_path (base);
  gboolean is_root = path[strspn (path, "/")] == '\0';

  return is_root && is_azure (base) && speaks_openai (codec) ? "/openai/v1" : path;
}

/* Deployments need a version, which people don't know by heart. */
static const char *
get_query (GUri *base, const BeckonCodec *codec)
{
  gboolean is_deployment = is_azure (base) && strstr (g_uri_get_path (base), "/deployments/") != NULL;
  const char *query = g_uri_get_query (base);

  if (!is_deployment || (query != NULL && strstr (query, "api-version=") != NULL))
    return codec->query;
  return "api-version=" AZURE_VERSION;
}

/* Whether @base names a version, "v1" say, or the whole path, behind which nothing is missing. What only names a server, or the
 * place on it where the protocol is spoken, needs the version of the protocol. */
static gboolean
has_version (const char *base, const char *path)
{
  g_auto (GStrv) segments = g_strsplit (base, "/", -1);

  for (char **segment = segments; *segment != NULL; segment++)
    if ((*segment)[0] == 'v' && g_ascii_isdigit ((*segment)[1]))
      return TRUE;
  return g_str_has_suffix (base, path);
}

static char *
make_path (const char *base, const BeckonCodec *codec, const char *model)
{
  g_autofree char *path = fill_in_model (codec->path, model);
  g_autofree char *start = g_strdup (base);
  g_autofree char *versioned = NULL;
  gsize length = strlen (start);

  while (length > 0 && start[length - 1] == '/')
    start[--length] = '\0';
  if (codec->version == NULL || has_version (start, path))
    return join_paths (start, path);
  versioned = g_strconcat (start, codec->version, NULL);
  return join_paths (versioned, path);
}

static char *
join_queries (const char *one, const char *other)
{
  if (one == NULL || other == NULL)
    return g_strdup (one != NULL ? one : other);
  return g_strconcat (one, "&", other, NULL);
}

GUri *
beckon_llm_address_new (const char *base_url, const BeckonCodec *codec, const char *model, GError **error)
{
  g_autoptr (GUri) base = g_uri_parse (base_url, SOUP_HTTP_URI_FLAGS, NULL);
  g_autofree char *path = NULL;
  g_autofree char *query = NULL;

  if (base == NULL || g_uri_get_host (base) == NULL || *g_uri_get_host (base) == '\0'
      || (strcmp (g_uri_get_scheme (base), "http") != 0 && strcmp (g_uri_get_scheme (base), "https") != 0))
    {
      g_set_error_literal (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_NOT_FOUND,
                           _("The base URL of this profile is not a web address. Change it in the preferences."));
      return NULL;
    }
  path = make_path (get_base_path (base, codec), codec, model);
  query = join_queries (g_uri_get_query (base), get_query (base, codec));
  return g_uri_build (SOUP_HTTP_URI_FLAGS, g_uri_get_scheme (base), NULL, g_uri_get_host (base), g_uri_get_port (base),
                      path, query, NULL);
}

/* A JSON Web Token, such as `az account get-access-token` prints; no key begins so. */
static gboolean
is_token (const char *key)
{
  return key != NULL && g_str_has_prefix (key, "eyJ") && strchr (key, '.') != NULL;
}

const char *
beckon_llm_address_get_key_header (GUri *uri, const BeckonCodec *codec, const char *key, const char **prefix)
{
  gboolean azure = is_azure (uri) && strcmp (codec->key_header, "Authorization") == 0 && !is_token (key);

  *prefix = azure ? "" : codec->key_prefix;
  return azure ? "api-key" : codec->key_header;
}
