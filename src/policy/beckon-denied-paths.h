/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "policy/beckon-rule-set.h"

G_BEGIN_DECLS

/**
 * BeckonDeniedPaths:
 *
 * The files that a person's rules deny in one conversation, for what meets files that no argument names: a search, a list, a
 * command. Immutable; any thread.
 */
typedef struct _BeckonDeniedPaths BeckonDeniedPaths;

/**
 * beckon_denied_paths_new:
 * @rules: (nullable): the person's rules
 * @folder: (nullable): the working folder
 * @conversation_id: the conversation
 * @now: microseconds since the epoch
 *
 * Returns: (transfer full) (nullable): what is denied; %NULL if nothing is
 */
BeckonDeniedPaths *beckon_denied_paths_new (BeckonRuleSet *rules, const char *folder, const char *conversation_id,
                                            gint64 now) G_GNUC_WARN_UNUSED_RESULT;
BeckonDeniedPaths *beckon_denied_paths_ref (BeckonDeniedPaths *self);
void beckon_denied_paths_unref (BeckonDeniedPaths *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonDeniedPaths, beckon_denied_paths_unref)

/** Whether @path, absolute, must not be read. */
gboolean beckon_denied_paths_has (const BeckonDeniedPaths *self, const char *path);

/** Whether @path, absolute, must not be changed; also so for what must not be read. */
gboolean beckon_denied_paths_has_for_changes (const BeckonDeniedPaths *self, const char *path);

/** How many patterns there are. */
guint beckon_denied_paths_get_n_patterns (const BeckonDeniedPaths *self);

/** The pattern at @index, as it was written. @only_changes: (out): whether what it names may be read. Borrowed. */
const char *beckon_denied_paths_get_pattern (const BeckonDeniedPaths *self, guint index, gboolean *only_changes);

G_END_DECLS
