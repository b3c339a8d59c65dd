/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonRunnerWord:
 * @word: what may be a path: relative, absolute, or below the home ("~/"); a variable before a slash is "."
 * @is_run: a command begins with it
 * @is_read: an interpreter stands before it, or a command that reads files
 * @is_path: its line says where programs or hooks are looked for, or what else is read
 * @is_command: its line says what to run, or to look in for that
 * @is_prefix: programs are in a folder bin within it
 * @is_loop: its line goes through files
 * @is_folder: a command goes to that folder
 * @is_first: an interpreter stands directly before it
 * @is_variable: it begins with a variable, or is one ("."), which may stand for anything
 * @is_value: it is what a variable is set to
 * @is_module: an option stands here after which Python finds modules in the folder that it starts in; @word is "."
 */
typedef struct
{
  const char *word;
  gboolean is_run;
  gboolean is_read;
  gboolean is_path;
  gboolean is_command;
  gboolean is_prefix;
  gboolean is_loop;
  gboolean is_folder;
  gboolean is_first;
  gboolean is_variable;
  gboolean is_value;
  gboolean is_module;
} BeckonRunnerWord;

typedef void (*BeckonRunnerWordFunc) (const BeckonRunnerWord *word, gpointer data);

/**
 * beckon_runner_words_foreach:
 * @text: a script, a command, or configuration of whatever form
 * @func: called for each word
 * @data: for @func
 *
 * Reads words as a shell parts them, and as YAML, TOML and JSON part values, without being any of these: a word too many is
 * better than one that is missed. A name in quotes, or with signs in it, is told as a whole and in its parts. Comments from
 * "#" on are left out. Pure.
 */
void beckon_runner_words_foreach (const char *text, BeckonRunnerWordFunc func, gpointer data);

/** Whether a file of that name is usually a script, which something runs or loads. Pure. */
gboolean beckon_runner_words_is_script_name (const char *path);

/**
 * beckon_runner_words_package_differs:
 * @before: (nullable): the text of a package.json, %NULL for none
 * @after: (nullable): the same afterwards
 *
 * Whether installing the package runs something else afterwards: of its scripts, those of the life cycle and what they call. A
 * text that can't be read does so if it is @after. Pure.
 */
gboolean beckon_runner_words_package_differs (const char *before, const char *after);

/**
 * beckon_runner_words_package_commands:
 * @package: the text of a package.json
 * @is_called: whether something calls its scripts, all of which count then
 *
 * Pure.
 *
 * Returns: (transfer full): what installing or calling the package runs, one command a line; "" where it can't be read
 */
char *beckon_runner_words_package_commands (const char *package, gboolean is_called);

/** Puts blanks in the place of what settings of an editor, as JSON with comments, only say about how files are shown. */
void beckon_runner_words_blank_settings (char *settings);

/**
 * beckon_runner_words_git_commands:
 * @config: the text of a configuration of Git
 *
 * Leaves out the settings that are known to run and read nothing, such as a person's name and a server's address. Whatever is
 * not one of them for sure is kept. Pure.
 *
 * Returns: (transfer full): the other lines
 */
char *beckon_runner_words_git_commands (const char *config);

G_END_DECLS
