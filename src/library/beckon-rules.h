/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-rule.h"
#include "library/beckon-followed-list.h"

G_BEGIN_DECLS

#define BECKON_TYPE_RULES (beckon_rules_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRules, beckon_rules, BECKON, RULES, BeckonFollowedList)

/**
 * BeckonRules:
 *
 * The person's rules, in their order; see #BeckonFollowedListClass. Main thread.
 */
BeckonRules *beckon_rules_new (BeckonStore *store) G_GNUC_WARN_UNUSED_RESULT;

void     beckon_rules_load_async (BeckonRules *rules, GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data);
gboolean beckon_rules_load_finish (BeckonRules *rules, GAsyncResult *result, GError **error);

/**
 * beckon_rules_get_snapshot:
 * @rules: the rules
 *
 * Returns: (transfer none) (element-type BeckonRule): all there are now, the first one first; it is never changed, only
 *   replaced by another one. %NULL while nothing was read, when it is not known what is forbidden
 */
GPtrArray *beckon_rules_get_snapshot (BeckonRules *rules);

/** %NULL if there is none. Borrowed. */
BeckonRule *beckon_rules_lookup (BeckonRules *rules, const char *rule_id);

/**
 * beckon_rules_add_now:
 * @rules: the rules
 * @rule: one that was just stored
 *
 * Makes it hold before the store is read again. One of a temporary conversation, which no file knows, holds as long as the
 * program runs.
 */
void beckon_rules_add_now (BeckonRules *rules, BeckonRule *rule);

/** Stores a rule that is new or changed, or that was deleted and is put back to its place; it holds at once. */
void     beckon_rules_save_async (BeckonRules *rules, BeckonRule *rule, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_rules_save_finish (BeckonRules *rules, GAsyncResult *result, GError **error);

/** Lets two stored rules change places in the order; they hold so at once. */
void     beckon_rules_swap_async (BeckonRules *rules, BeckonRule *one, BeckonRule *other, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_rules_swap_finish (BeckonRules *rules, GAsyncResult *result, GError **error);

/** Ends the rule, at once. */
void     beckon_rules_remove_async (BeckonRules *rules, const char *rule_id, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_rules_remove_finish (BeckonRules *rules, GAsyncResult *result, GError **error);

G_END_DECLS
