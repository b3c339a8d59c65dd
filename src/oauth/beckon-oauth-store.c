/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-store.h"

G_DEFINE_INTERFACE (BeckonOauthStore, beckon_oauth_store, G_TYPE_OBJECT)

static void
beckon_oauth_store_default_init (BeckonOauthStoreInterface *iface)
{
}
