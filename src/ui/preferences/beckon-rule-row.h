/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "policy/beckon-rule-set.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_RULE_ROW (beckon_rule_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRuleRow, beckon_rule_row, BECKON, RULE_ROW, AdwActionRow)

/** A rule in a list of @rules. Signals: `try`, `delete`, `edit`, and `expire` (int: in how many days; 0 for never). Takes a
 *  reference. */
GtkWidget *beckon_rule_row_new (BeckonRule *rule, BeckonRuleSet *rules);

/** Borrowed. */
BeckonRule *beckon_rule_row_get_rule (BeckonRuleRow *self);

G_END_DECLS
