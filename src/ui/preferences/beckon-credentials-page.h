/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CREDENTIALS_PAGE (beckon_credentials_page_get_type ())
G_DECLARE_FINAL_TYPE (BeckonCredentialsPage, beckon_credentials_page, BECKON, CREDENTIALS_PAGE, AdwPreferencesPage)

/**
 * BeckonCredentialsPage:
 *
 * The profiles, which of them new conversations use, what could be added without typing, rounds, and whether the agent asks.
 */
AdwPreferencesPage *beckon_credentials_page_new (BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
