/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"

#include <libsecret/secret.h>

G_BEGIN_DECLS

/**
 * BeckonKeyringItem:
 * @schema: with one attribute, a string
 * @id: its value
 * @clock: what measures %BECKON_SECRETS_TIMEOUT_S
 *
 * Which item of the keyring is meant. Private to the room; borrowed while a call begins.
 */
typedef struct
{
  const SecretSchema *schema;
  const char *id;
  BeckonClock *clock;
} BeckonKeyringItem;

/** What is there; %NULL without an error where nothing is. %BECKON_ERROR_UNAVAILABLE where no keyring answers. */
void  beckon_keyring_lookup_async (const BeckonKeyringItem *item, GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data);
char *beckon_keyring_lookup_finish (GAsyncResult *result, GError **error);

/** @value: (nullable): %NULL removes it; that nothing was there is no error. */
void     beckon_keyring_store_async (const BeckonKeyringItem *item, const char *label, const char *value,
                                     GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_keyring_store_finish (GAsyncResult *result, GError **error);

/** Frees a secret text, and what it said with it. */
void beckon_keyring_wipe (gpointer value);

G_END_DECLS
