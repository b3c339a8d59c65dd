/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-risk.h"

#include <string.h>

/* Whatever follows them is a program, or a script in a language that can run one. */
static const char *const wrappers[] = {
  "alias", "apropos", "at", "awk", "batch", "bind", "builtin", "busybox", "bwrap", "capsh", "ccache", "chpst",
  "chroot", "chrt", "command", "compgen", "complete", "coproc", "cpulimit", "dbus-launch", "dbus-run-session",
  "declare", "doas", "eatmydata", "ed", "emacs", "enable", "entr", "env", "eval", "ex", "exec", "expect", "export",
  "fakeroot", "faketime", "fc", "firejail", "flatpak-spawn", "flock", "gawk", "gdb", "getopts", "hash", "hyperfine",
  "ionice", "jobs", "ldd", "less", "let", "local", "logsave", "ltrace", "m4", "man", "mapfile", "mariadb", "mawk",
  "more", "mysql", "nawk", "nice", "nohup", "nsenter", "numactl", "nvim", "parallel", "perf", "pkexec", "prlimit",
  "proot", "psql", "read", "readonly", "rlwrap", "rr", "rsync", "run-parts", "runcon", "runuser", "scp", "screen",
  "script", "sed", "set", "setarch", "setpriv", "setsid", "sftp", "sg", "shopt", "source", "sqlite3", "ssh",
  "ssh-agent", "sshpass", "start-stop-daemon", "stdbuf", "strace", "su", "sudo", "systemd-inhibit", "systemd-run",
  "tar", "taskset", "tclsh", "tee", "time", "timeout", "tmux", "toybox", "trap", "typeset", "unbuffer", "uniq",
  "unset", "unshare", "valgrind", "vi", "view", "vim", "watch", "xargs", "xterm", "xvfb-run", ".",
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
  { "cargo", "--config" },
  { "date", "-s --set" },
  { "diff", "--output --to-file" },
  { "dmesg", "-C -c -n --clear --read-clear" },
  { "fd", "-x -X --exec --exec-batch" },
  { "file", "-C --compile" },
  { "find", "-delete -exec -execdir -ok -okdir -fprint -fprint0 -fprintf -fls -files0-from" },
  { "git", "-c -u -x -O -o --output --open-files-in-pager --exec-path --config-env --ext-diff --textconv --upload-pack "
           "--receive-pack --exec --git-dir --work-tree -C --no-index --template "
           "alias bisect config daemon difftool filter-branch foreach hook instaweb mergetool rebase run send-email" },
  { "go", "-C --C -exec --exec -toolexec --toolexec -vettool --vettool -overlay --overlay -modfile --modfile" },
  { "hostname", "-F --file -b --boot" },
  { "iconv", "-o --output" },
  { "install", "--strip-program" },
  { "make", "-f -C -I -E --file --makefile --directory --eval --include-dir =" },
  { "ninja", "-f -C -t" },
  { "printf", "-v" },
  { "rg", "--pre --hostname-bin" },
  { "shuf", "-o --output" },
  { "sort", "-o --output --compress-program -T --temporary-directory" },
  { "split", "--filter" },
  { "test", "-v -R" },
  { "tree", "-o" },
  { "wget", "-O -o -P --output-document --output-file --use-askpass --directory-prefix -i --input-file --config" },
  { "curl", "-o -O -K -T -F -d --output --remote-name --config --upload-file --form --data --output-dir" },
  { "xxd", "-r" },
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

gboolean
beckon_command_risk_allows_open_end (const BeckonShellSegment *segment, guint n_fixed)
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

  for (guint i = n_fixed; options != NULL && i < segment->words->len; i++)
    if (is_risky (options, beckon_shell_segment_get_word (segment, i)))
      return FALSE;

  return TRUE;
}

gboolean
beckon_command_risk_runs_others (const char *name)
{
  static const char *const finders[] = { "fd", "find" };
  const char *base;

  g_return_val_if_fail (name != NULL, FALSE);

  base = base_name (name);
  return contains (wrappers, G_N_ELEMENTS (wrappers), base) || contains (finders, G_N_ELEMENTS (finders), base)
         || is_interpreter (base);
}
