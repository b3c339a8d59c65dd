/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-part.h"

G_BEGIN_DECLS

/** Whether a file that begins with these bytes is a picture that can be shown. */
gboolean beckon_picture_file_is_one (const char *bytes, gsize length);

/**
 * beckon_picture_file_read:
 * @path: what it is called, for words and for the part's name
 * @fd: the open file; stays open
 * @size: its bytes
 * @part: (out) (transfer full): the picture, no larger than models look at
 * @error: return location; English, for the model
 *
 * Waits for the disk and the decoder, so on a worker thread only.
 *
 * Returns: (transfer full): what is said of it to the model; %NULL with an error
 */
char *beckon_picture_file_read (const char *path, int fd, guint64 size, BeckonPart **part,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
