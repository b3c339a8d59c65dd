/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-file-copies.h"

G_BEGIN_DECLS

/** More are not looked at. */
#define BECKON_FILE_STAMP_MAX_PATHS 1024

/** The stamp of a path at which nothing is, in a folder that is there. */
#define BECKON_FILE_STAMP_ABSENT "absent:2"

/** Instead of a stamp, with the id of a call behind it: what that call made of the file. */
#define BECKON_FILE_STAMP_BY_CALL "by:"

/**
 * beckon_file_stamps_take:
 * @paths: (nullable) (array zero-terminated=1): absolute paths
 *
 * What these files are now: of a regular one the digest of its content, or for what is large, as for a link, its identity, size
 * and times; that nothing is there; or that it is something else. A link is not followed. Synchronous; reads no more than
 * 4 MiB in all.
 *
 * Returns: (transfer full) (nullable): a JSON object of stamps by path; %NULL for no paths
 */
char *beckon_file_stamps_take (const char *const *paths) G_GNUC_WARN_UNUSED_RESULT;

/** The same; for those that are in @whole (nullable) (element-type utf8), of a folder with all that is in it: see
 *  beckon_tree_stamp_take(). One that is too much is stamped as everywhere. */
char *beckon_file_stamps_take_whole (const char *const *paths, GHashTable *whole) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): @stamps for what is left in folders of which all in them counted, where nothing else came to it. */
char *beckon_file_stamps_narrow (const char *stamps) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): @stamp of a folder without what is in it; every other one as it is. */
char *beckon_file_stamp_dup_outside (const char *stamp) G_GNUC_WARN_UNUSED_RESULT;

/** The same with the size and the time of change of each regular file, which say nothing of what it is. */
char *beckon_file_stamps_take_dated (const char *const *paths) G_GNUC_WARN_UNUSED_RESULT;

/** Whether two stamps say that a file is the same. @then, @now: (nullable): one of them alone is none of the other */
gboolean beckon_file_stamp_equal (const char *then, const char *now);

/**
 * beckon_file_stamp_is_of:
 * @stamp: (nullable): a stamp
 * @hash: (nullable): the SHA-256 of a regular file
 * @inode: its inode, or that of a folder or a link
 * @changed_at: the ctime, in nanoseconds since the epoch
 *
 * Returns: whether @stamp was taken of the same: by the content, the inode of a folder, or inode and time of all else
 */
gboolean beckon_file_stamp_is_of (const char *stamp, const char *hash, guint64 inode, gint64 changed_at);

/** Reads the size in bytes and the time in seconds since the epoch out of a stamp; %FALSE if it has none. */
gboolean beckon_file_stamp_read (const char *stamp, gint64 *size, gint64 *changed_at);

/**
 * beckon_file_stamps_find_change:
 * @stamps: (nullable): what beckon_file_stamps_take() gave
 *
 * Returns: (transfer full) (nullable): the first path whose file is not what it was; %NULL if all are
 */
char *beckon_file_stamps_find_change (const char *stamps) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): @stamps with the stamps of what the calls in @copies (nullable) made instead of those calls. */
char *beckon_file_stamps_fill_in (const char *stamps, GPtrArray *copies) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_file_stamps_follow:
 * @stamps: what beckon_file_stamps_take() gave
 * @copies: (element-type BeckonFileCopy): what calls have changed, the newest first
 * @until: microseconds since the epoch; what was changed later isn't followed
 *
 * Looks whether the calls in @copies, and nobody else, made of the files what they are.
 *
 * Returns: (transfer full) (nullable): stamps of the files as they are; %NULL if they did not
 */
char *beckon_file_stamps_follow (const char *stamps, GPtrArray *copies, gint64 until) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
