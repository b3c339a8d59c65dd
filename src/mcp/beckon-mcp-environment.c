/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-environment.h"

#include "sandbox/beckon-sandbox.h"

#include <stdlib.h>
#include <string.h>

static const char *const usual[]
    = { "HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER", NULL };

/* A sandbox has a proxy of its own, which leads to the internet alone. */
static const char *const proxies[] = { "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",    "ALL_PROXY",
                                       "http_proxy", "https_proxy", "no_proxy", "all_proxy", NULL };

/* Tools of the home, and the screen. */
static const char *const outside[] = { "NVM_DIR", "JAVA_HOME", "DOCKER_HOST", "KUBECONFIG", "DISPLAY", "WAYLAND_DISPLAY",
                                       "XAUTHORITY", "XDG_RUNTIME_DIR", NULL };

static const char *const certificates[] = { "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE",    "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE",
                                            "CURL_CA_BUNDLE", "npm_config_cafile", "NPM_CONFIG_CAFILE", "PIP_CERT", NULL };

/* Programs that fetch packages have variables that begin so. */
static const char *const prefixes[] = { "npm_config_", "NPM_CONFIG_", "PIP_", "UV_" };

static gboolean
is_of_packages (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      return !beckon_mcp_variable_is_secret_name (name) && strstr (lower, "auth") == NULL;
  return FALSE;
}

/* Settings of packages that lead to a place of the home, which isn't there in a sandbox, or hold the password of a mirror. */
static gboolean
fits_sandbox (const char *value)
{
  const char *authority = strstr (value, "://");

  return *value != '/' && *value != '~'
         && (authority == NULL || memchr (authority + 3, '@', strcspn (authority + 3, "/?# ")) == NULL);
}

static gboolean
is_passed (const BeckonMcpServer *server, const char *name, const char *value)
{
  if (g_strv_contains (certificates, name))
    return !server->is_sandboxed || server->has_network;
  if (is_of_packages (name))
    return !server->is_sandboxed || (server->has_network && fits_sandbox (value));
  return !server->is_sandboxed && (g_strv_contains (proxies, name) || g_strv_contains (outside, name));
}

char **
beckon_mcp_environment_list (const BeckonMcpServer *server, GHashTable *secrets)
{
  g_auto (GStrv) names = g_listenv ();
  char **environment = g_new0 (char *, 1);

  for (guint i = 0; names[i] != NULL; i++)
    if (g_getenv (names[i]) != NULL && is_passed (server, names[i], g_getenv (names[i])))
      environment = g_environ_setenv (environment, names[i], g_getenv (names[i]), TRUE);
  for (guint i = 0; i < server->variables->len; i++)
    {
      const BeckonMcpVariable *variable = g_ptr_array_index (server->variables, i);
      const char *value = variable->source == BECKON_MCP_VALUE_PLAIN       ? variable->value
                          : variable->source == BECKON_MCP_VALUE_INHERITED ? g_getenv (variable->name)
                          : secrets != NULL                                ? g_hash_table_lookup (secrets, variable->name)
                                                                           : NULL;

      if (value != NULL)
        environment = g_environ_setenv (environment, variable->name, value, TRUE);
    }
  return environment;
}

char **
beckon_mcp_environment_make (const BeckonMcpServer *server, GHashTable *secrets)
{
  char **environment = beckon_mcp_environment_list (server, secrets);

  for (guint i = 0; usual[i] != NULL; i++)
    if (g_getenv (usual[i]) != NULL)
      environment = g_environ_setenv (environment, usual[i], g_getenv (usual[i]), FALSE);
  return environment;
}

/* (nullable): from realpath(). A folder is shown whole, so it must not hold the home. */
static char *
find_certificates (const char *name, const char *value)
{
  gboolean is_folder = strcmp (name, "SSL_CERT_DIR") == 0;
  char *real = g_path_is_absolute (value) ? realpath (value, NULL) : NULL;

  if (real != NULL && !beckon_sandbox_is_private (real)
      && (is_folder ? beckon_sandbox_check_folder (real, NULL) : g_file_test (real, G_FILE_TEST_IS_REGULAR)))
    return real;
  free (real);
  return NULL;
}

/* A file that came with a folder may write down any value, and have any file shown. */
static gboolean
is_written_down (const BeckonMcpServer *server, const char *name)
{
  for (guint i = 0; i < server->variables->len; i++)
    {
      const BeckonMcpVariable *variable = g_ptr_array_index (server->variables, i);

      if (strcmp (variable->name, name) == 0 && variable->source != BECKON_MCP_VALUE_INHERITED)
        return TRUE;
    }
  return FALSE;
}

char **
beckon_mcp_environment_show_certificates (const BeckonMcpServer *server, char ***environment)
{
  g_autoptr (GStrvBuilder) shown = g_strv_builder_new ();

  for (guint i = 0; certificates[i] != NULL; i++)
    {
      const char *value
          = is_written_down (server, certificates[i]) ? NULL : g_environ_getenv (*environment, certificates[i]);
      char *real = value != NULL ? find_certificates (certificates[i], value) : NULL;

      if (real != NULL)
        {
          *environment = g_environ_setenv (*environment, certificates[i], real, TRUE);
          g_strv_builder_add (shown, real);
        }
      else if (value != NULL)
        *environment = g_environ_unsetenv (*environment, certificates[i]);
      free (real);
    }
  return g_strv_builder_end (shown);
}
