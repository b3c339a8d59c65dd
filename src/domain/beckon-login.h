/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-writer.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * BeckonLoginFlow:
 * @BECKON_LOGIN_PERSON: the person signs in, in the browser
 * @BECKON_LOGIN_CLIENT: this program by itself, with its own secret or key (RFC 6749, 4.4)
 * @BECKON_LOGIN_ENTERPRISE: the company's identity provider vouches for the person (ID-JAG: RFC 8693, then RFC 7523)
 * @BECKON_LOGIN_WORKLOAD: the platform that this program runs on vouches for it (RFC 7523)
 *
 * The way to a token.
 */
typedef enum
{
  BECKON_LOGIN_PERSON,
  BECKON_LOGIN_CLIENT,
  BECKON_LOGIN_ENTERPRISE,
  BECKON_LOGIN_WORKLOAD,
} BeckonLoginFlow;

/**
 * BeckonLoginSecret:
 * @BECKON_LOGIN_SECRET_CLIENT: this program's secret at the authorization server
 * @BECKON_LOGIN_SECRET_KEY: this program's private key, in its place
 * @BECKON_LOGIN_SECRET_PROVIDER: this program's secret at the identity provider
 *
 * What of a login is kept in the keyring.
 */
typedef enum
{
  BECKON_LOGIN_SECRET_CLIENT,
  BECKON_LOGIN_SECRET_KEY,
  BECKON_LOGIN_SECRET_PROVIDER,
} BeckonLoginSecret;

#define BECKON_LOGIN_N_SECRETS 3

/**
 * BeckonLogin:
 * @flow: the way to a token
 * @client_id: (nullable): the name under which this program is registered at the authorization server
 * @issuer: (nullable): the authorization server; nothing of this goes to another one
 * @scope: (nullable): permissions to ask for, separated by spaces, beside those that the server names
 * @provider_url: (nullable): of an enterprise: the token endpoint of its identity provider
 * @provider_client_id: (nullable): of an enterprise: the name of this program there
 * @token_file: (nullable): the absolute path of a file with the token that vouches
 * @token_program: (nullable) (array zero-terminated=1): a program that prints it, in place of the file
 * @is_bound: only tokens that are bound to a key of this program are used (DPoP, RFC 9449)
 * @has_secret: which secrets there are, by #BeckonLoginSecret
 * @secrets: (nullable): their values, between entering and storing them only, never in the store
 *
 * The settings of a sign-in to a server.
 */
typedef struct
{
  BeckonLoginFlow flow;
  char *client_id;
  char *issuer;
  char *scope;
  char *provider_url;
  char *provider_client_id;
  char *token_file;
  char **token_program;
  gboolean is_bound;
  gboolean has_secret[BECKON_LOGIN_N_SECRETS];
  char *secrets[BECKON_LOGIN_N_SECRETS];
} BeckonLogin;

BeckonLogin *beckon_login_new (BeckonLoginFlow flow) G_GNUC_WARN_UNUSED_RESULT;
BeckonLogin *beckon_login_copy (const BeckonLogin *login) G_GNUC_WARN_UNUSED_RESULT;
void         beckon_login_free (BeckonLogin *login);

/** %FALSE with %BECKON_ERROR_INVALID, in words to be shown, if something is missing or of another flow. */
gboolean beckon_login_check (const BeckonLogin *login, GError **error);

/** Whether both are the same settings; of secrets, whether there are any. Both: (nullable). */
gboolean beckon_login_equal (const BeckonLogin *one, const BeckonLogin *other);

/** Takes @value, (transfer full), for the time until it is stored. */
void beckon_login_set_secret (BeckonLogin *login, BeckonLoginSecret secret, char *value);

/** The name of a secret among those of its server; no header or variable has such a name. Static. */
const char *beckon_login_secret_get_name (BeckonLoginSecret secret);

/** Writes it as an object, without values of secrets. */
void beckon_login_write (const BeckonLogin *login, BeckonJsonWriter *writer);

/** (transfer full) (nullable): from such an object; %NULL if it is none. */
BeckonLogin *beckon_login_read (JsonObject *object) G_GNUC_WARN_UNUSED_RESULT;

/** A flow by its name, such as "client". %FALSE if there is none. */
gboolean beckon_login_flow_read (const char *name, BeckonLoginFlow *flow);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLogin, beckon_login_free)

G_END_DECLS
