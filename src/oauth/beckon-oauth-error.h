/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define BECKON_OAUTH_ERROR (beckon_oauth_error_quark ())
GQuark beckon_oauth_error_quark (void);

/**
 * BeckonOauthError:
 * @BECKON_OAUTH_ERROR_NEEDED: the person has to sign in; nothing was opened
 * @BECKON_OAUTH_ERROR_REFUSED: the person or the authorization server said no; asking again would ask the same
 * @BECKON_OAUTH_ERROR_UNSAFE: what a server said leads elsewhere than it may: nothing was sent there
 * @BECKON_OAUTH_ERROR_PROTOCOL: a server answered something that is not OAuth
 * @BECKON_OAUTH_ERROR_FAILED: no answer came; it may work later
 * @BECKON_OAUTH_ERROR_LOCKED: there is a sign-in, in a keyring that is locked
 *
 * Why there is no token. Messages are translated, name the server, and hold no secret.
 */
typedef enum
{
  BECKON_OAUTH_ERROR_NEEDED,
  BECKON_OAUTH_ERROR_REFUSED,
  BECKON_OAUTH_ERROR_UNSAFE,
  BECKON_OAUTH_ERROR_PROTOCOL,
  BECKON_OAUTH_ERROR_FAILED,
  BECKON_OAUTH_ERROR_LOCKED,
} BeckonOauthError;

G_END_DECLS
