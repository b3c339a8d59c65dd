/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
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

#define BECKON_TYPE_FILE_COPIES (beckon_file_copies_get_type ())
G_DECLARE_INTERFACE (BeckonFileCopies, beckon_file_copies, BECKON, FILE_COPIES, GObject)

/** How many copies are listed at most, and of how many bytes each: those of longer files are not compared. */
#define BECKON_FILE_COPIES_MAX_LISTED 32
#define BECKON_FILE_COPIES_MAX_LENGTH (1024 * 1024)

/**
 * BeckonFileCopies:
 * @keep_async: keeps @copy, durably; what is much or old makes room
 * @keep_finish: %FALSE if it is not kept
 * @drop: the call changed nothing after all; nobody waits
 * @get_async: what a file was before a call changed it
 * @get_finish: (transfer full): %BECKON_ERROR_NOT_FOUND if it is not kept
 * @list_async: what calls of a message have changed and nobody has undone: at most the %BECKON_FILE_COPIES_MAX_LISTED newest
 *   copies of files up to %BECKON_FILE_COPIES_MAX_LENGTH bytes
 * @list_finish: (transfer full) (element-type BeckonFileCopy): the newest first
 * @put_async: stores a copy as it is after it was undone or made again, by whom, with a line in the provenance: "undone" or
 *   "redone"; kept until it can be written
 * @put_finish: as the others
 *
 * Where what files were before calls changed them is kept. Main thread.
 */
struct _BeckonFileCopiesInterface
{
  GTypeInterface parent_iface;

  void (*keep_async) (BeckonFileCopies *self, const BeckonFileCopy *copy, GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*keep_finish) (BeckonFileCopies *self, GAsyncResult *result, GError **error);
  void (*drop) (BeckonFileCopies *self, const char *call_id);
  void (*get_async) (BeckonFileCopies *self, const char *call_id, GCancellable *cancellable, GAsyncReadyCallback callback,
                     gpointer user_data);
  BeckonFileCopy *(*get_finish) (BeckonFileCopies *self, GAsyncResult *result, GError **error);
  void (*list_async) (BeckonFileCopies *self, const char *message_id, GCancellable *cancellable, GAsyncReadyCallback callback,
                      gpointer user_data);
  GPtrArray *(*list_finish) (BeckonFileCopies *self, GAsyncResult *result, GError **error);
  void (*put_async) (BeckonFileCopies *self, const char *conversation_id, const BeckonFileCopy *copy, const char *front_end,
                     gint64 at, GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*put_finish) (BeckonFileCopies *self, GAsyncResult *result, GError **error);
};

/** See #BeckonFileCopies for all of them. */
void     beckon_file_copies_keep_async (BeckonFileCopies *self, const BeckonFileCopy *copy, GAsyncReadyCallback callback,
                                        gpointer user_data);
gboolean beckon_file_copies_keep_finish (BeckonFileCopies *self, GAsyncResult *result, GError **error);
void     beckon_file_copies_drop (BeckonFileCopies *self, const char *call_id);
void     beckon_file_copies_get_async (BeckonFileCopies *self, const char *call_id, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);
BeckonFileCopy *beckon_file_copies_get_finish (BeckonFileCopies *self, GAsyncResult *result, GError **error);
void     beckon_file_copies_list_async (BeckonFileCopies *self, const char *message_id, GCancellable *cancellable,
                                        GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *beckon_file_copies_list_finish (BeckonFileCopies *self, GAsyncResult *result, GError **error);
void     beckon_file_copies_put_async (BeckonFileCopies *self, const char *conversation_id, const BeckonFileCopy *copy,
                                       const char *front_end, gint64 at, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_file_copies_put_finish (BeckonFileCopies *self, GAsyncResult *result, GError **error);

G_END_DECLS
