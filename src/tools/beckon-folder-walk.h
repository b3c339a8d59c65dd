/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox/beckon-folder.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonFolderEntryKind:
 *
 * What an entry is; links are not followed.
 */
typedef enum
{
  BECKON_FOLDER_ENTRY_FILE,
  BECKON_FOLDER_ENTRY_FOLDER,
  BECKON_FOLDER_ENTRY_LINK,
  BECKON_FOLDER_ENTRY_OTHER,
} BeckonFolderEntryKind;

/**
 * BeckonFolderEntry:
 * @path: relative to the working folder; UTF-8; borrowed until the next one
 * @kind: what it is
 */
typedef struct
{
  const char *path;
  BeckonFolderEntryKind kind;
} BeckonFolderEntry;

/**
 * BeckonFolderWalk:
 *
 * The entries of a folder, each folder before what is in it, by name. What Git overlooks, and Git's own folder, are left
 * out. Blocks: worker threads only.
 */
typedef struct _BeckonFolderWalk BeckonFolderWalk;

#define BECKON_FOLDER_WALK_MAX_NAMED 20

/**
 * beckon_folder_walk_new:
 * @folder: the working folder
 * @path: where to begin, relative to it
 * @is_deep: whether folders in it are entered
 * @error: return location; English
 *
 * Returns: (transfer full): %NULL if @path cannot be read
 */
BeckonFolderWalk *beckon_folder_walk_new (BeckonFolder *folder, const char *path, gboolean is_deep, GError **error)
  G_GNUC_WARN_UNUSED_RESULT;

/** %FALSE behind the last one. */
gboolean beckon_folder_walk_next (BeckonFolderWalk *walk, BeckonFolderEntry *entry);

/** How many entries were left out, because they are ignored or their folder has too many. */
guint beckon_folder_walk_get_n_ignored (BeckonFolderWalk *walk);

/** (element-type filename): the paths of the first %BECKON_FOLDER_WALK_MAX_NAMED that are ignored. Borrowed. */
GPtrArray *beckon_folder_walk_get_ignored (BeckonFolderWalk *walk);

/** How many entries have names that are no UTF-8, so that they can't be named. */
guint beckon_folder_walk_get_n_unnamed (BeckonFolderWalk *walk);

/** How many folders could not be read, or are too deep. */
guint beckon_folder_walk_get_n_unread (BeckonFolderWalk *walk);

void beckon_folder_walk_free (BeckonFolderWalk *walk);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonFolderWalk, beckon_folder_walk_free)

/** The most names that are listed. */
#define BECKON_FOLDER_NAMES_MOST 5000

/**
 * beckon_folder_names_list_async:
 * @folder: the absolute path of a working folder
 * @cancellable: (nullable): at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Lists the files beneath a folder for a person to choose from, on another thread: what `list_files` would list, no more than
 * can be looked at in a moment.
 */
void beckon_folder_names_list_async (const char *folder, GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);

/** Paths relative to the folder, in the order of the folders: (element-type utf8) (transfer full). */
GPtrArray *beckon_folder_names_list_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
