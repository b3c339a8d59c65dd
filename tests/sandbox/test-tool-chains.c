/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tool chains of programmers, in the sandbox as the tool sets it up, with nothing from the network. Missing ones are skipped,
 * counted. And a home with secrets in it, of which nothing is seen. */

#include "beckon-start.h"
#include "beckon-tree.h"
#include "sandbox/beckon-sandbox.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static gboolean is_possible;

typedef struct
{
  const char *path;
  const char *program; /* which the system or a tool chain has to have */
  const char *script;
  const char *expected;
} Case;

typedef struct
{
  char *root;
  char *folder;
  char *home;
  char *said;
  int status;
} Fixture;

#define NODE_SERVER                                                                                                   \
  "const http = require ('http'); const server = http.createServer ((request, reply) => reply.end ('hello'));"         \
  "server.listen (0, '127.0.0.1', async () => { const reply = await fetch ('http://localhost:' + server.address ().port);" \
  "console.log (await reply.text ()); server.close () });"

#define WASM                                                                                                          \
  "const code = new Uint8Array ([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, "   \
  "10, 6, 1, 4, 0, 65, 42, 11]); WebAssembly.instantiate (code).then (m => console.log (m.instance.exports.f ()));"       \
  "new WebAssembly.Memory ({ initial: 10, maximum: 65536 });"

#define WHEEL                                                                                                         \
  "import zipfile, hashlib, base64\n"                                                                                 \
  "w = zipfile.ZipFile ('hello-1.0-py3-none-any.whl', 'w')\n"                                                         \
  "files = {'hello.py': 'print (\"installed\")\\n', 'hello-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\\nName: hello\\n" \
  "Version: 1.0\\n', 'hello-1.0.dist-info/WHEEL': 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: " \
  "py3-none-any\\n'}\n"                                                                                               \
  "record = ''\n"                                                                                                     \
  "for name, text in files.items ():\n"                                                                               \
  "  w.writestr (name, text)\n"                                                                                       \
  "  record += '%s,sha256=%s,%d\\n' % (name, base64.urlsafe_b64encode (hashlib.sha256 (text.encode ()).digest ()).rstrip (b'=')" \
  ".decode (), len (text))\n"                                                                                         \
  "w.writestr ('hello-1.0.dist-info/RECORD', record + 'hello-1.0.dist-info/RECORD,,\\n')\n"                           \
  "w.close ()\n"

static const Case cases[] = {
  { "/chains/node-fetch", "node", "cat > x.js <<'END'\n" NODE_SERVER "\nEND\nnode x.js", "hello\n" },
  { "/chains/node-wasm", "node", "cat > x.js <<'END'\n" WASM "\nEND\nnode x.js", "42\n" },
  { "/chains/npm-test", "npm",
    "echo '{\"name\":\"x\",\"version\":\"1.0.0\",\"scripts\":{\"test\":\"node -e \\\"console.log (6 * 7)\\\"\"}}' > package.json; "
    "npm test",
    "42\n" },
  { "/chains/python-venv", "python3",
    "python3 -c 'import ensurepip, venv' 2>/dev/null || { echo absent; exit 0; }\n"
    "cat > wheel.py <<'END'\n" WHEEL "END\npython3 wheel.py && python3 -m venv v && v/bin/pip install -q --no-index "
    "--disable-pip-version-check ./hello-1.0-py3-none-any.whl && v/bin/python -m hello",
    "installed\n" },
  { "/chains/gcc-asan", "gcc",
    "printf '#include <stdlib.h>\\nint main (void) { char *x = malloc (8); free (x); return x[0]; }' > x.c; "
    "gcc -g -fsanitize=address x.c -o x || { echo absent; exit 0; }; ASAN_OPTIONS=detect_leaks=0 ./x",
    "heap-use-after-free" },
  { "/chains/cmake", "cmake",
    "printf 'cmake_minimum_required (VERSION 3.10)\\nproject (x C)\\nadd_executable (x x.c)\\n' > CMakeLists.txt; "
    "printf '#include <stdio.h>\\nint main (void) { puts (\"built\"); return 0; }' > x.c; "
    "cmake -B b . >/dev/null && cmake --build b >/dev/null && b/x",
    "built\n" },
  { "/chains/meson", "meson",
    "printf \"project ('x', 'c')\\nexecutable ('x', 'x.c')\\n\" > meson.build; "
    "printf '#include <stdio.h>\\nint main (void) { puts (\"built\"); return 0; }' > x.c; "
    "meson setup b >/dev/null && ninja -C b >/dev/null && b/x",
    "built\n" },
  { "/chains/java", "javac",
    "printf 'class X { public static void main (String[] a) { System.out.println (6 * 7); } }' > X.java; "
    "javac X.java && java X",
    "42\n" },
  { "/chains/maven", "mvn",
    "printf '<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>"
    "<packaging>pom</packaging></project>' > pom.xml; mvn -o -q -B validate && mvn -v",
    "Apache Maven" },
  { "/chains/cargo", "cargo",
    "mkdir -p src && printf '[package]\\nname = \"x\"\\nversion = \"0.1.0\"\\nedition = \"2021\"\\n' > Cargo.toml; "
    "printf 'fn main () { println! (\"{}\", 6 * 7); }' > src/main.rs; cargo build --offline -q && target/debug/x",
    "42\n" },
  { "/chains/go", "go",
    "printf 'module x\\n' > go.mod; printf 'package main\\nimport \"fmt\"\\nfunc main () { fmt.Println (6 * 7) }\\n' > x.go; "
    "go build -o x . && ./x",
    "42\n" },
  { "/chains/make", "make",
    "printf 'all: $(shell seq 1 60)\\n\\techo made\\n%%::\\n\\t@python3 -c \"x = bytearray (1 << 20)\"\\n' > Makefile; "
    "make -j 16",
    "made\n" },
};

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  *slot = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  gint64 deadline = g_get_monotonic_time () + 120 * G_USEC_PER_SEC;

  while (*result == NULL && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (*result);
  return *result;
}

static gboolean
on_tick (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("beckon-chains-XXXXXX", NULL);

  fixture->root = realpath (made, NULL);
  fixture->folder = g_build_filename (fixture->root, "work", NULL);
  fixture->home = g_build_filename (fixture->root, "home", NULL);
  g_assert_cmpint (g_mkdir (fixture->folder, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (fixture->home, 0700), ==, 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_tree_remove (fixture->root);
  g_free (fixture->root);
  g_free (fixture->folder);
  g_free (fixture->home);
  g_free (fixture->said);
}

/* As the tool does. */
static void
run_in (Fixture *fixture, const char *home, const char *const *names, const char *script)
{
  const char *argv[] = { "sh", "-c", script, NULL };
  BeckonSandboxOptions options = { .folder = fixture->folder };
  g_autoptr (BeckonToolChainView) view
    = beckon_tool_chains_look (home != NULL ? home : g_get_home_dir (), names, fixture->folder, FALSE);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonJob) job = NULL;

  options.tool_chains = view;
  job = beckon_start (argv, &options, &error);
  g_assert_no_error (error);
  beckon_job_wait_async (job, NULL, on_done, &result);
  g_assert_true (beckon_job_wait_finish (job, wait_for (&result), &error));
  g_free (fixture->said);
  fixture->said = beckon_output_get_text (beckon_job_get_output (job));
  fixture->status = beckon_job_get_status (job);
  g_test_message ("%s\n-> %d %.2000s", script, fixture->status, fixture->said);
}

static void
test_case (Fixture *fixture, gconstpointer data)
{
  static const char *const all[]
      = { "rust", "go", "nvm", "fnm", "volta", "pyenv", "sdkman", "rbenv", "asdf", "mise", "conda", NULL };
  const Case *one = data;
  g_autofree char *program = g_find_program_in_path (one->program);

  if (!is_possible)
    {
      g_test_skip ("there is no working bubblewrap here");
      return;
    }
  if (program != NULL)
    run_in (fixture, NULL, all, one->script);
  if (program == NULL || g_str_equal (fixture->said, "absent\n"))
    {
      g_test_skip ("it is not installed here");
      return;
    }
  g_assert_nonnull (strstr (fixture->said, one->expected));
}

static void
put (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->home, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

/* Programs run, and nothing that is kept beside them is there: not by its name, and not by a link. */
static void
test_secrets (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "rust", "pyenv", "nvm", "local", "sdkman", NULL };
  static const char *const secrets[]
      = { ".cargo/credentials.toml", ".cargo/credentials", ".cargo/config.toml", ".pyenv/.git/config", ".pyenv/versions/3/pip.conf",
          ".nvm/versions/node/v9/etc/npmrc", ".nvm/.git/config", ".npmrc", ".ssh/id_rsa", ".cargo/registry/x/.netrc",
          ".config/gh/hosts.yml", ".local/share/keyrings/login", ".nvm/versions/node/v9/credentials.json" };
  g_autofree char *link = g_build_filename (fixture->home, ".pyenv", "shims", NULL);
  g_autofree char *ssh = g_build_filename (fixture->home, ".ssh", NULL);
  g_autofree char *look = g_strdup_printf ("grep -rs canary '%s'; cat '%s/id_rsa'; ls -A '%s'; grep -rs canary /tmp", fixture->home,
                                           link, fixture->home);
  g_autoptr (GPtrArray) found = NULL;

  if (!is_possible)
    {
      g_test_skip ("there is no working bubblewrap here");
      return;
    }

  for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
    put (fixture, secrets[i], "canary\n");
  put (fixture, ".cargo/bin/my-cargo", "#!/bin/sh\necho cargo runs\n");
  put (fixture, ".pyenv/bin/my-python", "#!/bin/sh\necho python runs in $PYENV_ROOT\n");
  put (fixture, ".nvm/versions/node/v9/bin/my-node", "#!/bin/sh\necho node 9 runs\n");
  put (fixture, ".nvm/versions/node/v10/bin/my-node", "#!/bin/sh\necho node 10 runs\n");
  put (fixture, ".local/bin/mine", "#!/bin/sh\necho mine runs\n");
  put (fixture, ".sdkman/candidates/java/current/bin/my-java", "#!/bin/sh\necho java runs\n");
  put (fixture, ".sdkman/candidates/maven/current/bin/my-maven", "#!/bin/sh\necho maven runs\n");
  g_assert_cmpint (symlink (ssh, link), ==, 0);

  run_in (fixture, fixture->home, names, look);
  g_assert_null (strstr (fixture->said, "canary"));
  g_assert_null (strstr (fixture->said, ".ssh\n"));
  run_in (fixture, fixture->home, names, "my-cargo; my-python; my-node; mine; my-java; my-maven");
  g_assert_true (g_str_has_prefix (fixture->said, "cargo runs\npython runs in /"));
  g_assert_true (g_str_has_suffix (fixture->said, "node 10 runs\nmine runs\njava runs\nmaven runs\n"));
  run_in (fixture, fixture->home, names, "touch \"$PYENV_ROOT/bin/x\" || echo x > \"$PYENV_ROOT/bin/my-python\" || echo sealed");
  g_assert_true (g_str_has_suffix (fixture->said, "sealed\n"));
  found = beckon_tool_chains_find (fixture->home);
  g_assert_cmpuint (found->len, ==, 5);
  g_assert_cmpstr (((BeckonToolChain *) g_ptr_array_index (found, 0))->name, ==, "rust");
}

/* A folder with more of them than can be covered is not shown at all; the others are. */
static void
test_many_secrets (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "pyenv", "deno", NULL };
  g_autofree char *look = g_strdup_printf ("grep -rs canary '%s'; ok", fixture->home);

  if (!is_possible)
    {
      g_test_skip ("there is no working bubblewrap here");
      return;
    }

  for (guint i = 0; i < 250; i++)
    {
      g_autofree char *name = g_strdup_printf (".pyenv/versions/%u/.netrc", i);

      put (fixture, name, "canary\n");
    }
  put (fixture, ".deno/bin/ok", "#!/bin/sh\necho deno runs\n");
  run_in (fixture, fixture->home, names, look);
  g_assert_cmpstr (fixture->said, ==, "deno runs\n");
}

/* A command that works on a tool chain could put links there, for the next command. */
static void
test_own_folder (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "pyenv", NULL };
  g_autofree char *outside = g_build_filename (fixture->home, "outside", NULL);
  g_autofree char *link = NULL;
  g_autofree char *look = g_strdup_printf ("ls '%s/.pyenv/versions' '%s'; grep -rs canary '%s'", fixture->home, fixture->home,
                                           fixture->home);

  if (!is_possible)
    {
      g_test_skip ("there is no working bubblewrap here");
      return;
    }

  put (fixture, "outside/secret", "canary\n");
  put (fixture, ".pyenv/bin/x", "x\n");
  link = g_build_filename (fixture->home, ".pyenv", "versions", NULL);
  g_assert_cmpint (symlink (outside, link), ==, 0);
  run_in (fixture, fixture->home, names, look);
  g_assert_null (strstr (fixture->said, "canary"));
  g_assert_null (strstr (fixture->said, "secret"));

  g_free (fixture->folder);
  fixture->folder = g_build_filename (fixture->home, ".pyenv", NULL);
  run_in (fixture, fixture->home, names, "echo $PYENV_ROOT; touch new && echo made");
  g_assert_cmpstr (fixture->said, ==, "\nmade\n");
}

static void
probe (void)
{
  g_autoptr (GAsyncResult) result = NULL;

  beckon_sandbox_probe_async (NULL, on_done, &result);
  is_possible = beckon_sandbox_probe_finish (wait_for (&result), NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_timeout_add (20, on_tick, NULL);
  probe ();
  g_test_add ("/chains/secrets", Fixture, NULL, set_up, test_secrets, tear_down);
  g_test_add ("/chains/many-secrets", Fixture, NULL, set_up, test_many_secrets, tear_down);
  g_test_add ("/chains/own-folder", Fixture, NULL, set_up, test_own_folder, tear_down);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add (cases[i].path, Fixture, &cases[i], set_up, test_case, tear_down);
  return g_test_run ();
}
