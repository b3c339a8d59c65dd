/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "policy/beckon-rule-set.h"

G_BEGIN_DECLS

/** Titles a rule in one line, translated: what the tool does, and the patterns of its arguments: “Run git log *”. Caller
 *  frees. */
char *beckon_rule_dup_title (const BeckonRule *rule) G_GNUC_WARN_UNUSED_RESULT;

/** Says what a permission for a built-in tool is for: “Run a command”, translated; of another tool its name. Caller frees. */
char *beckon_rule_dup_tool (const char *tool) G_GNUC_WARN_UNUSED_RESULT;

/** The names of the arguments that it has patterns for, sorted. Caller frees. */
char **beckon_rule_dup_names (const BeckonRule *rule) G_GNUC_WARN_UNUSED_RESULT;

/** The pattern of one of them. Caller frees. */
char *beckon_rule_dup_pattern (const BeckonRule *rule, const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** Describes its verdict, its scope, how often and when it was last used, when it ends; translated. @now: microseconds since
 *  the epoch. Caller frees. */
char *beckon_rule_dup_details (const BeckonRule *rule, gint64 now) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full) (nullable): says which rule of @rules (nullable) @rule, as it is to be among them, keeps from denying
 *  something; translated. */
char *beckon_rule_dup_covering (const BeckonRule *rule, BeckonRuleSet *rules) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_rule_append_reach:
 * @text: to which it is added
 * @name: an argument by which a call reaches further than without it
 * @value: its value
 *
 * Says what a rule that names it includes, translated: “with the internet”, “in sub”, “for up to 600 seconds”.
 */
void beckon_rule_append_reach (GString *text, const char *name, const char *value);

G_END_DECLS
