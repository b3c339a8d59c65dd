/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-grammar.h"

#include <string.h>

/* @values are options whose value is the next word; behind any other option, every later word may be the subcommand. @names are
 * subcommands; `a=b` is another name for b. Where the program lets a person define others, a name that is not among them may
 * stand for anything. Of programs that are not here, the first word is the subcommand. */
typedef struct
{
  const char *program;
  const char *values;
  const char *names;
  gboolean is_extensible;
  gboolean takes_beginnings;
  gboolean is_unordered;
} Grammar;

#define GIT_NAMES \
  "add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap " \
  "checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree " \
  "config count-objects describe diff diff-files diff-index diff-tree difftool fast-export fast-import fetch " \
  "fetch-pack filter-branch fmt-merge-msg for-each-ref format-patch fsck gc grep hash-object help index-pack " \
  "init interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base " \
  "merge-file merge-index merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects " \
  "pack-refs patch-id prune pull push range-diff read-tree rebase receive-pack reflog remote repack replace " \
  "request-pull rerere reset restore rev-list rev-parse revert rm send-pack=push shortlog show show-branch " \
  "show-ref sparse-checkout stage=add stash status stripspace submodule switch symbolic-ref tag " \
  "unpack-objects update-index update-ref var verify-commit verify-pack verify-tag version whatchanged " \
  "worktree write-tree"

#define NPM_NAMES \
  "access adduser=login audit bugs cache ci clean-install=ci ic=ci install-clean=ci completion config " \
  "c=config dedupe ddp=dedupe deprecate diff dist-tag dist-tags=dist-tag docs doctor edit exec x=exec explain " \
  "why=explain explore find-dupes fund get help hook init create=init innit=init install i=install in=install " \
  "ins=install inst=install insta=install instal=install isnt=install isntall=install add=install " \
  "install-test it=install-test link ln=link login logout ls list=ls la=ls ll=ls org outdated owner " \
  "author=owner pack ping pkg prefix profile prune publish query rebuild rb=rebuild repo restart root run " \
  "run-script=run rum=run urn=run sbom search s=search se=search find=search set shrinkwrap star stars start " \
  "stop team test t=test tst=test token undeprecate uninstall un=uninstall unlink=uninstall remove=uninstall " \
  "rm=uninstall r=uninstall unpublish unstar update up=update upgrade=update udpate=update version view " \
  "v=view info=view show=view whoami"

static const Grammar grammars[] = {
  { "cargo",
    "--color --config -Z -C --explain",
    "add b=build bench build c=check check clean clippy d=doc doc fetch fix fmt generate-lockfile info init "
    "install locate-project login logout metadata new owner package pkgid publish r=run remove report "
    "rm=remove run rustc rustdoc search t=test test tree uninstall update vendor verify-project version yank",
    TRUE, FALSE, FALSE },
  { "gh",
    "-R --repo --hostname",
    "alias api attestation auth browse cache codespace completion config extension gist gpg-key help issue "
    "label org pr project release repo ruleset run search secret ssh-key status variable version workflow",
    TRUE, FALSE, FALSE },
  { "git",
    "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source",
    GIT_NAMES,
    TRUE, FALSE, FALSE },
  { "gradle", "", "", FALSE, FALSE, TRUE },
  { "hg",
    "-R --repository --cwd --config --encoding --color --pager",
    "add addremove annotate archive backout bisect bookmarks branch branches bundle cat clone commit "
    "ci=commit copy cp=copy diff export files forget graft grep heads help identify import incoming init "
    "locate log merge outgoing parents paths phase pull push recover remove rm=remove rename mv=rename "
    "resolve revert root serve status st=status summary tag tags tip unbundle update up=update co=update "
    "checkout=update verify version",
    TRUE, TRUE, FALSE },
  { "make", "", "", FALSE, FALSE, TRUE },
  { "mvn", "", "", FALSE, FALSE, TRUE },
  { "ninja", "", "", FALSE, FALSE, TRUE },
  { "npm",
    "--prefix -C --registry --workspace -w --userconfig --globalconfig --cache --loglevel --tag --otp "
    "--access --scope",
    NPM_NAMES,
    FALSE, TRUE, FALSE },
  { "pnpm",
    "-C --dir --filter -F --loglevel --reporter --registry --store-dir",
    "add i=install install remove rm=remove un=remove uninstall=remove update up=update upgrade=update "
    "publish pack test t=test tst=test run exec dlx start list ls=list why outdated audit link unlink import "
    "rebuild rb=rebuild prune store root bin setup init create patch licenses env config deploy fetch dedupe",
    TRUE, FALSE, FALSE },
  { "rake", "", "", FALSE, FALSE, TRUE },
  { "svn",
    "--username --password --config-dir --config-option",
    "ci=commit co=checkout cp=copy del=delete remove=delete rm=delete mv=move rename=move ren=move st=status "
    "stat=status up=update",
    FALSE, FALSE, FALSE },
  { "yarn",
    "--cwd --registry --cache-folder --modules-folder --mutex --use-yarnrc --network-timeout",
    "add audit autoclean bin cache check config create dedupe exec dlx generate-lock-entry global help import "
    "info init install licenses link list login logout node npm outdated owner pack policies publish remove "
    "run search tag team test unlink unplug up upgrade upgrade-interactive version versions why workspace "
    "workspaces",
    TRUE, FALSE, FALSE },
};

/* Keys of Git's configuration that run nothing. */
static const char *const harmless_keys[] = {
  "user.", "author.", "committer.", "color.", "advice.", "commit.gpgsign=", "core.quotepath=",
  "init.defaultbranch=", "log.", "diff.renames", "core.autocrlf=", "safe.directory=", "pull.rebase=",
  "tag.gpgsign=",
};

static const Grammar *
find_grammar (const char *program)
{
  for (guint i = 0; i < G_N_ELEMENTS (grammars); i++)
    if (strcmp (grammars[i].program, program) == 0)
      return &grammars[i];

  return NULL;
}

gboolean
beckon_command_has_grammar (const char *program)
{
  return find_grammar (program) != NULL;
}

/* Whether @word is one of the words of @list. */
static gboolean
grammar_is_listed (const char *list, const char *word)
{
  gsize length = strlen (word);

  for (const char *at = list; length > 0 && (at = strstr (at, word)) != NULL; at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return TRUE;

  return FALSE;
}

const char *
beckon_command_unify_program (const char *program)
{
  static const struct
  {
    const char *name;
    const char *own;
  } others[] = {
    { "gmake", "make" }, { "nodejs", "node" }, { "npm-cli.js", "npm" }, { "npm.cmd", "npm" }, { "yarnpkg", "yarn" },
    { "yarn.js", "yarn" }, { "pnpm.cjs", "pnpm" }, { "gradlew", "gradle" }, { "mvnw", "mvn" }, { "oc", "kubectl" },
    { "nerdctl", "docker" }, { "tofu", "terraform" }, { "gawk", "awk" }, { "mawk", "awk" }, { "nawk", "awk" },
    { "gsed", "sed" }, { "gtar", "tar" }, { "bsdtar", "tar" }, { "gfind", "find" },
  };
  const char *slash;
  const char *name;

  slash = strrchr (program, '/');
  name = slash != NULL ? slash + 1 : program;
  if (g_str_has_prefix (name, "git-") && name[4] != '\0')
    return "git";
  if (g_str_has_prefix (name, "python") && strspn (name + 6, "0123456789.") == strlen (name + 6))
    return "python";
  if (g_str_has_prefix (name, "pip") && strspn (name + 3, "0123456789.") == strlen (name + 3))
    return "pip";
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (strcmp (others[i].name, name) == 0)
      return others[i].own;

  return name;
}

/* (nullable): the entry of @list that begins with @word=. */
static const char *
find_alias (const char *list, const char *word, gsize *length)
{
  g_autofree char *key = g_strconcat (word, "=", NULL);

  for (const char *at = list; (at = strstr (at, key)) != NULL; at++)
    if (at == list || at[-1] == ' ')
      {
        const char *full = at + strlen (key);

        *length = strcspn (full, " ");
        return full;
      }

  return NULL;
}

const char *
beckon_command_unify_subcommand (const char *program, const char *word)
{
  const Grammar *grammar;
  const char *full;
  gsize length;

  grammar = find_grammar (program);
  full = grammar != NULL && *word != '\0' ? find_alias (grammar->names, word, &length) : NULL;
  if (full == NULL)
    return word;
  if (full[length] == '\0')
    return full;

  /* Few and short: they stay. */
  {
    g_autofree char *copy = g_strndup (full, length);

    return g_intern_string (copy);
  }
}

static gboolean
is_harmless_setting (const char *setting)
{
  g_autofree char *folded = setting != NULL ? g_ascii_strdown (setting, -1) : NULL;

  for (guint i = 0; folded != NULL && i < G_N_ELEMENTS (harmless_keys); i++)
    if (g_str_has_prefix (folded, harmless_keys[i]))
      return TRUE;

  return FALSE;
}

/* Whether an option redefines the program's words. */
static gboolean
redefines (const BeckonCommandParts *parts, const char *option, const char *value)
{
  if (strcmp (parts->program, "git") == 0)
    return g_str_has_prefix (option, "--exec-path") || g_str_has_prefix (option, "--config-env")
           || (strcmp (option, "-c") == 0 ? !is_harmless_setting (value)
               : option[0] == '-' && option[1] == 'c' && !is_harmless_setting (option + 2));

  return strcmp (parts->program, "cargo") == 0 && g_str_has_prefix (option, "--config");
}

/* The place behind the option at @index. */
static guint
skip_option (const BeckonShellSegment *segment, const Grammar *grammar, guint index, BeckonCommandParts *parts)
{
  const char *option = beckon_shell_segment_get_word (segment, index);
  const char *value = beckon_shell_segment_get_word (segment, index + 1);

  parts->is_open = parts->is_open || redefines (parts, option, value);
  if (grammar != NULL && grammar_is_listed (grammar->values, option))
    return index + 2;
  if (strchr (option, '=') != NULL)
    return index + 1;
  /* -Cfolder and -j8. */
  if (grammar != NULL && option[1] != '-' && option[1] != '\0' && option[2] != '\0')
    {
      const char letter[] = { '-', option[1], '\0' };

      if (grammar_is_listed (grammar->values, letter))
        return index + 1;
    }

  parts->is_certain = FALSE;
  return index + 1;
}

/* docker container run is docker run, yarn npm publish is yarn publish. */
static gboolean
is_group (const char *program, const char *word)
{
  static const char *const groups[] = { "container", "image", "builder", "buildx", NULL };

  if (strcmp (program, "docker") == 0 || strcmp (program, "podman") == 0)
    return g_strv_contains (groups, word);

  return strcmp (program, "yarn") == 0 && strcmp (word, "npm") == 0;
}

static guint
find_subcommand (const BeckonShellSegment *segment, const Grammar *grammar, guint index, BeckonCommandParts *parts)
{
  while (index < segment->words->len)
    {
      const char *word = beckon_shell_segment_get_word (segment, index);

      if (word[0] == '-')
        index = skip_option (segment, grammar, index, parts);
      else if (word[0] == '+' && strcmp (parts->program, "cargo") == 0)
        index++;
      else if (is_group (parts->program, word) && index + 1 < segment->words->len)
        index++;
      else
        break;
    }

  return MIN (index, segment->words->len);
}

static void
name_subcommand (const BeckonShellSegment *segment, const Grammar *grammar, BeckonCommandParts *parts)
{
  const BeckonShellWord *word;

  if (parts->subcommand_index >= segment->words->len)
    return;

  word = g_ptr_array_index (segment->words, parts->subcommand_index);
  parts->subcommand = beckon_command_unify_subcommand (parts->program, word->text);
  /* The shell's result is not known. */
  if (word->flags != BECKON_SHELL_WORD_LITERAL)
    parts->is_open = TRUE;
  if (grammar == NULL || *grammar->names == '\0' || grammar_is_listed (grammar->names, parts->subcommand)
      || parts->subcommand != word->text)
    return;

  parts->is_abbreviated = grammar->takes_beginnings;
  parts->is_open = parts->is_open || grammar->is_extensible;
}

gboolean
beckon_command_take_apart (const BeckonShellSegment *segment, BeckonCommandParts *parts)
{
  const char *program;
  const char *name;
  const Grammar *grammar;

  program = beckon_shell_segment_get_word (segment, 0);
  if (program == NULL)
    return FALSE;

  *parts = (BeckonCommandParts){ .program = beckon_command_unify_program (program), .first = 1, .is_certain = TRUE };
  if (strcmp (parts->program, "python") == 0 && g_strcmp0 (beckon_shell_segment_get_word (segment, 1), "-m") == 0
      && g_strcmp0 (beckon_shell_segment_get_word (segment, 2), "pip") == 0)
    {
      parts->program = "pip";
      parts->first = 3;
    }
  grammar = find_grammar (parts->program);
  parts->is_unordered = grammar != NULL && grammar->is_unordered;
  name = strrchr (program, '/') != NULL ? strrchr (program, '/') + 1 : program;
  if (strcmp (parts->program, "git") == 0 && g_str_has_prefix (name, "git-"))
    {
      parts->subcommand = beckon_command_unify_subcommand ("git", name + strlen ("git-"));
      parts->subcommand_index = 0;
      return TRUE;
    }

  parts->subcommand_index = find_subcommand (segment, grammar, parts->first, parts);
  name_subcommand (segment, grammar, parts);
  return TRUE;
}
