/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-attachment.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/** The largest file that is looked at. */
#define BECKON_ATTACHER_MOST_BYTES (64 * 1024 * 1024)

/**
 * beckon_attacher_read_file_async:
 * @file: what a person chose
 * @cancellable: (nullable): at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Makes a file to what can be attached: a picture is made as small as models see it, a text is read whatever its encoding is,
 * of a PDF its text is taken out, in a process of its own, and the PDF kept beside it. All of it on another thread. Fails with
 * %BECKON_ERROR_INVALID, TOO_LARGE or UNAVAILABLE, or with an error of #GFile; the message is fit for people and does not name
 * the file.
 */
void beckon_attacher_read_file_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                                      gpointer user_data);

/** The same for bytes that are no file, such as from the clipboard. @name: what it is to be called. */
void beckon_attacher_read_bytes_async (GBytes *bytes, const char *name, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): a file as in beckon-attachment.h */
BeckonPart *beckon_attacher_read_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The most bytes of a text that is attached. */
#define BECKON_ATTACHED_TEXT_MOST (512 * 1024)

/**
 * beckon_attached_text_read:
 * @bytes: a whole file
 * @length: (out): bytes of the result
 * @error: %BECKON_ERROR_INVALID if it is no text, TOO_LARGE
 *
 * Reads every encoding that beckon_file_text_new() knows. Any thread.
 *
 * Returns: (transfer full): valid UTF-8 with lines that end with LF, without control characters but tabs
 */
char *beckon_attached_text_read (GBytes *bytes, gsize *length, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
