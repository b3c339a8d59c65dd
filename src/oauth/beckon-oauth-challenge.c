/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-challenge.h"

#include <string.h>

#define HEADER_MAX (16 * 1024)
#define SCOPE_MAX 4096
#define URL_MAX 2048

void
beckon_oauth_challenge_free (BeckonOauthChallenge *challenge)
{
  if (challenge == NULL)
    return;

  g_free (challenge->error);
  g_free (challenge->scope);
  g_free (challenge->resource_metadata);
  g_free (challenge);
}

/* RFC 9110, 5.6.2 */
static gboolean
is_token (char c)
{
  return g_ascii_isalnum (c) || (c != '\0' && strchr ("!#$%&'*+-.^_`|~", c) != NULL);
}

static void
skip (const char **at, const char *what)
{
  *at += strspn (*at, what);
}

static char *
read_token (const char **at)
{
  const char *start = *at;

  while (is_token (**at))
    (*at)++;
  return g_strndup (start, (gsize) (*at - start));
}

/* (transfer full) (nullable): %NULL if the quotes are not closed. */
static char *
read_quoted (const char **at)
{
  GString *text = g_string_new (NULL);

  for ((*at)++; **at != '"' && **at != '\0'; (*at)++)
    {
      if (**at == '\\' && (*at)[1] != '\0')
        (*at)++;
      g_string_append_c (text, **at);
    }
  if (**at == '\0')
    {
      g_string_free (text, TRUE);
      return NULL;
    }
  (*at)++;
  return g_string_free (text, FALSE);
}

gboolean
beckon_oauth_scope_is_valid (const char *scope)
{
  for (const char *c = scope; *c != '\0'; c++)
    if (*c < 0x20 || *c > 0x7e || *c == '"' || *c == '\\' || c - scope >= SCOPE_MAX)
      return FALSE;
  return TRUE;
}

static void
challenge_take (char **member, char *value, gboolean is_good)
{
  if (is_good && *value != '\0' && *member == NULL)
    *member = value;
  else
    g_free (value);
}

/* @value: (transfer full) */
static void
take_parameter (BeckonOauthChallenge *challenge, const char *name, char *value)
{
  if (g_ascii_strcasecmp (name, "error") == 0)
    challenge_take (&challenge->error, value, strlen (value) <= 64 && beckon_oauth_scope_is_valid (value));
  else if (g_ascii_strcasecmp (name, "scope") == 0)
    challenge_take (&challenge->scope, value, beckon_oauth_scope_is_valid (value));
  else if (g_ascii_strcasecmp (name, "resource_metadata") == 0)
    challenge_take (&challenge->resource_metadata, value, strlen (value) <= URL_MAX);
  else
    g_free (value);
}

/* A word with one "=" and something behind it is a parameter; any other begins the challenge of another scheme, or is what one
 * has in place of parameters, which only the comma tells apart. */
static gboolean
is_parameter (const char *at)
{
  if (*at != '=')
    return FALSE;
  skip (&at, "= \t");
  return *at == '"' || is_token (*at);
}

BeckonOauthChallenge *
beckon_oauth_challenge_parse (const char *header)
{
  BeckonOauthChallenge *challenge = g_new0 (BeckonOauthChallenge, 1);
  const char *at = header;
  guint n_bearer = 0;
  gboolean is_known = FALSE;
  gboolean is_behind_scheme = FALSE;

  if (header == NULL || strlen (header) > HEADER_MAX)
    return challenge;

  while (skip (&at, " \t"), *at != '\0')
    {
      g_autofree char *word = NULL;

      if (*at == ',')
        {
          is_behind_scheme = FALSE;
          at++;
          continue;
        }
      word = read_token (&at);
      if (*word == '\0')
        break;
      skip (&at, " \t");
      if (is_parameter (at))
        {
          char *value;

          at++;
          skip (&at, " \t");
          value = *at == '"' ? read_quoted (&at) : read_token (&at);
          if (value == NULL)
            break;
          if (is_known)
            take_parameter (challenge, word, value);
          else
            g_free (value);
          is_behind_scheme = FALSE;
        }
      else if (is_behind_scheme)
        skip (&at, "=/ \t");
      else
        {
          is_known = g_ascii_strcasecmp (word, "Bearer") == 0 && n_bearer++ == 0;
          is_behind_scheme = TRUE;
        }
    }
  return challenge;
}

char *
beckon_oauth_scope_join (const char *one, const char *other)
{
  g_auto (GStrv) words = g_strsplit_set (one != NULL ? one : "", " ", -1);
  g_auto (GStrv) more = g_strsplit_set (other != NULL ? other : "", " ", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_auto (GStrv) all = NULL;
  char **lists[] = { words, more };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (char **word = lists[i]; *word != NULL; word++)
      if (**word != '\0' && g_hash_table_add (seen, *word))
        g_strv_builder_add (builder, *word);

  all = g_strv_builder_end (builder);
  return *all != NULL ? g_strjoinv (" ", all) : NULL;
}

gboolean
beckon_oauth_scope_has (const char *scope, const char *wanted)
{
  g_autofree char *alone = beckon_oauth_scope_join (scope, NULL);
  g_autofree char *both = beckon_oauth_scope_join (scope, wanted);

  return g_strcmp0 (alone, both) == 0;
}
