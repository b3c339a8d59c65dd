/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "beckon-git-index.h"
#include "beckon-landing-survey-private.h"
#include "beckon-landing-tree.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>

/* No configuration of Git that anybody wrote is larger, nor a package.json. */
#define MAX_TEXT ((gsize) 1024 * 1024)

static gboolean
was_git (const char *folder, gpointer data)
{
  return beckon_landing_root_is_git (folder, &((BeckonSurvey *) data)->root);
}

static gboolean
becomes_git (const char *folder, gpointer data)
{
  g_autofree char *head = g_build_filename (folder, "HEAD", NULL);
  struct stat info;

  return beckon_landing_tree_look_at (((BeckonSurvey *) data)->upper, head, &info) || was_git (folder, data);
}

/* A Git directory that is made anew is one, and so is what comes into a folder that becomes one. */
static char *
survey_find_runner (BeckonSurvey *self, const char *path, const BeckonRunnerChange *change)
{
  char *why;

  /* Runners name what they did before the command; in a folder of more names than are read, what is around each change too. */
  if (self->runners == NULL)
    self->runners = beckon_runners_new (self->folder, BECKON_RUNNERS_MAX_ENTRIES);
  beckon_runners_look_above (self->runners, path);
  why = beckon_runners_why (self->runners, path, was_git, self, change);
  if (why == NULL)
    why = beckon_runners_why (self->runners, path, becomes_git, self, change);
  if (why == NULL && beckon_landing_root_is_others (&self->root, path))
    why = g_strdup (_("It belongs to another work tree of this repository"));
  return why;
}

gboolean
beckon_survey_is_trigger (BeckonSurvey *self, const char *path)
{
  g_autofree char *why = survey_find_runner (self, path, NULL);

  return why != NULL;
}

/* Behind a name that may be a link, the kernel goes up from where that leads, and the path alone does not tell where. */
static gboolean
goes_up_late (const char *target)
{
  g_auto (GStrv) names = g_strsplit (target, "/", -1);
  gboolean is_behind_name = FALSE;

  for (guint i = 0; names[i] != NULL; i++)
    {
      if (is_behind_name && strcmp (names[i], "..") == 0)
        return TRUE;
      is_behind_name = is_behind_name || (*names[i] != '\0' && strcmp (names[i], ".") != 0 && strcmp (names[i], "..") != 0);
    }

  return FALSE;
}

/* As the kernel would go, as far as links that are there already lead. */
static gboolean
leads_out (BeckonSurvey *self, const char *target)
{
  g_autofree char *parent = g_path_get_dirname (beckon_survey_get_path (self));
  g_autofree char *start = g_canonicalize_filename (parent, self->folder);
  g_autofree char *whole = g_canonicalize_filename (target, start);
  g_auto (BeckonFd) fd = -1;

  if (goes_up_late (target) || !beckon_path_is_within (whole, self->folder))
    return TRUE;

  fd = open (whole, O_PATH | O_CLOEXEC);
  if (fd >= 0)
    {
      g_autofree char *name = g_strdup_printf ("/proc/self/fd/%d", fd);
      g_autofree char *real = g_file_read_link (name, NULL);

      return real == NULL || !beckon_path_is_within (real, self->folder);
    }
  return FALSE;
}

/* (nullable) (transfer full): a file as it was, or @is_ours: as the command left it. */
static char *
survey_read (BeckonSurvey *self, const char *path, gsize most, gboolean is_ours, gsize *length)
{
  g_auto (BeckonFd) fd = is_ours ? beckon_landing_tree_open_file (self->upper, path, TRUE)
                                 : beckon_landing_root_open_file (&self->root, path);

  return fd >= 0 ? beckon_landing_tree_read (fd, most, length) : NULL;
}

/* The person's own configuration says so, before what the command made of it. */
static guint
get_hash_length (BeckonSurvey *self, const char *git)
{
  static const char *const places[] = { "config", "../../config" };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *plain = g_build_filename ("/", git, places[i], NULL);
      g_autofree char *path = g_canonicalize_filename (plain, "/");
      gsize length;
      g_autofree char *text = survey_read (self, path + 1, MAX_TEXT, FALSE, &length);

      if (text != NULL)
        return g_regex_match_simple ("^\\s*objectformat\\s*=\\s*sha256", text, G_REGEX_CASELESS | G_REGEX_MULTILINE, 0)
                   ? BECKON_GIT_INDEX_SHA256
                   : BECKON_GIT_INDEX_SHA1;
    }

  return BECKON_GIT_INDEX_SHA1;
}

/* The other half of a split index, from the command or from before it. */
static gboolean
is_everyday_half (BeckonSurvey *self, const char *git, const char *name, guint hash_length)
{
  g_autofree char *path = g_build_filename (git, name, NULL);
  gsize length;
  g_autofree char *bytes = survey_read (self, path, BECKON_GIT_INDEX_MAX_SIZE, TRUE, &length);

  if (bytes == NULL)
    bytes = survey_read (self, path, BECKON_GIT_INDEX_MAX_SIZE, FALSE, &length);
  return bytes != NULL && beckon_git_index_is_everyday ((const guchar *) bytes, length, hash_length, NULL);
}

static gboolean
is_odd_index (BeckonSurvey *self)
{
  const char *path = beckon_survey_get_path (self);
  g_autofree char *git = NULL;
  g_autofree char *shared = NULL;
  g_autofree char *bytes = NULL;
  guint hash_length;
  gsize length;

  if (!beckon_runner_git_reads_index (path, was_git, self) && !beckon_runner_git_reads_index (path, becomes_git, self))
    return FALSE;

  git = g_path_get_dirname (path);
  hash_length = get_hash_length (self, git);
  bytes = survey_read (self, path, BECKON_GIT_INDEX_MAX_SIZE, TRUE, &length);
  return bytes == NULL || !beckon_git_index_is_everyday ((const guchar *) bytes, length, hash_length, &shared)
         || (shared != NULL && !is_everyday_half (self, git, shared, hash_length));
}

/* (nullable) (transfer full): what makes it run or be obeyed by others, without a look at what it is besides. */
static char *
survey_find_why (BeckonSurvey *self, const struct stat *info, BeckonRunnerChange *change)
{
  const char *path = beckon_survey_get_path (self);
  g_autofree char *name = g_path_get_basename (path);
  const gboolean is_package = S_ISREG (info->st_mode) && strcmp (name, "package.json") == 0;
  gsize length;
  g_autofree char *before = is_package ? survey_read (self, path, MAX_TEXT, FALSE, &length) : NULL;
  g_autofree char *after = is_package ? survey_read (self, path, MAX_TEXT, TRUE, &length) : NULL;
  struct stat was;

  if (beckon_landing_root_look_at (&self->root, path, &was))
    change->mode_before = was.st_mode;
  change->mode_after = info->st_mode;
  change->before = before;
  change->after = after;
  return survey_find_runner (self, path, change);
}

void
beckon_survey_judge (BeckonSurvey *self, int folder, const char *name, const struct stat *info, BeckonFileChange *change)
{
  BeckonRunnerChange run = { 0 };
  gboolean is_odd, is_object;

  if (S_ISLNK (info->st_mode))
    change->target = beckon_landing_tree_read_link (folder, name);
  if (S_ISREG (info->st_mode)
      && ((info->st_mode & 06000) != 0
          || ((info->st_mode & 0111) != 0
              && beckon_landing_tree_get_attribute (folder, name, "security.capability", NULL, 0) >= 0)))
    {
      change->concern = BECKON_FILE_CONCERN_SET_ID;
      return;
    }

  g_free (change->remark);
  change->remark = survey_find_why (self, info, &run);
  /* Git waits for ever for what a pipe in its directory says, and takes a link that leads there for a directory of its own. */
  is_odd = (!S_ISREG (info->st_mode) && !S_ISDIR (info->st_mode)
            && beckon_landing_get_git_length (beckon_survey_get_path (self), &is_object) > 0)
           || (change->target != NULL && beckon_landing_get_git_length (change->target, &is_object) > 0);
  if (change->remark != NULL || is_odd
      || (S_ISREG (info->st_mode) && is_odd_index (self)))
    change->concern = BECKON_FILE_CONCERN_TRIGGER;
  else if (change->target != NULL && leads_out (self, change->target))
    change->concern = BECKON_FILE_CONCERN_LEADS_OUT;
  else if (beckon_runners_is_program (self->runners, beckon_survey_get_path (self), &run))
    change->concern = BECKON_FILE_CONCERN_PROGRAM;
}

void
beckon_survey_judge_path (BeckonSurvey *self, BeckonFileChange *change)
{
  g_autofree char *why = survey_find_runner (self, beckon_survey_get_path (self), NULL);

  if (why == NULL)
    return;
  change->concern = BECKON_FILE_CONCERN_TRIGGER;
  if (change->remark == NULL)
    change->remark = g_steal_pointer (&why);
}

static gboolean
is_beside (BeckonSurvey *self, const char *name)
{
  g_autofree char *parent = g_path_get_dirname (beckon_survey_get_path (self));
  g_autofree char *path = g_build_filename (parent, name, NULL);
  struct stat info;

  return beckon_landing_root_look_at (&self->root, path, &info) || beckon_landing_tree_look_at (self->upper, path, &info);
}

/* The file by which Git knows a directory of its own makes it read what landed before, when it meant nothing. */
void
beckon_survey_say_what_it_wakes (BeckonSurvey *self, BeckonFileChange *change)
{
  static const char *const names[]
      = { "config", "config.worktree", "commondir", "hooks", "index", "info", "modules", "objects", "refs" };
  g_autofree char *name = g_path_get_basename (change->path);
  g_autoptr (GString) found = g_string_new (NULL);

  if (change->concern != BECKON_FILE_CONCERN_TRIGGER || g_ascii_strcasecmp (name, "HEAD") != 0)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (is_beside (self, names[i]))
      g_string_append_printf (found, "%s%s", found->len > 0 ? ", " : "", names[i]);
  if (found->len == 0)
    return;
  g_free (change->remark);
  /* Translators: of a file HEAD; %s lists files and folders beside it, as "config, hooks" */
  change->remark = beckon_text_printf (_("With it, Git takes the folder for a repository and obeys what is beside it: %s"),
                                       found->str);
}

/* A change is one as a whole, with where it was before and all that is bound to it. */
void
beckon_survey_note_by_product (BeckonSurvey *self, BeckonFileChange *change)
{
  gboolean is_folder = change->type == BECKON_FILE_FOLDER;

  if (self->runners == NULL)
    self->runners = beckon_runners_new (self->folder, BECKON_RUNNERS_MAX_ENTRIES);
  change->is_by_product
    = change->concern == BECKON_FILE_CONCERN_NONE
      && ((change->git != NULL && *change->git == '\0')
          || (beckon_runners_is_by_product (self->runners, change->path, is_folder)
              && (change->from == NULL || beckon_runners_is_by_product (self->runners, change->from, is_folder))));
  for (guint i = 0; change->git == NULL && change->bound != NULL && i < change->bound->len; i++)
    {
      BeckonFileChange *bound = g_ptr_array_index (change->bound, i);

      beckon_survey_note_by_product (self, bound);
      change->is_by_product = change->is_by_product && bound->is_by_product;
    }
}

gboolean
beckon_survey_is_denied (BeckonSurvey *self, gboolean only_reading)
{
  g_autofree char *path = NULL;

  if (self->denied == NULL)
    return FALSE;

  path = beckon_landing_root_dup_path (&self->root, beckon_survey_get_path (self));
  return only_reading ? beckon_denied_paths_has (self->denied, path)
                      : beckon_denied_paths_has_for_changes (self->denied, path);
}
