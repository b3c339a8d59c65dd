/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/beckon-rules.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_RULE_EDITOR (beckon_rule_editor_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRuleEditor, beckon_rule_editor, BECKON, RULE_EDITOR, GtkBox)

/**
 * BeckonRuleEditor:
 *
 * The patterns of a rule's arguments, each in an entry, in an alert of its own. The signal `edited` has them as a JSON object
 * when they are saved; a pattern that can't be read is not saved. Another one of @rules that the rule would override is named
 * before.
 */
GtkWidget *beckon_rule_editor_new (BeckonRule *rule, BeckonRules *rules) G_GNUC_WARN_UNUSED_RESULT;

/** Shows it once, over the window of @parent, and takes it over. */
void beckon_rule_editor_present (BeckonRuleEditor *self, GtkWidget *parent);

G_END_DECLS
