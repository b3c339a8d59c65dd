/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-runner-git.h"
#include "beckon-runner-table.h"

G_BEGIN_DECLS

/*
 * The one place that says whether anything outside of the sandbox runs or obeys a file. Who writes into a folder of the
 * person's asks it: landing, file tools, the redo of an undone change, servers that may write.
 */

/**
 * BeckonRunnerChange:
 * @mode_before: the mode as lstat() tells it, type included; 0 where nothing was
 * @mode_after: likewise; 0 where nothing is
 * @before: (nullable): of a package.json, its text before
 * @after: (nullable): of a package.json, its text afterwards; %NULL if it can't be told
 */
typedef struct
{
  guint mode_before;
  guint mode_after;
  const char *before;
  const char *after;
} BeckonRunnerChange;

/**
 * BeckonRunnerProgram:
 * @server: (nullable): the name of the server of tools that it is; %NULL: it prints a key or a token
 * @folder: (nullable): where it is started; %NULL: in the person's home
 * @argv: (array zero-terminated=1): the program and its arguments, then its variables as "NAME=value"
 *
 * A program that Beckon itself starts outside of any sandbox. All is borrowed.
 */
typedef struct
{
  const char *server;
  const char *folder;
  const char *const *argv;
} BeckonRunnerProgram;

/**
 * beckon_runners_set_programs:
 * @programs: (nullable) (array length=n): what Beckon itself starts, in place of what was said before
 * @n: how many
 *
 * Every path that such a program is given is its file in every folder, whether it is there or not: relative ones from where
 * it is started or where its command goes first, a program's name in every folder of PATH, each link on the way, and of a
 * script that an interpreter is given the scripts beside it. Any thread.
 */
void beckon_runners_set_programs (const BeckonRunnerProgram *programs, guint n);

/** How many names of a folder are looked at before a change is judged; in a larger one all waits that may be run. */
#define BECKON_RUNNERS_MAX_ENTRIES 200000

/**
 * BeckonRunners:
 *
 * What runners name in and around one folder, as it was when it was read: words of their files that name a file there, two
 * steps deep and with links followed; links with their names; Git directories; folders of programs. Immutable; any thread.
 */
typedef struct _BeckonRunners BeckonRunners;

/**
 * beckon_runners_new:
 * @folder: an absolute path without links
 * @n_entries: after so many names the search ends, and shallow folders come before deep ones
 *
 * Blocks: worker threads only.
 */
BeckonRunners *beckon_runners_new (const char *folder, guint n_entries) G_GNUC_WARN_UNUSED_RESULT;

void beckon_runners_free (BeckonRunners *runners);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRunners, beckon_runners_free)

/** Reads, where the search was cut, what is around @path, relative to the folder, so that its own repository counts. Blocks. */
void beckon_runners_look_above (BeckonRunners *runners, const char *path);

/**
 * beckon_runners_why:
 * @runners: what was read
 * @path: relative to the folder
 * @look: (nullable): which folders are Git directories, before or after the change
 * @data: for @look
 * @change: (nullable): what changes; %NULL: only its path is known
 *
 * Blocks for some lookups.
 *
 * Returns: (transfer full) (nullable): why the change does not land unseen, a translated sentence; %NULL if nothing runs it
 */
char *beckon_runners_why (BeckonRunners *runners, const char *path, BeckonRunnerLook look, gpointer data,
                          const BeckonRunnerChange *change) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_runners_list_awaited:
 * @runners: what was read
 *
 * Lists paths in the folder that runners clearly name and would run, but where no file was. Fewer names count
 * than when a change is judged: a doubtful word must not keep a person from making a folder of that name.
 *
 * Returns: (transfer none) (element-type filename): absolute paths without links
 */
GPtrArray *beckon_runners_list_awaited (BeckonRunners *runners);

/** A #BeckonRunnerLook for what is on the disk. @data: the absolute path of the working folder. */
gboolean beckon_runners_is_git (const char *folder, gpointer data);

/**
 * beckon_runners_is_program:
 * @runners: what was read
 * @path: relative to the folder
 * @change: what changes
 *
 * Whether a file changes that can be run and belongs to a repository, which somebody may run from anywhere: Git does not ignore
 * it, and no package manager has installed it. So does a program that Git tracks, if something else comes to its path, and all
 * that a link hides. Blocks for some lookups.
 */
gboolean beckon_runners_is_program (BeckonRunners *runners, const char *path, const BeckonRunnerChange *change);

/** Whether @path is only what tools made for themselves: Git ignores it, or it lies in a folder such as __pycache__ that tools
 * make anew whenever it is gone. Never what Git tracks. @is_folder: it stands for all in it. Blocks for some lookups. */
gboolean beckon_runners_is_by_product (BeckonRunners *runners, const char *path, gboolean is_folder);

/**
 * beckon_runner_why:
 * @folder: an absolute path without links
 * @path: relative to @folder, or absolute
 * @change: (nullable): what changes; %NULL: taken for a change of the text of what is there
 *
 * The same for one file of a folder that is there; a changed program is one, and an index of Git too, because nothing writes
 * one as text. Blocks: worker threads only.
 *
 * Returns: (transfer full) (nullable): why the change is asked about
 */
char *beckon_runner_why (const char *folder, const char *path, const BeckonRunnerChange *change) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
