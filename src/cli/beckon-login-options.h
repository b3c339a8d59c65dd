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
  char *client_id;
  char *issuer;
  char *scope;
  gboolean client_secret_from_stdin;
} BeckonLoginOptions;

void beckon_login_options_add_to (BeckonLoginOptions *options, GOptionContext *context);
void beckon_login_options_clear (BeckonLoginOptions *options);

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
BeckonLogin *beckon_login_options_make (const BeckonLoginOptions *options, const BeckonLogin *before,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
