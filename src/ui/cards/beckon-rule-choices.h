/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_RULE_CHOICES (beckon_rule_choices_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRuleChoices, beckon_rule_choices, BECKON, RULE_CHOICES, GtkBox)

/**
 * BeckonRuleChoices:
 *
 * The rules that an answer could leave behind, each as a button with its sentence. Made in templates. Signal `chosen`: with
 * the rules (a boxed GPtrArray of BeckonRule) that the person wants.
 */

/** Lists what @request, an approval or changes, proposes. Once. */
void beckon_rule_choices_set_request (BeckonRuleChoices *self, BeckonRequest *request);

/** The button that shows the choices, which stand before it: the keys behind it lead to them. */
void beckon_rule_choices_set_opener (BeckonRuleChoices *self, GtkWidget *opener);

/** Whether the request proposes none. */
gboolean beckon_rule_choices_is_empty (BeckonRuleChoices *self);

G_END_DECLS
