/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_export_conceal:
 * @concealed: which arguments of the call are not to be seen; see beckon_tool_call_get_concealed()
 * @arguments: the call's, in which they stand
 * @column: what is written: "arguments", "body", "draft", "answer", or anything else
 * @text: (nullable): it
 *
 * What a person masked is in no export: neither in the arguments, nor in what was asked, drafted or answered about them, nor in
 * what came of it.
 *
 * Returns: (transfer full) (nullable): what may be written instead; it can be read as what it is
 */
char *beckon_export_conceal (const char *concealed, const char *arguments, const char *column,
                             const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
