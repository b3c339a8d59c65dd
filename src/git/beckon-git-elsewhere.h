/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonGitElsewhere:
 * @paths: (array zero-terminated=1): Git directories and folders of objects, absolute paths without links, outside of the
 *   folder
 * @git: (nullable): of these, the Git directory that commits of the folder are written to
 * @own: (nullable): what of @git is the work tree's alone, relative to it; empty for all of it
 * @work_tree: the whole work tree that the folder is in, or is
 * @index_file: (nullable): the list of tracked files, where the folder is only a part of the work tree
 * @index: (nullable): the same with all files outside of the folder marked as not checked out, so that Git does not take them
 *   for deleted where they can't be seen
 *
 * Where the data of the repository of a folder is, as far as it is not in the folder itself: of a work tree, of the checkout of
 * a submodule, of a part of a work tree, of a clone that borrows objects.
 */
typedef struct
{
  char **paths;
  char *git;
  char *own;
  char *work_tree;
  char *index_file;
  GBytes *index;
} BeckonGitElsewhere;

/**
 * beckon_git_elsewhere_find:
 * @folder: an absolute path without links
 *
 * Believes no file in the folder alone: the Git directory that one names has to name the folder as well.
 *
 * Returns: (transfer full) (nullable): %NULL where all of it is in the folder, or there is nothing. Any thread; blocks
 */
BeckonGitElsewhere *beckon_git_elsewhere_find (const char *folder) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_git_elsewhere_restore_index:
 * @before: an index
 * @after: what became of the #BeckonGitElsewhere.index that was made of it
 * @within: the folder, relative to the work tree
 *
 * Gives the files outside of the folder back what @before says of them, and takes @after away where it says nothing else then.
 *
 * Returns: %FALSE where it says otherwise of any of them, or can't be read. Any thread; blocks
 */
gboolean beckon_git_elsewhere_restore_index (const char *before, const char *after, const char *within);

void beckon_git_elsewhere_free (BeckonGitElsewhere *elsewhere);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonGitElsewhere, beckon_git_elsewhere_free)

G_END_DECLS
