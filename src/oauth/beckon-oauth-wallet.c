/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-wallet.h"

G_DEFINE_INTERFACE (BeckonOauthWallet, beckon_oauth_wallet, G_TYPE_OBJECT)

static void
beckon_oauth_wallet_default_init (BeckonOauthWalletInterface *iface)
{
}
