/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The folder as it was when a message was sent: random sequences of calls, rewound and made again, with a person's edits among
 * them, which nothing touches. */

#include "base/beckon-error.h"
#include "beckon-tree.h"
#include "beckon-view.h"
#include "domain/beckon-change-choice.h"
#include "landing/beckon-lander.h"
#include "landing/beckon-landing-place.h"
#include "landing/beckon-landing-survey.h"
#include "tool-runner.h"
#include "tools/beckon-change-tool.h"
#include "tools/beckon-rewind.h"
#include "tools/beckon-undo.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define N_ROUNDS 8
#define N_STEPS 14

static const char *const names[] = { "a", "b", "d/a", "d/e/a", "d/e/b", "f g/ü" };

typedef struct
{
  ToolRunner runner;
  GPtrArray *calls;  /* (element-type BeckonToolCall): in the order in which they ran */
  GHashTable *edits; /* (element-type utf8 utf8): what the person wrote last; %NULL where they took a file away */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  tool_runner_set_up (&fixture->runner);
  fixture->calls = g_ptr_array_new_with_free_func (g_object_unref);
  fixture->edits = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static void
remove_place (BeckonToolCall *call)
{
  g_autofree char *place = beckon_landing_place_get_path (beckon_tool_call_get_id (call));
  g_autoptr (GError) error = NULL;

  beckon_landing_place_remove (place, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < fixture->calls->len; i++)
    remove_place (g_ptr_array_index (fixture->calls, i));
  g_ptr_array_unref (fixture->calls);
  g_hash_table_unref (fixture->edits);
  tool_runner_tear_down (&fixture->runner);
}

static int
compare_names (gconstpointer one, gconstpointer other)
{
  return strcmp (*(const char *const *) one, *(const char *const *) other);
}

/* Everything below the folder, in one text. */
static void
describe (const char *path, const char *relative, GString *text)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while ((name = g_dir_read_name (folder)) != NULL)
    g_ptr_array_add (entries, g_strdup (name));
  g_ptr_array_sort (entries, compare_names);
  for (guint i = 0; i < entries->len; i++)
    {
      g_autofree char *whole = g_build_filename (path, g_ptr_array_index (entries, i), NULL);
      g_autofree char *below = g_strconcat (relative, "/", g_ptr_array_index (entries, i), NULL);
      struct stat info;

      g_assert_cmpint (lstat (whole, &info), ==, 0);
      g_string_append_printf (text, "%s %o", below, info.st_mode);
      if (S_ISREG (info.st_mode))
        {
          g_autofree char *contents = NULL;

          g_assert_true (g_file_get_contents (whole, &contents, NULL, NULL));
          g_string_append_printf (text, " “%s”", contents);
        }
      if (S_ISLNK (info.st_mode))
        {
          g_autofree char *target = g_file_read_link (whole, NULL);

          g_string_append_printf (text, " → %s", target);
        }
      g_string_append (text, "\n");
      if (S_ISDIR (info.st_mode))
        describe (whole, below, text);
    }
}

static char *
snapshot (Fixture *fixture)
{
  GString *text = g_string_new (NULL);

  describe (fixture->runner.folder, "", text);
  return g_string_free (text, FALSE);
}

static const char *
pick_name (void)
{
  return names[g_test_rand_int_range (0, G_N_ELEMENTS (names))];
}

/* Contents come again, so that a path may be as it was at several times. */
static void
run_call (Fixture *fixture)
{
  g_autofree char *arguments = g_strdup_printf ("{'path':'%s','content':'call %d\\n'}", pick_name (),
                                                g_test_rand_int_range (0, 4));
  g_autofree char *result = NULL;
  g_autoptr (GError) error = NULL;

  g_test_message ("%s", arguments);
  result = tool_runner_run (&fixture->runner, "write_file", arguments, NULL, &error);
  if (result != NULL)
    g_ptr_array_add (fixture->calls, g_object_ref (fixture->runner.call));
  else if (!g_error_matches (error, BECKON_CHANGE_ERROR, BECKON_CHANGE_ERROR_SAME))
    g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
}

/* Runs a command on a view of the folder, whose changes land, as a run lets them. */
static void
run_command (Fixture *fixture, const char *line)
{
  ToolRunner *runner = &fixture->runner;
  g_autoptr (GError) error = NULL;
  gint64 base = beckon_landing_survey_now ();
  g_autofree char *place = NULL;
  g_autoptr (BeckonChangeSet) changes = NULL;
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();
  g_autoptr (BeckonLanding) landing = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  g_clear_object (&runner->call);
  runner->call = beckon_tool_call_new (NULL, NULL, "run_command", "{}");
  tool_runner_store_call (runner);
  place = beckon_landing_place_make (beckon_tool_call_get_id (runner->call), &error);
  g_assert_no_error (error);
  g_assert_cmpint (beckon_view_run (place, runner->folder, line), ==, 0);
  changes = beckon_landing_survey (place, runner->folder, base, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  beckon_change_choice_apply (choice, changes);
  landing = beckon_landing_new (beckon_tool_call_get_id (runner->call), runner->folder, place, base, changes);
  g_assert_true (beckon_lander_plan (landing, &error) && beckon_lander_land (landing, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (beckon_change_set_count (changes, BECKON_FILE_KEPT), ==, beckon_change_set_get_n_changes (changes));
  landing->state = BECKON_LANDING_LANDED;
  beckon_batch_put_landing (batch, landing);
  beckon_store_fixture_commit (runner->store, batch);
  if (beckon_change_set_get_n_changes (changes) > 0)
    g_ptr_array_add (fixture->calls, g_object_ref (runner->call));
  else
    remove_place (runner->call);
  beckon_tool_call_take_landing (runner->call, g_steal_pointer (&landing));
}

static void
run_any (Fixture *fixture)
{
  static const char *const lines[] = {
    "echo %d >a", "mkdir -p d/e && echo %d >d/e/a", "rm -f a", "rm -rf d", "mv a b 2>/dev/null || true; : %d",
    "for f in b d/a; do test ! -f $f || chmod 7%d0 $f; done", "rm -f l; ln -s %d l", "mkdir -p new/deep; echo %d >new/deep/f",
    "rm -rf new", "test ! -f b || echo %d >>b", "rm -rf b; mkdir b; echo %d >b/inner", "test ! -d b || rm -rf b",
    "mkdir -p many; for i in $(seq 40); do echo $i >many/$i; done", "rm -rf many", "mkdir -p d; test -d d && chmod 7%d5 d",
  };
  int number = g_test_rand_int_range (0, 8);
  g_auto (GStrv) pieces = NULL;
  g_autofree char *digit = g_strdup_printf ("%d", number);
  g_autofree char *line = NULL;

  if (g_test_rand_int_range (0, 3) == 0)
    {
      run_call (fixture);
      return;
    }
  pieces = g_strsplit (lines[g_test_rand_int_range (0, G_N_ELEMENTS (lines))], "%d", -1);
  line = g_strjoinv (digit, pieces);
  g_test_message ("%s", line);
  run_command (fixture, line);
}

static void
edit_by_hand (Fixture *fixture, guint step)
{
  const char *name = pick_name ();
  g_autofree char *whole = g_build_filename (fixture->runner.folder, name, NULL);
  g_autofree char *contents = g_test_rand_bit () ? g_strdup_printf ("by hand %u", step) : NULL;

  g_autofree char *parent = g_path_get_dirname (whole);

  /* A file that a command put in the way is left. */
  if (g_file_test (whole, G_FILE_TEST_IS_DIR) || g_mkdir_with_parents (parent, 0700) != 0)
    return;
  g_test_message ("by hand: %s %s", name, contents != NULL ? contents : "deleted");
  if (contents != NULL)
    tool_runner_write (&fixture->runner, name, contents);
  else
    g_unlink (whole);
  g_hash_table_replace (fixture->edits, g_strdup (name), g_steal_pointer (&contents));
}

/* The calls from @first on, the newest first. */
static GPtrArray *
list_calls (Fixture *fixture, guint first)
{
  GPtrArray *calls = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = fixture->calls->len; i > first; i--)
    g_ptr_array_add (calls, g_object_ref (g_ptr_array_index (fixture->calls, i - 1)));
  return calls;
}

typedef enum
{
  PREVIEW,
  REWIND,
  REDO,
} Way;

static BeckonRewind *
rewind_folder (Fixture *fixture, GPtrArray *calls, Way way)
{
  BeckonFileCopies *copies = BECKON_FILE_COPIES (fixture->runner.store);
  const char *id = beckon_conversation_get_id (fixture->runner.turn->conversation);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  BeckonRewind *rewind;

  if (way == PREVIEW)
    beckon_rewind_preview_async (copies, calls, NULL, tool_runner_keep, &result);
  else
    (way == REWIND ? beckon_rewind_async : beckon_rewind_redo_async) (copies, id, calls, "window", NULL, tool_runner_keep,
                                                                      &result);
  tool_runner_wait (&result);
  rewind = way == PREVIEW  ? beckon_rewind_preview_finish (copies, result, &error)
           : way == REWIND ? beckon_rewind_finish (copies, result, &error)
                           : beckon_rewind_redo_finish (copies, result, &error);
  g_assert_no_error (error);
  return rewind;
}

static char *
list_fates (const BeckonRewind *rewind)
{
  static const char *const words[] = { "restored", "deleted", "as it was", "refused" };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < rewind->files->len; i++)
    {
      const BeckonRewindFile *file = g_ptr_array_index (rewind->files, i);

      g_assert_cmpint (file->why != NULL, ==, file->fate == BECKON_REWIND_REFUSED);
      g_string_append_printf (text, "%s: %s\n", file->path, words[file->fate]);
    }
  return g_string_free (text, FALSE);
}

/* The forecast is what is done, and making it changes nothing. */
static BeckonRewind *
rewind_as_foreseen (Fixture *fixture, guint first)
{
  g_autoptr (GPtrArray) calls = list_calls (fixture, first);
  g_autofree char *before = snapshot (fixture);
  g_autoptr (BeckonRewind) preview = rewind_folder (fixture, calls, PREVIEW);
  g_autofree char *after = snapshot (fixture);
  g_autofree char *foreseen = list_fates (preview);
  BeckonRewind *rewind;
  g_autofree char *done = NULL;

  g_assert_cmpstr (after, ==, before);
  rewind = rewind_folder (fixture, calls, REWIND);
  done = list_fates (rewind);
  g_assert_cmpstr (done, ==, foreseen);
  return rewind;
}

/* Rewound to each message, and back. */
static void
test_random (Fixture *fixture, gconstpointer data)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (GPtrArray) snapshots = g_ptr_array_new_with_free_func (g_free);
      guint n_calls[N_STEPS];

      g_ptr_array_set_size (fixture->calls, 0);
      for (guint step = 0; step < N_STEPS; step++)
        {
          g_ptr_array_add (snapshots, snapshot (fixture));
          n_calls[step] = fixture->calls->len;
          run_call (fixture);
        }
      g_assert_cmpuint (fixture->calls->len, >, 0);
      for (guint i = 0; i < 3; i++)
        {
          guint first = (guint) g_test_rand_int_range (0, N_STEPS);
          g_autofree char *before = snapshot (fixture);
          g_autoptr (BeckonRewind) rewind = rewind_as_foreseen (fixture, n_calls[first]);
          g_autofree char *then = snapshot (fixture);
          g_autoptr (BeckonRewind) redone = NULL;
          g_autofree char *again = NULL;

          g_assert_cmpstr (then, ==, g_ptr_array_index (snapshots, first));
          g_assert_cmpuint (rewind->calls->len, ==, fixture->calls->len - n_calls[first]);
          g_assert_false (beckon_rewind_has_refused (rewind));
          redone = rewind_folder (fixture, rewind->calls, REDO);
          again = snapshot (fixture);
          g_assert_cmpstr (again, ==, before);
          g_assert_cmpuint (redone->calls->len, ==, rewind->calls->len);
        }
    }
}

/* The same of commands and file tools together. */
static void
test_random_commands (Fixture *fixture, gconstpointer data)
{
  if (!beckon_view_is_there ())
    {
      g_test_skip ("there is no overlay here");
      return;
    }

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (GPtrArray) snapshots = g_ptr_array_new_with_free_func (g_free);
      guint n_calls[N_STEPS];
      guint begun = fixture->calls->len;

      for (guint step = 0; step < N_STEPS; step++)
        {
          g_ptr_array_add (snapshots, snapshot (fixture));
          n_calls[step] = fixture->calls->len;
          run_any (fixture);
        }
      for (guint i = 0; i < 2; i++)
        {
          guint first = (guint) g_test_rand_int_range (0, N_STEPS);
          g_autofree char *before = snapshot (fixture);
          g_autoptr (BeckonRewind) rewind = rewind_as_foreseen (fixture, n_calls[first]);
          g_autofree char *then = snapshot (fixture);
          g_autoptr (BeckonRewind) redone = NULL;
          g_autofree char *again = NULL;

          g_assert_cmpstr (then, ==, g_ptr_array_index (snapshots, first));
          g_assert_false (beckon_rewind_has_refused (rewind));
          redone = rewind_folder (fixture, rewind->calls, REDO);
          again = snapshot (fixture);
          g_assert_cmpstr (again, ==, before);
        }
      for (guint i = begun; i < fixture->calls->len; i++)
        remove_place (g_ptr_array_index (fixture->calls, i));
    }
}

/* A person's edits in between are as they left them; all else is as it was. */
static void
test_random_edits (Fixture *fixture, gconstpointer data)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (BeckonRewind) rewind = NULL;
      char *before[G_N_ELEMENTS (names)];
      guint first;

      for (guint step = 0; step < N_STEPS / 2; step++)
        run_call (fixture);
      first = fixture->calls->len;
      g_hash_table_remove_all (fixture->edits);
      for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
        before[i] = tool_runner_read (&fixture->runner, names[i]);
      for (guint step = 0; step < N_STEPS; step++)
        if (g_test_rand_int_range (0, 4) == 0)
          edit_by_hand (fixture, round * N_STEPS + step);
        else
          run_call (fixture);

      g_assert_cmpuint (fixture->calls->len, >, first);
      rewind = rewind_as_foreseen (fixture, first);
      for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
        {
          g_autofree char *now = tool_runner_read (&fixture->runner, names[i]);
          gpointer by_hand = NULL;

          if (g_hash_table_lookup_extended (fixture->edits, names[i], NULL, &by_hand))
            g_assert_cmpstr (now, ==, by_hand);
          else
            g_assert_cmpstr (now, ==, before[i]);
          g_free (before[i]);
        }
    }
}

/* With commands, which may have deleted it too: what a person wrote and what still stands there, stands there afterwards. */
static void
test_random_command_edits (Fixture *fixture, gconstpointer data)
{
  if (!beckon_view_is_there ())
    {
      g_test_skip ("there is no overlay here");
      return;
    }

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (GPtrArray) calls = NULL;
      g_autoptr (BeckonRewind) rewind = NULL;
      char *before[G_N_ELEMENTS (names)];
      guint first = fixture->calls->len;

      g_hash_table_remove_all (fixture->edits);
      for (guint step = 0; step < N_STEPS; step++)
        if (g_test_rand_int_range (0, 4) == 0)
          edit_by_hand (fixture, round * N_STEPS + step);
        else
          run_any (fixture);
      for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
        before[i] = tool_runner_read (&fixture->runner, names[i]);

      calls = list_calls (fixture, first);
      rewind = rewind_folder (fixture, calls, REWIND);
      for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
        {
          g_autofree char *now = tool_runner_read (&fixture->runner, names[i]);

          if (before[i] != NULL && g_strcmp0 (g_hash_table_lookup (fixture->edits, names[i]), before[i]) == 0)
            g_assert_cmpstr (now, ==, before[i]);
          g_free (before[i]);
        }
      for (guint i = first; i < fixture->calls->len; i++)
        remove_place (g_ptr_array_index (fixture->calls, i));
    }
}

/* Half of a move stands in a folder that was taken away since. */
static void
test_moved_away (Fixture *fixture, gconstpointer data)
{
  static const char *const last[] = { "rm -rf b", "rm -rf b; mkdir b; echo 2 >b/inner", "rm -rf b; echo 2 >b" };

  if (!beckon_view_is_there ())
    {
      g_test_skip ("there is no overlay here");
      return;
    }

  for (gsize i = 0; i < G_N_ELEMENTS (last); i++)
    {
      g_autoptr (BeckonRewind) rewind = NULL;
      g_autofree char *before = NULL;
      g_autofree char *after = NULL;
      guint first;

      run_command (fixture, "rm -rf a b; mkdir b; echo 1 >a");
      before = snapshot (fixture);
      first = fixture->calls->len;
      run_command (fixture, "mv a b");
      run_command (fixture, last[i]);
      rewind = rewind_as_foreseen (fixture, first);
      after = snapshot (fixture);
      g_assert_cmpstr (after, ==, before);
      g_assert_false (beckon_rewind_has_refused (rewind));
    }
}

static const BeckonRewindFile *
find_file (const BeckonRewind *rewind, const char *path)
{
  for (guint i = 0; i < rewind->files->len; i++)
    if (g_str_equal (((BeckonRewindFile *) g_ptr_array_index (rewind->files, i))->path, path))
      return g_ptr_array_index (rewind->files, i);
  g_assert_not_reached ();
}

/* A move is one line with both places, however often it was moved on; one into the place of another file is none. */
static void
test_moves (Fixture *fixture, gconstpointer data)
{
  static const char *const lines[] = { "mv a c; mv d e", "mv c b; echo new >e/new", "mv e f; mv g h" };
  g_autoptr (BeckonRewind) rewind = NULL;
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  guint first;

  if (!beckon_view_is_there ())
    {
      g_test_skip ("there is no overlay here");
      return;
    }

  run_command (fixture, "rm -rf a b; mkdir d; echo 1 >a; echo 2 >d/x; echo 3 >g; echo 4 >h");
  before = snapshot (fixture);
  first = fixture->calls->len;
  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    run_command (fixture, lines[i]);
  rewind = rewind_as_foreseen (fixture, first);
  after = snapshot (fixture);
  g_assert_cmpstr (after, ==, before);
  for (guint i = 0; i < rewind->files->len; i++)
    {
      const BeckonRewindFile *file = g_ptr_array_index (rewind->files, i);
      g_autofree char *shown = beckon_rewind_file_dup_shown_path (file);

      g_string_append_printf (list, "%s %d\n", shown, file->fate);
    }
  g_assert_cmpstr (list->str, ==, "b → a 0\nf/ → d/ 0\ne/new 1\ng 0\nh 0\n");
}

static void
write_by_call (Fixture *fixture, const char *path, const char *content)
{
  g_autofree char *arguments = g_strdup_printf ("{'path':'%s','content':'%s'}", path, content);

  tool_runner_expect (&fixture->runner, "write_file", arguments, NULL);
  g_ptr_array_add (fixture->calls, g_object_ref (fixture->runner.call));
}

/* Each fate in words, with the reason where something is left. */
static void
test_fates (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autoptr (BeckonRewind) rewind = NULL;
  g_autofree char *summary = NULL;

  tool_runner_write (&fixture->runner, "restored", "one");
  tool_runner_write (&fixture->runner, "mine", "one");
  tool_runner_write (&fixture->runner, "same", "one");
  tool_runner_write (&fixture->runner, "lost", "one");
  tool_runner_write (&fixture->runner, "secret", "hunter2-canary");
  write_by_call (fixture, "restored", "two");
  write_by_call (fixture, "made", "two");
  write_by_call (fixture, "mine", "two");
  write_by_call (fixture, "same", "two");
  beckon_mask_add (mask, "hunter2-canary", "secret:token");
  fixture->runner.mask = mask;
  write_by_call (fixture, "secret", "two");
  fixture->runner.mask = NULL;
  write_by_call (fixture, "lost", "two");
  beckon_tool_call_set_state (fixture->runner.call, BECKON_CALL_DONE);
  beckon_file_copies_drop (BECKON_FILE_COPIES (fixture->runner.store), beckon_tool_call_get_id (fixture->runner.call));
  write_by_call (fixture, "lost", "three");
  tool_runner_write (&fixture->runner, "mine", "by hand");
  tool_runner_write (&fixture->runner, "same", "one");

  rewind = rewind_as_foreseen (fixture, 0);
  g_assert_cmpint (find_file (rewind, "restored")->fate, ==, BECKON_REWIND_RESTORED);
  g_assert_cmpint (find_file (rewind, "made")->fate, ==, BECKON_REWIND_DELETED);
  g_assert_cmpint (find_file (rewind, "same")->fate, ==, BECKON_REWIND_AS_IT_WAS);
  g_assert_cmpint (find_file (rewind, "mine")->fate, ==, BECKON_REWIND_REFUSED);
  g_assert_nonnull (strstr (find_file (rewind, "mine")->why, "changed since"));
  g_assert_cmpint (find_file (rewind, "secret")->fate, ==, BECKON_REWIND_REFUSED);
  g_assert_nonnull (strstr (find_file (rewind, "secret")->why, "secret"));
  g_assert_cmpint (find_file (rewind, "lost")->fate, ==, BECKON_REWIND_REFUSED);
  g_assert_nonnull (strstr (find_file (rewind, "lost")->why, "no longer kept"));
  summary = beckon_rewind_dup_summary (rewind);
  g_assert_cmpstr (summary, ==, "1 file restored, 1 file deleted, 1 file already as it was, 3 files left alone");
}

/* Changes of a repository are one line, which says what they were. @data: the person has committed on. */
static void
test_commits (Fixture *fixture, gconstpointer data)
{
  g_autofree char *begin = g_strdup_printf ("cd '%s' && git init -q -b main . && git config user.name a && git config user.email a@b && "
                                            "echo one >a.py && git add . && git commit -qm first", fixture->runner.folder);
  g_autofree char *mine = g_strdup_printf ("cd '%s' && git commit -q --allow-empty -m mine", fixture->runner.folder);
  g_autoptr (BeckonRewind) rewind = NULL;
  const BeckonRewindFile *git;
  g_autofree char *summary = NULL;
  g_autofree char *words = NULL;

  g_assert_cmpint (system (begin), ==, 0);
  run_command (fixture, "echo two >>a.py; git commit -qam second");
  run_command (fixture, "echo three >>a.py; git commit -qam third");
  if (data != NULL)
    g_assert_cmpint (system (mine), ==, 0);
  rewind = rewind_as_foreseen (fixture, 0);
  g_assert_cmpuint (rewind->files->len, ==, 2);
  git = find_file (rewind, ".git");
  words = beckon_rewind_file_dup_shown_path (git);
  g_assert_cmpstr (words, ==, "Commit: third · 1 file · Commit: second · 1 file");
  g_assert_cmpint (git->fate, ==, data != NULL ? BECKON_REWIND_REFUSED : BECKON_REWIND_RESTORED);
  if (data != NULL)
    g_assert_cmpstr (git->why, ==, "More was done to this Git repository since. Undo that first.");
  g_assert_cmpint (find_file (rewind, "a.py")->fate, ==, git->fate);
  summary = beckon_rewind_dup_summary (rewind);
  g_assert_cmpstr (summary, ==, data != NULL ? "1 file left alone, 1 Git repository left alone"
                                             : "1 file restored, 1 Git repository restored");
}

/* The calls of a message and all behind it, as they are loaded, without those that changed nothing or are undone. */
static void
test_list (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("c", 1);
  g_autoptr (GPtrArray) calls = NULL;
  const char *second = NULL;

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (BeckonMessage) asked = beckon_message_new_text (BECKON_ROLE_USER, i * 2, "Do it");
      g_autoptr (BeckonMessage) reply = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, i + 1);

      for (guint j = 0; j < 3; j++)
        {
          g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "run_command", "{}");
          g_autoptr (BeckonPart) part = beckon_part_new_call (call);

          beckon_tool_call_set_change (call, j == 0 ? BECKON_CALL_CHANGE_UNDONE : j == 1 ? BECKON_CALL_CHANGE_KEPT
                                                                                         : BECKON_CALL_CHANGE_WITHHELD);
          beckon_message_add_part (reply, part);
          g_ptr_array_add (fixture->calls, g_object_ref (call));
        }
      beckon_message_set_seq (reply, i * 2 + 1);
      beckon_conversation_add_message (conversation, asked);
      beckon_conversation_add_message (conversation, reply);
      if (i == 1)
        second = beckon_message_get_id (asked);
    }

  calls = beckon_rewind_list_calls (conversation, second);
  g_assert_cmpuint (calls->len, ==, 4);
  g_assert_true (g_ptr_array_index (calls, 0) == g_ptr_array_index (fixture->calls, 8));
  g_assert_true (g_ptr_array_index (calls, 1) == g_ptr_array_index (fixture->calls, 7));
  g_assert_true (g_ptr_array_index (calls, 3) == g_ptr_array_index (fixture->calls, 4));
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_autofree char *data = g_dir_make_tmp ("beckon-rewind-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD ("/rewind/random", test_random);
  ADD ("/rewind/random-commands", test_random_commands);
  ADD ("/rewind/random-edits", test_random_edits);
  ADD ("/rewind/random-command-edits", test_random_command_edits);
  ADD ("/rewind/moved-away", test_moved_away);
  ADD ("/rewind/moves", test_moves);
  ADD ("/rewind/fates", test_fates);
  ADD ("/rewind/commits", test_commits);
  g_test_add ("/rewind/commits-beneath", Fixture, "", set_up, test_commits, tear_down);
  ADD ("/rewind/list", test_list);
  status = g_test_run ();
  beckon_tree_remove (data);
  return status;
}
