/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/** The most that is read of an answer, and how long all of it may take. */
#define BECKON_OAUTH_NET_MAX (256 * 1024)
#define BECKON_OAUTH_NET_SECONDS 30

#define BECKON_TYPE_OAUTH_NET (beckon_oauth_net_get_type ())
G_DECLARE_FINAL_TYPE (BeckonOauthNet, beckon_oauth_net, BECKON, OAUTH_NET, GObject)

/**
 * BeckonOauthNet:
 *
 * The small requests of a sign-in. What a server of the public internet names leads to the public internet only: not to this
 * computer or its network. By the system's proxies. Main thread.
 */

/**
 * BeckonOauthAsk:
 * @url: where; checked by beckon_oauth_url_check() before anything is sent
 * @body: (nullable): what is posted; %NULL asks with GET, and follows redirects on the same server
 * @type: (nullable): the media type of @body
 * @authorization: (nullable): a header's value
 *
 * Borrowed for the time of the call.
 */
typedef struct
{
  const char *url;
  const char *body;
  const char *type;
  const char *authorization;
} BeckonOauthAsk;

/**
 * BeckonOauthAnswer:
 * @status: the status
 * @challenge: (owned) (nullable): all of WWW-Authenticate
 * @body: (owned): wiped when it is freed; ends in NUL, which @length does not count
 * @length: its bytes
 */
typedef struct
{
  guint status;
  char *challenge;
  char *body;
  gsize length;
} BeckonOauthAnswer;

void beckon_oauth_answer_free (BeckonOauthAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonOauthAnswer, beckon_oauth_answer_free)

/** @server: the address that the person entered, which says what is allowed. */
BeckonOauthNet *beckon_oauth_net_new (const char *server, BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

/** @cancellable: (nullable): ends it at once. */
void beckon_oauth_net_ask_async (BeckonOauthNet *net, const BeckonOauthAsk *ask, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data);

/** Any whole answer; %NULL with an error of %BECKON_OAUTH_ERROR, or %G_IO_ERROR_CANCELLED. Caller owns. */
BeckonOauthAnswer *beckon_oauth_net_ask_finish (BeckonOauthNet *net, GAsyncResult *result,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_oauth_net_allows:
 * @net: the net, which has asked before
 * @url: an address for the browser
 * @error: return location
 *
 * Returns: %FALSE with %BECKON_OAUTH_ERROR_UNSAFE where a server of the public internet names this computer or its network
 */
gboolean beckon_oauth_net_allows (BeckonOauthNet *net, const char *url, GError **error);

G_END_DECLS
