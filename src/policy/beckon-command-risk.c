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
  "x86_64", "xargs", "xterm", "xvfb-run", ".", NULL,
};

/* They run what their first argument names, so a rule that names it too is about something known. */
static const char *const interpreters[] = {
  "Rscript", "ash", "bash", "bun", "dash", "deno", "fish", "gjs", "guile", "java", "ksh", "lua", "node", "npx", "perl", "php",
  "python", "python2", "python3", "ruby", "sh", "uvx", "zsh", NULL,
};

/* @running are options with which they run something else, @more those that write, lead elsewhere or run what is there. An
 * option counts with its value attached too (-ofile, --output=file), and within a group of letters (-ro); = is any word that
 * sets a variable. */
static const struct
{
  const char *program;
  const char *running;
  const char *more;
} risky[] = {
  { "[", "", "-v -R" },
  { "apt", "-o -c --option --config-file", "" },
  { "apt-get", "-o -c --option --config-file", "" },
  { "cargo", "", "--config -Z run install" },
  { "cc", "-B -wrapper -specs -fplugin", "" },
  { "clang", "-B -wrapper -specs -fplugin -fpass-plugin", "" },
  { "cmake", "-P", "" },
  { "cpio", "--rsh-command", "" },
  { "dmesg", "", "-C -c -n --clear --read-clear" },
  { "fd", "", "-x -X --exec --exec-batch" },
  { "g++", "-B -wrapper -specs -fplugin", "" },
  { "gcc", "-B -wrapper -specs -fplugin", "" },
  { "git", "",
    "-c -u -x -O -o --output --open-files-in-pager --exec-path --config-env --ext-diff --textconv --upload-pack "
    "--receive-pack --exec --git-dir --work-tree -C --no-index --template "
    "alias bisect config daemon difftool filter-branch foreach hook instaweb mergetool rebase run send-email" },
  { "go", "-exec --exec -toolexec --toolexec -vettool --vettool", "-C --C -overlay --overlay -modfile --modfile" },
  { "hostname", "", "-F --file -b --boot" },
  { "iconv", "", "-o --output" },
  { "install", "", "--strip-program" },
  { "make", "-f -E --eval --file --makefile", "-C -I --directory --include-dir =" },
  { "ninja", "-f", "-C -t" },
  { "npm", "", "exec x explore edit init config -C --prefix --script-shell --userconfig --globalconfig --node-options" },
  { "pnpm", "", "exec dlx x create config -C --dir --prefix --script-shell --node-options" },
  { "printf", "", "-v" },
  { "rg", "--pre --hostname-bin", "" },
  { "rsync", "-e --rsh --rsync-path", "" },
  { "scp", "-S -o", "" },
  { "sftp", "-S -o -D -b", "" },
  { "shuf", "", "-o --output" },
  { "sort", "--compress-program", "" },
  { "split", "--filter", "" },
  { "ssh", "-o -F", "" },
  { "tar",
    "-I -F --to-command --checkpoint-action --use-compress-program --rsh-command --rmt-command --info-script "
    "--new-volume-script",
    "" },
  { "test", "", "-v -R" },
  { "wget", "-e --use-askpass --execute --config", "" },
  { "xxd", "", "-r" },
  { "yarn", "", "exec dlx create config run --cwd --use-yarnrc" },
  { "zip", "-TT --unzip-command", "-T" },
};

/* Abbreviations count: many programs take --outp for --output. */
static gboolean
is_option (const char *word, const char *option)
{
  gsize length = strcspn (word, "=");

  if (g_str_has_prefix (option, "--"))
    return g_str_has_prefix (word, "--") && length > 2 && strncmp (word, option, length) == 0;
  if (option[0] == '=')
    return word[0] != '-' && strchr (word, '=') != NULL;
  if (option[0] != '-' || option[2] != '\0')
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

/* Behind the first @n_fixed words. @with_more: not only those that run something. */
static gboolean
has_risky_word (const BeckonShellSegment *segment, const char *program, guint n_fixed, gboolean with_more)
{
  for (guint i = 0; i < G_N_ELEMENTS (risky); i++)
    for (guint j = n_fixed; strcmp (risky[i].program, program) == 0 && j < segment->words->len; j++)
      {
        const char *word = beckon_shell_segment_get_word (segment, j);

        if (is_risky (risky[i].running, word) || (with_more && is_risky (risky[i].more, word)))
          return TRUE;
      }

  return FALSE;
}

gboolean
beckon_command_risk_has_running_option (const BeckonShellSegment *segment, const char *program)
{
  const char *first = beckon_shell_segment_get_word (segment, 1);

  /* tar xIf: the first word needs no dash. */
  return has_risky_word (segment, program, 1, FALSE)
         || (strcmp (program, "tar") == 0 && first != NULL && strpbrk (first, "IF") != NULL);
}

/* python3.11 is python. */
static gboolean
is_interpreter (const char *name)
{
  g_autofree char *base = g_strndup (name, strcspn (name, "."));

  return g_strv_contains (interpreters, base);
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

  name = base_name (beckon_shell_segment_get_word (segment, 0));
  if (n_fixed == 0 || g_strv_contains (wrappers, name))
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

  return !has_risky_word (segment, name, n_fixed, TRUE);
}

gboolean
beckon_command_risk_is_wrapper (const char *name)
{
  return g_strv_contains (wrappers, base_name (name));
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
command_risk_has_word (const BeckonShellSegment *segment, const char *const *words)
{
  for (guint i = 1; i < segment->words->len; i++)
    if (g_strv_contains (words, beckon_shell_segment_get_word (segment, i)))
      return TRUE;

  return FALSE;
}

gboolean
beckon_command_risk_runs_input (const BeckonShellSegment *segment)
{
  static const char *const always[] = { "at", "batch", "parallel", "xargs", NULL };
  static const char *const from_input[] = { "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-s", "-i", NULL };
  static const char *const versions[] = { "--version", "-V", "--help", "-h", NULL };
  const char *name;

  name = beckon_shell_segment_get_word (segment, 0);
  if (name == NULL)
    return FALSE;
  name = base_name (name);
  if (g_strv_contains (always, name))
    return TRUE;
  if (strcmp (name, "make") == 0 || strcmp (name, "crontab") == 0 || strcmp (name, "source") == 0 || strcmp (name, ".") == 0)
    return command_risk_has_word (segment, from_input);
  if (!is_interpreter (name))
    return FALSE;

  return command_risk_has_word (segment, from_input) || (find_operand (segment) == NULL
                                                         && !command_risk_has_word (segment, versions));
}
