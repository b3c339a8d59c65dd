/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-landing-survey-private.h"
#include "beckon-landing-tree.h"
#include "beckon-trigger-path.h"
#include "beckon-trigger-targets.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

static gboolean
is_within (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  return strncmp (path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static gboolean
has_head (int root, const char *folder)
{
  g_autofree char *head = strcmp (folder, ".") == 0 ? g_strdup ("HEAD") : g_strconcat (folder, "/HEAD", NULL);
  const char *name;
  int parent = beckon_landing_tree_open_parent (root, head, &name);
  struct stat info;
  gboolean is_there = parent >= 0 && beckon_landing_tree_look (parent, name, &info) && !S_ISCHR (info.st_mode);

  if (parent >= 0)
    close (parent);
  return is_there;
}

static gboolean
was_git (const char *folder, gpointer data)
{
  return has_head (((BeckonSurvey *) data)->lower, folder);
}

static gboolean
becomes_git (const char *folder, gpointer data)
{
  return has_head (((BeckonSurvey *) data)->upper, folder) || was_git (folder, data);
}

static gboolean
is_led_to (BeckonSurvey *self, const char *path)
{
  g_autofree char *whole = NULL;

  if (self->led == NULL)
    self->led = beckon_trigger_targets_list (self->folder, NULL, BECKON_TRIGGER_TARGETS_OF_COMMAND);
  if (self->led->len == 0)
    return FALSE;

  whole = g_build_filename (self->folder, path, NULL);
  return beckon_trigger_targets_have (self->led, whole);
}

/* A link where a folder was that something leads through. */
static gboolean
leads_elsewhere (BeckonSurvey *self, const char *path)
{
  g_autofree char *whole = g_build_filename (self->folder, path, NULL);

  return self->led != NULL && beckon_trigger_targets_are_in (self->led, whole);
}

/* A Git directory that is made anew is one, and so is what comes into a folder that becomes one. */
gboolean
beckon_survey_is_trigger (BeckonSurvey *self, const char *path)
{
  return beckon_trigger_path_is_one (path, was_git, self) || beckon_trigger_path_is_one (path, becomes_git, self)
         || is_led_to (self, path);
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
  int fd;

  if (goes_up_late (target) || !is_within (whole, self->folder))
    return TRUE;

  fd = open (whole, O_PATH | O_CLOEXEC);
  if (fd >= 0)
    {
      g_autofree char *name = g_strdup_printf ("/proc/self/fd/%d", fd);
      g_autofree char *real = g_file_read_link (name, NULL);

      close (fd);
      return real == NULL || !is_within (real, self->folder);
    }
  return FALSE;
}

/* Git waits for ever for what a pipe in its directory says, and takes a link that leads there for a directory of its own. */
static gboolean
is_odd_in_git (BeckonSurvey *self, const struct stat *info, const char *target)
{
  gboolean is_object;

  return (!S_ISREG (info->st_mode) && !S_ISDIR (info->st_mode)
          && beckon_landing_get_git_length (beckon_survey_get_path (self), &is_object) > 0)
         || (target != NULL && beckon_landing_get_git_length (target, &is_object) > 0);
}

BeckonFileConcern
beckon_survey_find_concern (BeckonSurvey *self, int folder, const char *name, const struct stat *info, const char *target)
{
  if (S_ISREG (info->st_mode)
      && ((info->st_mode & 06000) != 0
          || ((info->st_mode & 0111) != 0 && beckon_survey_has_attribute (folder, name, "security.capability"))))
    return BECKON_FILE_CONCERN_SET_ID;
  if (beckon_survey_is_trigger (self, beckon_survey_get_path (self)) || is_odd_in_git (self, info, target)
      || (target != NULL && leads_elsewhere (self, beckon_survey_get_path (self))))
    return BECKON_FILE_CONCERN_TRIGGER;

  return target != NULL && leads_out (self, target) ? BECKON_FILE_CONCERN_LEADS_OUT : BECKON_FILE_CONCERN_NONE;
}

static gboolean
is_beside (BeckonSurvey *self, int root, const char *name)
{
  g_autofree char *parent = g_path_get_dirname (beckon_survey_get_path (self));
  g_autofree char *path = g_build_filename (parent, name, NULL);
  const char *last;
  int fd = beckon_landing_tree_open_parent (root, path, &last);
  struct stat info;
  gboolean is_there = fd >= 0 && beckon_landing_tree_look (fd, last, &info) && !S_ISCHR (info.st_mode);

  beckon_survey_close_both (fd, -1);
  return is_there;
}

/* The file by which Git knows a directory of its own makes it read what landed before, when it meant nothing. */
void
beckon_survey_say_what_it_wakes (BeckonSurvey *self, BeckonFileChange *change)
{
  static const char *const names[]
      = { "config", "config.worktree", "commondir", "hooks", "info", "modules", "objects", "refs" };
  g_autofree char *name = g_path_get_basename (change->path);
  g_autoptr (GString) found = g_string_new (NULL);

  if (change->concern != BECKON_FILE_CONCERN_TRIGGER || g_ascii_strcasecmp (name, "HEAD") != 0)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (is_beside (self, self->lower, names[i]) || is_beside (self, self->upper, names[i]))
      g_string_append_printf (found, "%s%s", found->len > 0 ? ", " : "", names[i]);
  if (found->len > 0)
    /* Translators: of a file HEAD; %s lists files and folders beside it, as "config, hooks" */
    change->remark = g_strdup_printf (_("With it, Git takes the folder for a repository and obeys what is beside it: %s"),
                                      found->str);
}

gboolean
beckon_survey_is_denied (BeckonSurvey *self, gboolean only_reading)
{
  g_autofree char *path = NULL;

  if (self->denied == NULL)
    return FALSE;

  path = g_build_filename (self->folder, self->path->str, NULL);
  return only_reading ? beckon_denied_paths_has (self->denied, path)
                      : beckon_denied_paths_has_for_changes (self->denied, path);
}
