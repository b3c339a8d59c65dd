/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-vault.h"

G_BEGIN_DECLS

#define BECKON_TYPE_SECRET_VAULT (beckon_secret_vault_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSecretVault, beckon_secret_vault, BECKON, SECRET_VAULT, GObject)

/**
 * BeckonSecretVault:
 *
 * The vault on the Secret Service. What was kept or looked up once is remembered until the process ends, so that the
 * output of every later tool can be masked without asking the keyring again.
 */
BeckonVault *beckon_secret_vault_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
