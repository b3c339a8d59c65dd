/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-login-words.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

/* @words: a sentence with one %s */
static char *
login_words_fill_in (const char *words, const char *value)
{
  g_autofree char *shown = beckon_text_for_display (value, -1, BECKON_TEXT_EXACT);

  return beckon_text_fill_in (words, shown);
}

static void
login_words_append (GString *lines, char *line)
{
  g_string_append_printf (lines, "%s%s", lines->len > 0 ? "\n" : "", line);
  g_free (line);
}

char *
beckon_login_words_describe (const BeckonLogin *login)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  login_words_append (lines, login->client_id != NULL
                      /* Translators: %s is the ID of a client, as Beckon is called there */
                      ? login_words_fill_in (_("You, in the browser, as the client “%s”"), login->client_id)
                      : g_strdup (_("You, in the browser")));
  if (login->issuer != NULL)
    /* Translators: %s is an address */
    login_words_append (lines, login_words_fill_in (_("At %s only"), login->issuer));
  if (login->scope != NULL)
    /* Translators: %s is a list of names that a server has for permissions */
    login_words_append (lines, login_words_fill_in (_("With the permissions %s"), login->scope));
  return g_string_free (g_steal_pointer (&lines), FALSE);
}
