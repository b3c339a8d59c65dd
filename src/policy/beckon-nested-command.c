/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-nested-command.h"

#include "beckon-command-grammar.h"
#include "beckon-command-reader.h"
#include "beckon-command-risk.h"
#include "beckon-command-script.h"
#include "beckon-shell.h"

#include <string.h>

/* More are not gone through, for each is judged. */
#define MAX_CARRIED 512

/* Scripts within scripts. */
#define MAX_DEPTH 4

/* Their words are files, names and texts, none of them a command. Those that have options with which they run one are known to
 * beckon_command_script_is_hidden(). */
static const char *const inert[] = {
  "[", "awk", "base64", "bunzip2", "bzip2", "cal", "cc", "cd", "chgrp", "chmod", "chown", "clang", "clear", "cp",
  "csplit", "curl", "date", "dd", "diff", "exit", "file", "g++", "gcc", "getconf", "git", "gpg", "gunzip", "gzip",
  "hostname", "iconv", "install", "kill", "ld", "ln", "locale", "make", "mkdir", "mkfifo", "mktemp", "mv",
  "ninja", "npm", "openssl", "patch", "pgrep", "pip", "pkg-config", "printf", "ps", "return", "rg",
  "rm", "rmdir", "sed", "seq", "shift", "shred", "shuf", "size", "sleep", "sort", "split", "sqlite3", "strip", "sync",
  "tar", "tee", "test", "touch", "tree", "true", "truncate", "tty", "ulimit", "umask", "uniq", "unlink", "unset",
  "unxz", "unzip", "wait", "wget", "xxd", "xz", "yes", "zcat", "zip", "zstd", NULL,
};

/* Variables by which programs that are started find others, or that are lines of a shell. */
static const char *const harmless_variables[] = {
  "CFLAGS_DEBUG", "CGO_ENABLED", "CI", "CLICOLOR", "COLUMNS", "DEBUG", "DESTDIR", "FORCE_COLOR", "GOARCH", "GOOS",
  "LANG", "LANGUAGE", "LINES", "NODE_ENV", "NO_COLOR", "RUST_BACKTRACE", "RUST_LOG", "TERM", "TMPDIR", "TZ", "V",
  "VERBOSE", NULL,
};

static const char *const shells[] = {
  "ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "rbash", "sh", "tcsh", "yash", "zsh", NULL,
};

/* They make files out of others, so that a script or a copy may be what was just made. */
static const char *const makers[] = {
  "base64", "cp", "csplit", "curl", "dd", "gunzip", "install", "ln", "mv", "patch", "rsync", "scp", "split", "tar",
  "tee", "truncate", "unzip", "wget", "xxd", NULL,
};

/* Their words are commands, however they are called. */
static const char *const runners[] = { "busybox", "command", "env", "eval", "exec", "fd", "find", "nohup", "sudo", "toybox",
                                       "xargs", NULL };

typedef struct
{
  GPtrArray *carried;
  gboolean is_hidden;
  gboolean makes_files; /* the line makes files */
  guint depth;
} Search;

static void search_command (Search *search, const BeckonShellSegment *segment);

static BeckonShellSegment *
copy_from (const BeckonShellSegment *segment, guint first)
{
  BeckonShellSegment *copy = beckon_shell_segment_new ();

  for (guint i = first; i < segment->words->len; i++)
    {
      const BeckonShellWord *word = g_ptr_array_index (segment->words, i);

      g_ptr_array_add (copy->words, beckon_shell_word_new (g_strdup (word->text), word->flags));
    }
  return copy;
}

/* Another program would add a word here, which is no program itself. */
static void
add_unknown_word (BeckonShellSegment *segment)
{
  g_ptr_array_add (segment->words,
                   beckon_shell_word_new (g_strdup (""), BECKON_SHELL_WORD_GLOB | BECKON_SHELL_WORD_LEADING_GLOB));
}

/* Takes @segment. %FALSE when there are too many. */
static gboolean
nested_command_add (Search *search, BeckonShellSegment *segment)
{
  if (search->carried->len >= MAX_CARRIED)
    {
      search->is_hidden = TRUE;
      beckon_shell_segment_free (segment);
      return FALSE;
    }
  g_ptr_array_add (search->carried, segment);
  return TRUE;
}

/* A line for a shell. */
static void
search_line (Search *search, const char *line)
{
  g_autoptr (GPtrArray) segments = beckon_shell_parse (line, NULL);

  search->is_hidden = search->is_hidden || segments == NULL;
  for (guint i = 0; segments != NULL && i < segments->len; i++)
    {
      const BeckonShellSegment *segment = g_ptr_array_index (segments, i);

      if (!nested_command_add (search, copy_from (segment, 0)))
        return;
      search_command (search, segment);
    }
}

/* The pieces of a word that could be names: a command may stand in any of them. */
static void
search_pieces (Search *search, const char *word)
{
  static const char of_names[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-/";
  g_autoptr (BeckonShellSegment) pieces = beckon_shell_segment_new ();

  for (const char *at = word; *at != '\0';)
    {
      gsize length = strspn (at, of_names);

      if (length > 0)
        g_ptr_array_add (pieces->words, beckon_shell_word_new (g_strndup (at, length), BECKON_SHELL_WORD_LITERAL));
      at += length + (at[length] != '\0' ? 1 : 0);
    }
  for (guint i = 0; i < pieces->words->len; i++)
    if (!nested_command_add (search, copy_from (pieces, i)))
      return;
}

/* A word here may be a whole line to its receiver; surely so to a program that is known to run some. */
static void
search_word (Search *search, const char *word, gboolean is_line)
{
  g_autoptr (GPtrArray) segments = NULL;

  const char *value = word[0] == '-' ? strchr (word, '=') : NULL;

  if (strpbrk (word, " \t\n;&|<>()$`'\"\\=:,") == NULL)
    return;
  if (strpbrk (word, " \t\n;&|<>`") != NULL)
    segments = beckon_shell_parse (value != NULL ? value + 1 : word, NULL);
  for (guint i = 0; segments != NULL && i < segments->len; i++)
    {
      if (nested_command_add (search, copy_from (g_ptr_array_index (segments, i), 0)))
        search_command (search, g_ptr_array_index (segments, i));
    }
  search->is_hidden = search->is_hidden || (is_line && segments == NULL && strpbrk (word, " \t\n;&|<>()$`") != NULL);
  search_pieces (search, word);
}

/* Input of these may be a program, or a line of a language. */
static gboolean
runs_its_words (const char *program)
{
  return g_strv_contains (shells, program) || beckon_command_risk_is_wrapper (program)
         || beckon_command_risk_is_interpreter (program);
}

/* Installed programs lie there; anywhere else lies what the agent could have put there. */
static gboolean
is_installed (const char *program)
{
  static const char *const places[] = { "/usr/", "/bin/", "/sbin/", "/opt/", "/lib/", "/lib64/", "/nix/store/", "/gnu/store/" };
  g_auto (GStrv) parts = NULL;

  if (strchr (program, '/') == NULL)
    return TRUE;
  parts = g_strsplit (program, "/", -1);
  if (g_strv_contains ((const char *const *) parts, ".."))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (g_str_has_prefix (program, places[i]))
      return TRUE;

  return FALSE;
}

static gboolean
is_inert (const BeckonShellSegment *segment, const char *program)
{
  return g_strv_contains (inert, program) || beckon_command_has_grammar (program)
         || beckon_command_reader_judge (segment, 1) == BECKON_COMMAND_READER_READS;
}

static gboolean
is_command_word (const char *program)
{
  return g_strv_contains (shells, program) || g_strv_contains (runners, program)
         || beckon_command_risk_is_interpreter (program);
}

static gboolean
is_path (const char *word)
{
  return strcmp (word, ".") == 0 || strcmp (word, "..") == 0 || strchr (word, '/') != NULL;
}

/* A word that could be a program, with what follows it. Of one that is not known nothing is to be learned but that it is not;
 * what follows it is looked at anyway. */
static void
search_candidate (Search *search, const BeckonShellSegment *rest, gboolean is_wrapped, gboolean *is_found)
{
  const BeckonShellWord *word = g_ptr_array_index (rest->words, 0);
  const char *program = beckon_command_unify_program (word->text);
  gboolean is_known = is_inert (rest, program) || runs_its_words (program) || is_command_word (program);

  if (is_command_word (program) || (is_known && is_wrapped))
    search_command (search, rest);
  else if (is_wrapped && !*is_found && (word->flags != BECKON_SHELL_WORD_LITERAL || is_path (word->text)))
    search->is_hidden = search->is_hidden || word->flags != BECKON_SHELL_WORD_LITERAL || !is_installed (word->text);
  else if (is_wrapped && !*is_found)
    search->is_hidden = search->is_hidden || beckon_command_script_is_hidden (rest, program);
  *is_found = *is_found || is_known;
}

/* Behind its options; where these end only the program knows. @is_wrapped: one of the words is surely a program. */
static void
search_words (Search *search, const BeckonShellSegment *segment, guint first, gboolean is_fed, gboolean is_wrapped)
{
  gboolean is_found = FALSE;

  for (guint i = first; i < segment->words->len && !search->is_hidden; i++)
    {
      const char *word = beckon_shell_segment_get_word (segment, i);
      BeckonShellSegment *rest;

      search_word (search, word, is_wrapped);
      if (*word == '-' || *word == '\0')
        continue;
      rest = copy_from (segment, i);
      if (is_fed)
        {
          add_unknown_word (rest);
          search->is_hidden = search->is_hidden || runs_its_words (beckon_command_unify_program (word));
        }
      if (!nested_command_add (search, rest))
        return;
      search_candidate (search, rest, is_wrapped, &is_found);
    }
}

/* sh -c LINE; whatever else a shell runs is not seen. */
static void
search_shell (Search *search, const BeckonShellSegment *segment)
{
  gboolean has_line = FALSE;

  for (guint i = 1; i < segment->words->len; i++)
    {
      const char *word = beckon_shell_segment_get_word (segment, i);

      if (strcmp (word, "--version") == 0 || strcmp (word, "--help") == 0)
        return;
      if (word[0] == '-' && word[1] != '-')
        {
          has_line = has_line || strchr (word, 'c') != NULL;
          for (const char *letter = word + 1; *letter != '\0'; letter++)
            search->is_hidden = search->is_hidden || !g_ascii_isalpha (*letter);
        }
      if (word[0] == '-' || word[0] == '+')
        {
          /* -o and --rcfile have a value, which may be a file to be run. */
          if (strchr (word, 'o') != NULL || g_str_has_prefix (word, "--rc") || g_str_has_prefix (word, "--init"))
            search->is_hidden = TRUE;
          continue;
        }
      if (!has_line)
        break;
      search_line (search, word);
      return;
    }

  search->is_hidden = TRUE;
}

/* eval joins its words to one line. */
static void
search_eval (Search *search, const BeckonShellSegment *segment)
{
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 1; i < segment->words->len; i++)
    {
      const BeckonShellWord *word = g_ptr_array_index (segment->words, i);

      search->is_hidden = search->is_hidden || word->flags != BECKON_SHELL_WORD_LITERAL;
      g_string_append_printf (line, "%s ", word->text);
    }
  if (segment->words->len > 1)
    search_line (search, line->str);
}

static gboolean
is_harmless_assignment (const char *assignment)
{
  g_autofree char *name = g_strndup (assignment, strcspn (assignment, "="));

  return g_str_has_prefix (name, "LC_") || g_strv_contains (harmless_variables, name);
}

/* env -S takes a whole line, with escapes of its own. */
static void
search_env (Search *search, const BeckonShellSegment *segment)
{
  for (guint i = 1; i < segment->words->len; i++)
    {
      const char *word = beckon_shell_segment_get_word (segment, i);
      const char *at = NULL;

      if (g_str_has_prefix (word, "--s") && strncmp ("--split-string", word, strcspn (word, "=")) == 0)
        at = strchr (word, '=') != NULL ? strchr (word, '=') + 1 : "";
      else if (word[0] == '-' && word[1] != '-' && strchr (word, 'S') != NULL)
        at = strchr (word, 'S') + 1;
      else if (word[0] != '-' && strchr (word, '=') == NULL)
        break;
      else if (word[0] != '-')
        search->is_hidden = search->is_hidden || !is_harmless_assignment (word);
      if (at != NULL)
        {
          g_autoptr (BeckonShellSegment) rest = copy_from (segment, i + 1);
          g_autoptr (GString) line = g_string_new (at);

          for (guint j = 0; j < rest->words->len; j++)
            g_string_append_printf (line, " %s", beckon_shell_segment_get_word (rest, j));
          search->is_hidden = search->is_hidden || strpbrk (line->str, "\\$#") != NULL;
          search_line (search, line->str);
          return;
        }
    }

  search_words (search, segment, 1, FALSE, TRUE);
}

/* The input of xargs is arguments of a program that it names, which is known not to make more of them, or is hidden. */
static void
search_xargs (Search *search, const BeckonShellSegment *segment)
{
  static const char *const values[] = { "-I", "-n", "-P", "-L", "-s", "-d", "-a", "-E", "--arg-file", "--delimiter",
                                        "--max-args", "--max-procs", "--max-lines", "--max-chars", "--process-slot-var", NULL };
  static const char *const running[] = { "find", "fd", "tar", "make", "cmake", "zip", "ninja", "npm", "yarn", "pnpm", NULL };
  BeckonShellSegment *fed;
  const char *word;
  guint index = 1;

  while ((word = beckon_shell_segment_get_word (segment, index)) != NULL && word[0] == '-')
    index += g_strv_contains (values, word) ? 2 : 1;
  if (word == NULL)
    return;

  word = beckon_command_unify_program (word);
  fed = copy_from (segment, index);
  search->is_hidden = search->is_hidden || runs_its_words (word) || g_strv_contains (running, word)
                      || !is_inert (fed, word);
  search_command (search, fed);
  add_unknown_word (fed);
  nested_command_add (search, fed);
}

/* find and fd run what stands behind -exec, with the names of files in it. */
static void
search_finder (Search *search, const BeckonShellSegment *segment)
{
  static const char *const options[] = { "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", NULL };

  for (guint i = 1; i < segment->words->len; i++)
    {
      const char *word = beckon_shell_segment_get_word (segment, i);

      if (g_str_has_prefix (word, "--exec=") || g_str_has_prefix (word, "--exec-batch="))
        search_word (search, word, TRUE);
      if (g_strv_contains (options, word) || g_str_has_prefix (word, "--exec") || g_str_has_prefix (word, "-x")
          || g_str_has_prefix (word, "-X"))
        search_words (search, segment, i, TRUE, TRUE);
    }
}

static void
search_trap (Search *search, const BeckonShellSegment *segment)
{
  const char *line = beckon_shell_segment_get_word (segment, 1);

  if (line != NULL && strcmp (line, "--") == 0)
    line = beckon_shell_segment_get_word (segment, 2);
  if (line != NULL && *line != '\0' && strcmp (line, "-") != 0)
    search_line (search, line);
}

/* make runs what its variables name. */
static void
search_variables (Search *search, const BeckonShellSegment *segment)
{
  for (guint i = 1; i < segment->words->len; i++)
    {
      const char *word = beckon_shell_segment_get_word (segment, i);
      const char *value = strchr (word, '=');

      if (value == NULL || word[0] == '-')
        continue;
      search->is_hidden = search->is_hidden || !is_installed (value + 1) || g_str_has_prefix (word, "SHELL=")
                          || g_str_has_prefix (word, ".SHELL") || g_str_has_prefix (word, "MAKE");
      search_word (search, value + 1, FALSE);
    }
}

/* Some shells run what stands in the index of an array that these name. */
static void
search_indices (Search *search, const BeckonShellSegment *segment)
{
  for (guint i = 1; i < segment->words->len; i++)
    {
      const char *word = beckon_shell_segment_get_word (segment, i);

      search->is_hidden = search->is_hidden || strstr (word, "$(") != NULL || strchr (word, '`') != NULL;
    }
}

static gboolean
sets_variables (const BeckonShellSegment *segment)
{
  static const char *const setters[] = { "declare", "export", "local", "readonly", "typeset", NULL };
  const char *program = beckon_shell_segment_get_word (segment, 0);

  for (guint i = 0; i < segment->assignments->len; i++)
    if (!is_harmless_assignment (((BeckonShellWord *) g_ptr_array_index (segment->assignments, i))->text))
      return TRUE;
  for (guint i = 1; program != NULL && g_strv_contains (setters, program) && i < segment->words->len; i++)
    if (strchr (beckon_shell_segment_get_word (segment, i), '=') != NULL
        && !is_harmless_assignment (beckon_shell_segment_get_word (segment, i)))
      return TRUE;

  return FALSE;
}

/* A build, or a script that may have been written by the same line. */
static gboolean
runs_what_was_made (const Search *search, const char *program)
{
  static const char *const builders[] = { "make", "npm", "pnpm", "yarn", "ninja", "cmake", "meson", "cargo", "go", "ant", "mvn",
                                         "gradle", "rake", "tox", "just", "task", "pytest", NULL };

  return search->makes_files
         && (g_strv_contains (builders, program) || beckon_command_risk_is_interpreter (program));
}

/* Subcommands that run what follows: npm exec, docker run, cargo run. */
static gboolean
hands_over (const BeckonShellSegment *segment)
{
  static const char *const words[] = { "exec", "x", "dlx", "run", "explore", "rsh", "debug", "attach", "shell", "ssh", NULL };
  BeckonCommandParts parts;

  return beckon_command_take_apart (segment, &parts) && parts.subcommand != NULL && !parts.is_unordered
         && strcmp (parts.program, "git") != 0
         && (g_strv_contains (words, parts.subcommand)
             || (!parts.is_certain && beckon_command_has_grammar (parts.program)));
}

static void
search_program (Search *search, const BeckonShellSegment *segment, const char *program)
{
  static const char *const indexing[] = { "[", "printf", "test", "unset", NULL };
  static const char *const fed[] = { "parallel", "rush", "watch", "entr", NULL };

  if (g_strv_contains (shells, program))
    search_shell (search, segment);
  else if (strcmp (program, "eval") == 0)
    search_eval (search, segment);
  else if (strcmp (program, "trap") == 0)
    search_trap (search, segment);
  else if (strcmp (program, "env") == 0)
    search_env (search, segment);
  else if (strcmp (program, "make") == 0)
    search_variables (search, segment);
  else if (g_strv_contains (indexing, program))
    search_indices (search, segment);
  else if (strcmp (program, "find") == 0 || strcmp (program, "fd") == 0)
    search_finder (search, segment);
  else if (strcmp (program, "xargs") == 0)
    search_xargs (search, segment);
  else if (g_strv_contains (fed, program))
    {
      search->is_hidden = search->is_hidden || (strcmp (program, "parallel") == 0 && segment->words->len == 1);
      search_words (search, segment, 1, TRUE, TRUE);
    }
  else if (hands_over (segment))
    search_words (search, segment, 1, FALSE, TRUE);
  else if (!is_inert (segment, program))
    search_words (search, segment, 1, FALSE, beckon_command_risk_is_wrapper (program));
}

static void
search_command (Search *search, const BeckonShellSegment *segment)
{
  const BeckonShellWord *word = segment->words->len > 0 ? g_ptr_array_index (segment->words, 0) : NULL;
  const char *program;

  search->is_hidden = search->is_hidden || sets_variables (segment);
  if (word == NULL)
    return;

  program = beckon_command_unify_program (word->text);
  if (word->flags != BECKON_SHELL_WORD_LITERAL || search->depth == MAX_DEPTH || !is_installed (word->text)
      || beckon_command_script_is_hidden (segment, program) || runs_what_was_made (search, program))
    search->is_hidden = TRUE;
  if (search->is_hidden)
    return;

  search->depth++;
  search_program (search, segment, program);
  search->depth--;
}

static gboolean
makes_files (GPtrArray *segments)
{
  for (guint i = 0; segments != NULL && i < segments->len; i++)
    {
      const BeckonShellSegment *segment = g_ptr_array_index (segments, i);
      const char *program = beckon_shell_segment_get_word (segment, 0);

      for (guint j = 0; j < segment->redirections->len; j++)
        {
          const BeckonShellRedirection *redirection = g_ptr_array_index (segment->redirections, j);

          if (strchr (redirection->operator, '>') != NULL && !beckon_shell_redirection_is_harmless (redirection))
            return TRUE;
        }
      if (program != NULL && g_strv_contains (makers, beckon_command_unify_program (program)))
        return TRUE;
    }

  return FALSE;
}

GPtrArray *
beckon_command_list_nested (const BeckonShellSegment *segment, GPtrArray *segments, gboolean *is_hidden)
{
  Search search = { .carried = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_shell_segment_free),
                    .makes_files = makes_files (segments) };

  search_command (&search, segment);
  *is_hidden = search.is_hidden;
  return search.carried;
}
