/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reading instructions, skills and commands of a folder: front matter, and files that are not what they seem. */

#include "base/beckon-error.h"
#include "sandbox/beckon-placeholder.h"
#include "tools/beckon-command-template.h"
#include "tools/beckon-extras-reader.h"
#include "tools/beckon-front-matter.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Front matter -------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *text;
  const char *name;
  const char *description;
  const char *body;
} good[] = {
  { "no matter\n", NULL, NULL, "no matter\n" },
  { "", NULL, NULL, "" },
  { "---\nname: pdf\ndescription: Reads PDFs: all of them\n---\nBody\n", "pdf", "Reads PDFs: all of them", "Body\n" },
  { "---\nname: \"a \\\"b\\\"\"\ndescription: 'it''s'\n---\n", "a \"b\"", "it's", "" },
  { "---\ndescription: >-\n  folded\n  lines\n\n  more\nname: x\n---\n\n\nBody", "x", "folded lines\nmore", "Body" },
  { "---\ndescription: |\n  two\n  lines\n---\nBody", NULL, "two\nlines", "Body" },
  { "---\ndescription: plain\n  goes on # and a comment\n---\n", NULL, "plain goes on", "" },
  { "---\n# comment\nlicense: MIT\nmetadata:\n  author: x\n  list:\n    - a\ntags:\n- one\n- two\nname: y\n---\nB", "y", NULL, "B" },
  { "---\nname: z\n---", "z", NULL, "" },
};

static void
test_good (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_auto (BeckonFrontMatter) matter = { 0 };
      g_autoptr (GError) error = NULL;

      if (!beckon_front_matter_read (good[i].text, &matter, &error))
        g_error ("%u: %s", i, error->message);
      g_assert_cmpstr (matter.name, ==, good[i].name);
      g_assert_cmpstr (matter.description, ==, good[i].description);
      g_assert_cmpstr (matter.body, ==, good[i].body);
    }
}

static const char *const bad[] = {
  "---\nname: x\n",
  "---\nname: x\nname: y\n---\n",
  "---\nname: [a, b]\n---\n",
  "---\nname: {a: b}\n---\n",
  "---\nname: &anchor x\n---\n",
  "---\nname: *alias\n---\n",
  "---\nname: !tag x\n---\n",
  "---\nname: \"not closed\n---\n",
  "---\nname: \"closed\" and more\n---\n",
  "---\nname:\n  - list\n---\n",
  "---\n  name: indented\n---\n",
  "---\njust words\n---\n",
  "---\nname:x\n---\n",
  "---\ndescription: >2\n  x\n---\n",
};

static void
test_bad (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_auto (BeckonFrontMatter) matter = { 0 };
      g_autoptr (GError) error = NULL;

      if (beckon_front_matter_read (bad[i], &matter, &error))
        g_error ("%u is taken: %s", i, bad[i]);
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
      g_assert_true (g_str_has_prefix (error->message, "Line "));
    }
}

static const struct
{
  const char *message;
  const char *template;
  const char *expected; /* (nullable): the message is no command */
} commands[] = {
  { "/fix", "Fix it.\n", "Fix it." },
  { "/fix 3 now", "Fix it.\n", "Fix it.\n\n3 now" },
  { "/fix  3 now", "Fix $ARGUMENTS, or $2 then $1.", "Fix 3 now, or now then 3." },
  { "/fix 'a b' c", "<$1> <$2> <$3>", "<a b> <c> <>" },
  { "/fix 'a b", "<$1> <$2>", "<'a> <b>" },
  { "/fix $1 $ARGUMENTS", "[$ARGUMENTS] [$1]", "[$1 $ARGUMENTS] [$1]" },
  { "/fix x", "costs $10 and $ARGUMENTSX", "costs $10 and $ARGUMENTSX\n\nx" },
  { "/etc/passwd is a file", "no", NULL },
  { "/", "no", NULL },
  { "fix", "no", NULL },
  { " /fix", "no", NULL },
};

static void
test_commands (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      const char *arguments = NULL;
      g_autofree char *name = beckon_command_template_split (commands[i].message, &arguments);
      g_autofree char *text = NULL;

      g_assert_cmpstr (name, ==, commands[i].expected != NULL ? "fix" : NULL);
      if (name == NULL)
        continue;
      text = beckon_command_template_expand (commands[i].template, arguments);
      g_assert_cmpstr (text, ==, commands[i].expected);
    }
}

/* --- A folder ------------------------------------------------------------------------------------------------------ */

static char *
make_folder (void)
{
  return g_dir_make_tmp ("beckon-extras-XXXXXX", NULL);
}

static void
put (const char *folder, const char *path, const char *text, gssize length)
{
  g_autofree char *full = g_build_filename (folder, path, NULL);
  g_autofree char *parent = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  g_assert_true (g_file_set_contents (full, text, length, NULL));
}

static BeckonFolderExtras *
read_folder (const char *folder)
{
  g_autoptr (GError) error = NULL;
  BeckonFolderExtras *extras = beckon_extras_read (folder, &error);

  g_assert_no_error (error);
  return extras;
}

/* Each as "path text", or "path !" for a fault. */
static void
assert_brings (const char *folder, const char *expected)
{
  g_autoptr (BeckonFolderExtras) extras = read_folder (folder);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < beckon_folder_extras_get_n (extras); i++)
    {
      const BeckonFolderExtra *extra = beckon_folder_extras_get (extras, i);

      g_string_append_printf (text, "%s%s %s", i > 0 ? "\n" : "", extra->path, extra->fault != NULL ? "!" : extra->text);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_places (void)
{
  g_autofree char *root = make_folder ();
  g_autofree char *below = g_build_filename (root, "a", "b", NULL);

  assert_brings (root, "");
  put (root, ".git/HEAD", "x", -1);
  put (root, "AGENTS.md", "root", -1);
  put (root, "CLAUDE.md", "not read", -1);
  put (root, "a/CLAUDE.md", "a", -1);
  put (root, "a/b/AGENTS.md", "b", -1);
  put (root, "a/b/c/AGENTS.md", "below", -1);
  assert_brings (below, "AGENTS.md root\na/CLAUDE.md a\na/b/AGENTS.md b");
  /* A repository of its own ends the way up. */
  put (root, "a/b/.git", "gitdir: elsewhere", -1);
  assert_brings (below, "AGENTS.md b");
}

static void
test_forms (void)
{
  g_autofree char *root = make_folder ();
  g_autofree char *long_text = g_strnfill (BECKON_EXTRAS_MAX_INSTRUCTIONS - 1, 'x');
  g_autofree char *cut = g_strconcat (long_text, "é and more", NULL);

  put (root, "AGENTS.md", "\xEF\xBB\xBFone\r\ntwo\rthree", -1);
  assert_brings (root, "AGENTS.md one\ntwo\nthree");
  put (root, "AGENTS.md", "bin\0ary", 7);
  assert_brings (root, "AGENTS.md !");
  put (root, "AGENTS.md", "not \xff UTF-8", -1);
  assert_brings (root, "AGENTS.md !");
  put (root, "AGENTS.md", "", 0);
  assert_brings (root, "AGENTS.md ");
  put (root, "AGENTS.md", cut, -1);
  {
    g_autoptr (BeckonFolderExtras) extras = read_folder (root);
    const BeckonFolderExtra *extra = beckon_folder_extras_get (extras, 0);
    g_autofree char *prompt = beckon_folder_extras_dup_instructions (extras);

    g_assert_true (extra->is_cut);
    g_assert_cmpstr (extra->text, ==, long_text);
    g_assert_cmpuint (extra->size, ==, strlen (cut));
    g_assert_nonnull (strstr (prompt, "AGENTS.md is longer"));
  }
}

/* A FIFO blocks nobody, and a link that leads out is not followed. */
static void
test_odd_files (void)
{
  g_autofree char *root = make_folder ();
  g_autofree char *other = make_folder ();
  g_autofree char *file = g_build_filename (root, "AGENTS.md", NULL);
  g_autofree char *secret = g_build_filename (other, "secret", NULL);

  put (other, "secret", "secret", -1);
  put (root, "docs/real.md", "real", -1);
  g_assert_cmpint (symlink (secret, file), ==, 0);
  assert_brings (root, "AGENTS.md !");
  g_unlink (file);
  g_assert_cmpint (symlink ("docs/real.md", file), ==, 0);
  assert_brings (root, "AGENTS.md real");
  g_unlink (file);
  g_assert_cmpint (mkfifo (file, 0600), ==, 0);
  assert_brings (root, "AGENTS.md !");
  g_unlink (file);
  g_assert_cmpint (g_mkdir (file, 0700), ==, 0);
  assert_brings (root, "AGENTS.md !");
  g_rmdir (file);
  g_assert_cmpint (symlink ("/etc/passwd", file), ==, 0);
  assert_brings (root, "AGENTS.md !");
  g_unlink (file);
  g_assert_cmpint (symlink ("nothing", file), ==, 0);
  assert_brings (root, "");
  g_unlink (file);
  if (getuid () != 0)
    {
      put (root, "AGENTS.md", "closed", -1);
      g_assert_cmpint (g_chmod (file, 0), ==, 0);
      assert_brings (root, "AGENTS.md !");
    }
}

/* The nearest instructions have the room that there is for all. */
static void
test_room (void)
{
  g_autofree char *root = make_folder ();
  g_autofree char *text = g_strnfill (BECKON_EXTRAS_MAX_INSTRUCTIONS, 'x');
  g_autofree char *below = g_build_filename (root, "a", "b", NULL);
  g_autoptr (BeckonFolderExtras) extras = NULL;

  put (root, ".git/HEAD", "x", -1);
  put (root, "AGENTS.md", "cut whole", -1);
  put (root, "a/AGENTS.md", text, -1);
  put (root, "a/b/AGENTS.md", text, -1);
  extras = read_folder (below);
  g_assert_cmpuint (beckon_folder_extras_get_n (extras), ==, 3);
  g_assert_true (beckon_folder_extras_get (extras, 0)->is_cut);
  g_assert_cmpstr (beckon_folder_extras_get (extras, 0)->text, ==, "");
  g_assert_false (beckon_folder_extras_get (extras, 2)->is_cut);
}

static void
test_skills (void)
{
  static const char skill[] = "---\nname: pdf\ndescription: Reads PDFs.\n---\nDo this.\n";
  g_autofree char *root = make_folder ();
  g_autoptr (BeckonFolderExtras) extras = NULL;
  g_autoptr (BeckonFolderExtras) again = NULL;
  g_autofree char *json = NULL;
  g_autofree char *hash = NULL;
  g_autofree char *hash_again = NULL;
  const BeckonFolderExtra *found;

  put (root, ".agents/skills/pdf/SKILL.md", skill, -1);
  put (root, ".claude/skills/pdf-too/SKILL.md", skill, -1);
  put (root, ".claude/skills/mute/SKILL.md", "---\nname: mute\n---\n", -1);
  put (root, ".claude/skills/half/SKILL.md", "---\nname: half\n", -1);
  put (root, ".claude/skills/none/README.md", "no skill", -1);
  put (root, ".claude/commands/fix.md", "---\ndescription: Fixes.\n---\nFix $1.", -1);
  put (root, ".claude/commands/bad name.md", "x", -1);
  extras = read_folder (root);
  found = beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SKILL, "pdf");
  g_assert_nonnull (found);
  g_assert_cmpstr (found->path, ==, ".agents/skills/pdf/SKILL.md");
  g_assert_cmpstr (found->text, ==, skill);
  g_assert_null (beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SKILL, "mute"));
  g_assert_null (beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SKILL, "half"));
  g_assert_cmpstr (beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_COMMAND, "fix")->text, ==, "Fix $1.");
  g_assert_cmpuint (beckon_folder_extras_get_n (extras), ==, 6);

  json = beckon_folder_extras_to_json (extras);
  again = beckon_folder_extras_from_json (json, NULL);
  hash = beckon_folder_extras_dup_hash (extras);
  hash_again = beckon_folder_extras_dup_hash (again);
  g_assert_cmpstr (hash, ==, hash_again);
}

/* Changes are shown as lines; each change is another hash. */
static void
test_difference (void)
{
  g_autofree char *root = make_folder ();
  g_autoptr (BeckonFolderExtras) before = NULL;
  g_autoptr (BeckonFolderExtras) after = NULL;
  g_autofree char *difference = NULL;
  g_autofree char *same = NULL;
  g_autofree char *hash = NULL;
  g_autofree char *changed = NULL;

  put (root, "AGENTS.md", "one\ntwo\n", -1);
  before = read_folder (root);
  put (root, "AGENTS.md", "one\nthree\n", -1);
  put (root, ".agents/commands/new.md", "new", -1);
  after = read_folder (root);
  hash = beckon_folder_extras_dup_hash (before);
  changed = beckon_folder_extras_dup_hash (after);
  g_assert_cmpstr (hash, !=, changed);
  difference = beckon_folder_extras_dup_difference (before, beckon_folder_extras_get (after, 0));
  g_assert_nonnull (strstr (difference, "-two"));
  g_assert_nonnull (strstr (difference, "+three"));
  g_assert_null (beckon_folder_extras_dup_difference (before, beckon_folder_extras_get (after, 1)));
  same = beckon_folder_extras_dup_difference (before, beckon_folder_extras_get (before, 0));
  g_assert_cmpstr (same, ==, "");
}

/* Servers of the nearest file count, and those that can't be used say why. */
static void
test_servers (void)
{
  g_autofree char *root = make_folder ();
  g_autofree char *folder = g_build_filename (root, "sub", NULL);
  g_autoptr (BeckonFolderExtras) extras = NULL;
  g_autoptr (BeckonFolderExtras) after = NULL;
  g_autofree char *difference = NULL;
  g_autofree char *same = NULL;
  const BeckonFolderExtra *files, *web;

  put (root, ".git/HEAD", "", 0);
  put (root, ".mcp.json",
       "{\"mcpServers\": {\"files\": {\"command\": \"no\"}, // a comment\n"
       " \"web\": {\"url\": \"https://example.com/mcp\"}, \"key\": {\"command\": \"x\", \"env\": {\"K\": \"${K}\"}},"
       " \"none\": {}, \"a\\u202eb\": {\"command\": \"x\"}}}", -1);
  put (folder, ".mcp.json",
       "{\"mcpServers\": {\"files\": {\"command\": \"npx\", \"args\": [\"-y\", \"a b\"], \"env\": {\"A\": \"1\"}}}}", -1);
  extras = read_folder (folder);
  g_assert_cmpuint (beckon_folder_extras_get_n (extras), ==, 6);
  files = beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SERVER, "files");
  g_assert_cmpstr (files->path, ==, "sub/.mcp.json");
  g_assert_cmpstr (files->description, ==, "npx -y 'a b'");
  g_assert_cmpstr (files->text, ==, "{\n  \"command\": \"npx\",\n  \"args\": [\"-y\",\"a b\"],\n  \"env\": {\"A\":\"1\"}\n}");
  web = beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SERVER, "web");
  g_assert_cmpstr (web->description, ==, "https://example.com/mcp");
  g_assert_nonnull (beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SERVER, "key"));
  g_assert_null (beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SERVER, "none"));
  put (folder, ".mcp.json", "{\"mcpServers\": {\"files\": {\"command\": \"bunx\"}, \"other\": {\"command\": \"x\"}}}", -1);
  after = read_folder (folder);
  difference = beckon_folder_extras_dup_difference (extras, beckon_folder_extras_find (after, BECKON_FOLDER_EXTRA_SERVER, "files"));
  g_assert_nonnull (strstr (difference, "-  \"command\": \"npx\","));
  g_assert_nonnull (strstr (difference, "+  \"command\": \"bunx\""));
  g_assert_null (beckon_folder_extras_dup_difference (
      extras, beckon_folder_extras_find (after, BECKON_FOLDER_EXTRA_SERVER, "other")));
  same = beckon_folder_extras_dup_difference (extras, beckon_folder_extras_find (after, BECKON_FOLDER_EXTRA_SERVER, "web"));
  g_assert_cmpstr (same, ==, "");
  put (folder, ".mcp.json", "{", -1);
  g_clear_pointer (&after, beckon_folder_extras_unref);
  after = read_folder (folder);
  g_assert_nonnull (beckon_folder_extras_get (after, 0)->fault);
}

/* The card says what would be started, in whichever shape the file has it, and not an address beside it. */
static void
test_server_shapes (void)
{
  g_autofree char *root = make_folder ();
  g_autoptr (BeckonFolderExtras) extras = NULL;
  const BeckonFolderExtra *list, *object, *line, *other;

  put (root, ".git/HEAD", "", 0);
  put (root, ".mcp.json",
       "{\"mcpServers\": {\"both\": {\"command\": [\"sh\", \"-c\", \"id\"], \"url\": \"https://nice.example/mcp\"},"
       " \"list\": {\"command\": [\"sh\", \"-c\", \"id\"], \"args\": [1]},"
       " \"object\": {\"command\": {\"path\": \"sh\", \"args\": [\"-c\", \"id\"]}},"
       " \"line\": {\"command\": \"sh -c id\"},"
       " \"other\": {\"command\": null, \"serverUrl\": \"https://nice.example/mcp\"},"
       " \"odd\": {\"command\": 1, \"url\": null}}}", -1);
  extras = read_folder (root);
  g_assert_null (beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SERVER, "both"));
  g_assert_null (beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SERVER, "odd"));
  list = beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SERVER, "list");
  object = beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SERVER, "object");
  line = beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SERVER, "line");
  other = beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_SERVER, "other");
  g_assert_cmpstr (list->description, ==, "sh -c id 1");
  g_assert_cmpstr (object->description, ==, "sh -c id");
  g_assert_cmpstr (line->description, ==, "sh -c id");
  g_assert_cmpstr (other->description, ==, "https://nice.example/mcp");
}

/* A placeholder of a command makes no repository, and is no file. */
static void
test_placeholders (void)
{
  g_autofree char *root = make_folder ();
  g_autofree char *folder = g_build_filename (root, "sub", NULL);
  g_autofree char *git = g_build_filename (folder, ".git", NULL);
  g_autofree char *servers = g_build_filename (folder, ".mcp.json", NULL);
  g_autoptr (BeckonFolderExtras) before = NULL;
  g_autoptr (BeckonFolderExtras) during = NULL;
  g_autofree char *hash = NULL, *other = NULL;

  put (root, ".git/HEAD", "", 0);
  put (root, ".mcp.json", "{\"mcpServers\": {\"files\": {\"command\": \"x\"}}}", -1);
  put (folder, "AGENTS.md", "Hello", -1);
  before = read_folder (folder);
  g_assert_true (beckon_placeholder_hold (git, TRUE));
  g_assert_true (beckon_placeholder_hold (servers, TRUE));
  during = read_folder (folder);
  beckon_placeholder_release (servers);
  beckon_placeholder_release (git);
  g_assert_cmpstr (beckon_folder_extras_get_root (before), ==, root);
  g_assert_cmpstr (beckon_folder_extras_get_root (during), ==, root);
  hash = beckon_folder_extras_dup_hash (before);
  other = beckon_folder_extras_dup_hash (during);
  g_assert_cmpstr (hash, ==, other);
}

static void
test_many (void)
{
  g_autofree char *root = make_folder ();
  g_autoptr (BeckonFolderExtras) extras = NULL;

  for (guint i = 0; i < BECKON_EXTRAS_MAX_SKILLS + 10; i++)
    {
      g_autofree char *path = g_strdup_printf (".agents/skills/s%03u/SKILL.md", i);

      put (root, path, "---\ndescription: d\n---\n", -1);
    }
  extras = read_folder (root);
  g_assert_cmpuint (beckon_folder_extras_get_n (extras), ==, BECKON_EXTRAS_MAX_SKILLS);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/extras/front-matter/good", test_good);
  g_test_add_func ("/extras/front-matter/bad", test_bad);
  g_test_add_func ("/extras/commands", test_commands);
  g_test_add_func ("/extras/instructions/places", test_places);
  g_test_add_func ("/extras/instructions/forms", test_forms);
  g_test_add_func ("/extras/instructions/odd-files", test_odd_files);
  g_test_add_func ("/extras/instructions/room", test_room);
  g_test_add_func ("/extras/skills", test_skills);
  g_test_add_func ("/extras/difference", test_difference);
  g_test_add_func ("/extras/servers", test_servers);
  g_test_add_func ("/extras/server-shapes", test_server_shapes);
  g_test_add_func ("/extras/placeholders", test_placeholders);
  g_test_add_func ("/extras/many", test_many);
  return g_test_run ();
}
