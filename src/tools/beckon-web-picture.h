/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-part.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/** Whether a picture could be at @address at all: it is http or https with a host, or holds the picture itself (data). */
gboolean beckon_web_picture_is_address (const char *address);

/**
 * beckon_web_picture_load_async:
 * @address: where a model says that there is a picture
 * @name: what it is to be called
 * @private_too: whether addresses of this computer and its network may be reached
 * @cancellable: (nullable): at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Reads a picture, as beckon_web_get_async() reads pages, but to whatever public host it moved; of the kinds that
 * beckon_image_get_media_type() knows, and no larger than %BECKON_WEB_GET_MAX_BYTES. It is decoded and written anew on another
 * thread, as attached ones are. Call this only for a person who asked for this picture: to fetch it tells its server
 * something.
 */
void beckon_web_picture_load_async (const char *address, const char *name, gboolean private_too, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): an attached image, see beckon-attachment.h; errors are fit for people. */
BeckonPart *beckon_web_picture_load_finish (GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
