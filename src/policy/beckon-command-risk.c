/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-risk.h"

#include "base/beckon-path.h"
#include "beckon-command-reader.h"

#include <string.h>

/* Their arguments are a program, or a script in a language that can run one. */
static const char *const wrappers[] = {
  "alias", "apropos", "asdf", "at", "awk", "batch", "bind", "builtin", "bundle", "busybox", "bwrap", "capsh",
  "catchsegv", "ccache", "chpst", "chronic", "chroot", "chrt", "command", "compgen", "complete", "conda", "coproc",
  "corepack", "cpulimit", "ctest", "dbus-launch", "dbus-run-session", "declare", "devbox", "direnv", "doas",
  "dotenv", "eatmydata", "ed", "emacs", "enable", "entr", "env", "eval", "ex", "exec", "expect", "export",
  "fakeroot", "faketime", "fc", "firejail", "flatpak-spawn", "flock", "gawk", "gdb", "getopts", "hash", "hatch",
  "hyperfine", "i386", "ifne", "ionice", "jobs", "ldd", "less", "let", "linux32", "linux64", "local", "logsave",
  "ltrace", "m4", "mamba", "man", "mapfile", "mariadb", "mawk", "mise", "mksh", "more", "mysql", "nawk", "nice",
  "nix", "nix-shell", "nohup", "nox", "npx", "nsenter", "numactl", "nvim", "parallel", "pdm", "pee", "perf",
  "pipenv", "pipx", "pkexec", "poetry", "prlimit", "proot", "proxychains", "proxychains4", "psql", "read",
  "readonly", "rlwrap", "rr", "rsync", "run-parts", "runcon", "runuser", "rye", "scp", "screen", "script", "sed",
  "set", "setarch", "setpriv", "setsid", "sftp", "sg", "shopt", "socat", "source", "sqlite3", "ssh", "ssh-agent",
  "sshpass", "start-stop-daemon", "stdbuf", "strace", "su", "sudo", "systemd-inhibit", "systemd-run", "tar",
  "taskset", "tclsh", "tee", "time", "timeout", "tmux", "torsocks", "tox", "toybox", "trap", "ts", "tsocks",
  "typeset", "unbuffer", "uniq", "unset", "unshare", "uvx", "valgrind", "vi", "view", "vim", "volta", "watch",
  "x86_64", "xargs", "xterm", "xvfb-run", ".",
};

/* They run what their first argument names, so a rule that names it too is about something known. */
static const char *const interpreters[] = {
  "Rscript", "ash", "bash", "bun", "dash", "deno", "fish", "gjs", "guile", "java", "ksh", "lua", "node", "npx", "perl", "php",
  "python", "python2", "python3", "ruby", "sh", "uvx", "zsh",
};

/* An option counts with its value attached too (-ofile, --output=file), and within a group of letters (-ro); = is any word
 * that sets a variable. */
static const struct
{
  const char *program;
  const char *options;
} risky[] = {
  { "[", "-v -R" },
  { "cargo", "--config -Z run install" },
  { "dmesg", "-C -c -n --clear --read-clear" },
  { "fd", "-x -X --exec --exec-batch" },
  { "git", "-c -u -x -O -o --output --open-files-in-pager --exec-path --config-env --ext-diff --textconv --upload-pack "
           "--receive-pack --exec --git-dir --work-tree -C --no-index --template "
           "alias bisect config daemon difftool filter-branch foreach hook instaweb mergetool rebase run send-email" },
  { "go", "-C --C -exec --exec -toolexec --toolexec -vettool --vettool -overlay --overlay -modfile --modfile" },
  { "hostname", "-F --file -b --boot" },
  { "iconv", "-o --output" },
  { "install", "--strip-program" },
  { "make", "-f -C -I -E --file --makefile --directory --eval --include-dir =" },
  { "ninja", "-f -C -t" },
  { "npm", "exec x explore edit init config -C --prefix --script-shell --userconfig --globalconfig --node-options" },
  { "pnpm", "exec dlx x create config -C --dir --prefix --script-shell --node-options" },
  { "printf", "-v" },
  { "shuf", "-o --output" },
  { "split", "--filter" },
  { "test", "-v -R" },
  { "xxd", "-r" },
  { "yarn", "exec dlx create config run --cwd --use-yarnrc" },
  { "zip", "-T -TT --unzip-command" },
};

static gboolean
contains (const char *const *names, gsize n_names, const char *name)
{
  for (gsize i = 0; i < n_names; i++)
    if (strcmp (names[i], name) == 0)
      return TRUE;

  return FALSE;
}

static gboolean
is_single_dash_word (const char *option)
{
  return option[0] == '-' && option[1] != '-' && option[1] != '\0' && option[2] != '\0';
}

/* Abbreviations count: many programs take --outp for --output. */
static gboolean
is_long_option (const char *word, const char *option)
{
  gsize length = strcspn (word, "=");

  return length > 2 && strncmp (word, option, length) == 0;
}

static gboolean
is_option (const char *word, const char *option)
{
  if (g_str_has_prefix (option, "--"))
    return g_str_has_prefix (word, "--") && is_long_option (word, option);
  if (option[0] == '=')
    return word[0] != '-' && strchr (word, '=') != NULL;
  if (is_single_dash_word (option) || option[0] != '-')
    return strncmp (word, option, strlen (option)) == 0 && strchr ("=", word[strlen (option)]) != NULL;

  return word[0] == '-' && word[1] != '-' && strchr (word, option[1]) != NULL;
}

static gboolean
is_risky (const char *options, const char *word)
{
  g_auto (GStrv) each = g_strsplit (options, " ", -1);

  for (guint i = 0; each[i] != NULL; i++)
    if (*each[i] != '\0' && is_option (word, each[i]))
      return TRUE;

  return FALSE;
}

static const char *
find_risky_options (const char *program)
{
  for (guint i = 0; i < G_N_ELEMENTS (risky); i++)
    if (strcmp (risky[i].program, program) == 0)
      return risky[i].options;

  return NULL;
}

/* python3.11 is python. */
static gboolean
is_interpreter (const char *name)
{
  g_autofree char *base = g_strndup (name, strcspn (name, "."));

  return contains (interpreters, G_N_ELEMENTS (interpreters), base);
}

static const char *
base_name (const char *program)
{
  const char *slash = strrchr (program, '/');

  return slash != NULL ? slash + 1 : program;
}

/* Absolute and not below @folder, or by way of .. , which a link leads anywhere. */
static gboolean
leads_out (const char *name, const char *folder)
{
  g_auto (GStrv) parts = NULL;

  if (name[0] == '~')
    return TRUE;
  if (name[0] == '/' && strcmp (name, "/dev/null") != 0 && (folder == NULL || !beckon_path_is_within (name, folder)))
    return TRUE;

  parts = g_strsplit (name, "/", -1);
  return g_strv_contains ((const char *const *) parts, "..");
}

/* Also what is attached to an option: --file=/etc/x, -f/etc/x, -f../x. */
static gboolean
names_outside (const char *word, const char *folder)
{
  const char *value = strchr (word, '=');

  if (value != NULL && leads_out (value + 1, folder))
    return TRUE;
  if (word[0] != '-' || word[1] == '\0')
    return leads_out (word, folder);

  return leads_out (word + 1, folder) || leads_out (word + 2, folder);
}

gboolean
beckon_command_risk_allows_open_end (const BeckonShellSegment *segment, guint n_fixed, const char *folder)
{
  const char *name;
  const char *options;

  g_return_val_if_fail (segment != NULL && segment->words->len > 0, FALSE);

  name = base_name (beckon_shell_segment_get_word (segment, 0));
  options = find_risky_options (name);
  if (n_fixed == 0 || contains (wrappers, G_N_ELEMENTS (wrappers), name))
    return FALSE;
  if (is_interpreter (name) && (n_fixed < 2 || beckon_shell_segment_get_word (segment, 1)[0] == '-'))
    return FALSE;
  for (guint i = n_fixed; i < segment->words->len; i++)
    if (names_outside (beckon_shell_segment_get_word (segment, i), folder))
      return FALSE;
  switch (beckon_command_reader_judge (segment, n_fixed))
    {
    case BECKON_COMMAND_READER_READS:
      return TRUE;
    case BECKON_COMMAND_READER_MAY_DO_MORE:
      return FALSE;
    case BECKON_COMMAND_READER_UNKNOWN:
    default:
      break;
    }

  for (guint i = n_fixed; options != NULL && i < segment->words->len; i++)
    if (is_risky (options, beckon_shell_segment_get_word (segment, i)))
      return FALSE;

  return TRUE;
}

gboolean
beckon_command_risk_is_wrapper (const char *name)
{
  return contains (wrappers, G_N_ELEMENTS (wrappers), base_name (name));
}

gboolean
beckon_command_risk_is_interpreter (const char *name)
{
  return is_interpreter (base_name (name));
}

/* The first word that is no option; NULL without one, or with - alone. */
static const char *
find_operand (const BeckonShellSegment *segment)
{
  for (guint i = 1; i < segment->words->len; i++)
    {
      const char *word = beckon_shell_segment_get_word (segment, i);

      if (word[0] != '-')
        return word;
      if (word[1] == '\0')
        return NULL;
    }

  return NULL;
}

static gboolean
has_word (const BeckonShellSegment *segment, const char *const *words)
{
  for (guint i = 1; i < segment->words->len; i++)
    if (g_strv_contains (words, beckon_shell_segment_get_word (segment, i)))
      return TRUE;

  return FALSE;
}

gboolean
beckon_command_risk_runs_input (const BeckonShellSegment *segment)
{
  static const char *const always[] = { "at", "batch", "parallel", "xargs" };
  static const char *const from_input[] = { "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-s", "-i", NULL };
  static const char *const versions[] = { "--version", "-V", "--help", "-h", NULL };
  const char *name;

  name = beckon_shell_segment_get_word (segment, 0);
  if (name == NULL)
    return FALSE;
  name = base_name (name);
  if (contains (always, G_N_ELEMENTS (always), name))
    return TRUE;
  if (strcmp (name, "make") == 0 || strcmp (name, "crontab") == 0 || strcmp (name, "source") == 0 || strcmp (name, ".") == 0)
    return has_word (segment, from_input);
  if (!is_interpreter (name))
    return FALSE;

  return has_word (segment, from_input) || (find_operand (segment) == NULL && !has_word (segment, versions));
}
