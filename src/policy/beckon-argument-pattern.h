/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "policy/beckon-command-pattern.h"
#include "policy/beckon-effects.h"

G_BEGIN_DECLS

/**
 * BeckonArgumentPattern:
 *
 * One name and pattern of a rule's arguments, made ready. See #BeckonRuleSet for what the names mean. Immutable.
 */
typedef struct _BeckonArgumentPattern BeckonArgumentPattern;

/** (transfer full): %NULL with BECKON_ERROR_INVALID, in words to be shown. */
BeckonArgumentPattern *beckon_argument_pattern_new (const char *name, const char *pattern, GError **error)
  G_GNUC_WARN_UNUSED_RESULT;
void beckon_argument_pattern_free (BeckonArgumentPattern *pattern);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonArgumentPattern, beckon_argument_pattern_free)

/** Whether it is about the commands of a line. */
gboolean beckon_argument_pattern_is_command (const BeckonArgumentPattern *pattern);

/** Whether it is about files. */
gboolean beckon_argument_pattern_is_path (const BeckonArgumentPattern *pattern);

/** Whether nothing in it stands for anything else: it names one thing. */
gboolean beckon_argument_pattern_is_literal (const BeckonArgumentPattern *pattern);

/** Whether it stands for all that is below a folder. */
gboolean beckon_argument_pattern_is_below (const BeckonArgumentPattern *pattern);

/** The argument that it is about, or `command`, `path`, `host`. Borrowed. */
const char *beckon_argument_pattern_get_name (const BeckonArgumentPattern *pattern);

/**
 * beckon_argument_pattern_allows:
 * @pattern: the pattern
 * @effects: what the call would do
 * @segment: (nullable): the command in question
 *
 * Returns: whether a permission with @pattern holds: for everything that the call touches, and never for what it does not have
 */
gboolean beckon_argument_pattern_allows (const BeckonArgumentPattern *pattern, const BeckonEffects *effects,
                                         const BeckonShellSegment *segment);

/**
 * beckon_argument_pattern_mentions:
 * @pattern: the pattern
 * @effects: what the call would do
 * @segment: (nullable): the command in question
 *
 * Returns: whether what asks or denies with @pattern is about the call, for which anything that it touches is enough; a
 *   folder stands for what is in it
 */
BeckonMention beckon_argument_pattern_mentions (const BeckonArgumentPattern *pattern, const BeckonEffects *effects,
                                                const BeckonShellSegment *segment);

/** Whether @pattern, which is about files, is about @path or a folder that holds it. @folder: (nullable): the working
 *  folder. */
gboolean beckon_argument_pattern_covers_path (const BeckonArgumentPattern *pattern, const char *folder, const char *path);

/** The pattern as it was written. Borrowed. */
const char *beckon_argument_pattern_get_text (const BeckonArgumentPattern *pattern);

/** (nullable): the one program that it can be about; %NULL if there are many, or if it is not about commands. */
const char *beckon_argument_pattern_get_program (const BeckonArgumentPattern *pattern);

G_END_DECLS
