/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_arguments_line:
 * @arguments: JSON text, or anything
 *
 * A tool's arguments as one short line for people: punctuation of JSON left out, the name of a sole argument too. Nothing is
 * decided by it; the whole text is shown where it matters.
 *
 * Returns: (transfer full): the line
 */
char *beckon_arguments_line (const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
