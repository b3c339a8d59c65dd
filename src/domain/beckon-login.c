/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-login.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-origin.h"
#include "base/beckon-wipe.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_TEXT 4096

static const struct
{
  const char *name;
  gsize offset;
} texts[] = {
  { "clientId", G_STRUCT_OFFSET (BeckonLogin, client_id) },
  { "issuer", G_STRUCT_OFFSET (BeckonLogin, issuer) },
  { "scope", G_STRUCT_OFFSET (BeckonLogin, scope) },
};

BeckonLogin *
beckon_login_new (void)
{
  return g_new0 (BeckonLogin, 1);
}

BeckonLogin *
beckon_login_copy (const BeckonLogin *login)
{
  BeckonLogin *copy;

  if (login == NULL)
    return NULL;

  copy = beckon_login_new ();
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    G_STRUCT_MEMBER (char *, copy, texts[i].offset) = g_strdup (G_STRUCT_MEMBER (char *, login, texts[i].offset));
  copy->has_secret = login->has_secret;
  copy->has_old_secrets = login->has_old_secrets;
  copy->secret = g_strdup (login->secret);
  return copy;
}

void
beckon_login_free (BeckonLogin *login)
{
  if (login == NULL)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (G_STRUCT_MEMBER (char *, login, texts[i].offset));
  beckon_wipe (login->secret);
  g_free (login);
}

void
beckon_login_set_secret (BeckonLogin *login, char *secret)
{
  g_return_if_fail (login != NULL);

  beckon_wipe (login->secret);
  login->secret = secret;
  login->has_secret = login->has_secret || secret != NULL;
}

/* --- Checks ------------------------------------------------------------------------------------------------------- */

static gboolean
login_refuse (GError **error, const char *words)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, words);
  return FALSE;
}

static gboolean
is_printable (const char *text)
{
  if (text == NULL)
    return TRUE;
  for (const char *at = text; *at != '\0'; at++)
    if (g_ascii_iscntrl (*at))
      return FALSE;
  return *text != '\0' && strlen (text) <= MAX_TEXT && g_utf8_validate (text, -1, NULL);
}

static gboolean
is_safe_url (const char *url)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_ENCODED, NULL);

  return uri != NULL && g_uri_get_host (uri) != NULL && g_uri_get_userinfo (uri) == NULL
         && (strcmp (g_uri_get_scheme (uri), "https") == 0 || beckon_uri_is_loopback (url));
}

gboolean
beckon_login_check (const BeckonLogin *login, GError **error)
{
  g_return_val_if_fail (login != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (!is_printable (G_STRUCT_MEMBER (char *, login, texts[i].offset)))
      return login_refuse (error, _("A setting of the sign-in is empty or too long, or has a line break."));
  if (login->issuer != NULL && !is_safe_url (login->issuer))
    return login_refuse (error, _("The address of the authorization server has to begin with https."));
  if (login->has_secret && login->client_id == NULL)
    return login_refuse (error, _("Enter the client ID under which Beckon is registered with the authorization server."));
  /* A server says by itself where its sign-in is, and could name one that collects secrets. */
  if (login->has_secret && login->issuer == NULL)
    return login_refuse (error, _("Enter the address of the authorization server, so that the secret goes to no other one."));
  return TRUE;
}

/* --- Storing ------------------------------------------------------------------------------------------------------ */

/* Earlier versions, which had other ways to sign in, read no login without its "flow". */
void
beckon_login_write (const BeckonLogin *login, BeckonJsonWriter *writer)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "flow", "person");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const char *text = G_STRUCT_MEMBER (char *, login, texts[i].offset);

      if (text != NULL)
        beckon_json_writer_member_string (writer, texts[i].name, text);
    }
  if (login->has_secret)
    beckon_json_writer_member_boolean (writer, "hasClientSecret", TRUE);
  beckon_json_writer_end_object (writer);
}

static char *
login_print (const BeckonLogin *login)
{
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_login_write (login, &writer);
  return g_string_free (text, FALSE);
}

gboolean
beckon_login_equal (const BeckonLogin *one, const BeckonLogin *other)
{
  g_autofree char *first = one != NULL ? login_print (one) : NULL;
  g_autofree char *second = other != NULL ? login_print (other) : NULL;

  return g_strcmp0 (first, second) == 0;
}

BeckonLogin *
beckon_login_read (JsonObject *object)
{
  g_autoptr (BeckonLogin) login = beckon_login_new ();

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    G_STRUCT_MEMBER (char *, login, texts[i].offset) = g_strdup (beckon_json_get_string (object, texts[i].name));
  login->has_secret = beckon_json_get_boolean (object, "hasClientSecret", FALSE);
  login->has_old_secrets = beckon_json_get_boolean (object, "hasClientKey", FALSE)
                           || beckon_json_get_boolean (object, "hasProviderSecret", FALSE);
  return beckon_login_check (login, NULL) ? g_steal_pointer (&login) : NULL;
}
