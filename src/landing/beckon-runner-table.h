/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Runners are programs outside of the sandbox that run or obey a file by themselves: because a person entered a folder,
 * opened it in an editor, logged in, or asked for something as harmless as `git status`. A build file (Makefile, a test, the
 * scripts of package.json that no installation reaches) is none: it runs when a person builds, which is what they ask of it,
 * and it is what a coding agent is there to write.
 */

/**
 * BeckonRunnerFlags:
 * @BECKON_RUNNER_ANYWHERE: its files count in what package managers install, too
 * @BECKON_RUNNER_STRICT: a file of it that can't be read may name anything
 * @BECKON_RUNNER_OBEYS: it obeys its files, rather than run them
 * @BECKON_RUNNER_IMPORTS: they are prose, and name other files by "@" alone
 */
typedef enum
{
  BECKON_RUNNER_ANYWHERE = 1 << 0,
  BECKON_RUNNER_STRICT = 1 << 1,
  BECKON_RUNNER_OBEYS = 1 << 2,
  BECKON_RUNNER_IMPORTS = 1 << 3,
} BeckonRunnerFlags;

/**
 * BeckonRunner:
 * @name: for people; a phrase has a translation
 * @files: (nullable): patterns of its files and folders, separated by spaces, at any depth and without case; all that is in a
 *   folder counts, unless the pattern ends with "$"
 * @home: (nullable): likewise, places below the person's home
 * @callers: (nullable): patterns of those of @files that name other files; %NULL: all; "": none
 * @flags: how it reads them
 *
 * A row of the table.
 */
typedef struct
{
  const char *name;
  const char *files;
  const char *home;
  const char *callers;
  BeckonRunnerFlags flags;
} BeckonRunner;

/** The row of Git, whose directories have a form of their own (beckon-runner-git.h). */
#define BECKON_RUNNER_GIT 0

/** The row of packages: only a package.json whose installation runs something else counts. */
#define BECKON_RUNNER_PACKAGES 1

/** (nullable): a row, of which the first two are those above; %NULL behind the last. Static. */
const BeckonRunner *beckon_runner_table_get (guint row);

/**
 * beckon_runner_table_find:
 * @path: relative to a folder, without . and ..
 * @start: (out) (optional): how many bytes of @path stand before what a pattern matched
 *
 * Pure; any thread.
 *
 * Returns: (nullable): the row of which the file at @path is one, or is in a folder of
 */
const BeckonRunner *beckon_runner_table_find (const char *path, gsize *start);

/** Whether the file at @path, which is one of @runner's, names other files. Pure. */
gboolean beckon_runner_table_is_caller (const BeckonRunner *runner, const char *path);

/** (nullable): a row that reads something in a folder called @name, which is none of its files itself, as .cargo. Pure. */
const BeckonRunner *beckon_runner_table_find_beginning (const char *name);

/**
 * beckon_runner_table_list_keys:
 * @name: of a program that is called, or of a file
 * @is_file: whether it is a file
 * @is_run: whether @name is surely a program
 *
 * A program reads some files unasked, most of which have its name in theirs: .eslintrc.js, jest.config.js, Makefile, tox.ini.
 * Each such form is a key, and so are a few names that programs agreed on, whose keys begin with a blank. A program and a file
 * that it reads have one in common. Pure.
 *
 * Returns: (transfer full): the keys
 */
GStrv beckon_runner_table_list_keys (const char *name, gboolean is_file, gboolean is_run);

/** (transfer full): @place, one of #BeckonRunner.home, as an absolute path. */
char *beckon_runner_table_expand (const char *place);

/** Whether @path leads through what a package manager installs, where nobody works. Pure. */
gboolean beckon_runner_table_is_installed (const char *path);

G_END_DECLS
