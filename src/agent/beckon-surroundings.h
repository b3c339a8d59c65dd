/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** Reads what a model is told of the computer and of the repository of @folder. @folder: (nullable) */
void beckon_surroundings_read_async (const char *folder, GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (nullable): in sentences, in English; %NULL where a file system does not answer. */
char *beckon_surroundings_read_finish (GAsyncResult *result) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
