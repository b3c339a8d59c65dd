/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "landing/beckon-runners.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PROGRAM(path) "mkdir -p $(dirname " path ") && echo x >" path " && chmod +x " path
#define FILE_AT(path) "mkdir -p \"$(dirname '" path "')\" && echo x >'" path "'"
#define HOOK(text) "; printf '%b\\n' '" text "' >.git/hooks/pre-commit"
#define PACKAGE(folder, scripts) "echo \"{'scripts':{" scripts "}}\" | tr \"'\" '\"' >" folder "package.json"
#define MAKEFILE(command) "printf 'x:\\n\\t" command "\\n' >Makefile; "
#define DEVCONTAINER(command)                                                                                              \
  "mkdir .devcontainer; echo '" command "' >.devcontainer/c.sh; "                                                          \
  "echo '{\"onCreateCommand\":\".devcontainer/c.sh\"}' >.devcontainer/devcontainer.json"
#define SETTINGS(name, value)                                                                                              \
  "printf '{\n// c\n\"" name "\": {\n\"" value "\": true,\n},\n}' >.vscode/settings.json"
#define MODULE "mkdir tools; echo 'import json' >tools/c.py"

typedef struct
{
  const char *name;
  const char *line; /* run in the folder, which has a Git directory */
  const char *path;
  gboolean is_trigger;
} Case;

static const Case cases[] = {
  { "nothing", "true", "src/x", FALSE },
  { "simple", "touch true origin", "true", FALSE },
  { "user", "mkdir src; git config user.name src", "src/x", FALSE },
  { "branch", "mkdir origin; git config branch.main.remote origin", "origin/x", FALSE },
  { "remote", "git config remote.origin.url ./elsewhere", "elsewhere/x", FALSE },
  { "imports-blank", FILE_AT ("my rules/x") "; printf '@my\\\\ rules/x' >AGENTS.md", "my rules/x", TRUE },
  { "imports-link", "mkdir conf; echo @more.md >conf/A.md; ln -s conf/A.md AGENTS.md", "conf/more.md", TRUE },
  { "imports-missing", "echo '- @docs/new.md, if there' >AGENTS.md", "docs/new.md", TRUE },
  { "imports-round", "printf '@a.md' >AGENTS.md; printf '@AGENTS.md @a.md @b.md' >a.md", "b.md", TRUE },
  { "imports-address", "printf 'me@a.md' >AGENTS.md", "a.md", FALSE },
  { "imports-script", "printf '@a' >AGENTS.md; touch a.py", "a.py", FALSE },
  { "user-script", "touch a.py; git config user.name a", "a.py", FALSE },
  { "user-name", "touch a core; git config user.name a", "a", FALSE },
  { "titles-core", "touch core; git config core.bare false", "core", FALSE },
  { "titles", "git config branch.tools/x.merge refs/heads/y; git config submodule.lib.path lib", "tools/x", FALSE },
  { "submodule", "git config submodule.lib.path lib; git config submodule.lib.url ./b", "lib/x.sh", FALSE },
  { "submodule-update", "git config submodule.lib.update '!./tools/x'", "tools/x", TRUE },
  { "remote-helper", "git config remote.origin.url 'ext::sh tools/x'", "tools/x", TRUE },
  { "remote-helper-title", "git config 'url.ext::sh tools/x.insteadOf' https:", "tools/x", TRUE },
  { "remote-pack", "git config remote.origin.uploadpack tools/x", "tools/x", TRUE },
  { "user-continued", "printf '[core]\nx = \\\n[user]\neditor = tools/x\n' >>.git/config", "tools/x", TRUE },
  { "user-one-line", "printf '[user] name = y\n[core] editor = tools/x\n' >>.git/config", "tools/x", TRUE },
  { "user-one-title", "printf '[user][core]\neditor = tools/x\n' >>.git/config", "tools/x", TRUE },
  { "user-named", "printf '[user \"]\"]\nemail = tools/y\n[core]\neditor = tools/x\n' >>.git/config", "tools/x", TRUE },
  { "unknown-key", "git config new.key tools/x", "tools/x", TRUE },
  { "ignored", "git config core.excludesFile conf/ignored", "conf/ignored", TRUE },
  { "program", "git config core.editor vim", "vim", FALSE },
  { "above", "git config core.fsmonitor 'cd .. && watch'", "src/x", FALSE },
  { "hooks-path", "git config core.hooksPath myhooks", "myhooks/post-index-change", TRUE },
  { "hooks-path-other", "git config core.hooksPath myhooks", "myhooks2/x", FALSE },
  { "hooks-path-absolute", "git config core.hooksPath \"$PWD/myhooks\"", "myhooks/x", TRUE },
  { "hooks-path-space", "git config core.hooksPath 'my hooks'", "my hooks/x", TRUE },
  { "hooks-path-link", "ln -s other myhooks; mkdir other; git config core.hooksPath myhooks", "other/x", TRUE },
  { "hooks-path-all", "git config core.hooksPath .", "pre-commit", TRUE },
  { "hooks-path-work-tree", "git config extensions.worktreeConfig true; git config --worktree core.hooksPath m", "m/x", TRUE },
  { "fsmonitor", "git config core.fsmonitor tools/watch", "tools/watch", TRUE },
  { "fsmonitor-beside", "git config core.fsmonitor tools/watch", "tools/other", FALSE },
  { "script", "touch watch.py; git config core.fsmonitor 'python3 watch.py'", "watch.py", TRUE },
  { "filter", "git config filter.f.clean \"'tools/f' %f\"", "tools/f", TRUE },
  { "alias", "git config alias.x '!sh -c \"./tools/x --y\"'", "tools/x", TRUE },
  { "option", "git config core.sshCommand 'ssh --config=conf/ssh'", "conf/ssh", TRUE },
  { "include", "git config include.path ../conf/git", "conf/git", TRUE },
  { "include-if", "git config includeIf.gitdir:/x/.path ../conf/git", "conf/git", TRUE },
  { "included", "git config include.path ../shared; git config -f shared core.hooksPath myhooks", "myhooks/x", TRUE },
  { "include-self", "git config core.pager tools/p; git config include.path config", "tools/p", TRUE },
  { "config-link", "mkdir conf; mv .git/config conf/g; ln -s ../conf/g .git/config", "conf/g", TRUE },
  { "config-odd", "rm .git/config; mkfifo .git/config", "anything", TRUE },
  { "config-large", "head -c 1100000 /dev/zero | tr '\\0' '\\n' >.git/config", "anything", TRUE },
  { "config-fault", "printf '[core\\nx' >>.git/config", "src/x", FALSE },
  { "config-before-fault", "git config core.hooksPath m; printf '[core\\nx' >>.git/config", "m/x", TRUE },
  { "nested-hooks", "mkdir -p sub/.git; echo x >sub/.git/HEAD; ln -s ../../toolhooks sub/.git/hooks", "toolhooks/x", TRUE },
  { "nested-hook", "mkdir -p a/b/.git/hooks; ln -s ../../../../t a/b/.git/hooks/pre-commit", "t", TRUE },
  { "nested-config", "git init -q sub; git -C sub config core.hooksPath ../h", "h/x", TRUE },
  { "nested-bare", "git init -q --bare b.git; git -C b.git config core.hooksPath ../h", "h/x", TRUE },
  { "git-file", "git init -q --separate-git-dir=sep sub; git -C sub config core.hooksPath h", "sub/h/x", TRUE },
  { "module", "mkdir .git/modules; git init -q --separate-git-dir=.git/modules/m sub; git -C sub config core.hooksPath h", "sub/h/x", TRUE },
  { "common", "git -c user.name=a -c user.email=b commit -q --allow-empty -m x; git worktree add -q w; git config core.hooksPath h",
    "w/h/x", TRUE },
  { "link-below", "mkdir -p pkg x; ln -s ../x pkg/.vscode", "x/tasks.json", TRUE },
  { "link-below-file", "mkdir -p pkg/a; ln -s ../../env pkg/a/.envrc", "env", TRUE },
  { "own", "true", ".own-hooks/post-index-change", TRUE },
  { "own-include", "true", "tools/own", TRUE },
  { "own-below", "git init -q sub", "sub/.own-hooks/pre-commit", TRUE },
  { "own-other", "mkdir sub", "sub/.own-hooks/pre-commit", FALSE },
  { "envrc", "mkdir tools; echo 'source_env tools/env.sh' >.envrc", "tools/env.sh", TRUE },
  { "envrc-no-slash", "echo 'true && source_env_if_exists \"local\" # note' >.envrc", "local", TRUE },
  { "envrc-usual", "echo 'dotenv' >.envrc", ".env", TRUE },
  { "envrc-usual-below", "mkdir a; echo 'dotenv_if_exists || true' >a/.envrc", "a/.env", TRUE },
  { "envrc-comment", "echo '# source_env notes' >.envrc", "notes", FALSE },
  { "envrc-here", "echo '. \"${PWD}/env.sh\"' >.envrc", "env.sh", TRUE },
  { "envrc-below", "mkdir -p a/b; echo 'source_env ../env' >a/b/.envrc", "a/env", TRUE },
  { "envrc-second", "echo 'source_env env.sh' >.envrc.local", "env.sh", TRUE },
  { "envrc-script", "mkdir bin; echo x >bin/version; echo 'export V=$(./bin/version)' >.envrc", "bin/version", TRUE },
  { "envrc-folder", "mkdir src; echo 'export PYTHONPATH=./src; PATH_add src' >.envrc", "src/x.py", FALSE },
  { "envrc-make", "echo 'make -s env' >.envrc", "Makefile", TRUE },
  { "envrc-flake", "echo 'use flake' >.envrc", "flake.nix", TRUE },
  { "envrc-loop", "echo 'for f in env.d/*.sh; do . \"$f\"; done' >.envrc", "env.d/new.sh", TRUE },
  { "envrc-loop-other", "echo 'for f in env.d/*.sh; do . \"$f\"; done' >.envrc", "env.d/new.txt", FALSE },
  { "envrc-case", "echo 'case $x in *) y=1;; esac' >.envrc", "new.sh", FALSE },
  { "path-add", "echo 'PATH_add bin' >.envrc; " PROGRAM ("bin/ls"), "bin/ls", TRUE },
  { "path-add-text", "echo 'PATH_add bin' >.envrc; mkdir bin; echo x >bin/ls", "bin/ls", FALSE },
  { "path-add-deeper", "echo 'PATH_add bin' >.envrc; " PROGRAM ("bin/src/ls"), "bin/src/ls", FALSE },
  { "path-add-beside", "echo 'PATH_add bin' >.envrc; " PROGRAM ("tools/ls"), "tools/ls", FALSE },
  { "path-add-below", "mkdir a; echo 'path_add PATH ../tools/bin' >a/.envrc; " PROGRAM ("tools/bin/ls"), "tools/bin/ls", TRUE },
  { "path-add-link", "echo 'PATH_add bin' >.envrc; " PROGRAM ("tools/x") "; mkdir bin; ln -s ../tools/x bin/ls", "tools/x", TRUE },
  { "path-add-link-folder", "echo 'PATH_add bin' >.envrc; " PROGRAM ("out/ls") "; ln -s out bin", "out/ls", TRUE },
  { "path-add-installed", "echo 'PATH_add node_modules/.bin' >.envrc; " PROGRAM ("node_modules/.bin/x"), "node_modules/.bin/x",
    TRUE },
  { "path-add-installed-link", "echo 'PATH_add node_modules/.bin' >.envrc; " PROGRAM ("node_modules/x/cli.js")
    "; mkdir node_modules/.bin; ln -s ../x/cli.js node_modules/.bin/x", "node_modules/x/cli.js", TRUE },
  { "path-layout-node", "echo 'layout node' >.envrc; " PROGRAM ("node_modules/.bin/x"), "node_modules/.bin/x", TRUE },
  { "path-other-installed", "echo 'PATH_add bin' >.envrc; " PROGRAM ("node_modules/.bin/x"), "node_modules/.bin/x", FALSE },
  { "path-export", "echo 'export PATH=$PWD/bin:$PATH' >.envrc; " PROGRAM ("bin/ls"), "bin/ls", TRUE },
  { "path-export-variable", "echo 'export PATH=\"$ROOT/bin:$PATH\"' >.envrc; " PROGRAM ("bin/ls"), "bin/ls", TRUE },
  { "path-export-other", "echo 'export GOPATH=$PWD/bin' >.envrc; " PROGRAM ("bin/ls"), "bin/ls", FALSE },
  { "path-prefix", "echo 'load_prefix out' >.envrc; " PROGRAM ("out/bin/ls"), "out/bin/ls", TRUE },
  { "path-layout", "echo 'layout php' >.envrc; " PROGRAM ("vendor/bin/x"), "vendor/bin/x", TRUE },
  { "package-link", "echo '{}' >pj.json; ln -s pj.json package.json", "pj.json", TRUE },
  { "package-link-below", "mkdir -p a b; ln -s ../b/pj.json a/package.json", "b/pj.json", TRUE },
  { "package-link-way", "echo '{}' >c.json; ln -s c.json b.json; ln -s b.json package.json", "b.json", TRUE },
  { "package-link-installed", "mkdir -p node_modules/a; echo '{}' >pj.json; ln -s ../../pj.json node_modules/a/package.json",
    "pj.json", FALSE },
  { "package-script", PACKAGE ("", "'postinstall':'node scripts/p.js'"), "scripts/p.js", TRUE },
  { "package-script-shell", PACKAGE ("", "'preinstall':'./scripts/p.sh || true'"), "scripts/p.sh", TRUE },
  { "package-script-plain", "echo x >setup; " PACKAGE ("", "'prepare':'sh setup'"), "setup", TRUE },
  { "package-script-ending", "mkdir s; echo x >s/p.js; " PACKAGE ("", "'install':'node s/p'"), "s/p.js", TRUE },
  { "package-script-index", "mkdir s; echo x >s/index.js; " PACKAGE ("", "'install':'node s'"), "s/index.js", TRUE },
  { "package-script-cd", "mkdir s; echo x >s/p.js; " PACKAGE ("", "'install':'cd s && node p.js'"), "s/p.js", TRUE },
  { "package-script-make", PACKAGE ("", "'prepare':'make'"), "Makefile", TRUE },
  { "package-script-below", "mkdir a; " PACKAGE ("a/", "'postinstall':'node ../p.js'"), "p.js", TRUE },
  { "package-script-called", "mkdir s; echo x >s/p.js; " PACKAGE ("", "'prepare':'npm run b:x','b:x':'node -r ./s/q.js s/p.js'"),
    "s/p.js", TRUE },
  { "package-script-source", "mkdir src; echo x >src/i.js; " PACKAGE ("", "'prepare':'npm run build','build':'esbuild src/i.js'"),
    "src/i.js", FALSE },
  { "package-script-folder", "mkdir src; " PACKAGE ("", "'prepare':'tsc src'"), "src/x.ts", FALSE },
  { "package-script-test", "mkdir s; echo x >s/t.js; " PACKAGE ("", "'test':'node s/t.js'"), "s/t.js", FALSE },
  { "package-script-mark", "printf '\\357\\273\\277' >package.json; printf '{\"scripts\":{\"install\":\"./x.sh\"}}' >>package.json",
    "x.sh", TRUE },
  { "package-odd", "mkfifo package.json", "anything", TRUE },
  { "package-fault", "echo '{' >package.json", "src/x", FALSE },
  { "part-link", "mkdir cg; ln -s cg .cargo", "cg/config.toml", TRUE },
  { "part-link-rest", "mkdir cg; ln -s cg .cargo", "cg/registry", FALSE },
  { "part-link-below", "mkdir -p a y; ln -s ../y a/.yarn", "y/releases/yarn.cjs", TRUE },
  { "part-link-config", "mkdir c; ln -s c .config", "c/mise/config.toml", TRUE },
  { "part-link-in", "mkdir .config m; ln -s ../m .config/mise", "m/config.toml", TRUE },
  { "part-link-file", "mkdir .cargo; ln -s ../shared.toml .cargo/config.toml", "shared.toml", TRUE },
  { "part-link-both", "mkdir cg; ln -s ../shared.toml cg/config; ln -s cg .cargo", "shared.toml", TRUE },
  { "part-link-jj", "mkdir -p j/repo; ln -s j .jj", "j/repo/config.toml", TRUE },
  { "envrc-odd", "mkfifo .envrc", "anything", TRUE },
  { "word-blank", FILE_AT ("my tools/c.py") HOOK ("python3 \"my tools/c.py\""), "my tools/c.py", TRUE },
  { "word-blank-escaped", FILE_AT ("my tools/c") HOOK ("python3 my\\\\ tools/c"), "my tools/c", TRUE },
  { "word-blank-source", FILE_AT ("my env/x") "; echo 'source \"my env/x\"' >.envrc", "my env/x", TRUE },
  { "word-comma", FILE_AT ("tools/a,b.py") HOOK ("python3 tools/a,b.py"), "tools/a,b.py", TRUE },
  { "word-equal", FILE_AT ("tools/a=b.py") HOOK ("python3 tools/a=b.py"), "tools/a=b.py", TRUE },
  { "variable", FILE_AT ("scripts/c.py") HOOK ("D=scripts\\npython3 $D/c.py"), "scripts/c.py", TRUE },
  { "variable-quoted", FILE_AT ("scripts/c") HOOK ("D=scripts; python3 \"$D\"/c"), "scripts/c", TRUE },
  { "variable-source", FILE_AT ("cfg/x") "; printf 'E=cfg\nsource $E/x\n' >.envrc", "cfg/x", TRUE },
  { "variable-file", FILE_AT ("cfg/x") "; printf 'E=cfg/x\nsource $E\n' >.envrc", "cfg/x", TRUE },
  { "variable-path", "printf 'D=bin\nPATH_add $D\n' >.envrc; " PROGRAM ("bin/ls"), "bin/ls", TRUE },
  { "variable-path-export", "printf 'P=$PWD/bin\nexport PATH=$P:$PATH\n' >.envrc; " PROGRAM ("bin/ls"), "bin/ls", TRUE },
  { "variable-path-other", "printf 'D=bin\nexport GOPATH=$D\n' >.envrc; " PROGRAM ("bin/ls"), "bin/ls", FALSE },
  { "variable-beside", FILE_AT ("src/c.py") HOOK ("D=scripts\\npython3 $D/c.py"), "src/c.py", FALSE },
  { "lines-module", FILE_AT ("pkg/srv.py") "; printf '{\"command\": \"python3\",\n\"args\": [\"-m\",\n\"pkg.srv\"]}' >.mcp.json", "pkg/srv.py",
    TRUE },
  { "lines-file", FILE_AT ("tools/build") "; mkdir .vscode; printf '{\"args\":[\n\"tools/build\"],\n\"command\":\"bash\"}' >.vscode/tasks.json",
    "tools/build", TRUE },
  { "settings-words", "mkdir .vscode; touch aliases; " SETTINGS ("cSpell.words", "aliases"), "aliases", FALSE },
  { "settings-excluded", "mkdir .vscode examples; touch examples/x; " SETTINGS ("files.exclude", "examples/x"), "examples/x", FALSE },
  { "settings-nested", "mkdir .vscode; touch pyproject.toml; " SETTINGS ("explorer.fileNesting.patterns", "pyproject.toml"),
    "pyproject.toml", FALSE },
  { "settings-path", "mkdir .vscode bin; touch bin/py; " SETTINGS ("python.defaultInterpreterPath", "bin/py"), "bin/py", TRUE },
  { "settings-import", "mkdir .vscode; touch c.js; " SETTINGS ("cSpell.import", "c.js"), "c.js", TRUE },
  { "settings-fault", "mkdir .vscode; touch c.js; echo '{\"files.exclude\": [\"c.js\"' >.vscode/settings.json", "c.js", TRUE },
  { "lines-other", FILE_AT ("tools/build") "; printf '{\"command\": \"python3\",\n\"args\": [\"-m\", \"pkg\"]}' >.mcp.json", "tools/build", FALSE },
  { "piped", FILE_AT ("scripts/x.sh") HOOK ("cat scripts/x.sh | sh"), "scripts/x.sh", TRUE },
  { "pushd", FILE_AT ("sub/x.py") HOOK ("pushd sub\\npython3 x.py"), "sub/x.py", TRUE },
  { "import-path", FILE_AT ("scripts/lint.py") HOOK ("import sys\\nsys.path.insert(0,\"scripts\")\\nimport lint"), "scripts/lint.py", TRUE },
  { "run-parts", "mkdir -p scripts/d; " PROGRAM ("scripts/d/a") HOOK ("run-parts scripts/d"), "scripts/d/a", TRUE },
  { "run-parts-text", FILE_AT ("scripts/d/a.txt") HOOK ("run-parts scripts/d"), "scripts/d/a.txt", FALSE },
  { "called-make", MAKEFILE ("python3 tools/l.py") FILE_AT ("tools/l.py") HOOK ("make lint"), "tools/l.py", TRUE },
  { "called-make-deeper", MAKEFILE ("python3 tools/l.py") FILE_AT ("tools/l.py") "; echo 'make lint' >c.sh" HOOK ("sh c.sh"), "tools/l.py", TRUE },
  { "called-make-include", "echo '-include inc.mk' >Makefile; echo 'include in/*.mk' >>Makefile; touch inc.mk" HOOK ("make"), "inc.mk", TRUE },
  { "called-make-pattern", "echo 'include in/*.mk' >>Makefile" HOOK ("make"), "in/new.mk", TRUE },
  { "called-make-folder", "mkdir sub; " FILE_AT ("sub/l.sh") "; printf 'x:\n\tsh l.sh\n' >sub/Makefile" HOOK ("make -C sub"), "sub/l.sh", TRUE },
  { "called-alias", MAKEFILE ("sh go.sh") FILE_AT ("go.sh") "; git config alias.x '!make go'", "go.sh", TRUE },
  { "called-npm", FILE_AT ("s/t.js") "; " PACKAGE ("", "'test':'node s/t.js'") HOOK ("npm test"), "s/t.js", TRUE },
  { "called-npm-source", FILE_AT ("src/t.js") "; " PACKAGE ("", "'test':'node s/t.js'") HOOK ("npm test"), "src/t.js", FALSE },
  { "called-npm-bin", FILE_AT ("s/t.js") "; echo '{\"bin\":{\"t\":\"s/t.js\"}}' >package.json" HOOK ("npm exec t"), "s/t.js", TRUE },
  { "called-lefthook", FILE_AT ("s/l.js") "; printf 'pre-commit:\n  commands:\n    a:\n      run: yarn lint\n' >lefthook.yml; "
    PACKAGE ("", "'lint':'node s/l.js'"), "s/l.js", TRUE },
  { "called-devcontainer", FILE_AT ("s/l") "; mkdir .devcontainer; echo '{\"postCreateCommand\":\"make setup\"}' >.devcontainer/devcontainer.json; "
    MAKEFILE ("sh s/l") "true", "s/l", TRUE },
  { "called-just", FILE_AT ("s/l") "; printf 'check:\n  sh s/l\n' >justfile" HOOK ("just check"), "s/l", TRUE },
  { "called-husky", FILE_AT ("s/l.js") "; mkdir .husky; echo 'npx lint-staged' >.husky/pre-commit; echo '{\"*\":\"node s/l.js\"}' >.lintstagedrc.json",
    "s/l.js", TRUE },
  { "called-entry", FILE_AT ("s/l.py") "; printf 'repos:\n- repo: local\n  hooks:\n  - id: x\n    entry: make l\n' >.pre-commit-config.yaml; "
    MAKEFILE ("python3 s/l.py") "true", "s/l.py", TRUE },
  { "usual-hidden", "true" HOOK ("npx lint-staged"), ".lintstagedrc.json", TRUE },
  { "usual-config", "true" HOOK ("npx eslint ."), "eslint.config.js", TRUE },
  { "usual-config-below", "true" HOOK ("npx eslint ."), "pkg/src/.eslintrc.cjs", TRUE },
  { "usual-config-other", "true" HOOK ("npx prettier ."), "eslint.config.js", FALSE },
  { "usual-config-option", "true" HOOK ("npx --no -- commitlint --edit $1"), "commitlint.config.js", TRUE },
  { "usual-exec", "true" HOOK ("bundle exec rubocop"), ".rubocop.yml", TRUE },
  { "usual-rc", "true" HOOK ("pylint src"), ".pylintrc", TRUE },
  { "usual-ini", "true" HOOK ("tox"), "tox.ini", TRUE },
  { "usual-json", "true" HOOK ("deno task x"), "deno.json", TRUE },
  { "pattern", FILE_AT ("s/t.py") "; printf 'repos:\\n- hooks:\\n  - id: x\\n    exclude: ^(s/t.py|s/u.py)$\\n' >.pre-commit-config.yaml",
    "s/t.py", FALSE },
  { "pattern-quoted", FILE_AT ("s/t.py") "; printf 'repos:\\n- hooks:\\n  - id: x\\n    files: \"^s/t.py\"\\n' >.pre-commit-config.yaml",
    "s/t.py", FALSE },
  { "pattern-lines", FILE_AT ("s/t.py") "; printf 'exclude: |\\n  (?x)^(\\n    s/t.py|\\n    s/u.py\\n  )$\\n' >.pre-commit-config.yaml",
    "s/t.py", FALSE },
  { "pattern-behind", FILE_AT ("s/t.py") "; printf 'repos:\\n- hooks:\\n  - exclude: ^(a|b)$\\n    entry: s/t.py\\n' >.pre-commit-config.yaml",
    "s/t.py", TRUE },
  { "pattern-shell", FILE_AT ("s/t.sh") HOOK ("grep -q \"^x\" f && sh s/t.sh"), "s/t.sh", TRUE },
  { "pattern-open", FILE_AT ("s/t.sh") HOOK ("echo ^(a\\nsh s/t.sh"), "s/t.sh", TRUE },
  { "module-cache", DEVCONTAINER ("python3 -m venv .venv"), ".pytest_cache", FALSE },
  { "module-cached", DEVCONTAINER ("python3 -m venv .venv"), "venv.pyc", TRUE },
  { "settings", DEVCONTAINER ("pip install -e .") "; mkdir src; echo 'runs = [\"python\", \"a\"]' >pyproject.toml", "src/a.py", FALSE },
  { "settings-themselves", DEVCONTAINER ("pip install -e .") "; echo x >pyproject.toml", "pyproject.toml", TRUE },
  { "usual-entry", "printf 'repos:\n- repo: x\n  hooks:\n  - id: eslint\n' >.pre-commit-config.yaml", ".eslintrc.js", TRUE },
  { "usual-pytest", "true" HOOK ("pytest -q"), "tests/conftest.py", TRUE },
  { "usual-cargo", "true" HOOK ("cargo test"), "crates/a/build.rs", TRUE },
  { "usual-go", "true" HOOK ("go test ./..."), "pkg/x_test.go", TRUE },
  { "usual-gradle", PROGRAM ("gradlew") HOOK ("./gradlew check"), "app/build.gradle.kts", TRUE },
  { "usual-patches", PACKAGE ("", "'postinstall':'patch-package'"), "patches/x+1.patch", TRUE },
  { "usual-mise", "printf '[hooks]\nenter=\"mise run x\"\n' >mise.toml", "mise-tasks/x", TRUE },
  { "usual-value", "git config core.autocrlf input", "input.json", FALSE },
  { "usual-branch", "git config init.defaultBranch main; git config branch.main.remote origin", "main.toml", FALSE },
  { "usual-git", "true" HOOK ("git status"), ".gitignore", FALSE },
  { "usual-source", "true" HOOK ("npx eslint ."), "src/eslint.js", FALSE },
  { "installed", PROGRAM ("node_modules/.bin/eslint") HOOK ("npx eslint ."), "node_modules/.bin/eslint", TRUE },
  { "installed-new", "true" HOOK ("npx eslint ."), "node_modules/.bin/eslint", TRUE },
  { "installed-other", PROGRAM ("node_modules/.bin/tsc") HOOK ("npx eslint ."), "node_modules/.bin/tsc", FALSE },
  { "beside", MODULE HOOK ("python3 tools/c.py"), "tools/json.py", TRUE },
  { "beside-package", MODULE HOOK ("python3 tools/c.py"), "tools/json/__init__.py", TRUE },
  { "beside-object", MODULE HOOK ("python3 tools/c.py"), "tools/json.cpython-311.so", TRUE },
  { "beside-deeper", MODULE HOOK ("python3 tools/c.py"), "tools/a/x.py", FALSE },
  { "beside-elsewhere", MODULE HOOK ("python3 tools/c.py"), "json.py", FALSE },
  { "beside-text", MODULE HOOK ("python3 tools/c.py"), "tools/json.txt", FALSE },
  { "beside-none", FILE_AT ("tools/c.py") HOOK ("python3 tools/c.py"), "tools/json.py", FALSE },
  { "module-option", "true" HOOK ("python3 -m unittest -q"), "unittest.py", TRUE },
  { "module-option-glued", "true" HOOK ("python3 -um unittest"), "unittest.py", TRUE },
  { "module-command", "true" HOOK ("curl x | python3 -c \"import json\""), "json.py", TRUE },
  { "module-standard", "true" HOOK ("python3 - <<E\nimport json\nE"), "json.py", TRUE },
  { "module-here", "true" HOOK ("python3 <<E\nimport json\nE"), "json.py", TRUE },
  { "module-cd", "mkdir sub" HOOK ("cd sub && python3 -m x"), "sub/json.py", TRUE },
  { "module-lines", "printf '{\"command\": \"python3\",\n\"args\": [\n\"-m\",\n\"pkg.srv\"]}' >.mcp.json", "json.py", TRUE },
  { "module-message", "true" HOOK ("git commit -m x"), "json.py", FALSE },
  { "perl-folder", "mkdir lib" HOOK ("perl -Ilib x.pl"), "lib/strict.pm", TRUE },
  { "perl-folder-apart", "mkdir lib" HOOK ("perl -w -I lib x.pl"), "lib/strict.pm", TRUE },
  { "ruby-required", FILE_AT ("hook.rb") HOOK ("ruby -r./hook -e 1"), "hook.rb", TRUE },
  { "node-required", FILE_AT ("tools/h") HOOK ("node --require ./tools/h x.js"), "tools/h", TRUE },
  { "node-imported", FILE_AT ("tools/h.mjs") HOOK ("node --import=./tools/h.mjs x.js"), "tools/h.mjs", TRUE },
  { "node-folder", FILE_AT ("tools/x/h.js") HOOK ("node tools"), "tools/x/h.js", TRUE },
  { "go-run", FILE_AT ("tools/gen/main.go") HOOK ("go run ./tools/gen"), "tools/gen/main.go", TRUE },
  { "deno-run", FILE_AT ("tools/x") HOOK ("deno run -A tools/x"), "tools/x", TRUE },
  { "bun-preload", FILE_AT ("tools/x") HOOK ("bun --preload tools/x run y"), "tools/x", TRUE },
  { "tsx-watch", FILE_AT ("tools/x") HOOK ("npx tsx tools/x"), "tools/x", TRUE },
  { "link-other", "mkdir -p pkg x; ln -s ../x pkg/docs", "x/y", FALSE },
};

static gboolean
has_head (const char *folder, gpointer top)
{
  g_autofree char *head = g_build_filename (top, folder, "HEAD", NULL);

  return g_file_test (head, G_FILE_TEST_EXISTS);
}

static gboolean
is_in (const char *folder, const char *path)
{
  g_autofree char *why = beckon_runner_why (folder, path, NULL);

  /* A program counts as one even if nothing names it: see test-runners.c. */
  g_test_message ("%s by a tool: %s", path, why);
  return why != NULL && strstr (why, "program of this repository") == NULL;
}

/* A command makes a file that can be run where one was. */
static gboolean
is_target_of (BeckonRunners *runners, const char *folder, const char *path)
{
  g_autofree char *whole = g_build_filename (folder, path, NULL);
  BeckonRunnerChange change = { .mode_after = S_IFREG | (g_file_test (whole, G_FILE_TEST_IS_EXECUTABLE) ? 0755 : 0644) };
  g_autofree char *why = beckon_runners_why (runners, path, has_head, (gpointer) folder, &change);

  g_test_message ("%s by a command: %s", path, why);
  return why != NULL;
}

static gboolean
is_target (const char *folder, const char *path)
{
  g_autoptr (BeckonRunners) runners = beckon_runners_new (folder, BECKON_RUNNERS_MAX_ENTRIES);

  return is_target_of (runners, folder, path);
}

/* Both for a command and for a file tool. */
static void
test_case (gconstpointer data)
{
  const Case *this = data;
  g_autofree char *folder = g_dir_make_tmp ("beckon-targets-XXXXXX", NULL);
  g_autofree char *line = g_strdup_printf ("cd '%s' && git init -q . && { %s; }", folder, this->line);
  g_autofree char *removal = g_strdup_printf ("rm -rf '%s'", folder);

  g_assert_cmpint (system (line), ==, 0);
  g_assert_cmpint (is_target (folder, this->path), ==, this->is_trigger);
  g_assert_cmpint (is_in (folder, this->path), ==, this->is_trigger);
  g_assert_cmpint (system (removal), ==, 0);
}

/* Programs that Beckon runs itself, named in every way that a person may choose; both for a command and for a file tool. */
static void
test_own (void)
{
  static const struct
  {
    const char *command; /* {}: the folder, which is "project" in the home */
    const char *path;
    gboolean is_target;
  } own_cases[] = {
    { "{}/bin/key.sh", "bin/key.sh", TRUE },
    { "{}/bin/key.sh", "bin/other.sh", FALSE },
    { "{}/bin/key.sh", "bin", FALSE },
    { "{}/bin/../bin/./key.sh", "bin/key.sh", TRUE },
    { "~/project/bin/key.sh", "bin/key.sh", TRUE },
    { "project/bin/key.sh", "bin/key.sh", TRUE },
    { "python3\nproject/key.py", "key.py", TRUE },
    { "env\nA=1\nprog\n--config={}/key file.json", "key file.json", TRUE },
    { "curl\n-d\n@{}/body", "body", TRUE },
    { "sh\n-c\nexec \"$HOME/project/key.sh\" | head -1", "key.sh", TRUE },
    { "sh\n-c\ncd ~ && project/key.sh", "key.sh", TRUE },
    { "sh\n-c\ncd {}/sub && ./key.sh", "sub/key.sh", TRUE },
    { "sh\n-c\ncd {}/sub && ./key.sh", "key.sh", FALSE },
    { "sh\n-c\ncd $UNKNOWN && print", "sub/other", FALSE },
    { "make\n-C\n{}\nkey", "Makefile", TRUE },
    { "make\n-C\nproject\nkey", "Makefile", TRUE },
    { "pass\nshow\nproject", "Makefile", FALSE },
    { "pass\nshow\n/", "Makefile", FALSE },
    { "print-key", "tools/print-key", TRUE },
    { "nice\nprint-key", "tools/print-key", TRUE },
    { "print-key", "print-key", FALSE },
    { "/usr/bin/key", "usr/bin/key", FALSE },
    { "~/by-link", "sub/real.sh", TRUE },
    { "~/by-link", "link", TRUE },
    { "{}/link/real.sh", "link", TRUE },
    { "{}/link/real.sh", "sub/real.sh", TRUE },
    { "{}/loop/x", "loop", TRUE },
  };
  /* Servers, which are started in the folder. */
  static const struct
  {
    const char *command;
    const char *path;
    gboolean is_target;
  } server_cases[] = {
    { "python3\n{}/server", "server/__main__.py", TRUE },
    { "python3\n{}/server", "server/deep/helper.py", TRUE },
    { "python3\n{}/server", "lib/x.js", FALSE },
    { "env\nPYTHONPATH={}/src\npython3\n-m\npkg", "src/pkg/__main__.py", TRUE },
    { "env\nPYTHONPATH=/usr/share:{}/src\npython3\n-m\npkg", "src/pkg/__main__.py", TRUE },
    { "python3\n-m\npkg", "pkg/core.py", TRUE },
    { "npm\nstart", "lib/s.js", TRUE },
    { "npm\nstart", "package.json", TRUE },
    { "npm\nstart", "tools/new.sh", TRUE },
    { "npm\nstart", "notes.md", FALSE },
    { "sh\n-c\nD={}/lib; exec node $D/x.js", "lib/x.js", TRUE },
    { "node\n{}/lib", "lib/index.js", TRUE },
    { "uv\nrun\nsrv", "src/pkg/core.py", TRUE },
    { "uv\nrun\n--directory\n{}\nsrv", "pyproject.toml", TRUE },
    { "npx\n-y\nmy-server", "node_modules/.bin/my-server", TRUE },
    { "npx\n-y\nmy-server", "lib/x.js", FALSE },
    { "go\nrun\n./cmd", "cmd/main.go", TRUE },
    { "npx\n-y\nserver-of-files\n{}", "lib/x.js", FALSE },
    { "server\n--root={}/lib", "lib/x.js", FALSE },
    { "node\n--env-file={}/.conf\n{}/lib/x.js", ".conf", TRUE },
    { "perl\n-I{}/lib\n/usr/bin/x", "lib/x.pm", TRUE },
    { "python3\n/usr/bin/x\nPYTHONPATH=/usr/share:{}/lib:{}/src", "lib/x.py", TRUE },
    { "python3\n/usr/bin/x\nPYTHONPATH=/usr/share:{}/lib:{}/src", "src/x.py", TRUE },
    { "python3\n/usr/bin/x\nPYTHONPATH=src", "src/x.py", TRUE },
    { "python3\n/usr/bin/x\nPYTHONPATH=/usr/share:{}/lib", "src/x.py", FALSE },
    { "node\n/usr/bin/x\nNODE_OPTIONS=--no-warnings --require ./sub/h", "sub/h.js", TRUE },
    { "node\n/usr/bin/x\nNODE_OPTIONS=--import=file://{}/sub/h.mjs", "sub/h.mjs", TRUE },
    { "ruby\n/usr/bin/x\nRUBYOPT=-r./sub/h", "sub/h.rb", TRUE },
    { "bash\n/usr/bin/x\nBASH_ENV={}/my env", "my env", TRUE },
    { "node\n/usr/bin/x\nDATA_DIR={}/data", "data/x.txt", FALSE },
    { "node\n{}/sub/h", "sub/h.js", TRUE },
  };
  const char *home = g_get_home_dir ();
  g_autofree char *folder = g_build_filename (home, "project", NULL);
  g_autofree char *line = g_strdup_printf ("mkdir -p '%s/sub' '%s/tools' && cd '%s' && ln -s sub link && ln -s loop loop && "
                                           "echo x >sub/real.sh && touch sub/h.js sub/h.rb && ln -s project/link/real.sh ../by-link && mkdir server lib src cmd data && "
                                           "echo '{\"scripts\":{\"start\":\"node lib/s.js\"}}' >package.json",
                                           folder, folder, folder);
  g_autofree char *path = g_strdup_printf ("%s/tools:%s", folder, g_getenv ("PATH"));

  g_assert_cmpint (system (line), ==, 0);
  g_setenv ("PATH", path, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (own_cases); i++)
    {
      g_autoptr (GString) command = g_string_new (own_cases[i].command);
      g_auto (GStrv) argv = NULL;
      BeckonRunnerProgram programs[] = { { .argv = (const char *const[]){ "/usr/bin/true", NULL } }, { 0 } };

      g_string_replace (command, "{}", folder, 0);
      argv = g_strsplit (command->str, "\n", -1);
      programs[1].argv = (const char *const *) argv;
      g_test_message ("%s: %s", own_cases[i].command, own_cases[i].path);
      beckon_runners_set_programs (programs, 2);
      g_assert_cmpint (is_target (folder, own_cases[i].path), ==, own_cases[i].is_target);
      g_assert_cmpint (is_in (folder, own_cases[i].path), ==, own_cases[i].is_target);
    }
  for (guint i = 0; i < G_N_ELEMENTS (server_cases); i++)
    {
      g_autoptr (GString) command = g_string_new (server_cases[i].command);
      g_auto (GStrv) argv = NULL;
      BeckonRunnerProgram program = { .server = "s", .folder = folder };

      g_string_replace (command, "{}", folder, 0);
      argv = g_strsplit (command->str, "\n", -1);
      program.argv = (const char *const *) argv;
      g_test_message ("%s: %s", server_cases[i].command, server_cases[i].path);
      beckon_runners_set_programs (&program, 1);
      g_assert_cmpint (is_target (folder, server_cases[i].path), ==, server_cases[i].is_target);
      g_assert_cmpint (is_in (folder, server_cases[i].path), ==, server_cases[i].is_target);
    }
  beckon_runners_set_programs (NULL, 0);
}

/* In a folder of more names than are read all waits that may be run; a file tool reads as much as is read for a command, so that
 * files without a meaning do not hide what has one. */
static void
test_bounds (void)
{
  g_autofree char *folder = g_dir_make_tmp ("beckon-targets-XXXXXX", NULL);
  g_autofree char *line
      = g_strdup_printf ("cd '%s' && mkdir many many/below && (cd many && seq 1 5000 | xargs touch) && git init -q many/below && "
                         "git -C many/below config core.hooksPath h && mkdir -p zz/y && ln -s ../x zz/.vscode && echo x >zz/run && "
                         "chmod +x zz/run && echo x >zz/text",
                         folder);
  g_autofree char *removal = g_strdup_printf ("rm -rf '%s'", folder);
  g_autoptr (BeckonRunners) none = NULL;
  g_autoptr (BeckonRunners) all = NULL;

  g_assert_cmpint (system (line), ==, 0);
  none = beckon_runners_new (folder, 3);
  g_assert_true (is_target_of (none, folder, "zz/text"));
  g_assert_true (is_target_of (none, folder, "zz/run"));
  beckon_runners_look_above (none, "many/below/h/x");
  g_assert_true (is_target_of (none, folder, "many/below/h/x"));
  all = beckon_runners_new (folder, BECKON_RUNNERS_MAX_ENTRIES);
  g_assert_false (is_target_of (all, folder, "zz/run"));
  g_assert_false (is_in (folder, "zz/run"));
  g_assert_false (is_in (folder, "zz/text"));
  g_assert_true (is_target (folder, "many/below/h/x"));
  g_assert_true (is_in (folder, "many/below/h/x"));
  g_assert_true (is_target (folder, "x/tasks.json"));
  g_assert_cmpint (system (removal), ==, 0);
}

/* The folder that is worked in is a part of the repository. */
static void
test_above (void)
{
  static const struct
  {
    const char *path;
    gboolean is_trigger;
  } paths[] = {
    { "hooks/post-index-change", TRUE }, { "conf", TRUE }, { "deep/tool", TRUE }, { "src/x", FALSE }, { "tool", FALSE },
  };
  g_autofree char *top = g_dir_make_tmp ("beckon-targets-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (top, "a", "sub", NULL);
  g_autofree char *line = g_strdup_printf ("cd '%s' && git init -q . && mkdir -p a/sub/deep && git config core.hooksPath a/sub/hooks && "
                                           "git config include.path ../a/sub/conf && git config core.fsmonitor a/sub/deep/tool",
                                           top);
  g_autofree char *removal = g_strdup_printf ("rm -rf '%s'", top);

  g_assert_cmpint (system (line), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_assert_cmpint (is_target (folder, paths[i].path), ==, paths[i].is_trigger);
      g_assert_cmpint (is_in (folder, paths[i].path), ==, paths[i].is_trigger);
    }
  g_assert_cmpint (system (removal), ==, 0);
}

/* The configuration of whoever runs this is none of its business. */
static char *
make_home (void)
{
  char *home = g_dir_make_tmp ("beckon-home-XXXXXX", NULL);
  g_autofree char *line = g_strdup_printf ("cd '%s' && mkdir -p config/git && git config -f .gitconfig core.hooksPath .own-hooks && "
                                           "git config -f config/git/config include.path ../more && "
                                           "git config -f config/more alias.own '!./tools/own'",
                                           home);
  g_autofree char *config = g_build_filename (home, "config", NULL);

  g_assert_cmpint (system (line), ==, 0);
  g_setenv ("HOME", home, TRUE);
  g_setenv ("XDG_CONFIG_HOME", config, TRUE);
  return home;
}

int
main (int argc, char **argv)
{
  g_autofree char *home = make_home ();
  g_autofree char *removal = g_strdup_printf ("rm -rf '%s'", home);
  int status;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/runner-targets/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/runner-targets/above-folder", test_above);
  g_test_add_func ("/runner-targets/bounds", test_bounds);
  g_test_add_func ("/runner-targets/key-command", test_own);
  status = g_test_run ();
  return system (removal) == 0 ? status : 1;
}
