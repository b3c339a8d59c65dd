/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-reader.h"

#include <string.h>

/* They write nothing and run nothing, whatever their options are. */
static const char *const plain[] = {
  "arch", "b2sum", "basename", "cat", "cksum", "cmp", "comm", "cut", "df", "dirname", "du", "echo", "egrep", "expand",
  "false", "fgrep", "fold", "grep", "groups", "head", "hexdump", "id", "join", "jq", "ls", "md5sum", "nl", "nproc",
  "od", "paste", "pwd", "readlink", "realpath", "rev", "seq", "sha1sum", "sha224sum", "sha256sum", "sha384sum",
  "sha512sum", "stat", "strings", "tac", "tail", "tr", "true", "tsort", "uname", "unexpand", "wc", "which", "whoami", NULL,
};

#define GIT_COMMON \
  "name-only name-status stat shortstat numstat summary patch no-patch no-color color abbrev abbrev-commit " \
  "ignore-all-space ignore-space-change ignore-blank-lines word-diff minimal patience histogram find-renames " \
  "find-copies diff-filter unified cached staged exit-code quiet raw reverse no-ext-diff no-textconv no-renames "
#define GIT_WALK \
  "oneline graph all decorate no-decorate since until after before author committer grep max-count skip format " \
  "pretty no-merges merges first-parent follow branches tags remotes date date-order topo-order left-right " \
  "full-history simplify-by-decoration show-signature no-walk root cherry-pick "

/* @letters as getopt has them, # for a number; @names are long options, or words with a single dash. What is not here may
 * write, run something, or be new. Those @offered may be allowed with whatever follows. */
static const struct
{
  const char *program;
  const char *subcommand;
  const char *letters;
  const char *names;
  gboolean is_offered;
} careful[] = {
  { "date", NULL, "uId:R", "utc iso-8601 rfc-email date universal rfc-3339", TRUE },
  { "diff", NULL, "urNqsbBwiyU:C:cepaTtd",
    "unified recursive brief color side-by-side ignore-case ignore-all-space ignore-blank-lines new-file text "
    "report-identical-files", TRUE },
  { "file", NULL, "bikLhsIE", "brief mime mime-type mime-encoding dereference", TRUE },
  { "find", NULL, "HLP",
    "-name -iname -path -ipath -wholename -type -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime "
    "-cmin -newer -newermt -empty -not -o -or -a -and -print -print0 -printf -prune -regex -iregex -regextype "
    "-ls -follow -perm -user -group -links -samefile -inum -true -false -readable -writable -executable -quit "
    "-xdev -mount -depth -daystart -lname -xtype", TRUE },
  { "git", "blame", "bltfswMC", "date abbrev porcelain line-porcelain show-email show-name", TRUE },
  { "git", "describe", "", "tags all long always dirty abbrev match exact-match", TRUE },
  { "git", "diff", "pswbU:MCDzRa#", GIT_COMMON, TRUE },
  { "git", "log", "pswbU:MCDzn:iEFPGS:g#", GIT_COMMON GIT_WALK, TRUE },
  { "git", "ls-files", "cdmosutzkvf",
    "cached deleted modified others stage exclude-standard unmerged error-unmatch", TRUE },
  { "git", "rev-parse", "",
    "abbrev-ref short show-toplevel verify HEAD git-dir is-inside-work-tree show-prefix", TRUE },
  { "git", "shortlog", "nsec#", "numbered summary email committer", TRUE },
  { "git", "show", "pswbU:MCDzn:#", GIT_COMMON GIT_WALK, TRUE },
  { "git", "status", "sbvzu:", "short branch verbose porcelain untracked-files ignored show-stash ahead-behind", TRUE },
  { "rg", NULL, "inlcwvFUSsoNHhLa0pe:g:t:T:A:B:C:m:",
    "ignore-case line-number files-with-matches count word-regexp invert-match fixed-strings multiline "
    "smart-case case-sensitive only-matching no-line-number with-filename no-filename text glob iglob type "
    "type-not after-context before-context context max-count max-depth files hidden no-ignore json stats color "
    "heading no-heading column sort regexp count-matches null trim", TRUE },
  { "sort", NULL, "nrufhVgbdiMszcCmRk:t:",
    "numeric-sort reverse unique ignore-case human-numeric-sort version-sort general-numeric-sort "
    "ignore-leading-blanks dictionary-order month-sort stable zero-terminated check merge key field-separator "
    "random-sort", TRUE },
  { "tree", NULL, "adfiLspughDFrtvxnCNqQP:I:", "dirsfirst du noreport prune filelimit gitignore", TRUE },
  { "c++", NULL, "",
    "-c -o -g -g3 -O -O0 -O1 -O2 -O3 -Os -Og -E -S -v -Wall -Wextra -Werror -Wpedantic -pedantic -fPIC -fpic "
    "-pthread -shared -static -fsanitize -std -D* -U* -I* -L* -l*", FALSE },
  { "cc", NULL, "",
    "-c -o -g -g3 -O -O0 -O1 -O2 -O3 -Os -Og -E -S -v -Wall -Wextra -Werror -Wpedantic -pedantic -fPIC -fpic "
    "-pthread -shared -static -fsanitize -std -D* -U* -I* -L* -l*", FALSE },
  { "curl", NULL, "sSfLIivg46",
    "silent show-error fail location head include verbose compressed max-time connect-timeout retry ipv4 ipv6", FALSE },
  { "wget", NULL, "qS46", "quiet no-verbose spider timeout tries", FALSE },
};

static const char *
base_name (const char *program)
{
  const char *slash = strrchr (program, '/');

  return slash != NULL ? slash + 1 : program;
}

/* gcc, clang-15 and x86_64-linux-gnu-g++ take what cc takes. */
static const char *
command_reader_unify (const char *name)
{
  if (strstr (name, "g++") != NULL || g_str_has_prefix (name, "clang++"))
    return "c++";
  if (strcmp (name, "gcc") == 0 || g_str_has_prefix (name, "gcc-") || g_str_has_suffix (name, "-gcc")
      || strcmp (name, "clang") == 0 || g_str_has_prefix (name, "clang-"))
    return "cc";

  return name;
}

/* -1 if there is none. */
static int
find_careful (const BeckonShellSegment *segment)
{
  const char *name = command_reader_unify (base_name (beckon_shell_segment_get_word (segment, 0)));
  const char *second = beckon_shell_segment_get_word (segment, 1);

  for (guint i = 0; i < G_N_ELEMENTS (careful); i++)
    if (strcmp (careful[i].program, name) == 0
        && (careful[i].subcommand == NULL || g_strcmp0 (careful[i].subcommand, second) == 0))
      return (int) i;

  return -1;
}

/* A name that ends with a star stands for any that begin so. */
static gboolean
is_named (const char *names, const char *word)
{
  g_auto (GStrv) each = g_strsplit (names, " ", -1);
  gsize length = strcspn (word, "=");

  for (guint i = 0; each[i] != NULL; i++)
    {
      gsize n = strlen (each[i]);

      if (n > 1 && each[i][n - 1] == '*' ? strncmp (each[i], word, n - 1) == 0
          : n > 0 && n == length && strncmp (each[i], word, n) == 0)
        return TRUE;
    }

  return FALSE;
}

/* -nr, -k2, -5: each letter is known, up to one whose value is the rest. */
static gboolean
are_letters (const char *letters, const char *word)
{
  for (const char *p = word + 1; *p != '\0'; p++)
    {
      const char *known = g_ascii_isdigit (*p) ? strchr (letters, '#') : *p != ':' ? strchr (letters, *p) : NULL;

      if (known == NULL)
        return FALSE;
      if (known[1] == ':')
        return TRUE;
    }

  return TRUE;
}

static gboolean
is_harmless (guint index, const char *word)
{
  if (strcmp (careful[index].program, "date") == 0 && word[0] != '-')
    return word[0] == '+';
  /* A file of further arguments. */
  if (word[0] == '@')
    return FALSE;
  if (word[0] != '-' || word[1] == '\0')
    return TRUE;
  if (is_named (careful[index].names, word))
    return TRUE;
  if (word[1] == '-')
    return word[2] == '\0' || is_named (careful[index].names, word + 2);

  return are_letters (careful[index].letters, word);
}

BeckonCommandReader
beckon_command_reader_judge (const BeckonShellSegment *segment, guint n_fixed)
{
  int index;

  if (g_strv_contains (plain, base_name (beckon_shell_segment_get_word (segment, 0))))
    return BECKON_COMMAND_READER_READS;
  index = find_careful (segment);
  if (index < 0)
    return BECKON_COMMAND_READER_UNKNOWN;

  for (guint i = MAX (n_fixed, careful[index].subcommand != NULL ? 2 : 1); i < segment->words->len; i++)
    if (!is_harmless ((guint) index, beckon_shell_segment_get_word (segment, i)))
      return BECKON_COMMAND_READER_MAY_DO_MORE;

  return BECKON_COMMAND_READER_READS;
}

guint
beckon_command_reader_count_names (const BeckonShellSegment *segment)
{
  int index;

  if (g_strv_contains (plain, beckon_shell_segment_get_word (segment, 0)))
    return 1;
  index = find_careful (segment);
  if (index < 0 || !careful[index].is_offered
      || strcmp (careful[index].program, beckon_shell_segment_get_word (segment, 0)) != 0)
    return 0;

  return careful[index].subcommand != NULL ? 2 : 1;
}
