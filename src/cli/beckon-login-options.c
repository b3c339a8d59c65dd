/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-login-options.h"

#include "beckon-secret-line.h"

#include <glib/gi18n-lib.h>

void
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

void
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

BeckonLogin *
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
