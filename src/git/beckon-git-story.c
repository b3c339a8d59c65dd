/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-git-story.h"

#include "base/beckon-file-text.h"
#include "base/beckon-line-diff.h"
#include "beckon-git-private.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* More is not looked through. */
#define MOST_ENTRIES 100000
#define MOST_FILES 1000
#define DEEPEST 64
#define LONGEST_REF 1024
#define LONGEST_PACKED (16 * 1024 * 1024)
#define LONGEST_LOG (1024 * 1024)
#define LARGEST_FILE (1024 * 1024)
#define LONGEST_SUBJECT 200
#define CONTEXT_LINES 3

#define HEADS "refs/heads/"
#define TAGS "refs/tags/"
#define STASH "refs/stash"
#define STASH_LOG "logs/refs/stash"

struct _BeckonGitStory
{
  git_repository *before;
  git_odb *odb; /* the objects of both */
  git_repository *after;
  GHashTable *refs;   /* (element-type filename git_oid): those that the command wrote; %NULL of what can't be read */
  GHashTable *gone;   /* (element-type filename): those that it deleted, if they are not packed */
  GHashTable *packed; /* (element-type filename git_oid) (nullable): if it packed any */
  GHashTable *known;  /* (element-type BeckonGitFile): itself */
  GPtrArray *files;
  GPtrArray *halves; /* (owned) (element-type BeckonGitFile): what was moved, as it stands in an index: one gone, one new */
  GString *events;
  char *elsewhere;
  gboolean keeps_refs;
  char *new_branch;
  guint n_entries;
  guint n_amended; /* files of a commit that took another one's place */
};

static guint
file_hash (gconstpointer file)
{
  return g_str_hash (((const BeckonGitFile *) file)->path);
}

static gboolean
file_equal (gconstpointer one, gconstpointer other)
{
  const BeckonGitFile *a = one, *b = other;

  return strcmp (a->path, b->path) == 0 && memcmp (a->before, b->before, sizeof a->before) == 0
         && memcmp (a->after, b->after, sizeof a->after) == 0;
}

static void
file_free (gpointer data)
{
  g_free (((BeckonGitFile *) data)->path);
  g_free (((BeckonGitFile *) data)->from);
  g_free (data);
}

/* --- What the command wrote ----------------------------------------------------------------------------------------- */

/* (nullable) */
static git_oid *
read_oid (const char *text)
{
  git_oid oid;

  return strlen (text) >= GIT_OID_HEXSZ && git_oid_fromstrn (&oid, text, GIT_OID_HEXSZ) == 0 ? g_memdup2 (&oid, sizeof oid)
                                                                                              : NULL;
}

/* (nullable): of a file alone: a pipe would be waited for, and a link leads elsewhere. */
static char *
read_file_text (const char *path, goffset most)
{
  char *text = NULL;
  struct stat info;

  return lstat (path, &info) == 0 && S_ISREG (info.st_mode) && info.st_size <= most
             && g_file_get_contents (path, &text, NULL, NULL)
           ? text
           : NULL;
}

/* (nullable) */
static char *
story_read_line (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = read_file_text (path, LONGEST_REF);

  return text != NULL ? g_strchomp (g_steal_pointer (&text)) : NULL;
}

/* Files and folders alone are read: a pipe would make libgit2 wait, and a link lead it elsewhere. */
static gboolean
story_walk (BeckonGitStory *story, const char *root, const char *folder, guint depth)
{
  g_autofree char *path = *folder != '\0' ? g_build_filename (root, folder, NULL) : g_strdup (root);
  g_autoptr (GDir) entries = g_dir_open (path, 0, NULL);
  const char *name;

  if (entries == NULL || depth > DEEPEST)
    return FALSE;

  while ((name = g_dir_read_name (entries)) != NULL)
    {
      g_autofree char *relative = *folder != '\0' ? g_build_filename (folder, name, NULL) : g_strdup (name);
      g_autofree char *file = g_build_filename (root, relative, NULL);
      const gboolean is_ref = g_str_has_prefix (relative, "refs/");
      struct stat info;

      if (++story->n_entries > MOST_ENTRIES || lstat (file, &info) != 0)
        return FALSE;
      if (S_ISCHR (info.st_mode) && info.st_rdev == 0)
        {
          if (is_ref)
            g_hash_table_add (story->gone, g_steal_pointer (&relative));
        }
      else if (S_ISDIR (info.st_mode))
        {
          if (!story_walk (story, root, relative, depth + 1))
            return FALSE;
        }
      else if (!S_ISREG (info.st_mode))
        return FALSE;
      else if (is_ref && !g_str_has_suffix (name, ".lock"))
        {
          g_autofree char *text = story_read_line (root, relative);
          git_oid *oid = text != NULL ? read_oid (text) : NULL;

          /* Clones have a name for the main branch of a server. */
          if (oid != NULL || text == NULL || !g_str_has_prefix (text, "ref: refs/remotes/"))
            g_hash_table_insert (story->refs, g_steal_pointer (&relative), oid);
        }
    }

  return TRUE;
}

static gboolean
story_find_before (BeckonGitStory *story, const char *name, git_oid *oid)
{
  return git_reference_name_to_id (oid, story->before, name) == 0;
}

/* A file of its own counts before the list of packed ones. */
static gboolean
story_find_after (BeckonGitStory *story, const char *name, git_oid *oid)
{
  const git_oid *found = g_hash_table_lookup (story->refs, name);
  g_autofree char *loose = g_build_filename (git_repository_commondir (story->before), name, NULL);

  if (found == NULL && !g_hash_table_contains (story->gone, name) && g_file_test (loose, G_FILE_TEST_IS_REGULAR))
    return story_find_before (story, name, oid);
  if (found == NULL && story->packed == NULL)
    return !g_hash_table_contains (story->gone, name) && story_find_before (story, name, oid);
  if (found == NULL)
    found = g_hash_table_lookup (story->packed, name);
  if (found != NULL)
    *oid = *found;
  return found != NULL;
}

/* --- What it means -------------------------------------------------------------------------------------------------- */

static void
story_tell (BeckonGitStory *story, const char *word, gsize n, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *subject = g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), LONGEST_SUBJECT));

  g_string_append_printf (story->events, "%s%s\t%" G_GSIZE_FORMAT "\t%s", story->events->len > 0 ? "\n" : "", word, n,
                          g_strdelimit (subject, "\t\r\n", ' '));
}

static void
story_tell_commit (BeckonGitStory *story, const char *word, gsize n, git_commit *commit)
{
  const char *subject = commit != NULL ? git_commit_summary (commit) : NULL;

  story_tell (story, word, n, subject != NULL ? subject : "");
}

static const git_oid no_blob;

/* Marks by which Git overlooks what is done to a file. */
static guint
get_marks (const git_index_entry *entry)
{
  return (entry->flags & GIT_INDEX_ENTRY_VALID)
         | (entry->flags_extended & (GIT_INDEX_ENTRY_SKIP_WORKTREE | GIT_INDEX_ENTRY_INTENT_TO_ADD));
}

/* (nullable): %NULL if it is known. Borrowed. */
static BeckonGitFile *
story_note_file (BeckonGitStory *story, GPtrArray *files, const char *path, const git_oid *before, const git_oid *after)
{
  BeckonGitFile *file;

  if (story->files->len > MOST_FILES)
    return NULL;

  file = g_new0 (BeckonGitFile, 1);
  file->path = g_strdup (path);
  memcpy (file->before, before->id, sizeof file->before);
  memcpy (file->after, after->id, sizeof file->after);
  if (g_hash_table_contains (story->known, file))
    {
      file_free (file);
      return NULL;
    }
  g_hash_table_add (story->known, file);
  g_ptr_array_add (files, file);
  return file;
}

/* @from: (nullable). (nullable): %NULL if it is known. Borrowed. */
static BeckonGitFile *
story_add_file (BeckonGitStory *story, const char *from, const char *path, const git_oid *before, const git_oid *after,
                BeckonGitFileOrigin origin)
{
  BeckonGitFile *file = story_note_file (story, story->files, path, before, after);

  if (file != NULL)
    file->origin = origin;
  if (file == NULL || from == NULL)
    return file;
  file->from = g_strdup (from);
  story_note_file (story, story->halves, from, before, &no_blob);
  story_note_file (story, story->halves, path, &no_blob, after);
  return file;
}

static git_tree *
story_open_tree (BeckonGitStory *story, const git_oid *commit_id)
{
  g_autoptr (git_commit) commit = NULL;
  git_tree *tree = NULL;

  return commit_id != NULL && git_commit_lookup (&commit, story->after, commit_id) == 0 && git_commit_tree (&tree, commit) == 0
           ? tree
           : NULL;
}

/* (nullable): a file that was moved is one file, as Git tells it. @before: (nullable). %NULL where one can't be read. */
static git_diff *
story_diff (BeckonGitStory *story, const git_oid *before, const git_oid *after)
{
  g_autoptr (git_tree) old = story_open_tree (story, before);
  g_autoptr (git_tree) new = story_open_tree (story, after);
  g_autoptr (git_diff) diff = NULL;
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  git_diff_find_options find = GIT_DIFF_FIND_OPTIONS_INIT;

  options.flags = GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_SKIP_BINARY_CHECK;
  if (new == NULL || (before != NULL && old == NULL)
      || git_diff_tree_to_tree (&diff, story->after, old, new, &options) != 0)
    return NULL;
  find.flags = GIT_DIFF_FIND_RENAMES;
  if (git_diff_num_deltas (diff) <= MOST_FILES && git_diff_find_similar (diff, &find) != 0)
    return NULL;
  return g_steal_pointer (&diff);
}

static gboolean
story_compare (BeckonGitStory *story, const git_oid *before, const git_oid *after, BeckonGitFileOrigin origin)
{
  g_autoptr (git_diff) diff = story_diff (story, before, after);

  if (diff == NULL)
    return FALSE;
  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    {
      const git_diff_delta *delta = git_diff_get_delta (diff, i);

      story_add_file (story, delta->status == GIT_DELTA_RENAMED ? delta->old_file.path : NULL, delta->new_file.path,
                      &delta->old_file.id, &delta->new_file.id, origin);
    }
  return TRUE;
}

static gboolean
is_same_in (git_tree *one, git_tree *other, const char *path)
{
  g_autoptr (git_tree_entry) a = NULL;
  g_autoptr (git_tree_entry) b = NULL;

  if (one != NULL)
    git_tree_entry_bypath (&a, one, path);
  git_tree_entry_bypath (&b, other, path);
  if (a == NULL || b == NULL)
    return a == b;
  return git_tree_entry_filemode (a) == git_tree_entry_filemode (b)
         && git_oid_equal (git_tree_entry_id (a), git_tree_entry_id (b));
}

/* A commit that took another one's place has a number of files, and may have some of the other one's no longer. */
static gboolean
story_note_amended (BeckonGitStory *story, git_commit *commit)
{
  const git_oid *parent = git_commit_parentcount (commit) > 0 ? git_commit_parent_id (commit, 0) : NULL;
  g_autoptr (git_diff) diff = story_diff (story, parent, git_commit_id (commit));
  g_autoptr (git_tree) base = story_open_tree (story, parent);
  g_autoptr (git_tree) tree = story_open_tree (story, git_commit_id (commit));

  if (diff == NULL || tree == NULL)
    return FALSE;
  story->n_amended = (guint) git_diff_num_deltas (diff);
  for (guint i = 0; i < story->files->len; i++)
    {
      BeckonGitFile *file = g_ptr_array_index (story->files, i);

      if (is_same_in (base, tree, file->path))
        file->origin = BECKON_GIT_FILE_DROPPED;
    }
  return TRUE;
}

/* The way from one commit to another of the same branch, with its files. @before: (nullable). */
static gboolean
story_tell_way (BeckonGitStory *story, const git_oid *before, const git_oid *after, gboolean is_told)
{
  g_autoptr (git_commit) commit = NULL;
  g_autoptr (git_commit) old = NULL;
  gsize ahead = 0, behind = 0;
  const char *word = "rewrite";
  guint n_parents;

  git_commit_lookup (&commit, story->after, after);
  n_parents = commit != NULL ? git_commit_parentcount (commit) : 0;
  if (before != NULL)
    git_commit_lookup (&old, story->after, before);
  if (before == NULL || commit == NULL || git_graph_ahead_behind (&ahead, &behind, story->after, after, before) != 0)
    word = "commit";
  else if (ahead == 0)
    word = "back";
  else if (behind == 0 && n_parents > 1)
    word = "merge";
  else if (behind == 0)
    word = ahead == 1 ? "commit" : "commits";
  else if (ahead == 1 && behind == 1 && old != NULL && n_parents == git_commit_parentcount (old)
           && (n_parents == 0 || git_oid_equal (git_commit_parent_id (commit, 0), git_commit_parent_id (old, 0))))
    word = "amend";
  if (is_told)
    story_tell_commit (story, word, ahead == 0 ? MAX (behind, 1) : ahead, commit);
  return story_compare (story, before, after, BECKON_GIT_FILE_COMMITTED)
         && (strcmp (word, "amend") != 0 || !is_told || story_note_amended (story, commit));
}

/* (nullable): the name of the ref that HEAD is, or the commit. */
static char *
read_head (const char *folder)
{
  char *line = story_read_line (folder, "HEAD");

  if (line != NULL && g_str_has_prefix (line, "ref: "))
    memmove (line, line + strlen ("ref: "), strlen (line + strlen ("ref: ")) + 1);
  return line;
}

static const char *
get_short_name (const char *ref)
{
  return g_str_has_prefix (ref, HEADS) ? ref + strlen (HEADS) : g_str_has_prefix (ref, TAGS) ? ref + strlen (TAGS) : ref;
}

/* %FALSE where something can't be read. @was, @is: (out) (nullable) (transfer full): commits. */
static gboolean
story_tell_head (BeckonGitStory *story, const char *after, git_oid **was, git_oid **is, char **name)
{
  g_autofree char *old = read_head (git_repository_path (story->before));
  g_autofree char *new = read_head (after);
  git_oid oid;

  if (old == NULL)
    return FALSE;
  if (new == NULL)
    new = g_strdup (old);
  if (story_find_before (story, "HEAD", &oid))
    *was = g_memdup2 (&oid, sizeof oid);
  if (!g_str_has_prefix (new, "refs/"))
    *is = read_oid (new);
  else if (story_find_after (story, new, &oid))
    *is = g_memdup2 (&oid, sizeof oid);
  /* A branch that was there already, and is only where one is now, has no news. */
  if (*is != NULL && (*was == NULL || !git_oid_equal (*was, *is))
      && !story_tell_way (story, *was, *is,
                          g_strcmp0 (old, new) == 0 || !story_find_before (story, new, &oid) || !git_oid_equal (&oid, *is)))
    return FALSE;
  if (g_strcmp0 (old, new) != 0)
    story_tell (story, "switch", 1, get_short_name (new));
  *name = g_steal_pointer (&new);
  return TRUE;
}

/* (element-type git_oid): the stashes that a log lists. */
static GPtrArray *
read_stashes (const char *folder)
{
  GPtrArray *stashes = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *path = g_build_filename (folder, STASH_LOG, NULL);
  g_autofree char *text = read_file_text (path, LONGEST_LOG);
  g_auto (GStrv) lines = NULL;

  if (text == NULL)
    return stashes;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      git_oid *oid = strlen (lines[i]) > GIT_OID_HEXSZ ? read_oid (lines[i] + GIT_OID_HEXSZ + 1) : NULL;

      if (oid != NULL)
        g_ptr_array_add (stashes, oid);
    }
  return stashes;
}

static gboolean
oid_equal (gconstpointer one, gconstpointer other)
{
  return git_oid_equal (one, other);
}

/* Those of @stashes that are not among @others, with what they hold: files that were not tracked are in a third parent. */
static gboolean
story_tell_stashes (BeckonGitStory *story, const char *word, GPtrArray *stashes, GPtrArray *others, BeckonGitFileOrigin origin)
{
  for (guint i = 0; i < stashes->len; i++)
    {
      const git_oid *stash = g_ptr_array_index (stashes, i);
      g_autoptr (git_commit) commit = NULL;

      if (g_ptr_array_find_with_equal_func (others, stash, oid_equal, NULL))
        continue;
      if (git_commit_lookup (&commit, story->after, stash) != 0)
        return FALSE;
      story_tell_commit (story, word, 1, commit);
      if (git_commit_parentcount (commit) == 0 || !story_compare (story, git_commit_parent_id (commit, 0), stash, origin)
          || (git_commit_parentcount (commit) > 2 && !story_compare (story, NULL, git_commit_parent_id (commit, 2), origin)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
story_tell_stash (BeckonGitStory *story, const char *after)
{
  g_autofree char *log = g_build_filename (after, STASH_LOG, NULL);
  g_autoptr (GPtrArray) old = read_stashes (git_repository_commondir (story->before));
  g_autoptr (GPtrArray) new = read_stashes (after);
  struct stat info;
  git_oid oid;

  /* A log that is as it was is not there. */
  if (lstat (log, &info) != 0 && story_find_after (story, STASH, &oid))
    return TRUE;
  return story_tell_stashes (story, "stash", new, old, BECKON_GIT_FILE_COMMITTED)
         && story_tell_stashes (story, "stash-gone", old, new, BECKON_GIT_FILE_TAKEN_OUT);
}

static gboolean
story_is_unread (BeckonGitStory *story, const char *name)
{
  return g_hash_table_contains (story->refs, name) && g_hash_table_lookup (story->refs, name) == NULL;
}

static gboolean
story_tell_ref (BeckonGitStory *story, const char *name, const git_oid *head)
{
  git_oid was, is, base;
  const gboolean had = story_find_before (story, name, &was), has = story_find_after (story, name, &is);
  const char *kind = g_str_has_prefix (name, HEADS) ? "branch" : g_str_has_prefix (name, TAGS) ? "tag" : "ref";
  const gboolean is_unread = story_is_unread (story, name);
  g_autofree char *gone = g_strconcat (kind, "-gone", NULL);
  g_autofree char *moved = g_strconcat (kind, "-moved", NULL);
  g_autofree char *unread = g_strconcat (kind, "-unread", NULL);
  g_autofree char *own = read_head (git_repository_path (story->before));
  g_autoptr (git_reference) before = NULL;
  g_autoptr (git_commit) commit = NULL;

  if (!is_unread && had == has && (!had || git_oid_equal (&was, &is)))
    return TRUE;
  if (story->elsewhere == NULL && g_strcmp0 (name, own) != 0 && git_reference_lookup (&before, story->before, name) == 0
      && git_branch_is_checked_out (before) > 0)
    story->elsewhere = g_strdup (get_short_name (name));
  if (is_unread)
    {
      story_tell (story, unread, 1, get_short_name (name));
      return TRUE;
    }
  story_tell (story, !has ? gone : had ? moved : kind, 1, get_short_name (name));
  if (!has || (head != NULL && git_oid_equal (head, &is)))
    return TRUE;
  /* A tag may be of anything. */
  if (git_commit_lookup (&commit, story->after, &is) != 0)
    return !g_str_has_prefix (name, HEADS);
  if (had)
    base = was;
  else if (head == NULL || git_merge_base (&base, story->after, head, &is) != 0)
    return story_compare (story, NULL, &is, BECKON_GIT_FILE_COMMITTED);
  return story_compare (story, &base, &is, BECKON_GIT_FILE_COMMITTED);
}

static int
collect_name (const char *name, void *names)
{
  g_hash_table_add (names, g_strdup (name));
  return 0;
}

static gboolean
story_tell_refs (BeckonGitStory *story, const char *head_name, const git_oid *head)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTable *const tables[] = { story->refs, story->gone, story->packed };
  g_autoptr (GList) sorted = NULL;
  GHashTableIter iter;
  gpointer name;

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      if (tables[i] == NULL)
        continue;
      g_hash_table_iter_init (&iter, tables[i]);
      while (g_hash_table_iter_next (&iter, &name, NULL))
        g_hash_table_add (names, g_strdup (name));
    }
  if (story->packed != NULL)
    git_reference_foreach_name (story->before, collect_name, names);
  if (head_name != NULL && !story_is_unread (story, head_name))
    g_hash_table_remove (names, head_name);
  g_hash_table_remove (names, STASH);
  sorted = g_list_sort (g_hash_table_get_keys (names), (GCompareFunc) strcmp);
  for (GList *at = sorted; at != NULL; at = at->next)
    if (!story_tell_ref (story, at->data, head))
      return FALSE;
  return TRUE;
}

/* Whether what was staged of a file is what a commit has of it: it is not lost with the index. @tree: (nullable); @was:
 * (nullable) */
static gboolean
is_of_tree (const git_tree *tree, const char *path, const git_index_entry *was)
{
  git_tree_entry *entry = NULL;
  gboolean is_same;

  if (tree == NULL || git_tree_entry_bypath (&entry, tree, path) != 0)
    return was == NULL;
  is_same = was != NULL && git_oid_equal (git_tree_entry_id (entry), &was->id) && git_tree_entry_filemode (entry) == was->mode;
  git_tree_entry_free (entry);
  return is_same;
}

/* @head: (nullable): what HEAD has */
static void
story_compare_indices (BeckonGitStory *story, git_index *old, git_index *new, const git_tree *head)
{
  gsize n_old = old != NULL ? git_index_entrycount (old) : 0, n_new = git_index_entrycount (new);
  gsize i = 0, j = 0;

  while (i < n_old || j < n_new)
    {
      const git_index_entry *was = i < n_old ? git_index_get_byindex (old, i) : NULL;
      const git_index_entry *is = j < n_new ? git_index_get_byindex (new, j) : NULL;
      int order = was == NULL ? 1 : is == NULL ? -1 : strcmp (was->path, is->path);
      BeckonGitFile *file = NULL;

      if (order == 0)
        order = git_index_entry_stage (was) - git_index_entry_stage (is);
      i += order <= 0;
      j += order >= 0;
      was = order <= 0 ? was : NULL;
      is = order >= 0 ? is : NULL;
      if (was == NULL || is == NULL || was->mode != is->mode || get_marks (was) != get_marks (is)
          || !git_oid_equal (&was->id, &is->id))
        file = story_add_file (story, NULL, is != NULL ? is->path : was->path, was != NULL ? &was->id : &no_blob,
                               is != NULL ? &is->id : &no_blob, BECKON_GIT_FILE_STAGED);
      if (file == NULL)
        continue;
      file->mode = is != NULL ? is->mode : 0;
      file->is_plain = (was == NULL || (git_index_entry_stage (was) == 0 && get_marks (was) == 0))
                       && (is == NULL || (git_index_entry_stage (is) == 0 && get_marks (is) == 0))
                       && is_of_tree (head, file->path, was);
    }
}

/* @head: (nullable): the commit that HEAD was */
static gboolean
story_tell_index (BeckonGitStory *story, const char *after, const git_oid *head)
{
  g_autofree char *path = g_build_filename (after, "index", NULL);
  g_autofree char *path_before = g_build_filename (git_repository_path (story->before), "index", NULL);
  g_autoptr (git_index) old = NULL;
  g_autoptr (git_index) new = NULL;
  g_autoptr (git_tree) tree = story_open_tree (story, head);
  const guint n = story->files->len;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return TRUE;
  if (git_index_open (&new, path) != 0
      || (g_file_test (path_before, G_FILE_TEST_EXISTS) && git_index_open (&old, path_before) != 0))
    return FALSE;

  story_compare_indices (story, old, new, tree);
  if (story->events->len == 0 && story->files->len > n)
    story_tell (story, "staged", story->files->len - n, "");
  return TRUE;
}

static guint
story_count_files (BeckonGitStory *story)
{
  g_autoptr (GHashTable) paths = g_hash_table_new (g_str_hash, g_str_equal);

  if (story->n_amended > 0)
    return story->n_amended;
  for (guint i = 0; i < story->files->len; i++)
    {
      BeckonGitFile *file = g_ptr_array_index (story->files, i);

      if (file->origin == BECKON_GIT_FILE_COMMITTED)
        g_hash_table_add (paths, file->path);
    }
  return g_hash_table_size (paths);
}

/* Whether settings depend on which branch HEAD is, or may. @own: (nullable): where those begin that are for one alone */
static gboolean
story_obeys_branches (BeckonGitStory *story, const char *own)
{
  g_autoptr (git_config) config = NULL;
  g_autoptr (git_config_iterator) entries = NULL;
  git_config_entry *entry;

  if (git_repository_config_snapshot (&config, story->before) != 0 || git_config_iterator_new (&entries, config) != 0)
    return TRUE;
  while (git_config_next (&entry, entries) == 0)
    if (g_str_has_prefix (entry->name, "includeif.onbranch") || (own != NULL && g_str_has_prefix (entry->name, own)))
      return TRUE;
  return FALSE;
}

/* A name that anything has, or a server's branch would, leads commands of the person elsewhere; and settings may be for a
 * name. */
static gboolean
story_is_plain_name (BeckonGitStory *story, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  g_autofree char *own = g_strdup_printf ("branch.%s.", name);
  git_object *found = NULL;
  git_remote *remote = NULL;

  for (guint i = 0; parts[i] != NULL; i++)
    if (!g_ascii_isalnum (*parts[i]) || strspn (parts[i], G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-") != strlen (parts[i])
        || strstr (parts[i], "..") != NULL || g_str_has_suffix (parts[i], ".") || g_str_has_suffix (parts[i], ".lock"))
      return FALSE;
  if (parts[0] == NULL || strspn (name, "0123456789abcdefABCDEF") == strlen (name)
      || g_strv_contains ((const char *const[]){ "refs", "heads", "tags", "remotes", "HEAD", NULL }, parts[0]))
    return FALSE;
  if (git_revparse_single (&found, story->before, name) == 0 || git_remote_lookup (&remote, story->before, parts[0]) == 0)
    {
      git_object_free (found);
      git_remote_free (remote);
      return FALSE;
    }
  return !story_obeys_branches (story, own);
}

/* Whether a log has grown by lines of one commit alone, if it is written at all. */
static gboolean
story_has_plain_log (BeckonGitStory *story, const char *after, const char *ref, const char *hash)
{
  g_autofree char *name = g_build_filename ("logs", ref, NULL);
  g_autofree char *path = g_build_filename (after, name, NULL);
  g_autofree char *path_before = g_build_filename (git_repository_path (story->before), name, NULL);
  g_autofree char *old = read_file_text (path_before, LONGEST_LOG);
  g_autofree char *new = read_file_text (path, LONGEST_LOG);
  g_auto (GStrv) lines = NULL;

  if (new == NULL)
    return !g_file_test (path, G_FILE_TEST_EXISTS);
  if ((old == NULL && g_file_test (path_before, G_FILE_TEST_EXISTS)) || !g_str_has_prefix (new, old != NULL ? old : "")
      || !g_str_has_suffix (new, "\n"))
    return FALSE;
  lines = g_strsplit (new + (old != NULL ? strlen (old) : 0), "\n", -1);
  for (guint i = 0; lines[i] != NULL && lines[i + 1] != NULL; i++)
    if (strlen (lines[i]) > LONGEST_REF || strlen (lines[i]) < 2 * GIT_OID_HEXSZ + 1
        || (strncmp (lines[i], hash, GIT_OID_HEXSZ) != 0 && strspn (lines[i], "0") != GIT_OID_HEXSZ)
        || strncmp (lines[i] + GIT_OID_HEXSZ + 1, hash, GIT_OID_HEXSZ) != 0)
      return FALSE;
  return TRUE;
}

/* Whether a ref is a new branch of a commit alone. */
static gboolean
story_is_new_branch (BeckonGitStory *story, const char *after, const char *ref, const char *hash)
{
  g_autofree char *path = g_build_filename (after, ref, NULL);
  g_autofree char *text = read_file_text (path, LONGEST_REF);
  g_autofree char *wanted = g_strconcat (hash, "\n", NULL);
  git_oid before;

  return g_str_has_prefix (ref, HEADS) && g_strcmp0 (text, wanted) == 0 && !story_find_before (story, ref, &before)
         && story_is_plain_name (story, get_short_name (ref)) && story_has_plain_log (story, after, ref, hash);
}

/* Whether a ref is a branch of a commit which was there, and that no other work tree is on. */
static gboolean
story_is_old_branch (BeckonGitStory *story, const char *ref, const git_oid *commit)
{
  g_autoptr (git_reference) branch = NULL;
  git_oid before;

  return g_str_has_prefix (ref, HEADS) && story_find_before (story, ref, &before) && git_oid_equal (&before, commit)
         && git_reference_lookup (&branch, story->before, ref) == 0 && git_branch_is_checked_out (branch) == 0
         && !story_obeys_branches (story, NULL);
}

/* Each name has the commit that it had, and so has HEAD, which may be on another branch by now. */
static void
story_note_refs (BeckonGitStory *story, const char *after, const git_oid *was, const git_oid *is)
{
  GHashTableIter iter;
  gpointer ref = NULL;
  char hash[GIT_OID_HEXSZ + 1];
  g_autofree char *head_path = g_build_filename (after, "HEAD", NULL);
  g_autofree char *head_log = g_build_filename (after, "logs", "HEAD", NULL);
  g_autofree char *head = read_file_text (head_path, LONGEST_REF);
  const char *branch = head != NULL && g_str_has_prefix (head, "ref: ") ? head + strlen ("ref: ") : NULL;

  if (g_hash_table_size (story->refs) > 1 || g_hash_table_size (story->gone) > 0 || story->packed != NULL)
    return;
  if (was == NULL || is == NULL)
    {
      story->keeps_refs = was == NULL && is == NULL && g_hash_table_size (story->refs) == 0
                          && !g_file_test (head_path, G_FILE_TEST_EXISTS) && !g_file_test (head_log, G_FILE_TEST_EXISTS);
      return;
    }
  g_hash_table_iter_init (&iter, story->refs);
  g_hash_table_iter_next (&iter, &ref, NULL);
  git_oid_tostr (hash, sizeof hash, was);
  if (!git_oid_equal (was, is) || !story_has_plain_log (story, after, "HEAD", hash)
      || (ref != NULL && !story_is_new_branch (story, after, ref, hash)))
    return;
  if (g_file_test (head_path, G_FILE_TEST_EXISTS))
    {
      g_autofree char *name
        = branch != NULL && g_str_has_suffix (branch, "\n") ? g_strndup (branch, strlen (branch) - 1) : NULL;

      if (name == NULL || (g_strcmp0 (name, ref) != 0 && !story_is_old_branch (story, name, was)))
        return;
    }
  story->keeps_refs = TRUE;
  story->new_branch = g_strdup (ref);
}

static gboolean
story_tell_all (BeckonGitStory *story, const char *root, const char *after)
{
  g_autofree git_oid *was = NULL;
  g_autofree git_oid *is = NULL;
  g_autofree char *head = NULL;

  if (!story_tell_head (story, after, &was, &is, &head) || !story_tell_refs (story, head, is != NULL ? is : was)
      || !story_tell_stash (story, root) || !story_tell_index (story, after, was) || story->files->len > MOST_FILES)
    return FALSE;
  if (strspn (after + strlen (root), "/") == strlen (after + strlen (root)))
    story_note_refs (story, after, was, is);
  if (story_count_files (story) > 0)
    story_tell (story, "files", story_count_files (story), "");
  return TRUE;
}

BeckonGitStory *
beckon_git_story_read (const char *before, const char *after, const char *own)
{
  g_autoptr (BeckonGitStory) story = g_new0 (BeckonGitStory, 1);
  g_autofree char *objects = g_build_filename (before, "objects", NULL);
  g_autofree char *made = g_build_filename (after, "objects", NULL);
  g_autofree char *own_before = g_build_filename (before, own, NULL);
  g_autofree char *own_after = g_build_filename (after, own, NULL);
  g_autoptr (git_config) config = NULL;
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;

  beckon_git_begin ();
  story->refs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  story->gone = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  story->known = g_hash_table_new (file_hash, file_equal);
  story->files = g_ptr_array_new_with_free_func (file_free);
  story->halves = g_ptr_array_new_with_free_func (file_free);
  story->events = g_string_new (NULL);
  if (git_repository_open_ext (&story->before, own_before,
                               GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_NO_DOTGIT, NULL) != 0
      || !story_walk (story, after, "", 0) || git_odb_open (&story->odb, objects) != 0
      || (g_file_test (made, G_FILE_TEST_IS_DIR) && git_odb_add_disk_alternate (story->odb, made) != 0)
      || git_repository_wrap_odb (&story->after, story->odb) != 0 || git_config_new (&config) != 0)
    return NULL;

  git_repository_set_config (story->after, config);
  path = g_build_filename (after, "packed-refs", NULL);
  text = read_file_text (path, LONGEST_PACKED);
  if (text != NULL)
    {
      g_auto (GStrv) lines = NULL;

      story->packed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      lines = g_strsplit (text, "\n", -1);
      for (guint i = 0; lines[i] != NULL; i++)
        {
          git_oid *oid = strlen (lines[i]) > GIT_OID_HEXSZ + 1 && lines[i][GIT_OID_HEXSZ] == ' ' ? read_oid (lines[i]) : NULL;

          if (oid != NULL)
            g_hash_table_insert (story->packed, g_strdup (lines[i] + GIT_OID_HEXSZ + 1), oid);
        }
    }
  return story_tell_all (story, after, own_after) ? g_steal_pointer (&story) : NULL;
}

void
beckon_git_story_free (BeckonGitStory *story)
{
  if (story == NULL)
    return;

  git_repository_free (story->after);
  git_odb_free (story->odb);
  git_repository_free (story->before);
  g_clear_pointer (&story->refs, g_hash_table_unref);
  g_clear_pointer (&story->gone, g_hash_table_unref);
  g_clear_pointer (&story->packed, g_hash_table_unref);
  g_clear_pointer (&story->known, g_hash_table_unref);
  g_ptr_array_unref (story->files);
  g_ptr_array_unref (story->halves);
  g_string_free (story->events, TRUE);
  g_free (story->elsewhere);
  g_free (story->new_branch);
  g_free (story);
}

const char *
beckon_git_story_get_events (BeckonGitStory *story)
{
  return story->events->str;
}

const char *
beckon_git_story_get_elsewhere (BeckonGitStory *story)
{
  return story->elsewhere;
}

gboolean
beckon_git_story_keeps_refs (BeckonGitStory *story, const char **branch)
{
  *branch = story->new_branch;
  return story->keeps_refs;
}

gboolean
beckon_git_story_only_stages (const BeckonGitFile *file, const char *path)
{
  struct stat info;
  git_oid oid;

  if (file->origin != BECKON_GIT_FILE_STAGED || !file->is_plain)
    return FALSE;
  return file->mode == 0
         || (path != NULL && lstat (path, &info) == 0 && S_ISREG (info.st_mode)
             && file->mode == ((info.st_mode & 0100) != 0 ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB)
             && git_odb_hashfile (&oid, path, GIT_OBJECT_BLOB) == 0 && memcmp (oid.id, file->after, sizeof file->after) == 0);
}

GPtrArray *
beckon_git_story_get_files (BeckonGitStory *story)
{
  return story->files;
}

/* --- What is in its files ------------------------------------------------------------------------------------------- */

/* (nullable): of no file, a text of nothing. @hash: (out) (optional) (nullable): the SHA-256 of what is there. */
static char *
story_read_blob (BeckonGitStory *story, const unsigned char *id, gsize *length, char **hash)
{
  git_odb_object *object = NULL;
  git_object_t type;
  char *bytes = NULL;
  git_oid oid;

  memcpy (oid.id, id, sizeof oid.id);
  *length = 0;
  if (git_oid_is_zero (&oid))
    return g_strdup ("");
  if (git_odb_read_header (length, &type, story->odb, &oid) != 0 || type != GIT_OBJECT_BLOB || *length > LARGEST_FILE
      || git_odb_read (&object, story->odb, &oid) != 0)
    return NULL;
  *length = git_odb_object_size (object);
  bytes = g_malloc (*length + 1);
  memcpy (bytes, git_odb_object_data (object), *length);
  bytes[*length] = '\0';
  if (hash != NULL)
    *hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) bytes, *length);
  git_odb_object_free (object);
  return bytes;
}

gboolean
beckon_git_story_is_change (BeckonGitStory *story, const BeckonGitFile *file, const char *before, const char *after)
{
  g_autofree char *was = NULL;
  g_autofree char *is = NULL;
  gsize length;
  g_autofree char *old = story_read_blob (story, file->before, &length, &was);
  g_autofree char *new = story_read_blob (story, file->after, &length, &is);

  return old != NULL && new != NULL && g_strcmp0 (was, before) == 0 && g_strcmp0 (is, after) == 0;
}

/* (transfer full) (nullable): a text in any encoding, for looking at; %NULL for what is none. */
static char *
story_decode (const char *data, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, length);
  g_autoptr (BeckonFileText) file = NULL;

  if (memchr (data, '\0', length) == NULL && g_utf8_validate_len (data, length, NULL))
    return g_strndup (data, length);
  file = beckon_file_text_new (bytes);
  return file != NULL ? beckon_file_text_show (file, file->text, -1) : NULL;
}

gboolean
beckon_git_story_append_diff (BeckonGitStory *story, const BeckonGitFile *file, GString *text, guint *n_added,
                              guint *n_removed, gboolean *is_binary)
{
  const gboolean is_same = memcmp (file->before, file->after, sizeof file->before) == 0;
  gsize old_length = 0, new_length = 0;
  g_autofree char *old = is_same ? g_strdup ("") : story_read_blob (story, file->before, &old_length, NULL);
  g_autofree char *new = is_same ? g_strdup ("") : story_read_blob (story, file->after, &new_length, NULL);
  g_autofree char *was = old != NULL ? story_decode (old, old_length) : NULL;
  g_autofree char *is = new != NULL ? story_decode (new, new_length) : NULL;
  g_autoptr (BeckonLineDiff) diff = NULL;
  g_autofree char *hunks = NULL;

  *is_binary = (old != NULL && was == NULL) || (new != NULL && is == NULL);
  if (was == NULL || is == NULL)
    return FALSE;

  diff = beckon_line_diff_new (was, is);
  hunks = beckon_line_diff_to_unified (diff, CONTEXT_LINES);
  *n_added += beckon_line_diff_get_n_added (diff);
  *n_removed += beckon_line_diff_get_n_removed (diff);
  if (file->from != NULL)
    g_string_append_printf (text, "%s → ", file->from);
  g_string_append_printf (text, "%s\n%s", file->path, hunks);
  return TRUE;
}

char *
beckon_git_dup_index_digest (const char *file)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (git_index) index = NULL;
  struct stat info;

  beckon_git_begin ();
  if (lstat (file, &info) != 0 || !S_ISREG (info.st_mode) || git_index_open (&index, file) != 0)
    return NULL;

  for (gsize i = 0; i < git_index_entrycount (index); i++)
    {
      const git_index_entry *entry = git_index_get_byindex (index, i);
      const int stage = git_index_entry_stage (entry);
      const guint marks = get_marks (entry);

      g_checksum_update (checksum, entry->id.id, sizeof entry->id.id);
      g_checksum_update (checksum, (const guchar *) &entry->mode, sizeof entry->mode);
      g_checksum_update (checksum, (const guchar *) &stage, sizeof stage);
      g_checksum_update (checksum, (const guchar *) &marks, sizeof marks);
      g_checksum_update (checksum, (const guchar *) entry->path, (gssize) strlen (entry->path) + 1);
    }
  return g_strdup (g_checksum_get_string (checksum));
}
