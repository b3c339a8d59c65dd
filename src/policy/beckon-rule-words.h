/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-rule.h"

G_BEGIN_DECLS

/** What a rule is about, in one line: the tool and the patterns of its arguments. Caller frees. */
char *beckon_rule_dup_title (const BeckonRule *rule) G_GNUC_WARN_UNUSED_RESULT;

/** What it says, where it holds, how often and when it was last used, until when it holds; translated. @now: microseconds
 *  since the epoch. Caller frees. */
char *beckon_rule_dup_details (const BeckonRule *rule, gint64 now) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
