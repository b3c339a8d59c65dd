/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"

#include <libsecret/secret.h>

G_BEGIN_DECLS

/**
 * BeckonKeyringItem:
 * @schema: with one attribute, a string, and "origin" beside it where @origin is used
 * @id: the first one's value
 * @origin: (nullable): the server that a key was entered for
 * @clock: what measures %BECKON_SECRETS_TIMEOUT_S
 * @is_sign_in: it is a sign-in, not a key: errors advise otherwise, and are %BECKON_OAUTH_ERROR_LOCKED where unlocking helps
 *
 * Which item of the keyring is meant. Private to the room; borrowed while a call begins.
 */
typedef struct
{
  const SecretSchema *schema;
  const char *id;
  const char *origin;
  BeckonClock *clock;
  gboolean is_sign_in;
} BeckonKeyringItem;

/**
 * Looks up an item; %NULL without an error if there is none. %BECKON_ERROR_UNAVAILABLE if no keyring answers,
 * %BECKON_ERROR_NOT_FOUND if the item is for another origin. Items without an origin, from earlier versions, are bound to the
 * first that asks for them.
 */
void  beckon_keyring_lookup_async (const BeckonKeyringItem *item, GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data);
char *beckon_keyring_lookup_finish (GAsyncResult *result, GError **error);

/**
 * Looks at an item without having a keyring opened for it: %NULL without an error if there is none for this origin.
 */
void  beckon_keyring_peek_async (const BeckonKeyringItem *item, GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer user_data);
char *beckon_keyring_peek_finish (GAsyncResult *result, GError **error);

/** @value: (nullable): %NULL removes it, for whatever origin; that nothing was there is no error. One id has one origin. */
void     beckon_keyring_store_async (const BeckonKeyringItem *item, const char *label, const char *value,
                                     GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_keyring_store_finish (GAsyncResult *result, GError **error);

/** %BECKON_ERROR_NOT_FOUND in words: there is a key, which is for @bound and not for @wanted. */
GError *beckon_keyring_error_elsewhere (const char *bound, const char *wanted) G_GNUC_WARN_UNUSED_RESULT;

/** Frees a secret text, and what it said with it. */
void beckon_keyring_wipe (gpointer value);

G_END_DECLS
