/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

/*
 * Random trees, changed at random in a real view, landed, undone and redone. BECKON_LANDING_SEED=N sets where the seeds
 * begin, "random" takes any; BECKON_LANDING_ROUNDS=N says how many there are. BECKON_LANDING_AS=UID: as that user.
 */

#include "beckon-config.h"

#include "base/beckon-error.h"
#include "beckon-view.h"
#include "domain/beckon-change-choice.h"
#include "landing/beckon-lander-private.h"
#include "landing/beckon-landing-place.h"
#include "landing/beckon-landing-survey.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MAX_PATHS 60

typedef struct
{
  guint32 seed;
  GRand *rand;
  char *top;
  char *folder;
  char *place;
  char *seen; /* the file that holds what the view was at the end */
  gint64 base;
  char *before;
  char *before_inodes;
  BeckonLanding *landing;
} World;

static guint32 first_seed = 20261123;
static guint n_rounds = 12;
static gboolean is_apart; /* copies come back, and not the very files */

static guint
pick (GRand *rand, guint n)
{
  return (guint) g_rand_int_range (rand, 0, (gint32) n);
}

static const char *
pick_name (GRand *rand)
{
  static const char *const names[]
      = { "a", "b", "c", "name with space", "\xff\xfe\x01", "\xe4\xb8\xad", "new\nline", "d", "e", "f" };

  return names[pick (rand, G_N_ELEMENTS (names))];
}

static int
compare_names (gconstpointer one, gconstpointer other)
{
  return strcmp (*(const char *const *) one, *(const char *const *) other);
}

/* All paths in @folder, relative to it. */
static void
collect (GPtrArray *paths, const char *folder, const char *relative)
{
  g_autofree char *whole = g_build_filename (folder, relative, NULL);
  g_autoptr (GDir) entries = g_dir_open (whole, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (entries != NULL && (name = g_dir_read_name (entries)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      char *path = *relative != '\0' ? g_build_filename (relative, names->pdata[i], NULL) : g_strdup (names->pdata[i]);
      g_autofree char *inner = g_build_filename (folder, path, NULL);
      struct stat info;

      g_ptr_array_add (paths, path);
      if (lstat (inner, &info) == 0 && S_ISDIR (info.st_mode))
        collect (paths, folder, path);
    }
}

static char *
pick_path (GRand *rand, const char *folder, gboolean only_folders)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  collect (paths, folder, "");
  for (guint i = 0; i < 20 && paths->len > 0; i++)
    {
      g_autofree char *path = g_build_filename (folder, paths->pdata[pick (rand, paths->len)], NULL);
      struct stat info;

      if (!only_folders || (lstat (path, &info) == 0 && S_ISDIR (info.st_mode)))
        return g_steal_pointer (&path);
    }
  return g_strdup (folder);
}

/* A path that may be new, in a folder that is there. */
static char *
pick_new (GRand *rand, const char *folder)
{
  g_autofree char *parent = pick (rand, 3) == 0 ? g_strdup (folder) : pick_path (rand, folder, TRUE);

  return g_build_filename (parent, pick_name (rand), NULL);
}

static gboolean
write_file (GRand *rand, const char *path, int flags)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0644);
  g_autofree char *text = NULL;
  guint length = pick (rand, 4) == 0 ? 0 : pick (rand, 3000);

  if (fd < 0)
    return FALSE;
  text = g_strnfill (length, (char) ('a' + pick (rand, 26)));
  for (guint i = 20; i < length; i += 1 + pick (rand, 60))
    text[i] = '\n';
  if (pick (rand, 8) == 0 && ftruncate (fd, 200000) == 0)
    g_assert_cmpint (lseek (fd, 100000, SEEK_SET), ==, 100000);
  if (write (fd, text, length) != (gssize) length)
    errno = 0;
  close (fd);
  return length > 0;
}

static void
set_time (GRand *rand, const char *path)
{
  const struct timespec times[2]
      = { { (time_t) pick (rand, 1000000000), 5 }, { (time_t) pick (rand, 1500000000), (long) pick (rand, 1000000000) } };

  utimensat (AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

static void
set_mode (GRand *rand, const char *path)
{
  static const mode_t file_modes[] = { 0644, 0600, 0755, 0444, 0400, 0666 };
  static const mode_t folder_modes[] = { 0755, 0700, 0555, 0500, 0775 };
  struct stat info;

  if (lstat (path, &info) == 0 && !S_ISLNK (info.st_mode))
    chmod (path, S_ISDIR (info.st_mode) ? folder_modes[pick (rand, 5)] : file_modes[pick (rand, 6)]);
}

static void
make_something (GRand *rand, const char *folder, const char *path)
{
  static const char *const targets[] = { "a", "../b", "nowhere", "/etc/hostname", "c/d", "." };
  g_autofree char *other = pick_path (rand, folder, FALSE);

  switch (pick (rand, 9))
    {
    case 0:
    case 1:
      g_mkdir (path, 0755);
      break;
    case 2:
      if (symlink (targets[pick (rand, G_N_ELEMENTS (targets))], path) != 0)
        errno = 0;
      break;
    case 3:
      if (mkfifo (path, 0640) != 0)
        errno = 0;
      break;
    case 4:
      if (link (other, path) != 0)
        errno = 0;
      break;
    default:
      if (write_file (rand, path, O_EXCL) && pick (rand, 4) == 0)
        lsetxattr (path, "user.mark", "value", 5, 0);
      break;
    }
}

static void
make_tree (World *world)
{
  guint n = 5 + pick (world->rand, MAX_PATHS);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = pick_new (world->rand, world->folder);

      make_something (world->rand, world->folder, path);
    }
  collect (paths, world->folder, "");
  for (guint i = paths->len; i > 0; i--)
    {
      g_autofree char *path = g_build_filename (world->folder, paths->pdata[i - 1], NULL);

      if (pick (world->rand, 3) == 0)
        set_mode (world->rand, path);
      set_time (world->rand, path);
    }
  set_time (world->rand, world->folder);
}

static void
remove_tree (const char *path)
{
  g_autofree char *line = NULL;
  g_autofree char *quoted = g_shell_quote (path);

  line = g_strdup_printf ("chmod -R u+rwx %s 2>/dev/null; rm -rf %s 2>/dev/null", quoted, quoted);
  if (system (line) != 0)
    errno = 0;
}

/* Does something that a command may do. */
static void
change_something (GRand *rand, const char *folder)
{
  g_autofree char *path = pick_path (rand, folder, FALSE);
  g_autofree char *new = pick_new (rand, folder);
  g_autofree char *parent = g_path_get_dirname (new);

  if (strcmp (path, folder) == 0)
    return;
  if (pick (rand, 3) == 0)
    chmod (parent, strcmp (parent, folder) == 0 ? 0700 : 0755);
  switch (pick (rand, 12))
    {
    case 0:
      write_file (rand, path, O_TRUNC);
      break;
    case 1:
      write_file (rand, path, O_APPEND);
      break;
    case 2:
      unlink (path);
      break;
    case 3:
      remove_tree (path);
      break;
    case 4:
      rename (path, new);
      break;
    case 5:
      set_mode (rand, path);
      break;
    case 6:
      unlink (path);
      make_something (rand, folder, path);
      break;
    case 7:
      remove_tree (path);
      make_something (rand, folder, path);
      break;
    case 8:
      set_time (rand, path);
      break;
    default:
      make_something (rand, folder, new);
      break;
    }
}

/* The command: what it sees at its end is written beside the folder. */
static int
run_command (gpointer data)
{
  World *world = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (world->seed + 1);
  guint n = 1 + pick (rand, 25);
  g_autofree char *seen = NULL;

  for (guint i = 0; i < n; i++)
    change_something (rand, world->folder);
  seen = beckon_view_describe (world->folder, FALSE);
  return g_file_set_contents (world->seen, seen, -1, NULL) ? 0 : 1;
}

static World *
world_new (guint32 seed)
{
  World *world = g_new0 (World, 1);
  g_autofree char *id = g_strdup_printf ("call-%u", seed);
  g_autoptr (GError) error = NULL;

  world->seed = seed;
  world->rand = g_rand_new_with_seed (seed);
  world->top = g_dir_make_tmp ("beckon-random-XXXXXX", NULL);
  world->folder = g_build_filename (world->top, "folder", NULL);
  world->seen = g_build_filename (world->top, "seen", NULL);
  g_mkdir (world->folder, 0700);
  world->place = beckon_landing_place_make (id, &error);
  g_assert_no_error (error);
  make_tree (world);
  world->before = beckon_view_describe (world->folder, FALSE);
  world->before_inodes = beckon_view_describe (world->folder, TRUE);
  world->base = beckon_landing_survey_now ();
  g_assert_cmpint (beckon_view_call (world->place, world->folder, run_command, world), ==, 0);
  return world;
}

static void
world_free (World *world)
{
  g_autoptr (GError) error = NULL;

  beckon_landing_place_remove (world->place, &error);
  g_assert_no_error (error);
  remove_tree (world->top);
  g_clear_pointer (&world->landing, beckon_landing_free);
  g_rand_free (world->rand);
  g_free (world->top);
  g_free (world->folder);
  g_free (world->place);
  g_free (world->seen);
  g_free (world->before);
  g_free (world->before_inodes);
  g_free (world);
}

static void
survey (World *world)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChangeSet) set
      = beckon_landing_survey (world->place, world->folder, world->base, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  world->landing = beckon_landing_new ("call", world->folder, world->place, world->base, set);
}

static void
decide (World *world, guint one_in)
{
  g_autoptr (BeckonChangeChoice) choice = beckon_change_choice_new ();
  g_autoptr (GError) error = NULL;

  /* Another writer's work is never said to be replaced. */
  for (guint i = 0; i < beckon_change_set_get_n_changes (world->landing->changes); i++)
    if (beckon_change_set_get (world->landing->changes, i)->concern == BECKON_FILE_CONCERN_CONFLICT)
      beckon_change_choice_set_left_out (choice, i, TRUE);
  for (guint i = 0; one_in > 0 && i < beckon_change_set_get_n_changes (world->landing->changes); i++)
    if (pick (world->rand, one_in) == 0)
      {
        BeckonFileChange *change = beckon_change_set_get (world->landing->changes, i);

        if (change->n_hunks > 1 && pick (world->rand, 2) == 0)
          beckon_change_choice_set_hunk_left_out (choice, i, pick (world->rand, change->n_hunks), TRUE);
        else
          beckon_change_choice_set_left_out (choice, i, TRUE);
      }
  beckon_change_choice_apply (choice, world->landing->changes);
  beckon_lander_plan (world->landing, &error);
  g_assert_no_error (error);
}

typedef gboolean (*Function) (BeckonLanding *landing, GError **error);

static void
call (World *world, Function function)
{
  g_autoptr (GError) error = NULL;

  function (world->landing, &error);
  g_assert_no_error (error);
}

/* The second and third words of a line are mode and time. */
static char *
without_time (const char *line, const char *name_end)
{
  const char *mode_end = strchr (name_end + 1, ' ');
  const char *time_end = mode_end != NULL ? strchr (mode_end + 1, ' ') : NULL;

  g_assert_nonnull (mode_end);
  return g_strdup_printf ("%.*s%s", (int) (mode_end - line), line, time_end != NULL ? time_end : "");
}

static char *
hide_time (const char *line)
{
  const char *at = line + strlen (line);

  /* Names may hold blanks; an octal mode and a time with a point are found from the front of what is no name. */
  for (const char *blank = strchr (line, ' '); blank != NULL; blank = strchr (blank + 1, ' '))
    if (g_regex_match_simple ("^ [0-7]{5,6} [0-9]+\\.[0-9]{9}( |$)", blank, 0, 0))
      return without_time (line, blank);
  return g_strndup (line, (gsize) (at - line));
}

static void
tell_fates (World *world)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (world->landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (world->landing->changes, i);

      g_test_message ("%u %s %s %s", change->kind, change->path, beckon_file_fate_to_string (change->fate),
                      change->remark != NULL ? change->remark : "");
    }
}

/* Files that were only touched are as they were before; everything else is as the command saw it. */
static void
assert_as_seen (World *world)
{
  g_autofree char *seen = NULL;
  g_autofree char *now = beckon_view_describe (world->folder, FALSE);
  g_auto (GStrv) seen_lines = NULL;
  g_auto (GStrv) now_lines = NULL;
  g_auto (GStrv) before_lines = NULL;

  g_assert_true (g_file_get_contents (world->seen, &seen, NULL, NULL));
  seen_lines = g_strsplit (seen, "\n", -1);
  now_lines = g_strsplit (now, "\n", -1);
  before_lines = g_strsplit (world->before, "\n", -1);
  for (guint i = 0; seen_lines[i] != NULL || now_lines[i] != NULL; i++)
    {
      g_autofree char *seen_line = seen_lines[i] != NULL ? hide_time (seen_lines[i]) : NULL;
      g_autofree char *now_line = now_lines[i] != NULL ? hide_time (now_lines[i]) : NULL;

      if (g_strcmp0 (seen_line, now_line) != 0)
        tell_fates (world);
      if (g_strcmp0 (seen_line, now_line) != 0)
        g_test_message ("seed %u\nbefore:\n%s\nseen:\n%s\nnow:\n%s", world->seed, world->before, seen, now);
      g_assert_cmpstr (now_line, ==, seen_line);
      if (strcmp (seen_lines[i], now_lines[i]) == 0
          || g_strv_contains ((const char *const *) before_lines, now_lines[i]))
        continue;
      g_test_message ("seed %u\nbefore:\n%s\nseen:\n%s\nnow:\n%s", world->seed, world->before, seen, now);
      g_assert_cmpstr (now_lines[i], ==, seen_lines[i]);
    }
}

static void
assert_as_before (World *world)
{
  g_autofree char *now = beckon_view_describe (world->folder, FALSE);
  g_autofree char *now_inodes = beckon_view_describe (world->folder, TRUE);

  if (strcmp (now, world->before) != 0)
    g_test_message ("seed %u\nbefore:\n%s\nnow:\n%s", world->seed, world->before, now);
  if (strcmp (now, world->before) != 0)
    tell_fates (world);
  g_assert_true (strcmp (now, world->before) == 0);
  if (!is_apart)
    g_assert_cmpstr (now_inodes, ==, world->before_inodes);
}

static void
test_whole (void)
{
  for (guint i = 0; i < n_rounds; i++)
    {
      World *world = world_new (first_seed + i);
      g_autofree char *landed = NULL;
      g_autofree char *redone = NULL;

      survey (world);
      decide (world, 0);
      call (world, beckon_lander_land);
      assert_as_seen (world);
      landed = beckon_view_describe (world->folder, FALSE);
      call (world, beckon_lander_undo);
      assert_as_before (world);
      call (world, beckon_lander_redo);
      redone = beckon_view_describe (world->folder, FALSE);
      g_assert_cmpstr (redone, ==, landed);
      call (world, beckon_lander_undo);
      assert_as_before (world);
      world_free (world);
    }
}

static void
test_part (void)
{
  for (guint i = 0; i < n_rounds; i++)
    {
      World *world = world_new (first_seed + 1000 + i);
      g_autofree char *landed = NULL;
      g_autofree char *redone = NULL;

      survey (world);
      decide (world, 3);
      call (world, beckon_lander_land);
      landed = beckon_view_describe (world->folder, FALSE);
      call (world, beckon_lander_undo);
      assert_as_before (world);
      call (world, beckon_lander_redo);
      redone = beckon_view_describe (world->folder, FALSE);
      g_assert_cmpstr (redone, ==, landed);
      world_free (world);
    }
}

/* Ends of the process in the middle. */

static guint n_left;

static void
die_in_time (void)
{
  if (n_left-- == 0)
    _exit (77);
}

/* %TRUE if it came to its end. */
static gboolean
call_and_die (World *world, Function function, guint n)
{
  pid_t pid = fork ();
  int status;

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      n_left = n;
      beckon_lander_hook = die_in_time;
      _exit (function (world->landing, NULL) ? 0 : 1);
    }

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  g_assert_true (WEXITSTATUS (status) == 0 || WEXITSTATUS (status) == 77);
  return WEXITSTATUS (status) == 0;
}

static void
test_killed (void)
{
  for (guint i = 0; i < MAX (n_rounds / 10, 2); i++)
    {
      gboolean is_over = FALSE;

      for (guint n = 0; !is_over; n++)
        {
          World *world = world_new (first_seed + 2000 + i);

          g_test_message ("seed %u, ended at %u", world->seed, n);
          survey (world);
          decide (world, 0);
          is_over = call_and_die (world, beckon_lander_land, n);
          call (world, beckon_lander_land);
          assert_as_seen (world);
          call_and_die (world, beckon_lander_undo, n);
          call (world, beckon_lander_undo);
          assert_as_before (world);
          g_test_message ("redoing");
          call_and_die (world, beckon_lander_redo, n);
          call (world, beckon_lander_redo);
          assert_as_seen (world);
          world_free (world);
        }
    }
}

/* A person works on the same files meanwhile. */

typedef struct
{
  char *path;
  char *description;
} Edit;

static void
edit_free (gpointer data)
{
  Edit *edit = data;

  g_free (edit->path);
  g_free (edit->description);
  g_free (edit);
}

static void
edit_something (World *world, GPtrArray *edits)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *path = pick_path (world->rand, world->folder, FALSE);
      g_autofree char *text = g_strdup_printf ("mine %u\n", pick (world->rand, 1000000));
      struct stat info;
      Edit *edit;

      if (lstat (path, &info) != 0 || !S_ISREG (info.st_mode) || info.st_nlink > 1)
        continue;
      if (pick (world->rand, 2) == 0)
        g_unlink (path);
      else
        chmod (path, 0644);
      if (!g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0644, NULL))
        continue;
      edit = g_new0 (Edit, 1);
      edit->path = g_strdup (path);
      edit->description = beckon_view_describe (path, TRUE);
      g_ptr_array_add (edits, edit);
    }
}

/* An edit may be made over by the next. */
static void
assert_kept (World *world, GPtrArray *edits)
{
  for (guint i = 0; i < edits->len; i++)
    {
      Edit *edit = edits->pdata[i];
      g_autofree char *now = NULL;
      gboolean is_last = TRUE;

      for (guint j = i + 1; j < edits->len; j++)
        is_last = is_last && strcmp (((Edit *) edits->pdata[j])->path, edit->path) != 0;
      if (!is_last)
        continue;
      if (!g_file_test (edit->path, G_FILE_TEST_EXISTS))
        g_test_message ("seed %u: %s is gone", world->seed, edit->path);
      now = beckon_view_describe (edit->path, TRUE);
      if (strcmp (now, edit->description) != 0)
        g_test_message ("seed %u: %s", world->seed, edit->path);
      g_assert_cmpstr (now, ==, edit->description);
    }
}

static void
test_meanwhile (void)
{
  for (guint i = 0; i < n_rounds; i++)
    {
      World *world = world_new (first_seed + 3000 + i);
      g_autoptr (GPtrArray) edits = g_ptr_array_new_with_free_func (edit_free);

      edit_something (world, edits);
      survey (world);
      if (i % 2 == 0)
        edit_something (world, edits);
      decide (world, 0);
      call (world, beckon_lander_land);
      assert_kept (world, edits);
      if (i % 3 == 0)
        edit_something (world, edits);
      call (world, beckon_lander_undo);
      assert_kept (world, edits);
      if (i % 5 == 0)
        edit_something (world, edits);
      call (world, beckon_lander_redo);
      assert_kept (world, edits);
      world_free (world);
    }
}

static gboolean
become (const char *user)
{
  uid_t uid = (uid_t) g_ascii_strtoull (user, NULL, 10);

  return geteuid () == 0 && setgroups (0, NULL) == 0 && setgid (uid) == 0 && setuid (uid) == 0
         && prctl (PR_SET_DUMPABLE, 1) == 0;
}

int
main (int argc, char **argv)
{
  const char *seed = g_getenv ("BECKON_LANDING_SEED");
  const char *rounds = g_getenv ("BECKON_LANDING_ROUNDS");
  const char *user = g_getenv ("BECKON_LANDING_AS");
  const char *system_kind = g_getenv ("BECKON_LANDING_SYSTEM");
  g_autofree char *data = NULL;
  int status;

  umask (022);
  if (user != NULL && !become (user))
    {
      g_print ("1..0 # SKIP only root can be another user\n");
      return 0;
    }
  if (seed != NULL)
    first_seed = strcmp (seed, "random") == 0 ? g_random_int () / 2 : (guint32) g_ascii_strtoull (seed, NULL, 10);
  if (rounds != NULL)
    n_rounds = (guint) g_ascii_strtoull (rounds, NULL, 10);
  beckon_lander_is_always_apart = is_apart = g_strcmp0 (system_kind, "apart") == 0;
  beckon_lander_renames_plainly = g_strcmp0 (system_kind, "plain") == 0;
  data = g_dir_make_tmp ("beckon-data-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  if (!beckon_view_is_there ())
    {
      remove_tree (data);
      g_print ("1..0 # SKIP no overlay here\n");
      return 0;
    }

  g_test_message ("seeds from %u", first_seed);
  g_test_add_func ("/landing-random/whole", test_whole);
  g_test_add_func ("/landing-random/part", test_part);
  g_test_add_func ("/landing-random/killed", test_killed);
  g_test_add_func ("/landing-random/meanwhile", test_meanwhile);
  status = g_test_run ();
  remove_tree (data);
  return status;
}
