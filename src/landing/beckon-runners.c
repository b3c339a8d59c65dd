/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "base/beckon-ignore.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "beckon-runners-private.h"

#include <fnmatch.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static GMutex programs_lock;
static GPtrArray *programs; /* (nullable) (element-type BeckonRunnerProgram): all owned */

static void
program_free (gpointer data)
{
  BeckonRunnerProgram *program = data;

  g_free ((char *) program->server);
  g_free ((char *) program->folder);
  g_strfreev ((char **) program->argv);
  g_free (program);
}

void
beckon_runners_set_programs (const BeckonRunnerProgram *all, guint n)
{
  GPtrArray *made = g_ptr_array_new_with_free_func (program_free);

  for (guint i = 0; i < n; i++)
    {
      BeckonRunnerProgram *program = g_new (BeckonRunnerProgram, 1);

      *program = (BeckonRunnerProgram){ g_strdup (all[i].server),
                                        g_strdup (all[i].folder != NULL ? all[i].folder : g_get_home_dir ()),
                                        (const char *const *) g_strdupv ((char **) all[i].argv) };
      g_ptr_array_add (made, program);
    }
  g_mutex_lock (&programs_lock);
  g_clear_pointer (&programs, g_ptr_array_unref);
  programs = made;
  g_mutex_unlock (&programs_lock);
}

static void
runners_read_own (BeckonRunners *self)
{
  g_autoptr (GPtrArray) all = NULL;

  g_mutex_lock (&programs_lock);
  all = programs != NULL ? g_ptr_array_ref (programs) : NULL;
  g_mutex_unlock (&programs_lock);
  for (guint i = 0; all != NULL && i < all->len; i++)
    beckon_runners_read_command (self, g_ptr_array_index (all, i));
}

static void
reason_free (gpointer data)
{
  BeckonRunnerReason *reason = data;

  g_free (reason->by);
  g_free (reason->word);
  g_free (reason);
}

BeckonRunners *
beckon_runners_new (const char *folder, guint n_entries)
{
  BeckonRunners *self;

  g_return_val_if_fail (folder != NULL && g_path_is_absolute (folder), NULL);

  self = g_new0 (BeckonRunners, 1);
  self->folder = g_strdup (folder);
  for (guint i = 0; i < BECKON_RUNNER_N_REACHES; i++)
    self->named[i] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, reason_free);
  self->patterns = g_ptr_array_new_with_free_func (g_free);
  self->awaited = g_ptr_array_new_with_free_func (g_free);
  self->links = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->usual = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_hash_table_unref);
  self->trees = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, beckon_work_tree_free);
  self->ignores = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) beckon_ignore_free);
  self->left = n_entries;
  runners_read_own (self);
  beckon_runners_read_all (self);
  return self;
}

void
beckon_runners_free (BeckonRunners *runners)
{
  if (runners == NULL)
    return;

  for (guint i = 0; i < BECKON_RUNNER_N_REACHES; i++)
    g_hash_table_unref (runners->named[i]);
  g_ptr_array_unref (runners->patterns);
  g_ptr_array_unref (runners->awaited);
  g_hash_table_unref (runners->links);
  g_hash_table_unref (runners->seen);
  g_hash_table_unref (runners->usual);
  g_hash_table_unref (runners->ignores);
  g_hash_table_unref (runners->trees);
  g_free (runners->folder);
  g_free (runners->elsewhere);
  g_free (runners);
}

void
beckon_runners_look_above (BeckonRunners *runners, const char *path)
{
  g_return_if_fail (runners != NULL && path != NULL);

  if (runners->is_cut)
    beckon_runners_read_parents (runners, path);
}

/* Sentences. */

static char *
runners_say (const BeckonRunner *runner)
{
  /* Translators: %s is a program, such as Git, or "Your login session" */
  return beckon_text_printf ((runner->flags & BECKON_RUNNER_OBEYS) != 0 ? _("%s obeys it") : _("%s runs it"), _(runner->name));
}

static char *
runners_say_reason (const BeckonRunnerReason *reason)
{
  if (reason->runner == NULL)
    return g_strdup (reason->by);
  if (reason->by == NULL)
    return runners_say (reason->runner);
  if (reason->word == NULL)
    return beckon_text_printf (_("%s runs it: %s leads to it"), _(reason->runner->name), reason->by);

  if ((reason->runner->flags & BECKON_RUNNER_IMPORTS) != 0)
    /* Translators: an agent, one of its files, and another file that it has that agent read as well */
    return beckon_text_printf (_("%s obeys it: %s imports %s"), _(reason->runner->name), reason->by, reason->word);

  /* Translators: a program, one of its files, and what that says, as "Git runs it: .git/hooks/pre-commit calls ./lint.sh" */
  return beckon_text_printf (_("%s runs it: %s calls %s"), _(reason->runner->name), reason->by, reason->word);
}

/* Names. */

/* Files that a program of some folder around @whole reads unasked. Of the folders on its way only a few names count. */
static const BeckonRunnerReason *
runners_find_usual (BeckonRunners *self, const char *whole)
{
  g_autofree char *at = g_strdup (whole);
  char *slash;

  if (g_hash_table_size (self->named[BECKON_RUNNER_REACH_USUAL]) == 0 || beckon_runner_table_is_installed (whole))
    return NULL;

  for (gboolean is_last = TRUE; (slash = strrchr (at, '/')) != NULL && slash != at; is_last = FALSE)
    {
      g_auto (GStrv) keys = beckon_runner_table_list_keys (slash + 1, TRUE, FALSE);

      *slash = '\0';
      for (guint i = 0; keys[i] != NULL; i++)
        for (const char *end = slash; (is_last || *keys[i] == ' ') && end != NULL; end = g_strrstr_len (at, end - at, "/"))
          {
            g_autofree char *folder = g_strndup (at, (gsize) (end - at));
            g_autofree char *path = g_build_filename (folder, keys[i], NULL);
            const BeckonRunnerReason *found = g_hash_table_lookup (self->named[BECKON_RUNNER_REACH_USUAL], path);

            if (found != NULL)
              return found;
          }
    }

  return NULL;
}

static const BeckonRunnerReason *
runners_find (BeckonRunners *self, const char *whole, const BeckonRunnerChange *change)
{
  static const char *const modules[] = { "*.py*", "*.so" };
  g_autofree char *at = g_strdup (whole);
  g_autofree char *name = g_path_get_basename (whole);
  const gboolean is_program
      = change != NULL && (S_ISLNK (change->mode_after) || (S_ISREG (change->mode_after) && (change->mode_after & 0111) != 0));
  const gboolean is_script = is_program || beckon_runner_words_is_script_name (whole);
  /* No import has a name for what begins with a dot, as .pytest_cache does. */
  const gboolean is_module = (change != NULL && S_ISLNK (change->mode_after))
                             || (*name != '.'
                                 && (g_pattern_match_simple (modules[0], name) || g_pattern_match_simple (modules[1], name)));
  const BeckonRunnerReason *found = runners_find_usual (self, whole);

  for (guint above = 0; found == NULL; above++)
    {
      char *slash = strrchr (at, '/');
      const gboolean counts[BECKON_RUNNER_N_REACHES] = {
        [BECKON_RUNNER_REACH_TREE] = TRUE,
        [BECKON_RUNNER_REACH_FILE] = above == 0,
        [BECKON_RUNNER_REACH_SCRIPTS] = is_script,
        [BECKON_RUNNER_REACH_PROGRAMS] = is_program && above == 1,
        [BECKON_RUNNER_REACH_MODULES] = is_module && (above == 1 || (above == 2 && g_str_has_prefix (name, "__init__."))),
      };

      for (guint i = 0; found == NULL && i < BECKON_RUNNER_N_REACHES; i++)
        found = counts[i] ? g_hash_table_lookup (self->named[i], at) : NULL;
      if (slash == NULL || slash == at)
        break;
      *slash = '\0';
    }
  return found;
}

/* A link where a folder was that something leads through chooses what is found there. */
static const BeckonRunnerReason *
runners_find_within (BeckonRunners *self, const char *whole)
{
  for (guint i = 0; i < BECKON_RUNNER_N_REACHES; i++)
    {
      GHashTableIter iter;
      gpointer path, reason;

      g_hash_table_iter_init (&iter, self->named[i]);
      while (g_hash_table_iter_next (&iter, &path, &reason))
        if (beckon_path_is_within (path, whole))
          return reason;
    }

  return NULL;
}

static gboolean
is_git_itself (const char *folder, gpointer data)
{
  return strcmp (folder, ".git") == 0;
}

/* The folder may be one that a runner reads itself, or lie in it. */
static const BeckonRunner *
runners_find_as_named (BeckonRunners *self, const char *path)
{
  g_autofree char *name = g_path_get_basename (self->folder);
  g_autofree char *parent = g_path_get_dirname (self->folder);
  g_autofree char *above = g_path_get_basename (parent);
  g_autofree char *one = g_build_filename (name, path, NULL);
  g_autofree char *two = g_build_filename (above, name, path, NULL);
  const BeckonRunner *runner = beckon_runner_table_find (path, NULL);

  runner = runner != NULL ? runner : beckon_runner_table_find (one, NULL);
  return runner != NULL ? runner : beckon_runner_table_find (two, NULL);
}

static const BeckonRunner *
runners_find_row (BeckonRunners *self, const char *path, const char *whole, BeckonRunnerLook look, gpointer data,
                  const BeckonRunnerChange *change)
{
  const BeckonRunner *git = beckon_runner_table_get (BECKON_RUNNER_GIT);
  /* The folder may lie in a Git directory. */
  const char *above = strstr (whole, "/.git/");
  const gboolean is_in = above != NULL && (gsize) (above - whole) < strlen (self->folder);
  const char *in_git
      = self->elsewhere != NULL ? beckon_path_relate (whole, self->elsewhere) : is_in ? above + strlen ("/.git/") : NULL;
  const gboolean is_installed = beckon_runner_table_is_installed (path);
  g_autofree char *name = g_path_get_basename (path);
  const BeckonRunner *runner;
  GHashTableIter iter;
  gpointer end, link;

  if (beckon_runner_git_obeys (path, look, data))
    return strstr (path, "hooks/") != NULL ? beckon_runner_table_find (".githooks", NULL) : git;
  if (in_git != NULL)
    {
      g_autofree char *inside = g_build_filename (".git", in_git, NULL);

      return *in_git == '\0' || beckon_runner_git_obeys (inside, is_git_itself, NULL) ? git : NULL;
    }
  runner = runners_find_as_named (self, path);
  g_hash_table_iter_init (&iter, self->links);
  while (runner == NULL && g_hash_table_iter_next (&iter, &end, &link))
    {
      const char *rest = beckon_path_relate (whole, end);
      g_autofree char *as_named = rest != NULL ? g_build_filename (link, rest, NULL) : NULL;

      runner = as_named != NULL ? beckon_runner_table_find (as_named, NULL) : NULL;
    }
  if (runner != NULL || change == NULL || is_installed)
    return runner;
  /* A link may be taken for a package, or for a folder of which a runner reads some files. */
  if (S_ISLNK (change->mode_after) ? g_ascii_strcasecmp (name, "package.json") == 0
                                   : S_ISREG (change->mode_after) && strcmp (name, "package.json") == 0
                                         && beckon_runner_words_package_differs (change->before, change->after))
    return beckon_runner_table_get (BECKON_RUNNER_PACKAGES);

  return S_ISLNK (change->mode_after) ? beckon_runner_table_find_beginning (name) : NULL;
}

char *
beckon_runners_why (BeckonRunners *self, const char *path, BeckonRunnerLook look, gpointer data,
                    const BeckonRunnerChange *change)
{
  g_autofree char *whole = NULL;
  const BeckonRunnerReason *reason;
  const BeckonRunner *runner;
  const char *slash;

  g_return_val_if_fail (self != NULL && path != NULL, g_strdup (""));

  slash = strrchr (path, '/');
  whole = g_build_filename (self->folder, path, NULL);
  runner = runners_find_row (self, path, whole, look, data, change);
  if (runner != NULL)
    return runners_say (runner);

  reason = runners_find (self, whole, change);
  if (reason == NULL && change != NULL && S_ISLNK (change->mode_after))
    reason = runners_find_within (self, whole);
  /* Git's directories are judged by their form alone: a branch may be called as a file is. */
  if (reason != NULL && beckon_runner_git_holds (path, look, data))
    return NULL;
  if (reason != NULL)
    return reason->runner == NULL && g_path_is_absolute (reason->by)
               ? beckon_text_printf (_("Every program may find it under its name: %s is in PATH"), reason->by)
               : runners_say_reason (reason);
  for (guint i = 0; i < self->patterns->len; i++)
    if (fnmatch (g_ptr_array_index (self->patterns, i), whole, FNM_PATHNAME) == 0)
      return g_strdup (_("A script goes through the files that are called so"));
  /* An interpreter is given scripts by name, most often by one that ends so or has no ending. */
  if (self->is_cut && change != NULL && S_ISREG (change->mode_after)
      && ((change->mode_after & 0111) != 0 || beckon_runner_words_is_script_name (path)
          || strchr (slash != NULL ? slash + 1 : path, '.') == NULL)
      && !beckon_runners_is_by_product (self, path, FALSE))
    return g_strdup (_("Something may run it: the folder is too large to be read whole"));

  return NULL;
}

GPtrArray *
beckon_runners_list_awaited (BeckonRunners *runners)
{
  return runners->awaited;
}

gboolean
beckon_runners_is_git (const char *folder, gpointer data)
{
  g_autofree char *head = g_build_filename (data, folder, "HEAD", NULL);
  struct stat info;

  return lstat (head, &info) == 0;
}

/* A link called .git makes all that it leads to Git's. */
static gboolean
is_in_git_link (const char *folder, const char *whole)
{
  g_autofree char *path = g_build_filename (folder, ".git", NULL);
  g_autofree char *real = beckon_runners_is_link (path) ? beckon_runners_follow (path) : NULL;

  return real != NULL && beckon_path_is_within (whole, real);
}

char *
beckon_runner_why (const char *folder, const char *path, const BeckonRunnerChange *change)
{
  g_autofree char *whole = NULL;
  g_autoptr (BeckonRunners) runners = NULL;
  BeckonRunnerChange plain = { 0 };
  const char *relative;
  struct stat info;
  char *why;

  g_return_val_if_fail (folder != NULL && g_path_is_absolute (folder) && path != NULL, g_strdup (""));

  whole = g_canonicalize_filename (path, folder);
  if (change != NULL)
    plain = *change;
  if (lstat (whole, &info) == 0)
    plain.mode_before = plain.mode_after = info.st_mode;
  else if (plain.mode_after == 0)
    plain.mode_after = S_IFREG;
  relative = beckon_path_relate (whole, folder);
  if (relative == NULL || *relative == '\0')
    {
      /* Outside, only what Beckon itself runs and what a session obeys can be told. */
      g_autofree char *parent = g_path_get_dirname (whole);
      g_autofree char *name = g_path_get_basename (whole);

      runners = beckon_runners_new (parent, 0);
      runners->is_cut = FALSE;
      return is_in_git_link (folder, whole) ? runners_say (beckon_runner_table_get (BECKON_RUNNER_GIT))
                                            : beckon_runners_why (runners, name, NULL, NULL, &plain);
    }

  if (beckon_runner_git_reads_index (relative, beckon_runners_is_git, (gpointer) folder) || is_in_git_link (folder, whole))
    return runners_say (beckon_runner_table_get (BECKON_RUNNER_GIT));

  runners = beckon_runners_new (folder, BECKON_RUNNERS_MAX_ENTRIES);
  beckon_runners_look_above (runners, relative);
  why = beckon_runners_why (runners, relative, beckon_runners_is_git, (gpointer) folder, &plain);
  if (why == NULL && beckon_runners_is_program (runners, relative, &plain))
    why = g_strdup (_("It is a program of this repository, and was changed"));
  return why;
}
