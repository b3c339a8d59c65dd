/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-landing-survey-private.h"
#include "beckon-landing-tree.h"
#include "git/beckon-git-story.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The number alone is told of more files. */
#define MOST_NAMED 10
#define MOST_DROPPED 2

/* A repository of which the command changed something, and what becomes of it: one change. */
typedef struct
{
  BeckonSurvey *self;
  BeckonChangeSet *set;
  const char *git;     /* its directory, relative to the folder */
  GPtrArray *members;  /* (element-type BeckonFileChange) */
  BeckonGitStory *story; /* (nullable) */
  gboolean has_binary;   /* a file whose difference is no text */
  GArray *others;        /* (element-type CommitFile): its files that are no change in the folder */
} Commit;

/* How many lines differ, of what is shown as text. */
typedef struct
{
  const BeckonGitFile *file;
  guint n_added;
  guint n_removed;
} CommitFile;

static char *
commit_mask (const Commit *commit, const char *text)
{
  return commit->self->mask != NULL ? beckon_mask_apply (commit->self->mask, text) : g_strdup (text);
}

/* The names of objects say what they hold, the index alone tells nobody anything, and no command reads the draft of a message
 * that a commit which was not made left. */
static gboolean
commit_is_refresh (const Commit *commit)
{
  static const char *const untold[] = { "index", "COMMIT_EDITMSG", "TAG_EDITMSG", "NOTES_EDITMSG", NULL };
  gsize length = strlen (commit->git) + 1;

  for (guint i = 0; i < commit->members->len; i++)
    {
      const char *name = ((BeckonFileChange *) g_ptr_array_index (commit->members, i))->path + length;

      if (!g_strv_contains (untold, name) && !g_str_has_prefix (name, "objects/"))
        return FALSE;
    }
  return TRUE;
}

/* (nullable): what Git calls a file, as a path in the folder; %NULL for one beside it, and for none. */
static char *
commit_dup_path (const Commit *commit, const char *name)
{
  const BeckonLandingRoot *root = &commit->self->root;
  g_autofree char *work_tree = g_path_get_dirname (commit->git);

  if (beckon_landing_root_is_elsewhere (root, commit->git) && *root->within != '\0')
    return g_strdup (name != NULL ? beckon_path_relate (name, root->within) : NULL);
  return name == NULL || strcmp (work_tree, ".") == 0 ? g_strdup (name) : g_build_filename (work_tree, name, NULL);
}

/* (nullable): @file among those that are no change in the folder; Git's index has one that is committed as well. Borrowed. */
static CommitFile *
commit_add_other (Commit *commit, const BeckonGitFile *file)
{
  const CommitFile other = { .file = file };

  for (guint i = 0; i < commit->others->len; i++)
    if (strcmp (g_array_index (commit->others, CommitFile, i).file->path, file->path) == 0)
      return NULL;
  g_array_append_val (commit->others, other);
  return &g_array_index (commit->others, CommitFile, commit->others->len - 1);
}

/* (nullable): the change of a file, or of the folder that it is in, which is one of the commit from now on. */
static BeckonFileChange *
commit_take_change (Commit *commit, const BeckonFileChange *whole, BeckonLandingIndex *index, const char *path)
{
  const int number = path != NULL ? beckon_landing_index_find (index, path) : -1;
  BeckonFileChange *change = number >= 0 ? beckon_change_set_get (commit->set, (guint) number) : NULL;

  if (change != NULL && change != whole && !g_ptr_array_find (commit->members, change, NULL))
    g_ptr_array_add (commit->members, change);
  return change;
}

/* Whether the difference that the folder has of a file is that of the commit. Where one name is new and the other gone, Git may
 * have seen no move in it. @exact: (nullable) */
static gboolean
commit_is_told (Commit *commit, const BeckonGitFile *file, const char *from, const BeckonFileChange *exact)
{
  const gboolean is_moved = exact != NULL && exact->kind == BECKON_FILE_MOVED && exact->before_inode == 0;

  if (exact == NULL || exact->type != BECKON_FILE_REGULAR
      || (file->from != NULL && !(is_moved && g_strcmp0 (exact->from, from) == 0)))
    return FALSE;
  return beckon_git_story_is_change (commit->story, file, is_moved && file->from == NULL ? NULL : exact->before_hash,
                                     exact->after_hash);
}

/* The files of a commit come and go with it: what is left out is in none, and where it can't land, they are none of a branch
 * that was not switched to. Those that differ between it and the folder are shown with it: where the file that the command left
 * is what is committed, from what was committed before, its own difference tells it. */
static void
commit_take_files (Commit *commit, BeckonFileChange *whole)
{
  g_autoptr (BeckonLandingIndex) index = beckon_landing_index_new (commit->set);
  GPtrArray *files = beckon_git_story_get_files (commit->story);
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_shown = TRUE, was_only_name = FALSE;

  for (guint i = 0; i < files->len; i++)
    {
      const BeckonGitFile *file = g_ptr_array_index (files, i);
      g_autofree char *path = commit_dup_path (commit, file->path);
      g_autofree char *from = commit_dup_path (commit, file->from);
      const BeckonFileChange *change = commit_take_change (commit, whole, index, path);
      const gsize start = text->len;
      const guint n_added = whole->n_added, n_removed = whole->n_removed;
      CommitFile *other = NULL;
      gboolean is_only_name;

      commit_take_change (commit, whole, index, from);
      if (change == NULL && file->origin != BECKON_GIT_FILE_TAKEN_OUT)
        other = commit_add_other (commit, file);
      if (file->origin == BECKON_GIT_FILE_TAKEN_OUT
          || commit_is_told (commit, file, from, change != NULL ? beckon_landing_index_get (index, path) : NULL))
        continue;
      is_shown = is_shown && text->len <= BECKON_CHANGE_SET_MAX_DIFF
                 && beckon_git_story_append_diff (commit->story, file, text, &whole->n_added, &whole->n_removed,
                                                  &commit->has_binary);
      if (other != NULL && is_shown)
        *other = (CommitFile){ file, whole->n_added - n_added, whole->n_removed - n_removed };
      /* Files that were only moved are a list. */
      is_only_name = text->len > start && strchr (text->str + start, '\n') == text->str + text->len - 1;
      if (start > 0 && !(is_only_name && was_only_name))
        g_string_insert_c (text, (gssize) start, '\n');
      was_only_name = is_only_name;
      whole->is_text = TRUE;
    }
  if (!whole->is_text || !is_shown || text->len > MIN (BECKON_CHANGE_SET_MAX_DIFF, commit->self->diffs_left))
    return;
  commit->self->diffs_left -= text->len;
  whole->diff = commit_mask (commit, text->str);
}

/* (transfer full): one line, as a path in the folder if it is one. */
static char *
commit_dup_name (const Commit *commit, const BeckonGitFile *file, gboolean *is_outside)
{
  g_autofree char *path = commit_dup_path (commit, file->path);
  g_autofree char *from = commit_dup_path (commit, file->from);
  g_autofree char *both = from != NULL && path != NULL ? g_strconcat (from, " → ", path, NULL) : NULL;

  *is_outside = path == NULL;
  return g_strdelimit (g_utf8_make_valid (both != NULL ? both : path != NULL ? path : file->path, -1), "\t\r\n", ' ');
}

/* Files that an amended commit has no longer, and those that are no change in the folder, such as one that was staged before,
 * have no line of their own. */
static char *
commit_dup_words (const Commit *commit, const char *events)
{
  g_autoptr (GString) words = g_string_new (events);
  GPtrArray *files = commit->story != NULL ? beckon_git_story_get_files (commit->story) : NULL;
  guint n_dropped = 0;
  gboolean is_outside;

  for (guint i = 0; files != NULL && i < files->len; i++)
    n_dropped += ((const BeckonGitFile *) g_ptr_array_index (files, i))->origin == BECKON_GIT_FILE_DROPPED;
  if (n_dropped > MOST_DROPPED)
    g_string_append_printf (words, "\ndropped\t%u\t", n_dropped);
  for (guint i = 0; n_dropped > 0 && n_dropped <= MOST_DROPPED && i < files->len; i++)
    {
      const BeckonGitFile *file = g_ptr_array_index (files, i);
      g_autofree char *name = commit_dup_name (commit, file, &is_outside);

      if (file->origin == BECKON_GIT_FILE_DROPPED)
        g_string_append_printf (words, "\ndropped\t1\t%s", name);
    }
  for (guint i = 0; *events != '\0' && i < MIN (commit->others->len, MOST_NAMED); i++)
    {
      const CommitFile *other = &g_array_index (commit->others, CommitFile, i);
      g_autofree char *name = commit_dup_name (commit, other->file, &is_outside);

      g_string_append_printf (words, "\n%s\t1\t%s", is_outside ? "with-outside" : "with", name);
      if (other->n_added + other->n_removed > 0)
        g_string_append_printf (words, "\t+%u −%u", other->n_added, other->n_removed);
    }
  if (*events != '\0' && commit->others->len > MOST_NAMED)
    g_string_append_printf (words, "\nwith-more\t%u\t", commit->others->len - MOST_NAMED);
  if (commit->has_binary)
    g_string_append (words, "\nbinary\t1\t");
  return commit_mask (commit, words->str);
}

/* Whether a file or folder is what Git writes where nothing is lost: objects, an index, HEAD, a new branch and their logs. What
 * the index, HEAD and logs say by now was read. @ref: (nullable): of the branch */
static gboolean
keeps_what_was (const BeckonFileChange *member, const char *name, const char *ref)
{
  const char *const known[] = { "HEAD", "logs/HEAD", "index", NULL };
  const char *branch = g_str_has_prefix (name, "logs/") ? name + strlen ("logs/") : name;
  const gboolean is_new = member->kind == BECKON_FILE_CREATED;
  const gboolean is_object = g_str_has_prefix (name, "objects/");

  if (member->attributes != NULL || member->bound != NULL || (member->n_files > 0 && !is_object))
    return FALSE;
  if (is_object)
    return is_new;
  if (member->type == BECKON_FILE_FOLDER)
    return is_new && (strcmp (name, "logs") == 0 || (ref != NULL && beckon_path_relate (ref, branch) != NULL));
  if (member->type != BECKON_FILE_REGULAR || (member->mode_after & 0111) != 0)
    return FALSE;
  if (is_new)
    return g_strcmp0 (branch, ref) == 0 || strcmp (name, "logs/HEAD") == 0 || strcmp (name, "index") == 0;
  return member->kind == BECKON_FILE_CHANGED && member->type_before == BECKON_FILE_REGULAR
         && member->mode_before == member->mode_after && g_strv_contains (known, name);
}

/* Notes what loses nothing of the repository, if all that the command did to it is so; files of the folder that go with it are
 * changes like any others. */
static void
commit_note_keeping (const Commit *commit, BeckonFileChange *whole, const char *upper)
{
  GPtrArray *files = commit->story != NULL ? beckon_git_story_get_files (commit->story) : NULL;
  const char *ref = NULL;
  gboolean keeps = commit->story != NULL && beckon_git_story_keeps_refs (commit->story, &ref);

  for (guint i = 0; keeps && i < files->len; i++)
    {
      const BeckonGitFile *file = g_ptr_array_index (files, i);
      g_autofree char *name = commit_dup_path (commit, file->path);
      g_autofree char *made = name != NULL ? g_build_filename (upper, name, NULL) : NULL;
      g_autofree char *path = name != NULL ? beckon_landing_root_dup_path (&commit->self->root, name) : NULL;

      keeps = name != NULL
              && beckon_git_story_only_stages (file, g_file_test (made, G_FILE_TEST_IS_REGULAR) ? made : path);
    }
  for (guint i = 0; keeps && i < commit->members->len; i++)
    {
      const BeckonFileChange *member = g_ptr_array_index (commit->members, i);
      const char *name = beckon_path_relate (member->path, commit->git);

      keeps = name == NULL || keeps_what_was (member, name, ref);
    }
  whole->loses_nothing = keeps;
  for (guint i = 0; keeps && i < commit->members->len; i++)
    {
      BeckonFileChange *member = g_ptr_array_index (commit->members, i);

      member->loses_nothing = beckon_path_relate (member->path, commit->git) != NULL;
    }
}

static void
commit_bind (Commit *commit, const char *upper)
{
  const BeckonLandingRoot *root = &commit->self->root;
  const char *own = beckon_landing_root_is_elsewhere (root, commit->git) ? root->own : "";
  g_autofree char *before = beckon_landing_root_dup_path (root, commit->git);
  g_autofree char *after = g_build_filename (upper, commit->git, NULL);
  g_autoptr (BeckonGitStory) story = beckon_git_story_read (before, after, own);
  const char *elsewhere = story != NULL ? beckon_git_story_get_elsewhere (story) : NULL;
  const char *events = story != NULL ? beckon_git_story_get_events (story) : "unknown\t1\t";
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (CommitFile));
  BeckonFileChange *whole = beckon_file_change_new (commit->git, BECKON_FILE_CHANGED, BECKON_FILE_FOLDER);

  for (guint i = 0; i < commit->members->len; i++)
    {
      BeckonFileChange *member = g_ptr_array_index (commit->members, i);

      if (g_str_has_suffix (member->path, "/index") && beckon_file_change_is_there (member))
        {
          g_autofree char *old = beckon_landing_root_dup_path (root, member->path);
          g_autofree char *new = g_build_filename (upper, member->path, NULL);
          g_autofree char *was = beckon_git_dup_index_digest (old);
          g_autofree char *is = beckon_git_dup_index_digest (new);

          member->git = g_strconcat (was != NULL ? was : "-", " ", is != NULL ? is : "-", NULL);
        }
    }
  if (*events == '\0' && !commit_is_refresh (commit))
    events = "other\t1\t";
  commit->story = story;
  commit->others = others;
  if (story != NULL)
    commit_take_files (commit, whole);
  whole->git = commit_dup_words (commit, events);
  if (elsewhere == NULL)
    {
      commit_note_keeping (commit, whole, upper);
    }
  else
    {
      g_autofree char *masked = commit_mask (commit, elsewhere);
      g_autofree char *shown = beckon_text_for_display (masked, -1, BECKON_TEXT_EXACT);

      whole->concern = BECKON_FILE_CONCERN_TRIGGER;
      /* Translators: %s is a branch of Git */
      whole->remark = beckon_text_printf (_("The branch “%s” is checked out in another work tree"), shown);
    }
  beckon_change_set_take (commit->set, whole);
  beckon_change_set_bind (commit->set, whole, commit->members);
}

/* (transfer full) (element-type filename GPtrArray): by Git directory, its changes. One that has a change of itself is told as
 * that: it is new, gone, or not read one by one. */
static GHashTable *
survey_find_commits (BeckonSurvey *self, BeckonChangeSet *set)
{
  GHashTable *commits = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (BeckonLandingIndex) index = beckon_landing_index_new (set);

  for (guint i = 0; i < beckon_change_set_get_n_changes (set); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (set, i);
      gboolean is_object;
      gsize length = beckon_landing_get_git_length (change->path, &is_object);
      g_autofree char *git = g_strndup (change->path, length);
      g_autofree char *head = g_build_filename (git, "HEAD", NULL);
      GPtrArray *members = g_hash_table_lookup (commits, git);
      struct stat info;

      if (length == 0 || change->concern != BECKON_FILE_CONCERN_NONE || beckon_landing_index_get (index, git) != NULL
          || !beckon_landing_root_look_at (&self->root, head, &info))
        continue;
      if (members == NULL)
        {
          members = g_ptr_array_new ();
          g_hash_table_insert (commits, g_steal_pointer (&git), members);
        }
      g_ptr_array_add (members, change);
    }

  return commits;
}

void
beckon_survey_bind_commits (BeckonSurvey *self, const char *place, BeckonChangeSet *set)
{
  g_autoptr (GHashTable) commits = survey_find_commits (self, set);
  g_autofree char *upper = g_build_filename (place, "upper", NULL);
  GHashTableIter iter;
  gpointer git, members;

  g_hash_table_iter_init (&iter, commits);
  while (g_hash_table_iter_next (&iter, &git, &members))
    commit_bind (&(Commit){ .self = self, .set = set, .git = git, .members = members }, upper);
  beckon_change_set_sort (set);
}
