/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-runner-table.h"

#include <fnmatch.h>
#include <glib/gi18n-lib.h>
#include <string.h>

/* Each row has a case in tests/landing/test-runners.c, which fails without. */
static const BeckonRunner rows[] = {
  [BECKON_RUNNER_GIT]
  = { "Git", ".gitmodules", ".gitconfig .config/git", NULL,
      BECKON_RUNNER_ANYWHERE | BECKON_RUNNER_STRICT | BECKON_RUNNER_OBEYS },
  [BECKON_RUNNER_PACKAGES] = { N_("Installing the package"), NULL, NULL, NULL, BECKON_RUNNER_STRICT },
  { "direnv", ".envrc .envrc.*", ".config/direnv .direnvrc", NULL, BECKON_RUNNER_ANYWHERE | BECKON_RUNNER_STRICT },
  { "mise",
    "mise.toml mise.*.toml .mise.toml .mise.*.toml .mise mise .rtx.toml .tool-versions .config/mise .config/mise.toml "
    ".config/mise.*.toml",
    ".config/mise .asdfrc", "*mise* .rtx.toml", 0 },
  { N_("A shell that enters the folder"), ".direnv .autoenv .autoenv.zsh .rvmrc devbox.json devenv.nix", NULL, NULL, 0 },
  { "npm",
    ".npmrc bunfig.toml pnpm-workspace.yaml package.yaml binding.gyp .pnpmfile.cjs .pnpmfile.mjs pnpmfile.js",
    ".npmrc", NULL, 0 },
  { "Yarn", ".yarnrc .yarnrc.yml .pnp.cjs .pnp.js .pnp.loader.mjs .yarn/plugins .yarn/releases .yarn/sdks",
    ".yarnrc .yarnrc.yml", ".yarnrc .yarnrc.yml", 0 },
  { "Git",
    ".husky .huskyrc .huskyrc.* .githooks .git-hooks .simple-git-hooks.* simple-git-hooks.* captainhook.json "
    "grumphp.yml", NULL, NULL, 0 },
  { "pre-commit", ".pre-commit-config.yaml .pre-commit-config.yml prek.toml .overcommit.yml", NULL, NULL, 0 },
  { "lefthook",
    "lefthook.yml lefthook.yaml lefthook.toml lefthook.json lefthook.jsonc lefthook-local.* .lefthook .lefthook.* "
    ".lefthook-local .lefthook-local.* .config/lefthook.* .config/lefthook-local.*",
    NULL, NULL, 0 },
  { "VS Code", ".vscode .devcontainer .devcontainer.json", NULL,
    ".vscode/tasks.json .vscode/settings.json .devcontainer/devcontainer.json .devcontainer.json", 0 },
  { N_("An editor that opens the folder"),
    ".idea .zed .helix .fleet .theia *.code-workspace *.sublime-project .externalToolBuilders hie.yaml "
    ".ycm_extra_conf.py", NULL, ".zed/tasks.json .zed/settings.json", 0 },
  { "Vim", ".nvim.lua .nvimrc .exrc .vimrc .lvimrc", ".vimrc .vim .config/nvim", NULL, 0 },
  { "Emacs", ".dir-locals.el .dir-locals-2.el", ".emacs .emacs.d .config/emacs", NULL, 0 },
  { N_("A debugger or interpreter"), ".gdbinit *-gdb.py .lldbinit .pdbrc .rprofile .renviron .irbrc .ghci",
    ".gdbinit .lldbinit .pdbrc .rprofile .irbrc .ghci .config/gdb", NULL, 0 },
  { "Python", "sitecustomize.py usercustomize.py site-packages/*.pth dist-packages/*.pth", ".local/lib", "*.py", 0 },
  { N_("A build tool"), ".mvn .bsp .bazelrc rust-toolchain.toml .cargo/config .cargo/config.toml .bundle/config",
    ".cargo/config.toml", ".cargo/config .cargo/config.toml", 0 },
  { "Mercurial", ".hg$ .hg/hgrc .hg/hgrc-not-shared .hg/sharedpath", ".hgrc .config/hg", NULL, 0 },
  { "Jujutsu", ".jj$ .jj/repo/config*", ".config/jj", NULL, 0 },
  { N_("An agent"),
    "AGENTS.md AGENTS.override.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md SKILL.md .claude/*.md .claude/*/*.md "
    ".cursor/rules/*.mdc .cursorrules .windsurfrules .clinerules .rules .goosehints",
    ".claude/CLAUDE.md .codex/AGENTS.md .gemini/GEMINI.md .config/opencode/AGENTS.md", NULL,
    BECKON_RUNNER_OBEYS | BECKON_RUNNER_IMPORTS },
  { N_("An agent"),
    ".claude .cursor .mcp.json .codex .gemini .windsurf .aider.conf.yml .continue .kiro .roo .opencode "
    "opencode.json opencode.jsonc .agents .junie .amazonq .augment .trae .qwen crush.json .crush.json "
    ".aider.model.settings.yml",
    ".claude .claude.json .codex .gemini .config/opencode",
    ".mcp.json .claude/settings.json .claude/settings.local.json .cursor/mcp.json .cursor/hooks.json .codex/config.toml "
    ".gemini/settings.json .kiro/settings/mcp.json .roo/mcp.json .opencode/opencode.json opencode.json",
    BECKON_RUNNER_OBEYS },
  { N_("A server that builds the project"),
    ".github .gitlab-ci.yml .circleci .gitea .forgejo .woodpecker .woodpecker.yml .travis.yml Jenkinsfile .drone.yml "
    "appveyor.yml .appveyor.yml .semaphore buildspec.yml cloudbuild.yaml .build.yml .builds azure-pipelines.yml "
    "bitbucket-pipelines.yml .cirrus.yml .buildkite",
    NULL, "", 0 },
  { N_("Your login session"), NULL,
    ".profile .bash_profile .bash_login .bash_logout .bashrc .bash_aliases .zshenv .zprofile .zshrc .zlogin "
    ".inputrc .xprofile "
    ".xsessionrc .xinitrc .pam_environment .ssh .gnupg .config/autostart .config/autostart-scripts .config/environment.d "
    ".config/systemd .config/fish .config/zsh .config/plasma-workspace .config/user-tmpfiles.d .local/share/systemd "
    ".local/share/dbus-1 .local/share/applications .local/share/gnome-shell/extensions .config/beckon .local/share/beckon",
    ".ssh/config *rc *profile *login *logout .bash_aliases .zshenv *.desktop *.service *.socket *.timer *.path "
    "*.conf *.fish *.sh",
    0 },
};

/* Files that have another name than the programs that read them. */
static const struct
{
  const char *programs;
  const char *files;
  const char *glob; /* (nullable) */
} usual[] = {
  { " make gmake ", " gnumakefile ", "*.mk" },
  { " npm pnpm yarn bun jest ", " package.json " },
  { " lint-staged ", " package.json ", ".lintstagedrc*" },
  { " pytest py.test tox nox ", " conftest.py " },
  { " uv pip pip3 poetry hatch pdm tox nox pytest ", " pyproject.toml setup.py setup.cfg " },
  { " cargo ", " build.rs " },
  { " go ", " go.mod go.work ", "*_test.go" },
  { " gradle gradlew ", "", "*.gradle*" },
  { " mvn mvnw ", " pom.xml " },
  { " cmake ctest ", " cmakelists.txt " },
  { " bundle ", " gemfile gemfile.lock " },
  { " rspec ", " spec_helper.rb rails_helper.rb " },
  { " docker docker-compose podman ", "", "*compose*.y*ml" },
  { " dotenv dotenv_if_exists ", " .env " },
  { " nix nix-shell nix-build use ", " shell.nix default.nix flake.nix flake.lock " },
  { " patch-package ", " patches " },
  { " mise rtx ", " mise-tasks " },
};

static GPatternSpec *globs[G_N_ELEMENTS (usual)]; /* (nullable) */
static GRegex *whole_table; /* of all rows, each a group */
static GHashTable *beginnings; /* (element-type utf8 BeckonRunner): lower case names of folders in patterns of several names */

static void
table_add_pattern (const BeckonRunner *runner, const char *text, GString *regex)
{
  const gsize length = strcspn (text, "$");
  g_autofree char *plain = g_ascii_strdown (text, (gssize) length);
  g_auto (GStrv) parts = g_strsplit (plain, "*", -1);

  if (regex->str[regex->len - 1] != '(')
    g_string_append_c (regex, '|');
  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *escaped = g_regex_escape_string (parts[i], -1);

      g_string_append_printf (regex, "%s%s", i > 0 ? "[^/]*" : "", escaped);
    }
  if (text[length] == '$')
    g_string_append (regex, "(?=\\z)");
  if (text[length] == '$' || strchr (plain, '/') != NULL)
    {
      plain[strcspn (plain, "/")] = '\0';
      g_hash_table_insert (beginnings, g_steal_pointer (&plain), (gpointer) runner);
    }
}

static void
table_prepare (void)
{
  static gsize is_prepared;
  g_autoptr (GString) regex = NULL;

  if (!g_once_init_enter (&is_prepared))
    return;

  beginnings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    globs[i] = usual[i].glob != NULL ? g_pattern_spec_new (usual[i].glob) : NULL;
  regex = g_string_new ("(?:^|/)(?:");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (GStrv) split = g_strsplit (rows[i].files != NULL ? rows[i].files : "", " ", -1);

      g_string_append (regex, i > 0 ? "|(" : "(");
      for (guint j = 0; split[j] != NULL; j++)
        table_add_pattern (&rows[i], split[j], regex);
      g_string_append (regex, rows[i].files != NULL ? ")" : "(?!))");
    }
  g_string_append (regex, ")(?=/|\\z)");
  whole_table = g_regex_new (regex->str, G_REGEX_CASELESS | G_REGEX_RAW | G_REGEX_OPTIMIZE, 0, NULL);
  g_once_init_leave (&is_prepared, 1);
}

const BeckonRunner *
beckon_runner_table_get (guint row)
{
  return row < G_N_ELEMENTS (rows) ? &rows[row] : NULL;
}

const BeckonRunner *
beckon_runner_table_find (const char *path, gsize *start)
{
  const char *installed = g_str_has_prefix (path, "node_modules/") ? path : strstr (path, "/node_modules/");
  g_autoptr (GMatchInfo) match = NULL;

  table_prepare ();
  for (g_regex_match (whole_table, path, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      const int group = g_match_info_get_match_count (match) - 1;
      const BeckonRunner *runner = &rows[group - 1];
      int at = 0;

      g_match_info_fetch_pos (match, group, &at, NULL);
      if (installed != NULL && at > installed - path && (runner->flags & BECKON_RUNNER_ANYWHERE) == 0)
        continue;
      if (start != NULL)
        *start = (gsize) at;
      return runner;
    }

  return NULL;
}

gboolean
beckon_runner_table_is_caller (const BeckonRunner *runner, const char *path)
{
  g_autofree char *lower = NULL;
  g_auto (GStrv) patterns = NULL;

  if (runner->callers == NULL)
    return TRUE;

  lower = g_ascii_strdown (path, -1);
  patterns = g_strsplit (runner->callers, " ", -1);
  for (guint i = 0; patterns[i] != NULL; i++)
    {
      g_autofree char *deeper = g_strconcat ("*/", patterns[i], NULL);

      if (*patterns[i] != '\0' && (fnmatch (patterns[i], lower, 0) == 0 || fnmatch (deeper, lower, 0) == 0))
        return TRUE;
    }

  return FALSE;
}

const BeckonRunner *
beckon_runner_table_find_beginning (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  table_prepare ();
  return g_hash_table_lookup (beginnings, lower);
}

/* A file that is a program's by its form whatever that is called, and one that only has its name and an ending of data. */
static void
table_add_form (GStrvBuilder *keys, const char *name)
{
  static const char *const endings[] = { "ini", "toml", "json", "jsonc", "json5", "yml", "yaml", "cfg", "exs", NULL };
  const gboolean is_hidden = *name == '.';
  g_autofree char *stem = g_strndup (name + is_hidden, strcspn (name + is_hidden, "."));
  const char *rest = name + is_hidden + strlen (stem);
  const gboolean is_file = g_str_has_suffix (stem, "file");

  if (is_file || (is_hidden && g_str_has_suffix (stem, "rc")))
    stem[strlen (stem) - (is_file ? strlen ("file") : strlen ("rc"))] = '\0';
  if (is_hidden || is_file || g_str_has_prefix (rest, ".config."))
    g_strv_builder_add (keys, stem);
  else if (*rest != '\0' && g_strv_contains (endings, rest + 1))
    {
      g_autofree char *plain = g_strconcat (stem, ".", NULL);

      g_strv_builder_add (keys, plain);
    }
}

GStrv
beckon_runner_table_list_keys (const char *name, gboolean is_file, gboolean is_run)
{
  g_autoptr (GStrvBuilder) keys = g_strv_builder_new ();
  g_autofree char *lower = g_ascii_strdown (name, -1);
  g_autofree char *apart = g_strconcat (" ", lower, " ", NULL);
  g_autofree char *plain = g_strconcat (lower, ".", NULL);

  table_prepare ();
  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    if (strstr (is_file ? usual[i].files : usual[i].programs, apart) != NULL
        || (is_file && globs[i] != NULL && g_pattern_spec_match_string (globs[i], lower)))
      g_strv_builder_add (keys, usual[i].programs);
  if (is_file)
    table_add_form (keys, lower);
  else
    g_strv_builder_add_many (keys, lower, is_run ? plain : NULL, NULL);
  return g_strv_builder_end (keys);
}

char *
beckon_runner_table_expand (const char *place)
{
  static const struct
  {
    const char *prefix;
    const char *(*get) (void);
  } folders[] = { { ".config/", g_get_user_config_dir }, { ".local/share/", g_get_user_data_dir } };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (g_str_has_prefix (place, folders[i].prefix))
      return g_build_filename (folders[i].get (), place + strlen (folders[i].prefix), NULL);

  return g_build_filename (g_get_home_dir (), place, NULL);
}

gboolean
beckon_runner_table_is_installed (const char *path)
{
  g_autofree char *whole = g_strconcat ("/", path, "/", NULL);

  return strstr (whole, "/node_modules/") != NULL;
}
