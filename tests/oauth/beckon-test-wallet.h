/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "oauth/beckon-oauth-wallet.h"

G_BEGIN_DECLS

#define TEST_TYPE_WALLET (test_wallet_get_type ())
G_DECLARE_FINAL_TYPE (TestWallet, test_wallet, TEST, WALLET, GObject)

/** A wallet in memory. @secrets, @token: (owned) (nullable): what is missing is an error. */
struct _TestWallet
{
  GObject parent_instance;

  char *secrets[BECKON_LOGIN_N_SECRETS];
  char *token;
  guint n_secrets; /* how often each was asked for */
  guint n_tokens;
};

G_END_DECLS
