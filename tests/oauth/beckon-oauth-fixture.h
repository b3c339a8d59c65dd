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
 * @methods: how a program may prove who it is, as members of a JSON array
 * @revokes: it says where tokens are revoked
 * @revoked: (element-type utf8): what was, as "kind token"
 * @served: what is protected
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
  const char *methods;
  gboolean revokes;
  GPtrArray *revoked;
  const char *served;
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

/** The field of the body that the last request for @path came with; %NULL if it has none. Caller frees. */
char *beckon_oauth_fixture_dup_field (BeckonOauthFixture *fixture, const char *path, const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** How many requests came for @path. */
guint beckon_oauth_fixture_count (BeckonOauthFixture *fixture, const char *path);

/** The last one of them; %NULL if there was none. */
const BeckonFixtureRequest *beckon_oauth_fixture_get_last (BeckonOauthFixture *fixture, const char *path);

/** A browser: visits the page, then where it is sent. @fixture: the fixture. */
void beckon_oauth_fixture_browse (const char *url, gpointer fixture);

/** Turns the main loop until it holds, and never sleeps. */
#define WAIT(condition) \
  G_STMT_START \
  { \
    gint64 deadline_ = g_get_monotonic_time () + 60 * G_USEC_PER_SEC; \
    while (!(condition)) \
      { \
        g_assert_cmpint (g_get_monotonic_time (), <, deadline_); \
        g_main_context_iteration (NULL, FALSE); \
      } \
  } \
  G_STMT_END

G_END_DECLS
