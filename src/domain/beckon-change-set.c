/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-change-set.h"

#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-words.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A sentence that names more folders is read by nobody. */
#define MOST_FOLDERS_TOLD 3

struct _BeckonChangeSet
{
  gatomicrefcount references;
  GPtrArray *changes; /* (owned) (element-type BeckonFileChange) */
};

static const char *const kind_words[] = {
  [BECKON_FILE_CREATED] = "created",
  [BECKON_FILE_CHANGED] = "changed",
  [BECKON_FILE_DELETED] = "deleted",
  [BECKON_FILE_MOVED] = "moved",
};

static const char *const type_words[] = {
  [BECKON_FILE_REGULAR] = "file",
  [BECKON_FILE_FOLDER] = "folder",
  [BECKON_FILE_LINK] = "link",
  [BECKON_FILE_OTHER] = "other",
};

static const char *const concern_words[] = {
  [BECKON_FILE_CONCERN_NONE] = "none",           [BECKON_FILE_CONCERN_TRIGGER] = "trigger",
  [BECKON_FILE_CONCERN_SET_ID] = "set-id",       [BECKON_FILE_CONCERN_LEADS_OUT] = "leads-out",
  [BECKON_FILE_CONCERN_RULE] = "rule",           [BECKON_FILE_CONCERN_CONFLICT] = "conflict",
  [BECKON_FILE_CONCERN_PROGRAM] = "program",
};

static const char *const fate_words[] = {
  [BECKON_FILE_OPEN] = "open",         [BECKON_FILE_KEPT] = "kept",     [BECKON_FILE_LEFT_OUT] = "left-out",
  [BECKON_FILE_DENIED] = "denied",     [BECKON_FILE_CONFLICT] = "conflict", [BECKON_FILE_FAILED] = "failed",
  [BECKON_FILE_UNDONE] = "undone",
};

BeckonFileChange *
beckon_file_change_new (const char *path, BeckonFileChangeKind kind, BeckonFileType type)
{
  BeckonFileChange *change;

  g_return_val_if_fail (path != NULL, NULL);

  change = g_new0 (BeckonFileChange, 1);
  change->path = g_strdup (path);
  change->kind = kind;
  change->type = type;
  change->type_before = type;
  return change;
}

static gpointer
copy_change (gconstpointer source, gpointer data)
{
  const BeckonFileChange *change = source;
  BeckonFileChange *copy = g_new (BeckonFileChange, 1);

  *copy = *change;
  copy->path = g_strdup (change->path);
  copy->from = g_strdup (change->from);
  if (change->bound != NULL)
    {
      copy->bound = g_ptr_array_copy (change->bound, copy_change, NULL);
      g_ptr_array_set_free_func (copy->bound, (GDestroyNotify) beckon_file_change_free);
    }
  copy->target = g_strdup (change->target);
  copy->attributes = g_strdup (change->attributes);
  copy->diff = g_strdup (change->diff);
  copy->kept_hunks = change->kept_hunks != NULL ? g_array_copy (change->kept_hunks) : NULL;
  copy->theirs = g_strdup (change->theirs);
  copy->before_hash = g_strdup (change->before_hash);
  copy->after_hash = g_strdup (change->after_hash);
  copy->contents = g_strdup (change->contents);
  copy->remark = g_strdup (change->remark);
  copy->git = g_strdup (change->git);
  return copy;
}

void
beckon_file_change_free (BeckonFileChange *change)
{
  if (change == NULL)
    return;

  g_free (change->path);
  g_free (change->from);
  g_clear_pointer (&change->bound, g_ptr_array_unref);
  g_free (change->target);
  g_free (change->attributes);
  g_free (change->diff);
  g_clear_pointer (&change->kept_hunks, g_array_unref);
  g_free (change->theirs);
  g_free (change->before_hash);
  g_free (change->after_hash);
  g_free (change->contents);
  g_free (change->remark);
  g_free (change->git);
  g_free (change);
}

BeckonChangeSet *
beckon_change_set_new (void)
{
  BeckonChangeSet *set = g_new (BeckonChangeSet, 1);

  g_atomic_ref_count_init (&set->references);
  set->changes = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_file_change_free);
  return set;
}

BeckonChangeSet *
beckon_change_set_ref (BeckonChangeSet *set)
{
  g_return_val_if_fail (set != NULL, NULL);

  g_atomic_ref_count_inc (&set->references);
  return set;
}

void
beckon_change_set_unref (BeckonChangeSet *set)
{
  if (set == NULL || !g_atomic_ref_count_dec (&set->references))
    return;

  g_ptr_array_unref (set->changes);
  g_free (set);
}

BeckonChangeSet *
beckon_change_set_copy (const BeckonChangeSet *set)
{
  BeckonChangeSet *copy;

  g_return_val_if_fail (set != NULL, NULL);

  copy = beckon_change_set_new ();
  for (guint i = 0; i < set->changes->len; i++)
    g_ptr_array_add (copy->changes, copy_change (g_ptr_array_index (set->changes, i), NULL));
  return copy;
}

BeckonChangeSet *
beckon_change_set_filter (const BeckonChangeSet *set, BeckonFileFate fate, BeckonFileFate other)
{
  BeckonChangeSet *filtered;

  g_return_val_if_fail (set != NULL, NULL);

  filtered = beckon_change_set_new ();
  for (guint i = 0; i < set->changes->len; i++)
    {
      const BeckonFileChange *change = g_ptr_array_index (set->changes, i);

      if (change->fate == fate || change->fate == other)
        g_ptr_array_add (filtered->changes, copy_change (change, NULL));
    }
  return filtered;
}

void
beckon_change_set_take (BeckonChangeSet *set, BeckonFileChange *change)
{
  g_return_if_fail (set != NULL && change != NULL);

  g_ptr_array_add (set->changes, change);
}

void
beckon_change_set_bind (BeckonChangeSet *set, BeckonFileChange *change, GPtrArray *members)
{
  g_return_if_fail (set != NULL && change != NULL && members != NULL);

  if (change->bound == NULL)
    change->bound = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_file_change_free);
  for (guint i = 0; i < members->len; i++)
    {
      BeckonFileChange *member = g_ptr_array_index (members, i);
      guint index;

      if (!g_ptr_array_find (set->changes, member, &index))
        continue;
      g_ptr_array_add (change->bound, g_ptr_array_steal_index (set->changes, index));

      /* The worst of both. */
      if (change->concern == BECKON_FILE_CONCERN_NONE)
        change->concern = member->concern;
      if (change->fate == BECKON_FILE_OPEN)
        change->fate = member->fate;
      if (change->remark == NULL)
        change->remark = g_steal_pointer (&member->remark);
      change->is_withheld = change->is_withheld || member->is_withheld;

      /* Members bind nothing themselves. */
      while (member->bound != NULL && member->bound->len > 0)
        g_ptr_array_add (change->bound, g_ptr_array_steal_index_fast (member->bound, 0));
      g_clear_pointer (&member->bound, g_ptr_array_unref);
    }
}

/* Whether @change, or anything that is bound to it, makes the folder in which @path is. */
static gboolean
makes_room_for (const BeckonFileChange *change, const char *path)
{
  gsize length = strlen (change->path);

  if (beckon_file_change_makes_folder (change) && strncmp (path, change->path, length) == 0 && path[length] == '/')
    return TRUE;
  for (guint i = 0; change->bound != NULL && i < change->bound->len; i++)
    if (makes_room_for (g_ptr_array_index (change->bound, i), path))
      return TRUE;
  return FALSE;
}

gboolean
beckon_change_set_stands_on (const BeckonChangeSet *set, guint change, guint other)
{
  return change != other
         && makes_room_for (g_ptr_array_index (set->changes, other), beckon_change_set_get (set, change)->path);
}

static gboolean
may_land (const BeckonFileChange *change)
{
  return change->fate == BECKON_FILE_OPEN || change->fate == BECKON_FILE_KEPT || change->fate == BECKON_FILE_UNDONE;
}

void
beckon_change_set_spread_fates (BeckonChangeSet *set)
{
  g_return_if_fail (set != NULL);

  for (guint i = 0; i < set->changes->len; i++)
    for (guint j = 0; j < set->changes->len && !may_land (beckon_change_set_get (set, i)); j++)
      if (may_land (beckon_change_set_get (set, j)) && beckon_change_set_stands_on (set, j, i))
        beckon_change_set_get (set, j)->fate = beckon_change_set_get (set, i)->fate;
}

static void
mask_change (gpointer data, gpointer mask)
{
  BeckonFileChange *change = data;
  char **texts[] = { &change->diff, &change->theirs };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *before = g_steal_pointer (texts[i]);

      *texts[i] = before != NULL ? beckon_mask_apply (mask, before) : NULL;
    }
  if (change->bound != NULL)
    g_ptr_array_foreach (change->bound, mask_change, mask);
}

void
beckon_change_set_mask (BeckonChangeSet *set, BeckonMask *mask)
{
  g_return_if_fail (set != NULL);

  if (mask != NULL)
    g_ptr_array_foreach (set->changes, mask_change, mask);
}

/* A slash counts as less than every other byte, so that what is in a folder follows it at once. */
static int
change_set_compare_paths (gconstpointer one, gconstpointer other)
{
  const char *first = (*(BeckonFileChange *const *) one)->path;
  const char *second = (*(BeckonFileChange *const *) other)->path;

  while (*first != '\0' && *first == *second)
    {
      first++;
      second++;
    }
  if (*first == *second)
    return 0;
  if (*first == '\0' || *second == '\0')
    return *first == '\0' ? -1 : 1;
  if (*first == '/' || *second == '/')
    return *first == '/' ? -1 : 1;
  return (guchar) *first < (guchar) *second ? -1 : 1;
}

void
beckon_change_set_sort (BeckonChangeSet *set)
{
  g_return_if_fail (set != NULL);

  g_ptr_array_sort (set->changes, change_set_compare_paths);
}

guint
beckon_change_set_get_n_changes (const BeckonChangeSet *set)
{
  g_return_val_if_fail (set != NULL, 0);

  return set->changes->len;
}

BeckonFileChange *
beckon_change_set_get (const BeckonChangeSet *set, guint index)
{
  g_return_val_if_fail (set != NULL && index < set->changes->len, NULL);

  return g_ptr_array_index (set->changes, index);
}

void
beckon_change_set_add_older (BeckonChangeSet *set, const BeckonChangeSet *older)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (BeckonChangeSet) copy = NULL;

  g_return_if_fail (set != NULL && older != NULL);

  for (guint i = 0; i < set->changes->len; i++)
    g_hash_table_add (known, g_strdup (beckon_change_set_get (set, i)->path));
  copy = beckon_change_set_copy (older);
  for (guint i = copy->changes->len; i > 0; i--)
    if (!g_hash_table_contains (known, beckon_change_set_get (copy, i - 1)->path))
      beckon_change_set_take (set, g_ptr_array_steal_index (copy->changes, i - 1));
  beckon_change_set_sort (set);
}

guint
beckon_change_set_count (const BeckonChangeSet *set, BeckonFileFate fate)
{
  guint n = 0;

  g_return_val_if_fail (set != NULL, 0);

  for (guint i = 0; i < set->changes->len; i++)
    n += beckon_change_set_get (set, i)->fate == fate;
  return n;
}

gboolean
beckon_change_set_is_open (const BeckonChangeSet *set)
{
  return beckon_change_set_count (set, BECKON_FILE_OPEN) > 0;
}

gboolean
beckon_change_set_can_undo (const BeckonChangeSet *set)
{
  return beckon_change_set_count (set, BECKON_FILE_KEPT) > 0;
}

/* (transfer full) (nullable): @n: of commits or files. @text: the subject of a commit, or the name of a branch, tag or file.
 * %NULL for the files of a commit, which are listed below it. */
static char *
dup_git_event (const char *word, guint n, const char *text)
{
#define SAY(its_word, words)                                                                                                   \
  if (strcmp (word, its_word) == 0)                                                                                            \
  return beckon_text_printf (words, text)

  /* Translators: what a command did to a Git repository; %s is the subject of a commit, or the name of a branch or tag */
  SAY ("commit", _("Commit: %s"));
  SAY ("merge", _("Merge: %s"));
  SAY ("amend", _("Amended commit: %s"));
  SAY ("back", _("Branch reset to: %s"));
  SAY ("rewrite", _("Rewritten branch: %s"));
  SAY ("switch", _("Switched to: %s"));
  SAY ("branch", _("New branch: %s"));
  SAY ("branch-moved", _("Moved branch: %s"));
  SAY ("branch-gone", _("Deleted branch: %s"));
  SAY ("branch-unread", _("Unreadable branch: %s"));
  SAY ("tag", _("New tag: %s"));
  SAY ("tag-moved", _("Moved tag: %s"));
  SAY ("tag-gone", _("Deleted tag: %s"));
  SAY ("tag-unread", _("Unreadable tag: %s"));
  SAY ("ref", _("New ref: %s"));
  SAY ("ref-moved", _("Moved ref: %s"));
  SAY ("ref-gone", _("Deleted ref: %s"));
  SAY ("ref-unread", _("Unreadable ref: %s"));
  /* Translators: of Git; %s is its subject */
  SAY ("stash", _("Stash: %s"));
  /* Translators: of Git; %s is its subject */
  SAY ("stash-gone", _("Removed stash: %s"));
#undef SAY
  if (g_str_has_prefix (word, "with") || strcmp (word, "binary") == 0)
    return NULL;
  if (strcmp (word, "dropped") == 0 && n == 1)
    /* Translators: behind "Amended commit: Fix the discount · 2 files"; %s is a file that the commit had before */
    return beckon_text_printf (_("takes %s out"), text);
  if (strcmp (word, "dropped") == 0)
    /* Translators: behind "Amended commit: Fix the discount · 2 files": that the commit had before */
    return g_strdup_printf (ngettext ("takes %u file out", "takes %u files out", n), n);
  if (strcmp (word, "commits") == 0)
    /* Translators: of Git; %s is the subject of the last one */
    return beckon_text_printf (ngettext ("%u commit: %s", "%u commits, the last: %s", n), n, text);
  if (strcmp (word, "staged") == 0)
    /* Translators: of Git: noted for the next commit */
    return g_strdup_printf (ngettext ("Staged: %u file", "Staged: %u files", n), n);
  if (strcmp (word, "files") == 0)
    return g_strdup_printf (ngettext ("%u file", "%u files", n), n);
  return g_strdup (_("Git’s own data"));
}

char *
beckon_change_set_dup_git_words (const char *git)
{
  g_auto (GStrv) lines = g_strsplit (*git != '\0' ? git : "other\t1\t", "\n", -1);
  GString *words = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", 3);
      const gboolean is_whole = g_strv_length (fields) == 3;
      g_autofree char *text = beckon_text_for_display (is_whole ? fields[2] : "", -1, BECKON_TEXT_EXACT);
      g_autofree char *event
        = dup_git_event (is_whole ? fields[0] : "", is_whole ? (guint) g_ascii_strtoull (fields[1], NULL, 10) : 0, text);

      if (event != NULL)
        g_string_append_printf (words, "%s%s", words->len > 0 ? " · " : "", event);
    }
  return g_string_free (words, FALSE);
}

GPtrArray *
beckon_file_change_list_git_files (const BeckonFileChange *change, gboolean with_extent)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) lines = NULL;

  g_return_val_if_fail (change != NULL, files);

  lines = g_strsplit (change->git != NULL ? change->git : "", "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", 4);
      const gboolean is_whole = g_strv_length (fields) >= 3 && g_str_has_prefix (fields[0], "with");
      g_autofree char *name = beckon_text_for_display (is_whole ? fields[2] : "", -1, BECKON_TEXT_EXACT);
      g_autofree char *words = NULL;
      const guint n = is_whole ? (guint) g_ascii_strtoull (fields[1], NULL, 10) : 0;

      if (!is_whole)
        continue;
      if (strcmp (fields[0], "with-more") == 0)
        words = g_strdup_printf (ngettext ("… and %u more", "… and %u more", n), n);
      else if (strcmp (fields[0], "with-outside") == 0)
        /* Translators: %s is a file of a commit */
        words = beckon_text_printf (_("%s (outside of this folder)"), name);
      else
        words = g_steal_pointer (&name);
      g_ptr_array_add (files, with_extent && fields[3] != NULL ? g_strconcat (words, "  ", fields[3], NULL)
                                                               : g_steal_pointer (&words));
    }
  return files;
}

char *
beckon_file_change_dup_shown_path (const BeckonFileChange *change)
{
  g_autofree char *shown = NULL;

  g_return_val_if_fail (change != NULL, NULL);

  if (change->git != NULL && change->bound != NULL)
    return beckon_change_set_dup_git_words (change->git);
  shown = beckon_text_for_display (change->path, -1, BECKON_TEXT_EXACT);
  return change->type == BECKON_FILE_FOLDER ? g_strconcat (shown, "/", NULL) : g_steal_pointer (&shown);
}

char *
beckon_file_change_dup_shown_name (const BeckonFileChange *change)
{
  g_autofree char *path = beckon_file_change_dup_shown_path (change);
  g_autofree char *from = NULL;

  if (change->from == NULL)
    return g_steal_pointer (&path);
  from = beckon_text_for_display (change->from, -1, BECKON_TEXT_EXACT);
  /* Translators: of a file that was moved: where it was, and where it is */
  return beckon_text_printf (change->type == BECKON_FILE_FOLDER ? _("%s/ → %s") : _("%s → %s"), from, path);
}

gboolean
beckon_file_change_was_there (const BeckonFileChange *change)
{
  g_return_val_if_fail (change != NULL, FALSE);

  return change->kind == BECKON_FILE_CHANGED || change->kind == BECKON_FILE_DELETED
         || (change->kind == BECKON_FILE_MOVED && change->before_inode != 0);
}

gboolean
beckon_file_change_is_there (const BeckonFileChange *change)
{
  g_return_val_if_fail (change != NULL, FALSE);

  return change->kind != BECKON_FILE_DELETED;
}

gboolean
beckon_file_change_keeps_content (const BeckonFileChange *change)
{
  g_return_val_if_fail (change != NULL, FALSE);

  if (change->kind == BECKON_FILE_MOVED && change->type == BECKON_FILE_LINK)
    return TRUE;
  return (change->kind == BECKON_FILE_CHANGED || change->kind == BECKON_FILE_MOVED) && change->before_hash != NULL
         && g_strcmp0 (change->before_hash, change->after_hash) == 0;
}

const char *
beckon_file_change_get_why_unshown (const BeckonFileChange *change)
{
  g_return_val_if_fail (change != NULL, NULL);

  if (change->git != NULL)
    {
      g_autoptr (GPtrArray) told = beckon_file_change_list_told (change);
      const char *why = NULL;

      /* As long as a part of it is not shown, neither is the commit. */
      if (g_str_has_prefix (change->git, "unknown") || strstr (change->git, "-unread\t") != NULL)
        return _("Git’s data can’t be read here");
      if (strstr (change->git, "\nbinary\t") != NULL)
        return _("Binary file");
      if (change->is_text && change->diff == NULL)
        return _("Too long to be shown here");
      for (guint i = 0; i < told->len && why == NULL; i++)
        why = beckon_file_change_get_why_unshown (g_ptr_array_index (told, i));
      return why;
    }
  if (change->type == BECKON_FILE_FOLDER && change->n_files > 0
      && (change->kind == BECKON_FILE_CREATED || change->kind == BECKON_FILE_CHANGED))
    return _("Too many files to be shown one by one");
  if (change->type == BECKON_FILE_REGULAR && change->is_text && change->diff == NULL && change->n_added + change->n_removed > 0)
    return _("Too long to be shown here");
  if (change->type == BECKON_FILE_REGULAR && !change->is_text && change->after_hash != NULL
      && !beckon_file_change_keeps_content (change))
    return _("Binary file");
  return NULL;
}

gboolean
beckon_file_change_makes_folder (const BeckonFileChange *change)
{
  g_return_val_if_fail (change != NULL, FALSE);

  return change->kind == BECKON_FILE_CHANGED && change->type == BECKON_FILE_FOLDER && change->type_before != BECKON_FILE_FOLDER;
}

static gboolean
is_source_of (const BeckonFileChange *gone, const BeckonFileChange *change)
{
  return change->from != NULL && strcmp (change->from, gone->path) == 0;
}

gboolean
beckon_file_change_is_source (const BeckonFileChange *gone, const BeckonFileChange *change)
{
  g_return_val_if_fail (gone != NULL && change != NULL, FALSE);

  if (is_source_of (gone, change))
    return TRUE;
  for (guint i = 0; change->bound != NULL && i < change->bound->len; i++)
    if (is_source_of (gone, g_ptr_array_index (change->bound, i)))
      return TRUE;
  return FALSE;
}

gboolean
beckon_file_change_loses_nothing (const BeckonFileChange *change)
{
  gboolean loses_nothing = change->loses_nothing;

  for (guint i = 0; loses_nothing && change->bound != NULL && i < change->bound->len; i++)
    loses_nothing = ((const BeckonFileChange *) g_ptr_array_index (change->bound, i))->loses_nothing;
  return loses_nothing;
}

static gboolean
is_in_folder (const BeckonFileChange *bound, const BeckonFileChange *change)
{
  gsize length = strlen (change->path);

  return strncmp (bound->path, change->path, length) == 0 && bound->path[length] == '/';
}

/* A file of a folder that was moved is told where it was changed on the way. */
static gboolean
tells_more (const BeckonFileChange *bound, const BeckonFileChange *change)
{
  if (change->git != NULL && is_in_folder (bound, change))
    return FALSE;
  if (bound->kind == BECKON_FILE_DELETED)
    return bound->n_files > 0 || !beckon_file_change_is_source (bound, change);
  if (!is_in_folder (bound, change))
    return TRUE;
  return bound->type != BECKON_FILE_FOLDER
         && (!beckon_file_change_keeps_content (bound) || bound->concern != BECKON_FILE_CONCERN_NONE);
}

GPtrArray *
beckon_file_change_list_told (const BeckonFileChange *change)
{
  GPtrArray *told = g_ptr_array_new ();

  g_return_val_if_fail (change != NULL, told);

  for (guint i = 0; change->bound != NULL && i < change->bound->len; i++)
    if (tells_more (g_ptr_array_index (change->bound, i), change))
      g_ptr_array_add (told, g_ptr_array_index (change->bound, i));
  return told;
}

static void
add_clause (GString *sentence, char *clause)
{
  g_autofree char *owned = clause;

  if (sentence->len > 0)
    /* Translators: between the clauses of "Changed 3 files, deleted 1, made 120 in build/" */
    g_string_append (sentence, _(", "));
  g_string_append (sentence, owned);
}

static gboolean
stands_for_many (const BeckonFileChange *change)
{
  return change->type == BECKON_FILE_FOLDER && change->n_files > 0 && change->kind != BECKON_FILE_MOVED && change->git == NULL;
}

/* Folders that stand for what is in them are told one by one while they are few. */
static gboolean
tells_folders (const BeckonChangeSet *set)
{
  guint n = 0;

  for (guint i = 0; i < set->changes->len; i++)
    n += stands_for_many (g_ptr_array_index (set->changes, i));
  return n <= MOST_FOLDERS_TOLD;
}

void
beckon_file_change_count (const BeckonFileChange *change, guint *n_new, guint *n_changed, guint *n_deleted)
{
  guint n = MAX (1, change->n_files);
  gboolean is_changed = change->kind == BECKON_FILE_CHANGED;

  *n_new = change->kind == BECKON_FILE_CREATED ? n : is_changed ? MIN (change->n_made, n) : 0;
  *n_deleted = change->kind == BECKON_FILE_DELETED ? n : is_changed ? MIN (change->n_gone, n - *n_new) : 0;
  *n_changed = n - *n_new - *n_deleted;
}

BeckonFileChangeKind
beckon_file_change_get_common_kind (const BeckonFileChange *change)
{
  guint n_new, n_changed, n_deleted;

  g_return_val_if_fail (change != NULL, BECKON_FILE_CHANGED);

  if (change->kind == BECKON_FILE_MOVED)
    return BECKON_FILE_MOVED;

  beckon_file_change_count (change, &n_new, &n_changed, &n_deleted);
  if (n_changed + n_deleted == 0)
    return BECKON_FILE_CREATED;
  return n_changed + n_new == 0 ? BECKON_FILE_DELETED : BECKON_FILE_CHANGED;
}

/* A file in the place of a folder takes the place of all that was in it. */
static guint
count_one (const BeckonFileChange *change, BeckonFileChangeKind kind)
{
  if (change->kind == BECKON_FILE_MOVED)
    return kind == BECKON_FILE_MOVED ? MAX (1, change->n_files) : 0;
  if (stands_for_many (change))
    {
      guint n_new, n_changed, n_deleted;

      beckon_file_change_count (change, &n_new, &n_changed, &n_deleted);
      return kind == BECKON_FILE_CREATED ? n_new : kind == BECKON_FILE_DELETED ? n_deleted : n_changed;
    }
  if (change->kind == kind)
    return change->type != BECKON_FILE_FOLDER || change->kind == BECKON_FILE_CHANGED;
  return kind == BECKON_FILE_DELETED && change->kind == BECKON_FILE_CHANGED ? change->n_files : 0;
}

/* Without those that are told by folder. */
static guint
count_files (const BeckonChangeSet *set, BeckonFileChangeKind kind)
{
  gboolean has_folders = tells_folders (set);
  guint n = 0;

  for (guint i = 0; i < set->changes->len; i++)
    {
      const BeckonFileChange *change = g_ptr_array_index (set->changes, i);
      g_autoptr (GPtrArray) told = beckon_file_change_list_told (change);

      /* Its words have the number. */
      if (change->git != NULL)
        continue;
      if (!stands_for_many (change) || !has_folders)
        n += count_one (change, kind);
      for (guint j = 0; j < told->len; j++)
        if (!is_in_folder (g_ptr_array_index (told, j), change))
          n += count_one (g_ptr_array_index (told, j), kind);
    }
  return n;
}

static void
add_count (GString *sentence, BeckonFileChangeKind kind, guint n)
{
  if (n == 0)
    return;
  switch (kind)
    {
    case BECKON_FILE_CHANGED:
      /* Translators: a clause of "Changed 3 files, deleted 1, made 120 in build/" */
      add_clause (sentence, g_strdup_printf (ngettext ("changed %u file", "changed %u files", n), n));
      break;
    case BECKON_FILE_DELETED:
      /* Translators: a clause of "Changed 3 files, deleted 1, made 120 in build/" */
      add_clause (sentence, g_strdup_printf (ngettext ("deleted %u file", "deleted %u files", n), n));
      break;
    case BECKON_FILE_MOVED:
      /* Translators: a clause of "Changed 3 files, deleted 1, made 120 in build/" */
      add_clause (sentence, g_strdup_printf (ngettext ("moved %u file", "moved %u files", n), n));
      break;
    case BECKON_FILE_CREATED:
    default:
      /* Translators: a clause of "Changed 3 files, deleted 1, made 120 in build/" */
      add_clause (sentence, g_strdup_printf (ngettext ("made %u file", "made %u files", n), n));
      break;
    }
}

static void
add_folder (GString *sentence, const BeckonFileChange *change)
{
  g_autofree char *path = beckon_file_change_dup_shown_path (change);
  guint n_new, n_changed, n_deleted;

  beckon_file_change_count (change, &n_new, &n_changed, &n_deleted);
  if (n_changed > 0)
    /* Translators: a clause like "made 120 in build/"; %s is the folder */
    add_clause (sentence, beckon_text_printf (ngettext ("changed %u file in %s", "changed %u files in %s", n_changed),
                                              n_changed, path));
  if (n_deleted > 0 && change->kind == BECKON_FILE_CHANGED)
    /* Translators: a clause like "made 120 in build/"; %s is the folder, which is still there */
    add_clause (sentence, beckon_text_printf (ngettext ("deleted %u file in %s", "deleted %u files in %s", n_deleted),
                                              n_deleted, path));
  else if (n_deleted > 0)
    /* Translators: a clause like "made 120 in build/"; %s is the folder */
    add_clause (sentence, beckon_text_printf (ngettext ("deleted %u file with %s", "deleted %u files with %s", n_deleted),
                                              n_deleted, path));
  if (n_new > 0)
    /* Translators: a clause of "Changed 3 files, deleted 1, made 120 in build/"; %s is the folder */
    add_clause (sentence, beckon_text_printf (ngettext ("made %u file in %s", "made %u files in %s", n_new), n_new, path));
}

char *
beckon_file_change_dup_counts (const BeckonFileChange *change)
{
  g_autoptr (GString) counts = g_string_new (NULL);
  guint n_new, n_changed, n_deleted;

  g_return_val_if_fail (change != NULL, NULL);

  beckon_file_change_count (change, &n_new, &n_changed, &n_deleted);
  if (n_new > 0)
    /* Translators: of a folder that stands for many files: how many of them are new */
    add_clause (counts, g_strdup_printf (ngettext ("%u new", "%u new", n_new), n_new));
  if (n_changed > 0)
    /* Translators: of a folder that stands for many files: how many of them are changed */
    add_clause (counts, g_strdup_printf (ngettext ("%u changed", "%u changed", n_changed), n_changed));
  if (n_deleted > 0)
    /* Translators: of a folder that stands for many files: how many of them are deleted */
    add_clause (counts, g_strdup_printf (ngettext ("%u deleted", "%u deleted", n_deleted), n_deleted));
  return g_string_free (g_steal_pointer (&counts), FALSE);
}

static char *
capitalize (const char *sentence)
{
  g_autofree char *first = g_utf8_substring (sentence, 0, 1);
  g_autofree char *upper = g_utf8_strup (first, -1);

  return g_strconcat (upper, sentence + strlen (first), NULL);
}

gboolean
beckon_file_change_is_aside (const BeckonFileChange *change)
{
  return change->is_by_product && (change->fate == BECKON_FILE_KEPT || change->fate == BECKON_FILE_UNDONE);
}

char *
beckon_change_set_dup_sentence (const BeckonChangeSet *set)
{
  g_autoptr (GString) sentence = g_string_new (NULL);
  g_autoptr (GPtrArray) told = g_ptr_array_new ();
  const BeckonChangeSet others = { .changes = told };
  gboolean has_git = FALSE;
  guint n_aside = 0;

  g_return_val_if_fail (set != NULL, NULL);

  for (guint i = 0; i < set->changes->len; i++)
    {
      BeckonFileChange *change = g_ptr_array_index (set->changes, i);

      if (beckon_file_change_is_aside (change))
        n_aside += change->git == NULL && (change->type != BECKON_FILE_FOLDER || change->n_files > 0)
                     ? MAX (1, change->n_files)
                     : 0;
      else
        g_ptr_array_add (told, change);
    }
  for (guint i = 0; i < told->len; i++)
    if (((const BeckonFileChange *) g_ptr_array_index (told, i))->git != NULL)
      {
        add_clause (sentence, beckon_file_change_dup_shown_path (g_ptr_array_index (told, i)));
        has_git = TRUE;
      }
  add_count (sentence, BECKON_FILE_CHANGED, count_files (&others, BECKON_FILE_CHANGED));
  add_count (sentence, BECKON_FILE_MOVED, count_files (&others, BECKON_FILE_MOVED));
  add_count (sentence, BECKON_FILE_DELETED, count_files (&others, BECKON_FILE_DELETED));
  add_count (sentence, BECKON_FILE_CREATED, count_files (&others, BECKON_FILE_CREATED));

  if (tells_folders (&others))
    for (guint i = 0; i < others.changes->len; i++)
      if (stands_for_many (g_ptr_array_index (others.changes, i)))
        add_folder (sentence, g_ptr_array_index (others.changes, i));

  /* Beside a commit they are no news. */
  if (n_aside > 0 && !has_git)
    /* Translators: the last clause of "Changed 3 files, changed 53 caches or ignored files": made, changed and deleted ones */
    add_clause (sentence, g_strdup_printf (ngettext ("changed %u cache or ignored file", "changed %u caches or ignored files",
                                                     n_aside), n_aside));
  if (sentence->len == 0)
    {
      guint n_made = 0, n_deleted = 0;

      /* Folders alone, where nothing else is told. */
      for (guint i = 0; i < set->changes->len; i++)
        {
          const BeckonFileChange *folder = g_ptr_array_index (set->changes, i);

          if (folder->type != BECKON_FILE_FOLDER || folder->n_files > 0)
            continue;
          n_made += folder->kind == BECKON_FILE_CREATED;
          n_deleted += folder->kind == BECKON_FILE_DELETED;
        }
      if (n_made > 0)
        add_clause (sentence, g_strdup_printf (ngettext ("made %u folder", "made %u folders", n_made), n_made));
      if (n_deleted > 0)
        add_clause (sentence, g_strdup_printf (ngettext ("deleted %u folder", "deleted %u folders", n_deleted), n_deleted));
    }
  return sentence->len > 0 ? capitalize (sentence->str) : g_strdup (_("Changed nothing"));
}

const char *
beckon_file_concern_to_words (BeckonFileConcern concern)
{
  switch (concern)
    {
    case BECKON_FILE_CONCERN_TRIGGER:
      return _("Other programs run this by themselves");
    case BECKON_FILE_CONCERN_SET_ID:
      return _("Runs with the rights of its owner, no matter who starts it");
    case BECKON_FILE_CONCERN_LEADS_OUT:
      return _("A link that leads out of the folder");
    case BECKON_FILE_CONCERN_RULE:
      return _("One of your rules asks about it");
    case BECKON_FILE_CONCERN_CONFLICT:
      return _("Changed in the folder meanwhile: keeping this replaces that");
    case BECKON_FILE_CONCERN_PROGRAM:
      return _("A program of this repository was changed");
    case BECKON_FILE_CONCERN_NONE:
    default:
      return NULL;
    }
}

BECKON_WORDS_TO (BeckonFileChangeKind, beckon_file_change_kind_to_string, kind_words)
BECKON_WORDS_TO (BeckonFileType, beckon_file_type_to_string, type_words)
BECKON_WORDS_TO (BeckonFileConcern, beckon_file_concern_to_string, concern_words)
BECKON_WORDS_TO (BeckonFileFate, beckon_file_fate_to_string, fate_words)

/* Names of files are bytes, and JSON is text: those that are none are written as Base64. */
static void
write_bytes (BeckonJsonWriter *writer, const char *name, const char *bytes)
{
  g_autofree char *encoded = NULL;
  g_autofree char *member = NULL;

  if (bytes == NULL)
    return;
  if (g_utf8_validate (bytes, -1, NULL))
    {
      beckon_json_writer_member_string (writer, name, bytes);
      return;
    }
  encoded = g_base64_encode ((const guchar *) bytes, strlen (bytes));
  member = g_strconcat (name, "_base64", NULL);
  beckon_json_writer_member_string (writer, member, encoded);
}

static char *
read_bytes (JsonObject *object, const char *name)
{
  const char *text = beckon_json_get_string (object, name);
  g_autofree char *member = g_strconcat (name, "_base64", NULL);
  const char *encoded = beckon_json_get_string (object, member);
  gsize length;
  g_autofree guchar *bytes = encoded != NULL ? g_base64_decode (encoded, &length) : NULL;

  if (text != NULL)
    return g_strdup (text);
  return bytes != NULL && length > 0 && memchr (bytes, '\0', length) == NULL ? g_strndup ((char *) bytes, length) : NULL;
}

static void
write_number (BeckonJsonWriter *writer, const char *name, gint64 value)
{
  if (value != 0)
    beckon_json_writer_member_int (writer, name, value);
}

static void
change_set_write_text (BeckonJsonWriter *writer, const char *name, const char *text)
{
  if (text != NULL)
    beckon_json_writer_member_string (writer, name, text);
}

static void
change_set_write_change (BeckonJsonWriter *writer, const BeckonFileChange *change)
{
  beckon_json_writer_begin_object (writer);
  write_bytes (writer, "path", change->path);
  write_bytes (writer, "from", change->from);
  change_set_write_text (writer, "kind", kind_words[change->kind]);
  change_set_write_text (writer, "type", type_words[change->type]);
  if (change->type_before != change->type)
    change_set_write_text (writer, "type_before", type_words[change->type_before]);
  change_set_write_text (writer, "concern", concern_words[change->concern]);
  change_set_write_text (writer, "fate", fate_words[change->fate]);
  write_number (writer, "files", change->n_files);
  write_number (writer, "files_made", change->n_made);
  write_number (writer, "files_gone", change->n_gone);
  write_number (writer, "size", (gint64) change->size);
  write_number (writer, "mode_before", change->mode_before);
  write_number (writer, "mode_after", change->mode_after);
  write_bytes (writer, "target", change->target);
  write_bytes (writer, "attributes", change->attributes);
  if (change->is_text)
    beckon_json_writer_member_boolean (writer, "is_text", TRUE);
  write_number (writer, "added", change->n_added);
  write_number (writer, "removed", change->n_removed);
  change_set_write_text (writer, "diff", change->diff);
  write_number (writer, "hunks", change->n_hunks);

  if (change->kept_hunks != NULL)
    {
      beckon_json_writer_name (writer, "kept_hunks");
      beckon_json_writer_begin_array (writer);
      for (guint i = 0; i < change->kept_hunks->len; i++)
        beckon_json_writer_int (writer, g_array_index (change->kept_hunks, guint, i));
      beckon_json_writer_end_array (writer);
    }

  change_set_write_text (writer, "theirs", change->theirs);
  change_set_write_text (writer, "before_hash", change->before_hash);
  change_set_write_text (writer, "after_hash", change->after_hash);
  change_set_write_text (writer, "contents", change->contents);
  change_set_write_text (writer, "remark", change->remark);
  change_set_write_text (writer, "git", change->git);
  if (change->is_withheld)
    beckon_json_writer_member_boolean (writer, "withheld", TRUE);
  if (change->is_by_product)
    beckon_json_writer_member_boolean (writer, "by_product", TRUE);
  if (change->loses_nothing)
    beckon_json_writer_member_boolean (writer, "loses_nothing", TRUE);
  if (change->is_permitted)
    beckon_json_writer_member_boolean (writer, "permitted", TRUE);
  if (change->is_program)
    beckon_json_writer_member_boolean (writer, "program", TRUE);
  write_number (writer, "before_inode", (gint64) change->before_inode);
  write_number (writer, "after_inode", (gint64) change->after_inode);
  write_number (writer, "before_changed_at", change->before_changed_at);
  if (change->bound != NULL)
    {
      beckon_json_writer_name (writer, "bound");
      beckon_json_writer_begin_array (writer);
      for (guint i = 0; i < change->bound->len; i++)
        change_set_write_change (writer, g_ptr_array_index (change->bound, i));
      beckon_json_writer_end_array (writer);
    }
  beckon_json_writer_end_object (writer);
}

char *
beckon_change_set_to_json (const BeckonChangeSet *set)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (set != NULL, NULL);

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "changes");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < set->changes->len; i++)
    change_set_write_change (&writer, g_ptr_array_index (set->changes, i));
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
change_set_read_word (JsonObject *object, const char *name, const char *const *words, gsize n_words, guint *value)
{
  const char *word = beckon_json_get_string (object, name);

  for (guint i = 0; i < n_words; i++)
    if (g_strcmp0 (word, words[i]) == 0)
      {
        *value = i;
        return TRUE;
      }

  return FALSE;
}

#define READ_WORD(object, name, words, value) change_set_read_word (object, name, words, G_N_ELEMENTS (words), value)

/* Kept in order, each once. */
static GArray *
read_hunks (JsonObject *object, guint n_hunks)
{
  JsonArray *array = beckon_json_get_array (object, "kept_hunks");
  GArray *hunks;

  if (array == NULL)
    return NULL;
  hunks = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      gint64 hunk = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_int (node) : -1;
      guint value = (guint) hunk;

      if (hunk >= 0 && hunk < n_hunks && (hunks->len == 0 || g_array_index (hunks, guint, hunks->len - 1) < value))
        g_array_append_val (hunks, value);
    }
  return hunks;
}

/* @may_bind: what is bound binds nothing. */
static BeckonFileChange *
change_set_read_change (JsonNode *node, gboolean may_bind)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autofree char *path = object != NULL ? read_bytes (object, "path") : NULL;
  JsonArray *bound = object != NULL ? beckon_json_get_array (object, "bound") : NULL;
  guint kind, type, concern, fate;
  g_autoptr (BeckonFileChange) change = NULL;

  if (path == NULL || !READ_WORD (object, "kind", kind_words, &kind) || !READ_WORD (object, "type", type_words, &type)
      || !READ_WORD (object, "concern", concern_words, &concern) || !READ_WORD (object, "fate", fate_words, &fate))
    return NULL;

  change = beckon_file_change_new (path, (BeckonFileChangeKind) kind, (BeckonFileType) type);
  change->concern = (BeckonFileConcern) concern;
  change->fate = (BeckonFileFate) fate;
  change->n_files = (guint) beckon_json_get_int (object, "files", 0);
  change->n_made = (guint) beckon_json_get_int (object, "files_made", 0);
  change->n_gone = (guint) beckon_json_get_int (object, "files_gone", 0);
  change->size = (guint64) beckon_json_get_int (object, "size", 0);
  change->mode_before = (guint) beckon_json_get_int (object, "mode_before", 0);
  change->mode_after = (guint) beckon_json_get_int (object, "mode_after", 0);
  change->from = read_bytes (object, "from");
  change->target = read_bytes (object, "target");
  change->attributes = read_bytes (object, "attributes");
  change->is_text = beckon_json_get_boolean (object, "is_text", FALSE);
  change->n_added = (guint) beckon_json_get_int (object, "added", 0);
  change->n_removed = (guint) beckon_json_get_int (object, "removed", 0);
  change->diff = g_strdup (beckon_json_get_string (object, "diff"));
  change->n_hunks = (guint) beckon_json_get_int (object, "hunks", 0);
  change->kept_hunks = read_hunks (object, change->n_hunks);
  change->theirs = g_strdup (beckon_json_get_string (object, "theirs"));
  change->before_hash = g_strdup (beckon_json_get_string (object, "before_hash"));
  change->after_hash = g_strdup (beckon_json_get_string (object, "after_hash"));
  change->contents = g_strdup (beckon_json_get_string (object, "contents"));
  change->remark = g_strdup (beckon_json_get_string (object, "remark"));
  change->git = g_strdup (beckon_json_get_string (object, "git"));
  change->is_withheld = beckon_json_get_boolean (object, "withheld", FALSE);
  change->is_by_product = beckon_json_get_boolean (object, "by_product", FALSE);
  change->loses_nothing = beckon_json_get_boolean (object, "loses_nothing", FALSE);
  change->is_permitted = beckon_json_get_boolean (object, "permitted", FALSE);
  change->is_program = beckon_json_get_boolean (object, "program", FALSE);
  change->before_inode = (guint64) beckon_json_get_int (object, "before_inode", 0);
  change->after_inode = (guint64) beckon_json_get_int (object, "after_inode", 0);
  change->before_changed_at = beckon_json_get_int (object, "before_changed_at", 0);
  READ_WORD (object, "type_before", type_words, &type);
  change->type_before = (BeckonFileType) type;
  if (bound != NULL && may_bind)
    change->bound = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_file_change_free);
  for (guint i = 0; change->bound != NULL && i < json_array_get_length (bound); i++)
    {
      BeckonFileChange *inner = change_set_read_change (json_array_get_element (bound, i), FALSE);

      if (inner == NULL)
        return NULL;
      g_ptr_array_add (change->bound, inner);
    }
  return g_steal_pointer (&change);
}

BeckonChangeSet *
beckon_change_set_from_json (const char *json, GError **error)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (json, -1, error);
  JsonArray *array = object != NULL ? beckon_json_get_array (object, "changes") : NULL;
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();

  if (object == NULL)
    return NULL;
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      BeckonFileChange *change = change_set_read_change (json_array_get_element (array, i), TRUE);

      if (change == NULL)
        {
          g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "Not a stored set of changes: number %u cannot be read", i);
          return NULL;
        }
      beckon_change_set_take (set, change);
    }
  if (array == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, "Not a stored set of changes: it has none");
      return NULL;
    }

  return g_steal_pointer (&set);
}
