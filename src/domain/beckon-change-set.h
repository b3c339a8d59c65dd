/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-mask.h"

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonFileChangeKind:
 * @BECKON_FILE_CREATED: nothing was there before
 * @BECKON_FILE_CHANGED: other content, another mode, or a thing of another type in its place
 * @BECKON_FILE_DELETED: nothing is there afterwards
 * @BECKON_FILE_MOVED: it was at another path before: @BeckonFileChange.from. Something may have been at this one, too
 */
typedef enum
{
  BECKON_FILE_CREATED,
  BECKON_FILE_CHANGED,
  BECKON_FILE_DELETED,
  BECKON_FILE_MOVED,
} BeckonFileChangeKind;

/** The type of the thing at a path. */
typedef enum
{
  BECKON_FILE_REGULAR,
  BECKON_FILE_FOLDER,
  BECKON_FILE_LINK,
  BECKON_FILE_OTHER,
} BeckonFileType;

/**
 * BeckonFileConcern:
 * @BECKON_FILE_CONCERN_NONE: an ordinary change
 * @BECKON_FILE_CONCERN_TRIGGER: other programs run, or are told by it what to run
 * @BECKON_FILE_CONCERN_SET_ID: it would run as somebody else (set-user-id, set-group-id)
 * @BECKON_FILE_CONCERN_LEADS_OUT: a link that leads out of the folder
 * @BECKON_FILE_CONCERN_RULE: a rule of the person's asks about the path
 * @BECKON_FILE_CONCERN_CONFLICT: another writer changed it since the command began, and that would be replaced: @diff leads
 *   from theirs to the command's
 * @BECKON_FILE_CONCERN_PROGRAM: a program of a repository, which somebody may run from anywhere; only where ordinary changes
 *   land unseen
 *
 * Why a change does not land unseen whatever the mode is.
 */
typedef enum
{
  BECKON_FILE_CONCERN_NONE,
  BECKON_FILE_CONCERN_TRIGGER,
  BECKON_FILE_CONCERN_SET_ID,
  BECKON_FILE_CONCERN_LEADS_OUT,
  BECKON_FILE_CONCERN_RULE,
  BECKON_FILE_CONCERN_CONFLICT,
  BECKON_FILE_CONCERN_PROGRAM,
} BeckonFileConcern;

/**
 * BeckonFileFate:
 * @BECKON_FILE_OPEN: nobody has decided
 * @BECKON_FILE_KEPT: it lands, or has landed
 * @BECKON_FILE_LEFT_OUT: it does not land: a person said so
 * @BECKON_FILE_DENIED: it does not land: a rule denies the path
 * @BECKON_FILE_CONFLICT: it does not land: what is in the folder was changed since the command began
 * @BECKON_FILE_FAILED: it could not be landed; @BeckonFileChange.remark says why
 * @BECKON_FILE_UNDONE: it had landed, and was taken back
 */
typedef enum
{
  BECKON_FILE_OPEN,
  BECKON_FILE_KEPT,
  BECKON_FILE_LEFT_OUT,
  BECKON_FILE_DENIED,
  BECKON_FILE_CONFLICT,
  BECKON_FILE_FAILED,
  BECKON_FILE_UNDONE,
} BeckonFileFate;

/**
 * BeckonFileChange:
 * @path: (owned): relative to the folder, in the bytes of the file system, which need not be UTF-8
 * @kind: what happened to it
 * @from: (owned) (nullable): of what was moved: the path at which it was
 * @bound: (owned) (nullable) (element-type BeckonFileChange): changes that come and go with this one, because a file would be
 *   lost between them, such as the deletion of what was moved. The fate of this one is theirs, and they bind nothing themselves
 * @type: of what is there afterwards; of a deleted one, of what was there
 * @type_before: of what was there before; as @type where nothing was
 * @concern: why it is asked about in every mode
 * @fate: what becomes of it
 * @n_files: of a folder that stands for all that is in it, how many files those are; 0 for everything else
 * @n_made: of a changed folder that stands for all that is in it, how many of @n_files are new
 * @n_gone: of such a folder, how many of @n_files are deleted; the others are changed
 * @size: bytes afterwards, of a folder that stands for all in it those of all; of a deleted one, before
 * @mode_before: permission bits, 0 where nothing was
 * @mode_after: the same, 0 where nothing is
 * @target: (owned) (nullable): of a link, where it leads
 * @attributes: (owned) (nullable): names of what was changed that the file system keeps beside the content, such as
 *   "user.comment, system.posix_acl_access"
 * @is_text: @diff could be made
 * @n_added: lines; 0 unless @is_text
 * @n_removed: lines; 0 unless @is_text
 * @diff: (owned) (nullable): hunks as diff -u writes them, without the lines that name the files; secrets are masked. %NULL
 *   for what is no text, and for what is too long to be shown
 * @n_hunks: how many @diff has
 * @kept_hunks: (owned) (nullable) (element-type guint): which hunks land, counted from 0, rising; %NULL for all
 * @theirs: (owned) (nullable): for a conflict: what was changed meanwhile by somebody else, as @diff is written. %NULL if that
 *   was while the command still ran, so that nobody knows from what: then @diff leads from theirs to the command's
 * @before_hash: (owned) (nullable): SHA-256 of the content before, in hexadecimal digits; %NULL where there was none, or of
 *   a folder. Of what was moved to where nothing was, the content that was moved
 * @after_hash: (owned) (nullable): the same afterwards
 * @contents: (owned) (nullable): of a folder that is deleted, what stands for all that was in it; see
 *   beckon_tree_stamp_digest(). %NULL for too much
 * @remark: (owned) (nullable): why it failed, a sentence that has a translation or the system's word, because a model reads it;
 *   else translated: why it could not be undone; while it is open, what else it brings about
 * @git: (owned) (nullable): of all that a command did to one repository, which is decided as one: lines of a word, a number and
 *   a text, with tabs between, such as "commit\t1\tFix the discount"; behind a file, how much of it differs may follow. Empty
 *   where Git only wrote down anew what it knew.
 *   Of an index that is bound to it: what stands for its content before and afterwards, whenever it was written
 * @is_withheld: what was there before is kept nowhere, because a secret of the person's is in it
 * @loses_nothing: of a commit, a switch or what is staged, so called, and each file of it that is in the repository: all that
 *   this had, it has, as after a new branch of the same commit, or where what HEAD has is staged as the files are
 * @is_by_product: tools made it for themselves, such as what Git ignores: it lands unseen unless the person wants to see it
 * @is_permitted: of an open one: a permission lets it land, and it is on the card only beside what waits, so it starts kept
 * @is_program: it is a program of a repository, though ordinary where every change is asked about: what is allowed for a folder
 *   is not allowed for it
 * @before_inode: the inode that stood there, 0 for none; this and the next two are for the room that lands it
 * @after_inode: the inode that stands there afterwards, 0 for none
 * @before_changed_at: the ctime of what stood there, in nanoseconds since the epoch
 */
typedef struct
{
  char *path;
  char *from;
  GPtrArray *bound;
  BeckonFileChangeKind kind;
  BeckonFileType type;
  BeckonFileType type_before;
  BeckonFileConcern concern;
  BeckonFileFate fate;
  guint n_files;
  guint n_made;
  guint n_gone;
  guint64 size;
  guint mode_before;
  guint mode_after;
  char *target;
  char *attributes;
  gboolean is_text;
  guint n_added;
  guint n_removed;
  char *diff;
  guint n_hunks;
  GArray *kept_hunks;
  char *theirs;
  char *before_hash;
  char *after_hash;
  char *contents;
  char *remark;
  char *git;
  gboolean is_withheld;
  gboolean is_by_product;
  gboolean loses_nothing;
  gboolean is_permitted;
  gboolean is_program;
  guint64 before_inode;
  guint64 after_inode;
  gint64 before_changed_at;
} BeckonFileChange;

/**
 * BeckonChangeSet:
 *
 * What a command changed in its folder, sorted by path. Reference counted; changed only by whoever made it or lands it, and
 * copied for everybody else.
 */
typedef struct _BeckonChangeSet BeckonChangeSet;

/** No more than this many changes are listed one by one; what is more is shown by folder. */
#define BECKON_CHANGE_SET_MAX_LISTED 1000

/** The most that the differences of a set have together, and one of them has. Bytes. */
#define BECKON_CHANGE_SET_MAX_DIFFS (512 * 1024)
#define BECKON_CHANGE_SET_MAX_DIFF (64 * 1024)

BeckonFileChange *beckon_file_change_new (const char *path, BeckonFileChangeKind kind,
                                          BeckonFileType type) G_GNUC_WARN_UNUSED_RESULT;
void              beckon_file_change_free (BeckonFileChange *change);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonFileChange, beckon_file_change_free)

/** An empty set. */
BeckonChangeSet *beckon_change_set_new (void) G_GNUC_WARN_UNUSED_RESULT;
BeckonChangeSet *beckon_change_set_ref (BeckonChangeSet *set);
void             beckon_change_set_unref (BeckonChangeSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChangeSet, beckon_change_set_unref)

/** (transfer full): one of its own. */
BeckonChangeSet *beckon_change_set_copy (const BeckonChangeSet *set) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): one of its own, with those that have one of these two fates. */
BeckonChangeSet *beckon_change_set_filter (const BeckonChangeSet *set, BeckonFileFate fate,
                                           BeckonFileFate other) G_GNUC_WARN_UNUSED_RESULT;

/** @change: (transfer full). Call beckon_change_set_sort() behind the last. */
void beckon_change_set_take (BeckonChangeSet *set, BeckonFileChange *change);

/** Adds copies of the changes of @older, but for those of paths that @set has. */
void beckon_change_set_add_older (BeckonChangeSet *set, const BeckonChangeSet *older);

/**
 * beckon_change_set_bind:
 * @set: a set
 * @change: a change of it
 * @members: (element-type BeckonFileChange): other changes of it
 *
 * Binds @members to @change. Where one of them waits, or cannot land, so does @change now. The order of the set stays.
 */
void beckon_change_set_bind (BeckonChangeSet *set, BeckonFileChange *change, GPtrArray *members);

/** Whether a change can land only with another one, which makes the folder that it is in. Both are indices. */
gboolean beckon_change_set_stands_on (const BeckonChangeSet *set, guint change, guint other);

/** Changes that stand on one which does not land, as its fate says, do not land either. */
void beckon_change_set_spread_fates (BeckonChangeSet *set);

/** Hides what @mask (nullable) hides in all differences. */
void beckon_change_set_mask (BeckonChangeSet *set, BeckonMask *mask);

/** By path, a folder before what is in it. */
void beckon_change_set_sort (BeckonChangeSet *set);

guint beckon_change_set_get_n_changes (const BeckonChangeSet *set);

/** Borrowed; to be changed only by whoever lands the set. */
BeckonFileChange *beckon_change_set_get (const BeckonChangeSet *set, guint index);

/** How many have this fate. */
guint beckon_change_set_count (const BeckonChangeSet *set, BeckonFileFate fate);

/** Whether any change is still to be decided. */
gboolean beckon_change_set_is_open (const BeckonChangeSet *set);

/** Whether any has landed and was not taken back, so that there is something to undo. */
gboolean beckon_change_set_can_undo (const BeckonChangeSet *set);

/** How many files a change stands for, at least one in all, by what happened to them. */
void beckon_file_change_count (const BeckonFileChange *change, guint *n_new, guint *n_changed, guint *n_deleted);

/** Whether anything was at the path of a change before, and whether anything is there afterwards. */
gboolean beckon_file_change_was_there (const BeckonFileChange *change);
gboolean beckon_file_change_is_there (const BeckonFileChange *change);

/** (nullable): why a change can't be shown whole, translated, without a full stop; %NULL if it can be. Static. It starts left
 *  out. */
const char *beckon_file_change_get_why_unshown (const BeckonFileChange *change);

/** Whether a change is only counted where a set is shown: a by-product that nobody is asked about. */
gboolean beckon_file_change_is_aside (const BeckonFileChange *change);

/** Whether a change left the content as it was: of a file, its mode or its path alone is another. */
gboolean beckon_file_change_keeps_content (const BeckonFileChange *change);

/** Whether a folder takes the place of a file or a link. What is in it stands behind it in the set, and can land only with
 *  it. */
gboolean beckon_file_change_makes_folder (const BeckonFileChange *change);

/** (transfer full): the same, translated: "3000 new, 412 changed, 90 deleted"; none that are 0. */
char *beckon_file_change_dup_counts (const BeckonFileChange *change) G_GNUC_WARN_UNUSED_RESULT;

/** The kind of all files of a change; %BECKON_FILE_CHANGED where not all are of the same. */
BeckonFileChangeKind beckon_file_change_get_common_kind (const BeckonFileChange *change);

/**
 * beckon_change_set_dup_sentence:
 * @set: a set
 *
 * Returns: (transfer full): what was changed, in one translated sentence without a full stop, such as "Changed 3 files,
 *   deleted 1, made 120 in build/"
 */
char *beckon_change_set_dup_sentence (const BeckonChangeSet *set) G_GNUC_WARN_UNUSED_RESULT;

/** Tells in words how a repository was changed, by lines as #BeckonFileChange has them. Caller frees. */
char *beckon_change_set_dup_git_words (const char *git) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_file_change_list_git_files:
 * @change: a change
 * @with_extent: whether each has how many lines of it differ, if that is known
 *
 * Returns: (transfer full) (element-type utf8): files that a commit has and that are no change in the folder, such as those
 *   that were changed before it; a sentence for those that are too many. Empty for anything else
 */
GPtrArray *beckon_file_change_list_git_files (const BeckonFileChange *change, gboolean with_extent) G_GNUC_WARN_UNUSED_RESULT;

/** @path as text to be shown: valid UTF-8, one line; what was done to a repository in words. Caller frees. */
char *beckon_file_change_dup_shown_path (const BeckonFileChange *change) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): the same, and where it was before if it was moved: "video.mp4 → other/video.mp4". */
char *beckon_file_change_dup_shown_name (const BeckonFileChange *change) G_GNUC_WARN_UNUSED_RESULT;

/** Whether all of it loses nothing: no file beside the repository goes with it. */
gboolean beckon_file_change_loses_nothing (const BeckonFileChange *change);

/** Whether @gone is the deletion of what @change, or a change that is bound to it, moved from there. */
gboolean beckon_file_change_is_source (const BeckonFileChange *gone, const BeckonFileChange *change);

/**
 * beckon_file_change_list_told:
 * @change: a change
 *
 * Returns: (transfer container) (element-type BeckonFileChange): those of @bound that say more than @change does: not the
 *   deletion of what was moved from there
 */
GPtrArray *beckon_file_change_list_told (const BeckonFileChange *change) G_GNUC_WARN_UNUSED_RESULT;

/** Why @concern waits, translated, without a full stop; %NULL for none. Static. */
const char *beckon_file_concern_to_words (BeckonFileConcern concern);

/** The words by which they are stored and published; static. */
const char *beckon_file_change_kind_to_string (BeckonFileChangeKind kind);
const char *beckon_file_type_to_string (BeckonFileType type);
const char *beckon_file_concern_to_string (BeckonFileConcern concern);
const char *beckon_file_fate_to_string (BeckonFileFate fate);

/** (transfer full): the set as a JSON object, for the store. */
char *beckon_change_set_to_json (const BeckonChangeSet *set) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): %NULL with BECKON_ERROR_INVALID if it cannot be read. */
BeckonChangeSet *beckon_change_set_from_json (const char *json, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
