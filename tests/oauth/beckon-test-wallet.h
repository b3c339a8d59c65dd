/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "oauth/beckon-oauth-token.h"

G_BEGIN_DECLS

#define TEST_TYPE_WALLET (test_wallet_get_type ())
G_DECLARE_FINAL_TYPE (TestWallet, test_wallet, TEST, WALLET, GObject)

/** A wallet in memory. @secret: (owned) (nullable): without it asking is an error. */
struct _TestWallet
{
  GObject parent_instance;

  char *secret;
};

G_END_DECLS
