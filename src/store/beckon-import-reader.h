/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * beckon_import_read:
 * @text: the file
 * @error: return location
 *
 * Pure; any thread.
 *
 * Returns: (element-type JsonObject) (transfer full): each in the form of an exported `conversation`; those of our own files
 *   are not checked yet
 */
GPtrArray *beckon_import_read (GBytes *text, GError **error);

G_END_DECLS
