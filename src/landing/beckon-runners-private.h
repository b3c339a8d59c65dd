/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-runner-words.h"
#include "beckon-runners.h"

G_BEGIN_DECLS

/* The reading of what runners name (beckon-runners-read.c), the judgement (beckon-runners.c), and what Git tracks
 * and ignores there (beckon-work-trees.c): all of that is read once, as it is then. */

/**
 * BeckonRunnerReach:
 * @BECKON_RUNNER_REACH_FILE: the path alone
 * @BECKON_RUNNER_REACH_TREE: all in it as well
 * @BECKON_RUNNER_REACH_SCRIPTS: what can be run or loaded in it, at any depth
 * @BECKON_RUNNER_REACH_PROGRAMS: what can be run and is directly in it
 * @BECKON_RUNNER_REACH_MODULES: what Python imports by its name alone: modules and packages that are directly in it
 * @BECKON_RUNNER_REACH_USUAL: what a program reads unasked, at any depth; the path ends with a key of the table
 */
typedef enum
{
  BECKON_RUNNER_REACH_FILE,
  BECKON_RUNNER_REACH_TREE,
  BECKON_RUNNER_REACH_SCRIPTS,
  BECKON_RUNNER_REACH_PROGRAMS,
  BECKON_RUNNER_REACH_MODULES,
  BECKON_RUNNER_REACH_USUAL,
  BECKON_RUNNER_N_REACHES,
} BeckonRunnerReach;

/* Why a path counts. */
typedef struct
{
  const BeckonRunner *runner; /* (nullable): of a sentence that needs none */
  char *by;                   /* (nullable): the file that names it, as it is shown; without @runner the sentence, or PATH's
                               * folder; %NULL: it is one of the runner's places */
  char *word;                 /* (nullable): what it says there */
} BeckonRunnerReason;

struct _BeckonRunners
{
  char *folder;
  char *elsewhere;   /* (nullable): the Git directory that the folder's .git, a file, stands for */
  GHashTable *named[BECKON_RUNNER_N_REACHES]; /* (element-type filename BeckonRunnerReason): absolute paths */
  GPtrArray *patterns; /* (element-type utf8): absolute paths with a pattern for a shell in their end */
  GPtrArray *awaited; /* (element-type filename) */
  GHashTable *links; /* (element-type filename utf8): where links end whose name is a folder that runners read in */
  GHashTable *seen;  /* (element-type filename): what was read, each with its depth and the folder from which its names count */
  GHashTable *usual; /* (element-type filename GHashTable): of folders, the files that programs read unasked, by their keys */
  GHashTable *trees;   /* (element-type filename WorkTree): work trees of Git, by their tops */
  GHashTable *ignores; /* (element-type filename BeckonIgnore): what Git ignores, by folders */
  guint left;        /* names of files that may still be read */
  guint n_words;     /* that were looked up */
  gboolean is_cut;
};

void beckon_work_tree_free (gpointer tree);

/** Reads the command of @program, which names files as a runner's file does. */
void beckon_runners_read_command (BeckonRunners *self, const BeckonRunnerProgram *program);

/** Reads everything in and around the folder; and what is around a path in it. */
void beckon_runners_read_all (BeckonRunners *self);
void beckon_runners_read_parents (BeckonRunners *self, const char *path);

/** (transfer full): where the way of @path ends, whether anything is there or not. Blocks. */
char *beckon_runners_follow (const char *path);
gboolean beckon_runners_is_link (const char *path);

/** (transfer full) (nullable): a text; %NULL where there is none. *@is_odd: (out): what is there can't be read so. */
char *beckon_runners_read_text (const char *path, gsize most, gsize *length, gboolean *is_odd);

/** (transfer full) (nullable): the Git directory of a work tree, wherever it is. Blocks. */
char *beckon_runners_find_git (const char *work_tree);

G_END_DECLS
