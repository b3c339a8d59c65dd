/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <git2.h>
#include <git2/sys/repository.h>
#include <glib.h>

G_BEGIN_DECLS

G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_commit, git_commit_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_config, git_config_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_config_iterator, git_config_iterator_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_diff, git_diff_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_index, git_index_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_odb, git_odb_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_reference, git_reference_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_repository, git_repository_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_tree, git_tree_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_tree_entry, git_tree_entry_free)

/** Begins with libgit2, once. Any thread. */
void beckon_git_begin (void);

/** (transfer full) (nullable): the repository that @folder is in; %NULL where there is none, or it belongs to somebody else.
 *  Runs nothing. Any thread; blocks. */
git_repository *beckon_git_find_repository (const char *folder) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
