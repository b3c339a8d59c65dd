/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-vault.h"

G_BEGIN_DECLS

#define TEST_TYPE_VAULT (test_vault_get_type ())
G_DECLARE_FINAL_TYPE (TestVault, test_vault, TEST, VAULT, GObject)

/** A vault in memory that answers later, as the contract says. */
TestVault *test_vault_new (void);

/** A value, borrowed; NULL if there is none. */
const char *test_vault_get (TestVault *vault, const char *handle);
guint       test_vault_get_size (TestVault *vault);

/** Whether what is kept is said to be gone with the session. */
void test_vault_set_for_session (TestVault *vault, gboolean for_session);

G_END_DECLS
