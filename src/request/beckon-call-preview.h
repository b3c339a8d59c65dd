/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/** Bytes of a difference that are laid out at once, and up to which its hunks are chosen one by one. */
#define BECKON_CALL_PREVIEW_PIECE (128 * 1024)

/**
 * BeckonCallPreview:
 * @is_new: the file is not there yet
 * @n_added: lines that come
 * @n_removed: lines that go
 * @replaces: (nullable): what is replaced whole because it is no text: its content type
 * @n_replaced: the bytes of that
 * @encoding: (nullable): the encoding of the file, which it keeps; %NULL for UTF-8
 * @shown: the difference as hunks, or of a new file its content, all of it; secrets are masked
 * @n_hunks: how many hunks the difference has; 0 where it is no text
 * @can_leave_out: whether the call can be made without some of its hunks, by other arguments
 * @files: what the file is that this was computed from, as stamps; see beckon_file_stamps_take()
 * @before: (nullable): what the file says; for leaving out hunks
 * @after: (nullable): what it would say
 *
 * What a call would change, before it runs: computed by the same function that will write it. Not changed once made; reference
 * counted.
 */
typedef struct
{
  gboolean is_new;
  guint n_added;
  guint n_removed;
  char *replaces;
  guint64 n_replaced;
  const char *encoding;
  char *shown;
  guint n_hunks;
  gboolean can_leave_out;
  char *files;
  char *before;
  char *after;
} BeckonCallPreview;

BeckonCallPreview *beckon_call_preview_new (void) G_GNUC_WARN_UNUSED_RESULT;
BeckonCallPreview *beckon_call_preview_ref (BeckonCallPreview *preview);
void               beckon_call_preview_unref (BeckonCallPreview *preview);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonCallPreview, beckon_call_preview_unref)

#define BECKON_TYPE_CALL_PREVIEWER (beckon_call_previewer_get_type ())
G_DECLARE_INTERFACE (BeckonCallPreviewer, beckon_call_previewer, BECKON, CALL_PREVIEWER, GObject)

/**
 * BeckonCallPreviewer:
 * @has_preview: whether calls of a tool have one
 * @preview_async: computes it, on a worker
 * @preview_finish: (nullable): %NULL with an error: translated where the call makes no sense with the file as it is now
 * @leave_out: (nullable): the arguments of the same call without some hunks of its preview
 * @check_async: looks on a worker whether the files of a preview are still what they were
 * @check_finish: %FALSE where they are not
 *
 * What calls would change, for a room that knows no tools. Main thread.
 */
struct _BeckonCallPreviewerInterface
{
  GTypeInterface parent_iface;

  gboolean (*has_preview) (BeckonCallPreviewer *self, const char *tool);
  void (*preview_async) (BeckonCallPreviewer *self, BeckonRequest *request, const char *arguments, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data);
  BeckonCallPreview *(*preview_finish) (BeckonCallPreviewer *self, GAsyncResult *result, GError **error);
  char *(*leave_out) (BeckonCallPreviewer *self, const BeckonCallPreview *preview, const char *arguments, GArray *kept);
  void (*check_async) (BeckonCallPreviewer *self, const char *files, GCancellable *cancellable, GAsyncReadyCallback callback,
                       gpointer user_data);
  gboolean (*check_finish) (BeckonCallPreviewer *self, GAsyncResult *result);
};

gboolean beckon_call_previewer_has_preview (BeckonCallPreviewer *self, const char *tool);

/**
 * beckon_call_previewer_preview_async:
 * @self: the previewer
 * @request: the approval of a call that has a preview
 * @arguments: the arguments that would run; the request's, or what the person made of them
 * @cancellable: (nullable): ends it
 * @callback: called later
 * @user_data: for @callback
 */
void beckon_call_previewer_preview_async (BeckonCallPreviewer *self, BeckonRequest *request, const char *arguments,
                                          GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): %NULL with an error whose message is for people. */
BeckonCallPreview *beckon_call_previewer_preview_finish (BeckonCallPreviewer *self, GAsyncResult *result,
                                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_call_previewer_leave_out:
 * @self: the previewer
 * @preview: a preview that says that it can be made without some of its hunks
 * @arguments: the arguments that it is of
 * @kept: (element-type guint): the hunks that are kept, counted from 0, rising; not all, and not none
 *
 * Returns: (transfer full) (nullable): the arguments that make exactly that; %NULL where there are none
 */
char *beckon_call_previewer_leave_out (BeckonCallPreviewer *self, const BeckonCallPreview *preview, const char *arguments,
                                       GArray *kept) G_GNUC_WARN_UNUSED_RESULT;

/** @files: those of a preview. */
void     beckon_call_previewer_check_async (BeckonCallPreviewer *self, const char *files, GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_call_previewer_check_finish (BeckonCallPreviewer *self, GAsyncResult *result);

G_END_DECLS
