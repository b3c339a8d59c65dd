/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonGitStory:
 *
 * The difference between a repository and the same one as a command left it: commits, branches, what is staged. Read by
 * libgit2; nothing of it runs. One thread at a time.
 */
typedef struct _BeckonGitStory BeckonGitStory;

/**
 * BeckonGitFileOrigin:
 * @BECKON_GIT_FILE_COMMITTED: it is in a commit or a stash that came, or that another one is left for
 * @BECKON_GIT_FILE_DROPPED: it was in a commit, and is in none of the one that took its place
 * @BECKON_GIT_FILE_STAGED: only what is staged of it differs
 * @BECKON_GIT_FILE_TAKEN_OUT: it is in a stash that is gone, and most likely in the folder instead
 */
typedef enum
{
  BECKON_GIT_FILE_COMMITTED,
  BECKON_GIT_FILE_DROPPED,
  BECKON_GIT_FILE_STAGED,
  BECKON_GIT_FILE_TAKEN_OUT,
} BeckonGitFileOrigin;

/**
 * BeckonGitFile:
 * @path: relative to the work tree
 * @from: (nullable): what it was called before, if it was moved
 * @origin: why it is told
 *
 * A file that a commit changes, or that is staged. Opaque otherwise.
 */
typedef struct
{
  char *path;
  char *from;
  BeckonGitFileOrigin origin;

  /*< private >*/
  unsigned char before[20];
  unsigned char after[20];
  guint mode;
  gboolean is_plain;
} BeckonGitFile;

/**
 * beckon_git_story_read:
 * @before: the Git directory, a folder by that name
 * @after: the upper layer of the same: what the command made or changed in it, and a whiteout for what is gone
 * @own: what of them is the work tree's alone, as its HEAD: a relative path; empty for all
 *
 * Returns: (transfer full) (nullable): %NULL where it can't be told, such as for a repository of a form that libgit2 doesn't
 *   read, or of somebody else's. Blocks
 */
BeckonGitStory *beckon_git_story_read (const char *before, const char *after, const char *own) G_GNUC_WARN_UNUSED_RESULT;

void beckon_git_story_free (BeckonGitStory *story);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonGitStory, beckon_git_story_free)

/** Lines of a word, a number and a text, with tabs between; see #BeckonFileChange. Empty where only the times of files were
 *  written down anew. */
const char *beckon_git_story_get_events (BeckonGitStory *story);

/** (nullable): a branch that was moved or deleted though another work tree of the repository is on it. Borrowed. */
const char *beckon_git_story_get_elsewhere (BeckonGitStory *story);

/**
 * beckon_git_story_keeps_refs:
 * @story: a story
 * @branch: (out) (nullable): the ref of a new branch, whose name means nothing else
 *
 * Whether each name has the commit that it had, and so has HEAD: at most one branch of that commit is new, and HEAD is on
 * another one of it. The files of all of them and their logs were read, and say nothing else; of other files nothing is said.
 */
gboolean beckon_git_story_keeps_refs (BeckonGitStory *story, const char **branch);

/** Whether nothing is lost by what is staged of @file: HEAD has what was staged of it before, and now it is what the file at
 *  @path (nullable) is, or not staged. Blocks. */
gboolean beckon_git_story_only_stages (const BeckonGitFile *file, const char *path);

/** (element-type BeckonGitFile): in no order. Borrowed. */
GPtrArray *beckon_git_story_get_files (BeckonGitStory *story);

/** Whether a file becomes what has one SHA-256 from what has another, in hexadecimal digits; %NULL for none. */
gboolean beckon_git_story_is_change (BeckonGitStory *story, const BeckonGitFile *file, const char *before, const char *after);

/**
 * beckon_git_story_append_diff:
 * @story: a story
 * @file: of it
 * @text: takes the file's name, of a moved one both, and its hunks
 * @n_added: (inout): counts lines
 * @n_removed: (inout): the same
 * @is_binary: (out): whether it is no text, in any encoding
 *
 * Returns: %FALSE for what is no text, or too long
 */
gboolean beckon_git_story_append_diff (BeckonGitStory *story, const BeckonGitFile *file, GString *text, guint *n_added,
                                       guint *n_removed, gboolean *is_binary);

/** (transfer full) (nullable): what stands for the content of an index, whatever is noted in it of the times of files; %NULL if
 *  there is none that can be read. Any thread; blocks. */
char *beckon_git_dup_index_digest (const char *file) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
