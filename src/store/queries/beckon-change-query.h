/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"

G_BEGIN_DECLS

/**
 * BeckonChange:
 * @call_id: (owned): the call that changed a file
 * @conversation_id: (owned): its conversation
 * @title: (owned): the title of that
 * @folder: (owned): the absolute path of the working folder
 * @path: (owned) (nullable): of the file, relative to it; %NULL for what a command changed
 * @changes: (owned) (nullable): what a command changed
 * @made_at: microseconds since the epoch
 * @undone_at: the same; 0 while the file is as the call left it
 * @is_withheld: it cannot be put back: it held a secret of the person's, so that no copy was kept
 *
 * That a call changed a file, or a command several, which can be put back, or were.
 */
typedef struct
{
  char *call_id;
  char *conversation_id;
  char *title;
  char *folder;
  char *path;
  BeckonChangeSet *changes;
  gint64 made_at;
  gint64 undone_at;
  gboolean is_withheld;
} BeckonChange;

void beckon_change_free (BeckonChange *change);

/**
 * beckon_store_list_changes_async:
 * @store: the store
 * @call_id: (nullable): only of calls whose id begins so, in any case of letters; %NULL for all
 * @max: no more than so many; 0 for all
 * @cancellable: (nullable): honoured at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Reads which changes of file tools and commands are kept, the latest first. What belongs to a temporary conversation is
 * among them only where the whole id of its call is given, and nothing that is deleted.
 */
void beckon_store_list_changes_async (BeckonStore *store, const char *call_id, guint max, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (element-type BeckonChange) */
GPtrArray *beckon_store_list_changes_finish (BeckonStore *store, GAsyncResult *result,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_store_find_message_async:
 * @store: the store
 * @id: how the id of a message begins, in any case of letters
 * @cancellable: (nullable): honoured at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Finds a message of any conversation that is not deleted.
 */
void beckon_store_find_message_async (BeckonStore *store, const char *id, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): its id, and in @conversation_id (out) (transfer full) that of its conversation; %NULL with an error in
 *  words to be shown if there is none, or more than one. */
char *beckon_store_find_message_finish (BeckonStore *store, GAsyncResult *result, char **conversation_id,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
