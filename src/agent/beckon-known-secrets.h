/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-mask.h"
#include "request/beckon-inbox.h"
#include "store/db/beckon-store.h"

G_BEGIN_DECLS

#define BECKON_TYPE_KNOWN_SECRETS (beckon_known_secrets_get_type ())
G_DECLARE_FINAL_TYPE (BeckonKnownSecrets, beckon_known_secrets, BECKON, KNOWN_SECRETS, GObject)

/**
 * BeckonKnownSecrets:
 *
 * The values of every masked answer that the history has a handle of, in whichever conversation and process it was given, as
 * one mask. A file that one conversation's command left a password in is read by another one. Main thread.
 */

/** @inbox: has the vault. */
BeckonKnownSecrets *beckon_known_secrets_new (BeckonStore *store, BeckonInbox *inbox) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_known_secrets_make_mask_async:
 * @secrets: the secrets
 * @handles: (element-type utf8): those of the conversation; of two that have one value the conversation's own is shown
 * @cancellable: (nullable): ends it
 * @callback: called later
 * @user_data: for @callback
 *
 * A value that the keyring does not give now is left out, with a message in the log, unless this process has it: a keyring that
 * is locked does not keep all tools from working, and what was given or masked here before is masked whatever the keyring does.
 */
void beckon_known_secrets_make_mask_async (BeckonKnownSecrets *secrets, GPtrArray *handles, GCancellable *cancellable,
                                           GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (nullable): %NULL without an error where there is nothing to mask. */
BeckonMask *beckon_known_secrets_make_mask_finish (BeckonKnownSecrets *secrets, GAsyncResult *result,
                                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Whether the keyring didn't give a value for the last mask, so that it finds not all there are. */
gboolean beckon_known_secrets_has_hole (BeckonKnownSecrets *secrets);

G_END_DECLS
