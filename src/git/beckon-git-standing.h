/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** More changed files than that are not counted. */
#define BECKON_GIT_STANDING_MOST 1000

/**
 * beckon_git_standing_describe:
 * @folder: an absolute path
 * @patience_ms: how long changed files are counted at most
 *
 * The branch that the repository of @folder is on, and how many files of @folder differ from the last commit. A branch's name
 * is whatever its author liked: it is quoted, shortened and without what hides.
 *
 * Returns: (transfer full) (nullable): in English, for a model, such as "the branch "main", with 3 changed files"; without the
 *   number where counting took too long; %NULL where there is no repository. Any thread; blocks
 */
char *beckon_git_standing_describe (const char *folder, guint patience_ms) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
