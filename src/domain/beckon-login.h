/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-writer.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/** The names of a login's secrets among those of its server; no header or variable has such a name. The second and the third
 *  are a private key and an identity provider's secret, which earlier versions kept. */
#define BECKON_LOGIN_SECRET_NAME ":client-secret"
#define BECKON_LOGIN_OLD_SECRET_NAMES ":client-key", ":provider-secret"

/**
 * BeckonLogin:
 * @client_id: (nullable): the name under which this program is registered at the authorization server
 * @issuer: (nullable): the authorization server; nothing of this goes to another one
 * @scope: (nullable): permissions to ask for, separated by spaces, beside those that the server names
 * @has_secret: the keyring has this program's secret at the authorization server
 * @has_old_secrets: the keyring may have secrets of %BECKON_LOGIN_OLD_SECRET_NAMES; not stored
 * @secret: (nullable): the secret, between entering and storing it only, never in the store
 *
 * The settings of a person's sign-in to a server.
 */
typedef struct
{
  char *client_id;
  char *issuer;
  char *scope;
  gboolean has_secret;
  gboolean has_old_secrets;
  char *secret;
} BeckonLogin;

BeckonLogin *beckon_login_new (void) G_GNUC_WARN_UNUSED_RESULT;
BeckonLogin *beckon_login_copy (const BeckonLogin *login) G_GNUC_WARN_UNUSED_RESULT;
void         beckon_login_free (BeckonLogin *login);

/** %FALSE with %BECKON_ERROR_INVALID, in words to be shown, if something is missing. */
gboolean beckon_login_check (const BeckonLogin *login, GError **error);

/** Whether both are the same settings; of the secret, whether there is one. Both: (nullable). */
gboolean beckon_login_equal (const BeckonLogin *one, const BeckonLogin *other);

/** Takes @secret, (transfer full), for the time until it is stored. */
void beckon_login_set_secret (BeckonLogin *login, char *secret);

/** Writes it as an object, without the value of the secret. */
void beckon_login_write (const BeckonLogin *login, BeckonJsonWriter *writer);

/** (transfer full) (nullable): from such an object; %NULL if it is none. One of an earlier version in which nobody had to be
 *  there becomes a person's. */
BeckonLogin *beckon_login_read (JsonObject *object) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLogin, beckon_login_free)

G_END_DECLS
