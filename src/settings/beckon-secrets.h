/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SECRETS (beckon_secrets_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSecrets, beckon_secrets, BECKON, SECRETS, GObject)

/** How long the keyring may take before it counts as not there; a locked one opens a prompt and may never answer. */
#define BECKON_SECRETS_TIMEOUT_S 25

/**
 * BeckonSecrets:
 *
 * Keys, by profile, each for one server: a profile whose address was changed has no key until the person enters one for
 * the new server, so that no change of an address carries a key to a stranger. They live in the Secret Service, or for
 * this session in memory, or come from the environment variable `BECKON_API_KEY`; never in a file, a log or an argument.
 * It is a #BeckonOauthStore, too: sign-ins stand beside them in the Secret Service. Main thread.
 */
BeckonSecrets *beckon_secrets_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** The environment variable with a key, and the one that says for which server it is. */
#define BECKON_SECRETS_VARIABLE "BECKON_API_KEY"
#define BECKON_SECRETS_URL_VARIABLE "BECKON_API_KEY_URL"

/** %TRUE if there is a key in the environment. */
gboolean beckon_secrets_has_environment (void);

/** In the place of a base URL: the key is for a program on this computer, which its id names. */
#define BECKON_SECRETS_PROGRAM "program:"

/**
 * beckon_secrets_lookup_async:
 * @secrets: the keys
 * @profile_id: whose
 * @base_url: (nullable): an address on the server that it is to be sent to
 * @with_environment: whether the environment's key is for this profile's server; it must go to no other
 * @cancellable: (nullable): ends the look-up
 * @callback: called later
 * @user_data: for @callback
 *
 * Looks a profile's key up: this session's first, then the environment's (without touching D-Bus), then the keyring's. A
 * missing key is %NULL without an error; one that is for another server is %BECKON_ERROR_NOT_FOUND, in words.
 * %BECKON_ERROR_UNAVAILABLE, with a message that says what to do, where no secret service answers.
 */
void  beckon_secrets_lookup_async (BeckonSecrets *secrets, const char *profile_id, const char *base_url,
                                   gboolean with_environment, GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data);
char *beckon_secrets_lookup_finish (BeckonSecrets *secrets, GAsyncResult *result, GError **error);

/**
 * Stores a key in the keyring for the server of @base_url, in the place of whatever the profile had; %NULL or "" removes
 * it, and then @base_url may be %NULL. Same errors; a key with anything but printable ASCII is refused.
 */
void     beckon_secrets_store_async (BeckonSecrets *secrets, const char *profile_id, const char *base_url,
                                     const char *label, const char *key, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data);

/** Like beckon_secrets_store_async(), for a secret that becomes no header, such as a password: any line of UTF-8. */
void     beckon_secrets_store_line_async (BeckonSecrets *secrets, const char *profile_id, const char *base_url,
                                          const char *label, const char *line, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);

/** The end of both. */
gboolean beckon_secrets_store_finish (BeckonSecrets *secrets, GAsyncResult *result, GError **error);

/** Keeps a key in memory until the process ends. %FALSE with %BECKON_ERROR_INVALID as above. */
gboolean beckon_secrets_set_for_session (BeckonSecrets *secrets, const char *profile_id, const char *base_url,
                                         const char *key, GError **error);

/** Checks a key as entered: printable ASCII, no spaces or line breaks, at most 8192 bytes. */
gboolean beckon_secrets_check (const char *key, GError **error);

/** Checks a secret that becomes no header: UTF-8 without control characters or line breaks, at most 8192 bytes. */
gboolean beckon_secrets_check_line (const char *line, GError **error);

G_END_DECLS
