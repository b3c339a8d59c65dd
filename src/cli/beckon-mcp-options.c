/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mcp-options.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-config.h"
#include "beckon-line-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
beckon_login_options_add_to (BeckonLoginOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "client-id", 0, 0, G_OPTION_ARG_STRING, &options->client_id, N_("Set the ID that Beckon is registered under"), N_("ID") },
    { "client-secret-from-stdin", 0, 0, G_OPTION_ARG_NONE, &options->client_secret_from_stdin,
      N_("Read the client's secret from a line of standard input"), NULL },
    { "issuer", 0, 0, G_OPTION_ARG_STRING, &options->issuer, N_("Sign in at this authorization server only"), N_("URL") },
    { "scope", 0, 0, G_OPTION_ARG_STRING, &options->scope, N_("Ask for these permissions, too"), N_("SCOPES") },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static void
beckon_login_options_clear (BeckonLoginOptions *options)
{
  g_free (options->client_id);
  g_free (options->issuer);
  g_free (options->scope);
}

static void
set_text (char **text, const char *given)
{
  if (given == NULL)
    return;
  g_free (*text);
  *text = *given != '\0' ? g_strdup (given) : NULL;
}

/**
 * beckon_login_options_make:
 * @options: what was given
 * @before: (nullable): how it was; what was not given stays
 * @error: return location
 *
 * Makes the settings, with the secret, a line of standard input. Without a client ID there is none. Blocks.
 *
 * Returns: (transfer full) (nullable): %NULL without an error where nothing was given
 */
static BeckonLogin *
beckon_login_options_make (const BeckonLoginOptions *options, const BeckonLogin *before, GError **error)
{
  g_autoptr (BeckonLogin) login = before != NULL ? beckon_login_copy (before) : beckon_login_new ();
  char *secret = NULL;

  if (options->client_id == NULL && options->issuer == NULL && options->scope == NULL && !options->client_secret_from_stdin)
    return NULL;

  set_text (&login->client_id, options->client_id);
  set_text (&login->issuer, options->issuer);
  set_text (&login->scope, options->scope);
  login->has_secret = login->has_secret && login->client_id != NULL;
  if (options->client_secret_from_stdin)
    {
      secret = beckon_secret_line_read (BECKON_LOGIN_SECRET_NAME, error);
      if (secret == NULL)
        return NULL;
      beckon_login_set_secret (login, secret);
    }
  return beckon_login_check (login, error) ? g_steal_pointer (&login) : NULL;
}

void
beckon_mcp_options_add_to (BeckonMcpOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "env", 'e', 0, G_OPTION_ARG_STRING_ARRAY, &options->environment, N_("Set a variable, or pass it on by its name"),
      N_("NAME[=VALUE]") },
    { "url", 0, 0, G_OPTION_ARG_STRING, &options->url, N_("Use the server at an address"), N_("ADDRESS") },
    { "header", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->headers, N_("Send a header with each request"), N_("NAME:VALUE") },
    { "secret", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->secrets,
      N_("Read a variable or header from standard input"), N_("NAME") },
    { "unset", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->unset, N_("Remove a variable or header"), N_("NAME") },
    { "directory", 0, 0, G_OPTION_ARG_FILENAME, &options->directory, N_("Start the server in a folder"), N_("FOLDER") },
    { "folder", 0, 0, G_OPTION_ARG_FILENAME, &options->folder, N_("Offer its tools in this folder only"), N_("FOLDER") },
    { "sandbox", 0, 0, G_OPTION_ARG_NONE, &options->is_sandboxed,
      N_("Keep the server in a sandbox that has its folder alone"), NULL },
    { "no-sandbox", 0, 0, G_OPTION_ARG_NONE, &options->no_sandbox, N_("Start the server without a sandbox"), NULL },
    { "network", 0, 0, G_OPTION_ARG_NONE, &options->has_network, N_("Let it use the internet from the sandbox"), NULL },
    { "no-network", 0, 0, G_OPTION_ARG_NONE, &options->no_network, N_("Keep the internet out of the sandbox"), NULL },
    { "write", 0, 0, G_OPTION_ARG_NONE, &options->can_write, N_("Let it change its folder from the sandbox"), NULL },
    { "no-write", 0, 0, G_OPTION_ARG_NONE, &options->no_write, N_("Let it only read its folder from the sandbox"), NULL },
    { "tools", 0, 0, G_OPTION_ARG_STRING, &options->offer, N_("Offer its tools: always, search or auto"), N_("WHEN") },
    { "timeout", 0, 0, G_OPTION_ARG_INT, &options->timeout_s, N_("Fail a call after seconds of silence"), N_("SECONDS") },
    { "instructions", 0, 0, G_OPTION_ARG_NONE, &options->instructions,
      N_("Give models what the server says about itself"), NULL },
    { "no-instructions", 0, 0, G_OPTION_ARG_NONE, &options->no_instructions,
      N_("Don't give models what the server says about itself"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  options->timeout_s = -1;
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  beckon_login_options_add_to (&options->login, context);
}

void
beckon_mcp_options_clear (BeckonMcpOptions *options)
{
  g_strfreev (options->command);
  g_strfreev (options->environment);
  g_strfreev (options->headers);
  g_strfreev (options->secrets);
  g_strfreev (options->unset);
  g_free (options->url);
  g_free (options->directory);
  g_free (options->folder);
  g_free (options->offer);
  beckon_login_options_clear (&options->login);
}

/* --- Variables and headers ---------------------------------------------------------------------------------------- */

static GPtrArray *
mcp_options_get_variables (BeckonMcpServer *server)
{
  return server->kind == BECKON_MCP_KIND_HTTP ? server->headers : server->variables;
}

/* Names of headers are the same in capitals. -1: none. */
static int
mcp_options_find (BeckonMcpServer *server, const char *name)
{
  GPtrArray *variables = mcp_options_get_variables (server);

  for (guint i = 0; i < variables->len; i++)
    {
      const char *other = ((BeckonMcpVariable *) g_ptr_array_index (variables, i))->name;

      if (server->kind == BECKON_MCP_KIND_HTTP ? g_ascii_strcasecmp (other, name) == 0 : strcmp (other, name) == 0)
        return (int) i;
    }
  return -1;
}

static void
put (BeckonMcpServer *server, const char *name, const char *value, BeckonMcpValueSource source)
{
  int index = mcp_options_find (server, name);

  if (index >= 0)
    g_ptr_array_remove_index (mcp_options_get_variables (server), (guint) index);
  g_ptr_array_insert (mcp_options_get_variables (server), index, beckon_mcp_variable_new (name, value, source));
}

static gboolean
take_out (const BeckonMcpOptions *options, BeckonMcpServer *server, GError **error)
{
  for (guint i = 0; options->unset != NULL && options->unset[i] != NULL; i++)
    {
      int index = mcp_options_find (server, options->unset[i]);

      if (index < 0)
        {
          /* Translators: the name of a variable or header */
          beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The server has no “%s”."), options->unset[i]);
          return FALSE;
        }
      g_ptr_array_remove_index (mcp_options_get_variables (server), (guint) index);
    }
  return TRUE;
}

static gboolean
apply_variables (const BeckonMcpOptions *options, BeckonMcpServer *server, GError **error)
{
  gboolean is_http = server->kind == BECKON_MCP_KIND_HTTP;
  char **given = is_http ? options->headers : options->environment;

  if ((is_http ? options->environment : options->headers) != NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           is_http ? _("A server at an address has headers, and no variables.")
                           : _("A server that is a program has variables, and no headers."));
      return FALSE;
    }
  if (!take_out (options, server, error))
    return FALSE;
  for (guint i = 0; given != NULL && given[i] != NULL; i++)
    {
      /* Values of keys and passwords go to the keyring. A name alone takes the value that the program has in its own
       * environment. */
      g_auto (GStrv) words = g_strsplit (given[i], is_http ? ":" : "=", 2);

      if (words[0] == NULL || words[1] == NULL)
        put (server, given[i], NULL, BECKON_MCP_VALUE_INHERITED);
      else
        put (server, g_strstrip (words[0]), g_strchug (words[1]),
             beckon_mcp_variable_is_secret_name (words[0]) ? BECKON_MCP_VALUE_SECRET : BECKON_MCP_VALUE_PLAIN);
    }

  for (guint i = 0; options->secrets != NULL && options->secrets[i] != NULL; i++)
    {
      beckon_autowipe char *value = beckon_secret_line_read (options->secrets[i], error);

      if (value == NULL)
        return FALSE;
      put (server, options->secrets[i], value, BECKON_MCP_VALUE_SECRET);
    }
  return TRUE;
}

/* --- The rest ----------------------------------------------------------------------------------------------------- */

/* "" takes it out. */
static void
set_path (char **path, const char *given)
{
  if (given == NULL)
    return;
  g_free (*path);
  *path = *given != '\0' ? g_canonicalize_filename (given, NULL) : NULL;
}

static void
set_switch (gboolean *is_on, gboolean on, gboolean off)
{
  *is_on = on || (*is_on && !off);
}

static gboolean
apply_place (const BeckonMcpOptions *options, BeckonMcpServer *server, GError **error)
{
  gboolean has_command = options->command != NULL && options->command[0] != NULL;

  if (server->kind == BECKON_MCP_KIND_HTTP ? has_command : options->url != NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("A server is either a program or at an address. Add the other one as a server of its own."));
      return FALSE;
    }
  if (has_command)
    {
      g_free (server->program);
      g_strfreev (server->arguments);
      server->program = g_strdup (options->command[0]);
      server->arguments = g_strdupv (options->command + 1);
    }
  if (options->url != NULL)
    {
      g_free (server->address);
      server->address = g_strdup (options->url);
    }
  return TRUE;
}

static gboolean
apply_login (const BeckonMcpOptions *options, BeckonMcpServer *server, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (BeckonLogin) login = beckon_login_options_make (&options->login, server->login, &problem);

  if ((login != NULL || problem != NULL) && server->kind != BECKON_MCP_KIND_HTTP)
    {
      g_clear_error (&problem);
      g_set_error_literal (&problem, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("This server is a program on this computer, which has no sign-in."));
    }
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  if (login != NULL)
    {
      g_clear_pointer (&server->login, beckon_login_free);
      server->login = g_steal_pointer (&login);
    }
  return TRUE;
}

gboolean
beckon_mcp_options_apply (const BeckonMcpOptions *options, BeckonMcpServer *server, GError **error)
{
  if (!apply_place (options, server, error) || !apply_variables (options, server, error)
      || !apply_login (options, server, error))
    return FALSE;
  if (options->offer != NULL && !beckon_mcp_offer_from_string (options->offer, &server->offer))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("--tools is always, search or auto."));
      return FALSE;
    }
  set_path (&server->directory, options->directory);
  set_path (&server->folder, options->folder);
  set_switch (&server->is_sandboxed, options->is_sandboxed, options->no_sandbox);
  set_switch (&server->has_network, options->has_network, options->no_network);
  set_switch (&server->can_write, options->can_write, options->no_write);
  set_switch (&server->ignores_instructions, options->no_instructions, options->instructions);
  if (options->timeout_s >= 0)
    server->timeout_s = (guint) options->timeout_s;
  return TRUE;
}
