/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-runner-words.h"

#include "base/beckon-json-value.h"
#include "base/beckon-json.h"

#include <fnmatch.h>
#include <limits.h>
#include <string.h>

#define SIGNS " \t\r\n\"'`;&|()<>{}=,:[]$\\"

/* A command may begin behind these. */
#define STARTS "\n;&|(){}=,:[`"

/* A name or a path, of what reads a script from the file that it is given. */
static gboolean
words_is_interpreter (const char *program)
{
  static const char *const names[] = {
    "node", "nodejs", "sh", "bash", "dash", "zsh", "ksh", "fish", "ruby", "perl", "php", "deno", "bun", "tsx", "ts-node", "lua",
    "uv", "Rscript", "java", "go", NULL, };
  const char *slash = strrchr (program, '/');
  const char *name = slash != NULL ? slash + 1 : program;

  return g_strv_contains (names, name) || g_str_has_prefix (name, "python");
}

/* Behind these names of files follow, a command, and a folder. */
static const char *const words_readers[] = {
  "run-parts", "source", "source_env", "source_env_if_exists", "source_up", "dotenv", "dotenv_if_exists", "watch_file", "env",
  "cross-env", "make", "import", "from", "require", "include", "sinclude", "load", "luafile", "runtime", NULL, };
static const char *const words_wrappers[] = {
  "exec", "time", "npx", "sudo", "env", "nice", "nohup", "command", "eval", "if", "then", "else", "elif", "while", "until",
  "do", "xargs", "!", NULL, };
static const char *const words_goers[] = {
  "cd", "pushd", "-C", "--directory", "--chdir", "--cwd", "--prefix", "--project", NULL, };

gboolean
beckon_runner_words_is_script_name (const char *path)
{
  static const char *const endings[] = {
    "sh", "bash", "zsh", "fish", "py", "pyw", "js", "cjs", "mjs", "ts", "cts", "mts", "jsx", "tsx", "rb", "pl", "pm", "php",
    "lua", "mk", "ps1", "r", "jl", "tcl", "awk", "sed", "exs", "jar", "class", "so", "node", "go", "vim", "el", NULL, };
  const char *slash = strrchr (path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr (name, '.');
  g_autofree char *ending = dot != NULL ? g_ascii_strdown (dot + 1, -1) : NULL;

  return ending != NULL && g_strv_contains (endings, ending);
}

static gboolean
words_is_in_name (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '-';
}

/* Whether @line has @word as a whole one, in whatever case. */
static gboolean
words_line_has (const char *line, gsize length, const char *word)
{
  gsize n = strlen (word);

  for (gsize i = 0; i + n <= length; i++)
    if (g_ascii_strncasecmp (line + i, word, n) == 0 && (i == 0 || !words_is_in_name (line[i - 1]))
        && (i + n == length || !words_is_in_name (line[i + n])))
      return TRUE;

  return FALSE;
}

static void
words_begin_line (BeckonRunnerWord *word, const char *line)
{
  static const char *const names[] = { "path", "path_add", "hookspath", "load_prefix", "layout" };
  static const char *const commands[] = { "run:", "run\":", "run =", "entry:", "command:", "command\":", "command =",
                                           "path_add", "load_prefix" };
  gsize length = strcspn (line, "\n");

  *word = (BeckonRunnerWord){ 0 };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    word->is_path = word->is_path || words_line_has (line, length, names[i]);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    word->is_command = word->is_command || words_line_has (line, length, commands[i]);
  word->is_prefix = words_line_has (line, length, "load_prefix");
  word->is_loop = words_line_has (line, length, "for");
}

/* A variable stands for anything, so that what is behind it counts from every folder of which the file speaks; @at is behind
 * the sign. */
static const char *
words_read_variable (const char *at, GString *word)
{
  gboolean is_braced = *at == '{';
  const char *name = at + is_braced;
  gsize length = is_braced ? strcspn (name, "}\n") : strspn (name, G_CSET_A_2_Z G_CSET_a_2_z "_" G_CSET_DIGITS);
  const char *end = name + length + (is_braced && name[length] == '}');

  if (length > 0 && (length != 4 || strncmp (name, "PATH", 4) != 0))
    g_string_assign (word, *end == '/' && length == 4 && strncmp (name, "HOME", 4) == 0 ? "~" : ".");
  return end;
}

/* Behind "%h", as units of systemd write the home, and what a configuration closes before it: "{{root}}/x", "$(pwd)"/x. */
static void
words_settle (GString *word, char before)
{
  while (word->len > 0 && strchr ("@!+", word->str[0]) != NULL)
    g_string_erase (word, 0, 1);
  if (g_str_has_prefix (word->str, "%h/"))
    g_string_overwrite (g_string_erase (word, 0, 1), 0, "~");
  else if (word->str[0] == '/' && (before == '}' || before == ')' || before == '"'))
    g_string_prepend_c (word, '.');
}

/* An option may have its value glued to it: -Ilib, -r./hook. Make includes what stands behind "-include". */
static void
words_say_option (const BeckonRunnerWord *state, const char *text, BeckonRunnerWordFunc func, gpointer data)
{
  BeckonRunnerWord word = *state;
  gsize length = strlen (text);

  if (strcmp (text, "-") == 0 ? state->is_read : length < 5 && text[1] != '-' && strchr ("mc", text[length - 1]) != NULL)
    func (&(BeckonRunnerWord){ .word = ".", .is_module = TRUE }, data);
  word.word = text + 2;
  word.is_folder = g_str_has_prefix (text, "-C");
  if (length > 2 && text[1] != '-' && (state->is_read || word.is_folder))
    func (&word, data);
}

static void
words_say (BeckonRunnerWord *state, const GString *text, char next, BeckonRunnerWordFunc func, gpointer data)
{
  BeckonRunnerWord word = *state;

  state->is_folder = g_strv_contains (words_goers, text->str);
  if (text->str[0] == '-')
    {
      words_say_option (state, text->str, func, data);
      state->is_read = state->is_read || strcmp (text->str, "-include") == 0;
      return;
    }

  word.word = text->str;
  func (&word, data);
  if (next == '<')
    words_say_option (&(BeckonRunnerWord){ .is_read = TRUE }, "-", func, data);
  state->is_first = words_is_interpreter (text->str) || strcmp (text->str, "run-parts") == 0
                    || (state->is_read && strcmp (text->str, "run") == 0);
  /* "." is a command only where one begins, and so is a variable, which may be an interpreter. */
  state->is_read = state->is_read || (state->is_run && strcmp (text->str, ".") == 0)
                   || g_strv_contains (words_readers, text->str) || words_is_interpreter (text->str);
  state->is_run = g_strv_contains (words_wrappers, text->str);
}

/* A name may have blanks where it is quoted, and signs that part words elsewhere: all of it is a word as well. */
static void
words_say_whole (const BeckonRunnerWord *state, const char *at, char before, BeckonRunnerWordFunc func, gpointer data)
{
  const gboolean is_quoted = before == '"' || before == '\'' || before == '`';
  const char quote[] = { '\n', before, state->is_path ? ':' : '\n', '\0' };
  const char *ends = is_quoted ? quote : state->is_value ? "\r\n" : " \t\r\n\"'`;&|<>()";
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonRunnerWord word = *state;

  if ((!is_quoted && strchr (" \t\n<=", before) == NULL) || strchr (ends, at[strcspn (at, SIGNS)]) != NULL)
    return;

  if (*at == '$' && at[1] != '(')
    at = words_read_variable (at + 1, text);
  word.is_variable = text->len > 0;
  for (; *at != '\0' && strchr (ends, *at) == NULL && text->len < PATH_MAX; at++)
    {
      if (*at == '\\' && at[1] != '\0' && at[1] != '\n')
        at++;
      g_string_append_c (text, *at);
    }
  while (text->len > 0 && strchr (",:]}", text->str[text->len - 1]) != NULL)
    g_string_truncate (text, text->len - 1);
  word.word = text->str;
  if (text->len > 1 && text->str[0] != '-')
    func (&word, data);
}

/* A pattern that tells files apart, such as `exclude: ^(a|b)$`, names none of them. Where it ends: @at if none begins there. */
static const char *
words_skip_pattern (const char *at, char before)
{
  const gboolean is_quoted = before == '"' || before == '\'';
  guint depth = 0;

  if (*at != '^' || strchr (" \t\n\"'():=|[", before) == NULL)
    return at;
  if (is_quoted)
    {
      const char *end = memchr (at, before, strcspn (at, "\n"));

      return end != NULL ? end : at;
    }
  for (const char *end = at + 1; *end != '\0'; end++)
    {
      depth += *end == '(';
      if (depth == 0 && strchr (" \t\r\n", *end) != NULL)
        return end;
      depth -= *end == ')' && depth > 0;
    }
  return depth == 0 ? at + strlen (at) : at;
}

void
beckon_runner_words_foreach (const char *text, BeckonRunnerWordFunc func, gpointer data)
{
  g_autoptr (GString) word = g_string_new (NULL);
  BeckonRunnerWord state;
  char before = '\n';

  g_return_if_fail (text != NULL && func != NULL);

  words_begin_line (&state, text);
  state.is_run = TRUE;
  for (const char *at = text; *at != '\0';)
    {
      gsize length;

      if (*at == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n')))
        {
          at += at[1] == '\n' ? 2 : 3;
          continue;
        }
      if (words_skip_pattern (at, before) != at)
        {
          at = words_skip_pattern (at, before);
          before = 'x';
          continue;
        }
      g_string_truncate (word, 0);
      if (at == text || at[-1] == before)
        words_say_whole (&state, at, before, func, data);
      if (*at == '$' && at[1] != '(')
        at = words_read_variable (at + 1, word);
      state.is_variable = word->len > 0;
      if (*at == '#' && strchr (" \t\n;", before) != NULL)
        {
          at += strcspn (at, "\n");
          continue;
        }
      length = strcspn (at, SIGNS);
      g_string_append_len (word, at, (gssize) length);
      words_settle (word, before);
      state.is_variable = state.is_variable || (*at == '/' && word->str[0] == '.');
      at += length;
      if (word->len > 0)
        {
          words_say (&state, word, at[strspn (at, " \t")], func, data);
          state.is_value = FALSE;
        }
      if (length > 0)
        before = 'x';
      if (*at == '\0' || (*at == '$' && at[1] != '('))
        continue;
      if (strchr (STARTS, *at) != NULL)
        {
          state.is_run = TRUE;
          state.is_read = state.is_read && (*at == '=' || *at == ':' || *at == ',' || *at == '(' || *at == '{' || *at == '[');
        }
      before = *at++;
      state.is_value = before == '=' ? word->str[0] != '-' : state.is_value && strchr (" \t\"'", before) != NULL;
      if (before == '\n')
        {
          words_begin_line (&state, at);
          state.is_run = TRUE;
        }
    }
}

/* Packages. */

static const char life_cycle[] = " preinstall install postinstall prepublish preprepare prepare postprepare dependencies "
                                 "pnpm:devPreinstall ";

static JsonObject *
words_parse_package (const char *package)
{
  static const char mark[] = "\xef\xbb\xbf";
  const char *text = package != NULL && g_str_has_prefix (package, mark) ? package + strlen (mark) : package;

  return text != NULL ? beckon_json_parse_object (text, -1, NULL) : NULL;
}

/* (nullable): names and commands in turn, of the scripts that `npm install` without arguments runs, and of those they call. A
 * word with a pattern, as in `run-p build:*`, may be any of them. */
static GStrv
words_read_package (const char *package)
{
  g_autoptr (JsonObject) object = words_parse_package (package);
  JsonObject *scripts = object != NULL ? beckon_json_get_object (object, "scripts") : NULL;
  g_autoptr (GList) names = scripts != NULL ? json_object_get_members (scripts) : NULL;
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  g_autoptr (GString) called = g_string_new (life_cycle);

  for (GList *at = names; at != NULL;)
    {
      const char *name = at->data;
      const char *plain = g_str_has_prefix (name, "pre") ? name + 3 : g_str_has_prefix (name, "post") ? name + 4 : name;
      const char *command = beckon_json_get_string (scripts, name);
      g_auto (GStrv) words = g_strsplit_set (called->str, " \t\r\n\"'`;&|()<>{}$=", -1);
      gboolean is_called = strchr (called->str, '*') != NULL || g_strv_contains ((const char *const *) words, name)
                           || (called->len >= sizeof life_cycle && g_strv_contains ((const char *const *) words, plain));

      if (command == NULL || !is_called)
        {
          at = at->next;
          continue;
        }
      g_strv_builder_add_many (lines, name, command, NULL);
      g_string_append_printf (called, " %s", command);
      names = g_list_delete_link (names, at);
      at = names;
    }
  return object != NULL ? g_strv_builder_end (lines) : NULL;
}

gboolean
beckon_runner_words_package_differs (const char *before, const char *after)
{
  g_auto (GStrv) was = words_read_package (before);
  g_auto (GStrv) becomes = words_read_package (after);

  for (guint i = 0; becomes != NULL && becomes[i] != NULL; i += 2)
    {
      guint j = 0;

      while (was != NULL && was[j] != NULL && (strcmp (was[j], becomes[i]) != 0 || strcmp (was[j + 1], becomes[i + 1]) != 0))
        j += 2;
      if (was == NULL || was[j] == NULL)
        return TRUE;
    }
  return becomes == NULL;
}

char *
beckon_runner_words_package_commands (const char *package, gboolean is_called)
{
  static const char *const members[] = { "scripts", "bin", "lint-staged", "husky", "simple-git-hooks", "pre-commit" };
  g_autoptr (JsonObject) object = is_called ? words_parse_package (package) : NULL;
  g_auto (GStrv) reached = is_called ? NULL : words_read_package (package);
  g_autoptr (GString) commands = g_string_new (NULL);

  for (guint i = 0; reached != NULL && reached[i] != NULL; i += 2)
    g_string_append_printf (commands, "%s\n", reached[i + 1]);
  for (guint i = 0; object != NULL && i < G_N_ELEMENTS (members); i++)
    {
      JsonNode *member = json_object_get_member (object, members[i]);
      g_autofree char *text = member != NULL ? json_to_string (member, TRUE) : NULL;

      g_string_append_printf (commands, "%s\n", text != NULL ? text : "");
    }
  return g_string_free (g_steal_pointer (&commands), FALSE);
}

/* Editors. */

/* Words and patterns that no program is found by: of a spelling dictionary, of files that are hidden or folded. */
static const char *const shown_only[] = { "cspell.*words", "files.*", "search.*", "explorer.*", "editor.*", "workbench.*" };

void
beckon_runner_words_blank_settings (char *settings)
{
  g_autofree char *strict = NULL;
  g_autoptr (BeckonJsonValue) value = NULL;

  g_return_if_fail (settings != NULL);

  strict = beckon_json_make_strict (settings, strlen (settings));
  value = beckon_json_value_parse (strict, -1, NULL);
  for (guint i = 0; i < beckon_json_value_get_n_children (value); i++)
    {
      const BeckonJsonValue *member = beckon_json_value_get_child (value, i);
      g_autofree char *name = member->name != NULL ? g_ascii_strdown (member->name->str, -1) : g_strdup ("");

      for (gsize j = 0; j < G_N_ELEMENTS (shown_only); j++)
        if (fnmatch (shown_only[j], name, 0) == 0)
          memset (settings + member->offset, ' ', member->length);
    }
}

/* Git. */

/* Sections without their names, and keys: words, numbers and addresses, but for those that another program is to open. */
static const char *const git_plain[] = {
  "user.*", "author.*", "committer.*", "color.*", "branch.*", "advice.*", "push.*", "pull.*", "fetch.*", "rerere.*", "status.*",
  "column.*", "remote.url", "remote.pushurl", "remote.fetch", "remote.push", "remote.tagopt", "init.defaultbranch",
  "submodule.url", "submodule.path", "submodule.branch", "submodule.active", "submodule.ignore", "core.autocrlf", "core.eol",
  "core.safecrlf", "core.whitespace", "merge.conflictstyle", "diff.algorithm", "diff.colormoved", "gpg.format", "log.date",
};

static gboolean
git_is_plain (const char *section, const char *line)
{
  gsize length = strspn (line, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-");
  g_autofree char *key = g_strndup (line, length);
  g_autofree char *whole = g_strconcat (section, ".", key, NULL);
  g_autofree char *lower = g_ascii_strdown (whole, -1);
  gboolean is_plain = FALSE;

  for (guint i = 0; !is_plain && i < G_N_ELEMENTS (git_plain); i++)
    is_plain = fnmatch (git_plain[i], lower, 0) == 0;
  return is_plain && line[length + strspn (line + length, " \t")] == '=';
}

/* A title counts as far as it is alone in its line, and until something might be a part of the value before it. "ext::sh x" is
 * an address as well, which a program opens. */
char *
beckon_runner_words_git_commands (const char *config)
{
  g_autoptr (GRegex) title = g_regex_new ("^\\[([A-Za-z0-9-]+)(?:[ \t]+\"(?:[^\"\\\\]|\\\\.)*\")?\\]$", G_REGEX_RAW, 0, NULL);
  g_auto (GStrv) lines = g_strsplit (config, "\n", -1);
  g_autoptr (GString) kept = g_string_new (NULL);
  g_autofree char *section = NULL;
  gboolean is_continued = FALSE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);
      g_autoptr (GMatchInfo) match = NULL;
      gboolean is_title = !is_continued && g_regex_match (title, line, 0, &match);

      if (is_title || is_continued || *line == '[')
        g_clear_pointer (&section, g_free);
      if (is_title)
        section = g_match_info_fetch (match, 1);
      if (strstr (line, "::") != NULL || !(is_title || (section != NULL && git_is_plain (section, line))))
        g_string_append_printf (kept, "%s\n", line);
      is_continued = g_str_has_suffix (line, "\\");
    }
  return g_string_free (g_steal_pointer (&kept), FALSE);
}
