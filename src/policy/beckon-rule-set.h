/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-rule.h"
#include "policy/beckon-effects.h"
#include "policy/beckon-shell-lexer.h"

G_BEGIN_DECLS

/**
 * BeckonRuleSet:
 *
 * Rules made ready to be matched, in their order; of those that match a call, the last one decides. Immutable; any thread.
 *
 * The arguments of a rule are patterns by name. `command` is a #BeckonCommandPattern, held against each command of the
 * line. `path` is held against every file that the call touches, resolved: * stands for any part of a name, a last / ** for
 * all that is below; it is relative to the working folder unless it begins with a slash. `host` is held against every
 * host. Any other name is the argument itself, in which * stands for anything. All of them must match; where a rule says
 * allow, for everything that the call touches, and where it asks or denies, for anything.
 *
 * What asks or denies for files alone holds for every built-in tool; that of a tool that changes files, for every one that
 * does. In a sandbox what is denied is not there, or cannot be changed.
 *
 * A rule that allows covers what it says and nothing more: arguments by which a call reaches further than without them
 * (`network`, `local_network`, `directory`, `timeout_seconds` of a command) have to be among its patterns, `path` has to be
 * there for what lies outside of the folder, and to name the very file where other programs would run it by themselves. An
 * argument that was not given has its default. `network: true` also covers a call without, or with some hosts alone, and
 * `timeout_seconds` any shorter time.
 *
 * To change a file is one thing, with edit_file as with write_file: what permits the one permits the other, but for what a
 * rule on that very tool denies or asks for. It permits to move files from and to where it holds as well, of a call that lands,
 * where a move that is more than one is still asked about; it does not permit to delete them.
 *
 * A rule that cannot be read is no permission: it asks, or denies if that is what it said, for all its tool does.
 */
typedef struct _BeckonRuleSet BeckonRuleSet;

/** (transfer full): of @rules (element-type BeckonRule), which are referenced, the first one first. */
BeckonRuleSet *beckon_rule_set_new (GPtrArray *rules) G_GNUC_WARN_UNUSED_RESULT;
BeckonRuleSet *beckon_rule_set_ref (BeckonRuleSet *set);
void beckon_rule_set_unref (BeckonRuleSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRuleSet, beckon_rule_set_unref)

/**
 * beckon_rule_set_check:
 * @rule: a rule
 * @error: return location for an error
 *
 * Returns: whether @rule can be read; %FALSE with BECKON_ERROR_INVALID, in words to be shown
 */
gboolean beckon_rule_set_check (const BeckonRule *rule, GError **error);

/**
 * beckon_rule_set_find:
 * @set: the rules
 * @effects: what the call would do
 * @segment: (nullable): the one command of its line that is asked about; %NULL if it is no command line, or one that is not
 *   understood, about which no pattern can be asked
 * @now: microseconds since the epoch
 * @verdict: (out): what the rule says, if there is one
 * @is_doubtful: (out) (optional): whether a later rule than the one that is found, which asks or denies, could be about it too
 *
 * Returns: (transfer none) (nullable): the last rule that matches
 */
BeckonRule *beckon_rule_set_find (BeckonRuleSet *set, const BeckonEffects *effects, const BeckonShellSegment *segment,
                                  gint64 now, BeckonVerdict *verdict, gboolean *is_doubtful);

/** Whether permissions for @tool (nullable) of @server (nullable) are permissions to change files, with whichever tool. */
gboolean beckon_rule_changes_files (const char *tool, const char *server);

struct _BeckonArgumentPattern;

typedef void (*BeckonDeniedPathFunc) (const struct _BeckonArgumentPattern *pattern, gboolean only_changes, gpointer data);

/**
 * beckon_rule_set_foreach_denied_path:
 * @set: the rules
 * @folder: (nullable): the conversation's working folder
 * @conversation_id: (nullable): the conversation
 * @now: microseconds since the epoch
 * @func: called with each pattern for files that a rule denies, and whether they may be read; the pattern lives as long as @set
 * @data: for @func
 */
void beckon_rule_set_foreach_denied_path (BeckonRuleSet *set, const char *folder, const char *conversation_id, gint64 now,
                                          BeckonDeniedPathFunc func, gpointer data);

/**
 * beckon_rule_set_asks_for_paths:
 * @set: the rules
 * @folder: (nullable): the conversation's working folder
 * @conversation_id: (nullable): the conversation
 * @now: microseconds since the epoch
 *
 * Returns: whether a rule asks for some files, so that of many at once, whose names are not looked at, some may be asked for
 */
gboolean beckon_rule_set_asks_for_paths (BeckonRuleSet *set, const char *folder, const char *conversation_id, gint64 now);

/**
 * beckon_rule_set_restricts_search:
 * @set: the rules
 * @folder: (nullable): the conversation's working folder
 * @conversation_id: (nullable): the conversation
 * @now: microseconds since the epoch
 *
 * For a web search that the provider makes, whose queries and hosts are not seen before: a rule that denies fetch_url or
 * web_search, or asks for web_search, whatever its patterns, is about it, unless a later one allows that tool without patterns.
 *
 * Returns: whether there is such a rule
 */
gboolean beckon_rule_set_restricts_search (BeckonRuleSet *set, const char *folder, const char *conversation_id, gint64 now);

/**
 * beckon_rule_set_find_covered:
 * @set: the rules
 * @rule: one that allows, and would be the newest unless its id is one of the set's
 *
 * Whether @rule might let something run that an older rule denies, because the newest rule that matches a call decides. One
 * that names a single thing is not asked about: it stands for a call that was not denied. Files that a rule denies are kept
 * from all tools, whatever came later.
 *
 * Returns: (transfer none) (nullable): a rule that denies
 */
BeckonRule *beckon_rule_set_find_covered (BeckonRuleSet *set, const BeckonRule *rule);

/** Whether @rule, one of @set, says something of single commands. */
gboolean beckon_rule_set_is_about_commands (BeckonRuleSet *set, const BeckonRule *rule);

/** Whether a rule on the commands of @effects' tool asks or denies, which a line that is not understood could be about. */
gboolean beckon_rule_set_restricts_commands (BeckonRuleSet *set, const BeckonEffects *effects, gint64 now);

G_END_DECLS
