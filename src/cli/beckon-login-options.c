/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-login-options.h"

#include "base/beckon-error.h"
#include "base/beckon-wipe.h"
#include "beckon-secret-line.h"
#include "oauth/beckon-oauth-key.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

void
beckon_login_options_add_to (BeckonLoginOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "login", 0, 0, G_OPTION_ARG_STRING, &options->flow, N_("Sign in as person, client, enterprise or workload"), N_("WAY") },
    { "client-id", 0, 0, G_OPTION_ARG_STRING, &options->client_id, N_("Set the ID that Beckon is registered under"), N_("ID") },
    { "client-secret-from-stdin", 0, 0, G_OPTION_ARG_NONE, &options->client_secret_from_stdin,
      N_("Read the client's secret from a line of standard input"), NULL },
    { "client-key", 0, 0, G_OPTION_ARG_FILENAME, &options->client_key, N_("Copy the client's private key (PEM) to the keyring"),
      N_("FILE") },
    { "issuer", 0, 0, G_OPTION_ARG_STRING, &options->issuer, N_("Sign in at this authorization server only"), N_("URL") },
    { "scope", 0, 0, G_OPTION_ARG_STRING, &options->scope, N_("Ask for these permissions, too"), N_("SCOPES") },
    { "token-file", 0, 0, G_OPTION_ARG_FILENAME, &options->token_file, N_("Read the token that vouches from a file"),
      N_("FILE") },
    { "token-command", 0, 0, G_OPTION_ARG_STRING, &options->token_command, N_("Get the token that vouches from a program"),
      N_("COMMAND") },
    { "idp-token-url", 0, 0, G_OPTION_ARG_STRING, &options->provider_url, N_("Set the identity provider's token endpoint"),
      N_("URL") },
    { "idp-client-id", 0, 0, G_OPTION_ARG_STRING, &options->provider_client_id,
      N_("Set the client ID at the identity provider"), N_("ID") },
    { "idp-secret-from-stdin", 0, 0, G_OPTION_ARG_NONE, &options->provider_secret_from_stdin,
      N_("Read the identity provider’s secret from standard input"), NULL },
    { "bound-tokens", 0, 0, G_OPTION_ARG_NONE, &options->is_bound, N_("Accept only tokens that are bound to a key (DPoP)"),
      NULL },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

void
beckon_login_options_clear (BeckonLoginOptions *options)
{
  g_free (options->flow);
  g_free (options->client_id);
  g_free (options->client_key);
  g_free (options->issuer);
  g_free (options->scope);
  g_free (options->provider_url);
  g_free (options->provider_client_id);
  g_free (options->token_file);
  g_free (options->token_command);
}

static gboolean
is_empty (const BeckonLoginOptions *options)
{
  const char *texts[] = { options->flow, options->client_id, options->client_key, options->issuer, options->scope,
                          options->provider_url, options->provider_client_id, options->token_file, options->token_command };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i] != NULL)
      return FALSE;
  return !options->client_secret_from_stdin && !options->provider_secret_from_stdin && !options->is_bound;
}

/* --- Secrets ------------------------------------------------------------------------------------------------------ */

static gboolean
read_line (BeckonLogin *login, BeckonLoginSecret secret, GError **error)
{
  char *line = beckon_secret_line_read (beckon_login_secret_get_name (secret), error);

  if (line != NULL)
    beckon_login_set_secret (login, secret, line);
  return line != NULL;
}

/* (transfer full) (nullable): a file's text; one that is too long is cut, and no key. */
static char *
read_file (const char *path, GError **error)
{
  FILE *file = fopen (path, "rbe");
  g_autofree char *shown = g_filename_display_name (path);
  char *text;
  gsize length;

  if (file == NULL)
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "%s: %s", shown, g_strerror (errno));
      return NULL;
    }
  setvbuf (file, NULL, _IONBF, 0);
  text = g_malloc0 (BECKON_OAUTH_KEY_FILE_MAX + 2);
  length = fread (text, 1, BECKON_OAUTH_KEY_FILE_MAX + 1, file);
  text[length] = '\0';
  fclose (file);
  return text;
}

static gboolean
read_key (BeckonLogin *login, const char *path, GError **error)
{
  beckon_autowipe char *text = read_file (path, error);
  g_autoptr (BeckonOauthKey) key = text != NULL ? beckon_oauth_key_read (text, error) : NULL;
  char *printed = key != NULL ? beckon_oauth_key_print (key, error) : NULL;

  if (printed == NULL)
    return FALSE;
  beckon_login_set_secret (login, BECKON_LOGIN_SECRET_KEY, printed);
  return TRUE;
}

/* --- The settings ------------------------------------------------------------------------------------------------- */

static void
set_text (char **text, const char *given)
{
  if (given == NULL)
    return;
  g_free (*text);
  *text = *given != '\0' ? g_strdup (given) : NULL;
}

static gboolean
set_program (BeckonLogin *login, const char *command, GError **error)
{
  char **words = NULL;

  if (!g_shell_parse_argv (command, NULL, &words, error))
    return FALSE;
  g_strfreev (login->token_program);
  login->token_program = words;
  return TRUE;
}

static void
fill_in (BeckonLogin *login, const BeckonLoginOptions *options)
{
  g_autofree char *file
    = options->token_file != NULL && *options->token_file != '\0' ? g_canonicalize_filename (options->token_file, NULL)
                                                                  : g_strdup (options->token_file);

  set_text (&login->client_id, options->client_id);
  set_text (&login->issuer, options->issuer);
  set_text (&login->scope, options->scope);
  set_text (&login->provider_url, options->provider_url);
  set_text (&login->provider_client_id, options->provider_client_id);
  set_text (&login->token_file, file);
  login->is_bound = login->is_bound || options->is_bound;
}

BeckonLogin *
beckon_login_options_make (const BeckonLoginOptions *options, const BeckonLogin *before, GError **error)
{
  g_autoptr (BeckonLogin) login
    = before != NULL && options->flow == NULL ? beckon_login_copy (before) : beckon_login_new (BECKON_LOGIN_PERSON);

  if (is_empty (options))
    return NULL;
  if (options->flow != NULL && !beckon_login_flow_read (options->flow, &login->flow))
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("Use person, client, enterprise or workload with --login."));
      return NULL;
    }
  fill_in (login, options);
  if ((options->token_command != NULL && !set_program (login, options->token_command, error))
      || (options->client_secret_from_stdin && !read_line (login, BECKON_LOGIN_SECRET_CLIENT, error))
      || (options->provider_secret_from_stdin && !read_line (login, BECKON_LOGIN_SECRET_PROVIDER, error))
      || (options->client_key != NULL && !read_key (login, options->client_key, error))
      || !beckon_login_check (login, error))
    return NULL;
  return g_steal_pointer (&login);
}
