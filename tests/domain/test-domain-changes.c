/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "domain/beckon-change-choice.h"
#include "domain/beckon-landing.h"

#include <locale.h>
#include <string.h>

#define HUNKS "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n@@ -20 +20 @@\n-e\n+f\n"

static BeckonFileChange *
add (BeckonChangeSet *set, const char *path, BeckonFileChangeKind kind, BeckonFileType type)
{
  BeckonFileChange *change = beckon_file_change_new (path, kind, type);

  beckon_change_set_take (set, change);
  return change;
}

static BeckonChangeSet *
make_set (void)
{
  BeckonChangeSet *set = beckon_change_set_new ();
  BeckonFileChange *change = add (set, "b.txt", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR);

  change->diff = g_strdup (HUNKS);
  change->n_hunks = 3;
  change->is_text = TRUE;
  change->n_added = change->n_removed = 3;
  change->before_inode = 12;
  change->before_changed_at = G_GINT64_CONSTANT (1700000000123456789);
  change->before_hash = g_strdup ("aa");
  change = add (set, "a", BECKON_FILE_CREATED, BECKON_FILE_FOLDER);
  change->n_files = 120;
  change->size = 4096;
  add (set, "a-b", BECKON_FILE_DELETED, BECKON_FILE_REGULAR)->mode_before = 0644;
  change = add (set, "a/.envrc", BECKON_FILE_CREATED, BECKON_FILE_LINK);
  change->concern = BECKON_FILE_CONCERN_TRIGGER;
  change->target = g_strdup ("caf\xe9");
  add (set, "caf\xe9", BECKON_FILE_CREATED, BECKON_FILE_OTHER)->fate = BECKON_FILE_CONFLICT;
  beckon_change_set_sort (set);
  return set;
}

/* A folder comes right before what is in it. */
static void
test_order (void)
{
  static const char *const sorted[] = { "a", "a/.envrc", "a-b", "b.txt", "caf\xe9" };
  g_autoptr (BeckonChangeSet) set = make_set ();

  g_assert_cmpuint (beckon_change_set_get_n_changes (set), ==, G_N_ELEMENTS (sorted));
  for (guint i = 0; i < G_N_ELEMENTS (sorted); i++)
    g_assert_cmpstr (beckon_change_set_get (set, i)->path, ==, sorted[i]);
}

static void
test_json (void)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autofree char *json = NULL;
  g_autofree char *again = NULL;
  g_autoptr (BeckonChangeSet) read = NULL;
  g_autoptr (BeckonChangeSet) copy = NULL;
  g_autofree char *of_copy = NULL;
  g_autoptr (GError) error = NULL;
  guint first = 0, last = 2;
  BeckonFileChange *change = beckon_change_set_get (set, 3);

  change->kept_hunks = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (change->kept_hunks, first);
  g_array_append_val (change->kept_hunks, last);
  json = beckon_change_set_to_json (set);
  g_assert_true (g_utf8_validate (json, -1, NULL));
  read = beckon_change_set_from_json (json, &error);
  g_assert_no_error (error);
  again = beckon_change_set_to_json (read);
  g_assert_cmpstr (again, ==, json);
  g_assert_cmpstr (beckon_change_set_get (read, 4)->path, ==, "caf\xe9");
  g_assert_cmpstr (beckon_change_set_get (read, 1)->target, ==, "caf\xe9");
  g_assert_cmpuint (beckon_change_set_get (read, 3)->kept_hunks->len, ==, 2);
  copy = beckon_change_set_copy (set);
  of_copy = beckon_change_set_to_json (copy);
  g_assert_cmpstr (of_copy, ==, json);
}

static void
assert_sentence (const BeckonChangeSet *set, const char *expected)
{
  g_autofree char *sentence = beckon_change_set_dup_sentence (set);

  g_assert_cmpstr (sentence, ==, expected);
}

/* A move is one change, with all that belongs to it. */
static void
test_bound (void)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonChangeSet) read = NULL;
  g_autoptr (GPtrArray) members = g_ptr_array_new ();
  g_autoptr (GPtrArray) told = NULL;
  g_autofree char *json = NULL;
  g_autofree char *again = NULL;
  g_autofree char *name = NULL;
  BeckonFileChange *moved = add (set, "b", BECKON_FILE_MOVED, BECKON_FILE_REGULAR);
  BeckonFileChange *gone = add (set, "a", BECKON_FILE_DELETED, BECKON_FILE_REGULAR);
  BeckonFileChange *folder = add (set, "f", BECKON_FILE_DELETED, BECKON_FILE_FOLDER);

  moved->from = g_strdup ("a");
  gone->fate = BECKON_FILE_DENIED;
  folder->concern = BECKON_FILE_CONCERN_TRIGGER;
  folder->n_files = 2;
  g_ptr_array_add (members, gone);
  g_ptr_array_add (members, folder);
  beckon_change_set_bind (set, moved, members);
  g_assert_cmpuint (beckon_change_set_get_n_changes (set), ==, 1);
  g_assert_cmpint (moved->fate, ==, BECKON_FILE_DENIED);
  g_assert_cmpint (moved->concern, ==, BECKON_FILE_CONCERN_TRIGGER);
  name = beckon_file_change_dup_shown_name (moved);
  g_assert_cmpstr (name, ==, "a → b");
  told = beckon_file_change_list_told (moved);
  g_assert_cmpuint (told->len, ==, 1);
  g_assert_true (g_ptr_array_index (told, 0) == folder);
  assert_sentence (set, "Moved 1 file, deleted 2 files");
  json = beckon_change_set_to_json (set);
  read = beckon_change_set_from_json (json, NULL);
  again = beckon_change_set_to_json (read);
  g_assert_cmpstr (again, ==, json);
  g_assert_cmpuint (beckon_change_set_get (read, 0)->bound->len, ==, 2);
}

static void
test_faulty_json (void)
{
  static const char *const faulty[] = {
    "", "[]", "{}", "{\"changes\":7}", "{\"changes\":[7]}", "{\"changes\":[{}]}",
    "{\"changes\":[{\"path\":\"a\",\"kind\":\"renamed\",\"type\":\"file\",\"concern\":\"none\",\"fate\":\"open\"}]}",
    "{\"changes\":[{\"path_base64\":\"YQBi\",\"kind\":\"created\",\"type\":\"file\",\"concern\":\"none\",\"fate\":\"open\"}]}",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (faulty); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", faulty[i]);
      g_assert_null (beckon_change_set_from_json (faulty[i], &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
}

static void
test_sentence (void)
{
  g_autoptr (BeckonChangeSet) none = beckon_change_set_new ();
  g_autoptr (BeckonChangeSet) folder = beckon_change_set_new ();
  g_autoptr (BeckonChangeSet) bulk = beckon_change_set_new ();
  BeckonFileChange *many = beckon_file_change_new ("src", BECKON_FILE_CHANGED, BECKON_FILE_FOLDER);
  g_autoptr (BeckonChangeSet) set = make_set ();

  assert_sentence (none, "Changed nothing");
  add (folder, "new", BECKON_FILE_CREATED, BECKON_FILE_FOLDER);
  assert_sentence (folder, "Made 1 folder");
  many->n_files = 1200;
  beckon_change_set_take (bulk, many);
  assert_sentence (bulk, "Changed 1200 files in src/");
  many->n_made = 800;
  many->n_gone = 300;
  assert_sentence (bulk, "Changed 100 files in src/, deleted 300 files in src/, made 800 files in src/");
  {
    g_autofree char *json = beckon_change_set_to_json (bulk);
    g_autoptr (BeckonChangeSet) read = beckon_change_set_from_json (json, NULL);

    assert_sentence (read, "Changed 100 files in src/, deleted 300 files in src/, made 800 files in src/");
  }
  assert_sentence (set, "Changed 1 file, deleted 1 file, made 2 files, made 120 files in a/");

  /* Many folders are not told one by one. */
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *path = g_strdup_printf ("folder-%u", i);

      add (set, path, BECKON_FILE_CREATED, BECKON_FILE_FOLDER)->n_files = 10;
    }
  assert_sentence (set, "Changed 1 file, deleted 1 file, made 152 files");
}

static void
test_choice (void)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();
  g_autoptr (BeckonChangeChoice) read = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_change_choice_is_empty (choice));
  beckon_change_choice_set_left_out (choice, 1, TRUE);
  beckon_change_choice_set_left_out (choice, 2, TRUE);
  beckon_change_choice_set_left_out (choice, 2, FALSE);
  beckon_change_choice_set_hunk_left_out (choice, 3, 2, TRUE);
  beckon_change_choice_set_hunk_left_out (choice, 3, 0, TRUE);
  json = beckon_change_choice_to_json (choice);
  g_assert_cmpstr (json, ==, "{\"leave_out\":[{\"change\":2},{\"change\":4,\"hunks\":[1,3]}]}");
  read = beckon_change_choice_parse (json, set, &error);
  g_assert_no_error (error);
  beckon_change_choice_apply (read, set);
  g_assert_cmpint (beckon_change_set_get (set, 0)->fate, ==, BECKON_FILE_KEPT);
  g_assert_cmpint (beckon_change_set_get (set, 1)->fate, ==, BECKON_FILE_LEFT_OUT);
  g_assert_cmpint (beckon_change_set_get (set, 2)->fate, ==, BECKON_FILE_KEPT);
  g_assert_cmpint (beckon_change_set_get (set, 3)->fate, ==, BECKON_FILE_KEPT);
  g_assert_cmpuint (beckon_change_set_get (set, 3)->kept_hunks->len, ==, 1);
  g_assert_cmpuint (g_array_index (beckon_change_set_get (set, 3)->kept_hunks, guint, 0), ==, 1);
  g_assert_cmpint (beckon_change_set_get (set, 4)->fate, ==, BECKON_FILE_CONFLICT);
  g_assert_false (beckon_change_set_is_open (set));
  g_assert_true (beckon_change_set_can_undo (set));
}

/* Concerns land only where they are named: "keep" without more is without them, in every front end. */
static void
test_first_choice (void)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonChangeChoice) first = beckon_change_choice_new_first (set);
  g_autoptr (BeckonChangeChoice) everything = beckon_change_choice_parse ("{\"leave_out\":[]}", set, NULL);
  g_autoptr (BeckonChangeChoice) bare = beckon_change_choice_parse (NULL, set, NULL);
  g_autofree char *json = beckon_change_choice_to_json (first);
  g_autofree char *bare_json = beckon_change_choice_to_json (bare);

  g_assert_cmpstr (json, ==, "{\"leave_out\":[{\"change\":1},{\"change\":2}]}");
  g_assert_cmpstr (bare_json, ==, json);
  g_assert_true (beckon_change_choice_is_empty (everything));
  for (guint concern = BECKON_FILE_CONCERN_TRIGGER; concern <= BECKON_FILE_CONCERN_RULE; concern++)
    {
      g_autoptr (BeckonChangeChoice) choice = NULL;

      beckon_change_set_get (set, 1)->concern = (BeckonFileConcern) concern;
      choice = beckon_change_choice_new_first (set);
      g_assert_true (beckon_change_choice_get_left_out (choice, 1));
    }
  beckon_change_choice_apply (first, set);
  g_assert_cmpint (beckon_change_set_get (set, 0)->fate, ==, BECKON_FILE_LEFT_OUT);
  g_assert_cmpint (beckon_change_set_get (set, 2)->fate, ==, BECKON_FILE_KEPT);
  g_assert_cmpint (beckon_change_set_get (set, 1)->fate, ==, BECKON_FILE_LEFT_OUT);
}

static void
test_keeps_any (void)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new_first (set);

  g_assert_true (beckon_change_choice_keeps_any (choice, set));
  beckon_change_choice_set_left_out (choice, 0, TRUE);
  beckon_change_choice_set_left_out (choice, 2, TRUE);
  beckon_change_choice_set_hunk_left_out (choice, 3, 0, TRUE);
  beckon_change_choice_set_hunk_left_out (choice, 3, 1, TRUE);
  g_assert_true (beckon_change_choice_keeps_any (choice, set));
  /* The conflict, which is left, is not the person's to keep. */
  beckon_change_choice_set_hunk_left_out (choice, 3, 2, TRUE);
  g_assert_false (beckon_change_choice_keeps_any (choice, set));
}

static void
test_filter (void)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonChangeSet) filtered = NULL;

  beckon_change_set_get (set, 1)->fate = BECKON_FILE_KEPT;
  beckon_change_set_get (set, 3)->fate = BECKON_FILE_UNDONE;
  filtered = beckon_change_set_filter (set, BECKON_FILE_KEPT, BECKON_FILE_UNDONE);
  g_assert_cmpuint (beckon_change_set_get_n_changes (filtered), ==, 2);
  g_assert_cmpstr (beckon_change_set_get (filtered, 1)->path, ==, "b.txt");
  assert_sentence (filtered, "Changed 1 file, made 1 file");
}

/* A file of which nothing is kept is left out, and no empty change lands. */
static void
test_all_hunks (void)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();

  for (guint hunk = 0; hunk < 3; hunk++)
    beckon_change_choice_set_hunk_left_out (choice, 3, hunk, TRUE);
  beckon_change_choice_apply (choice, set);
  g_assert_cmpint (beckon_change_set_get (set, 3)->fate, ==, BECKON_FILE_LEFT_OUT);
}

static void
test_faulty_choice (void)
{
  static const char *const faulty[] = {
    "", "{}", "{\"leave_out\":{}}", "{\"leave_out\":[7]}", "{\"leave_out\":[{\"change\":6}]}",
    "{\"leave_out\":[{\"change\":0}]}", "{\"leave_out\":[{\"change\":-1}]}", "{\"leave_out\":[{\"change\":5}]}",
    "{\"leave_out\":[{\"change\":4,\"hunks\":[4]}]}", "{\"leave_out\":[{\"change\":4,\"hunks\":[0]}]}",
    "{\"leave_out\":[{\"change\":4,\"hunks\":[\"1\"]}]}", "{\"leave_out\":[{\"change\":4,\"hunks\":null}]}",
    "{\"leave_out\":[{\"change\":1.5}]}",
  };
  g_autoptr (BeckonChangeSet) set = make_set ();

  for (gsize i = 0; i < G_N_ELEMENTS (faulty); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", faulty[i]);
      g_assert_null (beckon_change_choice_parse (faulty[i], set, &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
}

static void
test_landing (void)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonLanding) landing = beckon_landing_new ("call", "/folder", "/place", 7, set);
  g_autoptr (BeckonLanding) copy = beckon_landing_copy (landing);
  BeckonLandingState state;

  beckon_change_set_get (landing->changes, 0)->fate = BECKON_FILE_KEPT;
  g_assert_cmpint (beckon_change_set_get (copy->changes, 0)->fate, ==, BECKON_FILE_OPEN);
  g_assert_cmpstr (copy->place, ==, "/place");
  for (guint i = 0; i <= BECKON_LANDING_UNDONE; i++)
    {
      g_assert_true (beckon_landing_state_from_string (beckon_landing_state_to_string ((BeckonLandingState) i), &state));
      g_assert_cmpint (state, ==, (int) i);
    }
  g_assert_false (beckon_landing_state_from_string ("flying", &state));
}

int
main (int argc, char *argv[])
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/domain/changes/order", test_order);
  g_test_add_func ("/domain/changes/json", test_json);
  g_test_add_func ("/domain/changes/bound", test_bound);
  g_test_add_func ("/domain/changes/faulty-json", test_faulty_json);
  g_test_add_func ("/domain/changes/sentence", test_sentence);
  g_test_add_func ("/domain/changes/choice", test_choice);
  g_test_add_func ("/domain/changes/first-choice", test_first_choice);
  g_test_add_func ("/domain/changes/keeps-any", test_keeps_any);
  g_test_add_func ("/domain/changes/filter", test_filter);
  g_test_add_func ("/domain/changes/all-hunks", test_all_hunks);
  g_test_add_func ("/domain/changes/faulty-choice", test_faulty_choice);
  g_test_add_func ("/domain/changes/landing", test_landing);
  return g_test_run ();
}
