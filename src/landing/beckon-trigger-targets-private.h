/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A search for what trigger paths lead to, on its way. Links, Git's configuration and what Beckon runs are looked at in
 * beckon-trigger-targets.c, scripts of direnv and of packages in beckon-trigger-scripts.c. */

/* Between the words of a command for a shell. */
#define SHELL_SIGNS " \t\n\"'`;&|()<>{}!=$,:"

typedef struct
{
  char *path;
  gboolean is_for_programs; /* only those directly in it count */
  gsize pattern; /* where in @path a pattern for a shell begins, or 0 */
} BeckonTriggerTarget;

typedef struct
{
  const char *folder;
  GPtrArray *targets; /* (element-type BeckonTriggerTarget) */
  GHashTable *seen; /* (element-type filename): Git directories and files of configuration, each with its work tree */
  guint left;       /* names that may still be read */
  guint n_words;    /* of scripts, which were looked at */
  gboolean is_cut;
} BeckonTriggerSearch;

/** Takes @path, which is one. @is_for_programs: only programs directly in it are. */
void beckon_trigger_search_take (BeckonTriggerSearch *search, char *path, gboolean is_for_programs);

/** Adds @path and where links in it lead, as far as they are in the folder. */
void beckon_trigger_search_add_path (BeckonTriggerSearch *search, const char *path);

/** Adds where @name in @folder leads if it is a link. */
void beckon_trigger_search_add_link (BeckonTriggerSearch *search, const char *folder, const char *name);

/** Whether @path was not looked at before for the files in @work_tree. */
gboolean beckon_trigger_search_is_first (BeckonTriggerSearch *search, const char *work_tree, const char *path);

/** (transfer full): where the link at @path ends, whether anything is there or not. Blocks. */
char *beckon_trigger_search_follow (const char *path);
gboolean beckon_trigger_search_is_link (const char *path);

/** (transfer full): the path that @word stands for in @folder. */
char *beckon_trigger_search_resolve (const char *word, const char *folder);

/** (transfer full) (nullable): a text; %NULL where there is none. *@is_odd: (out): what is there cannot be read so. */
char *beckon_trigger_search_read_bounded (const char *path, gsize *length, gboolean *is_odd);

/** Adds what a script of direnv, @name in @folder, reads and runs. */
void beckon_trigger_search_look_at_envrc (BeckonTriggerSearch *search, const char *folder, const char *name);

/** Adds what installing the package in @folder runs. */
void beckon_trigger_search_look_at_package (BeckonTriggerSearch *search, const char *folder);

G_END_DECLS
