/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** How many notes there are at most, and how long one is in bytes. */
#define BECKON_MEMORY_MAX_NOTES 500
#define BECKON_MEMORY_MAX_TEXT 4000

/**
 * BeckonMemo:
 * @id: (owned): its own id
 * @text: (owned): what is remembered
 * @created_at: microseconds since the epoch
 * @updated_at: the same
 * @is_from_run: whether a model wrote it, out of a run; %FALSE for what the person wrote or changed
 *
 * Something that is remembered across conversations. The person may change or take away every one.
 */
typedef struct
{
  char *id;
  char *text;
  gint64 created_at;
  gint64 updated_at;
  gboolean is_from_run;
} BeckonMemo;

/** Caller owns: one that a person wrote. @id: (nullable): %NULL makes one. */
BeckonMemo *beckon_memo_new (const char *id, const char *text, gint64 now) G_GNUC_WARN_UNUSED_RESULT;

/** Caller owns. */
BeckonMemo *beckon_memo_copy (const BeckonMemo *note) G_GNUC_WARN_UNUSED_RESULT;
void        beckon_memo_free (BeckonMemo *note);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMemo, beckon_memo_free)

#define BECKON_TYPE_MEMORY (beckon_memory_get_type ())
G_DECLARE_INTERFACE (BeckonMemory, beckon_memory, BECKON, MEMORY, GObject)

/**
 * BeckonMemory:
 * @put_async: adds a note, or gives the one with its id another text
 * @put_finish: %FALSE with %BECKON_ERROR_TOO_LARGE when there are too many
 * @remove_async: takes one away; one that is not there is gone already
 * @remove_finish: as the others
 * @list_async: all of them
 * @list_finish: (transfer full) (element-type BeckonMemo): the newest first
 *
 * Where notes are kept. Signal `notes-changed`, without arguments: there may be others than before, whoever wrote them. Main
 * thread.
 */
struct _BeckonMemoryInterface
{
  GTypeInterface parent_iface;

  void (*put_async) (BeckonMemory *self, const BeckonMemo *note, GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*put_finish) (BeckonMemory *self, GAsyncResult *result, GError **error);
  void (*remove_async) (BeckonMemory *self, const char *id, GAsyncReadyCallback callback, gpointer user_data);
  gboolean (*remove_finish) (BeckonMemory *self, GAsyncResult *result, GError **error);
  void (*list_async) (BeckonMemory *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
  GPtrArray *(*list_finish) (BeckonMemory *self, GAsyncResult *result, GError **error);
};

/** See #BeckonMemory for all of them. */
void       beckon_memory_put_async (BeckonMemory *self, const BeckonMemo *note, GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean   beckon_memory_put_finish (BeckonMemory *self, GAsyncResult *result, GError **error);
void       beckon_memory_remove_async (BeckonMemory *self, const char *id, GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean   beckon_memory_remove_finish (BeckonMemory *self, GAsyncResult *result, GError **error);
void       beckon_memory_list_async (BeckonMemory *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);
GPtrArray *beckon_memory_list_finish (BeckonMemory *self, GAsyncResult *result, GError **error);

/** Emits `notes-changed`; for whoever keeps them. */
void beckon_memory_changed (BeckonMemory *self);

G_END_DECLS
