/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-login.h"

G_BEGIN_DECLS

/**
 * BeckonLoginOptions:
 *
 * What a command line says of the sign-in to a server. Begins zeroed.
 */
typedef struct
{
  char *flow;
  char *client_id;
  char *client_key;
  char *issuer;
  char *scope;
  char *provider_url;
  char *provider_client_id;
  char *token_file;
  char *token_command;
  gboolean client_secret_from_stdin;
  gboolean provider_secret_from_stdin;
  gboolean is_bound;
} BeckonLoginOptions;

void beckon_login_options_add_to (BeckonLoginOptions *options, GOptionContext *context);
void beckon_login_options_clear (BeckonLoginOptions *options);

/**
 * beckon_login_options_make:
 * @options: what was given
 * @before: (nullable): how it was; without another way to sign in what was not given stays
 * @error: return location
 *
 * Makes the settings, with their secrets: lines of standard input, that of the authorization server first, and a key from its
 * file. Blocks.
 *
 * Returns: (transfer full) (nullable): %NULL without an error where nothing was given
 */
BeckonLogin *beckon_login_options_make (const BeckonLoginOptions *options, const BeckonLogin *before,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
