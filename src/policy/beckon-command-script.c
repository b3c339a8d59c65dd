/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-script.h"

#include "beckon-command-grammar.h"
#include "beckon-command-risk.h"

#include <string.h>

/* Their arguments, their input or their keys are a language that runs commands. */
static const char *const opaque[] = {
  ".", "alias", "apropos", "at", "batch", "bind", "complete", "crontab", "ed", "emacs", "emacsclient", "enable", "ex",
  "expect", "fc", "gdb", "hash", "irb", "less", "lldb", "m4", "man", "mapfile", "mariadb", "more", "mysql", "nano", "nvim",
  "pico", "psql", "rvim", "screen", "script", "source", "sqlite3", "tclsh", "tmux", "vi", "view", "vim", "vimdiff", "wish",
  "xterm", NULL,
};

/* A script in a file is unknown; these only say how it runs. */
static const struct
{
  const char *program;
  const char *flags;
} script_flags[] = {
  { "node", "--no-warnings --test --watch --version -v --enable-source-maps --trace-warnings --experimental-strip-types" },
  { "perl", "-w -W -T -c -v --version" },
  { "php", "-v --version -l" },
  { "python", "-u -B -O -OO -s -S -E -I -q -v -V -VV -b -bb -d -x -P --version --help -h" },
  { "ruby", "-w -W -c -v --version" },
  { "lua", "-v -W" },
};

/* Modules that run tests or print, and take no code. */
static const char *const modules[] = {
  "ast", "black", "build", "compileall", "coverage", "doctest", "flake8", "http.server", "isort", "json.tool", "mypy",
  "pip", "py_compile", "pylint", "pytest", "ruff", "site", "tokenize", "unittest", "venv", "virtualenv", NULL,
};

static gboolean
is_word_of (const char *list, const char *word)
{
  g_auto (GStrv) each = g_strsplit (list, " ", -1);

  return g_strv_contains ((const char *const *) each, word);
}

/* s/a/b/g, 3,5p, /x/d, $!N: what prints and replaces. The rest may run, read or write. */
static gboolean
is_plain_sed (const char *script)
{
  static const char address[] = "(\\d+|\\$|/[^/\\n]*/I?)";
  static const char command[] = "([pdqnNDPgGhHx=lz]|s(?P<d>[^\\n\\\\])((?!(?P=d))[^\\n\\\\]|\\\\[^\\n])*(?P=d)"
                                "((?!(?P=d))[^\\n\\\\]|\\\\[^\\n])*(?P=d)[gpiIM0-9]*|y/[^/\\n]*/[^/\\n]*/|"
                                "[aic]\\\\?\\s*[^\\n;{}]*)";
  static gsize is_ready;
  static GRegex *regex;

  if (g_once_init_enter (&is_ready))
    {
      g_autofree char *all
        = g_strdup_printf ("(*LIMIT_MATCH=100000)^\\s*(%s(,%s)?\\s*!?\\s*)?%s\\s*$", address, address, command);

      regex = g_regex_new (all, 0, 0, NULL);
      g_once_init_leave (&is_ready, 1);
    }

  return regex != NULL && g_regex_match (regex, script, 0, NULL);
}

static gboolean
are_plain_sed (const char *script)
{
  g_auto (GStrv) lines = NULL;

  /* A semicolon may stand in what is replaced; apart, its halves are no commands. */
  if (is_plain_sed (script))
    return TRUE;

  lines = g_strsplit_set (script, ";\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0' && !is_plain_sed (lines[i]))
      return FALSE;

  return TRUE;
}

static gboolean
is_sed_hidden (const BeckonShellSegment *segment)
{
  gboolean has_script = FALSE;

  for (guint i = 1; i < segment->words->len; i++)
    {
      const char *word = beckon_shell_segment_get_word (segment, i);
      const char *next = beckon_shell_segment_get_word (segment, i + 1);

      if (strcmp (word, "--expression") == 0
          || (word[0] == '-' && g_str_has_suffix (word, "e") && strspn (word + 1, "nErsuz") + 2 == strlen (word)))
        {
          if (next == NULL || !are_plain_sed (next))
            return TRUE;
          has_script = TRUE;
          i++;
        }
      else if (word[0] == '-' && word[1] != '\0')
        {
          static const char longs[] = "--quiet --silent --regexp-extended --in-place --separate --null-data --sandbox";

          if (word[1] == '-' ? !is_word_of (longs, word)
                             : strspn (word + 1, "nErisuz") != strlen (word + 1) && !g_str_has_prefix (word, "-i"))
            return TRUE;
        }
      else if (!has_script)
        {
          if (!are_plain_sed (word))
            return TRUE;
          has_script = TRUE;
        }
    }

  return FALSE;
}

/* Without a call, a pipe and a file of its own, a program in awk only prints. */
static gboolean
is_awk_hidden (const BeckonShellSegment *segment)
{
  for (guint i = 1; i < segment->words->len; i++)
    {
      const char *word = beckon_shell_segment_get_word (segment, i);

      if (strcmp (word, "-F") == 0 || strcmp (word, "-v") == 0)
        i++;
      else if (word[0] == '-' && word[1] != 'F' && word[1] != 'v' && word[1] != '\0')
        return TRUE;
      if (strstr (word, "system") != NULL || strstr (word, "getline") != NULL || strpbrk (word, "|@") != NULL
          || strstr (word, "close") != NULL)
        return TRUE;
    }

  return FALSE;
}

static gboolean
is_module_hidden (const char *module)
{
  return module == NULL || !g_strv_contains (modules, module);
}

/* An option that is not known may bring code, or load some. */
static gboolean
is_interpreter_hidden (const BeckonShellSegment *segment, const char *flags)
{
  for (guint i = 1; i < segment->words->len; i++)
    {
      const char *word = beckon_shell_segment_get_word (segment, i);

      if (word[0] != '-')
        return FALSE;
      if (strcmp (word, "-m") == 0)
        return is_module_hidden (beckon_shell_segment_get_word (segment, i + 1));
      if (strcmp (word, "--") != 0 && !is_word_of (flags, word))
        return TRUE;
    }

  return beckon_command_risk_runs_input (segment);
}

static gboolean
names_code (const BeckonShellSegment *segment)
{
  static const char *const words[] = { "eval", "-c", "-e", "-p", "--eval", "--print", "-", "repl", NULL };

  for (guint i = 1; i < segment->words->len; i++)
    if (g_strv_contains (words, beckon_shell_segment_get_word (segment, i)))
      return TRUE;

  return segment->words->len == 1;
}

static gboolean
is_language_hidden (const BeckonShellSegment *segment, const char *program)
{
  static const char *const others[] = { "R", "Rscript", "bun", "deno", "elixir", "elvish", "ghci", "gjs", "gnuplot", "guile",
                                        "julia", "lftp", "luajit", "nu", "octave", "osascript", "pwsh", "scala", "swift",
                                        "tsx", "ts-node", "xonsh", "yash", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (script_flags); i++)
    if (strcmp (script_flags[i].program, program) == 0)
      return is_interpreter_hidden (segment, script_flags[i].flags);

  return g_strv_contains (others, program) && names_code (segment);
}

static gboolean
has_prefix (const BeckonShellSegment *segment, guint first, const char *const *prefixes)
{
  for (guint i = first; i < segment->words->len; i++)
    for (guint j = 0; prefixes[j] != NULL; j++)
      if (g_str_has_prefix (beckon_shell_segment_get_word (segment, i), prefixes[j]))
        return TRUE;

  return FALSE;
}

/* Whether Git runs commands by its configuration or subcommand. */
static gboolean
is_git_hidden (const BeckonShellSegment *segment)
{
  static const char *const subcommands[] = { "alias", "credential", "daemon", "difftool", "filter-branch", "gui", "hook",
                                             "instaweb", "mergetool", "send-email", "web--browse", NULL };
  static const char *const fetching[] = { "archive", "clone", "fetch", "fetch-pack", "ls-remote", "pull", NULL };
  static const char *const exec[] = { "-x", "--exec", "--extcmd", NULL };
  static const char *const packs[] = { "--upload-pack", "--upload", "--receive-pack", "--exec", "-u", "ext::", NULL };
  static const char *const pagers[] = { "-O", "--open-files-in-pager", NULL };
  static const char *const inner[] = { "foreach", "run", NULL };
  static const char *const keys[] = {
    "alias.", "core.", "filter.", "diff.", "merge.", "credential.", "include", "sequence.", "gpg.", "remote.",
    "url.", "pager.", "protocol.", "uploadpack.", "ssh.", "browser.", "difftool.", "mergetool.", "man.", "web.",
    "sendemail.", "hook.", "submodule.", NULL,
  };
  BeckonCommandParts parts;
  guint first;

  beckon_command_take_apart (segment, &parts);
  if (parts.is_open)
    return TRUE;
  if (parts.subcommand == NULL)
    return FALSE;
  if (g_strv_contains (subcommands, parts.subcommand))
    return TRUE;

  first = parts.subcommand_index + 1;
  if (strcmp (parts.subcommand, "rebase") == 0)
    return has_prefix (segment, first, exec);
  if (g_strv_contains (fetching, parts.subcommand))
    return has_prefix (segment, first, packs);
  if (strcmp (parts.subcommand, "push") == 0 || strcmp (parts.subcommand, "send-pack") == 0)
    return has_prefix (segment, first, packs + 2);
  if (strcmp (parts.subcommand, "grep") == 0)
    return has_prefix (segment, first, pagers);
  if (strcmp (parts.subcommand, "config") == 0)
    return has_prefix (segment, first, keys);

  return (strcmp (parts.subcommand, "submodule") == 0 || strcmp (parts.subcommand, "bisect") == 0)
         && has_prefix (segment, first, inner);
}

gboolean
beckon_command_script_is_hidden (const BeckonShellSegment *segment, const char *program)
{
  if (g_strv_contains (opaque, program) || beckon_command_risk_has_running_option (segment, program))
    return TRUE;
  if (strcmp (program, "sed") == 0)
    return is_sed_hidden (segment);
  if (strcmp (program, "awk") == 0)
    return is_awk_hidden (segment);
  if (strcmp (program, "git") == 0)
    return is_git_hidden (segment);

  return is_language_hidden (segment, program);
}
