/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-file-copy.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_FILE_COPIES (beckon_file_copies_get_type ())
G_DECLARE_INTERFACE (BeckonFileCopies, beckon_file_copies, BECKON, FILE_COPIES, GObject)

/**
 * BeckonFileCopies:
 * @keep_async: keeps @copy, durably; what is much or old makes room
 * @keep_finish: %FALSE if it is not kept
 * @drop: the call changed nothing after all; nobody waits
 * @get_async: what a file was before a call changed it
 * @get_finish: (transfer full): %BECKON_ERROR_NOT_FOUND if it is not kept
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
void     beckon_file_copies_put_async (BeckonFileCopies *self, const char *conversation_id, const BeckonFileCopy *copy,
                                       const char *front_end, gint64 at, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_file_copies_put_finish (BeckonFileCopies *self, GAsyncResult *result, GError **error);

G_END_DECLS
