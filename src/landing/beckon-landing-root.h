/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-change-set.h"

#include <gio/gio.h>

#include <sys/stat.h>

G_BEGIN_DECLS

/**
 * BeckonLandingRoot:
 * @path: (owned): the working folder
 * @folder: the same, open
 * @git_path: (owned) (nullable): the Git directory that counts as .git in the folder though it lies elsewhere: that of a work
 *   tree, of a submodule, of a folder within a repository
 * @git: the same, open; -1 for none
 * @own: (owned) (nullable): what of @git_path is the work tree's alone, relative to it; empty for all of it
 * @within: (owned) (nullable): the folder, relative to the top of its work tree; empty for the top
 * @is_beyond: the command changed what the index says of files outside of the folder: nothing of its Git data may land
 *
 * Where a command's changes land. Paths in the folder and in its Git directory are one kind of path, so that all that is said
 * of a repository in the folder (its bonds, its runners, its commits) is said of that as well. The two are told apart here
 * alone.
 */
typedef struct
{
  char *path;
  int folder;
  char *git_path;
  int git;
  char *own;
  char *within;
  gboolean is_beyond;
} BeckonLandingRoot;

#define BECKON_LANDING_ROOT_INIT { NULL, -1, NULL, -1, NULL, NULL, FALSE }

/**
 * beckon_landing_root_open:
 * @root: initialised with BECKON_LANDING_ROOT_INIT
 * @folder: the working folder
 * @place: the landing place, open
 * @error: return location
 *
 * Returns: %FALSE with BECKON_ERROR_UNAVAILABLE, as where another Git directory stands in the place of the one that the command
 *   had a view of
 */
gboolean beckon_landing_root_open (BeckonLandingRoot *root, const char *folder, int place, GError **error);
void     beckon_landing_root_clear (BeckonLandingRoot *root);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonLandingRoot, beckon_landing_root_clear)

/** As beckon_landing_tree_open(), beckon_landing_tree_open_file() and beckon_landing_tree_look_at(). */
int      beckon_landing_root_open_at (const BeckonLandingRoot *root, const char *path, int flags);
int      beckon_landing_root_open_file (const BeckonLandingRoot *root, const char *path);
gboolean beckon_landing_root_look_at (const BeckonLandingRoot *root, const char *path, struct stat *info);

/** (transfer full): the absolute path of @path. */
char *beckon_landing_root_dup_path (const BeckonLandingRoot *root, const char *path) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full) (nullable): the #BeckonLandingRoot.git_path of the landing place with the path @place. Blocks. */
char *beckon_landing_root_dup_git (const char *place) G_GNUC_WARN_UNUSED_RESULT;

/** Whether there was a repository's HEAD in @folder, a path in @root: a #BeckonRunnerLook. */
gboolean beckon_landing_root_is_git (const char *folder, gpointer root);

/** Whether @path is the Git directory that lies elsewhere, or in it. */
gboolean beckon_landing_root_is_elsewhere (const BeckonLandingRoot *root, const char *path);

/** Whether there is an index of Git with the content that @change, of its path, says was there before, or came: Git writes it
 *  anew with the times of files whenever somebody looks. */
gboolean beckon_landing_root_is_index (const BeckonLandingRoot *root, const BeckonFileChange *change, gboolean before);

/** Whether @path is of another work tree of the same repository, as its HEAD or its index. */
gboolean beckon_landing_root_is_others (const BeckonLandingRoot *root, const char *path);

/**
 * beckon_landing_root_bind_git:
 * @place: the path of a landing place
 * @git: see #BeckonLandingRoot.git_path
 * @own: see #BeckonLandingRoot
 * @within: see #BeckonLandingRoot
 * @error: return location
 *
 * Prepares @place for a command that has a view of @git, too: its layer is BECKON_LANDING_ROOT_GIT "/upper". Blocks.
 */
gboolean beckon_landing_root_bind_git (const char *place, const char *git, const char *own, const char *within, GError **error);

/**
 * beckon_landing_root_note_index:
 * @folder: the working folder
 * @place: the path of the landing place, with all views made
 *
 * Writes down what the folder's index of Git holds, as the command will see it. Blocks: worker threads only.
 */
void beckon_landing_root_note_index (const char *folder, const char *place);

/** Whether @path is that index, and holds what it held then, though it was written anew since. Blocks. */
gboolean beckon_landing_root_holds_index (const BeckonLandingRoot *root, const char *place, const char *path);

/** In a place: what is about the Git directory, laid out as a place is. */
#define BECKON_LANDING_ROOT_GIT "git"

/**
 * beckon_landing_root_join:
 * @root: of the landing
 * @path: the path of its place
 * @place: the same, open
 * @error: return location
 *
 * The command has ended: its layer of the Git directory becomes that of .git in the folder. Of a folder within a repository,
 * what the index says of files outside of the folder, which the command could not see, is what it said before.
 *
 * Returns: %FALSE with an error where it has made another .git there, and changed this one as well
 */
gboolean beckon_landing_root_join (BeckonLandingRoot *root, const char *path, int place, GError **error);

G_END_DECLS
