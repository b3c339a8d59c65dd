/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonFileCopy:
 * @call_id: (owned): the call that changed the file
 * @folder: (owned): the absolute path of the working folder it was in
 * @path: (owned): of the file, relative to it
 * @before: (owned) (nullable): what it held; %NULL if it was not there. Once undone: what the call had made of it, %NULL where
 *   that is not kept
 * @after_hash: (owned): of what the call made of it; see beckon_file_copy_hash(). Once undone: of what it was before, empty if
 *   it was not there
 * @made_at: microseconds since the epoch
 * @undone_at: the same, 0 while it is not undone
 * @n_folders: how many of the folders it is in were made with it
 * @is_withheld: what it held is kept nowhere, because a secret of the person's is in it
 * @is_after_withheld: what the call makes of it is not kept when it is undone, for the same reason
 *
 * What a file was before a call changed it, so that it can be put back; and once that was done, what the call had made of it,
 * so that it can be made again.
 */
typedef struct
{
  char *call_id;
  char *folder;
  char *path;
  GBytes *before;
  char *after_hash;
  gint64 made_at;
  gint64 undone_at;
  guint n_folders;
  gboolean is_withheld;
  gboolean is_after_withheld;
} BeckonFileCopy;

/** Copies what it is given and takes a reference on @before. Caller owns. */
BeckonFileCopy *beckon_file_copy_new (const char *call_id, const char *folder, const char *path, GBytes *before,
                                      const char *after_hash, gint64 made_at) G_GNUC_WARN_UNUSED_RESULT;

void beckon_file_copy_free (BeckonFileCopy *copy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonFileCopy, beckon_file_copy_free)

/** (transfer full): the SHA-256 of @contents, in hexadecimal digits. */
char *beckon_file_copy_hash (GBytes *contents) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
