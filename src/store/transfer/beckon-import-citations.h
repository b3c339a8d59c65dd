/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * beckon_import_cite:
 * @text: an answer as ChatGPT exports it
 * @metadata: (nullable): that of its message, which explains the marks in the answer
 *
 * Returns: (transfer full): Markdown in which each mark is a link to what it stands for, or its name; a mark that nothing
 *   explains is left out
 */
char *beckon_import_cite (const char *text, JsonObject *metadata) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
