/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-error.h"

G_DEFINE_QUARK (beckon-oauth-error-quark, beckon_oauth_error)
