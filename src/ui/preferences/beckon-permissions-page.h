/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "policy/beckon-rule-set.h"
#include "runtime/beckon-runtime.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PERMISSIONS_PAGE (beckon_permissions_page_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPermissionsPage, beckon_permissions_page, BECKON, PERMISSIONS_PAGE, AdwPreferencesPage)

/** The page of standing decisions: with last use and count, to be tried on past calls, to end at a time, to be deleted. And the
 *  way to the audit log. */
AdwPreferencesPage *beckon_permissions_page_new (BeckonRuntime *runtime);

#define BECKON_TYPE_RULE_ROW (beckon_rule_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRuleRow, beckon_rule_row, BECKON, RULE_ROW, AdwActionRow)

G_END_DECLS
