/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-login.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SERVER_LOGIN (beckon_server_login_get_type ())
G_DECLARE_FINAL_TYPE (BeckonServerLogin, beckon_server_login, BECKON, SERVER_LOGIN, AdwPreferencesGroup)

/**
 * BeckonServerLogin:
 *
 * The sign-in to a server at an address, to be entered by a person who was given a client ID for it; most servers need none of
 * it. An identity provider, a platform's token and a private key are entered in the terminal, shown here, and kept.
 */

/** Shows other settings. @login: (nullable): %NULL where a person signs in as the server says. */
void beckon_server_login_set (BeckonServerLogin *group, const BeckonLogin *login);

/** (transfer full) (nullable): as it is entered, not checked; %NULL likewise. */
BeckonLogin *beckon_server_login_make (BeckonServerLogin *group) G_GNUC_WARN_UNUSED_RESULT;

/** The settings of a sign-in for people, a line each; fit to be shown. Caller frees. */
char *beckon_login_words_describe (const BeckonLogin *login) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
