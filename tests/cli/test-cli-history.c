/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The real program on a real history: what it prints for people and for programs, and what it says when it cannot. */

#include "beckon-store-fixture.h"

#include "base/beckon-json.h"

#include <string.h>

typedef struct
{
  char *directory; /* of the store, as the program finds it */
  char *home;
  BeckonTurn *turn;
} Fixture;

typedef struct
{
  char *output;
  char *complaint;
  int status;
} Run;

static void
run_free (Run *run)
{
  g_free (run->output);
  g_free (run->complaint);
  g_free (run);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Run, run_free)

static Run *run (Fixture *fixture, const char *first, ...) G_GNUC_NULL_TERMINATED;

static Run *
run (Fixture *fixture, const char *first, ...)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                                                        | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  Run *done = g_new0 (Run, 1);
  va_list rest;

  g_ptr_array_add (words, (gpointer) g_getenv ("BECKONCTL"));
  va_start (rest, first);
  for (const char *word = first; word != NULL; word = va_arg (rest, const char *))
    g_ptr_array_add (words, (gpointer) word);
  va_end (rest);
  g_ptr_array_add (words, NULL);

  g_subprocess_launcher_setenv (launcher, "XDG_DATA_HOME", fixture->home, TRUE);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) words->pdata, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &done->output, &done->complaint, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  done->status = g_subprocess_get_exit_status (process);

  return done;
}

static void
assert_good (Run *done)
{
  g_assert_cmpstr (done->complaint, ==, "");
  g_assert_cmpint (done->status, ==, 0);
}

static void
assert_has (const char *text, const char *piece)
{
  if (strstr (text, piece) == NULL)
    g_error ("“%s” is not in “%s”", piece, text);
}

static JsonObject *
parse (Run *done)
{
  g_autoptr (GError) error = NULL;
  JsonObject *object;

  assert_good (done);
  object = beckon_json_parse_object (g_strstrip (done->output), -1, &error);
  g_assert_no_error (error);

  return object;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *unused = beckon_store_fixture_make_folder ();
  g_autoptr (BeckonMessage) message = NULL;
  BeckonStore *store;
  BeckonBatch *batch;

  fixture->home = g_path_get_dirname (unused);
  fixture->directory = g_build_filename (fixture->home, "beckon", NULL);
  store = beckon_store_fixture_open (fixture->directory);
  fixture->turn = beckon_turn_new ("Which\033[31m port?");
  batch = beckon_turn_to_batch (fixture->turn);
  message = beckon_message_new_text (BECKON_ROLE_USER, 2, "把服务部署到\033]0;x\a生产环境\xc2\x9b" "2J\u202e\U000e0041");
  beckon_batch_add_message (batch, beckon_conversation_get_id (fixture->turn->conversation), message);
  beckon_store_fixture_commit (store, batch);
  g_object_unref (store);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_turn_free (fixture->turn);
  g_free (fixture->home);
  beckon_store_fixture_clear (fixture->directory);
}

static const char *
id_of (Fixture *fixture)
{
  return beckon_conversation_get_id (fixture->turn->conversation);
}

static void
test_list (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Run) plain = run (fixture, "list", NULL);
  g_autoptr (Run) json = run (fixture, "list", "--json", NULL);
  g_autoptr (JsonObject) document = parse (json);
  JsonObject *entry;

  assert_good (plain);
  assert_has (plain->output, id_of (fixture));
  assert_has (plain->output, "port?  (1 question is open)\n");
  g_assert_null (strchr (plain->output, '\033'));

  entry = json_array_get_object_element (beckon_json_get_array (document, "conversations"), 0);
  g_assert_cmpstr (beckon_json_get_string (entry, "id"), ==, id_of (fixture));
  g_assert_cmpstr (beckon_json_get_string (entry, "title"), ==, "Which\033[31m port?");
  g_assert_cmpstr (beckon_json_get_string (entry, "phase"), ==, "waiting");
  g_assert_cmpint (beckon_json_get_int (entry, "waiting", 0), ==, 1);
}

static JsonObject *
list_one (Fixture *fixture, guint index)
{
  g_autoptr (Run) json = run (fixture, "list", "--json", NULL);
  g_autoptr (JsonObject) document = parse (json);

  return json_object_ref (json_array_get_object_element (beckon_json_get_array (document, "conversations"), index));
}

static void
do_it (Fixture *fixture, const char *command)
{
  g_autoptr (Run) done = run (fixture, command, id_of (fixture), NULL);

  assert_good (done);
  g_assert_cmpstr (done->output, ==, "");
}

static void
test_marks (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Run) renamed = run (fixture, "rename", id_of (fixture), "A", " better", "title ", NULL);
  g_autoptr (Run) blank = run (fixture, "rename", id_of (fixture), " ", NULL);
  g_autoptr (JsonObject) before = NULL;
  g_autoptr (JsonObject) after = NULL;
  g_autoptr (Run) plain = NULL;

  assert_good (renamed);
  g_assert_cmpint (blank->status, ==, 2);
  do_it (fixture, "pin");
  do_it (fixture, "archive");
  plain = run (fixture, "list", NULL);
  assert_has (plain->output, "A  better title  [pinned]  [archived]  (1 question is open)");
  before = list_one (fixture, 0);
  g_assert_true (beckon_json_get_boolean (before, "pinned", FALSE));
  g_assert_true (beckon_json_get_boolean (before, "archived", FALSE));
  g_assert_cmpstr (beckon_json_get_string (before, "named_by"), ==, "person");
  do_it (fixture, "unpin");
  do_it (fixture, "unarchive");
  after = list_one (fixture, 0);
  g_assert_false (beckon_json_get_boolean (after, "pinned", TRUE));
  g_assert_false (beckon_json_get_boolean (after, "archived", TRUE));
}

static void
test_copies (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Run) copy = run (fixture, "duplicate", id_of (fixture), NULL);
  g_autoptr (Run) branch = run (fixture, "branch", id_of (fixture), "1", NULL);
  g_autoptr (Run) wrong = run (fixture, "branch", id_of (fixture), "9", NULL);
  g_autoptr (JsonObject) first = list_one (fixture, 0);
  g_autoptr (JsonObject) second = list_one (fixture, 1);

  assert_good (copy);
  assert_good (branch);
  g_assert_cmpint (wrong->status, ==, 1);
  assert_has (wrong->complaint, "has no such message");
  g_assert_cmpstr (beckon_json_get_string (first, "id"), ==, g_strstrip (branch->output));
  g_assert_cmpstr (beckon_json_get_string (first, "origin"), ==, id_of (fixture));
  g_assert_cmpstr (beckon_json_get_string (second, "id"), ==, g_strstrip (copy->output));
  g_assert_cmpstr (beckon_json_get_string (second, "title"), ==, "Which\033[31m port? (copy)");
}

static guint
count_files (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->directory, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_prefix (name, "beckon");

  return n;
}

/* A file that the turn's call changed from “old” to “new”. */
static char *
change_file (Fixture *fixture)
{
  g_autoptr (GBytes) before = g_bytes_new_static ("old", 3);
  g_autoptr (GBytes) after = g_bytes_new_static ("new", 3);
  g_autofree char *hash = beckon_file_copy_hash (after);
  g_autofree char *folder = g_build_filename (fixture->home, "work", NULL);
  char *path = g_build_filename (folder, "note\033.txt", NULL);
  g_autoptr (BeckonFileCopy) copy
    = beckon_file_copy_new (beckon_tool_call_get_id (fixture->turn->call), folder, "note\033.txt", before, hash, 1);
  BeckonStore *store = beckon_store_fixture_open (fixture->directory);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "new", -1, NULL));
  beckon_batch_put_file_copy (batch, copy);
  beckon_store_fixture_commit (store, batch);
  g_object_unref (store);

  return path;
}

static void
assert_holds (const char *path, const char *expected)
{
  g_autofree char *contents = NULL;

  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, expected);
}

static void
test_undo (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = change_file (fixture);
  const char *id = beckon_tool_call_get_id (fixture->turn->call);
  g_autofree char *beginning = g_ascii_strdown (id, 20);
  g_autoptr (Run) listed = run (fixture, "undo", NULL);
  g_autoptr (Run) unknown = run (fixture, "undo", "0000", NULL);
  g_autoptr (Run) refused = NULL;
  g_autoptr (Run) undone = NULL;
  g_autoptr (Run) again = NULL;
  g_autoptr (Run) rest = NULL;
  g_autoptr (Run) log = NULL;
  g_autoptr (JsonObject) document = NULL;

  assert_good (listed);
  assert_has (listed->output, id);
  g_assert_null (strchr (listed->output, '\033'));
  g_assert_cmpint (unknown->status, ==, 1);

  g_assert_true (g_file_set_contents (path, "newer", -1, NULL));
  refused = run (fixture, "undo", id, NULL);
  g_assert_cmpint (refused->status, ==, 4);
  assert_has (refused->complaint, "was changed since");
  assert_holds (path, "newer");

  g_assert_true (g_file_set_contents (path, "new", -1, NULL));
  undone = run (fixture, "undo", "--json", beginning, NULL);
  document = parse (undone);
  assert_holds (path, "old");
  g_assert_cmpstr (
    beckon_json_get_string (json_array_get_object_element (beckon_json_get_array (document, "undone"), 0), "id"), ==, id);

  again = run (fixture, "undo", id, NULL);
  g_assert_cmpint (again->status, ==, 1);
  assert_has (again->complaint, "undone already");
  rest = run (fixture, "undo", NULL);
  assert_good (rest);
  g_assert_cmpstr (rest->output, ==, "");
  log = run (fixture, "provenance", "--event", "undone", NULL);
  assert_has (log->output, "\"terminal\"");
}

/* The standard input of a test is no person. */
static void
test_delete_all (Fixture *fixture, gconstpointer data)
{
  g_autofree char *old = g_build_filename (fixture->directory, "beckon-v1.db", NULL);
  g_autofree char *place = g_build_filename (fixture->directory, "landings", "01M00PLACE0000000000000000", NULL);
  g_autoptr (Run) unasked = run (fixture, "delete", "--all", NULL);
  g_autoptr (Run) both = run (fixture, "delete", "--all", "--yes", id_of (fixture), NULL);
  g_autoptr (Run) none = run (fixture, "delete", NULL);
  g_autoptr (Run) refused = NULL;
  g_autoptr (Run) done = NULL;
  g_autoptr (Run) listed = NULL;
  BeckonStore *store;

  g_assert_cmpint (unasked->status, ==, 2);
  g_assert_cmpint (both->status, ==, 2);
  g_assert_cmpint (none->status, ==, 2);
  g_assert_true (g_file_set_contents (old, "left by an older version", -1, NULL));
  g_assert_no_errno (g_mkdir_with_parents (place, 0700));

  store = beckon_store_fixture_open (fixture->directory);
  refused = run (fixture, "delete", "--all", "--yes", NULL);
  g_assert_cmpint (refused->status, ==, 1);
  assert_has (refused->complaint, "still using the history");
  g_object_unref (store);
  g_assert_cmpuint (count_files (fixture), >, 0);

  done = run (fixture, "delete", "--all", "--yes", "--json", NULL);
  assert_good (done);
  assert_has (done->output, "{\"deleted\":[\"");
  assert_has (done->output, id_of (fixture));
  g_assert_cmpuint (count_files (fixture), ==, 0);
  g_assert_false (g_file_test (place, G_FILE_TEST_EXISTS));
  listed = run (fixture, "list", NULL);
  assert_good (listed);
  g_assert_cmpstr (listed->output, ==, "");
}

/* Works without opening the history, so that one that can't be opened has them too. */
static void
test_daily_copies (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "beckon.db", NULL);
  g_autofree char *copy = g_build_filename (fixture->directory, "beckon-copy-2026-11-29-4.db", NULL);
  g_autofree char *contents = NULL;
  g_autoptr (Run) none = run (fixture, "copies", NULL);
  g_autoptr (Run) listed = NULL;
  g_autoptr (Run) json = NULL;
  g_autoptr (Run) unknown = NULL;
  g_autoptr (Run) unasked = NULL;
  g_autoptr (Run) word = run (fixture, "copies", "close", NULL);
  g_autoptr (Run) refused = NULL;
  g_autoptr (Run) done = NULL;
  g_autoptr (Run) there = NULL;
  BeckonStore *store;
  gsize length;

  g_assert_cmpint (none->status, ==, 0);
  assert_has (none->complaint, "no copies yet");
  g_assert_cmpint (word->status, ==, 2);
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  g_assert_true (g_file_set_contents (copy, contents, (gssize) length, NULL));
  g_assert_true (g_file_set_contents (path, "This is no database at all, whatever its name says.", -1, NULL));

  listed = run (fixture, "copies", NULL);
  assert_good (listed);
  assert_has (listed->output, "2026-11-29  ");
  assert_has (listed->output, "  1 conversation\n");
  json = run (fixture, "copies", "--json", NULL);
  assert_good (json);
  assert_has (json->output, "{\"copies\":[{\"date\":\"2026-11-29\",\"file\":\"beckon-copy-2026-11-29-4.db\",\"size\":");
  unknown = run (fixture, "copies", "open", "2026-11-28", "--yes", NULL);
  g_assert_cmpint (unknown->status, ==, 1);
  assert_has (unknown->complaint, "no copy from that date");
  unasked = run (fixture, "copies", "open", "2026-11-29", NULL);
  g_assert_cmpint (unasked->status, ==, 2);

  done = run (fixture, "copies", "open", "2026-11-29", "--yes", NULL);
  g_assert_cmpint (done->status, ==, 0);
  assert_has (done->complaint, "Your history is now the copy beckon-copy-2026-11-29-4.db.");
  there = run (fixture, "list", NULL);
  assert_has (there->output, id_of (fixture));

  store = beckon_store_fixture_open (fixture->directory);
  refused = run (fixture, "copies", "open", "2026-11-29", "--yes", NULL);
  g_assert_cmpint (refused->status, ==, 1);
  assert_has (refused->complaint, "is using the history");
  g_object_unref (store);
}

static void
test_show (Fixture *fixture, gconstpointer data)
{
  g_autofree char *beginning = g_strndup (id_of (fixture), 20);
  g_autoptr (Run) plain = run (fixture, "show", beginning, NULL);
  g_autoptr (Run) json = run (fixture, "show", "--json", id_of (fixture), NULL);
  g_autoptr (JsonObject) document = parse (json);

  assert_good (plain);
  assert_has (plain->output, "## You · ");
  assert_has (plain->output, "Do it\n");
  assert_has (plain->output, "port?");
  assert_has (plain->output, "Not answered yet.");
  g_assert_null (strchr (plain->output, '\033'));
  g_assert_null (strchr (plain->output, '\a'));
  assert_has (plain->output, "生产环境\uFFFD2J<U+202E><U+E0041>");

  /* A terminal obeys a JSON document as it obeys any other text. */
  g_assert_null (strstr (json->output, "\xc2\x9b"));
  g_assert_null (strstr (json->output, "\u202e"));
  assert_has (json->output, "生产环境\\u009b2J\\u202e\\udb40\\udc41");
  g_assert_cmpstr (beckon_json_get_string (document, "format"), ==, "beckon-conversation");
  g_assert_cmpuint (
    json_array_get_length (beckon_json_get_array (beckon_json_get_object (document, "conversation"), "messages")), ==, 3);
}

static void
test_search (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Run) plain = run (fixture, "search", "部署", NULL);
  g_autoptr (Run) several = run (fixture, "search", "--limit", "1", "port", "WHICH", NULL);
  g_autoptr (Run) none = run (fixture, "search", "\"* nowhere", NULL);
  g_autoptr (Run) json = run (fixture, "search", "--json", "生产", NULL);
  g_autoptr (JsonObject) document = parse (json);
  JsonObject *hit, *match;
  const char *snippet;

  assert_good (plain);
  assert_has (plain->output, id_of (fixture));
  assert_has (plain->output, "把服务部署到");
  g_assert_null (strchr (plain->output, '\033'));
  assert_good (several);
  assert_has (several->output, "port?");

  g_assert_cmpint (none->status, ==, 0);
  g_assert_cmpstr (none->output, ==, "");
  g_assert_cmpstr (none->complaint, ==, "No results.\n");

  g_assert_true (beckon_json_get_boolean (document, "complete", FALSE));
  g_assert_cmpuint (json_array_get_length (beckon_json_get_array (document, "hits")), ==, 1);
  hit = json_array_get_object_element (beckon_json_get_array (document, "hits"), 0);
  match = json_array_get_object_element (beckon_json_get_array (hit, "matches"), 0);
  snippet = beckon_json_get_string (hit, "snippet");
  g_assert_cmpmem (snippet + beckon_json_get_int (match, "start", 0), (gsize) beckon_json_get_int (match, "length", 0),
                   "生产", strlen ("生产"));
}

static void
assert_named (JsonObject *object, const char *help)
{
  g_autoptr (GList) names = json_object_get_members (object);

  for (GList *at = names; at != NULL; at = at->next)
    assert_has (help, at->data);
}

/* The manual's section about JSON, or of it what it says about one command. */
static char *
read_manual (const char *command)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "man", "beckonctl.1.in", NULL);
  g_autofree char *all = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) section = g_string_new (NULL);
  g_autofree char *heading = g_strconcat (".B ", command, NULL);
  gboolean is_in = FALSE, is_it = FALSE;

  g_assert_true (g_file_get_contents (path, &all, NULL, NULL));
  lines = g_strsplit (all, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (g_str_has_prefix (lines[i], ".SH "))
        is_in = g_str_equal (lines[i], ".SH JSON");
      if (is_in && i > 0 && g_str_equal (lines[i - 1], ".TP"))
        is_it = g_str_equal (lines[i], heading);
      if (is_in && is_it)
        g_string_append_printf (section, "%s\n", lines[i]);
    }
  return g_string_free (g_steal_pointer (&section), FALSE);
}

/* The manual tells what a program may read. */
static void
test_help_names_members (Fixture *fixture, gconstpointer data)
{
  const struct
  {
    const char *command;
    const char *argument;
    const char *list; /* (nullable): of objects whose members are told too */
  } cases[] = {
    { "list", NULL, "conversations" }, { "show", id_of (fixture), NULL },          { "search", "生产", "hits" },
    { "export", id_of (fixture), NULL }, { "questions", NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *help = read_manual (cases[i].command);
      g_autoptr (Run) json = run (fixture, cases[i].command, "--json", cases[i].argument, NULL);
      g_autoptr (JsonObject) document = parse (json);

      if (!g_str_equal (cases[i].command, "questions"))
        assert_named (document, help);
      if (cases[i].list != NULL)
        assert_named (json_array_get_object_element (beckon_json_get_array (document, cases[i].list), 0), help);
    }
}

/* No command prints JSON without telling what is in it. */
static void
test_every_json_is_told (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Run) all = run (fixture, "--help", NULL);
  g_auto (GStrv) lines = g_strsplit (all->output, "\n", -1);
  guint n_told = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (g_strstrip (lines[i]), " ", 2);
      g_autoptr (Run) help = NULL;
      g_autofree char *manual = NULL;

      if (words[0] == NULL || words[1] == NULL || g_str_equal (words[0], "Usage:"))
        continue;
      help = run (fixture, words[0], "--help", NULL);
      if (strstr (help->output, "--json ") == NULL || strstr (help->output, "--json=") != NULL || g_str_equal (words[0], "run"))
        continue;
      manual = read_manual (words[0]);
      if (*manual == '\0')
        g_error ("the manual doesn't say what %s --json prints", words[0]);
      n_told++;
    }
  g_assert_cmpuint (n_told, >=, 7);
}

/* Its run is open, and no process drives it. */
static void
test_delete (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Run) done = run (fixture, "delete", id_of (fixture), NULL);
  g_autoptr (Run) again = NULL;
  g_autoptr (Run) list = NULL;

  assert_good (done);
  list = run (fixture, "list", NULL);
  g_assert_cmpstr (list->output, ==, "");
  again = run (fixture, "delete", id_of (fixture), NULL);
  g_assert_cmpint (again->status, ==, 1);
  assert_has (again->complaint, "Conversation not found.");
}

static void
test_export_and_import (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->home, "out.json", NULL);
  g_autofree char *notes = g_build_filename (fixture->home, "notes.txt", NULL);
  g_autoptr (Run) markdown = run (fixture, "export", id_of (fixture), NULL);
  g_autoptr (Run) shown = run (fixture, "show", id_of (fixture), NULL);
  g_autoptr (Run) written = run (fixture, "export", "--format", "json", "-o", file, id_of (fixture), NULL);
  g_autoptr (Run) twice = run (fixture, "import", file, NULL);
  g_autoptr (Run) format = run (fixture, "export", "--format", "pdf", id_of (fixture), NULL);
  g_autoptr (Run) missing = run (fixture, "import", "/nowhere/at.all", NULL);
  g_autoptr (Run) list = NULL;
  g_autoptr (Run) foreign = NULL;

  assert_good (markdown);
  g_assert_cmpstr (markdown->output, ==, shown->output);
  assert_good (written);
  g_assert_cmpstr (written->output, ==, "");
  g_assert_cmpint (twice->status, ==, 0);
  g_assert_cmpstr (twice->output, ==, "");
  assert_has (twice->complaint, "1 was already here");
  list = run (fixture, "list", NULL);
  g_assert_null (strchr (g_strstrip (list->output), '\n'));
  g_assert_cmpint (format->status, ==, 2);
  g_assert_cmpint (missing->status, ==, 1);

  g_assert_true (g_file_set_contents (notes, "Dear diary", -1, NULL));
  foreign = run (fixture, "import", notes, NULL);
  g_assert_cmpint (foreign->status, ==, 1);
  assert_has (foreign->complaint, "neither an export");
}

/* Two replies to the same message, of which the second is shown. */
static const char two_branches[] =
  "{'format':'beckon-conversation','version':2,'conversation':{'id':'c','created_at':1,'updated_at':1,'"
  "title':'T','profile':null,'draft':'','pinned':false,'archived':false,'messages':[{'id':'a','role':'u"
  "ser','status':'complete','created_at':1,'input':-1,'output':-1,'cached':-1,'parent':null,'chosen':tr"
  "ue,'parts':[{'kind':'text','origin':null,'media_type':null,'text':'WHY','call':null}]},{'id':'b','ro"
  "le':'assistant','status':'complete','created_at':2,'input':-1,'output':-1,'cached':-1,'parent':'a','"
  "chosen':false,'parts':[{'kind':'text','origin':null,'media_type':null,'text':'BECAUSE','call':null}]"
  "},{'id':'c1','role':'assistant','status':'complete','created_at':3,'input':-1,'output':-1,'cached':-"
  "1,'parent':'a','chosen':true,'parts':[{'kind':'text','origin':null,'media_type':null,'text':'SINCE',"
  "'call':null}]}],'requests':[],'runs':[]}}";

static void
test_show_branch (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->home, "branches.json", NULL);
  g_autofree char *document = g_strdelimit (g_strdup (two_branches), "'", '"');
  g_autoptr (Run) imported = NULL;
  g_autoptr (Run) first = NULL;
  g_autoptr (Run) second = NULL;
  g_autoptr (Run) third = NULL;
  const char *id;

  g_assert_true (g_file_set_contents (file, document, -1, NULL));
  imported = run (fixture, "import", file, NULL);
  assert_good (imported);
  id = g_strstrip (imported->output);
  first = run (fixture, "show", "--branch", "1", id, NULL);
  second = run (fixture, "show", "--branch", "2", id, NULL);
  third = run (fixture, "show", "--branch", "3", id, NULL);
  assert_good (first);
  assert_has (first->output, "BECAUSE");
  g_assert_null (strstr (first->output, "SINCE"));
  assert_good (second);
  assert_has (second->output, "SINCE");
  g_assert_null (strstr (second->output, "BECAUSE"));
  g_assert_cmpint (third->status, ==, 1);
  assert_has (third->complaint, "2 branches");
}

static void
test_misuse (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Run) no_id = run (fixture, "show", NULL);
  g_autoptr (Run) two_ids = run (fixture, "delete", "a", "b", NULL);
  g_autoptr (Run) no_words = run (fixture, "search", NULL);
  g_autoptr (Run) no_limit = run (fixture, "search", "--limit", "0", "a", NULL);
  g_autoptr (Run) unknown = run (fixture, "list", "--nonsense", NULL);
  g_autoptr (Run) missing = run (fixture, "show", "nothing", NULL);
  g_autoptr (Run) empty = run (fixture, "delete", "", NULL);
  g_autoptr (Run) short_id = run (fixture, "delete", "01ARZ", NULL);
  g_autoptr (Run) long_id = run (fixture, "delete", "nothing", NULL);

  g_assert_cmpint (no_id->status, ==, 2);
  g_assert_cmpint (two_ids->status, ==, 2);
  g_assert_cmpint (no_words->status, ==, 2);
  g_assert_cmpint (no_limit->status, ==, 2);
  g_assert_cmpint (unknown->status, ==, 2);
  g_assert_cmpint (missing->status, ==, 1);
  assert_has (missing->complaint, "Conversation not found.");
  g_assert_cmpint (empty->status, ==, 2);
  g_assert_cmpint (short_id->status, ==, 2);
  assert_has (short_id->complaint, "six characters");
  g_assert_cmpint (long_id->status, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/cli/history/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("list", test_list);
  ADD ("marks", test_marks);
  ADD ("copies", test_copies);
  ADD ("daily-copies", test_daily_copies);
  ADD ("delete-all", test_delete_all);
  ADD ("show", test_show);
  ADD ("undo", test_undo);
  ADD ("search", test_search);
  ADD ("help-names-members", test_help_names_members);
  ADD ("every-json-is-told", test_every_json_is_told);
  ADD ("delete", test_delete);
  ADD ("export-and-import", test_export_and_import);
  ADD ("show-branch", test_show_branch);
  ADD ("misuse", test_misuse);
#undef ADD

  return g_test_run ();
}
