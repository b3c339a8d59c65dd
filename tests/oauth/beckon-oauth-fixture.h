/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-fixture-server.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

/**
 * BeckonOauthFixture:
 * @server: the server, which is its own authorization server too
 * @url: the address of what is protected
 * @root: the issuer
 * @replies: (element-type utf8 BeckonFixtureReply): what a path answers in place of what is usual
 * @answer: the query that the browser is sent back with; %NULL for the code and the state
 * @add: (nullable): what stands behind it
 *
 * A server that wants to be signed in to, and checks what RFC 6749 and RFC 7636 say it has to.
 */
typedef struct
{
  BeckonFixtureServer *server;
  char *url;
  char *root;
  GMutex mutex;
  GHashTable *replies;
  const char *answer;
  const char *add;
  char *challenge; /* of the last visit of the browser */
  char *redirect;
  guint n_tokens;  /* given out */
  guint n_registrations;
  guint n_faults;  /* requests that no authorization server may take */
  SoupSession *session;
} BeckonOauthFixture;

BeckonOauthFixture *beckon_oauth_fixture_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                beckon_oauth_fixture_free (BeckonOauthFixture *fixture);

/** Has @path answer so from now on. @headers: (nullable). */
void beckon_oauth_fixture_set (BeckonOauthFixture *fixture, const char *path, guint status, const char *headers,
                               const char *body);
void beckon_oauth_fixture_set_reply (BeckonOauthFixture *fixture, const char *path, BeckonFixtureReply *reply);

/** How many requests came for @path. */
guint beckon_oauth_fixture_count (BeckonOauthFixture *fixture, const char *path);

/** The last one of them; %NULL if there was none. */
const BeckonFixtureRequest *beckon_oauth_fixture_get_last (BeckonOauthFixture *fixture, const char *path);

/** A browser: visits the page, then where it is sent. @fixture: the fixture. */
void beckon_oauth_fixture_browse (const char *url, gpointer fixture);

G_END_DECLS
