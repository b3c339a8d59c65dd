/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "policy/beckon-judgement.h"

G_BEGIN_DECLS

/**
 * beckon_judgement_to_json:
 * @judgement: a judgement
 * @folder: (nullable): the working folder that it took for the inside
 *
 * {verdict, reason, folder, rule, commands: [{text, verdict, rule}], misunderstood}, with null for what is not there; a rule as
 * beckon_rule_write() writes it. Pure; any thread.
 *
 * Returns: (transfer full): the text
 */
char *beckon_judgement_to_json (const BeckonJudgement *judgement, const char *folder) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
