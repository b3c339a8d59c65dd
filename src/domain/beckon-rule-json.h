/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-writer.h"
#include "domain/beckon-rule.h"

G_BEGIN_DECLS

/**
 * beckon_rule_write:
 * @writer: a writer
 * @rule: a rule
 *
 * Adds @rule as an object: {id, tool, server, arguments, folder, conversation, verdict, created_at, expires_at}, without what
 * it has not. Its place and its uses are not part of it.
 */
void beckon_rule_write (BeckonJsonWriter *writer, const BeckonRule *rule);

/**
 * beckon_rule_read:
 * @object: (nullable): such an object
 * @error: return location
 *
 * Reads strictly: a member that is not known could restrict the rule, so that it is refused. Without an id it gets one.
 *
 * Returns: (transfer full): the rule; %NULL with %BECKON_ERROR_INVALID, in words to be shown
 */
BeckonRule *beckon_rule_read (JsonObject *object, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** (element-type BeckonRule): as a list, and back; @max: more of them are refused. */
void       beckon_rules_write (BeckonJsonWriter *writer, GPtrArray *rules);
GPtrArray *beckon_rules_read (JsonArray *array, guint max, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
