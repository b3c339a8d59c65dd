/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonOauthChallenge:
 * @error: (owned) (nullable): such as "insufficient_scope"
 * @scope: (owned) (nullable): what the refused request needs, separated by spaces
 * @resource_metadata: (owned) (nullable): where the server describes itself; not checked
 *
 * The challenge of a refusal (RFC 6750, 3; RFC 9728, 5.1).
 */
typedef struct
{
  char *error;
  char *scope;
  char *resource_metadata;
} BeckonOauthChallenge;

/**
 * beckon_oauth_challenge_parse:
 * @header: (nullable): all values of WWW-Authenticate, joined by commas
 *
 * Pure. The first Bearer challenge counts, among others of any scheme; a value that is too long, or that no scope can have, is
 * left out.
 *
 * Returns: (transfer full): the challenge, empty where there is none
 */
BeckonOauthChallenge *beckon_oauth_challenge_parse (const char *header) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_oauth_challenge_free (BeckonOauthChallenge *challenge);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonOauthChallenge, beckon_oauth_challenge_free)

/** Whether every character of @scope is one of RFC 6749, 3.3, or a space, and it is not too long. */
gboolean beckon_oauth_scope_is_valid (const char *scope);

/** The scopes of both, each once, in their order; %NULL if there are none. @one, @other: (nullable). Caller frees. */
char *beckon_oauth_scope_join (const char *one, const char *other) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @scope has all of @wanted. Both: (nullable). */
gboolean beckon_oauth_scope_has (const char *scope, const char *wanted);

G_END_DECLS
