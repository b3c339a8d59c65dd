/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "oauth/beckon-oauth.h"
#include "settings/beckon-secrets.h"

G_BEGIN_DECLS

/** For tests: which clock measures %BECKON_SECRETS_TIMEOUT_S. */
void beckon_secrets_set_clock (BeckonSecrets *secrets, BeckonClock *clock);

G_END_DECLS
