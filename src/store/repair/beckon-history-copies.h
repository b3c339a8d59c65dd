/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/sqlite/beckon-database.h"

G_BEGIN_DECLS

/**
 * BeckonHistoryCopy:
 * @name: of its file
 * @date: the day it was made, as 2026-11-30
 * @size: in bytes
 * @n_conversations: -1 if it can't be read
 *
 * A copy of the whole history, in the store's folder. There is one for each of the last three days on which Beckon ran.
 */
typedef struct
{
  char *name;
  char *date;
  gint64 size;
  gint64 n_conversations;

  /* private */
  guint number;
} BeckonHistoryCopy;

void beckon_history_copy_free (BeckonHistoryCopy *copy);

/** The last one made first: (element-type BeckonHistoryCopy) (transfer full). Any thread; blocks. */
GPtrArray *beckon_history_copies_list (const char *directory);

/** %TRUE if there is no copy of today in @directory. @now: microseconds since the epoch. */
gboolean beckon_history_copies_is_due (const char *directory, gint64 now);

/**
 * beckon_history_copies_make:
 * @directory: the store's folder
 * @path: its database
 * @now: microseconds since the epoch
 * @is_over: asked often whether to give up
 * @is_whole: reads the copy, at the path that it is given, and says whether it is worth keeping
 * @data: for both
 * @error: return location
 *
 * Makes a copy of today and removes all but the last three. Does nothing while another process makes one.
 *
 * Returns: %FALSE without @error where @is_whole said so
 */
gboolean beckon_history_copies_make (const char *directory, const char *path, gint64 now, gboolean (*is_over) (gpointer data),
                                     gboolean (*is_whole) (gpointer data, const char *path), gpointer data, GError **error);

/** Removes all of them, and the one that a process is making right now. */
void beckon_history_copies_remove (const char *directory);

/** Opens a copy for reading, so that nothing is written beside it. Caller owns. */
BeckonDatabase *beckon_history_copies_open (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonHistoryCopy, beckon_history_copy_free)

G_END_DECLS
