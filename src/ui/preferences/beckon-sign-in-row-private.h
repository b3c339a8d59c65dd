/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ui/preferences/beckon-sign-in-row.h"

G_BEGIN_DECLS

typedef gboolean (*BeckonSignInOpenFunc) (const char *address, gpointer user_data, GError **error);

/** For tests: who gets the address in the place of the browser; %NULL for the browser. */
void beckon_sign_in_row_open_with (BeckonSignInOpenFunc function, gpointer user_data);

G_END_DECLS
