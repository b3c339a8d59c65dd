/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-login-words.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

/* @words: a sentence with one %s */
static char *
fill_in (const char *words, const char *value)
{
  g_autofree char *shown = beckon_text_for_display (value, -1, BECKON_TEXT_EXACT);

  return beckon_text_fill_in (words, shown);
}

static char *
describe_workload (const BeckonLogin *login)
{
  if (login->token_file != NULL)
    /* Translators: %s is a path; the token says who the computer is */
    return fill_in (_("Beckon by itself, with the token in “%s”"), login->token_file);
  /* Translators: %s is a program; the token says who the computer is */
  return fill_in (_("Beckon by itself, with the token that “%s” prints"), login->token_program[0]);
}

static char *
describe_way (const BeckonLogin *login)
{
  switch (login->flow)
    {
    case BECKON_LOGIN_CLIENT:
      return fill_in (login->has_secret[BECKON_LOGIN_SECRET_KEY]
                        /* Translators: %s is the ID of a client, as Beckon is called there */
                        ? _("Beckon by itself, as the client “%s” with a private key")
                        /* Translators: %s is the ID of a client, as Beckon is called there */
                        : _("Beckon by itself, as the client “%s” with a secret"),
                      login->client_id);

    case BECKON_LOGIN_ENTERPRISE:
      /* Translators: %s is the address of a company's identity provider */
      return fill_in (_("Beckon by itself; %s vouches for you"), login->provider_url);

    case BECKON_LOGIN_WORKLOAD:
      return describe_workload (login);

    case BECKON_LOGIN_PERSON:
    default:
      return login->client_id != NULL
               /* Translators: %s is the ID of a client, as Beckon is called there */
               ? fill_in (_("You, in the browser, as the client “%s”"), login->client_id)
               : g_strdup (_("You, in the browser"));
    }
}

static void
append (GString *lines, char *line)
{
  g_string_append_printf (lines, "%s%s", lines->len > 0 ? "\n" : "", line);
  g_free (line);
}

char *
beckon_login_words_describe (const BeckonLogin *login)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  g_return_val_if_fail (login != NULL, NULL);

  append (lines, describe_way (login));
  if (login->issuer != NULL)
    /* Translators: %s is an address */
    append (lines, fill_in (_("At %s only"), login->issuer));
  if (login->scope != NULL)
    /* Translators: %s is a list of names that a server has for permissions */
    append (lines, fill_in (_("With the permissions %s"), login->scope));
  if (login->is_bound)
    append (lines, g_strdup (_("With tokens that are bound to a key of Beckon’s only (DPoP)")));
  return g_string_free (g_steal_pointer (&lines), FALSE);
}
