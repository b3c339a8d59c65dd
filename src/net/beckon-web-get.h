/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** The most that is read of a page, and how long all of it may take, redirects included. */
#define BECKON_WEB_GET_MAX_BYTES (5 * 1024 * 1024)
#define BECKON_WEB_GET_SECONDS 30
#define BECKON_WEB_GET_MAX_REDIRECTS 5

/**
 * BeckonWebPage:
 * @url: (owned): where it came from in the end
 * @type: (owned) (nullable): its media type in lower case, without parameters
 * @charset: (owned) (nullable): what its header says
 * @body: (owned): its bytes
 * @is_cut: there was more than is read
 * @moved_to: (owned) (nullable): it is elsewhere, at another host; the rest is empty
 */
typedef struct
{
  char *url;
  char *type;
  char *charset;
  GBytes *body;
  gboolean is_cut;
  char *moved_to;
} BeckonWebPage;

void beckon_web_page_free (BeckonWebPage *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonWebPage, beckon_web_page_free)

/**
 * BeckonWebFault:
 * @BECKON_WEB_FAULT_OTHER: what the system said, in the person's language
 * @BECKON_WEB_FAULT_ADDRESS: it redirects to an address that is not fetched from
 * @BECKON_WEB_FAULT_PRIVATE: its address, or one that it redirects to, is of this computer or its network
 * @BECKON_WEB_FAULT_REDIRECTS: it redirects again and again
 * @BECKON_WEB_FAULT_LATE: it did not come in time
 * @BECKON_WEB_FAULT_OLD_TLS: its server speaks only an old version of TLS
 * @BECKON_WEB_FAULT_PROXY: only a proxy would lead to it
 * @BECKON_WEB_FAULT_STATUS: its server has another answer
 *
 * Why there is no page.
 */
typedef enum
{
  BECKON_WEB_FAULT_OTHER,
  BECKON_WEB_FAULT_ADDRESS,
  BECKON_WEB_FAULT_PRIVATE,
  BECKON_WEB_FAULT_REDIRECTS,
  BECKON_WEB_FAULT_LATE,
  BECKON_WEB_FAULT_OLD_TLS,
  BECKON_WEB_FAULT_PROXY,
  BECKON_WEB_FAULT_STATUS,
} BeckonWebFault;

/**
 * beckon_web_get_check:
 * @url: what claims to be a URL
 * @private_too: whether addresses of this computer and its network are allowed
 * @error: return location; English, for the model
 *
 * Returns: (transfer full): it, if it is http or https, with a host and without a user; %NULL if not, or if its host is
 *   written as a number of an address that is not public
 */
GUri *beckon_web_get_check (const char *url, gboolean private_too, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_web_get_async:
 * @url: an address that beckon_web_get_check() let through
 * @accept: the media types that are wanted
 * @private_too: whether addresses of this computer and its network are allowed
 * @cancellable: (nullable): honoured at every step
 * @callback: called later
 * @user_data: for @callback
 *
 * Reads a page: without cookies or credentials, by public addresses only unless @private_too, following redirects of the same
 * host. The system's proxies are used with @private_too alone, and not for this computer itself: a proxy looks up names where
 * this program cannot see to which addresses they lead. Without, what cannot be reached directly says so.
 */
void           beckon_web_get_async (const char *url, const char *accept, gboolean private_too, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data);
BeckonWebPage *beckon_web_get_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Returns the fault behind an error, for people: its message is English, for the model. @status: (out): the server's. */
BeckonWebFault beckon_web_get_get_fault (GAsyncResult *result, guint *status);

/** Sets the source of proxies. @proxies: (nullable): %NULL for the system's settings, as at first. Main thread. */
void beckon_web_get_set_proxies (GProxyResolver *proxies);

G_END_DECLS
